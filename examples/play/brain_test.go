package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// brainModeVariable tells the test program to be a brain of some kind.
const brainModeVariable = "PLAY_TEST_BRAIN"

// fakeBrain speaks as much of the protocol as a game needs. It plays the first
// free point, row by row from the top, or misbehaves as the mode says.
func fakeBrain(mode string, r io.Reader, w io.Writer) {
	var size int
	taken := map[[2]int]bool{}
	take := func(x, y int) { taken[[2]int{x, y}] = true }
	answer := func() {
		switch mode {
		case "crash":
			os.Exit(3)
		case "silent":
			return
		case "illegal":
			for point := range taken {
				fmt.Fprintf(w, "%d,%d\n", point[0], point[1])
				return
			}
		}
		fmt.Fprintln(w, "MESSAGE depth 2-3 ev 12 n 34 tm 5 pv 0,0")
		for i := range size * size {
			if x, y := i%size, i/size; !taken[[2]int{x, y}] {
				take(x, y)
				fmt.Fprintf(w, "%d,%d\n", x, y)
				return
			}
		}
	}
	lines := bufio.NewScanner(r)
	onBoard := false
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		word, rest, _ := strings.Cut(line, " ")
		var x, y int
		switch {
		case onBoard && line == "DONE":
			onBoard = false
			answer()
		case onBoard:
			fmt.Sscanf(line, "%d,%d", &x, &y)
			take(x, y)
		case word == "START":
			fmt.Sscan(rest, &size)
			clear(taken)
			fmt.Fprintln(w, "OK")
		case word == "RESTART":
			clear(taken)
			fmt.Fprintln(w, "OK")
		case word == "BEGIN":
			answer()
		case word == "TURN":
			fmt.Sscanf(rest, "%d,%d", &x, &y)
			take(x, y)
			answer()
		case word == "BOARD":
			onBoard = true
		case word == "ABOUT":
			fmt.Fprintln(w, `name="fake"`)
		case word == "END":
			return
		}
	}
}

// brainFlags returns flags that make the test program the brain.
func brainFlags(t *testing.T, mode string, flags ...string) []string {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	t.Setenv(brainModeVariable, mode)
	return append([]string{"-brain", `"` + exe + `"`}, flags...)
}

func TestEngineBeatsBrain(t *testing.T) {
	out := script(t, brainFlags(t, "good", "-thinking", "-black", "hard", "-white", "brain"))
	assert.Contains(t, out, "White (o) is play.test")
	assert.Contains(t, out, "White thinks.\ndepth 2-3, 34 nodes, 0.0 s: +12")
	assert.Contains(t, out, "White plays a15.")
	assert.Contains(t, out, "Black wins with")
}

func TestPersonAgainstBrain(t *testing.T) {
	out := script(t, brainFlags(t, "good", "-white", "me", "-black", "brain"), "h8", "undo", "i9", "moves", "new 7", "c3", "moves")
	assert.Contains(t, out, "a15i9b15\n", "after the undo the brain was told the new position")
	assert.Contains(t, out, "a7c3b7\n")
}

func TestBrainThatFails(t *testing.T) {
	tests := []struct {
		mode, says, result string
	}{
		{"crash", "! White could not move: play.test: move: the brain ended by itself (exit status 3)", "Black wins: White has lost by crash."},
		{"illegal", "! White could not move: play.test: move: the brain made an illegal move", "Black wins: White has lost by illegal move."},
		{"silent", "! White could not move: play.test: move: the brain did not answer in time", "Black wins: White has lost by time."},
	}
	for _, test := range tests {
		t.Run(test.mode, func(t *testing.T) {
			out := script(t, brainFlags(t, test.mode, "-time", "50ms", "-black", "hard", "-white", "brain"), "save "+t.TempDir()+"/lost.sgf", "undo", "g7", "moves")
			assert.Contains(t, out, test.says)
			assert.Contains(t, out, test.result)
			assert.Contains(t, out, "paused, White to move (o)> g7", "the game can go on by hand")
			assert.Contains(t, out, "h8g7\n")
		})
	}
}

func TestBrainIsStartedAgain(t *testing.T) {
	out := script(t, brainFlags(t, "crash", "-black", "me", "-white", "brain"), "h8", "undo", "go")
	assert.Equal(t, 2, strings.Count(out, "the brain ended by itself"))
}

func TestFoulOfABrainLoses(t *testing.T) {
	// The brain is Black and has a6, b6, d6, e6 and f6 of a board of six rows:
	// its first free point, c6, makes six.
	out := script(t, brainFlags(t, "good", "-black", "me", "-white", "me", "-size", "6", "-rule", "renju"),
		"a6", "a1", "b6", "c1", "d6", "e1", "e6", "a2", "f6", "c2", "black brain")
	assert.Contains(t, out, "Black plays c6, which is forbidden: it makes an overline, six or more in a row, with a6, b6, d6, e6 and f6.")
	assert.Contains(t, out, "White wins: c6 was a foul.")
}

func TestInterruptedBrain(t *testing.T) {
	v := converse(t, nil, brainFlags(t, "silent", "-black", "me", "-white", "brain")...)
	v.expect("Black to move")
	v.send("h8")
	v.expect("White is thinking")
	start := time.Now()
	v.stop <- os.Interrupt
	v.expect("White has no move yet; go lets it think again")
	assert.Less(t, time.Since(start), 10*time.Second)
	v.expect("paused, White to move")
	v.send("white me")
	v.expect("White to move")
	v.stop <- os.Interrupt
	v.stop <- os.Interrupt
	v.ends()
}

func TestBrainThatDoesNotStart(t *testing.T) {
	c := testConfig(t, "-brain", "./no-such-brain --quiet")
	assert.ErrorContains(t, play(t.Context(), c), "no-such-brain: start")
	c = testConfig(t, "-brain", `"unfinished`)
	assert.EqualError(t, play(t.Context(), c), `the brain's command "\"unfinished" lacks a closing "`)
}

func TestSplitCommand(t *testing.T) {
	for line, want := range map[string][]string{
		"":                     nil,
		"  a  b\tc ":           {"a", "b", "c"},
		`"a b" 'c "d"' e"f g"`: {"a b", `c "d"`, "ef g"},
		`a "" b`:               {"a", "", "b"},
		`c:\brains\pela.exe`:   {`c:\brains\pela.exe`},
	} {
		got, err := splitCommand(line)
		require.NoError(t, err)
		assert.Equal(t, want, got, line)
	}
}
