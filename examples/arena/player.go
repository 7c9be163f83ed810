package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// A reply is a move and what the player says about it.
type reply struct {
	point  gomoku.Point
	nodes  int64
	depth  int
	score  gomoku.Score
	scored bool          // score is known
	spent  time.Duration // if not 0, instead of the time that the call took
}

// A player plays games, one at a time.
type player interface {
	// newGame is called before each game; seed differs from pair to pair.
	newGame(ctx context.Context, size int, rule gomoku.Rule, tc timeControl, seed uint64) error
	// move is called for every move and says, by a *forfeit, if the player lost.
	// Other errors end the match.
	move(ctx context.Context, b *gomoku.Board, c *clock) (reply, error)
	close() error
}

// A forfeit is how a player loses other than on the board.
type forfeit struct {
	reason string
	detail string
}

func (f *forfeit) Error() string { return f.reason + ": " + f.detail }

// A spec says what a player is. It makes as many of them as are needed.
type spec struct {
	name    string
	text    string // all that decides how it plays
	command []string
	options []gomoku.Option // of an engine in this process
	tc      timeControl     // its own, instead of the match's
	vary    bool            // a seed of its own for every pair
	limits  brainLimits
}

// brainLimits is what a foreign brain is told besides the time.
type brainLimits struct {
	memory int64
	depth  int
	nodes  int64
}

// specKeys explains the keys of a player; most set an option of the engine.
var specKeys = []struct{ key, meaning string }{
	{"name", "what to call the player"},
	{"level", "easy, normal, hard or expert; later keys change what it sets"},
	{"depth", "plies to search"},
	{"nodes", "positions to search at each move: the clock for repeatable matches"},
	{"time", "time for a move, such as 50ms; short for tc=0/50ms"},
	{"tc", "a time control of its own, as for -tc"},
	{"strategy", "pvs, alphabeta or minimax"},
	{"techniques", "all, precise, none or names joined by +, such as shapes+leafvcf"},
	{"without", "techniques to switch off, such as razoring+futility"},
	{"radius", "how far from stones candidates may be"},
	{"cap", "candidates to keep at each position, 0 for all"},
	{"ordering", "on or off"},
	{"deepening", "on or off: iterative deepening"},
	{"aspiration", "on or off: aspiration windows"},
	{"table", "size of the transposition table, such as 16MB"},
	{"seed", "a number, or vary: another one in each pair of games"},
	{"weights", "balanced, attacking or defensive"},
	{"w.NAME", "one weight of the evaluator, such as w.openthree=450"},
	{"cmd", "a program that speaks the Gomocup protocol, with its arguments; takes name, tc, time, depth, nodes and memory"},
	{"memory", "what a foreign brain may use, such as 350MB"},
}

// parseSpec reads a player such as "depth=6,strategy=pvs,name=x". The keys of
// each, which all players share, come first. fallback is the name if none is
// given.
func parseSpec(text, each, fallback string) (*spec, error) {
	s := &spec{name: fallback, limits: brainLimits{memory: 350 << 20}}
	weights, weighted := gomoku.BalancedWeights(), false
	var own, engineOnly, brainOnly []string
	set := func(key, value string) error {
		switch key {
		case "name":
			if value == "" {
				return errors.New("empty")
			}
			s.name = strings.Trim(value, `"`)
			return nil
		case "cmd":
			words, err := splitQuoted(value, ' ')
			if err != nil {
				return err
			}
			for _, w := range words {
				if w != "" {
					s.command = append(s.command, strings.ReplaceAll(w, `"`, ""))
				}
			}
			if len(s.command) == 0 {
				return errors.New("no command")
			}
		case "tc":
			t, err := parseTimeControl(value)
			if err != nil {
				return err
			}
			s.tc = t
		case "time":
			d, err := parseSpan(value)
			if err != nil {
				return err
			}
			if d == 0 {
				return errors.New("no time")
			}
			s.tc = timeControl{turn: d}
		case "memory":
			n, err := parseSize(value)
			if err != nil {
				return err
			}
			s.limits.memory = n
			brainOnly = append(brainOnly, key)
		case "depth", "nodes":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return errors.New("not a whole number from 1 up")
			}
			if key == "depth" {
				s.limits.depth = n
				s.options = append(s.options, gomoku.WithDepth(n))
			} else {
				s.limits.nodes = int64(n)
				s.options = append(s.options, gomoku.WithNodeLimit(int64(n)))
			}
		case "seed":
			engineOnly = append(engineOnly, key)
			s.vary = value == "vary"
			if s.vary {
				break
			}
			n, err := strconv.ParseUint(value, 10, 64)
			if err != nil {
				return errors.New("not a number from 0 up, or vary")
			}
			s.options = append(s.options, gomoku.WithSeed(n))
		case "weights":
			engineOnly = append(engineOnly, key)
			weighted = true
			switch value {
			case "balanced":
				weights = gomoku.BalancedWeights()
			case "attacking":
				weights = gomoku.AttackingWeights()
			case "defensive":
				weights = gomoku.DefensiveWeights()
			default:
				return errors.New("not balanced, attacking or defensive")
			}
		default:
			engineOnly = append(engineOnly, key)
			if name, ok := strings.CutPrefix(key, "w."); ok {
				weighted = true
				return setWeight(&weights, name, value)
			}
			option, err := engineOption(key, value)
			if err != nil {
				return err
			}
			s.options = append(s.options, option)
		}
		return nil
	}
	read := func(key, value string) error {
		if err := set(key, value); err != nil {
			var unknown *unknownSpecKey
			if errors.As(err, &unknown) {
				return err
			}
			return fmt.Errorf("%s=%s: %w", key, value, err)
		}
		if key != "name" {
			own = slices.DeleteFunc(own, func(o string) bool { return strings.HasPrefix(o, key+"=") && key != "level" })
			own = append(own, key+"="+value)
		}
		return nil
	}
	err := errors.Join(eachKey(each, read))
	if err == nil {
		engineOnly, brainOnly = nil, nil // what all share may not concern this one
		err = eachKey(text, read)
	}
	s.text = strings.Join(own, ",")
	if weighted {
		s.options = append(s.options, gomoku.WithWeights(weights))
	}
	switch {
	case err != nil:
	case len(s.command) > 0 && len(engineOnly) > 0:
		err = fmt.Errorf("a player with cmd can't have %s", strings.Join(engineOnly, ", "))
	case len(s.command) == 0 && len(brainOnly) > 0:
		err = fmt.Errorf("a player without cmd can't have %s", strings.Join(brainOnly, ", "))
	case len(s.command) == 0:
		_, err = gomoku.NewEngine(s.options...)
	}
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", text, err)
	}
	return s, nil
}

type unknownSpecKey struct{ key string }

func (e *unknownSpecKey) Error() string {
	known := make([]string, len(specKeys))
	for i, k := range specKeys {
		known[i] = k.key
	}
	return unknownKey(e.key, known).Error()
}

// engineOption returns the option of an engine that a key stands for.
func engineOption(key, value string) (gomoku.Option, error) {
	number := func(with func(int) gomoku.Option) (gomoku.Option, error) {
		var n int
		err := intInto(&n)(value)
		return with(n), err
	}
	toggle := func(with func(bool) gomoku.Option) (gomoku.Option, error) {
		on, err := parseBool(value)
		return with(on), err
	}
	switch key {
	case "level":
		l, err := gomoku.ParseLevel(value)
		return gomoku.WithLevel(l), err
	case "strategy":
		s, err := gomoku.ParseStrategy(value)
		return gomoku.WithStrategy(s), err
	case "techniques":
		t, err := gomoku.ParseTechniques(value)
		return gomoku.WithTechniques(t), err
	case "without":
		t, err := gomoku.ParseTechniques(value)
		return gomoku.WithoutTechniques(t), err
	case "radius":
		return number(gomoku.WithRadius)
	case "cap":
		return number(gomoku.WithCandidateCap)
	case "ordering":
		return toggle(gomoku.WithOrdering)
	case "deepening":
		return toggle(gomoku.WithIterativeDeepening)
	case "aspiration":
		return toggle(gomoku.WithAspiration)
	case "table":
		n, err := parseSize(value)
		return gomoku.WithTableSize(n), err
	}
	return nil, &unknownSpecKey{key}
}

// setWeight sets the weight whose field has the given name.
func setWeight(w *gomoku.Weights, name, value string) error {
	v := reflect.ValueOf(w).Elem()
	var known []string
	for i := range v.NumField() {
		field := v.Type().Field(i).Name
		known = append(known, strings.ToLower(field))
		if !strings.EqualFold(field, name) {
			continue
		}
		switch f := v.Field(i); f.Kind() {
		case reflect.Int:
			n, err := strconv.Atoi(value)
			if err != nil {
				return errors.New("not a whole number")
			}
			f.SetInt(int64(n))
			return nil
		case reflect.Float64:
			var x float64
			err := floatInto(&x)(value)
			f.SetFloat(x)
			return err
		}
	}
	return fmt.Errorf("unknown weight; the weights are %s", strings.Join(known, ", "))
}

// repeatable reports whether the player, in this match, plays the same game
// again whenever it is in the same opening.
func (s *spec) repeatable(match timeControl) bool {
	return len(s.command) == 0 && !s.vary && !s.timed(match).limited()
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
func (s *spec) start(tolerance time.Duration) (player, error) {
	if len(s.command) > 0 {
		return &brain{spec: s, tolerance: tolerance}, nil
	}
	return &enginePlayer{spec: s}, nil
}

// An enginePlayer is an engine of this process: a new one for every game, so
// that nothing of one game can have a part in another.
type enginePlayer struct {
	spec   *spec
	engine *gomoku.Engine
}

func (p *enginePlayer) newGame(_ context.Context, _ int, _ gomoku.Rule, _ timeControl, seed uint64) error {
	opts := p.spec.options
	if p.spec.vary {
		opts = append(slices.Clone(opts), gomoku.WithSeed(seed))
	}
	var err error
	p.engine, err = gomoku.NewEngine(opts...)
	return err
}

func (p *enginePlayer) move(ctx context.Context, b *gomoku.Board, c *clock) (reply, error) {
	var opts []gomoku.Option
	if soft, hard, ok := c.budget(); ok {
		opts = []gomoku.Option{gomoku.WithTimeBudget(hard), gomoku.WithSoftTime(soft)}
	}
	r, err := p.engine.Search(ctx, b, opts...)
	switch {
	case errors.Is(err, gomoku.ErrNoLegalMove):
		return reply{}, &forfeit{reasonStuck, "every move is a foul"}
	case err != nil:
		return reply{}, err
	}
	return reply{point: r.Best, nodes: r.Nodes, depth: r.Depth, score: r.Score, scored: true}, nil
}

func (p *enginePlayer) close() error { return nil }

// seedOf returns the seed of a player in a pair of a match: never 0, which
// stands for no variety.
func seedOf(match uint64, pair, player int) uint64 {
	return rand.New(rand.NewPCG(match, uint64(pair)<<16|uint64(player))).Uint64() | 1
}

// elapsed is time.Since, in a form that a log keeps.
func elapsed(start time.Time) time.Duration { return time.Since(start).Truncate(time.Microsecond) }
