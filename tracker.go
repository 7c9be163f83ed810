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
		n[s]++
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
	value int16 // worth for the evaluation
	score int16 // worth for ordering moves
	class Class
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
			t.of[c] = newComboInfo(shapes)
		}
	}
	return t
}

// shapeWorth and classWorth are what a shape, and beyond its shapes a class, at
// an empty point adds to the side that could play there.
var (
	shapeWorth = [numShapes]int16{0, 1, 4, 5, 14, 13, 40, 52, 58, 80, 120, 120, 0}
	classWorth = [numClasses]int16{0, 0, 0, 6, 0, 12, 60, 0, 10, 140, 160, 200}
)

func newComboInfo(shapes [numDirections]Shape) comboInfo {
	i := comboInfo{class: classOf(shapes)}
	for _, s := range shapes {
		i.value += shapeWorth[s]
	}
	i.value += classWorth[i.class]
	i.score = i.value
	return i
}

// combosOf names four shapes of each colour. A point's shapes are four bytes,
// one a direction, each with Black's shape in its low half and White's above.
func (t *comboTables) combosOf(shapes uint32) [2]combo {
	black := shapes&0x0f0f0f0f | shapes>>4&0x00f000f0
	white := shapes>>4&0x0f0f0f0f | shapes>>8&0x00f000f0
	return [2]combo{
		combo(t.pair[uint8(black)])*combo(numPairs) + combo(t.pair[uint8(black>>16)]),
		combo(t.pair[uint8(white)])*combo(numPairs) + combo(t.pair[uint8(white>>16)]),
	}
}

// pointShapes is what the tracker knows of a point; in the arrays index 0 is
// Black.
type pointShapes struct {
	shapes uint32 // a byte a direction: Black's shape and, above it, White's
	combo  [2]combo
	class  [2]Class
}

// tracker keeps the shapes of every empty point for both colours up to date
// while stones come and go: a stone changes at most the nearest four or five
// points of its four lines. What an occupied point would have been is kept as
// it was, to be right again when the stone is taken back.
//
// place and undo are called after the board has changed.
type tracker struct {
	board  *Board
	table  *shapeTable
	points [pointLimit]pointShapes
	sets   [2][numClasses]PointSet // the empty points of each class, from ThreeClass up
	sums   trackedSums
	saved  []savedPoint
	plies  []trackedPly
}

// trackedSums is what the tracker counts over all empty points.
type trackedSums struct {
	count [2][numClasses]int16
	value [2]int32
}

// savedPoint is a point as it was before a move.
type savedPoint struct {
	old   pointShapes
	point Point
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
func (t *tracker) reset(b *Board) {
	t.board, t.table = b, b.rule.shapeTable()
	t.sums, t.sets = trackedSums{}, [2][numClasses]PointSet{}
	t.saved, t.plies = t.saved[:0], t.plies[:0]
	for p := range fullSet(b.size).All() {
		ps := &t.points[p]
		ps.shapes = 0
		for d := range numDirections {
			w := b.lines.window(p, d) &^ (3 << (2 * reach))
			ps.shapes |= uint32(t.table.shapesAt(w)) << (8 * d)
		}
		ps.combo = combos.combosOf(ps.shapes)
		ps.class = [2]Class{combos.of[ps.combo[0]].class, combos.of[ps.combo[1]].class}
		if !b.stones[Empty].Has(p) {
			for i, class := range ps.class {
				t.sums.count[i][class]++
				t.sums.value[i] += int32(combos.of[ps.combo[i]].value)
				t.flip(i, class, p)
			}
		}
	}
}

// flip puts p into the set of a class or takes it out.
func (t *tracker) flip(i int, class Class, p Point) {
	if class >= trackedClass {
		t.sets[i][class][p.Y()] ^= 1 << uint(p.X())
	}
}

// place follows a stone put at p.
func (t *tracker) place(p Point) {
	t.plies = append(t.plies, trackedPly{p, int32(len(t.saved)), t.sums})
	ps := &t.points[p]
	for i, class := range ps.class {
		t.sums.count[i][class]--
		t.sums.value[i] -= int32(combos.of[ps.combo[i]].value)
		t.flip(i, class, p)
	}
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
	if uint8(ps.shapes>>shift) == s {
		return
	}
	t.saved = append(t.saved, savedPoint{*ps, p})
	ps.shapes = ps.shapes&^(0xff<<shift) | uint32(s)<<shift
	now := combos.combosOf(ps.shapes)
	for i := range now {
		if now[i] == ps.combo[i] {
			continue
		}
		info := &combos.of[now[i]]
		t.sums.value[i] += int32(info.value) - int32(combos.of[ps.combo[i]].value)
		if was, is := ps.class[i], info.class; was != is {
			ps.class[i] = is
			t.sums.count[i][was]--
			t.sums.count[i][is]++
			t.flip(i, was, p)
			t.flip(i, is, p)
		}
	}
	ps.combo = now
}

// undo takes back the last place.
func (t *tracker) undo() {
	n := len(t.plies) - 1
	m := &t.plies[n]
	t.plies = t.plies[:n]
	for i := len(t.saved) - 1; i >= int(m.saved); i-- {
		s := &t.saved[i]
		ps := &t.points[s.point]
		for c := range ps.class {
			if was, is := ps.class[c], s.old.class[c]; was != is {
				t.flip(c, was, s.point)
				t.flip(c, is, s.point)
			}
		}
		*ps = s.old
	}
	t.saved = t.saved[:m.saved]
	t.sums = m.sums
	for i, class := range t.points[m.point].class {
		t.flip(i, class, m.point)
	}
}

// evaluate returns the position's worth for colour c: what the empty points
// offer to either side, and the move.
func (t *tracker) evaluate(c Color) int {
	me, them := sides(c)
	v := int(t.sums.value[me]) - int(t.sums.value[them])
	if c == t.board.turn {
		return v + shapeTempo
	}
	return v - shapeTempo
}

// shapeTempo is what the move is worth.
const shapeTempo = 30
