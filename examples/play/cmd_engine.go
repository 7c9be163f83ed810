package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// hint asks the engine for a move: the level of the game's engine if that is
// stronger than hard, else hard.
func (s *session) hint(string) error {
	if s.game.over() {
		return s.searchError(gomoku.ErrGameOver)
	}
	level := gomoku.Hard
	for _, who := range s.specs {
		level = max(level, who.level)
	}
	e, err := newEngineMover(level, &s.moveTime, 0)
	if err != nil {
		return err
	}
	var r gomoku.Result
	c := s.game.board.Turn()
	b := s.game.board.Clone()
	why := s.listen(false, func(ctx context.Context, report func(gomoku.Info)) {
		r, err = e.search(ctx, b, report)
	})
	switch {
	case why == leaving:
		return nil
	case err != nil:
		return s.searchError(err)
	}
	text := fmt.Sprintf("Hint: %v (%s)", r.Best, worth(r.Score, c))
	if len(r.PV) > 1 {
		text += ", then" + spaced(r.PV[1:])
	}
	s.printf("%s\n", fit(text))
	return nil
}

// searchError says why there is nothing to search for.
func (s *session) searchError(err error) error {
	switch {
	case errors.Is(err, gomoku.ErrGameOver):
		return errors.New("the game is over; undo takes moves back")
	case errors.Is(err, gomoku.ErrNoLegalMove):
		return errors.New("every point is forbidden to Black; there is only resign")
	}
	return userError(err)
}

// An analysisLimit is how much to analyse.
type analysisLimit struct {
	lines int
	depth int           // 0: no limit
	time  time.Duration // 0: no limit
}

// parseAnalysis reads what stands behind "analyze".
func parseAnalysis(arg string) (analysisLimit, error) {
	l := analysisLimit{lines: 3}
	words := strings.Fields(arg)
	for i := 0; i < len(words); i++ {
		word := words[i]
		n, err := strconv.Atoi(word)
		switch {
		case word == "depth":
			i++
			if i == len(words) {
				return l, errors.New("depth has no number behind it")
			}
			if l.depth, err = strconv.Atoi(words[i]); err != nil || l.depth < 1 || l.depth > gomoku.MaxDepth {
				return l, fmt.Errorf("depth is 1 to %d, not %q", gomoku.MaxDepth, words[i])
			}
		case err == nil:
			if l.lines = n; n < 1 || n > maxLines {
				return l, fmt.Errorf("the number of lines is 1 to %d, not %d", maxLines, n)
			}
		default:
			if l.time, err = time.ParseDuration(word); err != nil || l.time <= 0 {
				return l, fmt.Errorf("%q is neither a number of lines, nor depth N, nor a time such as 10s", word)
			}
		}
	}
	return l, nil
}

const (
	maxLines       = 20              // of an analysis: more don't fit on a screen
	unattendedTime = 5 * time.Second // of an analysis that nobody is there to end
)

// analyze shows the best lines, deeper and deeper, until its limit or until the
// person ends it.
func (s *session) analyze(arg string) error {
	l, err := parseAnalysis(arg)
	if err != nil {
		return err
	}
	if s.game.over() {
		return s.searchError(gomoku.ErrGameOver)
	}
	open := l.depth == 0 && l.time == 0
	if open && !s.interactive {
		l.time = unattendedTime
	}
	e, err := gomoku.NewEngine(gomoku.WithMultiPV(l.lines), gomoku.WithTableSize(64<<20))
	if err != nil {
		return err
	}
	opts := []gomoku.Option{gomoku.WithDepth(gomoku.MaxDepth)}
	if l.depth > 0 {
		opts = []gomoku.Option{gomoku.WithDepth(l.depth)}
	}
	if l.time > 0 {
		// What is wanted is a deep look, not a quick answer: use all of the time.
		opts = append(opts, gomoku.WithTimeBudget(l.time), gomoku.WithSoftTime(l.time))
	}
	if open && s.interactive {
		s.printf("Enter or Ctrl-C ends the analysis.\n")
	}
	b := s.game.board.Clone()
	var r gomoku.Result
	why := s.await(open, s.showAnalysis, func(ctx context.Context, report func(gomoku.Info)) {
		r, err = e.Search(ctx, b, append(opts, gomoku.WithProgress(report))...)
	})
	switch {
	case why == leaving:
		return nil
	case err != nil:
		return s.searchError(err)
	}
	s.printf("The analysis %s.\n", endOfAnalysis(why, r.Stop))
	return nil
}

// endOfAnalysis says why the analysis is at its end.
func endOfAnalysis(why cause, stop gomoku.StopReason) string {
	switch {
	case why != finished:
		return "was stopped"
	case stop == gomoku.StopProven:
		return "is complete: the result is proven"
	case stop == gomoku.StopTime:
		return "has used its time"
	case stop == gomoku.StopExhausted:
		return "has reached the end of the game"
	}
	return "is done"
}

// formatInfo prints a depth of a search for the side c, one or more lines. A
// foreign brain may not tell everything.
func formatInfo(i gomoku.Info, c gomoku.Color) string {
	var facts []string
	if i.Depth > 0 {
		facts = append(facts, fmt.Sprintf("depth %d-%d", i.Depth, max(i.Depth, i.SelDepth)))
	}
	if i.Nodes > 0 {
		facts = append(facts, count(int(i.Nodes), "node"))
	}
	facts = append(facts, fmt.Sprintf("%.1f s", i.Elapsed.Seconds()))
	head := strings.Join(facts, ", ")
	if len(i.Lines) <= 1 {
		return fit(head+": "+scoredLine(i.Score, i.PV, c)) + "\n"
	}
	var s strings.Builder
	s.WriteString(head + "\n")
	for n, l := range i.Lines {
		s.WriteString(fit(fmt.Sprintf("  %d. %s", n+1, scoredLine(l.Score, l.PV, c))) + "\n")
	}
	return s.String()
}

// scoredLine prints a score for the side c and the moves behind it.
func scoredLine(score gomoku.Score, pv []gomoku.Point, c gomoku.Color) string {
	if len(pv) == 0 {
		return worth(score, c)
	}
	return worth(score, c) + "," + spaced(pv)
}

// spaced prints points, each behind a space.
func spaced(points []gomoku.Point) string {
	var s strings.Builder
	for _, p := range points {
		s.WriteString(" " + p.String())
	}
	return s.String()
}

// worth prints a score for the side c.
func worth(score gomoku.Score, c gomoku.Color) string {
	plies, ok := score.Mate()
	if !ok {
		return score.String()
	}
	if plies < 0 {
		c, plies = c.Opponent(), -plies
	}
	return title(c) + " wins in " + count((plies+1)/2, "move")
}

// screenWidth is what the narrowest of usual terminals has. A line that wraps
// could not be replaced.
const screenWidth = 80

// fit cuts a line of points to the width of the screen.
func fit(line string) string {
	if len(line) < screenWidth {
		return line
	}
	const cut = " ..."
	return line[:strings.LastIndexByte(line[:screenWidth-len(cut)], ' ')] + cut
}

func (s *session) setBlack(arg string) error { return s.setPlayer(gomoku.Black, arg) }
func (s *session) setWhite(arg string) error { return s.setPlayer(gomoku.White, arg) }

// setPlayer gives a colour to somebody else.
func (s *session) setPlayer(c gomoku.Color, arg string) error {
	who, err := parseSpec(arg)
	if err != nil {
		return err
	}
	if err := s.seat(c, who); err != nil {
		return err
	}
	s.printf("Now %s.\n", s.describePlayers())
	return nil
}

// setLevel sets the level of every engine that plays.
func (s *session) setLevel(arg string) error {
	level, err := gomoku.ParseLevel(arg)
	if err != nil {
		return fmt.Errorf("no level is called %q: there are easy, normal, hard and expert", arg)
	}
	return s.reseat(func(who *spec) { who.level = level })
}

// reseat changes and renews the engines that play.
func (s *session) reseat(change func(*spec)) error {
	engines := 0
	for _, c := range []gomoku.Color{gomoku.Black, gomoku.White} {
		if who := s.specs[c]; who.kind == engine {
			engines++
			change(&who)
			if err := s.seat(c, who); err != nil {
				return err
			}
		}
	}
	if engines == 0 {
		return errors.New("no engine plays; black or white and a level gives it a colour")
	}
	s.printf("Now %s.\n", s.describePlayers())
	return nil
}

// setTime sets the most time for a move.
func (s *session) setTime(arg string) error {
	d, err := parseMoveTime(arg)
	if err != nil {
		return err
	}
	s.moveTime = d
	s.printf("Time for a move: %s.\n", formatMoveTime(d))
	return nil
}

func formatMoveTime(d time.Duration) string {
	if d == 0 {
		return "as the level needs"
	}
	return "at most " + d.String()
}

// setThinking shows the engine's thinking, or doesn't; without a word, the
// other way round.
func (s *session) setThinking(arg string) error {
	switch arg {
	case "on":
		s.thinking = true
	case "off":
		s.thinking = false
	case "":
		s.thinking = !s.thinking
	default:
		return fmt.Errorf("thinking is on or off, not %q", arg)
	}
	s.printf("The thinking is %s.\n", map[bool]string{true: "shown", false: "not shown"}[s.thinking])
	return nil
}

// resume lets a paused game go on.
func (s *session) resume(string) error {
	switch {
	case s.game.over():
		return errors.New("the game is over")
	case s.toMove() == nil:
		return fmt.Errorf("it is your turn, with %s", s.game.board.Turn())
	}
	s.paused = false
	return nil
}

// settings shows who plays and how.
func (s *session) settings(string) error {
	s.printf("%s.\n", s.describe())
	s.printf("Time for a move: %s. Thinking: %s. Seed: %d.\n",
		formatMoveTime(s.moveTime), map[bool]string{true: "shown", false: "not shown"}[s.thinking], s.seed)
	if s.brain != "" {
		s.printf("Brain: %s\n", s.brain)
	}
	return nil
}
