package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gomoku-go/gomoku"
)

// A tally counts results from one player's side.
type tally struct {
	wins, draws, losses int
	pairs               pairCounts
	half                map[int]int // points in the first finished game of a pair
}

// add counts a game in which the player made the given points, in halves.
func (t *tally) add(pair, halves int) {
	switch halves {
	case 0:
		t.losses++
	case 1:
		t.draws++
	default:
		t.wins++
	}
	if t.half == nil {
		t.half = make(map[int]int)
	}
	if other, ok := t.half[pair]; ok {
		t.pairs[other+halves]++
		delete(t.half, pair)
	} else {
		t.half[pair] = halves
	}
}

func (t *tally) games() int { return t.wins + t.draws + t.losses }

func (t *tally) score() float64 {
	return (float64(t.wins) + float64(t.draws)/2) / float64(t.games())
}

func (t *tally) String() string {
	return fmt.Sprintf("+%d =%d -%d", t.wins, t.draws, t.losses)
}

// usage adds up what a player's moves took.
type usage struct {
	moves        int
	open, depths int // moves whose score was open, and their depths
	nodes        int64
	spent        time.Duration
	longest      time.Duration
	ends         map[string]int // how it lost, and how its games were drawn
}

// A report is what a list of games amounts to.
type report struct {
	m       *match
	games   []*gameRecord
	number  map[string]int // of a player
	totals  []tally
	against []tally // by encounter, from the first player's side
	use     []usage
	black   tally // from Black's side; its pairs mean nothing
}

func newReport(m *match, games []*gameRecord) *report {
	r := &report{
		m: m, games: games, number: make(map[string]int),
		totals:  make([]tally, len(m.specs)),
		against: make([]tally, len(m.meetings)),
		use:     make([]usage, len(m.specs)),
	}
	for i, s := range m.specs {
		r.number[s.name] = i
		r.use[i].ends = make(map[string]int)
	}
	for _, g := range games {
		r.add(g)
	}
	return r
}

func (r *report) add(g *gameRecord) {
	names := [2]string{g.Black, g.White}
	for side, name := range names {
		p := r.number[name]
		r.totals[p].add(g.Pair, g.halves(name))
		u := &r.use[p]
		for i := (side + g.Plies) % 2; i < len(g.Micros); i += 2 {
			spent := time.Duration(g.Micros[i]) * time.Microsecond
			u.moves++
			u.spent += spent
			u.longest = max(u.longest, spent)
			u.nodes += g.Nodes[i]
			// Once a game is decided, depth means little: it is soon the deepest.
			if score := g.Scores[i]; score == unknownScore || max(score, -score) < int64(gomoku.MaxEstimate) {
				u.open++
				u.depths += g.Depths[i]
			}
		}
		if g.Result == drawn || g.loser() == name {
			u.ends[g.Reason]++
		}
	}
	r.black.add(g.Game, g.halves(g.Black))
	e := r.m.fixtures[g.Game].encounter
	r.against[e].add(g.Pair, g.halves(r.m.specs[r.m.meetings[e][0]].name))
}

// write writes the report.
func (r *report) write(w io.Writer, perOpening bool) {
	m := r.m
	fmt.Fprintf(w, "\n%v, %dx%d, openings %s (%d), time control %v, seed %d: %d of %d games\n",
		m.Rule, m.Size, m.Size, m.openings.name, len(m.openings.moves), m.time, m.Seed, len(r.games), len(m.fixtures))
	for _, s := range m.specs {
		text := cmp.Or(s.text, "defaults")
		if s.name != text {
			text = s.name + ": " + text
		}
		fmt.Fprintf(w, "  %s\n", text)
	}
	if len(r.games) == 0 {
		fmt.Fprintln(w, "No game was finished.")
		return
	}
	if len(m.specs) == 2 {
		r.writeMatch(w)
	} else {
		r.writeTournament(w)
	}
	r.writeUsage(w)
	r.writeEnds(w)
	r.writeOpenings(w, perOpening)
}

func (r *report) writeMatch(w io.Writer) {
	m := r.m
	t := &r.against[0]
	fmt.Fprintf(w, "\n%s against %s: %v, %.1f%%\n", m.specs[0].name, m.specs[1].name, t, 100*t.score())
	p := t.pairs
	fmt.Fprintf(w, "%s by points: %d x 0, %d x ½, %d x 1, %d x 1½, %d x 2\n", plural(p.total(), "pair"), p[0], p[1], p[2], p[3], p[4])
	fmt.Fprintf(w, "%v\n", estimateElo(p))
	if m.test == nil {
		return
	}
	lower, upper := m.test.bounds()
	model := "logistic"
	if m.test.normalized {
		model = "normalised"
	}
	fmt.Fprintf(w, "SPRT of Elo %g against %g (%s): LLR %.2f in [%.2f, %.2f], %v after %s\n",
		m.test.elo1, m.test.elo0, model, m.test.llr(m.pairs.floats()), lower, upper, m.verdict, plural(m.pairs.total(), "pair"))
	if m.verdict == undecided {
		return
	}
	extra := 0
	for _, g := range m.games[m.counted:] {
		if g != nil {
			extra++
		}
	}
	if extra > 0 {
		where := ""
		if m.logged {
			where = ", though in the log"
		}
		fmt.Fprintf(w, "Not counted: %s finished beyond these%s\n", plural(extra, "game"), where)
	}
}

func (r *report) writeTournament(w io.Writer) {
	m := r.m
	var meetings []meeting
	for e, t := range r.against {
		for halves, n := range t.pairs {
			for range n {
				meetings = append(meetings, meeting{m.meetings[e][0], m.meetings[e][1], halves})
			}
		}
	}
	order := make([]int, len(m.specs))
	for i := range order {
		order[i] = i
	}
	var ratings []rating
	if len(meetings) > 0 {
		ratings = rate(len(m.specs), meetings, m.Seed)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ratings[b].elo, ratings[a].elo) })
	}
	table := newTable(w)
	fmt.Fprintln(table, "\nplayer\tElo\t95 %\tgames\tscore\twon, drawn, lost")
	for _, p := range order {
		t := &r.totals[p]
		if t.games() == 0 || ratings == nil {
			fmt.Fprintf(table, "%s\t?\t\t%d\t\t%v\n", m.specs[p].name, t.games(), t)
			continue
		}
		x := ratings[p]
		fmt.Fprintf(table, "%s\t%s\t[%s, %s]\t%d\t%.1f%%\t%v\n", m.specs[p].name,
			formatElo(x.elo), formatElo(x.low), formatElo(x.high), t.games(), 100*t.score(), t)
	}
	table.Flush()
	fmt.Fprintln(table, "\nencounter\tgames\tscore\twon, drawn, lost\tpairs")
	for e, t := range r.against {
		if t.games() == 0 {
			continue
		}
		fmt.Fprintf(table, "%s - %s\t%d\t%.1f%%\t%v\t%v\n", m.specs[m.meetings[e][0]].name, m.specs[m.meetings[e][1]].name,
			t.games(), 100*t.score(), &t, estimateElo(t.pairs))
	}
	table.Flush()
}

func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

func (r *report) writeUsage(w io.Writer) {
	table := newTable(w)
	fmt.Fprintln(table, "\nplayer\tmoves\tdepth\tnodes/move\ttime/move\tnodes/s\tlongest")
	for i, s := range r.m.specs {
		u := &r.use[i]
		if u.moves == 0 {
			continue
		}
		n := float64(u.moves)
		depth, nodes, speed := "-", "-", "-"
		if u.depths > 0 {
			depth = fmt.Sprintf("%.1f", float64(u.depths)/float64(u.open))
		}
		if u.nodes > 0 {
			nodes = fmt.Sprintf("%.0f", float64(u.nodes)/n)
			if u.spent > 0 {
				speed = fmt.Sprintf("%.0f", float64(u.nodes)/u.spent.Seconds())
			}
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%v\t%s\t%v\n", s.name, u.moves, depth, nodes,
			round(u.spent/time.Duration(u.moves)), speed, round(u.longest))
	}
	table.Flush()
}

// round drops digits that nobody reads.
func round(d time.Duration) time.Duration {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond)
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond)
	}
	return d.Round(time.Microsecond)
}

func (r *report) writeEnds(w io.Writer) {
	ends := make(map[string]int)
	plies := 0
	for _, g := range r.games {
		ends[g.Reason]++
		plies += g.Plies + len(g.Micros)
	}
	fmt.Fprintf(w, "\nGames ended by: %s; %.1f moves on average\n", counts(ends), float64(plies)/float64(len(r.games)))
	for i, s := range r.m.specs {
		lost := maps.Clone(r.use[i].ends)
		for _, usual := range []string{reasonFive, reasonFull, reasonLength, reasonEven, reasonResign} {
			delete(lost, usual)
		}
		if len(lost) > 0 {
			fmt.Fprintf(w, "%s lost by: %s\n", s.name, counts(lost))
		}
	}
	var over int64
	for _, g := range r.games {
		over = max(over, g.Over)
	}
	if over > 0 {
		fmt.Fprintf(w, "The longest that a move took beyond its limit: %v (tolerance %v)\n",
			round(time.Duration(over)*time.Microsecond), r.m.Adjudicate.Tolerance)
	}
	for _, g := range r.games {
		switch g.Reason {
		case reasonTime, reasonIllegal, reasonCrash, reasonStuck:
			fmt.Fprintln(w, describeLoss(g))
		}
	}
}

// plural returns a number of things, such as "1 game" and "2 games".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func counts(of map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b))
	})
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = fmt.Sprintf("%s %d", k, of[k])
	}
	return strings.Join(parts, ", ")
}

// describeLoss says who lost which game, how and in which position.
func describeLoss(g *gameRecord) string {
	return fmt.Sprintf("game %d, %s (black) against %s: %s lost by %s: %s", g.Game+1, g.Black, g.White, g.loser(), g.Reason, g.Detail)
}

func (r *report) writeOpenings(w io.Writer, each bool) {
	type line struct {
		black, first tally
	}
	lines := make(map[int]*line)
	distinct := make(map[string]bool)
	for _, g := range r.games {
		l := lines[g.Opening]
		if l == nil {
			l = new(line)
			lines[g.Opening] = l
		}
		l.black.add(g.Game, g.halves(g.Black))
		l.first.add(g.Pair, g.halves(r.m.specs[0].name))
		distinct[g.Black+"\n"+g.White+"\n"+canonical(g.Moves, r.m.Size)] = true
	}
	fmt.Fprintf(w, "Black won %d, White %d, drawn %d; %s; %s\n",
		r.black.wins, r.black.losses, r.black.draws, plural(len(lines), "opening"), plural(len(distinct), "different game"))
	if !each {
		return
	}
	two := len(r.m.specs) == 2
	table := newTable(w)
	fmt.Fprint(table, "\nopening\tgames\tblack won, drawn, lost")
	if two {
		fmt.Fprintf(table, "\t%s", r.m.specs[0].name)
	}
	fmt.Fprintln(table, "\tmoves")
	for _, n := range slices.Sorted(maps.Keys(lines)) {
		l := lines[n]
		fmt.Fprintf(table, "%d\t%d\t%v", n+1, l.black.games(), &l.black)
		if two {
			fmt.Fprintf(table, "\t%.0f%%", 100*l.first.score())
		}
		fmt.Fprintf(table, "\t%s\n", cmp.Or(gomoku.FormatMoves(r.m.openings.moves[n]), "(empty board)"))
	}
	table.Flush()
}

// canonical returns the smallest of the eight ways to see a game, so that games
// that differ by a symmetry alone are the same.
func canonical(moves string, size int) string {
	points, err := gomoku.ParseMoves(moves)
	if err != nil {
		return moves
	}
	best := ""
	turned := make([]gomoku.Point, len(points))
	for s := range gomoku.Symmetry(gomoku.NumSymmetries) {
		for i, p := range points {
			turned[i] = s.Apply(p, size)
		}
		if text := gomoku.FormatMoves(turned); best == "" || text < best {
			best = text
		}
	}
	return best
}
