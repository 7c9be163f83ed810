package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/gomoku-go/gomoku"
)

// A sample is a quiet position of a game, seen by the side to move.
type sample struct {
	features []feature
	rows     []uint16     // of the network
	patterns []uint16     // of each empty point the four that the mover sees
	result   float32      // 1 won, 0.5 drawn, 0 lost
	judged   bool         // there is no result, only what the search thought
	score    gomoku.Score // what the search thought
}

// A feature is how often a position has what a weight weighs.
type feature struct {
	weight uint16
	count  int16
}

// logLine is what the arena's log says of a match, in the first line, or a game.
type logLine struct {
	Rule   string         `json:"rule,omitempty"`
	Size   int            `json:"size,omitempty"`
	Plies  int            `json:"opening_plies,omitempty"`
	Moves  string         `json:"moves,omitempty"`
	Result string         `json:"result,omitempty"`
	Score  []gomoku.Score `json:"score,omitempty"`
}

// readGames returns the games of a log and its first line.
func readGames(name string) (games []logLine, head logLine, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, head, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 0; lines.Scan(); n++ {
		var l logLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, head, fmt.Errorf("%s:%d: %w", name, n+1, err)
		}
		if n == 0 {
			head = l
			continue
		}
		games = append(games, l)
	}
	if err := lines.Err(); err != nil || len(games) > 0 || head.Rule != "" {
		return games, head, err
	}
	return nil, head, fmt.Errorf("%s has no games", name)
}

// readLog returns the samples of a log, every tenth game apart.
func readLog(name string) (train, test []sample, err error) {
	games, head, err := readGames(name)
	if err != nil {
		return nil, nil, err
	}
	rule, err := gomoku.ParseRule(head.Rule)
	if err != nil {
		return nil, nil, fmt.Errorf("%s:1: %w", name, err)
	}
	for i, g := range games {
		samples, err := samplesOf(g, head.Size, rule)
		if err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", name, i+2, err)
		}
		if i%20 < 2 { // both games of a pair
			test = append(test, samples...)
		} else {
			train = append(train, samples...)
		}
	}
	return train, test, nil
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
			if quiet(b) {
				s := sample{features: featuresOf(b), rows: rowsOf(b), patterns: patternsOf(b)}
				switch l.Result {
				case b.Turn().String():
					s.result = 1
				case "draw":
					s.result = 0.5
				case "":
					s.judged = true
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

// quiet reports whether no threat decides the position at once.
func quiet(b *gomoku.Board) bool {
	for p := range b.Stones(gomoku.Empty).All() {
		if gomoku.ClassOf(gomoku.ShapesAt(b, p, b.Turn())) >= gomoku.OpenFourClass ||
			gomoku.ClassOf(gomoku.ShapesAt(b, p, b.Turn().Opponent())) == gomoku.FiveClass {
			return false
		}
	}
	return true
}

// featuresOf returns the terms of the position's evaluation, each weight once.
func featuresOf(b *gomoku.Board) []feature {
	var counts [gomoku.NumShapeWeights]int16
	terms := gomoku.ShapeTerms(nil, b)
	for _, t := range terms {
		counts[t.Weight] += int16(t.Count)
	}
	var features []feature
	for _, t := range terms {
		if n := counts[t.Weight]; n != 0 {
			features = append(features, feature{uint16(t.Weight), n})
			counts[t.Weight] = 0
		}
	}
	return features
}

// rowsOf returns the rows of the network that the position chooses.
func rowsOf(b *gomoku.Board) []uint16 {
	var rows []uint16
	for _, row := range gomoku.ShapeRows(nil, b) {
		rows = append(rows, uint16(row))
	}
	return rows
}

// patternsOf returns the rows of the patterns that the side to move sees, four of a
// point, and notes in otherView how the other side sees them.
func patternsOf(b *gomoku.Board) []uint16 {
	var patterns []uint16
	for views := range slices.Chunk(gomoku.ShapePatterns(nil, b), 8) {
		for d, row := range views[:4] {
			patterns = append(patterns, uint16(row))
			otherView[row] = uint16(views[4+d])
		}
	}
	return patterns
}

// otherView has for the row of a pattern that has come up the row of what the other side
// sees there.
var otherView [gomoku.NumShapeWeights]uint16
