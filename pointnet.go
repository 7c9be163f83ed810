package gomoku

// What a point is worth depends on more than the shapes that a stone would make there:
// on how far apart the stones are, on what stands behind them, and on how the four
// lines go together. A second part of the network looks at that. What a side can see
// from an empty point along a line, four cells each way, is a pattern, and each pattern
// has a row of values; the sum of a point's four rows, cut off at 0, is what the point
// says, and what all points say to a side, summed up, goes into the hidden layer. As a
// stone changes only what can be seen from the nearest points of its lines, the tracker
// keeps the sums.

const (
	// NumPointUnits is how many values what a point says has.
	NumPointUnits = 4

	// PointUnit is how much of the sum of a point's rows makes 1.
	PointUnit = 32

	// SumUnit is how much of what the points say, times a "sum" weight, adds 1 to the sum
	// of a hidden unit's values.
	SumUnit = 1024

	// NumPatterns is how many patterns there are, a line and its reverse being one.
	NumPatterns = numSights * (numSights + 1) / 2
)

const (
	numSights = 79 // ways for the cells on one side of a point to look
	sightLen  = 4  // cells that are looked at
)

// patternLimit and sumLimit are the ranges of the values. With them no sum leaves its
// lane: a point's values are at most 4*31 and fit in eight bits; 22*22 times that fits
// in sixteen; that times eight times sumLimit is below 1<<31.
const (
	patternLimit = 31
	sumLimit     = 4000
)

// A sight is what can be seen from a point in one direction, the nearest cell lowest,
// two bits a cell as in a window, from a side's view: 1 is its own stone. A side sees
// as far as the border or the first stone of another colour than the one before; what
// is behind counts as border.
type sight uint8

// newSight returns the sight for four cells.
func newSight(cells uint8) (s sight) {
	met := uint8(0)
	for i := range sightLen {
		code := cells >> (2 * i) & 3
		if met == border {
			code = border
		}
		met |= code
		s |= sight(code) << (2 * i)
	}
	return s
}

// swapped returns the sight as the other side sees it.
func (s sight) swapped() sight {
	const low = 0x55
	return s&low<<1 | s>>1&low
}

// sights are all there are, and sightNumber their numbers; other bytes have none.
var sights, sightNumber = listSights()

func listSights() (all [numSights]sight, number [256]uint8) {
	n := 0
	for i := range number {
		number[i] = numSights
		if newSight(uint8(i)) == sight(i) {
			number[i] = uint8(n)
			all[n] = sight(i)
			n++
		}
	}
	return all, number
}

// numberOf returns the number of the sight that newSight makes of four cells.
var numberOf = newNumberOf()

func newNumberOf() (n [2][256]uint8) {
	for cells := range 256 {
		n[1][cells] = sightNumber[newSight(uint8(cells))]
		reversed := cells>>6 | cells>>2&0xc | cells<<2&0x30 | cells<<6&0xc0
		n[0][reversed] = n[1][cells]
	}
	return n
}

// sightsOf returns the numbers of what Black sees from the centre of a window: along
// the cells before it and along those after it.
func sightsOf(w window) (before, after uint8) {
	return numberOf[0][uint8(w>>(2*(reach-sightLen)))], numberOf[1][uint8(w>>(2*(reach+1)))]
}

// patternOf returns the number of the pattern of two sights, in any order.
func patternOf(a, b uint8) int {
	high, low := int(max(a, b)), int(min(a, b))
	return high*(high+1)/2 + low
}

// units has the values of a point in one word, Black's and White's in turn. In those of
// a point, as against those of a row, each value is pointSigns above what it is, so that
// none is negative and none borrows from its neighbour.
type units uint64

const pointSigns units = 0x8080_8080_8080_8080

// unitSums has the sums over all points of what they say to Black and to White, four
// in a word.
type unitSums [2]uint64

// said returns what a point of these values says to each side.
func (u units) said() (black, white uint64) {
	const every2nd = 0x00ff_00ff_00ff_00ff
	set := u & pointSigns
	u &= set - set>>7
	return uint64(u) & every2nd, uint64(u>>8) & every2nd
}

// pointNet is the part of the network that looks at points.
type pointNet struct {
	rows [numSights][numSights]units // by what Black sees before and after the point
	sums [2][NumPointUnits][NumHidden / 2]uint64
}

// fill makes the tables of the weights' values.
func (n *pointNet) fill(values []int16) {
	pack := func(a, b uint8) (u units) {
		for i, v := range values[patternWeight(patternOf(a, b)):][:NumPointUnits] {
			u += units(v) << (16 * i)
		}
		return u
	}
	for a := range uint8(numSights) {
		for b := range uint8(numSights) {
			n.rows[a][b] = pack(a, b) + pack(otherView[a], otherView[b])<<8
		}
	}
	for side := range n.sums {
		for unit := range n.sums[side] {
			for i, v := range values[sumWeight(side, unit):][:NumHidden] {
				n.sums[side][unit][i/2] += uint64(v) << (32 * (i % 2))
			}
		}
	}
}

// pointUnits is what the tracker knows of the points' values.
type pointUnits struct {
	of    [pointSpace]units // of each empty point
	saved []savedUnits      // as they were before a move
}

type savedUnits struct {
	units units
	point Point
}

// unitsAt works out a point's values.
func (n *pointNet) unitsAt(b *Board, p Point) units {
	u := pointSigns
	for d := range numDirections {
		before, after := sightsOf(b.lines.window(p, d))
		u += n.rows[before][after]
	}
	return u
}

// reset works out all values anew and returns the sums of what they say.
func (u *pointUnits) reset(n *pointNet, b *Board) (sums unitSums) {
	u.saved = u.saved[:0]
	for p := range b.Stones(Empty).All() {
		u.of[p] = n.unitsAt(b, p)
		sums.add(u.of[p])
	}
	return sums
}

func (s *unitSums) add(u units) {
	black, white := u.said()
	s[0] += black
	s[1] += white
}

func (s *unitSums) sub(u units) {
	black, white := u.said()
	s[0] -= black
	s[1] -= white
}

// leave takes what the point p says out of the sums.
func (u *pointUnits) leave(sums *unitSums, p Point) { sums.sub(u.of[p&(pointSpace-1)]) }

// update follows a change of what is seen from p along one line, where is is seen now
// and was was before.
func (u *pointUnits) update(n *pointNet, sums *unitSums, p Point, was, is window) {
	b0, a0 := sightsOf(was)
	b1, a1 := sightsOf(is)
	if b0 == b1 && a0 == a1 {
		return
	}
	at := &u.of[p&(pointSpace-1)]
	old := *at
	fresh := old + n.rows[b1][a1] - n.rows[b0][a0]
	*at = fresh
	sums.sub(old)
	sums.add(fresh)
	u.saved = append(u.saved, savedUnits{old, p})
}

// undo takes back all updates but the first n.
func (u *pointUnits) undo(n int32) {
	saved := u.saved[n:]
	for i := len(saved) - 1; i >= 0; i-- {
		u.of[saved[i].point&(pointSpace-1)] = saved[i].units
	}
	u.saved = u.saved[:n]
}

// hidden returns what the sums add to the hidden units for the side to move, 0 for
// Black, two units in a word.
func (n *pointNet) hidden(sums *unitSums, mover int) (h [NumHidden / 2]uint64) {
	for i, word := range [2]uint64{sums[mover&1], sums[1-mover&1]} {
		for lane := range NumPointUnits {
			said := word >> (16 * lane) & 0xffff
			row := &n.sums[i][lane]
			for j := range h {
				h[j] += said * row[j]
			}
		}
	}
	return h
}

// patternWeight is the number of the first weight of a pattern's row.
func patternWeight(pattern int) int { return PatternWeights + pattern*NumPointUnits }

// sumWeight is the number of the first weight of what a point says to a side, 0 for the
// mover, in one value.
func sumWeight(side, unit int) int { return SumWeights + (side*NumPointUnits+unit)*NumHidden }

// ShapePatterns appends to patterns the numbers of the weights at which the rows of the
// patterns begin that can be seen from the empty points: for each point the four that
// the side to move sees, along its four lines, and then the same four as the other
// side sees them. See ShapeTerms.
func ShapePatterns(patterns []int, b *Board) []int {
	me, them := sides(b.turn)
	for p := range b.Stones(Empty).All() {
		for _, side := range [2]int{me, them} {
			for d := range numDirections {
				before, after := sightsOf(b.lines.window(p, d))
				if side == 1 {
					before, after = otherView[before], otherView[after]
				}
				patterns = append(patterns, patternWeight(patternOf(before, after)))
			}
		}
	}
	return patterns
}

// otherView has for the number of a sight that of the sight as the other side sees it.
var otherView = newOtherView()

func newOtherView() (other [numSights]uint8) {
	for i, s := range sights {
		other[i] = sightNumber[s.swapped()]
	}
	return other
}
