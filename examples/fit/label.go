package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gomoku-go/gomoku"
)

// labelOptions says how positions are made and judged.
type labelOptions struct {
	nodes int64  // positions that a search may look at
	seed  uint64 // of the moves that lead away from the games
}

func (o *labelOptions) validate() error {
	if o.nodes < 1 {
		return fmt.Errorf("-nodes %d is less than 1", o.nodes)
	}
	return nil
}

// The positions of a game are those a search of it would meet: up to astray moves
// on from one of the game, each among the choice best at a glance.
const (
	astray = 3
	choice = 12
)

// label returns, as lines of a log, positions near those of the games in a log,
// each with what a search found there in place of a result. The positions depend
// on the seed alone.
func label(o labelOptions, name string) ([]byte, error) {
	games, head, err := readGames(name)
	if err != nil {
		return nil, err
	}
	rule, err := gomoku.ParseRule(head.Rule)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w", name, err)
	}
	lines := make([][]byte, len(games))
	faults := make([]error, len(games))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(games); i = int(next.Add(1)) - 1 {
				rng := rand.New(rand.NewPCG(o.seed, uint64(i)))
				if lines[i], faults[i] = labelGame(o, rng, &games[i], head.Size, rule); faults[i] != nil {
					faults[i] = fmt.Errorf("%s:%d: %w", name, i+2, faults[i])
				}
			}
		})
	}
	wg.Wait()
	for _, err := range faults {
		if err != nil {
			return nil, err
		}
	}
	out := fmt.Appendf(nil, "{\"rule\":%q,\"size\":%d}\n", head.Rule, head.Size)
	return append(out, bytes.Join(lines, nil)...), nil
}

// labelGame makes and judges a position for each move of a game after its opening.
func labelGame(o labelOptions, rng *rand.Rand, g *logLine, size int, rule gomoku.Rule) ([]byte, error) {
	moves, err := gomoku.ParseMoves(g.Moves)
	if err != nil {
		return nil, err
	}
	engine, err := gomoku.NewEngine(gomoku.WithTableSize(1 << 20))
	if err != nil {
		return nil, err
	}
	board, err := gomoku.NewBoard(size, rule)
	if err != nil {
		return nil, err
	}
	var out []byte
	for i, p := range moves {
		if i >= g.Plies {
			b := board.Clone()
			if err := goAstray(engine, rng, b); err != nil {
				return nil, err
			}
			line, err := judge(engine, b, o.nodes)
			if err != nil {
				return nil, err
			}
			out = append(out, line...)
		}
		if err := board.MakeFoul(p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// goAstray plays some moves that are good at a glance, the better the more often.
func goAstray(engine *gomoku.Engine, rng *rand.Rand, b *gomoku.Board) error {
	for n := rng.IntN(astray + 1); n > 0 && !b.Over(); n-- {
		r, err := engine.Search(context.Background(), b, gomoku.WithDepth(1))
		if err != nil {
			return err
		}
		x := rng.Float64()
		at := int(x * x * float64(min(choice, len(r.Candidates))))
		if err := b.Make(r.Candidates[at].Point); err != nil {
			return err
		}
	}
	return nil
}

// judge searches a position and returns a line for the log: the moves, with a last
// one that is not looked at, and the score. There is none for positions that need
// no judgement, since a threat or a victory by continuous fours decides them.
func judge(engine *gomoku.Engine, b *gomoku.Board, nodes int64) ([]byte, error) {
	if b.Over() || !quiet(b) {
		return nil, nil
	}
	engine.NewGame()
	r, err := engine.Search(context.Background(), b, gomoku.WithNodeLimit(nodes))
	if err != nil {
		return nil, err
	}
	if plies, mate := r.Score.Mate(); mate && plies > 0 && r.Depth <= 1 {
		return nil, nil
	}
	var moves strings.Builder
	for p := range b.Moves() {
		moves.WriteString(p.String())
	}
	line, err := json.Marshal(logLine{Moves: moves.String() + r.Best.String(), Plies: b.Len(), Score: []gomoku.Score{r.Score}})
	return append(line, '\n'), err
}
