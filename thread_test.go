package gomoku

import (
	"context"
	"runtime"
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
