package gomoku

import "fmt"

// Class is what a stone at an empty point would be worth as a threat: the
// shapes it makes along its four lines, put together.
type Class uint8

// The classes, weakest first.
const (
	NoClass          Class = iota
	QuietClass             // at best closed twos and ones
	TwoClass               // an open two or a closed three
	TwoTwoClass            // two of these
	ThreeClass             // an open or broken three
	ThreePlusClass         // a three and an open two or closed three
	DoubleThreeClass       // two threes
	FourClass              // a four, which must be answered
	FourPlusClass          // a four with an open two or closed three
	FourThreeClass         // a four with a three
	OpenFourClass          // an open four, or two fours: two ways to five
	FiveClass              // a win
	numClasses
)

// NumClasses is the number of classes: Class(0) to Class(NumClasses-1).
const NumClasses = int(numClasses)

var classNames = [numClasses]string{
	"none", "quiet", "two", "two-two", "three", "three-plus", "double-three", "four", "four-plus", "four-three", "open four", "five",
}

// String returns the class's name, such as "four-three".
func (c Class) String() string {
	if c >= numClasses {
		return fmt.Sprintf("Class(%d)", uint8(c))
	}
	return classNames[c]
}

// classOf puts four shapes together. Whether Renju forbids the move is not its
// question.
func classOf(shapes [numDirections]Shape) Class {
	var n [numShapes]int
	for _, s := range shapes {
		if s < numShapes { // a caller's may not be
			n[s]++
		}
	}
	fours := n[SingleFour] + n[TwinFour] + n[OpenFour]
	threes := n[OpenThree] + n[BrokenThree]
	twos := n[OpenTwo] + n[ClosedThree]
	switch {
	case n[FiveShape] > 0:
		return FiveClass
	case n[OpenFour]+n[TwinFour] > 0 || fours >= 2:
		return OpenFourClass
	case fours == 1 && threes > 0:
		return FourThreeClass
	case fours == 1 && twos > 0:
		return FourPlusClass
	case fours == 1:
		return FourClass
	case threes >= 2:
		return DoubleThreeClass
	case threes == 1 && twos > 0:
		return ThreePlusClass
	case threes == 1:
		return ThreeClass
	case twos >= 2:
		return TwoTwoClass
	case twos == 1:
		return TwoClass
	case n[OpenOne]+n[ClosedTwo]+n[ClosedOne] > 0:
		return QuietClass
	}
	return NoClass
}

// A combo names four shapes without their order: two unordered pairs of shapes,
// the pairs in order. There are few enough of them to index tables that stay in
// the fastest cache.
type combo uint16

const (
	numPairs  = int(numShapes) * (int(numShapes) + 1) / 2
	numCombos = numPairs * numPairs
)

// comboTables is what is known of each combo.
type comboTables struct {
	pair [256]uint8 // two nibbles of shapes to the number of their pair
	of   [numCombos]comboInfo
}

type comboInfo struct {
	score int32  // worth for ordering moves
	tag   uint32 // the combo and, above it, its class
}

var combos = newComboTables()

func newComboTables() *comboTables {
	t := new(comboTables)
	var pairs [numPairs][2]Shape
	n := 0
	for a := range numShapes {
		for b := range a + 1 {
			t.pair[a|b<<4], t.pair[b|a<<4] = uint8(n), uint8(n)
			pairs[n] = [2]Shape{a, b}
			n++
		}
	}
	for i, p := range pairs {
		for j, q := range pairs {
			shapes := [numDirections]Shape{p[0], p[1], q[0], q[1]}
			c := i*numPairs + j
			t.of[c] = newComboInfo(c, shapes)
		}
	}
	return t
}

// shapeWorth and classWorth are what a shape, and beyond its shapes a class, at
// an empty point is worth when moves are ordered.
var (
	shapeWorth = [numShapes]int32{0, 1, 4, 5, 14, 13, 40, 52, 58, 80, 120, 120, 0}
	classWorth = [numClasses]int32{0, 0, 0, 6, 0, 12, 60, 0, 10, 140, 160, 200}
)

func newComboInfo(c int, shapes [numDirections]Shape) comboInfo {
	class := classOf(shapes)
	i := comboInfo{tag: uint32(c) | uint32(class)<<16, score: classWorth[class]}
	for _, s := range shapes {
		i.score += shapeWorth[s]
	}
	return i
}

// tagsOf returns the tags of four shapes of each colour, Black's in the low half.
// The shapes are four bytes, one a direction, each with Black's shape in its low
// half and White's above.
func (t *comboTables) tagsOf(shapes uint32) uint64 {
	black := shapes&0x0f0f0f0f | shapes>>4&0x00f000f0
	white := shapes>>4&0x0f0f0f0f | shapes>>8&0x00f000f0
	b := combo(t.pair[uint8(black)])*combo(numPairs) + combo(t.pair[uint8(black>>16)])
	w := combo(t.pair[uint8(white)])*combo(numPairs) + combo(t.pair[uint8(white>>16)])
	return uint64(t.of[b].tag) | uint64(t.of[w].tag)<<32
}

// pointShapes is what the tracker knows of a point. It is two whole words, so
// that it is written and copied without waiting for parts of them.
type pointShapes struct {
	// A byte a direction with Black's shape and, above it, White's. In a
	// savedPoint the upper half is the point.
	shapes uint64
	tags   uint64 // the tags of Black's and, above, White's combo
}

// shape returns the shape that a stone of a side, 0 for Black, would make.
func (ps *pointShapes) shape(side, direction int) Shape {
	return Shape(ps.shapes >> (8*direction + 4*side) & 15)
}

// class returns the class of the point for a side, 0 for Black.
func (ps *pointShapes) class(side int) Class { return tagClass(ps.tags >> (32 * side)) }

// info returns what is known of the point's combo for a side, 0 for Black.
func (ps *pointShapes) info(side int) *comboInfo { return tagInfo(ps.tags >> (32 * side)) }

func tagClass(tag uint64) Class     { return Class(tag >> 16) }
func tagInfo(tag uint64) *comboInfo { return &combos.of[uint16(tag)] }

// tracker keeps the shapes of every empty point for both colours up to date
// while stones come and go: a stone changes at most the nearest four or five
// points of its four lines. What an occupied point would have been is kept as
// it was, to be right again when the stone is taken back.
//
// place and undo are called after the board has changed.
type tracker struct {
	board   *Board
	table   *shapeTable
	weights *ShapeWeights
	points  [pointLimit]pointShapes
	sets    [2][numClasses]PointSet // the empty points of each class, from ThreeClass up
	sums    trackedSums
	saved   []pointShapes // as they were before a move
	plies   []trackedPly
}

// trackedSums is what the tracker counts over all empty points.
type trackedSums struct {
	count [2][numClasses]int16
	value [2]worths // by side
}

// trackedPly is a move: where it was, where its saved points begin, and the sums
// before it.
type trackedPly struct {
	point Point
	saved int32
	sums  trackedSums
}

// trackedClass is the lowest class whose points are kept as sets.
const trackedClass = ThreeClass

// reset follows b from its present position on.
func (t *tracker) reset(b *Board, w *ShapeWeights) {
	t.board, t.table, t.weights = b, b.rule.shapeTable(), w
	t.sums, t.sets = trackedSums{}, [2][numClasses]PointSet{}
	t.saved, t.plies = t.saved[:0], t.plies[:0]
	for p := range fullSet(b.size).All() {
		shapes := uint32(0)
		for d := range numDirections {
			w := b.lines.window(p, d) &^ (3 << (2 * reach))
			shapes |= uint32(t.table.shapesAt(w)) << (8 * d)
		}
		t.points[p] = pointShapes{uint64(shapes), combos.tagsOf(shapes)}
		if !b.stones[Empty].Has(p) {
			t.count(p, 1)
		}
	}
}

// count counts the empty point p in, or with -1 out.
func (t *tracker) count(p Point, by int16) {
	ps := &t.points[p]
	for side := range t.sets {
		class := ps.class(side)
		t.sums.count[side][class] += by
		t.sums.value[side] += worths(by) * t.worth(ps.tags>>(32*side))
		t.flip(side, class, p)
	}
}

// flip puts p into the set of a class or takes it out.
func (t *tracker) flip(side int, class Class, p Point) {
	if class >= trackedClass {
		t.sets[side][class][p.Y()] ^= 1 << uint(p.X())
	}
}

// place follows a stone put at p.
func (t *tracker) place(p Point) {
	t.plies = append(t.plies, trackedPly{p, int32(len(t.saved)), t.sums})
	t.count(p, -1)
	x, y := p.X(), p.Y()
	far := t.table.reach
	for d := range numDirections {
		line, cell := lineOf(d, x, y)
		key := t.board.lines[d][line]
		q := p
		for c := cell - 1; c >= cell-far; c-- {
			q -= step[d]
			if code := key >> (2 * uint(c+reach) & 63) & 3; code == border {
				break
			} else if code == 0 {
				t.update(q, d, t.table.shapesAt(window(key>>(2*uint(c)&63))))
			}
		}
		q = p
		for c := cell + 1; c <= cell+far; c++ {
			q += step[d]
			if code := key >> (2 * uint(c+reach) & 63) & 3; code == border {
				break
			} else if code == 0 {
				t.update(q, d, t.table.shapesAt(window(key>>(2*uint(c)&63))))
			}
		}
	}
}

// update gives the empty point p its new shapes in direction d.
func (t *tracker) update(p Point, d int, s uint8) {
	ps := &t.points[p]
	shift := uint(8 * d)
	shapes, tags := ps.shapes, ps.tags
	if uint8(shapes>>shift) == s {
		return
	}
	t.saved = append(t.saved, pointShapes{shapes | uint64(p)<<32, tags})
	shapes ^= (shapes>>shift ^ uint64(s)) & 0xff << shift
	fresh := combos.tagsOf(uint32(shapes))
	ps.shapes, ps.tags = shapes, fresh
	for side := range t.sets {
		was, is := tags>>(32*side), fresh>>(32*side)
		if uint32(was) == uint32(is) {
			continue
		}
		t.sums.value[side] += t.worth(is) - t.worth(was)
		if was, is := tagClass(was), tagClass(is); was != is {
			t.sums.count[side][was]--
			t.sums.count[side][is]++
			t.flip(side, was, p)
			t.flip(side, is, p)
		}
	}
}

// undo takes back the last place.
func (t *tracker) undo() {
	n := len(t.plies) - 1
	m := &t.plies[n]
	t.plies = t.plies[:n]
	for i := len(t.saved) - 1; i >= int(m.saved); i-- {
		old := t.saved[i]
		p := Point(old.shapes >> 32)
		old.shapes = uint64(uint32(old.shapes))
		ps := &t.points[p]
		for side := range t.sets {
			if was, is := ps.class(side), old.class(side); was != is {
				t.flip(side, was, p)
				t.flip(side, is, p)
			}
		}
		*ps = old
	}
	t.saved = t.saved[:m.saved]
	t.sums = m.sums
	for side := range t.sets {
		t.flip(side, t.points[m.point].class(side), m.point)
	}
}

// worth returns the worths of a point's combo, given its tag.
func (t *tracker) worth(tag uint64) worths { return t.weights.combo[uint16(tag)] }

// best returns the best class that any empty point has for a side.
func (t *tracker) best(side int) Class {
	class := numClasses - 1
	for class > 0 && t.sums.count[side][class] == 0 {
		class--
	}
	return class
}

// evaluate returns the position's worth for colour c: what the empty points
// offer to either side, and the move.
func (t *tracker) evaluate(c Color) int {
	mover, other := sides(t.board.turn)
	v := t.sums.value[mover].mover() - t.sums.value[other].other() + int(t.weights.threat[t.best(mover)][t.best(other)])
	if c != t.board.turn {
		return -v
	}
	return v
}
