package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// A progress shows how far the work is: a bar that is rewritten on a terminal, a
// line now and then elsewhere.
type progress struct {
	out         io.Writer
	terminal    bool
	games       []*game
	moves, done int // of all games
	before      int // done before the start
	start, last time.Time
}

func newProgress(games []*game, out io.Writer) *progress {
	p := &progress{out: out, games: games, start: time.Now(), last: time.Now()}
	if f, ok := out.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			p.terminal = info.Mode()&os.ModeCharDevice != 0
		}
	}
	for _, g := range games {
		p.moves += len(g.steps)
		p.before += g.done()
	}
	p.done = p.before
	return p
}

// finished takes note of a move.
func (p *progress) finished() {
	p.done++
	every := 10 * time.Second
	if p.terminal {
		every = 100 * time.Millisecond
	}
	if time.Since(p.last) < every && p.done < p.moves {
		return
	}
	p.last = time.Now()
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s", p.line())
	} else {
		fmt.Fprintln(p.out, p.line())
	}
}

// end leaves the bar.
func (p *progress) end() {
	if p.terminal && p.done > p.before {
		fmt.Fprintln(p.out)
	}
}

func (p *progress) line() string {
	const width = 30
	full := width * p.done / max(p.moves, 1)
	complete := 0
	for _, g := range p.games {
		if g.complete() {
			complete++
		}
	}
	each := time.Since(p.start) / time.Duration(max(p.done-p.before, 1))
	left := (each * time.Duration(p.moves-p.done)).Round(time.Second)
	return fmt.Sprintf("[%s%s] %d/%d moves, %d/%d games, %v to go",
		strings.Repeat("#", full), strings.Repeat(".", width-full), p.done, p.moves, complete, len(p.games), left)
}
