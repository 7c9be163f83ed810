package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gomoku-go/gomoku"
)

// terminal is where a session takes place.
type terminal struct {
	in          io.Reader
	out         io.Writer
	interactive bool // somebody sits there and types
	ansi        bool // the output understands colours
	interrupts  <-chan os.Signal
	now         func() time.Time
}

// A session is one run of the program: settings, players and the game. All of
// it belongs to the goroutine of run; only searches run beside it.
type session struct {
	config
	screen

	ctx    context.Context
	cancel context.CancelFunc

	lines   <-chan inputLine // nil after the end of the input
	waiting []inputLine      // typed while somebody was thinking
	ctrlC   int              // interrupts since the last line of input

	game     *game
	previous *game // the one before new or load
	movers   [3]mover
	paused   bool // the engine waits for go
	dirty    bool // the board has changed since it was last drawn
	quit     bool

	asked    time.Time // when the person was given the turn
	askedFor uint64    // hash of the position that was
}

// newSession prepares a session; close it.
func newSession(ctx context.Context, c config) (*session, error) {
	s := &session{config: c, screen: screen{w: c.out, ansi: c.ansi}}
	s.ctx, s.cancel = context.WithCancel(ctx)
	var err error
	if s.game, err = newGame(c.size, c.rule); err != nil {
		return nil, userError(err)
	}
	for _, color := range []gomoku.Color{gomoku.Black, gomoku.White} {
		if err := s.seat(color, c.specs[color]); err != nil {
			s.close()
			return nil, err
		}
	}
	if c.load != "" {
		if err := s.loadGame(c.load, 0); err != nil {
			s.close()
			return nil, err
		}
		s.previous = nil // an empty board is nothing to go back to
		s.paused = false // to watch engines play on was the wish
	}
	return s, nil
}

// close ends the players and the reader.
func (s *session) close() {
	s.cancel()
	for _, m := range s.movers {
		if m != nil {
			m.close()
		}
	}
}

// seat gives a colour to a player.
func (s *session) seat(c gomoku.Color, who spec) error {
	m, err := s.newMover(who)
	if err != nil {
		return err
	}
	if s.movers[c] != nil {
		s.movers[c].close()
	}
	s.movers[c], s.specs[c] = m, who
	return nil
}

// newMover returns what plays for a spec, nil for a person.
func (s *session) newMover(who spec) (mover, error) {
	switch who.kind {
	case engine:
		return newEngineMover(who.level, &s.moveTime, s.seed)
	case brain:
		return s.newBrainMover()
	}
	return nil, nil
}

// watched reports whether nobody plays but the program.
func (s *session) watched() bool {
	return s.movers[gomoku.Black] != nil && s.movers[gomoku.White] != nil
}

// toMove returns the player on the move, nil for a person.
func (s *session) toMove() mover { return s.movers[s.game.board.Turn()] }

// run plays until the person has had enough, the input ends, or the output
// can't be written.
func (s *session) run() error {
	s.lines = readLines(s.in, s.ctx.Done())
	s.greet()
	s.dirty = true
	for !s.quit && s.err == nil && s.ctx.Err() == nil {
		if m := s.toMove(); m != nil && !s.paused && !s.game.over() {
			s.think(m)
			continue
		}
		if s.dirty {
			s.show()
		}
		line, ok := s.ask()
		if !ok {
			break
		}
		if err := s.do(line); err != nil {
			s.complain(err)
		}
	}
	return s.err
}

// greet says what is played and by whom.
func (s *session) greet() {
	if s.game.source != nil {
		s.printf("help lists the commands.\n") // the rest was said when it was loaded
		return
	}
	s.printf("Gomoku, %s. help lists the commands.\n", s.describe())
}

// describe says which game this is.
func (s *session) describe() string {
	b := s.game.board
	return fmt.Sprintf("%v, %dx%d: %s", b.Rule(), b.Size(), b.Size(), s.describePlayers())
}

func (s *session) describePlayers() string {
	return fmt.Sprintf("Black (%s) is %v, White (%s) is %v",
		s.stone(gomoku.Black), s.name(gomoku.Black), s.stone(gomoku.White), s.name(gomoku.White))
}

// name says who plays a colour.
func (s *session) name(c gomoku.Color) string {
	switch m := s.movers[c].(type) {
	case *brainMover:
		return clean(m.name)
	case nil:
		if s.movers[c.Opponent()] == nil {
			return "a person"
		}
	}
	return s.specs[c].String()
}

// stone is the stone of a colour as the board shows it.
func (s *session) stone(c gomoku.Color) string { return s.paint(stoneStyles[c], stones[c]) }

// show draws the board and, at its end, the result.
func (s *session) show() {
	var m marks
	for _, p := range s.game.board.WinningLine() {
		m.strong.Add(p)
	}
	s.printf("\n%s", s.drawBoard(s.game.board, m))
	if s.game.over() {
		s.printf("%s\n", s.paint(styleBold, s.game.result()))
	}
	s.dirty = false
}

// complain prints what was wrong.
func (s *session) complain(err error) {
	s.printf("%s %s\n", s.paint(styleBad, "!"), clean(err.Error()))
}

// ask waits for the next line of input; at its end ok is false.
func (s *session) ask() (line string, ok bool) {
	if h := s.game.board.Hash(); h != s.askedFor || s.asked.IsZero() {
		s.asked, s.askedFor = s.now(), h
	}
	for {
		s.printf("%s", s.prompt())
		in, ok := s.nextInput()
		switch {
		case !ok:
			s.printf("\n")
			return "", false
		case in.err != nil:
			s.complain(in.err)
		default:
			return in.text, true
		}
	}
}

// nextInput returns a line that has come already, or waits for one. At the end
// of the input, or when the person has pressed Ctrl-C twice, there is none.
func (s *session) nextInput() (in inputLine, ok bool) {
	if len(s.waiting) > 0 {
		in, s.waiting = s.waiting[0], s.waiting[1:]
		s.printf("%s\n", clean(in.text))
		return in, true
	}
	for {
		select {
		case in, ok := <-s.lines:
			if !ok {
				return inputLine{}, false
			}
			s.ctrlC = 0
			if !s.interactive {
				s.printf("%s\n", clean(in.text)) // so that the output reads like a session
			}
			return in, true
		case <-s.interrupts:
			if s.ctrlC++; s.ctrlC > 1 {
				return inputLine{}, false
			}
			s.printf("\nCtrl-C again, or quit, ends the program.\n%s", s.prompt())
		case <-s.ctx.Done():
			return inputLine{}, false
		}
	}
}

// prompt says what the program waits for.
func (s *session) prompt() string {
	c := s.game.board.Turn()
	switch {
	case s.game.over():
		return "game over> "
	case s.paused && s.toMove() != nil:
		return fmt.Sprintf("paused, %s to move (%s)> ", title(c), s.stone(c))
	}
	return fmt.Sprintf("%s to move (%s)> ", title(c), s.stone(c))
}

// think lets a player that is no person make its move.
func (s *session) think(m mover) {
	b := s.game.board.Clone()
	c := b.Turn()
	var p gomoku.Point
	var err error
	start := s.now()
	why := s.listen(s.watched(), func(ctx context.Context, report func(gomoku.Info)) {
		p, err = m.move(ctx, b, report)
	})
	took := s.now().Sub(start)
	switch {
	case why == leaving:
		return
	case why != finished && s.watched() && why != hurried:
		s.paused = true
		s.printf("%s's thinking was stopped; go resumes the game.\n", title(c))
		return
	case errors.Is(err, context.Canceled):
		s.paused = true
		s.printf("%s has no move yet; go lets it think again.\n", title(c))
		return
	case err != nil:
		s.fail(c, err)
		return
	}
	s.playFor(c, p, took)
}

// playFor plays the move of a player that is no person.
func (s *session) playFor(c gomoku.Color, p gomoku.Point, took time.Duration) {
	err := s.game.play(p, took)
	foul := ""
	if errors.Is(err, gomoku.ErrFoul) { // only a foreign brain would
		foul = ", which is forbidden: it makes " + foulReason(s.game.board, p)
		err = s.game.playFoul(p, took)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	s.dirty = true
	s.printf("%s plays %s%s.\n", title(c), s.paint(styleBold, p.String()), foul)
	if s.watched() {
		s.show()
	}
}

// fail ends the game of a player that could not move.
func (s *session) fail(c gomoku.Color, err error) {
	s.complain(fmt.Errorf("%s could not move: %w", title(c), plainError(err)))
	s.game.end = ending{gomoku.WinFor(c.Opponent()), failure(err)}
	s.dirty = true
}

// failure is the reason for which a player with this error has lost.
func failure(err error) string {
	var refused *gomoku.MoveError
	switch {
	case errors.Is(err, gomoku.ErrNoLegalMove):
		return "no legal move"
	case errors.As(err, &refused):
		return "illegal move"
	}
	return brainFailure(err)
}

// title is the colour at the beginning of a sentence.
func title(c gomoku.Color) string {
	if c == gomoku.Black {
		return "Black"
	}
	return "White"
}
