package gomoku_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// must returns v; examples would be no clearer with error handling in each line.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func Example() {
	b, err := gomoku.ParseBoard(15, gomoku.Freestyle, "h8a1i8a3k8a5") // Black has a three with a gap
	if err != nil {
		log.Fatal(err)
	}
	e, err := gomoku.NewEngine(gomoku.WithDepth(4))
	if err != nil {
		log.Fatal(err)
	}
	r, err := e.Search(context.Background(), b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Best, r.Score)
	// Output: j8 win in 3
}

func ExampleNewBoard() {
	b, err := gomoku.NewBoard(9, gomoku.Renju)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Size(), b.Rule(), b.Turn())
	_, err = gomoku.NewBoard(30, gomoku.Renju)
	fmt.Println(err)
	// Output:
	// 9 renju black
	// gomoku: new board: size is not 5 to 22: 30
}

func ExampleParseBoard() {
	b, err := gomoku.ParseBoard(7, gomoku.Standard, "d4 e5, c5")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(b)
	_, err = gomoku.ParseBoard(7, gomoku.Standard, "d4d4")
	fmt.Println(err)
	// Output:
	//  7 . . . . . . .
	//  6 . . . . . . .
	//  5 . . X . o . .
	//  4 . . . x . . .
	//  3 . . . . . . .
	//  2 . . . . . . .
	//  1 . . . . . . .
	//    a b c d e f g
	// gomoku: parse moves "d4d4" at offset 2: gomoku: make d4: point is occupied
}

func ExampleParseDrawing() {
	b, err := gomoku.ParseDrawing(gomoku.Freestyle, `
		. . . . .
		. . . o .
		. . x . .
		. x . . .
		. . . . .`)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Len(), "stones,", b.Turn(), "to move; d4 is", b.At(gomoku.Pt(3, 3)))
	// Output: 3 stones, white to move; d4 is white
}

func ExampleBoard_Make() {
	b := must(gomoku.NewBoard(15, gomoku.Freestyle))
	h8 := gomoku.Pt(7, 7)
	fmt.Println(b.Make(h8))
	err := b.Make(h8)
	fmt.Println(err)
	fmt.Println(errors.Is(err, gomoku.ErrOccupied), b.Turn())
	// Output:
	// <nil>
	// gomoku: make h8: point is occupied
	// true white
}

func ExampleBoard_Undo() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8a1h9a2h10a3h11a4h12"))
	fmt.Println("winner:", b.Winner())
	p, ok := b.Undo()
	fmt.Println("took back", p, ok)
	fmt.Println("winner:", b.Winner(), "to move:", b.Turn())
	// Output:
	// winner: black
	// took back h12 true
	// winner: empty to move: black
}

func ExampleBoard_WinningLine() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8a1i9a2j10a3l12a4k11"))
	fmt.Println(b.Winner(), b.WinningLine())
	// Output: black [h8 i9 j10 k11 l12]
}

func ExampleBoard_Foul() {
	b := must(gomoku.ParseBoard(15, gomoku.Renju, "h8g6f6g5f7g4h7g3g2a1"))
	g7 := must(gomoku.ParsePoint("g7"))
	fmt.Println(b.Foul(g7), b.FoulStones(g7))
	fmt.Println(b.Make(g7))
	// Output:
	// double-three [f6 f7 h7 h8]
	// gomoku: make g7: move is a foul: double-three
}

func ExampleBoard_MakeFoul() {
	b := must(gomoku.ParseBoard(15, gomoku.Renju, "h8g6f6g5f7g4h7g3g2a1"))
	if err := b.MakeFoul(must(gomoku.ParsePoint("g7"))); err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Over(), b.Winner(), b.WinningLine())
	// Output: true white []
}

func ExampleBoard_SetStone() {
	b := must(gomoku.NewBoard(15, gomoku.Freestyle))
	for x := 5; x < 9; x++ {
		if err := b.SetStone(gomoku.Pt(x, 7), gomoku.White); err != nil {
			log.Fatal(err)
		}
	}
	b.SetTurn(gomoku.White)
	fmt.Println(b.Make(gomoku.Pt(9, 7)), b.Winner())
	// Output: <nil> white
}

func ExampleBoard_Candidates() {
	b := must(gomoku.NewBoard(15, gomoku.Freestyle))
	fmt.Println("empty board:", b.Candidates(2))
	if err := b.Make(gomoku.Pt(7, 7)); err != nil {
		log.Fatal(err)
	}
	fmt.Println("one stone:", b.Candidates(1))
	fmt.Println(len(b.Candidates(2)), len(b.Candidates(3)), len(b.Candidates(0)))
	// Output:
	// empty board: [h8]
	// one stone: [g7 h7 i7 g8 i8 g9 h9 i9]
	// 24 48 224
}

func ExampleBoard_Moves() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8i9g9"))
	for p, c := range b.Moves() {
		fmt.Println(c, p)
	}
	// Output:
	// black h8
	// white i9
	// black g9
}

func ExampleBoard_MarshalText() {
	b := must(gomoku.ParseBoard(15, gomoku.Renju, "h8i9g9"))
	text := must(json.Marshal(map[string]*gomoku.Board{"board": b}))
	fmt.Println(string(text))

	var back struct{ Board *gomoku.Board }
	if err := json.Unmarshal(text, &back); err != nil {
		log.Fatal(err)
	}
	fmt.Println(back.Board.Hash() == b.Hash(), back.Board.LastMove())
	// Output:
	// {"board":"15 renju turn=black moves=h8i9g9"}
	// true g9
}

func ExampleFormatMoves() {
	moves := must(gomoku.ParseMoves("H8, I9; g9"))
	fmt.Println(len(moves), gomoku.FormatMoves(moves))
	// Output: 3 h8i9g9
}

func ExampleSymmetry_ApplyBoard() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8i9a1"))
	for s := range gomoku.Symmetry(gomoku.NumSymmetries) {
		turned := s.ApplyBoard(b)
		fmt.Print(turned.LastMove(), " ")
	}
	fmt.Println()
	// Output: a1 o1 a15 o15 a1 a15 o1 o15
}

func ExamplePointSet() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8i9"))
	near, far := b.CandidateSet(1), b.CandidateSet(2)
	ring := far.Minus(near)
	fmt.Println(near.Len(), far.Len(), ring.Len(), near.Has(gomoku.Pt(7, 7)))
	// Output: 12 32 20 false
}

func ExampleEvaluatePoint() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8a1i8a2j8a3"))
	w := gomoku.BalancedWeights()
	w.Position = 0 // leave out the distance from the edge
	for _, name := range []string{"k8", "h7", "o15"} {
		p := must(gomoku.ParsePoint(name))
		fmt.Println(p, gomoku.EvaluatePoint(b, p, gomoku.Black, &w))
	}
	// Output:
	// k8 5015
	// h7 110
	// o15 3
}

func ExampleEvaluateBoard() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8a1i8a3j8"))
	w := gomoku.BalancedWeights()
	fmt.Println("black's stones:", gomoku.EvaluateLines(b, gomoku.Black, &w))
	fmt.Println("white's stones:", gomoku.EvaluateLines(b, gomoku.White, &w))
	fmt.Println("for white, who is to move:", gomoku.EvaluateBoard(b, gomoku.White, &w))
	// Output:
	// black's stones: 563
	// white's stones: 11
	// for white, who is to move: -588
}

func ExampleNewLineEvaluator() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8i9"))
	w := gomoku.BalancedWeights()
	e := gomoku.NewLineEvaluator(w)
	e.Reset(b)
	p, turn := gomoku.Pt(8, 7), b.Turn()
	if err := b.Make(p); err != nil {
		log.Fatal(err)
	}
	e.Place(p, turn) // looks at four lines, not at all of them
	fmt.Println(e.Evaluate(gomoku.Black) == gomoku.EvaluateBoard(b, gomoku.Black, &w))
	// Output: true
}

func ExampleEngine_Search() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8a1i8a3k8a5"))
	e := must(gomoku.NewEngine(gomoku.WithTimeBudget(5 * time.Second)))
	r, err := e.Search(context.Background(), b)
	if err != nil {
		log.Fatal(err)
	}
	plies, _ := r.Score.Mate()
	fmt.Println(r.Best, r.Score, r.Proven, r.Stop)
	fmt.Println("the game ends in", plies, "plies")
	// Output:
	// j8 win in 3 true proven
	// the game ends in 3 plies
}

// A search always has a legal move to offer, also when it is not allowed to think.
func ExampleEngine_Search_cancelled() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8g8i8a1j8a3k8"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := must(gomoku.NewEngine()).Search(ctx, b)
	fmt.Println(r.Best, r.Stop, err) // the only answer to the four
	// Output: l8 cancelled <nil>
}

// Options given to Search are for that search alone.
func ExampleEngine_Search_options() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8a1i8a3k8a5"))
	e := must(gomoku.NewEngine(gomoku.WithDepth(4)))
	for _, opts := range [][]gomoku.Option{
		nil,
		{gomoku.WithExclude(must(gomoku.ParsePoint("j8")))},
		{gomoku.WithOnly(must(gomoku.ParsePoint("a2")))},
	} {
		r := must(e.Search(context.Background(), b, opts...))
		fmt.Println(r.Best == must(gomoku.ParsePoint("j8")), len(r.Candidates) > 1)
	}
	// Output:
	// true true
	// false true
	// false false
}

func ExampleEngine_Search_gameOver() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8a1h9a2h10a3h11a4h12"))
	_, err := must(gomoku.NewEngine()).Search(context.Background(), b)
	fmt.Println(errors.Is(err, gomoku.ErrGameOver), err)
	// Output: true gomoku: search: the game is over
}

func ExampleEngine_Analyze() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8i9g9h10"))
	e := must(gomoku.NewEngine(gomoku.WithDepth(10)))
	for info, err := range e.Analyze(context.Background(), b) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("depth", info.Depth, "has a line:", len(info.PV) > 0)
		if info.Depth == 3 {
			break // this ends the search
		}
	}
	// Output:
	// depth 1 has a line: true
	// depth 2 has a line: true
	// depth 3 has a line: true
}

func ExampleNewEngine() {
	_, err := gomoku.NewEngine(gomoku.WithDepth(1000), gomoku.WithRadius(9))
	fmt.Println(errors.Is(err, gomoku.ErrOption))
	fmt.Println(err)
	// Output:
	// true
	// gomoku: new engine: invalid option: depth 1000 is not 1 to 100
	// radius 9 is not 0 to 4
}

func ExampleWithMultiPV() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8a1i8a3j8a5"))
	e := must(gomoku.NewEngine(gomoku.WithDepth(4), gomoku.WithMultiPV(2)))
	r := must(e.Search(context.Background(), b))
	for _, l := range r.Lines { // both ends of the open three win
		fmt.Println(l.Score, len(l.PV))
	}
	// Output:
	// win in 3 3
	// win in 3 3
}

func ExampleWithLevel() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8g8i8a1j8a3k8"))
	for _, level := range []gomoku.Level{gomoku.Easy, gomoku.Normal, gomoku.Hard, gomoku.Expert} {
		e := must(gomoku.NewEngine(gomoku.WithLevel(level)))
		fmt.Println(level, must(e.Search(context.Background(), b)).Best)
	}
	// Output:
	// easy l8
	// normal l8
	// hard l8
	// expert l8
}

// A node limit is a clock that gives the same result everywhere.
func ExampleWithNodeLimit() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8i9g9f10"))
	e := must(gomoku.NewEngine(gomoku.WithNodeLimit(5000)))
	first := must(e.Search(context.Background(), b))
	e.NewGame()
	second := must(e.Search(context.Background(), b))
	fmt.Println(first.Stop, first.Nodes, first.Best == second.Best, first.Nodes == second.Nodes)
	// Output: nodes 5000 true true
}

func ExampleWithProgress() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8i9g9"))
	e := must(gomoku.NewEngine(gomoku.WithDepth(3), gomoku.WithProgress(func(i gomoku.Info) {
		fmt.Println("depth", i.Depth, "done,", len(i.PV), "moves foreseen")
	})))
	must(e.Search(context.Background(), b))
	// Output:
	// depth 1 done, 1 moves foreseen
	// depth 2 done, 2 moves foreseen
	// depth 3 done, 3 moves foreseen
}

// All strategies find the same value; they differ in how much they look at.
func ExampleWithStrategy() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8i9g9h10f8g10"))
	e := must(gomoku.NewEngine(gomoku.WithDepth(3), gomoku.WithCandidateCap(10), gomoku.WithTableSize(0)))
	full := must(e.Search(context.Background(), b, gomoku.WithStrategy(gomoku.Minimax)))
	pruned := must(e.Search(context.Background(), b, gomoku.WithStrategy(gomoku.AlphaBeta)))
	fmt.Println("same score:", full.Score == pruned.Score)
	fmt.Println("a third of the positions or less:", 3*pruned.Nodes < full.Nodes)
	// Output:
	// same score: true
	// a third of the positions or less: true
}

// centreEvaluator likes stones near the centre and knows nothing else.
type centreEvaluator struct{ board *gomoku.Board }

func (e *centreEvaluator) Reset(b *gomoku.Board)            { e.board = b }
func (e *centreEvaluator) Place(gomoku.Point, gomoku.Color) {}
func (e *centreEvaluator) Undo()                            {}
func (e *centreEvaluator) Evaluate(c gomoku.Color) int {
	sum := 0
	for _, side := range []gomoku.Color{gomoku.Black, gomoku.White} {
		for p := range e.board.Stones(side).All() {
			d := max(p.X()-7, 7-p.X()) + max(p.Y()-7, 7-p.Y())
			if side == c {
				sum -= d
			} else {
				sum += d
			}
		}
	}
	return sum
}

func ExampleWithEvaluator() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "a1b3"))
	e := must(gomoku.NewEngine(
		gomoku.WithDepth(1), gomoku.WithRadius(0), gomoku.WithCandidateCap(0),
		gomoku.WithEvaluator(func() gomoku.Evaluator { return new(centreEvaluator) }),
	))
	r := must(e.Search(context.Background(), b))
	fmt.Println(r.Best, r.Score)
	// Output: h8 -3
}

func ExampleScore_Mate() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8a1i8a3k8a5j8")) // White faces an open four
	r := must(must(gomoku.NewEngine()).Search(context.Background(), b))
	plies, ok := r.Score.Mate()
	fmt.Println(plies, ok, r.Score)
	// Output: -2 true loss in 2
}

func ExampleStats() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8i9g9h10"))
	r := must(must(gomoku.NewEngine(gomoku.WithDepth(4))).Search(context.Background(), b))
	s := r.Stats
	fmt.Println("most cutoffs come from the first move:", 2*s.FirstMoveCuts > s.Cutoffs)
	fmt.Println("depths timed:", len(s.DepthTimes))
	// Output:
	// most cutoffs come from the first move: true
	// depths timed: 4
}

func ExampleAttackingWeights() {
	w := gomoku.AttackingWeights()
	w.OpenThree *= 2
	e := must(gomoku.NewEngine(gomoku.WithWeights(w), gomoku.WithDepth(2)))
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8g8i8a1j8a3k8"))
	fmt.Println(must(e.Search(context.Background(), b)).Best)
	// Output: l8
}

func ExampleWriteSVG() {
	b := must(gomoku.ParseBoard(15, gomoku.Freestyle, "h8a1i8a3k8a5"))
	r := must(must(gomoku.NewEngine(gomoku.WithDepth(4))).Search(context.Background(), b))
	var picture bytes.Buffer // or a file
	err := gomoku.WriteSVG(&picture, b, gomoku.SVGOptions{
		Theme: gomoku.PrintTheme, Title: "Puzzle 1", Line: r.PV, Threats: gomoku.Threats(b, gomoku.Black),
	})
	fmt.Println(err, strings.HasPrefix(picture.String(), `<svg xmlns="http://www.w3.org/2000/svg" role="img"`))
	// Output: <nil> true
}
