package gomoku

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// --- the evaluators once more, slowly, from their doc comments ---------------------------------

// walkRun is the run that a stone of colour c on (x, y) is part of, whatever stands there now: its
// length, its open ends, and whether the opponent closes both.
func (g *naiveGrid) walkRun(x, y, dx, dy int, c Color) (n, open int, capped bool) {
	n = 1
	closedByStone := 0
	for _, sign := range []int{1, -1} {
		ex, ey := x+sign*dx, y+sign*dy
		for g.is(ex, ey, c) {
			n++
			ex, ey = ex+sign*dx, ey+sign*dy
		}
		if g.is(ex, ey, Empty) {
			open++
		}
		if g.is(ex, ey, naiveOther(c)) {
			closedByStone++
		}
	}
	return n, open, closedByStone == 2
}

// runSum adds up runs and notes what the combination bonuses ask for.
type runSum struct {
	value, openThrees, fours int
}

func (s *runSum) add(rule Rule, c Color, w *Weights, n, open int, capped bool) {
	if n >= 5 {
		if naiveWins(rule, c, n, capped) {
			s.value += w.Five
		}
		return
	}
	if open == 0 {
		return
	}
	half := []int{0, w.One, w.Two, w.Three, w.Four}
	full := []int{0, w.OpenOne, w.OpenTwo, w.OpenThree, w.OpenFour}
	if open == 1 {
		s.value += half[n]
	} else {
		s.value += full[n]
	}
	if n == 3 && open == 2 {
		s.openThrees++
	}
	if n == 4 {
		s.fours++
	}
}

func (s *runSum) total(w *Weights) int {
	sum := s.value
	if s.openThrees >= 2 {
		sum += w.DoubleThree
	}
	if s.openThrees >= 1 && s.fours >= 1 {
		sum += w.FourThree
	}
	return sum
}

func (g *naiveGrid) edge(p Point) int {
	return min(p.X(), p.Y(), g.size-1-p.X(), g.size-1-p.Y())
}

// evaluatePoint is EvaluatePoint from its comment.
func (g *naiveGrid) evaluatePoint(p Point, c Color, w *Weights) int {
	var s runSum
	for _, d := range naiveDirs {
		n, open, capped := g.walkRun(p.X(), p.Y(), d[0], d[1], c)
		s.add(g.rule, c, w, n, open, capped)
	}
	return s.total(w) + w.Position*g.edge(p)
}

// evaluateLines is EvaluateLines from its comment: every run of the board once.
func (g *naiveGrid) evaluateLines(c Color, w *Weights) int {
	var s runSum
	position := 0
	for _, p := range g.points(c) {
		position += w.Position * g.edge(p)
		for _, d := range naiveDirs {
			if g.is(p.X()-d[0], p.Y()-d[1], c) {
				continue // counted at its first stone
			}
			n, open, capped := g.walkRun(p.X(), p.Y(), d[0], d[1], c)
			s.add(g.rule, c, w, n, open, capped)
		}
	}
	return s.total(w) + position
}

// evaluateBoard is EvaluateBoard from its comment; the product is rounded towards zero.
func (t *twin) evaluateBoard(c Color, w *Weights) int {
	v := t.evaluateLines(c, w) - int(math.Trunc(w.Defence*float64(t.evaluateLines(naiveOther(c), w))))
	if c == t.turn {
		return v + w.Tempo
	}
	return v - w.Tempo
}

// --- material ----------------------------------------------------------------------------------

// randomTwin sets up stones at random: of both colours in any proportion, crowded or thin, with runs of
// every length among them.
func randomTwin(rnd *rand.Rand, size int, rule Rule) *twin {
	g := newTwin(size, rule)
	density := rnd.IntN(100)
	black := 20 + rnd.IntN(61)
	for y := range size {
		for x := range size {
			if rnd.IntN(100) < density {
				c := White
				if rnd.IntN(100) < black {
					c = Black
				}
				g.set(Pt(x, y), c)
			}
		}
	}
	for range rnd.IntN(6) { // and some runs
		d, c := naiveDirs[rnd.IntN(4)], Color(1+rnd.IntN(2))
		x, y := rnd.IntN(size), rnd.IntN(size)
		for range 2 + rnd.IntN(5) {
			if g.inside(x, y) {
				g.set(Pt(x, y), c)
			}
			x, y = x+d[0], y+d[1]
		}
	}
	g.turn = Color(1 + rnd.IntN(2))
	return g
}

// randomWeights draws weights that leave no two of them alike.
func randomWeights(rnd *rand.Rand) Weights {
	n := func() int { return rnd.IntN(MaxWeight + 1) }
	return Weights{
		Five: n(), OpenFour: n(), Four: n(), OpenThree: n(), Three: n(), OpenTwo: n(), Two: n(), OpenOne: n(), One: n(),
		DoubleThree: n(), FourThree: n(), Position: n(), Tempo: n(), Defence: rnd.Float64() * 10,
	}
}

// weightSets are the ready-made sets, extremes and random ones.
func weightSets(rnd *rand.Rand) []Weights {
	top := Weights{
		MaxWeight, MaxWeight, MaxWeight, MaxWeight, MaxWeight, MaxWeight, MaxWeight, MaxWeight, MaxWeight,
		MaxWeight, MaxWeight, MaxWeight, MaxWeight, 10,
	}
	return []Weights{
		BalancedWeights(), AttackingWeights(), DefensiveWeights(),
		{},
		top,
		{Position: 1},
		{DoubleThree: 1},
		{FourThree: 1},
		{Tempo: 7},
		randomWeights(rnd), randomWeights(rnd), randomWeights(rnd),
	}
}

// --- tests -------------------------------------------------------------------------------------

// TestEvaluatorsAgainstWalk compares all three evaluators with the slow ones, on every size, under every rule.
func TestEvaluatorsAgainstWalk(t *testing.T) {
	rounds := 24
	if few() {
		rounds = 4
	}
	for size := MinSize; size <= MaxSize; size++ {
		for _, rule := range naiveRules {
			rnd := rand.New(rand.NewPCG(uint64(size), uint64(rule)))
			for round := range rounds {
				g := randomTwin(rnd, size, rule)
				b := g.fresh(t, uint64(round))
				sets := weightSets(rnd)
				w := &sets[round%len(sets)]
				for _, c := range []Color{Black, White} {
					if got, want := EvaluateLines(b, c, w), g.evaluateLines(c, w); got != want {
						t.Fatalf("EvaluateLines(%v, %+v) = %d, want %d, %v\n%v", c, *w, got, want, rule, g)
					}
					if got, want := EvaluateBoard(b, c, w), g.evaluateBoard(c, w); got != want {
						t.Fatalf("EvaluateBoard(%v, %+v) = %d, want %d, %v\n%v", c, *w, got, want, rule, g)
					}
					for y := range size {
						for x := range size {
							p := Pt(x, y)
							if got, want := EvaluatePoint(b, p, c, w), g.evaluatePoint(p, c, w); got != want {
								t.Fatalf("EvaluatePoint(%v, %v, %+v) = %d, want %d, %v\n%v", p, c, *w, got, want, rule, g)
							}
						}
					}
				}
			}
		}
	}
}

// TestPointScorer compares the search's own scorer with EvaluatePoint and with a placed stone.
func TestPointScorer(t *testing.T) {
	for _, rule := range naiveRules {
		rnd := rand.New(rand.NewPCG(11, uint64(rule)))
		fives := 0
		for round := range 120 {
			g := randomTwin(rnd, MinSize+rnd.IntN(MaxSize-MinSize+1), rule)
			b := g.fresh(t, uint64(round))
			w := randomWeights(rnd)
			w.Five = 0 // the scorer tells a five by itself
			s := pointScorer{runs: w.runTable(), weights: &w}
			w.Position = 0
			for _, p := range g.points(Empty) {
				for _, c := range []Color{Black, White} {
					own, opp, ownFive, oppFive := s.score(b, p, c)
					o := naiveOther(c)
					assert.EqualValues(t, EvaluatePoint(b, p, c, &w), own)
					assert.EqualValues(t, EvaluatePoint(b, p, o, &w), opp)
					assert.Equal(t, makesFiveNaively(g, p, c), ownFive)
					assert.Equal(t, makesFiveNaively(g, p, o), oppFive)
					if ownFive {
						fives++
					}
					if t.Failed() {
						t.Fatalf("%v at %v, %v\n%v", c, p, rule, g)
					}
				}
			}
		}
		assert.Greater(t, fives, 100, "the boards hold too few fives to tell")
	}
}

// makesFiveNaively reports whether a stone of colour c on the empty point p is part of a winning run.
func makesFiveNaively(g *twin, p Point, c Color) bool {
	for _, d := range naiveDirs {
		if n, _, capped := g.walkRun(p.X(), p.Y(), d[0], d[1], c); naiveWins(g.rule, c, n, capped) {
			return true
		}
	}
	return false
}

// TestBoardLines counts the lines, checks that each is straight, and that every point lies on four.
func TestBoardLines(t *testing.T) {
	for size := MinSize; size <= MaxSize; size++ {
		type key struct{ d, line int }
		seen := map[key]int{}
		for d, line := range boardLines(size) {
			seen[key{d, line}]++
		}
		assert.Len(t, seen, 6*size-2)
		on := map[key][]Point{}
		for y := range size {
			for x := range size {
				for d := range numDirections {
					line, _ := lineOf(d, x, y)
					on[key{d, line}] = append(on[key{d, line}], Pt(x, y))
					require.Equal(t, 1, seen[key{d, line}], "size %d, direction %d, point %v", size, d, Pt(x, y))
				}
			}
		}
		assert.Len(t, on, 6*size-2, "some lines have no point")
		for k, ps := range on {
			d := naiveDirs[k.d]
			for _, p := range ps {
				dx, dy := p.X()-ps[0].X(), p.Y()-ps[0].Y()
				require.Zero(t, dx*d[1]-dy*d[0], "%v and %v share line %v", ps[0], p, k)
			}
		}
	}
	for range boardLines(15) {
		break // leaving early is allowed
	}
	assert.Len(t, slices.Collect(func(yield func(int) bool) {
		for d := range boardLines(15) {
			if !yield(d) {
				return
			}
		}
	}), 88)
}

// TestEvaluateEveryDiagonal puts a pair on every place of every line: the trap of diagonals that are left out
// shows as a pair that is worth nothing.
func TestEvaluateEveryDiagonal(t *testing.T) {
	w := Weights{OpenTwo: 1, Two: 1}
	for _, size := range []int{5, 8, 15, 22} {
		for _, d := range naiveDirs {
			for y := range size {
				for x := range size {
					nx, ny := x+d[0], y+d[1]
					if nx < 0 || ny < 0 || nx >= size || ny >= size {
						continue
					}
					closed := func(x, y int) bool { return x < 0 || y < 0 || x >= size || y >= size }
					b := mustBoard(t, size, Freestyle)
					require.NoError(t, b.SetStone(Pt(x, y), White))
					require.NoError(t, b.SetStone(Pt(nx, ny), White))
					want := 1
					if closed(x-d[0], y-d[1]) && closed(nx+d[0], ny+d[1]) {
						want = 0 // a line of two points
					}
					require.Equal(t, want, EvaluateLines(b, White, &w), "%v%v on %d", Pt(x, y), Pt(nx, ny), size)
				}
			}
		}
	}
}

// TestEvaluateKnown has values that were worked out by hand.
func TestEvaluateKnown(t *testing.T) {
	w := BalancedWeights()
	for _, tc := range []struct {
		name         string
		rule         Rule
		black, white string
		lines        int // of Black
		point        string
		pointValue   int // of a black stone there
	}{
		{"empty", Freestyle, "", "", 0, "h8", 4*5 + 7},
		{"corner", Freestyle, "a1", "", 1 + 1 + 1 + 0, "a2", 1 + 10 + 1 + 1},
		{"centre", Freestyle, "h8", "", 4*5 + 7, "i8", 50 + 3*5 + 6},
		{"open three", Freestyle, "g8h8i8", "", 500 + 9*5 + 6 + 7 + 6, "j8", 5000 + 3*5 + 5},
		{"closed three", Freestyle, "g8h8i8", "f8", 100 + 9*5 - 0 + 6 + 7 + 6, "j8", 1000 + 3*5 + 5},
		{"dead three", Freestyle, "g8h8i8", "f8j8", 9*5 + 6 + 7 + 6, "h9", 3*50 + 5 + 6},
		{"four and two joined to seven", Standard, "a8b8c8d8f8g8", "", 0, "e8", 15 + 4},
		{"five", Freestyle, "g8h8i8j8", "", 5000 + 12*5 + 6 + 7 + 6 + 5, "k8", 10000 + 15 + 4},
		{"two threes", Freestyle, "g8h8i9i10", "", 0, "i8", 500 + 500 + 1000 + 5 + 5 + 6},
		{"four and three", Freestyle, "f8g8h8i9i10", "e8", 0, "i8", 1000 + 500 + 2000 + 5 + 5 + 6},
		{"caro, both ends taken", Caro, "g8h8i8j8", "f8l8", 0, "k8", 15 + 4},
		{"caro, one end taken", Caro, "g8h8i8j8", "f8", 0, "k8", 10000 + 15 + 4},
		{"renju, six", Renju, "g8h8i8k8l8", "", 0, "j8", 15 + 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, _ := setUp(t, 15, tc.rule, tc.black, tc.white)
			p := splitPoints(t, tc.point)[0]
			assert.Equal(t, tc.pointValue, EvaluatePoint(b, p, Black, &w))
			if tc.lines != 0 {
				assert.Equal(t, tc.lines, EvaluateLines(b, Black, &w))
			}
		})
	}
	b, _ := setUp(t, 15, Freestyle, "h8", "a1")
	assert.Equal(t, 27-3+20, EvaluateBoard(b, Black, &w), "3 times 1.1 is cut to 3")
	assert.Equal(t, 3-29-20, EvaluateBoard(b, White, &w), "27 times 1.1 is cut to 29")
}

// TestEvaluateNothing has the arguments that are worth nothing.
func TestEvaluateNothing(t *testing.T) {
	b, _ := setUp(t, 9, Freestyle, "e5e6", "d4")
	w := BalancedWeights()
	for _, p := range []Point{NoPoint, Pt(9, 0), Pt(0, 9), Pt(21, 21), Point(-5), Point(9), Point(2000)} {
		assert.Zero(t, EvaluatePoint(b, p, Black, &w), "%d", p)
	}
	for _, c := range []Color{Empty, 3, 200} {
		assert.Zero(t, EvaluatePoint(b, Pt(4, 4), c, &w))
		assert.Zero(t, EvaluateLines(b, c, &w))
		assert.Zero(t, EvaluateBoard(b, c, &w))
		e := NewLineEvaluator(w)
		e.Reset(b)
		assert.Zero(t, e.Evaluate(c))
	}
}

// TestEvaluateSymmetric turns and mirrors boards: the worth stays.
func TestEvaluateSymmetric(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	for round := range 80 {
		g := randomTwin(rnd, MinSize+rnd.IntN(MaxSize-MinSize+1), naiveRules[round%4])
		b, w := g.fresh(t, 1), randomWeights(rnd)
		p := Pt(rnd.IntN(g.size), rnd.IntN(g.size))
		for s := range Symmetry(NumSymmetries) {
			// the board is turned here with the test's own means as well
			turned := s.ApplyBoard(b)
			for _, c := range []Color{Black, White} {
				require.Equal(t, EvaluateLines(b, c, &w), EvaluateLines(turned, c, &w), "%d\n%v", s, g)
				require.Equal(t, EvaluateBoard(b, c, &w), EvaluateBoard(turned, c, &w), "%d\n%v", s, g)
				require.Equal(t, EvaluatePoint(b, p, c, &w), EvaluatePoint(turned, s.Apply(p, g.size), c, &w), "%d %v\n%v", s, p, g)
			}
		}
		// a quarter turn that owes nothing to Symmetry
		q := newTwin(g.size, g.rule)
		for y := range g.size {
			for x := range g.size {
				q.cell[x][g.size-1-y] = g.cell[y][x]
			}
		}
		q.turn = g.turn
		require.Equal(t, EvaluateBoard(b, Black, &w), EvaluateBoard(q.fresh(t, 2), Black, &w), "%v\n%v", g, q)
	}
}

// TestEvaluateAntisymmetric: at Defence 1 one side's gain is the other's loss, and swapping all colours changes sides.
func TestEvaluateAntisymmetric(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 6))
	for round := range 200 {
		g := randomTwin(rnd, MinSize+rnd.IntN(MaxSize-MinSize+1), naiveRules[round%4])
		b, w := g.fresh(t, 1), randomWeights(rnd)
		w.Defence = 1
		black, white := EvaluateBoard(b, Black, &w), EvaluateBoard(b, White, &w)
		require.Equal(t, black, -white, "%v", g)
		if g.rule == Renju {
			continue // its colours differ
		}
		w.Defence = 1.7
		swapped := newTwin(g.size, g.rule)
		for _, p := range g.points(Black) {
			swapped.set(p, White)
		}
		for _, p := range g.points(White) {
			swapped.set(p, Black)
		}
		swapped.turn = naiveOther(g.turn)
		s := swapped.fresh(t, 1)
		require.Equal(t, EvaluateBoard(b, Black, &w), EvaluateBoard(s, White, &w), "%v", g)
		require.Equal(t, EvaluateBoard(b, White, &w), EvaluateBoard(s, Black, &w), "%v", g)
	}
}

// TestLineEvaluatorFollows plays and takes back at random and compares the incremental evaluator with a look at
// the whole board after each step, then takes everything back.
func TestLineEvaluatorFollows(t *testing.T) {
	rounds := 60
	if few() {
		rounds = 12
	}
	rnd := rand.New(rand.NewPCG(7, 7))
	for round := range rounds {
		size, rule := MinSize+rnd.IntN(MaxSize-MinSize+1), naiveRules[round%4]
		g := randomTwin(rnd, size, rule)
		if round%3 == 0 {
			g = newTwin(size, rule)
		}
		b := g.fresh(t, uint64(round))
		w := randomWeights(rnd)
		if round%2 == 0 {
			w = BalancedWeights()
		}
		e := NewLineEvaluator(w)
		if round%5 == 0 { // an evaluator may be used again
			other := randomTwin(rnd, MaxSize, Caro).fresh(t, 3)
			e.Reset(other)
			p := other.Candidates(0)
			if len(p) > 0 && !other.Over() {
				c := other.Turn()
				other.place(p[0])
				e.Place(p[0], c)
			}
		}
		e.Reset(b)
		check := func() {
			t.Helper()
			for _, c := range []Color{Black, White} {
				if got, want := e.Evaluate(c), EvaluateBoard(b, c, &w); got != want {
					t.Fatalf("round %d: Evaluate(%v) = %d, EvaluateBoard %d\n%v", round, c, got, want, b)
				}
			}
		}
		check()
		depth := 0
		for range 200 {
			if depth > 0 && (b.Over() || rnd.IntN(5) < 2) {
				b.Undo()
				e.Undo()
				depth--
			} else if ps := b.Candidates(rnd.IntN(3)); !b.Over() && len(ps) > 0 {
				p, c := ps[rnd.IntN(len(ps))], b.Turn()
				b.place(p)
				e.Place(p, c)
				depth++
			} else {
				break
			}
			check()
		}
		for ; depth > 0; depth-- {
			b.Undo()
			e.Undo()
		}
		check()
	}
}

// TestLineEvaluatorAllocatesNothing once its history has grown.
func TestLineEvaluatorAllocatesNothing(t *testing.T) {
	b, _ := setUp(t, 15, Freestyle, "h8i9", "h9g8")
	e := NewLineEvaluator(BalancedWeights())
	e.Reset(b)
	sum := 0
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		c := b.Turn()
		b.place(Pt(5, 5))
		e.Place(Pt(5, 5), c)
		sum += e.Evaluate(Black)
		b.Undo()
		e.Undo()
	}))
}

// TestReadyWeights has the proportions the documentation promises.
func TestReadyWeights(t *testing.T) {
	w := BalancedWeights()
	assert.Equal(t, Weights{10000, 5000, 1000, 500, 100, 50, 10, 5, 1, w.DoubleThree, w.FourThree, w.Position, w.Tempo, 1.1}, w)
	assert.Less(t, AttackingWeights().Defence, 1.0)
	assert.Greater(t, DefensiveWeights().Defence, w.Defence)
	for _, w := range []Weights{w, AttackingWeights(), DefensiveWeights()} {
		assert.NoError(t, w.validate())
		assert.Greater(t, w.DoubleThree, 0)
		assert.Greater(t, w.FourThree, 0)
		assert.Greater(t, w.Position, 0)
		assert.Greater(t, w.Tempo, 0)
	}
}

// TestWeightsRange tries each weight at and beyond its limits, through the engine that checks them.
func TestWeightsRange(t *testing.T) {
	fields := map[string]func(*Weights) *int{
		"Five": func(w *Weights) *int { return &w.Five }, "OpenFour": func(w *Weights) *int { return &w.OpenFour },
		"Four": func(w *Weights) *int { return &w.Four }, "OpenThree": func(w *Weights) *int { return &w.OpenThree },
		"Three": func(w *Weights) *int { return &w.Three }, "OpenTwo": func(w *Weights) *int { return &w.OpenTwo },
		"Two": func(w *Weights) *int { return &w.Two }, "OpenOne": func(w *Weights) *int { return &w.OpenOne },
		"One": func(w *Weights) *int { return &w.One }, "DoubleThree": func(w *Weights) *int { return &w.DoubleThree },
		"FourThree": func(w *Weights) *int { return &w.FourThree }, "Position": func(w *Weights) *int { return &w.Position },
		"Tempo": func(w *Weights) *int { return &w.Tempo },
	}
	for name, field := range fields {
		for value, good := range map[int]bool{0: true, MaxWeight: true, -1: false, MaxWeight + 1: false, math.MinInt: false, math.MaxInt: false} {
			w := BalancedWeights()
			*field(&w) = value
			_, err := NewEngine(WithWeights(w))
			if good {
				assert.NoError(t, err, "%s %d", name, value)
				continue
			}
			require.ErrorIs(t, err, ErrOption, "%s %d", name, value)
			assert.ErrorContains(t, err, "weight "+name+":")
			assert.ErrorContains(t, err, fmt.Sprint(value))
		}
	}
	for value, good := range map[float64]bool{0: true, 10: true, -0.001: false, 10.001: false, math.Inf(1): false, math.Inf(-1): false} {
		w := BalancedWeights()
		w.Defence = value
		_, err := NewEngine(WithWeights(w))
		assert.Equal(t, good, err == nil, "Defence %v: %v", value, err)
	}
	w := BalancedWeights()
	w.Defence = math.NaN()
	w.Five, w.One = -1, -1
	_, err := NewEngine(WithWeights(w))
	require.ErrorIs(t, err, ErrOption)
	for _, name := range []string{"Five", "One", "Defence"} {
		assert.ErrorContains(t, err, "weight "+name+":", "every fault is named")
	}
}
