package gomoku

// Victory by continuous fours: every move of the attacker makes a four, so the
// defender has to answer it, until one makes two ways to five, or leaves the
// defender an answer that is a foul. (V. Allis, H. J. van den Herik, M. P. H.
// Huntjens, "Go-Moku and Threat-Space Search", 1993.)

// failedSlots is the size of the table of positions known to have no VCF.
const failedSlots = 1 << 14

// vcfState is the memory of the search for a VCF.
type vcfState struct {
	failed [failedSlots]uint64 // hashes of positions whose fours were all tried
	budget int                 // attacker's positions left to look at
	line   [maxPly]Point       // the winning line
}

// findVCF returns in how many plies the side to move wins by continuous fours,
// or 0 if it does not, or none was found within the budget of positions. The
// line is left in s.vcf.line.
func (s *searcher) findVCF(budget int) int {
	s.vcf.budget = budget
	n, _ := s.attack(0)
	return n
}

// attack looks for a VCF of the side to move, ply plies into the line. If there
// is none, sure says whether everything was tried.
func (s *searcher) attack(ply int) (plies int, sure bool) {
	t, b := &s.tracker, &s.board
	me, them := sides(b.turn)
	counts := &t.sums.count
	if counts[me][FiveClass] > 0 {
		s.vcf.line[ply] = t.sets[me][FiveClass].first()
		return 1, true
	}
	threats := counts[them][FiveClass]
	if counts[me][FourClass]+counts[me][FourPlusClass]+counts[me][FourThreeClass]+counts[me][OpenFourClass] == 0 || threats > 1 {
		return 0, true
	}
	slot := &s.vcf.failed[b.hash%failedSlots]
	if *slot == b.hash {
		return 0, true
	}
	if s.vcf.budget <= 0 || ply+3 >= maxPly || s.giveUp() {
		return 0, false
	}
	s.vcf.budget--
	s.stats.Nodes++
	fours := [4]*PointSet{
		&t.sets[me][OpenFourClass], &t.sets[me][FourThreeClass], &t.sets[me][FourPlusClass], &t.sets[me][FourClass],
	}
	sure = true
	for _, live := range fours {
		set := *live // the tracker changes its own below
		if threats == 1 {
			set = set.Intersect(t.sets[them][FiveClass]) // a four, but at the point that must be taken
		}
		for y := range b.size {
			for row := set[y]; row != 0; row &= row - 1 {
				n, ok := s.attackAt(lowestPoint(y, row), ply)
				if n > 0 {
					return n, true
				}
				sure = sure && ok
			}
		}
	}
	if sure {
		*slot = b.hash
	}
	return 0, sure
}

// attackAt looks for a VCF that begins with the four at p.
func (s *searcher) attackAt(p Point, ply int) (plies int, sure bool) {
	t, b := &s.tracker, &s.board
	me, them := sides(b.turn)
	if b.rule.spec().fouls[b.turn] && b.lines.foul(p) != NoFoul {
		return 0, true
	}
	s.vcf.line[ply] = p
	s.step(p)
	defer s.stepBack()
	if t.sums.count[them][FiveClass] > 0 || t.sums.count[me][FiveClass] == 0 {
		return 0, true
	}
	answers := t.sets[me][FiveClass]
	if answers.Len() > 1 && !b.rule.spec().capped {
		s.vcf.line[ply+1] = answers.first()
		answers.Remove(answers.first())
		s.vcf.line[ply+2] = answers.first()
		return 3, true
	}
	if b.rule.spec().capped {
		answers = s.answersTo(&answers)
	}
	longest := 3 // if no answer is legal, the five comes next
	s.vcf.line[ply+1] = NoPoint
	line := s.vcf.line
	sure = true
	for y := range b.size {
		for row := answers[y]; row != 0; row &= row - 1 {
			q := lowestPoint(y, row)
			if b.rule.spec().fouls[b.turn] && b.lines.foul(q) != NoFoul {
				continue
			}
			s.step(q)
			n, ok := s.attack(ply + 2)
			s.stepBack()
			if n == 0 {
				return 0, ok
			}
			if n+2 > longest || s.vcf.line[ply+1] == NoPoint {
				longest = n + 2
				s.vcf.line[ply+1] = q
				line = s.vcf.line // the next answer writes over it
			}
		}
	}
	copy(s.vcf.line[ply+1:], line[ply+1:])
	return longest, true
}

// answersTo returns the points at which a stone of the side to move stops all
// the fives threatened at the given points.
func (s *searcher) answersTo(threats *PointSet) PointSet {
	b := &s.board
	near := b.CandidateSet(2)
	var answers PointSet
	for p := range near.All() {
		if s.stopsAll(p, threats) {
			answers.Add(p)
		}
	}
	return answers
}

// step plays p on the board and in the tracker, but not in an evaluator: none is
// asked before it is taken back.
func (s *searcher) step(p Point) {
	if !s.shapes {
		s.board.place(p)
		return
	}
	me, _ := sides(s.board.turn)
	s.board.placeKnown(p, s.tracker.class(p, me) == FiveClass)
	s.tracker.place(p)
}

// stepBack takes the last step back.
func (s *searcher) stepBack() {
	s.board.Undo()
	if s.shapes {
		s.tracker.undo()
	}
}

// sides returns the tracker's indexes of a side and its opponent.
func sides(c Color) (me, them int) { return int(c - Black), int(White - c) }
