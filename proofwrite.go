package gomoku

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// String returns the proof as text: the verdict, and if it is Proven the tree.
// A row of moves goes on as long as one answer alone needs a reply; where there
// are more, each begins a row of its own, further in. Answers stand in brackets,
// "[...]" is every other answer, and "#" marks a move that can't be stopped:
//
//	black wins in 3 moves by an open four
//	h9
//	  [i9] j10 [k11] g7#
//	  [...] h10#
func (p *Proof) String() string {
	var s strings.Builder
	switch p.Verdict {
	case Proven:
		fmt.Fprintf(&s, "%v wins in %d %s by %s\n", p.Color, p.Length, plural(p.Length, "move"), endPhrases[p.End])
		if p.Tree != nil {
			p.Tree.write(&s, lengths{}, "")
		}
	case Refuted:
		fmt.Fprintf(&s, "%v has no such win\n", p.Color)
	default:
		fmt.Fprintf(&s, "unknown whether %v wins: stopped by %v\n", p.Color, p.Reason)
	}
	return s.String()
}

// UnmarshalJSON reads a proof. It asks for a whole tree, in which no move after an
// answer is missing; whether the tree proves anything is a question for Verify. On
// an error p stays as it was.
func (p *Proof) UnmarshalJSON(data []byte) error {
	type plain Proof // without this method
	var q plain
	if err := json.Unmarshal(data, &q); err != nil {
		return err
	}
	for i, n := range q.Wins {
		if n == nil {
			return fmt.Errorf("gomoku: read proof: %w: win %d is null", ErrProof, i+1)
		}
	}
	for _, n := range append([]*ProofNode{q.Tree}, q.Wins...) {
		if err := n.whole(); err != nil {
			return fmt.Errorf("gomoku: read proof: %w: %w", ErrProof, err)
		}
	}
	*p = Proof(q)
	return nil
}

// whole reports as an error if an answer has nothing that follows it.
func (n *ProofNode) whole() error {
	if n == nil {
		return nil
	}
	for _, r := range n.Replies {
		if r.Next == nil {
			return fmt.Errorf("nothing follows %v %v", n.Move, r.Move)
		}
		if err := r.Next.whole(); err != nil {
			return err
		}
	}
	return n.Rest.whole()
}

var endPhrases = map[EndReason]string{
	0: "an unknown end", EndFive: "a five", EndOpenFour: "an open four", EndDoubleFour: "a double four",
	EndFourThree: "a four-three", EndFoul: "a forced foul",
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// branch is an answer, NoPoint for all others, and what follows.
type branch struct {
	answer Point
	next   *ProofNode
}

// branches returns what can follow a move, the longest first; of equals, every
// other answer comes last. The five that follows all other answers to a four goes
// without saying.
func (n *ProofNode) branches(l lengths) []branch {
	var list []branch
	for _, r := range n.Replies {
		list = append(list, branch{r.Move, r.Next})
	}
	if n.Rest != nil && l.of(n.Rest) > 0 {
		list = append(list, branch{NoPoint, n.Rest})
	}
	slices.SortStableFunc(list, func(a, b branch) int { return cmp.Compare(l.of(b.next), l.of(a.next)) })
	return list
}

// write writes the rows of a node; the first of them has begun.
func (n *ProofNode) write(s *strings.Builder, l lengths, indent string) {
	for {
		s.WriteString(n.Move.String())
		if l.of(n) <= 1 {
			s.WriteString("#\n")
			return
		}
		list := n.branches(l)
		if len(list) > 1 {
			s.WriteString("\n")
			for _, b := range list {
				s.WriteString(indent + "  ")
				b.write(s)
				b.next.write(s, l, indent+"  ")
			}
			return
		}
		s.WriteString(" ")
		list[0].write(s)
		n = list[0].next
	}
}

func (b branch) write(s *strings.Builder) {
	if b.answer == NoPoint {
		s.WriteString("[...] ")
		return
	}
	fmt.Fprintf(s, "[%v] ", b.answer)
}

// Record returns the game on b followed by the tree of the proof as variations, to
// be written as SGF, say: see WriteRecord. The main line comes first. A pass of the
// defender's stands for every answer that has no branch of its own. b is the
// position of the proof; it fails, wrapping ErrProof, if there is no tree.
func (p *Proof) Record(b *Board) (*Record, error) {
	switch {
	case b == nil:
		return nil, fmt.Errorf("gomoku: record of a proof: %w", ErrNilBoard)
	case p.Tree == nil:
		return nil, fmt.Errorf("gomoku: record of a proof: %w: there is no tree", ErrProof)
	}
	start := b.Clone()
	start.SetTurn(p.Color)
	r := NewRecord(start)
	end := &r.Root
	for len(end.Next) > 0 {
		end = end.Next[0]
	}
	end.Comment = strings.SplitN(p.String(), "\n", 2)[0]
	roots := p.Wins
	if len(roots) == 0 {
		roots = []*ProofNode{p.Tree}
	}
	l := lengths{}
	for _, n := range roots {
		n.addBranches(end, p.Color, l)
	}
	return r, nil
}

// addBranches adds a node and what follows it to a record.
func (n *ProofNode) addBranches(to *RecordNode, attacker Color, l lengths) {
	move := to.Add(n.Move, attacker)
	if len(n.Replies) == 0 && n.Rest == nil {
		move.Comment = "five"
		return
	}
	if l.of(n) == 1 {
		move.Comment = "can't be stopped"
		return
	}
	for _, b := range n.branches(l) {
		answer := move.Add(b.answer, attacker.Opponent())
		if b.answer == NoPoint {
			answer.Comment = "any other move"
		}
		b.next.addBranches(answer, attacker, l)
	}
}
