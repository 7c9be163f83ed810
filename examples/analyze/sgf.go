package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomoku-go/gomoku"
)

// annotate returns a copy of a game's record with comments on its moves and with
// better moves, missed wins and allowed wins as variations. What the record had
// stays.
func annotate(g *game) *gomoku.Record {
	rec := *g.record
	copies := map[*gomoku.RecordNode]*gomoku.RecordNode{}
	rec.Root = *copyTree(&g.record.Root, copies)
	copies[&g.record.Root] = &rec.Root
	for i, s := range g.steps {
		r := g.reports[i]
		if r == nil {
			continue
		}
		node, prev := copies[s.node], copies[s.prev]
		addComment(node, comment(r))
		switch r.Grade {
		case inaccuracy:
			node.Extra = append(node.Extra, gomoku.Property{Name: "DO", Values: []string{""}})
		case mistake:
			node.Extra = append(node.Extra, gomoku.Property{Name: "BM", Values: []string{"1"}})
		case blunder:
			node.Extra = append(node.Extra, gomoku.Property{Name: "BM", Values: []string{"2"}})
		}
		if r.Missed != nil {
			addLine(prev, r.Color, r.Missed.Line, "The win that was missed, by "+r.Missed.words()+".\n"+r.Missed.Proof)
		} else if r.Grade >= inaccuracy && r.Best.Point != r.Point {
			addLine(prev, r.Color, r.Best.Line, fmt.Sprintf("Better: %s for %s (%.0f%%).", r.Best.verdict(), sideName(r.Color), 100*r.Best.Chance))
		}
		if r.Allowed != nil {
			addLine(node, r.Color.Opponent(), r.Allowed.Line, "The win that was allowed, by "+r.Allowed.words()+".\n"+r.Allowed.Proof)
		}
	}
	addGameComment(&rec, g)
	return &rec
}

// copyTree copies a node and what follows it and notes which copy is whose.
func copyTree(n *gomoku.RecordNode, copies map[*gomoku.RecordNode]*gomoku.RecordNode) *gomoku.RecordNode {
	root := new(gomoku.RecordNode)
	type pair struct{ from, to *gomoku.RecordNode }
	for todo := []pair{{n, root}}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		*p.to = *p.from
		p.to.Extra = slices.Clone(p.from.Extra)
		p.to.Next = make([]*gomoku.RecordNode, len(p.from.Next))
		copies[p.from] = p.to
		for i, next := range p.from.Next {
			p.to.Next[i] = new(gomoku.RecordNode)
			todo = append(todo, pair{next, p.to.Next[i]})
		}
	}
	return root
}

func addComment(n *gomoku.RecordNode, text string) {
	if n.Comment != "" {
		text = n.Comment + "\n\n" + text
	}
	n.Comment = text
}

// comment says what was found about a move.
func comment(r *moveReport) string {
	var s strings.Builder
	fmt.Fprintf(&s, "Black %.0f%%, %s for %s at depth %d.", 100*blacks(r.Color, r.Played.Chance), r.Played.verdict(), sideName(r.Color), r.Played.Depth)
	if word := gradeWord(r.Grade); word != "" {
		fmt.Fprintf(&s, " %s%s: %.0f%% of winning chance lost.", strings.ToUpper(word[:1]), word[1:], 100*r.Loss)
	}
	for _, remark := range remarks(r) {
		s.WriteString("\n" + remark)
	}
	return s.String()
}

// addLine adds moves as a variation. Where they go the way of one that is there,
// they follow it; the comment is put where they leave it, or at their end.
func addLine(at *gomoku.RecordNode, c gomoku.Color, line []gomoku.Point, text string) {
	said := false
	for i, p := range line {
		next := at
		for _, n := range at.Next {
			if n.Color == c && n.Point == p {
				next = n
			}
		}
		if next == at {
			next = at.Add(p, c)
			if !said {
				addComment(next, text)
				said = true
			}
		}
		at, c = next, c.Opponent()
		if i == len(line)-1 && !said {
			addComment(at, text)
		}
	}
}

// addGameComment adds the summary to the comment on the game.
func addGameComment(rec *gomoku.Record, g *game) {
	s := fmt.Sprintf("Analysed by gomoku. Black: %s. White: %s.", g.summary(gomoku.Black), g.summary(gomoku.White))
	if !g.complete() {
		s += fmt.Sprintf(" Interrupted: %d of %s looked at.", g.done(), plural(len(g.steps), "move"))
	}
	for _, note := range g.notes {
		s += "\nNote: " + note + "."
	}
	if rec.Comment != "" {
		s = rec.Comment + "\n\n" + s
	}
	rec.Comment = s
}
