package gomocup

import (
	"context"
	"fmt"
	"time"

	"github.com/gomoku-go/gomoku"
)

// block is the body of a command that ends with DONE: one line a stone.
type block struct {
	command func(s *session, ctx context.Context, b *block, at time.Time) error
	form    string // of a line, for errors
	size    int    // of the board; 0 if there is none
	stones  []stone
	seen    gomoku.PointSet
	err     error // the first fault; the rest is read and ignored
}

// stone is a line of a block. The field is 0 where there is none.
type stone struct {
	point gomoku.Point
	field int
	line  string
}

// The fields of a stone.
const (
	noField = iota
	own
	opponents
	continued
)

// blockOf returns the handler that begins a block for the command, which wants
// lines of that form.
func blockOf(form string, command func(*session, context.Context, *block, time.Time) error) handler {
	return func(s *session, _ context.Context, args string, _ time.Time) error {
		b := &block{command: command, form: form}
		switch {
		case s.board == nil:
			b.err = errNoGame
		case args != "":
			b.err = errArguments
		default:
			b.size = s.board.Size()
		}
		s.block = b
		return nil
	}
}

// done ends a block and carries it out. The time counts from here.
func (s *session) done(ctx context.Context, _ string, at time.Time) error {
	b := s.block
	if b == nil {
		return fmt.Errorf("DONE without BOARD")
	}
	s.block = nil
	if b.err != nil {
		return b.err
	}
	return b.command(s, ctx, b, at)
}

func (b *block) add(line string) {
	if b.err != nil {
		return
	}
	b.err = b.read(line)
}

func (b *block) read(line string) error {
	n, err := parseNumbers(line, 3)
	if err != nil {
		if n, err = parseNumbers(line, 2); err != nil {
			return b.lineError(line)
		}
		n = append(n, noField)
	}
	p, err := wirePoint(n[0], n[1], b.size)
	if err != nil {
		return err
	}
	if b.seen.Has(p) {
		return fmt.Errorf("%s has two stones", formatPoint(p, b.size))
	}
	b.seen.Add(p)
	b.stones = append(b.stones, stone{p, n[2], line})
	return nil
}

// lineError says that a line is not what it should be.
func (b *block) lineError(line string) error {
	return fmt.Errorf("%s is not %s", quote(line), b.form)
}

// position makes a board of the stones, with the brain to move.
func (b *block) position(rule gomoku.Rule) (*gomoku.Board, error) {
	count := [continued]int{}
	for _, s := range b.stones {
		switch s.field {
		case own, opponents:
			count[s.field]++
		case continued:
			return nil, fmt.Errorf("%s: %w", quote(s.line), errContinued)
		default:
			return nil, b.lineError(s.line)
		}
	}
	colors := [continued]gomoku.Color{own: gomoku.Black, opponents: gomoku.White}
	if count[opponents] > count[own] {
		colors[own], colors[opponents] = gomoku.White, gomoku.Black
	}
	if board, err := b.replay(rule, colors); err == nil {
		return board, nil
	}
	board, err := gomoku.NewBoard(b.size, rule)
	if err != nil {
		return nil, err
	}
	for _, s := range b.stones {
		if err := board.SetStone(s.point, colors[s.field]); err != nil {
			return nil, err
		}
	}
	board.SetTurn(colors[own])
	return board, nil
}

// replay makes a board with the stones as its history, if they are a game in
// the order of play with the brain to move.
func (b *block) replay(rule gomoku.Rule, colors [continued]gomoku.Color) (*gomoku.Board, error) {
	board, err := gomoku.NewBoard(b.size, rule)
	if err != nil {
		return nil, err
	}
	for _, s := range b.stones {
		if colors[s.field] != board.Turn() {
			return nil, errOrder
		}
		if err := board.Make(s.point); err != nil {
			return nil, err
		}
	}
	if board.Turn() != colors[own] {
		return nil, errOrder
	}
	return board, nil
}

// setBoard carries out BOARD.
func (s *session) setBoard(ctx context.Context, b *block, at time.Time) error {
	if err := s.place(b); err != nil {
		return err
	}
	return s.move(ctx, at)
}

// showBoard carries out YXBOARD, which has no answer.
func (s *session) showBoard(_ context.Context, b *block, _ time.Time) error { return s.place(b) }

// place replaces the board.
func (s *session) place(b *block) error {
	board, err := b.position(s.rule)
	if err != nil {
		return err
	}
	s.abort()
	s.board = board
	s.applyRule() // it may have changed since the lines were sent
	return nil
}
