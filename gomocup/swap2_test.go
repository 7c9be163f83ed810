package gomocup

import (
	"context"
	"math/rand/v2"
	"strings"
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

func readPoints(t *testing.T, text string, size int) []gomoku.Point {
	t.Helper()
	var stones []gomoku.Point
	for field := range strings.FieldsSeq(text) {
		p, err := parsePoint(field, size)
		require.NoError(t, err)
		stones = append(stones, p)
	}
	return stones
}

// The openings put forward are more even than openings at random.
func TestSwap2Opening(t *testing.T) {
	var chosen, random gomoku.Score
	for seed := range uint64(4) {
		w := swapFor(t, board(t, 15, gomoku.Standard, ""), seed)
		text, err := w.decide(t.Context())
		require.NoError(t, err)
		stones := readPoints(t, text, 15)
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
		text, err := w.decide(t.Context())
		require.NoError(t, err, c.name)
		if c.want == 0 {
			assert.Equal(t, "SWAP", text, c.name)
			continue
		}
		stones := readPoints(t, text, 15)
		assert.Len(t, stones, c.want, c.name)
		assert.NoError(t, play(w.board.Clone(), stones), c.name)
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
		if max(balance, -balance) > evenWithin {
			continue
		}
		found = true
		text, err := w.decide(t.Context())
		require.NoError(t, err)
		stones := readPoints(t, text, 15)
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
			text, err := w.decide(t.Context())
			require.NoError(t, err)
			if text != "SWAP" {
				assert.NoError(t, play(w.board.Clone(), readPoints(t, text, size)))
			}
		}
	}
}
