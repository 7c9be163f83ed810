// Command play is gomoku in a terminal: a person against the engine, two
// people, or engines against each other to watch. See README.md.
//
//	go run ./examples/play -white hard -rule renju
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gomoku-go/gomoku"
)

func main() {
	c, err := parseFlags(os.Args[1:], os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil:
		if !errors.As(err, new(*explained)) {
			fmt.Fprintln(os.Stderr, "play:", err)
		}
		os.Exit(2)
	}
	interrupts := make(chan os.Signal, 4)
	signal.Notify(interrupts, os.Interrupt)
	// Being told to end is a reason to end now, and to take a brain along.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()

	c.terminal = terminal{
		in: os.Stdin, out: os.Stdout, interrupts: interrupts, now: time.Now,
		interactive: isTerminal(os.Stdin), ansi: c.color.on(os.Stdout, os.Getenv),
	}
	if err := play(ctx, c); err != nil {
		fmt.Fprintln(os.Stderr, "play:", err)
		os.Exit(1)
	}
}

// config is what the command line sets, and where the session takes place.
type config struct {
	terminal
	size     int
	rule     gomoku.Rule
	specs    [3]spec // by colour
	moveTime time.Duration
	seed     uint64
	thinking bool
	color    colorMode
	brain    string // command line of a foreign brain
	load     string // file to start from
}

// explained is a fault of the command line that the flag package has printed
// with the usage.
type explained struct{ error }

// parseFlags reads the command line. It writes the usage to w when asked for
// it, or when a flag is wrong.
func parseFlags(args []string, w io.Writer) (config, error) {
	c := config{
		size: 15, moveTime: 5 * time.Second,
		specs: [3]spec{gomoku.Black: {kind: person}, gomoku.White: {kind: engine, level: gomoku.Normal}},
	}
	seats := map[string]bool{}
	flags := flag.NewFlagSet("play", flag.ContinueOnError)
	flags.SetOutput(w)
	flags.Usage = func() {
		fmt.Fprint(w, "Usage: play [flags]\n\nGomoku in the terminal; type help there for the commands.\n\n")
		flags.PrintDefaults()
	}
	seat := func(color gomoku.Color) func(string) error {
		return func(s string) (err error) {
			seats[color.String()] = true
			c.specs[color], err = parseSpec(s)
			return err
		}
	}
	flags.Func("black", "who plays black: me, easy, normal, hard, expert or brain (default me)", seat(gomoku.Black))
	flags.Func("white", "who plays white (default normal)", seat(gomoku.White))
	flags.IntVar(&c.size, "size", c.size, "`rows` of the board, 5 to 22")
	flags.TextVar(&c.rule, "rule", gomoku.Freestyle, "freestyle, standard, renju or caro")
	flags.Func("time", "the most time for a move, such as 10s; off leaves it to the level (default 5s)", func(s string) (err error) {
		c.moveTime, err = parseMoveTime(s)
		return err
	})
	flags.Uint64Var(&c.seed, "seed", 0, "makes the engine's choices repeatable; 0 picks a new one each time")
	flags.BoolVar(&c.thinking, "thinking", false, "show what the engine thinks")
	flags.TextVar(&c.color, "color", colorAuto, "auto, always or never")
	flags.StringVar(&c.brain, "brain", "", "`command` of a Gomocup brain; plays white against the engine unless -black or -white say otherwise")
	flags.StringVar(&c.load, "load", "", "start from the game in `file`")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return c, err
	} else if err != nil {
		return c, &explained{err}
	}
	if flags.NArg() > 0 {
		return c, fmt.Errorf("unexpected argument %q; -help lists the flags", flags.Arg(0))
	}
	if c.brain != "" && !seats["black"] && !seats["white"] {
		c.specs[gomoku.Black] = spec{kind: engine, level: gomoku.Expert}
		c.specs[gomoku.White] = spec{kind: brain}
	}
	if c.seed == 0 {
		c.seed = rand.Uint64() | 1
	}
	return c, nil
}

// play holds a session from the greeting to the end.
func play(ctx context.Context, c config) error {
	s, err := newSession(ctx, c)
	if err != nil {
		return err
	}
	defer s.close()
	return s.run()
}
