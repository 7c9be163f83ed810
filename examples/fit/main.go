// Fit learns the weights of the shape evaluation from games.
//
//	go run ./examples/arena -a nodes=800,seed=vary -b nodes=800,seed=vary -games 6000 -log games.jsonl
//	go run ./examples/fit -o weights.txt games.jsonl
//
// It reads the game logs of the arena, takes the quiet positions of every game,
// and fits the weights by logistic regression: the evaluation, put through a
// sigmoid, is to predict the result of the game, mixed with what the search
// thought. A tenth of the games is kept apart to measure the fit. The weights
// start from the package's own and are pulled back to them where the games say
// little.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/gomoku-go/gomoku"
)

func main() {
	var o options
	out := flag.String("o", "", "file for the weights; standard output without it")
	flag.Float64Var(&o.mix, "mix", 0.3, "share of the search's own judgement in what is to be predicted, 0 to 1")
	flag.Float64Var(&o.pull, "pull", 2e-6, "strength of the pull towards the weights at the start")
	flag.Float64Var(&o.rate, "rate", 1, "step size, in evaluator units")
	flag.IntVar(&o.epochs, "epochs", 30, "passes over the positions")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the order of positions")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: fit [flags] games.jsonl ...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(o, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
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
	text, err := m.shapeWeights().MarshalText()
	if err != nil {
		return err
	}
	if out == "" {
		_, err = os.Stdout.Write(text)
		return err
	}
	return os.WriteFile(out, text, 0o644)
}
