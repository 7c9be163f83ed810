package gomoku

import (
	"fmt"
	"math/bits"
	"slices"
)

// ThreatKind is what a threat is; see Threat for what the words mean. Of two
// kinds the greater is the stronger.
type ThreatKind uint8

// The kinds of threat, weakest first.
const (
	NoThreat          ThreatKind = iota
	BrokenThreeThreat            // a three that one point completes
	OpenThreeThreat              // a three that several points complete
	FourThreat                   // a closed or broken four: one stone can stop it
	DoubleFourThreat             // fours of one line that one stone can't stop
	OpenFourThreat               // four in a row that one stone can't stop
	FiveThreat                   // a winning row
)

var threatNames = [...]string{"none", "broken three", "open three", "four", "double four", "open four", "five"}

// String returns the kind's name, such as "open three".
func (k ThreatKind) String() string {
	if int(k) >= len(threatNames) {
		return fmt.Sprintf("ThreatKind(%d)", uint8(k))
	}
	return threatNames[k]
}

// MarshalText returns the kind's name.
func (k ThreatKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// A Threat is stones of one side on one line that win, or would if the other
// side played elsewhere.
//
// A five is a winning row. A four is stones that one more makes a five; fours
// of one line that share stones are one threat, except that an open four, four
// in a row with a five at both ends, stands for itself. A three is stones that
// one more makes an open or double four; threes of one line that share stones
// are one threat too. What is part of a five is not reported as a four as well,
// nor what is part of a four as a three.
//
// All this is under the board's rule. An overline is no five where exactly five
// wins, nor in Caro a row with an opponent stone at both ends. There, since one
// stone can close off two fives, fours that a single stone stops are a
// FourThreat whatever they look like, and a way to them makes no three. In Renju a
// three of Black's counts if the completing move makes an open four (straight
// four), is no foul and makes no five; a double four would be a foul.
//
// The points are in the order of a PointSet.
type Threat struct {
	Kind ThreatKind `json:"kind"`
	// Stones form the threat: three or more, all on one line.
	Stones []Point `json:"stones"`
	// Completing holds the points where the threatening side makes a five of a
	// four, an open or double four of a three. It is empty for a five.
	Completing []Point `json:"completing,omitempty"`
	// Defending holds every point where one stone of the other side, played
	// legally, leaves no completing point. It need not be on the line: in Renju a
	// stone elsewhere may make the completing move a foul. It is empty if no
	// single stone helps: against an open four, or a four that Black could stop
	// only with a foul. Counter-attack is no defence in this sense.
	Defending []Point `json:"defending,omitempty"`
}

// Threats returns the fives, fours and threes that colour c has on the board,
// whoever is to move and also when the game is over: each threat once, the
// strongest kind first, then in the order of their stones. For Empty there are
// none. What stones yet to be played would make is the question of ShapesAt.
//
// It looks at each line of the board once and tries, for each threat, the empty
// points of its line as defences: some microseconds a threat. Only for a Renju
// three that may hang on a foul does it try the whole board, which can take a
// fraction of a millisecond. It is meant for showing a position, not for
// searching one.
func Threats(b *Board, c Color) []Threat {
	if c != Black && c != White {
		return nil
	}
	f := threatFinder{board: b, spec: b.rule.spec(), color: c, lines: b.lines}
	for f.direction, f.line = range boardLines(b.size) {
		if own, _ := f.planes(); bits.OnesCount64(own) >= 3 {
			f.findLine()
		}
	}
	slices.SortFunc(f.found, func(s, t Threat) int {
		if s.Kind != t.Kind {
			return int(t.Kind) - int(s.Kind)
		}
		return slices.Compare(s.Stones, t.Stones)
	})
	return f.found
}

// A threatFinder looks for threats on one line after the other. Sets of cells of
// the line are planes: one bit a cell, where the line's key has its lower bit.
type threatFinder struct {
	board           *Board
	spec            *ruleSpec
	color           Color
	lines           lineKeys // the board's, with the stones that are being tried
	direction, line int
	found           []Threat
	scratch         []lineThreat
}

// A lineThreat is a threat as planes of its line.
type lineThreat struct {
	kind   ThreatKind
	stones uint64
	ways   uint64 // completing points
	taken  uint64 // stones of stronger threats, which are no part of it
}

// join adds a threat to a list in which threats that share stones are one.
func join(list []lineThreat, t lineThreat) []lineThreat {
	kept := list[:0]
	for _, o := range list {
		if o.stones&t.stones == 0 {
			kept = append(kept, o)
			continue
		}
		t.stones |= o.stones
		t.ways |= o.ways
	}
	return append(kept, t)
}

func (f *threatFinder) key() uint64 { return f.lines[f.direction][f.line] }

// planes returns the side's own stones and the empty cells of the line.
func (f *threatFinder) planes() (own, empty uint64) {
	lo, hi := f.key()&lowBits, f.key()>>1&lowBits
	own = lo &^ hi
	if f.color == White {
		own = hi &^ lo
	}
	return own, lowBits &^ (lo | hi)
}

// window returns the window around a cell of the line.
func (f *threatFinder) window(cell uint64) window {
	return window(f.key() >> (bits.TrailingZeros64(cell) - 2*reach))
}

// five reports whether an own stone at the cell is or would be part of a five.
func (f *threatFinder) five(cell uint64) bool {
	return f.spec.five(f.window(cell).with(f.color), f.color)
}

// point returns the point of a cell.
func (f *threatFinder) point(cell uint64) Point {
	return cellPoint(f.direction, f.line, bits.TrailingZeros64(cell)/2-reach)
}

// points returns the points of a plane.
func (f *threatFinder) points(plane uint64) PointSet {
	var s PointSet
	for cell := range cellsOf(plane) {
		s.Add(f.point(cell))
	}
	return s
}

// cellsOf yields the cells of a plane, each as a plane of its own.
func cellsOf(plane uint64) func(func(uint64) bool) {
	return func(yield func(uint64) bool) {
		for ; plane != 0; plane &= plane - 1 {
			if !yield(plane & -plane) {
				return
			}
		}
	}
}

// cellPoint is the inverse of lineOf: the point of a cell of a line.
func cellPoint(d, line, cell int) Point {
	switch d {
	case horizontal:
		return Pt(cell, line)
	case vertical:
		return Pt(line, cell)
	case rising:
		return Pt(cell, cell-line+MaxSize-1)
	default:
		return Pt(cell, line-cell)
	}
}

// rowThrough returns the unbroken row of a plane through one of its cells.
func rowThrough(plane, cell uint64) uint64 {
	for {
		wider := (cell | cell<<2 | cell>>2) & plane
		if wider == cell {
			return cell
		}
		cell = wider
	}
}

// findLine finds the threats of the line.
func (f *threatFinder) findLine() {
	taken := uint64(0)
	own, _ := f.planes()
	for cell := range cellsOf(own) {
		if cell&taken == 0 && f.five(cell) {
			five := lineThreat{kind: FiveThreat, stones: rowThrough(own, cell)}
			taken |= five.stones
			f.report(&five)
		}
	}
	fours, fives := f.appendFours(nil), taken
	for i := range fours {
		if fours[i].stones&fives == 0 {
			taken |= fours[i].stones
			f.report(&fours[i])
		}
	}
	threes := f.threes(taken)
	for i := range threes {
		f.report(&threes[i])
	}
}

// appendFours appends the fours of the line.
func (f *threatFinder) appendFours(dst []lineThreat) []lineThreat {
	own, empty := f.planes()
	ways := uint64(0)
	for cell := range cellsOf(empty & besides(own)) {
		if f.five(cell) {
			ways |= cell
		}
	}
	open := ways & (ways >> 10) & (own >> 2) & (own >> 4) & (own >> 6) & (own >> 8)
	for cell := range cellsOf(open) {
		t := lineThreat{kind: OpenFourThreat, stones: 0x55 * cell << 2, ways: cell | cell<<10}
		dst = append(dst, t)
	}
	n := len(dst)
	for cell := range cellsOf(ways &^ (open | open<<10)) {
		t := lineThreat{kind: FourThreat, stones: rowThrough(own|cell, cell) &^ cell, ways: cell}
		dst = append(dst[:n], join(dst[n:], t)...)
	}
	for i := range dst {
		switch t := &dst[i]; {
		case bits.OnesCount64(t.ways) == 1:
		case f.spec.capped && f.stoppable(t):
			t.kind = FourThreat
		case i >= n:
			t.kind = DoubleFourThreat
		}
	}
	return dst
}

// besides returns the cells next to those of a plane.
func besides(plane uint64) uint64 { return plane<<2 | plane>>2 }

// stoppable reports whether some stone of the other side on the line leaves a
// four no way to a five.
func (f *threatFinder) stoppable(t *lineThreat) bool {
	_, empty := f.planes()
	for cell := range cellsOf(empty) {
		if !f.standsAfter(t, f.point(cell)) {
			return true
		}
	}
	return false
}

// threes returns the threes of the line that have none of the taken stones.
func (f *threatFinder) threes(taken uint64) []lineThreat {
	_, empty := f.planes()
	var threes, double []lineThreat
	for cell := range cellsOf(empty) {
		switch t := f.threeWith(cell, taken); t.kind {
		case OpenFourThreat:
			threes = join(threes, t)
		case DoubleFourThreat:
			double = append(double, t)
		}
	}
	// A double four may join stones that are separate threes already.
	n := len(threes)
	for _, t := range double {
		shared := false
		for i := range threes[:n] {
			if threes[i].stones&t.stones != 0 {
				threes[i].ways |= t.ways
				shared = true
			}
		}
		if !shared {
			threes = append(threes[:n], join(threes[n:], t)...)
		}
	}
	for i := range threes {
		t := &threes[i]
		t.kind, t.taken = BrokenThreeThreat, taken
		if bits.OnesCount64(t.ways) > 1 {
			t.kind = OpenThreeThreat
		}
	}
	return threes
}

// threeWith returns the three that the empty cell completes, if none of its
// stones is taken; its kind is that of the four it becomes. Without one the kind
// is NoThreat.
func (f *threatFinder) threeWith(cell, taken uint64) (t lineThreat) {
	own, _ := f.planes()
	near := cell<<8 | (cell<<8 - cell>>8)
	if bits.OnesCount64(own&near) < 3 || f.five(cell) {
		return t
	}
	p := f.point(cell)
	f.lines.flip(p, f.color)
	f.scratch = f.appendFours(f.scratch[:0])
	f.lines.flip(p, f.color)
	for _, four := range f.scratch {
		if four.stones&cell == 0 || four.stones&taken != 0 || four.kind < DoubleFourThreat {
			continue
		}
		if f.spec.fouls[f.color] && (four.kind != OpenFourThreat || !f.lines.makesStraightFour(p)) {
			continue
		}
		return lineThreat{kind: four.kind, stones: four.stones &^ cell, ways: cell}
	}
	return t
}

// stands reports whether a four or three still has a completing point.
func (f *threatFinder) stands(t *lineThreat) bool {
	_, empty := f.planes()
	if t.kind >= FourThreat {
		for cell := range cellsOf(t.ways & empty) {
			if f.five(cell) {
				return true
			}
		}
		return false
	}
	for cell := range cellsOf(empty) {
		if f.threeWith(cell, t.taken).stones&t.stones != 0 {
			return true
		}
	}
	return false
}

// standsAfter is stands after a stone of the other side at p.
func (f *threatFinder) standsAfter(t *lineThreat, p Point) bool {
	f.lines.flip(p, f.color.Opponent())
	defer f.lines.flip(p, f.color.Opponent())
	return f.stands(t)
}

// report adds a threat to those found.
func (f *threatFinder) report(t *lineThreat) {
	found := Threat{Kind: t.kind, Stones: f.points(t.stones).Points()}
	if t.kind != FiveThreat {
		found.Completing = f.points(t.ways).Points()
		found.Defending = f.defending(t)
	}
	f.found = append(f.found, found)
}

// defending tries the points where a stone of the other side may remove a threat.
func (f *threatFinder) defending(t *lineThreat) []Point {
	_, empty := f.planes()
	tries := f.points(empty)
	if f.maybeBarred(t) {
		tries = f.board.Stones(Empty)
	}
	var defending []Point
	fouls := f.spec.fouls[f.color.Opponent()]
	for p := range tries.All() {
		if !f.standsAfter(t, p) && (!fouls || f.lines.foul(p) == NoFoul) {
			defending = append(defending, p)
		}
	}
	return defending
}

// maybeBarred reports whether a stone off the line might make all the moves that
// complete a three fouls.
func (f *threatFinder) maybeBarred(t *lineThreat) bool {
	if t.kind >= FourThreat || !f.spec.fouls[f.color] {
		return false
	}
	for cell := range cellsOf(t.ways) {
		if !f.lines.foulThinkable(f.point(cell)) {
			return false
		}
	}
	return true
}
