package gomoku

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// This file tells Threats a second time, on a bare grid with full scans. A line is a list of
// points from edge to edge; whatever is asked of it is asked of every point of it.

// naiveUnit is a four or three in the making: the stones, and a point that completes them.
type naiveUnit struct {
	kind   ThreatKind
	stones map[Point]bool
	ways   map[Point]bool
}

func pointSetOf(ps ...Point) map[Point]bool {
	s := map[Point]bool{}
	for _, p := range ps {
		s[p] = true
	}
	return s
}

func overlap(a, b map[Point]bool) bool {
	for p := range a {
		if b[p] {
			return true
		}
	}
	return false
}

func addAll(dst, src map[Point]bool) {
	for p := range src {
		dst[p] = true
	}
}

// linesOf lists the lines of the grid that can hold a five.
func (g *naiveGrid) linesOf() [][]Point {
	var lines [][]Point
	for _, d := range naiveDirs {
		for y := range g.size {
			for x := range g.size {
				if g.inside(x-d[0], y-d[1]) {
					continue
				}
				var line []Point
				for cx, cy := x, y; g.inside(cx, cy); cx, cy = cx+d[0], cy+d[1] {
					line = append(line, Pt(cx, cy))
				}
				if len(line) >= 5 {
					lines = append(lines, line)
				}
			}
		}
	}
	return lines
}

// rowOn returns the row of stones of c through the i-th point of a line, if it wins.
func (g *naiveGrid) rowOn(line []Point, i int, c Color) []Point {
	at := func(i int) Color {
		if i < 0 || i >= len(line) {
			return Empty
		}
		return g.at(line[i])
	}
	if at(i) != c {
		return nil
	}
	from, to := i, i
	for at(from-1) == c {
		from--
	}
	for at(to+1) == c {
		to++
	}
	o := naiveOther(c)
	if !naiveWins(g.rule, c, to-from+1, at(from-1) == o && at(to+1) == o) {
		return nil
	}
	return line[from : to+1]
}

// rowIf is rowOn with one more stone of c at the empty i-th point.
func (g *naiveGrid) rowIf(line []Point, i int, c Color) []Point {
	if g.at(line[i]) != Empty {
		return nil
	}
	g.set(line[i], c)
	defer g.set(line[i], Empty)
	return g.rowOn(line, i, c)
}

// joined puts units that share stones together until none do.
func joined(units []naiveUnit) []naiveUnit {
	for i := range units {
		for j := range i {
			if overlap(units[i].stones, units[j].stones) {
				addAll(units[j].stones, units[i].stones)
				addAll(units[j].ways, units[i].ways)
				return joined(slices.Delete(slices.Clone(units), i, i+1))
			}
		}
	}
	return units
}

// foursOf lists the fours of a line.
func (g *naiveGrid) foursOf(line []Point, c Color) []naiveUnit {
	ways := map[int]map[Point]bool{}
	for i, q := range line {
		if row := g.rowIf(line, i, c); row != nil {
			s := pointSetOf(row...)
			delete(s, q)
			ways[i] = s
		}
	}
	var open, rest []naiveUnit
	ofOpen := map[int]bool{}
	for i := 0; i+5 < len(line); i++ {
		four := line[i+1 : i+5]
		if ways[i] != nil && ways[i+5] != nil && !slices.ContainsFunc(four, func(p Point) bool { return g.at(p) != c }) {
			open = append(open, naiveUnit{OpenFourThreat, pointSetOf(four...), pointSetOf(line[i], line[i+5])})
			ofOpen[i], ofOpen[i+5] = true, true
		}
	}
	for i := range line {
		if ways[i] != nil && !ofOpen[i] {
			rest = append(rest, naiveUnit{DoubleFourThreat, ways[i], pointSetOf(line[i])})
		}
	}
	all := append(open, joined(rest)...)
	for i := range all {
		for _, p := range line {
			if g.at(p) != Empty {
				continue
			}
			g.set(p, naiveOther(c))
			if !g.anyFive(line, c, all[i].ways) {
				all[i].kind = FourThreat
			}
			g.set(p, Empty)
		}
	}
	return all
}

// anyFive reports whether c makes a five at one of the points.
func (g *naiveGrid) anyFive(line []Point, c Color, ways map[Point]bool) bool {
	for i, q := range line {
		if ways[q] && g.rowIf(line, i, c) != nil {
			return true
		}
	}
	return false
}

// stepsToThree lists, for each point of the line where c may make an open or double four, the stones
// that the point makes one of.
func (g *naiveGrid) stepsToThree(line []Point, c Color, taken map[Point]bool) []naiveUnit {
	var units []naiveUnit
	for i, e := range line {
		if g.at(e) != Empty || g.rowIf(line, i, c) != nil {
			continue
		}
		fouls := g.rule == Renju && c == Black
		if fouls && (g.foulAt(e) != NoFoul || g.blackFiveIf(e)) {
			continue
		}
		g.set(e, c)
		for _, u := range g.foursOf(line, c) {
			if !u.stones[e] || u.kind == FourThreat || fouls && u.kind != OpenFourThreat {
				continue
			}
			delete(u.stones, e)
			if !overlap(u.stones, taken) {
				units = append(units, naiveUnit{u.kind, u.stones, pointSetOf(e)})
			}
		}
		g.set(e, Empty)
	}
	return units
}

// blackFiveIf reports whether a black stone at the empty point p makes a five, on any line.
func (g *naiveGrid) blackFiveIf(p Point) bool {
	g.set(p, Black)
	defer g.set(p, Empty)
	return g.blackFive(p.X(), p.Y())
}

func (g *naiveGrid) threatsOf(line []Point, c Color) []Threat {
	var list []Threat
	taken := map[Point]bool{}
	for i := range line {
		if row := g.rowOn(line, i, c); row != nil && row[0] == line[i] {
			list = append(list, Threat{Kind: FiveThreat, Stones: inOrder(pointSetOf(row...))})
			addAll(taken, pointSetOf(row...))
		}
	}
	fives := maps.Clone(taken)
	for _, u := range g.foursOf(line, c) {
		if overlap(u.stones, fives) {
			continue
		}
		list = append(list, g.threat(u, c, func() bool { return g.anyFive(line, c, u.ways) }))
		addAll(taken, u.stones)
	}
	units := g.stepsToThree(line, c, taken)
	var threes, doubles []naiveUnit
	for _, u := range units {
		if u.kind == OpenFourThreat {
			threes = append(threes, naiveUnit{u.kind, pointSetOf(inOrder(u.stones)...), pointSetOf(inOrder(u.ways)...)})
		}
	}
	threes = joined(threes)
	for _, u := range units {
		if u.kind == OpenFourThreat {
			continue
		}
		part := false
		for _, o := range threes {
			if overlap(o.stones, u.stones) {
				addAll(o.ways, u.ways)
				part = true
			}
		}
		if !part {
			doubles = append(doubles, naiveUnit{u.kind, pointSetOf(inOrder(u.stones)...), pointSetOf(inOrder(u.ways)...)})
		}
	}
	for _, u := range append(threes, joined(doubles)...) {
		u.kind = OpenThreeThreat
		if len(u.ways) == 1 {
			u.kind = BrokenThreeThreat
		}
		list = append(list, g.threat(u, c, func() bool {
			return slices.ContainsFunc(g.stepsToThree(line, c, taken), func(o naiveUnit) bool { return overlap(o.stones, u.stones) })
		}))
	}
	return list
}

// threat tries every empty point of the grid as a defence.
func (g *naiveGrid) threat(u naiveUnit, c Color, stands func() bool) Threat {
	t := Threat{Kind: u.kind, Stones: inOrder(u.stones), Completing: inOrder(u.ways)}
	o := naiveOther(c)
	for _, p := range g.points(Empty) {
		if o == Black && g.foulAt(p) != NoFoul {
			continue
		}
		g.set(p, o)
		if !stands() {
			t.Defending = append(t.Defending, p)
		}
		g.set(p, Empty)
	}
	return t
}

func (g *naiveGrid) threats(c Color) []Threat {
	var list []Threat
	for _, line := range g.linesOf() {
		list = append(list, g.threatsOf(line, c)...)
	}
	sortThreats(list)
	return list
}

func sortThreats(list []Threat) {
	slices.SortFunc(list, func(s, t Threat) int {
		if s.Kind != t.Kind {
			return int(t.Kind) - int(s.Kind)
		}
		return slices.Compare(s.Stones, t.Stones)
	})
}

// crowdedBoard puts stones at random, some of them in rows, so that there is something to find.
func crowdedBoard(tb testing.TB, rng *rand.Rand, size int, rule Rule) (*Board, *naiveGrid) {
	b, g := mustBoard(tb, size, rule), newNaiveGrid(size, rule)
	put := func(x, y int, c Color) {
		if g.inside(x, y) {
			g.cell[y][x] = c
			b.setStone(Pt(x, y), c)
		}
	}
	noise, rows, long := rng.IntN(30), 1+rng.IntN(size/2), 5
	if rng.IntN(2) == 0 { // little but whole lines
		noise, rows, long = rng.IntN(4), 1+rng.IntN(2), size
	}
	for range size * size * noise / 100 {
		put(rng.IntN(size), rng.IntN(size), Color(1+rng.IntN(2)))
	}
	for range rows {
		x, y, d, c := rng.IntN(size), rng.IntN(size), naiveDirs[rng.IntN(4)], Color(1+rng.IntN(2))
		for i := -long; i <= long; i++ {
			switch rng.IntN(16) {
			case 0, 1, 2, 3, 4, 5, 6, 7:
				put(x+i*d[0], y+i*d[1], c)
			case 8:
				put(x+i*d[0], y+i*d[1], naiveOther(c))
			default:
				put(x+i*d[0], y+i*d[1], Empty)
			}
		}
	}
	b.winner = b.findWinner()
	return b, g
}

func TestThreatsMatchDefinition(t *testing.T) {
	for _, rule := range naiveRules {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(3, uint64(rule)))
			seen := map[ThreatKind]int{}
			rounds := 250
			if raceEnabled || testing.Short() {
				rounds = 25
			}
			for i := range rounds {
				size := MinSize + rng.IntN(9)
				if i%50 == 0 {
					size = 15 + rng.IntN(MaxSize-15+1)
				}
				b, g := crowdedBoard(t, rng, size, rule)
				for _, c := range []Color{Black, White} {
					want := g.threats(c)
					require.Equal(t, want, Threats(b, c), "%v\n%v", c, g)
					for _, w := range want {
						seen[w.Kind]++
					}
				}
			}
			if rounds > 100 {
				for kind := BrokenThreeThreat; kind <= FiveThreat; kind++ {
					assert.NotZero(t, seen[kind], "%v", kind)
				}
			}
		})
	}
}

// swapped returns the board with the colours of all stones changed.
func swapped(tb testing.TB, b *Board) *Board {
	s := mustBoard(tb, b.Size(), b.Rule())
	for _, c := range []Color{Black, White} {
		for p := range b.Stones(c).All() {
			s.setStone(p, c.Opponent())
		}
	}
	s.winner = s.findWinner()
	return s
}

// TestThreatsKeepTheirWord checks on larger boards what the documentation says of each threat by playing it out, and that
// mirror images and exchanged colours have the same threats.
func TestThreatsKeepTheirWord(t *testing.T) {
	for _, rule := range naiveRules {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(4, uint64(rule)))
			rounds := 120
			if raceEnabled || testing.Short() {
				rounds = 15
			}
			for range rounds {
				b, g := crowdedBoard(t, rng, MinSize+rng.IntN(MaxSize-MinSize+1), rule)
				before := b.Clone()
				for _, c := range []Color{Black, White} {
					list := Threats(b, c)
					require.Equal(t, before, b.Clone(), "the board is as it was")
					for _, threat := range list {
						checkThreat(t, b, c, threat)
					}
					s := Symmetry(rng.IntN(NumSymmetries))
					image := Threats(s.ApplyBoard(b), c)
					for i := range image {
						for _, ps := range [...][]Point{image[i].Stones, image[i].Completing, image[i].Defending} {
							for j, p := range ps {
								ps[j] = s.Inverse().Apply(p, b.Size())
							}
							slices.Sort(ps)
						}
					}
					sortThreats(image)
					require.Equal(t, list, image, "symmetry %d of\n%v", s, g)
					if rule != Renju {
						require.Equal(t, list, Threats(swapped(t, b), c.Opponent()), "colours exchanged\n%v", g)
					}
				}
			}
		})
	}
}

func checkThreat(t *testing.T, b *Board, c Color, threat Threat) {
	t.Helper()
	note := fmt.Sprintf("%v %v of\n%v", c, threat, b)
	for _, p := range threat.Stones {
		require.Equal(t, c, b.At(p), note)
	}
	for _, ps := range [...][]Point{threat.Stones, threat.Completing, threat.Defending} {
		require.True(t, slices.IsSorted(ps), note)
		require.Equal(t, ps, slices.Compact(slices.Clone(ps)), note)
	}
	x, y := threat.Stones[0].X(), threat.Stones[0].Y()
	last := threat.Stones[len(threat.Stones)-1]
	dx, dy := last.X()-x, last.Y()-y
	for _, p := range append(slices.Clone(threat.Stones), threat.Completing...) {
		require.Zero(t, dx*(p.Y()-y)-dy*(p.X()-x), "off the line: "+note)
	}
	for _, p := range append(slices.Clone(threat.Completing), threat.Defending...) {
		require.Equal(t, Empty, b.At(p), note)
	}
	for _, p := range threat.Defending {
		require.True(t, c == Black || b.Foul(p) == NoFoul, "a defence must be legal: "+note)
	}
	// What the threat's stones are part of once something has been played.
	reached := func(p Point, stone Color) ThreatKind {
		n := b.Clone()
		n.setStone(p, stone)
		best := NoThreat
		for _, o := range Threats(n, c) {
			if slices.ContainsFunc(o.Stones, func(q Point) bool { return slices.Contains(threat.Stones, q) }) && onLine(threat, o) {
				best = max(best, o.Kind)
			}
		}
		return best
	}
	switch threat.Kind {
	case FiveThreat:
		require.Empty(t, threat.Completing, note)
		require.Empty(t, threat.Defending, note)
	case FourThreat, DoubleFourThreat, OpenFourThreat:
		for _, p := range threat.Completing {
			require.Equal(t, FiveThreat, reached(p, c), "%v: %s", p, note)
		}
		if threat.Kind != FourThreat {
			require.Greater(t, len(threat.Completing), 1, note)
			require.Empty(t, threat.Defending, note)
		} else if c == Black || b.Rule() != Renju {
			require.NotEmpty(t, threat.Defending, note)
		}
	case OpenThreeThreat, BrokenThreeThreat:
		require.Equal(t, threat.Kind == OpenThreeThreat, len(threat.Completing) > 1, note)
		for _, p := range threat.Completing {
			require.GreaterOrEqual(t, reached(p, c), DoubleFourThreat, "%v: %s", p, note)
			require.True(t, c == White || b.Foul(p) == NoFoul, note)
		}
		for _, p := range threat.Defending {
			// The stones may be part of a four that was there before.
			kind := reached(p, c.Opponent())
			require.False(t, kind == BrokenThreeThreat || kind == OpenThreeThreat, "%v: %s", p, note)
		}
	default:
		t.Fatal(note)
	}
}

// onLine reports whether two threats lie on the same line.
func onLine(a, b Threat) bool {
	x, y := a.Stones[0].X(), a.Stones[0].Y()
	last := a.Stones[len(a.Stones)-1]
	return !slices.ContainsFunc(b.Stones, func(p Point) bool {
		return (last.X()-x)*(p.Y()-y) != (last.Y()-y)*(p.X()-x)
	})
}

// lineMark is what a row of line_patterns.jsonl marks a cell with, told from the shape that a stone makes of its line.
// The rows name things by their own words:
//
//   - "open_three" is any stone that one more makes a straight four: an open or a broken three.
//   - "closed_four" counts the fours a stone makes that are not straight; two on one line are a twin four, mark 2.
//   - "double_four" and "overline" are the fouls of Renju: a twin four, a row too long.
//
// A shape is the best that a stone makes of its line, a mark is given for each thing asked; no row asks for a lesser of
// two. Rows know one line only, so that the recursive test of a Renju three, which asks for double threes on other
// lines, never decides one. Thus the shapes agree with every row, and so do the threats but for otherThreats.
func lineMark(query string, s Shape) byte {
	switch {
	case query == "open_three" && (s == OpenThree || s == BrokenThree),
		query == "closed_four" && s == SingleFour,
		query == "open_four" && s == OpenFour,
		query == "double_four" && s == TwinFour,
		query == "overline" && s == LongShape,
		query == "five" && s == FiveShape:
		return '1'
	case query == "closed_four" && s == TwinFour:
		return '2'
	}
	return '.'
}

// threatMark is lineMark told from the threats that the stone at p is part of.
func threatMark(query string, list []Threat, p Point) byte {
	marks := map[string]map[ThreatKind]byte{
		"open_three":  {OpenThreeThreat: '1', BrokenThreeThreat: '1'},
		"closed_four": {FourThreat: '1', DoubleFourThreat: '2'},
		"open_four":   {OpenFourThreat: '1'},
		"double_four": {DoubleFourThreat: '1'},
		"five":        {FiveThreat: '1'},
	}
	for _, t := range list { // the strongest first
		if slices.Contains(t.Stones, p) {
			if m, ok := marks[query][t.Kind]; ok {
				return m
			}
			break
		}
	}
	return '.'
}

// otherThreats has the rows whose marks differ from the threats that are on the board once the stone is. A row asks for
// the fours and threes of the new stone alone, a threat is all of the stones that share it.
var otherThreats = map[string]string{
	// ...XO.OO..O... : a further stone makes it O.OOO.O, a double four of White's. It is no straight four, and the stone
	// is part of but one of the two fours. Threats has it as a broken three.
	"line-0005": "....11........",
	// X.XXX.X : the row counts one four made; with the one that was there it is a double four.
	"line-0162": ".....12.",
}

func TestLinePatterns(t *testing.T) {
	asked := map[string]int{}
	for _, row := range readRows[lineRow](t, "line_patterns.jsonl") {
		asked[row.Query]++
		c := row.colour()
		for name, l := range row.layouts(t) {
			d := slices.Index([]string{"row", "column", "rising", "falling"}, strings.TrimSuffix(name, " backwards"))
			shapes, threats := []byte(nil), []byte(nil)
			for _, p := range l.points {
				if l.g.at(p) != Empty {
					assert.Equal(t, [4]Shape{}, ShapesAt(l.b, p, c))
					shapes, threats = append(shapes, '.'), append(threats, '.')
					continue
				}
				shapes = append(shapes, lineMark(row.Query, ShapesAt(l.b, p, c)[d]))
				require.NoError(t, l.b.SetStone(p, c))
				threats = append(threats, threatMark(row.Query, Threats(l.b, c), p))
				require.NoError(t, l.b.SetStone(p, Empty))
			}
			note := fmt.Sprintf("%s, %s, %s of %s in %s", row.ID, name, row.Query, row.Colour, row.Line)
			assert.Equal(t, row.Expected, string(shapes), "shapes of %s", note)
			want := row.Expected
			if other, ok := otherThreats[row.ID]; ok {
				assert.NotEqual(t, row.Expected, other)
				want = other
			}
			if row.Query != "overline" { // no threat
				assert.Equal(t, want, string(threats), "threats of %s", note)
			}
		}
	}
	assert.Equal(t, map[string]int{
		"open_three": 42, "closed_four": 39, "open_four": 26, "five": 14, "double_four": 6, "overline": 3,
	}, asked, "every row is asked")
}

func (t Threat) text() string {
	return fmt.Sprintf("%v %v > %v < %v", t.Kind, FormatMoves(t.Stones), FormatMoves(t.Completing), FormatMoves(t.Defending))
}

func TestThreatsByHand(t *testing.T) {
	for _, tc := range []struct {
		name         string
		size         int
		rules        []Rule
		black, white string
		colour       Color
		want         []string
	}{
		{"three", 15, []Rule{Freestyle, Standard, Renju}, "h8i8j8", "", Black, []string{"open three h8i8j8 > g8k8 < g8k8"}},
		{
			// At f8, k8 leaves ".XXXX." of which one stone at l8 would stop both fives.
			"three", 15, []Rule{Caro}, "h8i8j8", "", Black, []string{"open three h8i8j8 > g8k8 < f8g8k8l8"},
		},
		{"three with a gap", 15, naiveRules[:3], "h8i9k11", "", Black, []string{"broken three h8i9k11 > j10 < g7j10l12"}},
		{"three at a distance of one", 15, naiveRules[:3], "", "h8h9h10h6", White, []string{"four h6h8h9h10 > h7 < h7"}},
		{"three beside the edge", 22, naiveRules[:3], "s22t22u22", "", Black, []string{"broken three s22t22u22 > r22 < q22r22v22"}},
		{"three beside the edge", 22, []Rule{Caro}, "s22t22u22", "", Black, []string{"broken three s22t22u22 > r22 < p22q22r22v22"}},
		{"three one off the corner", 22, naiveRules[:3], "v4v3v2", "", Black, []string{"broken three v2v3v4 > v5 < v1v5v6"}},
		{"three in the corner", 22, naiveRules, "t22u22v22v1u2t3", "", Black, nil},
		{"nothing", 15, naiveRules, "", "h8", Black, nil},
		{"no room", 5, naiveRules, "b1c1d1b3c3d3b5", "a5", Black, nil},
		{"four along the edge", 5, naiveRules, "a1b1c1d1", "", Black, []string{"four a1b1c1d1 > e1 < e1"}},
		{"five", 5, naiveRules, "", "a1b2c3d4e5", White, []string{"five a1b2c3d4e5 >  < "}},
		{"five of six", 15, naiveRules[:1], "a8b8c8d8e8f8", "", Black, []string{"five a8b8c8d8e8f8 >  < "}},
		{"overline", 15, naiveRules[1:], "a8b8c8d8e8f8", "", Black, nil},
		{"six to come", 15, naiveRules[:1], "a8b8c8d8f8", "", Black, []string{"four a8b8c8d8f8 > e8 < e8"}},
		{"six to come", 15, naiveRules[1:], "a8b8c8d8f8", "", Black, nil},
		{"six to come for White", 15, []Rule{Renju}, "", "a8b8c8d8f8", White, []string{"four a8b8c8d8f8 > e8 < e8"}},
		{"open four", 15, naiveRules, "h8i7j6k5", "", Black, []string{"open four k5j6i7h8 > l4g9 < "}},
		{"double four", 15, naiveRules[:3], "d8f8g8h8j8", "", Black, []string{"double four d8f8g8h8j8 > e8i8 < "}},
		{"two fours of disjoint stones", 22, naiveRules, "a8b8c8d8s8t8u8v8", "", Black, []string{"four a8b8c8d8 > e8 < e8", "four s8t8u8v8 > r8 < r8"}},
		{
			// i8 makes a double four of the two threes.
			"two threes on a line", 15, naiveRules[:2], "e8f8g8k8l8m8", "", Black,
			[]string{"open three e8f8g8 > d8h8i8 < h8", "open three k8l8m8 > i8j8n8 < j8"},
		},
		{
			"two threes on a line", 15,
			[]Rule{Renju},
			"e8f8g8k8l8m8", "", Black,
			[]string{"open three e8f8g8 > d8h8 < d8h8", "open three k8l8m8 > j8n8 < j8n8"},
		},
		{
			"threes that need each other", 15,
			[]Rule{Freestyle, Standard},
			"d8f8h8j8", "", Black,
			[]string{"broken three d8f8h8j8 > g8 < e8g8i8"},
		},
		{"threes that need each other", 15, []Rule{Renju}, "d8f8h8j8", "", Black, nil},
		{"threes that need each other", 15, []Rule{Renju}, "", "d8f8h8j8", White, []string{"broken three d8f8h8j8 > g8 < e8g8i8"}},
		{
			// g8 and k8 would make a second four: column g or k.
			"no real three", 15, []Rule{Renju}, "h8i8j8g5g6g7k5k6k7", "g4k4", Black, nil,
		},
		{"no foul, a three", 15, []Rule{Standard}, "h8i8j8g5g6g7k5k6k7", "g4k4", Black, []string{"open three h8i8j8 > g8k8 < g8k8"}},
		{"no foul, a three", 15, []Rule{Renju}, "g4k4", "h8i8j8g5g6g7k5k6k7", White, []string{"open three h8i8j8 > g8k8 < g8k8"}},
		{
			// With g9 taken g8 makes one four only.
			"half a three", 15, []Rule{Renju}, "h8i8j8g5g6g7k5k6k7", "g4k4g9", Black, []string{"broken three h8i8j8 > g8 < f8g8k8"},
		},
		{
			// k8 completes the row and makes a three of column k. The diagonal k8 l9 m10 is none: n11, which would make
			// it a straight four, is a double four with column n. At n12 White lifts that foul; then k8 is a
			// double-three.
			"a defence far away", 15,
			[]Rule{Renju},
			"h8i8j8k6k7l9m10n8n9n10", "f8i6n7", Black,
			[]string{"broken three h8i8j8 > k8 < g8k8l8n12"},
		},
		{"a foul stops no four", 15, []Rule{Renju}, "d8i9i10j9k10", "e8f8g8h8", White, []string{"four e8f8g8h8 > i8 < "}},
		{"a stone stops a four", 15, naiveRules[:2], "d8i9i10j9k10", "e8f8g8h8", White, []string{"four e8f8g8h8 > i8 < i8"}},
		{"one stone for two fives", 15, []Rule{Caro}, "d8e8f8g8", "b8i8", Black, []string{"four d8e8f8g8 > c8h8 < c8h8"}},
		{"one stone at one end", 15, []Rule{Caro}, "d8e8f8g8", "i8", Black, []string{"four d8e8f8g8 > c8h8 < c8"}},
		{"beyond the five", 15, []Rule{Caro}, "d8e8f8g8", "c8", Black, []string{"four d8e8f8g8 > h8 < h8i8"}},
		{"nothing to win", 15, []Rule{Caro}, "d8e8f8g8", "c8i8", Black, nil},
		{"nothing to win", 15, []Rule{Caro}, "d8e8f8g8h8", "c8i8", Black, nil},
	} {
		for _, rule := range tc.rules {
			t.Run(fmt.Sprintf("%s/%v", tc.name, rule), func(t *testing.T) {
				b, _ := setUp(t, tc.size, rule, tc.black, tc.white)
				var got []string
				for _, threat := range Threats(b, tc.colour) {
					got = append(got, threat.text())
				}
				assert.Equal(t, tc.want, got, "%v", b)
			})
		}
	}
}

var shapePoints = flag.String("shapepoints", "", "file of positions with all points of a kind, for TestShapePoints")

// shapePointsRow asks for all points where Black makes an open three, or a closed four, or where White stops the victory
// by fours that Black threatens.
type shapePointsRow struct {
	ID, Rule, Black, White, Query string
	Size                          int
	Expected                      []string
}

// TestShapePoints measures how far shapes, threats and the search for victories by fours agree with a file of puzzles that
// is not part of the repository:
//
//	go test -run TestShapePoints -v -shapepoints FILE
func TestShapePoints(t *testing.T) {
	if *shapePoints == "" {
		t.Skip("no -shapepoints file")
	}
	type tally struct{ rows, same, points, found, extra int }
	rates := map[string]*tally{}
	count := func(name string, row shapePointsRow, got []Point) {
		r := rates[name]
		if r == nil {
			r = new(tally)
			rates[name] = r
		}
		var words []string
		for _, p := range got {
			words = append(words, p.String())
		}
		want := slices.Sorted(slices.Values(row.Expected))
		slices.Sort(words)
		r.rows++
		r.points += len(want)
		for _, w := range words {
			if slices.Contains(want, w) {
				r.found++
			} else {
				r.extra++
			}
		}
		if slices.Equal(words, want) {
			r.same++
		} else {
			t.Logf("%s of %s: %v, the file has %v", name, row.ID, words, want)
		}
	}
	for _, row := range readRowsOf[shapePointsRow](t, *shapePoints) {
		b, _ := setUp(t, row.Size, ruleNamed(t, row.Rule), row.Black, row.White)
		var byShape, byThreat, byVCF []Point
		for p := range b.Stones(Empty).All() {
			n := b.Clone()
			if row.Query == "vcf_defence_points" {
				n.setStone(p, White)
				if n.SetTurn(Black); !hasVCF(n) {
					byVCF = append(byVCF, p)
				}
				continue
			}
			if b.Foul(p) != NoFoul {
				continue
			}
			query := strings.TrimSuffix(row.Query, "_points")
			for _, s := range ShapesAt(b, p, Black) {
				if lineMark(query, s) != '.' {
					byShape = append(byShape, p)
					break
				}
			}
			n.setStone(p, Black)
			for _, threat := range Threats(n, Black) {
				if threatMark(query, []Threat{threat}, p) != '.' {
					byThreat = append(byThreat, p)
					break
				}
			}
		}
		if row.Query == "vcf_defence_points" {
			count(row.Query+" by VCF", row, byVCF)
			continue
		}
		count(row.Query+" by shapes", row, byShape)
		count(row.Query+" by threats", row, byThreat)
	}
	for _, name := range slices.Sorted(maps.Keys(rates)) {
		r := rates[name]
		t.Logf("%s: %d of %d rows agree; %d of %d points found, %d others", name, r.same, r.rows, r.found, r.points, r.extra)
	}
}

// hasVCF reports whether the side to move wins by fours.
func hasVCF(b *Board) bool {
	cfg := defaults
	s := &searcher{stop: new(atomic.Bool)}
	s.setUp(b, &cfg)
	return s.findVCF(1<<30) > 0
}

func TestThreatsOfNobody(t *testing.T) {
	b, _ := setUp(t, 15, Freestyle, "h8i8j8", "h1i1j1")
	assert.Nil(t, Threats(b, Empty))
	assert.Nil(t, Threats(b, Color(3)))
}

// TestThreatsOfAFinishedGame looks at a position that is won: the threats are those of its stones.
func TestThreatsOfAFinishedGame(t *testing.T) {
	b, err := ParseBoard(15, Freestyle, "h8a1i8b1j8c1k8d1l8")
	require.NoError(t, err)
	require.True(t, b.Over())
	list := Threats(b, White)
	require.Len(t, list, 1)
	assert.Equal(t, "four a1b1c1d1 > e1 < e1", list[0].text())
	list = Threats(b, Black)
	require.Len(t, list, 1)
	assert.Equal(t, FiveThreat, list[0].Kind)
}

func TestThreatText(t *testing.T) {
	b, _ := setUp(t, 15, Standard, "h8i8j8", "")
	text, err := json.Marshal(Threats(b, Black))
	require.NoError(t, err)
	assert.JSONEq(t, `[{"kind": "open three", "stones": ["h8", "i8", "j8"], "completing": ["g8", "k8"], "defending": ["g8", "k8"]}]`, string(text))
	assert.Equal(t, "none", NoThreat.String())
	assert.Equal(t, "five", FiveThreat.String())
	assert.Equal(t, "ThreatKind(7)", (FiveThreat + 1).String())
}

func BenchmarkThreats(b *testing.B) {
	for _, rule := range naiveRules {
		b.Run("rule="+rule.String(), func(b *testing.B) {
			board, err := ParseBoard(15, rule, "e8d8f8f6g8g6h8i6h9c5h10b4")
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				Threats(board, Black)
			}
		})
	}
}
