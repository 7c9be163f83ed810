package gomoku

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
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
type playokReader struct {
	s    *recordScanner
	line []byte
	at   recordPos // where line starts
	held bool      // line has been read ahead
}

// read takes the next line; io.EOF at the end.
func (r *playokReader) read() error {
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

var tagPattern = regexp.MustCompile(`^\s*\[\s*([A-Za-z][A-Za-z0-9_]*)\s*"((?:[^"\\]|\\["\\])*)"\s*\]\s*$`)

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
	m := tagPattern.FindSubmatch(g.r.line)
	if m == nil {
		return g.r.s.fault(g.r.at, nil, "malformed tag %q", clip(g.r.line))
	}
	name, value := string(m[1]), unquoteTag(string(m[2]))
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
	rec.Root.Extra = append(rec.Root.Extra, Property{name, []string{raw}})
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

var (
	pgnDate = regexp.MustCompile(`^\d{4}\.\d\d\.\d\d$`)
	isoDay  = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
)

// isoDate returns the date "2020.09.26" with hyphens; a date that is unknown
// is empty and any other text stays.
func isoDate(s string) string {
	switch {
	case pgnDate.MatchString(s):
		return strings.ReplaceAll(s, ".", "-")
	case strings.Trim(s, "?.") == "":
		return ""
	}
	return s
}

func unquoteTag(s string) string {
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s)
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

// swapChoice reads the Opening of a record: the colour chosen and after how many
// stones.
func swapChoice(opening string) (choice Color, stones int, ok bool) {
	rest, ok := strings.CutPrefix(opening, swapPrefix)
	word, number, ok2 := strings.Cut(rest, "@")
	stones, err := strconv.Atoi(number)
	if !ok || !ok2 || err != nil || chooserAfter(stones) < 0 || word != "black" && word != "white" {
		return Empty, 0, false
	}
	choice, _ = ParseColor(word)
	return choice, stones, true
}

// appendPlayOK writes a game of PlayOK.
func appendPlayOK(dst []byte, rec *Record) []byte {
	var moves []*RecordNode
	var notes [][]string // comments after each move; [0] are the root's
	notes = append(notes, []string{rec.Root.Comment})
	for n := range rec.Line() {
		if n.Color != Empty {
			moves = append(moves, n)
			notes = append(notes, nil)
		}
		notes[len(notes)-1] = append(notes[len(notes)-1], n.Comment)
	}
	g := playokGame{}
	stones := -1
	if c, n, ok := swapChoice(rec.Opening); ok && n <= len(moves) {
		g.choice, g.chooser, stones = c, chooserAfter(n), n
	}
	swapped := g.stoneOf(0) == 1
	seats := [2]Player{rec.Black, rec.White}
	outcome := rec.Outcome
	if swapped {
		seats[0], seats[1] = seats[1], seats[0]
		if w := outcome.Winner(); w != Empty {
			outcome = WinFor(w.Opponent())
		}
	}
	result := "*"
	switch outcome {
	case BlackWins:
		result = "1-0"
	case WhiteWins:
		result = "0-1"
	case Draw:
		result = "1/2-1/2"
	}
	dst = appendPlayokTags(dst, rec, seats, result)
	dst = append(dst, '\n')

	w := playokWriter{dst: dst, line: len(dst)}
	w.notes(notes[0])
	for i, n := range moves {
		if i >= stones && stones >= 0 && w.column%2 != g.seatOf(i%2) {
			w.token("--")
		}
		if n.Point == NoPoint {
			w.token("--")
		} else {
			w.token(n.Point.String())
		}
		w.notes(notes[i+1])
		if i+1 == stones {
			if w.column%2 != g.chooser {
				w.token("--")
			}
			w.token(g.choice.String())
		}
	}
	w.word(result)
	return append(w.dst, "\n\n"...)
}

// seatOf is the reverse of stoneOf.
func (g *playokGame) seatOf(stone int) int {
	if g.stoneOf(0) == stone {
		return 0
	}
	return 1
}

// playokWriter writes a move list, broken into lines of less than 80 bytes.
type playokWriter struct {
	dst    []byte
	line   int // where the line at hand starts
	column int
}

// token writes what stands in a column, with the move number before it.
func (w *playokWriter) token(s string) {
	if w.column%2 == 0 {
		w.word(strconv.Itoa(w.column/2+1) + ".")
	}
	w.column++
	w.word(s)
}

func (w *playokWriter) word(s string) {
	switch n := len(w.dst) - w.line; {
	case n == 0:
	case n+1+len(s) >= 80:
		w.dst = append(w.dst, '\n')
		w.line = len(w.dst)
	default:
		w.dst = append(w.dst, ' ')
	}
	w.dst = append(w.dst, s...)
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		w.line = len(w.dst) - len(s) + i + 1
	}
}

// notes writes comments. Those with a "}" can't be said and are left out.
func (w *playokWriter) notes(comments []string) {
	for _, c := range comments {
		if c != "" && !strings.Contains(c, "}") {
			w.word("{" + unixLines(c) + "}")
		}
	}
}

func appendPlayokTags(dst []byte, rec *Record, seats [2]Player, result string) []byte {
	tag := func(name, value, unknown string) {
		if value == "" {
			value = unknown
		}
		if value == "" {
			return
		}
		value = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(value))
		dst = fmt.Appendf(dst, "[%s \"%s\"]\n", name, value)
	}
	date := rec.Date
	if isoDay.MatchString(date) {
		date = strings.ReplaceAll(date, "-", ".")
	}
	tag("Event", rec.Event, "?")
	tag("Site", rec.Place, "?")
	tag("Date", date, "????.??.??")
	tag("Round", rec.Round, "-")
	tag("Black", seats[0].Name, "?")
	tag("White", seats[1].Name, "?")
	tag("Result", result, "")
	tag("Termination", rec.Reason, "")
	tag("Charset", rec.Charset, "")
	own := []string{"Event", "Site", "Date", "Round", "Black", "White", "Result", "Termination", "Charset",
		"BlackElo", "WhiteElo", "BlackTeam", "WhiteTeam", "Rule", "Size"}
	size, rule, ruleKnown := 15, Freestyle, false // what the reader would take
	for _, p := range rec.Root.Extra {
		if len(p.Values) != 1 || slices.Contains(own, p.Name) || !isTagName(p.Name) {
			continue
		}
		own = append(own, p.Name)
		value := sgfText(p.Values[0])
		tag(p.Name, value, "")
		if p.Name == "GameType" {
			kind, n := parseGameType(value)
			if n > 0 {
				size = n
			}
			if kind == playokGomoku {
				rule, ruleKnown = Standard, true
			}
		}
	}
	tag("BlackElo", seats[0].Rating, "")
	tag("WhiteElo", seats[1].Rating, "")
	tag("BlackTeam", seats[0].Team, "")
	tag("WhiteTeam", seats[1].Team, "")
	if !rec.RuleUnknown && (!ruleKnown || rule != rec.Rule) {
		tag("Rule", rec.Rule.String(), "")
	}
	if size != rec.Size {
		tag("Size", strconv.Itoa(rec.Size), "")
	}
	return dst
}

// isTagName reports whether PGN allows a tag of the name.
func isTagName(name string) bool {
	for i := range len(name) {
		if c := name[i]; !isLetter(c) && (i == 0 || !isDigit(c) && c != '_') {
			return false
		}
	}
	return name != ""
}
