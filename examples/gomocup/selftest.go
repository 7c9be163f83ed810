package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"time"

	"github.com/gomoku-go/gomoku"
	"github.com/gomoku-go/gomoku/gomocup"
)

const (
	defaultTurn = 20 * time.Millisecond

	// defaultTolerance is there because the processes share the machine with whatever else
	// runs on it.
	defaultTolerance = 100 * time.Millisecond
)

// selfTest plays games between two processes of this program, over all rules
// and a choice of sizes, from random openings. It fails at the first crash,
// illegal move or loss on time, and if goroutines are left over at the end; a
// process that does not end when told to is an error of Close.
func selfTest(ctx context.Context, games int, turn, tolerance time.Duration) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	goroutines := runtime.NumGoroutine()
	rules := []gomoku.Rule{gomoku.Freestyle, gomoku.Standard, gomoku.Renju, gomoku.Caro}
	sizes := []int{5, 15, 20, 22}
	rnd := rand.New(rand.NewPCG(1, 2))
	start := time.Now()
	limits := gomocup.Limits{Turn: turn, Tolerance: tolerance, Memory: 64 << 20}
	var t tally
	for i := range games {
		rule, size := rules[i%len(rules)], sizes[i/len(rules)%len(sizes)]
		if err := t.play(ctx, program, size, rule, limits, rnd); err != nil {
			return fmt.Errorf("game %d, %v, size %d: %w", i+1, rule, size, err)
		}
	}
	for range 50 { // goroutines that have been told to end may need a moment
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		return fmt.Errorf("%d goroutines are left over", n-goroutines)
	}
	fmt.Printf("%d games, %d moves in %v: black %d, white %d, drawn %d; slowest move %v of %v; no fault\n",
		games, t.moves, time.Since(start).Round(time.Second), t.wins[gomoku.Black], t.wins[gomoku.White], t.wins[gomoku.Empty],
		t.slowest.Round(time.Millisecond), turn)
	return nil
}

// tally sums up the games.
type tally struct {
	wins    [3]int
	moves   int
	slowest time.Duration
}

func (t *tally) play(ctx context.Context, program string, size int, rule gomoku.Rule, limits gomocup.Limits, rnd *rand.Rand) (err error) {
	b, err := gomoku.NewBoard(size, rule)
	if err != nil {
		return err
	}
	for range 3 {
		moves := b.Candidates(2)
		if err := b.Make(moves[rnd.IntN(len(moves))]); err != nil {
			return err
		}
	}
	var brains [2]*gomocup.Client
	for i := range brains {
		c, err := gomocup.Start(ctx, program)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.Close()) }()
		if err := c.SetLimits(limits); err != nil {
			return err
		}
		if err := c.NewGame(ctx, size, rule); err != nil {
			return err
		}
		brains[i] = c
	}
	for i := 0; !b.Over(); i++ {
		c := brains[i%2]
		p, err := c.Move(ctx, b, 0)
		if errors.Is(err, gomocup.ErrRefused) && stuck(b) {
			b.SetTurn(b.Turn().Opponent()) // Renju's Black may have nothing but fouls, and has lost
			t.wins[b.Turn()]++
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w\n%v", err, b)
		}
		t.moves++
		t.slowest = max(t.slowest, c.Thought())
		if err := b.Make(p); err != nil {
			return err
		}
	}
	t.wins[b.Winner()]++
	return nil
}

// stuck reports whether the side to move has no legal move.
func stuck(b *gomoku.Board) bool {
	for p := range b.Stones(gomoku.Empty).All() {
		if b.Clone().Make(p) == nil {
			return false
		}
	}
	return true
}
