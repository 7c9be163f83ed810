package main

import (
	"context"
	"time"

	"github.com/gomoku-go/gomoku"
	"github.com/gomoku-go/gomoku/gomocup"
)

// tableSize is the memory of the transposition table: a phone has it, too.
const tableSize = 32 << 20

// A score is a judgement for the side to move: in evaluator units, or proven.
type score struct {
	Value gomoku.Score `json:"value"`
	Mate  *int         `json:"mate,omitempty"` // plies to the win, negative to the loss
}

func newScore(s gomoku.Score) score {
	if plies, ok := s.Mate(); ok {
		return score{s, &plies}
	}
	return score{Value: s}
}

type line struct {
	Score score          `json:"score"`
	PV    []gomoku.Point `json:"pv"`
}

type candidate struct {
	Point gomoku.Point `json:"point"`
	Score score        `json:"score"`
	Bound gomoku.Bound `json:"bound"`
}

// A thought is the state of a search, or its end.
type thought struct {
	Depth      int          `json:"depth"`
	SelDepth   int          `json:"seldepth"`
	Nodes      int64        `json:"nodes"`
	Millis     float64      `json:"ms"`
	Lines      []line       `json:"lines"`
	Candidates []candidate  `json:"candidates"`
	Best       gomoku.Point `json:"best"`
	Stop       string       `json:"stop,omitempty"` // why it ended
}

func newThought(i gomoku.Info) thought {
	t := thought{
		Depth: i.Depth, SelDepth: i.SelDepth, Nodes: i.Nodes, Millis: float64(i.Elapsed.Microseconds()) / 1000,
		Lines: []line{}, Candidates: []candidate{}, Best: gomoku.NoPoint,
	}
	for _, l := range i.Lines {
		t.Lines = append(t.Lines, line{newScore(l.Score), l.PV})
	}
	for _, c := range i.Candidates {
		t.Candidates = append(t.Candidates, candidate{c.Point, newScore(c.Score), c.Bound})
	}
	if len(i.PV) > 0 {
		t.Best = i.PV[0]
	}
	return t
}

// options makes options of what the request says of strength and limits.
func (r *request) options() ([]gomoku.Option, error) {
	var opts []gomoku.Option
	if r.Level != "" {
		l, err := gomoku.ParseLevel(r.Level)
		if err != nil {
			return nil, err
		}
		opts = append(opts, gomoku.WithLevel(l))
	}
	if r.Millis > 0 {
		opts = append(opts, gomoku.WithTimeBudget(time.Duration(r.Millis)*time.Millisecond))
	}
	if r.Depth > 0 {
		opts = append(opts, gomoku.WithDepth(r.Depth))
	}
	if r.Nodes > 0 {
		opts = append(opts, gomoku.WithNodeLimit(r.Nodes))
	}
	if r.Lines > 0 {
		opts = append(opts, gomoku.WithMultiPV(r.Lines))
	}
	return append(opts, gomoku.WithSeed(r.Seed)), nil
}

// brain returns the engine, which remembers what it found in the game before.
func (s *service) brain() (*gomoku.Engine, error) {
	if s.engine == nil {
		e, err := gomoku.NewEngine(gomoku.WithTableSize(tableSize))
		if err != nil {
			return nil, err
		}
		s.engine = e
	}
	return s.engine, nil
}

// prepare waits for its turn to think and returns what is needed for it. The
// caller unlocks s.thinking.
func (s *service) prepare(r *request) (e *gomoku.Engine, b *gomoku.Board, opts []gomoku.Option, err error) {
	s.thinking.Lock()
	if e, err = s.brain(); err != nil {
		return nil, nil, nil, err
	}
	if b, err = boardOf(r); err != nil {
		return nil, nil, nil, err
	}
	if b.Len() < 2 {
		e.NewGame()
	}
	opts, err = r.options()
	return e, b, opts, err
}

// search chooses a move and reports each depth.
func search(s *service, ctx context.Context, r *request, report func(any)) (any, error) {
	e, b, opts, err := s.prepare(r)
	defer s.thinking.Unlock()
	if err != nil {
		return nil, err
	}
	opts = append(opts, gomoku.WithProgress(func(i gomoku.Info) { report(newThought(i)) }))
	found, err := e.Search(ctx, b, opts...)
	if err != nil {
		return nil, err
	}
	t := newThought(gomoku.Info{
		Depth: found.Depth, SelDepth: found.SelDepth, PV: found.PV, Lines: found.Lines,
		Candidates: found.Candidates, Nodes: found.Nodes, Elapsed: found.Elapsed,
	})
	t.Best, t.Stop = found.Best, found.Stop.String()
	return t, nil
}

// analyze searches without end, until it is stopped or there is nothing more to
// find. The answer is the last state.
func analyze(s *service, ctx context.Context, r *request, report func(any)) (any, error) {
	e, b, opts, err := s.prepare(r)
	defer s.thinking.Unlock()
	if err != nil {
		return nil, err
	}
	if r.Depth == 0 && r.Nodes == 0 && r.Millis == 0 {
		opts = append(opts, gomoku.WithDepth(gomoku.MaxDepth))
	}
	var last thought
	for i, err := range e.Analyze(ctx, b, opts...) {
		if err != nil {
			return nil, err
		}
		last = newThought(i)
		report(last)
	}
	return last, nil
}

// swapDecision is a decision of the swap2 opening.
type swapDecision struct {
	Swap   bool           `json:"swap"`
	Points []gomoku.Point `json:"points"`
}

// swap2 decides in a swap2 opening of none, three or five stones.
func swap2(s *service, ctx context.Context, r *request, _ func(any)) (any, error) {
	e, b, _, err := s.prepare(r)
	defer s.thinking.Unlock()
	if err != nil {
		return nil, err
	}
	d, err := gomocup.DecideSwap2(ctx, e, b, time.Duration(r.Millis)*time.Millisecond, r.Seed)
	if err != nil {
		return nil, err
	}
	return swapDecision{d.Swap, d.Stones}, nil
}
