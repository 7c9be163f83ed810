package gomoku

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/stats"
)

// The benchmark suite. Sub-benchmarks are named key=value, so that benchstat can
// lay any key out in columns:
//
//	go test -run '^$' -bench Search -count 6 > out.txt
//	go tool -modfile=tools/go.mod benchstat -filter '/depth:4 .unit:(sec/op OR nodes/op)' -col /prune out.txt
//
// Every search in it but those of BenchmarkLatency is deterministic: nodes/op is
// the same in every run and on every machine.

// TestMain tells benchstat what the units of this package mean.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.bench"); f != nil && f.Value.String() != "" {
		fmt.Println("Unit nodes/op better=lower assume=exact")
		fmt.Println("Unit nodes/s better=higher")
		fmt.Println("Unit visits-saved better=higher assume=exact")
	}
	os.Exit(m.Run())
}

// A benchGame is what the suite needs of a row of real_games.jsonl.
type benchGame struct {
	ID    string
	Rule  Rule
	Size  int
	Moves string
	Plies int
}

// position returns the board after the given number of moves.
func (g *benchGame) position(tb testing.TB, plies int) *Board {
	tb.Helper()
	moves, err := ParseMoves(g.Moves)
	require.NoError(tb, err, g.ID)
	b, err := ParseBoard(g.Size, g.Rule, FormatMoves(moves[:plies]))
	require.NoError(tb, err, g.ID)
	return b
}

var readBenchGames = sync.OnceValues(func() ([]benchGame, error) {
	text, err := os.ReadFile("testdata/real_games.jsonl")
	if err != nil {
		return nil, err
	}
	var games []benchGame
	for line := range strings.Lines(string(text)) {
		var g benchGame
		if err := json.Unmarshal([]byte(line), &g); err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	return games, nil
})

// benchGames returns the real games of testdata.
func benchGames(tb testing.TB) []benchGame {
	tb.Helper()
	games, err := readBenchGames()
	require.NoError(tb, err)
	return games
}

// benchPositions are the named positions: real games, stopped after so many moves.
var benchPositions = []struct {
	name, game string
	plies      int
}{
	{"opening", "playok-018", 6},
	{"midgame", "playok-033", 20},
	{"attack", "gomocup2024-f15-game-03", 28},
	{"late", "playok-089", 60},
}

// benchPosition returns the named position.
func benchPosition(tb testing.TB, name string) *Board {
	tb.Helper()
	for _, p := range benchPositions {
		if p.name != name {
			continue
		}
		for _, g := range benchGames(tb) {
			if g.ID == p.game {
				return g.position(tb, p.plies)
			}
		}
	}
	tb.Fatalf("no position %q", name)
	return nil
}

// The middle games of the suite: 20 of the real games that last at least 40
// moves, evenly spread over the file, after 20 moves.
const (
	middleGames     = 20
	middleGamePlies = 20
)

func middleGamePositions(tb testing.TB) []*Board {
	tb.Helper()
	var long []benchGame
	for _, g := range benchGames(tb) {
		if g.Plies >= 2*middleGamePlies {
			long = append(long, g)
		}
	}
	var boards []*Board
	for i := range middleGames {
		boards = append(boards, long[i*len(long)/middleGames].position(tb, middleGamePlies))
	}
	return boards
}

// A benchStrategy is a rung of the ladder of pruning strategies: every one has
// what the one before it had, and one thing more.
type benchStrategy struct {
	prune  string
	depths []int // those it reaches in reasonable time
	opts   []Option
}

// benchStrategies returns the ladder.
func benchStrategies() []benchStrategy {
	var ladder []benchStrategy
	opts := []Option{
		WithStrategy(Minimax), WithRadius(0), WithCandidateCap(0), WithOrdering(false),
		WithTableSize(0), WithIterativeDeepening(false), WithAspiration(false), WithTechniques(NoTechniques),
	}
	add := func(prune string, depths []int, more ...Option) {
		opts = append(opts[:len(opts):len(opts)], more...)
		ladder = append(ladder, benchStrategy{prune, depths, opts})
	}
	add("minimax", []int{2})
	add("minimax-radius2", []int{2, 3}, WithRadius(2))
	add("minimax-cap20", []int{2, 3, 4}, WithCandidateCap(20))
	add("alphabeta-unordered", []int{2, 3, 4, 5}, WithStrategy(AlphaBeta))
	add("alphabeta-ordered", []int{2, 3, 4, 5, 6}, WithOrdering(true))
	add("alphabeta-table", []int{2, 3, 4, 5, 6}, WithTableSize(benchTableSize))
	add("alphabeta-deepening", []int{2, 3, 4, 5, 6}, WithIterativeDeepening(true))
	add("alphabeta-aspiration", []int{2, 3, 4, 5, 6}, WithAspiration(true))
	add("pvs", []int{2, 3, 4, 5, 6}, WithStrategy(PVS))
	add("pvs-shapes", []int{2, 3, 4, 5, 6}, WithTechniques(Shapes)) // and from here on another evaluator
	add("pvs-precise", []int{2, 3, 4, 5, 6}, WithTechniques(Precise))
	add("pvs-selective", []int{2, 3, 4, 5, 6, 8}, WithTechniques(AllTechniques))
	return ladder
}

// benchTableSize is the engine's default.
const benchTableSize = 8 << 20

// A benchSearch is a search to be repeated, with the sums of what it did.
type benchSearch struct {
	tb     testing.TB
	engine *Engine

	searches, nodes int64
	elapsed         time.Duration
}

func newBenchSearch(tb testing.TB, opts ...Option) *benchSearch {
	tb.Helper()
	e, err := NewEngine(opts...)
	require.NoError(tb, err)
	return &benchSearch{tb: tb, engine: e}
}

// run searches the board with an engine that remembers nothing.
func (s *benchSearch) run(b *Board) Result {
	s.engine.NewGame()
	r, err := s.engine.Search(context.Background(), b)
	if err != nil {
		s.tb.Fatal(err)
	}
	s.searches++
	s.nodes += r.Nodes
	s.elapsed += r.Elapsed
	return r
}

// report adds nodes/op and nodes/s to a benchmark's figures.
func (s *benchSearch) report(b *testing.B) {
	b.ReportMetric(float64(s.nodes)/float64(s.searches), "nodes/op")
	b.ReportMetric(float64(s.nodes)/s.elapsed.Seconds(), "nodes/s")
}

// bench runs the search on one board as a sub-benchmark.
func (s *benchSearch) bench(b *testing.B, board *Board) {
	s.run(board) // take the memory first
	*s = benchSearch{tb: b, engine: s.engine}
	for b.Loop() {
		s.run(board)
	}
	s.report(b)
}

// BenchmarkSearch compares the strategies on the same positions and depths.
func BenchmarkSearch(b *testing.B) {
	for _, s := range benchStrategies() {
		for _, p := range benchPositions {
			board := benchPosition(b, p.name)
			for _, depth := range s.depths {
				b.Run(fmt.Sprintf("prune=%s/pos=%s/depth=%d", s.prune, p.name, depth), func(b *testing.B) {
					newBenchSearch(b, append(s.opts, WithDepth(depth))...).bench(b, board)
				})
			}
		}
	}
}

// BenchmarkAblation changes one setting at a time of the default engine, but
// without the techniques, so that it is seen what the candidates themselves do.
func BenchmarkAblation(b *testing.B) {
	type setting struct {
		radius, cap int
		table       int64
	}
	base := setting{2, 20, benchTableSize}
	settings := []setting{
		base,
		{1, base.cap, base.table},
		{3, base.cap, base.table},
		{1, 0, base.table},
		{3, 0, base.table},
		{base.radius, 8, base.table},
		{base.radius, 12, base.table},
		{base.radius, 0, base.table},
		{base.radius, base.cap, 0},
	}
	for _, s := range settings {
		name := fmt.Sprintf("radius=%d/cap=%d/table=%dKiB", s.radius, s.cap, s.table>>10)
		for _, p := range benchPositions {
			board := benchPosition(b, p.name)
			for _, depth := range []int{4, 6} {
				if s.radius == 3 && s.cap == 0 && depth > 4 {
					continue // minutes
				}
				b.Run(fmt.Sprintf("%s/pos=%s/depth=%d", name, p.name, depth), func(b *testing.B) {
					newBenchSearch(b, WithRadius(s.radius), WithCandidateCap(s.cap), WithTableSize(s.table), WithDepth(depth),
						WithTechniques(NoTechniques)).
						bench(b, board)
				})
			}
		}
	}
}

// BenchmarkTechnique switches off one technique of the default engine at a time.
func BenchmarkTechnique(b *testing.B) {
	for t := NoTechniques; t < techniqueEnd; t = max(t<<1, 1) {
		for _, p := range benchPositions {
			board := benchPosition(b, p.name)
			b.Run(fmt.Sprintf("without=%v/pos=%s/depth=8", t, p.name), func(b *testing.B) {
				newBenchSearch(b, WithoutTechniques(t), WithDepth(8)).bench(b, board)
			})
		}
	}
}

// BenchmarkMiddleGame searches 20 middle games of real games with the default
// engine. An operation is all of them; p50-ms and max-ms are of one search.
func BenchmarkMiddleGame(b *testing.B) {
	for _, depth := range []int{6, 10, 14} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) { benchMiddleGames(b, WithDepth(depth)) })
	}
}

// BenchmarkThreads searches them with one thread and with two.
func BenchmarkThreads(b *testing.B) {
	for _, depth := range []int{14, 18} {
		for threads := range 2 {
			b.Run(fmt.Sprintf("depth=%d/threads=%d", depth, threads+1), func(b *testing.B) {
				benchMiddleGames(b, WithDepth(depth), WithThreads(threads+1))
			})
		}
	}
}

func benchMiddleGames(b *testing.B, opts ...Option) {
	boards := middleGamePositions(b)
	s := newBenchSearch(b, opts...)
	s.run(boards[0])
	*s = benchSearch{tb: b, engine: s.engine}
	times := make([]float64, len(boards)) // of each position, summed up
	for b.Loop() {
		s.runAll(boards, times)
	}
	for i := range times {
		times[i] = times[i] / float64(b.N) * 1e3
	}
	q := stats.Quantiles(times, 0.5, 1.0)
	s.searches /= int64(len(boards)) // nodes/op is of all of them, as sec/op is
	s.report(b)
	b.ReportMetric(q[0], "p50-ms")
	b.ReportMetric(q[1], "max-ms")
}

// runAll searches the boards and adds the seconds each took to times.
func (s *benchSearch) runAll(boards []*Board, times []float64) {
	for i, board := range boards {
		times[i] += s.run(board).Elapsed.Seconds()
	}
}

// benchVisits returns the nodes of a strategy of the ladder at depth 4.
func benchVisits(tb testing.TB, board *Board, prune string) int64 {
	for _, s := range benchStrategies() {
		if s.prune == prune {
			return newBenchSearch(tb, append(s.opts, WithDepth(4))...).run(board).Nodes
		}
	}
	tb.Fatalf("no strategy %q", prune)
	return 0
}

// BenchmarkVisits reports, as visits-saved, how many nodes minimax visits for
// one of ordered alpha-beta with a table: same candidates, depth 4.
func BenchmarkVisits(b *testing.B) {
	for _, p := range benchPositions {
		b.Run("pos="+p.name, func(b *testing.B) {
			board := benchPosition(b, p.name)
			full := benchVisits(b, board, "minimax-cap20")
			var pruned int64
			for b.Loop() {
				pruned = benchVisits(b, board, "alphabeta-table")
			}
			b.ReportMetric(float64(full)/float64(pruned), "visits-saved")
		})
	}
}

// TestVisits: pruning must go on saving what the README says.
func TestVisits(t *testing.T) {
	if testing.Short() {
		t.Skip("minimax to depth 4 takes a while")
	}
	for _, p := range benchPositions {
		board := benchPosition(t, p.name)
		full, pruned := benchVisits(t, board, "minimax-cap20"), benchVisits(t, board, "alphabeta-table")
		assert.LessOrEqualf(t, pruned*50, full, "%s: %d nodes of %d", p.name, pruned, full)
	}
}

// BenchmarkSearchMemory reports what a search allocates. allocs/node goes
// towards 0 with the depth: what there is belongs to the search and its result.
func BenchmarkSearchMemory(b *testing.B) {
	for _, depth := range []int{2, 4, 6, 8} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			board := benchPosition(b, "midgame")
			s := newBenchSearch(b, WithDepth(depth))
			perSearch := testing.AllocsPerRun(3, func() { s.run(board) })
			b.ReportAllocs()
			s.bench(b, board)
			b.ReportMetric(perSearch/(float64(s.nodes)/float64(s.searches)), "allocs/node")
		})
	}
}

// BenchmarkLatency plays a move in each of 20 middle games in turn under a time
// budget. With stop=soft the engine itself saves the time of a depth that would
// not fit; with stop=hard it searches until the deadline stops it; stop=none does
// nothing but look at the clock until then, to show what the machine itself adds.
// p50-ms and p99-ms are the time of a move, over-p99-ms how much of it is past the
// deadline. Use -benchtime 200x or more: a p99 needs samples.
func BenchmarkLatency(b *testing.B) {
	boards := middleGamePositions(b)
	for _, stop := range []string{"soft", "hard", "none"} {
		for _, budget := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
			b.Run(fmt.Sprintf("stop=%s/budget=%v", stop, budget), func(b *testing.B) {
				opts := []Option{WithTimeBudget(budget)}
				if stop == "hard" {
					opts = append(opts, WithSoftTime(budget))
				}
				e, err := NewEngine(opts...)
				require.NoError(b, err)
				l := latencies{tb: b, engine: e, boards: boards, budget: budget, idle: stop == "none"}
				l.move()
				l.took, l.over, l.nodes = nil, nil, 0
				for b.Loop() {
					l.move()
				}
				q := stats.Quantiles(l.took, 0.5, 0.99)
				b.ReportMetric(q[0], "p50-ms")
				b.ReportMetric(q[1], "p99-ms")
				b.ReportMetric(stats.Quantiles(l.over, 0.99)[0], "over-p99-ms")
				b.ReportMetric(float64(l.nodes)/(stats.Mean(l.took)*float64(len(l.took))/1e3), "nodes/s")
			})
		}
	}
}

// latencies plays moves and keeps their times, in milliseconds.
type latencies struct {
	tb         testing.TB
	engine     *Engine
	boards     []*Board
	budget     time.Duration
	idle       bool // do not search
	next       int
	took, over []float64
	nodes      int64
}

// move measures one move from outside, as a caller sees it.
func (l *latencies) move() {
	board := l.boards[l.next%len(l.boards)]
	l.next++
	l.engine.NewGame()
	start := time.Now()
	r, err := l.search(board, start)
	took := time.Since(start)
	if err != nil {
		l.tb.Fatal(err)
	}
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	l.took = append(l.took, ms(took))
	l.over = append(l.over, ms(max(took-l.budget, 0)))
	l.nodes += r.Nodes
}

func (l *latencies) search(board *Board, start time.Time) (Result, error) {
	if !l.idle {
		return l.engine.Search(context.Background(), board)
	}
	for time.Since(start) < l.budget {
	}
	return Result{}, nil
}

// A microBench walks over the candidates of a board, one operation a call.
type microBench struct {
	board  *Board
	points []Point
	next   int
	color  Color
	sum    int // keeps the compiler from dropping work
	table  transpositions
	eval   Evaluator
	w      Weights
}

func newMicroBench(tb testing.TB, pos string, rule Rule) *microBench {
	b := benchPosition(tb, pos)
	b.rule = rule
	m := &microBench{board: b, color: b.Turn(), w: BalancedWeights()}
	for p := range b.CandidateSet(2).All() {
		if b.Foul(p) == NoFoul && !b.makesFive(p, b.Turn()) {
			m.points = append(m.points, p)
		}
	}
	m.eval = NewLineEvaluator(m.w)
	m.eval.Reset(b)
	return m
}

// point returns the next candidate.
func (m *microBench) point() Point {
	m.next++
	if m.next >= len(m.points) {
		m.next = 0
	}
	return m.points[m.next]
}

func (m *microBench) makeUndo() {
	if m.board.Make(m.point()) != nil {
		m.sum++
	}
	m.board.Undo()
}

func (m *microBench) winCheck() {
	if m.board.makesFive(m.point(), m.color) {
		m.sum++
	}
}

// BenchmarkMakeUndo is a checked move, win check included, and taking it back.
func BenchmarkMakeUndo(b *testing.B) {
	for rule := range Rule(len(ruleSpecs)) {
		b.Run("rule="+rule.String(), func(b *testing.B) {
			m := newMicroBench(b, "midgame", rule)
			m.makeUndo()
			b.ReportAllocs()
			for b.Loop() {
				m.makeUndo()
			}
		})
	}
}

// BenchmarkWinCheck asks whether a stone makes a five: the four lines through it.
func BenchmarkWinCheck(b *testing.B) {
	for rule := range Rule(len(ruleSpecs)) {
		b.Run("rule="+rule.String(), func(b *testing.B) {
			m := newMicroBench(b, "midgame", rule)
			b.ReportAllocs()
			for b.Loop() {
				m.winCheck()
			}
		})
	}
}

func (m *microBench) foul() { m.sum += int(m.board.Foul(m.point())) }

// BenchmarkFoul asks why a point is forbidden. kind=quiet is all candidates of a
// middle game, the others are one point each; nested is a double-three that
// depends on further fouls (junghyun397/mintaka, test_nested_forbid.rs).
func BenchmarkFoul(b *testing.B) {
	for _, bm := range []struct {
		kind, black, white, point string
		want                      Foul
	}{
		{kind: "quiet"},
		{"overline", "e8f8g8i8j8", "", "h8", Overline},
		{"double-four", "e8f8g8h5h6h7", "", "h8", DoubleFour},
		{"double-three", "f8g8h6h7", "", "h8", DoubleThree},
		{"nested", "g6k6l6e7f7j7d8h8d9g9i9j9k9m9n10m11h12", "e5m6b7e8f8i8c9h9l9f10m10", "j10", DoubleThree},
	} {
		b.Run("kind="+bm.kind, func(b *testing.B) {
			m := newMicroBench(b, "midgame", Renju)
			if bm.black != "" {
				m.board = benchSetUp(b, bm.black, bm.white)
				p, err := ParsePoint(bm.point)
				require.NoError(b, err)
				m.points = []Point{p}
				require.Equal(b, bm.want, m.board.Foul(p))
			}
			b.ReportAllocs()
			for b.Loop() {
				m.foul()
			}
		})
	}
}

// benchSetUp returns a 15x15 Renju board with the stones set up.
func benchSetUp(tb testing.TB, black, white string) *Board {
	tb.Helper()
	board, err := NewBoard(15, Renju)
	require.NoError(tb, err)
	for c, stones := range map[Color]string{Black: black, White: white} {
		points, err := ParseMoves(stones)
		require.NoError(tb, err)
		for _, p := range points {
			require.NoError(tb, board.SetStone(p, c))
		}
	}
	return board
}

// BenchmarkCandidates lists the candidates of a real game with 20 stones.
func BenchmarkCandidates(b *testing.B) {
	for radius := range MaxRadius + 1 {
		b.Run(fmt.Sprintf("stones=20/radius=%d", radius), func(b *testing.B) {
			board := benchPosition(b, "midgame")
			require.Equal(b, 20, board.Len())
			buf := board.AppendCandidates(nil, radius)
			b.ReportAllocs()
			for b.Loop() {
				buf = board.AppendCandidates(buf[:0], radius)
			}
		})
	}
}

func (m *microBench) evaluatePoint() {
	m.sum += EvaluatePoint(m.board, m.point(), m.color, &m.w)
}

// BenchmarkEvaluatePoint is the single-point evaluator on every candidate in turn.
func BenchmarkEvaluatePoint(b *testing.B) {
	m := newMicroBench(b, "midgame", Freestyle)
	b.ReportAllocs()
	for b.Loop() {
		m.evaluatePoint()
	}
}

func (m *microBench) evaluateBoard() { m.sum += EvaluateBoard(m.board, m.color, &m.w) }

// evaluateMove is what the search pays for a leaf, over making the move itself.
func (m *microBench) evaluateMove() {
	p := m.point()
	m.board.flip(p, m.color)
	m.eval.Place(p, m.color)
	m.sum += m.eval.Evaluate(m.color)
	m.board.flip(p, m.color)
	m.eval.Undo()
}

func (m *microBench) evaluateMoveAfresh() {
	p := m.point()
	m.board.flip(p, m.color)
	m.sum += EvaluateBoard(m.board, m.color, &m.w)
	m.board.flip(p, m.color)
}

// BenchmarkEvaluateBoard is the full-board evaluator: how=position judges one
// position, how=move a position one stone further, from all 88 lines, and
// how=incremental the same from the four lines through the stone.
func BenchmarkEvaluateBoard(b *testing.B) {
	for _, bm := range []struct {
		how string
		f   func(*microBench)
	}{
		{"position", (*microBench).evaluateBoard},
		{"move", (*microBench).evaluateMoveAfresh},
		{"incremental", (*microBench).evaluateMove},
	} {
		b.Run("how="+bm.how, func(b *testing.B) {
			m := newMicroBench(b, "midgame", Freestyle)
			bm.f(m)
			b.ReportAllocs()
			for b.Loop() {
				bm.f(m)
			}
		})
	}
}

func (m *microBench) hashIncremental() {
	m.board.hash ^= zobrist.stone[m.color][m.point()] ^ zobrist.turn
}

func (m *microBench) hashAfresh() {
	h := zobrist.size[m.board.size] ^ zobrist.rule[m.board.rule]
	for _, c := range [...]Color{Black, White} {
		for y, row := range m.board.stones[c] {
			for ; row != 0; row &= row - 1 {
				h ^= zobrist.stone[c][lowestPoint(y, row)]
			}
		}
	}
	m.board.hash = h
}

// BenchmarkHash is the Zobrist hash of a position with 20 stones: kept up to
// date with a move, or from all stones.
func BenchmarkHash(b *testing.B) {
	for _, bm := range []struct {
		how string
		f   func(*microBench)
	}{
		{"incremental", (*microBench).hashIncremental},
		{"afresh", (*microBench).hashAfresh},
	} {
		b.Run("how="+bm.how, func(b *testing.B) {
			m := newMicroBench(b, "midgame", Freestyle)
			for b.Loop() {
				bm.f(m)
			}
		})
	}
}

// hashAt returns one of a million well-spread hashes.
func (m *microBench) hashAt() uint64 {
	m.next = (m.next + 1) & (1<<20 - 1)
	return uint64(m.next+1) * 0x9e3779b97f4a7c15
}

func (m *microBench) probe() {
	if e, ok := m.table.probe(m.hashAt()); ok {
		m.sum += e.depth
	}
}

func (m *microBench) store() {
	h := m.hashAt()
	m.table.store(h, tableEntry{score: Score(h & 1023), move: Point(h & 511), depth: int(h >> 60), bound: Exact})
}

// BenchmarkTable is a look-up and a store in a transposition table of the default
// size; filled=yes is after a million stores, twice what it holds.
func BenchmarkTable(b *testing.B) {
	for _, bm := range []struct {
		name   string
		filled bool
		f      func(*microBench)
	}{
		{"op=probe/filled=no", false, (*microBench).probe},
		{"op=probe/filled=yes", true, (*microBench).probe},
		{"op=store/filled=no", false, (*microBench).store},
		{"op=store/filled=yes", true, (*microBench).store},
	} {
		b.Run(bm.name, func(b *testing.B) {
			m := newMicroBench(b, "midgame", Freestyle)
			m.table = newTranspositions(benchTableSize)
			if bm.filled {
				for range 1 << 20 {
					m.store()
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				bm.f(m)
			}
		})
	}
}
