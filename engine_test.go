package gomoku

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unchanged returns a check that the board is as it was.
func unchanged(tb testing.TB, b *Board) func() {
	tb.Helper()
	before := boardText(tb, b)
	return func() {
		tb.Helper()
		require.Equal(tb, before, boardText(tb, b), "the search changed the board")
	}
}

// cancelled is a context that has ended before the search begins.
func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// legalResult checks what every result promises: a legal move, which begins the line, and candidates that hold it.
func legalResult(t *testing.T, g *twin, r Result) {
	t.Helper()
	if faults := g.faults(r.Best, false); len(faults) > 0 {
		t.Fatalf("best move %v: %v\n%v", r.Best, faults, g)
	}
	require.NotEmpty(t, r.PV)
	require.Equal(t, r.Best, r.PV[0])
	require.NotEmpty(t, r.Lines)
	require.Equal(t, Line{r.Score, r.PV}, r.Lines[0])
	require.True(t, slices.ContainsFunc(r.Candidates, func(c Candidate) bool { return c.Point == r.Best }))
	require.NotZero(t, r.Stop)
	_, mate := r.Score.Mate()
	require.True(t, !mate || r.Proven)
	h := g.clone()
	for _, p := range r.PV {
		require.Empty(t, h.faults(p, false), "line %v\n%v", r.PV, g)
		h.play(p)
	}
	seen := map[Point]bool{}
	for _, c := range r.Candidates {
		require.Empty(t, g.faults(c.Point, false), "candidate %v\n%v", c.Point, g)
		require.False(t, seen[c.Point], "candidate %v twice", c.Point)
		seen[c.Point] = true
		if len(c.PV) > 0 {
			require.Equal(t, c.Point, c.PV[0])
		}
	}
}

// answersFive lists the legal moves that leave the opponent no five, nil if it has none to begin with.
func answersFive(g *twin) []Point {
	s := naiveSearch{twin: g}
	if len(s.fivePoints(naiveOther(g.turn))) == 0 {
		return nil
	}
	return slices.DeleteFunc(s.legal(g.points(Empty)), func(p Point) bool {
		g.set(p, g.turn)
		defer g.set(p, Empty)
		return len(s.fivePoints(naiveOther(g.turn))) > 0
	})
}

// hurries are the ways to leave a search no time.
var hurries = []struct {
	name string
	ctx  func() context.Context
	opts []Option
	stop []StopReason
}{
	{"cancelled", cancelled, nil, []StopReason{StopCancelled}},
	{"no time", context.Background, []Option{WithTimeBudget(0)}, []StopReason{StopTime}},
	{"deadline passed", func() context.Context {
		ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Hour))
		cancel()
		return ctx
	}, nil, []StopReason{StopTime}},
	{"a nanosecond", context.Background, []Option{WithTimeBudget(1)}, []StopReason{StopTime, StopProven, StopForced, StopExhausted}},
	{"a millisecond", context.Background, []Option{WithTimeBudget(time.Millisecond)}, []StopReason{StopTime, StopProven, StopForced, StopExhausted}},
	{"a soft nanosecond", context.Background, []Option{WithSoftTime(1)}, []StopReason{StopTime, StopProven, StopExhausted, StopDepth}},
	{"one node", context.Background, []Option{WithNodeLimit(1)}, []StopReason{StopNodes, StopProven, StopExhausted}},
	{"three nodes", context.Background, []Option{WithNodeLimit(3)}, []StopReason{StopNodes, StopProven, StopExhausted}},
	{"two nodes, nothing on", context.Background, bare(WithNodeLimit(2)), []StopReason{StopNodes, StopProven, StopExhausted}},
	{"depth one", context.Background, []Option{WithDepth(1)}, []StopReason{StopDepth, StopProven, StopExhausted}},
}

// TestAlwaysALegalMove leaves the engine no time in positions of every kind.
func TestAlwaysALegalMove(t *testing.T) {
	n := 120
	if few() {
		n = 24
	}
	rnd := rand.New(rand.NewPCG(41, 1))
	positions := realPositions(t, n, 4)
	for i := range n {
		rule := naiveRules[i%4]
		positions = append(positions, randomPosition(rnd, MinSize+rnd.IntN(MaxSize-MinSize+1), rule))
		positions = append(positions, fullerPosition(rnd, MinSize+rnd.IntN(4), rule, 1+rnd.IntN(5)))
	}
	for size := MinSize; size <= MaxSize; size++ {
		for _, rule := range naiveRules {
			positions = append(positions, newTwin(size, rule))
		}
	}
	e, small := mustEngine(t), mustEngine(t, WithTableSize(0))
	forced, lost := 0, 0
	for i, g := range positions {
		h := hurries[i%len(hurries)]
		b := g.fresh(t, 1)
		same := unchanged(t, b)
		engine := e
		if strings.Contains(h.name, "nothing") {
			engine = small
		}
		r, err := engine.Search(h.ctx(), b, append(slices.Clone(h.opts), WithSeed(uint64(i%3)), WithRadius(i%4), WithCandidateCap(i%7))...)
		require.NoError(t, err, "%s\n%v", h.name, g)
		same()
		legalResult(t, g, r)
		require.Contains(t, h.stop, r.Stop, h.name)
		s := naiveSearch{twin: g}
		if fives := s.fivePoints(g.turn); len(fives) > 0 {
			require.Contains(t, fives, r.Best, "%s: a win on the spot is missed\n%v", h.name, g)
		} else if stops := answersFive(g); stops != nil {
			if len(stops) > 0 {
				require.Contains(t, stops, r.Best, "%s: a five is let through, %v\n%v", h.name, g.rule, g)
				forced++
			} else {
				lost++
			}
		}
	}
	assert.Greater(t, forced, n/20)
	assert.Greater(t, lost, 0)
}

// TestFourIsAnsweredInAHurry is the game in which an engine let a four through for lack of time.
func TestFourIsAnsweredInAHurry(t *testing.T) {
	const moves = "h8h7i7g9h6g5g7i6g8f8f6e5f5j10i10i11k9h10j12l10"
	for _, rule := range []Rule{Freestyle, Standard, Caro} {
		g, b := newTwin(15, rule), mustBoard(t, 15, rule)
		play(t, b, g, moves)
		stops := answersFive(g)
		require.NotEmpty(t, stops)
		for _, h := range hurries {
			for _, level := range []Level{0, Easy, Normal, Hard, Expert} {
				for seed := range uint64(5) {
					opts := append([]Option{WithSeed(seed), WithTableSize(1 << 16)}, h.opts...)
					if level != 0 {
						opts = append([]Option{WithLevel(level)}, opts...)
					}
					if level >= Hard && h.name == "a soft nanosecond" {
						continue // has no other limit
					}
					e, err := NewEngine(append(opts, WithTableSize(1<<16))...)
					require.NoError(t, err)
					r, err := e.Search(h.ctx(), b)
					require.NoError(t, err)
					require.Contains(t, stops, r.Best, "%s, level %v, seed %d, %v", h.name, level, seed, rule)
				}
			}
		}
	}
}

// TestOnlyBlockIsAFoul: Black must stop a five at g7 and may not. Any legal move will do, and the score says lost.
func TestOnlyBlockIsAFoul(t *testing.T) {
	g, b := newTwin(15, Renju), mustBoard(t, 15, Renju)
	play(t, b, g, "h8g6f6g5f7g4h7g3g2a1")
	require.Equal(t, Black, b.Turn())
	require.Equal(t, DoubleThree, b.Foul(Pt(6, 6)))
	e := mustEngine(t)
	for _, h := range hurries {
		opts := h.opts
		if h.name == "two nodes, nothing on" { // the table is the engine's
			opts = []Option{WithNodeLimit(2), WithStrategy(Minimax), WithOrdering(false)}
		}
		r, err := e.Search(h.ctx(), b, opts...)
		require.NoError(t, err, h.name)
		legalResult(t, g, r)
	}
	for _, opts := range [][]Option{nil, {WithTimeBudget(10 * time.Second)}, {WithTimeBudget(10 * time.Second), WithTechniques(NoTechniques)}, {WithNodeLimit(100_000)}, {WithRadius(1)}, {WithRadius(0), WithCandidateCap(0)}} {
		start := time.Now()
		r := mustSearch(t, e, b, opts...)
		assert.Less(t, time.Since(start), 2*time.Second)
		legalResult(t, g, r)
		assert.Equal(t, Score(-naiveWin+2), r.Score)
		assert.True(t, r.Proven)
		assert.Equal(t, "loss in 2", r.Score.String())
		if len(r.PV) > 1 {
			assert.Equal(t, Pt(6, 6), r.PV[1])
		}
	}
}

// TestOnlyDefencesAreFouls: White threatens an open four, and Black may play at neither end of the three. There are
// other legal moves, if none that helps.
func TestOnlyDefencesAreFouls(t *testing.T) {
	b, g := setUp(t, 15, Renju, "d5d6d7d9d10h5h6h7h9h10", "e8f8g8d4d11h4h11")
	for _, p := range splitPoints(t, "d8h8") {
		require.Equal(t, Overline, b.Foul(p))
	}
	for _, techniques := range []Technique{NoTechniques, Shapes, Shapes | ThreatDefence, Precise, AllTechniques} {
		for _, radius := range []int{0, 1, 2} {
			r, err := mustEngine(t, WithTableSize(1<<16)).Search(context.Background(), b, WithTechniques(techniques), WithDepth(4), WithRadius(radius))
			require.NoError(t, err, "%v, radius %d", techniques, radius)
			legalResult(t, g, r)
			assert.LessOrEqual(t, r.Score, Score(0))
		}
	}
	// the same a move earlier: the search must not take Black's want of a defence for a draw
	b, g = setUp(t, 15, Renju, "d5d6d7d9d10h5h6h7h9h10", "e8f8d4d11h4h11")
	b.SetTurn(White)
	g.turn = White
	r := mustSearch(t, mustEngine(t), b, WithDepth(4))
	legalResult(t, g, r)
	assert.Positive(t, r.Score, "%v %v", r.Best, r.Score)
}

// TestLostPositions gives every candidate a loss: there is a move all the same.
func TestLostPositions(t *testing.T) {
	for _, rule := range naiveRules {
		b, g := setUp(t, 15, rule, "h2b13", "e5f5g5h5m9m10m11m12") // two open fours
		r := mustSearch(t, mustEngine(t), b)
		legalResult(t, g, r)
		assert.Equal(t, "loss in 2", r.Score.String(), rule)
		assert.Equal(t, StopProven, r.Stop)
	}
}

// TestCaroFiveIsStoppedBeyondItsEnd: a stone next to the five's place can stop it too, two points from all others.
func TestCaroFiveIsStoppedBeyondItsEnd(t *testing.T) {
	b, g := setUp(t, 15, Caro, "f8g8h8i8", "e8a1")
	b.SetTurn(White)
	g.turn = White
	require.ElementsMatch(t, splitPoints(t, "j8k8"), answersFive(g))
	for _, techniques := range []Technique{NoTechniques, AllTechniques} {
		for _, radius := range []int{0, 1, 2, 3} {
			r := mustSearch(t, mustEngine(t, WithTableSize(1<<16)), b, WithRadius(radius), WithTechniques(techniques), WithDepth(2))
			var points []Point
			for _, c := range r.Candidates {
				points = append(points, c.Point)
			}
			assert.ElementsMatch(t, splitPoints(t, "j8k8"), points, "radius %d, %v", radius, techniques)
		}
	}
}

// TestUnsearchedCandidatesHaveTheirOwnLine: the table knows the position from the search before, with another move.
func TestUnsearchedCandidatesHaveTheirOwnLine(t *testing.T) {
	b, g := setUp(t, 15, Freestyle, "h8i9g6", "h9i8")
	for _, opts := range [][]Option{{WithCandidateCap(8)}, {WithCandidateCap(8), WithStrategy(Minimax), WithTechniques(NoTechniques)}} {
		e := mustEngine(t)
		for _, first := range mustSearch(t, e, b, append(opts, WithDepth(4))...).Candidates {
			require.NoError(t, b.Make(first.Point))
			g.play(first.Point)
			legalResult(t, g, mustSearch(t, e, b, append(opts, WithNodeLimit(2))...))
			b.Undo()
			g.undo()
		}
	}
}

// TestWinIsPlayed: a five on the spot comes before everything, defence included.
func TestWinIsPlayed(t *testing.T) {
	for _, rule := range naiveRules {
		for _, turn := range []Color{Black, White} {
			b, g := setUp(t, 15, rule, "e5f5g5h5", "c9d9e9f9")
			b.SetTurn(turn)
			g.turn = turn
			for _, h := range hurries {
				r, err := mustEngine(t, WithTableSize(1<<12)).Search(h.ctx(), b, h.opts[:min(1, len(h.opts))]...)
				require.NoError(t, err)
				require.Contains(t, (&naiveSearch{twin: g}).fivePoints(turn), r.Best)
				assert.LessOrEqual(t, r.Depth, 1)
			}
		}
	}
}

// TestOneEmptyPoint has a single move to play, which fills the board or wins.
func TestOneEmptyPoint(t *testing.T) {
	rnd := rand.New(rand.NewPCG(42, 1))
	for i := range 40 {
		g := fullerPosition(rnd, 5+i%3, naiveRules[i%4], 1)
		b := g.fresh(t, 1)
		for _, opts := range [][]Option{nil, {WithTimeBudget(time.Minute)}, {WithRadius(0), WithCandidateCap(0)}, {WithMultiPV(5)}} {
			r := mustSearch(t, mustEngine(t, WithTableSize(1<<12)), b, opts...)
			legalResult(t, g, r)
			assert.Equal(t, g.points(Empty), []Point{r.Best})
			assert.Equal(t, 1, r.Depth)
			assert.Len(t, r.PV, 1)
			if len((&naiveSearch{twin: g}).fivePoints(g.turn)) > 0 {
				assert.Equal(t, "win in 1", r.Score.String())
			} else {
				assert.Equal(t, Score(0), r.Score)
			}
		}
	}
}

// onlyFouls is a Renju position in which every empty point is an overline for Black.
func onlyFouls(t *testing.T) (*Board, *twin) {
	t.Helper()
	g := newTwin(6, Renju)
	for y, row := range []string{"xxx.xx", "ooxoox", "xoxxox", "oxooxo", "xxoxoo", "xx.xxx"} {
		for x, c := range row {
			g.set(Pt(x, y), map[rune]Color{'x': Black, 'o': White, '.': Empty}[c])
		}
	}
	require.Equal(t, Empty, g.winner(), "%v", g)
	require.Len(t, g.points(Empty), 2)
	for _, p := range g.points(Empty) {
		require.Equal(t, Overline, g.foulAt(p))
	}
	return g.fresh(t, 1), g
}

// TestNoLegalMove: Black with nothing but fouls, or a choice that leaves nothing.
func TestNoLegalMove(t *testing.T) {
	e := mustEngine(t)
	b, g := onlyFouls(t)
	for _, radius := range []int{0, 1, 2} {
		r, err := e.Search(context.Background(), b, WithRadius(radius))
		require.ErrorIs(t, err, ErrNoLegalMove)
		assert.Equal(t, NoPoint, r.Best)
		_, err = e.Search(cancelled(), b, WithRadius(radius))
		require.ErrorIs(t, err, ErrNoLegalMove)
	}
	b.SetTurn(White) // who has no fouls
	g.turn = White
	legalResult(t, g, mustSearch(t, e, b))

	b, g = setUp(t, 9, Freestyle, "e5", "e6")
	all := g.points(Empty)
	for name, opts := range map[string][]Option{
		"all excluded":          {WithExclude(all...)},
		"only excluded":         {WithOnly(Pt(0, 0)), WithExclude(Pt(0, 0))},
		"only occupied":         {WithOnly(Pt(4, 4), Pt(4, 5))},
		"only beyond the board": {WithOnly(Pt(20, 20))},
	} {
		_, err := e.Search(context.Background(), b, opts...)
		assert.ErrorIs(t, err, ErrNoLegalMove, name)
	}
	renju, _ := setUp(t, 15, Renju, "h7h6g8f8", "a1")
	require.Equal(t, DoubleThree, renju.Foul(Pt(7, 7)))
	_, err := e.Search(context.Background(), renju, WithOnly(Pt(7, 7)))
	assert.ErrorIs(t, err, ErrNoLegalMove, "only a foul")
	legalResult(t, g, mustSearch(t, e, b)) // the engine goes on
}

// TestOnlyAndExclude takes away move after move: what is left is played, to the last.
func TestOnlyAndExclude(t *testing.T) {
	rnd := rand.New(rand.NewPCG(43, 1))
	e := mustEngine(t, WithDepth(2), WithTableSize(1<<12))
	for i := range 12 {
		g := randomPosition(rnd, 5+i%3, naiveRules[i%4])
		b := g.fresh(t, 1)
		legal := (&naiveSearch{twin: g}).legal(g.points(Empty))
		var gone []Point
		for range legal {
			r := mustSearch(t, e, b, WithExclude(gone...))
			legalResult(t, g, r)
			require.NotContains(t, gone, r.Best)
			for _, c := range r.Candidates {
				require.NotContains(t, gone, c.Point)
			}
			gone = append(gone, r.Best)
		}
		_, err := e.Search(context.Background(), b, WithExclude(gone...))
		require.ErrorIs(t, err, ErrNoLegalMove)
		for _, p := range legal {
			r := mustSearch(t, e, b, WithOnly(p, Pt(21, 21)), WithRadius(1))
			require.Equal(t, p, r.Best)
			require.Len(t, r.Candidates, 1)
		}
	}
	// far from every stone, and with an own five left alone
	b, g := setUp(t, 15, Freestyle, "a1b1c1d1", "a15b15c15d15")
	r := mustSearch(t, e, b, WithOnly(Pt(12, 7)))
	assert.Equal(t, Pt(12, 7), r.Best)
	legalResult(t, g, r)
	r = mustSearch(t, e, b, WithExclude(Pt(4, 0)))
	assert.Equal(t, Pt(4, 14), r.Best, "without the five, the block is best")
	r = mustSearch(t, e, b, WithExclude(Pt(4, 0), Pt(4, 14)), WithTimeBudget(0))
	legalResult(t, g, r)
	_, err := e.Search(context.Background(), b, WithOnly(Pt(12, 7)), WithOnly())
	require.NoError(t, err)
}

// TestRestrictedResultIsNotProven: the best of some moves says nothing of the position.
func TestRestrictedResultIsNotProven(t *testing.T) {
	rnd := rand.New(rand.NewPCG(44, 1))
	e := mustEngine(t, WithRadius(0), WithCandidateCap(0), WithDepth(MaxDepth), WithTableSize(1<<16))
	found := 0
	for i := 0; found < 5 && i < 3000; i++ {
		g := fullerPosition(rnd, 5+i%2, naiveRules[i%4], 4)
		fives := (&naiveSearch{twin: g}).fivePoints(g.turn)
		b := g.fresh(t, 1)
		if len(fives) == 0 || len(fives) > 2 {
			continue
		}
		r, err := e.Search(context.Background(), b, WithExclude(fives...))
		if err != nil {
			continue
		}
		if r.Score == 0 {
			found++
			require.False(t, r.Proven, "a draw without %v is no fact about a won position\n%v", fives, g)
		} else if plies, ok := r.Score.Mate(); ok && plies < 0 {
			t.Fatalf("a loss without %v is no fact about a won position\n%v", fives, g)
		}
	}
	require.Equal(t, 5, found)
}

// TestGameOver asks for a move where the game has ended.
func TestGameOver(t *testing.T) {
	e := mustEngine(t)
	won, _ := setUp(t, 15, Freestyle, "e5f5g5h5i5", "a1")
	lastWon := mustBoard(t, 5, Freestyle)
	play(t, lastWon, newTwin(5, Freestyle), "a1a2b1b2c1c2d1d2e1")
	foul := mustBoard(t, 15, Renju)
	for _, p := range splitPoints(t, "h7a1h6a2g8a4f8a5h8") {
		require.NoError(t, foul.MakeFoul(p))
	}
	for name, b := range map[string]*Board{"set up": won, "played": lastWon, "full": fullBoard(t), "foul": foul} {
		require.True(t, b.Over(), name)
		same := unchanged(t, b)
		for _, ctx := range []context.Context{context.Background(), cancelled()} {
			r, err := e.Search(ctx, b)
			require.ErrorIs(t, err, ErrGameOver, name)
			assert.Equal(t, NoPoint, r.Best)
			same()
		}
		for i, err := range e.Analyze(context.Background(), b) {
			require.ErrorIs(t, err, ErrGameOver)
			assert.Zero(t, i.Depth)
		}
	}
	lastWon.Undo()
	assert.Equal(t, Pt(4, 0), mustSearch(t, e, lastWon).Best, "after undo the game goes on")
}

// TestNilBoard has no board to look at.
func TestNilBoard(t *testing.T) {
	e := mustEngine(t)
	for _, b := range []*Board{nil, {}} {
		_, err := e.Search(context.Background(), b)
		require.ErrorIs(t, err, ErrNilBoard)
		n := 0
		for _, err := range e.Analyze(context.Background(), b) {
			require.ErrorIs(t, err, ErrNilBoard)
			n++
		}
		assert.Equal(t, 1, n)
	}
}

// TestBusy asks an engine for a second search while one runs.
func TestBusy(t *testing.T) {
	e := mustEngine(t, WithDepth(2))
	b := mustBoard(t, 9, Freestyle)
	calls := 0
	mustSearch(t, e, b, WithProgress(func(Info) {
		calls++
		r, err := e.Search(context.Background(), b)
		assert.ErrorIs(t, err, ErrBusy)
		assert.Equal(t, NoPoint, r.Best)
		for _, err := range e.Analyze(context.Background(), b) {
			assert.ErrorIs(t, err, ErrBusy)
		}
		e.NewGame() // is allowed
	}))
	assert.Positive(t, calls)
	mustSearch(t, e, b) // free again
	_, _ = e.Search(context.Background(), fullBoard(t))
	mustSearch(t, e, b) // and after an error

	var wg sync.WaitGroup
	var mu sync.Mutex
	results := map[bool]int{}
	for range 8 {
		wg.Go(func() {
			r, err := e.Search(context.Background(), b.Clone(), WithNodeLimit(20_000), WithDepth(0+MaxDepth))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				assert.ErrorIs(t, err, ErrBusy)
			} else {
				assert.NotEqual(t, NoPoint, r.Best)
			}
			results[err == nil]++
		})
	}
	wg.Wait()
	assert.Positive(t, results[true])
}

// TestOptionErrors tries each option out of its range; the error names it.
func TestOptionErrors(t *testing.T) {
	w := BalancedWeights()
	w.Four = -1
	for name, tc := range map[string]struct {
		opt  Option
		text string
	}{
		"depth 0":          {WithDepth(0), "depth"},
		"depth -1":         {WithDepth(-1), "depth"},
		"depth 101":        {WithDepth(MaxDepth + 1), "depth"},
		"radius -1":        {WithRadius(-1), "radius -1"},
		"radius 5":         {WithRadius(MaxRadius + 1), "radius 5"},
		"cap":              {WithCandidateCap(-1), "candidate cap -1"},
		"budget":           {WithTimeBudget(-1), "time budget"},
		"budget, smallest": {WithTimeBudget(math.MinInt64), "time budget"},
		"budget -2":        {WithTimeBudget(-2), "time budget"},
		"soft":             {WithSoftTime(-1), "soft time"},
		"soft -1s":         {WithSoftTime(-time.Second), "soft time"},
		"nodes":            {WithNodeLimit(-1), "node limit -1"},
		"table":            {WithTableSize(-1), "table size -1"},
		"table too large":  {WithTableSize(1<<40 + 1), "table size"},
		"strategy":         {WithStrategy(3), "strategy"},
		"multipv 0":        {WithMultiPV(0), "MultiPV 0"},
		"multipv 485":      {WithMultiPV(MaxMultiPV + 1), "MultiPV 485"},
		"exclude":          {WithExclude(NoPoint), "move -"},
		"only":             {WithOnly(Pt(3, 3), Point(-7)), "move"},
		"only beyond":      {WithOnly(Point(30)), "move"},
		"level 0":          {WithLevel(0), "level"},
		"level 5":          {WithLevel(5), "level"},
		"weights":          {WithWeights(w), "Four"},
		"technique":        {WithTechniques(AllTechniques + 1), "technique"},
		"threads 0":        {WithThreads(0), "threads 0"},
		"threads 257":      {WithThreads(MaxThreads + 1), "threads 257"},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := NewEngine(tc.opt)
			require.ErrorIs(t, err, ErrOption)
			assert.ErrorContains(t, err, tc.text)
			assert.Nil(t, e)
			e = mustEngine(t, WithTableSize(1<<12))
			b := mustBoard(t, 9, Freestyle)
			r, err := e.Search(context.Background(), b, tc.opt)
			require.ErrorIs(t, err, ErrOption)
			assert.Equal(t, NoPoint, r.Best)
			if !strings.HasPrefix(name, "table") {
				assert.ErrorContains(t, err, tc.text)
			}
			for _, err := range e.Analyze(context.Background(), b, tc.opt) {
				require.ErrorIs(t, err, ErrOption)
			}
			mustSearch(t, e, b)
		})
	}
	_, err := NewEngine(WithRadius(9), WithMultiPV(0), WithNodeLimit(-5))
	for _, text := range []string{"radius 9", "MultiPV 0", "node limit -5"} {
		assert.ErrorContains(t, err, text, "every fault is named")
	}
	for name, opts := range map[string][]Option{
		"limits": {
			WithDepth(MaxDepth), WithRadius(MaxRadius), WithCandidateCap(1), WithTimeBudget(0), WithSoftTime(0),
			WithNodeLimit(1), WithTableSize(0), WithMultiPV(MaxMultiPV), WithStrategy(Minimax), WithEvaluator(nil), WithProgress(nil),
		},
		"later wins": {WithRadius(77), WithRadius(1), WithDepth(-1), WithDepth(3)},
	} {
		_, err := NewEngine(opts...)
		assert.NoError(t, err, name)
	}
	for text, opt := range map[string]Option{ // there is nothing that a later option could replace
		"depth 0": WithDepth(0), "unknown level 9": WithLevel(9), "time budget -1ns": WithTimeBudget(-1),
		"soft time -2ns": WithSoftTime(-2), "unknown technique": WithoutTechniques(1 << 31), "option 1 is nil": nil,
		"shape weights are a zero value": WithShapeWeights(new(ShapeWeights)),
	} {
		_, err := NewEngine(opt, WithDepth(3), WithTimeBudget(time.Second), WithSoftTime(time.Second))
		assert.ErrorIs(t, err, ErrOption, text)
		assert.ErrorContains(t, err, text)
		_, err = mustEngine(t).Search(context.Background(), mustBoard(t, 9, Freestyle), opt, WithDepth(3))
		assert.ErrorContains(t, err, text)
	}
	_, err = mustEngine(t).Search(context.Background(), mustBoard(t, 9, Freestyle), WithTableSize(1<<10))
	assert.ErrorIs(t, err, ErrOption, "the table's size is for NewEngine")
	_, err = mustEngine(t).Search(context.Background(), mustBoard(t, 9, Freestyle), WithThreads(2))
	assert.ErrorIs(t, err, ErrOption, "the threads are for NewEngine")
}

// TestBoardUnchanged searches boards with set-up stones, histories and either side to move.
func TestBoardUnchanged(t *testing.T) {
	e := mustEngine(t, WithDepth(3))
	rnd := rand.New(rand.NewPCG(45, 1))
	for i := range 24 {
		b := randomPosition(rnd, 6+i%10, naiveRules[i%4]).fresh(t, 1)
		for range rnd.IntN(4) {
			if ps := b.Candidates(1); !b.Over() && len(ps) > 0 {
				_ = b.Make(ps[rnd.IntN(len(ps))])
			}
		}
		if b.Over() {
			continue
		}
		same := unchanged(t, b)
		moves := slices.Collect(func(yield func(Point) bool) {
			for p := range b.Moves() {
				if !yield(p) {
					return
				}
			}
		})
		_, err := e.Search(context.Background(), b, WithNodeLimit(int64(1+rnd.IntN(2000))), WithMultiPV(1+i%3))
		if !isErr(err, ErrNoLegalMove) {
			require.NoError(t, err)
		}
		same()
		for j := len(moves) - 1; j >= 0; j-- { // the history can still be taken back
			p, ok := b.Undo()
			require.True(t, ok)
			require.Equal(t, moves[j], p)
		}
	}
}

// faultyEvaluator panics at the n-th call of one of its methods.
type faultyEvaluator struct {
	Evaluator
	method string
	n      int
}

func (e *faultyEvaluator) count(method string) {
	if method == e.method {
		if e.n--; e.n == 0 {
			panic("out of order: " + method)
		}
	}
}
func (e *faultyEvaluator) Reset(b *Board)         { e.count("Reset"); e.Evaluator.Reset(b) }
func (e *faultyEvaluator) Place(p Point, c Color) { e.count("Place"); e.Evaluator.Place(p, c) }
func (e *faultyEvaluator) Undo()                  { e.count("Undo"); e.Evaluator.Undo() }
func (e *faultyEvaluator) Evaluate(c Color) int {
	e.count("Evaluate")
	return e.Evaluator.Evaluate(c)
}

// TestEvaluatorPanics lets a caller's evaluator fail at every kind of moment: there is a legal move with the error, the
// board is as it was, and the engine works on.
func TestEvaluatorPanics(t *testing.T) {
	real := realPositions(t, 4, 5)
	positions := append(real, newTwin(15, Freestyle))
	e := mustEngine(t, WithDepth(4), WithCandidateCap(6))
	fresh := mustEngine(t, WithDepth(4), WithCandidateCap(6))
	for i, g := range positions {
		b := g.fresh(t, 1)
		same := unchanged(t, b)
		fresh.NewGame() // what is left out depends on the history
		want := mustSearch(t, fresh, b, WithEvaluator(func() Evaluator { return NewLineEvaluator(BalancedWeights()) }))
		moments := []int{1, 2, 3, 7, 50, 200}
		failed := 0
		for _, method := range []string{"factory", "nil", "Reset", "Place", "Undo", "Evaluate"} {
			for _, n := range moments {
				if n > 1 && (method == "factory" || method == "nil" || method == "Reset") {
					continue
				}
				factory := func() Evaluator {
					switch method {
					case "factory":
						panic(errors.New("no evaluator today"))
					case "nil":
						return nil
					}
					return &faultyEvaluator{NewLineEvaluator(BalancedWeights()), method, n}
				}
				e.NewGame()
				r, err := e.Search(context.Background(), b, WithEvaluator(factory))
				same()
				legalResult(t, g, r)
				if err == nil { // the search was over before
					require.Greater(t, n, 1, "%s in position %d does not fail", method, i)
					require.Equal(t, want.Score, r.Score)
					continue
				}
				failed++
				require.ErrorIs(t, err, ErrEvaluator)
				require.Equal(t, StopFailed, r.Stop)
				if method != "nil" {
					require.ErrorContains(t, err, map[bool]string{true: "no evaluator today", false: "out of order: " + method}[method == "factory"])
				}
				if stops := answersFive(g); len(stops) > 0 && len((&naiveSearch{twin: g}).fivePoints(g.turn)) == 0 {
					require.Contains(t, stops, r.Best)
				}
			}
		}
		require.GreaterOrEqual(t, failed, 6)
		e.NewGame()
		after := mustSearch(t, e, b)
		fresh.NewGame()
		require.Equal(t, timeless(mustSearch(t, fresh, b)), timeless(after), "the engine is as new")
	}
	_, err := NewEngine(WithEvaluator(func() Evaluator { panic("not yet") }))
	assert.NoError(t, err, "the factory is asked by the search")
}

// TestCallersPanicIsNotTheEvaluators: a panic of the progress function or of the reader is passed on as it is,
// whatever the evaluator, and the engine is free afterwards.
func TestCallersPanicIsNotTheEvaluators(t *testing.T) {
	b := mustBoard(t, 9, Freestyle)
	custom := WithEvaluator(func() Evaluator { return NewLineEvaluator(BalancedWeights()) })
	for name, opts := range map[string][]Option{
		"default evaluator": nil, "own evaluator": {custom}, "threads": {WithThreads(3)}, "own evaluator, threads": {custom, WithThreads(3)},
	} {
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			e := mustEngine(t, append(opts, WithDepth(2))...)
			assert.PanicsWithValue(t, "mine", func() {
				_, _ = e.Search(context.Background(), b, WithProgress(func(Info) { panic("mine") }))
			})
			assert.PanicsWithValue(t, "mine", func() {
				for range e.Analyze(context.Background(), b) {
					panic("mine")
				}
			})
			noMoreGoroutines(t, before)
			mustSearch(t, e, b)
		})
	}
}

// timeless is a result without what a clock decides.
func timeless(r Result) Result {
	r.Elapsed = 0
	r.Stats.DepthTimes = make([]time.Duration, len(r.Stats.DepthTimes))
	return r
}

// TestDeterministic repeats searches with node limits, on the same engine after NewGame, on a new one and after other work.
func TestDeterministic(t *testing.T) {
	n := 8
	if few() {
		n = 2
	}
	used := mustEngine(t, WithTableSize(1<<18))
	for i, g := range realPositions(t, n, 6) {
		b := g.fresh(t, 1)
		for _, opts := range [][]Option{
			{WithNodeLimit(20_000)},
			{WithNodeLimit(7_777), WithMultiPV(3), WithSeed(9)},
			{WithDepth(4), WithStrategy(AlphaBeta), WithCandidateCap(8)},
			{WithLevel(Easy), WithSeed(uint64(i))},
			{WithNodeLimit(5_000), WithEvaluator(func() Evaluator { return NewLineEvaluator(AttackingWeights()) })},
		} {
			used.NewGame()
			first := timeless(mustSearch(t, used, b, opts...))
			if r := first.Nodes; r > 20_000 {
				assert.Empty(t, opts[0])
			}
			mustSearch(t, used, mustBoard(t, 11, Caro), WithNodeLimit(3000)) // other work in between
			used.NewGame()
			require.Equal(t, first, timeless(mustSearch(t, used, b, opts...)))
			require.Equal(t, first, timeless(mustSearch(t, mustEngine(t, WithTableSize(1<<18)), b, opts...)), "new engine")
			// the history of the board does not matter
			require.Equal(t, first, timeless(mustSearch(t, mustEngine(t, WithTableSize(1<<18)), b.Clone(), opts...)))
		}
	}
}

// TestNodeLimit is kept to the node.
func TestNodeLimit(t *testing.T) {
	e := mustEngine(t)
	b, _ := setUp(t, 15, Freestyle, "h8i9g6", "h9i8")
	for _, limit := range []int64{1, 2, 10, 100, 511, 512, 513, 5000} {
		e.NewGame()
		r := mustSearch(t, e, b, WithNodeLimit(limit))
		assert.Equal(t, limit, r.Nodes)
		assert.Equal(t, limit, r.Stats.Nodes)
		assert.Equal(t, StopNodes, r.Stop)
	}
	r := mustSearch(t, e, b, WithNodeLimit(1<<40), WithDepth(3))
	assert.Equal(t, StopDepth, r.Stop)
	assert.Equal(t, 3, r.Depth)
}

// TestTwoEngines run side by side and find what each finds alone.
func TestTwoEngines(t *testing.T) {
	positions := realPositions(t, 4, 7)
	opts := []Option{WithNodeLimit(3_000), WithMultiPV(2)}
	var want []Result
	for _, g := range positions {
		want = append(want, timeless(mustSearch(t, mustEngine(t, WithTableSize(1<<16)), g.fresh(t, 1), opts...)))
	}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			e, err := NewEngine(WithTableSize(1 << 16))
			if !assert.NoError(t, err) {
				return
			}
			for i := range positions {
				i = (i + worker) % len(positions)
				e.NewGame()
				r, err := e.Search(context.Background(), positions[i].fresh(t, 1), opts...)
				assert.NoError(t, err)
				assert.Equal(t, want[i], timeless(r))
			}
		})
	}
	wg.Wait()
}

// slowEvaluator takes its time over every leaf.
type slowEvaluator struct {
	Evaluator
	nap time.Duration
}

func (e slowEvaluator) Evaluate(c Color) int {
	time.Sleep(e.nap)
	return e.Evaluator.Evaluate(c)
}

func slow(nap time.Duration) Option {
	return WithEvaluator(func() Evaluator { return slowEvaluator{NewLineEvaluator(BalancedWeights()), nap} })
}

// noMoreGoroutines waits for the goroutines that end with a search.
func noMoreGoroutines(t *testing.T, before int) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Fatalf("%d goroutines before, %d now:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
}

// TestRepeatedCancel stops an engine five times in the middle of its work and then lets it search to the end; no
// goroutine stays behind.
func TestRepeatedCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	e := mustEngine(t, WithDepth(4), WithCandidateCap(8))
	b, g := setUp(t, 15, Freestyle, "h8i9g6", "h9i8")
	want := mustSearch(t, mustEngine(t, WithDepth(4), WithCandidateCap(8)), b)
	for i := range 5 {
		ctx, cancel := context.WithCancel(context.Background())
		timer := time.AfterFunc(time.Duration(1+i)*3*time.Millisecond, cancel)
		start := time.Now()
		r, err := e.Search(ctx, b, WithDepth(MaxDepth), WithCandidateCap(20))
		require.NoError(t, err)
		assert.Equal(t, StopCancelled, r.Stop)
		assert.Less(t, time.Since(start), time.Second)
		legalResult(t, g, r)
		timer.Stop()
		cancel()
	}
	e.NewGame()
	require.Equal(t, timeless(want), timeless(mustSearch(t, e, b)))
	noMoreGoroutines(t, before)
}

// TestLateCancellation ends the context of a finished search while the next one runs.
func TestLateCancellation(t *testing.T) {
	e := mustEngine(t, WithTableSize(1<<16))
	b, _ := setUp(t, 15, Freestyle, "h8i9g6", "h9i8")
	for range 20 {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := e.Search(ctx, b, WithNodeLimit(300))
		require.NoError(t, err)
		r := mustSearch(t, e, b, WithNodeLimit(3000), WithProgress(func(i Info) {
			if i.Depth == 1 {
				cancel()
				time.Sleep(100 * time.Microsecond)
			}
		}))
		require.Equal(t, StopNodes, r.Stop)
		cancel()
		ctx, cancel = context.WithTimeout(context.Background(), time.Millisecond)
		_, err = e.Search(ctx, b, WithNodeLimit(10))
		require.NoError(t, err)
		r = mustSearch(t, e, b, WithNodeLimit(5), slow(time.Millisecond))
		require.Equal(t, StopNodes, r.Stop)
		cancel()
	}
}

// TestTimeIsKept: budgets, deadlines and cancellation end the search soon, also with an evaluator that takes long.
func TestTimeIsKept(t *testing.T) {
	const slack = 150 * time.Millisecond // for a busy machine; the benchmarks measure the real latency
	e := mustEngine(t)
	b, g := setUp(t, 15, Freestyle, "h8i9g6", "h9i8")
	for name, opts := range map[string][]Option{
		"quick": nil, "slow": {slow(2 * time.Millisecond)}, "bare": {WithStrategy(Minimax), WithOrdering(false)},
		"no deepening": {WithIterativeDeepening(false), WithDepth(30)},
	} {
		for _, budget := range []time.Duration{0, 5 * time.Millisecond, 40 * time.Millisecond} {
			start := time.Now()
			r := mustSearch(t, e, b, append(opts, WithTimeBudget(budget))...)
			took := time.Since(start)
			assert.Less(t, took, budget+slack, "%s, budget %v", name, budget)
			assert.Equal(t, StopTime, r.Stop, name)
			assert.LessOrEqual(t, r.Elapsed, took)
			legalResult(t, g, r)

			ctx, cancel := context.WithTimeout(context.Background(), budget)
			start = time.Now()
			r, err := e.Search(ctx, b, append(opts, WithDepth(20))...)
			require.NoError(t, err)
			assert.Less(t, time.Since(start), budget+slack, "%s, deadline %v", name, budget)
			assert.Equal(t, StopTime, r.Stop, name)
			cancel()
		}
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(5*time.Millisecond, cancel)
		start := time.Now()
		r, err := e.Search(ctx, b, append(opts, WithDepth(20))...)
		require.NoError(t, err)
		assert.Less(t, time.Since(start), 5*time.Millisecond+slack, name)
		assert.Equal(t, StopCancelled, r.Stop, name)
	}
	// the sooner of the two counts
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	start := time.Now()
	r, err := e.Search(ctx, b, WithTimeBudget(time.Hour))
	require.NoError(t, err)
	assert.Less(t, time.Since(start), slack)
	assert.Equal(t, StopTime, r.Stop)
	ctx, cancel = context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	start = time.Now()
	r, err = e.Search(ctx, b, WithTimeBudget(5*time.Millisecond))
	require.NoError(t, err)
	assert.Less(t, time.Since(start), slack)
	assert.Equal(t, StopTime, r.Stop)
}

// TestSoftTime begins no depth after it, and finishes the one it is in.
func TestSoftTime(t *testing.T) {
	e := mustEngine(t)
	b, _ := setUp(t, 15, Freestyle, "h8i9g6", "h9i8")
	r := mustSearch(t, e, b, WithSoftTime(0), WithDepth(30))
	assert.Equal(t, 1, r.Depth)
	assert.Equal(t, StopTime, r.Stop)
	r = mustSearch(t, e, b, WithSoftTime(time.Hour), WithDepth(3))
	assert.Equal(t, StopDepth, r.Stop)
	assert.Equal(t, 3, r.Depth)
}

// TestPatience: the soft limit comes early while nothing changes, late when the best move or the score has just done so,
// and never after the hard one.
func TestPatience(t *testing.T) {
	now := time.Now()
	s := &searcher{start: now, softLimit: time.Second}
	s.deadline = now.Add(3 * time.Second)
	assert.Equal(t, time.Second, s.patience(), "after two depths it is too early to say")
	s.pastScores = []Score{30, 10, 30}
	calm := s.patience()
	assert.Less(t, calm, time.Second)
	s.changes = 1
	changed := s.patience()
	assert.Greater(t, changed, time.Second)
	s.pastScores = []Score{30, 10, -200}
	assert.Greater(t, s.patience(), changed)
	s.pastScores = []Score{30, 10, 300}
	assert.Equal(t, changed, s.patience(), "a rise is no reason to worry")
	s.changes, s.pastScores = 2, []Score{30, 10, -20000}
	assert.Equal(t, 2*time.Second, s.patience())
	s.deadline = now.Add(1500 * time.Millisecond)
	assert.Equal(t, 1500*time.Millisecond, s.patience())
	s.softLimit, s.changes = 1500*time.Millisecond, 0
	assert.Equal(t, 1500*time.Millisecond, s.patience(), "time saved is lost")
}

// TestDefendsAgainstFours: where the opponent would win by continuous fours, one ply is enough to play a move after which
// it does not, as far as some hundred positions show, if there is one.
func TestDefendsAgainstFours(t *testing.T) {
	defended := 0
	quick := Limits{Nodes: leafBudget / 2}
	for _, name := range []string{"vcf_puzzles.jsonl", "vcf_realgames.jsonl"} {
		for i, row := range readRows[solverRow](t, name) {
			if !row.Expected.Win || few() && i%4 != 0 {
				continue
			}
			b, attacker := row.board(t)
			b.SetTurn(attacker.Opponent())
			if b.Over() {
				continue
			}
			lost := func(p Point) bool {
				c := b.Clone()
				require.NoError(t, c.Make(p))
				return !c.Over() && mustSolve(t, SolveVCF, c, attacker, quick).Verdict == Proven
			}
			r := mustSearch(t, mustEngine(t), b, WithDepth(1))
			if !lost(r.Best) {
				defended++
				continue
			}
			for _, p := range b.Candidates(2) {
				require.True(t, b.Foul(p) != NoFoul && b.Turn() == Black || lost(p), "%s: %v, but %v was a defence\n%v", row.ID, r.Best, p, b)
			}
		}
	}
	assert.NotZero(t, defended)
}

// TestForcedMoveSavesTime: with a clock and one answer there is nothing to think about.
func TestForcedMoveSavesTime(t *testing.T) {
	b, _ := setUp(t, 15, Freestyle, "e5f5g5h5", "d5a1a15")
	b.SetTurn(White)
	start := time.Now()
	r := mustSearch(t, mustEngine(t), b, WithTimeBudget(time.Hour))
	assert.Less(t, time.Since(start), time.Second)
	assert.Equal(t, StopForced, r.Stop)
	assert.Equal(t, Pt(8, 4), r.Best)
	r = mustSearch(t, mustEngine(t), b, WithDepth(3))
	assert.Equal(t, 3, r.Depth, "without a clock the analysis goes on")
}

// TestMultiPV compares the k best lines with the k best exact values of all root moves.
func TestMultiPV(t *testing.T) {
	n := 40
	if few() {
		n = 8
	}
	rnd := rand.New(rand.NewPCG(46, 1))
	positions := realPositions(t, n/2, 8)
	for i := range n {
		positions = append(positions, randomPosition(rnd, 6+rnd.IntN(5), naiveRules[i%4]))
	}
	reference := mustEngine(t, WithTableSize(0))
	e := mustEngine(t, WithTableSize(1<<16))
	for i, g := range positions {
		b := g.fresh(t, 1)
		depth, k := 1+rnd.IntN(4), 1+rnd.IntN(9)
		opts := []Option{WithDepth(depth), WithRadius(rnd.IntN(2) + 1), WithCandidateCap(5 + rnd.IntN(4)), WithMultiPV(k)}
		want := mustSearch(t, reference, b, bare(opts...)...)
		var values []Score
		exact := map[Point]Score{}
		for _, c := range want.Candidates {
			values = append(values, c.Score)
			exact[c.Point] = c.Score
		}
		slices.Sort(values)
		slices.Reverse(values)
		values[0] = want.Score // less certain than a loss if moves were left out
		for _, strategy := range []Strategy{PVS, AlphaBeta} {
			e.NewGame()
			strong := mustSearch(t, e, b, append(opts, WithStrategy(strategy))...)
			legalResult(t, g, strong)
			require.Len(t, strong.Lines, min(k, len(strong.Candidates)), "with all techniques")
			for j, l := range strong.Lines {
				require.True(t, j == 0 || strong.Lines[j-1].Score >= l.Score, "the best line comes first")
				checkPlayable(t, g, l.PV)
			}
			e.NewGame()
			r := mustSearch(t, e, b, append(opts, WithStrategy(strategy), WithTechniques(NoTechniques))...)
			legalResult(t, g, r)
			require.Len(t, r.Lines, min(k, len(values)))
			if r.Stop == StopProven && r.Depth < depth {
				continue
			}
			firsts := map[Point]bool{}
			for j, l := range r.Lines {
				require.Equal(t, values[j], l.Score, "position %d, line %d, depth %d, k %d, %v\n%v", i, j, depth, k, g.rule, g)
				require.Equal(t, l.PV[0], r.Candidates[j].Point)
				require.Equal(t, Exact, r.Candidates[j].Bound)
				require.Equal(t, exact[l.PV[0]], r.Candidates[j].Score)
				require.False(t, firsts[l.PV[0]])
				firsts[l.PV[0]] = true
				checkPlayable(t, g, l.PV)
			}
			for _, c := range r.Candidates[len(r.Lines):] {
				require.Contains(t, []Bound{Exact, Upper}, c.Bound)
				require.GreaterOrEqual(t, c.Score, exact[c.Point], "%v is better than its bound", c.Point)
				require.True(t, c.Bound == Upper || c.Score == exact[c.Point], "%v is not exact", c.Point)
				require.LessOrEqual(t, c.Score, max(r.Lines[len(r.Lines)-1].Score, r.Candidates[len(r.Lines)-1].Score))
				checkPlayable(t, g, c.PV)
			}
		}
	}
	b := mustBoard(t, 7, Freestyle)
	require.NoError(t, b.SetStone(Pt(3, 3), Black))
	r := mustSearch(t, e, b, WithMultiPV(MaxMultiPV), WithRadius(0), WithCandidateCap(0), WithDepth(1))
	assert.Len(t, r.Lines, 48, "as many lines as there are moves")
}

func checkPlayable(t *testing.T, g *twin, line []Point) {
	t.Helper()
	h := g.clone()
	for i, p := range line {
		require.Empty(t, h.faults(p, false), "move %d of %v\n%v", i, line, g)
		h.play(p)
	}
}

// TestProgress reports every completed depth once, in order, and what it reports is the result at the end.
func TestProgress(t *testing.T) {
	e := mustEngine(t)
	b, g := setUp(t, 15, Standard, "h8i9g6", "h9i8")
	var infos []Info
	r := mustSearch(t, e, b, WithDepth(5), WithMultiPV(3), WithProgress(func(i Info) { infos = append(infos, i) }))
	require.Len(t, infos, 5)
	for i, info := range infos {
		assert.Equal(t, i+1, info.Depth)
		assert.GreaterOrEqual(t, info.SelDepth, info.Depth)
		assert.Len(t, info.Lines, 3)
		assert.Equal(t, Line{info.Score, info.PV}, info.Lines[0])
		checkPlayable(t, g, info.PV)
		if i > 0 {
			assert.Greater(t, info.Nodes, infos[i-1].Nodes)
			assert.GreaterOrEqual(t, info.Elapsed, infos[i-1].Elapsed)
		}
	}
	last := infos[4]
	assert.Equal(t, r.Lines, last.Lines)
	assert.Equal(t, r.Nodes, last.Nodes)
	assert.Equal(t, r.Score, last.Score)
	assert.Equal(t, r.Depth, last.Depth)
	assert.Len(t, r.Stats.DepthTimes, 5)
	require.Len(t, r.Stats.DepthNodeCounts, 5)
	sum := int64(0)
	for i, n := range r.Stats.DepthNodeCounts {
		sum += n
		assert.Equal(t, infos[i].Nodes, sum)
	}
	last.PV[0], last.Lines[0].PV[0] = NoPoint, NoPoint // the slices are the caller's
	assert.NotEqual(t, NoPoint, r.PV[0])
	s := r.Stats
	assert.Equal(t, r.Nodes, s.Nodes)
	assert.LessOrEqual(t, s.FirstMoveCuts, s.Cutoffs)
	assert.LessOrEqual(t, s.TableCutoffs, s.TableHits)
	assert.LessOrEqual(t, s.TableHits, s.TableProbes)
	assert.Less(t, s.Evaluations, s.Nodes)
	for _, v := range []int64{s.Evaluations, s.FirstMoveCuts, s.TableCutoffs, s.Researches} {
		assert.Positive(t, v)
	}
}

// TestStatsMerge adds everything up.
func TestStatsMerge(t *testing.T) {
	a := Stats{1, 2, 3, 4, 5, 6, 7, 8, 9, []time.Duration{1, 2}, []int64{3}}
	o := Stats{10, 20, 30, 40, 50, 60, 70, 80, 90, []time.Duration{10}, []int64{30, 40, 50}}
	kept := a.DepthTimes
	a.Merge(o)
	assert.Equal(t, Stats{11, 22, 33, 44, 55, 66, 77, 88, 99, []time.Duration{11, 2}, []int64{33, 40, 50}}, a)
	assert.Equal(t, []time.Duration{1, 2}, kept, "a copy of the old value stays as it was")
	assert.Equal(t, []int64{30, 40, 50}, o.DepthNodeCounts)
	var zero Stats
	zero.Merge(Stats{})
	assert.Equal(t, Stats{}, zero)
}

// TestAnalyze streams the depths and ends with its reader.
func TestAnalyze(t *testing.T) {
	e := mustEngine(t)
	b, _ := setUp(t, 15, Freestyle, "h8i9g6", "h9i8")
	same := unchanged(t, b)
	depth := 0
	sequence := e.Analyze(context.Background(), b, WithDepth(4), WithProgress(func(Info) { t.Error("WithProgress has no effect in Analyze") }))
	for range 2 { // it can be read again
		depth = 0
		for i, err := range sequence {
			require.NoError(t, err)
			depth++
			require.Equal(t, depth, i.Depth)
			require.NotEmpty(t, i.PV)
		}
		require.Equal(t, 4, depth)
	}
	before := runtime.NumGoroutine()
	for i := range 5 {
		start := time.Now()
		for info, err := range e.Analyze(context.Background(), b, WithDepth(MaxDepth)) {
			require.NoError(t, err)
			if info.Depth == 1+i%3 {
				break
			}
		}
		assert.Less(t, time.Since(start), 2*time.Second, "the search ends with its reader")
		mustSearch(t, e, b, WithDepth(1)) // the engine is free at once
	}
	same()
	noMoreGoroutines(t, before)

	ctx, cancel := context.WithCancel(context.Background())
	seen := 0
	for info, err := range e.Analyze(ctx, b, WithDepth(MaxDepth)) {
		require.NoError(t, err)
		seen = info.Depth
		if info.Depth == 2 {
			cancel()
		}
	}
	cancel()
	assert.GreaterOrEqual(t, seen, 2)
	assert.Less(t, seen, 20)
	for _, err := range e.Analyze(context.Background(), b, WithEvaluator(func() Evaluator { panic("no") })) {
		require.ErrorIs(t, err, ErrEvaluator)
		seen = -1
	}
	assert.Equal(t, -1, seen, "the error comes as the last element")
}

// TestAnalyzeLastIsTheResult: whenever the search ends, its reader has seen what it ends with.
func TestAnalyzeLastIsTheResult(t *testing.T) {
	b, _ := setUp(t, 15, Freestyle, "h8i9g6", "h9i8")
	won, _ := setUp(t, 15, Freestyle, "e5f5g5", "a1a3a5")
	for _, b := range []*Board{b, won} {
		for _, nodes := range []int64{1, 30, 100, 500, 1500, 3000, 6000, 9000} {
			want := mustSearch(t, mustEngine(t), b, WithNodeLimit(nodes))
			var last Info
			depths := map[int]int{}
			for i, err := range mustEngine(t).Analyze(context.Background(), b, WithNodeLimit(nodes)) {
				require.NoError(t, err)
				last = i
				depths[i.Depth]++
			}
			assert.Equal(t, want.Lines, last.Lines, "%d nodes", nodes)
			assert.Equal(t, want.Depth, last.Depth)
			for depth, n := range depths {
				assert.LessOrEqual(t, n, map[bool]int{true: 2, false: 1}[depth == want.Depth], "depth %d", depth)
			}
		}
	}
	n := 0
	for i, err := range mustEngine(t).Analyze(cancelled(), b) {
		require.NoError(t, err)
		require.NotEmpty(t, i.PV)
		n++
	}
	assert.Equal(t, 1, n, "a reader without time gets a move as well")
}

// TestResultJSON reads results back as they were.
func TestResultJSON(t *testing.T) {
	e := mustEngine(t, WithTableSize(1<<16))
	lost, _ := setUp(t, 15, Renju, "h2b13", "e5f5g5h5m9m10m11m12")
	open, _ := setUp(t, 15, Freestyle, "h8i9g6", "h9i8")
	for name, tc := range map[string]struct {
		b    *Board
		opts []Option
	}{
		"depth":    {open, []Option{WithDepth(3), WithMultiPV(3)}},
		"lost":     {lost, nil},
		"no time":  {open, []Option{WithTimeBudget(0)}},
		"nodes":    {open, []Option{WithNodeLimit(100)}},
		"one node": {open, []Option{WithNodeLimit(1)}},
	} {
		r := mustSearch(t, e, tc.b, tc.opts...)
		text, err := json.Marshal(r)
		require.NoError(t, err, name)
		var back Result
		require.NoError(t, json.Unmarshal(text, &back), "%s: %s", name, text)
		for i := range r.Candidates {
			if len(r.Candidates[i].PV) == 0 { // left out of the text
				r.Candidates[i].PV = nil
			}
		}
		require.Equal(t, r, back, name)
		var generic map[string]any
		require.NoError(t, json.Unmarshal(text, &generic))
		for _, key := range []string{"best", "score", "proven", "depth", "seldepth", "pv", "nodes", "elapsed_ns", "stop", "lines", "candidates", "stats"} {
			require.Contains(t, generic, key)
		}
		require.Equal(t, r.Best.String(), generic["best"])
		require.Equal(t, r.Stop.String(), generic["stop"])
		for _, key := range []string{"pv", "lines", "candidates"} {
			require.NotNil(t, generic[key], "%s is a list in %s", key, text)
		}
	}
	var info Info
	for i := range e.Analyze(context.Background(), open, WithDepth(2)) {
		info = i
	}
	text, err := json.Marshal(info)
	require.NoError(t, err)
	var back Info
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, info, back)
}

// TestNames reads every enumeration's texts back and refuses others.
func TestNames(t *testing.T) {
	for _, s := range []Strategy{PVS, AlphaBeta, Minimax} {
		checkName(t, s.String(), s, ParseStrategy)
	}
	for _, l := range []Level{Easy, Normal, Hard, Expert} {
		checkName(t, l.String(), l, ParseLevel)
	}
	assert.Equal(t, "Strategy(3)", Strategy(3).String())
	assert.Equal(t, "Level(0)", Level(0).String())
	assert.Equal(t, "StopReason(0)", StopReason(0).String())
	assert.Equal(t, "Bound(9)", Bound(9).String())
	for r := StopDepth; r <= StopFailed; r++ {
		text, err := r.MarshalText()
		require.NoError(t, err)
		var back StopReason
		require.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, r, back)
	}
	for b := NoBound; b <= Upper; b++ {
		text, err := b.MarshalText()
		require.NoError(t, err)
		var back Bound
		require.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, b, back)
	}
	var s Strategy
	var l Level
	var r StopReason
	var b Bound
	for _, u := range []interface{ UnmarshalText([]byte) error }{&s, &l, &r, &b} {
		for _, text := range []string{"", "sideways", "level(0)", "StopReason(0)", "0"} {
			var parse *ParseError
			assert.ErrorAs(t, u.UnmarshalText([]byte(text)), &parse, "%T %q", u, text)
		}
	}
}

func checkName[T comparable](t *testing.T, name string, v T, parse func(string) (T, error)) {
	t.Helper()
	for _, text := range []string{name, strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:]} {
		got, err := parse(text)
		assert.NoError(t, err)
		assert.Equal(t, v, got)
	}
	for _, text := range []string{"", " " + name, name + "x"} {
		_, err := parse(text)
		assert.Error(t, err, "%q", text)
	}
	text, err := json.Marshal(v)
	require.NoError(t, err)
	assert.Equal(t, `"`+name+`"`, string(text))
	var back T
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, v, back)
}

// TestSearchAllocatesNothingPerNode: what a search allocates is its result, however many nodes it visits.
func TestSearchAllocatesNothingPerNode(t *testing.T) {
	e := mustEngine(t)
	b, _ := setUp(t, 15, Renju, "h8i9g6", "h9i8")
	measure := func(nodes int64) float64 {
		search := func() {
			r := mustSearch(t, e, b, WithNodeLimit(nodes), WithDepth(MaxDepth))
			if r.Nodes != nodes {
				t.Fatalf("%d nodes of %d", r.Nodes, nodes)
			}
		}
		e.NewGame()
		search() // buffers grow
		return testing.AllocsPerRun(2, func() {
			e.NewGame()
			search()
		})
	}
	long := int64(100_000)
	if few() {
		long = 20_000
	}
	less, more := measure(2_000), measure(long)
	t.Log(less, more)
	assert.Less(t, more, 250.0)
	assert.Less(t, more-less, 60.0, "the longer search reports more depths and lines, nothing else")
}

// TestSeedsVaryPlay: seeds choose differently among moves of about the same worth, and each repeats itself.
func TestSeedsVaryPlay(t *testing.T) {
	b, _ := setUp(t, 15, Freestyle, "h8", "i9")
	games := map[string]int{}
	for seed := range uint64(12) {
		var lines [2]string
		for round := range lines {
			e := mustEngine(t, WithDepth(2), WithSeed(seed), WithTableSize(1<<16))
			g := b.Clone()
			for range 8 {
				require.NoError(t, g.Make(mustSearch(t, e, g).Best))
			}
			lines[round] = fmt.Sprint(slices.Collect(func(yield func(Point) bool) {
				for p := range g.Moves() {
					if !yield(p) {
						return
					}
				}
			}))
		}
		require.Equal(t, lines[0], lines[1], "seed %d", seed)
		games[lines[0]]++
	}
	assert.Greater(t, len(games), 3, "%v", games)
	// a seed moves estimates by a few units and no proven result
	won, _ := setUp(t, 15, Freestyle, "e5f5g5h5", "a1b3c9")
	for seed := range uint64(20) {
		e := mustEngine(t, WithDepth(1), WithSeed(seed), WithTableSize(0))
		assert.Equal(t, "win in 1", mustSearch(t, e, won).Score.String())
		diff := mustSearch(t, e, b, WithOnly(Pt(0, 0))).Score - mustSearch(t, e, b, WithOnly(Pt(0, 0)), WithSeed(0)).Score
		assert.LessOrEqual(t, abs(int(diff)), noiseSpan/2)
	}
}

// checkingEvaluator follows the search on a board of its own and compares.
type checkingEvaluator struct {
	t      *testing.T
	search *Board
	own    *Board
	line   Evaluator
	calls  map[string]int
}

func (e *checkingEvaluator) compare(call string) {
	e.calls[call]++
	if e.search.Hash() != e.own.Hash() || e.search.Turn() != e.own.Turn() || e.search.Winner() != e.own.Winner() || e.search.Len() != e.own.Len() {
		e.t.Fatalf("after %s the boards differ:\n%v\n%v", call, e.search, e.own)
	}
}

func (e *checkingEvaluator) Reset(b *Board) {
	e.search, e.own = b, b.Clone()
	e.line.Reset(e.own)
	e.compare("Reset")
}

func (e *checkingEvaluator) Place(p Point, c Color) {
	if e.own.Turn() != c {
		e.t.Fatalf("Place(%v, %v) with %v to move", p, c, e.own.Turn())
	}
	if err := e.own.Make(p); err != nil {
		e.t.Fatal(err)
	}
	e.line.Place(p, c)
	e.compare("Place")
}

func (e *checkingEvaluator) Undo() {
	if _, ok := e.own.Undo(); !ok {
		e.t.Fatal("Undo without Place")
	}
	e.line.Undo()
	e.compare("Undo")
}

func (e *checkingEvaluator) Evaluate(c Color) int {
	e.compare("Evaluate")
	if c != e.own.Turn() {
		e.t.Fatalf("Evaluate(%v) with %v to move", c, e.own.Turn())
	}
	return e.line.Evaluate(c)
}

// TestEvaluatorFollowsTheSearch: a caller's evaluator hears of every stone after the board changed, and the search
// values what it says.
func TestEvaluatorFollowsTheSearch(t *testing.T) {
	calls, made := map[string]int{}, 0
	factory := WithEvaluator(func() Evaluator {
		made++
		return &checkingEvaluator{t: t, line: NewLineEvaluator(BalancedWeights()), calls: calls}
	})
	e := mustEngine(t, factory, WithTableSize(1<<16))
	positions := realPositions(t, 8, 9)
	for i, g := range positions {
		b := g.fresh(t, 1)
		opts := []Option{WithDepth(3), WithCandidateCap(10), WithMultiPV(1 + i%2)}
		e.NewGame()
		plain := append(slices.Clone(opts), WithTechniques(NoTechniques))
		r := mustSearch(t, e, b, plain...)
		want := mustSearch(t, mustEngine(t, WithTableSize(1<<16)), b, plain...)
		require.Equal(t, timeless(want), timeless(r), "the same judgement gives the same search")
		mustSearch(t, e, b, opts...)            // with all techniques
		mustSearch(t, e, b, WithNodeLimit(333)) // broken off
	}
	assert.Equal(t, 3*len(positions), made, "one evaluator for each search")
	assert.Equal(t, made, calls["Reset"])
	assert.Equal(t, calls["Place"], calls["Undo"], "everything is taken back")
	assert.Positive(t, calls["Evaluate"])
}

// constantEvaluator says the same of everything.
type constantEvaluator int

func (constantEvaluator) Reset(*Board)         {}
func (constantEvaluator) Place(Point, Color)   {}
func (constantEvaluator) Undo()                {}
func (e constantEvaluator) Evaluate(Color) int { return int(e) }

// TestEstimatesAreNeverProofs: whatever an evaluator says, it is no mate.
func TestEstimatesAreNeverProofs(t *testing.T) {
	b, g := setUp(t, 15, Freestyle, "h8", "i9")
	for _, v := range []int{math.MaxInt, math.MinInt, math.MaxInt32, int(MaxEstimate), int(MaxEstimate) + 1, -int(MaxEstimate) - 1, 30_000_000, -30_000_000, 0} {
		for _, seed := range []uint64{0, 1, 2} {
			for depth := 1; depth <= 3; depth++ {
				opts := []Option{
					WithDepth(depth), WithCandidateCap(6), WithSeed(seed),
					WithEvaluator(func() Evaluator { return constantEvaluator(v) }),
				}
				e := mustEngine(t, WithTableSize(1<<12))
				r := mustSearch(t, e, b, opts...)
				legalResult(t, g, r)
				require.False(t, r.Proven)
				r = mustSearch(t, e, b, append(opts, WithTechniques(NoTechniques))...)
				legalResult(t, g, r)
				require.False(t, r.Proven)
				require.LessOrEqual(t, abs(int(r.Score)), int(MaxEstimate))
				want := min(max(v, -int(MaxEstimate)), int(MaxEstimate))
				if depth%2 == 1 {
					want = -want
				}
				require.InDelta(t, want, int(r.Score), noiseSpan/2)
			}
		}
	}
}

// TestIncompleteNodesProveNothing: with one candidate a node, the defender "loses" at once; it must not count as a proof.
func TestIncompleteNodesProveNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(47, 1))
	e := mustEngine(t, WithTableSize(1<<16), WithCandidateCap(1), WithRadius(1), WithDepth(20))
	for i := range 60 {
		g := randomPosition(rnd, 9+rnd.IntN(7), naiveRules[i%4])
		r := mustSearch(t, e, g.fresh(t, 1))
		legalResult(t, g, r)
		v := prover{t: t, rnd: rnd, budget: 300, e: mustEngine(t, WithTableSize(1<<16), WithCandidateCap(1), WithRadius(1))}
		v.check(g, r)
	}
}

// TestUnequalSides sets up what no game reaches: White first, many more stones of one colour, every size.
func TestUnequalSides(t *testing.T) {
	e := mustEngine(t, WithDepth(2))
	for size := MinSize; size <= MaxSize; size++ {
		for _, rule := range naiveRules {
			g := newTwin(size, rule)
			g.turn = White
			r := mustSearch(t, e, g.fresh(t, 1))
			assert.Equal(t, Pt(size/2, size/2), r.Best, "White begins on the empty board")
			for i := range size / 2 {
				g.set(Pt(2*i, (i*3)%size), White)
			}
			legalResult(t, g, mustSearch(t, e, g.fresh(t, 1)))
			g.turn = Black
			legalResult(t, g, mustSearch(t, e, g.fresh(t, 1)))
		}
	}
}

// TestNoWinClaimedFromTheStart: small boards are drawn, so no win may be claimed.
func TestNoWinClaimedFromTheStart(t *testing.T) {
	for size := MinSize; size <= 8; size++ {
		r := mustSearch(t, mustEngine(t), mustBoard(t, size, Freestyle), WithRadius(0), WithNodeLimit(20_000))
		assert.False(t, r.Proven, "boards up to 8x8 are drawn, and that takes longer to see")
	}
}

// TestMinimaxLooksAtEverything keeps the baseline honest: nothing is left out.
func TestMinimaxLooksAtEverything(t *testing.T) {
	b := mustBoard(t, 5, Freestyle)
	r := mustSearch(t, mustEngine(t, WithTableSize(0)), b, bare(WithRadius(0), WithCandidateCap(0), WithDepth(3))...)
	assert.EqualValues(t, 25+25*24+25*24*23, r.Nodes)
	assert.EqualValues(t, 25*24*23, r.Stats.Evaluations-1, "and the root once, for want of better")
	assert.Zero(t, r.Stats.Cutoffs)
	assert.Zero(t, r.Stats.TableProbes)
}

// TestWholeGamesAreLegal plays quick games to the end, every rule, several sizes, changing options in between.
func TestWholeGamesAreLegal(t *testing.T) {
	games := 24
	if few() {
		games = 6
	}
	rnd := rand.New(rand.NewPCG(48, 1))
	for i := range games {
		rule, size := naiveRules[i%4], []int{5, 6, 7, 9, 15, 19, 22}[i%7]
		e := mustEngine(t, WithTableSize(1<<16), WithSeed(uint64(i)))
		b, g := mustBoard(t, size, rule), newTwin(size, rule)
		for !b.Over() {
			opts := []Option{WithNodeLimit(int64(1 + rnd.IntN(300))), WithRadius(rnd.IntN(5)), WithCandidateCap(rnd.IntN(12))}
			if rnd.IntN(4) == 0 {
				opts = append(opts, WithLevel(Level(1+rnd.IntN(2))))
			}
			r, err := e.Search(context.Background(), b, opts...)
			if errors.Is(err, ErrNoLegalMove) {
				require.Empty(t, (&naiveSearch{twin: g}).legal(g.points(Empty)), "%v", g)
				break
			}
			require.NoError(t, err)
			legalResult(t, g, r)
			if plies, ok := r.Score.Mate(); ok {
				require.LessOrEqual(t, abs(plies), len(g.points(Empty)), "a mate beyond the end of the board")
				require.Equal(t, plies > 0, plies%2 != 0, "%v has the wrong parity", r.Score)
			}
			require.NoError(t, b.Make(r.Best))
			g.play(r.Best)
		}
	}
}

// TestThreatSearchOption: the option is the three techniques.
func TestThreatSearchOption(t *testing.T) {
	var c config
	c.apply([]Option{WithTechniques(AllTechniques), WithThreatSearch(false)})
	assert.Equal(t, AllTechniques&^(LeafVCF|RootVCF|RootVCT), c.techniques)
	c.apply([]Option{WithThreatSearch(true)})
	assert.Equal(t, AllTechniques, c.techniques)
}

func TestInfoHasCandidates(t *testing.T) {
	b, err := ParseBoard(15, Freestyle, "h8i9k5g9j9h10j8g10j10j7")
	require.NoError(t, err)
	e, err := NewEngine(WithDepth(4))
	require.NoError(t, err)
	infos := 0
	r, err := e.Search(context.Background(), b, WithProgress(func(i Info) {
		infos++
		require.NotEmpty(t, i.Candidates)
		require.Equal(t, i.PV[0], i.Candidates[0].Point)
		require.Equal(t, i.Score, i.Candidates[0].Score)
		require.True(t, slices.IsSortedFunc(i.Candidates, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) }))
		for _, c := range i.Candidates {
			require.Empty(t, c.PV)
		}
	}))
	require.NoError(t, err)
	require.Equal(t, 4, infos)
	require.NotEmpty(t, r.Candidates[0].PV)
}
