package gomoku

import (
	"fmt"
	"math/rand/v2"
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
			i := 0
			round := func() {
				p := points[i%len(points)]
				i++
				board.place(p)
				tr.place(p)
				board.Undo()
				tr.undo()
			}
			b.ReportAllocs()
			for b.Loop() {
				round()
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
