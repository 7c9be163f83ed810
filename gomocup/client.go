package gomocup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gomoku-go/gomoku"
)

// The ways in which a brain can fail, to be found with errors.Is in the
// *BrainError that a Client returns.
var (
	ErrTimeout     = errors.New("the brain did not answer in time")
	ErrCrashed     = errors.New("the brain ended by itself")
	ErrRefused     = errors.New("the brain refused")
	ErrIllegalMove = errors.New("the brain made an illegal move")
	ErrNoMove      = errors.New("the brain's answer is no move")
	ErrClosed      = errors.New("the brain is closed")
)

// BrainError says what a brain was asked to do and how it failed. Err wraps one
// of the Err variables, the error of a cancelled context, or the reason why the
// program did not start.
type BrainError struct {
	Brain string // the program's name
	Op    string // "start", "new game", "move", "about", "close"
	Err   error

	// Detail is the brain's own words: its ERROR line, or the last line that
	// was no answer and the end of its error output, or "".
	Detail string
}

// Error describes the failure, for example
// `gomocup: pbrain-x: move: the brain ended by itself (exit status 2)`.
func (e *BrainError) Error() string {
	s := fmt.Sprintf("gomocup: %s: %s: %v", e.Brain, e.Op, e.Err)
	if e.Detail != "" {
		s += fmt.Sprintf(" (%s)", e.Detail)
	}
	return s
}

// Unwrap returns e.Err.
func (e *BrainError) Unwrap() error { return e.Err }

// Fastest as the time for a turn asks a brain to play as fast as it can.
const Fastest time.Duration = -1

// Limits is what a brain may use. The zero value of a field sets no limit, and
// nothing is said about it to the brain; exceptions are noted.
type Limits struct {
	Turn      time.Duration // for one move, or Fastest
	Match     time.Duration // for all moves of a game
	Increment time.Duration // added to what is left of Match with each move; few brains know it
	Memory    int64         // bytes
	Depth     int           // plies; few brains know it
	Nodes     int64         // positions a move; few brains know it
	Threads   int           // few brains know it

	// Tolerance is how much later than the limit a move may arrive before the
	// brain is taken for hung: its clock is not ours, and the answer has to
	// travel. 0 stands for one second, as managers have it; a negative value
	// for none. Close waits as long, if that is more than its usual time.
	Tolerance time.Duration
}

// The times a brain has for what no limit is set for.
const (
	answerTime       = 10 * time.Second // to START, RESTART and ABOUT
	endTime          = 700 * time.Millisecond
	defaultTolerance = time.Second

	// settleTime is between a brain's move and our next command. Some brains
	// print their move a moment before they listen again, and lose what comes
	// in between.
	settleTime = 5 * time.Millisecond
)

// Message is a line that a brain sent beside its answers.
type Message struct {
	Kind string // "MESSAGE", "DEBUG", "ERROR" or "UNKNOWN"
	Text string
	// Info is what the messages of the present move have told of the search so
	// far, and Informed whether this one told anything new. Brains have no
	// common language for it; what isn't recognized is zero. Scores are in the
	// brain's own units.
	Info     gomoku.Info
	Informed bool
}

// A Client drives a brain. It keeps track of what the brain has been told, so
// that any position can be asked for at any time.
//
// When a call fails because the brain crashed, hung, was cancelled or spoke
// nonsense, the brain is killed, with everything it has started, before the call
// returns, and every later call fails with ErrClosed. A refusal or an illegal
// move leaves it alive.
// Every error is a *BrainError.
//
// A Client is not safe for concurrent use, except Stop.
type Client struct {
	name      string
	lines     chan string // from the brain; closed at its end
	out       chan string // to the brain
	dead      chan struct{}
	closeIO   func()
	cmd       *exec.Cmd     // nil if the brain is no process of ours
	exited    chan struct{} // closed when the process has been waited for
	stderr    tail
	workers   sync.WaitGroup
	closed    bool
	onMessage func(Message)

	limits  Limits
	size    int // 0: no game yet
	rule    gomoku.Rule
	known   uint64 // hash of the position the brain has, after its own move
	synced  bool   // known is valid
	blank   bool   // the brain has an empty board
	info    gomoku.Info
	lastErr string // the last ERROR or UNKNOWN line
	stray   string // the last line of the present call that is no answer to it

	unsure   bool      // an INFO was sent, and nothing yet that has an answer
	answered time.Time // when the last answer came
	thought  time.Duration
}

// Start starts an engine program. A program given with a path runs in its own
// directory, where many brains look for their files; a bare name is looked up as
// the shell does. The program is killed when the context is cancelled, and ends
// with Close otherwise.
func Start(ctx context.Context, program string, args ...string) (*Client, error) {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	fail := func(err error) (*Client, error) {
		return nil, &BrainError{Brain: name, Op: "start", Err: err}
	}
	path, dir := program, ""
	if filepath.Base(program) != program {
		abs, err := filepath.Abs(program)
		if err != nil {
			return fail(err)
		}
		path, dir = abs, filepath.Dir(abs)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return fail(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return fail(err)
	}
	c := newClient(name)
	c.cmd = cmd
	cmd.Stderr = &c.stderr
	cmd.WaitDelay = endTime // a grandchild may hold the error output open
	if err := cmd.Start(); err != nil {
		return fail(err)
	}
	c.closeIO = func() {
		killGroup(cmd) // in the ordinary case there is nothing left to kill
		stdin.Close()
	}
	c.run(stdout, stdin, func() {
		cmd.Wait()
		close(c.exited)
	})
	return c, nil
}

// NewClient returns a client for a brain that is at the other end of r and w;
// the name is for error messages. Close closes both.
func NewClient(name string, r io.ReadCloser, w io.WriteCloser) *Client {
	c := newClient(name)
	c.closeIO = func() {
		w.Close()
		r.Close()
	}
	c.run(r, w, func() { close(c.exited) })
	return c
}

func newClient(name string) *Client {
	return &Client{
		name: name, lines: make(chan string, 64), out: make(chan string, 4),
		dead: make(chan struct{}), exited: make(chan struct{}),
	}
}

// run starts the two goroutines that read and write; ended is called after the
// last line was read.
func (c *Client) run(r io.Reader, w io.WriteCloser, ended func()) {
	c.workers.Go(func() {
		defer ended()
		defer close(c.lines)
		lines := newLineReader(r)
		for {
			line, err := lines.next()
			if err != nil {
				return
			}
			select {
			case c.lines <- line:
			case <-c.dead:
			}
		}
	})
	c.workers.Go(func() {
		defer w.Close()
		for {
			select {
			case text := <-c.out:
				if _, err := io.WriteString(w, text); err != nil {
					return // the reader meets the end, too
				}
				if text == endCommand {
					return
				}
			case <-c.dead:
				return
			}
		}
	})
}

const endCommand = "END\r\n"

// OnMessage has f called for every line that is no answer, from the goroutine
// that waits in one of the client's calls. Lines that come between two calls
// are delivered with the next one. nil switches it off.
func (c *Client) OnMessage(f func(Message)) { c.onMessage = f }

// Name returns the program's name, or the one given to NewClient.
func (c *Client) Name() string { return c.name }

// SetLimits sets what the brain may use, from the next move on.
func (c *Client) SetLimits(l Limits) error {
	c.limits = l
	if c.size == 0 {
		return c.check("limits")
	}
	c.unsure = true
	return c.send(context.Background(), "limits", c.limitLines()...)
}

// SetInfo sends any other INFO. Brains don't answer it and ignore what they
// don't know.
func (c *Client) SetInfo(key, value string) error {
	c.unsure = true
	return c.send(context.Background(), "info", oneLine("INFO "+key+" "+value))
}

// oneLine keeps a caller's text from becoming two commands.
func oneLine(s string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(s) }

func (c *Client) limitLines() []string {
	l := c.limits
	lines := []string{"INFO timeout_match " + strconv.FormatInt(milliseconds(l.Match), 10)}
	if l.Match == 0 {
		lines = append(lines, "INFO time_left "+strconv.Itoa(noTimeLimit))
	}
	add := func(key string, value int64) {
		if value != 0 {
			lines = append(lines, "INFO "+key+" "+strconv.FormatInt(value, 10))
		}
	}
	switch {
	case l.Turn < 0:
		lines = append(lines, "INFO timeout_turn 0")
	case l.Turn > 0:
		add("timeout_turn", milliseconds(l.Turn))
	case l.Match > 0:
		// Without a word, some brains assume a few seconds.
		add("timeout_turn", milliseconds(l.Match))
	}
	add("time_increment", milliseconds(l.Increment))
	lines = append(lines, "INFO max_memory "+strconv.FormatInt(l.Memory, 10))
	add("max_depth", int64(l.Depth))
	add("max_node", l.Nodes)
	add("thread_num", int64(l.Threads))
	return lines
}

// NewGame has the brain prepare for a game. It fails with ErrRefused if the
// brain can't play the size or says that it can't play the rule; it may not say
// so and play by another.
func (c *Client) NewGame(ctx context.Context, size int, rule gomoku.Rule) error {
	const op = "new game"
	number, err := ruleNumber(rule)
	if err != nil {
		return c.failure(op, err, "")
	}
	c.size, c.rule, c.synced, c.blank = size, rule, false, false
	if err := c.begin(ctx, op); err != nil {
		c.size = 0
		return err
	}
	lines := append([]string{
		"INFO rule " + strconv.Itoa(number),
		"INFO game_type 1",
	}, c.limitLines()...)
	if err := c.send(ctx, op, lines...); err != nil {
		return err
	}
	refusal, err := c.sync(ctx, op)
	if err == nil && refusal != "" {
		err = c.failure(op, ErrRefused, refusal)
	}
	return err
}

// sync waits until the brain has dealt with all INFO and returns what it said
// against it. INFO has no answer; that of the next command tells that a refusal
// would have come before.
func (c *Client) sync(ctx context.Context, op string) (refusal string, err error) {
	c.lastErr, c.unsure = "", false
	_, err = c.ask(ctx, op, "ABOUT", answerTime)
	return c.lastErr, err
}

// begin sends START and waits for OK.
func (c *Client) begin(ctx context.Context, op string) error {
	answer, err := c.ask(ctx, op, "START "+strconv.Itoa(c.size), answerTime)
	if err != nil {
		return err
	}
	if !isOK(answer) {
		return c.failure(op, ErrRefused, answer)
	}
	c.blank, c.synced = true, false
	return nil
}

// isOK accepts what the protocol's text prints, "OK - everything is good", too.
func isOK(answer string) bool {
	word, _ := cutWord(answer)
	return strings.EqualFold(word, "OK")
}

// isAbout recognizes the answer to ABOUT, or a line of it: key="value".
func isAbout(answer string) bool {
	key, value, ok := strings.Cut(answer, "=")
	return ok && strings.HasPrefix(strings.TrimSpace(value), `"`) && !strings.ContainsAny(strings.TrimSpace(key), " \t\"")
}

// About returns the brain's line about itself, usually
// name="...", version="...", author="...", country="...".
func (c *Client) About(ctx context.Context) (string, error) {
	return c.ask(ctx, "about", "ABOUT", answerTime)
}

// Move asks the brain for the move of the side to move on b, which must have
// the size and rule of the game; it does not change b. What is left of the match
// time counts if Limits.Match is set.
//
// The brain is told the opponent's last move if that is all it has missed, and
// the whole position otherwise. The move comes back with the error when it is
// illegal, which is ErrIllegalMove with the board's reason, such as
// gomoku.ErrOccupied or gomoku.ErrFoul, wrapped. A brain that does not answer in
// time is killed: ErrTimeout. One that answers with something else than a move
// is, too, at once: ErrNoMove. What it might say later could not be told from
// an answer to another question. Only an OK, or what belongs to ABOUT, that
// comes late is passed over.
func (c *Client) Move(ctx context.Context, b *gomoku.Board, left time.Duration) (gomoku.Point, error) {
	const op = "move"
	fail := func(err error) (gomoku.Point, error) {
		return gomoku.NoPoint, c.failure(op, err, "")
	}
	switch {
	case b == nil:
		return fail(gomoku.ErrNilBoard)
	case c.size == 0 || b.Size() != c.size || b.Rule() != c.rule:
		return fail(errors.New("the board is not that of the game"))
	case b.Over():
		return fail(gomoku.ErrGameOver)
	}
	time.Sleep(time.Until(c.answered.Add(settleTime)))
	if c.unsure { // lest a word against an INFO be taken for the answer
		if _, err := c.sync(ctx, op); err != nil {
			return gomoku.NoPoint, err
		}
	}
	lines, err := c.position(ctx, op, b)
	if err != nil {
		return gomoku.NoPoint, err
	}
	if c.limits.Match > 0 {
		lines = append([]string{"INFO time_left " + strconv.FormatInt(milliseconds(left), 10)}, lines...)
	}

	c.info, c.synced, c.blank = gomoku.Info{}, false, false
	limit, limited := c.moveLimit(left)
	start := time.Now()
	p, err := c.awaitMove(ctx, op, lines, limit, limited)
	c.thought = time.Since(start)
	if err != nil {
		return p, err
	}
	after := b.Clone()
	if err := after.Make(p); err != nil {
		return p, c.failure(op, fmt.Errorf("%w: %w", ErrIllegalMove, err), "")
	}
	c.known, c.synced = after.Hash(), true
	return p, nil
}

// Thought returns how long the brain took for the move that the last call of
// Move returned, from the command to the answer. It is what belongs on a clock.
func (c *Client) Thought() time.Duration { return c.thought }

// moveLimit is how long to wait for a move.
func (c *Client) moveLimit(left time.Duration) (limit time.Duration, limited bool) {
	l := c.limits
	if l.Turn != 0 {
		limit, limited = max(l.Turn, 0), true
	}
	if l.Match > 0 && (!limited || left < limit) {
		limit, limited = max(left, 0), true
	}
	return limit + max(cmp.Or(l.Tolerance, defaultTolerance), 0), limited
}

// position returns the commands that bring the brain from what it knows to the
// position and make it think.
func (c *Client) position(ctx context.Context, op string, b *gomoku.Board) ([]string, error) {
	if c.blank && b.Len() == 0 {
		return []string{"BEGIN"}, nil
	}
	if last := b.LastMove(); last != gomoku.NoPoint && (c.synced || c.blank) {
		before := b.Clone()
		before.Undo()
		if c.synced && before.Hash() == c.known || c.blank && before.Len() == 0 {
			return []string{"TURN " + formatPoint(last, c.size)}, nil
		}
	}
	if !c.blank {
		answer, err := c.ask(ctx, op, "RESTART", answerTime)
		if err != nil {
			return nil, err
		}
		if !isOK(answer) {
			if err := c.begin(ctx, op); err != nil {
				return nil, err
			}
		}
		c.blank, c.synced = true, false
	}
	if b.Len() == 0 {
		return []string{"BEGIN"}, nil
	}
	return boardLines(b), nil
}

// boardLines writes the position as a BOARD command. Moves keep their order,
// which Renju needs; set-up stones, which have none, come first and alternate
// as long as they can.
func boardLines(b *gomoku.Board) []string {
	lines := []string{"BOARD"}
	add := func(p gomoku.Point, c gomoku.Color) {
		field := ",2"
		if c == b.Turn() {
			field = ",1"
		}
		lines = append(lines, formatPoint(p, b.Size())+field)
	}
	black, white := b.Stones(gomoku.Black), b.Stones(gomoku.White)
	for p := range b.Moves() {
		black.Remove(p)
		white.Remove(p)
	}
	x, y := black.Points(), white.Points()
	for i := range max(len(x), len(y)) {
		if i < len(x) {
			add(x[i], gomoku.Black)
		}
		if i < len(y) {
			add(y[i], gomoku.White)
		}
	}
	for p, c := range b.Moves() {
		add(p, c)
	}
	return append(lines, "DONE")
}

// Stop asks the brain to move at once; not all brains know the command, YXSTOP.
// It may be called while Move waits.
func (c *Client) Stop() {
	select {
	case c.out <- "YXSTOP\r\n":
	case <-c.dead:
	}
}

// Close tells the brain to end, waits for it, and kills it if it doesn't within
// 0.7 s, the time that Piskvork grants, or Limits.Tolerance if that is more;
// that is reported as ErrTimeout. When Close returns nothing of the brain is
// left. A second Close does nothing.
func (c *Client) Close() error {
	if c.closed {
		return nil
	}
	timer := time.NewTimer(max(endTime, c.limits.Tolerance))
	defer timer.Stop()
	late := false
	select {
	case c.out <- endCommand:
	case <-c.exited:
	case <-timer.C:
		late = true
	}
	for ended := false; !late && !ended; {
		select {
		case _, alive := <-c.lines: // nothing may keep it from ending
			if !alive {
				select {
				case <-c.exited:
				case <-timer.C:
					late = true
				}
				ended = true
			}
		case <-timer.C:
			late = true
		}
	}
	c.kill()
	if late {
		return c.failure("close", ErrTimeout, "")
	}
	return nil
}

// kill ends everything and waits until it has ended.
func (c *Client) kill() {
	if c.closed {
		return
	}
	c.closed = true
	close(c.dead)
	c.closeIO()
	c.workers.Wait()
}

func (c *Client) failure(op string, err error, detail string) error {
	return &BrainError{Brain: c.name, Op: op, Err: err, Detail: detail}
}

func (c *Client) check(op string) error {
	if c.closed {
		return c.failure(op, ErrClosed, "")
	}
	return nil
}

// send gives lines to the writer. Lines that came since the last call are
// delivered first: none of them can be an answer to these.
func (c *Client) send(ctx context.Context, op string, lines ...string) error {
	if err := c.check(op); err != nil {
		return err
	}
	c.stray = ""
	for waiting := true; waiting; {
		select {
		case line, alive := <-c.lines:
			if !alive {
				return c.crashed(op)
			}
			c.message(line)
		default:
			waiting = false
		}
	}
	select {
	case c.out <- strings.Join(lines, "\r\n") + "\r\n":
		return nil
	case <-ctx.Done():
		c.kill()
		return c.failure(op, ctx.Err(), "")
	}
}

// receive returns the next line that is neither MESSAGE nor DEBUG.
func (c *Client) receive(ctx, limit context.Context, op string) (string, error) {
	for {
		select {
		case line, alive := <-c.lines:
			if !alive {
				if ctx.Err() != nil { // that is why it ended
					c.kill()
					return "", c.failure(op, ctx.Err(), "")
				}
				return "", c.crashed(op)
			}
			if !c.message(line) {
				c.answered = time.Now()
				return strings.TrimSpace(line), nil
			}
		case <-limit.Done():
			c.kill()
			if ctx.Err() != nil {
				return "", c.failure(op, ctx.Err(), "")
			}
			return "", c.failure(op, ErrTimeout, c.words())
		}
	}
}

// crashed buries a brain that closed its output.
func (c *Client) crashed(op string) error {
	select {
	case <-c.exited: // to learn how it ended
	case <-time.After(100 * time.Millisecond):
	}
	c.kill()
	detail := c.words()
	if c.cmd != nil && c.cmd.ProcessState != nil {
		detail = strings.TrimSpace(c.cmd.ProcessState.String() + ": " + detail)
		detail = strings.TrimSuffix(detail, ":")
	}
	return c.failure(op, ErrCrashed, detail)
}

// words are the stray line, if there is one, and the end of the error output.
func (c *Client) words() string {
	return strings.TrimPrefix(strings.TrimSuffix(c.stray+": "+c.stderr.String(), ": "), ": ")
}

// message delivers a line that is no answer and reports whether it was one. An
// ERROR or UNKNOWN is delivered, too, but is an answer.
func (c *Client) message(line string) bool {
	word, rest := cutWord(line)
	m := Message{Kind: strings.ToUpper(word), Text: rest}
	switch m.Kind {
	case "MESSAGE", "DEBUG":
		m.Informed = c.size > 0 && readInfo(&c.info, rest, c.size)
	case "ERROR", "UNKNOWN":
		c.lastErr = strings.TrimSpace(line)
	default:
		return false
	}
	if c.onMessage != nil {
		m.Info = c.info
		m.Info.PV = append([]gomoku.Point(nil), c.info.PV...)
		c.onMessage(m)
	}
	return m.Kind == "MESSAGE" || m.Kind == "DEBUG"
}

// ask sends a command and returns the answer. For ABOUT, which has one from
// every brain, lines that are refusals of earlier commands are passed over
// unless nothing else comes: the protocol lets it be unknown.
func (c *Client) ask(ctx context.Context, op, command string, limit time.Duration) (string, error) {
	if err := c.send(ctx, op, command); err != nil {
		return "", err
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		line, err := c.receive(ctx, timed, op)
		if err != nil {
			return "", err
		}
		word, _ := cutWord(line)
		switch refusal := strings.ToUpper(word); {
		case command != "ABOUT" && (refusal == "ERROR" || refusal == "UNKNOWN" || isOK(line)):
			return line, nil
		case command == "ABOUT" && refusal == "UNKNOWN":
			c.lastErr = ""
			return "", nil
		case command == "ABOUT" && refusal != "ERROR" && !isOK(line):
			return line, nil
		}
		c.strayed(line)
	}
}

// strayed notes a line that is no answer, or its beginning.
func (c *Client) strayed(line string) {
	c.stray = strings.ToValidUTF8(line[:min(len(line), tailSize)], "?")
}

// awaitMove sends the commands and waits for a move. A brain that suggests one
// is told to play it.
func (c *Client) awaitMove(ctx context.Context, op string, lines []string, limit time.Duration, limited bool) (gomoku.Point, error) {
	timed := ctx
	if limited {
		var cancel context.CancelFunc
		timed, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	if err := c.send(timed, op, lines...); err != nil {
		if limited && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			err = c.failure(op, ErrTimeout, "")
		}
		return gomoku.NoPoint, err
	}
	for {
		line, err := c.receive(ctx, timed, op)
		if err != nil {
			return gomoku.NoPoint, err
		}
		word, rest := cutWord(line)
		switch strings.ToUpper(word) {
		case "ERROR", "UNKNOWN":
			return gomoku.NoPoint, c.failure(op, ErrRefused, line)
		case "SUGGEST":
			if err := c.send(timed, op, oneLine("PLAY "+rest)); err != nil {
				return gomoku.NoPoint, err
			}
			continue
		}
		var x, y int
		if n, _ := fmt.Sscanf(line, "%d,%d", &x, &y); n < 2 {
			c.strayed(line)
			if isOK(line) || isAbout(line) { // to something before
				continue
			}
			c.kill()
			return gomoku.NoPoint, c.failure(op, ErrNoMove, c.words())
		}
		p, err := wirePoint(x, y, c.size)
		if err != nil {
			return p, c.failure(op, fmt.Errorf("%w: %w", ErrIllegalMove, gomoku.ErrOutside), line)
		}
		return p, nil
	}
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 512

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if n := len(t.text) - tailSize; n > 0 {
		t.text = append(t.text[:0], t.text[n:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
