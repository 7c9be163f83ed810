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
			g.addProof(prev, s, r.Color, r.Missed, "The win that was missed, by "+r.Missed.words()+".")
		} else if r.Grade >= inaccuracy && r.Best.Point != r.Point {
			addLine(prev, r.Color, r.Best.Line, fmt.Sprintf("Better: %s for %s (%.0f%%).", r.Best.verdict(), sideName(r.Color), 100*r.Best.Chance))
		}
		if r.Allowed != nil {
			g.addProof(node, s, r.Color.Opponent(), r.Allowed, "The win that was allowed, by "+r.Allowed.words()+".")
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

// addProof adds a win by threats that c has before the step or, if it is the other
// side's, after it: all variations of the proof, or the main line and the proof as
// text.
func (g *game) addProof(at *gomoku.RecordNode, s step, c gomoku.Color, f *forcedWin, text string) {
	branches := g.proofBranches(s, c, f)
	if branches == nil {
		addLine(at, c, f.Line, text+"\n"+f.Proof)
		return
	}
	for _, b := range branches {
		addComment(b, text)
		graft(at, b)
	}
}

// proofBranches returns the proof as nodes, or nil if it is not there to be shown.
func (g *game) proofBranches(s step, c gomoku.Color, f *forcedWin) []*gomoku.RecordNode {
	b, err := g.before(s)
	if err == nil && c != s.node.Color {
		err = b.Make(s.node.Point)
	}
	if err != nil || f.Tree == nil {
		return nil
	}
	b.SetTurn(c)
	p := gomoku.Proof{Verdict: gomoku.Proven, Color: c, Tree: f.Tree, Length: f.Moves, Line: f.Line}
	rec, err := p.Record(b)
	if err != nil {
		return nil
	}
	end := &rec.Root
	for range gomoku.NewRecord(b).Line() { // the game so far
		end = end.Next[0]
	}
	return end.Next
}

// graft adds a node and what follows it as a variation, or to the one that begins
// with the same move.
func graft(at, n *gomoku.RecordNode) {
	for _, old := range at.Next {
		if old.Color == n.Color && old.Point == n.Point {
			if n.Comment != "" {
				addComment(old, n.Comment)
			}
			for _, next := range n.Next {
				graft(old, next)
			}
			return
		}
	}
	at.Next = append(at.Next, n)
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
