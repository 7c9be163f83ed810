package main

import (
	"time"

	"github.com/gomoku-go/gomoku"
)

// A game is a position with its past and, after an undo, its future.
type game struct {
	board  *gomoku.Board
	times  []time.Duration // what the moves of the board took
	future []ply           // moves taken back, the last of them first in line
	end    ending

	source *gomoku.Record // what the game was loaded from, or nil
	file   string         // the file that holds this game and no other, or ""
}

// A ply is a move that was made.
type ply struct {
	point gomoku.Point
	color gomoku.Color
	next  gomoku.Color // had the turn after it: the same colour if the other passed
	took  time.Duration
}

// An ending is why a game is over that the board would go on with: somebody
// resigned, or a brain failed. The zero value is none.
type ending struct {
	outcome gomoku.Outcome
	reason  string // "resign", "time", "crash", ...
}

func newGame(size int, rule gomoku.Rule) (*game, error) {
	b, err := gomoku.NewBoard(size, rule)
	if err != nil {
		return nil, err
	}
	return &game{board: b}, nil
}

// over reports whether the game has ended.
func (g *game) over() bool { return g.end.outcome != gomoku.UnknownOutcome || g.board.Over() }

// play makes a move, as Board.Make does. The future is then another.
func (g *game) play(p gomoku.Point, took time.Duration) error {
	return g.made(g.board.Make(p), took)
}

// playFoul makes a foul, which ends the game.
func (g *game) playFoul(p gomoku.Point, took time.Duration) error {
	return g.made(g.board.MakeFoul(p), took)
}

// made notes the time of a move, unless there was an error.
func (g *game) made(err error, took time.Duration) error {
	if err != nil {
		return err
	}
	g.times = append(g.times, took)
	g.future = nil
	return nil
}

// back takes a move back.
func (g *game) back() bool {
	next := g.board.Turn()
	p, ok := g.board.Undo()
	if !ok {
		return false
	}
	last := len(g.times) - 1
	g.future = append(g.future, ply{p, g.board.Turn(), next, g.times[last]})
	g.times = g.times[:last]
	return true
}

// forward makes the last move taken back again.
func (g *game) forward() bool {
	last := len(g.future) - 1
	if last < 0 {
		return false
	}
	m := g.future[last]
	g.board.SetTurn(m.color)
	// It was on the board before; a loaded game may even have lost by it.
	if g.board.MakeFoul(m.point) != nil {
		return false
	}
	g.board.SetTurn(m.next)
	g.times = append(g.times, m.took)
	g.future = g.future[:last]
	return true
}
