package gomoku

import (
	"fmt"
	"math/bits"
)

// Foul is a reason for which Renju forbids Black a move.
type Foul uint8

// The fouls, in the order in which Board.Foul looks for them.
const (
	NoFoul Foul = iota
	// Overline: six or more black stones in a row.
	Overline
	// DoubleFour: two or more fours at once, possibly on one line.
	DoubleFour
	// DoubleThree: two or more threes at once. A three counts only if a further
	// legal move, not itself a five, turns it into a straight four.
	DoubleThree
)

// String returns "none", "overline", "double-four" or "double-three".
func (f Foul) String() string {
	switch f {
	case NoFoul:
		return "none"
	case Overline:
		return "overline"
	case DoubleFour:
		return "double-four"
	case DoubleThree:
		return "double-three"
	}
	return fmt.Sprintf("Foul(%d)", uint8(f))
}

// MarshalText returns the foul's name.
func (f Foul) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// Foul says why Renju forbids a black stone at p, or NoFoul. It does so whoever
// is to move, also when the game is over. A move that makes a five is never a
// foul; of several reasons it is the first in the order of the constants. At
// occupied or outside points and under other rules it is NoFoul.
//
// The definitions are those of the Renju International Federation's rules,
// section 9, including the recursive test of a three.
func (b *Board) Foul(p Point) Foul {
	if !b.foulPossible(p) {
		return NoFoul
	}
	return b.lines.foul(p)
}

// FoulStones returns the black stones that make a black stone at p a foul: the
// other stones of the overline, of the fours or of the threes, in the order of
// a PointSet. It is empty when Foul(p) is NoFoul.
func (b *Board) FoulStones(p Point) []Point {
	if !b.foulPossible(p) {
		return nil
	}
	var s PointSet
	switch b.lines.foul(p) {
	case NoFoul:
		return nil
	case DoubleThree:
		k := b.lines
		k.flip(p, Black)
		for d := range numDirections {
			for _, t := range appendThrees(nil, k.window(p, d)) {
				if k.makesStraightFour(p + Point(t.cell-reach)*step[d]) {
					s.addCells(t.stones, p, d)
				}
			}
		}
	case Overline:
		for d := range numDirections {
			own, _ := b.lines.window(p, d).with(Black).planes(Black)
			if bits.OnesCount64(centreRun(own)) > 5 {
				for _, q := range b.run(p, d, Black) {
					s.Add(q)
				}
			}
		}
	case DoubleFour:
		for d := range numDirections {
			w := b.lines.window(p, d).with(Black)
			own, _ := w.planes(Black)
			first, second := fours(own, w.empties())
			s.addCells(first|second, p, d)
		}
	}
	s.Remove(p)
	return s.Points()
}

// addCells adds the points of a plane of the window around p in direction d.
func (s *PointSet) addCells(plane uint64, p Point, d int) {
	for ; plane != 0; plane &= plane - 1 {
		s.Add(p + Point(bits.TrailingZeros64(plane)/2-reach)*step[d])
	}
}

func (b *Board) foulPossible(p Point) bool {
	return b.rule.spec().fouls[Black] && p.on(b.size) && !b.stones[Empty].Has(p)
}

// foul returns why a black stone at the empty point p is a foul, or NoFoul.
func (k *lineKeys) foul(p Point) Foul {
	if !k.foulThinkable(p) {
		return NoFoul
	}
	overline, fourCount, threeLines := false, 0, 0
	for d := range numDirections {
		w := k.window(p, d).with(Black)
		own, _ := w.planes(Black)
		switch run := bits.OnesCount64(centreRun(own)); {
		case run == 5:
			return NoFoul
		case run > 5:
			overline = true
			continue
		}
		empty := w.empties()
		first, second := fours(own, empty)
		if first != 0 {
			fourCount++
		}
		if second != 0 {
			fourCount++
		}
		if first == 0 && hasThree(own, empty) {
			threeLines++
		}
	}
	switch {
	case overline:
		return Overline
	case fourCount >= 2:
		return DoubleFour
	case threeLines >= 2 && k.realThrees(p) >= 2:
		return DoubleThree
	}
	return NoFoul
}

// foulThinkable is a cheap test that nearly all points fail: a foul needs two
// lines with two more black stones within reach, or one line with four.
func (k *lineKeys) foulThinkable(p Point) bool {
	busy := 0
	for d := range numDirections {
		own, _ := k.window(p, d).planes(Black)
		switch n := bits.OnesCount64(own); {
		case n >= 4:
			return true
		case n >= 2:
			busy++
		}
	}
	return busy >= 2
}

// centreRun returns the unbroken row of own stones through the centre of the
// window, as far as the window shows it.
func centreRun(own uint64) uint64 {
	const centre = 1 << (2 * reach)
	run := uint64(centre)
	for next := uint64(centre << 2); own&next != 0; next <<= 2 {
		run |= next
	}
	for next := uint64(centre >> 2); own&next != 0; next >>= 2 {
		run |= next
	}
	return run
}

// fours returns the fours through the centre, as the sets of their four stones;
// a missing one is 0. A four is a set of four stones that one more stone makes
// exactly five in a row. A straight four can be completed at both ends and is
// found twice, but it is one set; two sets on one line are two fours.
func fours(own, empty uint64) (first, second uint64) {
	for cell := 1; cell <= reach; cell++ { // where the five would start
		five := uint64(0x155) << (2 * cell)
		have := own & five
		if bits.OnesCount64(have) != 4 || empty&five == 0 {
			continue
		}
		if beyond := uint64(1)<<(2*cell-2) | uint64(1)<<(2*cell+10); own&beyond != 0 {
			continue // would be an overline
		}
		switch first {
		case 0:
			first = have
		case have:
		default:
			second = have
		}
	}
	return first, second
}

// A three is three stones through the centre that one more stone, at the given
// cell of the window, makes a straight four.
type three struct {
	stones uint64
	cell   int
}

// threeAt looks for a three whose straight four would start at the given cell,
// 2 to 5, and returns 0 or the plane with the one cell that completes it.
func threeAt(own, empty uint64, cell int) uint64 {
	four := uint64(0x55) << (2 * cell)
	if bits.OnesCount64(own&four) != 3 {
		return 0
	}
	ends := uint64(1)<<(2*cell-2) | uint64(1)<<(2*cell+8)
	beyond := uint64(1)<<(2*cell-4) | uint64(1)<<(2*cell+10)
	if empty&ends != ends || own&beyond != 0 {
		return 0
	}
	return empty & four
}

func hasThree(own, empty uint64) bool {
	for cell := 2; cell <= reach; cell++ {
		if threeAt(own, empty, cell) != 0 {
			return true
		}
	}
	return false
}

// threesByShape counts the lines in which a black stone at p makes a three and no
// four, without asking whether the moves that complete it are legal.
func (k *lineKeys) threesByShape(p Point) int {
	n := 0
	for d := range numDirections {
		w := k.window(p, d).with(Black)
		own, _ := w.planes(Black)
		empty := w.empties()
		if first, _ := fours(own, empty); first == 0 && hasThree(own, empty) {
			n++
		}
	}
	return n
}

// appendThrees appends the threes through the stone at the window's centre,
// without asking whether the completing moves are legal.
func appendThrees(dst []three, w window) []three {
	own, _ := w.planes(Black)
	empty := w.empties()
	if first, _ := fours(own, empty); first != 0 {
		return dst // the line has a four already
	}
	for cell := 2; cell <= reach; cell++ {
		if q := threeAt(own, empty, cell); q != 0 {
			dst = append(dst, three{own & (0x55 << (2 * cell)), bits.TrailingZeros64(q) / 2})
		}
	}
	return dst
}

// realThrees counts the lines in which a black stone at p makes a three that a
// legal move can turn into a straight four. Deciding whether that move is legal
// may ask the same question again, with one stone more each time.
func (k *lineKeys) realThrees(p Point) int {
	after := *k
	after.flip(p, Black)
	var buf [4]three
	n := 0
	for d := range numDirections {
		for _, t := range appendThrees(buf[:0], after.window(p, d)) {
			if after.makesStraightFour(p + Point(t.cell-reach)*step[d]) {
				n++
				break
			}
		}
	}
	return n
}

// makesStraightFour reports whether the move q, which completes a straight four
// by its shape, may do so: it is no foul, and no five at the same time.
func (k *lineKeys) makesStraightFour(q Point) bool {
	for d := range numDirections {
		if Renju.spec().five(k.window(q, d).with(Black), Black) {
			return false
		}
	}
	return k.foul(q) == NoFoul
}
