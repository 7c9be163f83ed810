package gomoku

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// setOf makes both kinds of set from points.
func setOf(ps ...Point) (PointSet, map[Point]bool) {
	var s PointSet
	m := map[Point]bool{}
	for _, p := range ps {
		s.Add(p)
		m[p] = true
	}
	return s, m
}

// inOrder lists a map's points rows from the bottom, then columns.
func inOrder(m map[Point]bool) []Point {
	return slices.SortedFunc(maps.Keys(m), func(a, b Point) int {
		return (a.Y()*100 + a.X()) - (b.Y()*100 + b.X())
	})
}

func checkPointSet(t *testing.T, s PointSet, m map[Point]bool) {
	t.Helper()
	want := inOrder(m)
	require.Equal(t, len(m), s.Len())
	got := s.Points()
	require.Truef(t, slices.Equal(want, got), "Points() = %v, want %v", got, want)
	require.Truef(t, slices.Equal(want, slices.Collect(s.All())), "All() = %v, want %v", slices.Collect(s.All()), want)
	for y := range 22 {
		for x := range 22 {
			require.Equalf(t, m[Pt(x, y)], s.Has(Pt(x, y)), "Has(%v)", Pt(x, y))
		}
	}
}

func TestPointSetAgainstMap(t *testing.T) {
	rnd := rand.New(rand.NewPCG(22, 22))
	any22 := func() Point { return Pt(rnd.IntN(22), rnd.IntN(22)) }
	for range 60 {
		var s PointSet
		m := map[Point]bool{}
		for range 1 + rnd.IntN(200) {
			p := any22()
			if rnd.IntN(3) == 0 {
				s.Remove(p)
				delete(m, p)
			} else {
				s.Add(p)
				m[p] = true
			}
		}
		checkPointSet(t, s, m)

		ps := make([]Point, rnd.IntN(200))
		for i := range ps {
			ps[i] = any22()
		}
		o, om := setOf(ps...)
		both, common, left := maps.Clone(m), map[Point]bool{}, maps.Clone(m)
		for p := range om {
			both[p] = true
			if m[p] {
				common[p] = true
			}
			delete(left, p)
		}
		checkPointSet(t, s.Union(o), both)
		checkPointSet(t, s.Intersect(o), common)
		checkPointSet(t, s.Minus(o), left)
		checkPointSet(t, s, m) // the operands are as they were
		checkPointSet(t, o, om)
	}
}

func TestPointSetEdges(t *testing.T) {
	t.Run("empty", func(t *testing.T) {
		var s PointSet
		checkPointSet(t, s, nil)
		assert.Equal(t, PointSet{}, s.Union(s))
	})
	t.Run("full", func(t *testing.T) {
		var all []Point
		for y := range 22 {
			for x := range 22 {
				all = append(all, Pt(x, y))
			}
		}
		s, m := setOf(all...)
		checkPointSet(t, s, m)
		assert.Equal(t, 484, s.Len())
		assert.Equal(t, PointSet{}, s.Minus(s))
	})
	t.Run("twice", func(t *testing.T) {
		s, _ := setOf(Pt(3, 4), Pt(3, 4))
		assert.Equal(t, 1, s.Len())
		s.Remove(Pt(3, 4))
		s.Remove(Pt(3, 4))
		assert.Equal(t, PointSet{}, s)
	})
	t.Run("copy is independent", func(t *testing.T) {
		s, m := setOf(Pt(0, 0), Pt(21, 21))
		c := s
		c.Add(Pt(1, 1))
		checkPointSet(t, s, m)
		assert.True(t, c.Has(Pt(1, 1)))
	})
	t.Run("outside", func(t *testing.T) {
		s, m := setOf(Pt(0, 0))
		for _, p := range []Point{NoPoint, Pt(22, 0), Pt(31, 21), Pt(0, 22), Pt(0, 1000), -700} {
			assert.NotPanics(t, func() { s.Add(p) }, "Add(%d)", p)
			assert.False(t, s.Has(p), "Has(%d)", p)
			assert.NotPanics(t, func() { s.Remove(p) }, "Remove(%d)", p)
		}
		checkPointSet(t, s, m)
	})
	t.Run("All stops", func(t *testing.T) {
		s, _ := setOf(Pt(1, 1), Pt(2, 2), Pt(3, 3))
		n := 0
		for p := range s.All() {
			n++
			if p == Pt(2, 2) {
				break
			}
		}
		assert.Equal(t, 2, n)
	})
}

func TestCandidatesLoneStone(t *testing.T) {
	b := mustBoard(t, 15, Freestyle)
	require.NoError(t, b.Make(Pt(7, 7)))
	for r, want := range map[int]int{1: 8, 2: 24, 3: 48, 4: 80, 0: 224} {
		assert.Len(t, b.Candidates(r), want, "radius %d in the centre", r)
	}
	b = mustBoard(t, 15, Freestyle)
	require.NoError(t, b.Make(Pt(0, 14)))
	for r, want := range map[int]int{1: 3, 2: 8, 3: 15, 4: 24, 0: 224} {
		assert.Len(t, b.Candidates(r), want, "radius %d in the corner", r)
	}
}

func TestCandidatesEmptyBoard(t *testing.T) {
	for size := 5; size <= 22; size++ {
		b := mustBoard(t, size, Freestyle)
		for r := 1; r <= 4; r++ {
			assert.Equal(t, []Point{Pt(size/2, size/2)}, b.Candidates(r), "size %d radius %d", size, r)
		}
		assert.Len(t, b.Candidates(0), size*size)
	}
}

// TestCandidatesFullBoard: where nothing is empty there is nothing to name.
func TestCandidatesFullBoard(t *testing.T) {
	b := fullBoard(t)
	for r := range 5 {
		assert.Empty(t, b.Candidates(r))
	}
	_, ok := b.Undo()
	require.True(t, ok)
	for r := range 5 {
		assert.Len(t, b.Candidates(r), 1, "radius %d", r)
	}
}

func TestCandidatesAgainstScan(t *testing.T) {
	boards := 0
	check := func(name string, g *twin, b *Board) {
		t.Helper()
		boards++
		for r := -1; r <= 6; r++ {
			want := g.candidates(r)
			if got := b.Candidates(r); !slices.Equal(got, want) {
				t.Fatalf("%s: Candidates(%d) = %v, want %v\n%v", name, r, got, want, g)
			}
			head := []Point{Pt(1, 2), Pt(3, 4)}
			got := b.AppendCandidates(head[:2:2], r)
			if !slices.Equal(got[:2], head) || !slices.Equal(got[2:], want) {
				t.Fatalf("%s: AppendCandidates(%d) = %v\n%v", name, r, got, g)
			}
		}
	}
	for i := range 300 {
		rnd := rand.New(rand.NewPCG(5, uint64(i)))
		size := 5 + i%18
		g := newTwin(size, Freestyle)
		n := rnd.IntN(size)
		if i%4 == 0 {
			n = rnd.IntN(size*size + 1)
		}
		for range n {
			g.setStone(Pt(rnd.IntN(size), rnd.IntN(size)), Color(rnd.IntN(3)))
		}
		check(fmt.Sprintf("random board %d", i), g, g.fresh(t, uint64(i)))
	}
	for _, row := range readRows[gameRow](t, "real_games.jsonl")[:40] {
		b, g := mustBoard(t, row.Size, ruleNamed(t, row.Rule)), newTwin(row.Size, ruleNamed(t, row.Rule))
		for i, p := range splitPoints(t, row.Moves) {
			require.NoError(t, b.Make(p))
			g.play(p)
			if i%5 == 0 {
				check(row.ID, g, b)
			}
		}
		for range 7 { // after undo too
			b.Undo()
			g.undo()
		}
		check(row.ID+" taken back", g, b)
	}
	assert.Greater(t, boards, 500)
}

func TestAppendCandidatesAllocatesNothing(t *testing.T) {
	b := mustBoard(t, 15, Freestyle)
	for _, p := range splitPoints(t, "h8i9g7f6h9i8j8g8g9h7") {
		require.NoError(t, b.Make(p))
	}
	dst := make([]Point, 0, 225)
	for r := range 5 {
		assert.Zero(t, testing.AllocsPerRun(100, func() { dst = b.AppendCandidates(dst[:0], r) }), "radius %d", r)
	}
}
