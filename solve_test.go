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

// solverRow is a row of the vcf_ and vct_ files.
type solverRow struct {
	ID       string
	Rule     string
	Size     int
	Black    string
	White    string
	ToMove   string `json:"to_move"`
	Query    string
	Verified string
	Expected struct {
		Win    bool
		Moves  *int  `json:"min_attacker_moves"`
		HasVCF *bool `json:"has_vcf"`
	}
}

// board returns the position and who attacks.
func (r *solverRow) board(tb testing.TB) (*Board, Color) {
	b, _ := setUp(tb, r.Size, ruleNamed(tb, r.Rule), r.Black, r.White)
	c := Black
	if r.ToMove == "white" {
		c = White
	}
	b.SetTurn(c)
	return b, c
}

type solveFunc func(context.Context, *Board, Color, Limits) (Proof, error)

// mustSolve solves, and verifies what is proven, and that the board is unchanged.
func mustSolve(tb testing.TB, f solveFunc, b *Board, c Color, l Limits) Proof {
	tb.Helper()
	before := boardText(tb, b)
	p, err := f(tb.Context(), b, c, l)
	require.NoError(tb, err)
	require.Equal(tb, before, boardText(tb, b))
	require.Equal(tb, c, p.Color)
	if p.Verdict == Proven {
		require.NoError(tb, p.Verify(b), "%v\n%v", b, &p)
		require.LessOrEqual(tb, p.AtLeast, p.Length)
		require.Len(tb, p.Line, max(1, 2*p.Length-1))
		if l.Moves > 0 {
			require.LessOrEqual(tb, p.Length, l.Moves)
		}
		if l.Shortest && p.Reason == 0 {
			require.Equal(tb, p.AtLeast, p.Length)
		}
	} else {
		require.Nil(tb, p.Tree)
		require.Nil(tb, p.Line)
		require.Equal(tb, p.Verdict == Unknown, p.Reason != 0)
	}
	return p
}

func TestSolveVCFRows(t *testing.T) {
	for _, name := range []string{"vcf_puzzles.jsonl", "vcf_realgames.jsonl"} {
		for _, row := range readRows[solverRow](t, name) {
			t.Run(row.ID, func(t *testing.T) {
				b, c := row.board(t)
				if !row.Expected.Win {
					assert.Equal(t, Refuted, mustSolve(t, SolveVCF, b, c, Limits{}).Verdict)
					assert.Equal(t, Refuted, mustSolve(t, SolveVCF, b, c, Limits{Shortest: true}).Verdict)
					return
				}
				first := mustSolve(t, SolveVCF, b, c, Limits{})
				assert.Equal(t, Proven, first.Verdict)
				p := mustSolve(t, SolveVCF, b, c, Limits{Shortest: true})
				require.Equal(t, Proven, p.Verdict)
				assert.Equal(t, *row.Expected.Moves, p.Length, "%v", &p)
				assert.GreaterOrEqual(t, first.Length, p.Length)
			})
		}
	}
}

// A naiveSolver decides by trying everything: it knows the board and the rules, and
// neither shapes nor what a defence is.
type naiveSolver struct {
	board *Board
	known map[naiveKey]bool
	ban   PointSet
}

type naiveKey struct {
	hash         uint64
	moves, level int
}

// wins reports whether the side to move wins in at most so many moves, each of which
// threatens to win by at most so many fours, or so many as are left if that is
// less, and each of them against every legal answer. Level 0 is fours alone.
func (n *naiveSolver) wins(moves, level int) bool {
	key := naiveKey{n.board.Hash(), moves, level}
	won, ok := n.known[key]
	if !ok {
		won = n.find(moves, level)
		n.known[key] = won
	}
	return won
}

func (n *naiveSolver) find(moves, level int) bool {
	b := n.board
	me := b.Turn()
	empty := b.Stones(Empty)
	for p := range empty.All() {
		if b.makesFive(p, me) {
			return true
		}
	}
	if moves == 0 {
		return false
	}
	for p := range empty.Minus(n.ban).All() {
		if b.Make(p) != nil {
			continue // a foul
		}
		won := !b.Over() && n.holds(moves, level)
		b.Undo()
		if won {
			return true
		}
	}
	return false
}

// holds reports whether the move just made is a threat that no answer meets.
func (n *naiveSolver) holds(moves, level int) bool {
	b := n.board
	them := b.Turn()
	b.SetTurn(them.Opponent())
	threat := n.wins(min(level, moves-1), 0)
	b.SetTurn(them)
	if !threat {
		return false
	}
	for q := range b.Stones(Empty).All() {
		if b.Make(q) != nil {
			continue
		}
		holds := !b.Over() && n.wins(moves-1, level)
		b.Undo()
		if !holds {
			return false
		}
	}
	return true
}

// naiveLength returns the least number of moves of a win, or -1.
func naiveLength(b *Board, c Color, moves, level int, ban []Point) int {
	n := naiveSolver{board: b.Clone(), known: make(map[naiveKey]bool)}
	n.board.SetTurn(c)
	for _, p := range ban {
		n.ban.Add(p)
	}
	for k := range moves + 1 {
		if n.wins(k, level) {
			return k
		}
	}
	return -1
}

func TestSolveVCFAgainstNaive(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	rounds := 800
	if few() {
		rounds = 150
	}
	for _, rule := range naiveRules {
		t.Run(rule.String(), func(t *testing.T) {
			lengths := make(map[int]int)
			for range rounds {
				b := randomPosition(rnd, 5+rnd.IntN(4), rule).fresh(t, rnd.Uint64())
				c := Black + Color(rnd.IntN(2))
				var ban []Point
				if rnd.IntN(4) == 0 {
					ban = b.Candidates(1)
					ban = ban[:min(len(ban), 1+rnd.IntN(3))]
				}
				want := naiveLength(b, c, b.size*b.size, 0, ban)
				lengths[want]++
				p := mustSolve(t, SolveVCF, b, c, Limits{Shortest: true, Ban: ban})
				first := mustSolve(t, SolveVCF, b, c, Limits{Ban: ban})
				if want < 0 {
					require.Equal(t, Refuted, p.Verdict, "%v\n%v", b, &p)
					require.Equal(t, Refuted, first.Verdict, "%v\n%v", b, &first)
					continue
				}
				require.Equal(t, Proven, p.Verdict, "%v %v", b, c)
				require.Equal(t, want, p.Length, "%v %v\n%v", b, c, &p)
				require.Equal(t, Proven, first.Verdict, "%v %v", b, c)
				if want > 0 {
					short := mustSolve(t, SolveVCF, b, c, Limits{Moves: want, Ban: ban})
					require.Equal(t, Proven, short.Verdict)
				}
				if want > 1 {
					short := mustSolve(t, SolveVCF, b, c, Limits{Moves: want - 1, Ban: ban})
					require.Equal(t, Unknown, short.Verdict)
					require.Equal(t, StopDepth, short.Reason)
					require.Equal(t, want, short.AtLeast)
				}
			}
			t.Logf("positions by length: %v", fmt.Sprint(lengths))
		})
	}
}

func TestSolveSymmetries(t *testing.T) {
	rows := readRows[solverRow](t, "vcf_realgames.jsonl")
	for i := 0; i < len(rows); i += 7 {
		symmetric(t, SolveVCF, &rows[i])
	}
	for _, row := range readRows[solverRow](t, "vct_puzzles.jsonl") {
		if !hardRow(&row) && !few() {
			symmetric(t, SolveVCT, &row)
		}
	}
}

// symmetric checks that a row is solved alike in all its images, and with the colours
// swapped where the rule is the same for both.
func symmetric(t *testing.T, f solveFunc, row *solverRow) {
	b, c := row.board(t)
	want := mustSolve(t, f, b, c, Limits{Shortest: true})
	same := func(b *Board, c Color) {
		p := mustSolve(t, f, b, c, Limits{Shortest: true})
		require.Equal(t, want.Verdict, p.Verdict, row.ID)
		require.Equal(t, want.Length, p.Length, row.ID)
	}
	for s := range Symmetry(NumSymmetries) {
		same(s.ApplyBoard(b), c)
	}
	if b.Rule() == Renju {
		return
	}
	swapped := mustBoard(t, b.Size(), b.Rule())
	for _, c := range [...]Color{Black, White} {
		for p := range b.Stones(c).All() {
			require.NoError(t, swapped.SetStone(p, c.Opponent()))
		}
	}
	same(swapped, c.Opponent())
}

// TestSolveTableSize compares the largest table with the smallest: what is found may
// not depend on it.
func TestSolveTableSize(t *testing.T) {
	for _, row := range readRows[solverRow](t, "vcf_puzzles.jsonl") {
		b, c := row.board(t)
		for _, shortest := range []bool{false, true} {
			if shortest && row.Expected.Moves != nil && *row.Expected.Moves > 70 {
				continue // long without a table
			}
			small := mustSolve(t, SolveVCF, b, c, Limits{Memory: minSolverMemory, Shortest: shortest})
			large := mustSolve(t, SolveVCF, b, c, Limits{Memory: 1 << 28, Shortest: shortest})
			assert.Equal(t, large.Verdict, small.Verdict, row.ID)
			assert.Equal(t, large.Line, small.Line, row.ID)
			assert.Equal(t, large.Tree, small.Tree, row.ID)
		}
	}
}

// rowNamed returns the position of a row.
func rowNamed(tb testing.TB, file, id string) (*Board, Color) {
	for _, row := range readRows[solverRow](tb, file) {
		if row.ID == id {
			return row.board(tb)
		}
	}
	require.Fail(tb, "no row "+id)
	return nil, Empty
}

func TestSolveLimits(t *testing.T) {
	b, c := rowNamed(t, "vcf_puzzles.jsonl", "mintaka-vcf-10")
	p := mustSolve(t, SolveVCF, b, c, Limits{Nodes: 1000})
	assert.Equal(t, Unknown, p.Verdict)
	assert.Equal(t, StopNodes, p.Reason)
	assert.EqualValues(t, 1000, p.Nodes)

	p = mustSolve(t, SolveVCF, b, c, Limits{Time: time.Nanosecond})
	assert.Equal(t, Unknown, p.Verdict)
	assert.Equal(t, StopTime, p.Reason)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := SolveVCF(ctx, b, c, Limits{})
	require.NoError(t, err)
	assert.Equal(t, Unknown, p.Verdict)
	assert.Equal(t, StopCancelled, p.Reason)

	ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	p, err = SolveVCF(ctx, b, c, Limits{Shortest: true})
	require.NoError(t, err)
	assert.Equal(t, StopTime, p.Reason)

	// A shortest win that there was no time for is still a win.
	p = mustSolve(t, SolveVCF, b, c, Limits{Shortest: true})
	p = mustSolve(t, SolveVCF, b, c, Limits{Shortest: true, Nodes: p.Nodes - 1000})
	assert.Equal(t, StopNodes, p.Reason)
	assert.Equal(t, Proven, p.Verdict)
	assert.Less(t, p.AtLeast, p.Length)
}

func TestSolveErrors(t *testing.T) {
	b := mustBoard(t, 15, Freestyle)
	won, err := ParseBoard(15, Freestyle, "h8a1i8b1j8c1k8d1l8")
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		board *Board
		color Color
		l     Limits
		want  error
		text  string
	}{
		"nil":     {nil, Black, Limits{}, ErrNilBoard, "gomoku: solve: the board is nil"},
		"over":    {won, Black, Limits{}, ErrGameOver, "gomoku: solve: the game is over"},
		"colour":  {b, Empty, Limits{}, ErrColor, "gomoku: solve: unknown colour: 0"},
		"colour3": {b, Color(3), Limits{}, ErrColor, "gomoku: solve: unknown colour: 3"},
		"moves":   {b, Black, Limits{Moves: -1}, ErrOption, "gomoku: solve: invalid option: moves -1 is negative"},
		"nodes":   {b, Black, Limits{Nodes: -1}, ErrOption, "gomoku: solve: invalid option: nodes -1 is negative"},
		"time":    {b, Black, Limits{Time: -1}, ErrOption, "gomoku: solve: invalid option: time -1ns is negative"},
		"memory":  {b, Black, Limits{Memory: 1}, ErrOption, "gomoku: solve: invalid option: memory 1 is less than 65536"},
		"level":   {b, Black, Limits{ThreatLevel: -1}, ErrOption, "gomoku: solve: invalid option: threat level -1 is negative"},
		"ban":     {b, Black, Limits{Ban: []Point{Pt(15, 0)}}, ErrOutside, "gomoku: solve: invalid option: ban list: p1: point is outside the board"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := SolveVCF(t.Context(), tt.board, tt.color, tt.l)
			require.ErrorIs(t, err, tt.want)
			assert.EqualError(t, err, tt.text)
			assert.Equal(t, Proof{}, p)
		})
	}
	p := mustSolve(t, SolveVCF, b, Black, Limits{})
	assert.Equal(t, Refuted, p.Verdict)
}

// TestSolveAll compares the winning first moves with what is left when each is
// tried by itself.
func TestSolveAll(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, rule := range naiveRules {
		several := 0
		for range 300 {
			b := randomPosition(rnd, 6+rnd.IntN(4), rule).fresh(t, rnd.Uint64())
			c := Black + Color(rnd.IntN(2))
			p := mustSolve(t, SolveVCF, b, c, Limits{All: true, Shortest: true})
			if p.Verdict == Proven {
				require.True(t, p.WinsComplete)
			}
			won := make(map[Point]int)
			for _, w := range p.Wins {
				won[w.Move] = w.Length()
			}
			several += len(won) / 2
			b.SetTurn(c)
			fives := naiveLength(b, c, 0, 0, nil) == 0
			for q := range b.Stones(Empty).All() {
				want := -1
				if fives {
					want = -btoi(!b.makesFive(q, c))
				} else if b.Make(q) == nil {
					n := naiveSolver{board: b, known: make(map[naiveKey]bool)}
					for k := 1; k <= 5 && want < 0; k++ {
						if !b.Over() && n.holds(k, 0) {
							want = k
						}
					}
					b.Undo()
				}
				got, ok := won[q]
				if want < 0 && ok && got > 5 {
					continue
				}
				require.Equal(t, want >= 0, ok, "%v %v %v", b, c, q)
				if ok {
					require.Equal(t, want, got, "%v %v %v", b, c, q)
				}
			}
		}
		assert.NotZero(t, several)
	}
}

// TestVCFDefences tries every move by itself.
func TestVCFDefences(t *testing.T) {
	check := func(t *testing.T, b *Board, c Color) int {
		d, err := VCFDefences(t.Context(), b, c, Limits{})
		require.NoError(t, err)
		require.Empty(t, d.Unknown)
		if d.Threat.Verdict != Proven {
			require.Nil(t, d.Stops)
			return 0
		}
		require.NoError(t, d.Threat.Verify(b))
		var want []Point
		defender := b.Clone()
		defender.SetTurn(c.Opponent())
		for p := range b.Stones(Empty).All() {
			if defender.Make(p) != nil {
				continue
			}
			if defender.Over() || mustSolve(t, SolveVCF, defender, c, Limits{}).Verdict == Refuted {
				want = append(want, p)
			}
			defender.Undo()
		}
		require.Equal(t, want, d.Stops, "%v %v", b, c)
		return len(want)
	}
	rows := readRows[solverRow](t, "vcf_realgames.jsonl")
	for i := 0; i < len(rows); i += 5 {
		b, c := rows[i].board(t)
		check(t, b, c)
	}
	rnd := rand.New(rand.NewPCG(9, 10))
	for _, rule := range naiveRules {
		stops := 0
		for range 150 {
			b := randomPosition(rnd, 6+rnd.IntN(5), rule).fresh(t, rnd.Uint64())
			stops += check(t, b, Black) + check(t, b, White)
		}
		assert.NotZero(t, stops)
	}
	_, err := VCFDefences(t.Context(), nil, Black, Limits{})
	require.ErrorIs(t, err, ErrNilBoard)
	b, c := rowNamed(t, "vcf_puzzles.jsonl", "quintet-test_vcf_white")
	d, err := VCFDefences(t.Context(), b, c, Limits{Nodes: 40})
	require.NoError(t, err)
	require.Equal(t, Proven, d.Threat.Verdict)
	require.NotEmpty(t, d.Unknown)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestVerifyRefuses changes valid proofs in ways that make them invalid.
func TestVerifyRefuses(t *testing.T) {
	b, c := rowNamed(t, "vcf_puzzles.jsonl", "quintet-test_vcf_white")
	for name, tt := range map[string]struct {
		spoil func(*Proof)
		text  string
	}{
		"verdict":        {func(p *Proof) { p.Verdict = Refuted }, "the verdict is refuted"},
		"colour":         {func(p *Proof) { p.Color = Empty }, "unknown colour"},
		"other colour":   {func(p *Proof) { p.Color = Black }, "after"},
		"no tree":        {func(p *Proof) { p.Tree = nil }, "there is no tree"},
		"length":         {func(p *Proof) { p.Length-- }, "the length is 5, not 4"},
		"end":            {func(p *Proof) { p.End = EndFive }, "not five"},
		"line":           {func(p *Proof) { p.Line = p.Line[:3] }, "the main line is"},
		"line move":      {func(p *Proof) { p.Line[2] = Pt(0, 0) }, "the main line is"},
		"first move":     {func(p *Proof) { p.Tree.Move = Pt(0, 0) }, "after"},
		"occupied":       {func(p *Proof) { p.Tree.Move = Pt(7, 8) }, "point is occupied"},
		"no defence":     {func(p *Proof) { p.Tree.Replies = nil }, "point is occupied"},
		"other defence":  {func(p *Proof) { p.Tree.Replies[0].Move = Pt(0, 0) }, "after"},
		"twice":          {func(p *Proof) { p.Tree.Replies = append(p.Tree.Replies, p.Tree.Replies[0]) }, "two replies to"},
		"no legal reply": {func(p *Proof) { p.Tree.Replies = append(p.Tree.Replies, ProofReply{Pt(7, 8), p.Tree.Rest}) }, "h9 is no legal answer"},
		"no rest":        {func(p *Proof) { p.Tree.Rest = nil }, "threatens nothing"},
		"no next":        {func(p *Proof) { p.Tree.Replies[0].Next = nil }, "no move for the attacker"},
		"deep":           {func(p *Proof) { p.Tree.Replies[0].Next.Replies[0].Next.Replies = nil }, "after"},
		"wins":           {func(p *Proof) { p.Wins = []*ProofNode{p.Tree.Replies[0].Next} }, "after"},
		"tree of wins": {func(p *Proof) {
			n := *p.Tree // as good, but with a reply more
			n.Replies = append(slices.Clone(n.Replies), ProofReply{Pt(0, 0), n.Rest})
			p.Wins = []*ProofNode{&n}
		}, "not the first of the wins"},
	} {
		t.Run(name, func(t *testing.T) {
			p := mustSolve(t, SolveVCF, b, c, Limits{})
			require.NoError(t, p.Verify(b))
			tt.spoil(&p)
			err := p.Verify(b)
			require.ErrorIs(t, err, ErrProof)
			assert.ErrorContains(t, err, tt.text)
		})
	}
	p := mustSolve(t, SolveVCF, b, c, Limits{})
	assert.ErrorIs(t, p.Verify(nil), ErrNilBoard)
	assert.ErrorIs(t, p.Verify(mustBoard(t, 15, Renju)), ErrProof)
}

func TestProofText(t *testing.T) {
	b, c := rowNamed(t, "vcf_puzzles.jsonl", "quintet-test_vcf_white")
	p := mustSolve(t, SolveVCF, b, c, Limits{Shortest: true, All: true})
	text, err := json.Marshal(&p)
	require.NoError(t, err)
	var back Proof
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, p, back)
	assert.NoError(t, back.Verify(b))
	for text, want := range map[string]string{
		`{"tree":{"move":"h8"},"wins":[{"move":"h8"},null]}`:                                              "win 2 is null",
		`{"tree":{"move":"h8","replies":[{"move":"h9","next":null}]}}`:                                    "nothing follows h8 h9",
		`{"wins":[{"move":"h8","rest":{"move":"h9","replies":[{"move":"i9"}]}}]}`:                         "nothing follows h9 i9",
		`{"tree":{"move":"h8","replies":[{"move":"h9","next":{"move":"i9","replies":[{"move":"j9"}]}}]}}`: "nothing follows i9 j9",
		`{"tree":{"move":"h99"}}`: "h99",
	} {
		assert.ErrorContains(t, json.Unmarshal([]byte(text), &back), want)
		assert.Equal(t, p, back)
	}

	r, err := p.Record(b)
	require.NoError(t, err)
	var sgf strings.Builder
	require.NoError(t, WriteRecord(&sgf, r, SGF, WriteOptions{}))
	again := readOne(t, sgf.String(), ReadOptions{})
	assert.Equal(t, r.Root.Next, again.Root.Next)
	_, err = (&Proof{}).Record(b)
	assert.ErrorIs(t, err, ErrProof)
	_, err = p.Record(nil)
	assert.ErrorIs(t, err, ErrNilBoard)

	assert.Equal(t, "white wins in 5 moves by "+endPhrases[p.End], strings.SplitN(p.String(), "\n", 2)[0])
	assert.Equal(t, "unknown whether black wins: stopped by time\n", (&Proof{Color: Black, Reason: StopTime}).String())
	assert.Equal(t, "black has no such win\n", (&Proof{Color: Black, Verdict: Refuted}).String())
}

// FuzzSolveVCF solves any board, under limits: no crash, no false win, and nothing
// beyond the limits.
func FuzzSolveVCF(f *testing.F) {
	f.Add(uint64(1), uint8(15), uint8(2), uint8(30), uint16(100))
	f.Add(uint64(7), uint8(6), uint8(3), uint8(20), uint16(0))
	f.Fuzz(func(t *testing.T, seed uint64, size, rule, stones uint8, nodes uint16) {
		b := fuzzedPosition(t, seed, size, rule, stones)
		if b.Over() {
			return
		}
		for _, c := range [...]Color{Black, White} {
			l := Limits{Nodes: int64(nodes), Shortest: seed%2 == 0, All: seed%3 == 0, Memory: minSolverMemory}
			p := mustSolve(t, SolveVCF, b, c, l)
			if nodes > 0 {
				require.LessOrEqual(t, p.Nodes, int64(nodes))
			}
		}
	})
}

// fuzzedPosition puts stones at random on a board of any size and rule.
func fuzzedPosition(tb testing.TB, seed uint64, size, rule, stones uint8) *Board {
	size = MinSize + size%(MaxSize-MinSize+1)
	b := mustBoard(tb, int(size), Rule(rule%uint8(len(ruleSpecs))))
	rnd := rand.New(rand.NewPCG(seed, 0))
	side := min(int(size), 5+rnd.IntN(10))
	for range stones {
		p := Pt(rnd.IntN(side), rnd.IntN(side))
		if c := Black + Color(rnd.IntN(2)); b.At(p) == Empty && !b.makesFive(p, c) {
			require.NoError(tb, b.SetStone(p, c))
		}
	}
	return b
}
