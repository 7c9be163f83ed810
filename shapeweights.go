package gomoku

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// ShapeWeights is what the shape evaluation counts: for each empty point what
// the four shapes a side could make there are worth to it, and for each pair of
// classes what it is worth to have the move when these are the best that the two
// sides have on the board. Values are in evaluator units, from -30000 to 30000;
// an open three with the move is some hundreds.
//
// A ShapeWeights does not change and may be shared by any number of engines.
type ShapeWeights struct {
	combo  [numCombos]int16
	threat [numClasses][numClasses]int16 // by the best class of the mover and the other
}

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
// of four shapes in any order, threat that of the move for the best class of
// the mover and of the other side. Values beyond the range are cut to it.
func NewShapeWeights(point func(shapes [4]Shape) int, threat func(mover, other Class) int) *ShapeWeights {
	const limit = 30_000
	cut := func(v int) int16 { return int16(min(max(v, -limit), limit)) }
	w := new(ShapeWeights)
	for a := range numShapes {
		for b := range a + 1 {
			for c := range b + 1 {
				for d := range c + 1 {
					w.setCombo([numDirections]Shape{a, b, c, d}, cut(point([4]Shape{a, b, c, d})))
				}
			}
		}
	}
	for mover := range numClasses {
		for other := range numClasses {
			w.threat[mover][other] = cut(threat(mover, other))
		}
	}
	return w
}

// setCombo sets the value of four shapes in every order.
func (w *ShapeWeights) setCombo(s [numDirections]Shape, v int16) {
	pair := func(a, b Shape) int { return int(combos.pair[a|b<<4]) }
	for _, half := range [3][4]Shape{{s[0], s[1], s[2], s[3]}, {s[0], s[2], s[1], s[3]}, {s[0], s[3], s[1], s[2]}} {
		p, q := pair(half[0], half[1]), pair(half[2], half[3])
		w.combo[p*numPairs+q], w.combo[q*numPairs+p] = v, v
	}
}

// Point returns what four shapes at an empty point are worth to their side.
func (w *ShapeWeights) Point(shapes [4]Shape) int {
	pair := func(a, b Shape) int { return int(combos.pair[a|b<<4]) }
	return int(w.combo[pair(shapes[0], shapes[1])*numPairs+pair(shapes[2], shapes[3])])
}

// Threat returns what the move is worth to the side that has it, given the best
// classes on the board.
func (w *ShapeWeights) Threat(mover, other Class) int { return int(w.threat[mover][other]) }

// MarshalText writes the weights, a line for each value that is not 0: "point",
// four shapes by number, strongest first, and the worth; or "threat", the two
// classes by number, and the worth.
func (w *ShapeWeights) MarshalText() ([]byte, error) {
	var out []byte
	for a := range numShapes {
		for b := range a + 1 {
			for c := range b + 1 {
				for d := range c + 1 {
					if v := w.Point([4]Shape{a, b, c, d}); v != 0 {
						out = fmt.Appendf(out, "point %d %d %d %d %d\n", a, b, c, d, v)
					}
				}
			}
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
	w := new(ShapeWeights)
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
		case fields[0] == "point" && len(n) == 5 && inRange(n[:4], int(numShapes)):
			w.setCombo([numDirections]Shape{Shape(n[0]), Shape(n[1]), Shape(n[2]), Shape(n[3])}, int16(n[4]))
		case fields[0] == "threat" && len(n) == 3 && inRange(n[:2], int(numClasses)):
			w.threat[n[0]][n[1]] = int16(n[2])
		default:
			return fault("neither point with four shapes nor threat with two classes, and a value")
		}
	}
	return w, nil
}
