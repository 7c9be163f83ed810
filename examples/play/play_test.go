package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestMain lets the test program be a foreign brain, too.
func TestMain(m *testing.M) {
	if mode := os.Getenv(brainModeVariable); mode != "" {
		fakeBrain(mode, os.Stdin, os.Stdout)
		return
	}
	os.Exit(m.Run())
}

// testConfig returns the configuration of a session that is the same each time:
// no clock, one seed. Flags are as on the command line.
func testConfig(t *testing.T, flags ...string) config {
	t.Helper()
	c, err := parseFlags(append([]string{"-time", "off", "-seed", "1"}, flags...), io.Discard)
	require.NoError(t, err)
	clock := time.Date(2024, 5, 31, 12, 0, 0, 0, time.UTC)
	c.now = func() time.Time {
		clock = clock.Add(250 * time.Millisecond)
		return clock
	}
	return c
}

// script runs a session on lines of input and returns what it wrote.
func script(t *testing.T, flags []string, lines ...string) string {
	t.Helper()
	c := testConfig(t, flags...)
	var out bytes.Buffer
	c.in, c.out = strings.NewReader(strings.Join(lines, "\n")+"\n"), &out
	require.NoError(t, play(t.Context(), c))
	return out.String()
}

// twoPeople are the flags of a game without an engine.
var twoPeople = []string{"-black", "me", "-white", "me"}

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	if string(want) != got {
		saved := filepath.Join(t.ArtifactDir(), name)
		require.NoError(t, os.WriteFile(saved, []byte(got), 0o644))
		assert.Equal(t, string(want), got, "the new text is in %s", saved)
	}
}

func TestTwoPeople(t *testing.T) {
	golden(t, "two_people.txt", script(t, append([]string{"-size", "9"}, twoPeople...),
		"e5", "d5", "E 6", "d6", "undo", "redo", "e7", "d7", "moves", "e8", "d8", "e9", "moves", "f5", "undo", "redo", "quit"))
}

func TestFoulsAreExplained(t *testing.T) {
	golden(t, "renju.txt", script(t, append([]string{"-rule", "renju", "-size", "10"}, twoPeople...),
		"fouls", "h8", "a1", "h9", "a3", "g7", "a5", "f7", "a7", "h7", "fouls", "h6", "quit"))
}

func TestOverlineIsExplained(t *testing.T) {
	out := script(t, append([]string{"-rule", "renju"}, twoPeople...),
		"a1", "a15", "b1", "c15", "c1", "e15", "e1", "g15", "f1", "i15", "d1")
	assert.Contains(t, out, "d1 is forbidden to Black: it makes an overline, six or more in a row, with a1, b1, c1, e1 and f1")
	assert.True(t, strings.HasSuffix(out, "Black to move (x)> \n"), "Black is still to move")
}

func TestWhiteMayMakeWhatIsAFoulForBlack(t *testing.T) {
	out := script(t, append([]string{"-rule", "renju"}, twoPeople...),
		"h8", "a1", "j8", "b1", "l8", "c1", "n8", "e1", "h2", "f1", "j2", "d1")
	assert.Contains(t, out, "White wins with a1, b1, c1, d1, e1 and f1.")
}

func TestBadInput(t *testing.T) {
	tests := []struct{ line, want string }{
		{"h16", `! "h16" is not on the board, at character 2: columns are a to o, rows 1 to 15`},
		{"p3", `! "p3" is not on the board, at character 1: columns are a to o, rows 1 to 15`},
		{"z3", `! "z3" is not on the board, at character 1`},
		{"h0", `! "h0" is not on the board, at character 2`},
		{"h99999999999", `! "h99999999999" is not on the board, at character 2`},
		{"h8i9", `! "h8i9" has more behind h8, at character 3: one move at a time`},
		{"g7", "! g7 has a stone already"},
		{"8,8", `! "8,8" is no move: write the letter of the column, then the number of the row, such as h8`},
		{"frobnicate", `! "frobnicate" is neither a move, such as h8, nor a command; help lists the commands`},
		{"udno", "(undo?)"},
		{"re", `! "re" may be redo or resign`},
		{"h", `! "h" may be hint or help`},
		{"\x1b[2J", `! "\x1b[2j" is neither`},
		{"hint now", `! hint takes nothing after it, but there is "now"`},
		{"level grandmaster", `! no level is called "grandmaster": there are easy, normal, hard and expert`},
		{"level hard", "! no engine plays"},
		{"time soon", `! "soon" is no time for a move`},
		{"time -3s", `! "-3s" is no time for a move`},
		{"thinking maybe", `! thinking is on or off, not "maybe"`},
		{"black martian", `! no player is called "martian"`},
		{"white brain", `! no brain is known: start the program with -brain "command"`},
		{"new 99", "! new board: size is not 5 to 22: 99"},
		{"new checkers", `! "checkers" is neither a size, 5 to 22, nor a rule`},
		{"analyze 0", "! the number of lines is 1 to 20, not 0"},
		{"analyze depth", "! depth has no number behind it"},
		{"analyze depth 900", `! depth is 1 to 100, not "900"`},
		{"analyze deeply", `! "deeply" is neither a number of lines, nor depth N, nor a time`},
		{"redo", "! there is no move to play again"},
		{"back", "! there was no game before this one"},
		{"go", "! it is your turn"},
		{"help nonsense", `! "nonsense" is neither`},
		{"save", "! save needs a file name"},
		{"save game.doc", `! the extension of "game.doc" is no format to save in`},
		{"save no/such/folder/game.sgf", `! can't save "no/such/folder/game.sgf": no such file or directory`},
		{"load", "! load needs a file name"},
		{"load no-such-file.sgf", `! can't load "no-such-file.sgf": no such file or directory`},
		{"load a.sgf #x", `! "x" is no number of a game`},
		{strings.Repeat("h8", 5000), "! a line of more than 4096 bytes was skipped"},
	}
	for _, test := range tests {
		name := test.line
		if len(name) > 30 {
			name = name[:30]
		}
		t.Run(name, func(t *testing.T) {
			out := script(t, twoPeople, "h8", "g7", test.line, "moves")
			assert.Contains(t, out, test.want)
			assert.Contains(t, out, "1. h8 g7\nh8g7\n", "nothing is lost")
		})
	}
}

func TestEmptyInputEnds(t *testing.T) {
	c := testConfig(t)
	var out bytes.Buffer
	c.in, c.out = strings.NewReader(""), &out
	require.NoError(t, play(t.Context(), c))
	assert.Contains(t, out.String(), "Black to move")
}

func TestWindowsLineEndsAndSpaces(t *testing.T) {
	out := script(t, twoPeople, "  h8  \r", "\r", "G7\r", "moves\r")
	assert.Contains(t, out, "h8g7\n")
}

func TestUndoTakesBackBoth(t *testing.T) {
	out := script(t, []string{"-white", "easy"}, "h8", "o15", "undo", "moves", "undo", "moves", "undo", "redo", "redo", "moves")
	assert.Contains(t, out, "Took back 2 moves.")
	assert.Contains(t, out, "No move has been made.")
	assert.Contains(t, out, "! there is no move of yours to take back")
	assert.Equal(t, 2, strings.Count(out, "Played 2 moves again."))
	lists := regexp.MustCompile(`(?m)^(?:[a-o]\d+)+$`).FindAllString(out, -1)
	require.Len(t, lists, 2)
	assert.Regexp(t, `^h8[a-o]\d+$`, lists[0])
	assert.Regexp(t, `^h8[a-o]\d+o15[a-o]\d+$`, lists[1])
}

func TestEnginesOpeningIsNotTakenBack(t *testing.T) {
	out := script(t, []string{"-black", "easy", "-white", "me"}, "undo", "moves")
	assert.Contains(t, out, "! there is no move of yours to take back")
	assert.Contains(t, out, "1. h8\n")
}

func TestMoveAfterUndoForgetsTheOld(t *testing.T) {
	out := script(t, twoPeople, "h8", "g7", "undo", "i9", "redo", "moves")
	assert.Contains(t, out, "! there is no move to play again")
	assert.Contains(t, out, "h8i9\n")
}

func TestResignAndTakeItBack(t *testing.T) {
	out := script(t, twoPeople, "h8", "resign", "g7", "resign", "hint", "analyze", "undo", "g7", "moves")
	assert.Contains(t, out, "Black wins: White resigns.")
	assert.Contains(t, out, "! the game is over; undo takes moves back, new begins another")
	assert.Contains(t, out, "! the game is over already")
	assert.Equal(t, 2, strings.Count(out, "! the game is over; undo takes moves back\n"), "hint and analyze")
	assert.Contains(t, out, "h8g7\n")
}

func TestSwapMakesTheEngineMove(t *testing.T) {
	out := script(t, []string{"-white", "easy"}, "h8", "swap", "moves")
	assert.Contains(t, out, "Now Black (x) is the engine (easy), White (o) is you.")
	assert.Contains(t, out, "Black plays")
	assert.Contains(t, out, "White to move (o)> moves")
}

func TestNewAndBack(t *testing.T) {
	out := script(t, twoPeople, "h8", "new 19 renju", "s19", "back", "moves", "back", "moves")
	assert.Contains(t, out, "New game, renju, 19x19")
	assert.Contains(t, out, "Back in the other game, freestyle, 15x15")
	assert.Contains(t, out, "\n1. h8\nh8\n")
	assert.Contains(t, out, "\n1. s19\ns19\n")
}

func TestDrawnGame(t *testing.T) {
	// Rows of pairs, shifted by one every other row: no five anywhere.
	var moves [3][]string
	for y := range 5 {
		for x := range 5 {
			c := 1 + (x+2*y)/2%2
			moves[c] = append(moves[c], gomoku.Pt(x, y).String())
		}
	}
	if len(moves[1]) < len(moves[2]) {
		moves[1], moves[2] = moves[2], moves[1]
	}
	lines := []string{}
	for i := range moves[1] {
		lines = append(lines, moves[1][i])
		if i < len(moves[2]) {
			lines = append(lines, moves[2][i])
		}
	}
	out := script(t, append([]string{"-size", "5"}, twoPeople...), lines...)
	assert.Contains(t, out, "A draw: the board is full.")
}

func TestHintAndAnalysis(t *testing.T) {
	// Black has three in a row, both ends open: an open four wins.
	out := script(t, twoPeople, "h8", "a1", "i8", "a15", "j8", "o1", "hint", "analyze 2 depth 4")
	assert.Regexp(t, `Hint: (g8|k8) \(Black wins in 2 moves\), then [a-o]`, out)
	assert.Regexp(t, `(?m)^depth \d+-\d+, \d+ nodes?, \d+\.\d s$`, out)
	assert.Regexp(t, `(?m)^  1\. Black wins in 2 moves?, (g8|k8)`, out)
	assert.Regexp(t, `(?m)^  2\. `, out)
	assert.Regexp(t, `The analysis is (done|complete: the result is proven)\.`, out)
	assert.NotContains(t, out, "\x1b")
}

func TestLongLinesFitTheScreen(t *testing.T) {
	var pv []gomoku.Point
	for i := range 15 {
		pv = append(pv, gomoku.Pt(i, 14))
	}
	i := gomoku.Info{Depth: 15, SelDepth: 24, Score: -194, PV: pv, Nodes: 252000, Elapsed: 2400 * time.Millisecond}
	assert.Equal(t, "depth 15-24, 252000 nodes, 2.4 s: -194, a15 b15 c15 d15 e15 f15 g15 h15 i15 ...\n", formatInfo(i, gomoku.Black))
	i.Lines = []gomoku.Line{{Score: 1, PV: pv[:1]}, {Score: 2, PV: slices.Concat(pv, pv)}}
	for line := range strings.Lines(formatInfo(i, gomoku.Black)) {
		assert.LessOrEqual(t, len(line), screenWidth)
	}
}

func TestThinkingIsShown(t *testing.T) {
	out := script(t, []string{"-white", "normal", "-thinking"}, "h8", "thinking", "i9")
	shown, hidden, ok := strings.Cut(out, "The thinking is not shown.")
	require.True(t, ok)
	assert.Regexp(t, `White thinks.\ndepth 1-\d+, \d+ nodes, \d+\.\d s: [+-]\d+, [a-o]\d+`, shown)
	assert.NotContains(t, hidden, "depth")
}

func TestEnginesPlayToTheEnd(t *testing.T) {
	for _, rule := range []string{"freestyle", "standard", "renju", "caro"} {
		t.Run(rule, func(t *testing.T) {
			out := script(t, []string{"-black", "normal", "-white", "easy", "-size", "9", "-rule", rule}, "settings")
			assert.Regexp(t, `(Black|White) wins with|A draw`, out)
			assert.Contains(t, out, "Time for a move: as the level needs. Thinking: not shown. Seed: 1.")
		})
	}
}

func TestFlags(t *testing.T) {
	c, err := parseFlags([]string{"-black", "expert", "-white", "me", "-rule", "renju", "-size", "19", "-time", "90"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, [3]spec{1: {engine, gomoku.Expert}, 2: {kind: person}}, c.specs)
	assert.Equal(t, gomoku.Renju, c.rule)
	assert.Equal(t, 19, c.size)
	assert.Equal(t, 90*time.Second, c.moveTime)
	assert.NotZero(t, c.seed)

	c, err = parseFlags([]string{"-brain", "x"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, [3]spec{1: {engine, gomoku.Expert}, 2: {kind: brain}}, c.specs)

	for _, bad := range [][]string{{"-rule", "chess"}, {"-black", "nobody"}, {"-time", "never"}, {"-color", "blue"}, {"stray"}} {
		_, err := parseFlags(bad, io.Discard)
		assert.Error(t, err, bad)
	}
	var usage bytes.Buffer
	_, err = parseFlags([]string{"-rule", "x"}, &usage)
	assert.ErrorAs(t, err, new(*explained), "it is not to be printed again")
	assert.Equal(t, 1, strings.Count(usage.String(), "invalid value"))
	_, err = parseFlags([]string{"stray"}, &usage)
	assert.NotErrorAs(t, err, new(*explained))
	_, err = parseFlags([]string{"-help"}, &usage)
	assert.ErrorIs(t, err, flag.ErrHelp)
	assert.Contains(t, usage.String(), "-brain command")

	c = testConfig(t)
	c.size = 4
	assert.EqualError(t, play(t.Context(), c), "new board: size is not 5 to 22: 4")
}

// A conversation is a session with somebody at the other end.
type conversation struct {
	t    *testing.T
	in   *io.PipeWriter
	stop chan os.Signal
	done chan error

	mu      sync.Mutex
	changed *sync.Cond
	text    string // what was written and not yet expected
	all     strings.Builder
}

// converse starts an interactive session. It ends with the test at the latest.
func converse(t *testing.T, prepare func(*session), flags ...string) *conversation {
	t.Helper()
	v := &conversation{t: t, stop: make(chan os.Signal, 2), done: make(chan error, 1)}
	v.changed = sync.NewCond(&v.mu)
	c := testConfig(t, flags...)
	r, w := io.Pipe()
	v.in = w
	c.in, c.out, c.interactive, c.interrupts = r, v, true, v.stop
	ctx, cancel := context.WithCancel(t.Context())
	s, err := newSession(ctx, c)
	require.NoError(t, err)
	if prepare != nil {
		prepare(s)
	}
	go func() {
		defer s.close()
		v.done <- s.run()
	}()
	t.Cleanup(func() {
		cancel()
		w.Close()
	})
	return v
}

// Write takes the session's output.
func (v *conversation) Write(p []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.text += string(p)
	v.all.Write(p)
	v.changed.Broadcast()
	return len(p), nil
}

// send types a line.
func (v *conversation) send(line string) {
	v.t.Helper()
	_, err := io.WriteString(v.in, line+"\n")
	require.NoError(v.t, err)
}

// patience is how long the tests wait for what should come.
const patience = 30 * time.Second

// expect waits for output that matches, drops what was before it, and returns
// the groups of the match.
func (v *conversation) expect(pattern string) []string {
	v.t.Helper()
	re := regexp.MustCompile(pattern)
	late := false
	timer := time.AfterFunc(patience, func() {
		v.mu.Lock()
		late = true
		v.mu.Unlock()
		v.changed.Broadcast()
	})
	defer timer.Stop()
	v.mu.Lock()
	defer v.mu.Unlock()
	for {
		if m := re.FindStringSubmatchIndex(v.text); m != nil {
			var groups []string
			for i := 0; i < len(m); i += 2 {
				groups = append(groups, v.text[m[i]:m[i+1]])
			}
			v.text = v.text[m[1]:]
			return groups
		}
		if late {
			v.t.Fatalf("no %q in %q", pattern, v.text)
		}
		v.changed.Wait()
	}
}

// ends waits for the session's end.
func (v *conversation) ends() {
	v.t.Helper()
	select {
	case err := <-v.done:
		require.NoError(v.t, err)
	case <-time.After(patience):
		v.t.Fatal("the session does not end")
	}
}

// A thinker thinks until it is stopped and then plays a move, or has none.
type thinker struct {
	started chan bool
	answer  gomoku.Point
}

func (m *thinker) move(ctx context.Context, _ *gomoku.Board, report func(gomoku.Info)) (gomoku.Point, error) {
	report(gomoku.Info{Depth: 1, Score: 7, PV: []gomoku.Point{m.answer}})
	m.started <- true
	<-ctx.Done()
	if m.answer == gomoku.NoPoint {
		return m.answer, ctx.Err()
	}
	return m.answer, nil
}

func (m *thinker) forget()      {}
func (m *thinker) close() error { return nil }

// withThinker puts a thinker in White's place.
func withThinker(answer string) (*thinker, func(*session)) {
	p := gomoku.NoPoint
	if answer != "" {
		p, _ = gomoku.ParsePoint(answer)
	}
	m := &thinker{make(chan bool, 10), p}
	return m, func(s *session) { s.movers[gomoku.White] = m }
}

// whiteThinks starts an interactive session in which White is thinking about
// its answer to h8.
func whiteThinks(t *testing.T, answer string, flags ...string) (*thinker, *conversation) {
	t.Helper()
	m, prepare := withThinker(answer)
	v := converse(t, prepare, flags...)
	v.expect("Black to move")
	v.send("h8")
	<-m.started
	return m, v
}

func TestEnterMakesTheEngineMove(t *testing.T) {
	_, v := whiteThinks(t, "g7")
	v.expect("White is thinking. Enter makes it move now.")
	v.send("")
	v.expect(`White plays g7\.`)
	v.expect("Black to move")
	v.send("quit")
	v.ends()
}

func TestInterruptStopsThinkingAndTwiceTheProgram(t *testing.T) {
	_, v := whiteThinks(t, "g7", "-thinking")
	v.expect(`depth 1-1, 0.0 s: \+7, g7`)
	v.stop <- os.Interrupt
	v.expect(`White plays g7\.`)
	v.expect("Black to move")
	v.stop <- os.Interrupt
	v.ends()
}

func TestInterruptAtThePromptWarnsFirst(t *testing.T) {
	v := converse(t, nil)
	v.expect("Black to move")
	v.stop <- os.Interrupt
	v.expect("Ctrl-C again, or quit, ends the program")
	v.send("settings") // typing takes the first one back
	v.expect("Seed")
	v.stop <- os.Interrupt
	v.expect("Ctrl-C again")
	v.stop <- os.Interrupt
	v.ends()
}

func TestInterruptedPlayerWithoutAMove(t *testing.T) {
	m, v := whiteThinks(t, "")
	v.stop <- os.Interrupt
	v.expect("White has no move yet; go lets it think again")
	v.expect("paused, White to move")
	v.send("go")
	<-m.started
	v.stop <- os.Interrupt
	v.expect("paused")
	v.stop <- os.Interrupt
	v.ends()
}

func TestCommandsThatCannotWait(t *testing.T) {
	m, v := whiteThinks(t, "g7")
	v.send("moves") // can wait
	v.send("undo")
	v.expect(`White plays g7\.`)
	v.expect(`> moves\n1\. h8 g7`)
	v.expect(`> undo\nTook back 2 moves`)
	v.expect("Black to move")
	v.send("h8")
	<-m.started
	v.send("quit")
	v.ends()
}

func TestEndOfInputWhileThinking(t *testing.T) {
	_, v := whiteThinks(t, "g7")
	v.in.Close()
	v.ends()
}

func TestTerminationWhileThinking(t *testing.T) {
	before := runtime.NumGoroutine()
	m, prepare := withThinker("g7")
	ctx, cancel := context.WithCancel(t.Context())
	c := testConfig(t)
	var out bytes.Buffer
	c.in, c.out = strings.NewReader("h8\n"), &out
	s, err := newSession(ctx, c)
	require.NoError(t, err)
	prepare(s)
	go func() {
		<-m.started
		cancel()
	}()
	require.NoError(t, s.run())
	s.close()
	for late := time.Now().Add(patience); runtime.NumGoroutine() > before && time.Now().Before(late); {
		time.Sleep(time.Millisecond)
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
}

func TestWatchingPauses(t *testing.T) {
	m, prepare := withThinker("g7")
	v := converse(t, prepare, "-black", "easy", "-white", "hard")
	v.expect("Black plays h8")
	<-m.started
	v.stop <- os.Interrupt
	v.expect("White's thinking was stopped; go resumes the game")
	v.expect("paused, White to move")
	v.send("go")
	<-m.started
	v.send("moves")
	v.expect("White's thinking was stopped")
	v.expect(`> moves\n1\. h8\n`)
	v.send("g8") // a move by hand keeps the pause
	v.expect("paused, Black to move")
	v.send("undo")
	v.expect("paused, White to move")
	v.in.Close()
	v.ends()
}

func TestAnalysisEndsWithEnterInterruptOrALine(t *testing.T) {
	v := converse(t, nil, twoPeople...)
	v.expect("Black to move")
	for _, line := range []string{"h8", "g7", "h7"} {
		v.send(line)
		v.expect("to move")
	}
	v.send("analyze")
	v.expect("Enter or Ctrl-C ends the analysis")
	v.expect(`  1\. .*`)
	v.send("")
	v.expect("The analysis was stopped")
	v.send("analyze 1")
	v.expect(`depth`)
	v.stop <- os.Interrupt
	v.expect("The analysis was stopped")
	v.send("analyze")
	v.expect(`depth`)
	v.send("g8")
	v.expect("The analysis was stopped")
	v.expect(`White to move \(o\)> g8`)
	v.expect("Black to move")
	v.send("quit")
	v.ends()
}

// TestGameAgainstEasy plays a whole game through the terminal, as a person who
// asks another engine.
func TestGameAgainstEasy(t *testing.T) {
	me, err := gomoku.NewEngine(gomoku.WithDepth(3), gomoku.WithCandidateCap(10))
	require.NoError(t, err)
	b, err := gomoku.NewBoard(15, gomoku.Renju)
	require.NoError(t, err)
	v := converse(t, nil, "-white", "easy", "-rule", "renju")
	v.expect(`> $`)
	for !b.Over() {
		r, err := me.Search(t.Context(), b)
		require.NoError(t, err)
		require.NoError(t, b.Make(r.Best))
		v.send(r.Best.String())
		if b.Over() {
			break
		}
		p, err := gomoku.ParsePoint(v.expect(`White plays ([a-o]\d+)\.`)[1])
		require.NoError(t, err)
		require.NoError(t, b.Make(p))
	}
	v.expect("game over> $")
	v.in.Close()
	v.ends()
	if b.Winner() == gomoku.Empty {
		assert.Contains(t, v.all.String(), "A draw")
		return
	}
	assert.Contains(t, v.all.String(), title(b.Winner())+" wins with "+pointList(b.WinningLine())+".")
}

// TestRandomCommands types nonsense and sense in any order: nothing panics, and
// what the game notes of itself stays true.
func TestRandomCommands(t *testing.T) {
	dir := t.TempDir()
	words := []string{
		"undo", "redo", "hint", "moves", "board", "fouls", "resign", "swap", "new", "new 6", "new renju", "new caro 5", "back",
		"black me", "black easy", "white me", "white easy", "level normal", "go", "settings", "help undo",
		"save " + dir + "/a.sgf", "save " + dir + "/b.psq", "save! " + dir + "/c.jsonl", "save",
		"load " + dir + "/a.sgf", "load " + dir + "/b.psq", "load " + dir + "/c.jsonl", "", "nonsense", "a99",
	}
	for seed := range uint64(4) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		c := testConfig(t, append([]string{"-size", "7", "-rule", "renju"}, twoPeople...)...)
		c.in, c.out = strings.NewReader(""), io.Discard
		s, err := newSession(t.Context(), c)
		require.NoError(t, err)
		var said []string
		for range 80 {
			line := gomoku.Pt(rnd.IntN(7), rnd.IntN(7)).String()
			if rnd.IntN(2) == 0 {
				line = words[rnd.IntN(len(words))]
			}
			said = append(said, line)
			_ = s.do(line) // a refusal is as good as an answer
			if m := s.toMove(); m != nil && !s.paused && !s.game.over() && !s.watched() {
				s.think(m)
			}
			n := 0
			for range s.game.board.Moves() {
				n++
			}
			require.Len(t, s.game.times, n, "after %q", said)
			require.NoError(t, s.record().Validate(), "after %q", said)
		}
		s.close()
	}
}

// brokenWriter fails after some bytes.
type brokenWriter struct{ left int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestOutputThatFailsEndsTheSession(t *testing.T) {
	c := testConfig(t, "-black", "easy", "-white", "easy")
	c.in, c.out = strings.NewReader(""), &brokenWriter{2000}
	assert.ErrorIs(t, play(t.Context(), c), io.ErrClosedPipe)
}
