package gomocup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

// The test program is also the brain of the tests with processes: called as
// "brain KIND" it behaves as KIND says.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "brain" {
		os.Exit(brain(os.Args[2]))
	}
	os.Exit(m.Run())
}

func brain(kind string) int {
	if kind == "server" {
		s, err := NewServer(WithEngineOptions(gomoku.WithDepth(2)), WithTable(1<<20))
		if err == nil {
			err = s.Serve(context.Background(), os.Stdin, os.Stdout)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		switch word, _ := cutWord(lines.Text()); word {
		case "START":
			if kind == "banner" {
				fmt.Println("usage: banner")
				fmt.Fprintln(os.Stderr, "no licence")
				return 3
			}
			fmt.Println("OK")
		case "ABOUT":
			fmt.Printf("name=%q\n", kind)
		case "END":
			if kind == "deaf" {
				time.Sleep(time.Hour)
			}
			return 0
		case "BEGIN", "TURN", "DONE":
			switch kind {
			case "crash":
				fmt.Fprintln(os.Stderr, "segmentation fault, so to speak")
				return 3
			case "hang":
				time.Sleep(time.Hour)
			case "deaf":
				fmt.Println("7,7")
			}
		}
	}
	return 0
}

func startBrain(t *testing.T, kind string) *Client {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	c, err := Start(t.Context(), program, "brain", kind)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func board(t testing.TB, size int, rule gomoku.Rule, moves string) *gomoku.Board {
	t.Helper()
	b, err := gomoku.ParseBoard(size, rule, moves)
	require.NoError(t, err)
	return b
}

func TestProcess(t *testing.T) {
	leakFree(t)
	c := startBrain(t, "server")
	require.NoError(t, c.SetLimits(Limits{Turn: time.Second, Tolerance: patience, Memory: 50 << 20}))
	require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
	var infos []gomoku.Info
	c.OnMessage(func(m Message) {
		if m.Informed {
			infos = append(infos, m.Info)
		}
	})
	p, err := c.Move(t.Context(), board(t, 15, gomoku.Freestyle, ""), 0)
	require.NoError(t, err)
	assert.Equal(t, gomoku.Pt(7, 7), p)
	require.NotEmpty(t, infos)
	assert.Equal(t, p, infos[len(infos)-1].PV[0])
	assert.Positive(t, infos[len(infos)-1].Depth)
	assert.Positive(t, c.Thought())

	require.NoError(t, c.Close())
	require.NoError(t, c.Close())
	requireGone(t, c)
	_, err = c.About(t.Context())
	assert.ErrorIs(t, err, ErrClosed)
	assert.ErrorIs(t, c.SetLimits(Limits{}), ErrClosed)
	c.Stop()
}

func TestProcessThatCrashes(t *testing.T) {
	leakFree(t)
	c := startBrain(t, "crash")
	require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
	_, err := c.Move(t.Context(), board(t, 15, gomoku.Freestyle, ""), 0)
	require.ErrorIs(t, err, ErrCrashed)
	e, ok := errors.AsType[*BrainError](err)
	require.True(t, ok)
	assert.Equal(t, "move", e.Op)
	assert.Contains(t, e.Detail, "exit status 3")
	assert.Contains(t, e.Detail, "segmentation fault, so to speak")
	requireGone(t, c)
	assert.NoError(t, c.Close())
}

func TestProcessThatHangs(t *testing.T) {
	leakFree(t)
	c := startBrain(t, "hang")
	require.NoError(t, c.SetLimits(Limits{Turn: time.Millisecond, Tolerance: time.Millisecond}))
	require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
	_, err := c.Move(t.Context(), board(t, 15, gomoku.Freestyle, ""), 0)
	assert.ErrorIs(t, err, ErrTimeout)
	requireGone(t, c)
}

func TestProcessThatDoesNotEnd(t *testing.T) {
	leakFree(t)
	c := startBrain(t, "deaf")
	require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
	assert.ErrorIs(t, c.Close(), ErrTimeout)
	requireGone(t, c)
	assert.NoError(t, c.Close())
}

func TestProcessOfCancelledContext(t *testing.T) {
	leakFree(t)
	program, err := os.Executable()
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	c, err := Start(ctx, program, "brain", "hang")
	require.NoError(t, err)
	require.NoError(t, c.NewGame(ctx, 15, gomoku.Freestyle))
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err = c.Move(ctx, board(t, 15, gomoku.Freestyle, ""), 0)
	assert.ErrorIs(t, err, context.Canceled)
	requireGone(t, c)

	_, err = Start(ctx, program, "brain", "server")
	assert.ErrorIs(t, err, context.Canceled)
}

func TestProgramThatDoesNotStart(t *testing.T) {
	leakFree(t)
	for _, program := range []string{"no-such-brain-anywhere", "./no-such-brain", t.TempDir()} {
		_, err := Start(t.Context(), program)
		e, ok := errors.AsType[*BrainError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, "start", e.Op)
	}
}

// fakeBrain is a brain in the test's own process: answer says what it writes
// for a line.
func fakeBrain(t testing.TB, answer func(line string) string) *Client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	go func() {
		defer outW.Close()
		for lines := bufio.NewScanner(inR); lines.Scan(); {
			if lines.Text() == "END" {
				return
			}
			if _, err := io.WriteString(outW, answer(lines.Text())); err != nil {
				return
			}
		}
	}()
	c := NewClient("fake", outR, inW)
	t.Cleanup(func() { c.Close() })
	return c
}

// obedient answers what every brain must, and moves as the caller says.
func obedient(heard *[]string, move func(line string) string) func(string) string {
	return func(line string) string {
		if heard != nil {
			*heard = append(*heard, line)
		}
		switch word, _ := cutWord(line); word {
		case "START", "RESTART":
			return "OK\n"
		case "ABOUT":
			return "name=\"fake\"\n"
		case "BEGIN", "TURN", "DONE", "PLAY":
			return move(line)
		}
		return ""
	}
}

func answering(move string) func(string) string { return func(string) string { return move + "\n" } }

// The brain hears the last move if that is all it lacks, and the position else.
func TestWhatTheBrainIsTold(t *testing.T) {
	ctx := t.Context()
	var heard []string
	next := ""
	c := fakeBrain(t, obedient(&heard, func(string) string { return next }))
	told := func(what ...string) {
		t.Helper()
		assert.Equal(t, what, heard)
		heard = nil
	}
	ask := func(b *gomoku.Board, answer string, left time.Duration) gomoku.Point {
		t.Helper()
		next = answer + "\n"
		p, err := c.Move(ctx, b, left)
		require.NoError(t, err)
		return p
	}
	require.NoError(t, c.NewGame(ctx, 15, gomoku.Renju))
	told("START 15", "INFO rule 4", "INFO game_type 1", "INFO timeout_match 0", "INFO time_left 2147483647", "INFO max_memory 0", "ABOUT")

	b := board(t, 15, gomoku.Renju, "")
	require.NoError(t, b.Make(ask(b, "7,7", 0)))
	told("BEGIN")
	require.NoError(t, b.Make(gomoku.Pt(7, 8)))
	require.NoError(t, b.Make(ask(b, "8,8", 0)))
	told("TURN 7,6")

	b.Undo() // another answer to the same move
	assert.Equal(t, gomoku.Pt(9, 9), ask(b, "9,5", 0))
	told("RESTART", "BOARD", "7,7,1", "7,6,2", "DONE")

	empty := board(t, 15, gomoku.Renju, "")
	ask(empty, "7,7", 0)
	told("RESTART", "BEGIN")

	require.NoError(t, c.SetLimits(Limits{
		Turn: 300 * time.Millisecond, Match: time.Minute, Increment: time.Second, Memory: 1 << 20, Depth: 3, Nodes: 4, Threads: 2,
	}))
	setUp := board(t, 15, gomoku.Renju, "")
	for _, p := range points(t, "a1c1e1") {
		require.NoError(t, setUp.SetStone(p, gomoku.White))
	}
	require.NoError(t, setUp.SetStone(gomoku.Pt(0, 14), gomoku.Black))
	require.NoError(t, setUp.Make(gomoku.Pt(14, 14)))
	ask(setUp, "7,7", 59*time.Second)
	told("INFO timeout_match 60000", "INFO timeout_turn 300", "INFO time_increment 1000", "INFO max_memory 1048576", "INFO max_depth 3",
		"INFO max_node 4", "INFO thread_num 2", "ABOUT", "RESTART", "INFO time_left 59000",
		"BOARD", "0,0,2", "0,14,1", "2,14,1", "4,14,1", "14,0,2", "DONE")

	require.NoError(t, c.SetLimits(Limits{Turn: Fastest}))
	require.NoError(t, c.SetInfo("folder", "x\nEND"))
	require.NoError(t, c.NewGame(ctx, 5, gomoku.Caro))
	told("INFO timeout_match 0", "INFO time_left 2147483647", "INFO timeout_turn 0", "INFO max_memory 0", "INFO folder x END",
		"START 5", "INFO rule 9", "INFO game_type 1", "INFO timeout_match 0", "INFO time_left 2147483647", "INFO timeout_turn 0", "INFO max_memory 0", "ABOUT")
	b = board(t, 5, gomoku.Caro, "a1")
	ask(b, "0,0", 0)
	told("TURN 0,4")
}

func TestBrainThatCannotRestart(t *testing.T) {
	var heard []string
	plain := obedient(&heard, answering("1,1"))
	c := fakeBrain(t, func(line string) string {
		if line == "RESTART" {
			return "UNKNOWN\n"
		}
		return plain(line)
	})
	require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
	for _, moves := range []string{"h8", "i9", "h8i9h9"} {
		_, err := c.Move(t.Context(), board(t, 15, gomoku.Freestyle, moves), 0)
		require.NoError(t, err)
	}
	assert.Contains(t, strings.Join(heard, " "), "START 15 BOARD 7,7,2 8,6,1 7,6,2 DONE")
}

func TestAnswersOfBrains(t *testing.T) {
	for _, c := range []struct {
		answer string
		want   gomoku.Point
		err    error
	}{
		{"3,4", gomoku.Pt(3, 10), nil},
		{"3,4\r", gomoku.Pt(3, 10), nil},
		{"3,4 and good luck", gomoku.Pt(3, 10), nil},
		{"MESSAGE depth 1\nDEBUG x\nmessage 7,7\nOK\nauthor = \"x\", www=\"y\"\n3,4", gomoku.Pt(3, 10), nil},
		{"7,7", gomoku.Pt(7, 7), gomoku.ErrOccupied},
		{"15,0", gomoku.NoPoint, gomoku.ErrOutside},
		{"-1,0", gomoku.NoPoint, gomoku.ErrOutside},
		{"ERROR don't know", gomoku.NoPoint, ErrRefused},
		{"unknown command", gomoku.NoPoint, ErrRefused},
	} {
		fake := fakeBrain(t, obedient(nil, answering(c.answer)))
		require.NoError(t, fake.NewGame(t.Context(), 15, gomoku.Freestyle))
		p, err := fake.Move(t.Context(), board(t, 15, gomoku.Freestyle, "h8"), 0)
		assert.Equal(t, c.want, p, c.answer)
		if c.err == nil {
			assert.NoError(t, err, c.answer)
			continue
		}
		assert.ErrorIs(t, err, c.err, c.answer)
		if c.err != ErrRefused {
			assert.ErrorIs(t, err, ErrIllegalMove)
		}
		about, err := fake.About(t.Context())
		assert.NoError(t, err, "it must live on")
		assert.Equal(t, `name="fake"`, about)
	}
}

// What is no move is an error at once, whatever the time, and the brain's words
// are not lost.
func TestNonsense(t *testing.T) {
	for _, answer := range []string{"hello world", "7", "h8", "7;7", `see "x=1"`, "TURN 7,7", "99999999999999999999,1", "PLAY 1,2"} {
		c := fakeBrain(t, obedient(nil, answering("MESSAGE thinking\n"+answer)))
		require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
		p, err := c.Move(t.Context(), board(t, 15, gomoku.Freestyle, "h8"), 0)
		assert.Equal(t, gomoku.NoPoint, p)
		require.ErrorIs(t, err, ErrNoMove, answer)
		assert.Equal(t, "gomocup: fake: move: the brain's answer is no move ("+answer+")", err.Error())
		_, err = c.About(t.Context())
		assert.ErrorIs(t, err, ErrClosed, "a move that came late would be taken for another answer")
	}
	long := fakeBrain(t, obedient(nil, answering(strings.Repeat("ü", 2000))))
	require.NoError(t, long.NewGame(t.Context(), 15, gomoku.Freestyle))
	_, err := long.Move(t.Context(), board(t, 15, gomoku.Freestyle, ""), 0)
	require.ErrorIs(t, err, ErrNoMove)
	assert.Less(t, len(err.Error()), 600)
}

// Text that is passed over is in the error if nothing better comes.
func TestStrayLinesAreReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fakeBrain(t, answering("Welcome!\nWhat is your name?"))
		err := c.NewGame(t.Context(), 15, gomoku.Freestyle)
		assert.ErrorIs(t, err, ErrTimeout)
		assert.EqualError(t, err, "gomocup: fake: new game: the brain did not answer in time (What is your name?)")
	})
	synctest.Test(t, func(t *testing.T) {
		c := fakeBrain(t, obedient(nil, answering("OK")))
		require.NoError(t, c.SetLimits(Limits{Turn: time.Second}))
		require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
		_, err := c.Move(t.Context(), board(t, 15, gomoku.Freestyle, ""), 0)
		assert.EqualError(t, err, "gomocup: fake: move: the brain did not answer in time (OK)")
	})
	c := startBrain(t, "banner")
	err := c.NewGame(t.Context(), 15, gomoku.Freestyle)
	assert.ErrorIs(t, err, ErrCrashed)
	assert.ErrorContains(t, err, "(exit status 3: usage: banner: no licence)")
}

func TestFoulOfABrain(t *testing.T) {
	c := fakeBrain(t, obedient(nil, answering("6,7")))
	require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Renju))
	b := board(t, 15, gomoku.Renju, "h8a15i8a13g7a11g6a9")
	p, err := c.Move(t.Context(), b, 0)
	assert.Equal(t, gomoku.Pt(6, 7), p)
	assert.ErrorIs(t, err, gomoku.ErrFoul)
	assert.ErrorIs(t, err, ErrIllegalMove)
	assert.Equal(t, "gomocup: fake: move: the brain made an illegal move: gomoku: make g8: move is a foul: double-three", err.Error())
}

func TestSuggestion(t *testing.T) {
	var heard []string
	c := fakeBrain(t, obedient(&heard, func(line string) string {
		if line == "PLAY 3,4" {
			return "3,4\n"
		}
		return "SUGGEST 3,4\n"
	}))
	require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
	p, err := c.Move(t.Context(), board(t, 15, gomoku.Freestyle, ""), 0)
	require.NoError(t, err)
	assert.Equal(t, gomoku.Pt(3, 10), p)
}

func TestBrainThatRefusesTheGame(t *testing.T) {
	for name, answer := range map[string]func(string) string{
		"size": func(line string) string {
			if strings.HasPrefix(line, "START") {
				return "ERROR size\n"
			}
			return "UNKNOWN\n"
		},
		"rule": func(line string) string {
			if strings.HasPrefix(line, "INFO rule") {
				return "ERROR rule\n"
			}
			return obedient(nil, nil)(line)
		},
	} {
		c := fakeBrain(t, answer)
		err := c.NewGame(t.Context(), 15, gomoku.Caro)
		require.ErrorIs(t, err, ErrRefused, name)
		e, _ := errors.AsType[*BrainError](err)
		assert.Equal(t, "ERROR "+name, e.Detail)
	}
	c := fakeBrain(t, obedient(nil, nil))
	assert.Error(t, c.NewGame(t.Context(), 15, 200))
	silent := fakeBrain(t, func(line string) string { // ABOUT is optional
		if line == "ABOUT" {
			return "UNKNOWN\n"
		}
		return obedient(nil, nil)(line)
	})
	assert.NoError(t, silent.NewGame(t.Context(), 15, gomoku.Freestyle))
}

func TestMoveRefusesBoards(t *testing.T) {
	c := fakeBrain(t, obedient(nil, answering("1,1")))
	_, err := c.Move(t.Context(), board(t, 15, gomoku.Freestyle, ""), 0)
	assert.ErrorContains(t, err, "not that of the game")
	require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
	_, err = c.Move(t.Context(), nil, 0)
	assert.ErrorIs(t, err, gomoku.ErrNilBoard)
	_, err = c.Move(t.Context(), board(t, 20, gomoku.Freestyle, ""), 0)
	assert.ErrorContains(t, err, "not that of the game")
	_, err = c.Move(t.Context(), board(t, 15, gomoku.Standard, ""), 0)
	assert.ErrorContains(t, err, "not that of the game")
	_, err = c.Move(t.Context(), board(t, 15, gomoku.Freestyle, "a1a2b1b2c1c2d1d2e1"), 0)
	assert.ErrorIs(t, err, gomoku.ErrGameOver)
}

func TestPipeThatBreaks(t *testing.T) {
	c := fakeBrain(t, obedient(nil, func(string) string { return "MESSAGE last words\n" }))
	require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
	r, w := io.Pipe()
	w.Close()
	broken := NewClient("broken", r, w)
	_, err := broken.About(t.Context())
	assert.ErrorIs(t, err, ErrCrashed)
	_, err = broken.About(t.Context())
	assert.ErrorIs(t, err, ErrClosed)
}

// With the clock of the bubble, times are exact.
func TestTimeLimits(t *testing.T) {
	const turn, tolerance = 5 * time.Second, 300 * time.Millisecond
	for _, c := range []struct {
		name   string
		limits Limits
		left   time.Duration
		delay  time.Duration // of the answer
		want   time.Duration // 0: it is in time
	}{
		{"in time", Limits{Turn: turn}, 0, turn, 0},
		{"within the tolerance", Limits{Turn: turn, Tolerance: tolerance}, 0, turn + tolerance/2, 0},
		{"too late", Limits{Turn: turn, Tolerance: tolerance}, 0, turn + 2*tolerance, turn + tolerance},
		{"default tolerance", Limits{Turn: turn}, 0, time.Hour, turn + time.Second},
		{"no tolerance", Limits{Turn: turn, Tolerance: -1}, 0, turn + 1, turn},
		{"little left", Limits{Turn: turn, Match: time.Minute}, time.Second, time.Hour, 2 * time.Second},
		{"nothing left", Limits{Match: time.Minute}, -time.Second, time.Hour, time.Second},
		{"fastest", Limits{Turn: Fastest}, 0, time.Hour, time.Second},
		{"no limit", Limits{}, 0, time.Hour, 0},
		{"nodes", Limits{Nodes: 100}, 0, time.Hour, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				defer time.Sleep(2 * time.Hour) // until the brain is awake, and sees that nobody listens
				client := fakeBrain(t, obedient(nil, func(string) string {
					time.Sleep(c.delay)
					return "7,7\n"
				}))
				require.NoError(t, client.SetLimits(c.limits))
				require.NoError(t, client.NewGame(t.Context(), 15, gomoku.Freestyle))
				time.Sleep(settleTime)
				start := time.Now()
				p, err := client.Move(t.Context(), board(t, 15, gomoku.Freestyle, ""), c.left)
				if c.want == 0 {
					require.NoError(t, err)
					assert.Equal(t, gomoku.Pt(7, 7), p)
					assert.Equal(t, c.delay, time.Since(start))
					assert.Equal(t, c.delay, client.Thought())
					return
				}
				assert.ErrorIs(t, err, ErrTimeout)
				assert.Equal(t, c.want, time.Since(start))
				_, err = client.Move(t.Context(), board(t, 15, gomoku.Freestyle, ""), c.left)
				assert.ErrorIs(t, err, ErrClosed)
			})
		})
	}
}

func TestCancelledMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer time.Sleep(2 * time.Minute)
		c := fakeBrain(t, obedient(nil, func(string) string {
			time.Sleep(time.Minute)
			return ""
		}))
		require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := c.Move(ctx, board(t, 15, gomoku.Freestyle, ""), 0)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.NotErrorIs(t, err, ErrTimeout)
		assert.LessOrEqual(t, time.Since(start), time.Second+settleTime)
	})
}

// A brain that neither answers nor reads holds nobody up for ever.
func TestDeadBrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, inW := io.Pipe()
		outR, _ := io.Pipe()
		c := NewClient("dead", outR, inW)
		start := time.Now()
		assert.ErrorIs(t, c.NewGame(t.Context(), 15, gomoku.Freestyle), ErrTimeout)
		assert.Equal(t, answerTime, time.Since(start))

		_, inW = io.Pipe()
		outR, _ = io.Pipe()
		c = NewClient("dead", outR, inW)
		start = time.Now()
		assert.ErrorIs(t, c.Close(), ErrTimeout)
		assert.Equal(t, endTime, time.Since(start))
	})
}

// Stop is for a brain that thinks too long for the user.
func TestStop(t *testing.T) {
	leakFree(t)
	c := pipedServer(t, func() *Server {
		s, err := NewServer(WithTable(1 << 20))
		require.NoError(t, err)
		return s
	}())
	require.NoError(t, c.SetLimits(Limits{Turn: time.Hour}))
	require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
	time.AfterFunc(20*time.Millisecond, c.Stop)
	start := time.Now()
	_, err := c.Move(t.Context(), board(t, 15, gomoku.Freestyle, "h8i9"), 0)
	require.NoError(t, err)
	assert.Less(t, time.Since(start), late)
	require.NoError(t, c.Close())
}

func pipedServer(t testing.TB, s *Server) *Client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	go func() {
		err := s.Serve(context.Background(), inR, outW)
		outW.CloseWithError(err)
	}()
	c := NewClient("server", outR, inW)
	t.Cleanup(func() { c.Close() })
	return c
}

// Server and Client play each other under every rule. The command with
// -selftest plays many more games, with processes.
func TestGames(t *testing.T) {
	leakFree(t)
	for rule := range gomoku.Rule(4) {
		for _, size := range []int{5, 15, 22} {
			t.Run(fmt.Sprintf("rule=%v/size=%d", rule, size), func(t *testing.T) {
				var brains [2]*Client
				for i := range brains {
					brains[i] = pipedServer(t, quick(t, WithEngineOptions(gomoku.WithSeed(uint64(i+1)))))
					require.NoError(t, brains[i].SetLimits(Limits{Turn: 20 * time.Millisecond, Tolerance: patience, Depth: 2}))
					require.NoError(t, brains[i].NewGame(t.Context(), size, rule))
				}
				b := board(t, size, rule, "")
				for !b.Over() {
					p, err := brains[b.Len()%2].Move(t.Context(), b, 0)
					require.NoError(t, err, "%v", b)
					require.NoError(t, b.Make(p))
				}
				for _, c := range brains {
					require.NoError(t, c.Close())
				}
			})
		}
	}
}
