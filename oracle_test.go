package gomoku

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// This file is the slow truth the tests compare the library with. It is written from the rule
// text alone: a plain grid, full scans, no increments, no tables. It shares nothing with the
// library but the names of the types.

// naiveDirs are the four directions of a line.
var naiveDirs = [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// naiveRules lists every rule with the text form tests use for sub-test names.
var naiveRules = []Rule{Freestyle, Standard, Renju, Caro}

// naiveGrid is a bare board: cell[y][x], row 0 at the bottom.
type naiveGrid struct {
	size int
	rule Rule
	cell [][]Color
}

func newNaiveGrid(size int, rule Rule) *naiveGrid {
	g := &naiveGrid{size: size, rule: rule, cell: make([][]Color, size)}
	for y := range g.cell {
		g.cell[y] = make([]Color, size)
	}
	return g
}

func (g *naiveGrid) inside(x, y int) bool { return 0 <= x && x < g.size && 0 <= y && y < g.size }

// is reports whether the cell exists and holds c.
func (g *naiveGrid) is(x, y int, c Color) bool { return g.inside(x, y) && g.cell[y][x] == c }

func (g *naiveGrid) at(p Point) Color {
	if x, y := p.X(), p.Y(); p != NoPoint && g.inside(x, y) {
		return g.cell[y][x]
	}
	return Empty
}

func (g *naiveGrid) set(p Point, c Color) { g.cell[p.Y()][p.X()] = c }

func (g *naiveGrid) stones() int {
	n := 0
	for _, row := range g.cell {
		for _, c := range row {
			if c != Empty {
				n++
			}
		}
	}
	return n
}

// points lists the cells that hold c, rows from the bottom, then columns from the left.
func (g *naiveGrid) points(c Color) []Point {
	var ps []Point
	for y := range g.size {
		for x := range g.size {
			if g.cell[y][x] == c {
				ps = append(ps, Pt(x, y))
			}
		}
	}
	return ps
}

// naiveWins says whether a maximal run of n stones of colour c wins; blocked means that an
// opponent's stone stands directly at both ends.
func naiveWins(rule Rule, c Color, n int, blocked bool) bool {
	switch rule {
	case Freestyle:
		return n >= 5
	case Standard:
		return n == 5
	case Renju:
		if c == Black {
			return n == 5
		}
		return n >= 5
	case Caro:
		return n == 5 && !blocked
	}
	panic("unknown rule")
}

func naiveOther(c Color) Color {
	if c == Black {
		return White
	}
	return Black
}

// winningRuns scans the whole grid for maximal runs of c that win.
func (g *naiveGrid) winningRuns(c Color) [][]Point {
	var runs [][]Point
	for _, d := range naiveDirs {
		dx, dy := d[0], d[1]
		for y := range g.size {
			for x := range g.size {
				if !g.is(x, y, c) || g.is(x-dx, y-dy, c) {
					continue // not the first stone of a run
				}
				var run []Point
				ex, ey := x, y
				for g.is(ex, ey, c) {
					run = append(run, Pt(ex, ey))
					ex, ey = ex+dx, ey+dy
				}
				o := naiveOther(c)
				if naiveWins(g.rule, c, len(run), g.is(x-dx, y-dy, o) && g.is(ex, ey, o)) {
					runs = append(runs, run)
				}
			}
		}
	}
	return runs
}

// winner scans the grid; if a set-up gave both sides a five, black is named.
func (g *naiveGrid) winner() Color {
	for _, c := range []Color{Black, White} {
		if len(g.winningRuns(c)) > 0 {
			return c
		}
	}
	return Empty
}

// candidates lists the empty points with a stone at most r columns and r rows away; all empty
// points for r = 0. An empty grid gives the centre for r > 0.
func (g *naiveGrid) candidates(r int) []Point {
	r = min(max(r, 0), 4)
	if r == 0 {
		return g.points(Empty)
	}
	if g.stones() == 0 {
		return []Point{Pt(g.size/2, g.size/2)}
	}
	var ps []Point
	for _, p := range g.points(Empty) {
		near := false
		for y := p.Y() - r; y <= p.Y()+r; y++ {
			for x := p.X() - r; x <= p.X()+r; x++ {
				near = near || g.is(x, y, Black) || g.is(x, y, White)
			}
		}
		if near {
			ps = append(ps, p)
		}
	}
	return ps
}

// String draws the grid for failure messages.
func (g *naiveGrid) String() string {
	var sb strings.Builder
	for y := g.size - 1; y >= 0; y-- {
		fmt.Fprintf(&sb, "%2d ", y+1)
		for x := range g.size {
			sb.WriteByte(' ')
			sb.WriteByte(".XO"[g.cell[y][x]])
		}
		sb.WriteByte('\n')
	}
	sb.WriteString("   ")
	for x := range g.size {
		fmt.Fprintf(&sb, " %c", 'a'+x)
	}
	return sb.String()
}

// --- Renju fouls, from the rule text ------------------------------------------------------
//
// Five in a row (exactly five) wins, whatever else the move makes. Otherwise black must not make
// an overline (six or more), a double-four or a double-three.
//
// Four: four stones on one line that one more stone turns into exactly five. Two different sets of
// four stones that contain the new stone are a double-four, on one line too.
//
// Straight four: four stones side by side, which a stone at either end turns into exactly five.
//
// Three: three stones on one line that one more stone turns into a straight four, provided that this
// stone makes no five at the same time and is itself not a foul. Two lines of that kind through
// the new stone are a double-three.

// blackRun returns the first and last offset of the run of black stones through (x, y).
func (g *naiveGrid) blackRun(x, y, dx, dy int) (from, to int) {
	for g.is(x+(from-1)*dx, y+(from-1)*dy, Black) {
		from--
	}
	for g.is(x+(to+1)*dx, y+(to+1)*dy, Black) {
		to++
	}
	return from, to
}

// blackMakes reports whether the black stone on (x, y) stands in a run for whose length ok holds.
func (g *naiveGrid) blackMakes(x, y int, ok func(n int) bool) bool {
	for _, d := range naiveDirs {
		if from, to := g.blackRun(x, y, d[0], d[1]); ok(to - from + 1) {
			return true
		}
	}
	return false
}

func (g *naiveGrid) blackFive(x, y int) bool {
	return g.blackMakes(x, y, func(n int) bool { return n == 5 })
}

func (g *naiveGrid) blackOverline(x, y int) bool {
	return g.blackMakes(x, y, func(n int) bool { return n > 5 })
}

// foursOn returns the distinct sets of four black stones on one line that contain (x, y) and can become
// exactly five by one more stone. A set is a bit mask of offsets, offset o being bit o+4.
func (g *naiveGrid) foursOn(x, y, dx, dy int) []int {
	var sets []int
	for first := -4; first <= 0; first++ { // the window of five that will be filled
		set, black, empty := 0, 0, 0
		for o := first; o <= first+4; o++ {
			switch cx, cy := x+o*dx, y+o*dy; {
			case g.is(cx, cy, Black):
				black++
				set |= 1 << (o + 4)
			case g.is(cx, cy, Empty):
				empty++
			}
		}
		if black != 4 || empty != 1 {
			continue
		}
		longer := g.is(x+(first-1)*dx, y+(first-1)*dy, Black) || g.is(x+(first+5)*dx, y+(first+5)*dy, Black)
		if !longer && !slices.Contains(sets, set) {
			sets = append(sets, set)
		}
	}
	return sets
}

func (g *naiveGrid) fours(x, y int) int {
	n := 0
	for _, d := range naiveDirs {
		n += len(g.foursOn(x, y, d[0], d[1]))
	}
	return n
}

// straightFour reports whether the black stone on (x, y) stands in a straight four of this line, and
// the offsets of its first and last stone.
func (g *naiveGrid) straightFour(x, y, dx, dy int) (from, to int, ok bool) {
	from, to = g.blackRun(x, y, dx, dy)
	if to-from+1 != 4 {
		return from, to, false
	}
	for _, end := range []int{from - 1, to + 1} {
		ex, ey := x+end*dx, y+end*dy
		if !g.is(ex, ey, Empty) {
			return from, to, false
		}
		g.cell[ey][ex] = Black
		f, l := g.blackRun(x, y, dx, dy)
		g.cell[ey][ex] = Empty
		if l-f+1 != 5 {
			return from, to, false
		}
	}
	return from, to, true
}

// threeOn returns the offsets of the three black stones on this line that make the stone on (x, y) part of a three, or
// nil if there is none.
func (g *naiveGrid) threeOn(x, y, dx, dy int) []int {
	for o := -3; o <= 3; o++ {
		qx, qy := x+o*dx, y+o*dy
		if !g.is(qx, qy, Empty) {
			continue
		}
		g.cell[qy][qx] = Black
		from, to, straight := g.straightFour(x, y, dx, dy)
		counts := straight && from <= o && o <= to && !g.blackFive(qx, qy)
		g.cell[qy][qx] = Empty
		if counts && g.foul(qx, qy) == NoFoul {
			var three []int
			for i := from; i <= to; i++ {
				if i != o {
					three = append(three, i)
				}
			}
			return three
		}
	}
	return nil
}

func (g *naiveGrid) threes(x, y int) int {
	n := 0
	for _, d := range naiveDirs {
		if g.threeOn(x, y, d[0], d[1]) != nil {
			n++
		}
	}
	return n
}

// foul names the foul a black stone on (x, y) would be.
func (g *naiveGrid) foul(x, y int) Foul {
	if g.rule != Renju || !g.is(x, y, Empty) {
		return NoFoul
	}
	g.cell[y][x] = Black
	defer func() { g.cell[y][x] = Empty }()
	switch {
	case g.blackFive(x, y):
		return NoFoul
	case g.blackOverline(x, y):
		return Overline
	case g.fours(x, y) >= 2:
		return DoubleFour
	case g.threes(x, y) >= 2:
		return DoubleThree
	}
	return NoFoul
}

func (g *naiveGrid) foulAt(p Point) Foul {
	if p == NoPoint {
		return NoFoul
	}
	return g.foul(p.X(), p.Y())
}

// --- the twin: a game on a naive grid ------------------------------------------------------

type twinMove struct {
	p    Point
	c    Color
	foul bool // played as a foul
}

// twin keeps what a Board is documented to keep and derives everything else by scans.
type twin struct {
	naiveGrid
	turn  Color
	moves []twinMove
}

func newTwin(size int, rule Rule) *twin {
	return &twin{naiveGrid: *newNaiveGrid(size, rule), turn: Black}
}

func (t *twin) clone() *twin {
	c := newTwin(t.size, t.rule)
	for y := range t.cell {
		copy(c.cell[y], t.cell[y])
	}
	c.turn, c.moves = t.turn, slices.Clone(t.moves)
	return c
}

// lostByFoul reports whether the last move was a foul.
func (t *twin) lostByFoul() bool { return len(t.moves) > 0 && t.moves[len(t.moves)-1].foul }

func (t *twin) winner() Color {
	if t.lostByFoul() {
		return White
	}
	return t.naiveGrid.winner()
}

func (t *twin) over() bool { return t.winner() != Empty || t.stones() == t.size*t.size }

func (t *twin) lastMove() Point {
	if len(t.moves) == 0 {
		return NoPoint
	}
	return t.moves[len(t.moves)-1].p
}

// faults lists every reason why a move to p is refused; several may hold at once.
func (t *twin) faults(p Point, foulAllowed bool) []error {
	var errs []error
	if t.over() {
		errs = append(errs, ErrGameOver)
	}
	if p == NoPoint || !t.inside(p.X(), p.Y()) {
		return append(errs, ErrOutside)
	}
	if t.at(p) != Empty {
		errs = append(errs, ErrOccupied)
	}
	if len(errs) == 0 && !foulAllowed && t.turn == Black && t.foulAt(p) != NoFoul {
		errs = append(errs, ErrFoul)
	}
	return errs
}

// play carries a move out that has no fault.
func (t *twin) play(p Point) {
	foul := t.turn == Black && t.foulAt(p) != NoFoul
	t.set(p, t.turn)
	t.moves = append(t.moves, twinMove{p, t.turn, foul})
	t.turn = naiveOther(t.turn)
}

func (t *twin) undo() (Point, bool) {
	if len(t.moves) == 0 {
		return NoPoint, false
	}
	m := t.moves[len(t.moves)-1]
	t.moves = t.moves[:len(t.moves)-1]
	t.set(m.p, Empty)
	t.turn = m.c
	return m.p, true
}

func (t *twin) setStone(p Point, c Color) {
	t.set(p, c)
	t.moves = nil
}

// fresh builds a Board from nothing but the twin's stones and turn, in an order drawn from seed.
func (t *twin) fresh(tb testing.TB, seed uint64) *Board {
	tb.Helper()
	b := mustBoard(tb, t.size, t.rule)
	ps := append(t.points(Black), t.points(White)...)
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(ps), func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
	for _, p := range ps {
		if err := b.SetStone(p, t.at(p)); err != nil {
			tb.Fatalf("SetStone(%v, %v): %v", p, t.at(p), err)
		}
	}
	b.SetTurn(t.turn)
	return b
}

// differences compares every derived value of b with the twin; nil means that all agree.
// full adds the dear ones: all radii, all fouls, the hash of a fresh board, the text form.
func (t *twin) differences(tb testing.TB, b *Board, full bool) []string {
	tb.Helper()
	var diff []string
	check := func(what string, got, want any) {
		if got != want {
			diff = append(diff, fmt.Sprintf("%s = %v, want %v", what, got, want))
		}
	}
	checkPoints := func(what string, arg any, got, want []Point) {
		if !slices.Equal(got, want) {
			diff = append(diff, fmt.Sprintf("%s(%v) = %v, want %v", what, arg, got, want))
		}
	}
	check("Size", b.Size(), t.size)
	check("Rule", b.Rule(), t.rule)
	check("Turn", b.Turn(), t.turn)
	check("Len", b.Len(), t.stones())
	check("LastMove", b.LastMove(), t.lastMove())
	winner := t.winner()
	check("Winner", b.Winner(), winner)
	check("Over", b.Over(), winner != Empty || t.stones() == t.size*t.size)
	for y := -1; y <= t.size; y++ {
		for x := -1; x <= t.size; x++ {
			want := Empty
			if t.inside(x, y) {
				want = t.cell[y][x]
			}
			if x >= 0 && y >= 0 && b.At(Pt(x, y)) != want {
				check("At("+Pt(x, y).String()+")", b.At(Pt(x, y)), want)
			}
		}
	}
	check("At(NoPoint)", b.At(NoPoint), Empty)
	for _, c := range []Color{Empty, Black, White} {
		checkPoints("Stones", c, slices.Collect(b.Stones(c).All()), t.points(c))
	}
	var moves []twinMove
	for p, c := range b.Moves() {
		moves = append(moves, twinMove{p: p, c: c})
	}
	if !slices.EqualFunc(moves, t.moves, func(a, b twinMove) bool { return a.p == b.p && a.c == b.c }) {
		diff = append(diff, fmt.Sprintf("Moves = %v, want %v", moves, t.moves))
	}
	if msg := t.winningLineFault(b.WinningLine()); msg != "" {
		diff = append(diff, msg)
	}
	if !full {
		return diff
	}
	for r := -1; r <= 5; r++ {
		checkPoints("Candidates", r, b.Candidates(r), t.candidates(r))
	}
	check("Hash", b.Hash(), t.fresh(tb, uint64(t.stones())).Hash())
	for _, p := range t.points(Empty) {
		if got, want := b.Foul(p), t.foulAt(p); got != want {
			check("Foul("+p.String()+")", got, want)
		}
	}
	return append(diff, t.textFaults(b)...)
}

// winningLineFault checks that line is one of the winning runs of the winner, in line order,
// through the last stone when there is one.
func (t *twin) winningLineFault(line []Point) string {
	w := t.winner()
	if w == Empty || t.lostByFoul() {
		if line != nil {
			return fmt.Sprintf("WinningLine = %v, want nil", line)
		}
		return ""
	}
	for _, run := range t.winningRuns(w) {
		if last := t.lastMove(); last != NoPoint && !slices.Contains(run, last) {
			continue
		}
		if slices.Equal(line, run) {
			return ""
		}
		slices.Reverse(run)
		if slices.Equal(line, run) {
			return ""
		}
	}
	return fmt.Sprintf("WinningLine = %v, want one of %v", line, t.winningRuns(w))
}

// textFaults checks that the text form survives a round trip with everything a Board carries, its
// history included.
func (t *twin) textFaults(b *Board) []string {
	text, err := b.MarshalText()
	if err != nil {
		return []string{"MarshalText: " + err.Error()}
	}
	var r Board
	if err := r.UnmarshalText(text); err != nil {
		return []string{fmt.Sprintf("UnmarshalText of %q: %v", text, err)}
	}
	var diff []string
	again, err := r.MarshalText()
	if err != nil || string(again) != string(text) {
		diff = append(diff, fmt.Sprintf("text %q became %q (%v)", text, again, err))
	}
	u := t.clone()
	b = b.Clone()
	for {
		w := u.winner()
		if r.Hash() != b.Hash() || r.Turn() != u.turn || r.Winner() != w || r.Over() != (w != Empty || u.stones() == u.size*u.size) {
			diff = append(diff, fmt.Sprintf("text %q: the copy differs %d moves before the end", text, len(t.moves)-len(u.moves)))
			break
		}
		p1, ok1 := r.Undo()
		p2, ok2 := u.undo()
		p3, ok3 := b.Undo()
		if p1 != p2 || ok1 != ok2 || p1 != p3 || ok1 != ok3 {
			diff = append(diff, fmt.Sprintf("text %q: Undo of copy, twin, clone: %v %v, %v %v, %v %v", text, p1, ok1, p2, ok2, p3, ok3))
			break
		}
		if !ok1 {
			break
		}
	}
	return diff
}

// --- helpers of all tests ------------------------------------------------------------------

func mustBoard(tb testing.TB, size int, rule Rule) *Board {
	tb.Helper()
	b, err := NewBoard(size, rule)
	if err != nil {
		tb.Fatalf("NewBoard(%d, %v): %v", size, rule, err)
	}
	return b
}

// splitPoints reads "h8i9j8" without the library's parser.
func splitPoints(tb testing.TB, s string) []Point {
	tb.Helper()
	var ps []Point
	for i := 0; i < len(s); {
		x, y := int(s[i]-'a'), 0
		for i++; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
			y = y*10 + int(s[i]-'0')
		}
		if x < 0 || x > 21 || y < 1 || y > 22 {
			tb.Fatalf("bad point list %q", s)
		}
		ps = append(ps, Pt(x, y-1))
	}
	return ps
}

// setUp puts the two point lists on a new board and a new grid.
func setUp(tb testing.TB, size int, rule Rule, black, white string) (*Board, *twin) {
	tb.Helper()
	b, t := mustBoard(tb, size, rule), newTwin(size, rule)
	for c, s := range map[Color]string{Black: black, White: white} {
		for _, p := range splitPoints(tb, s) {
			if err := b.SetStone(p, c); err != nil {
				tb.Fatalf("SetStone(%v, %v): %v", p, c, err)
			}
			t.setStone(p, c)
		}
	}
	return b, t
}

// readRows reads a file of JSON lines from testdata.
func readRows[T any](tb testing.TB, name string) []T {
	tb.Helper()
	return readRowsOf[T](tb, filepath.Join("testdata", name))
}

// readRowsOf reads a file of JSON lines.
func readRowsOf[T any](tb testing.TB, name string) []T {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var rows []T
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var row T
		if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		rows = append(rows, row)
	}
	if err := sc.Err(); err != nil {
		tb.Fatal(err)
	}
	if len(rows) == 0 {
		tb.Fatalf("%s is empty", name)
	}
	return rows
}

// ruleNamed maps the data files' rule names without the library's parser.
func ruleNamed(tb testing.TB, name string) Rule {
	tb.Helper()
	r, ok := map[string]Rule{"freestyle": Freestyle, "standard": Standard, "renju": Renju, "caro": Caro}[name]
	if !ok {
		tb.Fatalf("unknown rule %q", name)
	}
	return r
}
