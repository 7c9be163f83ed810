package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// A kind is a sort of player.
type kind uint8

const (
	person kind = iota
	engine
	brain
)

// A spec says who plays a colour.
type spec struct {
	kind  kind
	level gomoku.Level // of an engine
}

// parseSpec reads the name of a player.
func parseSpec(s string) (spec, error) {
	switch strings.ToLower(s) {
	case "me", "you", "human", "person":
		return spec{kind: person}, nil
	case "brain":
		return spec{kind: brain}, nil
	}
	level, err := gomoku.ParseLevel(s)
	if err != nil {
		return spec{}, fmt.Errorf("no player is called %q: there are me, easy, normal, hard, expert and brain", s)
	}
	return spec{engine, level}, nil
}

// String says who it is, as in "White: the engine (hard)".
func (p spec) String() string {
	switch p.kind {
	case engine:
		return fmt.Sprintf("the engine (%v)", p.level)
	case brain:
		return "the brain"
	}
	return "you"
}

// parseMoveTime reads the time for a move: "1.5s", "10" for seconds, or "off".
func parseMoveTime(s string) (time.Duration, error) {
	if s == "off" || s == "0" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		d, err = time.ParseDuration(s + "s")
	}
	if err != nil || d <= 0 || d > 24*time.Hour {
		return 0, fmt.Errorf("%s is no time for a move: write seconds such as 10, or 500ms, 2m, off", strconv.Quote(s))
	}
	return d, nil
}

// A mover is a player that is no person.
type mover interface {
	// move chooses a move for the side to move; b is for reading. It reports
	// what it thinks. When ctx ends, it plays what it has or returns an error.
	move(ctx context.Context, b *gomoku.Board, report func(gomoku.Info)) (gomoku.Point, error)
	// forget is called before another game.
	forget()
	// close ends the player.
	close() error
}

// engineMover is an engine as a player.
type engineMover struct {
	engine   *gomoku.Engine
	moveTime *time.Duration // the setting; 0 is no limit
}

func newEngineMover(level gomoku.Level, moveTime *time.Duration, seed uint64) (engineMover, error) {
	e, err := gomoku.NewEngine(gomoku.WithLevel(level), gomoku.WithSeed(seed))
	return engineMover{e, moveTime}, err
}

// search is move with all of the result.
func (m engineMover) search(ctx context.Context, b *gomoku.Board, report func(gomoku.Info)) (gomoku.Result, error) {
	opts := []gomoku.Option{gomoku.WithProgress(report)}
	if *m.moveTime > 0 {
		opts = append(opts, gomoku.WithTimeBudget(*m.moveTime))
	}
	return m.engine.Search(ctx, b, opts...)
}

func (m engineMover) move(ctx context.Context, b *gomoku.Board, report func(gomoku.Info)) (gomoku.Point, error) {
	r, err := m.search(ctx, b, report)
	return r.Best, err
}

func (m engineMover) forget()      { m.engine.NewGame() }
func (m engineMover) close() error { return nil }
