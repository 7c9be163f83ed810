package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
	"github.com/gomoku-go/gomoku/gomocup"
)

// A brain is a player in a process of its own. The process is started for the
// first game, plays on in the next ones, and is started anew after it broke down.
type brain struct {
	spec      *spec
	tolerance time.Duration
	client    *gomocup.Client // nil if there is no process
	life      context.CancelFunc
	told      gomoku.Info // what its messages about the move at hand say
	scored    bool
}

// starts is how often a brain is started, at most, to get it ready for a game:
// it may have broken down at the end of the last one, or the machine be busy.
const starts = 3

func (p *brain) newGame(ctx context.Context, size int, rule gomoku.Rule, tc timeControl, _ uint64) (err error) {
	for range starts {
		if p.client == nil {
			if err := p.run(ctx); err != nil {
				return err // there is no such program
			}
		}
		err = p.prepare(ctx, size, rule, tc)
		if err == nil || ctx.Err() != nil || errors.Is(err, gomocup.ErrRefused) {
			return err
		}
		p.kill()
	}
	return err
}

// run starts the process. It must outlive the game, so it does not hang on ctx.
func (p *brain) run(ctx context.Context) error {
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	client, err := gomocup.Start(life, p.spec.command[0], p.spec.command[1:]...)
	if err != nil {
		cancel()
		return err
	}
	p.client, p.life = client, cancel
	client.OnMessage(func(m gomocup.Message) {
		if m.Informed {
			p.told, p.scored = m.Info, true
		}
	})
	return nil
}

func (p *brain) prepare(ctx context.Context, size int, rule gomoku.Rule, tc timeControl) error {
	l := gomocup.Limits{
		Turn: tc.turn, Match: tc.match, Increment: tc.increment,
		Memory: p.spec.limits.memory, Depth: p.spec.limits.depth, Nodes: p.spec.limits.nodes,
		// The brain is killed some time after it has lost, so that it can go on
		// playing if it is only slow.
		Tolerance: p.tolerance + 2*time.Second,
	}
	if err := p.client.SetLimits(l); err != nil {
		return err
	}
	return p.client.NewGame(ctx, size, rule)
}

func (p *brain) move(ctx context.Context, b *gomoku.Board, c *clock) (reply, error) {
	p.told, p.scored = gomoku.Info{}, false
	point, err := p.client.Move(ctx, b, c.left)
	r := reply{
		point: point, spent: p.client.Thought(), nodes: p.told.Nodes, depth: p.told.Depth,
		score: p.told.Score, scored: p.scored,
	}
	switch {
	case err == nil, point != gomoku.NoPoint && errors.Is(err, gomocup.ErrIllegalMove):
		return r, nil // the referee judges
	case ctx.Err() != nil:
		return r, ctx.Err()
	case errors.Is(err, gomocup.ErrIllegalMove):
		return r, &forfeit{reasonIllegal, clip(err)}
	case errors.Is(err, gomocup.ErrTimeout):
		p.kill()
		return r, &forfeit{reasonTime, clip(err)}
	}
	p.kill()
	return r, &forfeit{reasonCrash, clip(err)}
}

// clip returns the error's text as one line of modest length.
func clip(err error) string {
	s := strings.Join(strings.Fields(err.Error()), " ")
	if len(s) > 300 {
		s = s[:300] + "..."
	}
	return s
}

// kill ends a process that is of no use any more.
func (p *brain) kill() {
	p.life()
	p.client.Close()
	p.client, p.life = nil, nil
}

func (p *brain) close() error {
	if p.client == nil {
		return nil
	}
	defer p.life()
	if err := p.client.Close(); err != nil && !errors.Is(err, gomocup.ErrTimeout) {
		return fmt.Errorf("%s: %w", p.spec.name, err)
	}
	return nil // a brain that had to be killed has played all its games
}
