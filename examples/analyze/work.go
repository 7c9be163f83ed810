package main

import (
	"context"
	"sync"

	"github.com/gomoku-go/gomoku"
)

// A task is a move to be judged.
type task struct {
	game *game
	step int // its index
}

// analyze judges all moves that have no report yet, jobs at a time or as many as
// there are, since every judge has an engine of its own, and calls finished, never twice at a time, after each. When ctx is cancelled or something
// fails, what was finished stays.
func analyze(ctx context.Context, games []*game, jobs int, newJudge func() (judge, error), finished func(*game, *moveReport) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := 0
	for _, g := range games {
		for _, r := range g.reports {
			if r == nil {
				todo++
			}
		}
	}
	judges := make([]judge, min(jobs, todo))
	for i := range judges {
		var err error
		if judges[i], err = newJudge(); err != nil {
			return err
		}
	}
	tasks := make(chan task)
	var wait sync.WaitGroup
	var mutex sync.Mutex // of reports and finished
	for _, j := range judges {
		wait.Go(func() {
			for t := range tasks {
				r, err := t.judge(ctx, j)
				if err == nil {
					mutex.Lock()
					t.game.set(t.step, r)
					err = finished(t.game, r)
					mutex.Unlock()
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	feed(ctx, games, tasks)
	close(tasks)
	wait.Wait()
	return context.Cause(ctx)
}

// feed sends the tasks, game by game, until ctx is cancelled.
func feed(ctx context.Context, games []*game, tasks chan<- task) {
	for _, g := range games {
		for i := range g.steps {
			if g.reports[i] != nil {
				continue
			}
			select {
			case tasks <- task{g, i}:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (t task) judge(ctx context.Context, j judge) (*moveReport, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := t.game.steps[t.step]
	b, err := t.game.before(s)
	if err != nil {
		return nil, err
	}
	if b.At(s.node.Point) != gomoku.Empty {
		return nil, gomoku.ErrOccupied
	}
	r, err := j.judge(ctx, b, s.node.Point)
	if err != nil {
		return nil, err
	}
	r.Move = s.number
	return r, nil
}
