package gomoku

import (
	"errors"
	"fmt"
	"iter"
	"time"
)

// Record is the record of a game: who played, under which rule, what happened,
// and a tree of moves. It is what the readers and writers of every format
// share; see ReadRecords and WriteRecord.
//
// A Record is plain data and may be changed freely between calls. Texts are
// bytes in the encoding that Charset names and are carried unchanged from
// reading to writing, even when they are no valid UTF-8.
type Record struct {
	Size int  // of the board, 5 to 22
	Rule Rule // what the game was played under

	// RuleUnknown says that the source named no rule: Rule is then what the
	// reader was told to assume. Writers leave an unknown rule out.
	RuleUnknown bool

	// The players, by the colour they played in the end: where the opening was
	// a swap, the readers have already followed it.
	Black, White Player

	Outcome Outcome
	Reason  string // how the game ended: "five", "resign", "time", "foul", ... or ""

	Event, Round, Place string
	Date                string // "2024-05-31" where the source is that precise, else as it is

	// Opening is how the opening was agreed. PlayOK's swap2 choices are
	// "swap2:black@3": the chooser took Black after three stones (the second
	// player chooses after three, the first after five). Free text otherwise.
	Opening string

	Comment string // on the game as a whole
	Charset string // encoding of the texts as SGF's CA names it; "" is unstated

	// Root is the position before the first move: set-up stones, the side to
	// move, labels, and whatever a format holds that has no field here. It has
	// no move of its own.
	Root RecordNode
}

// Player is one side of a recorded game.
type Player struct {
	Name   string
	Rating string // rating or rank, as the source gives it
	Team   string
}

// RecordNode is one step of a recorded game: a move, a pass, or a change of the
// position by hand. The moves of a Record are a tree: Next[0] continues the
// line, the further elements are variations, other moves in its place.
type RecordNode struct {
	// Color made the move Point; NoPoint is a pass. With Empty the node holds
	// no move and Point means nothing.
	Color Color
	Point Point

	// Time is what the move took. Records keep it to the millisecond; 0 is
	// also "not known".
	Time time.Duration

	Comment string

	// Setup changes the position by hand: Black and White put a stone, Empty
	// takes one away. Turn is then the side to move, Empty the usual one. A
	// node has a move or these, not both.
	Setup []Stone
	Turn  Color

	Labels []Label
	Extra  []Property // what the source holds beyond the fields above

	Next []*RecordNode
}

// Stone is a stone on a point; Color is Empty where one was taken away.
type Stone struct {
	Point Point
	Color Color
}

// Label is a short text that a diagram shows on a point.
type Label struct {
	Point Point
	Text  string
}

// Property is a named piece of a record that this package keeps but does not
// interpret: an SGF property, a PlayOK tag, the numbers of a psq file. Values
// are spelled as between the brackets of an SGF file, with "\]" for "]" and
// "\\" for "\". Validate does not look at the spelling: a value with a bare "]"
// or a single "\" at its end is an error when the record is written as SGF,
// while JSONLines carries it as it is.
type Property struct {
	Name   string
	Values []string
}

// Outcome is the result of a game. The zero value is UnknownOutcome, which
// includes games that were not finished.
type Outcome uint8

// The outcomes of a game.
const (
	UnknownOutcome Outcome = iota
	BlackWins
	WhiteWins
	Draw
	NoResult // ended without a result: annulled, aborted
)

var outcomeNames = [...]string{"unknown", "black", "white", "draw", "void"}

// String returns "unknown", "black", "white", "draw" or "void".
func (o Outcome) String() string {
	if int(o) >= len(outcomeNames) {
		return fmt.Sprintf("Outcome(%d)", uint8(o))
	}
	return outcomeNames[o]
}

// Winner returns the colour that won, or Empty.
func (o Outcome) Winner() Color {
	switch o {
	case BlackWins:
		return Black
	case WhiteWins:
		return White
	}
	return Empty
}

// WinFor returns the outcome in which c wins; for Empty it is UnknownOutcome.
func WinFor(c Color) Outcome {
	switch c {
	case Black:
		return BlackWins
	case White:
		return WhiteWins
	}
	return UnknownOutcome
}

// NewRecord returns the record of the game on b: set-up stones, moves and, if
// the game is over, its result. The players and the rest are left to the
// caller. Where SetTurn gave the turn away there is a pass, so colours always
// alternate, from Root.Turn on. b is not kept. Of a nil board it is the zero Record, which is valid
// nowhere.
func NewRecord(b *Board) *Record {
	if b == nil {
		return &Record{}
	}
	r := &Record{Size: b.Size(), Rule: b.Rule(), Root: RecordNode{Point: NoPoint}}
	var moved PointSet
	first := b.Turn()
	n := 0
	for p, c := range b.Moves() {
		if n == 0 {
			first = c
		}
		n++
		moved.Add(p)
	}
	for _, c := range [...]Color{Black, White} {
		stones := b.Stones(c)
		setUp := stones.Minus(moved)
		for p := range setUp.All() {
			r.Root.Setup = append(r.Root.Setup, Stone{p, c})
		}
	}
	if first != Black || len(r.Root.Setup) > 0 {
		r.Root.Turn = first
	}
	end, turn := &r.Root, first
	for p, c := range b.Moves() {
		if c != turn {
			end = end.Add(NoPoint, turn)
		}
		end = end.Add(p, c)
		turn = c.Opponent()
	}
	if turn != b.Turn() {
		end.Add(NoPoint, turn) // SetTurn gave the turn away
	}
	switch {
	case b.Winner() != Empty:
		r.Outcome, r.Reason = WinFor(b.Winner()), "five"
		if b.WinningLine() == nil {
			r.Reason = "foul"
		}
	case b.Over():
		r.Outcome = Draw
	}
	return r
}

// Add appends a move to the node and returns the new node. If the node already
// has a continuation, the move becomes a variation of it. NoPoint is a pass.
func (n *RecordNode) Add(p Point, c Color) *RecordNode {
	m := &RecordNode{Color: c, Point: p}
	n.Next = append(n.Next, m)
	return m
}

// isEmpty reports whether the node says nothing at all.
func (n *RecordNode) isEmpty() bool {
	return n.Color == Empty && n.Time == 0 && n.Comment == "" && n.Turn == Empty &&
		len(n.Setup) == 0 && len(n.Labels) == 0 && len(n.Extra) == 0
}

// Line returns the nodes of the main line, in order, without the root. It
// includes passes and nodes that hold no move.
func (r *Record) Line() iter.Seq[*RecordNode] {
	return func(yield func(*RecordNode) bool) {
		for n := &r.Root; len(n.Next) > 0; {
			n = n.Next[0]
			if !yield(n) {
				return
			}
		}
	}
}

// Moves returns the moves of the main line in order, with their colours. A pass
// is NoPoint; nodes without a move are left out.
func (r *Record) Moves() iter.Seq2[Point, Color] {
	return func(yield func(Point, Color) bool) {
		for n := range r.Line() {
			if n.Color != Empty && !yield(n.Point, n.Color) {
				return
			}
		}
	}
}

// Add appends a move to the end of the main line and returns its node.
func (r *Record) Add(p Point, c Color) *RecordNode {
	end := &r.Root
	for n := range r.Line() {
		end = n
	}
	return end.Add(p, c)
}

// ReplayError says which node of a record could not be played on a board.
type ReplayError struct {
	Move  int // number of the move, from 1, passes included; 0 for the set-up
	Point Point
	Color Color
	Err   error // why: usually a *MoveError
}

// Error describes the failure, for example
// "gomoku: replay move 14 (white h8): gomoku: make h8: point is occupied".
func (e *ReplayError) Error() string {
	if e.Move == 0 {
		return fmt.Sprintf("gomoku: replay: set-up: %v", e.Err)
	}
	return fmt.Sprintf("gomoku: replay move %d (%v %v): %v", e.Move, e.Color, e.Point, e.Err)
}

// Unwrap returns e.Err.
func (e *ReplayError) Unwrap() error { return e.Err }

// Board replays the main line and returns the position at its end. Fouls are
// played and lose the game, as MakeFoul has it; a move out of turn is played
// for the colour the record gives. A move that no board can take, such as one
// on an occupied point or after the game was won, is a *ReplayError.
func (r *Record) Board() (*Board, error) {
	b, err := r.startBoard()
	if err != nil {
		return nil, err
	}
	move := 0
	for n := range r.Line() {
		if move, err = n.play(b, move); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// ErrNotInRecord is what BoardAt reports for a node of another record.
var ErrNotInRecord = errors.New("gomoku: node is not in the record")

// BoardAt returns the position after node, which may be in a variation, with
// the moves that lead to it. &r.Root is the starting position. Errors are those
// of Board, and ErrNotInRecord.
func (r *Record) BoardAt(node *RecordNode) (*Board, error) {
	var path []*RecordNode
	found := r.walk(func(n *RecordNode, depth int) bool {
		path = append(path[:depth], n)
		return n != node
	})
	if !found {
		return nil, ErrNotInRecord
	}
	b, err := r.startBoard()
	if err != nil {
		return nil, err
	}
	move := 0
	for _, n := range path[1:] {
		if move, err = n.play(b, move); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// startBoard returns the position of the root.
func (r *Record) startBoard() (*Board, error) {
	b, err := NewBoard(r.Size, r.Rule)
	if err != nil {
		return nil, err
	}
	if _, err := r.Root.play(b, 0); err != nil {
		return nil, err
	}
	black, white := b.Stones(Black), b.Stones(White)
	if r.Root.Turn == Empty && black.Len() > white.Len() {
		b.SetTurn(White)
	}
	return b, nil
}

// play carries the node out on b, after move moves, and returns their new number.
func (n *RecordNode) play(b *Board, move int) (int, error) {
	for _, s := range n.Setup {
		if err := b.SetStone(s.Point, s.Color); err != nil {
			return move, &ReplayError{Point: s.Point, Color: s.Color, Err: err}
		}
	}
	if n.Color != Empty {
		move++
		b.SetTurn(n.Color)
		if n.Point == NoPoint {
			b.SetTurn(n.Color.Opponent())
		} else if err := b.Make(n.Point); errors.Is(err, ErrFoul) {
			_ = b.MakeFoul(n.Point) // the foul was all that stood in the way
		} else if err != nil {
			return move, &ReplayError{Move: move, Point: n.Point, Color: n.Color, Err: err}
		}
	}
	if n.Turn != Empty {
		b.SetTurn(n.Turn)
	}
	return move, nil
}

// walk calls f for every node, a node before its continuations and the main
// line before variations, until f returns false; it reports whether f did. It
// keeps its own stack: records may be deeper than is good for recursion.
func (r *Record) walk(f func(n *RecordNode, depth int) bool) bool {
	type item struct {
		node  *RecordNode
		depth int
	}
	stack := []item{{&r.Root, 0}}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !f(top.node, top.depth) {
			return true
		}
		for i := len(top.node.Next) - 1; i >= 0; i-- {
			stack = append(stack, item{top.node.Next[i], top.depth + 1})
		}
	}
	return false
}

// Validate reports what makes r no record of a game: an unknown size, rule or
// colour, points outside the board, moves on occupied points in any variation,
// a node with both a move and a set-up, a nil record or node. It does not ask whether moves are
// fouls or come after the end of the game; Board does. Nor does it ask whether
// property values are escaped; writing SGF does. WriteRecord validates.
func (r *Record) Validate() error {
	if r == nil {
		return errors.New("gomoku: record: nil")
	}
	if r.Size < MinSize || r.Size > MaxSize {
		return fmt.Errorf("gomoku: record: %w: %d", ErrSize, r.Size)
	}
	if !r.Rule.valid() {
		return fmt.Errorf("gomoku: record: %w: %d", ErrRule, uint8(r.Rule))
	}
	if int(r.Outcome) >= len(outcomeNames) {
		return fmt.Errorf("gomoku: record: unknown outcome %d", uint8(r.Outcome))
	}
	if r.Root.Color != Empty {
		return errors.New("gomoku: record: the root has a move")
	}
	var grid stoneGrid
	var marks []int // length of the grid's log before the node of each depth
	var err error
	r.walk(func(n *RecordNode, depth int) bool {
		if depth < len(marks) {
			grid.rollback(marks[depth])
		}
		marks = append(marks[:depth], len(grid.log))
		if err = r.validateNode(n, &grid); err != nil {
			err = fmt.Errorf("gomoku: record: node %d deep: %w", depth, err)
		}
		return err == nil
	})
	return err
}

func (r *Record) validateNode(n *RecordNode, grid *stoneGrid) error {
	if n == nil {
		return errors.New("nil node")
	}
	if n.Color > White || n.Turn > White {
		return ErrColor
	}
	if n.Color != Empty && (len(n.Setup) > 0 || n.Turn != Empty) {
		return errors.New("a move and a set-up in one node")
	}
	for _, s := range n.Setup {
		if s.Color > White {
			return ErrColor
		}
		if !s.Point.on(r.Size) {
			return fmt.Errorf("set-up stone %v: %w", s.Point, ErrOutside)
		}
		grid.set(s.Point, s.Color)
	}
	for _, l := range n.Labels {
		if !l.Point.on(r.Size) {
			return fmt.Errorf("label %v: %w", l.Point, ErrOutside)
		}
	}
	if n.Color == Empty || n.Point == NoPoint {
		return nil
	}
	if !n.Point.on(r.Size) {
		return fmt.Errorf("move %v: %w", n.Point, ErrOutside)
	}
	if grid.cells[n.Point] != Empty {
		return fmt.Errorf("move %v: %w", n.Point, ErrOccupied)
	}
	grid.set(n.Point, n.Color)
	return nil
}

// A stoneGrid holds stones without rules and can go back to an earlier state:
// for walking through the variations of a record.
type stoneGrid struct {
	cells [pointLimit]Color
	log   []Stone // what the changed points held before
}

func (g *stoneGrid) set(p Point, c Color) {
	g.log = append(g.log, Stone{p, g.cells[p]})
	g.cells[p] = c
}

// rollback undoes all changes since the log had n entries.
func (g *stoneGrid) rollback(n int) {
	for len(g.log) > n {
		last := g.log[len(g.log)-1]
		g.log = g.log[:len(g.log)-1]
		g.cells[last.Point] = last.Color
	}
}
