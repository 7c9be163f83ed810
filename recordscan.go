package gomoku

import (
	"bytes"
	"fmt"
	"io"
)

// recordPos is a place in the input.
type recordPos struct {
	Line, Column int
	Offset       int64
}

// A recordScanner reads bytes and knows where it is. At the end of the input,
// and after an error, there are no more bytes. The text of a game is limited:
// beyond the limit there are no more bytes either, until startGame.
type recordScanner struct {
	r      io.Reader
	buf    []byte // read from r and not yet looked at; never more than lookAhead
	room   []byte // where buf lies
	o      ReadOptions
	pos    recordPos
	game   int
	budget int // bytes left for this game
	nodes  int // nodes and set-up stones left for this game
	err    error
	end    bool   // r has no more
	line   []byte // buffer of readLine
}

// lookAhead is how far look can see.
const lookAhead = 1 << 13

func newRecordScanner(r io.Reader, o ReadOptions) *recordScanner {
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.Size == 0 {
		o.Size = defaultSize
	}
	return &recordScanner{r: r, room: make([]byte, lookAhead), o: o, pos: recordPos{Line: 1, Column: 1}}
}

// startGame renews the limits.
func (s *recordScanner) startGame() {
	s.budget = s.o.MaxBytes
	s.nodes = s.o.MaxBytes / bytesPerNode
}

// look returns up to n bytes ahead, n at most lookAhead.
func (s *recordScanner) look(n int) []byte {
	if len(s.buf) < n && !s.end {
		s.fill(n)
	}
	return s.buf[:min(n, len(s.buf))]
}

// fill reads until n bytes are in the buffer, or all there are.
func (s *recordScanner) fill(n int) {
	s.buf = s.room[:copy(s.room, s.buf)]
	for empty := 0; len(s.buf) < n && !s.end; {
		got, err := s.r.Read(s.room[len(s.buf):])
		s.buf = s.room[:len(s.buf)+got]
		if got > 0 {
			empty = 0
		} else if empty++; empty == 100 && err == nil {
			err = io.ErrNoProgress
		}
		if err != nil {
			s.end = true
			if err != io.EOF {
				s.err = err
			}
		}
	}
}

// peek returns the next byte without reading it.
func (s *recordScanner) peek() (byte, bool) {
	if s.budget <= 0 || len(s.buf) == 0 && s.atEnd() {
		return 0, false
	}
	return s.buf[0], true
}

// next reads a byte.
func (s *recordScanner) next() (byte, bool) {
	c, ok := s.peek()
	if ok {
		s.skip(1)
	}
	return c, ok
}

// skip reads n bytes that look or peek has shown.
func (s *recordScanner) skip(n int) {
	for _, c := range s.buf[:n] {
		s.pos.Column++
		if c == '\n' {
			s.pos.Line++
			s.pos.Column = 1
		}
	}
	s.buf = s.buf[n:]
	s.budget -= n
	s.pos.Offset += int64(n)
}

// skipSpace reads white space.
func (s *recordScanner) skipSpace() {
	for {
		c, ok := s.peek()
		if !ok || !isSpace(c) {
			return
		}
		s.skip(1)
	}
}

// atEnd reports whether the input is at its end, and not merely the limit.
func (s *recordScanner) atEnd() bool { return len(s.look(1)) == 0 }

// readLine reads a line and returns it without its end, and where it starts.
// The slice is good until the next call. tooLong says that the limit cut the
// line; the rest of it has been skipped. At the end of the input, or when s.err
// cuts the line off, ok is false.
func (s *recordScanner) readLine() (line []byte, start recordPos, tooLong, ok bool) {
	start = s.pos
	if s.atEnd() {
		return nil, start, false, false
	}
	s.line = s.line[:0]
	for !s.atEnd() {
		n := bytes.IndexByte(s.buf, '\n') + 1
		found := n > 0
		if !found {
			n = len(s.buf)
		}
		if s.budget < n {
			tooLong = true
		} else {
			s.line = append(s.line, s.buf[:n]...)
		}
		if s.skip(n); found {
			return bytes.TrimRight(s.line, "\r\n"), start, tooLong, true
		}
	}
	if s.err != nil {
		return nil, start, false, false // half a line
	}
	return bytes.TrimRight(s.line, "\r\n"), start, tooLong, true
}

// fault returns the error for something wrong at pos.
// It is asked for everywhere and seldom, so that it is smaller as a call.
//
//go:noinline
func (s *recordScanner) fault(pos recordPos, err error, format string, args ...any) *RecordError {
	return &RecordError{
		Line: pos.Line, Column: pos.Column, Offset: pos.Offset,
		Reason: fmt.Sprintf(format, args...), Err: err,
	}
}

// after returns the position n bytes further on the same line.
func (p recordPos) after(n int) recordPos {
	p.Column += n
	p.Offset += int64(n)
	return p
}

// newRecord returns a record with what the options assume.
func (s *recordScanner) newRecord() *Record {
	return &Record{
		Size: s.o.Size, Rule: s.o.Rule, RuleUnknown: true,
		Root: RecordNode{Point: NoPoint},
	}
}

// takeNodes counts n nodes or set-up stones against the limit.
func (s *recordScanner) takeNodes(n int) bool {
	s.nodes -= n
	return s.nodes >= 0
}

func isSpace(c byte) bool  { return c == ' ' || '\t' <= c && c <= '\r' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// lineReader reads a format of lines, with one line of looking ahead.
type lineReader struct {
	s    *recordScanner
	line []byte    // the line at hand
	at   recordPos // where it starts
	held bool      // it has been read ahead
}

// read takes the next line; io.EOF at the end.
func (r *lineReader) read() error {
	if r.held {
		r.held = false
		return nil
	}
	line, at, tooLong, ok := r.s.readLine()
	switch {
	case !ok && r.s.err != nil:
		return r.s.fault(r.s.pos, r.s.err, "")
	case !ok:
		return io.EOF
	case tooLong:
		return r.s.fault(at, ErrRecordTooLarge, "")
	}
	r.line, r.at = line, at
	return nil
}
