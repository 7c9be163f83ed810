package gomoku

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hardRows need seconds or a higher threat level, or are not solved at all.
func hardRow(row *solverRow) bool {
	return strings.HasPrefix(row.Verified, "NOT")
}

func TestSolveVCTRows(t *testing.T) {
	for _, row := range readRows[solverRow](t, "vct_puzzles.jsonl") {
		if hardRow(&row) {
			continue
		}
		t.Run(row.ID, func(t *testing.T) {
			b, c := row.board(t)
			first := mustSolve(t, SolveVCT, b, c, Limits{})
			if !row.Expected.Win {
				assert.Equal(t, Refuted, first.Verdict)
				return
			}
			require.Equal(t, Proven, first.Verdict)
			if row.Expected.Moves == nil {
				return
			}
			p := mustSolve(t, SolveVCT, b, c, Limits{Shortest: true})
			require.Equal(t, Proven, p.Verdict)
			assert.Equal(t, *row.Expected.Moves, p.Length, "%v", &p)
			small := mustSolve(t, SolveVCT, b, c, Limits{Shortest: true, Memory: minSolverMemory})
			assert.Equal(t, p.Length, small.Length, "the smallest table")
			if row.Expected.HasVCF != nil {
				vcf := mustSolve(t, SolveVCF, b, c, Limits{})
				assert.Equal(t, *row.Expected.HasVCF, vcf.Verdict == Proven)
			}
		})
	}
}

var longSolve = flag.Bool("longsolve", false, "compare the solvers with the naive one on more and larger boards, for minutes")

// TestSolveVCTAgainstNaive compares with a search that tries every move and every
// answer, at several threat levels.
func TestSolveVCTAgainstNaive(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	rounds, most, size := 40, 3, 6
	switch {
	case few():
		rounds = 20
	case *longSolve:
		rounds, size = 250, 7
	}
	for _, rule := range naiveRules {
		t.Run(rule.String(), func(t *testing.T) {
			lengths := make(map[int]int)
			for i := range rounds {
				b := randomPosition(rnd, 5+rnd.IntN(size-4), rule).fresh(t, rnd.Uint64())
				c := Black + Color(rnd.IntN(2))
				level := 1 + i%5/2
				var ban []Point
				if rnd.IntN(4) == 0 {
					ban = b.Candidates(1)
					ban = ban[:min(len(ban), 1+rnd.IntN(3))]
				}
				want := naiveLength(b, c, most, level, ban)
				lengths[want]++
				p := mustSolve(t, SolveVCT, b, c, Limits{Shortest: true, ThreatLevel: level, Ban: ban, Moves: most})
				if want < 0 {
					require.NotEqual(t, Proven, p.Verdict, "%v\n%v", b, &p)
					continue
				}
				require.Equal(t, Proven, p.Verdict, "%v %v, level %d, %d moves", b, c, level, want)
				require.Equal(t, want, p.Length, "%v %v\n%v", b, c, &p)
				first := mustSolve(t, SolveVCT, b, c, Limits{ThreatLevel: level, Ban: ban})
				require.Equal(t, Proven, first.Verdict, "%v %v", b, c)
				if want > 1 {
					short := mustSolve(t, SolveVCT, b, c, Limits{ThreatLevel: level, Ban: ban, Moves: want - 1})
					require.Equal(t, Unknown, short.Verdict)
					require.Equal(t, StopDepth, short.Reason)
					require.Equal(t, want, short.AtLeast)
				}
			}
			t.Logf("positions by length: %v", fmt.Sprint(lengths))
		})
	}
}

// FuzzSolveVCT solves any board, under limits: no crash, no false win, and nothing
// beyond the limits.
func FuzzSolveVCT(f *testing.F) {
	f.Add(uint64(1), uint8(15), uint8(2), uint8(30), uint16(100))
	f.Add(uint64(7), uint8(6), uint8(3), uint8(20), uint16(300))
	f.Fuzz(func(t *testing.T, seed uint64, size, rule, stones uint8, nodes uint16) {
		b := fuzzedPosition(t, seed, size%11, rule, stones) // verifying every answer takes its time on large boards
		if b.Over() {
			return
		}
		nodes = nodes%200 + 1
		for _, c := range [...]Color{Black, White} {
			l := Limits{
				Nodes: int64(nodes), Shortest: seed%2 == 0, All: seed%5 == 0, ThreatLevel: int(seed % 3), Moves: int(seed % 7),
				Memory: minSolverMemory,
			}
			p := mustSolve(t, SolveVCT, b, c, l)
			require.LessOrEqual(t, p.Nodes, int64(nodes))
		}
	})
}

// TestSolveVCTFoulFreed: a proof holds against an answer far off that makes a legal move
// of what was a foul at one of two fives.
func TestSolveVCTFoulFreed(t *testing.T) {
	b, c := rowNamed(t, "vct_puzzles.jsonl", "cauphenuny-vct-01")
	p := mustSolve(t, SolveVCT, b, c, Limits{All: true, Nodes: 100_000})
	require.Greater(t, len(p.Wins), 10)
	for _, tree := range p.Wins {
		one := Proof{Color: c, Verdict: Proven}
		one.setTree(b.Clone(), tree)
		require.NoError(t, one.Verify(b), "%v", tree.Move)
	}
}

// TestSolveVCTAllShares: a first move that is hard to decide leaves positions to the
// others, and what is found with few is found with more.
func TestSolveVCTAllShares(t *testing.T) {
	b, c := rowNamed(t, "vct_puzzles.jsonl", "gobang-long-four-three-forced-win")
	var before []Point
	for _, nodes := range []int64{200, 1_000, 5_000, 100_000} {
		p := mustSolve(t, SolveVCT, b, c, Limits{All: true, Nodes: nodes})
		require.LessOrEqual(t, p.Nodes, nodes)
		var wins []Point
		for _, w := range p.Wins {
			wins = append(wins, w.Move)
		}
		require.Subset(t, wins, before)
		require.Equal(t, nodes == 100_000, p.WinsComplete, "%d", nodes)
		if nodes >= 5_000 {
			require.Len(t, wins, 3, "of 51,000 positions to know that there are no others")
		}
		before = wins
	}
}
