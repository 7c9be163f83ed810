package main

import (
	"fmt"
	"strings"

	"github.com/gomoku-go/gomoku"
)

// stones are how the two colours are drawn, by Color.
var stones = [...]string{gomoku.Black: "x", gomoku.White: "o"}

// stoneStyles are their colours.
var stoneStyles = [...]style{gomoku.Black: styleBlack, gomoku.White: styleWhite}

// marks are what a drawing points out.
type marks struct {
	strong gomoku.PointSet // stones drawn as capitals: a winning row, the cause of a foul
	fouls  gomoku.PointSet // empty points drawn as "!"
}

// drawBoard draws the board with its coordinates, row 1 at the bottom. The last
// move stands in parentheses, so that it is seen without colours too.
func (s *screen) drawBoard(b *gomoku.Board, m marks) string {
	var out strings.Builder
	last := b.LastMove()
	for y := b.Size() - 1; y >= 0; y-- {
		out.WriteString(s.paint(styleFaint, fmt.Sprintf("%2d", y+1)))
		gap := " "
		for x := range b.Size() {
			p := gomoku.Pt(x, y)
			after := " "
			if p == last {
				gap, after = s.paint(styleBold, "("), s.paint(styleBold, ")")
			}
			out.WriteString(gap)
			out.WriteString(s.drawPoint(b, p, m))
			gap = after
		}
		if gap != " " {
			out.WriteString(gap)
		}
		out.WriteByte('\n')
	}
	var columns strings.Builder
	for x := range b.Size() {
		columns.WriteByte(' ')
		columns.WriteByte(byte('a' + x))
	}
	out.WriteString("  " + s.paint(styleFaint, columns.String()) + "\n")
	return out.String()
}

// drawPoint draws one point.
func (s *screen) drawPoint(b *gomoku.Board, p gomoku.Point, m marks) string {
	c := b.At(p)
	switch {
	case c != gomoku.Empty && m.strong.Has(p):
		st := styleStrong
		if !m.fouls.IsEmpty() {
			st = styleBad
		}
		return s.paint(st, strings.ToUpper(stones[c]))
	case c != gomoku.Empty:
		return s.paint(stoneStyles[c], stones[c])
	case m.fouls.Has(p):
		return s.paint(styleBad, "!")
	case isStar(p, b.Size()):
		return s.paint(styleFaint, "+")
	}
	return s.paint(styleFaint, ".")
}

// isStar reports whether a board has a star at p, to find one's way by: the
// centre, and on boards with room for them four points around it.
func isStar(p gomoku.Point, size int) bool {
	if size%2 == 1 && p == gomoku.Pt(size/2, size/2) {
		return true
	}
	if size < 13 {
		return false
	}
	star := func(v int) bool { return v == 3 || v == size-4 }
	return star(p.X()) && star(p.Y())
}
