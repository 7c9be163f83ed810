package main

import (
	"fmt"
	"strings"
	"time"
)

// A timeControl limits a player's time. Zero values mean no limit.
type timeControl struct {
	match     time.Duration // for all moves of a game
	turn      time.Duration // for one move
	increment time.Duration // added to the match time at each move
}

func (t timeControl) limited() bool { return t.match > 0 || t.turn > 0 }

// parseTimeControl reads "match/turn+increment", each in seconds or with a
// unit; "match" alone and "match+increment" leave a turn unlimited, and match 0
// means no limit but the turn's.
func parseTimeControl(text string) (timeControl, error) {
	var t timeControl
	rest, increment, ok := strings.Cut(text, "+")
	fail := func(err error) (timeControl, error) {
		return timeControl{}, fmt.Errorf("time control %q: %w", text, err)
	}
	var err error
	if ok {
		if t.increment, err = parseSpan(increment); err != nil {
			return fail(err)
		}
	}
	match, turn, ok := strings.Cut(rest, "/")
	if t.match, err = parseSpan(match); err != nil {
		return fail(err)
	}
	if ok {
		if t.turn, err = parseSpan(turn); err != nil {
			return fail(err)
		}
	}
	switch {
	case !t.limited():
		return fail(fmt.Errorf("neither the match nor the turn has a limit; a turn of 0.1 s is 0/0.1"))
	case t.increment > 0 && t.match == 0:
		return fail(fmt.Errorf("an increment needs a match time"))
	}
	return t, nil
}

func (t timeControl) String() string {
	if !t.limited() {
		return "none"
	}
	s := fmt.Sprintf("%g", t.match.Seconds())
	if t.turn > 0 {
		s += fmt.Sprintf("/%g", t.turn.Seconds())
	}
	if t.increment > 0 {
		s += fmt.Sprintf("+%g", t.increment.Seconds())
	}
	return s
}

// A clock is a time control in the course of a game.
type clock struct {
	timeControl
	left time.Duration // of the match time
}

func newClock(t timeControl) *clock { return &clock{t, t.match} }

// start adds the increment, as is done before each move.
func (c *clock) start() {
	if c.match > 0 {
		c.left += c.increment
	}
}

// stop takes the time of a move off and reports by how much it was too long.
func (c *clock) stop(used time.Duration) (over time.Duration) {
	if limit, ok := c.limit(); ok {
		over = used - limit
	}
	if c.match > 0 {
		c.left = max(c.left-used, 0)
	}
	return max(over, 0)
}

// limit returns how long the next move may take.
func (c *clock) limit() (time.Duration, bool) {
	switch {
	case c.match > 0 && c.turn > 0:
		return min(c.left, c.turn), true
	case c.match > 0:
		return c.left, true
	}
	return c.turn, c.turn > 0
}

// budget says how long a move should take and how long it may take at most when
// the player is one of this process, which needs only a little in reserve. Time saved
// on a move with a limit of its own is lost. A game is taken to last another 25 moves
// of each side.
func (c *clock) budget() (soft, hard time.Duration, ok bool) {
	limit, ok := c.limit()
	if !ok {
		return 0, 0, false
	}
	hard = limit - min(limit/10, 20*time.Millisecond)
	if c.match == 0 {
		return hard, hard, true
	}
	share := c.left/25 + c.increment*3/4
	return min(share/2, hard), min(2*share, hard), true
}
