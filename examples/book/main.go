// Book computes an opening book with the engine.
//
//	go run ./examples/book -rule freestyle,standard,renju -nodes 200000 -plies 6 -wide 3 -o data/book.txt
//
// From the empty board on it searches every position with fewer than -plies
// stones that the engine itself may reach, and notes the best move and those
// that are about as good. While a position has fewer than -wide stones, the moves
// beside its stones are followed as well, so that the book knows what to answer
// an opponent who thinks otherwise. Positions that are images of each other
// under the symmetries of the board count as one.
//
// Positions that the file has already are kept, so a run that was interrupted
// goes on where it stopped, and more plies can be added later; -fresh computes
// them again, as is right when the engine has become stronger.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/gomoku-go/gomoku"
)

func main() {
	var o options
	rules := flag.String("rule", "freestyle", "rules, separated by commas")
	flag.IntVar(&o.size, "size", 15, "board size")
	flag.Int64Var(&o.nodes, "nodes", 200_000, "positions that each search may look at")
	flag.IntVar(&o.plies, "plies", 4, "moves from the empty board that the book knows")
	flag.IntVar(&o.wide, "wide", 2, "stones up to which all moves beside the stones are followed")
	flag.IntVar(&o.margin, "margin", 40, "how much worse than the best a move of the book may be, in evaluator units")
	flag.IntVar(&o.moves, "moves", 4, "moves that each search ranks")
	flag.BoolVar(&o.fresh, "fresh", false, "compute the positions that the file has again")
	flag.StringVar(&o.out, "o", "book.txt", "file of the book; other rules and sizes in it stay")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	err := o.parseRules(*rules)
	if flag.NArg() > 0 {
		err = errors.Join(err, fmt.Errorf("unexpected argument %q", flag.Arg(0)))
	}
	if err == nil {
		err = run(ctx, o, func(line string) { fmt.Fprintln(os.Stderr, line) })
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "book:", err)
		os.Exit(1)
	}
}

type options struct {
	rules       []gomoku.Rule
	size        int
	nodes       int64
	plies, wide int
	margin      int
	moves       int
	fresh       bool
	out         string
}

func (o *options) parseRules(names string) error {
	for name := range strings.SplitSeq(names, ",") {
		r, err := gomoku.ParseRule(name)
		if err != nil {
			return err
		}
		o.rules = append(o.rules, r)
	}
	return nil
}

// run computes the book rule by rule.
func run(ctx context.Context, o options, report func(line string)) error {
	e, err := gomoku.NewEngine(gomoku.WithNodeLimit(o.nodes), gomoku.WithMultiPV(o.moves), gomoku.WithTableSize(32<<20))
	if err != nil {
		return err
	}
	f, err := openFile(o.out)
	if err != nil {
		return err
	}
	for _, rule := range o.rules {
		b, err := gomoku.NewBoard(o.size, rule)
		if err != nil {
			return err
		}
		if o.fresh {
			if err := f.drop(rule, o.size); err != nil {
				return err
			}
		}
		f.note(rule, o)
		if err := f.save(); err != nil {
			return err
		}
		m := maker{options: o, engine: e, file: f, report: report}
		if err := m.grow(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// maker computes the part of the book that grows from one board.
type maker struct {
	options
	engine *gomoku.Engine
	file   *bookFile
	report func(line string)
}

// grow goes through the positions breadth first, one ply after the other.
func (m *maker) grow(ctx context.Context, root *gomoku.Board) error {
	level := []*gomoku.Board{root}
	for ply := 0; ply < m.plies; ply++ {
		var next []*gomoku.Board
		seen := make(map[uint64]bool)
		for i, b := range level {
			moves, err := m.moves(ctx, b, fmt.Sprintf("%v %d, ply %d, %d of %d", b.Rule(), b.Size(), ply+1, i+1, len(level)))
			if err != nil {
				return err
			}
			if ply < m.wide {
				moves = append(moves, b.Candidates(1)...)
			}
			for _, p := range moves {
				child := b.Clone()
				if child.Make(p) != nil || child.Over() {
					continue
				}
				child = child.Canonical().ApplyBoard(child)
				if !seen[child.Hash()] {
					seen[child.Hash()] = true
					next = append(next, child)
				}
			}
		}
		level = next
	}
	return nil
}

// moves returns the book moves of the position, computed now unless the book has
// them; none if the position is decided.
func (m *maker) moves(ctx context.Context, b *gomoku.Board, where string) ([]gomoku.Point, error) {
	moves, _ := m.file.book.Moves(b)
	how := "kept"
	if moves == nil {
		var err error
		var depth int
		if moves, depth, err = m.search(ctx, b); err != nil {
			return nil, err
		}
		if moves == nil {
			m.report(where + ": decided")
			return nil, nil
		}
		if err := m.file.book.Add(b, depth, moves...); err != nil {
			return nil, err
		}
		if err := m.file.save(); err != nil {
			return nil, err
		}
		moves, _ = m.file.book.Moves(b)
		how = fmt.Sprintf("depth %d", depth)
	}
	var points []gomoku.Point
	var text strings.Builder
	for _, mv := range moves {
		points = append(points, mv.Point)
		fmt.Fprintf(&text, " %v %v", mv.Point, mv.Score)
	}
	var stones []gomoku.Point
	for p := range b.Moves() {
		stones = append(stones, p)
	}
	m.report(fmt.Sprintf("%s: %s:%s (%s)", where, gomoku.FormatMoves(stones), text.String(), how))
	return points, nil
}

// search returns the moves that are about as good as the best, none if the
// position is decided.
func (m *maker) search(ctx context.Context, b *gomoku.Board) (moves []gomoku.BookMove, depth int, err error) {
	m.engine.NewGame()
	var last gomoku.Info // of a completed depth: only there all lines are equally deep
	r, err := m.engine.Search(ctx, b, gomoku.WithProgress(func(i gomoku.Info) { last = i }), gomoku.WithExclude(images(b)...))
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, 0, err
	}
	if last.Depth == 0 {
		return nil, 0, errors.New("too few nodes to search one ply")
	}
	if _, proven := r.Score.Mate(); proven {
		return nil, 0, nil
	}
	for _, l := range last.Lines {
		if _, proven := l.Score.Mate(); !proven && l.Score >= last.Score-gomoku.Score(m.margin) {
			moves = append(moves, gomoku.BookMove{Point: l.PV[0], Score: l.Score})
		}
	}
	return moves, last.Depth, nil
}

// images returns the empty points that a symmetry of the position takes to
// another one, which stands for them.
func images(b *gomoku.Board) []gomoku.Point {
	var own []gomoku.Symmetry
	for s := range gomoku.Symmetry(gomoku.NumSymmetries) {
		if s.ApplyBoard(b).Hash() == b.Hash() {
			own = append(own, s)
		}
	}
	var out []gomoku.Point
	for p := range b.Stones(gomoku.Empty).All() {
		for _, s := range own {
			if s.Apply(p, b.Size()) < p {
				out = append(out, p)
				break
			}
		}
	}
	return out
}
