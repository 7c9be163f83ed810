package gomoku

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// --- the search once more, slowly, from the documentation --------------------------------------

// naiveWin is the score of a win on the spot; n plies later it is n less.
const naiveWin = 30_000_000

// naiveSearch is plain minimax on a twin with the documented candidates: those within the radius, the best by
// point score for both sides, a five at once, a threatened five answered.
type naiveSearch struct {
	*twin
	radius, cap int
	w           Weights
	nodes       int
}

type naiveMove struct {
	p     Point
	score int
}

// legal lists the moves among ps that are no fouls for the side to move.
func (s *naiveSearch) legal(ps []Point) []Point {
	return slices.DeleteFunc(ps, func(p Point) bool { return s.turn == Black && s.foulAt(p) != NoFoul })
}

// fivePoints lists where c makes a winning row.
func (s *naiveSearch) fivePoints(c Color) []Point {
	return slices.DeleteFunc(s.points(Empty), func(p Point) bool { return !makesFiveNaively(s.twin, p, c) })
}

// ranked orders moves by what they are worth to both sides, the earlier point first among equals.
func (s *naiveSearch) ranked(ps []Point) (list []naiveMove) {
	mine := s.w
	mine.Five = 0
	others := mine
	others.Position = 0
	for _, p := range ps {
		list = append(list, naiveMove{p, s.evaluatePoint(p, s.turn, &mine) + s.evaluatePoint(p, naiveOther(s.turn), &others)})
	}
	slices.SortStableFunc(list, func(a, b naiveMove) int { return b.score - a.score })
	return list
}

// moves lists what is worth trying, best first, and whether nothing else could change the value.
func (s *naiveSearch) moves() (list []naiveMove, complete bool) {
	if fives := s.fivePoints(s.turn); len(fives) > 0 {
		return []naiveMove{{p: fives[0]}}, true
	}
	all := s.legal(s.points(Empty))
	near := s.legal(s.candidates(s.radius))
	if len(near) == 0 {
		near = all
	}
	if len(s.fivePoints(naiveOther(s.turn))) > 0 {
		// every legal answer on the board counts, wherever it is
		list = s.ranked(all)
		list = slices.DeleteFunc(list, func(m naiveMove) bool {
			s.set(m.p, s.turn)
			defer s.set(m.p, Empty)
			return len(s.fivePoints(naiveOther(s.turn))) > 0
		})
		if len(list) == 0 && len(all) > 0 {
			// all moves lose in two plies, and the best of the neighbourhood stands for them
			if wide := s.legal(s.candidates(2)); s.radius == 1 && len(wide) > 0 {
				near = wide
			}
			list = s.ranked(near)[:1]
		}
		complete = true
	} else {
		list, complete = s.ranked(near), len(near) == len(all)
	}
	if s.cap > 0 && len(list) > s.cap {
		list, complete = list[:s.cap], false
	}
	return list, complete
}

// value is the worth for the side to move, ply plies below the root.
func (s *naiveSearch) value(depth, ply int) Score {
	s.nodes++
	switch {
	case s.winner() != Empty:
		return -Score(naiveWin - ply)
	case s.stones() == s.size*s.size:
		return 0
	case depth == 0:
		return min(max(Score(s.evaluateBoard(s.turn, &s.w)), -MaxEstimate), MaxEstimate)
	}
	list, complete := s.moves()
	if len(list) == 0 {
		return 0
	}
	best := Score(-naiveWin)
	for _, m := range list {
		s.play(m.p)
		best = max(best, -s.value(depth-1, ply+1))
		s.undo()
	}
	if !complete {
		best = max(best, -MaxEstimate)
	}
	return best
}

// children are the exact values of the root's moves, in the order of their scores.
func (s *naiveSearch) children(depth int) (list []Line) {
	moves, _ := s.moves()
	for _, m := range moves {
		s.play(m.p)
		list = append(list, Line{Score: -s.value(depth-1, 1), PV: []Point{m.p}})
		s.undo()
	}
	return list
}

// solve is the value of a position searched to the end over every legal move, in plies as a mate score, 0 for
// a draw. It knows nothing but the rules. Black in Renju without a legal move draws; memo["stuck"] tells that it came to
// that somewhere.
func (t *twin) solve(memo map[string]int) int {
	if t.winner() != Empty {
		return -naiveWin
	}
	if t.stones() == t.size*t.size {
		return 0
	}
	var key strings.Builder
	for _, row := range t.cell {
		for _, c := range row {
			key.WriteByte('0' + byte(c))
		}
	}
	key.WriteByte('0' + byte(t.turn))
	if v, ok := memo[key.String()]; ok {
		return v
	}
	best, moves := -naiveWin-1, 0
	for _, p := range t.points(Empty) {
		if t.turn == Black && t.foulAt(p) != NoFoul {
			continue
		}
		moves++
		t.play(p)
		v := -t.solve(memo)
		t.undo()
		if v > 0 {
			v-- // one ply further from the end
		} else if v < 0 {
			v++
		}
		best = max(best, v)
	}
	if moves == 0 {
		best = 0
		memo["stuck"] = 1
	}
	memo[key.String()] = best
	return best
}

// --- material ----------------------------------------------------------------------------------

// randomPosition is a position somebody could be asked about: stones in a cluster, not over, either side to move.
func randomPosition(rnd *rand.Rand, size int, rule Rule) *twin {
	for {
		g := newTwin(size, rule)
		g.turn = Color(1 + rnd.IntN(2))
		span := min(size, 4+rnd.IntN(4))
		x0, y0 := rnd.IntN(size-span+1), rnd.IntN(size-span+1)
		for range rnd.IntN(span*span*3/4 + 1) {
			p, c := Pt(x0+rnd.IntN(span), y0+rnd.IntN(span)), Color(1+rnd.IntN(2))
			if g.at(p) != Empty {
				continue
			}
			g.set(p, c)
			if g.over() {
				g.set(p, Empty)
			}
		}
		if !g.over() && (g.turn == White || rule != Renju || len((&naiveSearch{twin: g}).legal(g.points(Empty))) > 0) {
			return g
		}
	}
}

// few says that a long test should do less: in short mode and under the race detector.
func few() bool { return raceEnabled || testing.Short() }

func abs(n int) int { return max(n, -n) }

// fullerPosition leaves the given number of points empty and is not over.
func fullerPosition(rnd *rand.Rand, size int, rule Rule, empty int) *twin {
	for {
		g := newTwin(size, rule)
		g.turn = Color(1 + rnd.IntN(2))
		ps := g.points(Empty)
		rnd.Shuffle(len(ps), func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
		if rnd.IntN(3) > 0 { // leave the empty points side by side
			far := func(p Point) int { return max(abs(p.X()-ps[0].X()), abs(p.Y()-ps[0].Y())) }
			slices.SortStableFunc(ps, func(p, q Point) int { return far(q) - far(p) })
		}
		left := len(ps) - empty
		for _, p := range ps {
			if left == 0 {
				break
			}
			first := Color(1 + rnd.IntN(2))
			d := naiveDirs[rnd.IntN(4)] // rows of one colour make fives
			if c := g.at(Pt(p.X()+d[0], p.Y()+d[1])); c != Empty && rnd.IntN(4) > 0 {
				first = c
			}
			for _, c := range []Color{first, naiveOther(first)} {
				g.set(p, c)
				if g.winner() == Empty {
					left--
					break
				}
				g.set(p, Empty)
			}
		}
		if left == 0 && (g.turn == White || rule != Renju || len((&naiveSearch{twin: g}).legal(g.points(Empty))) > 0) {
			return g
		}
	}
}

// realPositions takes positions out of the middle of real games, each under every rule that allows its moves.
func realPositions(tb testing.TB, n int, seed uint64) (list []*twin) {
	rows := readRows[gameRow](tb, "real_games.jsonl")
	rnd := rand.New(rand.NewPCG(seed, 8))
	for len(list) < n {
		row := rows[rnd.IntN(len(rows))]
		moves := splitPoints(tb, row.Moves)
		rule := naiveRules[len(list)%4]
		if row.Size == 0 {
			row.Size = 15
		}
		g := newTwin(row.Size, rule)
		for _, p := range moves[:rnd.IntN(len(moves))] {
			if len(g.faults(p, false)) > 0 {
				break
			}
			g.play(p)
		}
		if !g.over() && g.stones() > 0 {
			list = append(list, g)
		}
	}
	return list
}

func mustEngine(tb testing.TB, opts ...Option) *Engine {
	tb.Helper()
	e, err := NewEngine(opts...)
	require.NoError(tb, err)
	return e
}

func mustSearch(tb testing.TB, e *Engine, b *Board, opts ...Option) Result {
	tb.Helper()
	r, err := e.Search(context.Background(), b, opts...)
	if err != nil {
		tb.Fatalf("%v\n%v", err, b)
	}
	return r
}

// bare switches every technique off.
func bare(opts ...Option) []Option {
	return append([]Option{
		WithStrategy(Minimax), WithTableSize(0), WithOrdering(false), WithIterativeDeepening(false), WithAspiration(false), WithTechniques(NoTechniques),
	}, opts...)
}

// technique is one way to search that must not change any value.
type technique struct {
	name  string
	table bool
	opts  []Option
}

// techniques is every combination of strategy, table, ordering and deepening with or without windows.
func techniques() (list []technique) {
	deepenings := map[string][]Option{
		"at once":  {WithIterativeDeepening(false)},
		"deepened": {WithIterativeDeepening(true), WithAspiration(false)},
		"windows":  {WithIterativeDeepening(true), WithAspiration(true)},
	}
	for _, s := range []Strategy{Minimax, AlphaBeta, PVS} {
		for _, table := range []bool{false, true} {
			for _, ordering := range []bool{false, true} {
				for _, deepening := range []string{"at once", "deepened", "windows"} {
					list = append(list, technique{
						fmt.Sprintf("%v, table %v, ordering %v, %s", s, table, ordering, deepening), table,
						append([]Option{WithStrategy(s), WithOrdering(ordering), WithTechniques(NoTechniques)}, deepenings[deepening]...),
					})
				}
			}
		}
	}
	return list
}

// --- tests -------------------------------------------------------------------------------------

// checkAgainstNaive compares the value of the position and of each of its moves with the slow search.
func checkAgainstNaive(t *testing.T, e *Engine, s *naiveSearch, depth int) {
	t.Helper()
	b := s.fresh(t, 1)
	opts := []Option{WithDepth(depth), WithRadius(s.radius), WithCandidateCap(s.cap), WithWeights(s.w)}
	r := mustSearch(t, e, b, bare(opts...)...)
	want := s.value(depth, 0)
	where := func() string {
		return fmt.Sprintf("depth %d, radius %d, cap %d, %v to move, %v, %+v\n%v", depth, s.radius, s.cap, s.turn, s.rule, s.w, s)
	}
	if r.Score != want {
		t.Fatalf("score %v, want %v: %s", r.Score, want, where())
	}
	children := s.children(depth)
	if len(r.Candidates) != len(children) {
		t.Fatalf("%d candidates, want %v: %s", len(r.Candidates), children, where())
	}
	for _, c := range r.Candidates {
		i := slices.IndexFunc(children, func(l Line) bool { return l.PV[0] == c.Point })
		if i < 0 || c.Bound != Exact || c.Score != children[i].Score {
			t.Fatalf("candidate %v %v %v, want %v: %s", c.Point, c.Bound, c.Score, children, where())
		}
	}
}

// TestSearchAgainstNaive compares the bare minimax with the slow one, in small and in real positions.
func TestSearchAgainstNaive(t *testing.T) {
	small, real := 240, 40
	if few() {
		small, real = 40, 8
	}
	e := mustEngine(t, WithTableSize(0))
	rnd := rand.New(rand.NewPCG(21, 1))
	mates := 0
	try := func(g *twin, radius int) {
		s := &naiveSearch{twin: g, radius: radius, cap: []int{0, 1, 3, 5, 8}[rnd.IntN(5)], w: BalancedWeights()}
		if rnd.IntN(3) == 0 {
			s.w = randomWeights(rnd)
		}
		depth := 1 + rnd.IntN(3)
		if s.cap == 0 && depth == 3 && len(g.candidates(radius)) > 12 {
			depth = 2
		}
		if s.cap == 0 && len(g.candidates(radius)) > 60 {
			s.cap = 6
		}
		if _, ok := s.value(depth, 0).Mate(); ok {
			mates++
		}
		checkAgainstNaive(t, e, s, depth)
	}
	for i := range small {
		try(randomPosition(rnd, 5+rnd.IntN(5), naiveRules[i%4]), rnd.IntN(4))
	}
	for _, g := range realPositions(t, real, 1) {
		try(g, 1+rnd.IntN(3))
	}
	if !few() {
		assert.Greater(t, mates, (small+real)/20, "too few positions are decided to tell")
	}
}

// TestTechniquesAgree is the soundness of every technique: whatever is switched on, the value is that of the bare
// minimax, and so is every score and bound of the candidates.
func TestTechniquesAgree(t *testing.T) {
	small, real := 140, 40
	if few() {
		small, real = 24, 8
	}
	rnd := rand.New(rand.NewPCG(22, 1))
	reference := mustEngine(t, WithTableSize(0))
	plain, tables := mustEngine(t, WithTableSize(0)), []*Engine{
		mustEngine(t, WithTableSize(1<<20)),
		mustEngine(t, WithTableSize(64*8)), // eight buckets: everything is overwritten
	}
	mates, nodes := 0, map[string]int64{}
	try := func(g *twin, depth, radius, cap int) {
		w := BalancedWeights()
		if rnd.IntN(4) == 0 {
			w = randomWeights(rnd)
		}
		b := g.fresh(t, 1)
		seed := uint64(rnd.IntN(3)) // noise belongs to the position, not to the way it is searched
		opts := []Option{WithDepth(depth), WithRadius(radius), WithCandidateCap(cap), WithWeights(w), WithSeed(seed)}
		want := mustSearch(t, reference, b, bare(opts...)...)
		if _, ok := want.Score.Mate(); ok {
			mates++
		}
		exact := map[Point]Score{}
		for _, c := range want.Candidates {
			exact[c.Point] = c.Score
		}
		for _, tech := range techniques() {
			engines := []*Engine{plain}
			if tech.table {
				engines = tables
			}
			for _, e := range engines {
				e.NewGame()
				r := mustSearch(t, e, b, append(slices.Clone(opts), tech.opts...)...)
				nodes[tech.name] += r.Nodes
				if fault := candidateFault(r, want, exact, depth); fault != "" {
					t.Fatalf("%s: %s, depth %d, radius %d, cap %d, seed %d, %v to move, %v, %+v\n%v",
						tech.name, fault, depth, radius, cap, seed, g.turn, g.rule, w, g)
				}
			}
		}
	}
	for i := range small {
		size := 5 + rnd.IntN(5)
		g := randomPosition(rnd, size, naiveRules[i%4])
		switch rnd.IntN(3) {
		case 0:
			try(g, 1+rnd.IntN(3), 1, 0)
		case 1:
			try(g, 2+rnd.IntN(3), 2, 4+rnd.IntN(3))
		default:
			try(g, 4+rnd.IntN(4), rnd.IntN(3), 2+rnd.IntN(2))
		}
	}
	for i, g := range realPositions(t, real, 2) {
		try(g, 3+i%2, 1+rnd.IntN(3), 6+rnd.IntN(4))
	}
	if few() {
		return
	}
	assert.Greater(t, mates, (small+real)/20, "too few positions are decided to tell")
	full := nodes["minimax, table false, ordering true, at once"]
	assert.Less(t, nodes["alphabeta, table false, ordering true, at once"]*3, full, "alpha-beta prunes")
	assert.Less(t, nodes["pvs, table true, ordering true, windows"]*3, full)
}

// candidateFault says what is wrong with a result whose exact scores are known.
func candidateFault(r, want Result, exact map[Point]Score, depth int) string {
	if r.Score != want.Score {
		return fmt.Sprintf("score %v, want %v", r.Score, want.Score)
	}
	// A proven result may end the deepening early; otherwise the depth was searched.
	early := r.Stop == StopProven && r.Depth < depth
	if !early && r.Depth != want.Depth {
		return fmt.Sprintf("depth %d of %d, stop %v", r.Depth, want.Depth, r.Stop)
	}
	if len(r.Candidates) != len(exact) {
		return fmt.Sprintf("%d candidates, want %d", len(r.Candidates), len(exact))
	}
	if r.Candidates[0].Point != r.Best || r.Candidates[0].Bound != Exact {
		return fmt.Sprintf("first candidate %v %v, best %v", r.Candidates[0].Point, r.Candidates[0].Bound, r.Best)
	}
	for i, c := range r.Candidates {
		v, ok := exact[c.Point]
		if !ok {
			return fmt.Sprintf("%v is no candidate", c.Point)
		}
		if early && i > 0 {
			continue // its bound is true for a smaller depth
		}
		switch c.Bound {
		case Exact:
			ok = c.Score == v
		case Upper:
			ok = c.Score >= v && c.Score <= r.Candidates[0].Score
		default:
			ok = false
		}
		if !ok {
			return fmt.Sprintf("candidate %v: %v %v, value %v", c.Point, c.Bound, c.Score, v)
		}
	}
	return ""
}

// TestTableCarriesOver plays games forward with one engine that keeps its table from move to move, at a fixed depth:
// the values stay those of a fresh engine.
func TestTableCarriesOver(t *testing.T) {
	games := 10
	if few() {
		games = 2
	}
	rnd := rand.New(rand.NewPCG(23, 1))
	hits := 0
	for i := range games {
		rule := naiveRules[i%4]
		opts := []Option{WithDepth(4), WithCandidateCap(6), WithRadius(1), WithTechniques(NoTechniques)}
		e := mustEngine(t, append(opts, WithTableSize(1<<20))...)
		fresh := mustEngine(t, append(opts, WithTableSize(0))...)
		b := mustBoard(t, 9+rnd.IntN(7), rule)
		for n := 0; !b.Over() && n < 30; n++ {
			r, err := e.Search(context.Background(), b)
			if isErr(err, ErrNoLegalMove) {
				break
			}
			require.NoError(t, err)
			want := mustSearch(t, fresh, b)
			require.Equal(t, want.Score, r.Score, "move %d, %v\n%v", n, rule, b)
			if r.Nodes < want.Nodes {
				hits++
			}
			p := r.Best
			if rnd.IntN(3) == 0 { // not only the expected
				p = r.Candidates[rnd.IntN(len(r.Candidates))].Point
			}
			require.NoError(t, b.Make(p))
		}
	}
	assert.Greater(t, hits, games*5, "the table is of no use")
}

// TestSolvedToTheEnd compares boards with few empty points, searched to the end, with a solver that knows nothing but
// the rules. The plain engines are told to look at everything; the strong ones do so by themselves when it is time.
func TestSolvedToTheEnd(t *testing.T) {
	n := 300
	if few() {
		n = 24
	}
	rnd := rand.New(rand.NewPCG(24, 1))
	outcomes := map[string]int{}
	whole := func(opts ...Option) *Engine {
		return mustEngine(t, append([]Option{WithRadius(0), WithCandidateCap(0), WithDepth(MaxDepth)}, opts...)...)
	}
	plain := []*Engine{
		whole(WithTechniques(NoTechniques), WithTableSize(1<<20)),
		whole(WithTechniques(NoTechniques), WithTableSize(0), WithOrdering(false), WithStrategy(AlphaBeta)),
		whole(WithTechniques(NoTechniques), WithTableSize(1<<12), WithIterativeDeepening(false)),
	}
	strong := []*Engine{
		whole(), whole(WithTechniques(Precise), WithTableSize(1<<12)), mustEngine(t, WithDepth(MaxDepth), WithCandidateCap(4), WithRadius(1)),
		mustEngine(t, WithNodeLimit(1_000_000)),
	}
	for i := range n {
		rule := naiveRules[i%4]
		g := fullerPosition(rnd, 5+i/4%4, rule, 1+rnd.IntN(9))
		for rnd.IntN(8) > 0 && len((&naiveSearch{twin: g}).fivePoints(g.turn)) > 0 {
			g = fullerPosition(rnd, 5+i/4%4, rule, 1+rnd.IntN(9)) // fewer wins on the spot
		}
		memo := map[string]int{}
		want := g.solve(memo)
		b := g.fresh(t, 1)
		where := fmt.Sprintf("%v to move, %v\n%v", g.turn, rule, g)
		for _, e := range plain {
			e.NewGame()
			r := mustSearch(t, e, b)
			require.Equal(t, Score(want), r.Score, where)
			require.True(t, r.Proven, where)
			require.Contains(t, []StopReason{StopProven, StopExhausted}, r.Stop, where)
			if r.Stop == StopExhausted {
				require.Equal(t, len(g.points(Empty)), r.Depth, where)
			}
			checkFullLine(t, g, r)
		}
		for j, e := range strong {
			if memo["stuck"] != 0 {
				break // shapes see a foul that can't be answered, not that there is no other move either
			}
			e.NewGame()
			r := mustSearch(t, e, b)
			checkFullLine(t, g, r)
			require.True(t, r.Proven, "engine %d: %v, want %v, %s", j, r.Score, Score(want), where)
			// techniques may find a longer win than the shortest, never another outcome
			require.Equal(t, want > 0, r.Score > 0, "engine %d: %v, want %v, %s", j, r.Score, Score(want), where)
			require.Equal(t, want < 0, r.Score < 0, "engine %d: %v, want %v, %s", j, r.Score, Score(want), where)
		}
		switch {
		case want > 0:
			outcomes[fmt.Sprintf("win in %d", naiveWin-want)]++
		case want < 0:
			outcomes[fmt.Sprintf("loss in %d", naiveWin+want)]++
		default:
			outcomes["draw"]++
		}
	}
	t.Log(outcomes)
	if !few() {
		for _, o := range []string{"draw", "win in 1", "win in 3", "win in 5", "loss in 2", "loss in 4"} {
			assert.Contains(t, outcomes, o)
		}
	}
}

// TestDrawnEndgameIsProven: with fouls, a threatened open four leaves nothing out either.
func TestDrawnEndgameIsProven(t *testing.T) {
	var b Board
	require.NoError(t, b.UnmarshalText([]byte(
		"6 renju black=f1a2d2c3b5e5f5e6 white=b1c1e1c2e2f2b3d3e3f3a4c4e4f4a5c5d5a6b6c6d6 turn=black")))
	for _, opts := range [][]Option{nil, {WithTechniques(Precise)}, {WithMultiPV(3)}} {
		r := mustSearch(t, mustEngine(t), &b, append(opts, WithDepth(MaxDepth))...)
		assert.Equal(t, StopExhausted, r.Stop)
		assert.Zero(t, r.Score)
		assert.True(t, r.Proven)
	}
}

// checkLine replays the result's line under the rules on a slow board: it is legal, begins with the best move,
// and a proven result ends in time with the right winner.
func checkLine(t *testing.T, g *twin, r Result) {
	t.Helper()
	require.NotEmpty(t, r.PV)
	require.Equal(t, r.Best, r.PV[0])
	h := g.clone()
	for i, p := range r.PV {
		require.Empty(t, h.faults(p, false), "move %d of %v, %v to move first, %v\n%v", i, r.PV, g.turn, g.rule, g)
		h.play(p)
	}
	plies, mate := r.Score.Mate()
	if !mate {
		return
	}
	winner := g.turn
	if plies < 0 {
		winner, plies = naiveOther(winner), -plies
	}
	require.LessOrEqual(t, plies, len(g.points(Empty)), "a mate beyond the end of the board\n%v", g)
	require.Equal(t, winner == g.turn, plies%2 == 1, "the winner makes the last move")
	require.LessOrEqual(t, len(r.PV), plies, "%v in %v\n%v", r.Score, r.PV, g)
	if len(r.PV) == plies {
		require.Equal(t, winner, h.winner(), "%v in %v\n%v", r.Score, r.PV, g)
	}
}

// checkFullLine is checkLine for a search that names every move to the end of a proven result.
func checkFullLine(t *testing.T, g *twin, r Result) {
	t.Helper()
	checkLine(t, g, r)
	if plies, mate := r.Score.Mate(); mate {
		require.Len(t, r.PV, abs(plies), "the line of a proven result goes to its end: %v, %v to move\n%v", r.Score, g.turn, g)
	}
}

// prover checks claims of proven results: the engine names the moves of the winner, the loser tries its answers, and a
// slow board decides.
type prover struct {
	t      *testing.T
	e      *Engine
	rnd    *rand.Rand
	budget int // searches left
	longer int // claims whose wins take longer, as far as the engine sees later
	line   []Point
}

// fail reports a claim that does not hold.
func (v *prover) fail(g *twin, format string, args ...any) {
	v.t.Helper()
	v.t.Fatalf("%s, after %v, %v to move, %v\n%v", fmt.Sprintf(format, args...), v.line, g.turn, g.rule, g)
}

func (v *prover) play(g *twin, p Point) {
	v.line = append(v.line, p)
	g.play(p)
}

func (v *prover) undo(g *twin) {
	v.line = v.line[:len(v.line)-1]
	g.undo()
}

// win checks that the side to move wins within the given plies.
func (v *prover) win(g *twin, plies int) {
	v.t.Helper()
	s := naiveSearch{twin: g}
	if len(s.fivePoints(g.turn)) > 0 {
		return
	}
	if plies < 3 {
		v.fail(g, "no five, but a claim to win in %d", plies)
	}
	if v.budget--; v.budget < 0 {
		return
	}
	r := mustSearch(v.t, v.e, g.fresh(v.t, 1), WithDepth(plies), WithNodeLimit(400_000)) // threats are searched within a share of it
	left, ok := r.Score.Mate()
	if ok && left > plies { // a win by continuous fours need not be the shortest
		short := mustSearch(v.t, v.e, g.fresh(v.t, 1), WithDepth(plies), WithTechniques(Shapes|ThreatDefence), WithNodeLimit(50_000))
		if n, ok := short.Score.Mate(); ok && n > 0 {
			r, left = short, n
		}
	}
	if !ok || left < 0 || !r.Proven {
		v.fail(g, "claimed to win in %d, now %v", plies, r.Score)
	}
	if left > plies {
		v.longer++
	}
	require.Empty(v.t, g.faults(r.Best, false))
	v.play(g, r.Best)
	v.loss(g, left-1)
	v.undo(g)
}

// loss checks that the side to move loses within the given plies.
func (v *prover) loss(g *twin, plies int) {
	v.t.Helper()
	if g.winner() == naiveOther(g.turn) {
		return
	}
	s := naiveSearch{twin: g}
	if len(s.fivePoints(g.turn)) > 0 {
		v.fail(g, "a five for the side that was to lose in %d", plies)
	}
	answers := s.legal(g.points(Empty))
	if plies < 2 || len(answers) == 0 {
		v.fail(g, "%d legal moves, but a claim to lose in %d", len(answers), plies)
	}
	if threats := s.fivePoints(naiveOther(g.turn)); len(threats) > 0 {
		// what does not stop the five needs no search
		answers = slices.DeleteFunc(answers, func(p Point) bool {
			g.set(p, g.turn)
			defer g.set(p, Empty)
			return slices.ContainsFunc(threats, func(q Point) bool { return q != p && makesFiveNaively(g, q, naiveOther(g.turn)) })
		})
	} else if last := g.lastMove(); plies > 4 && last != NoPoint {
		// a quiet threat: all answers in reach of it, and some others
		answers = slices.DeleteFunc(answers, func(p Point) bool {
			return max(abs(p.X()-last.X()), abs(p.Y()-last.Y())) > 4 && v.rnd.IntN(10) > 0
		})
	}
	for _, p := range answers {
		v.play(g, p)
		v.win(g, plies-1)
		v.undo(g)
	}
}

// check checks the claim of a result, if it makes one.
func (v *prover) check(g *twin, r Result) {
	v.t.Helper()
	checkFullLine(v.t, g, r)
	plies, ok := r.Score.Mate()
	require.True(v.t, !ok || r.Proven)
	v.line = v.line[:0]
	switch {
	case ok && plies > 0:
		v.win(g, plies)
	case ok:
		v.loss(g, -plies)
	}
}

// TestMatesReplay checks every proven result found in random and real positions, and in positions with many fours, against all defences.
func TestMatesReplay(t *testing.T) {
	n := 80
	if few() {
		n = 16
	}
	for name, techniques := range map[string]Technique{"plain": NoTechniques, "precise": Precise, "all": AllTechniques} {
		t.Run(name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(25, 1))
			positions := realPositions(t, n, 3)
			for i := range n {
				positions = append(positions, randomPosition(rnd, 6+rnd.IntN(10), naiveRules[i%4]))
			}
			e := mustEngine(t, WithDepth(7), WithCandidateCap(8), WithTechniques(techniques), WithNodeLimit(20_000))
			v := prover{t: t, rnd: rnd, e: mustEngine(t, WithCandidateCap(8), WithTechniques(techniques), WithTableSize(1<<18))}
			found := map[string]int{}
			for _, g := range positions {
				e.NewGame()
				r := mustSearch(t, e, g.fresh(t, 1))
				require.Contains(t, []StopReason{StopProven, StopNodes, StopDepth, StopExhausted}, r.Stop)
				if _, ok := r.Score.Mate(); ok {
					found[r.Score.String()]++
				}
				v.budget = 1000
				v.check(g, r)
			}
			t.Log(found)
			assert.Zero(t, v.longer, "wins that take longer than claimed")
			for _, claim := range []string{"win in 1", "win in 3", "loss in 2"} {
				if few() {
					break
				}
				assert.Contains(t, found, claim)
			}
		})
	}
}

// TestFourThreeThatIsNone: Renju's Black has four-threes whose three can become no straight four, for that would be a second
// four, and a four to play first. No win may be claimed of them that does not replay.
func TestFourThreeThatIsNone(t *testing.T) {
	b, g := setUp(t, 15, Renju, "h5h6h7i9i10i11j8k8b2c2d2", "h4i12m8a2g5k9k7")
	for _, p := range splitPoints(t, "h8i8") {
		b, h := b.Clone(), g.clone()
		require.NoError(t, b.Make(p))
		h.play(p)
		require.Len(t, (&naiveSearch{twin: h}).fivePoints(Black), 1, "a four")
		other := splitPoints(t, "h8i8")[1-slices.Index(splitPoints(t, "h8i8"), p)]
		require.Equal(t, DoubleFour, b.Foul(other))
	}
	for _, techniques := range []Technique{Shapes | ThreatDefence | AnswerExtension, Precise, AllTechniques} {
		for depth := 1; depth <= 4; depth++ {
			opts := []Option{WithTechniques(techniques), WithTableSize(1 << 16)}
			r := mustSearch(t, mustEngine(t, opts...), b, WithDepth(depth))
			v := prover{t: t, rnd: rand.New(rand.NewPCG(28, 1)), budget: 300, e: mustEngine(t, opts...)}
			v.check(g, r)
			assert.False(t, r.Proven, "%v in %v", r.Score, r.PV)
		}
	}
}

// TestCountsOfCandidateTrees counts the leaves of the tree that candidates span, by a slow count and as recorded
// from it.
func TestCountsOfCandidateTrees(t *testing.T) {
	var slow func(g *twin, radius, depth int) int
	slow = func(g *twin, radius, depth int) int {
		if depth == 0 || g.over() {
			return 1
		}
		n := 0
		for _, p := range (&naiveSearch{twin: g}).legal(g.candidates(radius)) {
			g.play(p)
			n += slow(g, radius, depth-1)
			g.undo()
		}
		return n
	}
	var fast func(b *Board, radius, depth int) int
	fast = func(b *Board, radius, depth int) int {
		if depth == 0 || b.Over() {
			return 1
		}
		n := 0
		for _, p := range b.Candidates(radius) {
			if b.Make(p) == nil {
				n += fast(b, radius, depth-1)
				b.Undo()
			}
		}
		return n
	}
	for _, tc := range []struct {
		size   int
		rule   Rule
		moves  string
		radius int
		want   []int // by depth, from 1
	}{
		{15, Freestyle, "", 1, []int{1, 8, 88, 1200}},
		{15, Freestyle, "", 2, []int{1, 24, 816, 34960}},
		{15, Freestyle, "a1", 1, []int{3, 15, 105, 923}},
		{15, Renju, "h8h9i8i10j7k6g7", 1, []int{27, 772, 23340}},
		{15, Standard, "h8i9j8k8h9h10", 2, []int{45, 2372}},
		{6, Caro, "c3d4c4d3c5d5", 1, []int{14, 220, 3722, 65464}},
		{5, Freestyle, "a1b1c1d1e1a2b2c2d2e2a3b3c3d3e3b4a4d4c4a5", 0, []int{5, 20, 60, 120, 120}},
	} {
		g := newTwin(tc.size, tc.rule)
		b := mustBoard(t, tc.size, tc.rule)
		play(t, b, g, tc.moves)
		for i, want := range tc.want {
			if want > 5000 && few() {
				break
			}
			assert.Equal(t, want, slow(g, tc.radius, i+1), "slow count, %q radius %d depth %d", tc.moves, tc.radius, i+1)
			assert.Equal(t, want, fast(b, tc.radius, i+1), "%q radius %d depth %d", tc.moves, tc.radius, i+1)
		}
	}
}

// searchCase is a small position with settings, made from a fuzzer's bytes.
type searchCase struct {
	g                  *twin
	depth, radius, cap int
	seed               uint64
	tech               technique
}

// readSearchCase makes of any bytes a position of size 5 to 8 that is not over.
func readSearchCase(data []byte) (c searchCase, ok bool) {
	if len(data) < 4 {
		return c, false
	}
	all := techniques()
	c.g = newTwin(5+int(data[0])%4, naiveRules[data[0]/4%4])
	c.g.turn = 1 + Color(data[0]/16%2)
	c.depth, c.radius = 1+int(data[1])%3, int(data[1])/3%3
	c.cap = int(data[2]) % 6
	c.seed = uint64(data[2]) / 6 % 3
	c.tech = all[int(data[3])%len(all)]
	if c.radius == 0 && c.cap == 0 {
		c.depth = min(c.depth, 2)
	}
	for i, v := range data[4:min(len(data), 4+c.g.size*c.g.size)] {
		p := Pt(i%c.g.size, i/c.g.size)
		c.g.set(p, Color(v%3))
		if c.g.at(p) != Empty && c.g.winner() != Empty {
			c.g.set(p, Empty)
		}
	}
	s := naiveSearch{twin: c.g}
	return c, len(s.legal(c.g.points(Empty))) > 0
}

// check searches the case bare, slowly, and as its technique says.
func (c *searchCase) check(t *testing.T, plain, table *Engine) {
	b := c.g.fresh(t, 1)
	opts := []Option{WithDepth(c.depth), WithRadius(c.radius), WithCandidateCap(c.cap), WithSeed(c.seed)}
	want := mustSearch(t, plain, b, bare(opts...)...)
	where := fmt.Sprintf("%s, depth %d, radius %d, cap %d, seed %d, %v to move, %v\n%v", c.tech.name, c.depth, c.radius, c.cap, c.seed, c.g.turn, c.g.rule, c.g)
	if c.seed == 0 && c.depth <= 2 {
		s := naiveSearch{twin: c.g, radius: c.radius, cap: c.cap, w: BalancedWeights()}
		if v := s.value(c.depth, 0); v != want.Score {
			t.Fatalf("bare minimax finds %v, the slow search %v: %s", want.Score, v, where)
		}
	}
	exact := map[Point]Score{}
	for _, m := range want.Candidates {
		exact[m.Point] = m.Score
	}
	e := plain
	if c.tech.table {
		e = table
	}
	e.NewGame()
	r := mustSearch(t, e, b, append(opts, c.tech.opts...)...)
	if fault := candidateFault(r, want, exact, c.depth); fault != "" {
		t.Fatalf("%s: %s", fault, where)
	}
	checkFullLine(t, c.g, r)
}

func randomSearchBytes(rnd *rand.Rand) []byte {
	data := make([]byte, 4+25+rnd.IntN(40))
	for i := range data {
		data[i] = byte(rnd.IntN(256))
	}
	fill := rnd.IntN(100)
	for i := 4; i < len(data); i++ {
		if rnd.IntN(100) > fill {
			data[i] = 0
		}
	}
	return data
}

func FuzzSearchEqual(f *testing.F) {
	rnd := rand.New(rand.NewPCG(26, 1))
	for range 60 {
		f.Add(randomSearchBytes(rnd))
	}
	plain, err := NewEngine(WithTableSize(0))
	require.NoError(f, err)
	table, err := NewEngine(WithTableSize(1 << 14))
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, ok := readSearchCase(data); ok {
			c.check(t, plain, table)
		}
	})
}

// TestPreciseTechniquesAgree: the techniques that leave nothing out give one value, whatever the strategy, order and
// deepening, as long as no cap lets the move history choose the candidates.
func TestPreciseTechniquesAgree(t *testing.T) {
	n := 28
	if few() {
		n = 6
	}
	rnd := rand.New(rand.NewPCG(27, 1))
	positions := realPositions(t, n/2, 10)
	for i := range n {
		positions = append(positions, randomPosition(rnd, 5+rnd.IntN(6), naiveRules[i%4]))
	}
	e := mustEngine(t, WithTableSize(0), WithCandidateCap(0), WithRadius(1))
	kept := mustEngine(t, WithTableSize(1<<20), WithCandidateCap(0), WithRadius(1))
	for _, g := range positions {
		b := g.fresh(t, 1)
		depth := 1 + rnd.IntN(3)
		for _, techniques := range []Technique{Shapes, Shapes | ThreatDefence, Shapes | ThreatDefence | History, Shapes | ThreatDefence | AnswerExtension | History} {
			opts := []Option{WithDepth(depth), WithTechniques(techniques)}
			want := mustSearch(t, e, b, append(opts, WithStrategy(Minimax), WithIterativeDeepening(false), WithOrdering(false), WithNodeLimit(200_000))...)
			if want.Stop == StopNodes {
				continue
			}
			for name, more := range map[string][]Option{
				"alpha-beta":            {WithStrategy(AlphaBeta), WithIterativeDeepening(false)},
				"alpha-beta, unordered": {WithStrategy(AlphaBeta), WithOrdering(false)},
				"pvs":                   {WithStrategy(PVS)},
				"pvs, no windows":       {WithStrategy(PVS), WithAspiration(false)},
				"minimax, deepened":     {WithStrategy(Minimax)},
			} {
				r := mustSearch(t, e, b, append(opts, more...)...)
				require.Equal(t, want.Score, r.Score, "%v, %s, depth %d, %v to move, %v\n%v", techniques, name, depth, g.turn, g.rule, g)
				if techniques&AnswerExtension == 0 { // with it, a position is searched to several depths
					kept.NewGame()
					r = mustSearch(t, kept, b, append(opts, more...)...)
					require.Equal(t, want.Score, r.Score, "table, %v, %s, depth %d, %v to move, %v\n%v", techniques, name, depth, g.turn, g.rule, g)
				}
			}
		}
	}
}

// TestLongestAnswerIsTheLine: in Caro a four can have several answers, and the line of the win shows the one that holds out
// longest. (Position of a PlayOK game, as real_games.jsonl.)
func TestLongestAnswerIsTheLine(t *testing.T) {
	for _, tc := range [][2]string{
		{"d7a8c8d8e8f8a9d9f9a10d10", "c6d6b8g8e9c10a11d11h12i12f15"},
		{"i5f6j6h7j7k7g8i8h9i10h11", "g6h6i6k6f7g7f8h8j8l8i9"},
	} {
		b, g := setUp(t, 15, Caro, tc[0], tc[1])
		r := mustSearch(t, mustEngine(t), b)
		_, mate := r.Score.Mate()
		require.True(t, mate)
		checkFullLine(t, g, r)
	}
}

// TestLastResort: a search that says every defence loses has looked at the defences beyond
// its cap, so that one without a cap agrees; without LastResort it is often wrong.
func TestLastResort(t *testing.T) {
	n := 1200
	if few() {
		n = 300
	}
	const techniques = Shapes | ThreatDefence | History
	wide := mustEngine(t, WithCandidateCap(0), WithTechniques(techniques), WithNodeLimit(300_000))
	lost := func(b *Board, opts ...Option) (bool, int) {
		wide.NewGame()
		r := mustSearch(t, wide, b, opts...)
		return r.Score <= -MaxEstimate, r.Depth
	}
	claims, wrong := map[bool]int{}, map[bool]int{}
	for _, g := range realPositions(t, n, 31) {
		b := g.fresh(t, 1)
		for _, resort := range []bool{false, true} {
			narrow := techniques
			if resort {
				narrow |= LastResort
			}
			depth := 4 + g.stones()%3
			wide.NewGame()
			r := mustSearch(t, wide, b, WithDepth(depth), WithCandidateCap(2), WithTechniques(narrow))
			if r.Score > -MaxEstimate || r.Depth < depth {
				continue
			}
			claims[resort]++
			if says, reached := lost(b, WithDepth(depth)); reached == depth && !says {
				wrong[resort]++
				require.False(t, resort, "depth %d, best %v\n%v", depth, r.Best, g)
			}
		}
	}
	require.Greater(t, wrong[false], n/300)
	require.Greater(t, claims[true], n/100)
}

// TestBeyondCap: what the cap leaves out stays at hand; a move from there can be had alone,
// or all of them.
func TestBeyondCap(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 12))
	for range 300 {
		var all []scoredMove
		for p := range 1 + rnd.IntN(40) {
			all = append(all, newScoredMove(Point(p), int32(rnd.IntN(100))))
		}
		rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		l := moveList{moves: slices.Clone(all), complete: true}
		limit := rnd.IntN(20)
		l.limit(limit)
		kept := len(l.moves)
		require.Equal(t, len(all), kept+l.beyond)
		asked := Point(rnd.IntN(45) - 1) // may be NoPoint, or in no list
		within := slices.ContainsFunc(l.moves, func(m scoredMove) bool { return m.point() == asked })
		l.reach(asked)
		if int(asked) < len(all) && asked != NoPoint && !within {
			require.Len(t, l.moves, kept+1)
			require.Equal(t, asked, l.moves[kept].point())
		} else {
			require.Len(t, l.moves, kept)
		}
		require.Equal(t, len(all), len(l.moves)+l.beyond)
		l.lift()
		require.Zero(t, l.beyond)
		require.ElementsMatch(t, all, l.moves)
	}
}

// TestFoursLeaveRoom: where both sides have many fours that lead nowhere, the searches for
// fours at the leaves do not take all the positions there are to look at. (Positions of a
// game of 139 moves against another engine.)
func TestFoursLeaveRoom(t *testing.T) {
	const moves = "h8g7e9i8h9h7i7g6f5g9g8f7e8d8e7e6h11i10i11g11k9j10k10h6f6k11g10f9l9l12m13f11j11m8m10m12n9j9k8j7j8n10k13i12k12f10f8" +
		"l11l13n13j12l14k7k6j6i5l6i9l7l8k5l4m5n4o9m9m4n5f12e11d12i4m7n8l10m11n11o12j3i3i2n3n6e12j4d5c11e13e14d13c14e4d14f14c13c10"
	e := mustEngine(t)
	for _, n := range []int{42, 56, 68, 92} {
		b, err := NewBoard(15, Freestyle)
		require.NoError(t, err)
		for _, p := range splitPoints(t, moves)[:n] {
			require.NoError(t, b.Make(p))
		}
		e.NewGame()
		r := mustSearch(t, e, b, WithNodeLimit(100_000))
		require.Greater(t, r.Stats.TableProbes, r.Nodes/4, "%d moves, depth %d", n, r.Depth)
	}
}
