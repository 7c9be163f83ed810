package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gomoku-go/gomoku"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newTestMatch prepares the match of a command line.
func newTestMatch(t *testing.T, args ...string) *match {
	t.Helper()
	o, err := parseOptions(args, os.Stderr)
	require.NoError(t, err)
	m, err := o.newMatch()
	require.NoError(t, err)
	return m
}

// runArena runs the program and returns what it writes to standard output.
func runArena(ctx context.Context, t *testing.T, args ...string) (string, error) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer out.Close()
	notes, err := os.Create(filepath.Join(t.TempDir(), "err"))
	require.NoError(t, err)
	defer notes.Close()
	runErr := run(ctx, args, out, notes)
	text, err := os.ReadFile(out.Name())
	require.NoError(t, err)
	return string(text), runErr
}

// moves returns the games of a match without what depends on the machine.
func moves(games []*gameRecord) []string {
	var list []string
	for _, g := range games {
		list = append(list, fmt.Sprintf("%d %s-%s %s %s %s %v %v", g.Game, g.Black, g.White, g.Result, g.Reason, g.Moves, g.Nodes, g.Scores))
	}
	return list
}

var small = []string{"-a", "nodes=150,seed=vary,table=64k", "-b", "nodes=150,cap=6,table=64k", "-size", "9", "-quiet"}

// The games do not depend on how many are played at a time.
func TestMatchIsRepeatable(t *testing.T) {
	one := newTestMatch(t, append(small, "-games", "12")...)
	require.NoError(t, one.run(context.Background()))
	four := newTestMatch(t, append(small, "-games", "12", "-concurrency", "4")...)
	require.NoError(t, four.run(context.Background()))
	require.Len(t, one.results(), 12)
	assertSame(t, moves(one.results()), moves(four.results()))

	other := newTestMatch(t, append(small, "-games", "12", "-seed", "2")...)
	require.NoError(t, other.run(context.Background()))
	assert.NotEqual(t, moves(one.results()), moves(other.results()))
}

// A match that is interrupted again and again, and whose log loses the end of
// its last line each time, ends with the games it would have had anyway.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	whole := newTestMatch(t, append(small, "-games", "16")...)
	require.NoError(t, whole.run(context.Background()))

	logName, sgfName := filepath.Join(dir, "m.jsonl"), filepath.Join(dir, "m.sgf")
	args := append(small, "-games", "16", "-concurrency", "2", "-log", logName, "-sgf", sgfName)
	r := rand.New(rand.NewPCG(1, 1))
	rounds := 0
	for done := false; !done; rounds++ {
		require.Less(t, rounds, 200)
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(20+r.IntN(60))*time.Millisecond)
		if rounds > 20 {
			ctx, cancel = context.WithCancel(context.Background())
		}
		_, err := runArena(ctx, t, args...)
		cancel()
		done = err == nil
		if !done {
			require.ErrorIs(t, err, context.DeadlineExceeded)
			text, err := os.ReadFile(logName)
			require.NoError(t, err)
			assert.True(t, bytes.HasSuffix(text, []byte("\n")), "never half a record")
			if bytes.Count(text, []byte("\n")) > 2 { // a crash in the middle of a write
				require.NoError(t, os.Truncate(logName, int64(len(text)-1-r.IntN(40))))
			}
		}
	}
	text, err := os.ReadFile(logName)
	require.NoError(t, err)
	_, games, err := parseLog(text)
	require.NoError(t, err)
	m := newTestMatch(t, args...)
	require.NoError(t, m.resume(games))
	assertSame(t, moves(whole.results()), moves(m.results()))

	// The records are those of the log, in its order.
	records, err := gomoku.LoadRecords(sgfName, gomoku.ReadOptions{})
	require.NoError(t, err)
	require.Len(t, records, len(games))
	for i, rec := range records {
		assert.Equal(t, fmt.Sprint(games[i].Game+1), rec.Round)
		assert.Equal(t, games[i].Black, rec.Black.Name)
		assert.Equal(t, games[i].Result, rec.Outcome.String())
		assert.Equal(t, games[i].Reason, rec.Reason)
		b, err := rec.Board()
		require.NoError(t, err)
		var played []gomoku.Point
		for p := range b.Moves() {
			played = append(played, p)
		}
		assert.Equal(t, games[i].Moves, gomoku.FormatMoves(played))
	}

	// A finished match plays nothing and reports the same.
	first, err := runArena(context.Background(), t, args...)
	require.NoError(t, err)
	again, err := runArena(context.Background(), t, append(args, "-report")...)
	require.NoError(t, err)
	assert.Equal(t, first, again)
	assert.Contains(t, first, "16 of 16 games")

	// A longer match goes on from a shorter one; another one does not.
	out, err := runArena(context.Background(), t, append(args, "-games", "18")...)
	require.NoError(t, err)
	assert.Contains(t, out, "18 of 18 games")
	_, err = runArena(context.Background(), t, append(args, "-seed", "5")...)
	assert.ErrorContains(t, err, "is the log of another match")
	_, err = runArena(context.Background(), t, append(small, "-sgf", sgfName)...)
	assert.ErrorContains(t, err, "holds other games")
}

func TestLogFaults(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	m := newTestMatch(t, small...)
	write := func(text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o666)) }

	write("notes on my holidays")
	_, _, _, err := openLog(name, m.settings)
	assert.ErrorContains(t, err, "is not the log of a match")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "notes on my holidays", string(text), "left alone")

	write(`{"arena":1,"tourn`) // torn in its first line
	l, games, torn, err := openLog(name, m.settings)
	require.NoError(t, err)
	assert.Empty(t, games)
	assert.Equal(t, 17, torn)
	require.NoError(t, l.add(&gameRecord{Game: 3}))
	require.NoError(t, l.add(&gameRecord{Game: 1}))
	require.NoError(t, l.add(&gameRecord{Game: 3, Reason: "again"}))
	require.NoError(t, l.close())
	assert.Error(t, l.add(&gameRecord{}))

	l, games, torn, err = openLog(name, m.settings)
	require.NoError(t, err)
	require.NoError(t, l.close())
	assert.Zero(t, torn)
	require.Len(t, games, 2, "a game counts once")
	assert.Equal(t, 3, games[0].Game)
	assert.Empty(t, games[0].Reason)

	text, err = os.ReadFile(name)
	require.NoError(t, err)
	write(strings.Replace(string(text), `{"game":1`, `{"game":x`, 1))
	_, _, _, err = openLog(name, m.settings)
	assert.ErrorContains(t, err, ":3: not a game")
}

// A scriptedPlayer plays what the script says.
type scriptedPlayer struct {
	script func(b *gomoku.Board) (reply, error)
}

func (p scriptedPlayer) newGame(context.Context, int, gomoku.Rule, timeControl, uint64) error {
	return nil
}

func (p scriptedPlayer) move(_ context.Context, b *gomoku.Board, _ *clock) (reply, error) {
	return p.script(b)
}
func (p scriptedPlayer) close() error { return nil }

// script returns a player that makes these moves, then the first it can.
func script(moves string) scriptedPlayer {
	points, err := gomoku.ParseMoves(moves)
	if err != nil {
		panic(err)
	}
	return scriptedPlayer{func(b *gomoku.Board) (reply, error) {
		if len(points) > 0 {
			p := points[0]
			points = points[1:]
			return reply{point: p}, nil
		}
		stones := b.Stones(gomoku.Empty)
		return reply{point: stones.Points()[0]}, nil
	}}
}

func scored(scores ...gomoku.Score) scriptedPlayer {
	inner := script("")
	return scriptedPlayer{func(b *gomoku.Board) (reply, error) {
		r, err := inner.script(b)
		if len(scores) > 0 {
			r.score, r.scored = scores[0], true
			if len(scores) > 1 {
				scores = scores[1:]
			}
		}
		return r, err
	}}
}

func failing(err error) scriptedPlayer {
	return scriptedPlayer{func(*gomoku.Board) (reply, error) { return reply{}, err }}
}

func slow(spent time.Duration) scriptedPlayer {
	inner := script("")
	return scriptedPlayer{func(b *gomoku.Board) (reply, error) {
		r, err := inner.script(b)
		r.spent = spent
		return r, err
	}}
}

func TestHowGamesEnd(t *testing.T) {
	turn := timeControl{turn: time.Second}
	for _, c := range []struct {
		name         string
		rule         gomoku.Rule
		size         int
		opening      string
		black, white player
		rules        adjudication
		tc           timeControl
		result       string
		reason       string
		detail       string
	}{
		{name: "five", opening: "h8h1i8i1j8j1k8k1", black: script("l8"), result: blackWins, reason: reasonFive},
		{name: "white's five", opening: "h8h1i8i1j8j1a1k1b5", white: script("l1"), result: whiteWins, reason: reasonFive},
		{
			name: "foul", rule: gomoku.Renju, opening: "j8a1k8a3i9c1i10e1", black: script("i8"),
			result: whiteWins, reason: reasonFoul, detail: "double-three at i8",
		},
		{
			name: "occupied", opening: "h8h9", black: script("h9"), result: whiteWins, reason: reasonIllegal,
			detail: "h9: point is occupied at move 3 of [15 freestyle turn=black moves=h8h9]",
		},
		{
			name: "outside", opening: "h8", white: script("t20"), result: blackWins, reason: reasonIllegal,
			detail: "t20: point is outside the board at move 2 of [15 freestyle turn=black moves=h8]",
		},
		{
			name: "crash", black: failing(&forfeit{reasonCrash, "exit status 3"}), result: whiteWins, reason: reasonCrash,
			detail: "exit status 3 at move 1 of [15 freestyle turn=black]",
		},
		{
			name: "time", black: slow(2 * time.Second), tc: turn, result: whiteWins, reason: reasonTime,
			detail: "2s used of 1s at move 1 of [15 freestyle turn=black]",
		},
		{
			name: "within tolerance", black: slow(1500 * time.Millisecond), tc: turn,
			rules: adjudication{Tolerance: time.Second, DrawAfter: 4}, result: drawn, reason: reasonLength, detail: "4 stones",
		},
		{
			name: "match time", white: slow(400 * time.Millisecond), tc: timeControl{match: time.Second}, result: blackWins, reason: reasonTime,
			detail: "400ms used of 200ms",
		},
		{
			name: "increment", white: slow(400 * time.Millisecond), tc: timeControl{match: time.Second, increment: 400 * time.Millisecond},
			rules: adjudication{DrawAfter: 60}, result: drawn, reason: reasonLength,
		},
		{
			name: "full", rule: gomoku.Standard, size: 5, opening: "a1b1c1d1e1a2b2c2d2e2b3a3d3c3e3a4b4c4d4e4b5a5d5c5", black: script(""),
			result: drawn, reason: reasonFull,
		},
		{
			name: "even", black: scored(10), white: scored(-10), rules: adjudication{DrawScore: 10, DrawMoves: 3, DrawFrom: 8},
			result: drawn, reason: reasonEven,
		},
		{
			name: "not even", black: scored(10), white: scored(-11), rules: adjudication{DrawScore: 10, DrawMoves: 3, DrawAfter: 8},
			result: drawn, reason: reasonLength,
		},
		{
			name: "resign", black: scored(0, -600), white: scored(500), rules: adjudication{ResignScore: 500, ResignMoves: 2},
			result: whiteWins, reason: reasonResign, detail: "score -600",
		},
		{
			name: "resign to a silent player", black: scored(-600), rules: adjudication{ResignScore: 500, ResignMoves: 2},
			result: whiteWins, reason: reasonResign,
		},
		{
			name: "opponent disagrees", black: scored(-600), white: scored(499), rules: adjudication{ResignScore: 500, ResignMoves: 2, DrawAfter: 8},
			result: drawn, reason: reasonLength,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			size := c.size
			if size == 0 {
				size = 15
			}
			b, err := gomoku.ParseBoard(size, c.rule, c.opening)
			require.NoError(t, err)
			players := [3]player{gomoku.Black: c.black, gomoku.White: c.white}
			for i, p := range players {
				if p == nil {
					players[i] = script("")
				}
			}
			clocks := [3]*clock{gomoku.Black: newClock(c.tc), gomoku.White: newClock(c.tc)}
			g := new(gameRecord)
			require.NoError(t, playGame(context.Background(), b, players, clocks, c.rules, g))
			assert.Equal(t, c.result, g.Result)
			assert.Equal(t, c.reason, g.Reason)
			assert.True(t, strings.HasPrefix(g.Detail, c.detail), g.Detail)
			assert.True(t, strings.HasPrefix(g.Moves, c.opening))
		})
	}
}

func TestErrorEndsMatch(t *testing.T) {
	b, err := gomoku.NewBoard(15, gomoku.Freestyle)
	require.NoError(t, err)
	boom := errors.New("boom")
	players := [3]player{gomoku.Black: failing(boom), gomoku.White: failing(boom)}
	clocks := [3]*clock{gomoku.Black: newClock(timeControl{}), gomoku.White: newClock(timeControl{})}
	err = playGame(context.Background(), b, players, clocks, adjudication{}, new(gameRecord))
	assert.ErrorIs(t, err, boom)
}

// The verdict of the test comes from the pairs in the order of the schedule,
// whatever the order in which games finish.
func TestVerdictDoesNotDependOnOrder(t *testing.T) {
	newMatch := func() *match {
		return newTestMatch(t, "-a", "depth=1", "-b", "depth=1", "-games", "400", "-sprt", "elo0=0,elo1=200")
	}
	r := rand.New(rand.NewPCG(4, 4))
	model := modelOf(150, 0.1, 0.1)
	m := newMatch()
	games := make([]*gameRecord, len(m.fixtures))
	for i := 0; i < len(games); i += 2 {
		halves := model.play(r)
		first := min(halves, 2)
		for k, h := range []int{first, halves - first} {
			f := m.fixtures[i+k]
			g := &gameRecord{Game: i + k, Pair: i / 2, Black: m.specs[f.black].name, White: m.specs[f.white].name}
			g.Result = [...]string{whiteWins, drawn, blackWins}[h]
			if f.black != 0 {
				g.Result = [...]string{blackWins, drawn, whiteWins}[h]
			}
			games[i+k] = g
		}
	}
	for _, g := range games {
		m.enter(g)
	}
	require.Equal(t, acceptH1, m.verdict)
	pairs := m.pairs
	for _, c := range []struct {
		extra  int
		logged bool
		want   string
	}{
		{1, false, "Not counted: 1 game finished beyond these\n"},
		{2, true, "Not counted: 2 games finished beyond these, though in the log\n"},
	} {
		clear(m.games[m.counted:])
		copy(m.games[m.counted:], games[m.counted:m.counted+c.extra])
		m.logged = c.logged
		var out bytes.Buffer
		newReport(m, m.results()).write(&out, false)
		assert.Contains(t, out.String(), c.want)
	}
	for range 20 {
		m := newMatch()
		for _, i := range r.Perm(len(games)) {
			m.enter(games[i])
		}
		assert.Equal(t, acceptH1, m.verdict)
		assert.Equal(t, pairs, m.pairs)
		assert.Len(t, m.results(), 2*pairs.total())
	}
}

func TestSPRTStopsMatch(t *testing.T) {
	m := newTestMatch(t, "-a", "depth=3,table=64k", "-b", "level=easy,table=64k", "-size", "9", "-games", "400", "-concurrency", "2", "-sprt", "elo0=0,elo1=200")
	var finished atomic.Int64
	m.finished = func(*gameRecord) { finished.Add(1) }
	require.NoError(t, m.run(context.Background()))
	assert.Equal(t, acceptH1, m.verdict)
	assert.Less(t, finished.Load(), int64(200))
	var out bytes.Buffer
	newReport(m, m.results()).write(&out, true)
	assert.Contains(t, out.String(), "H1 accepted")
	t.Log(out.String())
	require.NoError(t, m.run(context.Background()), "a decided match plays nothing")
}

// The help names what -draw, -resign and -sprt take for keys that are not given.
func TestHelpNamesDefaults(t *testing.T) {
	var help bytes.Buffer
	_, err := parseOptions([]string{"-help"}, &help)
	require.ErrorIs(t, err, flag.ErrHelp)
	var a adjudication
	require.NoError(t, a.parseDraw("score=1"))
	require.NoError(t, a.parseResign("score=1"))
	s, err := parseSPRT("elo1=20")
	require.NoError(t, err)
	for _, want := range []string{
		fmt.Sprintf("without them moves=%d and from=%d", a.DrawMoves, a.DrawFrom),
		fmt.Sprintf("without it moves=%d", a.ResignMoves),
		fmt.Sprintf("without them elo0=%g, alpha=%g, beta=%g and model=logistic", s.elo0, s.alpha, s.beta),
	} {
		assert.Contains(t, help.String(), want)
	}
}

func TestTournamentReport(t *testing.T) {
	out, err := runArena(context.Background(), t, "-each", "table=64k", "-p", "depth=1,name=one", "-p", "depth=2,name=two", "-p", "depth=3,name=three",
		"-size", "9", "-games", "4", "-concurrency", "2")
	require.NoError(t, err)
	assert.Contains(t, out, "12 of 12 games")
	assert.Contains(t, out, "one - two")
	assert.Contains(t, out, "two - three")
	out, err = runArena(context.Background(), t, "-each", "table=64k", "-p", "depth=1,name=one", "-p", "depth=2,name=two", "-p", "depth=3,name=three",
		"-size", "9", "-games", "2", "-tournament", "gauntlet", "-per-opening=false")
	require.NoError(t, err)
	assert.Contains(t, out, "4 of 4 games")
	assert.NotContains(t, out, "two - three")
	assert.NotContains(t, out, "\nopening")
}

func TestCommandLineErrors(t *testing.T) {
	for line, complaint := range map[string]string{
		"":                                                          "two players or more are needed",
		"-a depth=1":                                                "two players or more are needed",
		"-a depth=1 -b depth=x":                                     "not a whole number",
		"-a depth=1,name=q -b name=q":                               `two players are called "q"`,
		"-a depth=1 -b depth=2 -rule go":                            "not one of freestyle",
		"-a depth=1 -b depth=2 -size 30":                            "size is not 5 to 22",
		"-a depth=1 -b depth=2 -games 0":                            "-games must be 1 or more",
		"-a depth=1 -b depth=2 -concurrency 0":                      "-concurrency must be 1 or more",
		"-a depth=1 -b depth=2 -tc fast":                            "time control",
		"-a depth=1 -b depth=2 -sprt elo1":                          "is not key=value",
		"-a depth=1 -b depth=2 -p depth=3 -sprt elo1=5":             "-sprt needs exactly two players",
		"-a depth=1 -b depth=2 -p depth=3 -tournament knockout":     `unknown tournament "knockout"`,
		"-a depth=1 -b depth=2 -order best":                         `unknown order "best"`,
		"-a depth=1 -b depth=2 -draw moves=3":                       "needs a score",
		"-a depth=1 -b depth=2 -resign moves=3":                     "needs a score",
		"-a depth=1 -b depth=2 -openings nowhere":                   "nowhere",
		"-a depth=1 -b depth=2 -report":                             "-report needs -log",
		"-a depth=1 -b depth=2 extra":                               `unexpected "extra"`,
		"-a depth=1 -b depth=2 -draw-after -1":                      "-draw-after can't be negative",
		"-a depth=1 -b cmd=./no-such-brain -games 2 -quiet -size 9": "no-such-brain",
	} {
		_, err := runArena(context.Background(), t, strings.Fields(line)...)
		assert.ErrorContains(t, err, complaint, "%q", line)
	}
}

// Nothing goes on after a match that was cancelled.
func TestNothingLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 5 {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		m := newTestMatch(t, "-a", "depth=8", "-b", "depth=8", "-games", "100", "-concurrency", "3")
		require.NoError(t, m.run(ctx))
		cancel()
	}
	for i := 0; runtime.NumGoroutine() > before && i < 100; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
}

func TestCanonical(t *testing.T) {
	want := canonical("h8i9j8k3", 15)
	points, err := gomoku.ParseMoves("h8i9j8k3")
	require.NoError(t, err)
	for s := range gomoku.Symmetry(gomoku.NumSymmetries) {
		turned := make([]gomoku.Point, len(points))
		for i, p := range points {
			turned[i] = s.Apply(p, 15)
		}
		assert.Equal(t, want, canonical(gomoku.FormatMoves(turned), 15))
	}
	assert.NotEqual(t, want, canonical("h8i9j8k4", 15))
}

// assertSame compares games one by one: a difference shows in its own line.
func assertSame(t *testing.T, want, got []string) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		if want[i] != got[i] {
			assert.Equal(t, want[i], got[i])
			return
		}
	}
}
