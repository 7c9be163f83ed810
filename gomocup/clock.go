package gomocup

import "time"

// clock is what the manager has said about time. A brain must cope with hearing
// only some of it.
type clock struct {
	turn      time.Duration // for a move; 0 is "as fast as possible"
	match     time.Duration // for all moves; 0 is no limit
	left      time.Duration // of match
	increment time.Duration

	hasTurn bool // turn was said
	hasLeft bool // left is known: said, or counted from match
}

// budget is the time for one move: past soft the search starts nothing new,
// past hard it stops.
type budget struct {
	soft, hard time.Duration
	limited    bool
}

const (
	// fastest answers "as fast as possible". It is enough for a look at every
	// candidate, and no manager measures finer.
	fastest = 10 * time.Millisecond

	// untold is for a manager that says nothing about time.
	untold = 5 * time.Second

	// movesToGo spreads the time of a match: so much of what is left goes into
	// a move. Games rarely last longer from any point, and if they do, a part
	// of what is left never uses it up.
	movesToGo = 25

	// overdraft is how many shares a move may take that turns out hard.
	overdraft = 4
)

// budget works out the time for the next move. margin covers what the manager's
// clock sees and ours doesn't: at most a quarter of a limit is kept back.
func (c *clock) budget(margin time.Duration, otherLimits bool) budget {
	less := func(d time.Duration) time.Duration { return d - min(margin, d/4) }
	var b budget
	switch {
	case c.hasTurn && c.turn <= 0, c.hasLeft && c.left <= 0:
		return budget{soft: fastest, hard: fastest, limited: true}
	case c.hasTurn:
		// Time saved on a turn is lost, so soft and hard are the same.
		b = budget{soft: less(c.turn), hard: less(c.turn), limited: true}
	case !c.hasLeft && otherLimits:
		return budget{}
	case !c.hasLeft:
		b = budget{soft: less(untold), hard: less(untold), limited: true}
	}
	if c.hasLeft {
		usable := less(c.left)
		share := usable / movesToGo
		soft := min(share+c.increment*3/4, usable)
		hard := min(overdraft*share+c.increment*3/4, usable)
		if !b.limited {
			b = budget{soft: soft, hard: hard, limited: true}
		}
		b.soft, b.hard = min(b.soft, soft), min(b.hard, hard)
	}
	return b
}

// newGame gives the whole time back.
func (c *clock) newGame() { c.left, c.hasLeft = c.match, c.match > 0 }

// spent takes the time of a move off what is left. The manager's next word on
// it counts more.
func (c *clock) spent(d time.Duration) {
	if c.hasLeft {
		c.left += c.increment - d
	}
}
