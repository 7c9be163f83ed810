// Solve finds wins by continuous fours and threats, and proves them.
//
//	go run ./examples/solve -rule renju h8i9g9...
//	go run ./examples/solve -kind vcf -shortest -o win.sgf puzzle.txt
//	go run ./examples/solve -kind vcf -defences game.sgf
//	go run ./examples/solve -puzzles testdata/vcf_puzzles.jsonl
//
// The position is a string of moves, a board drawn with ". x o", or the name of a
// file with one of these or with game records; "-" reads standard input. The answer
// is the main line and the tree of the proof, with -o also as .sgf with variations,
// .json or .svg.
//
// A file of puzzles is a position a line, as JSON with the stones of both sides:
//
//	{"id": "1", "rule": "renju", "size": 15, "black": "h8h9", "white": "i8", "to_move": "black",
//	 "query": "vcf", "expected": {"win": true, "min_attacker_moves": 5}}
//
// or games in any format, whose ends are the puzzles. They are solved side by side,
// every proof is verified, and a table tells how many were solved and in what time.
//
// The exit status is 0 if a win was found, or every puzzle solved as expected; 1 if
// not; 2 if there was nothing to solve or something went wrong.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/gomoku-go/gomoku"
	"github.com/gomoku-go/gomoku/examples/internal/position"
	"github.com/gomoku-go/gomoku/examples/internal/savefile"
)

// errUnsolved says that all went well, but a win was not found.
var errUnsolved = errors.New("not solved")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUnsolved):
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "solve:", err)
		os.Exit(2)
	}
}

const maxMemory = 1 << 20 // MiB

// options is the command line.
type options struct {
	source   position.Source
	color    string
	kind     string
	limits   gomoku.Limits
	memory   int64 // MiB
	ban      string
	defences bool
	out      string
	puzzles  bool
	jobs     int
	repeat   int
	quiet    bool
}

func parseOptions(args []string, usage io.Writer) (*options, error) {
	o := new(options)
	f := flag.NewFlagSet("solve", flag.ContinueOnError)
	f.SetOutput(usage)
	o.source.Flags(f)
	f.StringVar(&o.color, "color", "", "the attacker, `black` or white, who moves first; without it the side to move")
	f.StringVar(&o.kind, "kind", "", "`vcf` for wins by fours, vct for wins by threats; without it vct, or what a puzzle says")
	f.BoolVar(&o.limits.Shortest, "shortest", false, "find a shortest win")
	f.BoolVar(&o.limits.All, "all", false, "find every first move that wins")
	f.IntVar(&o.limits.ThreatLevel, "level", 1, "threat `level` of a vct: 1 is fours and open threes, more are quieter")
	f.IntVar(&o.limits.Moves, "moves", 0, "most `moves` of the attacker; 0 is no limit")
	f.Int64Var(&o.limits.Nodes, "nodes", 0, "most `positions` to look at; 0 is no limit")
	f.DurationVar(&o.limits.Time, "time", 10*time.Second, "most time for a position; 0 is no limit")
	f.Int64Var(&o.memory, "memory", 64, "`MiB` for the table of positions; 0 is 64")
	f.StringVar(&o.ban, "ban", "", "`points` where the attacker makes no threats")
	f.BoolVar(&o.defences, "defences", false, "list the moves that stop the attacker's win by fours")
	f.StringVar(&o.out, "o", "", "`file` for the proof: .sgf, .json or .svg")
	f.BoolVar(&o.puzzles, "puzzles", false, "solve every puzzle of a file")
	f.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "how many puzzles to solve side by side")
	f.IntVar(&o.repeat, "repeat", 1, "solve each puzzle so many `times` and take the shortest time")
	f.BoolVar(&o.quiet, "quiet", false, "no progress and, of puzzles, no list of those not solved as expected")
	f.Usage = func() {
		fmt.Fprint(usage, "usage: solve [flags] position\n       solve -puzzles [flags] file\n\nThe position is moves (h8i9g9), a drawn board, or a file with one of these or with game\nrecords; - is standard input.\n\n")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() != 1 {
		f.Usage()
		return nil, fmt.Errorf("one position or file is needed, not %d", f.NArg())
	}
	o.source.Arg = f.Arg(0)
	var err error
	if o.limits.Ban, err = gomoku.ParseMoves(o.ban); err != nil {
		return nil, fmt.Errorf("-ban: %w", err)
	}
	if o.memory < 0 || o.memory > maxMemory {
		return nil, fmt.Errorf("-memory %d is not 0 to %d", o.memory, maxMemory)
	}
	o.limits.Memory = o.memory << 20
	switch strings.ToLower(filepath.Ext(o.out)) {
	case ".sgf", ".json", ".svg":
	default:
		if o.out != "" {
			return nil, fmt.Errorf("-o %q is not .sgf, .json or .svg", o.out)
		}
	}
	switch {
	case o.kind != "" && o.kind != "vcf" && o.kind != "vct":
		return nil, fmt.Errorf("-kind %q is neither vcf nor vct", o.kind)
	case o.color != "" && o.color != "black" && o.color != "white":
		return nil, fmt.Errorf("-color %q is neither black nor white", o.color)
	case o.jobs < 1 || o.repeat < 1:
		return nil, errors.New("-jobs and -repeat are at least 1")
	case o.puzzles && (o.defences || o.out != ""):
		return nil, errors.New("-puzzles goes with neither -defences nor -o")
	case o.defences && (o.kind == "vct" || o.out != ""):
		return nil, errors.New("-defences goes with neither -kind vct nor -o")
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	if o.puzzles {
		return solvePuzzles(ctx, o, stdout, stderr)
	}
	b, err := o.source.Position(stdin)
	if err != nil {
		return err
	}
	c := o.attacker(b)
	if o.defences {
		return listDefences(ctx, o, b, c, stdout)
	}
	p, err := solverOf(o.kind)(ctx, b, c, o.limits)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%v\n%v", b, &p)
	if p.Verdict == gomoku.Proven {
		if err := p.Verify(b); err != nil {
			return err
		}
		fmt.Fprintln(stdout, "line:", gomoku.FormatMoves(p.Line))
		for _, w := range p.Wins {
			fmt.Fprintf(stdout, "wins: %v in %d\n", w.Move, w.Length())
		}
		if p.Reason != 0 {
			fmt.Fprintf(stdout, "not searched to the end: stopped by %v\n", p.Reason)
		}
	}
	fmt.Fprintf(stdout, "%d positions, %v\n", p.Nodes, p.Elapsed.Round(time.Microsecond))
	if err := o.save(b, &p); err != nil {
		return err
	}
	if p.Verdict != gomoku.Proven {
		return errUnsolved
	}
	return nil
}

// attacker returns whose win is looked for.
func (o *options) attacker(b *gomoku.Board) gomoku.Color {
	switch o.color {
	case "black":
		return gomoku.Black
	case "white":
		return gomoku.White
	}
	return b.Turn()
}

// solverOf returns the solver of a kind of win.
func solverOf(kind string) func(context.Context, *gomoku.Board, gomoku.Color, gomoku.Limits) (gomoku.Proof, error) {
	if kind == "vcf" {
		return gomoku.SolveVCF
	}
	return gomoku.SolveVCT
}

// listDefences prints what stops the attacker's win by fours.
func listDefences(ctx context.Context, o *options, b *gomoku.Board, c gomoku.Color, stdout io.Writer) error {
	d, err := gomoku.VCFDefences(ctx, b, c, o.limits)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%v\n%v", b, &d.Threat)
	if d.Threat.Verdict != gomoku.Proven {
		return errUnsolved
	}
	fmt.Fprintln(stdout, "stopped by:", cmp.Or(gomoku.FormatMoves(d.Stops), "nothing"))
	if len(d.Unknown) > 0 {
		fmt.Fprintln(stdout, "not known:", gomoku.FormatMoves(d.Unknown))
	}
	return nil
}

// save writes the proof to the file asked for.
func (o *options) save(b *gomoku.Board, p *gomoku.Proof) error {
	if o.out == "" {
		return nil
	}
	var out bytes.Buffer
	switch strings.ToLower(filepath.Ext(o.out)) {
	case ".json":
		enc := json.NewEncoder(&out)
		enc.SetIndent("", " ")
		if err := enc.Encode(p); err != nil {
			return err
		}
	case ".sgf":
		if p.Verdict != gomoku.Proven {
			return nil
		}
		r, err := p.Record(b)
		if err != nil {
			return err
		}
		if err := gomoku.WriteRecord(&out, r, gomoku.SGF, gomoku.WriteOptions{}); err != nil {
			return err
		}
	case ".svg":
		shown := b.Clone()
		shown.SetTurn(p.Color)
		title, _, _ := strings.Cut(p.String(), "\n")
		if err := gomoku.WriteSVG(&out, shown, gomoku.SVGOptions{Title: title, Line: p.Line}); err != nil {
			return err
		}
	}
	return savefile.Write(o.out, out.Bytes())
}
