// Engine is the library behind the page of examples/web: a service that answers
// messages about positions, records and moves. Compiled to WebAssembly it runs in
// a web worker; as a program of its own it answers on the standard output what it
// reads from the standard input, a message a line:
//
//	echo '{"id":1,"op":"search","record":{"size":15,"moves":[]},"level":"easy"}' | go run ./examples/web/engine
//
// A message is a JSON object with a number "id", an "op" and what that needs. The
// answer has the same id and "result" or "error"; what takes long may send any
// number of "progress" before. {"op":"stop","id":7} makes the message 7 end with
// what it has. The service keeps no game: each message carries its record, so that
// a worker can be replaced at any time.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/gomoku-go/gomoku"
)

// A request is a message with what any op needs.
type request struct {
	ID int64  `json:"id"`
	Op string `json:"op"`

	Record *gomoku.Record `json:"record"` // the game, up to the position in question
	Point  gomoku.Point   `json:"point"`
	Color  gomoku.Color   `json:"color"`

	Size int         `json:"size"`
	Rule gomoku.Rule `json:"rule"`
	Text string      `json:"text"` // of a position

	Data   []byte `json:"data"` // of a file
	Name   string `json:"name"`
	Format string `json:"format"`
	Lossy  bool   `json:"lossy"` // write what the format can hold

	Picture picture `json:"picture"`

	Solver string `json:"solver"`
	Level  string `json:"level"`
	Millis int64  `json:"ms"`
	Depth  int    `json:"depth"`
	Nodes  int64  `json:"nodes"`
	Lines  int    `json:"lines"`
	Seed   uint64 `json:"seed"`
}

// A reply is an answer or a report on the way to it.
type reply struct {
	ID       int64  `json:"id"`
	Result   any    `json:"result,omitempty"`
	Progress any    `json:"progress,omitempty"`
	Error    *fault `json:"error,omitempty"`
}

// A fault is an error as the page wants it: a code to find its own words for, and
// the library's.
type fault struct {
	Code  string        `json:"code"`
	Text  string        `json:"text"`
	Point *gomoku.Point `json:"point,omitempty"`
	Foul  *gomoku.Foul  `json:"foul,omitempty"`
}

// An op carries out a request. It reports as often as it likes.
type op func(s *service, ctx context.Context, r *request, report func(any)) (any, error)

var ops = map[string]op{
	"hello":    hello,
	"new":      newGame,
	"position": position,
	"play":     play,
	"read":     read,
	"write":    write,
	"draw":     draw,
	"search":   search,
	"analyze":  analyze,
	"solve":    solve,
	"swap2":    swap2,
}

// A service answers requests. Several can be under way at once.
type service struct {
	send func([]byte)

	mu      sync.Mutex
	running map[int64]context.CancelFunc
	work    sync.WaitGroup

	thinking sync.Mutex // one search at a time
	engine   *gomoku.Engine
}

func newService(send func([]byte)) *service {
	return &service{send: send, running: map[int64]context.CancelFunc{}}
}

// accept takes a message and returns; the answer is sent when it is there.
func (s *service) accept(message []byte) {
	var r request
	if err := json.Unmarshal(message, &r); err != nil {
		// The id is often there all the same.
		s.reply(reply{ID: r.ID, Error: &fault{Code: "message", Text: err.Error()}})
		return
	}
	if r.Op == "stop" {
		s.mu.Lock()
		defer s.mu.Unlock()
		if cancel := s.running[r.ID]; cancel != nil {
			cancel()
		}
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.mu.Lock()
	s.running[r.ID] = cancel
	s.mu.Unlock()
	s.work.Go(func() {
		s.reply(s.answer(ctx, &r))
		s.mu.Lock()
		delete(s.running, r.ID)
		s.mu.Unlock()
		cancel()
	})
}

// wait waits until everything is answered.
func (s *service) wait() { s.work.Wait() }

// answer carries a request out. A panic is an answer, too: the state that could
// be spoilt by it, the engine, is made anew.
func (s *service) answer(ctx context.Context, r *request) (answer reply) {
	answer.ID = r.ID
	defer func() {
		if v := recover(); v != nil {
			s.engine = nil
			answer.Result = nil
			answer.Error = &fault{Code: "panic", Text: fmt.Sprint(v)}
		}
	}()
	run, ok := ops[r.Op]
	if !ok {
		answer.Error = &fault{Code: "message", Text: fmt.Sprintf("unknown op %q", r.Op)}
		return answer
	}
	result, err := run(s, ctx, r, func(progress any) { s.reply(reply{ID: r.ID, Progress: progress}) })
	if err != nil {
		answer.Error = newFault(err)
		return answer
	}
	answer.Result = result
	return answer
}

func (s *service) reply(r reply) {
	text, err := json.Marshal(r)
	if err != nil {
		text, _ = json.Marshal(reply{ID: r.ID, Error: newFault(err)})
	}
	s.send(text)
}

// The library's errors by the names that the page knows them by.
var faultCodes = []struct {
	err  error
	code string
}{
	{gomoku.ErrFoul, "foul"},
	{gomoku.ErrOccupied, "occupied"},
	{gomoku.ErrOutside, "outside"},
	{gomoku.ErrGameOver, "over"},
	{gomoku.ErrNoLegalMove, "nolegal"},
	{gomoku.ErrSize, "size"},
	{gomoku.ErrRecordTooLarge, "large"},
	{gomoku.ErrUnknownFormat, "format"},
}

func newFault(err error) *fault {
	f := &fault{Code: "other", Text: err.Error()}
	for _, c := range faultCodes {
		if errors.Is(err, c.err) {
			f.Code = c.code
			break
		}
	}
	var refused *gomoku.MoveError
	if errors.As(err, &refused) {
		f.Point = &refused.Point
		if refused.Foul != gomoku.NoFoul {
			f.Foul = &refused.Foul
		}
	}
	if f.Code == "other" {
		var parse *gomoku.ParseError
		var record *gomoku.RecordError
		if errors.As(err, &parse) || errors.As(err, &record) {
			f.Code = "parse"
		}
	}
	return f
}
