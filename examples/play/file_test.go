package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

func TestSaveAndLoad(t *testing.T) {
	for _, ext := range []string{".sgf", ".psq", ".pgn", ".moves", ".pos", ".offsets", ".jsonl", ".json"} {
		t.Run(ext, func(t *testing.T) {
			dir := t.TempDir()
			one, two := filepath.Join(dir, "one"+ext), filepath.Join(dir, "two"+ext)
			out := script(t, twoPeople, "h8", "g7", "i9", "o15", "a1",
				"save "+one, "new", "load "+one, "moves", "save "+two, "save "+two)
			assert.Contains(t, out, "Saved 5 moves to "+one)
			assert.Contains(t, out, "Loaded "+one+": 5 moves")
			assert.Contains(t, out, "\nh8g7i9o15a1\n")
			assert.Equal(t, 2, strings.Count(out, "Saved 5 moves to "+two), "a file of one's own can be written again")
			first, err := os.ReadFile(one)
			require.NoError(t, err)
			second, err := os.ReadFile(two)
			require.NoError(t, err)
			if ext != ".pgn" && ext != ".psq" {
				assert.Equal(t, string(first), string(second))
			}
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Len(t, entries, 2, "nothing is left behind")
		})
	}
}

func TestSaveSaysWhatIsLost(t *testing.T) {
	out := script(t, twoPeople, "h8", "save "+filepath.Join(t.TempDir(), "x.moves"))
	assert.Regexp(t, `Not kept, because moves has no place for it: .*black player.*time`, out)
}

func TestSaveKeepsResultTimesAndNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sgf")
	script(t, []string{"-white", "easy", "-rule", "renju"}, "h8", "resign", "save "+path)
	recs, err := gomoku.LoadRecords(path, gomoku.ReadOptions{})
	require.NoError(t, err)
	require.Len(t, recs, 1)
	r := recs[0]
	assert.Equal(t, gomoku.WhiteWins, r.Outcome)
	assert.Equal(t, "resign", r.Reason)
	assert.Equal(t, "person", r.Black.Name)
	assert.Equal(t, "gomoku easy", r.White.Name)
	assert.Equal(t, "2024-05-31", r.Date)
	assert.Equal(t, gomoku.Renju, r.Rule)
	for n := range r.Line() {
		assert.NotZero(t, n.Time)
	}
	// Loaded again, the game is over, and undo brings it back.
	out := script(t, []string{"-white", "easy"}, "load "+path, "undo", "moves")
	assert.Contains(t, out, "White wins: Black resigns.")
	assert.Contains(t, out, "The game is not over yet.")
	assert.Contains(t, out, "The game is renju, 15x15")
}

func TestSaveDoesNotOverwrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sgf")
	require.NoError(t, os.WriteFile(path, []byte("precious"), 0o600))
	out := script(t, twoPeople, "h8", "save "+path)
	assert.Contains(t, out, `! "`+path+`" exists already; save! `+path+` replaces it`)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "precious", string(text))
	out = script(t, twoPeople, "h8", "save! "+path)
	assert.Contains(t, out, "Saved 1 move to")
}

func TestSaveFailsWithoutDamage(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.sgf")
	require.NoError(t, os.Mkdir(path, 0o755))
	out := script(t, twoPeople, "h8", "save! "+path, "moves")
	assert.Contains(t, out, `! can't save "`+path+`": `)
	assert.NotContains(t, out, "Saved")
	assert.Contains(t, out, "1. h8\n")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

func TestSaveOfNothing(t *testing.T) {
	dir := t.TempDir()
	for _, ext := range []string{".moves", ".offsets"} {
		out := script(t, twoPeople, "save "+filepath.Join(dir, "x"+ext))
		assert.Contains(t, out, "! a game without a move can't be saved as")
	}
	out := script(t, twoPeople, "save "+filepath.Join(dir, "x.sgf"), "load "+filepath.Join(dir, "x.sgf"))
	assert.Contains(t, out, "Loaded "+filepath.Join(dir, "x.sgf")+": 0 moves")
}

func TestLoadProblems(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	tests := []struct{ name, arg, want string }{
		{"empty", write("empty.sgf", ""), `holds no game`},
		{"garbage", write("garbage.txt", "once upon a time\n"), "! unknown game 1, line 1, column 1: unknown record format"},
		{"occupied", write("occupied.moves", "h8h8\n"), "line 1, column 3"},
		{"number", write("two.moves", "h8\ng7\n") + " #3", "holds 2 games, not 3"},
		{"many faults", write("bad.moves", strings.Repeat("h8h8\n", 9)), "moves game 3, line 3, column 3: move \"h8\": point is occupied\nand 6 more\n"},
		{"many faults, one asked for", filepath.Join(dir, "bad.moves") + " #5", "! moves game 5, line 5, column 3: move \"h8\": point is occupied\n"},
		{"no file", filepath.Join(dir, "none.sgf") + " #2", "no such file"},
		{"folder", dir, "is a directory"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out := script(t, twoPeople, "g7", "load "+test.arg, "moves")
			assert.Contains(t, out, test.want)
			assert.Contains(t, out, "\n1. g7\ng7\n", "the game is still there")
			assert.NotContains(t, out, "Loaded")
		})
	}
	t.Run("some are bad", func(t *testing.T) {
		path := write("mixed.moves", "h8\nh8h8\ng7i9\n")
		out := script(t, twoPeople, "load "+path+" #3", "moves", "save "+path)
		assert.Contains(t, out, "game 3 of 3, 2 moves")
		assert.Contains(t, out, "Not everything in the file could be read:\nmoves game 2, line 2, column 3")
		assert.Contains(t, out, "g7i9\n")
		assert.Contains(t, out, "exists already", "a file with other games is not replaced unasked")
		out = script(t, twoPeople, "load "+path+" #2", "load "+path+" #4")
		assert.Contains(t, out, "! moves game 2, line 2, column 3: move \"h8\": point is occupied\n")
		assert.Contains(t, out, "holds 3 games, not 4")
		path = write("mixed2.moves", "h8h8\nh8\n")
		assert.Contains(t, script(t, twoPeople, "load "+path), "game 2 of 2, 1 move.", "the first that can be read")
	})
}

// A game with moves after its end is loaded up to there.
func TestLoadLeavesOutWhatFollowsTheEnd(t *testing.T) {
	dir := t.TempDir()
	overline, foul, out := filepath.Join(dir, "overline.sgf"), filepath.Join(dir, "foul.sgf"), filepath.Join(dir, "out.sgf")
	// Black makes six with d1, plays on and makes five.
	moves := "a1a15b1c15c1e15e1g15f1i15d1k15m8-"
	var sgf strings.Builder
	sgf.WriteString("(;FF[4]GM[4]SZ[15]")
	recs, err := readMoves(moves)
	require.NoError(t, err)
	for p, c := range recs.Moves() {
		at := ""
		if p != gomoku.NoPoint {
			at = string([]byte{byte('a' + p.X()), byte('a' + 14 - p.Y())})
		}
		sgf.WriteString(";" + map[gomoku.Color]string{gomoku.Black: "B", gomoku.White: "W"}[c] + "[" + at + "]")
	}
	sgf.WriteString(")")
	require.NoError(t, os.WriteFile(overline, []byte(sgf.String()), 0o600))
	named := strings.Replace(sgf.String(), "SZ[15]", "SZ[15]RU[renju]", 1)
	require.NoError(t, os.WriteFile(foul, []byte(named), 0o600))

	text := script(t, twoPeople, "load "+overline, "moves", "save", "save "+overline, "save "+out)
	assert.Contains(t, text, "Loaded "+overline+": 11 moves. ")
	assert.Contains(t, text, overline+" goes on after the game has ended under freestyle, which is assumed: 2 moves left out.\n")
	assert.Contains(t, text, "Black wins with a1, b1, c1, d1, e1 and f1.")
	assert.Contains(t, text, "i15d1\n")
	assert.Contains(t, text, "exists already", "the file has more than this game")
	saved, err := gomoku.LoadRecords(out, gomoku.ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, gomoku.BlackWins, saved[0].Outcome)

	text = script(t, twoPeople, "load "+foul)
	assert.Contains(t, text, foul+" goes on after the game has ended under renju, which the file names: 2 moves left out.\n")
	assert.Contains(t, text, "White wins: d1 was a foul.")

	text = script(t, append([]string{"-rule", "standard"}, twoPeople...), "load "+overline)
	assert.Contains(t, text, "13 moves and a pass")
	assert.NotContains(t, text, "left out")
}

// readMoves reads a game of MoveLines.
func readMoves(text string) (*gomoku.Record, error) {
	for rec, err := range gomoku.ReadRecords(strings.NewReader(text+"\n"), gomoku.ReadOptions{Format: gomoku.MoveLines}) {
		return rec, err
	}
	return nil, nil
}

func TestPassesAreShown(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.moves"), filepath.Join(dir, "out.moves")
	for line, want := range map[string]struct{ loaded, list string }{
		"h8-i7":    {"2 moves and a pass.", "1. h8 - 2. i7"},
		"-h8":      {"1 move and a pass.", "1. - h8"},
		"h8g7-":    {"2 moves and a pass.", "1. h8 g7 2. -"},
		"h8--i7j7": {"3 moves and 2 passes.", "1. h8 - 2. - i7 3. j7"},
	} {
		require.NoError(t, os.WriteFile(in, []byte(line+"\n"), 0o600))
		text := script(t, twoPeople, "load "+in, "moves", "undo", "redo", "save! "+out)
		assert.Contains(t, text, ": "+want.loaded)
		assert.Contains(t, text, want.list+"\n"+line+"\n")
		saved, err := os.ReadFile(out)
		require.NoError(t, err)
		assert.Equal(t, line+"\n", string(saved))
	}
	// Taken back and played again, the pass is still there.
	require.NoError(t, os.WriteFile(in, []byte("h8-i7\n"), 0o600))
	text := script(t, twoPeople, "load "+in, "undo", "undo", "redo", "g7", "moves")
	assert.Contains(t, text, "h8-g7\n")
}

func TestSaveWhereThePositionHasNoPlace(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.sgf")
	require.NoError(t, os.WriteFile(in, []byte("(;FF[4]GM[4]SZ[15]PB[Anna]AB[aa]AW[bb];B[hh];W[gg])"), 0o600))
	for _, ext := range []string{"moves", "offsets", "pgn"} {
		text := script(t, twoPeople, "load "+in, "save "+filepath.Join(dir, "out."+ext))
		assert.Contains(t, text, "! this game can't be saved as ")
		assert.Regexp(t, "which has no place for its (moves, )?set-up stones\n", text)
		assert.NotContains(t, text, "can't hold")
	}
}

func TestSaveNamesTheRuleOfAGameThatWentOn(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.sgf"), filepath.Join(dir, "out.sgf")
	require.NoError(t, os.WriteFile(in, []byte("(;FF[4]GM[4]SZ[15];B[hh];W[gg])"), 0o600))
	flags := append([]string{"-rule", "caro"}, twoPeople...)
	script(t, flags, "load "+in, "save "+out)
	recs, err := gomoku.LoadRecords(out, gomoku.ReadOptions{})
	require.NoError(t, err)
	assert.True(t, recs[0].RuleUnknown)
	script(t, flags, "load "+in, "i9", "save! "+out)
	recs, err = gomoku.LoadRecords(out, gomoku.ReadOptions{})
	require.NoError(t, err)
	assert.False(t, recs[0].RuleUnknown)
	assert.Equal(t, gomoku.Caro, recs[0].Rule)
}

func TestLoadPausesTheEngine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.moves")
	require.NoError(t, os.WriteFile(path, []byte("h8g7i9\n"), 0o600))
	out := script(t, []string{"-white", "easy", "-rule", "standard"}, "load "+path, "go", "moves", "back", "moves")
	assert.Contains(t, out, "The file names no rule; standard is assumed.")
	assert.Contains(t, out, "White is on the move; go lets the game go on.")
	assert.Contains(t, out, "paused, White to move (o)> go\nWhite plays")
	assert.Contains(t, out, "No move has been made.")
}

func TestLoadByFlag(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.moves")
	require.NoError(t, os.WriteFile(path, []byte("h8g7i9\n"), 0o600))
	out := script(t, []string{"-load", path, "-black", "easy", "-white", "normal"})
	assert.Contains(t, out, "Loaded "+path+": 3 moves")
	assert.Regexp(t, "wins with|A draw", out)
	c := testConfig(t, "-load", "no-such-file.sgf")
	c.out = &strings.Builder{}
	assert.EqualError(t, play(t.Context(), c), `can't load "no-such-file.sgf": no such file or directory`)
}

// TestSaveKeepsWhatWasLoaded plays on from a record with comments, variations
// and set-up stones, and loses none of it.
func TestSaveKeepsWhatWasLoaded(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.sgf"), filepath.Join(dir, "out.sgf")
	source := "(;FF[4]GM[4]SZ[15]PB[Anna]PW[Bert]EV[Club]AB[aa]PL[W];W[hh]C[good];B[gg](;W[ii]C[main];B[jj])(;W[ff]C[side]))"
	require.NoError(t, os.WriteFile(in, []byte(source), 0o600))
	text := script(t, twoPeople, "load "+in, "undo", "undo", "k11", "l12", "save "+out)
	assert.Contains(t, text, `4 moves, Black "Anna", White "Bert"`)
	recs, err := gomoku.LoadRecords(out, gomoku.ReadOptions{})
	require.NoError(t, err)
	r := recs[0]
	assert.Equal(t, "Anna", r.Black.Name)
	assert.Equal(t, "Club", r.Event)
	assert.Equal(t, []gomoku.Stone{{Point: gomoku.Pt(0, 14), Color: gomoku.Black}}, r.Root.Setup)
	var line []string
	for p := range r.Moves() {
		line = append(line, p.String())
	}
	assert.Equal(t, []string{"h8", "g9", "k11", "l12"}, line)
	first := r.Root.Next[0]
	assert.Equal(t, "good", first.Comment)
	var comments []string
	for _, n := range first.Next[0].Next {
		comments = append(comments, n.Comment)
	}
	assert.Equal(t, []string{"", "main", "side"}, comments)

	// The loaded record itself is as it was: saving again gives the same.
	again := filepath.Join(dir, "again.sgf")
	script(t, twoPeople, "load "+out, "save "+again)
	one, err := os.ReadFile(out)
	require.NoError(t, err)
	two, err := os.ReadFile(again)
	require.NoError(t, err)
	assert.Equal(t, string(one), string(two))
}

func TestSaveInTheMiddleOfALoadedGame(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.moves"), filepath.Join(dir, "out.moves")
	require.NoError(t, os.WriteFile(in, []byte("h8g7i9\n"), 0o600))
	script(t, twoPeople, "load "+in, "undo", "save "+out)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, "h8g7\n", string(text))
}
