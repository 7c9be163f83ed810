package gomoku

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// What the nodes of an SGF file say: sgf.go reads them as properties, and this
// makes a record of the properties.

// addNode makes what r.node says part of the record, after cur.
func (r *sgfReader) addNode(cur *RecordNode) (*RecordNode, error) {
	if r.root {
		r.root = false
		n := &r.rec.Root
		if err := r.rootNode(); err != nil {
			return nil, err
		}
		return r.fillNode(n)
	}
	if !r.s.takeNodes(1) {
		return nil, r.s.fault(r.node.at, ErrRecordTooLarge, "")
	}
	n := &RecordNode{Point: NoPoint}
	cur.Next = append(cur.Next, n)
	return r.fillNode(n)
}

// sgfTexts are the properties of the root that are a text of the record.
var sgfTexts = [...]struct {
	id   string
	text func(*Record) *string
}{
	{"PB", func(r *Record) *string { return &r.Black.Name }},
	{"BR", func(r *Record) *string { return &r.Black.Rating }},
	{"BT", func(r *Record) *string { return &r.Black.Team }},
	{"PW", func(r *Record) *string { return &r.White.Name }},
	{"WR", func(r *Record) *string { return &r.White.Rating }},
	{"WT", func(r *Record) *string { return &r.White.Team }},
	{"EV", func(r *Record) *string { return &r.Event }},
	{"RO", func(r *Record) *string { return &r.Round }},
	{"PC", func(r *Record) *string { return &r.Place }},
	{"DT", func(r *Record) *string { return &r.Date }},
	{"ON", func(r *Record) *string { return &r.Opening }},
	{"GC", func(r *Record) *string { return &r.Comment }},
}

// rootNode takes the properties of the whole game out of r.node.
func (r *sgfReader) rootNode() error {
	rest := r.node.props[:0]
	for _, p := range r.node.props {
		known, err := r.rootProp(p)
		if err != nil {
			return err
		}
		if !known {
			rest = append(rest, p)
		}
	}
	r.node.props = rest
	return nil
}

func (r *sgfReader) rootProp(p sgfProp) (known bool, err error) {
	first := p.values[0]
	switch p.id {
	case "FF":
		return true, nil // all versions are read alike
	case "GM":
		switch strings.TrimSpace(first.raw) {
		case "1", "4", "5", "":
			return true, nil
		}
		return true, r.s.fault(first.at, nil, "game type GM[%s] is not gomoku", clip([]byte(first.raw)))
	case "CA":
		r.rec.Charset = sgfText(first.raw)
		return true, nil
	case "SZ":
		w, h, two := strings.Cut(first.raw, ":")
		size, err := strconv.Atoi(strings.TrimSpace(w))
		if err != nil || two && strings.TrimSpace(h) != strings.TrimSpace(w) || size < MinSize || size > MaxSize {
			return true, r.s.fault(first.at, ErrSize, "SZ[%s]", clip([]byte(first.raw)))
		}
		r.rec.Size = size
		return true, nil
	case "RU":
		rule, ok := parseSGFRule(first.raw)
		if !ok || len(p.values) > 1 {
			return false, nil
		}
		r.rec.Rule, r.rec.RuleUnknown = rule, false
		return true, nil
	case "RE":
		outcome, reason, ok := parseSGFResult(sgfText(first.raw))
		if !ok || len(p.values) > 1 {
			return false, nil
		}
		r.rec.Outcome, r.rec.Reason = outcome, reason
		return true, nil
	}
	for _, t := range sgfTexts {
		if t.id == p.id {
			sep := ", "
			if t.id == "GC" {
				sep = "\n"
			}
			addTexts(t.text(r.rec), p.values, sep)
			return true, nil
		}
	}
	return false, nil
}

// addTexts appends values to a text: damaged files hold properties twice.
func addTexts(text *string, values []sgfValue, sep string) {
	var all strings.Builder
	all.WriteString(*text)
	for _, v := range values {
		s := sgfText(v.raw)
		if all.Len() > 0 && s != "" {
			all.WriteString(sep)
		}
		all.WriteString(s)
	}
	*text = all.String()
}

// sgfText returns the text of a raw value: escapes resolved, soft line breaks
// taken out, line ends "\n".
func sgfText(raw string) string {
	if !strings.ContainsAny(raw, "\\\r") {
		return raw
	}
	raw = unixLines(raw)
	text := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' {
			if i++; i == len(raw) || raw[i] == '\n' {
				continue
			}
		}
		text = append(text, raw[i])
	}
	return string(text)
}

// parseSGFRule reads the RU property: a name, or the number that engines and
// their managers use for the rule, as c-gomoku-cli writes it.
func parseSGFRule(s string) (Rule, bool) {
	s = strings.TrimSpace(s)
	switch s {
	case "0":
		return Freestyle, true
	case "1":
		return Standard, true
	case "2", "4": // 2 is the Yixin extension
		return Renju, true
	case "8", "9":
		return Caro, true
	}
	rule, err := ParseRule(s)
	return rule, err == nil
}

// sgfReasons are the reasons that SGF has a letter for.
var sgfReasons = [...]struct{ letter, word, reason string }{
	{"R", "Resign", "resign"},
	{"T", "Time", "time"},
	{"F", "Forfeit", "forfeit"},
}

// parseSGFResult reads the RE property: "B+", "W+R", "B+five", "0", "Draw",
// "Void", "?"; a reason may follow each after a "+".
func parseSGFResult(s string) (o Outcome, reason string, ok bool) {
	head, reason, _ := strings.Cut(s, "+")
	switch strings.ToLower(strings.TrimSpace(head)) {
	case "b", "black":
		o = BlackWins
	case "w", "white":
		o = WhiteWins
	case "0", "draw":
		o = Draw
	case "void":
		o = NoResult
	case "?", "":
		o = UnknownOutcome
	default:
		return UnknownOutcome, "", false
	}
	for _, r := range sgfReasons {
		if reason == r.letter || reason == r.word {
			reason = r.reason
		}
	}
	return o, reason, true
}

// fillNode carries the properties of r.node out on n. A file may have a move in
// the root, or in one node with set-up stones: the move then gets a node of its
// own, which is returned.
func (r *sgfReader) fillNode(n *RecordNode) (*RecordNode, error) {
	first := n
	if r.node.has("B", "W") && (n == &r.rec.Root || r.node.has("AB", "AW", "AE", "PL")) {
		if !r.s.takeNodes(1) {
			return nil, r.s.fault(r.node.at, ErrRecordTooLarge, "")
		}
		n = &RecordNode{Point: NoPoint}
		first.Next = append(first.Next, n)
	}
	for _, p := range r.node.props {
		var err error
		switch p.id {
		case "AB", "AW", "AE", "PL":
			err = r.setUp(first, p)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, p := range r.node.props {
		var err error
		switch p.id {
		case "AB", "AW", "AE", "PL":
		case "B", "W":
			err = r.move(n, p)
		case "C":
			addTexts(&n.Comment, p.values, "\n")
		case "LB":
			err = r.labels(n, p)
		case sgfTag:
			n.addTags(p)
		default:
			if p.id == sgfMillis && r.millis(n, p) {
				continue
			}
			n.addExtra(p.id, p.values)
		}
		if err != nil {
			return nil, err
		}
	}
	return n, nil
}

// The private properties in which SGF keeps what it has no property for.
const (
	sgfMillis = "MS"  // time of a move, in milliseconds
	sgfTag    = "TAG" // properties whose names SGF does not allow, "name:value"
)

func (n *sgfNode) has(ids ...string) bool {
	return slices.ContainsFunc(n.props, func(p sgfProp) bool { return slices.Contains(ids, p.id) })
}

// addExtra keeps a property; values of a repeated one are joined.
func (n *RecordNode) addExtra(name string, values []sgfValue) {
	i := slices.IndexFunc(n.Extra, func(q Property) bool { return q.Name == name })
	if i < 0 {
		i = len(n.Extra)
		n.Extra = append(n.Extra, Property{Name: name})
	}
	for _, v := range values {
		n.Extra[i].Values = append(n.Extra[i].Values, v.raw)
	}
}

// addTags keeps the properties of a TAG.
func (n *RecordNode) addTags(p sgfProp) {
	for i, v := range p.values {
		name, raw, ok := strings.Cut(v.raw, ":")
		if i == maxProperties || !ok || !isTagName(name) || isSGFName(name) {
			n.addExtra(p.id, p.values[i:])
			return
		}
		n.addExtra(name, []sgfValue{{raw: raw}})
	}
}

// millis reads the time of a move, if it is one.
func (r *sgfReader) millis(n *RecordNode, p sgfProp) bool {
	ms, err := strconv.ParseInt(p.values[0].raw, 10, 64)
	if err != nil || len(p.values) > 1 || ms <= 0 || ms > maxMoveTime || n.Time != 0 {
		return false
	}
	n.Time = time.Duration(ms) * time.Millisecond
	return true
}

func (r *sgfReader) move(n *RecordNode, p sgfProp) error {
	if n.Color != Empty || len(p.values) > 1 {
		return r.s.fault(p.at, nil, "two moves in one node")
	}
	n.Color = White
	if p.id == "B" {
		n.Color = Black
	}
	v := p.values[0]
	text := strings.TrimSpace(v.raw)
	if text == "" || text == "tt" && r.rec.Size <= 19 {
		return nil // a pass
	}
	pt, err := r.point(text, v.at)
	if err != nil {
		return err
	}
	if r.grid.cells[pt] != Empty {
		return r.s.fault(v.at, ErrOccupied, "move %s[%s]", p.id, text)
	}
	r.grid.set(pt, n.Color)
	n.Point = pt
	return nil
}

// point reads "hh", the row counted from the top, or "h8".
func (r *sgfReader) point(text string, at recordPos) (Point, error) {
	p := offBoard
	size := r.rec.Size
	if len(text) == 2 && isLetter(text[0]) && isLetter(text[1]) {
		p = pointOn(size, int(text[0]|0x20)-'a', size-1-(int(text[1]|0x20)-'a'))
	} else if q, n, reason := scanPoint(text); reason == "" && n == len(text) {
		p = r.s.fromRows(q, size)
	} else {
		return NoPoint, r.s.fault(at, nil, "%q is not a point", clip([]byte(text)))
	}
	if p == offBoard {
		return NoPoint, r.s.fault(at, ErrOutside, "point %q, size %d", text, size)
	}
	return p, nil
}

// setUp reads AB, AW, AE, with rectangles such as "aa:cc", and PL.
func (r *sgfReader) setUp(n *RecordNode, p sgfProp) error {
	c := Empty
	switch p.id {
	case "PL":
		switch strings.ToLower(strings.TrimSpace(p.values[0].raw)) {
		case "b", "black", "1":
			n.Turn = Black
		case "w", "white", "2":
			n.Turn = White
		default:
			return r.s.fault(p.at, nil, "PL[%s] is neither B nor W", clip([]byte(p.values[0].raw)))
		}
		return nil
	case "AB":
		c = Black
	case "AW":
		c = White
	}
	for _, v := range p.values {
		from, to, rectangle := strings.Cut(strings.TrimSpace(v.raw), ":")
		a, err := r.point(from, v.at)
		if err != nil {
			return err
		}
		b := a
		if rectangle {
			if b, err = r.point(to, v.at); err != nil {
				return err
			}
		}
		x0, x1 := min(a.X(), b.X()), max(a.X(), b.X())
		y0, y1 := min(a.Y(), b.Y()), max(a.Y(), b.Y())
		if !r.s.takeNodes((x1 - x0 + 1) * (y1 - y0 + 1)) {
			return r.s.fault(v.at, ErrRecordTooLarge, "")
		}
		for y := y1; y >= y0; y-- {
			for x := x0; x <= x1; x++ {
				n.Setup = append(n.Setup, Stone{Pt(x, y), c})
				r.grid.set(Pt(x, y), c)
			}
		}
	}
	return nil
}

func (r *sgfReader) labels(n *RecordNode, p sgfProp) error {
	for _, v := range p.values {
		point, text, _ := strings.Cut(v.raw, ":")
		pt, err := r.point(strings.TrimSpace(point), v.at)
		if err != nil {
			return err
		}
		n.Labels = append(n.Labels, Label{pt, sgfText(text)})
	}
	return nil
}
