// Package position reads the position that a command line names, for the programs
// beside it.
package position

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gomoku-go/gomoku"
)

// A Source is what the command line says about the position.
type Source struct {
	Arg  string // moves, a drawn board, a board's text form, a file with one of these or with games; "-": standard input
	Size int
	Rule gomoku.Rule
	Game int // of a file, from 1
	Move int // -1 is the end
}

// Flags defines the flags for all but Arg.
func (s *Source) Flags(f *flag.FlagSet) {
	f.IntVar(&s.Size, "size", 15, "board size, where the position does not say")
	f.TextVar(&s.Rule, "rule", gomoku.Freestyle, "`rule`, where the position does not say: freestyle, standard, renju or caro")
	f.IntVar(&s.Game, "game", 1, "which game of a file")
	f.IntVar(&s.Move, "move", -1, "the position after so many moves; -1 is the end")
}

// Position reads the position.
func (s *Source) Position(stdin io.Reader) (*gomoku.Board, error) {
	if s.Game < 1 {
		return nil, fmt.Errorf("-game %d: games are counted from 1", s.Game)
	}
	b, err := s.read(stdin)
	if err != nil {
		return nil, err
	}
	if s.Move < -1 {
		return nil, fmt.Errorf("-move %d is neither a number of moves nor -1", s.Move)
	}
	if s.Move < 0 {
		return b, nil
	}
	moves := 0
	for range b.Moves() {
		moves++
	}
	if s.Move > moves {
		return nil, fmt.Errorf("-move %d: there are %d moves", s.Move, moves)
	}
	for range moves - s.Move {
		b.Undo()
	}
	return b, nil
}

// read returns the position at the end of the source.
func (s *Source) read(stdin io.Reader) (*gomoku.Board, error) {
	if s.Arg == "-" {
		text, err := io.ReadAll(io.LimitReader(stdin, 64<<20))
		if err != nil {
			return nil, err
		}
		return s.parseFile(text, gomoku.UnknownFormat)
	}
	if info, err := os.Stat(s.Arg); err == nil && info.Mode().IsRegular() {
		text, err := os.ReadFile(s.Arg)
		if err != nil {
			return nil, err
		}
		b, err := s.parseFile(text, gomoku.FormatOfName(s.Arg))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Arg, err)
		}
		return b, nil
	}
	if b, ok, err := s.parseBoard(s.Arg); ok {
		return s.only(b, err)
	}
	b, err := gomoku.ParseBoard(s.Size, s.Rule, s.Arg)
	if err != nil && strings.ContainsAny(s.Arg, "./\\") {
		if _, err := os.Stat(s.Arg); err == nil {
			return nil, fmt.Errorf("%s is not a regular file; - reads standard input", s.Arg)
		}
		return nil, fmt.Errorf("%q is neither moves nor a file that is there", s.Arg)
	}
	return s.only(b, err)
}

// only returns a position that is no game of many, unless another is asked for.
func (s *Source) only(b *gomoku.Board, err error) (*gomoku.Board, error) {
	if err == nil && s.Game > 1 {
		return nil, fmt.Errorf("-game %d: there is one position and no list of games", s.Game)
	}
	return b, err
}

// parseBoard reads a text form or a drawing, if it is one.
func (s *Source) parseBoard(text string) (b *gomoku.Board, ok bool, err error) {
	b = new(gomoku.Board)
	if fields := strings.Fields(text); len(fields) > 1 {
		if _, err := gomoku.ParseRule(fields[1]); err == nil {
			return b, true, b.UnmarshalText(bytes.TrimSpace([]byte(text)))
		}
	}
	if strings.Count(text, ".") < strings.Count(text, "\n")*2 || !strings.Contains(text, "\n") || strings.ContainsAny(text, ";[{") {
		return nil, false, nil
	}
	b, err = gomoku.ParseDrawing(s.Rule, text)
	return b, true, err
}

// parseFile reads what a file holds. A position is at the end of a game's main
// line, or where a set number of moves leads.
func (s *Source) parseFile(text []byte, f gomoku.Format) (*gomoku.Board, error) {
	if f == gomoku.UnknownFormat {
		if b, ok, err := s.parseBoard(string(text)); ok {
			return s.only(b, err)
		}
	}
	n := 0
	o := gomoku.ReadOptions{Format: f, Size: s.Size, Rule: s.Rule}
	for rec, err := range gomoku.ReadRecords(bytes.NewReader(text), o) {
		if n++; n < s.Game {
			continue
		}
		if err != nil {
			return nil, err
		}
		return s.replay(rec)
	}
	if n == 0 {
		return nil, errors.New("no position and no game in it")
	}
	return nil, fmt.Errorf("-game %d: there are %d games", s.Game, n)
}

// replay returns the position of a record: at the end, or after the moves asked
// for, so that what comes later need not be legal.
func (s *Source) replay(rec *gomoku.Record) (*gomoku.Board, error) {
	if s.Move < 0 {
		return rec.Board()
	}
	at, moves := &rec.Root, 0
	for n := range rec.Line() {
		if n.Color != gomoku.Empty && n.Point != gomoku.NoPoint {
			moves++
		}
		if moves > s.Move {
			break
		}
		at = n
	}
	return rec.BoardAt(at)
}
