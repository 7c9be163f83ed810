package gomoku

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkSolve solves all puzzles of a class in one op, and reports how many are
// solved and the median and longest time of one.
func BenchmarkSolve(b *testing.B) {
	vcf := append(readRows[solverRow](b, "vcf_puzzles.jsonl"), readRows[solverRow](b, "vcf_realgames.jsonl")...)
	vct := readRows[solverRow](b, "vct_puzzles.jsonl")
	long := func(r *solverRow) bool { return r.Expected.Moves != nil && *r.Expected.Moves > 70 }
	for _, class := range []struct {
		name  string
		rows  []solverRow
		solve solveFunc
		l     Limits
		in    func(r *solverRow) bool
	}{
		{"kind=vcf/class=puzzles", vcf, SolveVCF, Limits{}, func(r *solverRow) bool {
			return r.Expected.Win && !long(r) && !strings.HasPrefix(r.ID, "playok")
		}},
		{"kind=vcf/class=long", vcf, SolveVCF, Limits{}, long},
		{"kind=vcf/class=games-won", vcf, SolveVCF, Limits{}, func(r *solverRow) bool {
			return r.Expected.Win && strings.HasPrefix(r.ID, "playok")
		}},
		{"kind=vcf/class=games-refuted", vcf, SolveVCF, Limits{}, func(r *solverRow) bool { return !r.Expected.Win }},
		{"kind=vcf/class=puzzles-shortest", vcf, SolveVCF, Limits{Shortest: true}, func(r *solverRow) bool {
			return r.Expected.Win && !long(r) && !strings.HasPrefix(r.ID, "playok")
		}},
		{"kind=vct/class=puzzles", vct, SolveVCT, Limits{}, func(r *solverRow) bool { return r.Expected.Moves != nil }},
		{"kind=vct/class=puzzles-shortest", vct, SolveVCT, Limits{Shortest: true}, func(r *solverRow) bool { return r.Expected.Moves != nil }},
	} {
		b.Run(class.name, func(b *testing.B) {
			type position struct {
				board *Board
				color Color
			}
			var positions []position
			for i := range class.rows {
				if r := &class.rows[i]; class.in(r) {
					board, c := r.board(b)
					positions = append(positions, position{board, c})
				}
			}
			var times []time.Duration
			solved, nodes := 0, int64(0)
			for b.Loop() {
				solved = 0
				for _, p := range positions {
					proof, err := class.solve(b.Context(), p.board, p.color, class.l)
					if err != nil {
						require.NoError(b, err)
					}
					if proof.Verdict != Unknown {
						solved++
					}
					nodes += proof.Nodes
					times = append(times, proof.Elapsed)
				}
			}
			slices.Sort(times)
			b.ReportMetric(float64(solved), "solved")
			b.ReportMetric(float64(len(positions)), "puzzles")
			b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1e3, "p50-us")
			b.ReportMetric(float64(times[len(times)-1].Nanoseconds())/1e3, "max-us")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
		})
	}
}

// TestSolversAllocateNothingPerNode compares a long search with a longer one. What
// is left is the proof and the tables while they grow. A solver that is not in the pool,
// which forgets some of them, more so under the race detector, has its buffers to
// make; so the best of several runs counts.
func TestSolversAllocateNothingPerNode(t *testing.T) {
	b, c := rowNamed(t, "vct_puzzles.jsonl", "quintet-bench_vct_unstable")
	v, w := rowNamed(t, "vcf_puzzles.jsonl", "mintaka-vcf-10")
	for name, solve := range map[string]func(nodes int64) int64{
		"vct": func(nodes int64) int64 {
			p, err := SolveVCT(t.Context(), b, c, Limits{Nodes: nodes, Memory: minSolverMemory})
			require.NoError(t, err)
			return p.Nodes
		},
		"vcf": func(nodes int64) int64 {
			p, err := SolveVCF(t.Context(), v, w, Limits{Nodes: nodes, Memory: minSolverMemory})
			require.NoError(t, err)
			return p.Nodes
		},
	} {
		t.Run(name, func(t *testing.T) {
			solve(20_000)
			few, many := math.Inf(1), math.Inf(1)
			for range 8 {
				few = min(few, testing.AllocsPerRun(1, func() { solve(1000) }))
				many = min(many, testing.AllocsPerRun(1, func() { require.Greater(t, solve(6000), int64(5000)) }))
			}
			require.Less(t, many, few+20, "%v and %v allocations", few, many)
		})
	}
}
