package gomoku

// What many threes of one side are worth depends on what the other side has, and on
// who has the move. A sum over points can't say that. So the shape evaluation adds
// what a small neural network makes of the two sides' numbers of points of each class:
// every number chooses a row of values, the sum of the chosen rows, cut off at 0 and
// above, is the hidden layer, and a weighted sum of that is the result. As the inputs
// are choices, the layer that is usually the dearest takes additions only.

const (
	// NumHidden is how many hidden units the network of a ShapeWeights has.
	NumHidden = 16

	// HiddenUnit is how much of the sum of a hidden unit's values makes 1.
	HiddenUnit = 256

	// HiddenMost is the greatest output of a hidden unit.
	HiddenMost = 8

	maxCount = 7 // more points of a class count as so many
	netRows  = 2 * (NumClasses - 1) * (maxCount + 1)
)

// hiddenLimit is the range of a value in a row: with as many rows as are added, a
// unit's values stay within its sixteen bits.
const hiddenLimit = 1400

// hiddenSum is the sums of all hidden units, four in a word. Each value in it is
// hiddenLimit above what it stands for, so that none is negative and none borrows from
// its neighbour.
type hiddenSum [NumHidden / 4]uint64

// newHiddenSum packs a row of values.
func newHiddenSum(values []int16) (s hiddenSum) {
	for i, v := range values {
		s[i/4] |= uint64(v+hiddenLimit) << (16 * (i % 4))
	}
	return s
}

// shapeNet is the network.
type shapeNet struct {
	rows   [2][numClasses][maxCount + 1]hiddenSum // by mover or other, class and number of points
	biases hiddenSum
	out    [NumHidden]int16
	base   int16
}

// output returns what the network makes of the numbers of the side to move and of the
// other, and of what pointNet.hidden adds to the hidden units.
func (n *shapeNet) output(mover, other *classCounts, said [NumHidden / 2]uint64) int {
	sum := n.biases
	for class := 1; class < NumClasses; class++ {
		m := &n.rows[0][class][min(uint(mover[class]), maxCount)]
		o := &n.rows[1][class][min(uint(other[class]), maxCount)]
		sum[0] += m[0] + o[0]
		sum[1] += m[1] + o[1]
		sum[2] += m[2] + o[2]
		sum[3] += m[3] + o[3]
	}
	const above = (1 + 2*(NumClasses-1)) * hiddenLimit
	v := 0
	for i, word := range sum {
		for lane := range 4 {
			unit := int(word>>(16*lane)&0xffff) - above + saidTo(&said, 4*i+lane)
			v += min(max(unit, 0), HiddenMost*HiddenUnit) * int(n.out[4*i+lane])
		}
	}
	return int(n.base) + v/HiddenUnit
}

// saidTo returns what points say to a hidden unit, of words of two.
func saidTo(said *[NumHidden / 2]uint64, unit int) int {
	v := worths(said[unit/2])
	if unit%2 == 0 {
		return v.first() / SumUnit
	}
	return v.second() / SumUnit
}

// rowWeight is the number of the first weight of a row of the network.
func rowWeight(side, class, count int) int {
	return rowWeights + ((side*(NumClasses-1)+class-1)*(maxCount+1)+count)*NumHidden
}

// ShapeRows appends to rows the numbers of the weights at which the rows begin that
// the position chooses in the network, for the side to move. See ShapeTerms.
func ShapeRows(rows []int, b *Board) []int {
	var counts [2]classCounts
	for p := range b.Stones(Empty).All() {
		for i, c := range [...]Color{b.turn, b.turn.Opponent()} {
			counts[i][classOf(ShapesAt(b, p, c))]++
		}
	}
	for side := range counts {
		for class := 1; class < NumClasses; class++ {
			rows = append(rows, rowWeight(side, class, int(min(counts[side][class], maxCount))))
		}
	}
	return rows
}
