package gomoku

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Book is an opening book: positions, and for each the moves that are about
// equally good there. A position stands for its eight images under the
// symmetries of the board, and for every order of moves that leads to it.
//
// Methods that only read may be called concurrently. The zero value is an empty
// book.
type Book struct {
	positions map[bookKey]bookEntry
	stones    int // on the fullest position
}

// BookMove is a move of a book with its score for the side to move.
type BookMove struct {
	Point Point
	Score Score
}

// bookKey is a position in its canonical form.
type bookKey struct {
	size         int
	rule         Rule
	black, white PointSet
}

type bookEntry struct {
	depth int
	moves []BookMove // in the canonical form, best first
}

//go:embed data/book.txt
var bookText string

// DefaultBook returns the book that engines use unless told otherwise; WithBook
// says when. The engine computed it with the program in examples/book. It must
// not be changed.
var DefaultBook = sync.OnceValue(func() *Book {
	k, err := ParseBook(bookText)
	if err != nil {
		panic(err) // the text is part of the package, and tested
	}
	return k
})

// Canonical returns a symmetry that takes the position to its canonical form:
// the one of its eight images that all eight of them agree on. Sides to move,
// history and winner have no part in it.
func (b *Board) Canonical() Symmetry {
	_, via := b.canonical()
	return via[0]
}

// canonical returns the canonical form of the position, which is the image whose
// black stones, then white stones, are the smallest as a set, and all symmetries
// that lead to it: several if the position has a symmetry of its own.
func (b *Board) canonical() (key bookKey, via []Symmetry) {
	for s := range Symmetry(NumSymmetries) {
		k := bookKey{b.size, b.rule, s.applySet(&b.stones[Black], b.size), s.applySet(&b.stones[White], b.size)}
		order := -1
		if s > 0 {
			order = cmp.Or(k.black.compare(&key.black), k.white.compare(&key.white))
		}
		if order < 0 {
			key, via = k, via[:0]
		}
		if order <= 0 {
			via = append(via, s)
		}
	}
	return key, via
}

func (s Symmetry) applySet(set *PointSet, size int) PointSet {
	var out PointSet
	for p := range set.All() {
		out.Add(s.Apply(p, size))
	}
	return out
}

func (s *PointSet) compare(t *PointSet) int { return slices.Compare(s[:], t[:]) }

// stonesInTurn reports whether the stones are those of a game in which Black
// began and nobody passed.
func (b *Board) stonesInTurn() bool {
	more := b.stones[Black].Len() - b.stones[White].Len()
	return more == 0 && b.turn == Black || more == 1 && b.turn == White
}

// Len returns the number of positions in the book.
func (k *Book) Len() int { return len(k.positions) }

// Moves returns the moves of the book for the position, best first, and the
// depth of the search that found them; none if the position is not in the book.
// Of moves that are images of each other under a symmetry of the position there
// is one.
func (k *Book) Moves(b *Board) (moves []BookMove, depth int) {
	e, via, ok := k.find(b)
	if !ok {
		return nil, 0
	}
	return e.through(via[0].Inverse(), b.size), e.depth
}

// find returns the entry of the position and the symmetries that lead to it.
func (k *Book) find(b *Board) (e bookEntry, via []Symmetry, ok bool) {
	if k == nil || len(k.positions) == 0 || b.count > k.stones || b.Over() || !b.stonesInTurn() {
		return e, nil, false
	}
	key, via := b.canonical()
	e, ok = k.positions[key]
	return e, via, ok
}

// through returns the moves where the symmetry takes them.
func (e *bookEntry) through(s Symmetry, size int) []BookMove {
	moves := slices.Clone(e.moves)
	for i := range moves {
		moves[i].Point = s.Apply(moves[i].Point, size)
	}
	return moves
}

// Add puts the position into the book, or gives it other moves. Of moves that
// are images of each other under a symmetry of the position the best is kept.
// It fails if the game is over, the stones are not those of a game that Black
// began, a move is not legal, or a score is not an estimate: a proven result
// needs no book.
func (k *Book) Add(b *Board, depth int, moves ...BookMove) error {
	fail := func(err error) error { return fmt.Errorf("gomoku: add to book: %w", err) }
	switch {
	case b.Over():
		return fail(ErrGameOver)
	case !b.stonesInTurn():
		return fail(errors.New("the stones are not those of a game that Black began"))
	case len(moves) == 0:
		return fail(errors.New("no moves"))
	case depth < 0:
		return fail(fmt.Errorf("depth %d is negative", depth))
	}
	key, via := b.canonical()
	e := bookEntry{depth: depth}
	for _, m := range slices.SortedStableFunc(slices.Values(moves), func(a, b BookMove) int { return cmp.Compare(b.Score, a.Score) }) {
		if err := b.Clone().Make(m.Point); err != nil {
			return fail(err)
		}
		if _, proven := m.Score.Mate(); proven {
			return fail(fmt.Errorf("the score of %v is not an estimate", m.Point))
		}
		p := m.Point
		m.Point = via[0].Apply(p, b.size)
		for _, s := range via[1:] {
			m.Point = min(m.Point, s.Apply(p, b.size))
		}
		if !slices.ContainsFunc(e.moves, func(o BookMove) bool { return o.Point == m.Point }) {
			e.moves = append(e.moves, m)
		}
	}
	if k.positions == nil {
		k.positions = make(map[bookKey]bookEntry)
	}
	k.positions[key] = e
	k.stones = max(k.stones, b.count)
	return nil
}

// MarshalText writes the book, a line for each position:
//
//	renju 15 h8g9 depth=9 h10=368 f8=350
//
// the rule, the size, the stones as a move string ("-" for the empty board), the
// depth, and the moves with their scores, best first.
func (k *Book) MarshalText() ([]byte, error) {
	keys := slices.SortedFunc(maps.Keys(k.positions), func(a, b bookKey) int {
		return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.size, b.size), cmp.Compare(a.stones(), b.stones()),
			a.black.compare(&b.black), a.white.compare(&b.white))
	})
	var out []byte
	for _, key := range keys {
		e := k.positions[key]
		out = fmt.Appendf(out, "%v %d %s depth=%d", key.rule, key.size, key.moves(), e.depth)
		for _, m := range e.moves {
			out = fmt.Appendf(out, " %v=%d", m.Point, m.Score)
		}
		out = append(out, '\n')
	}
	return out, nil
}

func (k *bookKey) stones() int { return k.black.Len() + k.white.Len() }

// moves returns the stones as a move string, in the order of the board.
func (k *bookKey) moves() string {
	black, white := k.black.Points(), k.white.Points()
	if len(black) == 0 {
		return "-"
	}
	var moves []Point
	for i, p := range black {
		moves = append(moves, p)
		if i < len(white) {
			moves = append(moves, white[i])
		}
	}
	return FormatMoves(moves)
}

// UnmarshalText reads what MarshalText writes. On an error the book stays as it
// was.
func (k *Book) UnmarshalText(text []byte) error {
	n, err := ParseBook(string(text))
	if err != nil {
		return err
	}
	*k = *n
	return nil
}

// ParseBook reads what MarshalText writes. A position may be given in any of its
// images and with its moves in any order. Empty lines and lines that begin with
// "#" are passed over. The error is a *ParseError that names the line.
func ParseBook(text string) (*Book, error) {
	k := new(Book)
	offset, number := 0, 0
	for line := range strings.Lines(text) {
		at := offset
		offset += len(line)
		number++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if err := k.parseLine(fields); err != nil {
			return nil, &ParseError{
				What: "book", Text: strings.TrimSpace(line), Offset: at, Err: fmt.Errorf("line %d: %w", number, err),
			}
		}
	}
	return k, nil
}

func (k *Book) parseLine(fields []string) error {
	if len(fields) < 5 {
		return errors.New("not rule, size, stones, depth and moves")
	}
	rule, err := ParseRule(fields[0])
	if err != nil {
		return err
	}
	size, err := strconv.Atoi(fields[1])
	if err != nil {
		return fmt.Errorf("size %q is not a number", fields[1])
	}
	b, err := NewBoard(size, rule)
	if err != nil {
		return err
	}
	if fields[2] != "-" {
		if err := b.setUpTurns(fields[2]); err != nil {
			return err
		}
	}
	if _, _, known := k.find(b); known {
		return errors.New("the position is in the book already")
	}
	depth := -1
	if text, ok := strings.CutPrefix(fields[3], "depth="); ok {
		if depth, err = strconv.Atoi(text); err != nil {
			depth = -1
		}
	}
	if depth < 0 {
		return fmt.Errorf("%q is not depth= and a number from 0", fields[3])
	}
	var moves []BookMove
	for _, f := range fields[4:] {
		name, value, _ := strings.Cut(f, "=")
		p, err := ParsePoint(name)
		if err != nil {
			return err
		}
		score, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return fmt.Errorf("%q is not a point, = and a score", f)
		}
		moves = append(moves, BookMove{p, Score(score)})
	}
	return k.Add(b, depth, moves...)
}

// setUpTurns sets up the stones of a move string, Black's and White's in turn,
// whether or not a game could have gone that way.
func (b *Board) setUpTurns(moves string) error {
	err := eachPoint("stones", moves, func(p Point, _ int) error {
		if !p.on(b.size) {
			return &MoveError{Op: "set", Point: p, Err: ErrOutside}
		}
		if b.At(p) != Empty {
			return &MoveError{Op: "set", Point: p, Err: ErrOccupied}
		}
		b.setStone(p, b.turn)
		b.SetTurn(b.turn.Opponent())
		return nil
	})
	b.winner = b.findWinner()
	return err
}

// bookUse says when a search plays from the book.
type bookUse uint8

const (
	bookOnTime bookUse = iota // if time alone limits the search
	bookAlways
	bookNever
)

// WithBook says whether a search plays from the opening book, at once and with
// StopBook, where it can: a book move if the position is in the book, and else,
// if the board is empty or has one stone, of the opponent's, the centre or the
// point beside that stone nearest to it.
//
// Without this option it does so only if nothing but time limits the search, by
// WithTimeBudget or a deadline of the context: who asks for a depth or a number
// of nodes gets a search of that size. WithBook(true) does so under any limit,
// WithBook(false) never.
//
// Whatever this says, a search does not use the book if it is asked for more
// than a move, with WithMultiPV, WithOnly, WithExclude or by Analyze; nor, unless
// WithOpeningBook gave it one, if its settings make it see other values than the
// engine that made the book: another radius, cap, evaluator, weights or
// techniques than the default, so no level below Expert; nor if its context is
// cancelled already.
//
// The choice depends on the position and WithSeed alone. With seed 0 it is the
// best move; other seeds choose among all moves of the book for the position,
// and among the images of a move under the symmetries of the position.
func WithBook(on bool) Option {
	return func(c *config) {
		c.book = bookNever
		if on {
			c.book = bookAlways
		}
	}
}

// WithOpeningBook gives the engine a book of the caller's in place of
// DefaultBook, which it gets back with nil. The engine trusts it whatever its
// settings. The book must not change while the engine searches.
func WithOpeningBook(k *Book) Option { return func(c *config) { c.ownBook = k } }

// openingBook returns the book that a search with these settings may play from,
// or nil.
func (c *config) openingBook(ctx context.Context) *Book {
	if c.book == bookNever || c.multiPV > 1 || len(c.only)+len(c.exclude) > 0 || errors.Is(ctx.Err(), context.Canceled) {
		return nil
	}
	if c.book == bookOnTime {
		_, deadline := ctx.Deadline()
		if c.depth != 0 || c.nodes != 0 || c.budget < 0 && !deadline {
			return nil
		}
	}
	if c.ownBook != nil {
		return c.ownBook
	}
	key := c.valueKey()
	key.seed = 0
	if key != defaults.valueKey() || c.slips != 0 {
		return nil
	}
	return DefaultBook()
}

// bookResult is the result of a search that the book makes unnecessary.
func (c *config) bookResult(ctx context.Context, b *Board) (Result, bool) {
	start := time.Now()
	k := c.openingBook(ctx)
	if k == nil {
		return Result{}, false
	}
	moves, depth, choice := k.choose(b, c.seed)
	if len(moves) == 0 {
		return Result{}, false
	}
	best := moves[choice]
	r := Result{
		Best: best.Point, Score: best.Score, Depth: depth, SelDepth: depth, PV: k.line(b, best.Point), Stop: StopBook,
	}
	r.Lines = []Line{{r.Score, slices.Clone(r.PV)}}
	for _, m := range moves {
		r.Candidates = append(r.Candidates, Candidate{Point: m.Point, Score: m.Score, Bound: Exact, PV: []Point{m.Point}})
	}
	r.Elapsed = time.Since(start)
	if c.progress != nil {
		c.progress(Info{
			Depth: r.Depth, SelDepth: r.SelDepth, Score: r.Score, PV: slices.Clone(r.PV),
			Lines: []Line{{r.Score, slices.Clone(r.PV)}}, Candidates: slices.Clone(r.Candidates), Elapsed: r.Elapsed,
		})
	}
	return r, true
}

// choose returns the moves for the position, best first, and the index of the
// one that the seed chooses.
func (k *Book) choose(b *Board, seed uint64) (moves []BookMove, depth, choice int) {
	rnd := splitMix64(b.hash ^ seed)
	below := func(n int) int { return int(rnd.next() % uint64(n)) }
	if e, via, ok := k.find(b); ok {
		if seed == 0 {
			return e.through(via[0].Inverse(), b.size), e.depth, 0
		}
		s := via[below(len(via))]
		return e.through(s.Inverse(), b.size), e.depth, below(len(e.moves))
	}
	for _, p := range b.firstMoves() {
		moves = append(moves, BookMove{Point: p})
	}
	if len(moves) > 0 && seed != 0 {
		choice = below(len(moves))
	}
	return moves, 0, choice
}

// firstMoves returns moves that need neither a search nor a book: on the empty
// board the centre, against one stone the points beside it nearest to the
// centre. The first is the one that engines without a book choose.
func (b *Board) firstMoves() []Point {
	var set PointSet
	switch {
	case b.count == 0:
		set = b.Stones(Empty)
	case b.count == 1 && b.stones[b.turn].IsEmpty():
		set = b.CandidateSet(1)
	}
	var moves []Point
	nearest := 2 * MaxSize
	for p := range set.All() {
		dx, dy := 2*p.X()-(b.size-1), 2*p.Y()-(b.size-1)
		d := max(dx, -dx, dy, -dy)
		if d < nearest {
			nearest, moves = d, moves[:0]
		}
		if d == nearest {
			moves = append(moves, p)
		}
	}
	slices.Reverse(moves)
	return moves
}

// line returns the move and the best replies that the book knows.
func (k *Book) line(b *Board, p Point) []Point {
	b = b.Clone()
	var line []Point
	for b.Make(p) == nil {
		line = append(line, p)
		moves, _ := k.Moves(b)
		if len(moves) == 0 {
			break
		}
		p = moves[0].Point
	}
	return line
}
