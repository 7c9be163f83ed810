package gomoku

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// gridShape tells on a bare grid what a stone of c at the i-th point of a line makes of the line, from a broken three up;
// below that it is NoShape. It knows neither windows nor tables.
func (g *naiveGrid) gridShape(line []Point, i int, c Color) Shape {
	p := line[i]
	if g.rowIf(line, i, c) != nil {
		return FiveShape
	}
	g.set(p, c)
	defer g.set(p, Empty)
	from, to := i, i
	for from > 0 && g.at(line[from-1]) == c {
		from--
	}
	for to+1 < len(line) && g.at(line[to+1]) == c {
		to++
	}
	exact := naiveWins(g.rule, c, 5, false) && !naiveWins(g.rule, c, 6, false)
	if exact && to-from+1 > 5 {
		return LongShape
	}
	// fives returns where one more stone makes a five that p is part of.
	fives := func() (ways []int) {
		for j := range line {
			if slices.Contains(g.rowIf(line, j, c), p) {
				ways = append(ways, j)
			}
		}
		return ways
	}
	four := func() Shape {
		switch ways := fives(); {
		case len(ways) == 0:
			return NoShape
		case len(ways) == 1:
			return SingleFour
		case ways[1]-ways[0] == 5:
			return OpenFour
		}
		return TwinFour
	}
	if s := four(); s != NoShape {
		return s
	}
	open := 0
	for _, q := range line {
		if g.at(q) != Empty {
			continue
		}
		g.set(q, c)
		if s := four(); s == OpenFour || s == TwinFour && !(g.rule == Renju && c == Black) {
			open++
		}
		g.set(q, Empty)
	}
	return []Shape{NoShape, BrokenThree, OpenThree}[min(open, 2)]
}

func TestShapesMatchGrid(t *testing.T) {
	for _, rule := range naiveRules {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(5, uint64(rule)))
			seen := map[Shape]int{}
			rounds := 250
			if raceEnabled || testing.Short() {
				rounds = 25
			}
			for i := range rounds {
				size := MinSize + rng.IntN(7)
				if i%5 == 0 {
					size = MaxSize - i%2
				}
				b, g := crowdedBoard(t, rng, size, rule)
				lines := g.linesOf()
				for range 60 {
					line := lines[rng.IntN(len(lines))]
					i := rng.IntN(len(line))
					if g.at(line[i]) != Empty {
						continue
					}
					d := slices.Index([]Point{1, rowStride, rowStride + 1, 1 - rowStride}, line[1]-line[0])
					for _, c := range []Color{Black, White} {
						want := g.gridShape(line, i, c)
						got := ShapesAt(b, line[i], c)[d]
						seen[want]++
						if want == NoShape && got < BrokenThree {
							continue
						}
						require.Equal(t, want, got, "%v at %v, direction %d\n%v", c, line[i], d, g)
					}
				}
			}
			for s := BrokenThree; s <= FiveShape && rounds > 100; s++ {
				assert.NotZero(t, seen[s], "%v", s)
			}
		})
	}
}

// TestShapesOffTheBoard asks where no stone can be put.
func TestShapesOffTheBoard(t *testing.T) {
	b := mustBoard(t, 5, Caro)
	require.NoError(t, b.SetStone(Pt(2, 2), Black))
	for _, p := range []Point{NoPoint, Pt(5, 0), Pt(0, 5), Pt(21, 21), Pt(2, 2)} {
		assert.Equal(t, [4]Shape{}, ShapesAt(b, p, White), "%v", p)
	}
	assert.Equal(t, [4]Shape{}, ShapesAt(b, Pt(1, 1), Empty))
	assert.Equal(t, [4]Shape{}, ShapesAt(b, Pt(1, 1), Color(3)))
}

// TestShapesNeedRoom looks at the smallest board, where each line of five cells holds one five and no open four.
func TestShapesNeedRoom(t *testing.T) {
	for _, rule := range naiveRules {
		b := mustBoard(t, 5, rule)
		middle := Pt(2, 2)
		assert.NotContains(t, ShapesAt(b, middle, Black), NoShape, "%v", rule)
		assert.Equal(t, NoShape, ShapesAt(b, Pt(1, 0), Black)[rising], "a diagonal of four")
		for _, p := range []Point{Pt(1, 2), Pt(3, 2)} {
			require.NoError(t, b.SetStone(p, Black))
		}
		assert.Equal(t, ClosedThree, ShapesAt(b, middle, Black)[horizontal], "%v", rule)
		require.NoError(t, b.SetStone(Pt(0, 2), Black))
		assert.Equal(t, SingleFour, ShapesAt(b, middle, Black)[horizontal], "%v", rule)
		require.NoError(t, b.SetStone(Pt(4, 2), Black))
		assert.Equal(t, FiveShape, ShapesAt(b, middle, Black)[horizontal], "%v", rule)
		require.NoError(t, b.SetStone(Pt(4, 2), White))
		assert.Equal(t, NoShape, ShapesAt(b, middle, Black)[horizontal], "%v", rule)
	}
}
