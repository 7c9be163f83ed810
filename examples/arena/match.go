package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gomoku-go/gomoku"
)

// A match is a schedule of games between players and what came of it so far.
type match struct {
	settings
	specs       []*spec
	meetings    [][2]int
	openings    *openingSet
	time        timeControl
	fixtures    []fixture
	concurrency int
	test        *sprt // or nil

	games   []*gameRecord // by number in the schedule; nil is not played yet
	counted int           // games 0 to counted-1 have been played and tested
	pairs   pairCounts    // of the first player, in the counted games
	verdict verdict

	log      *gameLog          // or nil
	logged   bool              // the games are in a log
	finished func(*gameRecord) // called for each game that is played now
	records  *recordFile       // or nil
}

// enter puts a finished game in its place and looks at the test, pair by pair in
// the order of the schedule: were pairs to count in the order in which they
// finish, quick games would come first and the verdict depend on the machine.
func (m *match) enter(g *gameRecord) {
	m.games[g.Game] = g
	for m.counted+2 <= len(m.games) && m.verdict == undecided {
		first, second := m.games[m.counted], m.games[m.counted+1]
		if first == nil || second == nil {
			return
		}
		m.counted += 2
		if len(m.specs) == 2 {
			name := m.specs[0].name
			m.pairs[first.halves(name)+second.halves(name)]++
			if m.test != nil {
				m.verdict = m.test.decide(m.test.llr(m.pairs.floats()))
			}
		}
	}
}

// resume takes over the games of a log.
func (m *match) resume(games []*gameRecord) error {
	for _, g := range games {
		if g.Game < 0 {
			return fmt.Errorf("the log has a game %d", g.Game)
		}
		if g.Game >= len(m.fixtures) {
			continue // of a longer match
		}
		f := m.fixtures[g.Game]
		if g.Black != m.specs[f.black].name || g.White != m.specs[f.white].name ||
			g.Opening != f.opening || g.Symmetry != int(f.symmetry) {
			return fmt.Errorf("game %d of the log is not that of the schedule", g.Game)
		}
		m.enter(g)
	}
	return nil
}

// results returns the games that count, in the order of the schedule: all that
// were played or, once the test has decided, those it looked at.
func (m *match) results() []*gameRecord {
	games := m.games
	if m.verdict != undecided {
		games = games[:m.counted]
	}
	return slices.DeleteFunc(slices.Clone(games), func(g *gameRecord) bool { return g == nil })
}

// run plays what has not been played, until the end, the verdict of the test or
// the end of ctx. Games that are under way then are dropped.
func (m *match) run(ctx context.Context) (err error) {
	// Players must not see a deadline: they would share out the time until then.
	outer := ctx
	ctx, cancel := context.WithCancel(context.WithoutCancel(outer))
	defer cancel()
	defer context.AfterFunc(outer, cancel)()
	jobs := make(chan int)
	done := make(chan *gameRecord)
	failed := make(chan error, m.concurrency)
	var workers sync.WaitGroup
	for range m.concurrency {
		workers.Go(func() {
			if err := m.work(ctx, jobs, done); err != nil {
				failed <- err
				cancel()
			}
		})
	}
	missing := make([]int, 0, len(m.games))
	for i, g := range m.games {
		if g == nil {
			missing = append(missing, i)
		}
	}
	if m.verdict != undecided {
		missing = nil
	}
	go func() {
		defer close(jobs)
		for _, i := range missing {
			select {
			case jobs <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		workers.Wait()
		close(done)
	}()
	for g := range done {
		if err != nil || m.verdict != undecided {
			continue
		}
		if err = m.save(g); err != nil {
			cancel()
			continue
		}
		m.enter(g)
		if m.finished != nil {
			m.finished(g)
		}
		if m.verdict != undecided {
			cancel()
		}
	}
	close(failed)
	for e := range failed {
		err = errors.Join(err, e)
	}
	return err
}

// save writes a game down.
func (m *match) save(g *gameRecord) error {
	if m.log != nil {
		if err := m.log.add(g); err != nil {
			return err
		}
	}
	if m.records != nil {
		return m.records.add(g)
	}
	return nil
}

// work plays games with players of its own.
func (m *match) work(ctx context.Context, jobs <-chan int, done chan<- *gameRecord) (err error) {
	players := make([]player, len(m.specs))
	defer func() {
		for _, p := range players {
			if p != nil {
				err = errors.Join(err, p.close())
			}
		}
	}()
	for i := range jobs {
		g, err := m.play(ctx, i, players)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("game %d, %s (black) against %s: %w", i+1, m.specs[m.fixtures[i].black].name, m.specs[m.fixtures[i].white].name, err)
		}
		select {
		case done <- g:
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// play plays a game of the schedule.
func (m *match) play(ctx context.Context, number int, players []player) (*gameRecord, error) {
	f := m.fixtures[number]
	g := &gameRecord{
		Game: number, Pair: f.pair, Opening: f.opening, Symmetry: int(f.symmetry),
		Black: m.specs[f.black].name, White: m.specs[f.white].name,
		Started: time.Now().UTC().Format(time.RFC3339),
	}
	b, err := gomoku.NewBoard(m.Size, m.Rule)
	if err != nil {
		return nil, err
	}
	for _, p := range m.openings.moves[f.opening] {
		if err := b.Make(f.symmetry.Apply(p, m.Size)); err != nil {
			return nil, err
		}
	}
	var sides [3]player
	var clocks [3]*clock
	numbers := [3]int{gomoku.Black: f.black, gomoku.White: f.white}
	for _, color := range [...]gomoku.Color{gomoku.Black, gomoku.White} {
		number := numbers[color]
		s := m.specs[number]
		if players[number] == nil {
			players[number] = s.start(m.Adjudicate.Tolerance)
		}
		sides[color], clocks[color] = players[number], newClock(s.timed(m.time))
		if err := sides[color].newGame(ctx, m.Size, m.Rule, s.timed(m.time), seedOf(m.Seed, f.pair, number)); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return g, playGame(ctx, b, sides, clocks, m.Adjudicate, g)
}
