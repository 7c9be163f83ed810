package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/gomoku-go/gomoku"
)

// The openings that are played when no file is given; README.md names their
// sources.
//
//go:embed openings/*.txt
var embedded embed.FS

// An openingSet is a list of openings that are legal on a board, in order.
type openingSet struct {
	name  string
	moves [][]gomoku.Point

	skipped  int  // of the embedded ones: they do not fit the board
	replaced bool // too few of the rule's own do
}

// digest identifies the openings in a log.
func (s *openingSet) digest() string {
	h := sha256.New()
	for _, o := range s.moves {
		fmt.Fprintln(h, gomoku.FormatMoves(o))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// loadOpenings reads the openings of a file. Without a name it takes those that
// come with the program for the rule; "none" is the empty board.
func loadOpenings(name string, size int, rule gomoku.Rule) (*openingSet, error) {
	if name == "none" {
		return &openingSet{name: "the empty board", moves: [][]gomoku.Point{nil}}, nil
	}
	if name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		set, err := parseOpenings(text, size, rule, false)
		if err != nil {
			return nil, fmt.Errorf("%s:%w", name, err)
		}
		if len(set.moves) == 0 {
			return nil, fmt.Errorf("%s: no openings", name)
		}
		set.name = name
		return set, nil
	}
	file := map[gomoku.Rule]string{gomoku.Freestyle: "freestyle", gomoku.Renju: "renju"}[rule]
	if file == "" {
		file = "standard"
	}
	own := file
	for _, file := range []string{own, "renju"} { // those of renju are near the centre
		text, err := embedded.ReadFile("openings/" + file + ".txt")
		if err != nil {
			return nil, err
		}
		set, err := parseOpenings(text, size, rule, true)
		if err != nil {
			return nil, fmt.Errorf("embedded openings: %s:%w", file, err)
		}
		if len(set.moves) >= 8 {
			set.name, set.replaced = "embedded "+file, file != own
			return set, nil
		}
	}
	return nil, fmt.Errorf("no embedded openings fit a board of %d; give a file, or none", size)
}

// parseOpenings reads an opening a line. Empty lines and lines that start with
// "#" are skipped. An opening that can't be played is an error, or with skip is
// left out.
func parseOpenings(text []byte, size int, rule gomoku.Rule, skip bool) (*openingSet, error) {
	set := &openingSet{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		moves, err := parseOpening(line, size)
		unfit := errors.Is(err, gomoku.ErrOutside)
		if err == nil {
			err = checkOpening(moves, size, rule)
			unfit = err != nil
		}
		if unfit && skip {
			set.skipped++
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%d: %w", number, err)
		}
		set.moves = append(set.moves, moves)
	}
	return set, lines.Err()
}

// parseOpening reads a move string such as "h8i9j8", rows counted from the
// bottom, or Gomocup offsets such as "0,0, 1,-1": columns to the right of and
// rows below the point (n/2, n/2).
func parseOpening(line string, size int) ([]gomoku.Point, error) {
	if c := line[0] | 0x20; 'a' <= c && c <= 'z' {
		return gomoku.ParseMoves(line)
	}
	fields := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	if len(fields)%2 != 0 {
		return nil, fmt.Errorf("odd number of offsets")
	}
	moves := make([]gomoku.Point, len(fields)/2)
	for i := range moves {
		var d [2]int
		for k := range d {
			n, err := strconv.Atoi(fields[2*i+k])
			if err != nil {
				return nil, fmt.Errorf("offset %q is not a number", fields[2*i+k])
			}
			d[k] = n
		}
		x, y := size/2+d[0], size-1-(size/2+d[1])
		if x < 0 || x >= size || y < 0 || y >= size {
			return nil, fmt.Errorf("move %d, %d,%d: %w of %d", i+1, d[0], d[1], gomoku.ErrOutside, size)
		}
		moves[i] = gomoku.Pt(x, y)
	}
	return moves, nil
}

// checkOpening plays the opening.
func checkOpening(moves []gomoku.Point, size int, rule gomoku.Rule) error {
	b, err := gomoku.NewBoard(size, rule)
	if err != nil {
		return err
	}
	for i, p := range moves {
		if err := b.Make(p); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	if b.Over() {
		return fmt.Errorf("the game is over after the opening")
	}
	return nil
}
