package gomoku

import (
	"slices"
	"strings"
	"time"
)

// The losses that would change the game and are never allowed.
const (
	fieldMoves = "moves"
	fieldPass  = "pass"
	fieldOrder = "turn order" // two moves of a colour in a row, or White first
	fieldEmpty = "empty game"
	fieldSetup = "set-up stones"
)

// lostMove says why the move of a is not what was read back, b or nothing.
func lostMove(a, b *RecordNode) string {
	switch {
	case a.Point == NoPoint && (b == nil || b.Point != NoPoint):
		return fieldPass
	case b != nil && a.Point == b.Point:
		return fieldOrder
	}
	return fieldMoves
}

// lostGame says why nothing of a record was read back.
func lostGame(rec *Record) Loss {
	loss := Loss{Field: fieldEmpty, Count: 1}
	moves := 0
	for n := range rec.Line() {
		switch {
		case len(n.Setup) > 0:
			return Loss{Field: fieldSetup, Count: 1, Move: moves}
		case n.Color == Empty:
		case n.Point != NoPoint:
			loss = Loss{Field: fieldMoves, Count: 1}
			moves++
		default:
			moves++
			if loss.Field == fieldEmpty {
				loss = Loss{Field: fieldPass, Count: 1, Move: moves}
			}
		}
	}
	if len(rec.Root.Setup) > 0 {
		return Loss{Field: fieldSetup, Count: 1}
	}
	return loss
}

// diffRecords returns what of a is missing or different in b, which was read
// from what was written of a.
func diffRecords(a, b *Record) []Loss {
	var d recordDiff
	d.check("size", 0, a.Size == b.Size)
	d.check("rule", 0, a.Rule == b.Rule || a.RuleUnknown)
	d.check("black player", 0, a.Black == b.Black)
	d.check("white player", 0, a.White == b.White)
	d.check("outcome", 0, a.Outcome == b.Outcome)
	d.check("reason", 0, a.Reason == b.Reason)
	d.check("event", 0, a.Event == b.Event)
	d.check("round", 0, a.Round == b.Round)
	d.check("place", 0, a.Place == b.Place)
	d.check("date", 0, a.Date == b.Date)
	d.check("opening", 0, a.Opening == b.Opening)
	d.check("game comment", 0, sameText(a.Comment, b.Comment))
	d.check("charset", 0, a.Charset == b.Charset)
	d.compare(&a.Root, &b.Root)
	return d.losses
}

type recordDiff struct{ losses []Loss }

// check counts a loss of the field at the given move if kept is false.
//
//go:noinline
func (d *recordDiff) check(field string, move int, kept bool) {
	if kept {
		return
	}
	for i := range d.losses {
		if d.losses[i].Field == field {
			d.losses[i].Count++
			return
		}
	}
	d.losses = append(d.losses, Loss{Field: field, Count: 1, Move: move})
}

// compare compares two trees line by line, with its own stack.
func (d *recordDiff) compare(a, b *RecordNode) {
	type pair struct {
		a, b *RecordNode
		move int
	}
	todo := []pair{{a, b, 0}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.a.Color != Empty {
			p.move++
		}
		d.attributes(p.a, p.b, p.move)
		// Along the line, stepping over nodes of a that b has no place for.
		next := p.a
		for {
			var more []*RecordNode
			next, more = firstNext(next)
			if next == nil || next.Color != Empty || len(p.b.Next) > 0 && p.b.Next[0].Color == Empty {
				if next == nil {
					d.check(fieldMoves, p.move+1, len(p.b.Next) == 0)
					break
				}
				if len(p.b.Next) == 0 {
					d.check(lostMove(next, nil), p.move+1, false)
					break
				}
				if !sameMove(next, p.b.Next[0]) {
					d.check(lostMove(next, p.b.Next[0]), p.move+1, false)
					break
				}
				for i, v := range more {
					if i+1 < len(p.b.Next) && sameMove(v, p.b.Next[i+1]) {
						todo = append(todo, pair{v, p.b.Next[i+1], p.move})
						continue
					}
					d.check("variations", p.move+1, false)
				}
				d.check("variations", p.move+1, len(p.b.Next) <= 1+len(more))
				todo = append(todo, pair{next, p.b.Next[0], p.move})
				break
			}
			d.attributes(next, &RecordNode{}, p.move)
			for range more {
				d.check("variations", p.move+1, false)
			}
		}
	}
}

// firstNext splits the continuations of n.
func firstNext(n *RecordNode) (*RecordNode, []*RecordNode) {
	if len(n.Next) == 0 {
		return nil, nil
	}
	return n.Next[0], n.Next[1:]
}

func sameMove(a, b *RecordNode) bool {
	return a.Color == b.Color && (a.Color == Empty || a.Point == b.Point)
}

// attributes compares two nodes that make the same move, at the given number.
func (d *recordDiff) attributes(a, b *RecordNode, move int) {
	d.check("time", move, a.Time.Truncate(time.Millisecond) == b.Time)
	d.check("comment", move, sameText(a.Comment, b.Comment))
	d.check("turn", move, a.Turn == b.Turn)
	if len(a.Setup) > 0 || len(b.Setup) > 0 {
		d.check(fieldSetup, move, sameSetup(a.Setup, b.Setup))
	}
	d.check("labels", move, slices.Equal(a.Labels, b.Labels))
	if slices.EqualFunc(a.Extra, b.Extra, sameProperty) {
		return
	}
	for _, p := range a.Extra {
		if p.Name == psqCode && slices.Equal(p.Values, []string{psqNoCode}) {
			continue // says nothing
		}
		d.check(p.Name, move, slices.ContainsFunc(b.Extra, func(q Property) bool { return sameProperty(p, q) }))
	}
	added := slices.ContainsFunc(b.Extra, func(q Property) bool {
		// Each psq file has the number at its end, and says nothing with it.
		return q.Name != psqCode && !slices.ContainsFunc(a.Extra, func(p Property) bool { return sameProperty(p, q) })
	})
	d.check("properties", move, !added)
}

func sameProperty(a, b Property) bool {
	return a.Name == b.Name && slices.Equal(a.Values, b.Values)
}

// sameSetup compares set-up stones as sets; of two for a point the last counts.
func sameSetup(a, b []Stone) bool {
	return slices.Equal(cleanSetup(a), cleanSetup(b))
}

// cleanSetup returns the stones by point, one for each.
func cleanSetup(stones []Stone) []Stone {
	s := slices.Clone(stones)
	slices.SortStableFunc(s, func(a, b Stone) int { return int(a.Point) - int(b.Point) })
	clean := s[:0]
	for _, stone := range s {
		if n := len(clean); n > 0 && clean[n-1].Point == stone.Point {
			clean = clean[:n-1]
		}
		clean = append(clean, stone)
	}
	return clean
}

// sameText compares texts but for the bytes that end their lines.
func sameText(a, b string) bool {
	return a == b || unixLines(a) == unixLines(b)
}

// unixLines returns the text with "\n" for every "\r\n" and "\r".
func unixLines(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
