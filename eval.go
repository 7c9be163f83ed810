package gomoku

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"
)

// Weights says what the run-based evaluators count, in evaluator units: a run
// is an unbroken row of stones of one colour on one line, and its worth depends
// on its length and on how many of its two ends are open. An end is open if the
// next point is empty; an opponent stone or the edge closes it. A run closed at
// both ends is worth nothing unless it is a five. A run of five or more is a
// Five if the rule makes it a win, else nothing.
//
// What runs cannot see: a gap. "xxx.x" is as much a four as "xxxx.", but counts
// as a three and a lone stone; and an open three with too little room to become
// five counts in full. Search makes up for much of it.
//
// All weights but Defence are whole numbers from 0 to MaxWeight.
type Weights struct {
	Five      int // a won row
	OpenFour  int // four stones, both ends open
	Four      int // four stones, one end open
	OpenThree int
	Three     int
	OpenTwo   int
	Two       int
	OpenOne   int
	One       int

	DoubleThree int // extra for two or more open threes
	FourThree   int // extra for a four, open or not, with an open three
	Position    int // for each stone, times its distance from the edge (0 at the edge)
	Tempo       int // for the side to move

	// Defence is how much the opponent's stones count against one's own, 0 to 10.
	Defence float64
}

// MaxWeight is the largest value of a weight.
const MaxWeight = 100_000

// maxDefence is the largest value of Weights.Defence.
const maxDefence = 10

// BalancedWeights returns the default weights: the proportions that gomoku
// tutorials use.
func BalancedWeights() Weights {
	return Weights{
		Five: 10_000, OpenFour: 5_000, Four: 1_000, OpenThree: 500, Three: 100,
		OpenTwo: 50, Two: 10, OpenOne: 5, One: 1,
		DoubleThree: 1_000, FourThree: 2_000, Position: 1, Tempo: 20, Defence: 1.1,
	}
}

// AttackingWeights returns weights that count one's own stones for more than
// the opponent's.
func AttackingWeights() Weights {
	w := BalancedWeights()
	w.Defence = 0.8
	w.Tempo = 40
	return w
}

// DefensiveWeights returns weights that count the opponent's stones for more
// than the default does.
func DefensiveWeights() Weights {
	w := BalancedWeights()
	w.Defence = 1.5
	return w
}

// validate says which weights are out of range.
func (w *Weights) validate() error {
	var errs []error
	for _, f := range [...]struct {
		name  string
		value int
	}{
		{"Five", w.Five},
		{"OpenFour", w.OpenFour},
		{"Four", w.Four},
		{"OpenThree", w.OpenThree},
		{"Three", w.Three},
		{"OpenTwo", w.OpenTwo},
		{"Two", w.Two},
		{"OpenOne", w.OpenOne},
		{"One", w.One},
		{"DoubleThree", w.DoubleThree},
		{"FourThree", w.FourThree},
		{"Position", w.Position},
		{"Tempo", w.Tempo},
	} {
		if f.value < 0 || f.value > MaxWeight {
			errs = append(errs, fmt.Errorf("weight %s: %d is not 0 to %d", f.name, f.value, MaxWeight))
		}
	}
	if !(w.Defence >= 0 && w.Defence <= maxDefence) { // NaN fails too
		errs = append(errs, fmt.Errorf("weight Defence: %v is not 0 to %d", w.Defence, maxDefence))
	}
	return errors.Join(errs...)
}

// A runTable is the weights of runs by length (up to five) and open ends.
type runTable [6][3]int32

func (w *Weights) runTable() runTable {
	return runTable{
		1: {0, int32(w.One), int32(w.OpenOne)},
		2: {0, int32(w.Two), int32(w.OpenTwo)},
		3: {0, int32(w.Three), int32(w.OpenThree)},
		4: {0, int32(w.Four), int32(w.OpenFour)},
		5: {int32(w.Five), int32(w.Five), int32(w.Five)},
	}
}

// lineValue is what the runs of one colour are worth, with the counts that the
// combination bonuses need.
type lineValue struct {
	value      int32
	openThrees int16
	fours      int16 // open ones included
}

func (v *lineValue) add(o lineValue) {
	v.value += o.value
	v.openThrees += o.openThrees
	v.fours += o.fours
}

func (v *lineValue) sub(o lineValue) {
	v.value -= o.value
	v.openThrees -= o.openThrees
	v.fours -= o.fours
}

// addRun counts a run of n stones, less than five, with its open ends.
func (v *lineValue) addRun(t *runTable, n, open int) {
	v.value += t[n][open]
	if n == 3 && open == 2 {
		v.openThrees++
	}
	if n == 4 && open > 0 {
		v.fours++
	}
}

// combined returns the value with the bonuses for combinations.
func (v *lineValue) combined(w *Weights) int {
	sum := int(v.value)
	if v.openThrees >= 2 {
		sum += w.DoubleThree
	}
	if v.openThrees >= 1 && v.fours >= 1 {
		sum += w.FourThree
	}
	return sum
}

// EvaluatePoint returns what a stone of colour c at p is worth, in evaluator
// units, in O(1): along each of the four directions the run through p by its
// length and open ends, plus combinations and position. The stone need not be
// there yet; whatever is at p is taken to be of colour c. Outside the board it
// is 0.
//
// See Weights for what run-based evaluation cannot see.
func EvaluatePoint(b *Board, p Point, c Color, w *Weights) int {
	if !p.on(b.size) || c != Black && c != White {
		return 0
	}
	t := w.runTable()
	var v lineValue
	s := b.rule.spec()
	for d := range numDirections {
		win := b.lines.window(p, d) &^ (3 << (2 * reach))
		n, open := win.run(c)
		if n < 5 {
			v.addRun(&t, n, open)
		} else if s.five(win.with(c), c) {
			v.value += t[5][0]
		}
	}
	return v.combined(w) + w.Position*edgeDistance(p, b.size)
}

// edgeDistance is how many points lie between p and the nearest edge.
func edgeDistance(p Point, size int) int {
	x, y := p.X(), p.Y()
	return min(x, y, size-1-x, size-1-y)
}

// oddBits is the upper bit of every cell.
const oddBits = lowBits << 1

// run returns the length of the row that a stone of colour c at the window's
// centre belongs to, and how many of its ends are open. The ends are right for
// rows shorter than five; longer ones may reach out of the window.
func (w window) run(c Color) (n, open int) {
	own, _ := w.planes(c)
	// Ones in the odd bits make the own stones next to the centre one block.
	right := uint(bits.TrailingZeros64(^(own>>(2*reach+2) | oddBits))) / 2
	left := uint(bits.LeadingZeros64(^(own<<(64-2*reach) | oddBits))) / 2
	if left >= reach || right >= reach {
		return int(left + 1 + right), 0
	}
	if w>>(2*(reach+1+right))&3 == 0 {
		open++
	}
	if w>>(2*(reach-1-left))&3 == 0 {
		open++
	}
	return int(left + 1 + right), open
}

// evaluateLine sums up the runs of colour c on one line.
func evaluateLine(key uint64, c Color, s *ruleSpec, t *runTable) lineValue {
	var v lineValue
	lo, hi := key&lowBits, key>>1&lowBits
	own := lo &^ hi
	if c == White {
		own = hi &^ lo
	}
	for own != 0 {
		start := uint(bits.TrailingZeros64(own)) // the border is at least five cells
		length := uint(bits.TrailingZeros64(^(own>>start | oddBits)))
		own &^= (1<<length - 1) << start
		if n := int(length / 2); n < 5 {
			open := 0
			if key>>(start-2)&3 == 0 {
				open++
			}
			if key>>(start+length)&3 == 0 {
				open++
			}
			v.addRun(t, n, open)
		} else if s.five(window(key>>(start-2*reach)), c) {
			v.value += t[5][0]
		}
	}
	return v
}

// boardLines yields each line of a board of the given size once, as its place
// in the line keys: n rows, n columns and 2n-1 diagonals either way, 6n-2 in
// all, 88 on 15x15. A diagonal of either kind is named by the sum or difference
// of its coordinates, so that none can be forgotten.
func boardLines(size int) iter.Seq2[int, int] {
	return func(yield func(d, line int) bool) {
		for i := range size {
			if !yield(horizontal, i) || !yield(vertical, i) {
				return
			}
		}
		for i := range 2*size - 1 {
			if !yield(rising, i-(size-1)+MaxSize-1) || !yield(falling, i) {
				return
			}
		}
	}
}

// EvaluateLines returns what all stones of colour c are worth, in evaluator
// units: the runs of each of the board's 6n-2 lines (88 on 15x15), plus
// combinations and position. It looks at the whole board; NewLineEvaluator
// keeps the same sum up to date move by move.
func EvaluateLines(b *Board, c Color, w *Weights) int {
	if c != Black && c != White {
		return 0
	}
	t := w.runTable()
	var v lineValue
	for d, line := range boardLines(b.size) {
		v.add(evaluateLine(b.lines[d][line], c, b.rule.spec(), &t))
	}
	sum := v.combined(w)
	if w.Position != 0 {
		for p := range b.stones[c].All() {
			sum += w.Position * edgeDistance(p, b.size)
		}
	}
	return sum
}

// EvaluateBoard returns the position's worth for colour c, in evaluator units:
// EvaluateLines of c, minus Defence times that of its opponent, plus Tempo if c
// is to move and minus Tempo if not.
func EvaluateBoard(b *Board, c Color, w *Weights) int {
	if c != Black && c != White {
		return 0
	}
	return balance(EvaluateLines(b, c, w), EvaluateLines(b, c.Opponent(), w), c == b.turn, w)
}

// balance weighs own against opponent's worth.
func balance(own, opp int, onTurn bool, w *Weights) int {
	// The conversion keeps the product from being fused into a subtraction,
	// which would round differently on some machines.
	v := own - int(float64(w.Defence*float64(opp)))
	if onTurn {
		return v + w.Tempo
	}
	return v - w.Tempo
}

// Evaluator judges positions for the search. The search calls Reset with its
// own board, then Place after each stone was put on that board and Undo after
// the last one was taken off again; Evaluate returns the position's worth for
// colour c, in any units. Values are cut to plus or minus MaxEstimate, so that
// an estimate is never taken for a proven result. If a method panics, the
// search returns an error and still a legal move.
//
// An Evaluator must not change the board. It is used by one goroutine at a time.
type Evaluator interface {
	Reset(b *Board)
	Place(p Point, c Color)
	Undo()
	Evaluate(c Color) int
}

// lineEvaluator is EvaluateBoard kept up to date: a stone changes four lines.
type lineEvaluator struct {
	weights Weights
	table   runTable
	board   *Board
	spec    *ruleSpec
	lines   [numDirections][maxLines][3]lineValue // by Color
	total   [3]lineValue
	places  [3]int // position worth
	undo    []linePly
}

// linePly is what a move changed: the point, its colour, the old line values.
type linePly struct {
	point Point
	color Color
	old   [numDirections][3]lineValue
}

// NewLineEvaluator returns the evaluator that a search without Shapes uses unless
// told otherwise: its Evaluate is EvaluateBoard with the given weights, kept up to
// date line by line.
func NewLineEvaluator(w Weights) Evaluator { return newLineEvaluator(w) }

func newLineEvaluator(w Weights) *lineEvaluator {
	return &lineEvaluator{weights: w, table: w.runTable()}
}

// Reset follows b from its present position on.
func (e *lineEvaluator) Reset(b *Board) {
	e.board, e.spec = b, b.rule.spec()
	e.total, e.places, e.undo = [3]lineValue{}, [3]int{}, e.undo[:0]
	for d, line := range boardLines(b.size) {
		v := &e.lines[d][line]
		for _, c := range [...]Color{Black, White} {
			v[c] = evaluateLine(b.lines[d][line], c, e.spec, &e.table)
			e.total[c].add(v[c])
		}
	}
	for _, c := range [...]Color{Black, White} {
		for p := range b.stones[c].All() {
			e.places[c] += edgeDistance(p, b.size)
		}
	}
}

// Place brings the four lines through the new stone up to date.
func (e *lineEvaluator) Place(p Point, c Color) {
	e.undo = append(e.undo, linePly{point: p, color: c})
	old := &e.undo[len(e.undo)-1].old
	for d := range numDirections {
		line, _ := lineOf(d, p.X(), p.Y())
		v := &e.lines[d][line]
		old[d] = *v
		key := e.board.lines[d][line]
		for _, side := range [...]Color{Black, White} {
			fresh := evaluateLine(key, side, e.spec, &e.table)
			e.total[side].sub(v[side])
			e.total[side].add(fresh)
			v[side] = fresh
		}
	}
	e.places[c] += edgeDistance(p, e.board.size)
}

// Undo restores what the last Place changed.
func (e *lineEvaluator) Undo() {
	n := len(e.undo) - 1
	m := &e.undo[n]
	e.undo = e.undo[:n]
	for d := range numDirections {
		line, _ := lineOf(d, m.point.X(), m.point.Y())
		v := &e.lines[d][line]
		for _, side := range [...]Color{Black, White} {
			e.total[side].sub(v[side])
			e.total[side].add(m.old[d][side])
		}
		*v = m.old[d]
	}
	e.places[m.color] -= edgeDistance(m.point, e.board.size)
}

// Evaluate returns EvaluateBoard of the present position.
func (e *lineEvaluator) Evaluate(c Color) int {
	if c != Black && c != White {
		return 0
	}
	worth := func(c Color) int {
		return e.total[c].combined(&e.weights) + e.weights.Position*e.places[c]
	}
	return balance(worth(c), worth(c.Opponent()), c == e.board.turn, &e.weights)
}
