package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	if !bytes.Equal(want, got) {
		saved := filepath.Join(t.ArtifactDir(), name)
		require.NoError(t, os.WriteFile(saved, got, 0o644))
		t.Errorf("%s differs; the new text is in %s", path, saved)
	}
}

// A scriptJudge says what a test wants it to, so that the goldens do not change
// with the engine.
type scriptJudge struct {
	calls  *atomic.Int32
	cancel func(call int32) // may be nil
}

func (j scriptJudge) judge(ctx context.Context, b *gomoku.Board, played gomoku.Point) (*moveReport, error) {
	call := j.calls.Add(1)
	if j.cancel != nil {
		j.cancel(call)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := &moveReport{Color: b.Turn(), Point: played, Nodes: 1000}
	score := gomoku.Score(100 - 40*(b.Len()%5))
	r.Best = opinion{Point: played, Score: score, Chance: chance(score, 600), Depth: 6, Line: []gomoku.Point{played}}
	r.Played = r.Best
	better := b.Candidates(1)[0]
	if better != played && b.Len()%2 == 0 && b.Len() > 0 {
		r.Best.Point, r.Best.Line = better, []gomoku.Point{better, b.Candidates(1)[1]}
		r.Played.Score -= gomoku.Score(60 * b.Len())
		r.Played.Chance = chance(r.Played.Score, 600)
	}
	if better != played && b.Len() == 9 {
		r.Best = opinion{Point: better, Mate: 5, Chance: 1, Line: b.Candidates(1)[:5]}
		r.Missed = &forcedWin{Kind: "VCF", Moves: 3, Line: b.Candidates(1)[:5], Proof: "a tree\n  of <moves> & ]\\"}
		r.Allowed = &forcedWin{Kind: "VCT", Moves: 2, Line: b.Candidates(2)[10:13], Proof: "another", Defence: "refuted"}
	}
	r.weigh()
	return r, nil
}

// analyzeWith runs the program with judges of the script.
func analyzeWith(ctx context.Context, j scriptJudge, args ...string) (stdout, stderr string, err error) {
	var out, notes bytes.Buffer
	o, err := parseOptions(args, &notes)
	if err == nil {
		if j.calls != nil {
			o.newJudge = func() (judge, error) { return j, nil }
		}
		err = o.run(ctx, strings.NewReader(""), &out, &notes)
	}
	return out.String(), notes.String(), err
}

func TestReports(t *testing.T) {
	dir := t.TempDir()
	out := func(name string) string { return filepath.Join(dir, name) }
	var calls atomic.Int32
	stdout, _, err := analyzeWith(t.Context(), scriptJudge{calls: &calls},
		"-quiet", "-jobs", "3", "-all", "-text", out("report.txt"), "-json", out("report.json"), "-sgf", out("report.sgf"), "-html", out("report.html"), "testdata/game.sgf")
	require.NoError(t, err)
	assert.Empty(t, stdout)
	assert.EqualValues(t, 15, calls.Load())
	for _, name := range []string{"report.txt", "report.json", "report.sgf", "report.html"} {
		// Style and script have files of their own.
		text := strings.NewReplacer(pageCSS, "{{style}}", pageJS, "{{script}}").Replace(string(mustRead(t, out(name))))
		golden(t, name, []byte(text))
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 4, "the journal is gone")
}

// TestAnnotatedRecord: the SGF has the game as it was, with more.
func TestAnnotatedRecord(t *testing.T) {
	before, err := gomoku.LoadRecords("testdata/game.sgf", gomoku.ReadOptions{})
	require.NoError(t, err)
	after, err := gomoku.LoadRecords("testdata/report.sgf", gomoku.ReadOptions{})
	require.NoError(t, err)
	require.Len(t, after, 1)
	var was, is []string
	for n := range before[0].Line() {
		was = append(was, fmt.Sprint(n.Color, n.Point))
	}
	variations := 0
	for n := range after[0].Line() {
		is = append(is, fmt.Sprint(n.Color, n.Point))
		assert.NotEmpty(t, n.Comment)
		variations += max(len(n.Next)-1, 0)
	}
	assert.Equal(t, was, is)
	assert.Greater(t, variations, 4)
	second := after[0].Root.Next[0].Next[0]
	assert.True(t, strings.HasPrefix(second.Comment, "In contact.\n\nBlack "), second.Comment)
	assert.True(t, strings.HasPrefix(after[0].Comment, "A short game.\n\nAnalysed by gomoku."), after[0].Comment)
	assert.Equal(t, before[0].Black, after[0].Black)
}

// TestPageStandsAlone: the page needs no network and keeps texts harmless.
func TestPageStandsAlone(t *testing.T) {
	g := &game{source: "a <i>", record: &gomoku.Record{Size: 9, Black: gomoku.Player{Name: "</script><script>alert(1)</script>"}}}
	text, err := page([]*game{g, g}, effort{Nodes: 1})
	require.NoError(t, err)
	for _, text := range [][]byte{text, scriptPage(t)} {
		rest := strings.ReplaceAll(string(text), "http://www.w3.org/2000/svg", "")
		assert.NotRegexp(t, regexp.MustCompile(`(?i)https?:|src=|href=|@import|url\(`), rest)
		assert.NotContains(t, rest, "<script>alert")
		assert.Equal(t, 1, strings.Count(rest, "</script>"))
	}
	assert.NotContains(t, string(text), "a <i>")
}

// scriptPage returns the page of the game that the scriptJudge judged.
func scriptPage(t *testing.T) []byte {
	name := filepath.Join(t.TempDir(), "page.html")
	var calls atomic.Int32
	_, _, err := analyzeWith(t.Context(), scriptJudge{calls: &calls}, "-quiet", "-html", name, "testdata/game.sgf")
	require.NoError(t, err)
	return mustRead(t, name)
}

func mustRead(t *testing.T, name string) []byte {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return text
}

// TestScriptGame: set-up stones are in the page's data, also those set up on the
// way, and passes are no steps.
func TestScriptGame(t *testing.T) {
	text := "(;GM[4]SZ[5]AB[aa][ba]AW[ca]PL[W];W[cc];B[];AB[dd];B[ee])"
	games, faults := loadGames([]string{"-"}, gomoku.ReadOptions{}, strings.NewReader(text))
	require.Empty(t, faults)
	s, _, err := newScriptGame(games[0], "")
	require.NoError(t, err)
	assert.Equal(t, []int{20, 21}, s.Black)
	assert.Equal(t, []int{22}, s.White)
	require.Len(t, s.Steps, 2)
	assert.Equal(t, scriptStep{Number: 1, Point: 12, Color: gomoku.White, Lines: []scriptLine{}}, s.Steps[0])
	assert.Equal(t, scriptStep{
		Number: 2, Point: 4, Color: gomoku.Black, Black: []int{8, 20, 21}, White: []int{12, 22}, Lines: []scriptLine{},
	}, s.Steps[1])
}

// browserSteps goes through the page and notes what it shows.
const browserSteps = `<script>
const seen = [];
function see() {
  const dom = (s) => document.querySelector(s);
  seen.push([dom(".words strong")?.textContent, document.querySelectorAll(".stones circle[r='18']").length,
    document.querySelectorAll(".stones .ghost").length, dom(".moves tr[aria-current]")?.dataset.move, location.hash].join(", "));
}
const key = (k) => { document.body.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true })); see(); };
see();
["Home", "ArrowRight", "ArrowRight", "n", "b", "End", "ArrowLeft", "x"].forEach(key);
document.querySelector(".moves tr[data-move='10']").click(); see();
[...document.querySelectorAll(".lines button")].find((b) => b.textContent === "Allowed win").click(); see();
document.querySelector("[data-go=remark]").click(); see();
const range = document.querySelector("input[type=range]");
range.value = 4; range.dispatchEvent(new Event("input")); see();
const click = (e, x, y) => {
  const box = e.getBoundingClientRect();
  e.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: box.left + x * box.width, clientY: box.top + y * box.height })); see();
};
click(document.querySelector(".graph svg"), 0.6, 0.5);
click(document.querySelector(".board svg"), 0.9, 0.1);
click(document.querySelector(".board svg"), 0.1, 0.1);
click(document.querySelector(".board svg"), 204 / 392, 228 / 392); // e4, move 2
document.body.innerHTML = "<pre>" + seen.join("\n") + "</pre>";
</script>`

// TestPageInBrowser goes through the page by keyboard and mouse, where there is a
// browser.
func TestPageInBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil || testing.Short() {
		t.Skip("needs chromium and some seconds")
	}
	name := filepath.Join(t.TempDir(), "page.html")
	text := strings.Replace(string(scriptPage(t)), "</body>", browserSteps+"</body>", 1)
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	out, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(),
		"--dump-dom", "file://"+name+"#1.3").Output()
	require.NoError(t, err)
	_, got, _ := strings.Cut(string(out), "<pre>")
	got, _, _ = strings.Cut(got, "</pre>")
	assert.Equal(t, []string{
		// what is at the move, stones, ghosts among them, current row, address
		"Move 3: Black f6, 3, 0, 3, #1.3",
		", 0, 0, , #1.0",
		"Move 1: Black e5, 1, 0, 1, #1.1",
		"Move 2: White e4, 2, 0, 2, #1.2",
		"Move 5: Black d4, 5, 0, 5, #1.5", // the next with a remark
		"Move 5: Black d4, 6, 2, 5, #1.5", // four stones and the better line
		"Move 15: Black e6, 15, 0, 15, #1.15",
		"Move 14: White e7, 14, 0, 14, #1.14",
		"Move 14: White e7, 14, 0, 14, #1.14", // no such key
		"Move 10: White g3, 10, 0, 10, #1.10",
		"Move 10: White g3, 13, 3, 10, #1.10",
		"Move 11: Black c6, 11, 0, 11, #1.11",
		"Move 4: White g7, 4, 0, 4, #1.4",
		"Move 9: Black f4, 9, 0, 9, #1.9",     // three fifths of the graph
		"Move 10: White g3, 10, 0, 10, #1.10", // the right half goes on
		"Move 9: Black f4, 9, 0, 9, #1.9",     // the left half goes back
		"Move 2: White e4, 2, 0, 2, #1.2",     // a stone
	}, strings.Split(got, "\n"))
}

// TestInterrupted: what was done is written and kept, and the same command does
// the rest, with the same result as in one go.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	whole := mustRead(t, "testdata/report.json")
	args := []string{"-quiet", "-jobs", "1", "-json", filepath.Join(dir, "a.json"), "-html", filepath.Join(dir, "a.html"), "testdata/game.sgf"}
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int32
	_, stderr, err := analyzeWith(ctx, scriptJudge{&calls, func(n int32) {
		if n == 7 {
			cancel()
		}
	}}, args...)
	require.ErrorIs(t, err, context.Canceled)
	assert.Contains(t, stderr, "interrupted after 6 of 15 moves; the same command goes on")
	var part jsonGame
	require.NoError(t, json.Unmarshal(mustRead(t, filepath.Join(dir, "a.json")), &part))
	assert.False(t, part.Complete)
	assert.Len(t, part.Moves, 6)
	assert.Len(t, part.Curve, 7)
	assert.Contains(t, string(mustRead(t, filepath.Join(dir, "a.html"))), "interrupted: 6 of 15 moves looked at")

	// A crash may have torn the last line.
	journal := filepath.Join(dir, "a.html.journal")
	require.NoError(t, os.WriteFile(journal, append(mustRead(t, journal), `{"game":"12`...), 0o644))
	calls.Store(0)
	_, _, err = analyzeWith(t.Context(), scriptJudge{calls: &calls}, args...)
	require.NoError(t, err)
	assert.EqualValues(t, 9, calls.Load(), "only the rest is judged")
	assert.Equal(t, string(whole), string(mustRead(t, filepath.Join(dir, "a.json"))))
	assert.NoFileExists(t, journal)
}

// TestJournal: a journal that stays makes a second run free, and does not mix
// with another effort or take another file for a journal.
func TestJournal(t *testing.T) {
	dir := t.TempDir()
	journal := filepath.Join(dir, "j")
	var calls atomic.Int32
	run := func(args ...string) error {
		_, _, err := analyzeWith(t.Context(), scriptJudge{calls: &calls}, append(args, "-quiet", "-journal", journal, "testdata/game.sgf")...)
		return err
	}
	require.NoError(t, run())
	require.NoError(t, run())
	assert.EqualValues(t, 15, calls.Load())
	assert.ErrorContains(t, run("-nodes", "5"), "is of another analysis")
	require.NoError(t, os.WriteFile(journal, []byte("my letters"), 0o644))
	assert.ErrorContains(t, run(), "is not a journal")
	assert.Equal(t, "my letters", string(mustRead(t, journal)))
}

// TestEngine: with a limit of nodes reports do not depend on how many moves are
// looked at at a time, and they make sense.
func TestEngine(t *testing.T) {
	run := func(jobs string) []byte {
		stdout, _, err := analyzeWith(t.Context(), scriptJudge{}, "-quiet", "-nodes", "300", "-json", "-", "-jobs", jobs, "testdata/game.sgf")
		require.NoError(t, err)
		return []byte(stdout)
	}
	one := run("1")
	assert.Equal(t, string(one), string(run("3")))
	var g jsonGame
	require.NoError(t, json.Unmarshal(one, &g))
	require.Len(t, g.Moves, 15)
	for _, r := range g.Moves {
		for _, o := range []opinion{r.Best, r.Played} {
			assert.True(t, o.Chance >= 0 && o.Chance <= 1)
			require.NotEmpty(t, o.Line)
			assert.Equal(t, o.Point, o.Line[0])
		}
		assert.Equal(t, r.Played.Point, r.Point)
		assert.InDelta(t, max(r.Best.Chance-r.Played.Chance, 0), r.Loss, 1e-9)
	}
	last := g.Moves[14]
	assert.Equal(t, 1, last.Best.Mate)
	assert.Equal(t, best, last.Grade)
	assert.Equal(t, 1.0, g.Curve[15])
}

// TestThreats: Black has an open three and plays elsewhere, White does not stop it,
// and the solvers say so.
func TestThreats(t *testing.T) {
	dir := t.TempDir()
	sgf := filepath.Join(dir, "a.sgf")
	stdout, _, err := analyzeWith(t.Context(), scriptJudge{}, "-quiet", "-nodes", "100", "-solve", "2000", "-scale", "20000", "-json", "-", "-sgf", sgf, "h8a1i8o15j8a15o1b9")
	require.NoError(t, err)
	var g jsonGame
	require.NoError(t, json.Unmarshal([]byte(stdout), &g))
	elsewhere, unmet := g.Moves[6], g.Moves[7]
	require.NotNil(t, elsewhere.Missed)
	assert.Equal(t, "VCF", elsewhere.Missed.Kind)
	assert.Equal(t, 1, elsewhere.Missed.Moves)
	assert.Contains(t, elsewhere.Missed.Proof, "black wins in 1 move by an open four")
	assert.Equal(t, 3, elsewhere.Best.Mate)
	assert.Nil(t, elsewhere.Allowed)
	require.NotNil(t, unmet.Allowed)
	assert.Equal(t, 1, unmet.Allowed.Moves)
	assert.Equal(t, "refuted", unmet.Allowed.Defence)
	assert.Equal(t, -4, unmet.Played.Mate)
	assert.GreaterOrEqual(t, unmet.Grade, inaccuracy)
	var stops []string
	for _, p := range unmet.Allowed.Stops {
		stops = append(stops, p.String())
	}
	assert.Subset(t, []string{"f8", "g8", "k8", "l8"}, stops)
	assert.Contains(t, stops, unmet.Best.Point.String())
	assert.Equal(t, 1, g.Black.Missed)
	assert.Equal(t, 2, g.White.Failed)

	recs, err := gomoku.LoadRecords(sgf, gomoku.ReadOptions{})
	require.NoError(t, err)
	comments := ""
	var walk func(n *gomoku.RecordNode)
	walk = func(n *gomoku.RecordNode) {
		comments += n.Comment + "\n"
		for _, next := range n.Next {
			walk(next)
		}
	}
	walk(&recs[0].Root)
	for _, want := range []string{
		"The win that was missed, by fours (VCF) in 1 move.", "The win that was allowed, by fours (VCF) in 1 move.", "can't be stopped",
	} {
		assert.Contains(t, comments, want)
	}
}

// TestThreatsByThrees: k8 makes two threes, but no four.
func TestThreatsByThrees(t *testing.T) {
	stdout, _, err := analyzeWith(t.Context(), scriptJudge{}, "-quiet", "-nodes", "100", "-solve", "2000", "-scale", "20000", "-json", "-", "h8a1i8o15k9a15k10o1b4")
	require.NoError(t, err)
	var g jsonGame
	require.NoError(t, json.Unmarshal([]byte(stdout), &g))
	elsewhere := g.Moves[8]
	require.NotNil(t, elsewhere.Missed)
	assert.Equal(t, "VCT", elsewhere.Missed.Kind)
	assert.NotNil(t, elsewhere.Missed.Tree)
	assert.Equal(t, 2*elsewhere.Missed.Moves+1, elsewhere.Best.Mate)
}

// TestOpening: moves placed for the other side to choose are not graded.
func TestOpening(t *testing.T) {
	var calls atomic.Int32
	j := scriptJudge{calls: &calls}
	name := filepath.Join(t.TempDir(), "a.jsonl")
	text := `{"size":15,"rule":"standard","opening":"swap2:black@3","moves":[{"move":"a1","color":"black"},{"move":"o1","color":"white"},` +
		`{"move":"a3","color":"black"},{"move":"h8","color":"white"},{"move":"o3","color":"black"}]}`
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	losses := func(args ...string) (loss []float64) {
		stdout, _, err := analyzeWith(t.Context(), j, append(args, "-quiet", "-json", "-", name)...)
		require.NoError(t, err)
		var g jsonGame
		require.NoError(t, json.Unmarshal([]byte(stdout), &g))
		for _, r := range g.Moves {
			loss = append(loss, r.Loss)
		}
		return loss
	}
	all := losses("-opening", "0")
	assert.Positive(t, all[2])
	assert.Equal(t, []float64{0, 0, 0, all[3], all[4]}, losses())
	assert.Equal(t, []float64{0, 0, 0, 0, 0}, losses("-opening", "99"))
}

// TestFoulIsLost: a foul that was played loses all.
func TestFoulIsLost(t *testing.T) {
	stdout, _, err := analyzeWith(t.Context(), scriptJudge{}, "-quiet", "-nodes", "200", "-rule", "renju", "-size", "9", "f6a1d4a3d5a9f5i1e5")
	require.NoError(t, err)
	assert.Contains(t, stdout, "e5 is a foul, a double-three, and loses the game.")
	assert.Contains(t, stdout, "moves: Black (Black) - White (White), renju 9x9, 9 moves, White wins (foul)")
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		return name
	}
	for want, args := range map[string][]string{
		"no game is named":                             {},
		"-jobs 0: it takes 1 or more":                  {"-jobs", "0", "x"},
		"-nodes -1 is negative":                        {"-nodes", "-1", "x"},
		"-opening -2 is neither":                       {"-opening", "-2", "x"},
		"-solve -1 is negative":                        {"-solve", "-1", "x"},
		"-nodes 0 needs -time":                         {"-nodes", "0", "x"},
		"-scale 0 is not positive":                     {"-scale", "0", "x"},
		"-size: gomoku: new board: size":               {"-size", "4", "x"},
		`-json and -html name the same file "x"`:       {"-json", "x", "-html", "x", "y"},
		`-html would replace "x", which is to be read`: {"-html", "x", "x"},
		`-sgf "x.txt" does not end in .sgf`:            {"-sgf", "x.txt", "y"},
		`-sgf would replace "x.sgf", which`:            {"-sgf", "./x.sgf", "x.sgf"},
		`-json and -html name the same file "./x"`:     {"-json", "x", "-html", "./x", "y"},
		`-json and -journal name the same file`:        {"-html", "x", "-json", "x.journal", "y"},
		"-html: " + dir + " is not a regular file":     {"-html", dir, "testdata/game.sgf"},
		"-text: stat ":                                 {"-json", filepath.Join(dir, "a"), "-text", filepath.Join(dir, "no", "b"), "y"},
		"can't both be on standard output":             {"-text", "-", "-json", "-", "y"},
		"there is no game to look at":                  {filepath.Join(dir, "none.sgf")},
	} {
		_, _, err := analyzeWith(t.Context(), scriptJudge{}, args...)
		assert.ErrorContains(t, err, want)
	}

	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, files, "nothing is begun")

	// One bad game among good ones is named and left out.
	mixed := write("mixed.sgf", "(;GM[4]SZ[9];B[ee])(;GM[4]SZ[9];B[zz])(;GM[4]SZ[9];B[aa];W[bb])")
	stdout, stderr, err := analyzeWith(t.Context(), scriptJudge{}, "-quiet", "-nodes", "50", mixed)
	assert.EqualError(t, err, "1 game could not be read")
	assert.Contains(t, stderr, "mixed.sgf: sgf game 2, line 1, column 34: point \"zz\"")
	assert.Contains(t, stdout, "mixed.sgf #1: ")
	assert.Contains(t, stdout, "mixed.sgf #3: ")

	// What comes after the end is noted.
	late := write("late.sgf", "(;GM[4]SZ[9];B[ea];W[aa];B[eb];W[ab];B[ec];W[ac];B[ed];W[ad];B[ee];W[ae])")
	stdout, _, err = analyzeWith(t.Context(), scriptJudge{}, "-quiet", "-nodes", "50", late)
	require.NoError(t, err)
	assert.Contains(t, stdout, "9 moves, ")
	assert.Contains(t, stdout, "note: the game is over after move 9 under freestyle; what follows is left out")
	_, _, err = analyzeWith(t.Context(), scriptJudge{}, "-quiet", "-nodes", "50", "-html", filepath.Join(dir, "no", "x.html"), mixed)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// TestJudgeFails: an error ends the work and is reported.
func TestJudgeFails(t *testing.T) {
	games, _ := loadGames([]string{"testdata/game.sgf"}, gomoku.ReadOptions{}, nil)
	boom := errors.New("boom")
	err := analyze(t.Context(), games, 2, func() (judge, error) { return failingJudge{boom}, nil }, nil)
	assert.ErrorIs(t, err, boom)
	err = analyze(t.Context(), games, 2, func() (judge, error) { return nil, boom }, nil)
	assert.ErrorIs(t, err, boom)
}

// TestJudges: there are no more judges than moves.
func TestJudges(t *testing.T) {
	games, _ := loadGames([]string{"h8i9"}, gomoku.ReadOptions{Size: 15}, nil)
	judges := 0
	err := analyze(t.Context(), games, 1_000_000, func() (judge, error) { judges++; return scriptJudge{calls: new(atomic.Int32)}, nil },
		func(*game, *moveReport) error { return nil })
	require.NoError(t, err)
	assert.Equal(t, 2, judges)
}

type failingJudge struct{ err error }

func (j failingJudge) judge(context.Context, *gomoku.Board, gomoku.Point) (*moveReport, error) {
	return nil, j.err
}

func TestChance(t *testing.T) {
	assert.Equal(t, 0.5, chance(0, 600))
	assert.Equal(t, 0.7311, chance(600, 600))
	assert.Equal(t, 1-0.7311, chance(-600, 600))
	assert.Equal(t, 1.0, chance(gomoku.MaxEstimate, 600))
	assert.Equal(t, 0.4, blacks(gomoku.White, 0.6))
}

// TestFit finds the scale by which the results of games were drawn.
func TestFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var log strings.Builder
	log.WriteString("{}\n")
	for range 400 {
		result, scores := "white", []int{}
		first := rng.NormFloat64() * 500
		if rng.Float64() < 1/(1+math.Exp(-first/300)) {
			result = "black"
		}
		for i := range 6 {
			scores = append(scores, int(first)*(1-2*(i%2)))
		}
		text, err := json.Marshal(scores)
		require.NoError(t, err)
		fmt.Fprintf(&log, `{"opening_plies":2,"result":"%s","score":%s}`+"\n", result, text)
	}
	name := filepath.Join(t.TempDir(), "log.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(log.String()), 0o644))
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-fit", name}, nil, &out, nil))
	var n, games int
	var s, low, high float64
	_, err := fmt.Sscanf(out.String(), "%d positions of %d games\nscale %f, 95%% interval %f to %f", &n, &games, &s, &low, &high)
	require.NoError(t, err, out.String())
	assert.Equal(t, 2400, n)
	assert.Equal(t, 400, games)
	assert.True(t, low < 300 && 300 < high && high < 2*low, out.String())

	require.NoError(t, os.WriteFile(name, []byte("{}\n{\"result\":\"chess\",\"score\":[1]}\n"), 0o644))
	assert.ErrorContains(t, fit([]string{name}, &out), `log.jsonl:2: result "chess"`)
	require.NoError(t, os.WriteFile(name, []byte("{}\n"), 0o644))
	assert.ErrorContains(t, fit([]string{name}, &out), "0 positions are too few")
}
