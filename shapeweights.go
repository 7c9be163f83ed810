package gomoku

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// ShapeWeights is what the shape evaluation counts: for each empty point what
// the four shapes a side could make there are worth to it, more if it has the
// move than if not, and for each pair of classes what it is worth to have the
// move when these are the best that the two sides have on the board. Values are in evaluator units, from -30000 to 30000;
// an open three with the move is some hundreds.
//
// A ShapeWeights does not change and may be shared by any number of engines.
type ShapeWeights struct {
	combos comboTable
	threat threatTable
}

// comboTable is what is known of each combo.
type comboTable [1 << 16]comboInfo

// threatTable is what the move is worth by the best class of the side that has it
// and that of the other.
type threatTable [numClasses][numClasses]int16

// newShapeWeights returns weights that are all 0.
func newShapeWeights() *ShapeWeights {
	w := new(ShapeWeights)
	for s := range eachShapes {
		w.combos[comboOf(s)] = comboInfo{score: orderScore(s), class: classOf(s)}
	}
	return w
}

// worths is what something is worth to its side with the move and without it, two
// numbers in one word, so that the tracker adds both at once: the first in the
// low half, the second in the high one, less a borrow if the first is negative.
type worths int64

func newWorths(mover, other int16) worths { return worths(mover) + worths(other)<<32 }

func (w worths) mover() int { return int(int32(w)) }
func (w worths) other() int { return int((w - worths(int32(w))) >> 32) }

//go:embed data/shapeweights.txt
var shapeWeightsText string

// DefaultShapeWeights returns the weights that engines use unless told
// otherwise. They were fitted to games the engine played against itself.
var DefaultShapeWeights = sync.OnceValue(func() *ShapeWeights {
	w, err := ParseShapeWeights(shapeWeightsText)
	if err != nil {
		panic(err) // the text is part of the package, and tested
	}
	return w
})

// NewShapeWeights returns the weights that two functions give: point the worth
// of four shapes in any order to the side that has the move and to one that has
// not, threat that of the move for the best class of the mover and of the other
// side. Values beyond the range are cut to it.
func NewShapeWeights(point func(shapes [4]Shape) (mover, other int), threat func(mover, other Class) int) *ShapeWeights {
	const limit = 30_000
	cut := func(v int) int16 { return int16(min(max(v, -limit), limit)) }
	w := newShapeWeights()
	for s := range eachShapes {
		mover, other := point(s)
		w.combos[comboOf(s)].worth = newWorths(cut(mover), cut(other))
	}
	for mover := range numClasses {
		for other := range numClasses {
			w.threat[mover][other] = cut(threat(mover, other))
		}
	}
	return w
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

// Point returns what four shapes at an empty point are worth to their side if
// it has the move, and if not.
func (w *ShapeWeights) Point(shapes [4]Shape) (mover, other int) {
	sum := w.combos[comboOf(shapes)].worth
	return sum.mover(), sum.other()
}

// Threat returns what the move is worth to the side that has it, given the best
// classes on the board.
func (w *ShapeWeights) Threat(mover, other Class) int { return int(w.threat[mover][other]) }

// MarshalText writes the weights, a line for each that is not 0: "point", four
// shapes by number, strongest first, and their worth with and without the move;
// or "threat", the two classes by number, and the worth.
func (w *ShapeWeights) MarshalText() ([]byte, error) {
	var out []byte
	for s := range eachShapes {
		if mover, other := w.Point(s); mover != 0 || other != 0 {
			out = fmt.Appendf(out, "point %d %d %d %d %d %d\n", s[0], s[1], s[2], s[3], mover, other)
		}
	}
	for mover := range numClasses {
		for other := range numClasses {
			if v := w.threat[mover][other]; v != 0 {
				out = fmt.Appendf(out, "threat %d %d %d\n", mover, other, v)
			}
		}
	}
	return out, nil
}

// ParseShapeWeights reads what MarshalText writes. Empty lines and lines that
// begin with "#" are passed over; what is not named is 0.
func ParseShapeWeights(text string) (*ShapeWeights, error) {
	w := newShapeWeights()
	offset := 0
	for line := range strings.Lines(text) {
		at := offset
		offset += len(line)
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		fault := func(reason string) (*ShapeWeights, error) {
			return nil, &ParseError{What: "shape weights", Text: strings.TrimSpace(line), Offset: at, Reason: reason}
		}
		n := make([]int, len(fields)-1)
		for i, f := range fields[1:] {
			v, err := strconv.ParseInt(f, 10, 16)
			if err != nil {
				return fault(fmt.Sprintf("%q is not a number from -32768 to 32767", f))
			}
			n[i] = int(v)
		}
		inRange := func(v []int, end int) bool {
			for _, i := range v {
				if i < 0 || i >= end {
					return false
				}
			}
			return true
		}
		switch {
		case fields[0] == "point" && len(n) == 6 && inRange(n[:4], int(numShapes)):
			w.combos[comboOf([4]Shape{Shape(n[0]), Shape(n[1]), Shape(n[2]), Shape(n[3])})].worth = newWorths(int16(n[4]), int16(n[5]))
		case fields[0] == "threat" && len(n) == 3 && inRange(n[:2], int(numClasses)):
			w.threat[n[0]][n[1]] = int16(n[2])
		default:
			return fault("neither point with four shapes and two values nor threat with two classes and a value")
		}
	}
	return w, nil
}
