package gomocup

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// session is one conversation. All of it belongs to the goroutine of Serve,
// except what a thought is given when it starts.
type session struct {
	cfg    *serverConfig
	out    *outbox
	engine *gomoku.Engine
	table  int64 // size of the engine's table
	helped int   // threads of the engine, 0 for its default
	used   bool  // the engine has searched: its table takes memory

	prepared map[gomoku.Rule]bool

	board *gomoku.Board // nil before START
	rule  gomoku.Rule   // what the manager wants; the board follows when no thought uses it
	block *block        // lines up to DONE that are being read

	clock   clock
	memory  int64
	depth   int
	nodes   int64
	threads int // 0: not told

	thinking thought
}

// thought is a search that goes on beside the conversation. The zero value is
// none.
type thought struct {
	done   chan answer // nil: not thinking
	cancel context.CancelFunc
	start  time.Time // of the command that asked for it
}

// answer is what comes of a thought: a move to play, or a text.
type answer struct {
	move gomoku.Point
	text string
	err  error
}

func (s *session) busy() bool { return s.thinking.done != nil }

// think starts a thought. The manager's clock has run since the command came.
func (s *session) think(ctx context.Context, at time.Time, job func(context.Context) answer) {
	s.used = true
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan answer, 1)
	s.thinking = thought{done: done, cancel: cancel, start: at}
	go func() { done <- job(ctx) }()
}

// abort drops the thought, if there is one.
func (s *session) abort() {
	if s.busy() {
		s.thinking.cancel()
		<-s.thinking.done
		s.rest()
	}
}

// rest notes that nobody thinks, and does what had to wait for that.
func (s *session) rest() {
	s.thinking.cancel()
	s.clock.spent(time.Since(s.thinking.start))
	s.thinking = thought{}
	s.applyResources()
	s.applyRule()
}

// finish plays the move and answers.
func (s *session) finish(a answer) {
	var reply string
	switch {
	case a.move != gomoku.NoPoint:
		if err := s.board.Make(a.move); err != nil {
			reply = errorText(err) // only when an option of the engine's own makes such moves
			break
		}
		reply = formatPoint(a.move, s.board.Size())
	case a.err != nil:
		reply = errorText(a.err)
	default:
		reply = a.text
	}
	s.rest()
	s.out.answer(reply)
}

// errorText turns an error into an answer, on one line.
func errorText(err error) string {
	return "ERROR " + strings.TrimPrefix(oneLine(err.Error()), "gomoku: ")
}

var (
	errNoGame    = errors.New("there is no game, START comes first")
	errThinking  = errors.New("still thinking")
	errArguments = errors.New("malformed arguments")
	errNotEmpty  = errors.New("the board is not empty")
	errBlock     = errors.New("DONE is missing")
	errOrder     = errors.New("the stones are not in the order of play")
	errContinued = errors.New("field 3 belongs to continuous games, which are not supported")
)

// A handler carries out a command with the given arguments. Its error becomes
// the answer.
type handler func(s *session, ctx context.Context, args string, at time.Time) error

// handlerOf returns the handler of a command, nil for END and unknown ones. It is
// no table, so that programs that use another part of the package need not link
// the server.
func handlerOf(word string) handler {
	switch word {
	case "START":
		return (*session).start
	case "RECTSTART":
		return (*session).rectStart
	case "RESTART":
		return (*session).restart
	case "BEGIN":
		return (*session).begin
	case "TURN":
		return (*session).turn
	case "PLAY":
		return (*session).play
	case "TAKEBACK":
		return (*session).takeBack
	case "BOARD":
		return blockOf("x,y,field with field 1 or 2", (*session).setBoard)
	case "YXBOARD":
		return blockOf("x,y,field with field 1 or 2", (*session).showBoard)
	case "SWAP2BOARD":
		return blockOf("x,y", (*session).swap2)
	case "DONE":
		return (*session).done
	case "INFO":
		return (*session).info
	case "ABOUT":
		return (*session).about
	case "YXSTOP", "STOP":
		return (*session).stop
	case "YXNBEST":
		return (*session).nBest
	case "YXSHOWFORBID":
		return (*session).showForbid
	}
	return nil
}

// handle carries out a line and reports whether it was END.
func (s *session) handle(ctx context.Context, c command) (end bool) {
	word, args := cutWord(c.line)
	word = strings.ToUpper(word)
	h := handlerOf(word)
	if s.block != nil && word != "DONE" && word != "END" {
		if h == nil {
			s.block.add(strings.TrimSpace(c.line))
			return false
		}
		// The manager has given up the position. It gets its answer.
		s.block = nil
		s.out.answer(errorText(errBlock))
	}
	switch {
	case word == "":
	case word == "END":
		return true
	case h == nil:
		s.out.answer("UNKNOWN command " + quote(word))
	default:
		if err := h(s, ctx, args, c.at); err != nil {
			s.out.answer(errorText(err))
		}
	}
	return false
}

// quote shows what a manager sent, cut to a modest length.
func quote(s string) string { return strconv.QuoteToASCII(s[:min(len(s), 40)]) }

func (s *session) ok() error {
	s.out.answer("OK")
	return nil
}

// idle says why a command that needs the engine or changes the board can't be
// carried out.
func (s *session) idle() error {
	switch {
	case s.board == nil:
		return errNoGame
	case s.busy():
		return errThinking
	}
	return nil
}

// playable is idle for commands that make a move.
func (s *session) playable() error {
	if err := s.idle(); err != nil {
		return err
	}
	return s.overError()
}

// overError says how the game has ended, or nil if it goes on.
func (s *session) overError() error {
	b := s.board
	switch {
	case b.Winner() != gomoku.Empty && b.WinningLine() == nil:
		return fmt.Errorf("%w: %v has lost by a foul", gomoku.ErrGameOver, b.Winner().Opponent())
	case b.Winner() != gomoku.Empty:
		return fmt.Errorf("%w: %v has won", gomoku.ErrGameOver, b.Winner())
	case b.Over():
		return fmt.Errorf("%w: the board is full", gomoku.ErrGameOver)
	}
	return nil
}

func (s *session) start(_ context.Context, args string, _ time.Time) error {
	size, err := strconv.Atoi(args)
	if err != nil {
		return errArguments
	}
	if size < gomoku.MinSize || size > gomoku.MaxSize {
		// Piskvork offers the user size 20 if the text has that number.
		return fmt.Errorf("size %d is not supported, only %d to %d, for example 20", size, gomoku.MinSize, gomoku.MaxSize)
	}
	return s.newGame(size)
}

func (s *session) rectStart(ctx context.Context, args string, at time.Time) error {
	n, err := parseNumbers(args, 2)
	if err != nil {
		return errArguments
	}
	if n[0] != n[1] {
		return fmt.Errorf("rectangular boards are not supported, only square ones of %d to %d", gomoku.MinSize, gomoku.MaxSize)
	}
	return s.start(ctx, strconv.Itoa(n[0]), at)
}

func (s *session) restart(context.Context, string, time.Time) error {
	if s.board == nil {
		return errNoGame
	}
	return s.newGame(s.board.Size())
}

// newGame sets up an empty board and answers OK.
func (s *session) newGame(size int) error {
	s.abort()
	board, err := gomoku.NewBoard(size, s.rule)
	if err != nil {
		return err
	}
	s.board = board
	s.clock.newGame()
	s.prepare()
	return s.ok()
}

// prepare does now, when nobody counts the time, what the first move of a game
// would have to do otherwise: it empties the table and has the library build
// what it builds at the first search under a rule. The engine's own table is
// left alone as long as it takes no memory, for the manager may be about to
// limit that.
func (s *session) prepare() {
	if s.used {
		s.engine.NewGame()
		searchNothing(s.engine, s.board)
	}
	s.prepareRule()
}

func (s *session) prepareRule() {
	if s.prepared[s.rule] {
		return
	}
	s.prepared[s.rule] = true
	engine, err := s.cfg.newEngine(0, 0)
	board, err2 := gomoku.NewBoard(gomoku.MinSize, s.rule)
	if err == nil && err2 == nil {
		searchNothing(engine, board)
	}
}

// searchNothing has the engine do what comes before a search. The move, or the
// error if the game is over, doesn't matter.
func searchNothing(e *gomoku.Engine, b *gomoku.Board) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	e.Search(ctx, b)
}

func (s *session) begin(ctx context.Context, args string, at time.Time) error {
	if err := s.idle(); err != nil {
		return err
	}
	if args != "" {
		return errArguments
	}
	if s.board.Len() > 0 {
		return errNotEmpty
	}
	return s.move(ctx, at)
}

func (s *session) turn(ctx context.Context, args string, at time.Time) error {
	if err := s.playable(); err != nil {
		return err
	}
	p, err := parsePoint(args, s.board.Size())
	if err != nil {
		return err
	}
	if err := s.board.MakeFoul(p); err != nil {
		return s.pointError(p, err)
	}
	return s.move(ctx, at)
}

// pointError says why a stone can't be placed, with the manager's coordinates.
func (s *session) pointError(p gomoku.Point, err error) error {
	if e, ok := errors.AsType[*gomoku.MoveError](err); ok {
		err = e.Err
		if e.Foul != gomoku.NoFoul {
			err = fmt.Errorf("%w: %v", err, e.Foul)
		}
	}
	return fmt.Errorf("%s: %w", formatPoint(p, s.board.Size()), err)
}

// play makes the move that the manager chose for the brain.
func (s *session) play(_ context.Context, args string, _ time.Time) error {
	if err := s.playable(); err != nil {
		return err
	}
	p, err := parsePoint(args, s.board.Size())
	if err != nil {
		return err
	}
	if err := s.board.Make(p); err != nil {
		return s.pointError(p, err)
	}
	s.out.answer(formatPoint(p, s.board.Size()))
	return nil
}

// takeBack removes the stone, which managers choose from the last backwards. Its
// owner has the turn again. Another stone than the last can be removed as well,
// and makes the rest a set-up position.
func (s *session) takeBack(_ context.Context, args string, _ time.Time) error {
	if s.board == nil {
		return errNoGame
	}
	p, err := parsePoint(args, s.board.Size())
	if err != nil {
		return err
	}
	color := s.board.At(p)
	if color == gomoku.Empty {
		return fmt.Errorf("there is no stone at %s", formatPoint(p, s.board.Size()))
	}
	s.abort()
	if s.board.LastMove() == p {
		s.board.Undo()
		return s.ok()
	}
	if err := s.board.SetStone(p, gomoku.Empty); err != nil {
		return err
	}
	s.board.SetTurn(color)
	return s.ok()
}

func (s *session) about(context.Context, string, time.Time) error {
	s.out.answer(s.cfg.about.String())
	return nil
}

// stop has the thought end with what it has. Without one there is nothing to do
// and nothing to say: the answer may just have crossed the command.
func (s *session) stop(context.Context, string, time.Time) error {
	if s.busy() {
		s.thinking.cancel()
	}
	return nil
}

func (s *session) nBest(ctx context.Context, args string, at time.Time) error {
	if err := s.idle(); err != nil {
		return err
	}
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > gomoku.MaxMultiPV {
		return errArguments
	}
	return s.move(ctx, at, gomoku.WithMultiPV(n))
}

// showForbid lists Black's fouls, each as two digits of x and two of y.
func (s *session) showForbid(context.Context, string, time.Time) error {
	if s.board == nil {
		return errNoGame
	}
	var b strings.Builder
	b.WriteString("FORBID ")
	if s.board.Rule() == gomoku.Renju && !s.board.Over() {
		size := s.board.Size()
		empty := s.board.Stones(gomoku.Empty)
		for y := size - 1; y >= 0; y-- {
			for x := range size {
				if p := gomoku.Pt(x, y); empty.Has(p) && s.board.Foul(p) != gomoku.NoFoul {
					fmt.Fprintf(&b, "%02d%02d", x, size-1-y)
				}
			}
		}
	}
	b.WriteByte('.')
	s.out.answer(b.String())
	return nil
}

// move searches for the move of the side to move and plays it.
func (s *session) move(ctx context.Context, at time.Time, opts ...gomoku.Option) error {
	if err := s.overError(); err != nil {
		return err
	}
	board, engine := s.board.Clone(), s.engine
	size := board.Size()
	limits := append(s.limits(at), opts...)
	limits = append(limits, gomoku.WithProgress(func(i gomoku.Info) {
		s.out.message(formatInfo(i, size))
		for n, line := range i.Lines[min(1, len(i.Lines)):] {
			s.out.message(fmt.Sprintf("multipv %d ev %s pv%s", n+2, formatScore(line.Score), formatLine(line.PV, size)))
		}
	}))
	s.think(ctx, at, func(ctx context.Context) answer {
		r, err := engine.Search(ctx, board, limits...)
		if errors.Is(err, gomoku.ErrEvaluator) {
			s.out.message(oneLine(err.Error()))
			err = nil // it comes with a legal move
		}
		if errors.Is(err, gomoku.ErrNoLegalMove) {
			err = gomoku.ErrNoLegalMove
		}
		return answer{move: r.Best, err: err}
	})
	return nil
}

// limits are the options for a search that was asked for at the given time.
func (s *session) limits(at time.Time) []gomoku.Option {
	var opts []gomoku.Option
	if s.depth > 0 {
		opts = append(opts, gomoku.WithDepth(s.depth))
	}
	if s.nodes > 0 {
		opts = append(opts, gomoku.WithNodeLimit(s.nodes))
	}
	if b := s.budget(at); b.limited {
		opts = append(opts, gomoku.WithTimeBudget(b.hard), gomoku.WithSoftTime(b.soft))
	}
	return opts
}

// budget is the time for a move from now on, when it was asked for a while ago.
func (s *session) budget(at time.Time) budget {
	b := s.clock.budget(s.cfg.margin, s.depth > 0 || s.nodes > 0)
	gone := time.Since(at)
	b.soft, b.hard = max(b.soft-gone, 0), max(b.hard-gone, 0)
	return b
}

// applyRule makes the board follow the rule, keeping its stones, and its history
// where the rule allows it.
func (s *session) applyRule() {
	if s.board == nil || s.busy() || s.board.Rule() == s.rule {
		return
	}
	old := s.board
	b, err := gomoku.NewBoard(old.Size(), s.rule)
	if err != nil {
		return
	}
	s.board = b
	defer s.prepareRule()
	for p := range old.Moves() {
		if b.Make(p) != nil {
			break
		}
	}
	if b.Len() == old.Len() && b.Turn() == old.Turn() {
		return // all its stones were moves, and still can be
	}
	for _, c := range [...]gomoku.Color{gomoku.Black, gomoku.White} {
		for p := range old.Stones(c).All() {
			b.SetStone(p, c)
		}
	}
	b.SetTurn(old.Turn())
}

// The memory of the process besides the table.
const (
	programMemory = 16 << 20
	threadMemory  = 1 << 20 // of each thread beyond the first
	leastTable    = 64 << 10
)

// tableFor returns the size of the table within what the manager allows.
func (c *serverConfig) tableFor(memory int64, threads int) int64 {
	if memory <= 0 {
		return c.table
	}
	memory -= programMemory + threadMemory*int64(max(threads-1, 0))
	return min(c.table, max(memory/2, leastTable))
}

// applyResources replaces the engine if its table or its threads are no longer
// what the manager wants; neither can be changed.
func (s *session) applyResources() {
	size := s.cfg.tableFor(s.memory, s.threads)
	if s.busy() || size == s.table && s.threads == s.helped {
		return
	}
	s.engine = nil
	if s.used {
		debug.FreeOSMemory() // the manager must not see the old table and the new one together
	}
	engine, err := s.cfg.newEngine(size, s.threads)
	if err != nil {
		panic(err) // NewServer has tried all that could be wrong
	}
	s.engine, s.table, s.helped, s.used = engine, size, s.threads, false
}
