package gomoku

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTrackerFollowsBoard plays and takes back at random and compares the
// tracker, after every step, with one that looks at the position afresh.
func TestTrackerFollowsBoard(t *testing.T) {
	for rule := Freestyle; rule <= Caro; rule++ {
		for size := MinSize; size <= MaxSize; size++ {
			t.Run(fmt.Sprintf("%v/size=%d", rule, size), func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(uint64(rule), uint64(size)))
				b, err := NewBoard(size, rule)
				require.NoError(t, err)
				followed, fresh := new(tracker), new(tracker)
				followed.reset(b, DefaultShapeWeights())
				for range 300 {
					if rng.IntN(4) == 0 || b.Over() {
						for k := rng.IntN(8); k >= 0 && len(b.history) > 0; k-- {
							b.Undo()
							followed.undo()
						}
					} else {
						c := b.Candidates(2)
						if len(c) == 0 {
							c = b.Candidates(0)
						}
						p := c[rng.IntN(len(c))]
						b.place(p)
						followed.place(p)
					}
					fresh.reset(b, DefaultShapeWeights())
					require.Equal(t, fresh.sums, followed.sums, "%v", b)
					require.Equal(t, fresh.sets, followed.sets, "%v", b)
					for p := range b.Stones(Empty).All() {
						require.Equal(t, fresh.points[p], followed.points[p], "%v\n%v", p, b)
					}
				}
			})
		}
	}
}

// TestTrackerFollowsFours: after any number of placeFour the fours and fives are those
// of a tracker that looks at the position afresh, and taken back they leave no trace.
func TestTrackerFollowsFours(t *testing.T) {
	// What placeFour promises to tell apart.
	known := func(c Class) Class {
		switch {
		case c < FourClass:
			return NoClass
		case c <= FourThreeClass:
			return FourClass
		}
		return c
	}
	for rule := Freestyle; rule <= Caro; rule++ {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(4, uint64(rule)))
			fours := 0
			for range 250 {
				b, err := NewBoard(7+rng.IntN(9), rule)
				require.NoError(t, err)
				followed, fresh := new(tracker), new(tracker)
				followed.reset(b, DefaultShapeWeights())
				// Stones close together, and more of one side in some games.
				play := func(place func(Point)) {
					c := b.Candidates(1 + rng.IntN(2))
					if len(c) == 0 {
						c = b.Candidates(0)
					}
					if len(c) > 0 {
						p := c[rng.IntN(len(c))]
						b.place(p)
						place(p)
					}
				}
				for range rng.IntN(30) {
					if rng.IntN(3) == 0 {
						b.SetTurn(Black)
					}
					play(followed.place)
				}
				fresh.reset(b, DefaultShapeWeights())
				before := *fresh
				n := len(b.history)
				for range 12 {
					play(followed.placeFour)
					fresh.reset(b, DefaultShapeWeights())
					for side := range 2 {
						var want, got [numClasses]PointSet
						for p := range b.Stones(Empty).All() {
							want[known(fresh.class(p, side))].Add(p)
							got[known(followed.class(p, side))].Add(p)
						}
						require.Equal(t, want, got, "%v\n%v", Color(side+1), b)
						require.Equal(t, fresh.fourPoints(side), followed.fourPoints(side))
						require.Equal(t, fresh.sets[side][FiveClass], followed.sets[side][FiveClass])
						require.Equal(t, fresh.sums.count[side].fours(), followed.sums.count[side].fours())
						require.Equal(t, fresh.sums.count[side][FiveClass], followed.sums.count[side][FiveClass])
						fours += fresh.sums.count[side].fours()
					}
				}
				for len(b.history) > n {
					b.Undo()
					followed.undo()
				}
				require.Equal(t, before.sums, followed.sums)
				require.Equal(t, before.sets, followed.sets)
				for p := range b.Stones(Empty).All() {
					require.Equal(t, before.points[p], followed.points[p], "%v", p)
				}
			}
			require.Greater(t, fours, 1000)
		})
	}
}

// naiveShape is the recursive definition of Shape, told with a board: one line,
// stones put on it and taken off again, the rule asked for every five.
func naiveShape(b *Board, p Point, c Color, d int) Shape {
	five := func(q Point) bool { return b.rule.spec().five(b.lines.window(q, d).with(c), c) }
	if five(p) {
		return FiveShape
	}
	// The row through p, too long to win.
	if b.rule.spec().exact[c] && len(b.run(p, d, c)) > 5 {
		return LongShape
	}
	b.lines.flip(p, c)
	defer b.lines.flip(p, c)
	var ways [numShapes]int
	var fives []int
	for i := -4; i <= 4; i++ {
		q := p + Point(i)*step[d]
		dx, dy := i, i
		switch d {
		case horizontal:
			dy = 0
		case vertical:
			dx = 0
		case falling:
			dy = -i
		}
		if Pt(p.X()+dx, p.Y()+dy) != q || !q.on(b.size) || b.At(q) != Empty {
			continue
		}
		b.lines.flip(q, c)
		throughP := b.rule.spec().five(b.lines.window(p, d), c)
		b.lines.flip(q, c)
		if throughP {
			ways[FiveShape]++
			fives = append(fives, i)
			continue
		}
		b.lines.flip(q, c)
		// What p is once q is there as well.
		b.lines.flip(p, c)
		next := naiveShape(b, p, c, d)
		b.lines.flip(p, c)
		b.lines.flip(q, c)
		ways[next]++
	}
	fours := ways[OpenFour]
	if !b.rule.spec().fouls[c] {
		fours += ways[TwinFour]
	}
	switch {
	case len(fives) == 2 && fives[1]-fives[0] == 5:
		return OpenFour
	case len(fives) > 1:
		return TwinFour
	case len(fives) == 1:
		return SingleFour
	case fours > 1:
		return OpenThree
	case fours == 1:
		return BrokenThree
	case ways[SingleFour]+ways[TwinFour] > 0:
		return ClosedThree
	case ways[OpenThree]+ways[BrokenThree] > 0:
		return OpenTwo
	case ways[ClosedThree] > 0:
		return ClosedTwo
	case ways[OpenTwo] > 0:
		return OpenOne
	case ways[ClosedTwo] > 0:
		return ClosedOne
	}
	return NoShape
}

func TestShapesMatchDefinition(t *testing.T) {
	for rule := Freestyle; rule <= Caro; rule++ {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(7, uint64(rule)))
			for range 60 {
				b, err := NewBoard(MinSize+rng.IntN(MaxSize-MinSize+1), rule)
				require.NoError(t, err)
				fill := 20 + rng.IntN(50)
				for p := range fullSet(b.size).All() {
					if rng.IntN(100) < fill {
						b.setStone(p, Color(1+rng.IntN(2)))
					}
				}
				tr := new(tracker)
				tr.reset(b, DefaultShapeWeights())
				empty := b.Stones(Empty)
				points := empty.Points()
				for range min(30, len(points)) {
					p := points[rng.IntN(len(points))]
					for d := range numDirections {
						for side, c := range [...]Color{Black, White} {
							require.Equal(t, naiveShape(b, p, c, d), tr.points[p].shape(side, d), "%v %v direction %d\n%v", c, p, d, b)
						}
					}
				}
			}
		})
	}
}

func TestTrackerAllocatesNothing(t *testing.T) {
	b, err := ParseBoard(15, Renju, "h8h7i7g9h6g5g7i6")
	require.NoError(t, err)
	tr := new(tracker)
	tr.reset(b, DefaultShapeWeights())
	p := Pt(5, 5)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		b.place(p)
		tr.place(p)
		b.Undo()
		tr.undo()
	}))
}

func BenchmarkTracker(b *testing.B) {
	for rule := Freestyle; rule <= Caro; rule++ {
		b.Run("rule="+rule.String(), func(b *testing.B) {
			board, err := ParseBoard(15, rule, "h8h7i7g9h6g5g7i6g8f8f6e5f5j10i10i11k9h10j12l10")
			require.NoError(b, err)
			tr := new(tracker)
			tr.reset(board, DefaultShapeWeights())
			points := board.Candidates(2)
			for _, follow := range []struct {
				name  string
				place func(Point)
			}{{"all", tr.place}, {"fours", tr.placeFour}} {
				i := 0
				b.Run("follow="+follow.name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						p := points[i%len(points)]
						i++
						board.place(p)
						follow.place(p)
						board.Undo()
						tr.undo()
					}
				})
			}
		})
	}
}

func BenchmarkShapeTable(b *testing.B) {
	for rule := Freestyle; rule <= Caro; rule++ {
		b.Run("rule="+rule.String(), func(b *testing.B) {
			for b.Loop() {
				newShapeTable(rule)
			}
		})
	}
}

// TestCombosDiffer: no two choices of four shapes have the same sum of codes, and
// the table knows each.
func TestCombosDiffer(t *testing.T) {
	seen := map[combo][4]Shape{}
	w := DefaultShapeWeights()
	for s := range eachShapes {
		c := comboOf(s)
		require.NotContains(t, seen, c, "%v", s)
		seen[c] = s
		require.Equal(t, classOf(s), w.combos[c].class, "%v", s)
		require.Less(t, int(shapeCodes[s[0]])+int(shapeCodes[s[1]])+int(shapeCodes[s[2]])+int(shapeCodes[s[3]]), 1<<16)
	}
}

// TestSeen: a cell further off changes no shape; this is what lets the tracker
// leave it out. On random lines a stone of either colour is put down, and looked
// at from every cell that seen leaves out.
func TestSeen(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for rule := Freestyle; rule <= Caro; rule++ {
		table := rule.shapeTable()
		for range 20_000 {
			// Twenty-one cells with the border somewhere on either side.
			var key uint64
			left, right := rng.IntN(10), 11+rng.IntN(10)
			fill := 1 + rng.IntN(9)
			for cell := range 21 {
				code := uint64(0)
				switch {
				case cell < left || cell > right:
					code = border
				case cell != 10 && rng.IntN(10) < fill:
					code = uint64(1 + rng.IntN(2))
				}
				key |= code << (2 * cell)
			}
			seen := table.seen(window(key >> (2 * 5) & windowBits))
			for i := -5; i <= 5; i++ {
				at := 10 + i
				if i == 0 || seen>>(5+i)&1 != 0 || key>>(2*at)&3 != 0 {
					continue
				}
				view := func(k uint64) uint8 { return table.shapesAt(window(k >> (2 * (at - 5)) & windowBits)) }
				for c := Black; c <= White; c++ {
					require.Equal(t, view(key), view(key|uint64(c)<<20), "%v cell %d of %042b", rule, i, key)
				}
			}
		}
	}
}

// naiveNet is what the network makes of the rows and patterns of a position, unit by unit.
func naiveNet(values, rows, patterns []int) int {
	var said [2][NumPointUnits]int
	for i := 0; i < len(patterns); i += 4 {
		for unit := range NumPointUnits {
			sum := 0
			for _, row := range patterns[i : i+4] {
				sum += values[row+unit]
			}
			said[i/4%2][unit] += max(sum, 0)
		}
	}
	v := 0
	for unit := range NumHidden {
		sum := values[BiasWeights+unit]
		for _, row := range rows {
			sum += values[row+unit]
		}
		fine := 0
		for i, units := range said {
			for j, n := range units {
				fine += n * values[SumWeights+(NumPointUnits*i+j)*NumHidden+unit]
			}
		}
		sum += fine / SumUnit
		v += min(max(sum, 0), HiddenMost*HiddenUnit) * values[OutWeights+unit]
	}
	return values[BaseWeight] + v/HiddenUnit
}

// TestEvaluationIsSumOfTerms: what the tracker keeps up to date is the sum that
// ShapeTerms spells out, and what the network makes of ShapeRows and ShapePatterns.
func TestEvaluationIsSumOfTerms(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 3))
	values := make([]int, NumShapeWeights)
	for _, span := range []int{100, 20_000} { // the second drives every unit to its limits
		for i := range values {
			values[i] = rng.IntN(2*span+1) - span
		}
		w, err := NewShapeWeights(values)
		require.NoError(t, err)
		values = w.Values() // those of the network are cut
		met := map[int]bool{}
		for i := range 100 {
			b, err := NewBoard(MinSize+rng.IntN(MaxSize-MinSize+1), Rule(i%4))
			require.NoError(t, err)
			tr := new(tracker)
			tr.reset(b, w)
			for !b.Over() && len(b.history) < 60 {
				c := b.Candidates(2)
				p := c[rng.IntN(len(c))]
				if b.Make(p) != nil {
					break
				}
				tr.place(p)
				rows := ShapeRows(nil, b)
				patterns := ShapePatterns(nil, b)
				want := naiveNet(values, rows, patterns)
				for _, row := range rows {
					met[row] = true
				}
				for _, row := range patterns {
					met[row] = true
				}
				for _, term := range ShapeTerms(nil, b) {
					want += term.Count * values[term.Weight]
					met[term.Weight] = true
				}
				require.Equal(t, want, tr.evaluate(b.turn), "%v", b)
				require.Equal(t, -want, tr.evaluate(b.turn.Opponent()))
			}
		}
		require.Greater(t, len(met), 2000)
		for weight := range met {
			require.True(t, weight < BiasWeights || weight >= PatternWeights && weight < SumWeights)
		}
		_, err = NewShapeWeights(values[1:])
		require.ErrorIs(t, err, ErrOption)
	}
}

// TestShapeWeightsCut: values beyond their range are cut to it.
func TestShapeWeightsCut(t *testing.T) {
	values := make([]int, NumShapeWeights)
	for i := range values {
		values[i] = 1 << 20 * (1 - i%2*2)
	}
	w, err := NewShapeWeights(values)
	require.NoError(t, err)
	for i, v := range w.Values() {
		want := 30_000
		switch {
		case i >= rowWeight(0, 1, 0) && i < OutWeights:
			want = 1400
		case i >= SumWeights:
			want = 4000
		case i >= PatternWeights:
			want = 31
		}
		require.Equal(t, want*(1-i%2*2), v, "%d", i)
	}
}

// TestParseShapeWeightsFaults: the error says which line and what is wrong with it.
func TestParseShapeWeightsFaults(t *testing.T) {
	for in, want := range map[string]string{
		"\n# c\n\nbase x":    `line 4: "x" is not a number`,
		"base 31000":         "line 1: 31000 is not -30000 to 30000",
		"base 40000":         "line 1: 40000 is not -30000 to 30000",
		"base 1\nbase 1 2":   "line 2: base has 0 numbers and 1 values",
		"pair 12 0 1":        "12 is not 0 to 11",
		"best 1 1 1":         `"best" is no kind of weight`,
		"pattern 79 0":       "79 is not 0 to 78",
		"pattern":            "pattern has 1 numbers before its values",
		"pattern 1 2":        "pattern has 1 numbers and 8 values",
		"pattern 0 1 2 32 4": "32 is not -31 to 31",
		"sum 0 0 1":          "sum has 2 numbers and 16 values",
		"bias 1500" + strings.Repeat(" 0", NumHidden-1): "1500 is not -1400 to 1400",
	} {
		_, err := ParseShapeWeights(in)
		require.ErrorContains(t, err, want)
	}
}

// sightOf walks from p and returns what a side sees: a letter a cell, own stones "x",
// others "o", "#" for what it can't see.
func sightOf(b *Board, p Point, c Color, dx, dy int) string {
	var out strings.Builder
	own, other := false, false
	for i := 1; i <= 4; i++ {
		x, y := p.X()+i*dx, p.Y()+i*dy
		switch {
		case own && other || min(x, y) < 0 || max(x, y) >= b.Size():
			own, other = true, true
			out.WriteString("#")
		case b.At(Pt(x, y)) == Empty:
			out.WriteString(".")
		case b.At(Pt(x, y)) == c:
			own = true
			out.WriteString("x")
		default:
			other = true
			out.WriteString("o")
		}
	}
	return out.String()
}

// TestPatterns: two lines have the same pattern if and only if the same can be seen
// along them, one way or the other.
func TestPatterns(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	number := map[string]int{}
	seen := map[int]string{}
	for i := range 300 {
		b, err := NewBoard(MinSize+rng.IntN(MaxSize-MinSize+1), Rule(i%4))
		require.NoError(t, err)
		for range rng.IntN(b.Size() * b.Size()) {
			_ = b.Make(Pt(rng.IntN(b.Size()), rng.IntN(b.Size())))
		}
		patterns := ShapePatterns(nil, b)
		for p := range b.Stones(Empty).All() {
			for _, c := range [...]Color{b.Turn(), b.Turn().Opponent()} {
				for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
					ways := []string{sightOf(b, p, c, -d[0], -d[1]), sightOf(b, p, c, d[0], d[1])}
					slices.Sort(ways)
					text := ways[0] + " " + ways[1]
					n := patterns[0]
					patterns = patterns[1:]
					if _, ok := number[text]; !ok {
						number[text] = n
						require.Empty(t, seen[n], text)
						seen[n] = text
					}
					require.Equal(t, number[text], n, text)
					require.Zero(t, (n-PatternWeights)%NumPointUnits)
					require.Less(t, n, SumWeights)
				}
			}
		}
		require.Empty(t, patterns)
	}
	require.Greater(t, len(number), 2500)
	require.LessOrEqual(t, len(number), NumPatterns)
}
