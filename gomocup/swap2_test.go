package gomocup

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

// swapFor returns a swapper that decides by depth, so that the machine's load
// has no say.
func swapFor(t *testing.T, b *gomoku.Board, seed uint64) *swapper {
	t.Helper()
	engine, err := gomoku.NewEngine(gomoku.WithTableSize(1 << 20))
	require.NoError(t, err)
	return &swapper{
		engine: engine, board: b, deadline: time.Now().Add(time.Hour), depth: 4,
		rand: rand.New(rand.NewPCG(seed, 1)), message: func(string) {},
	}
}

// imbalance is what a deeper search than the swapper's thinks of the stones.
func imbalance(t *testing.T, w *swapper, stones []gomoku.Point) gomoku.Score {
	t.Helper()
	b := w.board.Clone()
	require.NoError(t, play(b, stones))
	deeper := *w
	deeper.depth = 6
	_, balance, err := deeper.judge(context.Background(), b, time.Hour)
	require.NoError(t, err)
	return max(balance, -balance)
}

// The openings put forward are more even than openings at random.
func TestSwap2Opening(t *testing.T) {
	var chosen, random gomoku.Score
	for seed := range uint64(4) {
		w := swapFor(t, board(t, 15, gomoku.Standard, ""), seed)
		d, err := w.decide(t.Context())
		require.NoError(t, err)
		stones := d.Stones
		require.Len(t, stones, 3)
		chosen += imbalance(t, w, stones)
		random += imbalance(t, w, w.openings()[0].stones)
	}
	t.Log("imbalance of 4 openings: chosen", chosen, "random", random)
	assert.Less(t, chosen, random)
}

func TestSwap2Choice(t *testing.T) {
	for _, c := range []struct {
		name, moves string
		want        int // stones in the answer; 0: SWAP
	}{
		{"Black's two stand together, White's far away", "h8a1i8", 0},
		{"Black's two stand in the corners", "a1h8o15", 1},
		{"five stones, Black has three in a row", "h8a1i8a15j8", 0},
		{"five stones, White has two in the centre", "a1h8o15i8o1", 1},
	} {
		w := swapFor(t, board(t, 15, gomoku.Freestyle, c.moves), 1)
		d, err := w.decide(t.Context())
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want == 0, d.Swap, c.name)
		assert.Len(t, d.Stones, c.want, c.name)
		assert.NoError(t, play(w.board.Clone(), d.Stones), c.name)
	}
}

// Of an even opening neither side is taken; the two stones keep it even.
func TestSwap2Balance(t *testing.T) {
	found := false
	for seed := uint64(1); seed < 60 && !found; seed++ {
		w := swapFor(t, board(t, 15, gomoku.Freestyle, ""), seed)
		opening := w.openings()[0].stones
		require.NoError(t, play(w.board, opening))
		_, balance, err := w.judge(t.Context(), w.board, time.Hour)
		require.NoError(t, err)
		if max(balance, -balance) > evenWithin/2 { // a second look may tell a little more or less
			continue
		}
		found = true
		d, err := w.decide(t.Context())
		require.NoError(t, err)
		stones := d.Stones
		require.Len(t, stones, 2)
		require.NoError(t, play(w.board.Clone(), stones))
		chosen := imbalance(t, w, stones)
		t.Log("after", gomoku.FormatMoves(opening), "put", gomoku.FormatMoves(stones), "imbalance", chosen)
		assert.Less(t, chosen, 4*gomoku.Score(evenWithin))
	}
	assert.True(t, found, "no even opening among the random ones")
}

// Without time there is still an answer that can be played.
func TestSwap2WithoutTime(t *testing.T) {
	for _, moves := range []string{"", "h8i9h10", "h8i9h10k11d4"} {
		for _, size := range []int{5, 15, 22} {
			if size == 5 && moves != "" {
				continue
			}
			w := swapFor(t, board(t, size, gomoku.Renju, moves), 1)
			w.deadline = time.Now()
			d, err := w.decide(t.Context())
			require.NoError(t, err)
			assert.NotEqual(t, d.Swap, len(d.Stones) > 0)
			assert.NoError(t, play(w.board.Clone(), d.Stones))
		}
	}
}

func TestDecideSwap2(t *testing.T) {
	engine, err := gomoku.NewEngine(gomoku.WithTableSize(1 << 20))
	require.NoError(t, err)
	for moves, want := range map[string][]int{"": {3}, "h8i9h10": {0, 1, 2}, "h8i9h10k11d4": {0, 1}} {
		b := board(t, 15, gomoku.Renju, moves)
		before := b.String()
		d, err := DecideSwap2(t.Context(), engine, b, 50*time.Millisecond, 7)
		require.NoError(t, err, moves)
		assert.Contains(t, want, len(d.Stones), moves)
		assert.Equal(t, len(d.Stones) == 0, d.Swap, moves)
		assert.NoError(t, play(b.Clone(), d.Stones), moves)
		assert.Equal(t, before, b.String())
	}
	for _, moves := range []string{"h8", "h8i9h10k11"} {
		_, err := DecideSwap2(t.Context(), engine, board(t, 15, gomoku.Renju, moves), time.Second, 7)
		assert.ErrorIs(t, err, gomoku.ErrOption)
	}
}
