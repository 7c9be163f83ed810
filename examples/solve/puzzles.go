package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gomoku-go/gomoku"
)

// A puzzle is a position and what is known of it.
type puzzle struct {
	id    string
	kind  string
	board *gomoku.Board
	color gomoku.Color
	win   *bool // nil: not known
	moves *int  // of the shortest win, nil: not known
}

// puzzleJSON is a puzzle as a line of a file.
type puzzleJSON struct {
	ID       string       `json:"id"`
	Rule     gomoku.Rule  `json:"rule"`
	Size     int          `json:"size"`
	Moves    string       `json:"moves"`
	Black    string       `json:"black"`
	White    string       `json:"white"`
	ToMove   gomoku.Color `json:"to_move"`
	Query    string       `json:"query"`
	Expected struct {
		Win   *bool `json:"win"`
		Moves *int  `json:"min_attacker_moves"`
	} `json:"expected"`
}

// puzzle sets the position up.
func (j *puzzleJSON) puzzle() (*puzzle, error) {
	b, err := gomoku.ParseBoard(j.Size, j.Rule, j.Moves)
	if err != nil {
		return nil, err
	}
	for _, s := range []struct {
		stones string
		color  gomoku.Color
	}{{j.Black, gomoku.Black}, {j.White, gomoku.White}} {
		points, err := gomoku.ParseMoves(s.stones)
		if err != nil {
			return nil, err
		}
		for _, p := range points {
			if b.At(p) != gomoku.Empty {
				return nil, fmt.Errorf("two stones at %v", p)
			}
			if err := b.SetStone(p, s.color); err != nil {
				return nil, err
			}
		}
	}
	p := &puzzle{id: j.ID, kind: j.Query, board: b, color: j.ToMove, win: j.Expected.Win, moves: j.Expected.Moves}
	if p.color == gomoku.Empty {
		p.color = b.Turn()
	}
	b.SetTurn(p.color)
	return p, nil
}

// readPuzzles reads a file of puzzles.
func readPuzzles(o *options) ([]*puzzle, error) {
	text, err := os.ReadFile(o.source.Arg)
	if err != nil {
		return nil, err
	}
	var puzzles []*puzzle
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) && bytes.Contains(text, []byte(`"to_move"`)) {
		n := 0
		for line := range bytes.Lines(text) {
			if n++; len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var j puzzleJSON
			err := json.Unmarshal(line, &j)
			var p *puzzle
			if err == nil {
				p, err = j.puzzle()
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", o.source.Arg, n, err)
			}
			puzzles = append(puzzles, p)
		}
	} else {
		read := gomoku.ReadOptions{Format: gomoku.FormatOfName(o.source.Arg), Size: o.source.Size, Rule: o.source.Rule}
		for rec, err := range gomoku.ReadRecords(bytes.NewReader(text), read) {
			var b *gomoku.Board
			if err == nil {
				b, err = rec.Board()
			}
			if err != nil {
				return nil, fmt.Errorf("%s: game %d: %w", o.source.Arg, len(puzzles)+1, err)
			}
			puzzles = append(puzzles, &puzzle{id: fmt.Sprintf("game %d", len(puzzles)+1), board: b, color: o.attacker(b)})
		}
	}
	if len(puzzles) == 0 {
		return nil, fmt.Errorf("%s: no puzzles", o.source.Arg)
	}
	for _, p := range puzzles {
		if o.kind != "" {
			p.kind = o.kind
		} else if p.kind != "vcf" {
			p.kind = "vct"
		}
		if p.board.Over() {
			return nil, fmt.Errorf("%s: %s: the game is over", o.source.Arg, p.id)
		}
	}
	return puzzles, nil
}

// An answer is what the solver says of a puzzle.
type answer struct {
	puzzle *puzzle
	proof  gomoku.Proof
	time   time.Duration
	fault  string // why it is not what was expected
}

// solvePuzzles solves the puzzles of a file side by side.
func solvePuzzles(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	puzzles, err := readPuzzles(o)
	if err != nil {
		return err
	}
	answers := make([]answer, len(puzzles))
	errs := make([]error, len(puzzles))
	todo := make(chan int)
	bar := newBar(len(puzzles), stderr, o.quiet)
	var wg sync.WaitGroup
	for range min(o.jobs, len(puzzles)) {
		wg.Go(func() {
			for i := range todo {
				answers[i], errs[i] = o.answer(ctx, puzzles[i])
				bar.add(answers[i].proof.Verdict == gomoku.Proven)
			}
		})
	}
	for i := range puzzles {
		todo <- i
	}
	close(todo)
	wg.Wait()
	bar.end()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		answers = slices.DeleteFunc(answers, func(a answer) bool { return a.proof.Reason == gomoku.StopCancelled })
		if len(answers) > 0 {
			_ = report(o, answers, stdout)
		}
		return fmt.Errorf("%d of %d puzzles done: %w", len(answers), len(puzzles), err)
	}
	return report(o, answers, stdout)
}

// answer solves one puzzle and compares with what is known of it.
func (o *options) answer(ctx context.Context, p *puzzle) (a answer, err error) {
	a.puzzle = p
	for i := range o.repeat {
		a.proof, err = solverOf(p.kind)(ctx, p.board, p.color, o.limits)
		if err != nil {
			return a, fmt.Errorf("%s: %w", p.id, err)
		}
		if i == 0 || a.proof.Elapsed < a.time {
			a.time = a.proof.Elapsed
		}
		if a.proof.Reason == gomoku.StopCancelled {
			break
		}
	}
	won := a.proof.Verdict == gomoku.Proven
	if won {
		if err := a.proof.Verify(p.board); err != nil {
			return a, fmt.Errorf("%s: %w", p.id, err)
		}
	}
	switch {
	case p.win == nil && !won, p.win != nil && *p.win && !won:
		a.fault = "no win found"
		if a.proof.Reason != 0 {
			a.fault += ", stopped by " + a.proof.Reason.String()
		}
	case p.win != nil && !*p.win && won:
		a.fault = "a win where none is known"
	case p.win != nil && !*p.win && a.proof.Verdict == gomoku.Unknown:
		a.fault = "not refuted, stopped by " + a.proof.Reason.String()
	case won && p.moves != nil && a.proof.Length < *p.moves:
		a.fault = fmt.Sprintf("won in %d, shorter than the %d known", a.proof.Length, *p.moves)
	case won && p.moves != nil && o.limits.Shortest && a.proof.Length != *p.moves:
		a.fault = fmt.Sprintf("won in %d, known is %d", a.proof.Length, *p.moves)
	}
	return a, nil
}

// report prints the table, and says whether all was as expected.
func report(o *options, answers []answer, w io.Writer) error {
	groups := make(map[string][]answer)
	var names []string
	for _, a := range answers {
		name := fmt.Sprintf("%s %v %v", a.puzzle.kind, a.puzzle.board.Rule(), a.proof.Verdict)
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], a)
	}
	slices.Sort(names)
	fmt.Fprintf(w, "%-26s %7s %7s %9s %9s %9s %9s %11s\n", "", "puzzles", "longest", "median", "mean", "p90", "worst", "positions")
	for _, name := range names {
		var times []time.Duration
		var sum time.Duration
		longest, nodes := 0, int64(0)
		for _, a := range groups[name] {
			times = append(times, a.time)
			sum += a.time
			longest = max(longest, a.proof.Length)
			nodes += a.proof.Nodes
		}
		slices.Sort(times)
		n := len(times)
		fmt.Fprintf(w, "%-26s %7d %7d %9s %9s %9s %9s %11d\n", name, n, longest,
			short(times[n/2]), short(sum/time.Duration(n)), short(times[min(n*9/10, n-1)]), short(times[n-1]), nodes)
	}
	faults := 0
	for _, a := range answers {
		if a.fault == "" {
			continue
		}
		faults++
		if !o.quiet {
			fmt.Fprintf(w, "%s: %s (%v)\n", a.puzzle.id, a.fault, short(a.time))
		}
	}
	fmt.Fprintf(w, "%d of %d as expected, every proof verified\n", len(answers)-faults, len(answers))
	if faults > 0 {
		return errUnsolved
	}
	return nil
}

// short returns a duration with three digits.
func short(d time.Duration) string {
	for unit := time.Nanosecond; ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit).String()
		}
	}
}

// A bar shows how far the puzzles are: a bar that is drawn over on a terminal, and
// nothing elsewhere.
type bar struct {
	mu         sync.Mutex
	all        int
	done, won  int
	start      time.Time
	shown      time.Time
	to         io.Writer
	isTerminal bool
}

func newBar(all int, to io.Writer, quiet bool) *bar {
	b := &bar{all: all, start: time.Now(), to: to}
	if f, ok := to.(*os.File); ok && !quiet {
		info, err := f.Stat()
		b.isTerminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return b
}

// add counts a puzzle that is done.
func (b *bar) add(won bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done++
	if won {
		b.won++
	}
	if b.isTerminal && (time.Since(b.shown) > 100*time.Millisecond || b.done == b.all) {
		b.shown = time.Now()
		full := 30 * b.done / b.all
		fmt.Fprintf(b.to, "\r\x1b[K[%s%s] %d/%d, %d won, %v", strings.Repeat("#", full), strings.Repeat(".", 30-full),
			b.done, b.all, b.won, time.Since(b.start).Round(100*time.Millisecond))
	}
}

// end leaves the bar.
func (b *bar) end() {
	if b.isTerminal {
		fmt.Fprintln(b.to)
	}
}
