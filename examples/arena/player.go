package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gomoku-go/gomoku"
)

// A reply is a move and what the player says about it.
type reply struct {
	point  gomoku.Point
	nodes  int64
	depth  int
	score  gomoku.Score
	scored bool          // score is known
	spent  time.Duration // if not 0, instead of the time that the call took
}

// A player plays games, one at a time.
type player interface {
	// newGame is called before each game; seed differs from pair to pair.
	newGame(ctx context.Context, size int, rule gomoku.Rule, tc timeControl, seed uint64) error
	// move is called for every move and says, by a *forfeit, if the player lost.
	// Other errors end the match.
	move(ctx context.Context, b *gomoku.Board, c *clock) (reply, error)
	close() error
}

// A forfeit is how a player loses other than on the board.
type forfeit struct {
	reason string
	detail string
}

func (f *forfeit) Error() string { return f.reason + ": " + f.detail }

// An enginePlayer is an engine of this process: a new one for every game, so
// that nothing of one game can have a part in another.
type enginePlayer struct {
	spec   *spec
	engine *gomoku.Engine
}

func (p *enginePlayer) newGame(_ context.Context, _ int, _ gomoku.Rule, _ timeControl, seed uint64) error {
	opts := p.spec.options
	if p.spec.vary {
		opts = append(slices.Clone(opts), gomoku.WithSeed(seed))
	}
	var err error
	p.engine, err = gomoku.NewEngine(opts...)
	return err
}

func (p *enginePlayer) move(ctx context.Context, b *gomoku.Board, c *clock) (reply, error) {
	var opts []gomoku.Option
	if soft, hard, ok := c.budget(); ok {
		opts = []gomoku.Option{gomoku.WithTimeBudget(hard), gomoku.WithSoftTime(soft)}
	}
	r, err := p.engine.Search(ctx, b, opts...)
	switch {
	case errors.Is(err, gomoku.ErrNoLegalMove):
		return reply{}, &forfeit{reasonStuck, "every move is a foul"}
	case err != nil:
		return reply{}, err
	}
	return reply{point: r.Best, nodes: r.Nodes, depth: r.Depth, score: r.Score, scored: true}, nil
}

func (p *enginePlayer) close() error { return nil }

// seedOf returns the seed of a player in a pair of a match: never 0, which
// stands for no variety.
func seedOf(match uint64, pair, player int) uint64 {
	return rand.New(rand.NewPCG(match, uint64(pair)<<16|uint64(player))).Uint64() | 1
}

// elapsed is time.Since, in a form that a log keeps.
func elapsed(start time.Time) time.Duration { return time.Since(start).Truncate(time.Microsecond) }
