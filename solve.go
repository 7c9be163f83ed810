package gomoku

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Limits says how far a solver may go and what it is asked for. The zero value
// has no limit but the memory's default, and asks for the first win found.
type Limits struct {
	// Moves is the most moves the attacker may make, the five that ends the game
	// not counted: an open four wins in one move, a five in none. 0: no limit.
	Moves int
	// Nodes is the most positions to look at, those with the attacker to move
	// counted in a VCF, all of them in a VCT. 0: no limit.
	Nodes int64
	// Time is the longest the solver may take; a deadline of the context counts
	// as well. 0: no limit.
	Time time.Duration
	// Memory is the most bytes for the table of positions. A solver starts with a
	// small table and lets it grow. It never changes the verdict, unless another
	// limit is hit because the table was too small. Beyond it there is some
	// hundred kilobytes for the board and its shapes, and the proof itself.
	// 0: 64 MiB.
	Memory int64
	// Shortest asks for a win in as few moves as possible.
	Shortest bool
	// All asks for every first move that wins, in Proof.Wins. Where a five can be
	// made at once, only fives count.
	All bool
	// ThreatLevel says what SolveVCT takes for a threat: a move after which the
	// attacker, if the defender passed, would win by fours in at most so many
	// moves. 1 is fours and open threes; 2 and more add quieter moves. 0: 1.
	// SolveVCF does not use it.
	ThreatLevel int
	// Ban is points where the attacker makes no threats. Completing a five there
	// is still allowed.
	Ban []Point
}

// DefaultSolverMemory is what Limits.Memory means when it is 0.
const DefaultSolverMemory = 64 << 20

// minSolverMemory is the least table a solver works with.
const minSolverMemory = 1 << 16

// validate returns what is wrong with the limits.
func (l *Limits) validate(size int) error {
	var faults []error
	refuse := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if l.Moves < 0 {
		refuse("moves %d is negative", l.Moves)
	}
	if l.Nodes < 0 {
		refuse("nodes %d is negative", l.Nodes)
	}
	if l.Time < 0 {
		refuse("time %v is negative", l.Time)
	}
	if l.Memory < 0 || l.Memory > 0 && l.Memory < minSolverMemory {
		refuse("memory %d is less than %d", l.Memory, minSolverMemory)
	}
	if l.ThreatLevel < 0 {
		refuse("threat level %d is negative", l.ThreatLevel)
	}
	for _, p := range l.Ban {
		if !p.on(size) {
			refuse("ban list: %v: %w", p, ErrOutside)
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrOption, errors.Join(faults...))
}

// Verdict is a solver's answer.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota // a limit was hit before the answer was found
	Proven                 // the attacker wins
	Refuted                // everything was tried, and nothing wins
)

var verdictNames = [...]string{"unknown", "proven", "refuted"}

// String returns "unknown", "proven" or "refuted".
func (v Verdict) String() string { return enumName(verdictNames[:], int(v), "Verdict") }

// MarshalText returns the verdict's name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the verdict's name.
func (v *Verdict) UnmarshalText(text []byte) error {
	i, err := enumValue(verdictNames[:], string(text), "verdict")
	*v = Verdict(i)
	return err
}

// SolveVCF looks for a victory of colour c by continuous fours: each of c's moves
// makes a four, or more than one, until the other side has no legal answer that
// stops every five. c moves first, on turn or not; b is not changed.
//
// The verdict is Proven with a win, which [Proof.Verify] can check; or Refuted when
// every sequence of fours was tried under the board's rule, so that none of any
// length wins; or Unknown when a limit was hit first, which Proof.Reason names. It
// is about fours alone: where fours are refuted the attacker may win otherwise.
//
// In Renju a move of Black's that would be a foul is no move: Black does not attack
// with it, and loses if nothing else stops White's five. In Caro the defender may
// stop a five beyond its end, and two of them with one stone.
//
// The first win found is often not the shortest. With Limits.Shortest the search
// deepens until no shorter win is left; that takes longer.
//
// It fails with ErrNilBoard, ErrGameOver, ErrColor if c is neither side, or ErrOption
// for limits that make no sense. A cancelled context is no error but Unknown.
//
// The search is depth first with a table of the positions that failed, and
// follows the shapes of all empty points as the engine does. It uses the calling
// goroutine alone; any number of calls may run side by side, each on a board of
// its own or one that nobody changes.
func SolveVCF(ctx context.Context, b *Board, c Color, l Limits) (Proof, error) {
	return solve(ctx, b, c, l, (*solver).solveFours)
}

// A solver is a search for a proof. Its memory is used again by later ones.
type solver struct {
	fourSearch
	threatSearch
	nodesSeen int64
	limits    Limits
	quota     int64 // of positions seen; 0: none but the limit
	attacker  Color
	clock     clock
	stop      *atomic.Bool // nil: nobody can cancel
	reason    StopReason   // not 0: the search is giving up
	finishing bool         // a proof is being written down: don't give up
	salts     splitMix64   // each search has another
}

// solvers keeps the memory of solvers for the next call.
var solvers = sync.Pool{New: func() any {
	s := new(solver)
	s.halt, s.nodes = s.giveUp, &s.nodesSeen
	s.tracker.blind = true
	s.salts = splitMix64(time.Now().UnixNano())
	return s
}}

// A finding is what a solver's search came to.
type finding struct {
	wins    []*ProofNode // the best first
	res     searchedFor  // what it means that there are none
	atLeast int          // no win has fewer moves
}

// solve is the frame that the solvers share: it checks what they are given, searches
// and puts what was found into a proof.
func solve(ctx context.Context, b *Board, c Color, l Limits, search func(*solver) finding) (p Proof, _ error) {
	start := time.Now()
	if err := withSolver(ctx, b, c, l, func(s *solver) { p = s.prove(search) }); err != nil {
		return Proof{}, err
	}
	if p.Reason == StopCancelled && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		p.Reason = StopTime
	}
	p.Elapsed = time.Since(start)
	return p, nil
}

// withSolver checks what a solver is given, and lets f use one that is ready.
func withSolver(ctx context.Context, b *Board, c Color, l Limits, f func(*solver)) error {
	switch {
	case b == nil:
		return fmt.Errorf("gomoku: solve: %w", ErrNilBoard)
	case b.Over():
		return fmt.Errorf("gomoku: solve: %w", ErrGameOver)
	case c != Black && c != White:
		return fmt.Errorf("gomoku: solve: %w: %d", ErrColor, uint8(c))
	}
	if err := l.validate(b.size); err != nil {
		return fmt.Errorf("gomoku: solve: %w", err)
	}
	s := solvers.Get().(*solver)
	defer s.release()
	s.prepare(b, c, l)
	if deadline, ok := ctx.Deadline(); ok {
		s.clock.until(deadline)
	}
	if ctx.Done() != nil {
		stop := new(atomic.Bool) // of this search alone: a late cancellation must not hit the next
		s.stop = stop
		defer context.AfterFunc(ctx, func() { stop.Store(true) })()
		if ctx.Err() != nil {
			stop.Store(true)
		}
	}
	f(s)
	return nil
}

// prove makes a proof of what a search finds.
func (s *solver) prove(search func(*solver) finding) Proof {
	f := search(s)
	p := Proof{Color: s.attacker, AtLeast: f.atLeast, Nodes: s.nodesSeen, Reason: s.reason}
	switch {
	case len(f.wins) > 0:
		p.Verdict = Proven
		p.setTree(&s.board, f.wins[0])
		if s.limits.All {
			p.Wins, p.WinsComplete = f.wins, s.reason == 0 && f.res == noneWhatsoever
		}
	case f.res == noneWhatsoever:
		p.Verdict, p.Reason = Refuted, 0
	}
	if p.Reason == 0 && (p.Verdict == Unknown || p.Verdict == Proven && s.limits.All && !p.WinsComplete) {
		p.Reason = StopDepth
	}
	return p
}

// prepare makes a solver ready for a search.
func (s *solver) prepare(b *Board, c Color, l Limits) {
	history := s.board.history[:0]
	s.board = *b
	s.board.history = history
	s.board.SetTurn(c)
	s.attacker = c
	s.limits = l
	if l.Moves == 0 {
		s.limits.Moves = unlimitedMoves
	}
	if l.Memory == 0 {
		s.limits.Memory = DefaultSolverMemory
	}
	s.tracker.reset(&s.board, DefaultShapeWeights())
	s.banned = len(l.Ban) > 0
	s.ban = PointSet{}
	for _, p := range l.Ban {
		s.ban.Add(p)
	}
	s.nodesSeen, s.quota, s.reason, s.finishing, s.stop = 0, 0, 0, false, nil
	start := time.Now()
	s.clock = clock{parked: start}
	if l.Time > 0 {
		s.clock.until(start.Add(l.Time))
	}
	s.failed.prepare(s.salts.next(), s.limits.Memory)
}

// release gives the solver's memory back for the next search.
func (s *solver) release() {
	s.stop, s.limits = nil, Limits{}
	if len(s.failed.slots) > failedSlots {
		s.failed.slots = nil // every search begins small, and looks at the same positions
	}
	solvers.Put(s)
}

// solverCheckEvery is how many positions pass between two looks at the clock.
const solverCheckEvery = 128

// giveUp reports whether the search must end, and remembers why.
func (s *solver) giveUp() bool {
	switch {
	case s.finishing:
		return false
	case s.reason != 0:
	case s.stop != nil && s.stop.Load():
		s.reason = StopCancelled
	case s.limits.Nodes > 0 && s.nodesSeen >= s.limits.Nodes, s.quota > 0 && s.nodesSeen >= s.quota:
		s.reason = StopNodes
	case s.nodesSeen%solverCheckEvery == 0 && s.clock.expired():
		s.reason = StopTime
	}
	return s.reason != 0
}

// Defences is what can be done against a VCF.
type Defences struct {
	// Threat is the attacker's win if the other side passes. Unless it is Proven
	// there is nothing to defend against, or it is not known.
	Threat Proof `json:"threat"`
	// Stops are the legal moves after which the attacker has no VCF, and those
	// that win at once, in the order of a PointSet.
	Stops []Point `json:"stops"`
	// Unknown are the moves after which a limit was hit first.
	Unknown []Point `json:"unknown,omitempty"`
}

// VCFDefences returns every move with which c's opponent, to move, stops c's
// victory by fours. What it returns in Threat is that of SolveVCF for c, and so are
// the limits and errors; they hold for all moves together, and Limits.All is not used.
func VCFDefences(ctx context.Context, b *Board, c Color, l Limits) (d Defences, err error) {
	l.All = false
	if d.Threat, err = SolveVCF(ctx, b, c, l); err != nil || d.Threat.Verdict != Proven {
		return d, err
	}
	if l.Nodes > 0 {
		l.Nodes = max(l.Nodes-d.Threat.Nodes, 1)
	}
	if l.Time > 0 {
		l.Time = max(l.Time-d.Threat.Elapsed, 1)
	}
	err = withSolver(ctx, b, c, l, func(s *solver) { d.Stops, d.Unknown = s.defences() })
	return d, err
}

// defences tries everything that might stop the attacker's win by fours.
func (s *solver) defences() (stops, unknown []Point) {
	b, t := &s.board, &s.tracker
	defender := s.attacker.Opponent()
	_, them := sides(s.attacker)
	s.limits.ThreatLevel = s.limits.Moves
	b.SetTurn(defender)
	tries := s.disturbances(s.limits.Moves).Union(t.sets[them][FiveClass])
	if s.reason != 0 {
		tries = b.Stones(Empty)
	}
	for p := range tries.All() {
		if s.board.forbids(p) {
			continue
		}
		wins := t.class(p, them) == FiveClass
		s.step(p)
		plies, res := 0, noneWhatsoever
		if !wins {
			plies, res = s.find(s.limits.Moves, math.MaxInt)
		}
		s.stepBack()
		switch {
		case plies > 0:
		case res == noneWhatsoever:
			stops = append(stops, p)
		default:
			unknown = append(unknown, p)
		}
	}
	return stops, unknown
}

// solveFours is the search of SolveVCF.
func (s *solver) solveFours() finding {
	if s.limits.All {
		return s.allFours()
	}
	plies, f := s.bestFours(s.attack)
	if plies > 0 {
		f.wins = []*ProofNode{s.writeFours(plies)}
	}
	return f
}

// bestFours looks for a win, or the shortest, by a search that begins at ply 0
// with so many moves left; the line is in s.line.
func (s *solver) bestFours(attack func(ply, left int) (int, searchedFor)) (plies int, f finding) {
	s.budget = math.MaxInt
	most := s.limits.Moves
	if !s.limits.Shortest {
		plies, f.res = attack(0, most)
		switch {
		case plies == 1:
			f.atLeast = 0
		case plies == 0 && f.res == noneWithin:
			f.atLeast = most + 1
		case plies > 0:
			f.atLeast = 1
		}
		return plies, f
	}
	// Deepen, in larger steps as it gets dear, until there is a win; then see
	// whether there is a shorter one.
	for left := 0; plies == 0; {
		plies, f.res = attack(0, left)
		if plies > 0 {
			break
		}
		if f.res != noneWithin {
			return 0, f
		}
		f.atLeast = left + 1
		if left == most {
			return 0, f
		}
		left = min(left+1+left/6, most)
	}
	best := slices.Clone(s.line[:plies])
	for f.atLeast < plies/2 {
		n, res := attack(0, plies/2-1)
		if n > 0 {
			plies, best = n, append(best[:0], s.line[:n]...)
			continue
		}
		if res == notSearched {
			break
		}
		f.atLeast = plies / 2
	}
	copy(s.line[:], best)
	f.res = noneWhatsoever
	return plies, f
}

// allFours looks for every first move that wins.
func (s *solver) allFours() finding {
	t := &s.tracker
	me, _ := sides(s.attacker)
	all := finding{res: noneWhatsoever, atLeast: math.MaxInt}
	fives := t.sets[me][FiveClass]
	for p := range fives.All() {
		all.wins = append(all.wins, &ProofNode{Move: p})
	}
	if len(all.wins) > 0 {
		all.atLeast = 0
		return all
	}
	fours := t.fourPoints(me)
	for p := range fours.Minus(s.ban).All() {
		plies, f := s.bestFours(func(ply, left int) (int, searchedFor) {
			if left <= 0 {
				return 0, noneWithin
			}
			return s.attackAt(p, ply, left)
		})
		if plies > 0 {
			all.wins = append(all.wins, s.writeFours(plies))
		}
		if plies > 0 || f.res != noneWhatsoever {
			all.atLeast = min(all.atLeast, f.atLeast)
		}
		all.res = min(all.res, f.res)
	}
	if all.atLeast == math.MaxInt {
		all.atLeast = 0
	}
	slices.SortStableFunc(all.wins, func(a, b *ProofNode) int { return a.Length() - b.Length() })
	return all
}

// writeFours writes down the proof of the win by fours in s.line.
func (s *solver) writeFours(plies int) *ProofNode {
	s.finishing = true
	defer func(nodes int64) { s.nodesSeen, s.finishing = nodes, false }(s.nodesSeen)
	s.budget = math.MaxInt
	return s.fourTree(0, plies)
}

// fourTree writes down the proof of the win by fours in s.line, from ply on.
func (s *fourSearch) fourTree(ply, plies int) *ProofNode {
	b := &s.board
	n := &ProofNode{Move: s.line[ply]}
	if plies == 1 {
		return n
	}
	s.stepFour(n.Move)
	defer s.stepBack()
	s.answerFour(n, s.stepFour, func() *ProofNode {
		if !b.rule.spec().capped {
			return s.fourTree(ply+2, plies-2)
		}
		// The answer has been searched, but only the longest is still in the line.
		plies, _ := s.attack(ply+2, (plies-1)/2-1)
		return s.fourTree(ply+2, plies)
	})
	return n
}

// answerFour completes a node whose move, just played, threatens a five: with that
// five, and what follows the answers that stop it. Answers are played with step; where
// one stops every five, next is asked for what follows.
func (s *fourSearch) answerFour(n *ProofNode, step func(Point), next func() *ProofNode) {
	t := &s.tracker
	_, me := sides(s.board.turn)
	five := s.likelyAnswer()
	n.Rest = &ProofNode{Move: five}
	var answers PointSet
	answers.Add(five)
	if s.board.rule.spec().capped {
		answers = s.answersTo(&answers)
	}
	for q := range answers.All() {
		if s.board.forbids(q) {
			continue
		}
		step(q)
		if left := t.sets[me][FiveClass]; !left.IsEmpty() {
			n.Replies = append(n.Replies, ProofReply{q, &ProofNode{Move: left.first()}})
		} else {
			n.Replies = append(n.Replies, ProofReply{q, next()})
		}
		s.stepBack()
	}
}
