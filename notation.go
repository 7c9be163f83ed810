package gomoku

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// ParseError says what text could not be read, where, and why.
type ParseError struct {
	What   string // what was expected: "point", "moves", "rule", "board", ...
	Text   string // the text that was given
	Offset int    // where in Text the fault lies, in bytes
	Reason string
	Err    error // the error of a refused move or stone, or nil
}

// Error describes the fault, for example
// `gomoku: parse moves "h8h8" at offset 2: gomoku: make h8: point is occupied`.
func (e *ParseError) Error() string {
	reason := e.Reason
	if e.Err != nil {
		reason = e.Err.Error()
	}
	text := e.Text
	if len(text) > 60 {
		text = text[:57] + "..."
	}
	return fmt.Sprintf("gomoku: parse %s %q at offset %d: %s", e.What, text, e.Offset, reason)
}

// Unwrap returns e.Err.
func (e *ParseError) Unwrap() error { return e.Err }

// String returns the point as players write it, such as "h8": the letter of the
// column from the left, the number of the row from the bottom. NoPoint is "-".
func (p Point) String() string {
	if !p.on(MaxSize) {
		if p == NoPoint {
			return "-"
		}
		return fmt.Sprintf("Point(%d)", int16(p))
	}
	return string(byte('a'+p.X())) + strconv.Itoa(p.Y()+1)
}

// ParsePoint reads a point such as "h8" or "H8": a letter from a to v and a
// number from 1 to 22.
func ParsePoint(s string) (Point, error) {
	p, n, reason := scanPoint(s)
	if reason == "" && n < len(s) {
		reason = "text after the point"
	}
	if reason != "" {
		return NoPoint, &ParseError{What: "point", Text: s, Offset: n, Reason: reason}
	}
	return p, nil
}

// scanPoint reads a point at the start of s. It returns its length, or where
// the fault lies and a reason.
func scanPoint(s string) (p Point, n int, reason string) {
	if s == "" {
		return NoPoint, 0, "no point"
	}
	x := int(s[0]|0x20) - 'a'
	if x < 0 || x >= 26 {
		return NoPoint, 0, "no column letter"
	}
	if x >= MaxSize {
		return NoPoint, 0, "column beyond v"
	}
	y := 0
	for n = 1; n < len(s) && n <= 3 && '0' <= s[n] && s[n] <= '9'; n++ {
		y = 10*y + int(s[n]-'0')
	}
	switch {
	case n == 1:
		return NoPoint, 1, "no row number"
	case y == 0 || y > MaxSize || s[1] == '0':
		return NoPoint, 1, "row number is not 1 to 22"
	}
	return Pt(x, y-1), n, ""
}

// MarshalText returns the point as String does, "-" for NoPoint.
func (p Point) MarshalText() ([]byte, error) {
	if p != NoPoint && !p.on(MaxSize) {
		return nil, fmt.Errorf("gomoku: marshal point: %w: %d", ErrOutside, int16(p))
	}
	return []byte(p.String()), nil
}

// UnmarshalText accepts what ParsePoint accepts, and "-" or nothing for NoPoint.
func (p *Point) UnmarshalText(text []byte) error {
	if len(text) == 0 || string(text) == "-" {
		*p = NoPoint
		return nil
	}
	q, err := ParsePoint(string(text))
	if err != nil {
		return err
	}
	*p = q
	return nil
}

// ParseColor reads "black", "white" or "empty", or their first letters, in
// upper or lower case.
func ParseColor(s string) (Color, error) {
	for _, c := range [...]Color{Empty, Black, White} {
		if name := c.String(); strings.EqualFold(s, name) || strings.EqualFold(s, name[:1]) {
			return c, nil
		}
	}
	return Empty, &ParseError{What: "colour", Text: s, Reason: "not black, white or empty"}
}

// MarshalText returns the name of the colour.
func (c Color) MarshalText() ([]byte, error) {
	if c > White {
		return nil, fmt.Errorf("gomoku: marshal colour: %w: %d", ErrColor, uint8(c))
	}
	return []byte(c.String()), nil
}

// UnmarshalText accepts what ParseColor accepts.
func (c *Color) UnmarshalText(text []byte) error {
	d, err := ParseColor(string(text))
	if err != nil {
		return err
	}
	*c = d
	return nil
}

// isSeparator reports whether c may stand between two points of a move string.
func isSeparator(c byte) bool {
	switch c {
	case ' ', ',', ';', '\t', '\n', '\r':
		return true
	}
	return false
}

// eachPoint calls f for every point of a move string, with its offset.
func eachPoint(what, s string, f func(p Point, offset int) error) error {
	for i := 0; i < len(s); {
		if isSeparator(s[i]) {
			i++
			continue
		}
		p, n, reason := scanPoint(s[i:])
		if reason != "" {
			return &ParseError{What: what, Text: s, Offset: i + n, Reason: reason}
		}
		if err := f(p, i); err != nil {
			return &ParseError{What: what, Text: s, Offset: i, Err: err}
		}
		i += n
	}
	return nil
}

// ParseMoves reads a move string: points such as "h8i9j8", with or without
// spaces, commas and semicolons between them.
func ParseMoves(s string) ([]Point, error) {
	var moves []Point
	err := eachPoint("moves", s, func(p Point, _ int) error {
		moves = append(moves, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return moves, nil
}

// FormatMoves returns the move string of the points, such as "h8i9j8".
func FormatMoves(moves []Point) string {
	var s strings.Builder
	for _, p := range moves {
		s.WriteString(p.String())
	}
	return s.String()
}

// ParseBoard returns a new board with the moves of a move string played on it,
// Black first. An error names the move and its offset; a *MoveError inside it
// says why the board refused the move.
func ParseBoard(size int, rule Rule, moves string) (*Board, error) {
	b, err := NewBoard(size, rule)
	if err != nil {
		return nil, err
	}
	if err := eachPoint("moves", moves, func(p Point, _ int) error { return b.Make(p) }); err != nil {
		return nil, err
	}
	return b, nil
}

// String draws the board: row 1 at the bottom, x for Black, o for White, the
// last move as a capital letter.
func (b *Board) String() string {
	var s strings.Builder
	last := b.LastMove()
	for y := b.size - 1; y >= 0; y-- {
		fmt.Fprintf(&s, "%2d", y+1)
		for x := range b.size {
			p := Pt(x, y)
			mark := ".xo"[b.At(p)]
			if p == last {
				mark -= 'a' - 'A'
			}
			s.WriteByte(' ')
			s.WriteByte(mark)
		}
		s.WriteByte('\n')
	}
	s.WriteString("  ")
	for x := range b.size {
		s.WriteByte(' ')
		s.WriteByte(byte('a' + x))
	}
	s.WriteByte('\n')
	return s.String()
}

// ParseDrawing reads a drawn board, as String draws it or plainer: one line a
// row, the top row first, with '.', '+', '-' or '_' for an empty point, 'x', 'X'
// or '*' for Black and 'o' or 'O' for White. Spaces, row numbers and a line of
// column letters are optional. The stones become set-up stones; the turn goes
// to White if Black has more stones, else to Black.
func ParseDrawing(rule Rule, drawing string) (*Board, error) {
	fault := func(offset int, reason string, err error) error {
		return &ParseError{What: "drawing", Text: drawing, Offset: offset, Reason: reason, Err: err}
	}
	var rows [][]Color
	var offsets []int
	offset := 0
	for line := range strings.Lines(drawing) {
		start := offset
		offset += len(line)
		if isColumnLine(line) {
			continue
		}
		var row []Color
		for i := range len(line) {
			switch c := line[i]; c {
			case '.', '+', '-', '_':
				row = append(row, Empty)
			case 'x', 'X', '*':
				row = append(row, Black)
			case 'o', 'O':
				row = append(row, White)
			case ' ', '\t', '\r', '\n', '|', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			default:
				return nil, fault(start+i, fmt.Sprintf("unexpected %q", c), nil)
			}
		}
		if row != nil {
			rows = append(rows, row)
			offsets = append(offsets, start)
		}
	}
	b, err := NewBoard(len(rows), rule)
	if err != nil {
		return nil, fault(0, "", err)
	}
	for i, row := range rows {
		if len(row) != len(rows) {
			return nil, fault(offsets[i], fmt.Sprintf("row of %d points on a board of %d rows", len(row), len(rows)), nil)
		}
		for x, c := range row {
			b.setStone(Pt(x, len(rows)-1-i), c)
		}
	}
	b.winner = b.findWinner()
	if b.stones[Black].Len() > b.stones[White].Len() {
		b.SetTurn(White)
	}
	return b, nil
}

// isColumnLine reports whether a line of a drawing names the columns: "a b c".
func isColumnLine(line string) bool {
	next := byte('a')
	for _, c := range []byte(strings.ToLower(line)) {
		switch {
		case isSeparator(c):
		case c == next:
			next++
		default:
			return false
		}
	}
	return next > 'a'
}

// MarshalText returns the position as one line of text that says all there is:
//
//	15 renju black=h8g9 white=i7 turn=white moves=h9i8
//
// The size and the rule, set-up stones by colour, the side that moves first
// after the set-up, and the moves. Empty lists are left out. In the moves "-"
// stands where SetTurn gave the turn away, and "!" behind the last move marks a
// foul that lost the game. JSON takes the same text as a string; encode a *Board,
// since a Board in a struct that can't be addressed has no methods to encode it.
func (b *Board) MarshalText() ([]byte, error) {
	if b.size == 0 {
		return nil, fmt.Errorf("gomoku: marshal board: %w: 0", ErrSize)
	}
	var moved PointSet
	first := b.turn
	for i, m := range b.history {
		moved.Add(m.point)
		if i == 0 {
			first = m.color
		}
	}
	var s bytes.Buffer
	fmt.Fprintf(&s, "%d %v", b.size, b.rule)
	for _, c := range [...]Color{Black, White} {
		if setUp := b.stones[c].Minus(moved); !setUp.IsEmpty() {
			fmt.Fprintf(&s, " %v=%s", c, FormatMoves(setUp.Points()))
		}
	}
	fmt.Fprintf(&s, " turn=%v", first)
	if len(b.history) == 0 {
		return s.Bytes(), nil
	}
	s.WriteString(" moves=")
	turn := first
	for _, m := range b.history {
		if m.color != turn {
			s.WriteByte('-')
		}
		s.WriteString(m.point.String())
		turn = m.color.Opponent()
	}
	if b.winner == turn {
		s.WriteByte('!')
	}
	if b.turn != turn {
		s.WriteByte('-')
	}
	return s.Bytes(), nil
}

// UnmarshalText reads what MarshalText writes. On an error the board stays as
// it was.
func (b *Board) UnmarshalText(text []byte) error {
	s := string(text)
	fields := strings.Fields(s)
	fault := func(part, reason string, err error) error {
		return &ParseError{What: "board", Text: s, Offset: max(strings.Index(s, part), 0), Reason: reason, Err: err}
	}
	if len(fields) < 2 {
		return fault("", "no size and rule", nil)
	}
	size, err := strconv.Atoi(fields[0])
	if err != nil || strconv.Itoa(size) != fields[0] {
		return fault(fields[0], "size is not a number", nil)
	}
	rule, err := ParseRule(fields[1])
	if err != nil {
		return fault(fields[1], "", err)
	}
	t, err := NewBoard(size, rule)
	if err != nil {
		return fault(fields[0], "", err)
	}
	seen := make(map[string]bool, 4)
	for _, f := range fields[2:] {
		key, value, ok := strings.Cut(f, "=")
		if !ok {
			return fault(f, "not key=value", nil)
		}
		if seen[key] || seen["moves"] {
			return fault(f, "repeated, or after the moves", nil)
		}
		seen[key] = true
		switch key {
		case "black", "white":
			c, _ := ParseColor(key)
			err = eachPoint("stones", value, func(p Point, _ int) error {
				if !p.on(size) {
					return &MoveError{Op: "set", Point: p, Err: ErrOutside}
				}
				if t.At(p) != Empty {
					return &MoveError{Op: "set", Point: p, Err: ErrOccupied}
				}
				t.setStone(p, c)
				return nil
			})
			t.winner = t.findWinner()
		case "turn":
			var c Color
			if c, err = ParseColor(value); err == nil && c == Empty {
				return fault(f, "empty can't be to move", nil)
			}
			t.SetTurn(c)
		case "moves":
			err = t.playText(value)
		default:
			return fault(f, "unknown key", nil)
		}
		if err != nil {
			return fault(f, "", err)
		}
	}
	*b = *t
	return nil
}

// playText plays the moves of a board's text form.
func (b *Board) playText(s string) error {
	for i := 0; i < len(s); {
		if s[i] == '-' {
			b.SetTurn(b.turn.Opponent())
			i++
			continue
		}
		p, n, reason := scanPoint(s[i:])
		if reason != "" {
			return &ParseError{What: "moves", Text: s, Offset: i + n, Reason: reason}
		}
		move := b.Make
		foul := i+n < len(s) && s[i+n] == '!'
		if foul {
			if !b.rule.spec().fouls[b.turn] || b.Foul(p) == NoFoul {
				return &ParseError{What: "moves", Text: s, Offset: i, Reason: "marked as a foul but is none"}
			}
			move = b.MakeFoul
		}
		if err := move(p); err != nil {
			return &ParseError{What: "moves", Text: s, Offset: i, Err: err}
		}
		i += n
		if foul {
			i++
		}
	}
	return nil
}
