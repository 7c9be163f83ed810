package gomocup

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

// quick is a server that thinks two plies deep, which takes no time.
func quick(t testing.TB, opts ...ServerOption) *Server {
	t.Helper()
	opts = append([]ServerOption{
		WithAbout(About{Name: "test", Version: "1"}),
		WithEngineOptions(gomoku.WithDepth(2)), WithTable(1 << 20), WithSwapSeed(1),
	}, opts...)
	s, err := NewServer(opts...)
	require.NoError(t, err)
	return s
}

// manager is the other end of a server's pipes.
type manager struct {
	t      testing.TB
	in     *io.PipeWriter // to the server
	lines  chan string    // from the server, without MESSAGE lines
	served chan error     // what Serve returned

	messages []string // valid after lines is closed
}

func serve(t testing.TB, s *Server) *manager {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	m := &manager{t: t, in: inW, lines: make(chan string, 100), served: make(chan error, 1)}
	go func() {
		err := s.Serve(t.Context(), inR, outW)
		outW.Close()
		m.served <- err
	}()
	go func() {
		defer close(m.lines)
		for lines := bufio.NewScanner(outR); lines.Scan(); {
			if text, ok := strings.CutPrefix(lines.Text(), "MESSAGE "); ok {
				m.messages = append(m.messages, text)
				continue
			}
			m.lines <- lines.Text()
		}
	}()
	t.Cleanup(func() {
		m.in.Close()
		for range m.lines {
		}
	})
	return m
}

func (m *manager) send(lines ...string) {
	m.t.Helper()
	for _, line := range lines {
		_, err := io.WriteString(m.in, line+"\n")
		require.NoError(m.t, err)
	}
}

// patience is how long a test waits for what should come at once, on a machine
// that may be busy with other things.
const patience = 2 * time.Minute

func (m *manager) receive() string {
	m.t.Helper()
	select {
	case line, ok := <-m.lines:
		require.True(m.t, ok, "the server has ended")
		return line
	case <-time.After(patience):
		require.FailNow(m.t, "no answer")
	}
	return ""
}

var aboutTest = `name="test", version="1"`

// settled checks that there is no answer on its way.
func (m *manager) settled() {
	m.t.Helper()
	m.send("ABOUT")
	require.Equal(m.t, aboutTest, m.receive())
}

// end has the server end and checks that nothing more comes.
func (m *manager) end() {
	m.t.Helper()
	m.settled()
	m.send("END")
	m.ended(nil)
}

func (m *manager) ended(want error) {
	m.t.Helper()
	for line := range m.lines {
		assert.Fail(m.t, "answer at the end", line)
	}
	err := <-m.served
	if want == nil {
		assert.NoError(m.t, err)
	} else {
		assert.ErrorIs(m.t, err, want)
	}
}

// transcripts are conversations: "> " goes to the server, "< " is a pattern for
// the next answer. "move" stands for a point. Between the lines there must be
// no other answer, except that MESSAGE lines are not looked at.
var transcripts = []struct{ name, text string }{
	{"start", `
		> START 15
		< OK
		> START 20
		< OK
		> START 5
		< OK
		> START 22
		< OK`},
	{"start refused", `
		> START 4
		< ERROR size 4 is not supported, only 5 to 22, for example 20
		> START 30
		< ERROR size 30 .*
		> START -15
		< ERROR size -15 .*
		> START
		< ERROR malformed arguments
		> START fifteen
		< ERROR malformed arguments
		> START 15 15
		< ERROR malformed arguments
		> BEGIN
		< ERROR there is no game, START comes first`},
	{"start refused leaves the game", `
		> START 15
		< OK
		> START 99
		< ERROR .*
		> TURN 14,14
		< move`},
	{"rectstart", `
		> RECTSTART 30,20
		< ERROR rectangular boards are not supported, only square ones of 5 to 22
		> RECTSTART 20
		< ERROR malformed arguments
		> RECTSTART 15 , 15
		< OK
		> RECTSTART 23,23
		< ERROR size 23 .*`},
	{"restart", `
		> RESTART
		< ERROR there is no game, START comes first
		> START 15
		< OK
		> TURN 7,7
		< move
		> RESTART
		< OK
		> BEGIN
		< 7,7`},
	{"begin", `
		> BEGIN
		< ERROR there is no game, START comes first
		> START 15
		< OK
		> BEGIN 7
		< ERROR malformed arguments
		> BEGIN
		< 7,7
		> BEGIN
		< ERROR the board is not empty`},
	{"turn", `
		> TURN 7,7
		< ERROR there is no game, START comes first
		> START 15
		< OK
		> TURN 7,7
		< move
		> TURN 7,7
		< ERROR 7,7: point is occupied
		> TURN 15,7
		< ERROR 15,7 is outside the board
		> TURN 7,-1
		< ERROR 7,-1 is outside the board
		> TURN
		< ERROR not a point x,y
		> TURN h8
		< ERROR not a point x,y
		> TURN 0,0
		< move`},
	{"top and left", `
		> START 15
		< OK
		> BOARD
		> 0,0,2
		> 0,1,2
		> 0,2,2
		> 0,3,2
		> 14,0,1
		> 14,4,1
		> 10,0,1
		> 7,12,1
		> DONE
		< 0,4`},
	{"board in play order", `
		> START 15
		< OK
		> BOARD
		> 7,7,2
		> 8,8,1
		> 8,7,2
		> DONE
		< move
		> TAKEBACK 8,7
		< OK`},
	{"board of own stones first", `
		> START 15
		< OK
		> BOARD
		> 7,7,1
		> 7,8,1
		> 7,9,1
		> 7,10,1
		> 0,0,2
		> 2,0,2
		> 4,0,2
		> 6,0,2
		> DONE
		< 7,(6|11)
		> TURN 0,2
		< ERROR the game is over: black has won
		> TAKEBACK 0,0
		< OK
		> TAKEBACK 7,8
		< OK
		> TURN 14,14
		< move`},
	{"board of unequal counts", `
		> START 15
		< OK
		> BOARD
		> 7,7,2
		> 7,8,2
		> 7,9,2
		> DONE
		< move
		> BOARD
		> 7,7,1
		> 7,8,1
		> 7,9,1
		> 7,10,1
		> DONE
		< 7,(6|11)`},
	{"board without stones", `
		> START 15
		< OK
		> BOARD
		> DONE
		< 7,7`},
	{"board refused", `
		> BOARD
		> 7,7,2
		> DONE
		< ERROR there is no game, START comes first
		> START 15
		< OK
		> BOARD
		> 7,7,3
		> DONE
		< ERROR "7,7,3": field 3 belongs to continuous games, which are not supported
		> BOARD
		> 7,7,4
		> DONE
		< ERROR "7,7,4" is not x,y,field with field 1 or 2
		> BOARD
		> 8,8,1
		>   7,7
		> 9,9,2
		> DONE
		< ERROR "7,7" is not x,y,field with field 1 or 2
		> BOARD
		> 7;7;1 "ü" and a lot of text that is behind it
		> DONE
		< ERROR "7;7;1 .{1,60}" is not x,y,field with field 1 or 2
		> BOARD
		> 7,7,2
		> 7,7,1
		> DONE
		< ERROR 7,7 has two stones
		> BOARD
		> 15,0,2
		> nonsense
		> 7,7,1
		> DONE
		< ERROR 15,0 is outside the board
		> BOARD 3
		> 7,7,1
		> DONE
		< ERROR malformed arguments
		> DONE
		< ERROR DONE without BOARD
		> BEGIN
		< 7,7`},
	{"board that is never done", `
		> START 15
		< OK
		> BOARD
		> 7,7,2
		> ABOUT
		< ERROR DONE is missing
		< name="test", version="1"
		> BOARD
		> 7,7,2
		> START 15
		< ERROR DONE is missing
		< OK
		> BOARD
		> BOARD
		< ERROR DONE is missing
		> 7,7,2
		> DONE
		< move`},
	{"board of a finished game", `
		> START 15
		< OK
		> BOARD
		> 7,7,2
		> 7,8,2
		> 7,9,2
		> 7,10,2
		> 7,11,2
		> DONE
		< ERROR the game is over: black has won
		> RESTART
		< OK
		> BEGIN
		< move`},
	{"play", `
		> PLAY 3,3
		< ERROR there is no game, START comes first
		> START 15
		< OK
		> PLAY 3,3
		< 3,3
		> TURN 4,4
		< move
		> PLAY 3,3
		< ERROR 3,3: point is occupied
		> PLAY 99,3
		< ERROR 99,3 is outside the board
		> PLAY
		< ERROR not a point x,y`},
	{"takeback", `
		> TAKEBACK 7,7
		< ERROR there is no game, START comes first
		> START 15
		< OK
		> TURN 7,7
		< move
		> TAKEBACK 0,0
		< ERROR there is no stone at 0,0
		> TAKEBACK 44,0
		< ERROR 44,0 is outside the board
		> TAKEBACK 7,7
		< OK
		> TAKEBACK 7,7
		< ERROR there is no stone at 7,7`},
	{"takeback of everything", `
		> START 15
		< OK
		> PLAY 7,7
		< 7,7
		> TAKEBACK 7,7
		< OK
		> BEGIN
		< 7,7`},
	{"game over", `
		> START 5
		< OK
		> BOARD
		> 0,0,2
		> 4,0,1
		> 0,1,2
		> 4,1,1
		> 0,2,2
		> 4,2,1
		> 0,3,2
		> 3,0,1
		> 4,3,2
		> DONE
		< 0,4
		> TURN 1,1
		< move
		> TAKEBACK 1,1
		< OK`},
	{"info", `
		> INFO timeout_turn 100
		> INFO timeout_match 100000
		> INFO time_left 2147483647
		> INFO time_left -4517254
		> INFO max_memory 0
		> INFO max_memory 83886080
		> INFO max_memory 2147483647
		> INFO max_memory 1
		> INFO game_type 1
		> INFO rule 0
		> INFO evaluate 3,4
		> INFO folder C:\Program Data\x
		> INFO max_depth 3
		> INFO max_node 1000
		> INFO thread_num 4
		> INFO time_increment 100
		> INFO something new
		> INFO timeout_turn 9223372036854775807
		> INFO timeout_match 0
		> INFO timeout_match 2147483647
		> INFO timeout_match 100000000000
		> INFO max_depth 225
		> INFO max_node 9223372036854775807
		> INFO thread_num 256
		> INFO thread_num 1
		> INFO TIMEOUT_TURN 0
		> START 15
		< OK
		> BEGIN
		< move`},
	{"info refused", `
		> INFO
		< ERROR malformed arguments
		> INFO timeout_turn
		< ERROR INFO timeout_turn: malformed arguments
		> INFO timeout_turn soon
		< ERROR INFO timeout_turn: malformed arguments
		> INFO rule renju
		< ERROR INFO rule: malformed arguments
		> INFO timeout_turn -1
		< ERROR INFO timeout_turn: -1 is less than 0
		> INFO timeout_match -5
		< ERROR INFO timeout_match: -5 is less than 0
		> INFO time_increment -2
		< ERROR INFO time_increment: -2 is less than 0
		> INFO max_memory -3
		< ERROR INFO max_memory: -3 is less than 0
		> INFO MAX_DEPTH -4
		< ERROR INFO max_depth: -4 is less than -1
		> INFO max_node -2
		< ERROR INFO max_node: -2 is less than -1
		> INFO thread_num 0
		< ERROR INFO thread_num: 0 is less than 1
		> INFO thread_num 257
		< ERROR INFO thread_num: 257 is more than 256
		> INFO time_left 99999999999999999999999
		< ERROR INFO time_left: "99999999999999999999999" is too large a number
		> INFO max_node -99999999999999999999999
		< ERROR INFO max_node: "-99999999999999999999999" is too large a number
		> INFO rule 8
		< ERROR rule 8 is not supported, only 0 freestyle, 1 standard, 2 or 4 renju, 9 caro; the rule is still freestyle
		> INFO rule 1
		> INFO rule 3
		< ERROR rule 3 .*; the rule is still standard`},
	{"rules", `
		> START 15
		< OK
		> INFO rule 1
		> BOARD
		> 7,2,1
		> 7,3,1
		> 7,4,1
		> 7,5,1
		> 7,7,1
		> 0,0,2
		> 2,0,2
		> 4,0,2
		> 6,0,2
		> 8,0,2
		> DONE
		< 7,1
		> INFO rule 9
		> BOARD
		> 7,3,1
		> 7,4,1
		> 7,5,1
		> 7,6,1
		> 7,1,2
		> 7,8,2
		> 4,0,2
		> 6,0,2
		> 8,0,2
		> DONE
		< 7,(2|7)`},
	{"a rule during the game", `
		> START 15
		< OK
		> TURN 7,7
		< move
		> INFO rule 4
		> TURN 0,0
		< move
		> INFO rule 1
		> TURN 0,14
		< move`},
	{"foul of the opponent", `
		> START 15
		< OK
		> INFO rule 4
		> BOARD
		> 7,7,2
		> 0,0,1
		> 8,7,2
		> 0,2,1
		> 6,8,2
		> 0,4,1
		> 6,9,2
		> DONE
		< move
		> TURN 6,7
		< ERROR the game is over: black has lost by a foul
		> TURN 1,7
		< ERROR the game is over: black has lost by a foul
		> PLAY 1,7
		< ERROR the game is over: black has lost by a foul
		> TAKEBACK 6,7
		< OK
		> TURN 14,14
		< move`},
	{"swap2", `
		> SWAP2BOARD
		> DONE
		< ERROR there is no game, START comes first
		> START 15
		< OK
		> SWAP2BOARD
		> DONE
		< move move move
		> SWAP2BOARD
		> 7,7
		> 8,7
		> 9,9
		> DONE
		< (SWAP|move|move move)
		> SWAP2BOARD
		> 7,7
		> 8,7
		> 9,9
		> 8,8
		> 8,6
		> DONE
		< (SWAP|move)
		> BOARD
		> 7,7,2
		> 8,7,1
		> 9,9,2
		> DONE
		< move`},
	{"swap2 refused", `
		> START 15
		< OK
		> SWAP2BOARD
		> 7,7
		> DONE
		< ERROR SWAP2BOARD has 1 stones, not 0, 3 or 5
		> SWAP2BOARD
		> 7,7
		> 7,7
		> 8,8
		> DONE
		< ERROR 7,7 has two stones
		> SWAP2BOARD
		> 7
		> DONE
		< ERROR "7" is not x,y
		> SWAP2BOARD
		> 7,7,black
		> DONE
		< ERROR "7,7,black" is not x,y
		> SWAP2BOARD
		> 7,7,1
		> 7,8,2
		> 8,8
		> DONE
		< (SWAP|move|move move)`},
	{"the opponent wins", `
		> START 15
		< OK
		> YXBOARD
		> 7,7,2
		> 0,0,1
		> 7,8,2
		> 2,0,1
		> 7,9,2
		> 4,0,1
		> 7,10,2
		> DONE
		> PLAY 14,0
		< 14,0
		> TURN 7,11
		< ERROR the game is over: black has won
		> TURN 14,14
		< ERROR the game is over: black has won
		> TAKEBACK 7,11
		< OK`},
	{"yixin", `
		> YXBOARD
		> DONE
		< ERROR there is no game, START comes first
		> YXSHOWFORBID
		< ERROR there is no game, START comes first
		> YXNBEST 2
		< ERROR there is no game, START comes first
		> YXSTOP
		> START 15
		< OK
		> YXBOARD
		> 7,7,1
		> 0,0,2
		> DONE
		> YXNBEST 3
		< move
		> YXNBEST
		< ERROR malformed arguments
		> YXNBEST 0
		< ERROR malformed arguments
		> YXSTOP
		> YXSHOWFORBID
		< FORBID \.
		> YXBOARD
		> 7,7,3
		> DONE
		< ERROR "7,7,3": field 3 .*`},
	{"forbidden points", `
		> START 15
		< OK
		> INFO rule 2
		> YXBOARD
		> 7,7,1
		> 0,0,2
		> 8,7,1
		> 0,2,2
		> 6,8,1
		> 0,4,2
		> 6,9,1
		> 0,6,2
		> DONE
		> YXSHOWFORBID
		< FORBID 0607\.`},
	{"about", `
		> ABOUT
		< name="test", version="1"
		> about me
		< name="test", version="1"`},
	{"unknown", `
		> SING
		< UNKNOWN command "SING"
		> 7,7,1
		< UNKNOWN command "7,7,1"
		> ünknown
		< UNKNOWN command "\\u00dcNKNOWN"
		> YXBALANCEONE 3
		< UNKNOWN command "YXBALANCEONE"`},
	{"case and spaces", `
		>   start    15  ` + "\r" + `
		< OK
		> Begin ` + "\r" + `
		< 7,7
		> tuRN 	 1 ,  2
		< move
		> board` + "\r" + `
		>  1 , 1 , 1 ` + "\r" + `
		> done` + "\r" + `
		< move
		> info   timeout_turn	 100
		> yxshowforbid
		< FORBID \.`},
}

func TestTranscripts(t *testing.T) {
	const point = `\d+,\d+`
	for _, tr := range transcripts {
		t.Run(tr.name, func(t *testing.T) {
			t.Parallel()
			m := serve(t, quick(t))
			last := ""
			for line := range strings.Lines(strings.TrimSpace(tr.text)) {
				line = strings.TrimLeft(strings.TrimSuffix(line, "\n"), "\t ")
				if text, ok := strings.CutPrefix(line, "> "); ok {
					m.send(text)
					last = text
					continue
				}
				want := strings.ReplaceAll(strings.TrimPrefix(line, "< "), "move", point)
				require.Regexp(t, regexp.MustCompile("^("+want+")$"), m.receive(), "after %q", last)
			}
			m.end()
		})
	}
}

// A refused INFO leaves the setting as it was; a negative rest of the time is
// none, and without a limit nothing at all.
func TestInfoValues(t *testing.T) {
	s := &session{cfg: &quick(t).cfg}
	info := func(args string) error { return s.info(t.Context(), args, time.Time{}) }
	for _, key := range []string{"timeout_turn", "timeout_match", "time_left", "time_increment", "max_memory", "max_depth", "max_node", "thread_num"} {
		require.NoError(t, info(key+" 7"))
	}
	before := *s
	for _, args := range []string{
		"timeout_turn -1", "timeout_match -1", "time_increment -1", "max_memory -1", "max_depth -2", "max_node -2",
		"thread_num 0", "thread_num -1", "thread_num 1000000", "time_left 9223372036854775808", "rule 9223372036854775808", "rule -1",
	} {
		assert.Error(t, info(args), args)
		assert.Equal(t, before.clock, s.clock, args)
		assert.Equal(t, [...]int64{7, 7, 7, 7}, [...]int64{s.memory, int64(s.depth), s.nodes, int64(s.threads)}, args)
		assert.Equal(t, gomoku.Freestyle, s.rule, args)
	}
	require.NoError(t, info("max_depth -1"))
	require.NoError(t, info("max_node -1"))
	assert.Zero(t, s.depth)
	assert.Zero(t, s.nodes)
	require.NoError(t, info("time_left -4517254"))
	assert.True(t, s.clock.hasLeft)
	assert.Zero(t, s.clock.left)
	require.NoError(t, info("timeout_match 0"))
	require.NoError(t, info("time_left -4517254"))
	assert.False(t, s.clock.hasLeft)
}

// Managers compare with "OK" and nothing else, and read lines.
func TestAnswersByteForByte(t *testing.T) {
	var out strings.Builder
	err := quick(t).Serve(t.Context(), strings.NewReader("START 15\r\nRESTART\r\nTAKEBACK 1,1\r\nPLAY 1,1\nTAKEBACK 1,1\nABOUT\n"), &out)
	require.NoError(t, err)
	assert.Equal(t, "OK\nOK\nERROR there is no stone at 1,1\n1,1\nOK\n"+aboutTest+"\n", out.String())
}

func TestAbout(t *testing.T) {
	a := About{Name: `a "b"`, Version: "1\n2", Author: "c", Country: "d", WWW: "e", Email: "f"}
	assert.Equal(t, `name="a b", version="12", author="c", country="d", www="e", email="f"`, a.String())
	assert.Empty(t, About{}.String())
}

// thinkForever brings the server to think with no end in sight.
func thinkForever(t *testing.T) *manager {
	s, err := NewServer(WithAbout(About{Name: "test", Version: "1"}), WithTable(1<<20))
	require.NoError(t, err)
	m := serve(t, s)
	m.send("INFO timeout_turn 3600000", "START 20")
	require.Equal(t, "OK", m.receive())
	m.send("BOARD", "9,9,2", "9,10,1", "12,12,2", "DONE")
	return m
}

// late is far more than a busy machine takes and far less than an hour. How
// fast it is really the test prints.
const late = time.Minute

func TestReadsWhileThinking(t *testing.T) {
	start := time.Time{}
	took := func(t *testing.T) {
		d := time.Since(start)
		t.Log("took", d)
		assert.Less(t, d, late)
	}
	thinking := func(t *testing.T) *manager {
		m := thinkForever(t)
		time.Sleep(20 * time.Millisecond) // into the search; any moment must do
		start = time.Now()
		return m
	}
	t.Run("stop", func(t *testing.T) {
		m := thinking(t)
		m.send("YXSTOP")
		assert.Regexp(t, `^\d+,\d+$`, m.receive())
		took(t)
		m.end()
	})
	t.Run("end", func(t *testing.T) {
		m := thinking(t)
		m.send("END")
		m.ended(nil)
		took(t)
	})
	t.Run("end of input", func(t *testing.T) {
		m := thinking(t)
		m.in.Close()
		m.ended(nil)
		took(t)
	})
	t.Run("end of input within a line", func(t *testing.T) {
		m := thinking(t)
		io.WriteString(m.in, "TURN 1,")
		m.in.Close()
		assert.Equal(t, "ERROR still thinking", m.receive())
		m.ended(nil)
		took(t)
	})
	t.Run("broken input", func(t *testing.T) {
		m := thinking(t)
		broken := errors.New("broken")
		m.in.CloseWithError(broken)
		m.ended(broken)
		took(t)
	})
	t.Run("questions", func(t *testing.T) {
		m := thinking(t)
		m.send("ABOUT")
		assert.Equal(t, aboutTest, m.receive())
		m.send("INFO max_memory 50000000", "INFO rule 4", "INFO timeout_turn 0", "YXSHOWFORBID")
		assert.Equal(t, "FORBID .", m.receive())
		for _, command := range []string{"TURN 3,3", "BEGIN", "PLAY 3,3", "YXNBEST 2"} {
			m.send(command)
			assert.Equal(t, "ERROR still thinking", m.receive())
		}
		m.send("TAKEBACK 3,3")
		assert.Equal(t, "ERROR there is no stone at 3,3", m.receive())
		m.send("START 99")
		assert.Regexp(t, "^ERROR size", m.receive())
		m.send("BOARD", "1,1,9", "DONE")
		assert.Equal(t, `ERROR "1,1,9" is not x,y,field with field 1 or 2`, m.receive())
		m.send("STOP")
		assert.Regexp(t, `^\d+,\d+$`, m.receive())
		m.send("TURN 3,3") // now the rule and the times that were sent before count
		assert.Regexp(t, `^\d+,\d+$`, m.receive())
		took(t)
		m.end()
	})
	for _, command := range []string{"START 15", "RESTART", "TAKEBACK 12,12"} {
		t.Run("dropped by "+command, func(t *testing.T) {
			m := thinking(t)
			m.send(command)
			assert.Equal(t, "OK", m.receive())
			m.settled()
			m.send("INFO timeout_turn 0", "TURN 1,1")
			assert.Regexp(t, `^\d+,\d+$`, m.receive())
			took(t)
			m.end()
		})
	}
	t.Run("dropped by a position", func(t *testing.T) {
		m := thinking(t)
		m.send("INFO timeout_turn 0", "BOARD", "1,1,2", "DONE")
		assert.Regexp(t, `^\d+,\d+$`, m.receive())
		m.send("INFO timeout_turn 3600000", "YXNBEST 3", "YXBOARD", "1,1,2", "DONE")
		m.settled()
		m.send("YXNBEST 3", "INFO timeout_turn 0", "SWAP2BOARD", "DONE")
		assert.Regexp(t, `^\d+,\d+ \d+,\d+ \d+,\d+$`, m.receive())
		took(t)
		m.end()
	})
	for _, stones := range [][]string{{}, {"7,7", "8,7", "9,9"}, {"7,7", "8,7", "9,9", "8,8", "8,6"}} {
		t.Run("stop of swap2", func(t *testing.T) {
			m := thinking(t)
			m.send("SWAP2BOARD")
			m.send(stones...)
			m.send("DONE", "YXSTOP")
			assert.Regexp(t, `^(SWAP|\d+,\d+( \d+,\d+)*)$`, m.receive())
			took(t)
			m.end()
		})
	}
}

func TestServeCancelled(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- quick(t).Serve(ctx, r, io.Discard) }()
	io.WriteString(w, "INFO timeout_turn 3600000\nSTART 15\nBEGIN\n")
	cancel()
	assert.ErrorIs(t, <-served, context.Canceled)
	_, err := io.WriteString(w, "x\n")
	assert.Error(t, err, "the pipe must be closed so that the reader ends")
}

func TestServeCancelledWithDeadline(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, quick(t).Serve(ctx, r, io.Discard), context.Canceled)
	w.WriteString("still open")
	buf := make([]byte, 20)
	n, err := r.Read(buf)
	assert.NoError(t, err)
	assert.Equal(t, "still open", string(buf[:n]))
}

func TestServeBrokenOutput(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	out, in := io.Pipe()
	broken := errors.New("broken")
	out.CloseWithError(broken)
	go io.WriteString(w, "START 15\n")
	assert.ErrorIs(t, quick(t).Serve(t.Context(), r, in), broken)
	assert.ErrorIs(t, quick(t).Serve(t.Context(), iotest.ErrReader(broken), io.Discard), broken)
}

// A manager that does not read must still be able to end the brain.
func TestManagerThatDoesNotRead(t *testing.T) {
	r, w := io.Pipe()
	out, in := io.Pipe()
	defer out.Close()
	served := make(chan error)
	go func() { served <- quick(t).Serve(t.Context(), r, in) }()
	io.WriteString(w, "START 15\nBEGIN\n"+strings.Repeat("ABOUT\n", maxWaiting/2)+"END\n")
	select {
	case err := <-served:
		assert.NoError(t, err)
	case <-time.After(patience):
		assert.Fail(t, "it does not end")
	}

	r, w = io.Pipe()
	go func() { served <- quick(t).Serve(t.Context(), r, in) }()
	go io.WriteString(w, strings.Repeat("ABOUT\n", maxWaiting+10))
	assert.ErrorIs(t, <-served, errNotRead)
	w.Close()
}

func TestMemory(t *testing.T) {
	c := serverConfig{table: 64 << 20}
	for _, tc := range []struct{ memory, table int64 }{
		{0, 64 << 20},
		{-5, 64 << 20},
		{math.MaxInt32, 64 << 20},
		{1 << 40, 64 << 20},
		{100 << 20, 42 << 20},
		{80 << 20, 32 << 20},
		{20 << 20, 2 << 20},
		{16 << 20, leastTable},
		{1, leastTable},
	} {
		assert.Equal(t, tc.table, c.tableFor(tc.memory, 0), tc.memory)
	}
	assert.EqualValues(t, 41<<20, c.tableFor(100<<20, 3))
	ss := &session{cfg: &c, out: newOutbox(io.Discard), prepared: map[gomoku.Rule]bool{}}
	defer ss.out.close()
	require.NoError(t, ss.info(t.Context(), "max_memory 20971520", time.Now()))
	assert.EqualValues(t, 2<<20, ss.table)
	kept := ss.engine
	require.NoError(t, ss.info(t.Context(), "max_memory 20971520", time.Now()))
	assert.Same(t, kept, ss.engine, "the same limit must not cost the table")
	require.NoError(t, ss.info(t.Context(), "thread_num 2", time.Now()))
	assert.NotSame(t, kept, ss.engine)
	kept = ss.engine
	require.NoError(t, ss.info(t.Context(), "thread_num 2", time.Now()))
	assert.Same(t, kept, ss.engine)
	require.NoError(t, ss.info(t.Context(), "thread_num 256", time.Now()))
	assert.Equal(t, gomoku.MaxThreads, ss.threads)
}

func TestNewServerRefuses(t *testing.T) {
	for _, opts := range [][]ServerOption{
		{WithMargin(-1)}, {WithTable(-1)}, {WithEngineOptions(gomoku.WithMultiPV(-1))},
	} {
		_, err := NewServer(opts...)
		assert.ErrorIs(t, err, gomoku.ErrOption)
		assert.ErrorContains(t, err, "gomocup: new server: ")
	}
}

// An evaluator that panics is the engine's business; the brain still answers.
func TestPanickingEvaluator(t *testing.T) {
	m := serve(t, quick(t, WithEngineOptions(gomoku.WithEvaluator(func() gomoku.Evaluator { panic("ouch") }))))
	m.send("START 15")
	require.Equal(t, "OK", m.receive())
	m.send("TURN 7,7")
	assert.Regexp(t, `^\d+,\d+$`, m.receive())
	m.end()
}

// In Renju Black may have nothing but fouls to play.
func TestNoLegalMove(t *testing.T) {
	b, err := gomoku.NewBoard(15, gomoku.Renju)
	require.NoError(t, err)
	for y := range 15 { // no more than two in a row anywhere
		for x := range 15 {
			color := gomoku.White
			if (x+2*y)%4 < 2 {
				color = gomoku.Black
			}
			require.NoError(t, b.SetStone(gomoku.Pt(x, y), color))
		}
	}
	row := []gomoku.Color{gomoku.White, gomoku.Black, gomoku.Black, gomoku.Empty, gomoku.Black, gomoku.Black, gomoku.Black, gomoku.White}
	for i, color := range row {
		require.NoError(t, b.SetStone(gomoku.Pt(3+i, 7), color))
	}
	require.Equal(t, gomoku.Overline, b.Foul(gomoku.Pt(6, 7)))
	require.False(t, b.Over())

	s := quick(t)
	engine, err := s.cfg.newEngine(0, 0)
	require.NoError(t, err)
	var out strings.Builder
	ss := &session{cfg: &s.cfg, engine: engine, out: newOutbox(&out), prepared: map[gomoku.Rule]bool{}, board: b, rule: gomoku.Renju}
	require.NoError(t, ss.move(t.Context(), time.Now()))
	ss.finish(<-ss.thinking.done)
	ss.out.close()
	assert.Equal(t, "ERROR no legal move\n", out.String())
}

// The real session of another brain: our server gets every command; its own
// moves are taken back and replaced by those of the log.
func TestSessionLog(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "alphagomoku_session_log.txt"))
	require.NoError(t, err)
	for session := range strings.SplitSeq(string(text), "=== session ===\n") {
		m := serve(t, quick(t))
		point := regexp.MustCompile(`^\d+,\d+$`)
		asked := "" // the command that waits for a move
		moves := 0
		for line := range strings.Lines(session) {
			line = strings.TrimSpace(line)
			word, _, _ := strings.Cut(line, " ")
			switch {
			case word == "MESSAGE", line == "":
			case line == "OK":
				require.Equal(t, "OK", m.receive())
			case point.MatchString(line): // the log's answer
				ours := m.receive()
				require.Regexp(t, point, ours, "after %q", asked)
				m.send("TAKEBACK " + ours)
				require.Equal(t, "OK", m.receive())
				m.send("PLAY " + line)
				require.Equal(t, line, m.receive())
				moves++
			case word == "END":
				m.end()
			default:
				m.send(line + "\r")
				asked = line
			}
		}
		assert.Greater(t, moves, 10)
	}
}

// What the log's brain says it expects is what it plays: MESSAGE is read right.
func TestSessionLogMessages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "alphagomoku_session_log.txt"))
	require.NoError(t, err)
	var info gomoku.Info
	checked := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "MESSAGE "); ok {
			info = gomoku.Info{}
			readInfo(&info, rest, 15)
		} else if p, err := parsePoint(line, 15); err == nil && len(info.PV) > 0 {
			assert.Equal(t, p, info.PV[0], line)
			assert.Positive(t, info.Depth)
			checked++
		}
	}
	assert.Greater(t, checked, 30)
}

// leakFree checks that a test leaves no goroutine.
func leakFree(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for range 200 {
			if runtime.NumGoroutine() <= before {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		buf := make([]byte, 1<<16)
		t.Errorf("goroutines are left:\n%s", buf[:runtime.Stack(buf, true)])
	})
}
