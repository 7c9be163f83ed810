package gomocup

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

func points(t *testing.T, text string) []gomoku.Point {
	t.Helper()
	p, err := gomoku.ParseMoves(text)
	require.NoError(t, err)
	return p
}

func TestReadInfo(t *testing.T) {
	win := func(plies int) gomoku.Score { return provenScore(plies, false) }
	for _, c := range []struct {
		text string
		want gomoku.Info
	}{
		{
			"depth 1-12 ev 43.7 n 1349 n/s 36 tm 36670 pv Of10 Xe12 Oe9",
			gomoku.Info{Depth: 1, SelDepth: 12, Score: 44, Nodes: 1349, Elapsed: 36670 * time.Millisecond, PV: points(t, "k10 m11 j11")},
		},
		{
			"depth 1-4 ev W n 5 n/s 159 tm 31 pv Oj10",
			gomoku.Info{Depth: 1, SelDepth: 4, Score: win(0), Nodes: 5, Elapsed: 31 * time.Millisecond, PV: points(t, "k6")},
		},
		{
			"Speed 481K | Depth 17-33 | Eval 279 | Node 129K | Time 270ms",
			gomoku.Info{Depth: 17, SelDepth: 33, Score: 279, Nodes: 129000, Elapsed: 270 * time.Millisecond},
		},
		{
			"Depth 18-41 | Eval -M12 | Node 1.5M | Time 1.5s",
			gomoku.Info{Depth: 18, SelDepth: 41, Score: provenScore(12, true), Nodes: 1500000, Elapsed: 1500 * time.Millisecond},
		},
		{"Bestline H7 I8 F9", gomoku.Info{PV: points(t, "h9 i8 f7")}},
		{
			"depth: 5-7 best:[7,6] val=62 time:82ms",
			gomoku.Info{Depth: 5, SelDepth: 7, Score: 62, Elapsed: 82 * time.Millisecond, PV: points(t, "h9")},
		},
		{"depth 50, nodes 12", gomoku.Info{Depth: 50, SelDepth: 50, Nodes: 12}},
		{"depth 3-3 ev +M5 n 7 tm 0 pv 7,7 8,7", gomoku.Info{Depth: 3, SelDepth: 3, Score: win(5), Nodes: 7, PV: points(t, "h8i8")}},
	} {
		var got gomoku.Info
		assert.True(t, readInfo(&got, c.text, 15), c.text)
		assert.Equal(t, c.want, got, c.text)
	}
	for _, text := range []string{
		"", "depth", "Load config from config.toml", "depth of thought", "ev U", "score NaN", "n -4", "time -1", "tm 1e300",
		"multipv 2 ev +5 pv 7,7", "pv 99,99", "pv Xz1", "nodes 9e99G", "depth -3",
	} {
		got := gomoku.Info{Depth: 9}
		assert.False(t, readInfo(&got, text, 15), text)
		assert.Equal(t, gomoku.Info{Depth: 9}, got, text)
	}
}

func TestInfoRoundTrip(t *testing.T) {
	for _, want := range []gomoku.Info{
		{Depth: 5, SelDepth: 9, Score: 120, Nodes: 15210, Elapsed: 30 * time.Millisecond, PV: points(t, "h8i9a1v22")},
		{Depth: 1, SelDepth: 1, Score: -7, Nodes: 1, PV: points(t, "a1")},
		{Depth: 7, SelDepth: 8, Score: provenScore(3, false), Nodes: 2},
		{Depth: 7, SelDepth: 8, Score: provenScore(4, true), Nodes: 2},
		{Depth: 7, SelDepth: 8, Score: gomoku.MaxEstimate, Nodes: 2},
	} {
		var got gomoku.Info
		require.True(t, readInfo(&got, formatInfo(want, 22), 22))
		assert.Equal(t, want, got)
	}
}

func TestProvenScore(t *testing.T) {
	for _, plies := range []int{0, 1, 5, 100} {
		got, ok := provenScore(plies, false).Mate()
		assert.True(t, ok)
		assert.Equal(t, plies, got)
		got, ok = provenScore(plies, true).Mate()
		assert.True(t, ok)
		assert.Equal(t, -plies, got)
	}
	_, ok := provenScore(math.MaxInt32, false).Mate()
	assert.True(t, ok)
}

func FuzzReadInfo(f *testing.F) {
	f.Add("depth 1-12 ev 43.7 n 1349 n/s 36 tm 36670 pv Of10 Xe12 Oe9")
	f.Add("Speed 481K | Depth 17-33 | Eval +M9 | Node 129K | Time 270ms")
	f.Add("depth: 5-7 best:[7,6] val=62 time:82ms")
	f.Fuzz(func(t *testing.T, text string) {
		var i gomoku.Info
		readInfo(&i, text, 15)
		board, err := gomoku.NewBoard(15, gomoku.Freestyle)
		require.NoError(t, err)
		empty := board.Stones(gomoku.Empty)
		for _, p := range i.PV {
			require.True(t, empty.Has(p), "%v is not on the board", p)
		}
		require.GreaterOrEqual(t, i.Nodes, int64(0))
		require.GreaterOrEqual(t, i.Elapsed, time.Duration(0))
	})
}
