package gomoku

import (
	"context"
	"math"
	"slices"
)

// Victory by continuous threats: every move of the attacker's threatens to win by
// fours, so that the defender has to do something about it.
//
// What is worth trying against a threat is found, not guessed. The attacker's win
// after a pass is a line of fours; an answer changes nothing about it unless it
// takes a point of the line, gives the defender a four while it is carried out, or
// turns a foul of Renju's on or off. All answers that do are tried; all others lose
// to the line as it is.
//
// The search is depth-first proof-number search (A. Nagai, "Df-pn Algorithm for
// Searching AND/OR Trees and Its Applications", 2002): it always goes where the
// fewest positions are missing to a proof or a refutation. Where the numbers of
// several children were to be added, it takes the largest and counts the others, so
// that positions reached in several ways weigh once (T. Ueda, T. Hashimoto,
// J. Hashimoto, H. Iida, "Weak Proof-Number Search", 2008).

// SolveVCT looks for a victory of colour c by continuous threats: after each of c's
// moves, if the other side passed, c would win by fours in at most
// Limits.ThreatLevel moves, or has a five already. At level 1 those are fours and
// moves that threaten an open or double four; every other move that threatens to win
// by fours needs a higher level. c moves first, on turn or not; b is not changed.
//
// The verdict is Proven with a win against every legal answer, which [Proof.Verify]
// can check; or Refuted when no such win exists, of any length; or Unknown when a
// limit was hit first. With Limits.Moves, threats must be carried out within the
// moves that are left: a win in three moves has no move in it that would take
// four. That is also what Limits.Shortest counts.
//
// Fouls, Caro and the errors are as with SolveVCF. The defender may answer with fours
// of its own, to which the attacker's reply has to be a threat again, and with
// whatever wins faster.
//
// Most puzzles of a few moves take a millisecond, some a hundred, and there is no bound
// for others: give it a limit. A small number of Moves helps most. It uses the calling
// goroutine alone.
func SolveVCT(ctx context.Context, b *Board, c Color, l Limits) (Proof, error) {
	return solve(ctx, b, c, l, (*solver).solveThreats)
}

// The numbers of a position: how many positions at least are missing to its proof
// and to its refutation. One of them is 0 when it is solved, and the other solved.
type proofNumbers struct{ proof, refutation uint32 }

const solvedNumber = math.MaxUint32

var (
	provenNumbers  = proofNumbers{0, solvedNumber}
	refutedNumbers = proofNumbers{solvedNumber, 0}
	freshNumbers   = proofNumbers{1, 1}
)

// A threatMove is a move at a node of the search, and the numbers of what follows.
type threatMove struct {
	point   Point
	numbers proofNumbers
	res     searchedFor // what it means that it is refuted
}

// threatSearch is what the search for a VCT needs beyond that for fours.
type threatSearch struct {
	table  numbersTable
	list   []threatMove // the moves of all nodes from the root on
	proven Point        // the move that proved the last position with the attacker to move
	trees  map[uint64]*ProofNode
}

// numbersTable remembers the numbers of positions, in buckets of four.
type numbersTable struct {
	entries []numbersEntry
	stored  int // entries in use
	limit   int // how many there may be
}

// numbersEntry is a position, by attacker's moves left, with its numbers.
type numbersEntry struct {
	key     uint64
	numbers proofNumbers
}

const (
	numbersEntrySize = 16
	numbersBucket    = 4
	numbersEntries   = 1 << 12 // at first
)

// prepare empties the table for a search that may use so many bytes.
func (t *numbersTable) prepare(memory int64) {
	t.stored = 0
	t.limit = numbersEntries
	for int64(t.limit) <= memory/numbersEntrySize/4 {
		t.limit *= 4
	}
	if len(t.entries) != numbersEntries {
		t.entries = make([]numbersEntry, numbersEntries)
		return
	}
	clear(t.entries)
}

// bucket returns the entries among which the key's is.
func (t *numbersTable) bucket(key uint64) []numbersEntry {
	i := key & uint64(len(t.entries)-1) &^ (numbersBucket - 1)
	return t.entries[i : i+numbersBucket]
}

// find returns what is known of the key.
func (t *numbersTable) find(key uint64) (proofNumbers, bool) {
	for _, e := range t.bucket(key) {
		if e.key == key {
			return e.numbers, true
		}
	}
	return freshNumbers, false
}

// store remembers the numbers. Where there is no room, what took least work to
// find out has to go.
func (t *numbersTable) store(key uint64, n proofNumbers) {
	if t.stored > len(t.entries)/2 && len(t.entries) < t.limit {
		old := t.entries
		t.entries, t.stored = make([]numbersEntry, 4*len(old)), 0
		for _, e := range old {
			if e.key != 0 {
				t.store(e.key, e.numbers)
			}
		}
	}
	bucket := t.bucket(key)
	least := &bucket[0]
	for i := range bucket {
		e := &bucket[i]
		if e.key == key {
			e.numbers = n
			return
		}
		if e.worth() < least.worth() {
			least = e
		}
	}
	if least.key == 0 {
		t.stored++
	}
	*least = numbersEntry{key: key, numbers: n}
}

// worth says how dear an entry is. An empty one is worth nothing.
func (e *numbersEntry) worth() uint64 {
	return uint64(e.numbers.proof) + uint64(e.numbers.refutation)
}

// fewer is how many moves are left after one.
func fewer(left int) int {
	if left >= unlimitedMoves {
		return left
	}
	return left - 1
}

// key names the position, with so many moves left to the attacker.
func (s *solver) key(left int) uint64 {
	return s.board.hash ^ uint64(left+1)*0x9e3779b97f4a7c15
}

// boundsKey names what is known of the position for any number of moves.
func (s *solver) boundsKey() uint64 { return s.board.hash ^ 0xd1b54a32d192ed03 }

// known returns what the table has of the position.
func (s *solver) known(left int) (n proofNumbers, res searchedFor, ok bool) {
	if left < unlimitedMoves {
		// Kept as one more than the moves that are enough, and that are not.
		if within, _ := s.table.find(s.boundsKey()); within != freshNumbers {
			switch {
			case within.proof > 0 && int(within.proof) <= left+1:
				return provenNumbers, 0, true
			case within.refutation > failedForGood:
				return refutedNumbers, noneWhatsoever, true
			case int(within.refutation) >= left+1:
				return refutedNumbers, noneWithin, true
			}
		}
	}
	n, ok = s.table.find(s.key(left))
	return n, noneWhatsoever, ok
}

// remember puts the numbers of the position into the table.
func (s *solver) remember(left int, n proofNumbers, res searchedFor) {
	if left >= unlimitedMoves || n.proof > 0 && n.refutation > 0 {
		s.table.store(s.key(left), n)
		return
	}
	bounds, ok := s.table.find(s.boundsKey())
	if !ok {
		bounds = proofNumbers{}
	}
	switch {
	case n.proof == 0 && (bounds.proof == 0 || bounds.proof > uint32(left+1)):
		bounds.proof = uint32(left + 1)
	case n.proof > 0 && res == noneWhatsoever:
		bounds.refutation = failedForGood + 1
	case n.proof > 0:
		bounds.refutation = max(bounds.refutation, uint32(left+1))
	}
	s.table.store(s.boundsKey(), bounds)
}

// leafBudget and rebuffBudget are how many positions the search for a win by fours
// may look at: of the attacker's where it is to move, and of the defender's against a
// threat.
const (
	quickBudget  = 500
	rebuffBudget = 100
)

// judge returns the numbers of a position with the attacker to move, as far as they
// are known without a search for threats.
func (s *solver) judge(left int) (proofNumbers, searchedFor) {
	t := &s.tracker
	me, them := sides(s.attacker)
	switch {
	case t.sums.count[me][FiveClass] > 0:
		return provenNumbers, 0
	case t.sums.count[them][FiveClass] > 1 && !s.board.rule.spec().capped:
		return refutedNumbers, noneWhatsoever
	case left == 0:
		return refutedNumbers, noneWithin
	}
	if n, res, ok := s.known(left); ok {
		return n, res
	}
	if plies, _ := s.find(left, quickBudget); plies > 0 {
		s.remember(left, provenNumbers, 0)
		return provenNumbers, 0
	}
	return freshNumbers, 0
}

// attackNode searches a position with the attacker to move and so many moves left,
// until one of its numbers reaches the limits'.
func (s *solver) attackNode(left int, limits proofNumbers) (proofNumbers, searchedFor) {
	if s.giveUp() {
		return freshNumbers, notSearched
	}
	s.nodesSeen++
	base := len(s.list)
	res := s.appendThreats(left)
	n := proofNumbers{}
	for {
		if s.reason != 0 {
			s.list = s.list[:base]
			return freshNumbers, notSearched
		}
		moves := s.list[base:]
		best, second, open := -1, uint32(solvedNumber), uint32(0)
		n.refutation = 0
		for i := range moves {
			m := &moves[i]
			switch {
			case m.numbers.refutation == 0:
				continue
			case best < 0 || m.numbers.proof < moves[best].numbers.proof:
				if best >= 0 {
					second = moves[best].numbers.proof
				}
				best = i
			default:
				second = min(second, m.numbers.proof)
			}
			open++
			n.refutation = max(n.refutation, m.numbers.refutation)
		}
		if best < 0 {
			n = refutedNumbers
			break
		}
		m := &moves[best]
		n.proof = m.numbers.proof
		if n.proof == 0 {
			n = provenNumbers
			s.proven = m.point
			break
		}
		n.refutation += open - 1
		if n.proof >= limits.proof || n.refutation >= limits.refutation {
			break
		}
		s.step(m.point)
		got, r := s.defenceNode(fewer(left), proofNumbers{min(limits.proof, second+1+second/4), limits.refutation - (open - 1)})
		s.stepBack()
		s.list[base+best].numbers = got
		if got.refutation == 0 {
			res = min(res, r)
		}
	}
	s.list = s.list[:base]
	s.remember(left, n, res)
	return n, res
}

// defenceNode searches a position after a threat, with the defender to move and so
// many moves left to the attacker.
func (s *solver) defenceNode(left int, limits proofNumbers) (proofNumbers, searchedFor) {
	if s.giveUp() {
		return freshNumbers, notSearched
	}
	s.nodesSeen++
	base := len(s.list)
	n, res := s.appendDefences(left)
	for n.refutation != 0 || s.reason != 0 {
		if s.reason != 0 {
			s.list = s.list[:base]
			return freshNumbers, notSearched
		}
		moves := s.list[base:]
		best, second, open := -1, uint32(solvedNumber), uint32(0)
		n.proof = 0
		for i := range moves {
			m := &moves[i]
			switch {
			case m.numbers.proof == 0:
				continue
			case best < 0 || m.numbers.refutation < moves[best].numbers.refutation:
				if best >= 0 {
					second = moves[best].numbers.refutation
				}
				best = i
			default:
				second = min(second, m.numbers.refutation)
			}
			open++
			n.proof = max(n.proof, m.numbers.proof)
		}
		if best < 0 {
			n = provenNumbers
			break
		}
		m := &moves[best]
		n.refutation = m.numbers.refutation
		if n.refutation == 0 {
			n, res = refutedNumbers, m.res
			break
		}
		n.proof += open - 1
		if n.proof >= limits.proof || n.refutation >= limits.refutation {
			break
		}
		s.step(m.point)
		got, r := s.attackNode(left, proofNumbers{limits.proof - (open - 1), min(limits.refutation, second+1+second/4)})
		s.stepBack()
		s.list[base+best].numbers, s.list[base+best].res = got, r
	}
	s.list = s.list[:base]
	s.remember(left, n, res)
	return n, res
}

// appendThreats appends the attacker's threats to the list, and says what it means
// that there are no others.
func (s *solver) appendThreats(left int) searchedFor {
	res := noneWhatsoever
	tries := s.tries()
	for p := range tries.All() {
		if s.board.forbids(p) {
			continue
		}
		s.step(p)
		threat, r := s.threatens(fewer(left))
		if threat {
			n, r, ok := s.known(fewer(left))
			if !ok {
				n = freshNumbers
			}
			if n.refutation == 0 {
				res = min(res, r)
			} else {
				s.list = append(s.list, threatMove{point: p, numbers: n})
			}
		} else {
			res = min(res, r)
		}
		s.stepBack()
		if n := len(s.list); threat && n > 0 && s.list[n-1].point == p && s.list[n-1].numbers.proof == 0 {
			break
		}
	}
	return res
}

// threatens reports whether the attacker, who has just moved, would win by fours if
// the defender passed, within the threat level and the moves that are left. If not
// it says what that is worth.
func (s *solver) threatens(left int) (bool, searchedFor) {
	t, b := &s.tracker, &s.board
	me, them := sides(s.attacker)
	switch {
	case t.sums.count[them][FiveClass] > 0 || b.count == b.size*b.size:
		return false, noneWhatsoever
	case t.sums.count[me][FiveClass] > 0:
		return true, noneWhatsoever
	case s.limits.ThreatLevel == 1 && t.sums.count[me][OpenFourClass] == 0 && !b.rule.spec().fouls[b.turn]:
		return false, noneWhatsoever
	}
	plies, res := s.passAndFind(left)
	if res == noneWithin && left >= s.limits.ThreatLevel {
		res = noneWhatsoever // of what counts as a threat
	}
	return plies > 0, res
}

// passAndFind looks for the attacker's win by fours if the defender passed.
func (s *solver) passAndFind(left int) (plies int, res searchedFor) {
	b := &s.board
	b.SetTurn(s.attacker)
	plies, res = s.find(min(left, s.limits.ThreatLevel), math.MaxInt)
	b.SetTurn(s.attacker.Opponent())
	return plies, res
}

// tries returns the points where a move of the attacker's might be a threat.
func (s *solver) tries() PointSet {
	t, b := &s.tracker, &s.board
	me, them := sides(s.attacker)
	spec := b.rule.spec()
	var set PointSet
	switch {
	case t.sums.count[them][FiveClass] > 0 && !spec.capped:
		set = t.sets[them][FiveClass] // the five has to be stopped
	case s.limits.ThreatLevel > 1, t.sums.count[me][OpenFourClass] > 0:
		// An open four that is there but wins nothing: it is a foul, or stopped
		// by a single stone. Any move might change that.
		set = b.Stones(Empty)
	default:
		for class := ThreeClass; class <= OpenFourClass; class++ {
			set = set.Union(t.sets[me][class])
		}
		set = set.Union(s.crossings(me, them))
	}
	if s.banned {
		set = set.Minus(s.ban)
	}
	return set
}

// crossings returns the points where a stone makes a closed three, and so may make
// a double four of a point where the attacker has a four already, or a four that only
// a foul stops.
func (s *solver) crossings(me, them int) PointSet {
	t, b := &s.tracker, &s.board
	var near, set PointSet
	fouls := b.rule.spec().fouls
	switch {
	case fouls[s.attacker]:
		return set // a double four is a foul
	case fouls[s.attacker.Opponent()]:
		near = b.Stones(Empty)
	default:
		for class := FourClass; class <= FourThreeClass; class++ {
			for p := range t.sets[me][class].All() {
				for d := range numDirections {
					near.addCells(b.lines.window(p, d).empties()&fourEachWay, p, d)
				}
			}
		}
	}
	for p := range near.All() {
		for d := range numDirections {
			if t.points[p].shape(me, d) == ClosedThree {
				set.Add(p)
				break
			}
		}
	}
	return set
}

// appendDefences appends the answers to the attacker's threat to the list, with
// their numbers, unless one of them refutes it, or none has to be tried.
func (s *solver) appendDefences(left int) (proofNumbers, searchedFor) {
	t, b := &s.tracker, &s.board
	me, _ := sides(s.attacker)
	answers := t.sets[me][FiveClass]
	switch {
	case !answers.IsEmpty() && b.rule.spec().capped:
		answers = s.answersTo(&answers)
	case t.sums.count[me][FiveClass] > 1:
		return provenNumbers, 0
	case answers.IsEmpty():
		if plies, _ := s.find(unlimitedMoves, rebuffBudget); plies > 0 {
			return refutedNumbers, noneWhatsoever // the defender's threats are faster
		}
		answers = s.disturbances(left)
	}
	base := len(s.list)
	for p := range answers.All() {
		if s.board.forbids(p) {
			continue
		}
		s.step(p)
		n, res := s.judge(left)
		s.stepBack()
		switch {
		case s.reason != 0:
			return freshNumbers, notSearched
		case n.refutation == 0:
			s.list = s.list[:base]
			return n, res
		case n.proof != 0:
			s.list = append(s.list, threatMove{point: p, numbers: n})
		}
	}
	if len(s.list) == base {
		return provenNumbers, 0
	}
	return freshNumbers, 0
}

// disturbances returns the points where an answer might change something about the
// win by fours that the attacker threatens; every other one loses to it. There must
// be one. It is left in s.line.
func (s *solver) disturbances(left int) PointSet {
	b := &s.board
	me, them := sides(s.attacker)
	plies, _ := s.passAndFind(left)
	if b.rule.spec().capped && plies > 3 {
		return b.Stones(Empty) // the line branches
	}
	b.SetTurn(s.attacker)
	set := s.tracker.fourPoints(them)
	for five := range s.tracker.sets[me][FiveClass].All() {
		set.Add(five)
		s.addCaps(&set, five)
	}
	played := 0
	for i := 0; i+1 < plies; i += 2 {
		more, next := s.disturbancesAt(s.line[i])
		set = set.Union(more)
		s.step(s.line[i])
		played++
		if !next {
			break
		}
		s.step(s.line[i+1])
		played++
		set = set.Union(s.tracker.fourPoints(them))
	}
	for range played {
		s.stepBack()
	}
	b.SetTurn(s.attacker.Opponent())
	return set
}

// disturbancesAt returns the points that matter to the attacker's four at p and its
// fives, and whether there is an answer to it.
func (s *solver) disturbancesAt(p Point) (set PointSet, answered bool) {
	t, b := &s.tracker, &s.board
	me, _ := sides(s.attacker)
	spec := b.rule.spec()
	if spec.fouls[s.attacker] && b.lines.threesByShape(p) >= 2 {
		// Only because some of these threes are not real is the move legal.
		s.addSwitches(&set, p)
	}
	set.Add(p)
	s.step(p)
	defer s.stepBack()
	fives := t.sets[me][FiveClass]
	for five := range fives.All() {
		set.Add(five)
		s.addCaps(&set, five)
	}
	switch {
	case spec.capped:
		return set, false
	case s.board.forbids(s.likelyAnswer()): // it wins because of a foul, and only if it stays one
		for five := range fives.All() {
			s.addSwitches(&set, five)
		}
		return set, false
	case t.sums.count[me][FiveClass] > 1:
		return set, false
	}
	return set, true
}

// addSwitches adds the points where a stone of the defender's changes whether a
// black stone at p is a foul.
func (s *solver) addSwitches(set *PointSet, p Point) {
	b := &s.board
	foul := b.lines.foul(p) != NoFoul
	for q := range b.Stones(Empty).All() {
		if q == p {
			continue
		}
		b.lines.flip(q, s.attacker.Opponent())
		if (b.lines.foul(p) != NoFoul) != foul {
			set.Add(q)
		}
		b.lines.flip(q, s.attacker.Opponent())
	}
}

// addCaps adds, where it matters, the points beyond the ends of the rows that a stone
// of the attacker's at p would complete.
func (s *solver) addCaps(set *PointSet, p Point) {
	b := &s.board
	if !b.rule.spec().capped {
		return
	}
	for d := range numDirections {
		if !b.rule.spec().five(b.lines.window(p, d).with(s.attacker), s.attacker) {
			continue
		}
		row := b.run(p, d, s.attacker)
		for _, q := range [...]Point{row[0] - step[d], row[len(row)-1] + step[d]} {
			if q.on(b.size) && !b.stones[Empty].Has(q) {
				set.Add(q)
			}
		}
	}
}

// solveThreats is the search of SolveVCT.
func (s *solver) solveThreats() finding {
	s.prepareThreats()
	if s.limits.All {
		return s.allThreats()
	}
	tree, f := s.bestThreats(s.rootNode, s.threatTree)
	if tree != nil {
		f.wins = []*ProofNode{tree}
	}
	return f
}

// prepareThreats makes the solver ready for a search for threats.
func (s *solver) prepareThreats() {
	if s.limits.ThreatLevel == 0 {
		s.limits.ThreatLevel = 1
	}
	s.budget = math.MaxInt
	s.table.prepare(s.limits.Memory - s.limits.Memory/4)
	s.failed.prepare(s.failed.salt, s.limits.Memory/4)
	s.list = s.list[:0]
}

// rootNode searches a position with the attacker to move to its end.
func (s *solver) rootNode(left int) (proofNumbers, searchedFor) {
	n, res := s.judge(left)
	if n.proof == 0 || n.refutation == 0 {
		return n, res
	}
	return s.attackNode(left, proofNumbers{solvedNumber, solvedNumber})
}

// bestThreats looks for a win, or the shortest, with a search for a given number of
// moves and what writes its proof down.
func (s *solver) bestThreats(search func(left int) (proofNumbers, searchedFor), write func(left int) *ProofNode) (tree *ProofNode, f finding) {
	most := s.limits.Moves
	n, res := search(most)
	f.res = res
	switch {
	case s.reason != 0:
		f.res = notSearched
		return nil, f
	case n.proof != 0:
		if res == noneWithin {
			f.atLeast = most + 1
		}
		return nil, f
	}
	f.res = noneWhatsoever
	tree = s.writeThreats(write, most)
	if tree.Length() > 0 {
		f.atLeast = 1
	}
	if !s.limits.Shortest {
		return tree, f
	}
	for f.atLeast < tree.Length() {
		n, _ := search(f.atLeast)
		if s.reason != 0 {
			break
		}
		if n.proof == 0 {
			tree = s.writeThreats(write, f.atLeast)
			break
		}
		f.atLeast++
	}
	return tree, f
}

// allThreats looks for every first move that wins.
func (s *solver) allThreats() finding {
	all := finding{res: noneWhatsoever, atLeast: math.MaxInt}
	me, _ := sides(s.attacker)
	for p := range s.tracker.sets[me][FiveClass].All() {
		all.wins = append(all.wins, &ProofNode{Move: p})
	}
	if len(all.wins) > 0 {
		all.atLeast = 0
		return all
	}
	type first struct {
		point Point
		tree  *ProofNode
		found finding
	}
	var open []*first // not done yet
	tries := s.tries()
	for p := range tries.All() {
		if !s.board.forbids(p) {
			open = append(open, &first{point: p})
		}
	}
	// Each has its share of the positions, so that a hard one leaves some to the others;
	// what those do not need is for another round.
	for done := false; !done; {
		var still []*first
		for i, m := range open {
			s.allow(len(open) - i)
			tree, found := s.bestThreats(s.after(m.point), func(left int) *ProofNode { return s.threatAt(m.point, left) })
			if tree != nil || m.tree == nil {
				m.tree, m.found = tree, found
			}
			if s.reason == StopNodes && s.nodesSeen < s.limits.Nodes {
				s.reason = 0
				still = append(still, m)
				continue
			}
			if m.tree != nil {
				all.wins = append(all.wins, m.tree)
			}
			if m.tree != nil || m.found.res != noneWhatsoever {
				all.atLeast = min(all.atLeast, m.found.atLeast)
			}
			all.res = min(all.res, m.found.res)
		}
		open, done = still, len(still) == 0
	}
	s.quota = 0
	if all.atLeast == math.MaxInt {
		all.atLeast = 0
	}
	slices.SortStableFunc(all.wins, func(a, b *ProofNode) int { return a.Length() - b.Length() })
	return all
}

// after returns the search of the position after a threat at p.
func (s *solver) after(p Point) func(left int) (proofNumbers, searchedFor) {
	return func(left int) (proofNumbers, searchedFor) {
		if left == 0 {
			return refutedNumbers, noneWithin
		}
		s.step(p)
		defer s.stepBack()
		if ok, res := s.threatens(fewer(left)); !ok {
			return refutedNumbers, res
		}
		if n, res, ok := s.known(fewer(left)); ok && (n.proof == 0 || n.refutation == 0) {
			return n, res
		}
		return s.defenceNode(fewer(left), proofNumbers{solvedNumber, solvedNumber})
	}
}

// allow lets the search have one of so many shares of the positions that are left.
func (s *solver) allow(shares int) {
	if s.limits.Nodes > 0 {
		s.quota = s.nodesSeen + max((s.limits.Nodes-s.nodesSeen)/int64(shares), 1)
	}
}

// writeThreats writes a proof down, beside the limits.
func (s *solver) writeThreats(write func(left int) *ProofNode, left int) *ProofNode {
	s.finishing = true
	defer func(nodes int64) { s.nodesSeen, s.finishing, s.trees = nodes, false, nil }(s.nodesSeen)
	s.trees = make(map[uint64]*ProofNode)
	return write(left)
}

// threatTree writes down the proof of a position with the attacker to move, which
// must be won in so many moves.
func (s *solver) threatTree(left int) *ProofNode {
	if tree, ok := s.trees[s.key(left)]; ok {
		return tree
	}
	var tree *ProofNode
	if plies, _ := s.find(left, quickBudget); plies > 0 {
		s.budget = math.MaxInt
		tree = s.fourTree(0, plies)
	} else {
		s.attackNode(left, proofNumbers{solvedNumber, solvedNumber})
		tree = s.threatAt(s.proven, left)
	}
	s.trees[s.key(left)] = tree
	return tree
}

// threatAt writes down the proof of the threat at p.
func (s *solver) threatAt(p Point, left int) *ProofNode {
	n := &ProofNode{Move: p}
	s.step(p)
	defer s.stepBack()
	left = fewer(left)
	me, _ := sides(s.attacker)
	if s.tracker.sums.count[me][FiveClass] > 0 {
		s.answerFour(n, s.step, func() *ProofNode { return s.threatTree(left) })
		return n
	}
	answers := s.disturbances(left)
	plies, _ := s.passAndFind(left)
	s.board.SetTurn(s.attacker)
	n.Rest = s.fourTree(0, plies)
	s.board.SetTurn(s.attacker.Opponent())
	for q := range answers.All() {
		if s.board.forbids(q) {
			continue
		}
		s.step(q)
		n.Replies = append(n.Replies, ProofReply{q, s.threatTree(left)})
		s.stepBack()
	}
	return n
}
