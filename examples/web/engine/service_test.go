package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

// answer is a reply as the page reads it.
type answer struct {
	ID       int64
	Result   json.RawMessage
	Progress json.RawMessage
	Error    *struct{ Code, Text, Point, Foul string }
}

// talk is a service and what it says.
type talk struct {
	t       testing.TB
	s       *service
	answers chan answer
	next    int64
}

func newTalk(t testing.TB) *talk {
	c := &talk{t: t, answers: make(chan answer, 10_000)}
	c.s = newService(func(message []byte) {
		var a answer
		if err := json.Unmarshal(message, &a); err != nil {
			panic(err)
		}
		c.answers <- a
	})
	return c
}

// send sends a message, a number for its id in front, and returns the id.
func (c *talk) send(format string, args ...any) int64 {
	c.next++
	c.s.accept(fmt.Appendf(nil, `{"id":%d,`+format+`}`, append([]any{c.next}, args...)...))
	return c.next
}

// await returns the answer to a message.
func (c *talk) await(id int64) answer {
	c.t.Helper()
	for {
		select {
		case a := <-c.answers:
			if a.ID == id && a.Progress == nil {
				return a
			}
		case <-time.After(time.Minute):
			c.t.Fatalf("message %d has no answer", id)
		}
	}
}

// ask sends a message and reads its result into a value.
func (c *talk) ask(result any, format string, args ...any) {
	c.t.Helper()
	a := c.await(c.send(format, args...))
	require.Nil(c.t, a.Error, format)
	require.NoError(c.t, json.Unmarshal(a.Result, result))
}

// refused sends a message and returns the code of its error.
func (c *talk) refused(format string, args ...any) (code, text string) {
	c.t.Helper()
	a := c.await(c.send(format, args...))
	require.NotNil(c.t, a.Error, format)
	return a.Error.Code, a.Error.Text
}

// record is the JSON of a game.
func record(t testing.TB, rule gomoku.Rule, moves string) string {
	t.Helper()
	b, err := gomoku.ParseBoard(15, rule, moves)
	require.NoError(t, err)
	text, err := gomoku.NewRecord(b).MarshalJSON()
	require.NoError(t, err)
	return string(text)
}

// viewJSON is a view as the page reads it.
type viewJSON struct {
	view
	Fouls []struct {
		Point  gomoku.Point
		Foul   string
		Stones []gomoku.Point
	} `json:"fouls"`
	Threats []struct{ Color, Kind string } `json:"threats"`
	ByFoul  string                         `json:"byFoul"`
}

func TestHello(t *testing.T) {
	var g struct {
		MinSize, MaxSize int
		Rules, Levels    []string
	}
	newTalk(t).ask(&g, `"op":"hello"`)
	assert.Equal(t, gomoku.MinSize, g.MinSize)
	assert.Equal(t, gomoku.MaxSize, g.MaxSize)
	assert.Equal(t, []string{"freestyle", "standard", "renju", "caro"}, g.Rules)
	assert.Equal(t, []string{"easy", "normal", "hard", "expert"}, g.Levels)
}

// What a view says is what the library says.
func TestPosition(t *testing.T) {
	c := newTalk(t)
	for _, moves := range []string{"", "h8", "h8i9g8a1i8a3", "h8a1g8a3i8a5j8a7k8", "h8h9i8i9j8j9"} {
		b, err := gomoku.ParseBoard(15, gomoku.Renju, moves)
		require.NoError(t, err)
		var v viewJSON
		c.ask(&v, `"op":"position","record":%s`, record(t, gomoku.Renju, moves))
		assert.Equal(t, b.Turn(), v.Turn, moves)
		assert.Equal(t, b.Winner(), v.Winner, moves)
		assert.Equal(t, b.Over(), v.Over, moves)
		assert.Equal(t, b.WinningLine(), v.Line, moves)
		assert.Equal(t, b.LastMove(), v.Last, moves)
		assert.Equal(t, moves, v.Moves)
		assert.Len(t, v.Stones, b.Len())
		for _, s := range v.Stones {
			assert.Equal(t, b.At(s.Point), s.Color)
		}
		n := 0
		for p, color := range b.Moves() {
			n++
			assert.Contains(t, v.Stones, stone{p, color, n})
		}
		again := new(gomoku.Board)
		require.NoError(t, again.UnmarshalText([]byte(v.Text)))
		assert.Equal(t, b.Hash(), again.Hash())
		if b.Over() {
			continue
		}
		assert.Len(t, v.Threats, len(gomoku.Threats(b, gomoku.Black))+len(gomoku.Threats(b, gomoku.White)), moves)
	}
}

func TestFouls(t *testing.T) {
	c := newTalk(t)
	game := record(t, gomoku.Renju, "h8a1i8a3j9a5j10a7")
	var v viewJSON
	c.ask(&v, `"op":"position","record":%s`, game)
	require.Len(t, v.Fouls, 1)
	assert.Equal(t, "j8", v.Fouls[0].Point.String())
	assert.Equal(t, "double-three", v.Fouls[0].Foul)
	assert.Len(t, v.Fouls[0].Stones, 4)

	b, err := gomoku.ParseBoard(15, gomoku.Renju, "h8a1i8a3j9a5j10a7")
	require.NoError(t, err)
	require.NoError(t, b.MakeFoul(v.Fouls[0].Point))
	lost, err := gomoku.NewRecord(b).MarshalJSON()
	require.NoError(t, err)
	var after viewJSON
	c.ask(&after, `"op":"position","record":%s`, lost)
	assert.Equal(t, gomoku.White, after.Winner)
	assert.Equal(t, "double-three", after.ByFoul)

	a := c.await(c.send(`"op":"play","point":"j8","record":%s`, game))
	require.NotNil(t, a.Error)
	assert.Equal(t, "foul", a.Error.Code)
	assert.Equal(t, "j8", a.Error.Point)
	assert.Equal(t, "double-three", a.Error.Foul)
}

func TestPlay(t *testing.T) {
	c := newTalk(t)
	var p played
	c.ask(&p, `"op":"play","point":"i9","record":%s`, record(t, gomoku.Freestyle, "h8"))
	assert.Equal(t, gomoku.White, p.Color)
	assert.Equal(t, "h8i9", p.View.Moves)
	for point, want := range map[string]string{"h8": "occupied", "p1": "outside", "-": "outside"} {
		code, _ := c.refused(`"op":"play","point":%q,"record":%s`, point, record(t, gomoku.Freestyle, "h8"))
		assert.Equal(t, want, code, point)
	}
	code, _ := c.refused(`"op":"play","point":"a9","record":%s`, record(t, gomoku.Freestyle, "h8a1g8a3i8a5j8a7k8"))
	assert.Equal(t, "over", code)
}

func TestNew(t *testing.T) {
	c := newTalk(t)
	var o opened
	c.ask(&o, `"op":"new","size":9,"rule":"caro"`)
	assert.Equal(t, 9, o.View.Size)
	assert.Equal(t, gomoku.Caro, o.View.Rule)
	c.ask(&o, `"op":"new","text":"15 renju black=h8g9 white=i7 turn=white moves=h9i8"`)
	assert.Len(t, o.View.Stones, 5)
	assert.Empty(t, o.View.Moves, "set-up stones are no moves")
	code, _ := c.refused(`"op":"new","size":4`)
	assert.Equal(t, "size", code)
	for _, text := range []string{"x", "15 renju moves=h8h8", "15 go", "99 renju"} {
		code, words := c.refused(`"op":"new","text":%q`, text)
		assert.NotEqual(t, "panic", code)
		assert.NotEmpty(t, words)
	}
}

// Games go through the formats and come back the same.
func TestReadAndWrite(t *testing.T) {
	c := newTalk(t)
	game := record(t, gomoku.Renju, "h8i9g9")
	for _, format := range []string{"sgf", "psq", "moves", "jsonl"} {
		var w struct {
			Text   []byte
			Losses []struct{ Field string }
		}
		c.ask(&w, `"op":"write","format":%q,"record":%s`, format, game)
		if len(w.Losses) > 0 {
			assert.Empty(t, w.Text, format)
			c.ask(&w, `"op":"write","lossy":true,"format":%q,"record":%s`, format, game)
		}
		require.NotEmpty(t, w.Text, format)
		data, err := json.Marshal(w.Text)
		require.NoError(t, err)
		var f readFile
		c.ask(&f, `"op":"read","name":"game.%s","size":15,"rule":"renju","data":%s`, format, data)
		require.Len(t, f.Games, 1, format)
		assert.Equal(t, 3, f.Games[0].Playable, format)
		b, err := f.Games[0].Record.Board()
		require.NoError(t, err)
		assert.Equal(t, "g9", b.LastMove().String(), format)
	}
}

func TestReadBad(t *testing.T) {
	c := newTalk(t)
	for _, text := range []string{"", "(;GM[4]SZ[15];B[zz])", "nonsense", "\x00\xff", "h8i9h8"} {
		data, _ := json.Marshal([]byte(text))
		code, words := c.refused(`"op":"read","data":%s`, data)
		assert.NotEqual(t, "panic", code, text)
		assert.NotEmpty(t, words)
	}
	// Of a game that goes on after its end the moves up to the end are played.
	data, _ := json.Marshal([]byte("(;GM[4]SZ[15];B[hh];W[aa];B[gh];W[ac];B[ih];W[ae];B[jh];W[ag];B[kh];W[bi];B[bj])"))
	var ended struct {
		Games []struct {
			Moves, Playable int
			Fault           *struct{ Code string }
		}
	}
	c.ask(&ended, `"op":"read","data":%s`, data)
	require.Len(t, ended.Games, 1)
	assert.Equal(t, 11, ended.Games[0].Moves)
	assert.Equal(t, 9, ended.Games[0].Playable)
	require.NotNil(t, ended.Games[0].Fault)
	assert.Equal(t, "over", ended.Games[0].Fault.Code)

	// Of a file with good and bad games the good ones are there.
	data, _ = json.Marshal([]byte("(;GM[4]SZ[15];B[hh];W[ii])(;GM[4]SZ[15];B[zz])(;GM[4]SZ[15];B[aa])"))
	var f struct {
		Games  []json.RawMessage
		Faults []struct{ Text string }
	}
	c.ask(&f, `"op":"read","data":%s`, data)
	assert.Len(t, f.Games, 2)
	require.Len(t, f.Faults, 1)
	assert.Contains(t, f.Faults[0].Text, "game 2")
}

func TestSearch(t *testing.T) {
	c := newTalk(t)
	for _, limits := range []string{`"level":"easy"`, `"level":"expert","ms":200`, `"nodes":2000`, `"ms":30`, `"depth":3,"lines":3`} {
		var found thoughtJSON
		c.ask(&found, `"op":"search","record":%s,%s`, record(t, gomoku.Freestyle, "h8i9g9"), limits)
		b, err := gomoku.ParseBoard(15, gomoku.Freestyle, "h8i9g9")
		require.NoError(t, err)
		assert.NoError(t, b.Make(found.Best), limits)
		require.NotEmpty(t, found.Lines, limits)
		require.NotEmpty(t, found.Candidates, limits)
	}
	// A five is found and proven.
	var found thoughtJSON
	c.ask(&found, `"op":"search","depth":4,"record":%s`, record(t, gomoku.Freestyle, "h8a1i8a3j8a5k8c1"))
	require.NotNil(t, found.Lines[0].Score.Mate)
	assert.Equal(t, 1, *found.Lines[0].Score.Mate)
	code, _ := c.refused(`"op":"search","record":%s`, record(t, gomoku.Freestyle, "h8a1g8a3i8a5j8a7k8"))
	assert.Equal(t, "over", code)
}

type thoughtJSON struct {
	Best  gomoku.Point
	Depth int
	Lines []struct {
		Score struct {
			Value int
			Mate  *int
		}
		PV []gomoku.Point
	}
	Candidates []struct{ Point gomoku.Point }
}

// An analysis goes on until it is stopped, then ends at once, and reports meanwhile.
func TestAnalyzeStops(t *testing.T) {
	c := newTalk(t)
	id := c.send(`"op":"analyze","lines":3,"record":%s`, record(t, gomoku.Freestyle, "h8i9g9h10"))
	first := <-c.answers
	require.Equal(t, id, first.ID)
	var progress thoughtJSON
	require.NoError(t, json.Unmarshal(first.Progress, &progress))
	assert.Len(t, progress.Lines, 3)
	c.s.accept(fmt.Appendf(nil, `{"op":"stop","id":%d}`, id))
	a := c.await(id)
	require.Nil(t, a.Error)
	var last thoughtJSON
	require.NoError(t, json.Unmarshal(a.Result, &last))
	assert.GreaterOrEqual(t, last.Depth, progress.Depth)
	c.s.accept([]byte(`{"op":"stop","id":12345}`)) // nobody's
	var g greeting
	c.ask(&g, `"op":"hello"`)
}

// The tree of a proof, followed from its root, is the proof.
func TestSolve(t *testing.T) {
	c := newTalk(t)
	// Puzzle 3040 of renjuportal.com, a win by fours in twelve moves; see vcf_puzzles.jsonl in testdata.
	b := new(gomoku.Board)
	require.NoError(t, b.UnmarshalText([]byte("15 renju black=h8i8j9g10h10k10i11h12e13h13l14 white=j8f9h9i9l9i10h11l11k12g13i14 turn=black")))
	game, err := gomoku.NewRecord(b).MarshalJSON()
	require.NoError(t, err)
	var f solved
	c.ask(&f, `"op":"solve","solver":"vcf","color":"black","ms":5000,"record":%s`, game)
	p, err := gomoku.SolveVCF(t.Context(), b, gomoku.Black, gomoku.Limits{})
	require.NoError(t, err)
	require.Equal(t, gomoku.Proven, p.Verdict)
	assert.Equal(t, p.Verdict, f.Verdict)
	assert.Equal(t, p.Length, f.Length)
	require.Greater(t, len(f.Tree), 10)
	var same func(n *gomoku.ProofNode, i int)
	same = func(n *gomoku.ProofNode, i int) {
		require.Equal(t, n.Move, f.Tree[i].Move)
		require.Len(t, f.Tree[i].Replies, len(n.Replies))
		for k, reply := range n.Replies {
			require.Equal(t, reply.Move, f.Tree[i].Replies[k].Move)
			same(reply.Next, f.Tree[i].Replies[k].Next)
		}
		require.Equal(t, n.Rest == nil, f.Tree[i].Rest == 0)
		if n.Rest != nil {
			same(n.Rest, f.Tree[i].Rest)
		}
	}
	same(p.Tree, 0)

	// Okabe's second problem of five moves, of which the first is found alone by threats.
	require.NoError(t, b.UnmarshalText([]byte("15 renju black=i7h8h9j9h10 white=h7g8j8i9i11 turn=black")))
	game, err = gomoku.NewRecord(b).MarshalJSON()
	require.NoError(t, err)
	c.ask(&f, `"op":"solve","solver":"vct","color":"black","ms":50000,"record":%s`, game)
	assert.Equal(t, gomoku.Proven, f.Verdict)
	assert.Equal(t, "f10", f.Line[0].String())

	c.ask(&f, `"op":"solve","solver":"vcf","color":"white","ms":5000,"record":%s`, record(t, gomoku.Freestyle, "h8"))
	assert.Equal(t, gomoku.Refuted, f.Verdict)
	_, text := c.refused(`"op":"solve","solver":"magic","color":"white","record":%s`, game)
	assert.Contains(t, text, "magic")
}

func TestSwap2(t *testing.T) {
	c := newTalk(t)
	var d swapDecision
	c.ask(&d, `"op":"swap2","ms":50,"record":%s`, record(t, gomoku.Freestyle, ""))
	assert.Len(t, d.Points, 3)
	c.ask(&d, `"op":"swap2","ms":50,"record":%s`, record(t, gomoku.Freestyle, "h8i9g9"))
	assert.Equal(t, d.Swap, len(d.Points) == 0)
	_, text := c.refused(`"op":"swap2","ms":50,"record":%s`, record(t, gomoku.Freestyle, "h8"))
	assert.Contains(t, text, "0, 3 or 5")
}

func TestDraw(t *testing.T) {
	c := newTalk(t)
	var d struct{ SVG string }
	c.ask(&d, `"op":"draw","picture":{"theme":"dark","numbers":true,"threats":true,"candidates":[{"point":"g8","score":{"value":12},"bound":"exact"}]},"record":%s`,
		record(t, gomoku.Freestyle, "h8h9i8i9j8"))
	assert.True(t, strings.HasPrefix(d.SVG, "<svg"), d.SVG)
	_, text := c.refused(`"op":"draw","picture":{"theme":"pink"},"record":%s`, record(t, gomoku.Freestyle, ""))
	assert.Contains(t, text, "pink")
}

// Whatever arrives is answered, and the service goes on.
func TestNonsense(t *testing.T) {
	c := newTalk(t)
	c.s.accept([]byte("{"))
	assert.Equal(t, "message", (<-c.answers).Error.Code)
	code, _ := c.refused(`"op":"dance"`)
	assert.Equal(t, "message", code)
	for _, op := range []string{"position", "play", "write", "search", "analyze", "swap2", "solve", "draw"} {
		_, text := c.refused(`"op":%q,"format":"sgf"`, op)
		assert.Contains(t, text, "no record", op)
	}
	ops["fail"] = func(*service, context.Context, *request, func(any)) (any, error) { panic("a fault") }
	defer delete(ops, "fail")
	code, text := c.refused(`"op":"fail"`)
	assert.Equal(t, "panic", code)
	assert.Contains(t, text, "a fault")
	var g greeting
	c.ask(&g, `"op":"hello"`)
}

func TestServe(t *testing.T) {
	in := "{\"id\":1,\"op\":\"hello\"}\n{\"id\":2,\"op\":\"new\",\"size\":9}\n"
	var out bytes.Buffer
	require.NoError(t, serve(strings.NewReader(in), &out))
	assert.Equal(t, 2, strings.Count(out.String(), "\n"))
	assert.Contains(t, out.String(), `"minSize":5`)
}

// No message makes an op panic.
func FuzzAccept(f *testing.F) {
	f.Add([]byte(`{"id":1,"op":"position","record":{"size":15,"moves":[{"move":"h8","color":"black"}]}}`))
	f.Add([]byte(`{"id":1,"op":"read","name":"a.sgf","data":"KDtHTVs0XVNaWzE1XTtCW2hoXSk="}`))
	f.Add([]byte(`{"id":1,"op":"write","format":"sgf","record":{"size":9,"start":{"setup":{"black":["a1"]},"turn":"white"},"moves":[]}}`))
	f.Add([]byte(`{"id":1,"op":"new","text":"15 renju black=h8"}`))
	f.Add([]byte(`{"id":1,"op":"draw","record":{"size":5,"moves":[]},"picture":{"theme":"print","fouls":true}}`))
	f.Fuzz(func(t *testing.T, message []byte) {
		for _, long := range []string{"search", "analyze", "swap2", "solve"} {
			if bytes.Contains(message, []byte(long)) {
				return
			}
		}
		s := newService(func(text []byte) {
			var a answer
			require.NoError(t, json.Unmarshal(text, &a))
			if a.Error != nil {
				require.NotEqual(t, "panic", a.Error.Code, a.Error.Text)
			}
		})
		s.accept(message)
		s.wait()
	})
}
