package gomocup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// Swap2: the first player puts three stones, black, white, black. The second
// takes Black, or stays White with a fourth stone, or puts a fourth and a fifth
// and lets the first choose. So whoever puts stones wants them even.
//
// How even a position is is the mean of a search's last two depths: the side
// that has the last word in a search looks better than it is.

const (
	// swapChoices is how many openings, or pairs of stones, are compared.
	swapChoices = 24

	// evenWithin is the balance, in evaluator units, within which a search can't
	// tell who is better; less than half an open three. Then two more stones are put rather than a side
	// taken.
	evenWithin = 150
)

// swapTime bounds a decision of the opening when no limit does.
const swapTime = 10 * time.Second

// A Swap2 is a decision in a swap2 opening: to take Black, or to put stones.
type Swap2 struct {
	// Swap: the decider plays Black from now on, and White is on move.
	Swap bool
	// Stones are to be put in turns, Black's first if the board is empty, else
	// White's: three for an opening, one to stay White, or two to let the
	// opponent choose.
	Stones []gomoku.Point
}

// DecideSwap2 decides for the side whose turn it is in a swap2 opening on b: put
// three stones on the empty board, choose after three, choose after five. Other
// numbers of stones are an error, which wraps gomoku.ErrOption. It searches with
// e for about d. Seeds other than 0 put forward the same opening again. The board
// is not changed. If ctx ends, what was found so far decides.
func DecideSwap2(ctx context.Context, e *gomoku.Engine, b *gomoku.Board, d time.Duration, seed uint64) (Swap2, error) {
	if n := b.Len(); n != 0 && n != 3 && n != 5 {
		return Swap2{}, fmt.Errorf("%w: a swap2 opening is decided at 0, 3 or 5 stones, not %d", gomoku.ErrOption, n)
	}
	w := &swapper{engine: e, board: b.Clone(), deadline: time.Now().Add(d), rand: swapRand(seed, b), message: func(string) {}}
	return w.decide(ctx)
}

// swapRand returns the source of the openings on a board; seed 0 is any.
func swapRand(seed uint64, b *gomoku.Board) *rand.Rand {
	if seed == 0 {
		seed = rand.Uint64()
	}
	return rand.New(rand.NewPCG(seed, b.Hash()))
}

// swap2 carries out SWAP2BOARD. The board of the game stays as it is: a BOARD
// follows when the opening is settled.
func (s *session) swap2(ctx context.Context, b *block, at time.Time) error {
	opening, err := b.opening(s.rule)
	if err != nil {
		return err
	}
	s.abort()
	t := s.budget(at)
	if !t.limited {
		t.hard = swapTime
	}
	w := &swapper{
		engine: s.engine, board: opening, deadline: time.Now().Add(t.hard), depth: s.depth, nodes: s.nodes,
		rand: swapRand(s.cfg.seed, opening), message: s.out.message,
	}
	s.think(ctx, at, func(ctx context.Context) answer {
		d, err := w.decide(ctx)
		return answer{move: gomoku.NoPoint, text: d.text(opening.Size()), err: err}
	})
	return nil
}

// text is the decision as the protocol has it.
func (d Swap2) text(size int) string {
	if d.Swap {
		return "SWAP"
	}
	texts := make([]string, len(d.Stones))
	for i, p := range d.Stones {
		texts[i] = formatPoint(p, size)
	}
	return strings.Join(texts, " ")
}

// opening makes a board of none, three or five stones in turns. Their order says
// whose they are; a field, which some managers write as with BOARD, doesn't.
func (b *block) opening(rule gomoku.Rule) (*gomoku.Board, error) {
	switch len(b.stones) {
	case 0, 3, 5:
	default:
		return nil, fmt.Errorf("SWAP2BOARD has %d stones, not 0, 3 or 5", len(b.stones))
	}
	board, err := gomoku.NewBoard(b.size, rule)
	if err != nil {
		return nil, err
	}
	for _, s := range b.stones {
		if err := board.MakeFoul(s.point); err != nil {
			return nil, err
		}
	}
	return board, nil
}

// swapper decides an opening.
type swapper struct {
	engine   *gomoku.Engine
	board    *gomoku.Board
	deadline time.Time
	depth    int
	nodes    int64
	rand     *rand.Rand
	message  func(string)
}

// choice is a number of stones to put and how the side to move then stands.
type choice struct {
	stones  []gomoku.Point
	balance gomoku.Score
	judged  bool
}

// compareEven sorts the most even choices first, those not judged last.
func compareEven(a, b choice) int {
	if a.judged != b.judged {
		if a.judged {
			return -1
		}
		return 1
	}
	return cmp.Compare(max(a.balance, -a.balance), max(b.balance, -b.balance))
}

func (w *swapper) decide(ctx context.Context) (Swap2, error) {
	total := time.Until(w.deadline)
	switch w.board.Len() {
	case 0:
		return w.put(w.mostEven(ctx, w.openings(), total)), nil
	case 3:
		best, balance, err := w.judge(ctx, w.board, total/3)
		if err != nil {
			return Swap2{}, err
		}
		w.message("balance for White " + formatScore(balance))
		if balance > evenWithin {
			return w.put(choice{stones: []gomoku.Point{best}}), nil
		}
		if balance < -evenWithin {
			return Swap2{Swap: true}, nil
		}
		pairs := w.pairs(ctx, total/6)
		c := w.mostEven(ctx, pairs, time.Until(w.deadline))
		if len(c.stones) == 0 { // no time to find one
			c.stones = []gomoku.Point{best}
		}
		return w.put(c), nil
	default:
		best, balance, err := w.judge(ctx, w.board, total)
		if err != nil {
			return Swap2{}, err
		}
		w.message("balance for White " + formatScore(balance))
		if balance < 0 {
			return Swap2{Swap: true}, nil
		}
		return w.put(choice{stones: []gomoku.Point{best}}), nil
	}
}

// put puts the stones of a choice.
func (w *swapper) put(c choice) Swap2 {
	if c.judged {
		w.message("balance for White " + formatScore(c.balance))
	}
	return Swap2{Stones: c.stones}
}

// judge searches a position and returns the best move and how the side to move
// stands.
func (w *swapper) judge(ctx context.Context, b *gomoku.Board, d time.Duration) (gomoku.Point, gomoku.Score, error) {
	var scores []gomoku.Score
	opts := append(w.limits(d), gomoku.WithProgress(func(i gomoku.Info) { scores = append(scores, i.Score) }))
	r, err := w.engine.Search(ctx, b, opts...)
	if err != nil && !errors.Is(err, gomoku.ErrEvaluator) {
		return gomoku.NoPoint, 0, err
	}
	balance := r.Score
	if n := len(scores); n >= 2 {
		balance = mean(scores[n-1], scores[n-2])
	}
	return r.Best, balance, nil
}

// mean of two scores, of which a proven one decides.
func mean(last, before gomoku.Score) gomoku.Score {
	if _, proven := last.Mate(); proven {
		return last
	}
	if _, proven := before.Mate(); proven {
		return last
	}
	return (last + before) / 2
}

func (w *swapper) limits(d time.Duration) []gomoku.Option {
	opts := []gomoku.Option{gomoku.WithTimeBudget(max(d, 0)), gomoku.WithSoftTime(max(d, 0))}
	if w.depth > 0 {
		opts = append(opts, gomoku.WithDepth(w.depth))
	}
	if w.nodes > 0 {
		opts = append(opts, gomoku.WithNodeLimit(w.nodes))
	}
	return opts
}

// mostEven judges the choices: all of them in a part of the time, then in each
// round the more even half again with the time that the others leave.
func (w *swapper) mostEven(ctx context.Context, choices []choice, total time.Duration) choice {
	if len(choices) == 0 {
		return choice{}
	}
	end := time.Now().Add(total)
	for round := 4; round > 0; round-- {
		share := time.Until(end) / time.Duration(round)
		for i := range choices {
			if ctx.Err() != nil || time.Until(end) <= 0 {
				break
			}
			c := &choices[i]
			b := w.board.Clone()
			if play(b, c.stones) != nil || b.Over() {
				continue
			}
			each := share / time.Duration(len(choices))
			if _, balance, err := w.judge(ctx, b, each); err == nil {
				c.balance, c.judged = balance, true
			}
		}
		slices.SortStableFunc(choices, compareEven)
		choices = choices[:(len(choices)+1)/2]
	}
	return choices[0]
}

func play(b *gomoku.Board, stones []gomoku.Point) error {
	for _, p := range stones {
		if err := b.Make(p); err != nil {
			return err
		}
	}
	return nil
}

// openings returns different choices of three stones: two near each other
// anywhere on the board, the centre being too good for Black and the edge too
// bad, and a third up to four points from the first.
func (w *swapper) openings() []choice {
	size := w.board.Size()
	near := func(p gomoku.Point, reach int) gomoku.Point {
		for {
			x, y := p.X()+w.rand.IntN(2*reach+1)-reach, p.Y()+w.rand.IntN(2*reach+1)-reach
			if x >= 0 && y >= 0 && x < size && y < size && (x != p.X() || y != p.Y()) {
				return gomoku.Pt(x, y)
			}
		}
	}
	var choices []choice
	for len(choices) < swapChoices {
		first := gomoku.Pt(w.rand.IntN(size), w.rand.IntN(size))
		second, third := near(first, 2), near(first, 4)
		if second != third {
			choices = append(choices, choice{stones: []gomoku.Point{first, second, third}})
		}
	}
	return choices
}

// pairs returns fourth and fifth stones that leave a position of about even
// worth by a short look: for a number of fourth stones, the fifth stones whose
// scores are nearest to zero.
func (w *swapper) pairs(ctx context.Context, total time.Duration) []choice {
	fourths := w.board.Candidates(3)
	w.rand.Shuffle(len(fourths), func(i, j int) { fourths[i], fourths[j] = fourths[j], fourths[i] })
	fourths = fourths[:min(len(fourths), swapChoices)]
	end := time.Now().Add(total)
	var choices []choice
	for i, p := range fourths {
		left := time.Until(end)
		if i > 0 && (left <= 0 || ctx.Err() != nil) {
			break
		}
		b := w.board.Clone()
		if b.Make(p) != nil || b.Over() {
			continue
		}
		opts := append(w.limits(left/time.Duration(len(fourths)-i)), gomoku.WithMultiPV(swapChoices))
		r, err := w.engine.Search(ctx, b, opts...)
		if err != nil {
			continue
		}
		for _, line := range r.Lines {
			c := choice{stones: []gomoku.Point{p, line.PV[0]}, balance: line.Score, judged: r.Depth > 0}
			choices = append(choices, c)
		}
	}
	slices.SortStableFunc(choices, compareEven)
	return choices[:min(len(choices), swapChoices)]
}
