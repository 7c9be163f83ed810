package gomoku

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// nextDataLine returns the next line that is neither blank nor, if comments
// are allowed, one that starts with "#".
func (s *recordScanner) nextDataLine(comments bool) (line []byte, start recordPos, err error) {
	for {
		s.startGame()
		line, start, tooLong, ok := s.readLine()
		switch {
		case !ok:
			return nil, start, io.EOF
		case tooLong:
			return nil, start, s.fault(start, ErrRecordTooLarge, "")
		}
		text := bytes.TrimSpace(line)
		if len(text) > 0 && !(comments && text[0] == '#') {
			return line, start, nil
		}
	}
}

// nextMoveLine reads a game of MoveLines.
func (s *recordScanner) nextMoveLine() (*Record, error) {
	line, start, err := s.nextDataLine(true)
	if err != nil {
		return nil, err
	}
	m := moveAdder{s: s, rec: s.newRecord()}
	for i := 0; i < len(line); {
		if isSeparator(line[i]) {
			i++
			continue
		}
		at := start.after(i)
		p, n := NoPoint, 1
		switch {
		case line[i] == '-':
		case isDigit(line[i]):
			var reason string
			if p, n, reason = s.scanPair(line[i:]); reason != "" {
				return nil, s.fault(at.after(n), nil, "%s", reason)
			}
		default:
			var reason string
			if p, n, reason = scanPoint(string(line[i:min(i+4, len(line))])); reason != "" {
				return nil, s.fault(at.after(n), nil, "%s in %q", reason, clip(line[i:]))
			}
			p = s.fromRows(p, m.rec.Size)
		}
		if err := m.add(p, line[i:i+n], at); err != nil {
			return nil, err
		}
		i += n
	}
	return m.rec, nil
}

// fromRows turns a point with its row as written into a point of the board.
func (s *recordScanner) fromRows(p Point, size int) Point {
	if s.o.RowsFromTop {
		// Rows beyond the board stay beyond it.
		return pointOn(size, p.X(), size-1-p.Y())
	}
	return pointOn(size, p.X(), p.Y())
}

// pointOn returns the point, or offBoard if the board has none there.
func pointOn(size, x, y int) Point {
	if uint(x) >= uint(size) || uint(y) >= uint(size) {
		return offBoard
	}
	return Pt(x, y)
}

// offBoard is what the readers hold against a point that is not on the board:
// NoPoint is a pass.
const offBoard Point = -2

// scanPair reads "8,8" at the start of text. It returns its length, or where
// the fault lies and a reason.
func (s *recordScanner) scanPair(text []byte) (p Point, n int, reason string) {
	var xy [2]int
	for k := range xy {
		if k == 1 {
			if n >= len(text) || text[n] != ',' {
				return NoPoint, n, "no comma after the column number"
			}
			n++
		}
		digits := 0
		for n < len(text) && isDigit(text[n]) && digits < 4 {
			xy[k] = 10*xy[k] + int(text[n]-'0')
			n++
			digits++
		}
		if digits == 0 {
			return NoPoint, n, "no number"
		}
	}
	x, y := xy[0], xy[1]
	if !s.o.ZeroBased {
		x, y = x-1, y-1
	}
	if s.o.RowsFromTop {
		y = s.o.Size - 1 - y
	}
	return pointOn(s.o.Size, x, y), n, ""
}

// A moveAdder builds the record of a game that is only a list of moves, black
// first, and sees to it that the moves can be made.
type moveAdder struct {
	s     *recordScanner
	rec   *Record
	end   *RecordNode // the last move
	moves int
	taken PointSet
}

// add appends a move; text is how it was written, at the given place.
func (m *moveAdder) add(p Point, text []byte, at recordPos) error {
	if m.end == nil {
		m.end = &m.rec.Root
	}
	if p != NoPoint {
		if !p.on(m.rec.Size) {
			return m.s.fault(at, ErrOutside, "move %q", clip(text))
		}
		if m.taken.Has(p) {
			return m.s.fault(at, ErrOccupied, "move %q", clip(text))
		}
		m.taken.Add(p)
	}
	if !m.s.takeNodes(1) {
		return m.s.fault(at, ErrRecordTooLarge, "")
	}
	c := Black
	if m.moves%2 == 1 {
		c = White
	}
	m.moves++
	m.end = m.end.Add(p, c)
	return nil
}

// clip shortens a piece of input for an error message.
//
//go:noinline
func clip(text []byte) string {
	text = bytes.TrimRight(text, "\r\n")
	if len(text) > 20 {
		return string(text[:20]) + "..."
	}
	return string(text)
}

// appendMoveLine writes a game of MoveLines. Colours that do not alternate
// can't be said; the caller finds out by reading.
func appendMoveLine(dst []byte, rec *Record) []byte {
	for p := range rec.Moves() {
		dst = append(dst, p.String()...)
	}
	return append(dst, '\n')
}

// parseOffsets reads a line of numbers separated by commas, an even count.
func parseOffsets(line []byte) ([]int, *offsetFault) {
	var numbers []int
	i := 0
	for {
		for i < len(line) && isSpace(line[i]) {
			i++
		}
		start := i
		if i < len(line) && line[i] == '-' {
			i++
		}
		for i < len(line) && isDigit(line[i]) {
			i++
		}
		n, err := strconv.Atoi(string(line[start:i]))
		if err != nil || i-start > 4 {
			return nil, &offsetFault{start, "no offset"}
		}
		numbers = append(numbers, n)
		for i < len(line) && isSpace(line[i]) {
			i++
		}
		if i == len(line) {
			break
		}
		if line[i] != ',' {
			return nil, &offsetFault{i, "no comma between offsets"}
		}
		i++
	}
	if len(numbers)%2 != 0 {
		return nil, &offsetFault{len(line), "odd number of offsets"}
	}
	return numbers, nil
}

type offsetFault struct {
	at     int
	reason string
}

// nextOffsetLine reads an opening of OffsetLines.
func (s *recordScanner) nextOffsetLine() (*Record, error) {
	line, start, err := s.nextDataLine(false)
	if err != nil {
		return nil, err
	}
	numbers, fault := parseOffsets(line)
	if fault != nil {
		return nil, s.fault(start.after(fault.at), nil, "%s in %q", fault.reason, clip(line[fault.at:]))
	}
	m := moveAdder{s: s, rec: s.newRecord()}
	centre := m.rec.Size / 2
	for i := 0; i < len(numbers); i += 2 {
		dx, dy := numbers[i], numbers[i+1]
		p := pointOn(m.rec.Size, centre+dx, m.rec.Size-1-(centre+dy))
		if err := m.add(p, fmt.Appendf(nil, "%d,%d", dx, dy), start); err != nil {
			return nil, err
		}
	}
	return m.rec, nil
}

// appendOffsetLine writes an opening of OffsetLines. It can't hold passes; the
// caller finds out by reading.
func appendOffsetLine(dst []byte, rec *Record) []byte {
	centre := rec.Size / 2
	first := true
	for p := range rec.Moves() {
		if p == NoPoint {
			continue
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = fmt.Appendf(dst, "%d,%d", p.X()-centre, rec.Size-1-p.Y()-centre)
	}
	return append(dst, '\n')
}
