package main

import (
	"context"
	"errors"
	"time"

	"github.com/gomoku-go/gomoku"
)

// A judge looks at a move. The error is that of ctx if it was cancelled meanwhile.
type judge interface {
	judge(ctx context.Context, b *gomoku.Board, played gomoku.Point) (*moveReport, error)
}

// effort is how much a judge looks at. With nodes alone, reports are repeatable.
type effort struct {
	Nodes int64         `json:"nodes"` // a search; 0 is no limit
	Time  time.Duration `json:"time"`  // a search; 0 is no limit
	Solve int64         `json:"solve"` // positions of a solver; 0 does not solve
	Scale float64       `json:"scale"` // of the winning chance
}

// An engineJudge asks the engine. It belongs to one goroutine.
type engineJudge struct {
	effort effort
	engine *gomoku.Engine
}

func newEngineJudge(e effort) (*engineJudge, error) {
	opts := []gomoku.Option{gomoku.WithBook(false)}
	if e.Nodes > 0 {
		opts = append(opts, gomoku.WithNodeLimit(e.Nodes))
	}
	if e.Time > 0 {
		opts = append(opts, gomoku.WithTimeBudget(e.Time))
	}
	engine, err := gomoku.NewEngine(opts...)
	if err != nil {
		return nil, err
	}
	return &engineJudge{e, engine}, nil
}

// judge searches the position for the best move, then the move that was played to
// the same depth: scores of odd and even depths would not compare. Each position
// starts with an empty table, so that a report does not depend on the order in
// which positions are looked at.
func (j *engineJudge) judge(ctx context.Context, b *gomoku.Board, played gomoku.Point) (*moveReport, error) {
	r := &moveReport{Color: b.Turn(), Point: played}
	if b.Turn() == gomoku.Black {
		r.Foul = b.Foul(played)
	}
	j.engine.NewGame()
	found, err := j.engine.Search(ctx, b)
	switch {
	case errors.Is(err, gomoku.ErrNoLegalMove): // nothing but fouls
		r.Best = opinion{Point: gomoku.NoPoint, Chance: 0.5, Line: []gomoku.Point{}}
	case err != nil:
		return nil, err
	default:
		r.Best = j.opinion(found.Best, found.Score, found.Depth, found.PV)
		r.Nodes = found.Nodes
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case r.Foul != gomoku.NoFoul:
		r.Played = opinion{Point: played, Score: -gomoku.MaxEstimate, Mate: -1, Line: []gomoku.Point{played}}
	case played == r.Best.Point:
		r.Played = r.Best
	default:
		if err := j.judgePlayed(ctx, b, &found, r); err != nil {
			return nil, err
		}
	}
	if r.Foul == gomoku.NoFoul {
		if err := j.threats(ctx, b, found.Candidates, r); err != nil {
			return nil, err
		}
	}
	r.weigh()
	if r.Grade < inaccuracy { // the move wins too, it seems, or all was lost already
		r.Missed, r.Allowed = nil, nil
	}
	return r, nil
}

// judgePlayed searches the move that was played, which is not the best.
func (j *engineJudge) judgePlayed(ctx context.Context, b *gomoku.Board, best *gomoku.Result, r *moveReport) error {
	opts := []gomoku.Option{gomoku.WithOnly(r.Point)}
	if !best.Proven {
		opts = append(opts, gomoku.WithDepth(max(best.Depth, 1)))
	}
	found, err := j.engine.Search(ctx, b, opts...)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.Nodes += found.Nodes
	score := found.Score
	for _, c := range found.Candidates {
		if c.Point == r.Point {
			score = c.Score // a loss of this move alone can be proven
		}
	}
	r.Played = j.opinion(r.Point, score, found.Depth, found.PV)
	return nil
}

func (j *engineJudge) opinion(p gomoku.Point, s gomoku.Score, depth int, line []gomoku.Point) opinion {
	o := opinion{Point: p, Score: s, Chance: chance(s, j.effort.Scale), Depth: depth, Line: line}
	if plies, ok := s.Mate(); ok {
		o.Mate = plies
	}
	return o
}
