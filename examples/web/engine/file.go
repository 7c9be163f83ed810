package main

import (
	"bytes"
	"context"
	"errors"
	"sort"

	"github.com/gomoku-go/gomoku"
)

// maxGames is how many games of a file are read.
const maxGames = 1000

// readFile is what a file holds.
type readFile struct {
	Games  []game   `json:"games"`
	Faults []*fault `json:"faults"` // of games that could not be read
	More   bool     `json:"more"`   // the file has games beyond maxGames
}

// A game is a record and how much of its main line can be played.
type game struct {
	Record   *gomoku.Record `json:"record"`
	Moves    int            `json:"moves"`
	Playable int            `json:"playable"`        // how many nodes of the main line can be played
	Fault    *fault         `json:"fault,omitempty"` // why the rest can't
}

// read reads the games of a file or of pasted text.
func read(_ *service, ctx context.Context, r *request, _ func(any)) (any, error) {
	o := gomoku.ReadOptions{Format: gomoku.FormatOfName(r.Name), Size: r.Size, Rule: r.Rule}
	f := readFile{Games: []game{}, Faults: []*fault{}}
	var first error
	for rec, err := range gomoku.ReadRecords(bytes.NewReader(r.Data), o) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(f.Games)+len(f.Faults) >= maxGames {
			f.More = true
			break
		}
		if err != nil {
			if first == nil {
				first = err
			}
			f.Faults = append(f.Faults, newFault(err))
			continue
		}
		f.Games = append(f.Games, newGameOf(rec))
	}
	if len(f.Games) == 0 {
		if first == nil {
			first = errors.New("there is no game in it")
		}
		return nil, first
	}
	return f, nil
}

func newGameOf(rec *gomoku.Record) game {
	g := game{Record: rec}
	var nodes []*gomoku.RecordNode
	for n := range rec.Line() {
		nodes = append(nodes, n)
		if n.Color != gomoku.Empty {
			g.Moves++
		}
	}
	// Whatever can't be played after some node can't be played after later ones.
	g.Playable = sort.Search(len(nodes), func(i int) bool {
		_, err := rec.BoardAt(nodes[i])
		if err != nil && g.Fault == nil {
			g.Fault = newFault(err)
		}
		return err != nil
	})
	return g
}

// written is the text of a record.
type written struct {
	Text   []byte `json:"text"`
	Losses []loss `json:"losses"` // what the format has no place for; then there is no text unless it was asked for
}

type loss struct {
	Field string `json:"field"`
	Count int    `json:"count"`
}

// write writes the record in a format.
func write(_ *service, _ context.Context, r *request, _ func(any)) (any, error) {
	if r.Record == nil {
		return nil, errNoRecord
	}
	f, err := gomoku.ParseFormat(r.Format)
	if err != nil {
		return nil, err
	}
	w := written{Losses: []loss{}}
	losses, err := r.Record.Losses(f)
	if err != nil {
		return nil, err
	}
	for _, l := range losses {
		w.Losses = append(w.Losses, loss{l.Field, l.Count})
	}
	w.Text, err = gomoku.AppendRecord(nil, r.Record, f, gomoku.WriteOptions{AllowLoss: r.Lossy})
	var lossy *gomoku.LossError
	if errors.As(err, &lossy) && !r.Lossy {
		return w, nil
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}
