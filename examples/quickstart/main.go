// Quickstart asks the engine for a move and shows how it got there.
//
//	go run ./examples/quickstart                      # a sample position
//	go run ./examples/quickstart -depth 6 h8i9g9      # after these moves
//	go run ./examples/quickstart -rule renju ""       # the empty board
//
// It draws the board, prints a line for every depth as it is searched, then the
// move, and what the engine found out about the other candidates. Ctrl-C ends the
// search early; the best move so far is printed.
//
// The exit code is 0 with a move, 1 without one and 2 for a wrong command line.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// samplePosition is shown when no moves are given: the start of a game played on
// playok.com, playok-128 in testdata/real_games.jsonl.
const samplePosition = "h8i9k5g9j9h10j8g10j10j7"

const (
	defaultTime = 2 * time.Second
	wrapLine    = 9 // moves of a line that fit on a row
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// settings is what the command line says.
type settings struct {
	size   int
	rule   gomoku.Rule
	moves  string
	sample bool // no moves were given
	json   bool
	show   int
	opts   []gomoku.Option
}

// errUsage is a command line that the flag package has explained already.
var errUsage = errors.New("usage")

func parse(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{}
	var (
		depth, radius, candidates, multiPV int
		budget                             time.Duration
		level                              gomoku.Level
		strategy                           gomoku.Strategy
		seed                               uint64
	)
	fs := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: quickstart [flags] [moves]\n\nmoves is a string such as h8i9g9, black first; \"\" is the empty board.\n\nflags:")
		fs.PrintDefaults()
	}
	fs.IntVar(&s.size, "size", 15, "board size, 5 to 22")
	fs.TextVar(&s.rule, "rule", gomoku.Freestyle, "freestyle, standard, renju or caro")
	fs.Func("level", "easy, normal, hard or expert: sets depth and cap", func(name string) (err error) {
		level, err = gomoku.ParseLevel(name)
		return err
	})
	fs.IntVar(&depth, "depth", 0, "plies to search, 1 to 100 (default as far as the time allows)")
	fs.DurationVar(&budget, "time", defaultTime, "time for the move; not limited by default if -depth or -level is given")
	fs.IntVar(&radius, "radius", 2, "how far from a stone a candidate may be, 1 to 4; 0: anywhere")
	fs.IntVar(&candidates, "cap", 20, "candidates searched at each position; 0: all")
	fs.TextVar(&strategy, "strategy", gomoku.PVS, "minimax, alphabeta or pvs")
	fs.IntVar(&multiPV, "multipv", 1, "how many best moves to work out exactly")
	fs.Uint64Var(&seed, "seed", 0, "vary the play; the same seed always plays the same")
	fs.IntVar(&s.show, "show", 8, "how many candidates to print; 0: all")
	fs.BoolVar(&s.json, "json", false, "print the result as JSON and nothing else")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, errUsage
	}

	set := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { set[f.Name] = true })
	// The level comes first, so that what is set by hand wins over it.
	if set["level"] {
		s.opts = append(s.opts, gomoku.WithLevel(level))
	}
	for name, opt := range map[string]gomoku.Option{
		"depth": gomoku.WithDepth(depth), "radius": gomoku.WithRadius(radius), "cap": gomoku.WithCandidateCap(candidates),
		"strategy": gomoku.WithStrategy(strategy), "multipv": gomoku.WithMultiPV(multiPV), "seed": gomoku.WithSeed(seed),
	} {
		if set[name] {
			s.opts = append(s.opts, opt)
		}
	}
	if set["time"] || !set["depth"] && !set["level"] {
		s.opts = append(s.opts, gomoku.WithTimeBudget(budget))
	}

	s.sample = fs.NArg() == 0 && s.size == 15
	s.moves = strings.Join(fs.Args(), " ")
	if s.sample {
		s.moves = samplePosition
	}
	return s, nil
}

// run is the program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	fail := func(code int, err error) int {
		fmt.Fprintf(stderr, "quickstart: %v\n", err)
		return code
	}
	board, err := gomoku.ParseBoard(s.size, s.rule, s.moves)
	if err != nil {
		return fail(2, err)
	}
	engine, err := gomoku.NewEngine(s.opts...)
	if err != nil {
		return fail(2, err)
	}
	if s.json {
		return printJSON(ctx, engine, board, stdout, fail)
	}

	if s.sample {
		fmt.Fprintln(stdout, "No moves given, so here is a sample game. Try: quickstart h8i9g9, or quickstart -help.")
		fmt.Fprintln(stdout)
	}
	fmt.Fprintf(stdout, "%dx%d %v, %d stones\n\n%v\n", board.Size(), board.Size(), board.Rule(), board.Len(), board)
	if board.Over() {
		return fail(1, gameOver(board))
	}
	fmt.Fprintf(stdout, "%v (%c) to move.\n\n%5s  %10s  %10s  %8s  line\n",
		board.Turn(), mark(board.Turn()), "depth", "score", "positions", "time")
	p := progress{w: stdout}
	r, err := engine.Search(ctx, board, gomoku.WithProgress(p.depth))
	if err != nil {
		return fail(1, err)
	}
	p.end(&r)
	printResult(stdout, board, &r, s.show)
	return 0
}

// progress prints a line for each depth. Depths that change nothing, as when the
// engine has found a win, are left out but for the last.
type progress struct {
	w       io.Writer
	last    gomoku.Info
	any     bool // last is a depth
	skipped bool
}

func (p *progress) depth(i gomoku.Info) {
	p.skipped = p.any && i.Score == p.last.Score && slices.Equal(i.PV, p.last.PV)
	p.last, p.any = i, true
	if !p.skipped {
		p.print()
	}
}

// end prints the last depth, or the result itself if it was plain without search.
func (p *progress) end(r *gomoku.Result) {
	if !p.any {
		p.last = gomoku.Info{Depth: r.Depth, Score: r.Score, PV: r.PV, Nodes: r.Nodes, Elapsed: r.Elapsed}
		p.skipped = true
	}
	if p.skipped {
		p.print()
	}
}

func (p *progress) print() {
	i := &p.last
	fmt.Fprintf(p.w, "%5d  %10s  %10d  %8s  %s\n", i.Depth, score(i.Score), i.Nodes, brief(i.Elapsed), line(i.PV))
}

// printResult prints the move, the board with it, and the candidates.
func printResult(w io.Writer, board *gomoku.Board, r *gomoku.Result, show int) {
	turn := board.Turn()
	fmt.Fprintf(w, "\n%v plays %v, score %s (%s), after %d positions in %s.\n\n",
		turn, r.Best, score(r.Score), reasons[r.Stop], r.Nodes, brief(r.Elapsed))
	if err := board.Make(r.Best); err != nil {
		panic(err) // the engine plays legal moves only
	}
	fmt.Fprintln(w, board)
	if board.Over() {
		fmt.Fprintf(w, "%v.\n\n", gameOver(board))
	}
	fmt.Fprintf(w, "%9s  %13s  expected line\n", "candidate", "score")
	// What is not searched when the search ends early has no score.
	searched := slices.DeleteFunc(slices.Clone(r.Candidates), func(c gomoku.Candidate) bool { return c.Bound == gomoku.NoBound })
	for i, c := range searched {
		if show > 0 && i == show && i < len(searched)-1 {
			fmt.Fprintf(w, "%9s  %13s  -show 0 prints them all\n", fmt.Sprintf("%d more", len(searched)-i), "")
			break
		}
		fmt.Fprintf(w, "%9v  %13s  %s\n", c.Point, known(c), line(c.PV))
	}
	if n := len(r.Candidates) - len(searched); n > 0 {
		fmt.Fprintf(w, "%9s  %13s  not searched\n", fmt.Sprintf("%d more", n), "")
	}
}

// score writes a score. The largest estimates are a win or a loss as far as the
// engine looked, which it has not proven.
func score(s gomoku.Score) string {
	switch {
	case s == gomoku.MaxEstimate:
		return "winning"
	case s == -gomoku.MaxEstimate:
		return "losing"
	}
	return s.String()
}

// known writes a candidate's score with what it says.
func known(c gomoku.Candidate) string {
	switch c.Bound {
	case gomoku.Upper:
		return "<= " + score(c.Score)
	case gomoku.Lower:
		return ">= " + score(c.Score)
	}
	return score(c.Score)
}

// reasons says in words why a search ended.
var reasons = map[gomoku.StopReason]string{
	gomoku.StopDepth:     "depth reached",
	gomoku.StopExhausted: "searched to the end of the game",
	gomoku.StopProven:    "proven",
	gomoku.StopForced:    "the only move",
	gomoku.StopTime:      "time used",
	gomoku.StopNodes:     "limit of positions reached",
	gomoku.StopCancelled: "interrupted",
	gomoku.StopBook:      "from the opening book",
}

// gameOver says how a game ended.
func gameOver(b *gomoku.Board) error {
	if b.Winner() == gomoku.Empty {
		return errors.New("the game is over: a draw, the board is full")
	}
	return fmt.Errorf("the game is over: %v has won with %s", b.Winner(), line(b.WinningLine()))
}

// printJSON prints the result of a search as JSON.
func printJSON(ctx context.Context, e *gomoku.Engine, b *gomoku.Board, stdout io.Writer, fail func(int, error) int) int {
	r, err := e.Search(ctx, b)
	if err != nil {
		return fail(1, err)
	}
	enc := json.NewEncoder(stdout)
	enc.SetIndent("", "  ")
	if err := enc.Encode(struct {
		Board  *gomoku.Board `json:"board"`
		Result gomoku.Result `json:"result"`
	}{b, r}); err != nil {
		return fail(1, err)
	}
	return 0
}

// mark is how the board draws a colour.
func mark(c gomoku.Color) rune {
	if c == gomoku.Black {
		return 'x'
	}
	return 'o'
}

// line writes moves one after the other, not too many.
func line(moves []gomoku.Point) string {
	var s strings.Builder
	for i, p := range moves {
		if i == wrapLine {
			s.WriteString(" ...")
			break
		}
		if i > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(p.String())
	}
	return s.String()
}

// brief rounds a time to what matters.
func brief(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}
