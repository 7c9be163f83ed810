package main

import (
	"context"
	"fmt"
	"time"

	"github.com/gomoku-go/gomoku"
)

// A solver looks for a forced win of a colour.
type solver struct {
	name  string
	solve func(context.Context, *gomoku.Board, gomoku.Color, gomoku.Limits) (gomoku.Proof, error)
}

var solvers = []solver{
	{"vcf", gomoku.SolveVCF},
	{"vct", gomoku.SolveVCT},
}

// solved is a verdict and, if there is a win, the whole of its proof.
type solved struct {
	Verdict gomoku.Verdict `json:"verdict"`
	Reason  string         `json:"reason,omitempty"` // the limit that was hit
	Color   gomoku.Color   `json:"color"`
	Length  int            `json:"length"` // moves of the attacker, the five not counted
	Line    []gomoku.Point `json:"line"`
	Nodes   int64          `json:"nodes"`
	Millis  float64        `json:"ms"`
	Tree    []proofNode    `json:"tree"` // the first is the root
}

// A proofNode is a move of the attacker's. Nodes refer to others by number, as
// several branches may share one.
type proofNode struct {
	Move    gomoku.Point `json:"move"`
	Replies []proofReply `json:"replies"`
	Rest    int          `json:"rest"` // what follows any other answer; 0: nothing
}

type proofReply struct {
	Move gomoku.Point `json:"move"`
	Next int          `json:"next"`
}

// solve runs the solver that the request names. A proof is checked, too, by what
// knows nothing of how it was found.
func solve(s *service, ctx context.Context, r *request, _ func(any)) (any, error) {
	s.thinking.Lock()
	defer s.thinking.Unlock()
	b, err := boardOf(r)
	if err != nil {
		return nil, err
	}
	for _, solver := range solvers {
		if solver.name != r.Solver {
			continue
		}
		p, err := solver.solve(ctx, b, r.Color, gomoku.Limits{Time: time.Duration(r.Millis) * time.Millisecond})
		if err != nil {
			return nil, err
		}
		found := solved{
			Verdict: p.Verdict, Color: p.Color, Length: p.Length, Line: p.Line, Nodes: p.Nodes,
			Millis: float64(p.Elapsed.Microseconds()) / 1000, Tree: []proofNode{},
		}
		if p.Reason != 0 {
			found.Reason = p.Reason.String()
		}
		if p.Verdict == gomoku.Proven {
			if err := p.Verify(b); err != nil {
				return nil, err
			}
			numbers := map[*gomoku.ProofNode]int{}
			found.addNode(p.Tree, numbers)
		}
		return found, nil
	}
	return nil, fmt.Errorf("no solver is called %q", r.Solver)
}

// addNode adds a node and what follows to the tree and returns its number.
func (f *solved) addNode(n *gomoku.ProofNode, numbers map[*gomoku.ProofNode]int) int {
	if n == nil {
		return 0
	}
	if i, ok := numbers[n]; ok {
		return i
	}
	i := len(f.Tree)
	numbers[n] = i
	f.Tree = append(f.Tree, proofNode{Move: n.Move, Replies: []proofReply{}})
	for _, reply := range n.Replies {
		next := f.addNode(reply.Next, numbers)
		f.Tree[i].Replies = append(f.Tree[i].Replies, proofReply{reply.Move, next})
	}
	f.Tree[i].Rest = f.addNode(n.Rest, numbers)
	return i
}
