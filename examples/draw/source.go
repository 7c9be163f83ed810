package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gomoku-go/gomoku"
)

// A source is what the command line says about the position.
type source struct {
	arg  string
	size int
	rule gomoku.Rule
	game int // of a file, from 1
	move int // -1 is the end
}

// position reads the position to draw.
func (s *source) position(stdin io.Reader) (*gomoku.Board, error) {
	b, err := s.read(stdin)
	if err != nil {
		return nil, err
	}
	if s.move < -1 {
		return nil, fmt.Errorf("-move %d is neither a number of moves nor -1", s.move)
	}
	if s.move < 0 {
		return b, nil
	}
	moves := 0
	for range b.Moves() {
		moves++
	}
	if s.move > moves {
		return nil, fmt.Errorf("-move %d: there are %d moves", s.move, moves)
	}
	for range moves - s.move {
		b.Undo()
	}
	return b, nil
}

// read returns the position at the end of the source.
func (s *source) read(stdin io.Reader) (*gomoku.Board, error) {
	if s.arg == "-" {
		text, err := io.ReadAll(io.LimitReader(stdin, 64<<20))
		if err != nil {
			return nil, err
		}
		return s.parseFile(text, gomoku.UnknownFormat)
	}
	if info, err := os.Stat(s.arg); err == nil && info.Mode().IsRegular() {
		text, err := os.ReadFile(s.arg)
		if err != nil {
			return nil, err
		}
		b, err := s.parseFile(text, gomoku.FormatOfName(s.arg))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.arg, err)
		}
		return b, nil
	}
	if b, ok, err := s.parseBoard(s.arg); ok {
		return b, err
	}
	b, err := gomoku.ParseBoard(s.size, s.rule, s.arg)
	if err != nil && strings.ContainsAny(s.arg, "./\\") {
		return nil, fmt.Errorf("%q is neither moves nor a file that is there", s.arg)
	}
	return b, err
}

// parseBoard reads a text form or a drawing, if it is one.
func (s *source) parseBoard(text string) (b *gomoku.Board, ok bool, err error) {
	b = new(gomoku.Board)
	if fields := strings.Fields(text); len(fields) > 1 {
		if _, err := gomoku.ParseRule(fields[1]); err == nil {
			return b, true, b.UnmarshalText(bytes.TrimSpace([]byte(text)))
		}
	}
	if strings.Count(text, ".") < strings.Count(text, "\n")*2 || !strings.Contains(text, "\n") || strings.ContainsAny(text, ";[{") {
		return nil, false, nil
	}
	b, err = gomoku.ParseDrawing(s.rule, text)
	return b, true, err
}

// parseFile reads what a file holds. A position is at the end of a game's main
// line, or where a set number of moves leads.
func (s *source) parseFile(text []byte, f gomoku.Format) (*gomoku.Board, error) {
	if f == gomoku.UnknownFormat {
		if b, ok, err := s.parseBoard(string(text)); ok {
			return b, err
		}
	}
	if s.game < 1 {
		return nil, fmt.Errorf("-game %d: games are counted from 1", s.game)
	}
	n := 0
	o := gomoku.ReadOptions{Format: f, Size: s.size, Rule: s.rule}
	for rec, err := range gomoku.ReadRecords(bytes.NewReader(text), o) {
		if n++; n < s.game {
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
	return nil, fmt.Errorf("-game %d: there are %d games", s.game, n)
}

// replay returns the position of a record: at the end, or after the moves asked
// for, so that what comes later need not be legal.
func (s *source) replay(rec *gomoku.Record) (*gomoku.Board, error) {
	if s.move < 0 {
		return rec.Board()
	}
	at, moves := &rec.Root, 0
	for n := range rec.Line() {
		if n.Color != gomoku.Empty && n.Point != gomoku.NoPoint {
			moves++
		}
		if moves > s.move {
			break
		}
		at = n
	}
	return rec.BoardAt(at)
}
