package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The test program is its own foreign brain when it is called with "fakebrain".
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "fakebrain" {
		fakeBrain(os.Args[2])
		return
	}
	if len(os.Args) == 3 && os.Args[1] == "holdlog" {
		holdLog(os.Args[2])
	}
	os.Exit(m.Run())
}

// holdLog keeps a log locked until it is killed.
func holdLog(name string) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil || lockFile(f) {
		os.Exit(1)
	}
	fmt.Println("locked")
	time.Sleep(time.Minute)
	f.Close()
	os.Exit(0)
}

// fakeBrain plays the first empty point, row by row, until the manner in which it
// misbehaves comes to bear: at its third move of a game.
func fakeBrain(manner string) {
	if manner == "stillborn" {
		os.Exit(7)
	}
	size, moves := 0, 0
	var taken map[[2]int]bool
	move := func() {
		moves++
		if moves == 3 {
			switch manner {
			case "crash":
				fmt.Fprintln(os.Stderr, "segmentation fault, of a sort")
				os.Exit(3)
			case "hang":
				time.Sleep(time.Hour)
			case "late":
				time.Sleep(400 * time.Millisecond)
			case "occupied":
				for p := range taken {
					fmt.Printf("%d,%d\n", p[0], p[1])
					return
				}
			case "outside":
				fmt.Println("99,99")
				return
			}
		}
		fmt.Println("MESSAGE depth 4-7 ev 12 n 3456 tm 7")
		for y := range size {
			for x := range size {
				if p := [2]int{x, y}; !taken[p] {
					taken[p] = true
					fmt.Printf("%d,%d\n", x, y)
					return
				}
			}
		}
	}
	in := bufio.NewScanner(os.Stdin)
	for board := false; in.Scan(); {
		command, rest, _ := strings.Cut(strings.TrimSpace(in.Text()), " ")
		var x, y int
		switch {
		case board && command != "DONE":
			fmt.Sscanf(command, "%d,%d", &x, &y)
			taken[[2]int{x, y}] = true
		case board:
			board = false
			move()
		case command == "START":
			fmt.Sscan(rest, &size)
			taken, moves = make(map[[2]int]bool), 0
			fmt.Println("OK")
		case command == "RESTART":
			taken, moves = make(map[[2]int]bool), 0
			fmt.Println("OK")
		case command == "ABOUT":
			fmt.Println(`name="fake"`)
		case command == "BEGIN":
			move()
		case command == "TURN":
			fmt.Sscanf(rest, "%d,%d", &x, &y)
			taken[[2]int{x, y}] = true
			move()
		case command == "BOARD":
			board = true
		case command == "END":
			return
		}
	}
}

func fake(manner string) string {
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`cmd="%s" fakebrain %s,name=%s`, program, manner, manner)
}

func TestBrains(t *testing.T) {
	for manner, want := range map[string]struct{ tc, reason, detail string }{
		"good":     {"0/20", "", ""},
		"crash":    {"0/20", reasonCrash, "segmentation fault, of a sort"},
		"occupied": {"0/20", reasonIllegal, "point is occupied at move"},
		"outside":  {"0/20", reasonIllegal, "outside the board"},
		"late":     {"0/0.15", reasonTime, "used of 150ms at move"},
		"hang":     {"0/0.15", reasonTime, "did not answer in time"},
	} {
		t.Run(manner, func(t *testing.T) {
			t.Parallel()
			// Two games, so that the brain has to go on after what happened.
			m := newTestMatch(t, "-a", fake(manner)+",tc="+want.tc, "-b", "depth=1,table=64k,name=ours", "-games", "2", "-tolerance", "100ms", "-openings", "none")
			require.NoError(t, m.run(context.Background()))
			games := m.results()
			require.Len(t, games, 2)
			for _, g := range games {
				assert.Equal(t, manner, g.loser(), "%+v", g)
				if want.reason == "" {
					assert.Equal(t, reasonFive, g.Reason)
					side := 0
					if g.White == manner {
						side = 1
					}
					assert.Equal(t, int64(3456), g.Nodes[side])
					assert.Equal(t, 4, g.Depths[side])
					assert.Equal(t, int64(12), g.Scores[side])
					continue
				}
				assert.Equal(t, want.reason, g.Reason)
				assert.Contains(t, g.Detail, want.detail)
				assert.Contains(t, g.Detail, "of [15 freestyle turn=black moves=", "the position")
				assert.Contains(t, describeLoss(g), manner+" lost by "+want.reason)
			}
		})
	}
}

func TestBrainThatDoesNotStart(t *testing.T) {
	m := newTestMatch(t, "-a", fake("stillborn"), "-b", "depth=1,table=64k", "-games", "2")
	err := m.run(context.Background())
	assert.ErrorContains(t, err, "game 1, stillborn (black) against b: stillborn:")
	assert.Empty(t, m.results())
}

// A cancelled match does not wait for a brain that thinks.
func TestBrainIsCancelled(t *testing.T) {
	m := newTestMatch(t, "-a", fake("hang"), "-b", "depth=1,table=64k", "-games", "2")
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	start := time.Now()
	require.NoError(t, m.run(ctx))
	assert.Less(t, time.Since(start), 10*time.Second)
	assert.Empty(t, m.results())
}
