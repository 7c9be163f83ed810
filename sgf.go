package gomoku

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sgfReader reads the games of an SGF collection. What surrounds the games at
// the start of the input, such as the header of a mail, is skipped, as the
// specification asks; between and after games it is an error.
type sgfReader struct {
	s       *recordScanner
	started bool            // a game, or that there is none, has been reported
	dbcs    func(byte) bool // see leadBytes
	rec     *Record
	grid    stoneGrid
	root    bool // the next node is the root
	node    sgfNode
	inValue bool // between "[" and "]"
	frames  []sgfFrame
}

// A sgfFrame is an open "(".
type sgfFrame struct {
	parent *RecordNode
	undo   int // length of the grid's log
	nodes  int // in this tree so far
	at     recordPos
}

// A sgfNode is a node as it stands in the file.
type sgfNode struct {
	props []sgfProp
	at    recordPos
}

type sgfProp struct {
	id     string
	values []sgfValue
	at     recordPos
}

type sgfValue struct {
	raw string // escapes included; see sgfReader.value
	at  recordPos
}

// next reads the next game. After a fault it skips the rest of the game.
func (r *sgfReader) next() (*Record, error) {
	if err := r.findGame(); err != nil {
		return nil, err
	}
	rec, err := r.game()
	if err != nil {
		r.skipGame()
		return nil, err
	}
	return rec, nil
}

// findGame reads up to the "(" of the next game.
func (r *sgfReader) findGame() error {
	junk := false
	var junkAt recordPos
	for {
		// What lies between games does not count as the text of one.
		r.s.startGame()
		c, ok := r.s.peek()
		if !ok {
			break
		}
		if c == '(' && isSGFStart(r.s.look(64)) {
			if junk && r.started {
				return r.s.fault(junkAt, nil, "text outside a game")
			}
			r.started = true
			return nil
		}
		// Old systems end files with a Ctrl-Z or zeros.
		if !junk && !isSpace(c) && c != 0x1a && c != 0 {
			junk, junkAt = true, r.s.pos
		}
		r.s.skip(1)
	}
	if !junk || r.s.err != nil {
		return io.EOF
	}
	if r.started {
		return r.s.fault(junkAt, nil, "text outside a game")
	}
	r.started = true
	return r.s.fault(junkAt, nil, `no game: "(;" is missing`)
}

// skipGame reads on after a fault: to the ")" that ends the game, or to what
// looks like the start of the next one.
func (r *sgfReader) skipGame() {
	depth, inValue := len(r.frames), r.inValue
	for depth > 0 {
		r.s.startGame()
		c, ok := r.s.peek()
		if !ok || c == '(' && startsGame(r.s.look(64)) {
			return
		}
		r.s.skip(1)
		switch {
		case inValue && c == '\\':
			r.s.skip(min(1, len(r.s.look(1))))
		case inValue:
			inValue = c != ']'
		case c == '[':
			inValue = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
}

// rootOnly are the properties that only the root of a game has, in the order
// in which programs start their files with one.
var rootOnly = [...]string{"FF", "GM", "SZ", "CA", "AP"}

// startsGame reports whether a game starts text rather than a variation: the
// node after "(" has one of the properties of a root first.
func startsGame(text []byte) bool {
	if !isSGFStart(text) {
		return false
	}
	_, text, _ = bytes.Cut(text, []byte(";"))
	text = bytes.TrimLeft(text, " \t\r\n")
	for _, id := range rootOnly {
		if bytes.HasPrefix(text, []byte(id+"[")) {
			return true
		}
	}
	return false
}

// ended returns the fault of an input that stops before what is described.
func (r *sgfReader) ended(at recordPos, before string) error {
	if !r.s.atEnd() {
		return r.s.fault(r.s.pos, ErrRecordTooLarge, "")
	}
	return r.s.fault(at, io.ErrUnexpectedEOF, "%s", before)
}

// game reads a game. It keeps its own stack, so that deep nesting is harmless.
func (r *sgfReader) game() (*Record, error) {
	r.rec = r.s.newRecord()
	r.root = true
	r.inValue = false
	r.frames = r.frames[:0]
	r.grid = stoneGrid{log: r.grid.log[:0]}
	r.dbcs = leadBytes(sgfCharset(r.s.look(1 << 12)))
	var cur *RecordNode
	for {
		r.s.skipSpace()
		at := r.s.pos
		c, ok := r.s.peek()
		if !ok {
			return nil, r.ended(r.frames[0].at, `the game has no closing ")"`)
		}
		if c == '(' && cur != nil && startsGame(r.s.look(64)) {
			return nil, r.s.fault(at, nil, `another game starts before the closing ")"`)
		}
		r.s.skip(1)
		switch c {
		case '(':
			r.frames = append(r.frames, sgfFrame{parent: cur, undo: len(r.grid.log), at: at})
			if len(r.frames) > maxNesting {
				return nil, r.s.fault(at, ErrRecordTooLarge, "variations nested more than %d deep", maxNesting)
			}
		case ')':
			top := r.frames[len(r.frames)-1]
			if top.nodes == 0 {
				return nil, r.s.fault(top.at, nil, "a variation without a node")
			}
			r.frames = r.frames[:len(r.frames)-1]
			r.grid.rollback(top.undo)
			if cur = top.parent; len(r.frames) == 0 {
				return r.rec, nil
			}
		case ';':
			r.frames[len(r.frames)-1].nodes++
			if err := r.readNode(at); err != nil {
				return nil, err
			}
			n, err := r.addNode(cur)
			if err != nil {
				return nil, err
			}
			cur = n
		default:
			return nil, r.s.fault(at, nil, "unexpected %q", c)
		}
	}
}

// readNode reads the properties of a node into r.node.
func (r *sgfReader) readNode(at recordPos) error {
	r.node = sgfNode{props: r.node.props[:0], at: at}
	for {
		r.s.skipSpace()
		c, ok := r.s.peek()
		if !ok || !isLetter(c) && !isDigit(c) {
			return nil // what follows is for game to judge
		}
		p := sgfProp{at: r.s.pos}
		var id []byte
		for ok && (isLetter(c) || isDigit(c)) {
			// FF[1] to FF[3] allowed lower-case letters, to be ignored:
			// "White" is W.
			if c < 'a' {
				id = append(id, c)
			}
			r.s.skip(1)
			c, ok = r.s.peek()
		}
		p.id = string(id)
		r.s.skipSpace()
		for c, ok = r.s.peek(); ok && c == '['; c, ok = r.s.peek() {
			v, err := r.value()
			if err != nil {
				return err
			}
			p.values = append(p.values, v)
			r.s.skipSpace()
		}
		if p.id == "" || p.values == nil {
			return r.s.fault(p.at, nil, "property %q has no value", clip(id))
		}
		if len(r.node.props) == maxProperties {
			return r.s.fault(p.at, ErrRecordTooLarge, "more than %d properties in a node", maxProperties)
		}
		r.node.props = append(r.node.props, p)
	}
}

// maxProperties is far more properties than a node ever has.
const maxProperties = 250

// value reads a value from "[" to "]". It returns the bytes between them, with
// their escapes.
//
// SGF escapes "]" and "\" as bytes. In GBK, Big5 and Shift-JIS they are also
// second bytes of characters, and many programs for these encodings leave them
// unescaped there. Where the charset is one of these, the reader tells the two
// ways apart by what follows, and returns the value escaped by the book.
func (r *sgfReader) value() (sgfValue, error) {
	v := sgfValue{at: r.s.pos}
	r.s.skip(1)
	r.inValue = true
	var raw []byte
	for {
		c, ok := r.s.next()
		if !ok {
			return v, r.ended(v.at, `the value has no closing "]"`)
		}
		switch {
		case c == ']':
			v.raw = string(raw)
			r.inValue = false
			return v, nil
		case c == '\\':
			raw = append(raw, c)
			if c, ok = r.s.next(); ok {
				raw = append(raw, c)
			}
		case r.dbcs != nil && r.dbcs(c):
			raw = append(raw, c)
			raw = r.trailByte(raw)
		default:
			raw = append(raw, c)
		}
	}
}

// trailByte reads the second byte of a character of two bytes, if one is there.
func (r *sgfReader) trailByte(raw []byte) []byte {
	next := r.s.look(64)
	if len(next) == 0 || next[0] < 0x40 {
		return raw // no second byte: the text is damaged
	}
	switch {
	case next[0] == ']':
		if endsValue(next[1:]) {
			return raw // a character cut in half
		}
		r.s.skip(1)
		return append(raw, escapedTrail...)
	case next[0] == '\\' && len(next) > 1 && next[1] == '\\':
		r.s.skip(2)
		return append(raw, `\\`...)
	case next[0] == '\\' && len(next) > 1 && next[1] == ']' && !endsValue(next[2:]):
		r.s.skip(2)
		if len(next) > 2 && next[2] == '\\' {
			return append(raw, `\]`...)
		}
		return append(raw, escapedTrail...)
	case next[0] == '\\':
		r.s.skip(1) // an unescaped second byte
		return append(raw, `\\`...)
	}
	r.s.skip(1)
	return append(raw, next[0])
}

// escapedTrail is "]" as the second byte of a character, followed by a soft line
// break, which means nothing but keeps what comes next from looking like the end
// of the value.
const escapedTrail = "\\]\\\n"

// endsValue reports whether what stands after a "]" is what would follow the
// end of a value.
func endsValue(next []byte) bool {
	next = bytes.TrimLeft(next, " \t\r\n")
	if len(next) == 0 || strings.IndexByte("[;()", next[0]) >= 0 {
		return true
	}
	n := 0
	for n < len(next) && (isLetter(next[n]) || isDigit(next[n])) {
		n++
	}
	return n > 0 && (n == len(next) || next[n] == '[')
}

// leadBytes returns which bytes start a character of two bytes in a charset
// where the second byte may be "]" or "\", or nil.
func leadBytes(charset string) func(byte) bool {
	switch strings.ToLower(strings.TrimSpace(charset)) {
	case "gb2312", "gbk", "gb18030", "cp936", "936", "ms936", "windows-936", "euc-cn",
		"big5", "big5-hkscs", "big-5", "cp950", "950":
		return func(c byte) bool { return 0x81 <= c && c <= 0xfe }
	case "shift_jis", "shift-jis", "sjis", "ms_kanji", "cp932", "932", "windows-31j":
		return func(c byte) bool { return 0x81 <= c && c <= 0x9f || 0xe0 <= c && c <= 0xfc }
	}
	return nil
}

// sgfCharset returns the CA property of the root at the start of text, a game.
func sgfCharset(text []byte) string {
	_, text, _ = bytes.Cut(text, []byte(";"))
	id := 0 // where the name of the property at hand starts
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ';', '(', ')':
			return ""
		case '[':
			start := i + 1
			for i++; i < len(text) && text[i] != ']'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if string(bytes.TrimSpace(text[id:start-1])) == "CA" {
				return string(text[start:min(i, len(text))])
			}
			id = i + 1
		}
	}
	return ""
}

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
