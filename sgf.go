package gomoku

import (
	"bytes"
	"io"
	"strings"
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
