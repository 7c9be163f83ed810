package gomoku

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bookBoards yields a board for every position of the package's book, with its line.
func bookBoards(t *testing.T, f func(b *Board, line string)) {
	t.Helper()
	for line := range strings.Lines(bookText) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		rule, err := ParseRule(fields[0])
		require.NoError(t, err)
		var size int
		_, err = fmt.Sscan(fields[1], &size)
		require.NoError(t, err)
		b, err := ParseBoard(size, rule, strings.Trim(fields[2], "-"))
		require.NoError(t, err)
		f(b, strings.TrimSpace(line))
	}
}

// TestDefaultBook goes through the package's book: canonical positions, legal moves near
// the stones, best first, and the first moves of the common rules all known.
func TestDefaultBook(t *testing.T) {
	k := DefaultBook()
	text, err := k.MarshalText()
	require.NoError(t, err)
	var lines []string
	for line := range strings.Lines(bookText) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	assert.Equal(t, strings.Join(lines, ""), string(text), "the file is as MarshalText writes it")
	assert.LessOrEqual(t, k.Len(), 2000, "small")
	n := 0
	bookBoards(t, func(b *Board, line string) {
		n++
		moves, depth := k.Moves(b)
		require.NotEmpty(t, moves, line)
		require.Positive(t, depth, line)
		require.True(t, slices.IsSortedFunc(moves, func(a, b BookMove) int { return int(b.Score - a.Score) }), line)
		seen := PointSet{}
		for _, m := range moves {
			require.NoError(t, b.Clone().Make(m.Point), line)
			if b.Turn() == Black {
				require.Equal(t, NoFoul, b.Foul(m.Point), line)
			}
			require.Contains(t, b.Candidates(3), m.Point, line)
			_, proven := m.Score.Mate()
			require.False(t, proven, line)
			require.False(t, seen.Has(m.Point), line)
			seen.Add(m.Point)
		}
	})
	assert.Equal(t, k.Len(), n)
	for _, rule := range []Rule{Freestyle, Standard, Renju} {
		for _, moves := range []string{"", "h8", "h8h9", "h8g9"} {
			b, err := ParseBoard(15, rule, moves)
			require.NoError(t, err)
			known, _ := k.Moves(b)
			assert.NotEmpty(t, known, "%v %s", rule, moves)
		}
	}
}

// TestCanonical compares the canonical forms of the eight images of random positions, and
// the forms of different positions.
func TestCanonical(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 1))
	forms := map[uint64]string{}
	for i := range 300 {
		b, err := NewBoard(MinSize+i%18, Rule(i%4))
		require.NoError(t, err)
		for range rnd.IntN(9) {
			_ = b.Make(Pt(rnd.IntN(b.Size()), rnd.IntN(b.Size())))
		}
		key, via := b.canonical()
		form := b.Canonical().ApplyBoard(b)
		for s := range Symmetry(NumSymmetries) {
			image := s.ApplyBoard(b)
			other, ways := image.canonical()
			require.Equal(t, key, other)
			require.Len(t, ways, len(via), "as symmetric as its image")
			for _, w := range ways {
				require.Equal(t, form.Hash(), w.ApplyBoard(image).Hash())
			}
			require.Equal(t, slices.Contains(via, s), image.Hash() == form.Hash())
		}
		text := fmt.Sprint(key)
		if known, ok := forms[form.Hash()]; ok {
			require.Equal(t, known, text)
		}
		forms[form.Hash()] = text
	}
	b, err := NewBoard(15, Freestyle)
	require.NoError(t, err)
	_, via := b.canonical()
	assert.Len(t, via, 8)
}

// testBook is a book with a position that has a symmetry of its own and one that has none.
const testBook = `# a comment

standard 15 h8 depth=3 h9=-10 g9=-12 i9=-11
standard 15 h8h9g7 depth=5 g9=4 j10=3
renju 7 - depth=2 d4=1
`

// TestBookText reads, writes and reads again.
func TestBookText(t *testing.T) {
	k, err := ParseBook(testBook)
	require.NoError(t, err)
	assert.Equal(t, 3, k.Len())
	b, err := ParseBoard(15, Standard, "h8")
	require.NoError(t, err)
	moves, depth := k.Moves(b)
	assert.Equal(t, 3, depth)
	require.Len(t, moves, 2, "g9 and i9 are images of each other")
	assert.Equal(t, []Score{-10, -11}, []Score{moves[0].Score, moves[1].Score}, "the better image stays")

	text, err := json.Marshal(k)
	require.NoError(t, err)
	var back Book
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, k, &back)
	plain, err := k.MarshalText()
	require.NoError(t, err)
	require.Error(t, back.UnmarshalText([]byte("renju")))
	assert.Equal(t, k, &back, "an error changes nothing")

	// In every image of a position the moves are the images of its moves.
	b, err = ParseBoard(15, Standard, "g7h9h8") // another order
	require.NoError(t, err)
	here, _ := k.Moves(b)
	require.Equal(t, []BookMove{{Pt(6, 8), 4}, {Pt(9, 9), 3}}, here)
	for s := range Symmetry(NumSymmetries) {
		moves, depth := k.Moves(s.ApplyBoard(b))
		require.Equal(t, 5, depth)
		require.Equal(t, []BookMove{{s.Apply(Pt(6, 8), 15), 4}, {s.Apply(Pt(9, 9), 15), 3}}, moves)
		line := fmt.Sprintf("standard 15 %v%v%v depth=5 %v=4 %v=3", s.Apply(Pt(7, 7), 15), s.Apply(Pt(7, 8), 15), s.Apply(Pt(6, 6), 15), moves[0].Point, moves[1].Point)
		same, err := ParseBook(line)
		require.NoError(t, err)
		require.Equal(t, k.positions[mustKey(t, b)], same.positions[mustKey(t, b)], "%s\n%s", line, plain)
	}

	// Same stones, but another rule, size or side to move.
	for _, other := range []struct {
		size int
		rule Rule
	}{{15, Freestyle}, {17, Standard}} {
		b, err := ParseBoard(other.size, other.rule, "h8")
		require.NoError(t, err)
		moves, _ := k.Moves(b)
		assert.Empty(t, moves)
	}
	b.SetTurn(Black)
	moves, _ = k.Moves(b)
	assert.Empty(t, moves)
	moves, _ = new(Book).Moves(b)
	assert.Empty(t, moves)
}

func mustKey(t *testing.T, b *Board) bookKey {
	t.Helper()
	key, _ := b.canonical()
	return key
}

// TestBookTextFaults spoils a line in every way; the error names it.
func TestBookTextFaults(t *testing.T) {
	for name, tc := range map[string]struct{ line, reason string }{
		"short":            {"standard 15 h8 depth=3", "not rule"},
		"rule":             {"pente 15 h8 depth=3 h9=1", "pente"},
		"size":             {"standard big h8 depth=3 h9=1", "not a number"},
		"size too large":   {"standard 23 h8 depth=3 h9=1", ErrSize.Error()},
		"stone":            {"standard 15 h8?9 depth=3 h9=1", "column letter"},
		"stone twice":      {"standard 15 h8h8 depth=3 h9=1", ErrOccupied.Error()},
		"stone outside":    {"standard 15 p1 depth=3 h9=1", ErrOutside.Error()},
		"game over":        {"standard 15 a1a3b1b3c1c3d1d3e1 depth=3 h9=1", ErrGameOver.Error()},
		"depth":            {"standard 15 h8 depth=x h9=1", "depth="},
		"depth below 0":    {"standard 15 h8 depth=-1 h9=1", "depth="},
		"no depth":         {"standard 15 h8 3 h9=1", "depth="},
		"move":             {"standard 15 h8 depth=3 9h=1", "column letter"},
		"move on a stone":  {"standard 15 h8 depth=3 h8=1", ErrOccupied.Error()},
		"move outside":     {"standard 15 h8 depth=3 p9=1", ErrOutside.Error()},
		"score":            {"standard 15 h8 depth=3 h9", "score"},
		"score a proof":    {"standard 15 h8 depth=3 h9=29999999", "estimate"},
		"score too large":  {"standard 15 h8 depth=3 h9=2999999999", "score"},
		"foul":             {"renju 15 g8a1i8c1h7e1h9g1 depth=3 h8=1", DoubleThree.String()},
		"position again":   {"standard 15 h8 depth=3 h9=1\nstandard 15 h8 depth=3 g8=1", "already"},
		"its image again":  {"standard 15 a1 depth=3 h9=1\nstandard 15 o15 depth=3 g8=1", "already"},
		"cut in the point": {"standard 15 h depth=3 h9=1", "row number"},
	} {
		text := "# first\nfreestyle 15 - depth=1 h8=0\n\n" + tc.line + "\n"
		line := 4 + strings.Count(tc.line, "\n")
		_, err := ParseBook(text)
		var parse *ParseError
		require.ErrorAs(t, err, &parse, name)
		assert.Contains(t, err.Error(), fmt.Sprintf("line %d: ", line), name)
		assert.Contains(t, err.Error(), tc.reason, name)
		assert.Equal(t, strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1, parse.Offset, name)
	}
	rnd := rand.New(rand.NewPCG(6, 1))
	for range 2000 { // no text makes it panic
		text := []byte(testBook)
		for range 1 + rnd.IntN(3) {
			text[rnd.IntN(len(text))] = byte(32 + rnd.IntN(95))
		}
		if k, err := ParseBook(string(text)); err == nil {
			_, err = k.MarshalText()
			require.NoError(t, err)
		}
	}
}

// TestBookAdd refuses what no book needs.
func TestBookAdd(t *testing.T) {
	k := new(Book)
	b, err := ParseBoard(15, Freestyle, "h8")
	require.NoError(t, err)
	require.NoError(t, k.Add(b, 1, BookMove{Pt(7, 8), 1}))
	require.NoError(t, k.Add(b, 2, BookMove{Pt(6, 8), 1}), "another opinion")
	assert.Equal(t, 1, k.Len())
	_, depth := k.Moves(b)
	assert.Equal(t, 2, depth)
	require.Error(t, k.Add(b, 2))
	require.Error(t, k.Add(b, -1, BookMove{Pt(6, 8), 1}))
	b.SetTurn(Black)
	require.ErrorContains(t, k.Add(b, 2, BookMove{Pt(6, 8), 1}), "Black began")
	assert.Equal(t, 1, k.Len())
}

// bookPositions are positions that the package's book knows.
var bookPositions = []string{"", "h8", "h8h9", "h8g9"}

// TestSearchFromBook plays book moves: at once, best first, with a legal line, and the
// same ones again.
func TestSearchFromBook(t *testing.T) {
	e, err := NewEngine(WithTimeBudget(time.Hour))
	require.NoError(t, err)
	for _, rule := range []Rule{Freestyle, Standard, Renju} {
		for _, text := range bookPositions {
			b, err := ParseBoard(15, rule, text)
			require.NoError(t, err)
			var infos []Info
			r, err := e.Search(context.Background(), b, WithProgress(func(i Info) { infos = append(infos, i) }))
			require.NoError(t, err)
			moves, depth := DefaultBook().Moves(b)
			assert.Equal(t, StopBook, r.Stop)
			assert.Equal(t, moves[0], BookMove{r.Best, r.Score})
			assert.Equal(t, depth, r.Depth)
			assert.False(t, r.Proven)
			assert.Zero(t, r.Nodes)
			assert.Less(t, r.Elapsed, time.Second)
			assert.Len(t, r.Candidates, len(moves))
			assert.Equal(t, []Line{{r.Score, r.PV}}, r.Lines)
			c := b.Clone()
			require.Equal(t, r.Best, r.PV[0])
			for _, p := range r.PV {
				require.NoError(t, c.Make(p))
			}
			require.Len(t, infos, 1)
			assert.Equal(t, r.PV, infos[0].PV)
			again, err := e.Search(context.Background(), b)
			require.NoError(t, err)
			again.Elapsed = r.Elapsed
			assert.Equal(t, r, again)
			text, err := json.Marshal(r)
			require.NoError(t, err)
			assert.Contains(t, string(text), `"stop":"book"`)
		}
	}
}

// TestBookSeeds: seeds choose among the moves of the book and their images, and always
// the same.
func TestBookSeeds(t *testing.T) {
	k, err := ParseBook(testBook)
	require.NoError(t, err)
	for moves, want := range map[string]string{
		"":       "h8",               // not in the book: the centre
		"h8":     "g7g8g9h7h9i7i8i9", // two moves and their images
		"h8h9g7": "g9j10",            // no image is the same position
		"g8":     "h8",               // not in the book: beside it, towards the centre
		"a1":     "b2",
	} {
		b, err := ParseBoard(15, Standard, moves)
		require.NoError(t, err)
		var seen PointSet
		for seed := range uint64(200) {
			var best Point
			for range 2 {
				e, err := NewEngine(WithSeed(seed), WithOpeningBook(k), WithBook(true))
				require.NoError(t, err)
				r, err := e.Search(context.Background(), b)
				require.NoError(t, err)
				require.Equal(t, StopBook, r.Stop)
				require.True(t, seen.IsEmpty() || best == 0 || best == r.Best)
				best = r.Best
				seen.Add(best)
			}
		}
		assert.Equal(t, want, sortedMoves(seen), moves)
	}
}

// sortedMoves returns the points of a set in the order of their names.
func sortedMoves(s PointSet) string {
	var names []string
	for p := range s.All() {
		names = append(names, p.String())
	}
	slices.Sort(names)
	return strings.Join(names, "")
}

// TestWhenTheBookIsUsed tries the switches and the limits.
func TestWhenTheBookIsUsed(t *testing.T) {
	deadline, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	over, cancel := context.WithCancel(context.Background())
	cancel()
	own, err := ParseBook("freestyle 15 h8h9 depth=1 a1=7")
	require.NoError(t, err)
	none := context.Background()
	// quick keeps a search short that time would not.
	const quick = 10 * time.Millisecond
	time1 := WithTimeBudget(quick)
	for name, tc := range map[string]struct {
		ctx  context.Context
		opts []Option
		book bool
	}{
		"time":               {none, []Option{time1}, true},
		"no time":            {none, []Option{WithTimeBudget(0)}, true},
		"deadline":           {deadline, nil, true},
		"nothing":            {none, nil, false},
		"depth":              {none, []Option{WithDepth(2)}, false},
		"nodes":              {none, []Option{WithNodeLimit(100)}, false},
		"soft time":          {none, []Option{WithSoftTime(quick)}, false},
		"time, depth":        {none, []Option{time1, WithDepth(2)}, false},
		"time, nodes":        {none, []Option{time1, WithNodeLimit(100)}, false},
		"off":                {none, []Option{time1, WithBook(false)}, false},
		"on":                 {none, []Option{WithBook(true)}, true},
		"on, depth":          {none, []Option{WithBook(true), WithDepth(2)}, true},
		"on, nodes":          {none, []Option{WithBook(true), WithNodeLimit(100)}, true},
		"on, multipv":        {none, []Option{WithBook(true), WithDepth(2), WithMultiPV(2)}, false},
		"on, only":           {none, []Option{WithBook(true), WithDepth(2), WithOnly(Pt(6, 6))}, false},
		"on, exclude":        {none, []Option{WithBook(true), WithDepth(2), WithExclude(0)}, false},
		"on, cancelled":      {over, []Option{WithBook(true)}, false},
		"on, evaluator":      {none, []Option{WithBook(true), WithDepth(2), WithEvaluator(func() Evaluator { return NewLineEvaluator(BalancedWeights()) })}, false},
		"on, radius":         {none, []Option{WithBook(true), WithDepth(2), WithRadius(1)}, false},
		"on, cap":            {none, []Option{WithBook(true), WithDepth(2), WithCandidateCap(3)}, false},
		"on, no techniques":  {none, []Option{WithBook(true), WithDepth(2), WithTechniques(NoTechniques)}, false},
		"time, hard":         {none, []Option{WithLevel(Hard), WithBook(true), time1}, false},
		"time, expert":       {none, []Option{WithLevel(Expert), time1}, false}, // limited by its depth
		"on, expert":         {none, []Option{WithLevel(Expert), WithBook(true)}, true},
		"time, seed":         {none, []Option{time1, WithSeed(1)}, true},
		"own, time":          {none, []Option{WithOpeningBook(own), time1}, true},
		"own, depth":         {none, []Option{WithOpeningBook(own), WithDepth(2)}, false},
		"own, on, easy":      {none, []Option{WithOpeningBook(own), WithBook(true), WithLevel(Easy)}, true},
		"own, then not":      {none, []Option{WithOpeningBook(own), WithOpeningBook(nil), time1}, true},
		"own, on, multipv":   {none, []Option{WithOpeningBook(own), WithBook(true), WithDepth(1), WithMultiPV(2)}, false},
		"on and off, time":   {none, []Option{WithBook(true), WithBook(false), time1}, false},
		"standard values":    {none, []Option{time1, WithRadius(2), WithCandidateCap(20), WithWeights(BalancedWeights())}, true},
		"time, other worth":  {none, []Option{time1, WithShapeWeights(DefaultShapeWeights())}, false},
		"time, one less":     {none, []Option{time1, WithoutTechniques(Razoring)}, false},
		"time, no deepening": {none, []Option{time1, WithIterativeDeepening(false)}, true},
	} {
		e, err := NewEngine(WithTableSize(1 << 16))
		require.NoError(t, err)
		b, err := ParseBoard(15, Freestyle, "h8h9")
		require.NoError(t, err)
		r, err := e.Search(tc.ctx, b, tc.opts...)
		require.NoError(t, err, name)
		assert.Equal(t, tc.book, r.Stop == StopBook, "%s: %v", name, r.Stop)
		assert.Equal(t, strings.HasPrefix(name, "own") && tc.book && !strings.Contains(name, "not"), r.Best == 0, name)
		if tc.book {
			for info, err := range e.Analyze(none, b, append(slices.Clone(tc.opts), WithDepth(1), WithTimeBudget(time.Minute))...) {
				require.NoError(t, err)
				require.Positive(t, info.Nodes, "%s: an analysis is a search", name)
			}
		}
	}
}

// TestFirstMoves leaves engines no time, or a depth, with few stones on boards of all
// sizes: the centre first, then moves beside the stones, with the book and without.
func TestFirstMoves(t *testing.T) {
	e, err := NewEngine(WithTableSize(1 << 16))
	require.NoError(t, err)
	ways := map[string][]Option{
		"book":    {WithTimeBudget(0)},
		"no book": {WithTimeBudget(0), WithBook(false)},
		"depth":   {WithDepth(2)},
	}
	rnd := rand.New(rand.NewPCG(7, 1))
	for size := MinSize; size <= MaxSize; size++ {
		for _, rule := range []Rule{Freestyle, Standard, Renju, Caro} {
			positions := [][]Point{nil, {Pt(size/2, size/2)}, {Pt(0, 0)}, {Pt(size-1, size/2)}}
			positions = append(positions, []Point{Pt(size/2, size/2), Pt(size/2, size/2-1)}, []Point{Pt(size/2, size/2), Pt(size/2-1, size/2+1)})
			positions = append(positions, []Point{Pt(0, 0), Pt(size-1, size-1)}, []Point{Pt(1+rnd.IntN(size-1), rnd.IntN(size)), Pt(0, rnd.IntN(size))})
			for _, moves := range positions {
				b, err := NewBoard(size, rule)
				require.NoError(t, err)
				for _, p := range moves {
					require.NoError(t, b.Make(p))
				}
				for name, opts := range ways {
					for _, seed := range []uint64{0, 1, 2} {
						r, err := e.Search(context.Background(), b, append(opts, WithSeed(seed))...)
						require.NoError(t, err)
						where := fmt.Sprintf("%s, %d %v %s, seed %d: %v", name, size, rule, FormatMoves(moves), seed, r.Best)
						require.NoError(t, b.Clone().Make(r.Best), where)
						switch {
						case len(moves) > 0 && name == "book" && r.Stop == StopBook && r.Depth == 0:
							require.Contains(t, b.Candidates(1), r.Best, where)
						case len(moves) > 0:
							require.Contains(t, b.Candidates(2), r.Best, where)
						case seed == 0 || name != "book":
							require.Equal(t, Pt(size/2, size/2), r.Best, where)
						default:
							require.True(t, (r.Best.X() == size/2 || r.Best.X() == (size-1)/2) && (r.Best.Y() == size/2 || r.Best.Y() == (size-1)/2), where)
						}
					}
				}
			}
		}
	}
}

// TestFirstMovesVary: four centres on a board of even size, the points beside a stone
// nearest to the centre; and a search without the book varies too.
func TestFirstMovesVary(t *testing.T) {
	for moves, want := range map[string]string{
		"": "h8h9i8i9", "h8": "h9i8i9", "a1": "b2", "h16": "g15h15i15", "p9": "o10o8o9", "a8": "b7b8b9",
	} {
		b, err := ParseBoard(16, Freestyle, moves)
		require.NoError(t, err)
		var seen PointSet
		for seed := range uint64(100) {
			e, err := NewEngine(WithTableSize(0), WithSeed(seed), WithTimeBudget(time.Hour))
			require.NoError(t, err)
			r, err := e.Search(context.Background(), b)
			require.NoError(t, err)
			seen.Add(r.Best)
		}
		assert.Equal(t, want, sortedMoves(seen), moves)
	}
	b, err := ParseBoard(15, Freestyle, "h8")
	require.NoError(t, err)
	seen := map[Point]int{}
	for seed := range uint64(30) {
		e, err := NewEngine(WithTableSize(1<<16), WithSeed(seed), WithDepth(3))
		require.NoError(t, err)
		r, err := e.Search(context.Background(), b)
		require.NoError(t, err)
		seen[r.Best]++
	}
	assert.Greater(t, len(seen), 1, "%v", seen)
}

// TestEmptyBoardTakesNoTime: there is one move worth playing, book or not.
func TestEmptyBoardTakesNoTime(t *testing.T) {
	for _, size := range []int{5, 15, 20, 22} {
		b, err := NewBoard(size, Renju)
		require.NoError(t, err)
		for _, book := range []bool{true, false} {
			e, err := NewEngine(WithTimeBudget(time.Hour), WithBook(book))
			require.NoError(t, err)
			start := time.Now()
			r, err := e.Search(context.Background(), b)
			require.NoError(t, err)
			assert.Less(t, time.Since(start), time.Second)
			assert.Equal(t, Pt(size/2, size/2), r.Best)
			assert.Equal(t, book, r.Stop == StopBook)
			assert.Equal(t, !book, r.Stop == StopForced)
		}
	}
}

// FuzzParseBook reads any text without a panic, and what it reads it writes and reads again.
func FuzzParseBook(f *testing.F) {
	f.Add(testBook)
	f.Add("renju 15 h8g9 depth=9 h10=368 f8=350")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		k, err := ParseBook(text)
		if err != nil {
			return
		}
		out, err := k.MarshalText()
		require.NoError(t, err)
		back, err := ParseBook(string(out))
		require.NoError(t, err)
		require.Equal(t, k, back)
	})
}
