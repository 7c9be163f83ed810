package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gomoku-go/gomoku"
)

// A forcedWin is a win by continuous threats, proven by a solver and verified.
type forcedWin struct {
	Kind  string         `json:"kind"`  // "VCF", by fours alone, or "VCT", by fours and threes
	Moves int            `json:"moves"` // of the attacker, before the five
	Line  []gomoku.Point `json:"line"`  // the main line, the attacker's first move first
	Proof string         `json:"proof"` // every defence and its answer, as text
	// Tree is the proof for variations, unless it is too large for them.
	Tree *gomoku.ProofNode `json:"tree,omitempty"`
	// Defence says, of a win that was allowed, what the solver makes of the best
	// move instead: "refuted", there is no win of the kind, or "unknown", it found
	// none.
	Defence string `json:"defence,omitempty"`
	// Stops is every move that would have stopped a VCF that was allowed. It is
	// empty if the win was not there before the move, or not all is known.
	Stops []gomoku.Point `json:"stops,omitempty"`

	wins []gomoku.Point // all first moves known to win
}

// The most of a proof that a report has.
const (
	mostProofLines = 60  // as text
	mostProofNodes = 300 // as variations
)

// solve looks for a win by threats of colour c: by fours, then by threes as well.
// Without one, refuted has the kinds of which there is none.
func (j *engineJudge) solve(ctx context.Context, b *gomoku.Board, c gomoku.Color, r *moveReport) (win *forcedWin, refuted []string, err error) {
	if j.effort.Solve == 0 {
		return nil, nil, nil
	}
	for _, s := range [...]struct {
		kind  string
		solve func(context.Context, *gomoku.Board, gomoku.Color, gomoku.Limits) (gomoku.Proof, error)
	}{{"VCF", gomoku.SolveVCF}, {"VCT", gomoku.SolveVCT}} {
		p, err := s.solve(ctx, b, c, gomoku.Limits{Nodes: j.effort.Solve})
		if err != nil {
			return nil, nil, err
		}
		r.Nodes += p.Nodes
		if p.Verdict == gomoku.Refuted {
			refuted = append(refuted, s.kind)
		}
		if p.Verdict != gomoku.Proven {
			continue
		}
		// A shorter one is easier to see, and other first moves win as well.
		if all, err := s.solve(ctx, b, c, gomoku.Limits{Nodes: j.effort.Solve, Shortest: true, All: true}); err != nil {
			return nil, nil, err
		} else if r.Nodes += all.Nodes; all.Verdict == gomoku.Proven && all.Length <= p.Length {
			p = all
		}
		if err := p.Verify(b); err != nil {
			return nil, nil, err
		}
		return newForcedWin(s.kind, &p), nil, nil
	}
	return nil, refuted, ctx.Err()
}

func newForcedWin(kind string, p *gomoku.Proof) *forcedWin {
	f := &forcedWin{Kind: kind, Moves: p.Length, Line: p.Line, Proof: firstLines(p.String(), mostProofLines)}
	if countNodes(p.Tree, mostProofNodes) < mostProofNodes {
		f.Tree = p.Tree
	}
	f.wins = append(f.wins, p.Tree.Move)
	for _, w := range p.Wins {
		f.wins = append(f.wins, w.Move)
	}
	return f
}

func firstLines(text string, most int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("(and %d more lines)", len(lines)-most))
	}
	return strings.Join(lines, "\n")
}

// countNodes counts the nodes of a proof, those with several parents each time,
// until there are too many.
func countNodes(n *gomoku.ProofNode, most int) int {
	if n == nil || most <= 0 {
		return 0
	}
	count := 1
	for _, r := range n.Replies {
		count += countNodes(r.Next, most-count)
	}
	return count + countNodes(n.Rest, most-count)
}

// plies is in how many plies a win ends the game, the five included.
func (f *forcedWin) plies() int { return 2*f.Moves + 1 }

// threats looks for wins by threats that the move missed or allowed, and lets the
// report's opinions know of them: a proof is worth more than a search.
func (j *engineJudge) threats(ctx context.Context, b *gomoku.Board, candidates []gomoku.Candidate, r *moveReport) error {
	own, _, err := j.solve(ctx, b, b.Turn(), r)
	if err != nil {
		return err
	}
	if own != nil && r.Best.Mate <= 0 {
		r.Best = opinion{Point: own.Line[0], Score: gomoku.MaxEstimate, Mate: own.plies(), Chance: 1, Depth: r.Best.Depth, Line: own.Line}
	}
	after := b.Clone()
	if err := after.MakeFoul(r.Point); err != nil {
		return err
	}
	switch {
	case own != nil && r.Played.Mate <= 0 && slices.Contains(own.wins, r.Point):
		r.Played.Mate, r.Played.Chance, r.Played.Score = own.plies(), 1, gomoku.MaxEstimate
	case own != nil && r.Played.Mate <= 0:
		r.Missed = own
	}
	if after.Over() || r.Played.Mate > 0 {
		return nil
	}
	theirs, _, err := j.solve(ctx, after, after.Turn(), r)
	if err != nil || theirs == nil {
		return err
	}
	loss := func(f *forcedWin, p gomoku.Point, depth int) opinion {
		return opinion{p, -gomoku.MaxEstimate, -f.plies() - 1, 0, depth, append([]gomoku.Point{p}, f.Line...)}
	}
	if r.Played.Mate >= 0 {
		r.Played = loss(theirs, r.Point, r.Played.Depth)
	}
	return j.defence(ctx, b, candidates, theirs, loss, r)
}

// mostDefences is how many candidates are tried as a defence.
const mostDefences = 6

// defence looks for a move after which the other side has no win by threats, or
// none that the solvers find, the best candidates first. If there is one the move
// that was played allowed its win; else there is nothing to blame it for.
func (j *engineJudge) defence(ctx context.Context, b *gomoku.Board, candidates []gomoku.Candidate, theirs *forcedWin,
	loss func(*forcedWin, gomoku.Point, int) opinion, r *moveReport,
) error {
	if r.Best.Mate > 0 { // the best defence is to win
		r.Allowed, theirs.Defence = theirs, "refuted"
		return nil
	}
	lost := r.Best
	for i, c := range candidates[:min(len(candidates), mostDefences)] {
		if c.Point == r.Point {
			continue
		}
		after := b.Clone()
		if err := after.Make(c.Point); err != nil {
			return err
		}
		win, refuted, err := j.solve(ctx, after, after.Turn(), r)
		if err != nil {
			return err
		}
		if win != nil {
			if i == 0 {
				lost = loss(win, c.Point, r.Best.Depth)
			}
			continue
		}
		if plies, ok := c.Score.Mate(); ok && plies < 0 {
			continue // lost by something else
		}
		if c.Point != r.Best.Point {
			r.Best = j.opinion(c.Point, c.Score, r.Best.Depth, c.PV)
		}
		theirs.Defence = "unknown"
		if slices.Contains(refuted, theirs.Kind) {
			theirs.Defence = "refuted"
		}
		r.Allowed = theirs
		return j.allDefences(ctx, b, r)
	}
	if r.Best.Mate >= 0 {
		r.Best = lost
	}
	if r.Best.Point == r.Point || r.Best.Mate > 0 {
		r.Best = r.Played
	}
	return nil
}

// allDefences adds to a VCF that was allowed the moves that would have stopped it.
func (j *engineJudge) allDefences(ctx context.Context, b *gomoku.Board, r *moveReport) error {
	if r.Allowed.Kind != "VCF" {
		return nil
	}
	d, err := gomoku.VCFDefences(ctx, b, b.Turn().Opponent(), gomoku.Limits{Nodes: j.effort.Solve})
	if err != nil {
		return err
	}
	r.Nodes += d.Threat.Nodes
	if len(d.Unknown) == 0 {
		r.Allowed.Stops = d.Stops
	}
	return ctx.Err()
}
