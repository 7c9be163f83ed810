package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// A spec says what a player is. It makes as many of them as are needed.
type spec struct {
	name    string
	text    string // all that decides how it plays
	command []string
	options []gomoku.Option // of an engine in this process
	tc      timeControl     // its own, instead of the match's
	vary    bool            // a seed of its own for every pair
	threads int             // 0 is one
	limits  brainLimits
}

// brainLimits is what a foreign brain is told besides the time.
type brainLimits struct {
	memory int64
	depth  int
	nodes  int64
}

// repeatable reports whether the player, in this match, plays the same game
// again whenever it is in the same opening.
func (s *spec) repeatable(match timeControl) bool {
	return len(s.command) == 0 && !s.vary && s.threads <= 1 && !s.timed(match).limited()
}

// timed returns the player's time control in a match.
func (s *spec) timed(match timeControl) timeControl {
	if s.tc.limited() {
		return s.tc
	}
	return match
}

// start makes a player. A brain is killed if a move takes too long by much more
// than the tolerance.
func (s *spec) start(tolerance time.Duration) player {
	if len(s.command) > 0 {
		return &brain{spec: s, tolerance: tolerance}
	}
	return &enginePlayer{spec: s}
}

// Whom a key concerns.
const (
	anyPlayer = iota
	engineOnly
	brainOnly
)

// A specKey is a key of a player.
type specKey struct {
	key     string
	who     int
	meaning string
	set     func(p *specParser, value string) error
}

var specKeys = []specKey{
	{"name", anyPlayer, "what to call the player", (*specParser).setName},
	{"level", engineOnly, "easy, normal, hard or expert; later keys change what it sets", option(gomoku.ParseLevel, gomoku.WithLevel)},
	{"depth", anyPlayer, "plies to search", (*specParser).setDepth},
	{"nodes", anyPlayer, "positions to search at each move: the clock for repeatable matches", (*specParser).setNodes},
	{"time", anyPlayer, "time for a move, such as 50ms; short for tc=0/50ms", (*specParser).setTime},
	{"tc", anyPlayer, "a time control of its own, as for -tc", (*specParser).setTimeControl},
	{"strategy", engineOnly, "pvs, alphabeta or minimax", option(gomoku.ParseStrategy, gomoku.WithStrategy)},
	{"techniques", engineOnly, "all, precise, none or names joined by +, such as shapes+leafvcf", option(gomoku.ParseTechniques, gomoku.WithTechniques)},
	{"without", engineOnly, "techniques to switch off, such as razoring+futility", option(gomoku.ParseTechniques, gomoku.WithoutTechniques)},
	{"radius", engineOnly, "how far from stones candidates may be", option(parseInt, gomoku.WithRadius)},
	{"cap", engineOnly, "candidates to keep at each position, 0 for all", option(parseInt, gomoku.WithCandidateCap)},
	{"ordering", engineOnly, "on or off", option(parseBool, gomoku.WithOrdering)},
	{"deepening", engineOnly, "on or off: iterative deepening", option(parseBool, gomoku.WithIterativeDeepening)},
	{"aspiration", engineOnly, "on or off: aspiration windows", option(parseBool, gomoku.WithAspiration)},
	{"table", engineOnly, "size of the transposition table, such as 16MB", option(parseSize, gomoku.WithTableSize)},
	{"threads", engineOnly, "threads of the search; with more than one, games can't be repeated", (*specParser).setThreads},
	{"seed", engineOnly, "a number, or vary: another one in each pair of games", (*specParser).setSeed},
	{"shapes", engineOnly, "file with the weights of the shape evaluation", (*specParser).setShapes},
	{"weights", engineOnly, "of the line evaluator: balanced, attacking or defensive", (*specParser).setWeights},
	{weightKey, engineOnly, "one weight of the line evaluator, such as w.openthree=450", nil},
	{"cmd", brainOnly, "a program that speaks the Gomocup protocol, with its arguments; takes name, tc, time, depth, nodes and memory", (*specParser).setCommand},
	{"memory", brainOnly, "what a foreign brain may use, such as 350MB", (*specParser).setMemory},
}

// weightKey stands for the keys of all weights.
const weightKey = "w.NAME"

// A specParser builds a spec key by key.
type specParser struct {
	spec     *spec
	weights  gomoku.Weights
	weighted bool
	parts    []string    // the keys so far, without names
	used     [3][]string // by whom they concern
}

// parseSpec reads a player such as "depth=6,strategy=pvs,name=x". The keys of
// each, which all players share, come first. fallback is the name if none is
// given.
func parseSpec(text, each, fallback string) (*spec, error) {
	p := &specParser{
		spec:    &spec{name: fallback, limits: brainLimits{memory: 350 << 20}},
		weights: gomoku.BalancedWeights(),
	}
	err := eachKey(each, p.read)
	if err == nil {
		p.used = [3][]string{} // what all share may not concern this one
		err = eachKey(text, p.read)
	}
	if err == nil {
		err = p.finish()
	}
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", text, err)
	}
	return p.spec, nil
}

// read takes a key.
func (p *specParser) read(key, value string) error {
	i := slices.IndexFunc(specKeys, func(k specKey) bool { return k.key == key })
	weight, isWeight := strings.CutPrefix(key, "w.")
	part := key + "=" + value
	var err error
	switch {
	case isWeight:
		i = slices.IndexFunc(specKeys, func(k specKey) bool { return k.key == weightKey })
		p.weighted = true
		err = setWeight(&p.weights, weight, value)
	case i < 0 || specKeys[i].set == nil:
		known := make([]string, len(specKeys))
		for i, k := range specKeys {
			known[i] = k.key
		}
		return unknownKey(key, known)
	default:
		// A key that is given again replaces what it said; of a level, later
		// keys may have changed parts, so the order stays.
		if key != "level" {
			p.parts = slices.DeleteFunc(p.parts, func(s string) bool { return strings.HasPrefix(s, key+"=") })
		}
		err = specKeys[i].set(p, value)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", part, err)
	}
	p.used[specKeys[i].who] = append(p.used[specKeys[i].who], key)
	if key != "name" {
		p.parts = append(p.parts, part)
	}
	return nil
}

// finish checks what only the whole can tell.
func (p *specParser) finish() error {
	s := p.spec
	s.text = strings.Join(p.parts, ",")
	if p.weighted {
		s.options = append(s.options, gomoku.WithWeights(p.weights))
	}
	if len(s.command) > 0 {
		if wrong := p.used[engineOnly]; len(wrong) > 0 {
			return fmt.Errorf("a player with cmd can't have %s", strings.Join(wrong, ", "))
		}
		return nil
	}
	if wrong := p.used[brainOnly]; len(wrong) > 0 {
		return fmt.Errorf("a player without cmd can't have %s", strings.Join(wrong, ", "))
	}
	_, err := gomoku.NewEngine(s.options...)
	return err
}

// option makes a key that sets an option of the engine.
func option[T any](parse func(string) (T, error), with func(T) gomoku.Option) func(*specParser, string) error {
	return func(p *specParser, value string) error {
		v, err := parse(value)
		if err != nil {
			return err
		}
		p.spec.options = append(p.spec.options, with(v))
		return nil
	}
}

func (p *specParser) setName(value string) error {
	p.spec.name = strings.Trim(value, `"`)
	if p.spec.name == "" {
		return errors.New("empty")
	}
	return nil
}

func (p *specParser) setCommand(value string) error {
	words, err := splitQuoted(value, ' ')
	if err != nil {
		return err
	}
	p.spec.command = nil
	for _, w := range words {
		if w != "" {
			p.spec.command = append(p.spec.command, strings.ReplaceAll(w, `"`, ""))
		}
	}
	if len(p.spec.command) == 0 {
		return errors.New("no command")
	}
	return nil
}

func (p *specParser) setDepth(value string) error {
	n, err := parseInt(value)
	if err != nil || n < 1 {
		return errors.New("not a whole number from 1 up")
	}
	p.spec.limits.depth = n
	p.spec.options = append(p.spec.options, gomoku.WithDepth(n))
	return nil
}

func (p *specParser) setNodes(value string) error {
	n, err := parseInt(value)
	if err != nil || n < 1 {
		return errors.New("not a whole number from 1 up")
	}
	p.spec.limits.nodes = int64(n)
	p.spec.options = append(p.spec.options, gomoku.WithNodeLimit(int64(n)))
	return nil
}

func (p *specParser) setTime(value string) error {
	d, err := parseSpan(value)
	if err != nil {
		return err
	}
	if d == 0 {
		return errors.New("no time")
	}
	p.spec.tc = timeControl{turn: d}
	return nil
}

func (p *specParser) setTimeControl(value string) (err error) {
	p.spec.tc, err = parseTimeControl(value)
	return err
}

func (p *specParser) setMemory(value string) (err error) {
	p.spec.limits.memory, err = parseSize(value)
	return err
}

func (p *specParser) setThreads(value string) (err error) {
	if p.spec.threads, err = parseInt(value); err != nil {
		return err
	}
	p.spec.options = append(p.spec.options, gomoku.WithThreads(p.spec.threads))
	return nil
}

func (p *specParser) setSeed(value string) error {
	p.spec.vary = value == "vary"
	if p.spec.vary {
		return nil
	}
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		return errors.New("not a number from 0 up, or vary")
	}
	p.spec.options = append(p.spec.options, gomoku.WithSeed(n))
	return nil
}

// setShapes also notes what is in the file: with other weights it would be
// another player.
func (p *specParser) setShapes(value string) error {
	text, err := os.ReadFile(value)
	if err != nil {
		return err
	}
	w, err := gomoku.ParseShapeWeights(string(text))
	if err != nil {
		return err
	}
	p.spec.options = append(p.spec.options, gomoku.WithShapeWeights(w))
	digest := sha256.Sum256(text)
	p.parts = slices.DeleteFunc(p.parts, func(s string) bool { return strings.HasPrefix(s, "shapes:") })
	p.parts = append(p.parts, fmt.Sprintf("shapes:%x", digest[:4]))
	return nil
}

func (p *specParser) setWeights(value string) error {
	switch value {
	case "balanced":
		p.weights = gomoku.BalancedWeights()
	case "attacking":
		p.weights = gomoku.AttackingWeights()
	case "defensive":
		p.weights = gomoku.DefensiveWeights()
	default:
		return errors.New("not balanced, attacking or defensive")
	}
	p.weighted = true
	return nil
}

// setWeight sets the weight whose field has the given name.
func setWeight(w *gomoku.Weights, name, value string) error {
	v := reflect.ValueOf(w).Elem()
	known := make([]string, v.NumField())
	for i := range known {
		field := v.Type().Field(i).Name
		known[i] = strings.ToLower(field)
		if known[i] != strings.ToLower(name) {
			continue
		}
		if v.Field(i).CanFloat() {
			var x float64
			err := floatInto(&x)(value)
			v.Field(i).SetFloat(x)
			return err
		}
		n, err := parseInt(value)
		v.Field(i).SetInt(int64(n))
		return err
	}
	return fmt.Errorf("unknown weight; the weights are %s", strings.Join(known, ", "))
}
