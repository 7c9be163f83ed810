package main

import (
	"context"
	"strings"

	"github.com/gomoku-go/gomoku"
)

// A picture says what the page shows besides the stones.
type picture struct {
	Theme       string      `json:"theme"` // light, dark or print
	Title       string      `json:"title"`
	Coordinates bool        `json:"coordinates"`
	Numbers     bool        `json:"numbers"`
	Fouls       bool        `json:"fouls"`
	Threats     bool        `json:"threats"`
	Candidates  []candidate `json:"candidates"`
}

// drawn is the text of a picture.
type drawn struct {
	SVG string `json:"svg"`
}

// draw draws the position at the end of the record.
func draw(_ *service, _ context.Context, r *request, _ func(any)) (any, error) {
	b, err := boardOf(r)
	if err != nil {
		return nil, err
	}
	p := r.Picture
	theme, err := gomoku.ParseSVGTheme(p.Theme)
	if err != nil {
		return nil, err
	}
	o := gomoku.SVGOptions{
		Theme: theme, Title: p.Title, NoCoordinates: !p.Coordinates, NoNumbers: !p.Numbers, Fouls: p.Fouls,
	}
	if p.Threats {
		o.Threats = append(gomoku.Threats(b, gomoku.Black), gomoku.Threats(b, gomoku.White)...)
	}
	for _, c := range p.Candidates {
		o.Candidates = append(o.Candidates, gomoku.Candidate{Point: c.Point, Score: c.Score.Value, Bound: c.Bound})
	}
	var text strings.Builder
	if err := gomoku.WriteSVG(&text, b, o); err != nil {
		return nil, err
	}
	return drawn{text.String()}, nil
}
