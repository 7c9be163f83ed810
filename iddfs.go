package gomoku

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// rootMove is a move at the root with what the last search of it found.
type rootMove struct {
	point Point
	score Score
	bound Bound // NoBound: not searched yet
	pv    pvLine
	win   Score // proven before the search, 0: not
}

// valueKey is all that decides a position's value. A table filled under another
// one is of no use.
type valueKey struct {
	radius, cap int
	weights     Weights
	seed        uint64
	techniques  Technique
	shapeWorth  *ShapeWeights
	evaluator   *evaluatorFactory
}

func (c *config) valueKey() valueKey {
	return valueKey{c.radius, c.cap, c.weights, c.seed, c.techniques, c.shapeWorth, c.evaluator}
}

// search looks for the best move of b under cfg, with one thread or several. The
// helpers of the first thread do the same work as it does, and what they put into
// the common table helps it along.
func (e *Engine) search(ctx context.Context, b *Board, cfg *config) (Result, error) {
	main := &e.main
	main.start = time.Now()
	cfg = cfg.forEndgame(b)
	e.table.prepare(cfg.valueKey())
	ctx, cancel := main.limitTime(ctx, cfg)
	defer cancel()
	stop := new(atomic.Bool) // of this search alone: a late cancellation must not hit the next
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()

	main.inHand = e.inHand
	e.inHand.clear()
	var wg sync.WaitGroup
	faults := make([]error, len(e.helpers))
	for i, h := range e.helpers {
		h.start, h.deadline, h.softLimit = main.start, main.deadline, noLimit
		h.helper, h.inHand = i+1, e.inHand
		wg.Go(func() { _, faults[i] = h.run(ctx, b, cfg, &e.table, stop) })
	}
	halt := func() {
		stop.Store(true)
		wg.Wait()
	}
	defer halt() // also if the caller's progress function panics
	list, err := main.run(ctx, b, cfg, &e.table, stop)
	halt()
	if list == nil {
		return Result{Best: NoPoint}, err
	}
	for i, h := range e.helpers {
		if errors.Is(faults[i], ErrEvaluator) {
			err = faults[i]
		}
		main.stats.Merge(h.stats.withoutDepths())
		main.seldepth = max(main.seldepth, h.seldepth)
		main.partial = main.partial || h.partial
	}
	e.table.partial = main.partial
	if errors.Is(err, ErrEvaluator) {
		main.reason = StopFailed
	}
	r := main.result()
	main.release()
	for _, h := range e.helpers {
		h.release()
	}
	return r, err
}

// endgameSize is with how many empty points the search begins to look at
// everything.
const endgameSize = 12

// forEndgame returns the settings to search a board with: when few points are
// empty and the depth allows for all of them, settings that leave no move out, so
// that the result is exact.
func (c *config) forEndgame(b *Board) *config {
	empty := b.size*b.size - b.count
	if empty > endgameSize || c.depth > 0 && c.depth < empty || !c.techniques.has(Shapes) || c.strategy == Minimax {
		return c
	}
	whole := *c
	whole.cap, whole.radius = 0, 0
	// Where fouls count, ThreatDefence proves nothing: a stone elsewhere can make a
	// threatened open four a foul.
	whole.techniques &^= selective | InternalReduction | ThreatDefence
	return &whole
}

// forgetGame makes the search independent of those before it.
func (s *searcher) forgetGame() {
	s.history = history{}
	clear(s.failed.slots)
}

// release keeps nothing of the caller's alive.
func (s *searcher) release() { s.cfg, s.eval, s.lines = nil, nil, nil }

// run is one thread's search. It returns the root moves, nil if there are none.
func (s *searcher) run(ctx context.Context, b *Board, cfg *config, table *transpositions, stop *atomic.Bool) (*moveList, error) {
	s.table, s.stop = table, stop
	s.setUp(b, cfg)
	list, err := s.rootMoves()
	if err != nil {
		return nil, err
	}
	err = s.guarded(func() {
		s.useEvaluator()
		if ctx.Err() != nil {
			s.stopped, s.reason = true, StopCancelled
		}
		s.deepen(list)
	})
	if s.reason == StopCancelled && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		s.reason = StopTime
	}
	for err != nil && s.board.count > b.count { // the panic left the tree half-way
		s.board.Undo()
	}
	return &list, err
}

// setUp takes a copy of the board and forgets the last search.
func (s *searcher) setUp(b *Board, cfg *config) {
	history := append(s.board.history[:0], b.history...)
	s.board = *b
	s.board.history = history

	s.cfg = cfg
	s.nodes = &s.stats.Nodes
	if s.halt == nil {
		s.halt = s.giveUp
		s.failed.prepare(0, 0)
	}
	if s.shapes = cfg.techniques.has(Shapes); s.shapes {
		w := cfg.shapeWorth
		if w == nil {
			w = DefaultShapeWeights()
		}
		s.tracker.reset(&s.board, w)
	}
	s.history.fade()
	s.scorer = pointScorer{runs: cfg.weights.runTable(), weights: &cfg.weights}
	s.stats = Stats{}
	s.seldepth, s.depth, s.credit = 0, 0, leafCredit
	s.reporting = false
	s.stopped, s.reason = false, 0
	s.partial = s.table.partial
	s.parked = s.start
	s.roots, s.spare = s.roots[:0], s.spare[:0]
	s.pastScores, s.changes = s.pastScores[:0], 0
}

// limitTime works out the deadline from the budget and the context, and returns
// a context that ends with it. Timers that wait for it stop the search even
// while an evaluator of the caller's takes long; looking at the clock stops it
// where timers do not run.
func (s *searcher) limitTime(ctx context.Context, cfg *config) (context.Context, context.CancelFunc) {
	s.deadline = time.Time{}
	if d, ok := ctx.Deadline(); ok {
		s.deadline = d
	}
	s.softLimit = cfg.soft
	cancel := func() {}
	if cfg.budget >= 0 {
		if end := s.start.Add(cfg.budget); s.deadline.IsZero() || end.Before(s.deadline) {
			s.deadline = end
		}
		ctx, cancel = context.WithDeadline(ctx, s.deadline)
	}
	if s.softLimit < 0 && !s.deadline.IsZero() {
		s.softLimit = s.deadline.Sub(s.start) / 2
	}
	return ctx, cancel
}

// useEvaluator makes the evaluator of this search and shows it the board.
func (s *searcher) useEvaluator() {
	s.lines, s.eval = nil, nil
	switch {
	case s.cfg.evaluator != nil:
		s.eval = (*s.cfg.evaluator)()
		s.eval.Reset(&s.board)
	case !s.shapes:
		s.lines = newLineEvaluator(s.cfg.weights)
		s.lines.Reset(&s.board)
	}
}

// guarded runs f and turns a panic of a caller's evaluator into an error. Our
// own faults stay panics.
func (s *searcher) guarded(f func()) (err error) {
	if s.cfg.evaluator != nil {
		defer func() {
			if s.reporting {
				return // a panic of the function that hears of the progress
			}
			if v := recover(); v != nil {
				err = fmt.Errorf("%w: %v", ErrEvaluator, v)
			}
		}()
	}
	f()
	return nil
}

// rootMoves returns the moves to choose from, prepared, and notes the one to
// play if there is no time to search.
func (s *searcher) rootMoves() (moveList, error) {
	list := s.generate(s.moves[0][:0])
	if len(list.moves) == 0 {
		return list, ErrNoLegalMove
	}
	if s.cfg.multiPV > 1 {
		list.moves = s.withOthers(list.moves)
	}
	limit := s.cfg.cap
	if len(s.cfg.only) > 0 || len(s.cfg.exclude) > 0 {
		list = s.allowedMoves(list)
		if len(list.moves) == 0 {
			return list, ErrNoLegalMove
		}
		if len(s.cfg.only) > 0 {
			limit = 0 // the caller has chosen
		}
	}
	s.moves[0] = list.moves[:0]
	s.best = rootMove{point: slices.Max(list.moves).point()}
	s.best.pv.set(s.best.point, nil)
	list.limit(limit)
	list.order(s.cfg.ordering, NoPoint)
	for i := range list.moves {
		s.roots = append(s.roots, rootMove{point: list.pick(i)})
	}
	if s.cfg.techniques.has(LastResort) {
		list.lift()
		s.spare = append(s.spare, list.moves[len(s.roots):]...)
	}
	return list, nil
}

// lastResort adds the moves beyond the cap to those at the root, if all these lose.
func (s *searcher) lastResort() bool {
	if len(s.spare) == 0 || s.stopped || s.roots[0].score > -MaxEstimate {
		return false
	}
	for i := range s.spare {
		s.roots = append(s.roots, rootMove{point: s.spare[i].point()})
	}
	s.spare = s.spare[:0]
	return true
}

// withOthers adds, behind moves that are all that matter for the best line, the
// other candidates: who asks for several lines wants to see those too.
func (s *searcher) withOthers(moves []scoredMove) []scoredMove {
	var have PointSet
	least := moves[0]
	for _, m := range moves {
		have.Add(m.point())
		least = min(least, m)
	}
	others := s.board.CandidateSet(s.cfg.radius).Minus(have)
	all := slices.Clone(moves)
	for _, m := range s.scoreMoves(&others) {
		// Weaker than any of the others, in their own order.
		all = append(all, newScoredMove(m.point(), int32(min(m, least)>>scoredPointBits)-1))
	}
	return all
}

// scoreMoves returns the legal moves of a set, scored for ordering.
func (s *searcher) scoreMoves(set *PointSet) []scoredMove {
	if s.shapes {
		return s.scoreByShape(nil, set)
	}
	b := &s.board
	var moves []scoredMove
	for p := range set.All() {
		if b.forbids(p) {
			continue
		}
		own, opp, ownFive, oppFive := s.scorer.score(b, p, b.turn)
		five := s.scorer.runs[5][0]
		if ownFive {
			own += 4 * five
		}
		if oppFive {
			opp += 2 * five
		}
		moves = append(moves, newScoredMove(p, own+opp))
	}
	return moves
}

// allowedMoves filters the moves by WithOnly and WithExclude. If the filter
// leaves none of the usual ones, or names others, it chooses from all legal moves.
func (s *searcher) allowedMoves(list moveList) moveList {
	b := &s.board
	allowed := b.Stones(Empty)
	if len(s.cfg.only) > 0 {
		var only PointSet
		for _, p := range s.cfg.only {
			only.Add(p)
		}
		allowed = allowed.Intersect(only)
	}
	for _, p := range s.cfg.exclude {
		allowed.Remove(p)
	}
	kept := slices.DeleteFunc(slices.Clone(list.moves), func(m scoredMove) bool { return !allowed.Has(m.point()) })
	if len(kept) == len(list.moves) && len(s.cfg.only) == 0 {
		return list
	}
	if len(kept) == 0 || len(s.cfg.only) > 0 {
		kept = s.scoreMoves(&allowed)
	}
	return moveList{moves: kept}
}

// deepen searches depth after depth, until a limit.
func (s *searcher) deepen(list moveList) {
	s.complete = list.complete
	s.best.score = s.evaluate()
	if s.winsByForce() {
		return
	}
	limit, atEnd := s.depthLimit()
	first := 1
	if !s.cfg.deepen {
		first = limit
	}
	for depth := first; depth <= limit && !s.stopped; depth++ {
		before, nodes := time.Since(s.start), s.stats.Nodes
		s.searchDepth(depth)
		if s.stopped {
			return
		}
		s.depth = depth
		elapsed := time.Since(s.start)
		s.stats.DepthTimes = append(s.stats.DepthTimes, elapsed-before)
		s.stats.DepthNodeCounts = append(s.stats.DepthNodeCounts, s.stats.Nodes-nodes)
		if s.helper > 0 {
			continue // the first thread ends the search
		}
		s.report()
		s.reason = s.reasonToEnd(depth, elapsed, elapsed-before)
		if s.reason != 0 {
			return
		}
	}
	if !s.stopped {
		s.reason = StopDepth
		if atEnd {
			s.reason = StopExhausted
		}
	}
}

// depthLimit returns the greatest depth to search, and whether it is the depth
// at which the board is full.
func (s *searcher) depthLimit() (limit int, atEnd bool) {
	limit = s.cfg.depth
	if limit == 0 {
		limit = defaultDepth
		if s.cfg.nodes > 0 || !s.deadline.IsZero() {
			limit = MaxDepth
		}
	}
	if empty := s.board.size*s.board.size - s.board.count; empty <= limit {
		return empty, true
	}
	return limit, false
}

// reasonToEnd says why no further depth should follow, or 0.
func (s *searcher) reasonToEnd(depth int, elapsed, last time.Duration) StopReason {
	if s.allProven() {
		return StopProven
	}
	if s.softLimit < 0 {
		return 0
	}
	switch {
	case depth > 1 && len(s.roots) == 1 && s.complete && !s.deadline.IsZero(): // two plies tell a lost position
		return StopForced
	case elapsed >= s.patience():
		return StopTime
	case !s.deadline.IsZero() && s.softLimit < s.deadline.Sub(s.start) && time.Until(s.deadline) < last:
		return StopTime // the next depth takes longer than the last one did
	case len(s.roots) == 1 && s.board.count == 0 && !s.deadline.IsZero():
		return StopForced // the centre
	}
	return 0
}

// patience is the soft limit as things stand: earlier while the best move stays the
// same, later when it has just changed or the score has fallen since two depths
// ago. Where time saved is lost, it is the whole time.
func (s *searcher) patience() time.Duration {
	budget := time.Duration(math.MaxInt64)
	if !s.deadline.IsZero() {
		budget = s.deadline.Sub(s.start)
	}
	if s.softLimit >= budget || len(s.pastScores) < 3 {
		return s.softLimit
	}
	n := len(s.pastScores)
	fallen := min(max(s.pastScores[n-3]-s.pastScores[n-1], 0), fallTime)
	factor := 0.7 + 0.4*s.changes + 0.5*float64(fallen)/fallTime
	return min(time.Duration(factor*float64(s.softLimit)), budget)
}

// fallTime is the fall of the score for which the search takes half as long again.
const fallTime = 400

// allProven reports whether every line asked for ends in a proven result.
func (s *searcher) allProven() bool {
	for i := range s.lineCount() {
		if _, ok := s.lineScore(i).Mate(); !ok {
			return false
		}
	}
	return true
}

// lineCount is how many best lines there are to find.
func (s *searcher) lineCount() int { return min(s.cfg.multiPV, len(s.roots)) }

// lineScore is the score of the i-th best line. If moves were left out at the
// root, that the best of the others loses is no proof that all do.
func (s *searcher) lineScore(i int) Score {
	if i == 0 && !s.complete {
		return max(s.roots[0].score, -MaxEstimate)
	}
	return s.roots[i].score
}

// searchDepth searches the best lines to the given depth, each among the moves
// that the ones before it left.
func (s *searcher) searchDepth(depth int) {
	for i := range s.lineCount() {
		if i == 0 {
			s.aspire(depth)
			if s.lastResort() {
				s.aspire(depth)
			}
		} else {
			s.searchRoot(depth, -infinity, infinity, i)
		}
		if s.stopped {
			return
		}
	}
	slices.SortStableFunc(s.roots[:s.lineCount()], func(a, b rootMove) int { return cmp.Compare(b.score, a.score) })
	s.changes /= 2
	if len(s.pastScores) > 0 && s.roots[0].point != s.lastBest {
		s.changes++
	}
	s.best, s.lastBest = s.roots[0], s.roots[0].point
	s.pastScores = append(s.pastScores, s.best.score)
}

// aspirationWindow is the half-width of the first window, in evaluator units:
// a little less than an open three.
const aspirationWindow = 400

// aspire searches for the best line in a window around the score of two depths
// before, which had the same side on move at its leaves, and widens the window
// fourfold when the value falls outside.
func (s *searcher) aspire(depth int) {
	alpha, beta := -infinity, infinity
	width := Score(aspirationWindow)
	guess := Score(0)
	if n := len(s.pastScores); s.cfg.aspiration && s.cfg.strategy != Minimax && n >= 2 {
		guess = s.pastScores[n-2]
		if _, mate := guess.Mate(); !mate {
			alpha, beta = guess-width, guess+width
		}
	}
	for {
		v := s.searchRoot(depth, alpha, beta, 0)
		if s.stopped || alpha < v && v < beta {
			return
		}
		low, high := v <= alpha && alpha > -infinity, v >= beta && beta < infinity
		if !low && !high {
			return
		}
		s.stats.WindowFailures++
		if width *= 4; width > MaxEstimate/4 {
			alpha, beta = -infinity, infinity
			continue
		}
		if low {
			alpha = max(guess-width, -infinity)
		} else {
			beta = min(guess+width, infinity)
		}
	}
}

// searchRoot searches the root moves from the given index on and moves each one
// that is better than those before it to that index. It returns the best value.
func (s *searcher) searchRoot(depth int, alpha, beta Score, from int) Score {
	best := -infinity
	later := 0 // how many at the end are put off until the others are done
	for i := from; i < len(s.roots); i++ {
		m := &s.roots[i]
		v := m.win
		if v == 0 {
			key := s.inHand.key(s.board.hash, m.point, depth)
			if i > from && i+1 < len(s.roots)-later && s.inHand.has(key) {
				off := *m
				copy(s.roots[i:], s.roots[i+1:])
				s.roots[len(s.roots)-1] = off
				later++
				i--
				continue
			}
			s.inHand.take(key)
			s.place(m.point)
			v = s.child(depth-1, 1, alpha, beta, i == from)
			s.undo()
			s.inHand.drop(key)
		}
		if s.stopped {
			return best
		}
		m.score = v
		switch {
		case v <= alpha && s.cfg.strategy != Minimax:
			m.bound = Upper
		case v >= beta && s.cfg.strategy != Minimax:
			m.bound = Lower
		default:
			m.bound = Exact
		}
		if (v > alpha || i > from) && m.win == 0 {
			m.pv.set(m.point, &s.pv[1])
		}
		if v <= best {
			continue
		}
		best = v
		if v <= alpha {
			continue
		}
		alpha = v
		better := *m
		copy(s.roots[from+1:i+1], s.roots[from:i])
		s.roots[from] = better
		if from == 0 {
			s.best = better
		}
		if alpha >= beta && s.cfg.strategy != Minimax {
			break
		}
	}
	return best
}

// report tells the progress function, if there is one.
func (s *searcher) report() {
	if s.cfg.progress != nil {
		s.reporting = true
		s.cfg.progress(s.info())
		s.reporting = false
	}
}

// info is the state of the search for the outside.
func (s *searcher) info() Info {
	i := Info{
		Depth: s.depth, SelDepth: s.seldepth, Nodes: s.stats.Nodes, Elapsed: time.Since(s.start),
		Lines: s.bestLines(), Candidates: s.candidates(false),
	}
	i.Score, i.PV = i.Lines[0].Score, slices.Clone(i.Lines[0].PV)
	return i
}

// bestLines returns the lines of the last completed depth. If a deeper search
// was broken off after it had found something better, the first line is that.
func (s *searcher) bestLines() []Line {
	best := s.best.score
	if !s.complete {
		best = max(best, -MaxEstimate)
	}
	lines := []Line{{Score: best, PV: s.fullLine(&s.best.pv, s.best.score)}}
	for i := 1; i < s.lineCount() && s.depth > 0; i++ {
		lines = append(lines, Line{Score: s.lineScore(i), PV: s.fullLine(&s.roots[i].pv, s.roots[i].score)})
	}
	return lines
}

// fullLine returns the line, if there is one, cut where it is no longer legal, as
// a line from a table can be. It goes on with what the table knows and, if the
// line wins or loses by force, with what the shapes show, to the end of the game. If
// that does not lead to the end that the score claims, the line is left as it was.
func (s *searcher) fullLine(l *pvLine, score Score) []Point {
	b := &s.board
	plies, mate := score.Mate()
	plies = max(plies, -plies)
	line := make([]Point, 0, l.len)
	var forced []Point // what comes next
	for l.len > 0 && !b.Over() && len(line) < maxPly-1 {
		p := NoPoint
		if i := len(line); i < l.len {
			p = l.moves[i]
		} else if e, ok := s.table.probe(b.hash); ok && e.bound == Exact && !mate {
			p = e.move
		} else if mate && s.shapes {
			if len(forced) == 0 || forced[0] == NoPoint { // there is no legal answer to a four
				forced = s.forcedMoves()
			}
			if len(forced) > 0 {
				p, forced = forced[0], forced[1:]
			}
		}
		if b.playable(p) != nil || b.forbids(p) {
			break
		}
		s.step(p)
		line = append(line, p)
	}
	over := b.Over()
	ends := !mate || b.winner != Empty && len(line) == plies // who wins goes by the number
	for range line {
		s.stepBack()
	}
	switch {
	case ends || len(line) <= l.len && len(line) < plies && !over:
		return line
	case len(line) > l.len:
		return line[:l.len]
	}
	return line[:min(len(line), 1)] // it was of an earlier search
}

// forcedMoves returns what follows where one of the sides wins by fours: the line of
// fours if it has the move, else the answer to a four, or the defence that the search's
// own order prefers. It is empty if there is nothing.
func (s *searcher) forcedMoves() []Point {
	me, them := sides(s.board.turn)
	counts := &s.tracker.sums.count
	defer func(stats Stats) { s.stats, s.finishing = stats, false }(s.stats) // the search itself is over
	s.finishing = true
	if counts[me][FiveClass] == 0 && counts[them][FiveClass] == 0 {
		if plies := s.findVCF(leafBudget); plies > 0 {
			return slices.Clone(s.line[:plies])
		}
	}
	list := s.generateByShape(s.moves[maxPly][:0])
	s.moves[maxPly] = list.moves[:0]
	if len(list.moves) == 0 {
		return nil
	}
	return []Point{slices.Max(list.moves).point()}
}

// result is what the search found.
func (s *searcher) result() Result {
	i := s.info()
	r := Result{
		Best: s.best.point, Score: i.Score, Depth: i.Depth, SelDepth: i.SelDepth, PV: i.PV, Nodes: i.Nodes,
		Elapsed: i.Elapsed, Stop: s.reason, Lines: i.Lines, Candidates: s.candidates(true), Stats: s.stats,
	}
	_, mate := r.Score.Mate()
	r.Proven = mate || s.reason == StopExhausted && s.complete && !s.partial
	s.slip(&r)
	return r
}

// candidates returns the moves at the root, best first, with or without lines.
func (s *searcher) candidates(lines bool) []Candidate {
	list := make([]Candidate, len(s.roots))
	for i := range s.roots {
		m := &s.roots[i]
		list[i] = Candidate{Point: m.point, Score: m.score, Bound: m.bound}
		if lines {
			list[i].PV = s.fullLine(&m.pv, m.score)
		}
	}
	sorted := list[min(s.lineCount(), len(list)):]
	slices.SortStableFunc(sorted, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return list
}

// slip lets a level play one of its next best moves now and then. It never
// slips when there is no choice or the result is proven.
func (s *searcher) slip(r *Result) {
	rnd := splitMix64(s.board.hash ^ s.cfg.seed)
	if s.cfg.slips == 0 || r.Proven || len(r.Candidates) < 2 || int(rnd.next()%100) >= s.cfg.slips {
		return
	}
	c := r.Candidates[1+rnd.next()%uint64(min(3, len(r.Candidates)-1))]
	r.Slip = true
	r.Best, r.Score, r.PV = c.Point, max(c.Score, -MaxEstimate), slices.Clone(c.PV)
	if len(r.PV) == 0 {
		r.PV = []Point{c.Point}
	}
	r.Lines = []Line{{Score: r.Score, PV: slices.Clone(r.PV)}}
}
