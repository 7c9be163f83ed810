package gomoku

// Symmetry is one of the eight symmetries of the square: bit 0 mirrors left to
// right, bit 1 mirrors bottom to top, and bit 2 then swaps columns and rows.
// The zero value changes nothing; values above 7 act by their lowest three bits.
type Symmetry uint8

// NumSymmetries is the number of symmetries: Symmetry(0) to Symmetry(7).
const NumSymmetries = 8

// Apply returns where the symmetry takes p on a board of the given size.
// NoPoint stays NoPoint.
func (s Symmetry) Apply(p Point, size int) Point {
	if p == NoPoint {
		return NoPoint
	}
	x, y := p.X(), p.Y()
	if s&1 != 0 {
		x = size - 1 - x
	}
	if s&2 != 0 {
		y = size - 1 - y
	}
	if s&4 != 0 {
		x, y = y, x
	}
	return Pt(x, y)
}

// Inverse returns the symmetry that undoes s.
func (s Symmetry) Inverse() Symmetry {
	s &= 7
	if s&4 != 0 { // the two mirrors change places with the swap
		return 4 | s&1<<1 | s&2>>1
	}
	return s
}

// ApplyBoard returns a copy of the board, history included, with every stone
// where the symmetry takes it.
func (s Symmetry) ApplyBoard(b *Board) *Board {
	t, err := NewBoard(b.size, b.rule)
	if err != nil {
		panic(err) // b was made with the same size and rule
	}
	for _, c := range [...]Color{Black, White} {
		for p := range b.stones[c].All() {
			t.setStone(s.Apply(p, b.size), c)
		}
	}
	for _, m := range b.history {
		t.history = append(t.history, historyPly{s.Apply(m.point, b.size), m.color})
	}
	t.SetTurn(b.turn)
	t.winner = b.winner
	return t
}
