package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gomoku-go/gomoku"
)

// appendText writes a game as text: who played, a graph of Black's chance, the
// moves that were worth a remark or all of them, and a summary.
func appendText(dst []byte, g *game, all bool) []byte {
	w := bytes.NewBuffer(dst)
	black, white := g.players()
	fmt.Fprintf(w, "%s: %s (Black) - %s (White), %v %dx%d, %s, %s\n", g.source, oneLine(black), oneLine(white),
		g.record.Rule, g.record.Size, g.record.Size, plural(len(g.steps), "move"), g.result())
	for _, note := range g.notes {
		fmt.Fprintf(w, "  note: %s\n", note)
	}
	if !g.complete() {
		fmt.Fprintf(w, "  interrupted: %d of %s looked at\n", g.done(), plural(len(g.steps), "move"))
	}
	writeGraph(w, g.curve())
	fmt.Fprintf(w, "\n  %4s  %-9s %6s %6s  %-11s %s\n", "move", "", "Black", "loss", "", "better, and what may follow")
	for _, r := range g.reports {
		if r == nil || !all && r.Grade < inaccuracy && r.Missed == nil && r.Allowed == nil {
			continue
		}
		fmt.Fprintln(w, strings.TrimRight(textLine(r), " "))
		for _, remark := range remarks(r) {
			fmt.Fprintf(w, "        %s\n", remark)
		}
	}
	fmt.Fprintln(w)
	for _, c := range [...]gomoku.Color{gomoku.Black, gomoku.White} {
		fmt.Fprintf(w, "  %-5s  %s\n", sideName(c), g.summary(c))
	}
	return w.Bytes()
}

// textLine is a move in a line of the table.
func textLine(r *moveReport) string {
	s := fmt.Sprintf("  %4d  %-5s %-3s %5.0f%% %5.0f%%  %-11s", r.Move, sideName(r.Color), r.Point, 100*blacks(r.Color, r.Played.Chance), 100*r.Loss, gradeWord(r.Grade))
	if r.Best.Point != r.Point && len(r.Best.Line) > 0 {
		s += fmt.Sprintf(" %s  (%s)", moveList(r.Best.Line), r.Best.verdict())
	}
	return s
}

// gradeWord is what a table says of a grade: nothing of good moves.
func gradeWord(g grade) string {
	if g <= good {
		return ""
	}
	return g.String()
}

// remarks are sentences on a move: fouls and wins by threats.
func remarks(r *moveReport) []string {
	var s []string
	if r.Foul != gomoku.NoFoul {
		s = append(s, fmt.Sprintf("%v is a foul, a %v, and loses the game.", r.Point, r.Foul))
	}
	if m := r.Missed; m != nil {
		s = append(s, fmt.Sprintf("%s missed a win by %s: %s.", sideName(r.Color), m.words(), moveList(m.Line)))
	}
	if a := r.Allowed; a != nil {
		answer := "is proven to stop it"
		if a.Defence != "refuted" {
			answer = "may stop it, no such win was found after it"
		}
		remark := fmt.Sprintf("%v leaves %s a win by %s: %s. %v %s.", r.Point, sideName(r.Color.Opponent()), a.words(),
			moveList(a.Line), r.Best.Point, answer)
		if len(a.Stops) > 0 {
			remark += " All that stop the fours: " + moveList(a.Stops) + "."
		}
		s = append(s, remark)
	}
	return s
}

// words names a win: "fours (VCF) in 5 moves".
func (f *forcedWin) words() string {
	what := "threats"
	if f.Kind == "VCF" {
		what = "fours"
	}
	return fmt.Sprintf("%s (%s) in %s", what, f.Kind, plural(f.Moves, "move"))
}

// String says what a side did, for a text.
func (s summary) String() string {
	t := fmt.Sprintf("%s, %s, %s; %.1f%% of winning chance lost a move", grades(s.Grades[inaccuracy], "inaccuracy", "inaccuracies"),
		plural(s.Grades[mistake], "mistake"), plural(s.Grades[blunder], "blunder"), 100*s.Loss)
	if s.Missed > 0 {
		t += fmt.Sprintf("; %s missed", plural(s.Missed, "win"))
	}
	if s.Failed > 0 {
		t += fmt.Sprintf("; %s missed", plural(s.Failed, "defence"))
	}
	return t
}

// moveList is moves with spaces in between; a pass is "-".
func moveList(moves []gomoku.Point) string {
	words := make([]string, len(moves))
	for i, p := range moves {
		words[i] = p.String()
	}
	return strings.Join(words, " ")
}

func grades(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func plural(n int, what string) string { return grades(n, what, what+"s") }

func sideName(c gomoku.Color) string {
	if c == gomoku.White {
		return "White"
	}
	return "Black"
}

// oneLine keeps what a record says from breaking the layout or the terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

// graphRows is the height of the graph of a text.
const graphRows = 5

// writeGraph draws Black's chance, a column a position.
func writeGraph(w *bytes.Buffer, curve []float64) {
	const eighths = " ▁▂▃▄▅▆▇█"
	blocks := []rune(eighths)
	const width = 64
	for start := 0; start < len(curve); start += width {
		part := curve[start:min(start+width, len(curve))]
		for row := graphRows - 1; row >= 0; row-- {
			label := "     "
			switch row {
			case graphRows - 1:
				label = "100% "
			case 0:
				label = "  0% "
			}
			w.WriteString("  " + label + "|")
			for _, v := range part {
				fill := int(v*8*graphRows+0.5) - 8*row
				w.WriteRune(blocks[min(max(fill, 0), 8)])
			}
			w.WriteString("|\n")
		}
		w.WriteString("       " + moveScale(start, len(part)) + "\n")
	}
}

// moveScale numbers every tenth column.
func moveScale(start, n int) string {
	line := []byte(strings.Repeat(" ", n+4))
	for i := range n {
		if (start+i)%10 == 0 {
			copy(line[i+1:], fmt.Sprint(start+i))
		}
	}
	return strings.TrimRight(string(line), " ")
}

// A jsonGame is a line of the JSON output.
type jsonGame struct {
	Source   string         `json:"source"`
	Record   *gomoku.Record `json:"record"`
	Complete bool           `json:"complete"`
	Notes    []string       `json:"notes,omitempty"`
	Effort   effort         `json:"effort"`
	Curve    []float64      `json:"black_chance"` // before each move, and after the last
	Black    summary        `json:"black"`
	White    summary        `json:"white"`
	Moves    []*moveReport  `json:"moves"`
}

// appendJSON writes a game as a line of JSON.
func appendJSON(dst []byte, g *game, e effort) ([]byte, error) {
	moves := []*moveReport{}
	for _, r := range g.reports {
		if r != nil {
			moves = append(moves, r)
		}
	}
	line, err := json.Marshal(jsonGame{
		g.source, g.record, g.complete(), g.notes, e, g.curve(), g.summary(gomoku.Black), g.summary(gomoku.White), moves,
	})
	return append(append(dst, line...), '\n'), err
}
