package gomoku

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// Proof is what a solver found out. If the verdict is Proven it holds the whole
// win: what the attacker plays after every answer.
type Proof struct {
	Verdict Verdict `json:"verdict"`
	// Reason is the limit that kept the solver from an answer: StopTime,
	// StopNodes, StopDepth for Limits.Moves, StopCancelled. With a proven
	// verdict it is the limit that kept it from showing that no win is shorter,
	// or from finding all; else it is 0.
	Reason StopReason `json:"reason,omitempty"`
	Color  Color      `json:"color"` // the attacker
	// Length is how many moves the attacker needs at most, the five not
	// counted: an open four wins in one move.
	Length int `json:"length"`
	// AtLeast is a number of moves that every win needs, of the kind looked
	// for. If it is Length, no win is shorter.
	AtLeast int       `json:"at_least"`
	End     EndReason `json:"end,omitempty"` // how the main line ends
	// Line is the main line: the answers that hold out longest, up to the move
	// that can't be stopped, or the five where one can be made at once.
	Line []Point    `json:"line,omitempty"`
	Tree *ProofNode `json:"tree,omitempty"`
	// Wins is, if Limits.All asked for it, the proof of every first move that
	// wins, shortest first; Tree is Wins[0]. WinsComplete says that no other
	// first move wins.
	Wins         []*ProofNode  `json:"wins,omitempty"`
	WinsComplete bool          `json:"wins_complete,omitempty"`
	Nodes        int64         `json:"nodes"` // positions looked at
	Elapsed      time.Duration `json:"elapsed_ns"`
}

// ProofNode is a move of the attacker's and what follows. A move that makes a
// five has nothing to follow. Nodes may be shared by several branches.
type ProofNode struct {
	Move Point `json:"move"`
	// Replies are the answers that need a reply of their own.
	Replies []ProofReply `json:"replies,omitempty"`
	// Rest is the threat that the move made: what the attacker carries out if the
	// other side passes, and after every answer that is not in Replies.
	Rest *ProofNode `json:"rest,omitempty"`
}

// ProofReply is an answer of the defender's and how the attacker goes on.
type ProofReply struct {
	Move Point      `json:"move"`
	Next *ProofNode `json:"next"`
}

// EndReason says what decides a game in the end.
type EndReason uint8

// The ends of a main line.
const (
	EndFive       EndReason = iota + 1 // a five can be made at once
	EndOpenFour                        // four in a row with a five at both ends
	EndDoubleFour                      // fours that no stone stops together
	EndFourThree                       // an open four, from a three made together with a four
	EndFoul                            // all that would stop the five is foul
)

var endNames = [...]string{
	"", EndFive: "five", EndOpenFour: "open four", EndDoubleFour: "double four", EndFourThree: "four-three", EndFoul: "foul forced",
}

// String returns the name, such as "open four".
func (e EndReason) String() string { return enumName(endNames[:], int(e), "EndReason") }

// MarshalText returns the name.
func (e EndReason) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads the name.
func (e *EndReason) UnmarshalText(text []byte) error {
	i, err := enumValue(endNames[:], string(text), "end reason")
	*e = EndReason(i)
	return err
}

// Length returns how many moves the attacker needs from here at most, this one
// counted, the five not: 0 for a node that makes it.
func (n *ProofNode) Length() int { return lengths{}.of(n) }

// lengths remembers the lengths of nodes, which may have several parents.
type lengths map[*ProofNode]int

func (l lengths) of(n *ProofNode) int {
	if len(n.Replies) == 0 && n.Rest == nil {
		return 0
	}
	if length, ok := l[n]; ok {
		return length
	}
	longest := 0
	for _, r := range n.Replies {
		longest = max(longest, l.of(r.Next))
	}
	if n.Rest != nil {
		longest = max(longest, l.of(n.Rest))
	}
	l[n] = 1 + longest
	return 1 + longest
}

// setTree makes the tree the proof, and works out what follows from it. It needs
// the board with the attacker to move, and leaves it as it was.
func (p *Proof) setTree(b *Board, tree *ProofNode) {
	p.Tree = tree
	p.Line, p.End, p.Length = mainLine(b, tree)
}

// mainLine returns the line of longest resistance, up to the move that can't be
// stopped, how it ends, and its length in attacker's moves.
func mainLine(b *Board, n *ProofNode) (line []Point, end EndReason, length int) {
	l := lengths{}
	length = l.of(n)
	line = make([]Point, 0, max(1, 2*length-1))
	for b.playable(n.Move) == nil {
		b.place(n.Move)
		line = append(line, n.Move)
		if l.of(n) <= 1 {
			break
		}
		best := -1
		answer, next := NoPoint, n.Rest
		for _, r := range n.Replies {
			if v := l.of(r.Next); v > best {
				best, answer, next = v, r.Move, r.Next
			}
		}
		if n.Rest != nil && l.of(n.Rest) > best {
			answer, next = otherAnswer(b, n), n.Rest
		}
		if b.playable(answer) != nil {
			break // the longest line is one that nobody can play
		}
		b.place(answer)
		line = append(line, answer)
		n = next
	}
	end = endOf(b, line)
	for range line {
		b.Undo()
	}
	return line, end, length
}

// otherAnswer returns a legal answer that is none of the node's replies and does
// not disturb the threat it is up against, if there is one.
func otherAnswer(b *Board, n *ProofNode) Point {
	var used PointSet
	n.Rest.addTo(&used)
	for _, r := range n.Replies {
		used.Add(r.Move)
	}
	empty := b.Stones(Empty)
	for p := range empty.Minus(used).All() {
		if !b.forbids(p) {
			return p
		}
	}
	return NoPoint
}

// addTo adds all points of a node and what follows it to the set.
func (n *ProofNode) addTo(s *PointSet) {
	s.Add(n.Move)
	for _, r := range n.Replies {
		s.Add(r.Move)
		r.Next.addTo(s)
	}
	if n.Rest != nil {
		n.Rest.addTo(s)
	}
}

// endOf says how a line has ended, after its last move. It tries every point beside a
// stone: there can be no five elsewhere.
func endOf(b *Board, line []Point) EndReason {
	if b.winner != Empty {
		return EndFive
	}
	attacker := b.turn.Opponent()
	var fives PointSet
	for p := range b.CandidateSet(1).All() {
		if b.makesFive(p, attacker) {
			fives.Add(p)
		}
	}
	if fives.Len() < 2 {
		return EndFoul
	}
	last := line[len(line)-1]
	for d := range numDirections {
		row := b.run(last, d, attacker)
		if len(row) != 4 || !fives.Has(row[0]-step[d]) || !fives.Has(row[3]+step[d]) {
			continue
		}
		if n := len(line); n >= 3 && slices.Contains(row, line[n-3]) && answersFour(b) {
			return EndFourThree
		}
		return EndOpenFour
	}
	return EndDoubleFour
}

// answersFour reports whether the move before the last took a point where the
// attacker would have made a five.
func answersFour(b *Board) bool {
	last, _ := b.Undo()
	answer, _ := b.Undo()
	five := false
	for p := range b.CandidateSet(1).All() {
		five = five || b.makesFive(p, b.turn.Opponent())
	}
	b.place(answer)
	b.place(last)
	return five
}

// ErrProof is the error of a proof that proves nothing.
var ErrProof = errors.New("the proof is not valid")

// Verify replays the proof on b, which it does not change, and returns nil if it is
// one: after every move of the attacker's, whatever legal answer the other side
// tries, all empty points, there is a next move, and in the end a five. It also
// checks the length, the main line and how it ends. Else it returns what is wrong
// and where, wrapping ErrProof; a verdict other than Proven has nothing to replay
// and is an error too. AtLeast, and whether Wins is all, is not its question.
//
// It relies on the board and its rules, and on nothing of the solvers: neither on
// shapes nor on what a defence is. It takes some microseconds a node for wins by
// fours, and for other threats about a millisecond.
func (p *Proof) Verify(b *Board) error {
	if b == nil {
		return fmt.Errorf("gomoku: verify: %w", ErrNilBoard)
	}
	if err := p.verify(b); err != nil {
		return fmt.Errorf("gomoku: verify: %w: %w", ErrProof, err)
	}
	return nil
}

func (p *Proof) verify(b *Board) error {
	switch {
	case p.Verdict != Proven:
		return fmt.Errorf("the verdict is %v", p.Verdict)
	case p.Color != Black && p.Color != White:
		return fmt.Errorf("%w: %d", ErrColor, uint8(p.Color))
	case p.Tree == nil:
		return errors.New("there is no tree")
	}
	v := verifier{board: b.Clone(), done: make(map[verified]bool)}
	v.board.SetTurn(p.Color)
	for _, n := range append([]*ProofNode{p.Tree}, p.Wins...) {
		if err := v.attack(n, true); err != nil {
			return err
		}
	}
	// A proof that was read from JSON holds two copies of it.
	if len(p.Wins) > 0 && !reflect.DeepEqual(p.Wins[0], p.Tree) {
		return errors.New("the tree is not the first of the wins")
	}
	line, end, length := mainLine(v.board, p.Tree)
	switch {
	case length != p.Length:
		return fmt.Errorf("the length is %d, not %d", length, p.Length)
	case !slices.Equal(line, p.Line):
		return fmt.Errorf("the main line is %v, not %v", FormatMoves(line), FormatMoves(p.Line))
	case end != p.End:
		return fmt.Errorf("it ends with %v, not %v", end, p.End)
	}
	return nil
}

// A verifier replays proofs.
type verifier struct {
	board *Board
	line  []Point // to where it is
	done  map[verified]bool
}

// verified names a node that has been replayed in a position.
type verified struct {
	node *ProofNode
	hash uint64
}

func (v *verifier) fault(format string, args ...any) error {
	return fmt.Errorf("after %q: %w", FormatMoves(v.line), fmt.Errorf(format, args...))
}

// play makes a move on the board.
func (v *verifier) play(p Point) error {
	if err := v.board.Make(p); err != nil {
		return v.fault("%w", err)
	}
	v.line = append(v.line, p)
	return nil
}

// takeBack takes the last move back.
func (v *verifier) takeBack() {
	v.board.Undo()
	v.line = v.line[:len(v.line)-1]
}

// attack replays a node. If strict, each reply must be one that can be played;
// threats carried out in the presence of some stone may list others.
func (v *verifier) attack(n *ProofNode, strict bool) error {
	b := v.board
	if n == nil {
		return v.fault("there is no move for the attacker")
	}
	key := verified{n, b.hash}
	if v.done[key] {
		return nil
	}
	attacker := b.turn
	if err := v.play(n.Move); err != nil {
		return err
	}
	defer v.takeBack()
	switch {
	case b.winner == attacker && (len(n.Replies) > 0 || n.Rest != nil):
		return v.fault("the game is won already")
	case b.winner == attacker:
		return nil
	case b.Over():
		return v.fault("the board is full")
	case n.Rest == nil:
		return v.fault("the move threatens nothing")
	}
	if err := v.replies(n, strict); err != nil {
		return err
	}
	if strict {
		v.done[key] = true
	}
	return nil
}

// replies replays a node for every legal answer.
func (v *verifier) replies(n *ProofNode, strict bool) error {
	b := v.board
	defender := b.turn
	var listed PointSet
	for _, r := range n.Replies {
		if listed.Has(r.Move) {
			return v.fault("two replies to %v", r.Move)
		}
		listed.Add(r.Move)
		if b.playable(r.Move) != nil || b.Foul(r.Move) != NoFoul && defender == Black {
			if strict {
				return v.fault("%v is no legal answer", r.Move)
			}
			continue
		}
		if err := v.answer(r.Move, r.Next, strict); err != nil {
			return err
		}
	}
	if strict { // the threat by itself, as after a pass
		b.SetTurn(b.turn.Opponent())
		err := v.attack(n.Rest, true)
		b.SetTurn(defender)
		if err != nil {
			return fmt.Errorf("if the defender passed: %w", err)
		}
	}
	for p := range b.Stones(Empty).All() {
		if listed.Has(p) || v.fiveStays(n.Rest, p) || b.Foul(p) != NoFoul && defender == Black {
			continue
		}
		if err := v.answer(p, n.Rest, false); err != nil {
			return err
		}
	}
	return nil
}

// fiveStays reports whether a node just makes a five, which it still would after
// the answer p, and p does not win. It is what answer finds out by playing.
func (v *verifier) fiveStays(n *ProofNode, p Point) bool {
	b := v.board
	if n.Move == p || len(n.Replies) > 0 || n.Rest != nil || b.playable(n.Move) != nil || b.makesFive(p, b.turn) {
		return false
	}
	b.lines.flip(p, b.turn)
	defer b.lines.flip(p, b.turn)
	return b.makesFive(n.Move, b.turn.Opponent())
}

// answer replays what follows an answer.
func (v *verifier) answer(p Point, next *ProofNode, strict bool) error {
	if err := v.play(p); err != nil {
		return err
	}
	defer v.takeBack()
	switch {
	case v.board.winner != Empty:
		return v.fault("the answer wins")
	case v.board.Over():
		return v.fault("the board is full")
	}
	return v.attack(next, strict)
}
