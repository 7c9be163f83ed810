// Command gomocup is a brain for any manager of the Gomocup protocol, such as
// Piskvork. Managers want the program's name to begin with "pbrain-":
//
//	go build -o pbrain-gomoku ./examples/gomocup
//
// With -selftest it plays games against itself under every rule instead, as two
// processes, and checks that nothing goes wrong.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/gomoku-go/gomoku"
	"github.com/gomoku-go/gomoku/gomocup"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	table := flag.Int64("table", 64, "memory of the transposition table in `MiB`; the manager's max_memory can make it smaller")
	margin := flag.Duration("margin", 0, "time kept back from every limit; 0 stands for the default")
	level := flag.String("level", "", "play weaker: easy, normal, hard or expert")
	selftest := flag.Bool("selftest", false, "play games against itself and check them")
	games := flag.Int("games", 200, "how many games -selftest plays")
	turn := flag.Duration("turn", defaultTurn, "time for a move in -selftest")
	tolerance := flag.Duration("tolerance", defaultTolerance, "how much later than that a move may come in -selftest")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *selftest {
		return selfTest(ctx, *games, *turn, *tolerance)
	}

	opts := []gomocup.ServerOption{gomocup.WithAbout(about()), gomocup.WithTable(*table << 20)}
	if *margin > 0 {
		opts = append(opts, gomocup.WithMargin(*margin))
	}
	if *level != "" {
		l, err := gomoku.ParseLevel(*level)
		if err != nil {
			return err
		}
		opts = append(opts, gomocup.WithEngineOptions(gomoku.WithLevel(l)))
	}
	server, err := gomocup.NewServer(opts...)
	if err != nil {
		return err
	}
	return server.Serve(ctx, os.Stdin, os.Stdout)
}

func about() gomocup.About {
	version := "devel"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return gomocup.About{
		Name: "gomoku", Version: version, Author: "the gomoku authors",
		WWW: "https://github.com/gomoku-go/gomoku",
	}
}
