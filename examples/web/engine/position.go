package main

import (
	"context"
	"errors"

	"github.com/gomoku-go/gomoku"
)

// errNoRecord is a request without the game it is about.
var errNoRecord = errors.New("the message has no record")

// A view is all that the page shows of a position.
type view struct {
	Size    int            `json:"size"`
	Rule    gomoku.Rule    `json:"rule"`
	Turn    gomoku.Color   `json:"turn"`
	Stones  []stone        `json:"stones"`
	Last    gomoku.Point   `json:"last"`
	Over    bool           `json:"over"`
	Winner  gomoku.Color   `json:"winner"`
	Line    []gomoku.Point `json:"line"`    // the winning row
	ByFoul  *gomoku.Foul   `json:"byFoul"`  // the foul that lost the game
	Fouls   []foul         `json:"fouls"`   // where Black may not play
	Threats []threat       `json:"threats"` // of both sides, the strongest last
	Text    string         `json:"text"`    // the position as one line, which "new" reads
	Moves   string         `json:"moves"`   // as a move string, if it is one
}

type stone struct {
	Point  gomoku.Point `json:"point"`
	Color  gomoku.Color `json:"color"`
	Number int          `json:"number,omitempty"` // of the move, from 1; 0: set up
}

type foul struct {
	Point  gomoku.Point   `json:"point"`
	Foul   gomoku.Foul    `json:"foul"`
	Stones []gomoku.Point `json:"stones"`
}

type threat struct {
	Color gomoku.Color `json:"color"`
	gomoku.Threat
}

// boardOf returns the position at the end of the request's record.
func boardOf(r *request) (*gomoku.Board, error) {
	if r.Record == nil {
		return nil, errNoRecord
	}
	return r.Record.Board()
}

func viewOf(b *gomoku.Board) (*view, error) {
	text, err := b.MarshalText()
	if err != nil {
		return nil, err
	}
	v := &view{
		Size: b.Size(), Rule: b.Rule(), Turn: b.Turn(), Last: b.LastMove(), Over: b.Over(), Winner: b.Winner(),
		Line: b.WinningLine(), Text: string(text),
		Stones: []stone{}, Fouls: []foul{}, Threats: []threat{},
	}
	numbers := map[gomoku.Point]int{}
	var moves []gomoku.Point
	for p := range b.Moves() {
		moves = append(moves, p)
		numbers[p] = len(moves)
	}
	for _, c := range []gomoku.Color{gomoku.Black, gomoku.White} {
		for p := range b.Stones(c).All() {
			v.Stones = append(v.Stones, stone{p, c, numbers[p]})
		}
	}
	if twin, err := gomoku.ParseBoard(b.Size(), b.Rule(), gomoku.FormatMoves(moves)); err == nil && twin.Hash() == b.Hash() {
		v.Moves = gomoku.FormatMoves(moves)
	}
	if b.Winner() != gomoku.Empty && v.Line == nil && b.LastMove() != gomoku.NoPoint {
		before := b.Clone()
		before.Undo()
		kind := before.Foul(b.LastMove())
		v.ByFoul = &kind
	}
	if b.Over() {
		return v, nil
	}
	for p := range b.Stones(gomoku.Empty).All() {
		if kind := b.Foul(p); kind != gomoku.NoFoul {
			v.Fouls = append(v.Fouls, foul{p, kind, b.FoulStones(p)})
		}
	}
	for _, c := range []gomoku.Color{gomoku.Black, gomoku.White} {
		for _, t := range gomoku.Threats(b, c) {
			v.Threats = append(v.Threats, threat{c, t})
		}
	}
	return v, nil
}

// greeting says what the library can do, so that the page need not know.
type greeting struct {
	MinSize int           `json:"minSize"`
	MaxSize int           `json:"maxSize"`
	Rules   []gomoku.Rule `json:"rules"`
	Levels  []string      `json:"levels"`
	Solvers []string      `json:"solvers"`
}

func hello(*service, context.Context, *request, func(any)) (any, error) {
	g := greeting{MinSize: gomoku.MinSize, MaxSize: gomoku.MaxSize}
	for r := gomoku.Freestyle; r <= gomoku.Caro; r++ {
		g.Rules = append(g.Rules, r)
	}
	for l := gomoku.Easy; l <= gomoku.Expert; l++ {
		g.Levels = append(g.Levels, l.String())
	}
	for _, s := range solvers {
		g.Solvers = append(g.Solvers, s.name)
	}
	return g, nil
}

// opened is a game with the position at the end of its main line.
type opened struct {
	Record *gomoku.Record `json:"record"`
	View   *view          `json:"view"`
}

// newGame makes a record of an empty board, or of the position of a text.
func newGame(_ *service, _ context.Context, r *request, _ func(any)) (any, error) {
	b := new(gomoku.Board)
	if r.Text != "" {
		if err := b.UnmarshalText([]byte(r.Text)); err != nil {
			return nil, err
		}
	} else {
		var err error
		if b, err = gomoku.NewBoard(r.Size, r.Rule); err != nil {
			return nil, err
		}
	}
	v, err := viewOf(b)
	if err != nil {
		return nil, err
	}
	return opened{gomoku.NewRecord(b), v}, nil
}

// position describes the end of the record.
func position(_ *service, _ context.Context, r *request, _ func(any)) (any, error) {
	b, err := boardOf(r)
	if err != nil {
		return nil, err
	}
	return viewOf(b)
}

// played is the colour of a move and what comes of it.
type played struct {
	Color gomoku.Color `json:"color"`
	View  *view        `json:"view"`
}

// play makes a move at the end of the record.
func play(_ *service, _ context.Context, r *request, _ func(any)) (any, error) {
	b, err := boardOf(r)
	if err != nil {
		return nil, err
	}
	c := b.Turn()
	if err := b.Make(r.Point); err != nil {
		return nil, err
	}
	v, err := viewOf(b)
	if err != nil {
		return nil, err
	}
	return played{c, v}, nil
}
