package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/gomoku-go/gomoku"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// A pageData is what the page is made of. The page needs nothing else: style,
// script, boards and graphs are all inside.
type pageData struct {
	Title  string
	CSS    template.CSS
	JS     template.JS
	Games  []pageGame
	Effort string
}

// A pageGame is a game as the page shows it without its script, and the data that
// the script shows it by.
type pageGame struct {
	Number       int
	Title, Facts string
	Notes        []string
	Final        template.HTML // the last position
	Graph        pageGraph
	Sides        []pageSide
	Rows         []pageRow
	Wins         []pageWin
	Data         scriptGame
}

type pageSide struct {
	Name, Player string
	summary
}

type pageRow struct {
	Move                            int
	Side, Point, Black, Loss, Grade string
	Better                          string
}

// A pageWin is a win by threats that was missed or allowed.
type pageWin struct {
	Move          int
	Remark, Proof string
}

// A pageGraph is Black's chance as a line in a picture.
type pageGraph struct {
	Width, Height int
	Line, Area    string
	Marks         []pageMark
	Words         string
}

type pageMark struct {
	X, Y  string
	Grade string
}

// A scriptGame is a game for the script. Points are numbers: y*size+x.
type scriptGame struct {
	Size  int           `json:"size"`
	Board template.HTML `json:"board"` // an empty one
	Black []int         `json:"black"` // stones before the first step
	White []int         `json:"white"`
	Steps []scriptStep  `json:"steps"`
	Curve []float64     `json:"curve"`
}

type scriptStep struct {
	Number int          `json:"n"`
	Point  int          `json:"p"`
	Color  gomoku.Color `json:"c"`
	// Black and White are all stones before the step, where these are not just
	// those of the steps before.
	Black []int        `json:"black,omitempty"`
	White []int        `json:"white,omitempty"`
	Said  string       `json:"said"` // about the move
	Grade string       `json:"grade"`
	Lines []scriptLine `json:"lines"`
}

// A scriptLine is moves that can be shown, from before the step or after it.
type scriptLine struct {
	Name  string `json:"name"`
	After bool   `json:"after"`
	Line  []int  `json:"line"`
	Words string `json:"words"` // not for wins by threats, which the remark is about
}

// page returns the games as an HTML page.
func page(games []*game, e effort) ([]byte, error) {
	d := pageData{Title: "Report on " + plural(len(games), "game"), CSS: template.CSS(pageCSS), JS: template.JS(pageJS), Effort: e.String()}
	for i, g := range games {
		p, err := newPageGame(i+1, g)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.source, err)
		}
		d.Games = append(d.Games, p)
	}
	if len(games) == 1 {
		d.Title = d.Games[0].Title
	}
	var out bytes.Buffer
	err := pageTemplate.Execute(&out, d)
	return out.Bytes(), err
}

// String says how much was looked at.
func (e effort) String() string {
	var parts []string
	if e.Nodes > 0 {
		parts = append(parts, fmt.Sprintf("%d positions a search", e.Nodes))
	}
	if e.Time > 0 {
		parts = append(parts, fmt.Sprintf("%v a search", e.Time))
	}
	if e.Solve > 0 {
		parts = append(parts, fmt.Sprintf("up to %d positions a solver", e.Solve))
	}
	return strings.Join(parts, ", ")
}

func newPageGame(number int, g *game) (pageGame, error) {
	black, white := g.players()
	p := pageGame{
		Number: number, Title: black + " – " + white, Notes: g.notes, Graph: newPageGraph(g),
		Facts: fmt.Sprintf("%v, %dx%d, %s, %s. %s", g.record.Rule, g.record.Size, g.record.Size, plural(len(g.steps), "move"), g.result(), g.source),
		Sides: []pageSide{{"Black", black, g.summary(gomoku.Black)}, {"White", white, g.summary(gomoku.White)}},
	}
	if !g.complete() {
		p.Notes = append(p.Notes[:len(p.Notes):len(p.Notes)], fmt.Sprintf("interrupted: %d of %s looked at", g.done(), plural(len(g.steps), "move")))
	}
	for _, r := range g.reports {
		if r == nil {
			continue
		}
		row := pageRow{
			r.Move, sideName(r.Color), r.Point.String(), percent(blacks(r.Color, r.Played.Chance)), percent(r.Loss), r.Grade.String(), "",
		}
		if r.Best.Point != r.Point && len(r.Best.Line) > 0 {
			row.Better = r.Best.Point.String() + " (" + r.Best.verdict() + ")"
		}
		p.Rows = append(p.Rows, row)
		words := remarks(r)
		for i, win := range []*forcedWin{r.Missed, r.Allowed} {
			if win == nil {
				continue
			}
			remark := words[len(words)-1]
			if i == 0 && r.Allowed != nil {
				remark = words[len(words)-2]
			}
			p.Wins = append(p.Wins, pageWin{r.Move, remark, win.Proof})
		}
	}
	var err error
	p.Data, p.Final, err = newScriptGame(g, p.Title)
	return p, err
}

func percent(v float64) string { return fmt.Sprintf("%.0f%%", 100*v) }

// newScriptGame returns the game for the script, and its last position.
func newScriptGame(g *game, title string) (s scriptGame, final template.HTML, err error) {
	s.Size, s.Curve, s.Steps = g.record.Size, g.curve(), []scriptStep{}
	empty, err := gomoku.NewBoard(g.record.Size, g.record.Rule)
	if err != nil {
		return s, "", err
	}
	if s.Board, err = drawBoard(empty, "Board"); err != nil {
		return s, "", err
	}
	last, expected := empty, (*gomoku.Board)(nil)
	for i, step := range g.steps {
		b, err := g.before(step)
		if err != nil {
			return s, "", err
		}
		t := scriptStep{Number: step.number, Point: s.number(step.node.Point), Color: step.node.Color, Grade: "", Lines: []scriptLine{}}
		switch {
		case i == 0:
			s.Black, s.White = s.numbers(b, gomoku.Black), s.numbers(b, gomoku.White)
		case b.Stones(gomoku.Black) != expected.Stones(gomoku.Black) || b.Stones(gomoku.White) != expected.Stones(gomoku.White):
			t.Black, t.White = s.numbers(b, gomoku.Black), s.numbers(b, gomoku.White)
		}
		if r := g.reports[i]; r != nil {
			t.Grade, t.Said = r.Grade.String(), comment(r)
			t.Lines = s.lines(r)
		}
		s.Steps = append(s.Steps, t)
		if err := b.MakeFoul(step.node.Point); err != nil {
			return s, "", err
		}
		last, expected = b, b
	}
	final, err = drawBoard(last, title)
	return s, final, err
}

// lines returns the lines of a report that can be shown.
func (s *scriptGame) lines(r *moveReport) []scriptLine {
	lines := []scriptLine{}
	add := func(name string, after bool, line []gomoku.Point, words string) {
		if len(line) == 0 {
			return
		}
		numbers := make([]int, len(line))
		for i, p := range line {
			numbers[i] = s.number(p)
		}
		lines = append(lines, scriptLine{name, after, numbers, words})
	}
	if r.Best.Point != r.Point {
		add("Better move", false, r.Best.Line, fmt.Sprintf("%s: %s", r.Best.verdict(), moveList(r.Best.Line)))
	}
	if r.Missed != nil {
		add("Missed win", false, r.Missed.Line, "")
	}
	if r.Allowed != nil {
		add("Allowed win", true, r.Allowed.Line, "")
	}
	if len(r.Played.Line) > 1 {
		add("What may follow", true, r.Played.Line[1:], moveList(r.Played.Line[1:]))
	}
	return lines
}

// number returns a point as the script has it; -1 is a pass.
func (s *scriptGame) number(p gomoku.Point) int {
	if p == gomoku.NoPoint {
		return -1
	}
	return p.Y()*s.Size + p.X()
}

func (s *scriptGame) numbers(b *gomoku.Board, c gomoku.Color) []int {
	numbers := []int{}
	stones := b.Stones(c)
	for p := range stones.All() {
		numbers = append(numbers, s.number(p))
	}
	return numbers
}

func drawBoard(b *gomoku.Board, title string) (template.HTML, error) {
	var svg bytes.Buffer
	err := gomoku.WriteSVG(&svg, b, gomoku.SVGOptions{Title: title})
	return template.HTML(svg.String()), err // WriteSVG escapes texts
}

// newPageGraph draws the curve, 10 units a move.
func newPageGraph(g *game) pageGraph {
	curve := g.curve()
	const step, height = 10, 100
	p := pageGraph{Width: step * max(len(g.steps), 1), Height: height}
	var line strings.Builder
	for i, v := range curve {
		fmt.Fprintf(&line, "%s%d %.1f", [...]string{"M", "L"}[min(i, 1)], step*i, height*(1-v))
	}
	p.Line = line.String()
	if len(curve) > 0 {
		p.Area = p.Line + fmt.Sprintf("L%d %dL0 %dZ", step*(len(curve)-1), height, height)
		p.Words = fmt.Sprintf("Black's winning chance, from %s before the first move to %s at the end", percent(curve[0]), percent(curve[len(curve)-1]))
	}
	for i, r := range g.reports {
		if r != nil && r.Grade >= inaccuracy && i+1 < len(curve) {
			p.Marks = append(p.Marks, pageMark{fmt.Sprint(step * (i + 1)), fmt.Sprintf("%.1f", height*(1-curve[i+1])), r.Grade.String()})
		}
	}
	return p
}
