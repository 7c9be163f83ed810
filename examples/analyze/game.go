package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/gomoku-go/gomoku"
)

// A game is a game with what was found about it.
type game struct {
	source  string // file, and number of the game where there are several
	id      string // digest of the record
	record  *gomoku.Record
	steps   []step
	reports []*moveReport // of the steps; nil where not done yet
	opening int           // so many moves are placed to be fair, and not graded
	notes   []string
}

// A step is a move of the main line.
type step struct {
	number int // of the move in the game, passes not counted
	node   *gomoku.RecordNode
	prev   *gomoku.RecordNode // the position before it
}

// before returns the position in which a step was made.
func (g *game) before(s step) (*gomoku.Board, error) {
	b, err := g.record.BoardAt(s.prev)
	if err != nil {
		return nil, err
	}
	b.SetTurn(s.node.Color)
	return b, nil
}

// done returns how many moves have a report.
func (g *game) done() int {
	n := 0
	for _, r := range g.reports {
		if r != nil {
			n++
		}
	}
	return n
}

// complete reports whether all moves have a report.
func (g *game) complete() bool { return g.done() == len(g.steps) }

// newGame prepares a record for analysis. What can't be replayed of it is left
// out and noted.
func newGame(source string, rec *gomoku.Record) (*game, error) {
	g := &game{source: source, record: rec}
	text, err := gomoku.AppendRecord(nil, rec, gomoku.JSONLines, gomoku.WriteOptions{})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	g.id = hex.EncodeToString(sum[:12])
	last := -1 // the last move that counts, passes counted
	var fault *gomoku.ReplayError
	if _, err := rec.Board(); errors.As(err, &fault) && errors.Is(err, gomoku.ErrGameOver) {
		last = fault.Move - 1
		g.notes = append(g.notes, fmt.Sprintf("the game is over after move %d under %v; what follows is left out", last, rec.Rule))
	} else if err != nil {
		return nil, err
	}
	if rec.RuleUnknown {
		g.notes = append(g.notes, fmt.Sprintf("the record names no rule; %v is assumed", rec.Rule))
	}
	prev, played := &rec.Root, 0
	for n := range rec.Line() {
		if n.Color != gomoku.Empty {
			if played++; last >= 0 && played > last {
				break
			}
			if n.Point != gomoku.NoPoint {
				g.steps = append(g.steps, step{len(g.steps) + 1, n, prev})
			}
		}
		prev = n
	}
	g.reports = make([]*moveReport, len(g.steps))
	if _, stones, ok := strings.Cut(rec.Opening, "@"); ok && strings.HasPrefix(rec.Opening, "swap2:") {
		if n, err := strconv.Atoi(stones); err == nil {
			g.setOpening(n)
		}
	}
	return g, nil
}

// setOpening says that the first moves are an opening that somebody placed for
// the other side to choose from: their aim is to be fair, not to be good.
func (g *game) setOpening(moves int) {
	if g.opening = min(max(moves, 0), len(g.steps)); g.opening > 0 {
		g.notes = append(g.notes, fmt.Sprintf("the opening, %s, is not graded", plural(g.opening, "move")))
	}
}

// set keeps the report of a step, without a grade if it is of the opening.
func (g *game) set(i int, r *moveReport) {
	if i < g.opening {
		ungraded := *r
		ungraded.Loss, ungraded.Grade, ungraded.Missed, ungraded.Allowed = 0, good, nil, nil
		r = &ungraded
	}
	g.reports[i] = r
}

// players names the players, as far as they are known.
func (g *game) players() (black, white string) {
	black, white = strings.TrimSpace(g.record.Black.Name), strings.TrimSpace(g.record.White.Name)
	if black == "" {
		black = "Black"
	}
	if white == "" {
		white = "White"
	}
	return strings.ToValidUTF8(black, "?"), strings.ToValidUTF8(white, "?")
}

// result describes how the game ended: by the record, or by the board.
func (g *game) result() string {
	o, reason := g.record.Outcome, g.record.Reason
	if o == gomoku.UnknownOutcome {
		if b, err := g.record.Board(); err == nil {
			end := gomoku.NewRecord(b)
			o, reason = end.Outcome, end.Reason
		}
	}
	s := ""
	switch o {
	case gomoku.BlackWins:
		s = "Black wins"
	case gomoku.WhiteWins:
		s = "White wins"
	case gomoku.Draw:
		s = "a draw"
	case gomoku.NoResult:
		s = "no result"
	default:
		return "unfinished"
	}
	if reason != "" {
		s += " (" + strings.ToValidUTF8(reason, "?") + ")"
	}
	return s
}

// loadGames reads the games of the arguments: files, "-" for standard input, or
// moves. Games that can't be read are left out; the errors name them.
func loadGames(args []string, o gomoku.ReadOptions, stdin io.Reader) ([]*game, []error) {
	var games []*game
	var faults []error
	for _, arg := range args {
		got, errs := loadArg(arg, o, stdin)
		games, faults = append(games, got...), append(faults, errs...)
	}
	return games, faults
}

func loadArg(arg string, o gomoku.ReadOptions, stdin io.Reader) (games []*game, faults []error) {
	name := arg
	in := stdin
	if arg == "-" {
		name = "standard input"
	} else {
		f, err := os.Open(arg)
		if err != nil {
			moves, merr := gomoku.ParseMoves(arg)
			if merr != nil || len(moves) == 0 {
				return nil, []error{err}
			}
			name, in, o.Format = "moves", strings.NewReader(arg), gomoku.MoveLines
		} else {
			defer f.Close()
			in = f
			if o.Format == gomoku.UnknownFormat {
				o.Format = gomoku.FormatOfName(arg)
			}
		}
	}
	n := 0
	for rec, err := range gomoku.ReadRecords(in, o) {
		n++
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
			continue
		}
		g, err := newGame(fmt.Sprintf("%s #%d", name, n), rec)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s, game %d: %w", name, n, err))
			continue
		}
		games = append(games, g)
	}
	if n == 1 && len(games) == 1 {
		games[0].source = name
	}
	if n == 0 {
		faults = append(faults, fmt.Errorf("%s: no game in it", name))
	}
	return games, faults
}
