package gomoku

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// The root properties that keep the numbers of a psq file.
const (
	psqLevels = "PSQLEVELS" // level of Black and White, 0 for a person
	psqCode   = "PSQCODE"   // how the game ended
)

// psqNoCode is the number of a game that has not ended. The reader need not keep
// it: the writer gives it to every game of unknown outcome.
const psqNoCode = "-1"

// maxMoveTime is more than any game takes; larger numbers are damage.
const maxMoveTime = 1 << 40 // ms

// psqReader reads games of PSQ:
//
//	Piskvorky 20x20, 7:7, 0
//	10,10,456
//	11,12,4500
//	first.exe
//	second.exe
//	0
//
// In the first line stand the size, the levels of the two players (0 for a
// person) and 1 if the second player moves first. The time may be missing, the
// names are there after tournament games only, the number at the end may be
// missing too. Another first line starts another game. (Facts read from
// Piskvork's openPsq and savePsq.)
type psqReader struct {
	lineReader
	moves []psqMove
}

// A psqMove is a move as it stands in the file.
type psqMove struct {
	x, y int
	time time.Duration
	text string
	at   recordPos
}

var psqMagic = []byte("Piskvorky ")

// next reads the next game. After a fault it goes on with the next first line.
func (r *psqReader) next() (*Record, error) {
	rec, err := r.game()
	if err == nil || err == io.EOF {
		return rec, err
	}
	for {
		r.s.startGame()
		if r.held = r.read() == nil && bytes.HasPrefix(r.line, psqMagic); r.held || r.s.atEnd() {
			return nil, err
		}
	}
}

func (r *psqReader) game() (*Record, error) {
	for {
		if err := r.read(); err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(r.line)) > 0 {
			break
		}
	}
	rec := r.s.newRecord()
	swapped, err := r.header(rec)
	if err != nil {
		return nil, err
	}
	r.moves = r.moves[:0]
	var tail []string
	var tailAt recordPos
	for {
		if err := r.read(); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(r.line, psqMagic) {
			r.held = true
			break
		}
		text := bytes.TrimSpace(r.line)
		if len(text) == 0 {
			continue
		}
		if len(tail) == 0 && isPsqMove(text) {
			if !r.s.takeNodes(1) {
				return nil, r.s.fault(r.at, ErrRecordTooLarge, "")
			}
			if err := r.move(text); err != nil {
				return nil, err
			}
			continue
		}
		if len(tail) == 3 || len(tail) > 0 && isPsqMove(text) {
			return nil, r.s.fault(r.at, nil, "%q after the moves", clip(text))
		}
		if len(tail) == 0 {
			tailAt = r.at
		}
		tail = append(tail, string(bytes.TrimRight(r.line, " \t")))
	}
	if err := r.play(rec); err != nil {
		return nil, err
	}
	return rec, r.tail(rec, tail, tailAt, swapped)
}

// play adds the moves to the record.
func (r *psqReader) play(rec *Record) error {
	low, high := 1, 0
	for _, m := range r.moves {
		low, high = min(low, m.x, m.y), max(high, m.x, m.y)
	}
	if low != 0 || high >= rec.Size {
		low = 1
	}
	adder := moveAdder{s: r.s, rec: rec}
	for _, m := range r.moves {
		p := pointOn(rec.Size, m.x-low, rec.Size-1-(m.y-low))
		if err := adder.add(p, []byte(m.text), m.at); err != nil {
			return err
		}
		adder.end.Time = m.time
	}
	return nil
}

// header reads the first line. It reports whether the second player starts.
func (r *psqReader) header(rec *Record) (swapped bool, err error) {
	if !bytes.HasPrefix(r.line, psqMagic) {
		return false, r.s.fault(r.at, nil, `no "Piskvorky" at the start of the game`)
	}
	var width, height, level1, level2, first int
	n, _ := fmt.Sscanf(string(r.line), "Piskvorky %dx%d, %d:%d, %d", &width, &height, &level1, &level2, &first)
	switch {
	case n < 2:
		return false, r.s.fault(r.at, nil, "no board size in %q", clip(r.line))
	case width != height:
		return false, r.s.fault(r.at, ErrSize, "board of %dx%d", width, height)
	case width < MinSize || width > MaxSize:
		return false, r.s.fault(r.at, ErrSize, "board of %dx%d", width, height)
	case first != 0 && first != 1:
		return false, r.s.fault(r.at, nil, "starting player %d is not 0 or 1", first)
	}
	rec.Size = width
	if first == 1 {
		level1, level2 = level2, level1
	}
	if level1 != 0 || level2 != 0 {
		rec.Root.Extra = append(rec.Root.Extra, Property{psqLevels, []string{strconv.Itoa(level1), strconv.Itoa(level2)}})
	}
	return first == 1, nil
}

// isPsqMove tells a move from a name: numbers and commas, one comma at least.
func isPsqMove(text []byte) bool {
	comma := false
	for _, c := range text {
		if !isDigit(c) && c != ',' && c != ' ' && c != '-' {
			return false
		}
		comma = comma || c == ','
	}
	return comma
}

// move reads the move on the line at hand.
func (r *psqReader) move(text []byte) error {
	var numbers [3]int64 // x, y, ms
	fields := bytes.Split(text, []byte(","))
	bad := len(fields) > len(numbers)
	for i, f := range fields {
		var err error
		if !bad {
			numbers[i], err = strconv.ParseInt(string(bytes.TrimSpace(f)), 10, 64)
			bad = err != nil
		}
	}
	if bad {
		return r.s.fault(r.at, nil, "move %q is not x,y or x,y,ms", clip(text))
	}
	x, y, ms := numbers[0], numbers[1], numbers[2]
	if ms < 0 || ms > maxMoveTime {
		return r.s.fault(r.at, nil, "time of move %q is out of range", clip(text))
	}
	if min(x, y) < 0 || max(x, y) > MaxSize {
		return r.s.fault(r.at, ErrOutside, "move %q", clip(text))
	}
	r.moves = append(r.moves, psqMove{int(x), int(y), time.Duration(ms) * time.Millisecond, clip(text), r.at})
	return nil
}

// tail makes sense of the lines after the moves: names, a number, both or none.
func (r *psqReader) tail(rec *Record, tail []string, at recordPos, swapped bool) error {
	if n := len(tail); n > 0 {
		if _, err := strconv.ParseInt(tail[n-1], 10, 32); err == nil {
			if tail[n-1] != psqNoCode {
				rec.Root.Extra = append(rec.Root.Extra, Property{psqCode, []string{tail[n-1]}})
			}
			tail = tail[:n-1]
		}
	}
	switch len(tail) {
	case 0:
	case 2:
		for i, name := range tail {
			if name == psqNoName {
				tail[i] = ""
			}
		}
		if swapped {
			tail[0], tail[1] = tail[1], tail[0]
		}
		rec.Black.Name, rec.White.Name = tail[0], tail[1]
	default:
		return r.s.fault(at, nil, "%q is neither a move, nor two names, nor the number at the end", clip([]byte(tail[0])))
	}
	return nil
}

// psqNoName stands for a name that is not known beside one that is.
const psqNoName = "?"

// appendPSQ writes a game of PSQ. It can't hold passes or colours that do not
// alternate; the caller finds out by reading.
func appendPSQ(dst []byte, rec *Record) []byte {
	levels := []string{"0", "0"}
	code := "0"
	switch {
	case rec.Outcome == UnknownOutcome:
		code = psqNoCode
	case rec.Reason == "time":
		code = "15"
	}
	for _, p := range rec.Root.Extra {
		switch {
		case p.Name == psqLevels && len(p.Values) == 2 && isNumber(p.Values[0]) && isNumber(p.Values[1]):
			levels = p.Values
		case p.Name == psqCode && len(p.Values) == 1 && isNumber(p.Values[0]):
			code = p.Values[0]
		}
	}
	dst = fmt.Appendf(dst, "Piskvorky %dx%d, %s:%s, 0\n", rec.Size, rec.Size, levels[0], levels[1])
	for n := range rec.Line() {
		if n.Color != Empty && n.Point != NoPoint {
			dst = fmt.Appendf(dst, "%d,%d,%d\n", n.Point.X()+1, rec.Size-n.Point.Y(), n.Time.Milliseconds())
		}
	}
	// The reader makes nothing of lines of space, and of space at their ends.
	name := func(s string) string {
		if s = strings.TrimRight(oneLine(s), " \t"); s == psqNoName {
			return ""
		}
		return s
	}
	black, white := name(rec.Black.Name), name(rec.White.Name)
	if black != "" || white != "" {
		dst = fmt.Appendf(dst, "%s\n%s\n", cmp.Or(black, psqNoName), cmp.Or(white, psqNoName))
	}
	return append(append(dst, code...), '\n')
}

// isNumber reports whether s is spelled as a psq file's numbers are.
func isNumber(s string) bool {
	n, err := strconv.ParseInt(s, 10, 32)
	return err == nil && strconv.FormatInt(n, 10) == s
}

// oneLine returns the text with spaces for line ends.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.ReplaceAll(unixLines(s), "\n", " ")
}
