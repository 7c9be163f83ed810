package gomoku

import (
	"fmt"
	"math/bits"
	"sync"
)

// Shape is what a stone makes, or would make, of one line for its side.
//
// The shapes have one recursive definition: a five; else what the side's best
// further moves on the line make of it, one step down. Two ways to a five are
// an open four, one way is a four; a way to an open four is an open three, a way
// to a four a closed three; and so on down to a lone stone that may still become
// five. Moves that the rule makes worthless are no ways: overlines where exactly
// five wins, fives closed off at both ends in Caro, and for Renju's Black, where
// an open four is wanted, two fours on one line.
//
// A shape counts ways, not defences: in Caro one stone may stop both fives of an
// open four. And it is about the new stone: a four it is no part of is not in it.
// Threats looks at effects.
type Shape uint8

// The shapes, weakest first.
const (
	NoShape     Shape = iota // no five can come of it
	ClosedOne                // a lone stone, a way to a closed two
	OpenOne                  // a lone stone, a way to an open two
	ClosedTwo                // a way to a closed three
	OpenTwo                  // a way to an open or broken three
	ClosedThree              // a way to a four
	BrokenThree              // one way to an open four
	OpenThree                // several ways to an open four
	SingleFour               // one way to five: a closed or broken four
	TwinFour                 // several ways to five, but not an open four
	OpenFour                 // four in a row, a way to five at both ends
	FiveShape                // a winning row
	LongShape                // an overline that does not win
	numShapes
)

var shapeNames = [numShapes]string{
	"none", "closed one", "open one", "closed two", "open two", "closed three", "broken three", "open three",
	"four", "twin four", "open four", "five", "overline",
}

// String returns the shape's name, such as "open three".
func (s Shape) String() string {
	if s >= numShapes {
		return fmt.Sprintf("Shape(%d)", uint8(s))
	}
	return shapeNames[s]
}

// NumShapes is the number of shapes: Shape(0) to Shape(NumShapes-1).
const NumShapes = int(numShapes)

// ShapesAt returns the shapes that a stone of colour c at the empty point p
// would make along its four lines: horizontal, vertical, rising, falling. At an
// occupied or outside point, and for Empty, they are all NoShape. Fouls are not
// its question: see Board.Foul.
func ShapesAt(b *Board, p Point, c Color) (shapes [4]Shape) {
	if !p.on(b.size) || b.stones[Empty].Has(p) || c != Black && c != White {
		return shapes
	}
	me, _ := sides(c)
	t := b.rule.shapeTable()
	for d := range numDirections {
		shapes[d] = Shape(t.shapesAt(b.lines.window(p, d)) >> (4 * me) & 15)
	}
	return shapes
}

// ClassOf puts the four shapes of a point together. Whether Renju forbids the
// move is not its question.
func ClassOf(shapes [4]Shape) Class { return classOf(shapes) }

// A shapeTable maps the cells around an empty point on one line to the shapes
// that a stone of either colour would make there: Black's in the low four bits,
// White's in the high ones. The index is the window without its centre, and
// without its outermost cells where those can't matter.
type shapeTable struct {
	shapes []uint8
	reach  int    // cells on each side: 4 or 5
	within window // the cells so far from the centre at most
	// By the five cells before the centre of a window, and by the five after it:
	// the cells, as bits of eleven, whose own shapes a stone at the centre may change.
	before, after [1 << (2 * reach)]uint16
}

// seen returns the cells of a window from which a stone at its centre can be seen:
// empty ones within the table's reach that don't have both colours, or the border,
// in between. A side sees no further than the other's first stone.
func (t *shapeTable) seen(w window) uint16 {
	return t.before[w&halfWindow] | t.after[w>>(2*reach+2)&halfWindow]
}

// stirsFours reports whether a stone of c's at the centre of a window may change a four
// or five on its line: one that it is part of has two more stones at least, one that it
// stops has three.
func (t *shapeTable) stirsFours(w window, c Color) bool {
	own, opp := (w & t.within).planes(c)
	return bits.OnesCount64(own) >= 3 || bits.OnesCount64(opp) >= 3
}

// halfWindow is the cells of a window on one side of its centre.
const halfWindow = 1<<(2*reach) - 1

// fillSeen works out before and after.
func (t *shapeTable) fillSeen() {
	for half := range window(halfWindow + 1) {
		for _, dir := range [2]int{-1, 1} {
			cells := uint16(0)
			between := window(0) // the codes met so far
			for i := 1; i <= t.reach && between != border; i++ {
				cell := reach + dir*i
				at := 2 * (i - 1) // in the half, nearest first
				if dir < 0 {
					at = 2 * cell
				}
				code := half >> at & 3
				if code == 0 {
					cells |= 1 << cell
				}
				between |= code
			}
			if dir < 0 {
				t.before[half] = cells
			} else {
				t.after[half] = cells
			}
		}
	}
}

// index returns the place in the table of the window around a point.
func (t *shapeTable) index(w window) uint {
	if t.reach == reach {
		return uint(w&0x3ff | w>>2&0xffc00)
	}
	return uint(w>>2&0xff | w>>4&0xff00)
}

// shapesAt returns both colours' shapes for a window.
func (t *shapeTable) shapesAt(w window) uint8 { return t.shapes[t.index(w)] }

// shapeTables makes each rule's table when it is first asked for.
var shapeTables = [...]func() *shapeTable{
	Freestyle: sync.OnceValue(func() *shapeTable { return newShapeTable(Freestyle) }),
	Standard:  sync.OnceValue(func() *shapeTable { return newShapeTable(Standard) }),
	Renju:     sync.OnceValue(func() *shapeTable { return newShapeTable(Renju) }),
	Caro:      sync.OnceValue(func() *shapeTable { return newShapeTable(Caro) }),
}

// shapeTable returns the rule's table.
func (r Rule) shapeTable() *shapeTable { return shapeTables[r]() }

// newShapeTable works out the table of a rule.
func newShapeTable(rule Rule) *shapeTable {
	spec := rule.spec()
	t := &shapeTable{reach: 4}
	if spec.exact[Black] || spec.exact[White] || spec.capped {
		t.reach = reach // the cell beyond a five decides
	}
	t.within = windowBits &^ (1<<(2*(reach-t.reach)) - 1)
	t.within &= windowBits >> (2 * (reach - t.reach))
	t.fillSeen()
	size := uint(1) << (4 * t.reach)
	t.shapes = make([]uint8, size)
	black := shapeSolver{spec: spec, color: Black, reach: t.reach, known: make([]uint8, size)}
	white := black
	if spec.exact[Black] != spec.exact[White] || spec.fouls[Black] != spec.fouls[White] {
		white = shapeSolver{spec: spec, color: White, reach: t.reach, known: make([]uint8, size)}
	}
	even := uint(lowBits & (uint64(size) - 1))
	for i := range size {
		lo, hi := i&even, i>>1&even
		if spec.capped {
			// Border and opponent differ. Border is only ever outermost.
			if !borderOutside(lo&hi, t.reach) {
				continue
			}
			t.shapes[i] = uint8(black.solve(i)) | uint8(white.solve(hi|lo<<1))<<4
			continue
		}
		// Border blocks like an opponent stone: see it as one.
		t.shapes[i] = uint8(black.solve(lo&^hi|hi<<1)) | uint8(white.solve(hi&^lo|lo<<1))<<4
	}
	return t
}

// borderOutside reports whether no cell that is not border lies beyond one that
// is: in the left half border is lowest, in the right half it is highest.
func borderOutside(border uint, reach int) bool {
	half := uint(1)<<(2*reach) - 1
	cells := border | border<<1
	left, right := cells&half, ^(cells>>(2*reach))&half
	return left&(left+1) == 0 && right&(right+1) == 0
}

// A shapeSolver finds the shape of windows by the recursive definition, from one
// colour's point of view: in its indexes the side's own stones have code 1, the
// opponent's code 2. It remembers what it has found, plus one.
type shapeSolver struct {
	spec  *ruleSpec
	color Color
	reach int
	known []uint8
}

func (s *shapeSolver) solve(i uint) Shape {
	if s.known[i] == 0 {
		s.known[i] = uint8(s.work(i)) + 1
	}
	return Shape(s.known[i] - 1)
}

// work is solve without memory.
func (s *shapeSolver) work(i uint) Shape {
	w := s.window(i)
	// The rule is asked as for a colour, the window as if own were Black.
	own, opp := w.planes(Black)
	if s.spec.fiveIn(own, opp, s.color) {
		return FiveShape
	}
	if s.spec.exact[s.color] && bits.OnesCount64(centreRun(own)) > 5 {
		return LongShape
	}
	var ways [numShapes]int
	first, last := -1, -1
	for cell := range 2 * s.reach {
		if i>>(2*cell)&3 != 0 {
			continue
		}
		next := s.solve(i | 1<<(2*cell))
		ways[next]++
		if next == FiveShape {
			if first < 0 {
				first = cell
			}
			last = cell
		}
	}
	openFours := ways[OpenFour]
	if !s.spec.fouls[s.color] {
		openFours += ways[TwinFour]
	}
	switch {
	case ways[FiveShape] == 2 && last-first == 4:
		return OpenFour // the centre is not counted: five cells apart
	case ways[FiveShape] >= 2:
		return TwinFour
	case ways[FiveShape] == 1:
		return SingleFour
	case openFours >= 2:
		return OpenThree
	case openFours == 1:
		return BrokenThree
	case ways[SingleFour]+ways[TwinFour] > 0:
		return ClosedThree
	case ways[OpenThree]+ways[BrokenThree] > 0:
		return OpenTwo
	case ways[ClosedThree] > 0:
		return ClosedTwo
	case ways[OpenTwo] > 0:
		return OpenOne
	case ways[ClosedTwo] > 0:
		return ClosedOne
	}
	return NoShape
}

// window returns the window that an index stands for, own stone in its centre.
func (s *shapeSolver) window(i uint) window {
	half := uint(1)<<(2*s.reach) - 1
	left, right := window(i&half), window(i>>(2*s.reach))
	return left<<(2*(reach-s.reach)) | 1<<(2*reach) | right<<(2*(reach+1))
}
