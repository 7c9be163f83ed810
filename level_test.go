package gomoku

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// levelGames is how many games each pair of levels plays. The promise is about 50; a test run takes a sample.
var levelGames = flag.Int("levelgames", 0, "games for each pair of levels, 0 for a few")

// levelOpening draws an opening of three to six stones near the centre, with nothing decided.
func levelOpening(rnd *rand.Rand, rule Rule) *twin {
	for {
		g := newTwin(15, rule)
		for range 3 + rnd.IntN(4) {
			p := Pt(5+rnd.IntN(5), 5+rnd.IntN(5))
			if len(g.faults(p, false)) == 0 {
				g.play(p)
			}
		}
		if s := (naiveSearch{twin: g}); g.stones() >= 3 && len(s.fivePoints(Black)) == 0 && len(s.fivePoints(White)) == 0 {
			return g
		}
	}
}

// playLevels plays one game from the opening and returns the winner. A game of 120 stones is called a draw.
func playLevels(t *testing.T, opening *twin, black, white *Engine) Color {
	t.Helper()
	b := mustBoard(t, opening.size, opening.rule)
	for _, m := range opening.moves {
		require.NoError(t, b.Make(m.p))
	}
	engines := map[Color]*Engine{Black: black, White: white}
	for _, e := range engines {
		e.NewGame()
	}
	for !b.Over() && b.Len() < 120 {
		r, err := engines[b.Turn()].Search(context.Background(), b)
		if isErr(err, ErrNoLegalMove) {
			return Empty
		}
		require.NoError(t, err)
		require.NoError(t, b.Make(r.Best))
	}
	return b.Winner()
}

// matchLevels plays pairs of games, each opening with both colours, and returns the points of the first, a draw being
// half a point, out of all games.
func matchLevels(t *testing.T, games int, seed uint64, strong, weak []Option) (points float64, played int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 51))
	for i := 0; played < games; i++ {
		opening := levelOpening(rnd, naiveRules[i%3]) // freestyle, standard, renju
		a := mustEngine(t, append(append([]Option{}, strong...), WithSeed(uint64(2*i+1)), WithTableSize(1<<22))...)
		b := mustEngine(t, append(append([]Option{}, weak...), WithSeed(uint64(2*i+2)), WithTableSize(1<<22))...)
		for _, c := range []Color{Black, White} {
			if played == games {
				break
			}
			winner := Empty
			if c == Black {
				winner = playLevels(t, opening, a, b)
			} else {
				winner = playLevels(t, opening, b, a)
			}
			switch winner {
			case c:
				points++
			case Empty:
				points += 0.5
			}
			played++
		}
	}
	return points, played
}

// TestLevels lets each level play the one below: it makes four points in five, over 50 games with -levelgames 50. The
// sample of every test run asks for a little less, for it is small.
func TestLevels(t *testing.T) {
	games, share := 8, 0.6
	if *levelGames > 0 {
		games, share = *levelGames, 0.8
	} else if few() {
		t.Skip("levels play in full test runs")
	}
	for weak := Easy; weak < Expert; weak++ {
		strong := weak + 1
		t.Run(fmt.Sprintf("%v-%v", strong, weak), func(t *testing.T) {
			points, played := matchLevels(t, games, uint64(weak), []Option{WithLevel(strong)}, []Option{WithLevel(weak)})
			t.Logf("%v made %v of %d points (%.0f %%) against %v", strong, points, played, 100*points/float64(played), weak)
			assert.GreaterOrEqual(t, points, share*float64(played))
		})
	}
}

// TestEasySlips: Easy slips now and then, by its seed, but never past a win or a five to stop.
func TestEasySlips(t *testing.T) {
	b, _ := setUp(t, 15, Freestyle, "h8i9g6", "h9i8")
	slips := 0
	for seed := range uint64(300) {
		e := mustEngine(t, WithLevel(Easy), WithSeed(seed), WithTableSize(0))
		r := mustSearch(t, e, b)
		best := r.Candidates[0]
		if r.Best != best.Point {
			slips++
			assert.GreaterOrEqual(t, best.Score, r.Score, "a slip is no better")
		}
		again := mustSearch(t, e, b)
		require.Equal(t, r.Best, again.Best, "the same seed slips the same way")
	}
	assert.InDelta(t, 60, slips, 25, "20 of 100")
	four, _ := setUp(t, 15, Freestyle, "e5f5g5h5a1", "d5j9a15c9")
	for seed := range uint64(100) {
		e := mustEngine(t, WithLevel(Easy), WithSeed(seed), WithTableSize(0))
		four.SetTurn(Black)
		require.Equal(t, Pt(8, 4), mustSearch(t, e, four).Best, "a win on the spot")
		four.SetTurn(White)
		require.Equal(t, Pt(8, 4), mustSearch(t, e, four).Best, "a five to stop")
		r := mustSearch(t, mustEngine(t, WithLevel(Normal), WithSeed(seed), WithTableSize(0)), b)
		require.Equal(t, r.Candidates[0].Point, r.Best, "only Easy slips")
	}
}

// TestLevelSettings: options after a level change it, and a level for one call is for that call.
func TestLevelSettings(t *testing.T) {
	b, _ := setUp(t, 15, Freestyle, "h8i9g6", "h9i8")
	e := mustEngine(t)
	for level, depth := range map[Level]int{Easy: 1, Normal: 2, Hard: 2} {
		assert.Equal(t, depth, mustSearch(t, e, b, WithLevel(level)).Depth, level)
		assert.Equal(t, 3, mustSearch(t, e, b, WithLevel(level), WithDepth(3)).Depth, level)
	}
	assert.Equal(t, 2, mustSearch(t, mustEngine(t, WithLevel(Easy)), b, WithLevel(Normal)).Depth)
	assert.Equal(t, 6, mustSearch(t, e, b).Depth, "the default again")
}

// TestProgressTellsOfAWinByFours: a search that ends before its first depth is heard of, too.
func TestProgressTellsOfAWinByFours(t *testing.T) {
	b, _ := setUp(t, 15, Freestyle, "e5f5g5e7f8", "d5a1a3a15")
	var heard []Info
	r := mustSearch(t, mustEngine(t), b, WithDepth(6), WithProgress(func(i Info) { heard = append(heard, i) }))
	require.True(t, r.Proven)
	require.NotEmpty(t, heard)
	assert.Equal(t, r.Score, heard[len(heard)-1].Score)
	assert.Equal(t, r.PV, heard[len(heard)-1].PV)
}

// beginner is a player who sees what is on the board, threes included, and does not think ahead: it makes a five, stops
// one, makes an open four, stops an open three, extends a three or a two of its own, or plays next to a stone.
func beginner(b *Board, rnd *rand.Rand) Point {
	me, them := b.Turn(), b.Turn().Opponent()
	var best []Point
	rank := -1
	for _, p := range b.Candidates(1) {
		if b.Clone().Make(p) != nil {
			continue
		}
		mine, theirs := ClassOf(ShapesAt(b, p, me)), ClassOf(ShapesAt(b, p, them))
		r := 0
		switch {
		case mine == FiveClass:
			r = 6
		case theirs == FiveClass:
			r = 5
		case mine == OpenFourClass:
			r = 4
		case theirs == OpenFourClass:
			r = 3
		case mine >= ThreeClass && mine < FourClass:
			r = 2
		case mine >= TwoClass && mine < FourClass:
			r = 1
		}
		if r > rank {
			best, rank = best[:0], r
		}
		if r == rank {
			best = append(best, p)
		}
	}
	if len(best) == 0 {
		return NoPoint
	}
	return best[rnd.IntN(len(best))]
}

// TestEasyLosesToBeginner: Easy is for those who see threes but do not calculate; they win more often than not.
func TestEasyLosesToBeginner(t *testing.T) {
	games := 40
	if few() {
		games = 20
	}
	rnd := rand.New(rand.NewPCG(71, 2))
	won, lost := 0, 0
	for i := range games {
		opening := levelOpening(rnd, Freestyle)
		b := mustBoard(t, opening.size, opening.rule)
		for _, m := range opening.moves {
			require.NoError(t, b.Make(m.p))
		}
		person := Color(1 + i%2)
		e := mustEngine(t, WithLevel(Easy), WithSeed(uint64(i+1)), WithTableSize(0))
		for !b.Over() && b.Len() < 120 {
			p := NoPoint
			if b.Turn() == person {
				p = beginner(b, rnd)
			}
			if p == NoPoint {
				p = mustSearch(t, e, b).Best
			}
			require.NoError(t, b.Make(p))
		}
		switch b.Winner() {
		case person:
			won++
		case person.Opponent():
			lost++
		}
	}
	t.Logf("the beginner won %d and lost %d of %d", won, lost, games)
	assert.Greater(t, won, lost)
}
