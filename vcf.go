package gomoku

import "math"

// Victory by continuous fours: every move of the attacker makes a four, so the
// defender has to answer it, until one makes two ways to five, or leaves the
// defender an answer that is a foul. (V. Allis, H. J. van den Herik, M. P. H.
// Huntjens, "Go-Moku and Threat-Space Search", 1993.)

// fourSearch looks for victories by continuous fours. The engine's search and the
// solvers are built around it and share its board and the tracker that follows it.
type fourSearch struct {
	board   Board
	tracker tracker
	failed  failedTable
	budget  int         // attacker's positions left to look at
	nodes   *int64      // counts the positions looked at, in whatever search this is part of
	halt    func() bool // asked at every position: give up?
	banned  bool        // ban is not empty
	ban     PointSet    // where the attacker makes no fours
	line    [MaxSize*MaxSize + 2]Point
	spare   []Point // lines kept while others are tried
}

// failedTable remembers positions whose fours were all tried in vain. An entry is
// the hash with its lowest byte replaced by the number of attacker moves within
// which there is no win; the place in the table stands for that byte. An entry
// may be lost to another one.
type failedTable struct {
	slots  []uint64 // a power of two of them, 256 at least
	salt   uint64   // keeps what other searches left from being found
	stored int      // entries written since the table grew
	limit  int      // how many slots there may be
}

// prepare makes the table ready for a search that may use so many bytes.
func (t *failedTable) prepare(salt uint64, memory int64) {
	t.salt, t.stored = salt, 0
	t.limit = failedSlots
	for int64(t.limit) <= memory/8/4 {
		t.limit *= 4
	}
	if len(t.slots) == 0 || len(t.slots) > t.limit {
		t.slots = make([]uint64, failedSlots)
	}
}

// slot returns the place of a hash and the hash as it would be stored there.
func (t *failedTable) slot(hash uint64) (slot *uint64, key uint64) {
	return &t.slots[hash&uint64(len(t.slots)-1)], (hash ^ t.salt) &^ math.MaxUint8
}

// store notes that the position with the hash has no win within so many moves. A
// table that is full begins anew, four times as large, if it may.
func (t *failedTable) store(hash uint64, moves int) {
	if t.stored++; t.stored > len(t.slots) && len(t.slots) < t.limit {
		t.slots, t.stored = make([]uint64, 4*len(t.slots)), 0
	}
	slot, key := t.slot(hash)
	*slot = key | uint64(moves)
}

// failedSlots is the size of the table at first, and in the engine always.
const failedSlots = 1 << 13

// failedForGood in an entry says that no number of moves is enough.
const failedForGood = math.MaxUint8

// unlimitedMoves is more moves than any attack has.
const unlimitedMoves = failedForGood - 1

// searchedFor says what the lack of a win is worth.
type searchedFor uint8

const (
	notSearched    searchedFor = iota // a budget ran out
	noneWithin                        // there is no win in so few moves
	noneWhatsoever                    // every sequence of fours was tried
)

// find returns in how many plies the side to move wins by continuous fours, of
// which at most the given number of moves come before the five. If that is 0,
// what the search was good for is returned as well. The line is left in s.line.
func (s *fourSearch) find(moves, budget int) (plies int, res searchedFor) {
	s.budget = budget
	return s.attack(0, moves)
}

// attack looks for a VCF of the side to move, ply plies into the line, in a given
// number of moves.
func (s *fourSearch) attack(ply, left int) (plies int, res searchedFor) {
	t, b := &s.tracker, &s.board
	me, them := sides(b.turn)
	counts := &t.sums.count
	if counts[me][FiveClass] > 0 {
		s.line[ply] = t.sets[me][FiveClass].first()
		return 1, noneWhatsoever
	}
	capped := b.rule.spec().capped
	threats := counts[them][FiveClass]
	if counts[me].fours() == 0 || threats > 1 && !capped {
		return 0, noneWhatsoever
	}
	if left <= 0 {
		return 0, noneWithin
	}
	slot, key := s.failed.slot(b.hash)
	if *slot&^math.MaxUint8 == key {
		if known := int(uint8(*slot)); known == failedForGood {
			return 0, noneWhatsoever
		} else if known >= left {
			return 0, noneWithin
		}
	}
	if s.budget <= 0 || s.halt() {
		return 0, notSearched
	}
	s.budget--
	*s.nodes++
	fours := [4]*PointSet{
		&t.sets[me][OpenFourClass], &t.sets[me][FourThreeClass], &t.sets[me][FourPlusClass], &t.sets[me][FourClass],
	}
	res = noneWhatsoever
	for _, live := range fours {
		set := *live // the tracker changes its own below
		if threats == 1 && !capped {
			set = set.Intersect(t.sets[them][FiveClass]) // a four, but at the point that must be taken
		}
		if s.banned {
			set = set.Minus(s.ban)
		}
		for y := range b.size {
			for row := set[y]; row != 0; row &= row - 1 {
				n, r := s.attackAt(lowestPoint(y, row), ply, left)
				if n > 0 {
					return n, noneWhatsoever
				}
				res = min(res, r)
			}
		}
	}
	switch res {
	case noneWithin:
		s.failed.store(b.hash, left)
	case noneWhatsoever:
		s.failed.store(b.hash, failedForGood)
	}
	return 0, res
}

// attackAt looks for a VCF that begins with the four at p.
func (s *fourSearch) attackAt(p Point, ply, left int) (plies int, res searchedFor) {
	t, b := &s.tracker, &s.board
	me, them := sides(b.turn)
	spec := b.rule.spec()
	if b.forbids(p) {
		return 0, noneWhatsoever
	}
	s.line[ply] = p
	s.stepFour(p)
	defer s.stepBack()
	if t.sums.count[them][FiveClass] > 0 || t.sums.count[me][FiveClass] == 0 {
		return 0, noneWhatsoever
	}
	answers := t.sets[me][FiveClass]
	if spec.capped {
		answers = s.answersTo(&answers)
	} else if answers.Len() > 1 {
		s.line[ply+1] = s.likelyAnswer()
		answers.Remove(s.line[ply+1])
		s.line[ply+2] = answers.first()
		if b.forbids(s.line[ply+1]) {
			s.line[ply+1] = NoPoint
		}
		return 3, noneWhatsoever
	}
	longest := 3 // if no answer is legal, the five comes next
	s.line[ply+1] = NoPoint
	base := len(s.spare)
	for y := range b.size {
		for row := answers[y]; row != 0; row &= row - 1 {
			q := lowestPoint(y, row)
			if b.forbids(q) {
				continue
			}
			if !spec.capped && t.sums.count[me].fours() == 0 {
				s.spare = s.spare[:base]
				return 0, noneWhatsoever // and the answer makes no new ones
			}
			first := s.line[ply+1]
			s.stepFour(q)
			n, r := s.attack(ply+2, left-1)
			s.stepBack()
			switch {
			case n == 0:
				s.spare = s.spare[:base]
				return 0, r
			case n+2 > longest || first == NoPoint:
				longest = n + 2
				s.line[ply+1] = q
				if spec.capped { // the next answer writes over it
					s.spare = append(s.spare[:base], s.line[ply+1:ply+longest]...)
				}
			}
		}
	}
	copy(s.line[ply+1:], s.spare[base:])
	s.spare = s.spare[:base]
	return longest, noneWhatsoever
}

// answersTo returns the points at which a stone of the side to move stops all
// the fives threatened at the given points.
func (s *fourSearch) answersTo(threats *PointSet) PointSet {
	near := s.board.CandidateSet(2) // a five can be stopped beyond its end
	var answers PointSet
	for p := range near.All() {
		if s.stopsAll(p, threats) {
			answers.Add(p)
		}
	}
	return answers
}

// likelyAnswer returns where the attacker threatens a five, a point that the defender
// may take if there is one. Where that five is the one to follow all other answers, it
// does not matter if some of these make a foul of one point, or a legal move of another.
func (s *fourSearch) likelyAnswer() Point {
	_, me := sides(s.board.turn)
	fives := s.tracker.sets[me][FiveClass]
	for p := range fives.All() {
		if !s.board.forbids(p) {
			return p
		}
	}
	return fives.first()
}

// stopsAll reports whether a stone of the side to move at p leaves the opponent
// no five at any of the threatened points.
func (s *fourSearch) stopsAll(p Point, threats *PointSet) bool {
	b := &s.board
	if !b.rule.spec().capped {
		return threats.Has(p) && threats.Len() == 1 // only the point itself stops a five
	}
	b.lines.flip(p, b.turn)
	defer b.lines.flip(p, b.turn)
	for q := range threats.All() {
		if q != p && b.makesFive(q, b.turn.Opponent()) {
			return false
		}
	}
	return true
}

// step plays p on the board and in the tracker.
func (s *fourSearch) step(p Point) {
	s.put(p)
	s.tracker.place(p)
}

// stepFour is step where only fours and fives matter.
func (s *fourSearch) stepFour(p Point) {
	s.put(p)
	s.tracker.placeFour(p)
}

// put plays p on the board alone.
func (s *fourSearch) put(p Point) {
	me, _ := sides(s.board.turn)
	s.board.placeKnown(p, s.tracker.class(p, me) == FiveClass)
}

// stepBack takes the last step back.
func (s *fourSearch) stepBack() {
	s.board.Undo()
	s.tracker.undo()
}

// sides returns the tracker's indexes of a side and its opponent.
func sides(c Color) (me, them int) { return int(c - Black), int(White - c) }
