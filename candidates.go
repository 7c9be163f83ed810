package gomoku

import (
	"iter"
	"math/bits"
)

// PointSet is a set of points: one bit a point, one word a row of the board.
// The zero value is the empty set; sets are compared with ==. Operations on two
// sets return a new one. The order of a set is by row from the bottom, then by
// column from the left.
type PointSet [MaxSize]uint32

// Add puts p into the set. NoPoint is ignored.
func (s *PointSet) Add(p Point) {
	if p.on(MaxSize) {
		s[p.Y()] |= 1 << uint(p.X())
	}
}

// Remove takes p out of the set.
func (s *PointSet) Remove(p Point) {
	if p.on(MaxSize) {
		s[p.Y()] &^= 1 << uint(p.X())
	}
}

// Has reports whether p is in the set.
func (s PointSet) Has(p Point) bool {
	return p.on(MaxSize) && s[p.Y()]>>uint(p.X())&1 != 0
}

// Len returns the number of points in the set.
func (s PointSet) Len() int {
	n := 0
	for _, row := range s {
		n += bits.OnesCount32(row)
	}
	return n
}

// first returns the first point of the set, or NoPoint.
func (s *PointSet) first() Point {
	for y, row := range s {
		if row != 0 {
			return lowestPoint(y, row)
		}
	}
	return NoPoint
}

// lowestPoint returns the leftmost point of row y of a set, given its word.
func lowestPoint(y int, row uint32) Point {
	return Point(y*rowStride + bits.TrailingZeros32(row))
}

// IsEmpty reports whether the set has no point.
func (s PointSet) IsEmpty() bool { return s == PointSet{} }

// All yields the points of the set as it was when All was called.
func (s PointSet) All() iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for y, row := range s {
			for ; row != 0; row &= row - 1 {
				if !yield(lowestPoint(y, row)) {
					return
				}
			}
		}
	}
}

// Append appends the points of the set to dst and returns the longer slice.
func (s PointSet) Append(dst []Point) []Point {
	for y, row := range s {
		for ; row != 0; row &= row - 1 {
			dst = append(dst, lowestPoint(y, row))
		}
	}
	return dst
}

// Points returns the points of the set as a new slice.
func (s PointSet) Points() []Point { return s.Append(make([]Point, 0, s.Len())) }

// Union returns the points that are in s or in t.
func (s PointSet) Union(t PointSet) PointSet {
	for y := range s {
		s[y] |= t[y]
	}
	return s
}

// Intersect returns the points that are in s and in t.
func (s PointSet) Intersect(t PointSet) PointSet {
	for y := range s {
		s[y] &= t[y]
	}
	return s
}

// Minus returns the points that are in s but not in t.
func (s PointSet) Minus(t PointSet) PointSet {
	for y := range s {
		s[y] &^= t[y]
	}
	return s
}

// fullSet returns all points of a board of the given size.
func fullSet(size int) PointSet {
	var s PointSet
	for y := range size {
		s[y] = 1<<uint(size) - 1
	}
	return s
}

// MaxRadius is the largest radius of a candidate neighbourhood.
const MaxRadius = 4

// Candidates returns the empty points worth a look: those within the given
// radius of any stone, counted as a square (a lone stone has 8, 24, 48 or 80
// candidates at radius 1 to 4), each once, by row from the bottom and column
// from the left. On the empty board it is the centre alone. Radius 0 stands for
// no limit: every empty point, on the empty board too. A radius outside 0 to
// MaxRadius counts as the nearest of them.
//
// Candidates are empty points, not necessarily legal moves: a foul for the side
// to move is among them. When every point near the stones is taken, there may
// be none although the board has empty points.
func (b *Board) Candidates(radius int) []Point {
	return b.CandidateSet(radius).Points()
}

// AppendCandidates appends Candidates(radius) to dst and returns the longer
// slice; with room in dst it allocates nothing.
func (b *Board) AppendCandidates(dst []Point, radius int) []Point {
	return b.CandidateSet(radius).Append(dst)
}

// CandidateSet returns Candidates(radius) as a set. It works on whole rows, so
// its time does not depend on the number of stones.
func (b *Board) CandidateSet(radius int) PointSet {
	var out PointSet
	radius = min(max(radius, 0), MaxRadius)
	full := uint32(1)<<uint(b.size) - 1
	occupied := &b.stones[Empty]
	if radius == 0 {
		for y := range b.size {
			out[y] = full &^ occupied[y]
		}
		return out
	}
	if b.count == 0 {
		out.Add(Pt(b.size/2, b.size/2))
		return out
	}
	// Spread every row sideways, then over the rows within the radius.
	for y := range b.size {
		row := occupied[y]
		if row == 0 {
			continue
		}
		wide := row
		for r := 1; r <= radius; r++ {
			wide |= row<<uint(r) | row>>uint(r)
		}
		for t := max(y-radius, 0); t <= min(y+radius, b.size-1); t++ {
			out[t] |= wide
		}
	}
	for y := range b.size {
		out[y] &= full &^ occupied[y]
	}
	return out
}
