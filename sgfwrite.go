package gomoku

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// sgfLineLength is where the writer starts a new line, at the next node.
const sgfLineLength = 72

// appendSGF writes a record as a game of SGF, always in the same way: the
// properties of the root in a fixed order, lines broken between nodes.
func appendSGF(dst []byte, rec *Record) ([]byte, error) {
	w := sgfWriter{rec: rec, dst: dst, line: len(dst), dbcs: leadBytes(rec.Charset)}
	// The stack holds what is still to be written: nodes, or text if node is nil.
	type item struct {
		node *RecordNode
		text string
	}
	stack := []item{{text: ")\n"}, {node: &rec.Root}}
	w.text("(")
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.node == nil {
			w.text(top.text)
			continue
		}
		if err := w.node(top.node); err != nil {
			return nil, err
		}
		next := top.node.Next
		if len(next) == 1 {
			stack = append(stack, item{node: next[0]})
			continue
		}
		for i := len(next) - 1; i >= 0; i-- {
			stack = append(stack, item{text: ")"}, item{node: next[i]}, item{text: "\n("})
		}
	}
	return w.dst, nil
}

type sgfWriter struct {
	rec     *Record
	dst     []byte
	line    int // where the line at hand starts in dst
	dbcs    func(byte) bool
	written []string // properties of the node at hand
}

func (w *sgfWriter) text(s string) {
	w.dst = append(w.dst, s...)
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		w.line = len(w.dst) - len(s) + i + 1
	}
}

// prop writes a property whose values are raw.
func (w *sgfWriter) prop(id string, values ...string) {
	w.written = append(w.written, id)
	w.text(id)
	for _, v := range values {
		w.text("[")
		w.text(v)
		w.text("]")
	}
}

func (w *sgfWriter) node(n *RecordNode) error {
	if len(w.dst)-w.line >= sgfLineLength {
		w.text("\n")
	}
	w.text(";")
	w.written = w.written[:0]
	if n == &w.rec.Root {
		w.root()
	}
	switch {
	case n.Color == Black:
		w.prop("B", w.point(n.Point))
	case n.Color == White:
		w.prop("W", w.point(n.Point))
	}
	if ms := n.Time.Milliseconds(); ms > 0 {
		w.prop(sgfMillis, strconv.FormatInt(ms, 10))
	}
	w.setUp(n)
	if n.Comment != "" {
		w.prop("C", w.escape(n.Comment, false))
	}
	if len(n.Labels) > 0 {
		labels := make([]string, len(n.Labels))
		for i, l := range n.Labels {
			labels[i] = w.point(l.Point) + ":" + w.escape(oneLine(l.Text), true)
		}
		w.prop("LB", labels...)
	}
	return w.extra(n)
}

// root writes the properties of the game.
func (w *sgfWriter) root() {
	r := w.rec
	w.prop("FF", "4")
	w.prop("GM", "4")
	if r.Charset != "" {
		w.prop("CA", w.escape(oneLine(r.Charset), false))
	}
	w.prop("SZ", strconv.Itoa(r.Size))
	if !r.RuleUnknown {
		w.prop("RU", r.Rule.String())
	}
	for _, t := range sgfTexts {
		s := *t.text(r)
		if s == "" {
			continue
		}
		if t.id != "GC" {
			s = oneLine(s)
		}
		w.prop(t.id, w.escape(s, false))
	}
	if r.Outcome != UnknownOutcome || r.Reason != "" {
		w.prop("RE", w.escape(oneLine(formatSGFResult(r.Outcome, r.Reason)), false))
	}
}

// formatSGFResult is the reverse of parseSGFResult.
func formatSGFResult(o Outcome, reason string) string {
	s := [...]string{UnknownOutcome: "?", BlackWins: "B", WhiteWins: "W", Draw: "0", NoResult: "Void"}[o]
	for _, r := range sgfReasons {
		if reason == r.reason {
			reason = r.letter
		}
	}
	if reason != "" || o.Winner() != Empty {
		s += "+" + reason
	}
	return s
}

// point returns the two letters of a point; a pass is no letters.
func (w *sgfWriter) point(p Point) string {
	if p == NoPoint {
		return ""
	}
	return string([]byte{byte('a' + p.X()), byte('a' + w.rec.Size - 1 - p.Y())})
}

// setUp writes the set-up stones by colour and the side to move.
func (w *sgfWriter) setUp(n *RecordNode) {
	stones := n.Setup
	if hasRepeats(stones) {
		stones = cleanSetup(stones)
	}
	for _, c := range [...]Color{Black, White, Empty} {
		var points []string
		for _, s := range stones {
			if s.Color == c {
				points = append(points, w.point(s.Point))
			}
		}
		if points != nil {
			w.prop([...]string{Empty: "AE", Black: "AB", White: "AW"}[c], points...)
		}
	}
	switch n.Turn {
	case Black:
		w.prop("PL", "B")
	case White:
		w.prop("PL", "W")
	}
}

func hasRepeats(stones []Stone) bool {
	var seen PointSet
	for _, s := range stones {
		if seen.Has(s.Point) {
			return true
		}
		seen.Add(s.Point)
	}
	return false
}

// extra writes the properties that have no field. Those that would say a second
// time what a field says are left out.
func (w *sgfWriter) extra(n *RecordNode) error {
	var tags []string
	for _, p := range n.Extra {
		if len(p.Values) == 0 || w.owns(p.Name, n == &w.rec.Root) {
			continue
		}
		values := make([]string, len(p.Values))
		for i, v := range p.Values {
			var ok bool
			if values[i], ok = w.raw(v); !ok {
				return fmt.Errorf("gomoku: sgf: value %q of property %s is not escaped", clip([]byte(v)), p.Name)
			}
			if !isSGFName(p.Name) && isTagName(p.Name) {
				tags = withTag(tags, p.Name+":", values[i])
			}
		}
		if isSGFName(p.Name) {
			w.prop(p.Name, values...)
		}
	}
	if tags != nil && !slices.Contains(w.written, sgfTag) {
		w.prop(sgfTag, tags...)
	}
	return nil
}

// withTag adds a tag, behind those of its name: the reader joins their values, and
// what it makes of the tags must be written in the same order again.
func withTag(tags []string, name, value string) []string {
	at := len(tags)
	for at > 0 && !strings.HasPrefix(tags[at-1], name) {
		at--
	}
	if at == 0 {
		at = len(tags)
	}
	return slices.Insert(tags, at, name+value)
}

// owns reports whether the writer itself speaks for a property in this node.
func (w *sgfWriter) owns(name string, root bool) bool {
	if slices.Contains(w.written, name) {
		return true
	}
	switch name {
	case "B", "W", "AB", "AW", "AE", "PL", "C", "LB":
		return true
	case "FF", "GM", "SZ", "CA":
		return root
	}
	return root && slices.ContainsFunc(sgfTexts[:], func(t struct {
		id   string
		text func(*Record) *string
	},
	) bool {
		return t.id == name
	})
}

// isSGFName reports whether SGF allows a property of the name.
func isSGFName(name string) bool {
	for i := range len(name) {
		if c := name[i]; !isDigit(c) && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return name != ""
}

// raw returns a value as it can stand between brackets, and whether it can.
func (w *sgfWriter) raw(v string) (string, bool) {
	if w.dbcs == nil {
		for i := 0; i < len(v); i++ {
			switch {
			case v[i] == ']':
				return v, false
			case v[i] == '\\':
				if i++; i == len(v) {
					return v, false
				}
			}
		}
		return v, true
	}
	// Which bytes are brackets and backslashes is for the reader to say.
	s := newRecordScanner(strings.NewReader("["+v+"])"), ReadOptions{MaxBytes: len(v) + 8})
	s.startGame()
	s.peek()
	got, err := (&sgfReader{s: s, dbcs: w.dbcs}).value()
	return got.raw, err == nil && string(s.look(2)) == ")"
}

// escape returns a text as a raw value. In a composed value colons are escaped
// too, unless a character of two bytes might end before one.
func (w *sgfWriter) escape(text string, composed bool) string {
	text = unixLines(text)
	if !strings.ContainsAny(text, `\]:`) {
		return text
	}
	raw := make([]byte, 0, len(text)+8)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case w.dbcs != nil && w.dbcs(c) && i+1 < len(text) && text[i+1] >= 0x40:
			raw = append(raw, c)
			i++
			switch c = text[i]; c {
			case ']':
				raw = append(raw, escapedTrail...)
			case '\\':
				raw = append(raw, `\\`...)
			default:
				raw = append(raw, c)
			}
		case c == ']', c == '\\', c == ':' && composed && w.dbcs == nil:
			raw = append(raw, '\\', c)
		default:
			raw = append(raw, c)
		}
	}
	return string(raw)
}
