package gomoku

import (
	_ "embed"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ShapeWeights is what the shape evaluation counts. The estimate, for the side that has
// the move, is the sum of
//
//   - "point": for each empty point, what the four shapes that a side could make
//     there are worth to it with the move, and what they cost when they are the
//     other's;
//   - "pair": for each empty point, its class for the mover and for the other;
//   - what a network with one hidden layer makes of the numbers of points of each class
//     that the two sides have: a "row" of [NumHidden] values for each number, up to 7,
//     that are added to the "bias" of each hidden unit; [HiddenUnit] of the sum makes
//     an output of 1, from 0 to [HiddenMost], and the "out" of each unit is what 1 is
//     worth. "base" is added to that;
//   - in that network, what the empty points say to each side: the sum of the four rows
//     of [NumPointUnits] values, from -31 to 31, of the patterns that the side sees from
//     the point, cut off at 0. All points together, times a "sum" weight of -4000 to
//     4000 for each hidden unit and divided by [SumUnit], it is added to the unit.
//
// Points, pairs, outs and base are in evaluator units, from -30000 to 30000; an open
// three with the move is some hundreds. A ShapeWeights does not change and may be shared by any
// number of engines. The zero value is not usable: call NewShapeWeights.
type ShapeWeights struct {
	values []int16 // by number of the weight

	combos comboTable
	pairs  [numClasses][numClasses]worths // by Black's and White's class, to each if it has the move
	net    shapeNet
	points pointNet
}

// comboTable is what is known of each combo.
type comboTable [1 << 16]comboInfo

// numKinds is how many ways there are to choose four shapes without order.
const numKinds = 1820

// The numbers of the weights: first those of points for the mover, by kind, then
// those for the other, the pairs and the rows of the network.
const (
	otherWeights = numKinds
	pairWeights  = 2 * numKinds
	rowWeights   = pairWeights + NumClasses*NumClasses

	BiasWeights     = rowWeights + netRows*NumHidden // the number of the first of NumHidden biases
	OutWeights      = BiasWeights + NumHidden        // the number of the first of as many outputs' worths
	BaseWeight      = OutWeights + NumHidden         // the number of the base
	PatternWeights  = BaseWeight + 1                 // the number of the first of NumPatterns rows of NumPointUnits
	SumWeights      = PatternWeights + NumPatterns*NumPointUnits
	NumShapeWeights = SumWeights + 2*NumPointUnits*NumHidden // how many weights there are
)

// worths is what something is worth in two cases, with the move and without it
// or when the one or the other side has it, in one word, so that the tracker adds
// both at once: the first in the low half, the second in the high one, less a
// borrow if the first is negative.
type worths int64

func newWorths(first, second int16) worths { return worths(first) + worths(second)<<32 }

func (w worths) first() int  { return int(int32(w)) }
func (w worths) second() int { return int((w - worths(int32(w))) >> 32) }

//go:embed data/shapeweights.txt
var shapeWeightsText string

// DefaultShapeWeights returns the weights that engines use unless told
// otherwise. They were fitted to what the engine's search found in positions of
// games it played against itself.
var DefaultShapeWeights = sync.OnceValue(func() *ShapeWeights {
	w, err := ParseShapeWeights(shapeWeightsText)
	if err != nil {
		panic(err) // the text is part of the package, and tested
	}
	return w
})

// NewShapeWeights returns weights with the given values, by the numbers that ShapeTerms
// and ShapeRows use. There must be NumShapeWeights of them; values beyond the range are
// cut to it, which is from -1400 to 1400 for rows and biases.
func NewShapeWeights(values []int) (*ShapeWeights, error) {
	if len(values) != NumShapeWeights {
		return nil, fmt.Errorf("%w: %d shape weights instead of %d", ErrOption, len(values), NumShapeWeights)
	}
	v := make([]int16, len(values))
	for i := range values {
		limit := weightLimit(i)
		v[i] = int16(min(max(values[i], -limit), limit))
	}
	return newShapeWeights(v), nil
}

// weightLimit is the range of the weight with the given number.
func weightLimit(i int) int {
	switch {
	case rowWeights <= i && i < OutWeights:
		return hiddenLimit
	case PatternWeights <= i && i < SumWeights:
		return patternLimit
	case SumWeights <= i:
		return sumLimit
	}
	return 30_000
}

// newShapeWeights makes the tables for the values.
func newShapeWeights(values []int16) *ShapeWeights {
	w := &ShapeWeights{values: values}
	for s := range eachShapes {
		k := kindOf(s)
		w.combos[comboOf(s)] = comboInfo{newWorths(values[k], values[otherWeights+k]), orderScore(s), classOf(s)}
	}
	for a := range NumClasses {
		for b := range NumClasses {
			w.pairs[a][b] = newWorths(values[pairWeight(a, b)], values[pairWeight(b, a)])
		}
	}
	row := func(first int) hiddenSum { return newHiddenSum(values[first : first+NumHidden]) }
	for side := range w.net.rows {
		for class := 1; class < NumClasses; class++ {
			for n := range maxCount + 1 {
				w.net.rows[side][class][n] = row(rowWeight(side, class, n))
			}
		}
	}
	w.net.biases = row(BiasWeights)
	copy(w.net.out[:], values[OutWeights:])
	w.net.base = values[BaseWeight]
	w.points.fill(values)
	return w
}

// Values returns the values by the numbers of the weights.
func (w *ShapeWeights) Values() []int {
	values := make([]int, len(w.values))
	for i, v := range w.values {
		values[i] = int(v)
	}
	return values
}

// pair returns the worths of a point's two classes.
func (w *ShapeWeights) pair(ps pointShapes) worths {
	return w.pairs[w.combos[ps.combo(0)].class][w.combos[ps.combo(1)].class]
}

func pairWeight(mover, other int) int { return pairWeights + mover*NumClasses + other }

// kindOf numbers four shapes without regard to their order: the combinatorial
// number system on the sorted shapes.
func kindOf(s [numDirections]Shape) int {
	slices.Sort(s[:])
	a, b, c, d := int(s[0]), int(s[1]), int(s[2]), int(s[3])
	return a + b*(b+1)/2 + c*(c+1)*(c+2)/6 + d*(d+1)*(d+2)*(d+3)/24
}

// eachShapes yields every choice of four shapes once, strongest first.
func eachShapes(yield func([4]Shape) bool) {
	for a := range numShapes {
		for b := range a + 1 {
			for c := range b + 1 {
				for d := range c + 1 {
					if !yield([4]Shape{a, b, c, d}) {
						return
					}
				}
			}
		}
	}
}

// classCounts is how many empty points of each class a side has.
type classCounts [numClasses]int16

// fours is at how many points the side makes a four, but no five.
func (c *classCounts) fours() int {
	return int(c[FourClass] + c[FourPlusClass] + c[FourThreeClass] + c[OpenFourClass])
}

// A ShapeTerm is a weight of the shape evaluation and how often a position has
// what it weighs; a count is negative for what only the other side has.
type ShapeTerm struct {
	Weight int // 0 to NumShapeWeights-1
	Count  int
}

// ShapeTerms appends to terms what the shape evaluation of the position adds up
// for the side to move, but for the network: the sum of the counts times the values of
// the weights. A weight may come up more than once. Together with ShapeRows and
// ShapePatterns this is for fitting weights; the search keeps the sum up to date move by
// move.
func ShapeTerms(terms []ShapeTerm, b *Board) []ShapeTerm {
	for p := range b.Stones(Empty).All() {
		mine, theirs := ShapesAt(b, p, b.turn), ShapesAt(b, p, b.turn.Opponent())
		terms = append(terms, ShapeTerm{kindOf(mine), 1}, ShapeTerm{otherWeights + kindOf(theirs), -1},
			ShapeTerm{pairWeight(int(classOf(mine)), int(classOf(theirs))), 1})
	}
	return terms
}

// weightKinds describes the lines of the text form: the numbers that come first, each
// from a least to below a limit, how many values follow them, and which weight the first
// value is; the others are those after it.
var weightKinds = [...]struct {
	name   string
	keys   []keyRange
	values func(k []int) int
	weight func(k []int) int
}{
	{"point", []keyRange{{0, NumShapes}}, kindsUpTo, func(k []int) int { return kindOf([4]Shape{Shape(k[0])}) }},
	{"against", []keyRange{{0, NumShapes}}, kindsUpTo, func(k []int) int { return otherWeights + kindOf([4]Shape{Shape(k[0])}) }},
	{"pair", []keyRange{{0, NumClasses}}, always(NumClasses), func(k []int) int { return pairWeight(k[0], 0) }},
	{"row", []keyRange{{0, 2}, {1, NumClasses}, {0, maxCount + 1}}, always(NumHidden), func(k []int) int { return rowWeight(k[0], k[1], k[2]) }},
	{"bias", nil, always(NumHidden), func([]int) int { return BiasWeights }},
	{"out", nil, always(NumHidden), func([]int) int { return OutWeights }},
	{"base", nil, always(1), func([]int) int { return BaseWeight }},
	{"sum", []keyRange{{0, 2}, {0, NumPointUnits}}, always(NumHidden), func(k []int) int { return sumWeight(k[0], k[1]) }},
	{
		"pattern",
		[]keyRange{{0, numSights}},
		func(k []int) int { return (k[0] + 1) * NumPointUnits },
		func(k []int) int { return patternWeight(patternOf(uint8(k[0]), 0)) },
	},
}

// kindsUpTo is how many kinds of four shapes have the given one as the strongest.
func kindsUpTo(k []int) int { return (k[0] + 1) * (k[0] + 2) * (k[0] + 3) / 6 }

func always(n int) func([]int) int { return func([]int) int { return n } }

type keyRange struct{ least, limit int }

// MarshalText writes the weights, a line for some of them where not all are 0: a name,
// numbers, and the values. After the name stand
//
//   - for "point" and "against", what points are worth with the move and what they cost as
//     the other's, the strongest of the four shapes; the values are in the order of the
//     second shape, then the third, then the fourth;
//   - for "pair", the mover's class; the values are by the other's;
//   - for "row", 0 for the mover or 1 for the other, the class and the number of points;
//   - for "sum", 0 or 1 as well, and which of the values that points have;
//   - for "pattern", how one side of the point looks; the values are by how the other side
//     looks, up to the same number, [NumPointUnits] each.
//
// The others have nothing there.
func (w *ShapeWeights) MarshalText() ([]byte, error) {
	var out []byte
	for _, k := range weightKinds {
		for keys := range eachKeys(k.keys) {
			values := w.values[k.weight(keys):][:k.values(keys)]
			if !slices.ContainsFunc(values, func(v int16) bool { return v != 0 }) {
				continue
			}
			out = append(out, k.name...)
			for _, key := range keys {
				out = fmt.Appendf(out, " %d", key)
			}
			for _, v := range values {
				out = fmt.Appendf(out, " %d", v)
			}
			out = append(out, '\n')
		}
	}
	return out, nil
}

// eachKeys yields all choices of a number from each range, the last changing fastest.
func eachKeys(ranges []keyRange) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		keys := make([]int, len(ranges))
		for i, r := range ranges {
			keys[i] = r.least
		}
		for {
			if !yield(keys) {
				return
			}
			i := len(keys) - 1
			for ; i >= 0; i-- {
				if keys[i]++; keys[i] < ranges[i].limit {
					break
				}
				keys[i] = ranges[i].least
			}
			if i < 0 {
				return
			}
		}
	}
}

// ParseShapeWeights reads what MarshalText writes. Empty lines and lines that
// begin with "#" are passed over; what is not named is 0.
func ParseShapeWeights(text string) (*ShapeWeights, error) {
	values := make([]int16, NumShapeWeights)
	number := 0
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if reason := parseWeight(values, fields); reason != "" {
			return nil, &ParseError{What: "shape weights", Text: strings.TrimSpace(line), Reason: fmt.Sprintf("line %d: %s", number, reason)}
		}
	}
	return newShapeWeights(values), nil
}

// parseWeight puts what a line says into values, or returns what is wrong with it.
func parseWeight(values []int16, fields []string) (fault string) {
	for _, k := range weightKinds {
		if k.name != fields[0] {
			continue
		}
		numbers := make([]int, len(fields)-1)
		for i, f := range fields[1:] {
			v, err := strconv.Atoi(f)
			if err != nil {
				return fmt.Sprintf("%q is not a number", f)
			}
			numbers[i] = v
			if i < len(k.keys) && (v < k.keys[i].least || v >= k.keys[i].limit) {
				return fmt.Sprintf("%d is not %d to %d", v, k.keys[i].least, k.keys[i].limit-1)
			}
		}
		if len(numbers) < len(k.keys) {
			return fmt.Sprintf("%s has %d numbers before its values", k.name, len(k.keys))
		}
		keys, given := numbers[:len(k.keys)], numbers[len(k.keys):]
		if n := k.values(keys); len(given) != n {
			return fmt.Sprintf("%s has %d numbers and %d values", k.name, len(k.keys), n)
		}
		first := k.weight(keys)
		for i, v := range given {
			at := first + i
			if limit := weightLimit(at); v < -limit || v > limit {
				return fmt.Sprintf("%d is not -%d to %d", v, limit, limit)
			}
			values[at] = int16(v)
		}
		return ""
	}
	return fmt.Sprintf("%q is no kind of weight", fields[0])
}
