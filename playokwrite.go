package gomoku

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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

// notes writes comments, as one. Those with a "}" can't be said and are left out.
func (w *playokWriter) notes(comments []string) {
	var said []string
	for _, c := range comments {
		if c != "" && !strings.Contains(c, "}") {
			said = append(said, unixLines(c))
		}
	}
	if said != nil {
		w.word("{" + strings.Join(said, "\n") + "}")
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
	date := isoDate(rec.Date) // the reader would make that of it
	if isDay(date, '-') {
		date = strings.ReplaceAll(date, "-", ".")
	}
	// What the reader takes for unknown is written as unknown.
	field := func(name, value, unknown string) { tag(name, unknownTag(name, oneLine(value)), unknown) }
	field("Event", rec.Event, "?")
	field("Site", rec.Place, "?")
	tag("Date", date, "????.??.??")
	field("Round", rec.Round, "-")
	field("Black", seats[0].Name, "?")
	field("White", seats[1].Name, "?")
	tag("Result", result, "")
	field("Termination", rec.Reason, "")
	tag("Charset", rec.Charset, "")
	own := []string{
		"Event", "Site", "Date", "Round", "Black", "White", "Result", "Termination", "Charset",
		"BlackElo", "WhiteElo", "BlackTeam", "WhiteTeam", "Rule", "Size",
	}
	size, rule, ruleKnown := 15, Freestyle, false // what the reader would take
	for _, p := range rec.Root.Extra {
		if len(p.Values) == 0 || slices.Contains(own, p.Name) || !isTagName(p.Name) {
			continue
		}
		own = append(own, p.Name)
		value := ""
		for _, v := range p.Values {
			value = sgfText(v)
			tag(p.Name, value, "")
		}
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
	field("BlackElo", seats[0].Rating, "")
	field("WhiteElo", seats[1].Rating, "")
	field("BlackTeam", seats[0].Team, "")
	field("WhiteTeam", seats[1].Team, "")
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
