package gomoku

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// candidateTable counts candidates by the number of stones, for radius 1 to 3:
// mean, and largest in parentheses. Random play puts the first stone in the
// centre and every other one on any empty point; the games come from testdata.
func candidateTable(tb testing.TB) string {
	const randomGames = 1000
	stones := []int{1, 2, 4, 6, 10, 20, 30, 40, 60}
	type count struct{ sum, most, games int }
	var random, real [3]map[int]*count
	for r := range 3 {
		random[r], real[r] = map[int]*count{}, map[int]*count{}
		for _, n := range stones {
			random[r][n], real[r][n] = &count{}, &count{}
		}
	}
	add := func(counts *[3]map[int]*count, b *Board) {
		for r := range counts {
			if c := counts[r][b.Len()]; c != nil {
				set := b.CandidateSet(r + 1)
				c.sum += set.Len()
				c.most = max(c.most, set.Len())
				c.games++
			}
		}
	}
	rnd := splitMix64(1)
	for range randomGames {
		b, err := NewBoard(15, Freestyle)
		require.NoError(tb, err)
		for p := Pt(7, 7); !b.Over() && b.Len() < stones[len(stones)-1]; {
			require.NoError(tb, b.Make(p))
			add(&random, b)
			empty := b.Candidates(0)
			p = empty[rnd.next()%uint64(len(empty))]
		}
	}
	for _, g := range benchGames(tb) {
		moves, err := ParseMoves(g.Moves)
		require.NoError(tb, err)
		b, err := NewBoard(g.Size, g.Rule)
		require.NoError(tb, err)
		for _, p := range moves {
			require.NoError(tb, b.Make(p))
			add(&real, b)
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%6s  %-34s  %-34s\n", "", "random play", "real games")
	fmt.Fprintf(&s, "%6s", "stones")
	for range 2 {
		for r := range 3 {
			fmt.Fprintf(&s, "  %10s", fmt.Sprintf("radius %d", r+1))
		}
	}
	s.WriteString("\n")
	for _, n := range stones {
		fmt.Fprintf(&s, "%6d", n)
		for _, counts := range [...]*[3]map[int]*count{&random, &real} {
			for r := range counts {
				c := counts[r][n]
				fmt.Fprintf(&s, "  %10s", fmt.Sprintf("%.1f (%d)", float64(c.sum)/float64(c.games), c.most))
			}
		}
		s.WriteString("\n")
	}
	return s.String()
}

// TestCandidateTable keeps the table in the package comment true. With -v it
// prints the table.
func TestCandidateTable(t *testing.T) {
	table := candidateTable(t)
	t.Logf("\n%s", table)
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	for line := range strings.Lines(table) {
		line = strings.TrimRight(line, " \n")
		assert.Containsf(t, string(doc), "\n//\t"+line+"\n", "doc.go: write the table anew")
	}
}
