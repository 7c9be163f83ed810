package gomocup

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestBudget(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	for _, c := range []struct {
		name  string
		clock clock
		other bool
		want  budget
	}{
		{"nothing said", clock{}, false, budget{untold - 30*ms, untold - 30*ms, true}},
		{"depth or nodes only", clock{}, true, budget{}},
		{"turn", clock{turn: 5 * s, hasTurn: true}, false, budget{4970 * ms, 4970 * ms, true}},
		{"turn and depth", clock{turn: 5 * s, hasTurn: true}, true, budget{4970 * ms, 4970 * ms, true}},
		{"short turn", clock{turn: 20 * ms, hasTurn: true}, false, budget{15 * ms, 15 * ms, true}},
		{"turn 0", clock{hasTurn: true}, false, budget{fastest, fastest, true}},
		{"turn 0 and a full clock", clock{hasTurn: true, left: 180 * s, hasLeft: true}, false, budget{fastest, fastest, true}},
		{"turn below 0", clock{turn: -s, hasTurn: true}, false, budget{fastest, fastest, true}},
		{"match", clock{left: 25030 * ms, hasLeft: true}, false, budget{1 * s, 4 * s, true}},
		{"match and turn", clock{turn: 2030 * ms, hasTurn: true, left: 25030 * ms, hasLeft: true}, false, budget{1 * s, 2 * s, true}},
		{"match, increment", clock{left: 25030 * ms, hasLeft: true, increment: 4 * s}, false, budget{4 * s, 7 * s, true}},
		{"little left, large increment", clock{left: 40 * ms, hasLeft: true, increment: 4 * s}, false, budget{30 * ms, 30 * ms, true}},
		{"nothing left", clock{turn: s, hasTurn: true, hasLeft: true}, false, budget{fastest, fastest, true}},
		{"overdrawn", clock{left: -4 * s, hasLeft: true}, true, budget{fastest, fastest, true}},
	} {
		assert.Equal(t, c.want, c.clock.budget(30*ms, c.other), c.name)
	}
}

// A match clock must outlast any game, also if every move takes the hard limit.
func TestBudgetNeverUsesUpTheMatch(t *testing.T) {
	c := clock{turn: 30 * time.Second, hasTurn: true, match: 180 * time.Second}
	c.newGame()
	for range 22 * 22 / 2 {
		b := c.budget(defaultMargin, false)
		if b.hard == fastest {
			break
		}
		assert.LessOrEqual(t, b.soft, b.hard)
		c.spent(b.hard + 5*time.Millisecond)
		assert.Positive(t, c.left)
		if c.left < time.Second {
			break // from here on it is the tolerance that counts
		}
	}
}
