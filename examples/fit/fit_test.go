package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

// writeLog writes a log as the arena does.
func writeLog(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "games.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o666))
	return name
}

const (
	testHead = `{"rule":"freestyle","size":15}`
	testGame = `{"opening_plies":2,"moves":"h8a1i8a3j8a5k8a7l8","result":"black","score":[10,-10,300,-300,1000,-1000,29999999]}`
)

// TestReadLog takes the quiet positions after the opening, each seen by the side
// to move, and keeps the games of every tenth pair apart.
func TestReadLog(t *testing.T) {
	lines := []string{testHead}
	for range 30 {
		lines = append(lines, testGame)
	}
	train, test, err := readLog(writeLog(t, lines...))
	require.NoError(t, err)
	require.Len(t, test, len(train)/26*4, "4 of 30 games")
	perGame := len(train) / 26
	require.Greater(t, perGame, 1)
	require.Less(t, perGame, 7, "where a four decides, nobody asks")
	for i, s := range train {
		assert.NotEmpty(t, s.features)
		assert.EqualValues(t, 1-i%perGame%2, s.result, "Black won, and moves first after the opening")
	}
	for text, name := range map[string]string{
		":1: ":           writeLog(t, `{"rule":"chess"}`),
		":2: ":           writeLog(t, testHead, `{"moves":"h8h8"}`),
		":3: ":           writeLog(t, testHead, testGame, `not json`),
		"no such file":   filepath.Join(t.TempDir(), "none"),
		"is outside the": writeLog(t, `{"rule":"freestyle","size":5}`, `{"moves":"h8"}`),
	} {
		_, _, err := readLog(name)
		assert.ErrorContains(t, err, text)
	}
}

// TestFitFindsWhatGamesSay: games whose results depend on one kind of point alone
// give that kind its weight, and the loss falls.
func TestFitFindsWhatGamesSay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const telling, idle = 40, 7
	samples := make([]sample, 6000)
	for i := range samples {
		n, m := int16(rng.IntN(7)-3), int16(rng.IntN(7)-3)
		samples[i].features = []feature{{telling, n}, {idle, m}}
		if rng.Float64() < sigmoid(float64(n)) {
			samples[i].result = 1
		}
	}
	none, err := gomoku.NewShapeWeights(make([]int, gomoku.NumShapeWeights))
	require.NoError(t, err)
	m := newModel(none, options{rate: 0.05, epochs: 40, seed: 1})
	m.setScale(100)
	before := m.loss(samples)
	m.fit(samples, func(int) {})
	assert.Less(t, m.loss(samples), before*0.8)
	w, err := m.shapeWeights()
	require.NoError(t, err)
	assert.InDelta(t, 100, w.Values()[telling], 12, "one point more multiplies the odds by e")
	assert.InDelta(t, 0, w.Values()[idle], 12)
}

// TestFitLearnsTogether: what two numbers say only together, the network learns, from
// random numbers and from the package's own, and the same every time.
func TestFitLearnsTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	rows, patterns := rowsOf(emptyBoard), patternsOf(emptyBoard)
	samples := make([]sample, 4000)
	for i := range samples {
		s := &samples[i]
		s.rows = append(s.rows, rows...)
		s.patterns = patterns[:4*6]
		mine, theirs := rng.IntN(2), rng.IntN(2)
		s.rows[4] += uint16(mine * gomoku.NumHidden) // one point of a class instead of none
		s.rows[15] += uint16(theirs * gomoku.NumHidden)
		if mine != theirs {
			s.result = 1
		}
	}
	for _, fresh := range []bool{true, false} {
		some := samples
		epochs := 200
		if !fresh { // its units hear nothing without the points of a whole board
			some, epochs = slices.Clone(samples[:256]), 1000
			for i := range some {
				some[i].patterns = patterns
			}
		}
		var fitted [2][]int
		for i := range fitted {
			m := newModel(gomoku.DefaultShapeWeights(), options{rate: 0.005, epochs: epochs, seed: 1, fresh: fresh})
			m.fit(some, func(int) {})
			assert.Less(t, m.loss(some), 0.4, "a sum has 0.69")
			w, err := m.shapeWeights()
			require.NoError(t, err)
			fitted[i] = w.Values()
			if fresh { // no more than those that come up have a value
				zeros := 0
				for _, v := range fitted[i][gomoku.PatternWeights:gomoku.SumWeights] {
					if v == 0 {
						zeros++
					}
				}
				met := map[uint16]bool{}
				for _, p := range some[0].patterns {
					met[p], met[otherView[p]] = true, true
				}
				assert.GreaterOrEqual(t, zeros, (gomoku.NumPatterns-len(met))*gomoku.NumPointUnits)
				assert.Less(t, zeros, gomoku.NumPatterns*gomoku.NumPointUnits)
			}
		}
		assert.Equal(t, fitted[0], fitted[1])
	}
}

// TestGradient: the gradient is what small changes of the weights do to the loss.
func TestGradient(t *testing.T) {
	b, err := gomoku.ParseBoard(15, gomoku.Freestyle, "h8h7i7g9h6g5g7i6")
	require.NoError(t, err)
	s := sample{features: featuresOf(b), rows: rowsOf(b), patterns: patternsOf(b), result: 1}
	m := newModel(gomoku.DefaultShapeWeights(), options{seed: 3, fresh: true})
	copy(m.patterns[:], m.weights[gomoku.PatternWeights:]) // not rounded: of round numbers some sums are 0, at the bend
	g, w := new(gradient), new(work)
	m.addGradient(g, w, &s)
	loss := func() float64 { return m.loss([]sample{s}) }
	const small = 1e-6
	moved := map[string]int{}
	for i := range m.weights {
		kind := "odds"
		switch {
		case i >= gomoku.SumWeights:
			kind = "sum"
		case i >= gomoku.PatternWeights:
			kind = "pattern"
		case !inOdds(i):
			kind = "row"
		}
		if g[i] == 0 {
			continue
		}
		weight := &m.weights[i]
		if kind == "pattern" {
			weight = &m.patterns[i-gomoku.PatternWeights] // as it is used
		}
		was := *weight
		*weight = was + small
		up := loss()
		*weight = was - small
		down := loss()
		*weight = was
		require.InDelta(t, (up-down)/(2*small), g[i], 1e-5+1e-4*math.Abs(g[i]), "%s %d", kind, i)
		moved[kind]++
	}
	for _, kind := range []string{"odds", "row", "pattern", "sum"} {
		assert.Greater(t, moved[kind], 15, kind)
	}
}

// TestModelIsEvaluation: the model of the package's weights has the engine's evaluation.
func TestModelIsEvaluation(t *testing.T) {
	b, err := gomoku.ParseBoard(15, gomoku.Freestyle, "h8h7i7g9h6g5g7i6")
	require.NoError(t, err)
	m := newModel(gomoku.DefaultShapeWeights(), options{})
	v := m.value(&sample{features: featuresOf(b), rows: rowsOf(b), patterns: patternsOf(b)}, new(work))
	e, err := gomoku.NewEngine(gomoku.WithDepth(1), gomoku.WithTechniques(gomoku.Shapes))
	require.NoError(t, err)
	worst := 0.0
	for p := range b.CandidateSet(2).All() { // the score of depth 1 is that of the best move's position
		c := b.Clone()
		require.NoError(t, c.Make(p))
		v := m.value(&sample{features: featuresOf(c), rows: rowsOf(c), patterns: patternsOf(c)}, new(work))
		r, err := e.Search(t.Context(), b, gomoku.WithOnly(p))
		require.NoError(t, err)
		if _, mate := r.Score.Mate(); !mate {
			worst = max(worst, math.Abs(float64(r.Score)+v*usualScale))
		}
	}
	assert.NotZero(t, v)
	assert.Less(t, worst, 4.0, "rounding")
}

// TestLabel: the same seed makes the same positions; each is quiet and has a score, but no result, and is what a fit
// reads.
func TestLabel(t *testing.T) {
	log := writeLog(t, testHead, testGame, testGame, testGame)
	positions := filepath.Join(t.TempDir(), "positions.jsonl")
	require.NoError(t, runLabel(labelOptions{nodes: 200, seed: 1}, positions, []string{log}))
	text, err := os.ReadFile(positions)
	require.NoError(t, err)
	again, err := label(labelOptions{nodes: 200, seed: 1}, log)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(again))
	other, err := label(labelOptions{nodes: 200, seed: 2}, log)
	require.NoError(t, err)
	assert.NotEqual(t, string(text), string(other))
	train, test, err := readLog(positions)
	require.NoError(t, err)
	require.NotEmpty(t, test)
	for _, s := range append(train, test...) {
		assert.True(t, s.judged)
		assert.NotEmpty(t, s.features)
	}
	m := newModel(gomoku.DefaultShapeWeights(), options{})
	m.findScale(test)
	assert.EqualValues(t, usualScale, m.scale)
	assert.InDelta(t, sigmoid(1), m.target(&sample{judged: true, score: usualScale}), 1e-9)

	caro := writeLog(t, `{"rule":"caro","size":15}`, testGame)
	assert.ErrorContains(t, runLabel(labelOptions{nodes: 1}, positions, []string{log, caro}), "another rule")
	assert.ErrorContains(t, runLabel(labelOptions{nodes: 1}, positions, []string{writeLog(t, testHead, `{"moves":"h8h8"}`)}), ":2: ")
}

// TestRunWritesWeights: the program's output is what the package reads.
func TestRunWritesWeights(t *testing.T) {
	lines := []string{testHead}
	for range 20 {
		lines = append(lines, testGame)
	}
	log := writeLog(t, lines...)
	out := filepath.Join(t.TempDir(), "weights.txt")
	require.NoError(t, run(options{rate: 1, epochs: 1}, out, []string{log}))
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	_, err = gomoku.ParseShapeWeights(string(text))
	require.NoError(t, err)
	assert.ErrorContains(t, run(options{epochs: 1}, out, []string{writeLog(t, testHead)}), "too few games")
}

// TestRefusesNonsense: before the work begins.
func TestRefusesNonsense(t *testing.T) {
	good := options{mix: 0.3, rate: 0.003, epochs: 1}
	require.NoError(t, good.validate())
	for want, change := range map[string]func(*options){
		"-mix 7":      func(o *options) { o.mix = 7 },
		"-mix NaN":    func(o *options) { o.mix = math.NaN() },
		"-pull -5":    func(o *options) { o.pull = -5 },
		"-rate NaN":   func(o *options) { o.rate = math.NaN() },
		"-rate 0":     func(o *options) { o.rate = 0 },
		"-epochs -1 ": func(o *options) { o.epochs = -1 },
	} {
		o := good
		change(&o)
		require.ErrorContains(t, o.validate(), want)
	}
	require.Error(t, (&labelOptions{}).validate())

	log := writeLog(t, testHead)
	require.NoError(t, checkOut("", []string{log}))
	require.NoError(t, checkOut(filepath.Join(filepath.Dir(log), "new.txt"), []string{log}))
	require.ErrorContains(t, checkOut(log, []string{log}), "also an input")
	require.ErrorContains(t, checkOut(filepath.Dir(log), nil), "no regular file")
	require.ErrorContains(t, checkOut(filepath.Join(log, "x"), nil), "-o")
	_, _, err := readLog(writeLog(t, ""))
	require.Error(t, err)
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty, nil, 0o666))
	_, _, err = readLog(empty)
	require.ErrorContains(t, err, "has no games")
}
