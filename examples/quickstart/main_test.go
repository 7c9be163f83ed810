package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

// quickstart runs the program.
func quickstart(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(ctx, args, &out, &err)
	return code, out.String(), err.String()
}

func TestRun(t *testing.T) {
	for _, tc := range []struct {
		name     string
		args     []string
		contains []string
	}{
		{"sample", []string{"-depth", "3"}, []string{"sample game", "10 stones", "black (x) to move", "\n    3  ", "black plays", "expected line"}},
		{"empty board", []string{"-depth", "2", ""}, []string{"15x15 freestyle, 0 stones", "black plays h8"}},
		{"other size", []string{"-size", "7", "-rule", "caro", "-depth", "1"}, []string{"7x7 caro, 0 stones", "black plays d4"}},
		{"moves in parts", []string{"-depth", "1", "h8", "i9,g9"}, []string{"3 stones", "white (o) to move"}},
		{"win", []string{"h8a1h9a2h10a3h11a4"}, []string{"score win in 1 (proven)", "the game is over: black has won with h"}},
		{"block", []string{"-depth", "2", "h8g8i8a1j8a2k8"}, []string{"white plays l8"}},
		{"renju", []string{"-rule", "Renju", "-depth", "2", "h8i9"}, []string{"15x15 renju"}},
		{"level", []string{"-level", "easy", "h8i9"}, []string{"black plays"}},
		{"level with own depth", []string{"-level", "easy", "-depth", "3", "h8i9"}, []string{"\n    3  "}},
		{"all candidates", []string{"-depth", "2", "-show", "0", "-cap", "12"}, []string{"<="}},
		{"few candidates", []string{"-depth", "2", "-show", "3", "-cap", "12"}, []string{"9 more"}},
		{"multipv", []string{"-depth", "2", "-multipv", "2", "-strategy", "alphabeta", "-radius", "1", "-seed", "3"}, []string{"black plays"}},
		{"book", []string{"-time", "300ms", ""}, []string{"(from the opening book)"}},
		{"book move without a search behind it", []string{"-size", "9"}, []string{"(from the opening book)"}},
		{"time", []string{"-time", "20ms"}, []string{"(time used)"}},
		{"help", []string{"-help"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, out, stderr := quickstart(t.Context(), tc.args...)
			require.Zero(t, code, stderr)
			for _, want := range tc.contains {
				assert.Contains(t, out, want)
			}
		})
	}
}

// Each depth has one line.
func TestDepthsOnce(t *testing.T) {
	for _, args := range [][]string{{"-size", "9"}, {"-time", "100ms", ""}, {"-depth", "3"}, {"h8a1h9a2h10a3h11a4"}} {
		_, out, _ := quickstart(t.Context(), args...)
		_, table, _ := strings.Cut(out, "  line\n")
		table, _, _ = strings.Cut(table, "\n\n")
		seen := map[string]bool{}
		for row := range strings.Lines(table) {
			depth := strings.Fields(row)[0]
			assert.False(t, seen[depth], "depth %s twice:\n%s", depth, table)
			seen[depth] = true
		}
		assert.NotEmpty(t, seen)
	}
}

// Every reason to stop has its words.
func TestReasons(t *testing.T) {
	for r := gomoku.StopDepth; r <= gomoku.StopBook; r++ {
		if r != gomoku.StopFailed { // that is an error
			assert.NotEmpty(t, reasons[r], r)
		}
	}
}

func TestRunFails(t *testing.T) {
	for _, tc := range []struct {
		name     string
		args     []string
		code     int
		contains string
	}{
		{"unknown flag", []string{"-deep", "3"}, 2, "usage:"},
		{"unknown rule", []string{"-rule", "chess"}, 2, "not one of freestyle, standard, renju, caro"},
		{"unknown level", []string{"-level", "boss"}, 2, "not one of easy, normal, hard, expert"},
		{"size", []string{"-size", "4"}, 2, "size is not 5 to 22"},
		{"depth", []string{"-depth", "101"}, 2, "depth"},
		{"time", []string{"-time", "-1s"}, 2, "time"},
		{"no point", []string{"h8zz"}, 2, `"h8zz" at offset 2`},
		{"outside", []string{"h8i20"}, 2, "outside"},
		{"occupied", []string{"h8h8"}, 2, "make h8: point is occupied"},
		{"foul", []string{"-rule", "renju", "h8g6f6g5f7g4h7g3g7"}, 2, "double-three"},
		{"over", []string{"h8a1h9a2h10a3h11a4h12"}, 1, "black has won with h8 h9 h10 h11 h12"},
		{"moves after the end", []string{"h8a1h9a2h10a3h11a4h12a5"}, 2, "the game is over"},
		{"full board", []string{"-size", "5", fullBoard}, 1, "a draw"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, _, stderr := quickstart(t.Context(), tc.args...)
			assert.Equal(t, tc.code, code)
			assert.Contains(t, stderr, tc.contains)
		})
	}
}

// fullBoard is a draw on 5x5: no row, column or long diagonal is of one colour.
var fullBoard = func() string {
	var black, white []string
	for i, row := range strings.Fields("xxoxo oxoxo oxxox xoxox xoxox") {
		for x, c := range row {
			p := gomoku.Pt(x, i).String()
			if c == 'x' {
				black = append(black, p)
			} else {
				white = append(white, p)
			}
		}
	}
	var s strings.Builder
	for i := range black {
		s.WriteString(black[i])
		if i < len(white) {
			s.WriteString(white[i])
		}
	}
	return s.String()
}()

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, out, stderr := quickstart(ctx)
	assert.Zero(t, code, stderr)
	assert.Contains(t, out, "(interrupted)")
}

func TestJSON(t *testing.T) {
	code, out, stderr := quickstart(t.Context(), "-json", "-depth", "2", "h8i9")
	require.Zero(t, code, stderr)
	var got struct {
		Board  *gomoku.Board
		Result gomoku.Result
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	assert.Equal(t, 2, got.Board.Len())
	assert.Equal(t, 2, got.Result.Depth)
	assert.NoError(t, got.Board.Make(got.Result.Best))
}
