package gomoku

import (
	"errors"
	"fmt"
	"iter"
)

// The range of board sizes.
const (
	MinSize = 5
	MaxSize = 22
)

// Color is the content of a point: Empty, Black or White.
type Color uint8

// The colours. Black moves first in a game from the empty board.
const (
	Empty Color = iota
	Black
	White
)

// Opponent returns the other side; of Empty it is Empty.
func (c Color) Opponent() Color { return (3 - c) % 3 }

// String returns "empty", "black" or "white".
func (c Color) String() string {
	switch c {
	case Empty:
		return "empty"
	case Black:
		return "black"
	case White:
		return "white"
	}
	return fmt.Sprintf("Color(%d)", uint8(c))
}

// Point is a place on a board: x is the column from the left, y the row from
// the bottom, both counted from 0. A Point does not depend on the size of the
// board. The zero value is a1, the lower left corner; NoPoint is no place.
type Point int16

// NoPoint is the absence of a point.
const NoPoint Point = -1

// pointLimit is one more than the largest point of the largest board. A point
// is y*rowStride+x, so that row and column are a shift and a mask.
const (
	rowStride  = 32
	pointLimit = MaxSize * rowStride
)

// Pt returns the point at column x and row y, or NoPoint when no board is large
// enough to have it.
func Pt(x, y int) Point {
	if uint(x) >= MaxSize || uint(y) >= MaxSize {
		return NoPoint
	}
	return Point(y*rowStride + x)
}

// X returns the column, 0 at the left. It is meaningless for NoPoint.
func (p Point) X() int { return int(p) & (rowStride - 1) }

// Y returns the row, 0 at the bottom. It is meaningless for NoPoint.
func (p Point) Y() int { return int(p) >> 5 }

// on reports whether p is a point of a board of the given size.
func (p Point) on(size int) bool {
	return p >= 0 && p < pointLimit && p.X() < size && p.Y() < size
}

// The reasons for which a board refuses something, to be found with errors.Is
// in the errors that NewBoard and the Board methods return.
var (
	ErrSize     = errors.New("size is not 5 to 22")
	ErrRule     = errors.New("unknown rule")
	ErrColor    = errors.New("unknown colour")
	ErrOutside  = errors.New("point is outside the board")
	ErrOccupied = errors.New("point is occupied")
	ErrFoul     = errors.New("move is a foul")
	ErrGameOver = errors.New("the game is over")
)

// MoveError says which move or stone a board refused, and why. Err is one of
// the Err variables; errors.Is and errors.As see through a MoveError.
type MoveError struct {
	Op    string // what was tried: "make", "make foul" or "set"
	Point Point
	Foul  Foul // with ErrFoul, which one
	Err   error
}

// Error describes the refusal, for example "gomoku: make h8: point is occupied".
func (e *MoveError) Error() string {
	if e.Foul != NoFoul {
		return fmt.Sprintf("gomoku: %s %v: %v: %v", e.Op, e.Point, e.Err, e.Foul)
	}
	return fmt.Sprintf("gomoku: %s %v: %v", e.Op, e.Point, e.Err)
}

// Unwrap returns e.Err.
func (e *MoveError) Unwrap() error { return e.Err }

// Board is a position and the moves that led to it: stones, side to move,
// winner, hash. It knows the rules and nothing of evaluation or search.
//
// Make and Undo take constant time and, once the history has grown, allocate
// nothing. A Board is not safe for concurrent use while it is changed; Clone it
// for another goroutine. The zero value is not usable: call NewBoard.
type Board struct {
	size    int
	rule    Rule
	turn    Color
	winner  Color
	count   int          // stones on the board
	lines   lineKeys     // every line as cell codes, for win checks and shapes
	stones  [3]PointSet  // [Color]; row Empty holds all stones of both colours
	history []historyPly // moves since the start or the last SetStone
	hash    uint64
}

type historyPly struct {
	point Point
	color Color
}

// The four directions a row can take.
const (
	horizontal = iota
	vertical
	rising  // x and y grow together
	falling // y shrinks as x grows
	numDirections
)

// step is how far apart neighbouring points of a direction are.
var step = [numDirections]Point{1, rowStride, rowStride + 1, 1 - rowStride}

// maxLines is the number of lines of a diagonal direction on the largest board.
const maxLines = 2*MaxSize - 1

// lineKeys holds every line of the board four times over, once a direction. A
// line is 32 cells of two bits: five border cells, up to 22 cells of the board
// and border again, so that the window around any point is one shift. Cells are
// counted by x (by y in vertical lines); cells of a diagonal that are off the
// board are border.
type lineKeys [numDirections][maxLines]uint64

// lineOf returns the line of direction d through (x, y) and the cell of that
// point in it, border not counted.
func lineOf(d, x, y int) (line, cell int) {
	switch d {
	case horizontal:
		return y, x
	case vertical:
		return x, y
	case rising:
		return x - y + MaxSize - 1, x
	default:
		return x + y, x
	}
}

// window returns the eleven cells around p in direction d.
func (k *lineKeys) window(p Point, d int) window {
	line, cell := lineOf(d, p.X(), p.Y())
	return window(k[d][line] >> (2 * uint(cell)))
}

// flip adds the stone of colour c at p, or removes it where it is.
func (k *lineKeys) flip(p Point, c Color) {
	x, y := p.X(), p.Y()
	kx, ky := uint64(c)<<(2*uint(x+reach)), uint64(c)<<(2*uint(y+reach))
	k[horizontal][y] ^= kx
	k[vertical][x] ^= ky
	k[rising][x-y+MaxSize-1] ^= kx
	k[falling][x+y] ^= kx
}

// NewBoard returns an empty board with Black to move. The size is 5 to 22.
func NewBoard(size int, rule Rule) (*Board, error) {
	if size < MinSize || size > MaxSize {
		return nil, fmt.Errorf("gomoku: new board: %w: %d", ErrSize, size)
	}
	if !rule.valid() {
		return nil, fmt.Errorf("gomoku: new board: %w: %d", ErrRule, uint8(rule))
	}
	b := &Board{size: size, rule: rule, turn: Black, hash: zobrist.size[size] ^ zobrist.rule[rule]}
	for d := range b.lines {
		for i := range b.lines[d] {
			b.lines[d][i] = ^uint64(0)
		}
	}
	for y := range size {
		for x := range size {
			b.lines.flip(Pt(x, y), border)
		}
	}
	return b, nil
}

// Size returns the number of rows, which is also the number of columns.
func (b *Board) Size() int { return b.size }

// Rule returns the rule the board plays by.
func (b *Board) Rule() Rule { return b.rule }

// Turn returns the side to move.
func (b *Board) Turn() Color { return b.turn }

// Len returns the number of stones on the board, set-up stones included.
func (b *Board) Len() int { return b.count }

// At returns what is at p; outside the board it is Empty.
func (b *Board) At(p Point) Color {
	if !p.on(b.size) {
		return Empty
	}
	return Color(b.lines[horizontal][p.Y()] >> (2 * uint(p.X()+reach)) & 3)
}

// Stones returns the stones of colour c; for Empty, the empty points.
func (b *Board) Stones(c Color) PointSet {
	switch c {
	case Black, White:
		return b.stones[c]
	}
	return fullSet(b.size).Minus(b.stones[Empty])
}

// LastMove returns the last move of the history, or NoPoint.
func (b *Board) LastMove() Point {
	if len(b.history) == 0 {
		return NoPoint
	}
	return b.history[len(b.history)-1].point
}

// Moves yields the history: every move since the start or the last SetStone,
// with the colour of its stone. Set-up stones are not moves. The board must not
// be changed while the sequence is read.
func (b *Board) Moves() iter.Seq2[Point, Color] {
	return func(yield func(Point, Color) bool) {
		for _, m := range b.history {
			if !yield(m.point, m.color) {
				return
			}
		}
	}
}

// Winner returns the side that has won, or Empty. With a five of both colours
// set up, which no game can reach, it is Black.
func (b *Board) Winner() Color { return b.winner }

// Over reports whether the game has ended: somebody won, or the board is full,
// which is a draw.
func (b *Board) Over() bool { return b.winner != Empty || b.count == b.size*b.size }

// Hash returns the Zobrist hash of size, rule, stones and side to move. It
// does not depend on the order of moves and is the same in every program.
func (b *Board) Hash() uint64 { return b.hash }

// Clone returns an independent copy.
func (b *Board) Clone() *Board {
	c := *b
	c.history = append(make([]historyPly, 0, len(b.history)+8), b.history...)
	return &c
}

// Make plays p for the side to move. It fails, leaving the board as it was,
// with a *MoveError that wraps ErrGameOver, ErrOutside, ErrOccupied or, where
// the rule has fouls, ErrFoul: a foul is refused, not lost. MakeFoul plays it.
func (b *Board) Make(p Point) error {
	if err := b.playable(p); err != nil {
		return &MoveError{Op: "make", Point: p, Err: err}
	}
	if b.rule.spec().fouls[b.turn] {
		if f := b.lines.foul(p); f != NoFoul {
			return &MoveError{Op: "make", Point: p, Foul: f, Err: ErrFoul}
		}
	}
	b.place(p)
	return nil
}

// forbids reports whether the rule forbids the side to move the empty point p.
func (b *Board) forbids(p Point) bool {
	return b.rule.spec().fouls[b.turn] && b.lines.foul(p) != NoFoul
}

// MakeFoul plays p even if it is a foul, which loses the game at once; any
// other move it plays as Make does. It is for records and for opponents who
// may commit one. A game lost by a foul has a winner but no winning line.
func (b *Board) MakeFoul(p Point) error {
	if err := b.playable(p); err != nil {
		return &MoveError{Op: "make foul", Point: p, Err: err}
	}
	foul := b.forbids(p)
	b.place(p)
	if foul {
		b.winner = b.turn
	}
	return nil
}

// playable says why no stone can be played at p, fouls aside.
func (b *Board) playable(p Point) error {
	switch {
	case b.Over():
		return ErrGameOver
	case !p.on(b.size):
		return ErrOutside
	case b.stones[Empty].Has(p):
		return ErrOccupied
	}
	return nil
}

// place plays p, which must be playable and no foul, for the side to move.
func (b *Board) place(p Point) { b.placeKnown(p, b.makesFive(p, b.turn)) }

// placeKnown is place for a caller who knows whether p makes a five.
func (b *Board) placeKnown(p Point, five bool) {
	c := b.turn
	b.flip(p, c)
	b.count++
	b.history = append(b.history, historyPly{p, c})
	if five {
		b.winner = c
	}
	b.turn = c.Opponent()
	b.hash ^= zobrist.turn
}

// flip adds the stone of colour c at p, or removes it where it is.
func (b *Board) flip(p Point, c Color) {
	b.lines.flip(p, c)
	row, bit := p.Y(), uint32(1)<<uint(p.X())
	b.stones[c][row] ^= bit
	b.stones[Empty][row] ^= bit
	b.hash ^= zobrist.stone[c][p]
}

// Undo takes back the last move of the history, a win included, and gives its
// player the turn again. It reports false when there is no move to take back.
func (b *Board) Undo() (Point, bool) {
	n := len(b.history)
	if n == 0 {
		return NoPoint, false
	}
	m := b.history[n-1]
	b.history = b.history[:n-1]
	b.flip(m.point, m.color)
	b.count--
	b.winner = Empty // no move is ever made after a win
	b.SetTurn(m.color)
	return m.point, true
}

// SetTurn gives the turn to c, which may be either side whatever the stones.
// A colour that is neither Black nor White changes nothing.
func (b *Board) SetTurn(c Color) {
	if c != b.turn && (c == Black || c == White) {
		b.turn = c
		b.hash ^= zobrist.turn
	}
}

// SetStone sets up the position: it puts a stone of colour c at p, replacing
// what was there, or with Empty removes it. All stones become set-up stones,
// the history is cleared, the winner is determined afresh, and the turn stays.
// It looks at all stones and is not meant for playing. It fails, leaving the
// board as it was, with ErrOutside or ErrColor in a *MoveError.
func (b *Board) SetStone(p Point, c Color) error {
	if !p.on(b.size) {
		return &MoveError{Op: "set", Point: p, Err: ErrOutside}
	}
	if c > White {
		return &MoveError{Op: "set", Point: p, Err: ErrColor}
	}
	b.setStone(p, c)
	b.winner = b.findWinner()
	return nil
}

// setStone is SetStone without its checks and without the winner.
func (b *Board) setStone(p Point, c Color) {
	if old := b.At(p); old != Empty {
		b.flip(p, old)
		b.count--
	}
	if c != Empty {
		b.flip(p, c)
		b.count++
	}
	b.history = b.history[:0]
}

// makesFive reports whether a stone of colour c at p, on the board or thought
// there, is part of a winning row. It looks along the four lines through p, at
// most five cells each way.
func (b *Board) makesFive(p Point, c Color) bool {
	s := b.rule.spec()
	for d := range numDirections {
		if s.five(b.lines.window(p, d).with(c), c) {
			return true
		}
	}
	return false
}

// findWinner looks at every stone of both colours.
func (b *Board) findWinner() Color {
	for _, c := range [...]Color{Black, White} {
		for p := range b.stones[c].All() {
			if b.makesFive(p, c) {
				return c
			}
		}
	}
	return Empty
}

// WinningLine returns the winning row from its first stone to its last, in the
// order of x, of y in a vertical row: five points, or more where more than five
// wins. Of several rows it is the first in the order horizontal, vertical,
// rising, falling. Without a winner, and after a win by foul, it is nil.
func (b *Board) WinningLine() []Point {
	if b.winner == Empty {
		return nil
	}
	if n := len(b.history); n > 0 {
		if last := b.history[n-1]; last.color == b.winner {
			return b.winningLineAt(last.point)
		}
		return nil
	}
	for p := range b.stones[b.winner].All() {
		if line := b.winningLineAt(p); line != nil {
			return line
		}
	}
	return nil
}

// winningLineAt returns the winning row through the stone at p, or nil.
func (b *Board) winningLineAt(p Point) []Point {
	for d := range numDirections {
		if b.rule.spec().five(b.lines.window(p, d), b.winner) {
			return b.run(p, d, b.winner)
		}
	}
	return nil
}

// run returns the row of stones of colour c through p in direction d, from its
// first stone to its last; whatever is at p counts as one of them.
func (b *Board) run(p Point, d int, c Color) []Point {
	line, cell := lineOf(d, p.X(), p.Y())
	key := b.lines[d][line]
	is := func(cell int) bool { return Color(key>>(2*uint(cell+reach))&3) == c }
	first, last := cell, cell
	for is(first - 1) {
		first--
	}
	for is(last + 1) {
		last++
	}
	row := make([]Point, 0, last-first+1)
	for i := first; i <= last; i++ {
		row = append(row, p+Point(i-cell)*step[d])
	}
	return row
}
