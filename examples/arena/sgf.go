package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gomoku-go/gomoku"
)

// A recordFile is a file of game records in SGF. The log is what counts; a match
// that goes on writes the file anew from it, so that what a crash may have left
// undone is made up for.
type recordFile struct {
	file *os.File
	size int64
	m    *match
}

// openRecords creates the file with the games that have been played. A file that
// exists must hold the same games, as far as it goes.
func openRecords(name string, m *match, played []*gameRecord) (*recordFile, error) {
	records := make([]*gomoku.Record, len(played))
	var text []byte
	for i, g := range played {
		var err error
		if records[i], err = m.newRecord(g); err == nil {
			text, err = gomoku.AppendRecord(text, records[i], gomoku.SGF, gomoku.WriteOptions{})
		}
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", g.Game+1, err)
		}
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: the records are read again and replaced", name)
	}
	found, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if n := min(len(found), len(text)); len(found) > 0 && (n == 0 || !bytes.Equal(found[:n], text[:n])) {
		return nil, fmt.Errorf("%s holds other games; move it away, or give the -log of its match", name)
	}
	if err := gomoku.SaveRecords(name, records, gomoku.SGF, gomoku.WriteOptions{}); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &recordFile{f, info.Size(), m}, nil
}

// add writes a game, or nothing of it.
func (r *recordFile) add(g *gameRecord) error {
	rec, err := r.m.newRecord(g)
	if err != nil {
		return err
	}
	text, err := gomoku.AppendRecord(nil, rec, gomoku.SGF, gomoku.WriteOptions{})
	if err != nil {
		return err
	}
	if _, err := r.file.Write(text); err != nil {
		return errors.Join(err, r.file.Truncate(r.size))
	}
	r.size += int64(len(text))
	return nil
}

func (r *recordFile) close() error { return r.file.Close() }

// newRecord returns a game of the log as a record, with the time of each move
// and what the players said of it.
func (m *match) newRecord(g *gameRecord) (*gomoku.Record, error) {
	moves, err := gomoku.ParseMoves(g.Moves)
	if err != nil {
		return nil, err
	}
	rec := &gomoku.Record{
		Size: m.Size, Rule: m.Rule,
		Black: gomoku.Player{Name: g.Black}, White: gomoku.Player{Name: g.White},
		Reason: g.Reason,
		Event:  fmt.Sprintf("arena match, seed %d", m.Seed),
		Round:  fmt.Sprintf("%d", g.Game+1),
		// The opening as the file has it, before the symmetry.
		Opening: gomoku.FormatMoves(m.openings.moves[g.Opening]),
		Comment: g.Detail,
		Charset: "UTF-8",
	}
	rec.Root.Point = gomoku.NoPoint
	if day, err := time.Parse(time.RFC3339, g.Started); err == nil {
		rec.Date = day.Format(time.DateOnly)
	}
	switch g.Result {
	case blackWins:
		rec.Outcome = gomoku.BlackWins
	case whiteWins:
		rec.Outcome = gomoku.WhiteWins
	case drawn:
		rec.Outcome = gomoku.Draw
	}
	node := &rec.Root
	for i, p := range moves {
		color := gomoku.Black
		if i%2 == 1 {
			color = gomoku.White
		}
		node = node.Add(p, color)
		k := i - g.Plies
		if k < 0 {
			continue
		}
		if k >= len(g.Micros) || k >= len(g.Depths) || k >= len(g.Nodes) || k >= len(g.Scores) {
			return nil, errors.New("more moves than times")
		}
		// Records keep milliseconds; a move takes at least one.
		node.Time = max(time.Duration(g.Micros[k])*time.Microsecond, time.Millisecond)
		node.Comment = describeMove(g, k)
	}
	return rec, nil
}

// describeMove says what the player of the k-th move after the opening told.
func describeMove(g *gameRecord, k int) string {
	if g.Nodes[k] == 0 && g.Depths[k] == 0 && g.Scores[k] == unknownScore {
		return ""
	}
	s := fmt.Sprintf("depth %d, %d nodes", g.Depths[k], g.Nodes[k])
	if g.Scores[k] != unknownScore {
		s += fmt.Sprintf(", %v", gomoku.Score(g.Scores[k]))
	}
	return s
}
