package gomoku

import (
	"slices"
)

// A scoredMove is a move with its ordering score in one word: the score above,
// then the point reversed, so that comparing two words prefers the higher score
// and, between equals, the point that comes first on the board.
type scoredMove int64

const scoredPointBits = 10

func newScoredMove(p Point, score int32) scoredMove {
	return scoredMove(score)<<scoredPointBits | scoredMove(1<<scoredPointBits-1-int(p))
}

func (m scoredMove) point() Point {
	return Point(1<<scoredPointBits - 1 - int(m)&(1<<scoredPointBits-1))
}

// moveList is the moves to try at a node. If complete, no other legal move can
// change the node's value; if not, that all of them lose proves nothing.
type moveList struct {
	moves    []scoredMove
	complete bool
	sorted   int // how many of the moves stand in their order already
	beyond   int // how many moves beyond the cap follow in the same memory
	later    int // how many at the end are put off until the others are done
	putOffAt int // the first index at which one was put off
}

// pointScorer scores empty points for both colours at once, as EvaluatePoint
// does, for ordering and capping the candidates.
type pointScorer struct {
	runs    runTable
	weights *Weights
}

// score returns what a stone at the empty point p is worth to c and to its
// opponent, position apart, and whether it would make a five for either.
func (t *pointScorer) score(b *Board, p Point, c Color) (own, opp int32, ownFive, oppFive bool) {
	var v, o lineValue
	s := b.rule.spec()
	them := c.Opponent()
	for d := range numDirections {
		w := b.lines.window(p, d)
		if n, open := w.run(c); n < 5 {
			v.addRun(&t.runs, n, open)
		} else if s.five(w.with(c), c) {
			ownFive = true
		}
		if n, open := w.run(them); n < 5 {
			o.addRun(&t.runs, n, open)
		} else if s.five(w.with(them), them) {
			oppFive = true
		}
	}
	return int32(v.combined(t.weights)), int32(o.combined(t.weights)), ownFive, oppFive
}

// history is what cutoffs elsewhere in the tree say of quiet moves.
type history struct {
	score   [2][pointLimit]int32 // by side: how often a move cut off, weighted by depth
	killers [maxPly][2]Point     // by ply: the last moves that cut off
	answer  [2][pointLimit]Point // by side and the move before: what cut off
}

// maxHistory keeps history scores below what a shape is worth.
const maxHistory = 1 << 14

// fade makes the history ready for a new search: what was good stays a little so,
// but plies mean other positions now.
func (h *history) fade() {
	for i := range h.score {
		for p := range h.score[i] {
			h.score[i][p] /= 8
		}
	}
	for i := range h.killers {
		h.killers[i] = [2]Point{NoPoint, NoPoint}
	}
}

// reward notes that p cut off at the given depth and ply after the move last,
// and that the quiet moves tried before it did not.
func (h *history) reward(side int, p, last Point, failed []scoredMove, depth, ply int) {
	bonus := int32(min(depth*depth, 400))
	add := func(p Point, bonus int32) {
		v := &h.score[side][p]
		*v += bonus - *v*max(bonus, -bonus)/maxHistory
	}
	add(p, bonus)
	for _, m := range failed {
		add(m.point(), -bonus)
	}
	if k := &h.killers[ply]; k[0] != p {
		k[0], k[1] = p, k[0]
	}
	if last != NoPoint {
		h.answer[side][last] = p
	}
}

// nextMoves returns the moves to try at a node, in buf, ready to be picked: those
// generated, cut to the cap by what they are worth on the board alone, and only
// then sorted by what the search has seen of them as well.
func (s *searcher) nextMoves(buf []scoredMove, ply int, tableMove Point) moveList {
	list := s.generate(buf)
	list.limit(s.cfg.cap)
	if s.cfg.techniques.has(LastResort) {
		list.reach(tableMove) // which was a last resort once
	} else {
		list.beyond = 0
	}
	if s.shapes && s.cfg.techniques.has(History) && len(list.moves) > 1 {
		s.addHistory(list.moves, ply)
	}
	list.order(s.cfg.ordering, tableMove)
	return list
}

// addHistory raises the scores of moves that were good elsewhere in the tree.
func (s *searcher) addHistory(moves []scoredMove, ply int) {
	me, _ := sides(s.board.turn)
	h := &s.history
	answer := NoPoint
	if last := s.board.LastMove(); last != NoPoint {
		answer = h.answer[me][last]
	}
	killers := h.killers[ply]
	for i, m := range moves {
		p := m.point()
		bonus := h.score[me][p]
		if p == answer || p == killers[0] || p == killers[1] {
			bonus += maxHistory / 2
		}
		moves[i] += scoredMove(bonus) << scoredPointBits
	}
}

// generate returns the moves worth trying for the side to move, in buf.
//
// A five is played at once, and a five the opponent threatens must be answered;
// then the list is short and complete. Otherwise it is the legal candidates
// within the radius, or on the whole board if there are none. Without any legal
// move the list is empty. The cap is not applied yet.
func (s *searcher) generate(buf []scoredMove) moveList {
	if s.shapes {
		return s.generateByShape(buf)
	}
	return s.generateByScore(buf)
}

// generateByShape is generate for a search that follows shapes, which know the
// fives and open fours in the making. Beyond generate's rules, an open four the
// opponent threatens is answered only by what stops it and by fours.
func (s *searcher) generateByShape(buf []scoredMove) moveList {
	b, t := &s.board, &s.tracker
	me, them := sides(b.turn)
	if t.sums.count[me][FiveClass] > 0 {
		five := t.sets[me][FiveClass].first()
		return moveList{moves: append(buf[:0], newScoredMove(five, 0)), complete: true}
	}
	threats := t.sets[them][FiveClass]
	capped := b.rule.spec().capped
	if !capped && threats.Len() == 1 && !b.forbids(threats.first()) {
		return moveList{moves: append(buf[:0], newScoredMove(threats.first(), 0)), complete: true}
	}
	radius := s.cfg.radius
	if capped && radius == 1 && !threats.IsEmpty() {
		radius = 2 // a five can be stopped beyond its end
	}
	if t.sums.count[them][OpenFourClass] > 0 && !capped && threats.IsEmpty() && s.cfg.techniques.has(ThreatDefence) {
		if defences := s.defences(me, them); !defences.IsEmpty() {
			if moves := s.scoreByShape(buf[:0], &defences); len(moves) > 0 {
				// A defence can make a foul of what was none, if only far away.
				return moveList{moves: moves, complete: !b.rule.spec().fouls[b.turn.Opponent()]}
			}
		}
	}
	for ; ; radius = 0 {
		set := b.CandidateSet(radius)
		if list, ok := s.conclude(s.scoreByShape(buf[:0], &set), &set, &threats); ok {
			return list
		}
	}
}

// conclude makes a list of the legal moves of a set of candidates, given where the
// opponent threatens a five. It reports false if there are none and the whole
// board is to be looked at.
func (s *searcher) conclude(moves []scoredMove, set, threats *PointSet) (moveList, bool) {
	all := *set == s.board.Stones(Empty)
	switch {
	case len(moves) == 0 && !all:
		return moveList{}, false
	case !threats.IsEmpty():
		return moveList{moves: s.answers(moves, threats), complete: true}, true
	}
	return moveList{moves: moves, complete: all}, true
}

// scoreByShape appends the legal moves of the set with their ordering scores.
func (s *searcher) scoreByShape(moves []scoredMove, set *PointSet) []scoredMove {
	b, t := &s.board, &s.tracker
	me, them := sides(b.turn)
	fouls := b.rule.spec().fouls[b.turn]
	for y := range b.size {
		for row := set[y]; row != 0; row &= row - 1 {
			p := lowestPoint(y, row)
			if fouls && b.lines.foul(p) != NoFoul {
				continue
			}
			score := 256*(2*t.info(p, me).score+t.info(p, them).score) + 1<<20
			moves = append(moves, newScoredMove(p, score))
		}
	}
	return moves
}

// defences returns the points that stop every open four the opponent threatens,
// and one's own fours. A threatened open four, or pair of fours, is stopped only
// on the lines where it would arise, at most four points away.
func (s *searcher) defences(me, them int) PointSet {
	b, t := &s.board, &s.tracker
	fouls := b.rule.spec().fouls[b.turn.Opponent()]
	stops := fullSet(b.size)
	for p := range t.sets[them][OpenFourClass].All() {
		if fouls && b.lines.foul(p) != NoFoul {
			continue
		}
		var near PointSet
		near.Add(p)
		for d := range numDirections {
			if s := t.points[p].shape(them, d); s < SingleFour || s > OpenFour {
				continue
			}
			empty := b.lines.window(p, d).empties()
			near.addCells(empty&fourEachWay, p, d)
		}
		stops = stops.Intersect(near)
	}
	if stops == fullSet(b.size) {
		return PointSet{} // all of them are fouls
	}
	return stops.Union(t.fourPoints(me))
}

// fourEachWay is the cells of a window at most four from its centre.
const fourEachWay = (1<<(2*(reach+5)) - 1) &^ 3

// generateByScore is generate for a search without shapes.
func (s *searcher) generateByScore(buf []scoredMove) moveList {
	b := &s.board
	c := b.turn
	fouls := b.rule.spec().fouls[c]
	radius := s.cfg.radius
	for {
		set := b.CandidateSet(radius)
		moves := buf[:0]
		var threats PointSet // where the opponent makes a five
		for y := range b.size {
			for row := set[y]; row != 0; row &= row - 1 {
				p := lowestPoint(y, row)
				own, opp, ownFive, oppFive := s.scorer.score(b, p, c)
				if ownFive {
					return moveList{moves: append(buf[:0], newScoredMove(p, s.scorer.runs[5][0])), complete: true}
				}
				if oppFive {
					threats.Add(p)
				}
				if fouls && b.lines.foul(p) != NoFoul {
					continue
				}
				place := s.cfg.weights.Position * edgeDistance(p, b.size)
				moves = append(moves, newScoredMove(p, own+opp+int32(place)))
			}
		}
		if !threats.IsEmpty() && radius == 1 {
			radius = 2 // a five in Caro can be stopped beyond its end
			continue
		}
		if list, ok := s.conclude(moves, &set, &threats); ok {
			return list
		}
		radius = 0
	}
}

// answers keeps of the moves those that stop every five the opponent threatens.
// If none does, the game is lost in two plies whatever is played, and the best
// move stands for all.
func (s *searcher) answers(moves []scoredMove, threats *PointSet) []scoredMove {
	kept := moves[:0]
	best := scoredMove(-1)
	for _, m := range moves {
		best = max(best, m)
		if s.stopsAll(m.point(), threats) {
			kept = append(kept, m)
		}
	}
	if len(kept) == 0 && best >= 0 {
		kept = append(kept, best)
	}
	return kept
}

// limit keeps the n moves with the best scores; 0 keeps all.
func (l *moveList) limit(n int) {
	if n > 0 && len(l.moves) > n {
		selectBest(l.moves, n)
		l.beyond = len(l.moves) - n
		l.moves = l.moves[:n]
		l.complete = false
	}
}

// reach adds the move p from beyond the cap, if it is there.
func (l *moveList) reach(p Point) {
	n := len(l.moves)
	for i, m := range l.moves[n : n+l.beyond] {
		if m.point() == p {
			l.moves = l.moves[:n+1]
			l.moves[n], l.moves[:n+l.beyond][n+i] = m, l.moves[n]
			l.beyond--
			return
		}
	}
}

// lift adds all moves from beyond the cap.
func (l *moveList) lift() {
	l.moves = l.moves[:len(l.moves)+l.beyond]
	l.beyond = 0
}

// order decides in which order pick returns the moves: best first, the table's
// move in front of them if it is there; or by their place on the board.
func (l *moveList) order(bestFirst bool, tableMove Point) {
	if !bestFirst {
		slices.SortFunc(l.moves, func(a, b scoredMove) int { return int(a.point() - b.point()) })
		l.sorted = len(l.moves)
		return
	}
	for i, m := range l.moves {
		if m.point() == tableMove {
			l.moves[0], l.moves[i] = m, l.moves[0]
			l.sorted = 1
			return
		}
	}
}

// selectBest brings the n best moves to the front, in any order: Hoare's
// selection by partition.
func selectBest(moves []scoredMove, n int) {
	low, high := 0, len(moves)-1
	for low < high {
		pivot := moves[(low+high)/2]
		i, j := low, high
		for i <= j {
			for moves[i] > pivot {
				i++
			}
			for moves[j] < pivot {
				j--
			}
			if i <= j {
				moves[i], moves[j] = moves[j], moves[i]
				i++
				j--
			}
		}
		switch {
		case n-1 <= j:
			high = j
		case n-1 >= i:
			low = i
		default:
			return
		}
	}
}

// mayPutOff reports whether there are moves to try before the i-th.
func (l *moveList) mayPutOff(i int) bool { return i+1 < len(l.moves)-l.later }

// putOff puts the i-th move off until the others are done.
func (l *moveList) putOff(i int) {
	if l.later == 0 {
		l.putOffAt = i
	}
	l.later++
	end := len(l.moves) - l.later
	l.moves[i], l.moves[end] = l.moves[end], l.moves[i]
}

// isPutOff reports whether the i-th move has been put off.
func (l *moveList) isPutOff(i int) bool { return i >= len(l.moves)-l.later }

// rank returns the place of the i-th move in the order. Those put off all have that
// of the first of them, so that none is thought less of than it was.
func (l *moveList) rank(i int) int {
	if l.isPutOff(i) {
		return l.putOffAt
	}
	return i
}

// pick returns the move to try at step i, which must be asked for in turn. It
// selects instead of sorting: most nodes are left after a move or two.
func (l *moveList) pick(i int) Point {
	if end := len(l.moves) - l.later; i >= l.sorted && i < end {
		best := i
		for j := i + 1; j < end; j++ {
			if l.moves[j] > l.moves[best] {
				best = j
			}
		}
		l.moves[i], l.moves[best] = l.moves[best], l.moves[i]
	}
	return l.moves[i].point()
}
