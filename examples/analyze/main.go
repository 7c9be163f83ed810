// Analyze makes reports on games: what each move was worth, what would have been
// better, and which wins and defences were missed.
//
//	go run ./examples/analyze game.sgf
//	go run ./examples/analyze -jobs 2 -html report.html -sgf annotated.sgf games.pgn more.psq
//
// It reads records in any format of the package, from files or standard input, or
// moves as an argument (h8i9g9...). Without a file to write it prints text.
//
// Every move is searched with the same effort: the position before it for the
// best move, and then the move that was played. A score becomes a winning chance by
// the logistic function 1/(1+exp(-score/490)); the 490 was fitted to games of
// the engine against itself (see -fit, and scale in report.go). The chance that a
// move gives away is its loss: from 5% on it is an inaccuracy, from 10% a mistake,
// from 20% a blunder.
//
// Solvers look for wins by continuous fours and threats before and after each
// move. A win that the player missed, or one that the move left to the opponent
// although another move did not, is reported with its proof, which was verified.
//
// What is found is kept in a journal as it is found. After an interruption the
// reports have what was done, and the same command goes on from there.
package main

import (
	"context"
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

	"github.com/gomoku-go/gomoku"
	"github.com/gomoku-go/gomoku/examples/internal/savefile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
	case errors.Is(err, context.Canceled):
		stop()
		os.Exit(130)
	default:
		fmt.Fprintln(os.Stderr, "analyze:", err)
		stop()
		os.Exit(1)
	}
}

// options is the command line.
type options struct {
	effort                effort
	jobs                  int
	read                  gomoku.ReadOptions
	text, json, sgf, html string
	all, quiet, fit       bool
	opening               int
	journal               string
	args                  []string
	newJudge              func() (judge, error) // in place of the engine's, for tests
}

func parseOptions(args []string, usage io.Writer) (*options, error) {
	o := new(options)
	f := flag.NewFlagSet("analyze", flag.ContinueOnError)
	f.SetOutput(usage)
	f.Int64Var(&o.effort.Nodes, "nodes", 20_000, "positions of a search, of which there are up to two a move; 0 is no limit")
	f.DurationVar(&o.effort.Time, "time", 0, "`time` of a search, such as 500ms; reports are then not repeatable")
	f.Int64Var(&o.effort.Solve, "solve", 20_000, "positions of a solver, which looks for wins by threats before and after each move; 0 does not look")
	f.Float64Var(&o.effort.Scale, "scale", scale, "of the winning chance: `units` of score that multiply the odds by e")
	f.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "moves looked at at a time")
	f.IntVar(&o.read.Size, "size", 15, "board size where a record names none")
	f.TextVar(&o.read.Rule, "rule", gomoku.Freestyle, "`rule` where a record names none: freestyle, standard, renju or caro")
	f.BoolVar(&o.read.RowsFromTop, "rows-from-top", false, "lists of moves count rows from the top")
	f.IntVar(&o.opening, "opening", -1, "so many first `moves` are placed to be fair and not graded; -1 is those of a swap2 that the record tells of")
	f.StringVar(&o.text, "text", "", "`file` for the report as text; - is standard output, which is where it goes if no file is named")
	f.StringVar(&o.json, "json", "", "`file` for the report as JSON, a game a line; - is standard output")
	f.StringVar(&o.sgf, "sgf", "", "`file` for the games as SGF with comments and variations")
	f.StringVar(&o.html, "html", "", "`file` for the report as a page to click through")
	f.BoolVar(&o.all, "all", false, "the text has all moves, not only those with a remark")
	f.StringVar(&o.journal, "journal", "", "`file` to keep what was found in; without it a file beside the first of the reports, until they are complete")
	f.BoolVar(&o.quiet, "quiet", false, "show no progress")
	f.BoolVar(&o.fit, "fit", false, "fit the scale of the winning chance to logs of the arena instead")
	f.Usage = func() {
		fmt.Fprint(usage, "usage: analyze [flags] game.sgf ...\n\nGames come from files of any record format, from standard input (-), or are moves.\n\n")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	o.args = f.Args()
	return o, o.check()
}

func (o *options) check() error {
	switch {
	case len(o.args) == 0:
		return errors.New("no game is named; -help explains")
	case o.jobs < 1:
		return fmt.Errorf("-jobs %d: it takes 1 or more", o.jobs)
	case o.effort.Nodes < 0:
		return fmt.Errorf("-nodes %d is negative", o.effort.Nodes)
	case o.opening < -1:
		return fmt.Errorf("-opening %d is neither a number of moves nor -1", o.opening)
	case o.effort.Solve < 0:
		return fmt.Errorf("-solve %d is negative", o.effort.Solve)
	case o.effort.Time < 0:
		return fmt.Errorf("-time %v is negative", o.effort.Time)
	case o.effort.Nodes == 0 && o.effort.Time == 0:
		return errors.New("-nodes 0 needs -time: a search must end")
	case !(o.effort.Scale > 0):
		return fmt.Errorf("-scale %v is not positive", o.effort.Scale)
	case o.text == "-" && o.json == "-":
		return errors.New("-text and -json can't both be on standard output")
	}
	if _, err := gomoku.NewBoard(o.read.Size, o.read.Rule); err != nil {
		return fmt.Errorf("-size: %w", err)
	}
	if o.sgf != "" && gomoku.FormatOfName(o.sgf) != gomoku.SGF {
		return fmt.Errorf("-sgf %q does not end in .sgf", o.sgf)
	}
	if o.text == "" && o.json == "" && o.sgf == "" && o.html == "" {
		o.text = "-"
	}
	return o.checkFiles()
}

// checkFiles finds what would go wrong with the files to write, before the work.
func (o *options) checkFiles() error {
	journal, _ := o.journalName()
	seen := map[string]string{}
	for _, out := range [][2]string{{"-text", o.text}, {"-json", o.json}, {"-sgf", o.sgf}, {"-html", o.html}, {"-journal", journal}} {
		flag, name := out[0], out[1]
		if name == "" || name == "-" {
			continue
		}
		place := placeOf(name)
		if other := seen[place]; other != "" {
			return fmt.Errorf("%s and %s name the same file %q", other, flag, name)
		}
		for _, arg := range o.args {
			if place == placeOf(arg) {
				return fmt.Errorf("%s would replace %q, which is to be read", flag, arg)
			}
		}
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %s is not a regular file", flag, name)
		}
		if _, err := os.Stat(filepath.Dir(name)); err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
		seen[place] = flag
	}
	return nil
}

// placeOf names a file, which need not be there, the same by whatever path it is
// called.
func placeOf(name string) string {
	if file, err := filepath.EvalSymlinks(name); err == nil {
		name = file
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(dir, filepath.Base(name))
	}
	if full, err := filepath.Abs(name); err == nil {
		name = full
	}
	return name
}

// journalName is where the journal is, and whether it stays when all is done.
func (o *options) journalName() (name string, stays bool) {
	if o.journal != "" {
		return o.journal, true
	}
	for _, out := range []string{o.html, o.sgf, o.json, o.text} {
		if out != "" && out != "-" {
			return out + ".journal", false
		}
	}
	return "", false
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	if o.fit {
		return fit(o.args, stdout)
	}
	return o.run(ctx, stdin, stdout, stderr)
}

func (o *options) run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) (err error) {
	games, faults := loadGames(o.args, o.read, stdin)
	for _, fault := range faults {
		fmt.Fprintf(stderr, "can't read %s\n", strings.ReplaceAll(fault.Error(), "gomoku: ", ""))
	}
	if len(games) == 0 {
		return errors.New("there is no game to look at")
	}
	if o.opening >= 0 {
		for _, g := range games {
			g.setOpening(o.opening)
		}
	}
	name, stays := o.journalName()
	j, err := openJournal(name, o.effort)
	if err != nil {
		return err
	}
	for _, g := range games {
		j.restore(g)
	}
	p := newProgress(games, stderr)
	if p.before > 0 && !o.quiet {
		fmt.Fprintf(stderr, "%s of %d are in %s already\n", plural(p.before, "move"), p.moves, name)
	}
	newJudge := o.newJudge
	if newJudge == nil {
		newJudge = func() (judge, error) { return newEngineJudge(o.effort) }
	}
	err = analyze(ctx, games, o.jobs, newJudge, func(g *game, r *moveReport) error {
		if !o.quiet {
			p.finished()
		} else {
			p.done++
		}
		return j.add(g, r)
	})
	if !o.quiet {
		p.end()
	}
	err = errors.Join(err, j.close(), o.write(games, stdout))
	switch {
	case err == nil && name != "" && !stays:
		err = os.Remove(name)
	case errors.Is(err, context.Canceled):
		hint := "the same command goes on"
		if name == "" {
			hint = "with -journal it could go on"
		}
		fmt.Fprintf(stderr, "interrupted after %d of %s; %s\n", p.done, plural(p.moves, "move"), hint)
	}
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("%s could not be read", plural(len(faults), "game"))
	}
	return err
}

// write writes the reports, each as a whole or not at all.
func (o *options) write(games []*game, stdout io.Writer) error {
	var errs []error
	save := func(name string, text []byte, err error) {
		switch {
		case err != nil || name == "":
		case name == "-":
			_, err = stdout.Write(text)
		default:
			err = savefile.Write(name, text)
		}
		errs = append(errs, err)
	}
	if o.text != "" {
		var text []byte
		for i, g := range games {
			if i > 0 {
				text = append(text, '\n')
			}
			text = appendText(text, g, o.all)
		}
		save(o.text, text, nil)
	}
	if o.json != "" {
		var text []byte
		var err error
		for _, g := range games {
			if text, err = appendJSON(text, g, o.effort); err != nil {
				break
			}
		}
		save(o.json, text, err)
	}
	if o.html != "" {
		text, err := page(games, o.effort)
		save(o.html, text, err)
	}
	if o.sgf != "" {
		records := make([]*gomoku.Record, len(games))
		for i, g := range games {
			records[i] = annotate(g)
		}
		errs = append(errs, gomoku.SaveRecords(o.sgf, records, gomoku.SGF, gomoku.WriteOptions{}))
	}
	return errors.Join(errs...)
}
