package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
)

// A colorMode says whether to use colours.
type colorMode uint8

const (
	colorAuto colorMode = iota
	colorAlways
	colorNever
)

var colorModes = [...]string{"auto", "always", "never"}

func (m colorMode) MarshalText() ([]byte, error) { return []byte(colorModes[m]), nil }

func (m *colorMode) UnmarshalText(text []byte) error {
	for i, name := range colorModes {
		if string(text) == name {
			*m = colorMode(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not one of %s", text, strings.Join(colorModes[:], ", "))
}

// on reports whether to write colours to f. In auto mode that takes a terminal
// that understands them, and a user who has not asked for none (no-color.org).
func (m colorMode) on(f *os.File, getenv func(string) string) bool {
	switch m {
	case colorAlways:
		return true
	case colorNever:
		return false
	}
	term := getenv("TERM")
	return getenv("NO_COLOR") == "" && term != "" && term != "dumb" && isTerminal(f)
}

// isTerminal reports whether f is a terminal. The null device is a character
// device too, but nobody sits there.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// A style is what a piece of text is; the numbers are those of an ANSI "select
// graphic rendition" sequence. They are readable on light and dark grounds.
type style string

const (
	styleBlack  style = "1;36"
	styleWhite  style = "1;33"
	styleFaint  style = "2"
	styleStrong style = "1;32"
	styleBad    style = "1;31"
	styleBold   style = "1"
)

// A screen writes text, in colour if it is told to. At its end there can be a
// block that the next one replaces. It remembers the first error, after which
// it writes nothing more.
type screen struct {
	w    io.Writer
	ansi bool
	live int // lines of the block at the end
	err  error
}

// paint returns the text in a style.
func (s *screen) paint(st style, text string) string {
	if !s.ansi {
		return text
	}
	return "\x1b[" + string(st) + "m" + text + "\x1b[0m"
}

// printf writes text below whatever is there.
func (s *screen) printf(format string, args ...any) {
	s.live = 0
	s.write(fmt.Sprintf(format, args...))
}

// update writes a block of whole lines in the place of the one before, if that
// was the last thing written and the terminal can; else below it.
func (s *screen) update(block string) {
	up := ""
	if s.live > 0 {
		up = fmt.Sprintf("\x1b[%dA\x1b[J", s.live)
	}
	s.write(up + block)
	if s.ansi {
		s.live = strings.Count(block, "\n")
	}
}

func (s *screen) write(text string) {
	if s.err == nil {
		_, s.err = io.WriteString(s.w, text)
	}
}

// clean makes text from outside fit for a terminal: whoever wrote it must not
// be able to move the cursor.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' {
			return r
		}
		return '?'
	}, text)
}
