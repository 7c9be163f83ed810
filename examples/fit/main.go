// Fit learns the weights of the shape evaluation from games and positions.
//
//	go run ./examples/arena -a nodes=1500,seed=vary -b nodes=1500,seed=vary -games 6000 -log games.jsonl
//	go run ./examples/fit -label -o positions.jsonl games.jsonl
//	go run ./examples/fit -o weights.txt positions.jsonl
//
// With -label it takes positions near those of the games, a few likely moves away
// as in a search, and notes what a search finds there. Without, it reads such
// positions, or the game logs of the arena themselves, and fits the weights by
// gradient descent: the evaluation, put through a sigmoid, is to predict what the
// search found, or the result of the game mixed with what the search thought. A tenth
// is kept apart to measure the fit. The weights start from the package's own and can
// be pulled back to them where little is known; with -fresh the network starts from
// random numbers.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/gomoku-go/gomoku"
	"github.com/gomoku-go/gomoku/examples/internal/savefile"
)

func main() {
	var o options
	out := flag.String("o", "", "file for the weights or positions; standard output without it")
	flag.Float64Var(&o.mix, "mix", 0.3, "share of the search's own judgement in what is to be predicted, 0 to 1")
	flag.Float64Var(&o.pull, "pull", 0, "strength of the pull towards the weights at the start")
	flag.Float64Var(&o.rate, "rate", 0.003, "step size")
	flag.IntVar(&o.epochs, "epochs", 20, "passes over the positions")
	flag.BoolVar(&o.fresh, "fresh", false, "begin with random numbers in the network")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the positions made and of their order")
	var l labelOptions
	judging := flag.Bool("label", false, "make positions from the games and judge them, instead of fitting")
	flag.Int64Var(&l.nodes, "nodes", 4000, "positions that a judgement may look at")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: fit [flags] games.jsonl ...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := errors.Join(o.validate(), l.validate(), checkOut(*out, flag.Args())); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(2)
	}
	l.seed = o.seed
	work := func() error { return run(o, *out, flag.Args()) }
	if *judging {
		work = func() error { return runLabel(l, *out, flag.Args()) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

// validate refuses settings that make no sense.
func (o *options) validate() error {
	var faults []error
	refuse := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	refuse(o.mix >= 0 && o.mix <= 1, "-mix %v is not 0 to 1", o.mix)
	refuse(o.pull >= 0 && !math.IsInf(o.pull, 0), "-pull %v is not 0 or more", o.pull)
	refuse(o.rate > 0 && !math.IsInf(o.rate, 0), "-rate %v is not more than 0", o.rate)
	refuse(o.epochs >= 0, "-epochs %d is negative", o.epochs)
	return errors.Join(faults...)
}

// checkOut refuses, before the work, an output that is one of the inputs or that can't
// be written.
func checkOut(out string, logs []string) error {
	if out == "" {
		return nil
	}
	to, err := os.Stat(out)
	switch {
	case err == nil && !to.Mode().IsRegular():
		return fmt.Errorf("-o %s is no regular file", out)
	case err == nil:
		for _, name := range logs {
			if from, err := os.Stat(name); err == nil && os.SameFile(from, to) {
				return fmt.Errorf("-o %s is also an input", out)
			}
		}
	}
	probe, err := os.CreateTemp(filepath.Dir(out), ".fit-*")
	if err != nil {
		return fmt.Errorf("-o %s: %w", out, errors.Unwrap(err))
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

func run(o options, out string, logs []string) error {
	var train, test []sample
	for _, name := range logs {
		a, b, err := readLog(name)
		if err != nil {
			return err
		}
		train, test = append(train, a...), append(test, b...)
	}
	if len(train) == 0 || len(test) == 0 {
		return fmt.Errorf("too few games: %d positions to learn from, %d to test with", len(train), len(test))
	}
	m := newModel(gomoku.DefaultShapeWeights(), o)
	m.findScale(train)
	fmt.Fprintf(os.Stderr, "%d positions to learn from, %d to test with, scale %.0f\n", len(train), len(test), m.scale)
	fmt.Fprintf(os.Stderr, "before: loss %.5f, test %.5f\n", m.loss(train), m.loss(test))
	m.fit(train, func(epoch int) {
		fmt.Fprintf(os.Stderr, "epoch %d: loss %.5f, test %.5f\n", epoch, m.loss(train), m.loss(test))
	})
	w, err := m.shapeWeights()
	if err != nil {
		return err
	}
	text, err := w.MarshalText()
	if err != nil {
		return err
	}
	return write(out, text)
}

// runLabel judges positions of the logs, which must be of one rule and size.
func runLabel(o labelOptions, out string, logs []string) error {
	var all []byte
	for _, name := range logs {
		text, err := label(o, name)
		if err != nil {
			return err
		}
		head, rest, _ := bytes.Cut(text, []byte("\n"))
		if all == nil {
			all = append(head, '\n')
		} else if !bytes.HasPrefix(all, append(head, '\n')) {
			return fmt.Errorf("%s is of another rule or size than %s", name, logs[0])
		}
		all = append(all, rest...)
	}
	return write(out, all)
}

// write writes to the file, or to standard output if it has no name.
func write(out string, text []byte) error {
	if out == "" {
		_, err := os.Stdout.Write(text)
		return err
	}
	return savefile.Write(out, text)
}
