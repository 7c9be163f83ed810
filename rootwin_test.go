package gomoku

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRootWins lets the engine play puzzles: wins by threats are proven before the
// search, also where several lines are asked for.
func TestRootWins(t *testing.T) {
	e := mustEngine(t, WithTableSize(1<<18))
	for _, tt := range []struct {
		id    string
		moves int
	}{{"quintet-test_vct_white", 4}, {"quintet-test_vct_counter", 4}, {"quintet-test_vct_forbidden_breaker", 4}, {"cauphenuny-vct-05", 5}} {
		b, _ := rowNamed(t, "vct_puzzles.jsonl", tt.id)
		r := mustSearch(t, e, b, WithNodeLimit(200_000))
		require.True(t, r.Proven, tt.id)
		assert.Equal(t, StopProven, r.Stop)
		assert.Equal(t, mateIn(2*tt.moves+1), r.Score, tt.id)
		assert.Equal(t, r.Best, r.PV[0])
		assert.GreaterOrEqual(t, len(r.PV), 2*tt.moves-1)

		several := mustSearch(t, e, b, WithNodeLimit(160_000), WithMultiPV(3))
		require.Len(t, several.Lines, 3)
		assert.Equal(t, r.Score, several.Lines[0].Score)
		assert.Equal(t, r.PV, several.Lines[0].PV)
		assert.True(t, several.Proven)

		without := mustSearch(t, mustEngine(t), b, WithNodeLimit(200_000), WithDepth(1), WithThreatSearch(false))
		assert.False(t, without.Proven, tt.id)
	}
}

// TestRootVCFIsShortest: where the budget allows, the win by fours is a shortest one.
func TestRootVCFIsShortest(t *testing.T) {
	e := mustEngine(t, WithTableSize(1<<16))
	rows := readRows[solverRow](t, "vcf_realgames.jsonl")
	for i := 0; i < len(rows); i += 3 {
		if !rows[i].Expected.Win {
			continue
		}
		b, _ := rows[i].board(t)
		r := mustSearch(t, e, b, WithNodeLimit(200_000))
		plies, ok := r.Score.Mate()
		require.True(t, ok, rows[i].ID)
		assert.Equal(t, 2**rows[i].Expected.Moves+1, plies, rows[i].ID)
	}
}

// TestSeveralLinesProven: where several moves win by fours, as many of the lines are
// proven, each as short as the solver says.
func TestSeveralLinesProven(t *testing.T) {
	e := mustEngine(t, WithTableSize(1<<16))
	rows := readRows[solverRow](t, "vcf_realgames.jsonl")
	several := 0
	for i := 0; i < len(rows); i += 2 {
		if !rows[i].Expected.Win {
			continue
		}
		b, c := rows[i].board(t)
		p := mustSolve(t, SolveVCF, b, c, Limits{All: true, Shortest: true})
		r := mustSearch(t, e, b, WithNodeLimit(20_000), WithMultiPV(3))
		proven := map[Point]int{}
		for _, l := range r.Lines {
			if plies, ok := l.Score.Mate(); ok && plies > 0 {
				proven[l.PV[0]] = plies
			}
		}
		require.GreaterOrEqual(t, len(proven), min(len(p.Wins), len(r.Lines)), "%s: %v", rows[i].ID, r.Lines)
		if len(proven) > 1 {
			several++
		}
		for _, w := range p.Wins {
			if plies, ok := proven[w.Move]; ok {
				assert.LessOrEqual(t, plies, 2*w.Length()+1, rows[i].ID)
			}
		}
	}
	assert.Greater(t, several, 10)
}

// TestProvenLinesEndAsClaimed: the line of a proven result is never longer than it and
// never ends in the other side's five, also where several lines are searched; and a line
// to a foul goes on to the five.
func TestProvenLinesEndAsClaimed(t *testing.T) {
	for _, tt := range []struct {
		board string
		nodes int64
		lines int
	}{
		{"15 freestyle turn=black moves=h8i9l7g8j9g10j7g9g11i10k7i7i8g7g6h7f7h10f10", 5095, 4},
		{"11 freestyle turn=black moves=f6g5e7h5g7h4i3h8j7i4f9g3", 2011, 4},
		{"15 freestyle turn=black moves=h8i8i5h9j6g9k7l8j7i7", 6869, 2},
		{"15 standard turn=black moves=g3h3i3g6f6f5e5d6g7d4h4e7i5j6", 0, 3},
		{"15 renju turn=black moves=h8i6f7g6j9k8k10l10l8h7f6m12m10d6d5d3n8g5c5c6e7", 5148, 2},
	} {
		var b Board
		require.NoError(t, b.UnmarshalText([]byte(tt.board)))
		opts := []Option{WithMultiPV(tt.lines), WithDepth(6)}
		if tt.nodes > 0 {
			opts = []Option{WithMultiPV(tt.lines), WithNodeLimit(tt.nodes)}
		}
		r := mustSearch(t, mustEngine(t, WithTableSize(1<<20)), &b, opts...)
		proven := 0
		for _, l := range r.Lines {
			plies, mate := l.Score.Mate()
			if !mate {
				continue
			}
			proven++
			c := b.Clone()
			for _, p := range l.PV {
				require.NoError(t, c.Make(p), "%v", l)
			}
			require.NotEmpty(t, l.PV)
			require.LessOrEqual(t, len(l.PV), abs(plies), "%v", l)
			if c.Over() || len(l.PV) == abs(plies) {
				require.Equal(t, b.Turn() == c.Winner(), plies > 0, "%v", l)
				require.Len(t, l.PV, abs(plies))
			}
		}
		require.NotZero(t, proven, tt.board)
	}
}
