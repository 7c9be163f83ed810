package gomocup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// About is what a brain says of itself. Empty fields are left out; quotation
// marks and line ends are, too.
type About struct {
	Name, Version, Author, Country, WWW, Email string
}

// String returns the answer to ABOUT, for example
// `name="gomoku", version="1.0", author="..."`.
func (a About) String() string {
	var parts []string
	for _, p := range [...]struct{ key, value string }{
		{"name", a.Name},
		{"version", a.Version},
		{"author", a.Author},
		{"country", a.Country},
		{"www", a.WWW},
		{"email", a.Email},
	} {
		if value := strings.NewReplacer(`"`, "", "\r", "", "\n", "").Replace(p.value); value != "" {
			parts = append(parts, p.key+`="`+value+`"`)
		}
	}
	return strings.Join(parts, ", ")
}

type serverConfig struct {
	about  About
	engine []gomoku.Option
	table  int64
	margin time.Duration
	seed   uint64
}

// The defaults of a server.
const (
	defaultTable  = 64 << 20
	defaultMargin = 30 * time.Millisecond
)

// A ServerOption sets one thing about a Server.
type ServerOption func(*serverConfig)

// WithAbout sets the answer to ABOUT. By default it is the name "gomoku" alone.
func WithAbout(a About) ServerOption { return func(c *serverConfig) { c.about = a } }

// WithEngineOptions sets options of the engine that thinks. What the manager
// says of time, depth, nodes, memory and threads comes on top, so that options for
// those are of little use here; a table is set by WithTable.
func WithEngineOptions(opts ...gomoku.Option) ServerOption {
	return func(c *serverConfig) { c.engine = append(c.engine, opts...) }
}

// WithTable sets the memory of the transposition table in bytes. Default
// 64 MiB. The manager's max_memory can only make it smaller.
func WithTable(bytes int64) ServerOption { return func(c *serverConfig) { c.table = bytes } }

// WithMargin sets how much of every time limit is kept back, because the
// manager's clock runs while commands and answers travel: 0 and up, but never
// more than a quarter of the limit is kept. Default 30 ms.
func WithMargin(d time.Duration) ServerOption { return func(c *serverConfig) { c.margin = d } }

// WithSwapSeed makes the openings that SWAP2BOARD puts forward depend on the
// seed. With 0, the default, they vary from game to game.
func WithSwapSeed(seed uint64) ServerOption { return func(c *serverConfig) { c.seed = seed } }

// A Server is the brain's side of the protocol. It holds settings only and is
// safe for concurrent use: every Serve has its own board and engine.
//
// # Commands
//
// START, RECTSTART (of a square), RESTART, BEGIN, TURN, BOARD, PLAY, TAKEBACK,
// SWAP2BOARD, INFO, ABOUT, END; YXBOARD, YXSTOP (or STOP), YXNBEST and
// YXSHOWFORBID of the Yixin extension. Case and extra spaces don't matter.
//
// A command that the server can't carry out is answered by ERROR with the
// reason, one that it doesn't know by UNKNOWN, and the game goes on as if it had
// not been sent. INFO, which has no answer, gets an ERROR when its value is no
// number of 64 bits, makes no sense (it is negative, or thread_num is not 1 to
// gomoku.MaxThreads) or names a rule that can't be played; the old value then
// stays. Unknown keys of INFO are ignored, and so are game_type, evaluate and
// folder.
//
// Commands are read while the engine thinks. YXSTOP makes it move now; START,
// RESTART, BOARD, YXBOARD, SWAP2BOARD and TAKEBACK make it drop the thought,
// whose command then stays without an answer; other commands that need the
// engine are refused. INFO counts from the next move on.
//
// BOARD takes stones in any order and any number. Black is the side with more
// of them, the brain if both have the same; the brain moves in any case. Stones
// that come in the order of play, the brain's opponent last, become the history
// of the game; others are a set-up position. Lines of SWAP2BOARD are "x,y" in the
// order of play; a field behind them, "x,y,field", is ignored.
//
// INFO rule counts for the game at hand at once, or after the present thought:
// the stones stay, and are a set-up position if the game could not have come to
// them under the new rule. RESTART and START keep the rule.
//
// YXNBEST n thinks with n lines, reports each in a MESSAGE, and plays the best
// move as BEGIN and TURN do. A game that somebody has won, be it by the
// opponent's foul in Renju, has no more moves: they are refused until a TAKEBACK
// or a new position. So the TURN with which the opponent wins is carried out,
// but answered by ERROR and how the game has ended. YXSHOWFORBID lists Black's fouls whoever's turn it is.
//
// SWAP2BOARD is answered from searches: the three stones put forward, and the
// two more, are the most even of a number of choices; a side is taken when the
// search prefers it.
//
// # Limits
//
// Time limits are those of timeout_turn, timeout_match, time_left and
// time_increment, whichever binds first, less a margin. 2147483647 and more is no
// limit, and 0 is none either for timeout_match, max_memory, max_depth and
// max_node; for the last two -1 is none as well. A time_left below 0, which managers send when the clock has run out,
// is no time at all, unless the match has no limit: then it means nothing. With max_depth or
// max_node and no word about time there is no time limit; with no word at all it
// is five seconds a move. max_memory bounds the process: what is left after
// 16 MiB for the program itself goes by half into the table, which leaves room
// for the garbage collector. thread_num sets the threads of the search.
type Server struct{ cfg serverConfig }

// NewServer returns a server. It fails if an option is out of range; then the
// error wraps gomoku.ErrOption.
func NewServer(opts ...ServerOption) (*Server, error) {
	s := &Server{cfg: serverConfig{
		about: About{Name: "gomoku"}, table: defaultTable, margin: defaultMargin,
	}}
	for _, opt := range opts {
		opt(&s.cfg)
	}
	if s.cfg.margin < 0 {
		return nil, fmt.Errorf("gomocup: new server: %w: margin %v is negative", gomoku.ErrOption, s.cfg.margin)
	}
	if _, err := s.cfg.newEngine(s.cfg.table, 0); err != nil {
		return nil, fmt.Errorf("gomocup: new server: %w", err)
	}
	return s, nil
}

func (c *serverConfig) newEngine(table int64, threads int) (*gomoku.Engine, error) {
	opts := append(slices.Clone(c.engine), gomoku.WithTableSize(table))
	if threads > 0 {
		opts = append(opts, gomoku.WithThreads(threads))
	}
	return gomoku.NewEngine(opts...)
}

// command is a line from the manager and when it came.
type command struct {
	line string
	at   time.Time
}

// Serve talks to a manager until END or the end of the input, and then returns
// nil, or until reading or writing fails or the context is cancelled. A thought
// is given up then; Serve returns within milliseconds.
//
// It leaves no goroutine behind, except where r or w blocks: a cancelled Serve
// gives r an early deadline if it has SetReadDeadline, and closes it otherwise
// if it has Close, but another reader keeps one goroutine until its Read
// returns, and so does a writer that nobody reads from.
func (s *Server) Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	engine, err := s.cfg.newEngine(s.cfg.table, 0)
	if err != nil {
		return fmt.Errorf("gomocup: serve: %w", err)
	}
	ss := &session{
		cfg: &s.cfg, engine: engine, table: s.cfg.table, out: newOutbox(w), prepared: map[gomoku.Rule]bool{},
	}
	defer ss.out.close()
	defer ss.abort()

	commands := make(chan command)
	var readErr error // valid after commands is closed
	quit, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		defer close(commands)
		lines := newLineReader(r)
		for {
			line, err := lines.next()
			if err != nil {
				readErr = err
				return
			}
			select {
			case commands <- command{line, time.Now()}:
			case <-quit:
				return
			}
			if word, _ := cutWord(line); strings.EqualFold(word, "END") {
				return // so that the goroutine does not wait for a line that never comes
			}
		}
	}()
	ended := false // there is nothing more to read
	defer func() {
		close(quit)
		if ended {
			<-gone
		} else {
			unblock(r, gone)
		}
	}()

	for {
		select {
		case c, ok := <-commands:
			if !ok {
				ended = true
				if errors.Is(readErr, io.EOF) || readErr == nil {
					return nil
				}
				return fmt.Errorf("gomocup: serve: %w", readErr)
			}
			if ss.handle(ctx, c) {
				ended = true
				return nil
			}
		case a := <-ss.thinking.done:
			ss.finish(a)
		case err := <-ss.out.failed:
			return fmt.Errorf("gomocup: serve: %w", err)
		case <-ctx.Done():
			return fmt.Errorf("gomocup: serve: %w", ctx.Err())
		}
	}
}

// unblock has the reading goroutine end, as far as that can be done.
func unblock(r io.Reader, gone <-chan struct{}) {
	select {
	case <-gone:
		return
	default:
	}
	if d, ok := r.(interface{ SetReadDeadline(time.Time) error }); ok && d.SetReadDeadline(time.Unix(1, 0)) == nil {
		<-gone
		d.SetReadDeadline(time.Time{})
		return
	}
	if c, ok := r.(io.Closer); ok {
		c.Close()
	}
	select {
	case <-gone:
	case <-time.After(20 * time.Millisecond):
	}
}
