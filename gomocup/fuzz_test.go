package gomocup

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

// fuzzServer thinks so little that thousands of commands pass in a second.
func fuzzServer(t testing.TB) *Server {
	return quick(t, WithEngineOptions(gomoku.WithDepth(1), gomoku.WithoutTechniques(gomoku.AllTechniques)), WithTable(1<<16))
}

// referee feeds a server commands one by one, keeps a board of its own by the
// text of the protocol, and checks every answer against it.
type referee struct {
	t     testing.TB
	in    io.Writer
	out   *bufio.Scanner
	board *gomoku.Board // nil before START
	rule  gomoku.Rule
	past  []string // the commands, to be shown
}

func (r *referee) write(lines ...string) {
	for _, line := range lines {
		r.past = append(r.past, line)
		if _, err := io.WriteString(r.in, line+"\n"); err != nil {
			r.fail("write: %v", err)
		}
	}
}

func (r *referee) fail(format string, args ...any) {
	r.t.Helper()
	r.t.Fatalf("%s\nafter\n%s\non\n%v", fmt.Sprintf(format, args...), strings.Join(r.past, "\n"), r.board)
}

// read returns the next answer.
func (r *referee) read() string {
	for r.out.Scan() {
		if !strings.HasPrefix(r.out.Text(), "MESSAGE ") {
			return r.out.Text()
		}
	}
	r.fail("the server has ended: %v", r.out.Err())
	return ""
}

// fence checks that no answer is on its way; it returns one ERROR if there may
// be one.
func (r *referee) fence(mayFail bool) (failed bool) {
	r.write("ABOUT")
	line := r.read()
	if mayFail && strings.HasPrefix(line, "ERROR") {
		failed, line = true, r.read()
	}
	if line != aboutTest {
		r.fail("unexpected answer %q", line)
	}
	return failed
}

// status is for a command that is answered by want or refused.
func (r *referee) status(command, want string) bool {
	r.write(command)
	switch line := r.read(); {
	case line == want:
		r.fence(false)
		return true
	case !strings.HasPrefix(line, "ERROR"):
		r.fail("answer %q", line)
	}
	r.fence(false)
	return false
}

// move is for commands that are answered by a move: before plays the stones
// that the command brings, as the referee sees it, and reports whether they can
// be played.
func (r *referee) move(before func(b *gomoku.Board) bool, commands ...string) {
	r.write(commands...)
	line := r.read()
	r.fence(false)
	var b *gomoku.Board
	legal := r.board != nil
	if legal {
		b = r.board.Clone()
		legal = before(b)
	}
	if !legal {
		if !strings.HasPrefix(line, "ERROR") {
			r.fail("answer %q to an impossible command", line)
		}
		return
	}
	r.board = b // an opponent's stone stays, even if it ends the game
	p, err := parsePoint(line, b.Size())
	switch {
	case b.Over() || stuck(b):
		if !strings.HasPrefix(line, "ERROR") {
			r.fail("answer %q when the game is over", line)
		}
	case err != nil:
		r.fail("answer %q is no move", line)
	default:
		if err := b.Make(p); err != nil {
			r.fail("illegal move %q: %v", line, err)
		}
	}
}

// stuck reports whether the side to move has nothing but fouls.
func stuck(b *gomoku.Board) bool {
	for p := range b.Stones(gomoku.Empty).All() {
		if b.Clone().Make(p) == nil {
			return false
		}
	}
	return true
}

// FuzzServer plays random commands of all kinds, in any order, with points that
// may or may not be playable. Two bytes make one command.
func FuzzServer(f *testing.F) {
	f.Add([]byte{0, 15, 3, 112, 3, 113, 3, 100, 4, 1, 2, 0})
	f.Add([]byte{0, 5, 10, 4, 3, 12, 3, 3, 3, 4, 3, 5, 3, 6, 3, 7, 3, 8, 3, 9, 3, 10})
	f.Add([]byte{0, 20, 9, 1, 9, 2, 9, 3, 9, 4, 9, 5, 6, 0, 7, 0, 8, 3, 8, 5, 8, 0, 5, 50, 11, 3, 12, 0, 13, 9, 1, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) <= 400 {
			randomSession(t, data)
		}
	})
}

// The same with streams at random, which a fuzzer takes long to come to.
func TestRandomCommands(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	streams := 300
	if testing.Short() {
		streams = 30
	}
	for range streams {
		data := []byte{0, byte(5 + rnd.IntN(18))}
		for range 150 {
			data = append(data, byte(rnd.Uint32()))
		}
		randomSession(t, data)
	}
}

func randomSession(t testing.TB, data []byte) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	served := make(chan error, 1)
	go func() {
		err := fuzzServer(t).Serve(t.Context(), inR, outW)
		outW.Close()
		served <- err
	}()
	r := &referee{t: t, in: inW, out: bufio.NewScanner(outR)}
	defer inW.Close()
	for ; len(data) >= 2; data = data[2:] {
		r.command(data[0], int(data[1]), data[2:])
	}
	r.write("END")
	for r.out.Scan() {
		r.fail("answer %q to END", r.out.Text())
	}
	require.NoError(t, <-served)
}

// command carries out one command. rest makes the stones of a position.
func (r *referee) command(kind byte, arg int, rest []byte) {
	size := 15
	if r.board != nil {
		size = r.board.Size()
	}
	p := gomoku.Pt(arg%(size+1), arg/(size+1)%(size+1)) // sometimes off the board
	at := fmt.Sprintf("%d,%d", p.X(), size-1-p.Y())
	switch kind % 15 {
	case 0:
		n := arg % 26
		if r.status(fmt.Sprintf("START %d", n), "OK") != (5 <= n && n <= 22) {
			r.fail("START %d", n)
		}
		if b, err := gomoku.NewBoard(n, r.rule); err == nil {
			r.board = b
		}
	case 1:
		if r.status("restart", "OK") != (r.board != nil) {
			r.fail("RESTART")
		}
		if r.board != nil {
			r.board, _ = gomoku.NewBoard(size, r.rule)
		}
	case 2:
		r.move(func(b *gomoku.Board) bool { return b.Len() == 0 }, "BEGIN")
	case 3:
		r.move(func(b *gomoku.Board) bool { return b.MakeFoul(p) == nil }, "TURN "+at)
	case 4:
		done := r.status("PLAY "+at, at)
		if done != (r.board != nil && r.board.Make(p) == nil) {
			r.fail("PLAY %s", at)
		}
	case 5:
		done := r.status("TAKEBACK "+at, "OK")
		if done != (r.board != nil && r.board.At(p) != gomoku.Empty) {
			r.fail("TAKEBACK %s", at)
		}
		if done {
			r.takeBack(p)
		}
	case 6, 7:
		stones := rest[:min(len(rest), arg%40)]
		lines, place := r.position(stones, size)
		if kind%15 == 6 {
			r.move(place, append(append([]string{"BOARD"}, lines...), "DONE")...)
			return
		}
		r.write("YXBOARD")
		r.write(lines...)
		r.write("DONE")
		failed := r.fence(true)
		if r.board == nil {
			return
		}
		b := r.board.Clone()
		if failed == place(b) {
			r.fail("YXBOARD")
		}
		if !failed {
			r.board = b
		}
	case 8:
		r.write("SWAP2BOARD")
		for i := range arg % 7 {
			r.write(fmt.Sprintf("%d,%d", 2*i%size, i))
		}
		r.write("DONE")
		line := r.read()
		r.fence(false)
		if !regexp.MustCompile(`^(SWAP|\d+,\d+( \d+,\d+){0,2}|ERROR .*)$`).MatchString(line) {
			r.fail("answer %q", line)
		}
	case 9:
		key := [...]string{"timeout_turn", "timeout_match", "time_left", "time_increment", "max_memory", "max_node", "folder", "x"}
		// times are short, so that a test is
		name, value := key[arg%len(key)], arg/8-4
		r.write(fmt.Sprintf("INFO %s %d", name, value))
		least := 0
		switch name {
		case "max_node":
			least = -1
		case "time_left", "folder", "x":
			least = value
		}
		if r.fence(true) != (value < least) {
			r.fail("INFO %s %d", name, value)
		}
		r.write(fmt.Sprintf("INFO thread_num %d", arg%3))
		if r.fence(true) != (arg%3 == 0) {
			r.fail("INFO thread_num")
		}
	case 10:
		r.write(fmt.Sprintf("INFO rule %d", arg%11))
		rule, err := ruleOf(int64(arg % 11))
		if r.fence(true) != (err != nil) {
			r.fail("INFO rule")
		}
		if err == nil && rule != r.rule {
			r.setRule(rule)
		}
	case 11:
		r.move(func(*gomoku.Board) bool { return 1 <= arg && arg <= gomoku.MaxMultiPV }, fmt.Sprintf("YXNBEST %d", arg))
	case 12:
		r.write("YXSHOWFORBID")
		line := r.read()
		r.fence(false)
		if r.board == nil != strings.HasPrefix(line, "ERROR") || r.board != nil && !regexp.MustCompile(`^FORBID (\d{4})*\.$`).MatchString(line) {
			r.fail("answer %q", line)
		}
	case 13:
		r.write("YXSTOP")
		r.fence(false)
	case 14:
		r.write([]string{"nonsense", "DONE", "START", "TURN 1", "BOARDS", "PLAY x,y", "INFO", "TAKEBACK", "RECTSTART 3,4"}[arg%9])
		if line := r.read(); !strings.HasPrefix(line, "ERROR") && !strings.HasPrefix(line, "UNKNOWN") {
			r.fail("answer %q", line)
		}
		r.fence(false)
	}
}

func (r *referee) takeBack(p gomoku.Point) {
	if r.board.LastMove() == p {
		r.board.Undo()
		return
	}
	c := r.board.At(p)
	if err := r.board.SetStone(p, gomoku.Empty); err != nil {
		r.fail("%v", err)
	}
	r.board.SetTurn(c)
}

// position returns the lines of a BOARD and what it does to a board.
func (r *referee) position(data []byte, size int) (lines []string, place func(*gomoku.Board) bool) {
	type stone struct {
		p     gomoku.Point
		field int
	}
	var stones []stone
	for i, c := range data {
		field := 2 - i%2
		if c >= 250 {
			field = int(c) - 250
		}
		p := gomoku.Pt(int(c)%size, int(c)/size%size)
		stones = append(stones, stone{p, field})
		lines = append(lines, fmt.Sprintf("%s,%d", formatPoint(p, size), field))
	}
	return lines, func(b *gomoku.Board) bool {
		counts := [3]int{}
		seen := map[gomoku.Point]bool{}
		for _, s := range stones {
			if s.field < 1 || s.field > 2 || seen[s.p] {
				return false
			}
			counts[s.field]++
			seen[s.p] = true
		}
		colors := [3]gomoku.Color{0, gomoku.Black, gomoku.White}
		if counts[2] > counts[1] {
			colors = [3]gomoku.Color{0, gomoku.White, gomoku.Black}
		}
		fresh, err := gomoku.NewBoard(size, r.rule)
		if err != nil {
			return false
		}
		for _, s := range stones {
			if err := fresh.SetStone(s.p, colors[s.field]); err != nil {
				return false
			}
		}
		fresh.SetTurn(colors[1])
		*b = *fresh
		return true
	}
}

// setRule sets the position up again under another rule.
func (r *referee) setRule(rule gomoku.Rule) {
	r.rule = rule
	if r.board == nil {
		return
	}
	b, err := gomoku.NewBoard(r.board.Size(), rule)
	if err != nil {
		r.fail("%v", err)
	}
	for _, c := range [...]gomoku.Color{gomoku.Black, gomoku.White} {
		for p := range r.board.Stones(c).All() {
			if err := b.SetStone(p, c); err != nil {
				r.fail("%v", err)
			}
		}
	}
	b.SetTurn(r.board.Turn())
	r.board = b
}

// FuzzServerInput feeds text all at once, without waiting for answers. There
// must be no more of them than lines, and an end.
func FuzzServerInput(f *testing.F) {
	for _, tr := range transcripts {
		var input strings.Builder
		for line := range strings.Lines(tr.text) {
			if text, ok := strings.CutPrefix(strings.TrimLeft(line, "\t "), "> "); ok {
				input.WriteString(text)
			}
		}
		f.Add(input.String())
	}
	f.Add("START 20\nINFO timeout_turn 0\nBEGIN\nYXSTOP\nTURN 1,1\nTAKEBACK 1,1\nBOARD\n1,1,2\nDONE\nEND\n")
	point := regexp.MustCompile(`^\d+,\d+( \d+,\d+){0,2}$`)
	f.Fuzz(func(t *testing.T, input string) {
		var out strings.Builder
		require.NoError(t, fuzzServer(t).Serve(t.Context(), strings.NewReader(input), &out))
		lines := strings.FieldsFunc(input, func(r rune) bool { return r == '\n' || r == '\r' })
		answers := 0
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			word, _ := cutWord(line)
			switch {
			case word == "MESSAGE":
				continue
			case word == "OK", word == "ERROR", word == "UNKNOWN", word == "FORBID", word == "SWAP", point.MatchString(line), line == aboutTest:
				answers++
			default:
				t.Fatalf("answer %q to %q", line, input)
			}
		}
		if answers > len(lines) {
			t.Fatalf("%d answers to %d lines: %q", answers, len(lines), input)
		}
	})
}
