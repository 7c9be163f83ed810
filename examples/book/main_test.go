package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

func testOptions(t *testing.T) options {
	return options{
		rules: []gomoku.Rule{gomoku.Freestyle, gomoku.Renju}, size: 9, nodes: 500, plies: 3, wide: 2, margin: 60, moves: 4,
		out: filepath.Join(t.TempDir(), "book.txt"),
	}
}

// make1 runs the program and returns the file and what was reported.
func make1(t *testing.T, o options) (text string, lines []string) {
	t.Helper()
	require.NoError(t, run(context.Background(), o, func(line string) { lines = append(lines, line) }))
	out, err := os.ReadFile(o.out)
	require.NoError(t, err)
	return string(out), lines
}

// TestBook makes a book, which the package reads, and makes it again: the same.
func TestBook(t *testing.T) {
	o := testOptions(t)
	text, lines := make1(t, o)
	k, err := gomoku.ParseBook(text)
	require.NoError(t, err)
	assert.Len(t, lines, k.Len())
	for _, rule := range o.rules {
		for _, moves := range []string{"", "e5", "e5f6", "e5e6"} {
			b, err := gomoku.ParseBoard(9, rule, moves)
			require.NoError(t, err)
			known, depth := k.Moves(b)
			require.NotEmpty(t, known, "%v %s", rule, moves)
			assert.Positive(t, depth)
			for _, m := range known {
				assert.GreaterOrEqual(t, m.Score, known[0].Score-60)
			}
		}
	}
	assert.Contains(t, text, "#\tgo run ./examples/book -rule renju -size 9 -nodes 500 -plies 3 -wide 2 -margin 60 -moves 4 -o book.txt\n")

	again := testOptions(t)
	other, _ := make1(t, again)
	assert.Equal(t, text, other)

	kept, lines := make1(t, o)
	assert.Equal(t, text, kept)
	for _, line := range lines {
		assert.Contains(t, line, "(kept)")
	}
	o.fresh = true
	fresh, lines := make1(t, o)
	assert.Equal(t, text, fresh)
	assert.NotContains(t, strings.Join(lines, "\n"), "kept")

	// another rule beside them, and more plies
	o.rules, o.plies, o.fresh = []gomoku.Rule{gomoku.Caro}, 2, false
	more, _ := make1(t, o)
	for line := range strings.Lines(text) {
		assert.Contains(t, more, line)
	}
	assert.Contains(t, more, "\ncaro 9 e5 ")
	dir, err := os.ReadDir(filepath.Dir(o.out))
	require.NoError(t, err)
	assert.Len(t, dir, 1, "no temporary files")
}

// TestInterrupted stops a run and goes on: the result is that of a run in one go.
func TestInterrupted(t *testing.T) {
	whole, _ := make1(t, testOptions(t))
	o := testOptions(t)
	for stopAt := 1; ; stopAt++ {
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		err := run(ctx, o, func(line string) {
			if n++; n == stopAt {
				cancel()
			}
		})
		cancel()
		if err == nil {
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		text, err := os.ReadFile(o.out)
		require.NoError(t, err)
		k, err := gomoku.ParseBook(string(text))
		require.NoError(t, err)
		require.Equal(t, stopAt, k.Len())
		require.Less(t, stopAt, 1000)
	}
	text, err := os.ReadFile(o.out)
	require.NoError(t, err)
	assert.Equal(t, whole, string(text))
}

// TestFaults: what is wrong is said before anything is computed.
func TestFaults(t *testing.T) {
	report := func(string) { t.Error("computed something") }
	for name, spoil := range map[string]func(o *options){
		"size":   func(o *options) { o.size = 4 },
		"nodes":  func(o *options) { o.nodes = -1 },
		"moves":  func(o *options) { o.moves = 0 },
		"folder": func(o *options) { o.out = filepath.Join(o.out, "no", "book.txt") },
	} {
		o := testOptions(t)
		spoil(&o)
		require.Error(t, run(context.Background(), o, report), name)
	}
	o := testOptions(t)
	require.NoError(t, os.WriteFile(o.out, []byte("freestyle 15 h8 depth=1\n"), 0o644))
	require.ErrorContains(t, run(context.Background(), o, report), "line 1")
	var p options
	require.NoError(t, p.parseRules("freestyle,RENJU"))
	assert.Equal(t, []gomoku.Rule{gomoku.Freestyle, gomoku.Renju}, p.rules)
	require.Error(t, p.parseRules("freestyle,"))
}

// TestImages counts the points that stand for all: an eighth of the empty board and its edges, for one.
func TestImages(t *testing.T) {
	for moves, stand := range map[string]int{"": 15, "e5": 14, "e5e6": 43, "e5f6": 43, "e5g6": 79, "a1": 44} {
		b, err := gomoku.ParseBoard(9, gomoku.Freestyle, moves)
		require.NoError(t, err)
		assert.Equal(t, stand, 81-b.Len()-len(images(b)), moves)
	}
}
