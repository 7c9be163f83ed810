package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

func TestColorMode(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer file.Close()
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	assert.False(t, isTerminal(file))
	assert.False(t, isTerminal(null))

	env := func(pairs ...string) func(string) string {
		return func(key string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == key {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	assert.False(t, colorAuto.on(file, env("TERM", "xterm")), "no terminal")
	assert.True(t, colorAlways.on(file, env()))
	assert.False(t, colorNever.on(file, env("TERM", "xterm")))

	// A character device stands in for a terminal.
	tty, err := os.Open("/dev/zero")
	if err != nil {
		t.Skip("no character device at hand")
	}
	defer tty.Close()
	assert.True(t, colorAuto.on(tty, env("TERM", "xterm")))
	assert.False(t, colorAuto.on(tty, env("TERM", "xterm", "NO_COLOR", "1")))
	assert.False(t, colorAuto.on(tty, env("TERM", "dumb")))
	assert.False(t, colorAuto.on(tty, env()))
}

func TestColoursAddNothingElse(t *testing.T) {
	b, err := gomoku.ParseBoard(9, gomoku.Freestyle, "e5d5e6d6")
	require.NoError(t, err)
	var m marks
	m.strong.Add(gomoku.Pt(4, 4))
	m.fouls.Add(gomoku.Pt(0, 0))
	plain := (&screen{}).drawBoard(b, m)
	coloured := (&screen{ansi: true}).drawBoard(b, m)
	assert.NotContains(t, plain, "\x1b")
	assert.Contains(t, coloured, "\x1b[1;31mX\x1b[0m")
	for _, st := range []style{styleBlack, styleWhite, styleFaint, styleStrong, styleBad, styleBold} {
		coloured = strings.ReplaceAll(coloured, "\x1b["+string(st)+"m", "")
	}
	assert.Equal(t, plain, strings.ReplaceAll(coloured, "\x1b[0m", ""))
}

func TestLastMoveAtTheEdges(t *testing.T) {
	for _, move := range []string{"a1", "e1", "a5", "e5", "c3"} {
		b, err := gomoku.ParseBoard(5, gomoku.Freestyle, move)
		require.NoError(t, err)
		drawing := (&screen{}).drawBoard(b, marks{})
		assert.Contains(t, drawing, "(x)", move)
		back, err := gomoku.ParseDrawing(gomoku.Freestyle, strings.NewReplacer("(", " ", ")", " ").Replace(drawing))
		require.NoError(t, err)
		assert.Equal(t, b.Stones(gomoku.Black), back.Stones(gomoku.Black))
	}
}

func TestUpdateReplacesTheLastBlock(t *testing.T) {
	var out bytes.Buffer
	s := screen{w: &out, ansi: true}
	s.update("one\ntwo\n")
	s.update("three\n")
	s.printf("after\n")
	s.update("four\n")
	assert.Equal(t, "one\ntwo\n\x1b[2A\x1b[Jthree\nafter\nfour\n", out.String())

	out.Reset()
	s = screen{w: &out}
	s.update("one\n")
	s.update("two\n")
	assert.Equal(t, "one\ntwo\n", out.String())
}

func TestCleanStopsControlCharacters(t *testing.T) {
	assert.Equal(t, "a?[2Jb?c\n", clean("a\x1b[2Jb\rc\n"))
	assert.Equal(t, "王?", clean("王\xff")[:3]+"?")
}
