package gomoku

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// playokReader reads games of PlayOK:
//
//	[Black "ann"]
//	[White "bob"]
//	[Result "1-0"]
//	[GameType "61,15"]
//
//	1. h8 i9 2. j8 white 3. -- g7 4. h7 1-0
//
// The columns of the move list are seats: Black and White in the tags name the
// players in the first and the second. In a swap2 opening the first three
// stones, or five if the second player adds two, stand in both columns; then a
// player chooses a colour, in his column. "--" fills a column whose player is
// not on move; from a player on move it is a pass, a turn he lost. 1-0 is a win for the first seat. GameType ends with the size of
// the board; 61 is gomoku, in which exactly five win.
type playokReader struct{ lineReader }

// isTag reports whether the line at hand is a tag.
func (r *playokReader) isTag() bool {
	text := bytes.TrimSpace(r.line)
	return len(text) > 1 && text[0] == '[' && isLetter(text[1])
}

// next reads the next game. After a fault it goes on with the next tags that
// follow a line that is none.
func (r *playokReader) next() (*Record, error) {
	g := playokGame{r: r, adder: moveAdder{s: r.s, rec: r.s.newRecord()}}
	err := g.read()
	if err == nil || err == io.EOF {
		return g.adder.rec, err
	}
	inTags := !g.inMoves
	for {
		r.s.startGame()
		if r.read() != nil {
			if r.s.atEnd() {
				return nil, err
			}
			continue
		}
		if tag := r.isTag(); tag && !inTags {
			r.held = true
			return nil, err
		} else if !tag {
			inTags = false
		}
	}
}

// A playokSkip is a "--" before a colour has been chosen: what follows tells
// whether it is a pass.
type playokSkip struct {
	at    recordPos
	notes int // how many comments stand before it
}

// playokGame is a game being read.
type playokGame struct {
	r       *playokReader
	adder   moveAdder
	inMoves bool // the tags are over
	seats   [2]Player
	result  string // by seat, from the tags or the end of the moves
	column  int    // tokens so far: even ones are the first seat's
	skips   []playokSkip
	chooser int // seat that chose a colour, with choice
	choice  Color
	done    bool             // the result after the moves has been read
	comment *strings.Builder // of the open "{", or nil
	noteAt  recordPos        // where it is
	notes   []string         // comments since the last move
}

// parseTag reads a tag such as [Event "Open"]. In the value a backslash stands
// before a quote or a backslash.
func parseTag(line []byte) (name, value string, ok bool) {
	text := bytes.TrimSpace(line)
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return "", "", false
	}
	text = bytes.TrimSpace(text[1 : len(text)-1])
	head, quoted, found := bytes.Cut(text, []byte{'"'})
	name = string(bytes.TrimSpace(head))
	if !found || len(quoted) == 0 || !isTagName(name) {
		return "", "", false
	}
	quoted, last := quoted[:len(quoted)-1], quoted[len(quoted)-1]
	unquoted := make([]byte, 0, len(quoted))
	for i := 0; i < len(quoted); i++ {
		if quoted[i] == '"' {
			return "", "", false
		}
		if quoted[i] == '\\' {
			if i++; i == len(quoted) || quoted[i] != '"' && quoted[i] != '\\' {
				return "", "", false
			}
		}
		unquoted = append(unquoted, quoted[i])
	}
	return name, string(unquoted), last == '"'
}

func (g *playokGame) read() error {
	found := false
	for {
		err := g.r.read()
		if err == io.EOF {
			if !found {
				return io.EOF
			}
			break
		}
		if err != nil {
			return err
		}
		if g.comment == nil {
			if len(bytes.TrimSpace(g.r.line)) == 0 {
				continue
			}
			if g.r.isTag() {
				if g.inMoves {
					g.r.held = true // the next game
					break
				}
				found = true
				if err := g.tag(); err != nil {
					return err
				}
				continue
			}
		}
		if g.done && g.comment == nil && g.startsMoves() {
			g.r.held = true // the next game, without tags
			break
		}
		found = true
		g.inMoves = true
		if err := g.moves(); err != nil {
			return err
		}
	}
	return g.finish()
}

// startsMoves reports whether the line at hand is the first of a move list.
func (g *playokGame) startsMoves() bool {
	return bytes.HasPrefix(bytes.TrimSpace(g.r.line), []byte("1."))
}

// tag reads the tag on the line at hand.
func (g *playokGame) tag() error {
	name, value, ok := parseTag(g.r.line)
	if !ok {
		return g.r.s.fault(g.r.at, nil, "malformed tag %q", clip(g.r.line))
	}
	rec := g.adder.rec
	field := map[string]*string{
		"Black": &g.seats[0].Name, "BlackElo": &g.seats[0].Rating, "BlackTeam": &g.seats[0].Team,
		"White": &g.seats[1].Name, "WhiteElo": &g.seats[1].Rating, "WhiteTeam": &g.seats[1].Team,
		"Event": &rec.Event, "Site": &rec.Place, "Round": &rec.Round, "Termination": &rec.Reason,
	}[name]
	switch {
	case field != nil && *field == "":
		*field = unknownTag(name, value)
		return nil
	case name == "Date" && rec.Date == "":
		rec.Date = isoDate(value)
		return nil
	case name == "Result" && g.result == "":
		if !isPlayokResult(value) {
			return g.r.s.fault(g.r.at, nil, "unknown result %q", clip([]byte(value)))
		}
		g.result = value
		return nil
	case name == "Charset" && rec.Charset == "":
		rec.Charset = value
		return nil
	case name == "Rule":
		rule, err := ParseRule(value)
		if err != nil {
			return g.r.s.fault(g.r.at, nil, "unknown rule %q", clip([]byte(value)))
		}
		rec.Rule, rec.RuleUnknown = rule, false
		return nil
	case name == "Size":
		size, err := strconv.Atoi(value)
		if err != nil || size < MinSize || size > MaxSize {
			return g.r.s.fault(g.r.at, ErrSize, "%q", clip([]byte(value)))
		}
		rec.Size = size
		return nil
	case name == "GameType":
		kind, size := parseGameType(value)
		if size > MaxSize || size > 0 && size < MinSize {
			return g.r.s.fault(g.r.at, ErrSize, "game type %q", clip([]byte(value)))
		}
		if size > 0 {
			rec.Size = size
		}
		if kind == playokGomoku {
			rec.Rule, rec.RuleUnknown = Standard, false
		}
	}
	if len(rec.Root.Extra) == maxProperties {
		return g.r.s.fault(g.r.at, ErrRecordTooLarge, "more than %d tags", maxProperties)
	}
	raw := strings.NewReplacer(`\`, `\\`, `]`, `\]`).Replace(value)
	rec.Root.addExtra(name, []sgfValue{{raw: raw}}) // values of a repeated tag are joined
	return nil
}

// playokGomoku is the GameType of gomoku.
const playokGomoku = 61

// parseGameType reads "61,15": game and size, 0 for what is not there.
func parseGameType(s string) (kind, size int) {
	a, b, _ := strings.Cut(s, ",")
	kind, _ = strconv.Atoi(a)
	size, _ = strconv.Atoi(b)
	return kind, size
}

// unknownTag returns the value of a tag, nothing for what PGN writes if a value
// is not known.
func unknownTag(name, value string) string {
	if value == "?" || name == "Round" && value == "-" {
		return ""
	}
	return value
}

// isDay reports whether s is a day such as 2024-05-31, with the given separator.
func isDay(s string, sep byte) bool {
	for i := range len(s) {
		if i == 4 || i == 7 {
			if s[i] != sep {
				return false
			}
		} else if !isDigit(s[i]) {
			return false
		}
	}
	return len(s) == len("2024-05-31")
}

// isoDate returns the date "2020.09.26" with hyphens; a date that is unknown
// is empty and any other text stays.
func isoDate(s string) string {
	switch {
	case isDay(s, '.'):
		return strings.ReplaceAll(s, ".", "-")
	case strings.Trim(s, "?.") == "":
		return ""
	}
	return s
}

func isPlayokResult(s string) bool {
	return slices.Contains([]string{"1-0", "0-1", "1/2-1/2", "*"}, s)
}

// moves reads the tokens on the line at hand.
func (g *playokGame) moves() error {
	line := g.r.line
	for i := 0; i < len(line); {
		if g.comment != nil {
			end := bytes.IndexByte(line[i:], '}')
			if end < 0 {
				g.comment.Write(line[i:])
				break
			}
			g.comment.Write(line[i : i+end])
			g.notes = append(g.notes, g.comment.String())
			g.comment = nil
			i += end + 1
			continue
		}
		if isSpace(line[i]) {
			i++
			continue
		}
		at := g.r.at.after(i)
		if line[i] == '{' {
			g.comment, g.noteAt = &strings.Builder{}, at
			i++
			continue
		}
		n := i
		for n < len(line) && !isSpace(line[n]) && line[n] != '{' && line[n] != '.' {
			n++
		}
		if n < len(line) && line[n] == '.' {
			n++
		}
		if err := g.token(line[i:n], at); err != nil {
			return err
		}
		i = n
	}
	if g.comment != nil {
		g.comment.WriteByte('\n')
	}
	return nil
}

// flushNotes gives the comments to the last move, or to the root.
func (g *playokGame) flushNotes() {
	n := g.adder.end
	if n == nil {
		n = &g.adder.rec.Root
	}
	if len(g.notes) > 0 {
		n.Comment = strings.Join(g.notes, "\n")
	}
	g.notes = nil
}

func (g *playokGame) token(text []byte, at recordPos) error {
	word := string(text)
	fault := func(format string, args ...any) error {
		return g.r.s.fault(at, nil, format, args...)
	}
	seat := g.column % 2
	switch {
	case g.done:
		return fault("%q after the result", clip(text))
	case isPlayokResult(word):
		if g.result != "" && g.result != word {
			return fault("result %s, but %s in the tags", word, g.result)
		}
		g.result, g.done = word, true
		return nil
	case word[len(word)-1] == '.':
		if want := g.column/2 + 1; word != strconv.Itoa(want)+"." || seat != 0 {
			return fault("%q where move %d of seat %d is due", clip(text), want, seat+1)
		}
		return nil
	case word == "--":
		g.column++
		if g.choice == Empty {
			g.skips = append(g.skips, playokSkip{at, len(g.notes)})
			return nil
		}
		if g.adder.moves%2 == g.stoneOf(seat) {
			return g.play(NoPoint, text, at)
		}
		return nil
	case word == "black" || word == "white":
		if g.choice != Empty {
			return fault("a second choice of colour")
		}
		g.choice, _ = ParseColor(word)
		g.chooser = seat
		if g.chooser != chooserAfter(g.adder.moves) {
			return fault("seat %d chooses a colour after %d stones", seat+1, g.adder.moves)
		}
		g.adder.rec.Opening = fmt.Sprintf("%s%s@%d", swapPrefix, word, g.adder.moves)
		g.column++
		g.skips = nil
		return nil
	}
	p, n, reason := scanPoint(word)
	if reason != "" || n != len(word) {
		return fault("%q is no move", clip(text))
	}
	if err := g.passes(); err != nil {
		return err
	}
	if g.choice != Empty && g.adder.moves%2 != g.stoneOf(seat) {
		return fault("move %q of seat %d out of turn", clip(text), seat+1)
	}
	g.column++
	return g.play(pointOn(g.adder.rec.Size, p.X(), p.Y()), text, at)
}

// play adds a move.
func (g *playokGame) play(p Point, text []byte, at recordPos) error {
	g.flushNotes()
	return g.adder.add(p, text, at)
}

// passes adds what turned out to be passes: no choice of colour followed.
func (g *playokGame) passes() error {
	notes, done := g.notes, 0
	for _, skip := range g.skips {
		g.notes = notes[done:skip.notes]
		done = skip.notes
		if err := g.play(NoPoint, nil, skip.at); err != nil {
			return err
		}
	}
	g.notes, g.skips = notes[done:], nil
	return nil
}

// swapPrefix starts the Opening of a record with a choice of colour.
const swapPrefix = "swap2:"

// chooserAfter returns the seat that chooses a colour after the given number of
// stones, -1 if none does: the second after three, the first after five.
func chooserAfter(stones int) int {
	switch stones {
	case 3:
		return 1
	case 5:
		return 0
	}
	return -1
}

// stoneOf returns which stones a seat plays: 0 the odd ones, black; 1 white.
func (g *playokGame) stoneOf(seat int) int {
	black := 0
	if g.choice != Empty {
		black = g.chooser
		if g.choice == White {
			black = 1 - black
		}
	}
	if seat == black {
		return 0
	}
	return 1
}

// finish puts the players and the result in their places.
func (g *playokGame) finish() error {
	if g.comment != nil {
		return g.r.s.fault(g.noteAt, io.ErrUnexpectedEOF, `the comment has no closing "}"`)
	}
	if err := g.passes(); err != nil {
		return err
	}
	g.flushNotes()
	rec := g.adder.rec
	swapped := g.stoneOf(0) == 1
	rec.Black, rec.White = g.seats[0], g.seats[1]
	if swapped {
		rec.Black, rec.White = rec.White, rec.Black
	}
	switch g.result {
	case "1-0":
		rec.Outcome = BlackWins
	case "0-1":
		rec.Outcome = WhiteWins
	case "1/2-1/2":
		rec.Outcome = Draw
	}
	if w := rec.Outcome.Winner(); swapped && w != Empty {
		rec.Outcome = WinFor(w.Opponent())
	}
	return nil
}
