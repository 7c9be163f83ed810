package gomoku

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// searcher is one search at work: its own copy of the board, the evaluator that
// follows it, the limits, and what it counts. Its memory is kept from one search
// to the next, and a search allocates nothing per node.
type searcher struct {
	fourSearch // with the board and the tracker

	cfg    *config
	eval   Evaluator
	lines  *lineEvaluator // eval, if that is the default one
	scorer pointScorer
	table  *transpositions // shared by the threads of a search
	inHand *movesInHand    // as well; nil: there is one thread
	stats  Stats

	shapes  bool // the tracker follows the board
	history history

	seldepth int
	credit   int // positions that searches for fours at leaves may look at
	pv       [maxPly + 1]pvLine
	static   [maxPly + 1]Score        // the estimate of the position at each ply of the line
	moves    [maxPly + 1][]scoredMove // move buffers by ply

	roots      []rootMove
	spare      []scoredMove // moves at the root beyond the cap
	complete   bool         // the root moves are all there are
	best       rootMove     // what to play if the search ends now
	depth      int          // the last completed depth
	pastScores []Score      // of each completed depth, depth 1 first
	lastBest   Point        // at the last completed depth
	changes    float64      // of the best move; each counts half as much a depth later

	stop      *atomic.Bool // set from outside: give up at the next node
	reporting bool         // the progress function is being called
	finishing bool         // a found line is being completed: don't give up
	stopped   bool         // the search is giving up; values no longer count
	partial   bool         // moves were left out somewhere
	reason    StopReason
	start     time.Time
	clock
	softLimit time.Duration // no depth begins later; negative: none
	helper    int           // 0: the thread whose result counts
}

// maxPly is the longest line: extensions may take it beyond MaxDepth.
const maxPly = MaxDepth + 60

// pvLine is the line a node found best, from the node's move on.
type pvLine struct {
	moves [maxPly]Point
	len   int
}

// set makes the line the move followed by the rest.
func (l *pvLine) set(p Point, rest *pvLine) {
	l.moves[0] = p
	l.len = 1
	if rest != nil {
		l.len += copy(l.moves[1:], rest.moves[:rest.len])
	}
}

// step plays p on the board and in the tracker, but not in an evaluator: none is
// asked before it is taken back.
func (s *searcher) step(p Point) {
	if !s.shapes {
		s.board.place(p)
		return
	}
	s.fourSearch.step(p)
}

// stepBack takes the last step back.
func (s *searcher) stepBack() {
	if !s.shapes {
		s.board.Undo()
		return
	}
	s.fourSearch.stepBack()
}

// findVCF returns in how many plies the side to move wins by continuous fours,
// or 0 if it does not, or none was found within the budget of positions. The
// line is left in s.line.
func (s *searcher) findVCF(budget int) int {
	plies, _ := s.find(unlimitedMoves, budget)
	return plies
}

// place plays p on the search's board and tells the evaluator.
func (s *searcher) place(p Point) {
	c := s.board.turn
	s.step(p)
	switch {
	case s.lines != nil:
		s.lines.Place(p, c)
	case s.eval != nil:
		s.eval.Place(p, c)
	}
}

// undo takes the last move back.
func (s *searcher) undo() {
	s.stepBack()
	switch {
	case s.lines != nil:
		s.lines.Undo()
	case s.eval != nil:
		s.eval.Undo()
	}
}

// evaluate returns the estimate for the side to move.
func (s *searcher) evaluate() Score {
	s.stats.Evaluations++
	var v int
	switch {
	case s.lines != nil:
		v = s.lines.Evaluate(s.board.turn)
	case s.eval != nil:
		v = s.eval.Evaluate(s.board.turn)
	default:
		v = s.tracker.evaluate(s.board.turn)
	}
	limit := int(MaxEstimate)
	score := Score(min(max(v, -limit), limit))
	if s.cfg.seed != 0 {
		score = min(max(score+s.noise(), -MaxEstimate), MaxEstimate)
	}
	return score
}

// noiseSpan is how many values the seed's shift of an estimate can take; they
// are centred on 0.
const noiseSpan = 101

// noise returns the shift of the position's estimate that the seed asks for.
func (s *searcher) noise() Score {
	rnd := splitMix64(s.board.hash ^ s.cfg.seed)
	return Score(rnd.next()%noiseSpan) - noiseSpan/2
}

// checkEvery is how many nodes pass between two looks at the clock: some tenths
// of a millisecond.
const checkEvery = 512

// giveUp reports whether the search must end, and remembers why.
func (s *searcher) giveUp() bool {
	if s.finishing {
		return false
	}
	switch {
	case s.stopped:
	case s.stop.Load():
		s.stopped, s.reason = true, StopCancelled
	case s.cfg.nodes > 0 && s.stats.Nodes >= s.cfg.nodes:
		s.stopped, s.reason = true, StopNodes
	case s.stats.Nodes%checkEvery == 0:
		s.lookAtClock()
	}
	return s.stopped
}

// lookAtClock stops the search when its time is up.
func (s *searcher) lookAtClock() {
	if s.expired() {
		s.stopped, s.reason = true, StopTime
	}
}

// clock knows until when a search may run.
type clock struct {
	deadline time.Time // zero: none
	parked   time.Time // when the goroutine last let others run, on wasm
}

// until makes the deadline t, if it is not earlier already.
func (c *clock) until(t time.Time) {
	if c.deadline.IsZero() || t.Before(c.deadline) {
		c.deadline = t
	}
}

// expired reports whether the time is up.
func (c *clock) expired() bool {
	if c.deadline.IsZero() && runtime.GOARCH != "wasm" {
		return false
	}
	now := time.Now()
	if runtime.GOARCH == "wasm" && now.Sub(c.parked) > 20*time.Millisecond {
		// JavaScript shares its thread with us: its messages, a cancelling one
		// among them, arrive only while the goroutine is parked.
		time.Sleep(time.Microsecond)
		c.parked = time.Now()
	}
	return !c.deadline.IsZero() && !now.Before(c.deadline)
}

// negamax returns the value of the position for the side to move, searched to
// the given depth; ply is the distance from the root. The value is exact if it
// lies between alpha and beta, else a bound (fail-soft). The line behind it is
// left in s.pv[ply].
//
// Every strategy is this function: minimax opens the window wide for every
// child and never cuts, PVS closes it for all children but the first.
func (s *searcher) negamax(depth, ply int, alpha, beta Score) Score {
	b := &s.board
	s.pv[ply].len = 0
	s.seldepth = max(s.seldepth, ply)
	if s.giveUp() {
		return 0
	}
	s.stats.Nodes++
	s.credit = min(s.credit+1, leafCredit)
	switch {
	case b.winner != Empty:
		return -mateIn(ply) // the last move made a five
	case b.Over():
		return 0
	case depth <= 0 && !s.shapes, ply >= maxPly-1:
		return s.evaluate()
	}
	me, them := sides(b.turn)
	forced := false // there is a four to answer
	if s.shapes {
		if v, ok := s.settled(ply); ok {
			return v
		}
		forced = s.tracker.sums.count[them][FiveClass] > 0
		if depth = max(depth, 0); depth == 0 && !forced {
			return s.leaf(ply, s.evaluate(), beta)
		}
	}

	tableMove := NoPoint
	if len(s.table.buckets) > 0 {
		s.stats.TableProbes++
		if e, ok := s.table.probe(b.hash); ok {
			s.stats.TableHits++
			tableMove = e.move
			least := depth
			if s.inHand != nil && depth >= reduceUnknown && beta-alpha == 1 && s.cfg.techniques.has(InternalReduction) {
				least-- // enough for the thread that came here first, without a move from the table
			}
			if score := e.score.fromTable(ply); e.depth >= least && settles(e.bound, score, alpha, beta) {
				s.stats.TableCutoffs++
				if e.move != NoPoint {
					s.pv[ply].set(e.move, nil)
				}
				return score
			}
		}
	}

	n := node{depth: depth, open: beta-alpha > 1, forced: forced}
	if tableMove == NoPoint && depth >= reduceUnknown && !forced && s.cfg.techniques.has(InternalReduction) {
		s.partial = true
		n.depth--
	}
	if s.shapes {
		s.look(&n, ply, them)
		if v, ok := s.hopeless(&n, ply, alpha, beta); ok {
			s.partial = true
			return v
		}
	}

	best, bestMove, oldAlpha := -infinity, NoPoint, alpha
	next := n.depth - 1
	if forced && s.cfg.techniques.has(AnswerExtension) {
		next = n.depth
	}
	var list moveList
	staged := s.cfg.ordering && s.mayPlay(tableMove)
	for i, all := 0, false; ; i++ {
		switch {
		case i == 0 && staged: // often enough to need no others
			list.moves = append(s.moves[ply][:0], newScoredMove(tableMove, 0))
		case !all:
			all = true
			list = s.nextMoves(s.moves[ply][:0], ply, tableMove)
			s.moves[ply] = list.moves[:0]
			if len(list.moves) == 0 {
				return 0 // nothing but fouls: nobody can be made to lose by it
			}
			if !list.complete {
				// A move that was left out may be no loss: what the others prove is
				// at most that this one is as bad as an estimate can be.
				s.partial = true
				best, alpha = max(best, -MaxEstimate), max(alpha, -MaxEstimate)
			}
		}
		if alpha >= beta && s.cfg.strategy != Minimax {
			break
		}
		if i >= len(list.moves) {
			if list.beyond == 0 || best > -MaxEstimate {
				break
			}
			list.lift()
		}
		p, rank := list.pick(i), list.rank(i)
		key := s.inHand.key(b.hash, p, n.depth)
		if i > 0 && list.mayPutOff(i) && s.inHand.has(key) {
			list.putOff(i)
			i--
			continue
		}
		reduction, quiet := 0, false
		if s.shapes {
			mine, theirs := s.tracker.class(p, me), s.tracker.class(p, them)
			quiet = mine < FourClass && theirs < FourClass
			if quiet && i > 0 && best > -MaxEstimate {
				if reach, skip := s.skips(&n, rank, alpha); skip {
					s.partial = true
					best = max(best, reach)
					continue
				}
			}
			if mine < OpenFourClass && theirs < FiveClass {
				reduction = s.reduction(&n, rank)
				s.partial = s.partial || reduction > 0
			}
		}
		s.inHand.take(key)
		s.place(p)
		v := Score(0)
		if reduction > 0 {
			v = -s.negamax(next-reduction, ply+1, -alpha-1, -alpha)
		}
		if reduction == 0 || v > alpha && !s.stopped {
			v = s.child(next, ply+1, alpha, beta, i == 0)
		}
		s.undo()
		s.inHand.drop(key)
		if s.stopped {
			return 0
		}
		if v <= best && (bestMove != NoPoint || v < best) {
			continue
		}
		best, bestMove = v, p
		if v > alpha || i == 0 {
			s.pv[ply].set(p, &s.pv[ply+1])
		}
		if v >= beta && s.cfg.strategy != Minimax {
			s.stats.Cutoffs++
			if i == 0 {
				s.stats.FirstMoveCuts++
			}
			if quiet && s.cfg.techniques.has(History) {
				s.history.reward(me, p, b.LastMove(), list.moves[:i], n.depth, ply)
			}
			break
		}
		alpha = max(alpha, v)
	}

	bound := Exact
	switch {
	case s.cfg.strategy == Minimax:
	case best >= beta:
		bound = Lower
	case best <= oldAlpha:
		bound = Upper
	}
	s.table.store(b.hash, tableEntry{best.toTable(ply), bestMove, n.depth, bound})
	return best
}

// mayPlay reports whether a move from the table can be played; that of another
// position with the same hash might not.
func (s *searcher) mayPlay(p Point) bool {
	b := &s.board
	return p.on(b.size) && !b.stones[Empty].Has(p) && !b.forbids(p)
}

// A node is what the selective techniques know of a position before its moves
// are tried.
type node struct {
	depth      int
	static     Score // the estimate, or noEstimate
	open       bool  // the window is wider than a null window
	forced     bool  // the opponent threatens a five
	threatened bool  // the opponent threatens an open four
	improving  bool  // the estimate is better than it was two plies ago
}

// noEstimate stands for an estimate that was not made.
const noEstimate = -infinity

// look fills in what the shapes say of a node.
func (s *searcher) look(n *node, ply, them int) {
	n.threatened = s.tracker.sums.count[them][OpenFourClass] > 0
	n.static, n.improving = noEstimate, true
	if !n.forced && s.cfg.techniques&selective != 0 {
		n.static = s.evaluate()
		n.improving = ply < 2 || n.static > s.static[ply-2] // always, where that was not made
	}
	s.static[ply] = n.static
}

// hopeless returns the value of a node near the leaves whose estimate is so far
// outside of the null window that no search is worth it: too good for the
// opponent to allow, or so bad that only continuous fours could still help.
func (s *searcher) hopeless(n *node, ply int, alpha, beta Score) (Score, bool) {
	if n.open || n.forced {
		return 0, false
	}
	margin := futilityMargin * Score(n.depth)
	if s.cfg.techniques.has(Futility) && n.depth <= futilityDepth && !n.threatened &&
		n.static-margin >= beta && n.static <= MaxEstimate/2 {
		return n.static - margin, true
	}
	if s.cfg.techniques.has(Razoring) && n.depth <= razorDepth && n.static+razorMargin*Score(n.depth) <= alpha {
		v := s.leaf(ply, n.static, beta)
		return v, v <= alpha
	}
	return 0, false
}

// skips reports whether the i-th move, a quiet one, is left out, and what the
// node's value may be for all that is known of the move.
func (s *searcher) skips(n *node, i int, alpha Score) (reach Score, skip bool) {
	if n.open || n.forced {
		return 0, false
	}
	if s.cfg.techniques.has(LateMovePruning) && n.depth <= lateMoveDepth && i >= lateMoves(n.depth, n.improving) {
		return -infinity, true
	}
	reach = n.static + futilityMargin*Score(n.depth)
	return reach, s.cfg.techniques.has(Futility) && n.depth <= futilityDepth && !n.threatened && reach <= alpha
}

// reduction returns by how many plies the i-th move is searched less deep at first.
func (s *searcher) reduction(n *node, i int) int {
	if n.forced || n.depth < 3 || i < 2 || !s.cfg.techniques.has(LateMoveReduction) {
		return 0
	}
	r := int(reductions[min(n.depth, len(reductions)-1)][min(i, len(reductions[0])-1)])
	if n.open {
		r--
	}
	if !n.improving {
		r++
	}
	return min(max(r, 0), n.depth-2)
}

// settled returns the value of positions whose outcome the shapes show.
func (s *searcher) settled(ply int) (Score, bool) {
	b, t := &s.board, &s.tracker
	me, them := sides(b.turn)
	spec := b.rule.spec()
	mine, theirs := &t.sums.count[me], &t.sums.count[them]
	switch {
	case mine[FiveClass] > 0:
		return mateIn(ply + 1), true
	case spec.capped:
		return 0, false // one stone may stop two fives
	case theirs[FiveClass] > 1:
		return -mateIn(ply + 2), true
	case theirs[FiveClass] == 1:
		if b.forbids(t.sets[them][FiveClass].first()) {
			return -mateIn(ply + 2), true
		}
		return 0, false
	}
	if mine[OpenFourClass] > 0 {
		if !spec.fouls[b.turn] {
			return mateIn(ply + 3), true
		}
		for p := range t.sets[me][OpenFourClass].All() {
			if b.lines.foul(p) == NoFoul {
				return mateIn(ply + 3), true
			}
		}
	}
	// A four-three wins where the opponent can't answer with a four: the four is
	// answered on its own line, and the three becomes an open four.
	if mine[FourThreeClass] > 0 && !spec.fouls[b.turn] &&
		theirs.fours() == 0 {
		return mateIn(ply + 5), true
	}
	return 0, false
}

// leafBudget is how many positions a VCF search at a leaf may look at. All of them
// together may look at as many as the rest of the search does, and leafCredit more: where
// both sides have many fours that lead nowhere, each leaf would use up its budget, and
// next to nothing would be left for the search itself. leafLeast are always allowed.
const (
	leafBudget = 100
	leafCredit = 2000
	leafLeast  = 4
)

// leaf returns the value where the depth ends: a win by continuous fours, or the
// estimate given.
func (s *searcher) leaf(ply int, estimate, beta Score) Score {
	if estimate >= beta || !s.cfg.techniques.has(LeafVCF) {
		return estimate
	}
	before := s.stats.Nodes
	plies := s.findVCF(min(leafBudget, max(s.credit, leafLeast)))
	s.credit -= int(s.stats.Nodes - before)
	if plies > 0 {
		return mateIn(ply + plies)
	}
	if s.stopped {
		return 0
	}
	return estimate
}

// The margins and depths of the unsound techniques, in the units of the shape
// evaluation and in plies.
const (
	futilityDepth  = 7
	futilityMargin = 90
	razorDepth     = 2
	razorMargin    = 150
	lateMoveDepth  = 10
	reduceUnknown  = 4 // from this depth on without a move from the table
)

// lateMoves is how many moves are tried at least before quiet ones are left out.
func lateMoves(depth int, improving bool) int {
	n := 4 + depth*depth/2
	if !improving {
		n = n * 2 / 3
	}
	return n
}

// reductions has by depth and number of the move how much less deep it is
// searched.
var reductions = newReductions()

func newReductions() (r [32][64]int8) {
	for depth := 1; depth < len(r); depth++ {
		for i := 1; i < len(r[0]); i++ {
			r[depth][i] = int8(0.5 + math.Log(float64(depth))*math.Log(float64(i))/1.5)
		}
	}
	return r
}

// settles reports whether a bound settles a node with the given window.
func settles(bound Bound, score, alpha, beta Score) bool {
	return bound == Exact || bound == Lower && score >= beta || bound == Upper && score <= alpha
}

// child returns the value, for the side that just moved, of the position that
// the move led to, as the strategy searches it.
func (s *searcher) child(depth, ply int, alpha, beta Score, first bool) Score {
	switch {
	case s.cfg.strategy == Minimax:
		return -s.negamax(depth, ply, -infinity, infinity)
	case s.cfg.strategy == PVS && !first:
		v := -s.negamax(depth, ply, -alpha-1, -alpha)
		if v <= alpha || v >= beta || s.stopped {
			return v
		}
		s.stats.Researches++
	}
	return -s.negamax(depth, ply, -beta, -alpha)
}
