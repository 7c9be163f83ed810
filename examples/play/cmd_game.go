package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gomoku-go/gomoku"
)

// move plays a person's move.
func (s *session) move(text string) error {
	p, err := s.parsePoint(text)
	if err != nil {
		return err
	}
	b := s.game.board
	took := s.now().Sub(s.asked)
	if s.toMove() != nil {
		took = 0 // played for the engine while it was paused
	}
	if s.game.over() {
		return errors.New("the game is over; undo takes moves back, new begins another")
	}
	if err := s.game.play(p, took); err != nil {
		if errors.Is(err, gomoku.ErrFoul) {
			s.showFoul(p)
			return fmt.Errorf("%v is forbidden to Black: it makes %s", p, foulReason(b, p))
		}
		return userError(err)
	}
	s.dirty = true
	if !s.watched() {
		s.paused = false
	}
	return nil
}

// parsePoint reads a point of the board.
func (s *session) parsePoint(text string) (gomoku.Point, error) {
	size := s.game.board.Size()
	text = strings.ReplaceAll(text, " ", "")
	p, err := gomoku.ParsePoint(text)
	var fault *gomoku.ParseError
	at := 1
	switch {
	case errors.As(err, &fault) && fault.Offset > 1:
		return p, fmt.Errorf("%q has more behind %s, at character %d: one move at a time",
			text, text[:fault.Offset], fault.Offset+1)
	case errors.As(err, &fault):
		at = fault.Offset + 1
	case p.X() < size && p.Y() >= size:
		at = 2
	case p.X() < size:
		return p, nil
	}
	return gomoku.NoPoint, fmt.Errorf("%q is not on the board, at character %d: columns are a to %c, rows 1 to %d",
		text, at, 'a'+size-1, size)
}

// showFoul draws the board with a foul and the stones that make it one.
func (s *session) showFoul(p gomoku.Point) {
	var m marks
	m.fouls.Add(p)
	for _, q := range s.game.board.FoulStones(p) {
		m.strong.Add(q)
	}
	s.printf("\n%s", s.drawBoard(s.game.board, m))
}

// foulReason says what makes p a foul.
func foulReason(b *gomoku.Board, p gomoku.Point) string {
	what := map[gomoku.Foul]string{
		gomoku.Overline:    "an overline, six or more in a row,",
		gomoku.DoubleFour:  "a double-four, two fours at once,",
		gomoku.DoubleThree: "a double-three, two open threes at once,",
	}[b.Foul(p)]
	return what + " with " + pointList(b.FoulStones(p))
}

// fouls shows where Black may not play.
func (s *session) fouls(string) error {
	b := s.game.board
	var m marks
	var reasons strings.Builder
	for p := range b.Stones(gomoku.Empty).All() {
		if b.Foul(p) != gomoku.NoFoul {
			m.fouls.Add(p)
			fmt.Fprintf(&reasons, "%v makes %s.\n", p, foulReason(b, p))
		}
	}
	if m.fouls.IsEmpty() {
		s.printf("There is no forbidden point.\n")
		return nil
	}
	s.printf("\n%s%s", s.drawBoard(b, m), reasons.String())
	return nil
}

// undo takes moves back until the person is on the move again; where nobody or
// everybody is a person, one move.
func (s *session) undo(string) error {
	g := s.game
	if g.end.outcome != gomoku.UnknownOutcome {
		g.end = ending{}
		s.paused = s.toMove() != nil
		s.dirty = true
		s.printf("The game is not over yet.\n")
		return nil
	}
	n := 0
	for g.back() {
		if n++; s.watched() || s.toMove() == nil {
			s.paused = s.watched()
			s.dirty = true
			s.printf("Took back %s.\n", count(n, "move"))
			return nil
		}
	}
	for range n {
		g.forward() // the engine's opening move is not the person's to take back
	}
	return errors.New("there is no move of yours to take back")
}

// redo is the opposite of undo.
func (s *session) redo(string) error {
	n := 0
	for s.game.end.outcome == gomoku.UnknownOutcome && s.game.forward() {
		if n++; s.watched() || s.toMove() == nil {
			break
		}
	}
	if n == 0 {
		return errors.New("there is no move to play again")
	}
	s.dirty = true
	s.printf("Played %s again.\n", count(n, "move"))
	return nil
}

// resign ends the game for the person whose turn it is, or who plays at all.
func (s *session) resign(string) error {
	if s.game.over() {
		return errors.New("the game is over already")
	}
	loser := s.game.board.Turn()
	if !s.watched() && s.toMove() != nil {
		loser = loser.Opponent()
	}
	s.game.end = ending{gomoku.WinFor(loser.Opponent()), "resign"}
	s.dirty = true
	return nil
}

// result says how the game ended.
func (g *game) result() string {
	b := g.board
	winner := g.end.outcome.Winner()
	reason := clean(g.end.reason)
	switch {
	case winner != gomoku.Empty && reason == "resign":
		return fmt.Sprintf("%s wins: %s resigns.", title(winner), title(winner.Opponent()))
	case winner != gomoku.Empty && reason != "":
		return fmt.Sprintf("%s wins: %s has lost by %s.", title(winner), title(winner.Opponent()), reason)
	case winner != gomoku.Empty:
		return title(winner) + " wins."
	case g.end.outcome == gomoku.Draw:
		return "A draw."
	case g.end.outcome != gomoku.UnknownOutcome:
		return "The game has no result."
	case b.Winner() == gomoku.Empty:
		return "A draw: the board is full."
	}
	if line := b.WinningLine(); line != nil {
		return fmt.Sprintf("%s wins with %s.", title(b.Winner()), pointList(line))
	}
	return fmt.Sprintf("%s wins: %v was a foul.", title(b.Winner()), b.LastMove())
}

// newGame begins another game, on the same board unless told otherwise.
func (s *session) newGame(arg string) error {
	size, rule := s.game.board.Size(), s.game.board.Rule()
	for word := range strings.FieldsSeq(arg) {
		if n, err := strconv.Atoi(word); err == nil {
			size = n
		} else if rule, err = gomoku.ParseRule(word); err != nil {
			return fmt.Errorf("%q is neither a size, 5 to 22, nor a rule: freestyle, standard, renju, caro", word)
		}
	}
	g, err := newGame(size, rule)
	if err != nil {
		return userError(err)
	}
	s.enter(g)
	s.paused = false
	s.printf("New game, %s.\n", s.describe())
	return nil
}

// enter changes to another game and keeps the old one for back.
func (s *session) enter(g *game) {
	s.previous, s.game = s.game, g
	s.dirty = true
	for _, m := range s.movers {
		if m != nil {
			m.forget()
		}
	}
}

// back returns to the game before new or load; a second time, to the newer one.
func (s *session) back(string) error {
	if s.previous == nil {
		return errors.New("there was no game before this one")
	}
	s.enter(s.previous)
	s.paused = s.toMove() != nil
	s.printf("Back in the other game, %s.\n", s.describe())
	return nil
}

// swap exchanges the players.
func (s *session) swap(string) error {
	b, w := gomoku.Black, gomoku.White
	s.movers[b], s.movers[w] = s.movers[w], s.movers[b]
	s.specs[b], s.specs[w] = s.specs[w], s.specs[b]
	s.printf("Now %s.\n", s.describePlayers())
	return nil
}

func (s *session) redraw(string) error {
	s.dirty = true
	return nil
}

// listMoves lists the moves in pairs and as one string to copy.
func (s *session) listMoves(string) error {
	s.printf("%s", moveList(s.record()))
	return nil
}

// moveList returns the moves, numbered by pairs, at most the screen's width. A
// pass is "-".
func moveList(rec *gomoku.Record) string {
	var list, all, line strings.Builder
	number := 0
	next := gomoku.Black // the column of the pair
	emit := func(word string) {
		if line.Len()+len(word) > screenWidth-2 {
			list.WriteString(line.String() + "\n")
			line.Reset()
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(word)
	}
	for n := range gameLine(rec) {
		c, p := n.Color, "-"
		if isMove(n) {
			p = n.Point.String()
		}
		all.WriteString(p)
		word := p
		switch {
		case c == gomoku.Black || number == 0 || next == gomoku.Black:
			number++
			word = fmt.Sprintf("%d. %s", number, p)
			if c == gomoku.White {
				word = fmt.Sprintf("%d. ... %s", number, p)
			}
		}
		next = c.Opponent()
		emit(word)
	}
	if number == 0 {
		return "No move has been made.\n"
	}
	return list.String() + line.String() + "\n" + all.String() + "\n"
}

// count returns "1 move", "2 moves".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// pointList returns points as part of a sentence: "f8, g8 and h7".
func pointList(points []gomoku.Point) string {
	var s strings.Builder
	for i, p := range points {
		switch {
		case i > 0 && i == len(points)-1:
			s.WriteString(" and ")
		case i > 0:
			s.WriteString(", ")
		}
		s.WriteString(p.String())
	}
	return s.String()
}

// userError is a library error in the words of this program.
func userError(err error) error {
	var move *gomoku.MoveError
	switch {
	case errors.As(err, &move) && errors.Is(err, gomoku.ErrOccupied):
		return fmt.Errorf("%v has a stone already", move.Point)
	case errors.As(err, &move) && errors.Is(err, gomoku.ErrOutside):
		return fmt.Errorf("%v is outside the board", move.Point)
	}
	return plainError(err)
}

// plainError is an error without the names of packages, which say nothing to
// somebody who plays.
func plainError(err error) error {
	text := strings.NewReplacer("gomoku: ", "", "gomocup: ", "").Replace(err.Error())
	return &plain{text, err}
}

type plain struct {
	text string
	err  error
}

func (e *plain) Error() string { return e.text }
func (e *plain) Unwrap() error { return e.err }
