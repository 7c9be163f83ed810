package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/gomoku-go/gomoku"
)

// A sample is a quiet position of a game, seen by the side to move.
type sample struct {
	features []feature
	result   float32         // 1 won, 0.5 drawn, 0 lost
	score    gomoku.Score    // what the search thought
	threat   [2]gomoku.Class // the best class of the mover and the other side
}

// A feature is how many empty points of one kind, four shapes, the mover has, or
// less than none for the other side: its kinds come after the mover's.
type feature struct {
	kind  uint16
	count int16
}

// logLine is what the arena's log says of a match, in the first line, or a game.
type logLine struct {
	Rule   string         `json:"rule"`
	Size   int            `json:"size"`
	Plies  int            `json:"opening_plies"`
	Moves  string         `json:"moves"`
	Result string         `json:"result"`
	Score  []gomoku.Score `json:"score"`
}

// readLog returns the samples of a log, every tenth game apart.
func readLog(name string) (train, test []sample, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	var head logLine
	var rule gomoku.Rule
	for n := 0; lines.Scan(); n++ {
		var l logLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
		}
		if n == 0 {
			head = l
			if rule, err = gomoku.ParseRule(head.Rule); err != nil {
				return nil, nil, fmt.Errorf("%s:1: %w", name, err)
			}
			continue
		}
		samples, err := samplesOf(l, head.Size, rule)
		if err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
		}
		if n%20 < 2 { // both games of a pair
			test = append(test, samples...)
		} else {
			train = append(train, samples...)
		}
	}
	return train, test, lines.Err()
}

// samplesOf replays a game. Positions that a threat decides at once are left
// out: the search never asks the evaluation about them.
func samplesOf(l logLine, size int, rule gomoku.Rule) ([]sample, error) {
	moves, err := gomoku.ParseMoves(l.Moves)
	if err != nil {
		return nil, err
	}
	b, err := gomoku.NewBoard(size, rule)
	if err != nil {
		return nil, err
	}
	var samples []sample
	for i, p := range moves {
		if i >= l.Plies {
			s := sampleOf(b)
			if s.threat[0] < gomoku.OpenFourClass && s.threat[1] < gomoku.FiveClass {
				switch l.Result {
				case b.Turn().String():
					s.result = 1
				case "draw":
					s.result = 0.5
				}
				if j := i - l.Plies; j < len(l.Score) {
					s.score = l.Score[j]
				}
				samples = append(samples, s)
			}
		}
		if err := b.MakeFoul(p); err != nil {
			return nil, err
		}
	}
	return samples, nil
}

func sampleOf(b *gomoku.Board) sample {
	var s sample
	var counts [2 * kinds]int16
	var used []uint16
	for p := range b.Stones(gomoku.Empty).All() {
		for side, c := range [...]gomoku.Color{b.Turn(), b.Turn().Opponent()} {
			shapes := gomoku.ShapesAt(b, p, c)
			s.threat[side] = max(s.threat[side], gomoku.ClassOf(shapes))
			kind := kindOf(shapes) + uint16(side*kinds)
			if counts[kind] == 0 {
				used = append(used, kind)
			}
			counts[kind] += int16(1 - 2*side)
		}
	}
	for _, kind := range used {
		if n := counts[kind]; n != 0 {
			s.features = append(s.features, feature{kind, n})
			counts[kind] = 0
		}
	}
	return s
}
