package gomoku

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestThreads searches with several threads: the result is legal, the counts
// are of all threads, and no goroutine is left behind.
func TestThreads(t *testing.T) {
	b, err := ParseBoard(15, Renju, "h8h7i7g9h6g5g7i6")
	require.NoError(t, err)
	before := runtime.NumGoroutine()
	for _, threads := range []int{1, 2, 5} {
		e, err := NewEngine(WithThreads(threads), WithDepth(7), WithTableSize(1<<16))
		require.NoError(t, err)
		for range 3 {
			r, err := e.Search(context.Background(), b)
			require.NoError(t, err)
			require.Equal(t, 7, r.Depth)
			require.Equal(t, r.Best, r.PV[0])
			require.NoError(t, b.Clone().Make(r.Best))
			require.Len(t, r.Stats.DepthTimes, 7)
		}
		r, err := e.Search(context.Background(), b, WithDepth(MaxDepth), WithTimeBudget(30*time.Millisecond))
		require.NoError(t, err)
		require.Equal(t, StopTime, r.Stop)
	}
	// The runtime may take a moment to forget the goroutines that have ended.
	for i := 0; i < 1000 && runtime.NumGoroutine() > before; i++ {
		time.Sleep(time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

// steady is the techniques whose values are the same in whatever order the moves come.
// Those of a search that looks beyond its depth are not: the table may know a position
// from a line that left it more depth, and continuous fours are looked for within a
// budget that also depends on what was looked at before.
const steady = Precise &^ (AnswerExtension | LeafVCF)

// TestThreadsSameValue: what another thread is doing changes the order of moves only,
// so that a search of steady techniques has the value of a single thread's.
func TestThreadsSameValue(t *testing.T) {
	n := 40
	if few() {
		n = 8
	}
	alone, err := NewEngine(WithDepth(6), WithTechniques(steady), WithCandidateCap(10))
	require.NoError(t, err)
	for _, threads := range []int{2, 4} {
		together, err := NewEngine(WithDepth(6), WithTechniques(steady), WithCandidateCap(10), WithThreads(threads))
		require.NoError(t, err)
		for _, g := range realPositions(t, n, 3) {
			b := g.fresh(t, 1)
			alone.NewGame()
			together.NewGame()
			want, got := mustSearch(t, alone, b), mustSearch(t, together, b)
			require.Equal(t, want.Score, got.Score, "%d threads\n%v", threads, b)
		}
	}
}

// TestMovesInHandForGood: moves that another thread never drops are searched all the
// same, and the value is what it is without.
func TestMovesInHandForGood(t *testing.T) {
	e, err := NewEngine(WithDepth(6), WithTechniques(steady), WithCandidateCap(10))
	require.NoError(t, err)
	for _, g := range realPositions(t, 5, 3) {
		b := g.fresh(t, 1)
		want := mustSearch(t, e, b)
		e.NewGame()
		inHand := new(movesInHand)
		hold := func(b *Board) {
			for p := range b.CandidateSet(2).All() {
				inHand.take(inHand.key(b.hash, p, shareDepth))
			}
		}
		hold(b)
		for p := range b.CandidateSet(2).All() {
			if c := b.Clone(); c.Make(p) == nil {
				hold(c)
			}
		}
		s := &searcher{inHand: inHand, softLimit: noLimit}
		table := newTranspositions(1 << 20)
		_, err := s.run(t.Context(), b, &e.config, &table, new(atomic.Bool))
		require.NoError(t, err)
		require.Equal(t, want.Score, s.result().Score, "%v", b)
	}
}

// TestMovesInHand: a move is in hand from take to drop, moves of other positions are
// not, and a full bucket forgets rather than fails.
func TestMovesInHand(t *testing.T) {
	var alone *movesInHand
	require.Zero(t, alone.key(7, 0, MaxDepth))
	alone.take(0)
	require.False(t, alone.has(0))
	alone.drop(0)
	alone.clear()

	table := new(movesInHand)
	require.Zero(t, table.key(7, 0, shareDepth-1))
	key := table.key(7, 3, shareDepth)
	require.NotEqual(t, key, table.key(7, 4, shareDepth))
	require.NotEqual(t, key, table.key(1<<40, 3, shareDepth))
	table.take(key)
	table.take(key)
	require.True(t, table.has(key))
	table.drop(key)
	require.False(t, table.has(key), "taken twice, it stood there once")
	table.drop(key)

	var keys []uint64 // of one bucket
	for hash := uint64(0); len(keys) < inHandSlots+1; hash += 2 {
		if k := table.key(hash, 0, shareDepth); table.bucket(k) == table.bucket(key) {
			keys = append(keys, k)
			table.take(k)
		}
	}
	require.True(t, table.has(keys[inHandSlots]))
	require.False(t, table.has(keys[0]))
	table.clear()
	for _, k := range keys {
		require.False(t, table.has(k))
	}
}

// TestPutOff: every move of a list is picked once, those put off at the end, with the
// rank of the first of them.
func TestPutOff(t *testing.T) {
	var l moveList
	for p := range Point(9) {
		l.moves = append(l.moves, newScoredMove(p, 100-int32(p)))
	}
	var picked []Point
	var ranks []int
	for i := 0; i < len(l.moves); i++ {
		p := l.pick(i)
		if (p == 2 || p == 5 || p == 8) && l.mayPutOff(i) {
			l.putOff(i)
			i--
			continue
		}
		picked = append(picked, p)
		ranks = append(ranks, l.rank(i))
	}
	require.Equal(t, []Point{0, 1, 3, 4, 6, 7, 8, 5, 2}, picked)
	require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 2, 2}, ranks)
}

// badEvaluator panics once it has judged enough positions.
type badEvaluator struct{ left int }

func (e *badEvaluator) Reset(*Board)       {}
func (e *badEvaluator) Place(Point, Color) {}
func (e *badEvaluator) Undo()              {}
func (e *badEvaluator) Evaluate(Color) int {
	if e.left--; e.left < 0 {
		panic("judged enough")
	}
	return 0
}

// TestThreadsEvaluatorPanic lets the evaluator of one helper alone fail.
func TestThreadsEvaluatorPanic(t *testing.T) {
	b, err := ParseBoard(15, Freestyle, "h8h7i7g9h6g5g7i6")
	require.NoError(t, err)
	made := make(chan int, 10)
	factory := func() Evaluator {
		made <- 1
		if len(made) == 1 {
			return &badEvaluator{left: 10}
		}
		return &badEvaluator{left: 1 << 30}
	}
	e, err := NewEngine(WithThreads(3), WithEvaluator(factory), WithTimeBudget(50*time.Millisecond))
	require.NoError(t, err)
	r, err := e.Search(context.Background(), b)
	require.ErrorIs(t, err, ErrEvaluator)
	require.Equal(t, StopFailed, r.Stop)
	require.NoError(t, b.Clone().Make(r.Best))
}

// TestLaterThreadOptionRefused: the threads belong to the engine.
func TestLaterThreadOptionRefused(t *testing.T) {
	b, err := NewBoard(15, Freestyle)
	require.NoError(t, err)
	e, err := NewEngine()
	require.NoError(t, err)
	_, err = e.Search(context.Background(), b, WithThreads(2))
	require.ErrorIs(t, err, ErrOption)
	for _, n := range []int{0, -1, MaxThreads + 1} {
		_, err = NewEngine(WithThreads(n))
		require.ErrorIs(t, err, ErrOption)
	}
}
