package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// splitQuoted splits text at the separator, but not between double quotes.
// The quotes stay.
func splitQuoted(text string, separator byte) ([]string, error) {
	var parts []string
	quoted, start := false, 0
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == separator && !quoted:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	if quoted {
		return nil, errors.New("a quote is not closed")
	}
	return append(parts, text[start:]), nil
}

// eachKey calls f for every key=value of a list with commas in between. A key
// that comes twice is an error: one of the two would say nothing.
func eachKey(text string, f func(key, value string) error) error {
	parts, err := splitQuoted(text, ',')
	if err != nil {
		return err
	}
	seen := make(map[string]bool)
	for _, part := range parts {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return fmt.Errorf("%q is not key=value", part)
		}
		key = strings.ToLower(strings.TrimSpace(key))
		if seen[key] {
			return fmt.Errorf("%s is given twice", key)
		}
		seen[key] = true
		if err := f(key, strings.TrimSpace(value)); err != nil {
			return err
		}
	}
	return nil
}

// parseKeys reads key=value,... into the settings.
func parseKeys(text string, settings map[string]func(string) error) error {
	return eachKey(text, func(key, value string) error {
		set := settings[key]
		if set == nil {
			return unknownKey(key, slices.Sorted(maps.Keys(settings)))
		}
		if err := set(value); err != nil {
			return fmt.Errorf("%s=%s: %w", key, value, err)
		}
		return nil
	})
}

func unknownKey(key string, known []string) error {
	return fmt.Errorf("unknown key %q; the keys are %s", key, strings.Join(known, ", "))
}

func floatInto(to *float64) func(string) error {
	return func(v string) error {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || f-f != 0 {
			return errors.New("not a number")
		}
		*to = f
		return nil
	}
}

func intInto(to *int) func(string) error {
	return func(v string) (err error) {
		*to, err = parseInt(v)
		return err
	}
}

func parseInt(v string) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil {
		return 0, errors.New("not a whole number")
	}
	return n, nil
}

func parseBool(v string) (bool, error) {
	switch strings.ToLower(v) {
	case "on", "true", "yes", "1":
		return true, nil
	case "off", "false", "no", "0":
		return false, nil
	}
	return false, errors.New("not on or off")
}

// parseSize reads a number of bytes such as 4096, 512k, 16MB or 1GiB; the units
// are powers of 1024.
func parseSize(v string) (int64, error) {
	digits := strings.TrimRight(strings.ToLower(v), "kmgib")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 {
		return 0, errors.New("not a size such as 16MB")
	}
	shift := 0
	switch unit := strings.TrimSuffix(strings.ToLower(v[len(digits):]), "b"); strings.TrimSuffix(unit, "i") {
	case "":
	case "k":
		shift = 10
	case "m":
		shift = 20
	case "g":
		shift = 30
	default:
		return 0, errors.New("not a size such as 16MB")
	}
	if n > 1<<62>>shift {
		return 0, errors.New("too large")
	}
	return n << shift, nil
}

// parseSpan reads a time in seconds, such as 0.1, or with a unit, such as 50ms.
func parseSpan(v string) (time.Duration, error) {
	if s, err := strconv.ParseFloat(v, 64); err == nil && s >= 0 && s < 1e6 {
		return time.Duration(s * float64(time.Second)), nil
	}
	if d, err := time.ParseDuration(v); err == nil && d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%q is not a time such as 0.1 (seconds) or 50ms", v)
}
