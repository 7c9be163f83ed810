package gomoku

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Score judges a position for the side to move: an estimate in the units of
// the evaluator, or a proven win or loss, which counts the plies to the end.
// Mate tells which; comparing two scores needs neither.
type Score int32

// The bands of Score. A proven result in n plies is mateScore-n or its negative.
const (
	// MaxEstimate is the largest estimate: won as far as the search looked, but
	// not proven, because some replies were left out.
	MaxEstimate Score = 20_000_000

	mateScore Score = 30_000_000
	infinity  Score = mateScore + 1
)

// Mate returns in how many plies the game ends, the last one included, if the
// score is a proven result: a positive number when the side to move wins, a
// negative one when it loses, zero when it has lost already. For an estimate ok
// is false.
//
// The winner can force the end within that many plies; a win by continuous fours
// is the first found, so a shorter one may exist. With NoTechniques and depth
// enough the number is exact.
func (s Score) Mate() (plies int, ok bool) {
	switch {
	case s > MaxEstimate:
		return int(mateScore - s), true
	case s < -MaxEstimate:
		return -int(mateScore + s), true
	}
	return 0, false
}

// String returns an estimate with its sign, such as "+120", and a proven result
// as "win in 5" or "loss in 4", in plies.
func (s Score) String() string {
	plies, ok := s.Mate()
	switch {
	case !ok:
		return fmt.Sprintf("%+d", int32(s))
	case plies > 0:
		return "win in " + strconv.Itoa(plies)
	default:
		return "loss in " + strconv.Itoa(-plies)
	}
}

// mateIn returns the score of winning in the given number of plies.
func mateIn(plies int) Score { return mateScore - Score(plies) }

// Strategy is how the search decides what it need not look at. All strategies
// find the same value.
type Strategy uint8

// The strategies.
const (
	// PVS is principal variation search (Marsland and Campbell 1982), the
	// default: the first move gets the full window, the others must first show
	// with a null window that they are better.
	PVS Strategy = iota
	// AlphaBeta is fail-soft alpha-beta (Knuth and Moore 1975).
	AlphaBeta
	// Minimax looks at everything.
	Minimax
)

var strategyNames = [...]string{PVS: "pvs", AlphaBeta: "alphabeta", Minimax: "minimax"}

// String returns "pvs", "alphabeta" or "minimax".
func (s Strategy) String() string { return enumName(strategyNames[:], int(s), "Strategy") }

// ParseStrategy returns the strategy with the given name, in upper or lower case.
func ParseStrategy(name string) (Strategy, error) {
	i, err := enumValue(strategyNames[:], name, "strategy")
	return Strategy(i), err
}

// MarshalText returns the strategy's name.
func (s Strategy) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText accepts what ParseStrategy accepts.
func (s *Strategy) UnmarshalText(text []byte) (err error) {
	*s, err = ParseStrategy(string(text))
	return err
}

// Level is a ready-made strength; WithLevel says what each stands for.
type Level uint8

// The levels, weakest first. Each wins most games against the one before it.
const (
	Easy Level = iota + 1
	Normal
	Hard
	Expert
)

var levelNames = [...]string{"", Easy: "easy", Normal: "normal", Hard: "hard", Expert: "expert"}

// String returns "easy", "normal", "hard" or "expert".
func (l Level) String() string { return enumName(levelNames[:], int(l), "Level") }

// ParseLevel returns the level with the given name, in upper or lower case.
func ParseLevel(name string) (Level, error) {
	i, err := enumValue(levelNames[:], name, "level")
	return Level(i), err
}

// MarshalText returns the level's name.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText accepts what ParseLevel accepts.
func (l *Level) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLevel(string(text))
	return err
}

// Bound says how a score relates to the true value of the searched tree.
type Bound uint8

// The bounds. The zero value is no bound: nothing is known.
const (
	NoBound Bound = iota
	Exact         // the score is the value
	Lower         // the value is at least the score
	Upper         // the value is at most the score
)

var boundNames = [...]string{NoBound: "none", Exact: "exact", Lower: "lower", Upper: "upper"}

// String returns "none", "exact", "lower" or "upper".
func (b Bound) String() string { return enumName(boundNames[:], int(b), "Bound") }

// MarshalText returns the bound's name.
func (b Bound) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads the bound's name.
func (b *Bound) UnmarshalText(text []byte) error {
	i, err := enumValue(boundNames[:], string(text), "bound")
	*b = Bound(i)
	return err
}

// StopReason says why a search ended.
type StopReason uint8

// The reasons.
const (
	StopDepth     StopReason = iota + 1 // the depth asked for was searched
	StopExhausted                       // the depth reaches the end of the game; Proven tells if all moves were searched
	StopProven                          // the result is proven, or nothing more can change it
	StopForced                          // there is one move to choose from, and time to save
	StopTime                            // the time is used up, or the next depth would not fit
	StopNodes                           // the node limit was reached
	StopCancelled                       // the context was cancelled, or Analyze's reader left
	StopFailed                          // the evaluator panicked
	StopBook                            // no search: the move comes from the opening book, see WithBook
)

var stopNames = [...]string{
	"", StopDepth: "depth", StopExhausted: "exhausted", StopProven: "proven", StopForced: "forced",
	StopTime: "time", StopNodes: "nodes", StopCancelled: "cancelled", StopFailed: "failed",
	StopBook: "book",
}

// String returns a single lower-case word, such as "time".
func (r StopReason) String() string { return enumName(stopNames[:], int(r), "StopReason") }

// MarshalText returns the reason as String does.
func (r StopReason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (r *StopReason) UnmarshalText(text []byte) error {
	i, err := enumValue(stopNames[:], string(text), "stop reason")
	*r = StopReason(i)
	return err
}

func enumName(names []string, i int, kind string) string {
	if i >= len(names) || names[i] == "" {
		return fmt.Sprintf("%s(%d)", kind, i)
	}
	return names[i]
}

func enumValue(names []string, name, kind string) (int, error) {
	for i, n := range names {
		if n != "" && strings.EqualFold(n, name) {
			return i, nil
		}
	}
	known := slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s == "" })
	return 0, &ParseError{What: kind, Text: name, Reason: "not one of " + strings.Join(known, ", ")}
}

// Line is a principal variation with its score. That of a proven result goes to the
// end of the game, or is cut where the search does not know how it goes on.
type Line struct {
	Score Score   `json:"score"`
	PV    []Point `json:"pv"`
}

// Candidate is a move the search considered at the root, and what it found: the
// score for the side to move, whether it is the move's value or a bound on it
// (most losing candidates are only shown to be no better than the best), and
// the line that was expected when it was last searched.
//
// The score is the move's own: a candidate may be a proven loss although the
// position's score is an estimate, because other moves were left out. A search
// that is broken off leaves scores of the last two depths side by side.
type Candidate struct {
	Point Point   `json:"point"`
	Score Score   `json:"score"`
	Bound Bound   `json:"bound"`
	PV    []Point `json:"pv,omitempty"`
}

// Info is the state of a search after a completed depth.
type Info struct {
	Depth    int     `json:"depth"`    // plies searched everywhere
	SelDepth int     `json:"seldepth"` // plies of the longest line looked at
	Score    Score   `json:"score"`
	PV       []Point `json:"pv"`
	Lines    []Line  `json:"lines"` // the best lines, MultiPV of them
	// Candidates is every move considered at the root, best first, without lines.
	Candidates []Candidate   `json:"candidates"`
	Nodes      int64         `json:"nodes"`
	Elapsed    time.Duration `json:"elapsed_ns"`
}

// Result is what a search found.
type Result struct {
	Best     Point         `json:"best"`
	Score    Score         `json:"score"`
	Proven   bool          `json:"proven"`   // the score is a fact, not an estimate
	Slip     bool          `json:"slip"`     // a level played a weaker move: Score is at least its worth, Lines is its line
	Depth    int           `json:"depth"`    // the last depth completed; Best may come from the next one
	SelDepth int           `json:"seldepth"` // plies of the longest line looked at
	PV       []Point       `json:"pv"`       // starts with Best
	Nodes    int64         `json:"nodes"`
	Elapsed  time.Duration `json:"elapsed_ns"`
	Stop     StopReason    `json:"stop"`
	// Lines are the best lines, MultiPV of them, best first. When a search is broken off,
	// those behind the first may still have the scores of the depth before.
	Lines []Line `json:"lines"`

	// Candidates is every move considered at the root, best first.
	Candidates []Candidate `json:"candidates"`
	Stats      Stats       `json:"stats"`
}

// Stats counts what a search did.
type Stats struct {
	Nodes           int64           `json:"nodes"`             // positions visited
	Evaluations     int64           `json:"evaluations"`       // leaves that the evaluator judged
	Cutoffs         int64           `json:"cutoffs"`           // nodes left early because a move was too good
	FirstMoveCuts   int64           `json:"first_move_cuts"`   // cutoffs by the first move tried: good ordering
	TableProbes     int64           `json:"table_probes"`      // look-ups in the transposition table
	TableHits       int64           `json:"table_hits"`        // look-ups that found the position
	TableCutoffs    int64           `json:"table_cutoffs"`     // look-ups that answered the node
	Researches      int64           `json:"researches"`        // null-window searches repeated with an open window
	WindowFailures  int64           `json:"window_failures"`   // aspiration windows missed
	DepthTimes      []time.Duration `json:"depth_times_ns"`    // time of each completed depth, depth 1 first
	DepthNodeCounts []int64         `json:"depth_node_counts"` // nodes of each completed depth, depth 1 first
}

// Merge adds the counts of o to s. The figures by depth are added depth by depth.
func (s *Stats) Merge(o Stats) {
	s.Nodes += o.Nodes
	s.Evaluations += o.Evaluations
	s.Cutoffs += o.Cutoffs
	s.FirstMoveCuts += o.FirstMoveCuts
	s.TableProbes += o.TableProbes
	s.TableHits += o.TableHits
	s.TableCutoffs += o.TableCutoffs
	s.Researches += o.Researches
	s.WindowFailures += o.WindowFailures
	s.DepthTimes = addEach(s.DepthTimes, o.DepthTimes)
	s.DepthNodeCounts = addEach(s.DepthNodeCounts, o.DepthNodeCounts)
}

// withoutDepths returns the counts without the figures by depth, which are the
// first thread's alone.
func (s Stats) withoutDepths() Stats {
	s.DepthTimes, s.DepthNodeCounts = nil, nil
	return s
}

func addEach[T int64 | time.Duration](to, from []T) []T {
	sum := slices.Clone(to)
	for i, v := range from {
		if i < len(sum) {
			sum[i] += v
		} else {
			sum = append(sum, v)
		}
	}
	return sum
}

// Errors of the engine, to be found with errors.Is.
var (
	ErrNoLegalMove = errors.New("no legal move")
	ErrBusy        = errors.New("the engine is searching already")
	ErrOption      = errors.New("invalid option")
	ErrEvaluator   = errors.New("the evaluator panicked")
	ErrNilBoard    = errors.New("the board is nil")
)

// The limits of the search depth and of the numbers of lines and threads.
const (
	MaxDepth   = 100
	MaxMultiPV = MaxSize * MaxSize
	MaxThreads = 256
)

// config is what options set. The zero value is not usable: see defaults.
type config struct {
	faults     []error // of options whose value says nothing that can be kept
	depth      int     // 0: no limit if time or nodes are limited, else defaultDepth
	radius     int
	cap        int // 0: no cap
	deepen     bool
	aspiration bool
	ordering   bool
	strategy   Strategy
	budget     time.Duration // negative: none
	soft       time.Duration // negative: as the budget allows
	nodes      int64         // 0: no limit
	tableSize  int64
	threads    int
	weights    Weights
	shapeWorth *ShapeWeights     // nil: the default
	evaluator  *evaluatorFactory // nil: the line evaluator with the weights
	multiPV    int
	exclude    []Point
	only       []Point
	seed       uint64
	techniques Technique
	slips      int // times in 100 that a weaker move is played
	progress   func(Info)
	book       bookUse
	ownBook    *Book // nil: the default
}

type evaluatorFactory func() Evaluator

const (
	defaultDepth = 6
	noLimit      = -1
)

var defaults = config{
	radius: 2, cap: 20, deepen: true, aspiration: true, ordering: true, strategy: PVS,
	techniques: AllTechniques, budget: noLimit, soft: noLimit, tableSize: 8 << 20, threads: 1, weights: BalancedWeights(), multiPV: 1,
}

// An Option sets one thing about an engine, or about one search of it. Later
// options win over earlier ones.
type Option func(*config)

// WithDepth limits the search to the given number of plies, 1 to MaxDepth.
// Without it the depth is 6, or unlimited if time or nodes are limited.
func WithDepth(plies int) Option {
	return func(c *config) {
		if plies == 0 { // in the config it means not set
			c.refuse("depth 0 is not 1 to %d", MaxDepth)
		}
		c.depth = plies
	}
}

// refuse notes a fault of an option for validate to report.
func (c *config) refuse(format string, args ...any) {
	c.faults = append(slices.Clip(c.faults), fmt.Errorf(format, args...))
}

// WithRadius makes the empty points within this distance of a stone the
// candidates, 1 to MaxRadius, or with 0 all empty points. Default 2.
func WithRadius(radius int) Option { return func(c *config) { c.radius = radius } }

// WithCandidateCap keeps at every node only the n candidates that promise most,
// 1 and up; 0 keeps all. What a candidate promises is its shapes for both sides,
// or with Shapes off both sides' single-point scores. Default 20.
func WithCandidateCap(n int) Option { return func(c *config) { c.cap = n } }

// WithIterativeDeepening searches depth 1, 2, ... up to the limit, each with the
// help of the one before, instead of the last depth alone. Without it, a search
// that is stopped early has only its move ordering to go by. Default on.
func WithIterativeDeepening(on bool) Option { return func(c *config) { c.deepen = on } }

// WithAspiration starts each depth with a narrow window around the score of
// two depths before, and widens it when the score falls outside. Default on.
func WithAspiration(on bool) Option { return func(c *config) { c.aspiration = on } }

// WithOrdering tries the candidates best first, by their own and the opponent's
// single-point scores with the table's move in front, rather than in the order
// of the board. It does not change which candidates are searched. Default on.
func WithOrdering(on bool) Option { return func(c *config) { c.ordering = on } }

// WithStrategy chooses how the tree is searched. Default PVS.
func WithStrategy(s Strategy) Option { return func(c *config) { c.strategy = s } }

// WithTimeBudget stops the search after this time, 0 and up; the search answers
// at once with 0. It does not start a depth that probably would not finish. A
// deadline of the context counts as well. Default: no limit.
func WithTimeBudget(d time.Duration) Option {
	return func(c *config) { c.budget = c.duration("time budget", d) }
}

// WithSoftTime lets no further depth begin after about this time, 0 and up, while
// the time budget remains the hard limit: after seven tenths of it if depth after
// depth finds the same move, after up to twice as long if the best move has just
// changed or the score has fallen. Default: half the budget. With the whole budget
// or more, the search uses its time up even on a depth it can't finish: for games
// in which time saved is lost.
func WithSoftTime(d time.Duration) Option {
	return func(c *config) { c.soft = c.duration("soft time", d) }
}

// duration returns d and refuses a negative one, which would pass for noLimit.
func (c *config) duration(name string, d time.Duration) time.Duration {
	if d < 0 {
		c.refuse("%s %v is negative", name, d)
	}
	return max(d, 0)
}

// WithNodeLimit stops the search after this many positions, 1 and up, or never
// with 0. It is the clock for repeatable results. Default: no limit.
func WithNodeLimit(n int64) Option { return func(c *config) { c.nodes = n } }

// WithTableSize sets the memory of the transposition table in bytes, up to
// 1 TiB; 0 switches the table off. NewEngine reserves the memory, and it is used
// as searches fill it; more than the machine has ends the program. Default 8 MiB. It is for NewEngine only.
func WithTableSize(bytes int64) Option { return func(c *config) { c.tableSize = bytes } }

// WithTechniques sets the techniques of the search, all at once. Default
// AllTechniques. With NoTechniques the search is the plain one of the strategy.
func WithTechniques(t Technique) Option { return func(c *config) { c.techniques = t } }

// WithoutTechniques switches the given techniques off.
func WithoutTechniques(t Technique) Option {
	return func(c *config) {
		if unknown := t &^ AllTechniques; unknown != 0 {
			c.refuse("unknown technique %v", unknown)
		}
		c.techniques &^= t
	}
}

// WithThreads searches with n threads, 1 to MaxThreads, that share the table. With
// more than one, results differ from run to run. A node limit counts the first
// thread's positions. Default 1. It is for NewEngine only.
func WithThreads(n int) Option { return func(c *config) { c.threads = n } }

// WithEvaluator judges leaves with the factory's evaluators: the engine asks
// for one per search and thread. nil stands for the default: the shape
// evaluation while Shapes is on, else NewLineEvaluator with the engine's weights.
// What is a candidate and in which order does not depend on the evaluator.
func WithEvaluator(factory func() Evaluator) Option {
	var f *evaluatorFactory // a pointer has an identity, a func has none
	if factory != nil {
		f = (*evaluatorFactory)(&factory)
	}
	return func(c *config) { c.evaluator = f }
}

// WithWeights sets the weights of the run-based evaluator and of the single-point
// scores that order and cap the candidates; both serve while Shapes is off.
// Default BalancedWeights.
func WithWeights(w Weights) Option { return func(c *config) { c.weights = w } }

// WithThreatSearch switches the search for wins by continuous fours and threats on
// or off, at the leaves (LeafVCF) and before the search (RootVCF, RootVCT). It needs
// Shapes. Default on.
func WithThreatSearch(on bool) Option {
	if on {
		return func(c *config) { c.techniques |= LeafVCF | RootVCF | RootVCT }
	}
	return WithoutTechniques(LeafVCF | RootVCF | RootVCT)
}

// WithShapeWeights sets the weights of the shape evaluation, which judges leaves
// while Shapes is on and no evaluator is given. Default DefaultShapeWeights.
func WithShapeWeights(w *ShapeWeights) Option { return func(c *config) { c.shapeWorth = w } }

// WithMultiPV searches the n best moves exactly, 1 to MaxMultiPV, each with its
// line. With more than one, all candidates are searched even where only a few
// can matter, such as the answers to a four. There are fewer lines if there are
// fewer candidates, or if the search ends before its first depth is complete.
// Default 1.
func WithMultiPV(n int) Option { return func(c *config) { c.multiPV = n } }

// WithExclude keeps the search from playing these moves.
func WithExclude(moves ...Point) Option {
	return func(c *config) { c.exclude = slices.Clone(moves) }
}

// WithOnly lets the search choose among these moves alone, whatever radius and
// cap; none lifts the limit.
func WithOnly(moves ...Point) Option {
	return func(c *config) { c.only = slices.Clone(moves) }
}

// WithSeed varies play: with a seed other than 0 every position's estimate is
// shifted by up to 15 units that depend on the position and the seed, so that
// engines with different seeds choose differently among moves of about the same
// worth, and the same seed always plays the same. It also decides when a level
// slips. Default 0.
func WithSeed(seed uint64) Option { return func(c *config) { c.seed = seed } }

// WithProgress calls f after every completed depth, from the goroutine that
// called Search. Info's slices belong to f. nil switches it off.
func WithProgress(f func(Info)) Option { return func(c *config) { c.progress = f } }

// WithLevel sets depth, candidate cap, techniques and slips for a level:
//
//	Easy    1 ply, 8 candidates, no techniques, and in 20 of 100 moves a weaker one
//	Normal  2 plies, 12 candidates, no techniques
//	Hard    2 plies, 16 candidates, Shapes alone
//	Expert  8 plies, 20 candidates, all techniques
//
// A level answers a five in the making like any other engine. Slips depend on
// the position and the seed alone.
func WithLevel(l Level) Option {
	return func(c *config) {
		c.slips, c.techniques = 0, NoTechniques
		switch l {
		case Easy:
			c.depth, c.cap, c.slips = 1, 8, 20
		case Normal:
			c.depth, c.cap = 2, 12
		case Hard:
			c.depth, c.cap, c.techniques = 2, 16, Shapes
		case Expert:
			c.depth, c.cap, c.techniques = 8, 20, AllTechniques
		default:
			c.refuse("unknown level %d", uint8(l))
		}
	}
}

// apply sets the options, later ones over earlier ones.
func (c *config) apply(opts []Option) {
	for i, opt := range opts {
		if opt == nil {
			c.refuse("option %d is nil", i+1)
			continue
		}
		opt(c)
	}
}

// validate says all that is wrong with the options.
func (c *config) validate() error {
	errs := slices.Clone(c.faults)
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	check(c.depth >= 0 && c.depth <= MaxDepth, "depth %d is not 1 to %d", c.depth, MaxDepth)
	check(c.radius >= 0 && c.radius <= MaxRadius, "radius %d is not 0 to %d", c.radius, MaxRadius)
	check(c.cap >= 0, "candidate cap %d is negative", c.cap)
	check(c.nodes >= 0, "node limit %d is negative", c.nodes)
	check(c.tableSize >= 0 && c.tableSize <= 1<<40, "table size %d is not 0 to 1 TiB", c.tableSize)
	check(c.threads >= 1 && c.threads <= MaxThreads, "threads %d is not 1 to %d", c.threads, MaxThreads)
	check(int(c.strategy) < len(strategyNames), "unknown strategy %v", c.strategy)
	check(c.techniques&^AllTechniques == 0, "unknown technique %v", c.techniques&^AllTechniques)
	check(c.multiPV >= 1 && c.multiPV <= MaxMultiPV, "MultiPV %d is not 1 to %d", c.multiPV, MaxMultiPV)
	check(c.shapeWorth == nil || c.shapeWorth.values != nil, "shape weights are a zero value; NewShapeWeights makes weights of 0")
	if err := c.weights.validate(); err != nil {
		errs = append(errs, err)
	}
	for _, moves := range [...][]Point{c.exclude, c.only} {
		for _, p := range moves {
			check(p.on(MaxSize), "move %v is no point", p)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrOption, errors.Join(errs...))
}

// An Engine chooses moves. It holds the settings and the transposition table,
// which makes a search profit from the ones before it in the same game. An
// engine runs one search at a time; several engines run side by side without
// knowing of each other. Besides its table it takes less than 2 MiB a thread.
type Engine struct {
	config config
	busy   atomic.Bool
	forget atomic.Bool // the next search starts with an empty table

	table   transpositions
	main    searcher
	helpers []*searcher // the threads beyond the first
	inHand  *movesInHand
}

// NewEngine returns an engine with the given options over the defaults. The
// error names every option that is out of range and wraps ErrOption.
func NewEngine(opts ...Option) (*Engine, error) {
	e := &Engine{config: defaults}
	e.config.apply(opts)
	if err := e.config.validate(); err != nil {
		return nil, fmt.Errorf("gomoku: new engine: %w", err)
	}
	e.table = newTranspositions(e.config.tableSize)
	for range e.config.threads - 1 {
		e.helpers = append(e.helpers, new(searcher))
		e.inHand = new(movesInHand)
	}
	return e, nil
}

// NewGame makes the engine forget what earlier searches found, so that the next
// one does not depend on them. A search that is under way goes on as it is.
func (e *Engine) NewGame() { e.forget.Store(true) }

// Search looks for the best move of the side to move, with the engine's options
// and those given here for this call; table size and threads can't be changed
// here. The board is not changed.
//
// Whenever the game goes on and a legal move exists, the result has one, also
// when the context is cancelled from the start or the time is 0; Stop says why
// the search ended. The error wraps ErrGameOver, ErrNoLegalMove (Renju's Black
// has nothing but fouls, or no move passes WithOnly and WithExclude), ErrBusy,
// ErrOption, ErrNilBoard, or ErrEvaluator, which comes with a legal move.
//
// A position in which Renju's Black has nothing but fouls left counts as a draw in
// the tree; what it means for a game is up to its rules.
//
// After NewGame, with one thread, one set of options and a depth or node limit as the only
// limit, the same position always gives the same result but for the times.
func (e *Engine) Search(ctx context.Context, b *Board, opts ...Option) (Result, error) {
	fail := func(err error) (Result, error) {
		return Result{Best: NoPoint}, fmt.Errorf("gomoku: search: %w", err)
	}
	if b == nil || b.size == 0 {
		return fail(ErrNilBoard)
	}
	cfg := e.config
	cfg.apply(opts)
	if err := cfg.validate(); err != nil {
		return fail(err)
	}
	if cfg.tableSize != e.config.tableSize || cfg.threads != e.config.threads {
		return fail(fmt.Errorf("%w: the table size and the threads of an engine can't change", ErrOption))
	}
	if b.Over() {
		return fail(ErrGameOver)
	}
	if !e.busy.CompareAndSwap(false, true) {
		return fail(ErrBusy)
	}
	defer e.busy.Store(false)
	if e.forget.Swap(false) {
		e.table.forget()
		e.main.forgetGame()
		for _, h := range e.helpers {
			h.forgetGame()
		}
	}
	if r, ok := cfg.bookResult(ctx, b); ok {
		return r, nil
	}
	r, err := e.search(ctx, b, &cfg)
	if err != nil {
		err = fmt.Errorf("gomoku: search: %w", err)
	}
	return r, err
}

// Analyze searches like Search and yields the state after every completed
// depth, and at the end the result, if the search has found other lines since or
// completed no depth. It ends with the search, or when the reader breaks off. An
// error comes as the last element.
// The sequence runs the search anew each time it is read. WithProgress has no
// effect here.
func (e *Engine) Analyze(ctx context.Context, b *Board, opts ...Option) iter.Seq2[Info, error] {
	opts = append(slices.Clone(opts), WithBook(false)) // an analysis is always a search
	return func(yield func(Info, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		reading := true
		var told []Line // a copy: the reader owns what it got
		progress := func(i Info) {
			told = told[:0]
			for _, l := range i.Lines {
				told = append(told, Line{l.Score, slices.Clone(l.PV)})
			}
			if reading && !yield(i, nil) {
				reading = false
				cancel()
			}
		}
		r, err := e.Search(ctx, b, append(slices.Clone(opts), WithProgress(progress))...)
		same := func(a, b Line) bool { return a.Score == b.Score && slices.Equal(a.PV, b.PV) }
		switch {
		case !reading:
		case err != nil:
			yield(Info{}, err)
		case !slices.EqualFunc(told, r.Lines, same):
			yield(Info{r.Depth, r.SelDepth, r.Score, r.PV, r.Lines, r.Candidates, r.Nodes, r.Elapsed}, nil)
		}
	}
}
