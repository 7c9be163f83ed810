package gomoku

import (
	"fmt"
	"math/bits"
)

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

// A combo names four shapes without their order: the sum of their codes.
type combo uint16

// shapeCodes has, of the numbers in increasing order, the first whose sums of
// four are all different (a greedy B4 sequence). Replacing one shape of a combo
// is then an addition, and the combos of weak shapes, which are met most, are
// close together.
var shapeCodes = [numShapes]combo{0, 1, 5, 21, 55, 153, 368, 856, 1424, 2603, 4967, 8194, 13663}

// comboOf returns the combo of four shapes.
func comboOf(shapes [numDirections]Shape) (c combo) {
	for _, s := range shapes {
		c += shapeCodes[s]
	}
	return c
}

// comboInfo is what is known of a combo.
type comboInfo struct {
	worth worths
	score int32 // worth for ordering moves
	class Class
}

// shapeWorth and classWorth are what a shape, and beyond its shapes a class, at
// an empty point is worth when moves are ordered.
var (
	shapeWorth = [numShapes]int32{0, 1, 4, 5, 14, 13, 40, 52, 58, 80, 120, 120, 0}
	classWorth = [numClasses]int32{0, 0, 0, 6, 0, 12, 60, 0, 10, 140, 160, 200}
)

// orderScore is the worth of four shapes for ordering moves.
func orderScore(shapes [numDirections]Shape) int32 {
	score := classWorth[classOf(shapes)]
	for _, s := range shapes {
		score += shapeWorth[s]
	}
	return score
}

// codesOf has for a byte of two shapes, Black's in the low half, the codes of
// both, Black's in the low half.
var codesOf = newCodesOf()

func newCodesOf() (codes [256]uint32) {
	for b, black := range shapeCodes {
		for w, white := range shapeCodes {
			codes[b|w<<4] = uint32(black) | uint32(white)<<16
		}
	}
	return codes
}

// pointShapes is what the tracker knows of a point, in one word: in the low half
// a byte a direction with Black's shape and, above it, White's; in the high half
// Black's combo and, above it, White's.
type pointShapes uint64

// newPointShapes returns the word for four bytes of shapes.
func newPointShapes(shapes uint32) pointShapes {
	codes := uint32(0)
	for d := range numDirections {
		codes += codesOf[uint8(shapes>>(8*d))]
	}
	return pointShapes(shapes) | pointShapes(codes)<<32
}

// with returns the word with direction d's byte of shapes changed from was to is.
func (ps pointShapes) with(d int, was, is uint8) pointShapes {
	return ps ^ pointShapes(was^is)<<(8*uint(d)&31) + pointShapes(codesOf[is]-codesOf[was])<<32
}

// shape returns the shape that a stone of a side, 0 for Black, would make.
func (ps pointShapes) shape(side, direction int) Shape {
	return Shape(ps >> (8*direction + 4*side) & 15)
}

// combo returns the combo of a side, 0 for Black.
func (ps pointShapes) combo(side int) combo { return combo(ps >> (32 + 16*uint(side)&63)) }

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
	points  [pointSpace]pointShapes
	sets    [2][numClasses]PointSet // the empty points of each class, from ThreeClass up
	sums    trackedSums
	units   pointUnits
	blind   bool         // nobody asks for the evaluation: what points say is left out
	saved   []savedPoint // as they were before a move
	plies   []trackedPly
}

// pointSpace is a power of two above all points: an index cut to it needs no
// check.
const pointSpace = 1 << 10

// trackedSums is what the tracker counts over all empty points.
type trackedSums struct {
	count [2]classCounts
	value [2]worths // of the points, by side
	pairs worths    // of the points' two classes, if Black has the move, and if White
	units unitSums  // of what the points say to each side
}

// savedPoint is a point as it was before a move, in two words that are written
// and read whole. The second is the point and, above it, a byte a side: the sets
// it was moved between, the old one in the low half, or 0.
type savedPoint struct {
	shapes pointShapes
	moved  uint64
}

// trackedPly is a move: where it was, where its saved points and their units begin, and
// the sums before it.
type trackedPly struct {
	point Point
	saved int32
	units int32
	sums  trackedSums
}

// trackedClass is the lowest class whose points are kept as sets.
const trackedClass = ThreeClass

// reset follows b from its present position on.
func (t *tracker) reset(b *Board, w *ShapeWeights) {
	t.board, t.table, t.weights = b, b.rule.shapeTable(), w
	t.sums, t.sets = trackedSums{}, [2][numClasses]PointSet{}
	t.saved, t.plies = t.saved[:0], t.plies[:0]
	empty := b.Stones(Empty)
	for y := range b.size {
		for row := empty[y]; row != 0; row &= row - 1 {
			p := lowestPoint(y, row)
			shapes := uint32(0)
			for d := range numDirections {
				shapes |= uint32(t.table.shapesAt(b.lines.window(p, d))) << (8 * d)
			}
			t.points[p] = newPointShapes(shapes)
			t.count(p, 1)
		}
	}
	if !t.blind {
		t.sums.units = t.units.reset(&w.points, b)
	}
}

// info returns what is known of the combo that side 0, Black, or 1 has at p.
func (t *tracker) info(p Point, side int) *comboInfo {
	return &t.weights.combos[t.points[p].combo(side)]
}

// class returns the class of p for a side.
func (t *tracker) class(p Point, side int) Class { return t.info(p, side).class }

// count counts the empty point p in, or with -1 out.
func (t *tracker) count(p Point, by int16) {
	black, white := t.info(p, 0), t.info(p, 1)
	for side, info := range [2]*comboInfo{black, white} {
		t.sums.count[side][info.class] += by
		t.sums.value[side] += worths(by) * info.worth
		t.flip(side, info.class, p)
	}
	t.sums.pairs += worths(by) * t.weights.pairs[black.class][white.class]
}

// flip puts p into the set of a class or takes it out.
func (t *tracker) flip(side int, class Class, p Point) {
	if class >= trackedClass {
		t.sets[side][class][p.Y()] ^= 1 << uint(p.X())
	}
}

// place follows a stone put at p.
func (t *tracker) place(p Point) { t.follow(p, allShapes) }

// placeFour follows a stone put at p as far as fours and fives are concerned. What is
// weaker stays as it was, so that points may be in a wrong class below FourClass, or
// between that and FourThreeClass, and the evaluation is wrong, until it is undone.
// Until then only placeFour may follow. It takes a quarter of the time of place.
func (t *tracker) placeFour(p Point) { t.follow(p, foursOnly) }

// The shapes of a byte of two that follow looks at: SingleFour and those above have
// this bit in common.
const (
	allShapes = 0xff
	foursOnly = 0x88
)

// follow follows a stone put at p, where a shape changes to or from one that has a bit
// of those looked at.
func (t *tracker) follow(p Point, looked uint8) {
	t.plies = append(t.plies, trackedPly{p, int32(len(t.saved)), int32(len(t.units.saved)), t.sums})
	t.count(p, -1)
	listens := looked == allShapes && !t.blind
	if listens {
		t.units.leave(&t.sums.units, p)
	}
	x, y := p.X(), p.Y()
	mover := t.board.turn.Opponent()
	for d := range numDirections {
		line, cell := lineOf(d, x, y)
		key := t.board.lines[d][line]
		if looked == foursOnly && !t.table.stirsFours(window(key>>(2*uint(cell)&63)), mover) {
			continue
		}
		for near := t.table.seen(window(key >> (2 * uint(cell) & 63))); near != 0; near &= near - 1 {
			away := bits.TrailingZeros16(near) - reach
			q := p + Point(away)*step[d]
			w := window(key >> (2 * uint(cell+away) & 63))
			is := t.table.shapesAt(w)
			if was := uint8(t.points[q&(pointSpace-1)] >> (8 * uint(d) & 63)); was != is && (was|is)&looked != 0 {
				t.update(q, d, was, is)
			}
			if listens {
				t.units.update(&t.weights.points, &t.sums.units, q, w&^(border<<(2*uint(reach-away)&63)), w)
			}
		}
	}
}

// update changes both sides' shapes of the empty point p in direction d.
func (t *tracker) update(p Point, d int, before, after uint8) {
	ps := &t.points[p&(pointSpace-1)]
	old := *ps
	fresh := old.with(d, before, after)
	*ps = fresh
	moved := uint64(p)
	w := t.weights
	changed := false
	for side := range t.sets {
		a, b := old.combo(side), fresh.combo(side)
		if a == b {
			continue
		}
		was, is := &w.combos[a], &w.combos[b]
		t.sums.value[side] += is.worth - was.worth
		if was, is := was.class, is.class; was != is {
			changed = true
			t.sums.count[side][was]--
			t.sums.count[side][is]++
			if max(was, is) >= trackedClass {
				moved |= uint64(was|is<<4) << (16 + 8*side)
				t.flip(side, was, p)
				t.flip(side, is, p)
			}
		}
	}
	if changed {
		t.sums.pairs += w.pair(fresh) - w.pair(old)
	}
	t.saved = append(t.saved, savedPoint{old, moved})
}

// undo takes back the last place.
func (t *tracker) undo() {
	n := len(t.plies) - 1
	m := &t.plies[n]
	t.plies = t.plies[:n]
	saved := t.saved[m.saved:]
	for i := len(saved) - 1; i >= 0; i-- {
		old := &saved[i]
		p := Point(old.moved & (pointSpace - 1))
		t.points[p] = old.shapes
		for side, moved := 0, old.moved>>16; moved != 0; side, moved = side+1, moved>>8 {
			if moved&0xff != 0 {
				t.flip(side, Class(moved&15), p)
				t.flip(side, Class(moved>>4&15), p)
			}
		}
	}
	t.saved = t.saved[:m.saved]
	t.units.undo(m.units)
	t.sums = m.sums
	for side := range t.sets {
		t.flip(side, t.class(m.point, side), m.point)
	}
}

// fourPoints returns where a side makes a four, but no five.
func (t *tracker) fourPoints(side int) PointSet {
	var set PointSet
	for class := FourClass; class <= OpenFourClass; class++ {
		if t.sums.count[side][class] > 0 {
			set = set.Union(t.sets[side][class])
		}
	}
	return set
}

// evaluate returns the position's worth for colour c: what the empty points
// offer to either side, and the move.
func (t *tracker) evaluate(c Color) int {
	mover, other := sides(t.board.turn)
	w, mine, theirs := t.weights, &t.sums.count[mover], &t.sums.count[other]
	v := t.sums.value[mover].first() - t.sums.value[other].second()
	if mover == 0 {
		v += t.sums.pairs.first()
	} else {
		v += t.sums.pairs.second()
	}
	v += w.net.output(mine, theirs, w.points.hidden(&t.sums.units, mover))
	if c != t.board.turn {
		return -v
	}
	return v
}
