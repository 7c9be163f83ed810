package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/gomoku-go/gomoku"
)

// A sample is what a search thought of its position and how the game ended.
type sample struct {
	score  float64
	result float64 // of the side that searched: 1 won, 0.5 drawn, 0 lost
}

// fit fits the scale of the winning chance to the games of arena logs and prints
// how well it predicts them.
func fit(logs []string, out io.Writer) error {
	var games [][]sample
	for _, name := range logs {
		got, err := readLog(name)
		if err != nil {
			return err
		}
		games = append(games, got...)
	}
	n := 0
	for _, g := range games {
		n += len(g)
	}
	if n < 100 {
		return fmt.Errorf("%d positions are too few to fit to", n)
	}
	s := bestScale(games, nil)
	low, high := jackknife(games, s)
	fmt.Fprintf(out, "%d positions of %d games\nscale %.0f, 95%% interval %.0f to %.0f\n", n, len(games), s, low, high)
	fmt.Fprintf(out, "loss %.4f nats a position; %.4f if every chance were a half\n\n", logLoss(games, s, nil)/float64(n), math.Ln2)
	fmt.Fprintf(out, "  predicted      positions  mean predicted  won\n")
	var count, predicted, won [10]float64
	for _, g := range games {
		for _, p := range g {
			c := 1 / (1 + math.Exp(-p.score/s))
			i := min(int(c*10), 9)
			count[i]++
			predicted[i] += c
			won[i] += p.result
		}
	}
	for i := range count {
		if count[i] > 0 {
			fmt.Fprintf(out, "  %3d%% to %3d%%  %10.0f  %13.1f%%  %5.1f%%\n", 10*i, 10*i+10, count[i], 100*predicted[i]/count[i], 100*won[i]/count[i])
		}
	}
	return nil
}

// readLog returns the estimates in the games of an arena log; proven scores and
// those that are as good as proven say nothing about the scale.
func readLog(name string) (games [][]sample, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		var l struct {
			Plies  int            `json:"opening_plies"`
			Result string         `json:"result"`
			Score  []gomoku.Score `json:"score"`
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s:%d: not a line of an arena log: %w", name, number, err)
		}
		if number == 1 {
			continue // the settings
		}
		var g []sample
		for i, score := range l.Score {
			mover := gomoku.Black
			if (l.Plies+i)%2 == 1 {
				mover = gomoku.White
			}
			s := sample{score: float64(score)}
			switch l.Result {
			case mover.String():
				s.result = 1
			case mover.Opponent().String():
			case "draw":
				s.result = 0.5
			default:
				return nil, fmt.Errorf("%s:%d: result %q", name, number, l.Result)
			}
			if score < gomoku.MaxEstimate && score > -gomoku.MaxEstimate {
				g = append(g, s)
			}
		}
		games = append(games, g)
	}
	return games, lines.Err()
}

// logLoss is the cross entropy of the predictions with a scale, without the
// games of one block of ten, unless that is nil.
func logLoss(games [][]sample, scale float64, without *int) float64 {
	sum := 0.0
	for i, g := range games {
		if without != nil && i%blocks == *without {
			continue
		}
		for _, p := range g {
			// log(1+exp(x)), without overflow
			x := p.score / scale
			sum += max(x, 0) - x*p.result + math.Log1p(math.Exp(-math.Abs(x)))
		}
	}
	return sum
}

// bestScale finds the scale with the least loss by golden section, on a
// logarithmic axis.
func bestScale(games [][]sample, without *int) float64 {
	const ratio = 0.6180339887498949
	low, high := math.Log(1), math.Log(1e6)
	for high-low > 1e-4 {
		a, b := high-(high-low)*ratio, low+(high-low)*ratio
		if logLoss(games, math.Exp(a), without) < logLoss(games, math.Exp(b), without) {
			high = b
		} else {
			low = a
		}
	}
	return math.Exp((low + high) / 2)
}

const blocks = 20

// jackknife estimates how well the games determine the scale, by leaving out a
// twentieth of them in turn: positions of a game are not independent, games are.
func jackknife(games [][]sample, s float64) (low, high float64) {
	sum := 0.0
	for i := range blocks {
		d := math.Log(bestScale(games, &i) / s)
		sum += d * d
	}
	spread := 1.96 * math.Sqrt(sum*(blocks-1)/blocks)
	return s * math.Exp(-spread), s * math.Exp(spread)
}
