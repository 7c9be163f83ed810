package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gomoku-go/gomoku"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseSpec(t *testing.T) {
	s, err := parseSpec("depth=6, strategy=pvs,radius=2,cap=20,name=x,level=hard,nodes=20000,table=16MB,seed=3,w.openthree=450,w.Defence=1.25,without=razoring+futility", "ordering=on", "p1")
	require.NoError(t, err)
	assert.Equal(t, "x", s.name)
	assert.Equal(t, "ordering=on,depth=6,strategy=pvs,radius=2,cap=20,level=hard,nodes=20000,table=16MB,seed=3,w.openthree=450,w.defence=1.25,without=razoring+futility", s.text)
	assert.False(t, s.tc.limited())
	assert.True(t, s.repeatable(timeControl{}))
	assert.False(t, s.repeatable(timeControl{turn: time.Second}))

	s, err = parseSpec("time=50ms,seed=vary", "", "p1")
	require.NoError(t, err)
	assert.Equal(t, "p1", s.name)
	assert.Equal(t, timeControl{turn: 50 * time.Millisecond}, s.timed(timeControl{match: time.Minute}))
	assert.True(t, s.vary)

	s, err = parseSpec(`cmd="my brain" -x=1,2 "a,b",nodes=100,memory=64MB,tc=60/5+0.5`, "nodes=7,cap=3", "p2")
	require.Error(t, err, "the comma splits outside of quotes")
	assert.Nil(t, s)
	s, err = parseSpec(`cmd="my brain" -x=1 "a,b",nodes=100,memory=64MB,tc=60/5+0.5`, "nodes=7,cap=3", "p2")
	require.NoError(t, err, "keys of all players may be of no use to a brain")
	assert.Equal(t, []string{"my brain", "-x=1", "a,b"}, s.command)
	assert.Equal(t, brainLimits{memory: 64 << 20, nodes: 100}, s.limits)
	assert.Equal(t, timeControl{time.Minute, 5 * time.Second, 500 * time.Millisecond}, s.tc)
	assert.False(t, s.repeatable(timeControl{}))

	s, err = parseSpec("threads=2,nodes=100", "", "p1")
	require.NoError(t, err)
	assert.False(t, s.repeatable(timeControl{}))

	// The weights themselves tell one file from another of the same name.
	text, err := os.ReadFile("../../data/shapeweights.txt")
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "w.txt")
	require.NoError(t, os.WriteFile(name, text, 0o666))
	before, err := parseSpec("shapes="+name, "", "p1")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, append(text, "base 77\n"...), 0o666))
	after, err := parseSpec("shapes="+name, "", "p1")
	require.NoError(t, err)
	assert.NotEqual(t, before.text, after.text)

	// What differs only in its name is the same player; a key of all players can be replaced.
	a, err := parseSpec("depth=2,name=a", "depth=5", "p1")
	require.NoError(t, err)
	b, err := parseSpec("name=b,depth=2", "", "p1")
	require.NoError(t, err)
	assert.Equal(t, a.text, b.text)
}

func TestParseSpecErrors(t *testing.T) {
	for text, complaint := range map[string]string{
		"deth=4":             `player "deth=4": unknown key "deth"; the keys are name, level, depth`,
		"depth":              `"depth" is not key=value`,
		"depth=0":            "depth=0: not a whole number from 1 up",
		"depth=1000":         "depth 1000 is not 1 to 100",
		"nodes=1e4":          "nodes=1e4: not a whole number",
		"time=0":             "time=0: no time",
		"time=-1s":           "is not a time such as",
		"tc=1/2+x":           `time control "1/2+x"`,
		"level=god":          "not one of easy, normal, hard, expert",
		"strategy=x":         "not one of pvs",
		"cap=-1":             "candidate cap -1 is negative",
		"table=16XB":         "table=16XB: not a size such as 16MB",
		"ordering=maybe":     "not on or off",
		"weights=heavy":      "not balanced, attacking or defensive",
		"w.foo=1":            "w.foo=1: unknown weight; the weights are five, openfour",
		"w.five=x":           "not a whole number",
		"seed=-1":            "not a number from 0 up, or vary",
		"techniques=magic":   "technique",
		"shapes=nowhere":     "nowhere",
		"threads=x":          "threads=x: not a whole number",
		"name=":              "empty",
		"depth=2,depth=3":    "depth is given twice",
		"w.five=1, W.Five=1": "w.five is given twice",
		"cmd=x,radius=2":     "a player with cmd can't have radius",
		"depth=1,memory=1MB": "a player without cmd can't have memory",
		`cmd="x`:             "a quote is not closed",
	} {
		_, err := parseSpec(text, "", "p1")
		assert.ErrorContains(t, err, complaint, "%q", text)
	}
}

// Every key is explained and every explained key is known.
func TestSpecKeys(t *testing.T) {
	values := map[string]string{
		"name": "x", "level": "easy", "time": "1", "tc": "0/1", "strategy": "pvs", "techniques": "all", "without": "leafvcf",
		"shapes": "../../data/shapeweights.txt", "ordering": "on", "deepening": "off", "aspiration": "on", "table": "1MB", "weights": "attacking",
	}
	for _, k := range specKeys {
		switch k.key {
		case "w.NAME", "cmd", "memory":
			continue
		}
		value := values[k.key]
		if value == "" {
			value = "3"
		}
		_, err := parseSpec(k.key+"="+value, "", "p1")
		assert.NoError(t, err, k.key)
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "4096": 4096, "512k": 512 << 10, "16MB": 16 << 20, "1GiB": 1 << 30, "2m": 2 << 20, "7b": 7} {
		n, err := parseSize(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, n, text)
	}
	for _, text := range []string{"", "MB", "-1", "1TB", "16BM", "9999999999G", "1.5MB", "1kk"} {
		_, err := parseSize(text)
		assert.Error(t, err, text)
	}
}

func TestParseTimeControl(t *testing.T) {
	for text, want := range map[string]timeControl{
		"60":       {match: time.Minute},
		"180/30":   {match: 3 * time.Minute, turn: 30 * time.Second},
		"60+0.5":   {match: time.Minute, increment: 500 * time.Millisecond},
		"1/50ms+2": {match: time.Second, turn: 50 * time.Millisecond, increment: 2 * time.Second},
		"0/0.1":    {turn: 100 * time.Millisecond},
	} {
		tc, err := parseTimeControl(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, tc, text)
		again, err := parseTimeControl(tc.String())
		require.NoError(t, err, text)
		assert.Equal(t, tc, again, text)
	}
	for _, text := range []string{"", "0", "0/0", "x", "1/", "1+", "0/1+1", "-1", "1/2/3"} {
		_, err := parseTimeControl(text)
		assert.Error(t, err, text)
	}
}

func TestClock(t *testing.T) {
	c := newClock(timeControl{match: 10 * time.Second, turn: 3 * time.Second, increment: time.Second})
	c.start()
	limit, ok := c.limit()
	assert.True(t, ok)
	assert.Equal(t, 3*time.Second, limit)
	assert.Zero(t, c.stop(2*time.Second))
	assert.Equal(t, 9*time.Second, c.left)
	c.start()
	assert.Equal(t, time.Second, c.stop(4*time.Second), "a turn too long")
	assert.Equal(t, 6*time.Second, c.left)
	c.start()
	c.left = 500 * time.Millisecond
	soft, hard, ok := c.budget()
	assert.True(t, ok)
	assert.LessOrEqual(t, soft, hard)
	assert.Less(t, hard, 500*time.Millisecond)
	assert.Equal(t, 100*time.Millisecond, c.stop(600*time.Millisecond))
	assert.Zero(t, c.left)

	c = newClock(timeControl{})
	_, ok = c.limit()
	assert.False(t, ok)
	_, _, ok = c.budget()
	assert.False(t, ok)
	assert.Zero(t, c.stop(time.Hour))

	// A player that uses its whole budget in each of 200 moves still has time.
	c = newClock(timeControl{match: time.Minute})
	for range 200 {
		c.start()
		_, hard, _ := c.budget()
		assert.Zero(t, c.stop(hard))
	}
	assert.Positive(t, c.left)
}

func TestParseOpenings(t *testing.T) {
	set, err := parseOpenings([]byte("# comment\n\n0,0, 1,0, 1,3\nh8i8i5\n h8 i8, i5 \n0,0,1,0,1,3\r\n"), 15, gomoku.Freestyle, false)
	require.NoError(t, err)
	require.Len(t, set.moves, 4)
	for _, o := range set.moves {
		assert.Equal(t, "h8i8i5", gomoku.FormatMoves(o), "offsets count rows downwards")
	}
	set, err = parseOpenings([]byte("0,0, -10,-10, 9,9\n"), 20, gomoku.Freestyle, false)
	require.NoError(t, err)
	assert.Equal(t, "k10a20t1", gomoku.FormatMoves(set.moves[0]), "the centre of 20 rows is 10, from the top")

	for text, complaint := range map[string]string{
		"0,0, 1":             "1: odd number of offsets",
		"\n0,0, 1,x":         `2: offset "x" is not a number`,
		"0,0, 8,0":           "1: move 2, 8,0: point is outside the board of 15",
		"h8h8":               "occupied",
		"h8z9":               "column",
		"a1a2b1b2c1c2d1d2e1": "the game is over after the opening",
	} {
		_, err := parseOpenings([]byte(text), 15, gomoku.Freestyle, false)
		assert.ErrorContains(t, err, complaint, "%q", text)
	}
	_, err = parseOpenings([]byte("h8a1i8a2h9c3i9"), 15, gomoku.Renju, false)
	assert.NoError(t, err)
	_, err = parseOpenings([]byte("j8a1k8a3i9c1i10e1i8"), 15, gomoku.Renju, false)
	assert.ErrorIs(t, err, gomoku.ErrFoul)
}

// The openings that come with the program: legal, none twice, enough of them.
func TestEmbeddedOpenings(t *testing.T) {
	for _, rule := range []gomoku.Rule{gomoku.Freestyle, gomoku.Standard, gomoku.Renju, gomoku.Caro} {
		set, err := loadOpenings("", 15, rule)
		require.NoError(t, err)
		assert.Zero(t, set.skipped, rule)
		assert.GreaterOrEqual(t, len(set.moves), 24, rule)
		seen := make(map[string]int)
		for i, o := range set.moves {
			key := canonical(gomoku.FormatMoves(o), 15)
			assert.NotContains(t, seen, key, "%v %d", rule, i)
			seen[key] = i
		}
		for _, size := range []int{5, 9, 19, 20, 22} {
			set, err := loadOpenings("", size, rule)
			require.NoError(t, err, "%v %d", rule, size)
			assert.NotEmpty(t, set.moves)
		}
	}
	set, err := loadOpenings("", 8, gomoku.Caro)
	require.NoError(t, err)
	assert.Equal(t, "embedded renju", set.name)
	assert.True(t, set.replaced)
	set, err = loadOpenings("", 9, gomoku.Caro)
	require.NoError(t, err)
	assert.Equal(t, "embedded standard", set.name)
	assert.False(t, set.replaced)
	set, err = loadOpenings("none", 15, gomoku.Freestyle)
	require.NoError(t, err)
	assert.Equal(t, [][]gomoku.Point{nil}, set.moves)
	_, err = loadOpenings("no/such/file", 15, gomoku.Freestyle)
	assert.Error(t, err)
}

func TestSchedule(t *testing.T) {
	two, err := encounters("roundrobin", 2)
	require.NoError(t, err)
	order := openingOrder{count: 5, random: true, turn: true, seed: 9}
	games := schedule(two, 45, order)
	require.Len(t, games, 90)
	seen := make(map[[2]int]int)
	for i := 0; i < len(games); i += 2 {
		a, b := games[i], games[i+1]
		assert.Equal(t, i/2, a.pair)
		assert.Equal(t, i/2, b.pair)
		assert.Equal(t, [2]int{a.opening, int(a.symmetry)}, [2]int{b.opening, int(b.symmetry)})
		assert.Equal(t, [2]int{0, 1}, [2]int{a.black, a.white})
		assert.Equal(t, [2]int{1, 0}, [2]int{b.black, b.white})
		seen[[2]int{a.opening, int(a.symmetry)}]++
		if i == 78 {
			assert.Len(t, seen, 40, "all openings in all symmetries before one comes again")
		}
	}
	assert.Equal(t, games, schedule(two, 45, order), "the same seed, the same schedule")
	assert.Equal(t, games[:20], schedule(two, 10, order), "a longer schedule begins alike")
	other := order
	other.seed = 10
	assert.NotEqual(t, games, schedule(two, 45, other))

	for i, g := range schedule(two, 12, openingOrder{count: 5}) {
		assert.Equal(t, i/2%5, g.opening)
		assert.Zero(t, g.symmetry)
	}

	all, err := encounters("roundrobin", 4)
	require.NoError(t, err)
	assert.Equal(t, [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}, all)
	some, err := encounters("gauntlet", 4)
	require.NoError(t, err)
	assert.Equal(t, [][2]int{{0, 1}, {0, 2}, {0, 3}}, some)
	_, err = encounters("swiss", 4)
	assert.Error(t, err)

	games = schedule(some, 2, order)
	require.Len(t, games, 12)
	for i, g := range games {
		assert.Equal(t, games[i/6*6].opening, g.opening, "a round has one opening for all")
		assert.Equal(t, i/2%3, g.encounter)
		assert.Equal(t, i/2, g.pair)
	}
}
