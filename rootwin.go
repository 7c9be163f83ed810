package gomoku

import (
	"cmp"
	"slices"
	"time"
)

// Before the search begins, the engine asks the solvers whether the root is won by
// continuous fours or threats. Their proofs may be longer than any depth.

const (
	// rootVCFBudget is how many positions the search for fours may look at, each
	// time it is asked for a win, or a shorter one.
	rootVCFBudget = 20_000

	// rootShare is the part of the limit on time or nodes that the search for
	// threats may take: one in so many.
	rootShare = 32

	// rootVCTLeast and rootVCTMoment are the least shares worth taking. Short
	// searches see as much by themselves.
	rootVCTLeast  = 5_000
	rootVCTMoment = 20 * time.Millisecond

	// rootVCTBudget is how many positions it may look at, however long the limit.
	rootVCTBudget = 200_000

	// rootMemory is the most memory for its tables, in bytes.
	rootMemory = 4 << 20
)

// winsByForce ends the search with a win by continuous fours or threats, if there is
// one. Where several lines are asked for, the wins are the first of them, and the search
// of the others goes on.
func (s *searcher) winsByForce() bool {
	if !s.shapes || s.helper > 0 || s.stopped || len(s.cfg.only)+len(s.cfg.exclude) > 0 {
		return false
	}
	if s.cfg.multiPV > 1 {
		for _, m := range slices.Backward(s.allWins()) {
			s.addWin(m)
		}
		return false
	}
	m, ok := s.oneWin()
	if !ok {
		return false
	}
	s.addWin(m)
	s.best = m
	plies, _ := m.score.Mate()
	s.depth, s.seldepth = 1, plies
	s.reason = StopProven
	s.report()
	return true
}

// oneWin returns a move that wins by fours or, if there is none, by threats.
func (s *searcher) oneWin() (m rootMove, ok bool) {
	if s.cfg.techniques.has(RootVCF) {
		m, ok = s.winByFours()
	}
	if !ok && s.cfg.techniques.has(RootVCT) {
		if l, worth := s.threatShare(); worth {
			p := s.prove(l, (*solver).solveThreats)
			if ok = p.Verdict == Proven; ok {
				m = winOf(&p)
			}
		}
	}
	return m, ok
}

// allWins returns every move that is found to win by fours or threats, the shortest
// win first.
func (s *searcher) allWins() []rootMove {
	var wins []rootMove
	add := func(m rootMove) {
		i := slices.IndexFunc(wins, func(w rootMove) bool { return w.point == m.point })
		if i < 0 {
			wins = append(wins, m)
		} else if m.win > wins[i].win {
			wins[i] = m
		}
	}
	if m, ok := s.oneWin(); ok {
		add(m)
	} else {
		return nil
	}
	addAll := func(l Limits, search func(*solver) finding) {
		l.All = true
		p := s.prove(l, search)
		for _, tree := range p.Wins {
			one := Proof{}
			one.setTree(&s.board, tree)
			add(winOf(&one))
		}
	}
	if s.cfg.techniques.has(RootVCF) {
		addAll(Limits{Shortest: true, Memory: rootMemory, Nodes: rootVCFBudget}, (*solver).solveFours)
	}
	if l, worth := s.threatShare(); worth && s.cfg.techniques.has(RootVCT) {
		addAll(l, (*solver).solveThreats)
	}
	slices.SortStableFunc(wins, func(a, b rootMove) int { return cmp.Compare(b.win, a.win) })
	return wins
}

// winOf returns the first move of a proof as one that wins.
func winOf(p *Proof) rootMove {
	score := mateIn(2*p.Length + 1)
	m := rootMove{point: p.Line[0], score: score, win: score, bound: Lower} // there may be a shorter win
	m.pv.len = copy(m.pv.moves[:], p.Line)
	return m
}

// addWin puts a move that wins in front of the root moves.
func (s *searcher) addWin(m rootMove) {
	i := slices.IndexFunc(s.roots, func(r rootMove) bool { return r.point == m.point })
	if i < 0 {
		s.roots = append(s.roots, m)
		i = len(s.roots) - 1
	}
	copy(s.roots[1:i+1], s.roots[:i])
	s.roots[0] = m
}

// winByFours returns the shortest win by fours that the budget allows to find.
func (s *searcher) winByFours() (m rootMove, ok bool) {
	plies := s.findVCF(rootVCFBudget)
	for plies > 0 {
		// There may be a shorter win, by fours or otherwise.
		m, ok = rootMove{point: s.line[0], score: mateIn(plies), win: mateIn(plies), bound: Lower}, true
		m.pv.len = copy(m.pv.moves[:], s.line[:plies])
		if i := slices.Index(m.pv.moves[:m.pv.len], NoPoint); i >= 0 {
			m.pv.len = i // no answer stops the five: fullLine goes on
		}
		if plies == 1 {
			break
		}
		plies, _ = s.find(plies/2-1, rootVCFBudget)
	}
	return m, ok
}

// threatShare returns the limits for the search for threats, if its share of the
// search's own is worth taking. A search by depth is done in its own time.
func (s *searcher) threatShare() (l Limits, ok bool) {
	l = Limits{Shortest: true, Memory: rootMemory, Nodes: rootVCTBudget}
	if s.cfg.depth > 0 || s.cfg.nodes == 0 && s.deadline.IsZero() {
		return l, false
	}
	if s.cfg.nodes > 0 {
		l.Nodes = min(s.cfg.nodes/rootShare, l.Nodes)
	}
	if !s.deadline.IsZero() {
		l.Time = time.Until(s.deadline) / rootShare
	}
	return l, l.Nodes >= rootVCTLeast && (l.Time >= rootVCTMoment || s.deadline.IsZero())
}

// prove lets a solver look at the root.
func (s *searcher) prove(l Limits, search func(*solver) finding) Proof {
	v := solvers.Get().(*solver)
	defer v.release()
	v.prepare(&s.board, s.board.turn, l)
	v.stop = s.stop
	p := v.prove(search)
	s.stats.Nodes += p.Nodes
	return p
}
