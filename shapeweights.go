package gomoku

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ShapeWeights is what the shape evaluation counts. The estimate is a sum of
// weights, for the side that has the move:
//
//   - "point": for each empty point, what the four shapes that a side could make
//     there are worth to it with the move, and what they cost when they are the
//     other's;
//   - "pair": for each empty point, its class for the mover and for the other;
//   - "best": once, the best classes that the two sides have anywhere;
//   - "count": for each class, how many such points the two have, up to 7;
//   - "force": once, how many fours and double-threes the mover has in hand, and
//     how many open fours, fours and double-threes the other.
//
// Values are in evaluator units, from -30000 to 30000; an open three with the
// move is some hundreds. A ShapeWeights does not change and may be shared by any
// number of engines. The zero value is not usable: call NewShapeWeights.
type ShapeWeights struct {
	values []int16 // by number of the weight

	combos comboTable
	pairs  [numClasses][numClasses]worths // by Black's and White's class, to each if it has the move
	best   [numClasses][numClasses]int16
	counts [numClasses][maxCount + 1][maxCount + 1]int16
	force  [numForces]int16
}

// comboTable is what is known of each combo.
type comboTable [1 << 16]comboInfo

const (
	maxCount  = 7                 // more points of a class count as so many
	numForces = 4 * 3 * 3 * 4 * 3 // values of forceOf
	numKinds  = 1820              // ways to choose four shapes without order
)

// The numbers of the weights: first those of points for the mover, by kind, then
// those for the other, and so on.
const (
	otherWeights = numKinds
	pairWeights  = 2 * numKinds
	bestWeights  = pairWeights + NumClasses*NumClasses
	countWeights = bestWeights + NumClasses*NumClasses
	forceWeights = countWeights + NumClasses*(maxCount+1)*(maxCount+1)

	// NumShapeWeights is how many weights there are.
	NumShapeWeights = forceWeights + numForces
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

// NewShapeWeights returns weights with the given values, by the numbers that
// ShapeTerms uses. There must be NumShapeWeights of them; values beyond the range
// are cut to it.
func NewShapeWeights(values []int) (*ShapeWeights, error) {
	if len(values) != NumShapeWeights {
		return nil, fmt.Errorf("%w: %d shape weights instead of %d", ErrOption, len(values), NumShapeWeights)
	}
	const limit = 30_000
	v := make([]int16, len(values))
	for i := range values {
		v[i] = int16(min(max(values[i], -limit), limit))
	}
	return newShapeWeights(v), nil
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
			w.best[a][b] = values[bestWeights+a*NumClasses+b]
			for i := 0; a == 0 && b > 0 && i < (maxCount+1)*(maxCount+1); i++ {
				w.counts[b][i/(maxCount+1)][i%(maxCount+1)] = values[countWeight(b, i/(maxCount+1), i%(maxCount+1))]
			}
		}
	}
	copy(w.force[:], values[forceWeights:])
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

func countWeight(class, mover, other int) int {
	return countWeights + (class*(maxCount+1)+mover)*(maxCount+1) + other
}

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

// forceOf numbers what the two sides can force, as far as it matters to the one
// that has the move.
func forceOf(mover, other *classCounts) int {
	fours := func(c *classCounts) int { return int(min(c[FourClass]+c[FourPlusClass]+c[FourThreeClass], 3)) }
	f := fours(mover)
	f = f*3 + int(min(mover[DoubleThreeClass], 2))
	f = f*3 + int(min(other[OpenFourClass], 2))
	f = f*4 + fours(other)
	return f*3 + int(min(other[DoubleThreeClass], 2))
}

// A ShapeTerm is a weight of the shape evaluation and how often a position has
// what it weighs; a count is negative for what only the other side has.
type ShapeTerm struct {
	Weight int // 0 to NumShapeWeights-1
	Count  int
}

// ShapeTerms appends to terms what the shape evaluation of the position adds up
// for the side to move: its estimate is the sum of the counts times the values of
// the weights. A weight may come up more than once. This is for fitting weights;
// the search keeps the sum up to date move by move.
func ShapeTerms(terms []ShapeTerm, b *Board) []ShapeTerm {
	mover, other := b.turn, b.turn.Opponent()
	var counts [2]classCounts
	var best [2]Class
	empty := b.Stones(Empty)
	for p := range empty.All() {
		mine, theirs := ShapesAt(b, p, mover), ShapesAt(b, p, other)
		classes := [2]Class{classOf(mine), classOf(theirs)}
		terms = append(terms, ShapeTerm{kindOf(mine), 1}, ShapeTerm{otherWeights + kindOf(theirs), -1},
			ShapeTerm{pairWeight(int(classes[0]), int(classes[1])), 1})
		for i, c := range classes {
			counts[i][c]++
			best[i] = max(best[i], c)
		}
	}
	terms = append(terms, ShapeTerm{bestWeights + int(best[0])*NumClasses + int(best[1]), 1})
	for class := 1; class < NumClasses; class++ {
		mine, theirs := min(counts[0][class], maxCount), min(counts[1][class], maxCount)
		terms = append(terms, ShapeTerm{countWeight(class, int(mine), int(theirs)), 1})
	}
	return append(terms, ShapeTerm{forceWeights + forceOf(&counts[0], &counts[1]), 1})
}

// weightKinds describes the lines of the text form: how many numbers name a
// weight, and how many values there are.
var weightKinds = [...]struct {
	name        string
	keys, limit int // numbers before the values, each from 0 to below limit
	values      int
	weight      func(k []int) int // number of the first value's weight
	apart       int               // of the second value's weight
}{
	{"point", 4, NumShapes, 2, func(k []int) int {
		return kindOf([4]Shape{Shape(k[0]), Shape(k[1]), Shape(k[2]), Shape(k[3])})
	}, otherWeights},
	{"pair", 2, NumClasses, 1, func(k []int) int { return pairWeight(k[0], k[1]) }, 0},
	{"best", 2, NumClasses, 1, func(k []int) int { return bestWeights + k[0]*NumClasses + k[1] }, 0},
	{"count", 3, NumClasses, 1, func(k []int) int { return countWeight(k[0], min(k[1], maxCount), min(k[2], maxCount)) }, 0},
	{"force", 1, numForces, 1, func(k []int) int { return forceWeights + k[0] }, 0},
}

// MarshalText writes the weights, a line for each that is not 0: its kind, as
// above, the numbers of the shapes, strongest first, or of the classes, or the
// class and the counts, or the number of the forces, and the value; a point has
// two, with the move and without.
func (w *ShapeWeights) MarshalText() ([]byte, error) {
	var out []byte
	line := func(kind int, keys ...int) {
		k := &weightKinds[kind]
		i := k.weight(keys)
		values := []int16{w.values[i], w.values[i+k.apart]}[:k.values]
		if !slices.ContainsFunc(values, func(v int16) bool { return v != 0 }) {
			return
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
	for s := range eachShapes {
		line(0, int(s[0]), int(s[1]), int(s[2]), int(s[3]))
	}
	for kind := 1; kind <= 2; kind++ {
		for mover := range NumClasses {
			for other := range NumClasses {
				line(kind, mover, other)
			}
		}
	}
	for class := range NumClasses {
		for mover := range maxCount + 1 {
			for other := range maxCount + 1 {
				line(3, class, mover, other)
			}
		}
	}
	for f := range numForces {
		line(4, f)
	}
	return out, nil
}

// ParseShapeWeights reads what MarshalText writes. Empty lines and lines that
// begin with "#" are passed over; what is not named is 0.
func ParseShapeWeights(text string) (*ShapeWeights, error) {
	values := make([]int16, NumShapeWeights)
	offset := 0
	for line := range strings.Lines(text) {
		at := offset
		offset += len(line)
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if reason := parseWeight(values, fields); reason != "" {
			return nil, &ParseError{What: "shape weights", Text: strings.TrimSpace(line), Offset: at, Reason: reason}
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
		if len(fields) != 1+k.keys+k.values {
			return fmt.Sprintf("%s has %d numbers and %d values", k.name, k.keys, k.values)
		}
		numbers := make([]int, len(fields)-1)
		for i, f := range fields[1:] {
			v, err := strconv.ParseInt(f, 10, 16)
			if err != nil {
				return fmt.Sprintf("%q is not a number from -32768 to 32767", f)
			}
			if numbers[i] = int(v); i < k.keys && (v < 0 || int(v) >= k.limit) {
				return fmt.Sprintf("%d is not 0 to %d", v, k.limit-1)
			}
		}
		first := k.weight(numbers[:k.keys])
		for i, v := range numbers[k.keys:] {
			values[first+i*k.apart] = int16(v)
		}
		return ""
	}
	return fmt.Sprintf("%q is no kind of weight", fields[0])
}
