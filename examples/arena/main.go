// Arena plays matches and tournaments between gomoku engines and says, with
// error bars, which is stronger. Players are configurations of this module's
// engine or programs that speak the Gomocup protocol.
//
// Run it with -help, or see README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/gomoku-go/gomoku"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
	case errors.Is(err, context.Canceled):
		stop()
		os.Exit(130)
	default:
		fmt.Fprintln(os.Stderr, "arena:", err)
		stop()
		os.Exit(1)
	}
}

const helpText = `Arena plays matches and tournaments between gomoku engines.

  arena -a 'nodes=20000' -b 'nodes=20000,cap=12' -games 200 -concurrency 2
  arena -a 'nodes=20000' -b 'nodes=20000,cap=12' -games 4000 -sprt elo0=0,elo1=20 -log m.jsonl
  arena -p depth=2 -p depth=3 -p depth=4 -tournament roundrobin -games 40
  arena -a 'time=100ms' -b 'cmd=./brain,name=brain,time=100ms' -rule standard

Each opening is played twice, with both colours; the two games are a pair.

A player is key=value,key=value,...; the keys are:

`

// options is the command line.
type options struct {
	players                stringList
	a, b, each             string
	tournament             string
	games, size            int
	rule                   string
	openings, order        string
	turn                   bool
	seed                   uint64
	tc                     string
	drawAfter              int
	draw, resign           string
	tolerance              time.Duration
	sprt                   string
	concurrency            int
	log, sgf               string
	perOpening, reportOnly bool
	quiet                  bool
}

type stringList []string

func (l *stringList) String() string     { return strings.Join(*l, " ") }
func (l *stringList) Set(s string) error { *l = append(*l, s); return nil }

func parseOptions(args []string, usage io.Writer) (*options, error) {
	o := new(options)
	f := flag.NewFlagSet("arena", flag.ContinueOnError)
	f.SetOutput(usage)
	f.StringVar(&o.a, "a", "", "first `player`")
	f.StringVar(&o.b, "b", "", "second `player`")
	f.Var(&o.players, "p", "a further `player`; may be given many times")
	f.StringVar(&o.each, "each", "", "`keys` of all players, before their own")
	f.StringVar(&o.tournament, "tournament", "roundrobin", "who meets whom with more than two players: roundrobin, or gauntlet, the first against all others")
	f.IntVar(&o.games, "games", 40, "games of each two players, made even")
	f.StringVar(&o.rule, "rule", "freestyle", "freestyle, standard, renju or caro")
	f.IntVar(&o.size, "size", 15, "board size")
	f.StringVar(&o.openings, "openings", "", "`file` with an opening a line: moves such as h8i9j8, rows counted from the bottom, or Gomocup offsets such as \"0,0, 1,-1\"; none is the empty board; without it those that come with the program")
	f.StringVar(&o.order, "order", "random", "of the openings: random, by the seed, or sequential")
	f.BoolVar(&o.turn, "symmetries", true, "play openings in their eight symmetries")
	f.Uint64Var(&o.seed, "seed", 1, "of the order, the symmetries and players with seed=vary")
	f.StringVar(&o.tc, "tc", "", "`time` control match/turn+increment in seconds, such as 180/30 or 60+0.5 or 0/0.1 (a turn limit alone); without it players stop by depth or nodes")
	f.DurationVar(&o.tolerance, "tolerance", 500*time.Millisecond, "how much too long a move may take before it loses")
	f.IntVar(&o.drawAfter, "draw-after", 0, "a draw once so many `stones` are on the board")
	f.StringVar(&o.draw, "draw", "", "a draw by scores, such as score=20,moves=10,from=60: both players within 20 of 0 in 10 moves each, with 60 stones or more; without them moves=8 and from=0")
	f.StringVar(&o.resign, "resign", "", "a loss by scores, such as score=5000,moves=3: a player sees itself 5000 behind in 3 moves of its own and the other agrees; without it moves=3")
	f.StringVar(&o.sprt, "sprt", "", "stop when a `test` decides, such as elo1=20,model=normalized; without them elo0=0, alpha=0.05, beta=0.05 and model=logistic")
	f.IntVar(&o.concurrency, "concurrency", 1, "games at a time")
	f.StringVar(&o.log, "log", "", "`file` for the games as JSON lines; if it exists, the match goes on from there")
	f.StringVar(&o.sgf, "sgf", "", "`file` for the games as SGF records")
	f.BoolVar(&o.perOpening, "per-opening", true, "report the results of each opening")
	f.BoolVar(&o.reportOnly, "report", false, "report what the log has and play nothing")
	f.BoolVar(&o.quiet, "quiet", false, "no progress line")
	f.Usage = func() {
		fmt.Fprint(usage, helpText)
		for _, k := range specKeys {
			fmt.Fprintf(usage, "  %-11s %s\n", k.key, k.meaning)
		}
		fmt.Fprint(usage, "\nFlags:\n\n")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("unexpected %q; a player with spaces needs quotes", f.Arg(0))
	}
	return o, nil
}

// newMatch checks the options and prepares what they ask for.
func (o *options) newMatch() (*match, error) {
	m := &match{concurrency: o.concurrency, logged: o.log != ""}
	m.Version, m.Size, m.Seed, m.Order, m.Turn = logVersion, o.size, o.seed, o.order, o.turn
	m.Tournament = o.tournament
	m.Adjudicate.DrawAfter, m.Adjudicate.Tolerance = o.drawAfter, o.tolerance

	var err error
	if m.Rule, err = gomoku.ParseRule(o.rule); err != nil {
		return nil, err
	}
	if _, err := gomoku.NewBoard(o.size, m.Rule); err != nil {
		return nil, err
	}
	switch {
	case o.games < 1:
		return nil, errors.New("-games must be 1 or more")
	case o.concurrency < 1:
		return nil, errors.New("-concurrency must be 1 or more")
	case o.drawAfter < 0:
		return nil, errors.New("-draw-after can't be negative")
	case o.tolerance < 0:
		return nil, errors.New("-tolerance can't be negative")
	case o.order != "random" && o.order != "sequential":
		return nil, fmt.Errorf("unknown order %q: random or sequential", o.order)
	}
	if o.tc != "" {
		if m.time, err = parseTimeControl(o.tc); err != nil {
			return nil, err
		}
	}
	m.Time = m.time.String()
	if o.draw != "" {
		if err := m.Adjudicate.parseDraw(o.draw); err != nil {
			return nil, err
		}
	}
	if o.resign != "" {
		if err := m.Adjudicate.parseResign(o.resign); err != nil {
			return nil, err
		}
	}
	if err := o.addPlayers(m); err != nil {
		return nil, err
	}
	if o.sprt != "" {
		if len(m.specs) != 2 {
			return nil, errors.New("-sprt needs exactly two players")
		}
		if m.test, err = parseSPRT(o.sprt); err != nil {
			return nil, err
		}
	}
	if m.openings, err = loadOpenings(o.openings, m.Size, m.Rule); err != nil {
		return nil, err
	}
	m.Openings = m.openings.digest()
	if m.meetings, err = encounters(o.tournament, len(m.specs)); err != nil {
		return nil, err
	}
	m.fixtures = schedule(m.meetings, (o.games+1)/2, openingOrder{
		count: len(m.openings.moves), random: o.order == "random", turn: o.turn, seed: o.seed,
	})
	m.games = make([]*gameRecord, len(m.fixtures))
	return m, nil
}

func (o *options) addPlayers(m *match) error {
	texts := o.players
	if o.b != "" {
		texts = append(stringList{o.b}, texts...)
	}
	if o.a != "" {
		texts = append(stringList{o.a}, texts...)
	}
	if len(texts) < 2 {
		return errors.New("two players or more are needed: -a and -b, or -p for each; -help explains")
	}
	taken := make(map[string]bool)
	for i, text := range texts {
		s, err := parseSpec(text, o.each, fmt.Sprintf("p%d", i+1))
		if err != nil {
			return err
		}
		if s.name == fmt.Sprintf("p%d", i+1) && len(texts) == 2 {
			s.name = string("ab"[i])
		}
		if taken[s.name] {
			return fmt.Errorf("two players are called %q; give one a name=", s.name)
		}
		taken[s.name] = true
		m.specs = append(m.specs, s)
		m.Players = append(m.Players, playerSetting{s.name, s.text})
	}
	return nil
}

// warn says what the numbers may not be worth.
func (m *match) warn() []string {
	var warnings []string
	all := true
	for _, s := range m.specs {
		all = all && s.repeatable(m.time)
	}
	rounds, count := len(m.fixtures)/2/len(m.meetings), len(m.openings.moves)
	if m.Turn {
		count *= gomoku.NumSymmetries
	}
	if all && rounds > count {
		warnings = append(warnings, fmt.Sprintf("after %s, all openings in all symmetries, these players repeat their games: more pairs prove nothing; give seed=vary or more openings", plural(count, "pair")))
	}
	if m.concurrency > runtime.NumCPU() {
		warnings = append(warnings, fmt.Sprintf("%d games at a time share %d processors", m.concurrency, runtime.NumCPU()))
	}
	switch {
	case m.openings.replaced:
		warnings = append(warnings, fmt.Sprintf("too few of the embedded openings of the rule fit a board of %d: those of renju are played", m.Size))
	case m.openings.skipped > 0:
		warnings = append(warnings, fmt.Sprintf("%d of the embedded openings do not fit a board of %d", m.openings.skipped, m.Size))
	}
	return warnings
}

func run(ctx context.Context, args []string, stdout, stderr *os.File) (err error) {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	m, err := o.newMatch()
	if err != nil {
		return err
	}
	for _, w := range m.warn() {
		fmt.Fprintln(stderr, "note:", w)
	}
	if o.reportOnly && o.log == "" {
		return errors.New("-report needs -log")
	}
	var played []*gameRecord
	switch {
	case o.reportOnly && o.sgf == "":
		if played, err = readLog(o.log, m.settings); err != nil {
			return err
		}
		if err := m.resume(played); err != nil {
			return fmt.Errorf("%s: %w", o.log, err)
		}
	case o.log != "":
		log, games, torn, err := openLog(o.log, m.settings)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, log.close()) }()
		if torn > 0 {
			fmt.Fprintf(stderr, "note: cut %s of an unfinished game off %s\n", plural(torn, "byte"), o.log)
		}
		if err := m.resume(games); err != nil {
			return fmt.Errorf("%s: %w", o.log, err)
		}
		if len(games) > 0 {
			fmt.Fprintf(stderr, "note: %s has %s already\n", o.log, plural(len(games), "game"))
		}
		m.log, played = log, games
	}
	if o.sgf != "" {
		if m.records, err = openRecords(o.sgf, m, played); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, m.records.close()) }()
	}
	if !o.reportOnly {
		p := newProgress(m, stderr)
		if !o.quiet {
			m.finished = p.finished
		}
		err = m.run(ctx)
		p.end()
		if err == nil {
			err = ctx.Err()
		}
	}
	newReport(m, m.results()).write(stdout, o.perOpening)
	if errors.Is(err, context.Canceled) && o.log != "" {
		fmt.Fprintln(stderr, "interrupted; the same command goes on with the match")
	}
	return err
}
