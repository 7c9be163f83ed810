package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Published values. Sources: the unit tests of fastchess (app/tests/sprt_test.cpp
// and elo_test.cpp, some of them recorded results of Stockfish's fishtest), and a
// fishtest page of raw statistics (montytest.muzhen.org/tests/stats/
// 69d3c8dc7c5b3724e29d2712). Both compute exact, not approximate, ratios. Two values
// of sprt_test.cpp are left out: they are of matches in which all results were the
// same, where that version of it had another rule for what was not seen.
func TestSPRTPublishedValues(t *testing.T) {
	for _, c := range []struct {
		counts     []float64 // lost first
		elo0, elo1 float64
		normalized bool
		llr        float64
		within     float64
	}{
		{[]float64{36027, 68692, 36433}, 0, 2, true, 0.92, 0.006},
		{[]float64{10650, 20431, 10871}, -1.75, 0.25, true, 2.30, 0.006},
		{[]float64{21184, 40708, 21404}, 0.5, 2.5, false, -1.57, 0.006},
		{[]float64{57030, 106593, 57433}, 0, 2, false, -2.59, 0.006},
		{[]float64{365, 16618, 36229, 16974, 390}, 0, 2, true, 2.25, 0.006},
		{[]float64{127, 4883, 10712, 5150, 104}, -1.75, 0.25, true, 3.01, 0.006},
		{[]float64{223, 9863, 21279, 10037, 246}, 0.5, 2.5, false, -3.07, 0.006},
		{[]float64{871, 26175, 55983, 26678, 821}, 0, 2, false, -4.98, 0.006},
		{[]float64{13, 37, 50, 25, 3}, 0, 4, true, -0.54912, 0.00001},
		{[]float64{13, 37, 50, 25, 3}, 0, 2.716, false, -0.53772, 0.0002}, // elo1 is rounded
	} {
		s := sprt{elo0: c.elo0, elo1: c.elo1, normalized: c.normalized}
		assert.InDelta(t, c.llr, s.llr(c.counts), c.within, "%+v", c)
	}
}

// When all pairs were won, each hypothesis makes the win as likely as it can:
// its mean score, the rest of the pairs being lost.
func TestSPRTByHand(t *testing.T) {
	s := sprt{elo0: 0, elo1: 100}
	assert.InDelta(t, 20*math.Log(scoreOf(100)/0.5), s.llr([]float64{4: 20}), 0.05)
	assert.InDelta(t, -s.llr([]float64{4: 20}), (&sprt{elo0: -100, elo1: 0}).llr([]float64{20, 0, 0, 0, 0}), 1e-9)
}

func TestEloPublishedValues(t *testing.T) {
	for _, c := range []struct {
		counts          pairCounts
		elo, half       float64
		normalized, los float64
	}{
		{pairCounts{34, 54, 63, 64, 75}, 55.58, 27.65, 57.94, 1},
		{pairCounts{332, 433, 498, 333, 334}, -8.64, 10.33, -9.17, 0.0505},
		{pairCounts{7895, 8757, 5685, 568, 9999}, -21.04, 2.95, -19.01, 0},
		{pairCounts{13, 37, 50, 25, 3}, -43.66, math.NaN(), -63.97, math.NaN()},
	} {
		e := estimateElo(c.counts)
		assert.InDelta(t, c.elo, e.elo, 0.006, "%v", c.counts)
		assert.InDelta(t, c.normalized, e.normalized, 0.006, "%v", c.counts)
		if !math.IsNaN(c.half) {
			// We use Student's t and n-1, they the normal distribution and n.
			assert.InEpsilon(t, c.half, (e.high-e.low)/2, 0.01, "%v", c.counts)
			assert.InDelta(t, c.los, e.los, 0.0001, "%v", c.counts)
		}
		r := estimateElo(c.counts.reversed())
		assert.InDelta(t, -e.elo, r.elo, 1e-9)
		assert.InDelta(t, -e.low, r.high, 1e-9)
	}
}

func TestEloByHand(t *testing.T) {
	assert.InDelta(t, 190.85, eloOf(0.75), 0.01) // 400 log10(3)
	assert.InDelta(t, 0.75, scoreOf(190.85), 0.0001)
	assert.InDelta(t, 0.6401, scoreOf(100), 0.0001)

	e := estimateElo(pairCounts{})
	assert.Equal(t, "no complete pair", e.String())

	// Ten pairs won: a true share of won pairs below 0.025^(1/10) = 0.69 would
	// show so rarely that it is outside.
	e = estimateElo(pairCounts{4: 10})
	assert.Equal(t, math.Inf(1), e.elo)
	assert.InDelta(t, eloOf(math.Pow(0.025, 0.1)), e.low, 1e-9)
	assert.Equal(t, math.Inf(1), e.high)

	// Ten pairs of one win each say that nobody wins both games often.
	e = estimateElo(pairCounts{2: 10})
	assert.Zero(t, e.elo)
	assert.InDelta(t, -e.low, e.high, 1e-9)
	assert.Less(t, e.high, 115.0)
}

func TestStudentT(t *testing.T) {
	for freedom, want := range map[float64]float64{4: 2.7764, 5: 2.5706, 10: 2.2281, 29: 2.0452, 100: 1.9840} {
		assert.InEpsilon(t, want, studentT95(freedom), 0.003, "%v", freedom)
	}
	assert.InDelta(t, 1.96, studentT95(1e9), 0.0001)
}

// An opponentModel is a player of known strength against another: how often a
// pair ends with each number of points.
type opponentModel [5]float64

// modelOf returns the model in which games are won with the chances that Elo
// and the share of draws give, and the opening adds tilt to one game of the pair
// and takes it from the other.
func modelOf(elo, draws, tilt float64) opponentModel {
	var m opponentModel
	game := func(score float64) [3]float64 {
		return [3]float64{1 - score - draws/2, draws, score - draws/2}
	}
	s := scoreOf(elo)
	for i, p := range game(s + tilt) {
		for j, q := range game(s - tilt) {
			m[i+j] += p * q
		}
	}
	return m
}

func (m opponentModel) play(r *rand.Rand) int {
	x := r.Float64()
	for i, p := range m {
		if x -= p; x < 0 {
			return i
		}
	}
	return len(m) - 1
}

// The 95 % interval must hold the truth in about 95 of 100 matches, with few
// pairs and many, with balanced openings and such as decide games.
func TestEloIntervalHoldsTruth(t *testing.T) {
	const matches = 2000
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		elo, draws, tilt float64
		pairs            int
	}{
		{0, 0.2, 0, 10}, {0, 0.5, 0.2, 30}, {50, 0.1, 0, 30}, {50, 0.1, 0.3, 100}, {200, 0.1, 0, 100}, {-20, 0.05, 0.4, 500},
	} {
		model := modelOf(c.elo, c.draws, c.tilt)
		held := 0
		for range matches {
			var counts pairCounts
			for range c.pairs {
				counts[model.play(r)]++
			}
			if e := estimateElo(counts); e.low <= c.elo && c.elo <= e.high {
				held++
			}
		}
		assert.InDelta(t, 0.95, float64(held)/matches, 0.02, "%+v", c)
	}
}

// A single game's interval would be too wide where openings decide: pairs know.
func TestPairsSeeThroughOpenings(t *testing.T) {
	// Black always wins but in one pair of ten, where the better player wins both.
	e := estimateElo(pairCounts{2: 90, 4: 10})
	singles := 1.96 * math.Sqrt(0.55*0.45/200) // of 200 independent games
	pairs := scoreOf(e.high) - e.score
	assert.Less(t, pairs, singles/2)
	assert.Greater(t, e.low, 0.0)
}

// The test must be wrong no more often than alpha and beta say, whatever the
// openings do, and end sooner when the truth is far from both hypotheses.
func TestSPRTErrorRates(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of simulated matches")
	}
	const matches = 250
	for _, tilt := range []float64{0, 0.35} {
		for _, normalized := range []bool{false, true} {
			t.Run(fmt.Sprintf("tilt=%g/normalized=%t", tilt, normalized), func(t *testing.T) {
				s := sprt{elo0: 0, elo1: 50, alpha: 0.05, beta: 0.05, normalized: normalized}
				if normalized {
					s.elo1 = eloOfModel(modelOf(50, 0.1, tilt))
				}
				run := func(elo float64) (h1 float64, length float64) {
					r := rand.New(rand.NewPCG(3, uint64(elo)))
					model := modelOf(elo, 0.1, tilt)
					accepted, total := 0, 0
					for range matches {
						counts := make([]float64, 5)
						for v := undecided; v == undecided; v = s.decide(s.llr(counts)) {
							counts[model.play(r)]++
							total++
						}
						if s.decide(s.llr(counts)) == acceptH1 {
							accepted++
						}
					}
					return float64(accepted) / matches, float64(total) / matches
				}
				h1, length := run(0)
				assert.Less(t, h1, 0.09, "H1 accepted while H0 is true")
				farH1, farLength := run(120)
				assert.Greater(t, farH1, 0.99)
				assert.Less(t, farLength, length)
				h1, _ = run(50)
				assert.Greater(t, h1, 0.91, "H1 accepted while it is true")
				t.Logf("%.0f pairs under H0, %.0f at 120 Elo", length, farLength)
			})
		}
	}
}

// eloOfModel returns the normalised Elo of a model.
func eloOfModel(m opponentModel) float64 {
	_, mean, variance := scoreStats(m[:])
	return normalizedPerT * (mean - 0.5) / math.Sqrt(2*variance)
}

// Wald's approximation of the length of a test, for small steps.
func TestSPRTLength(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of simulated matches")
	}
	s := sprt{elo0: 0, elo1: 20, alpha: 0.05, beta: 0.05}
	model := modelOf(0, 0.3, 0)
	_, _, variance := scoreStats(model[:])
	d := scoreOf(20) - 0.5
	drift := -d * d / 2 / variance
	want := 0.9 * math.Log(0.05/0.95) / drift // 0.95 of the tests end below, 0.05 above
	r := rand.New(rand.NewPCG(5, 5))
	const matches = 150
	total := 0
	for range matches {
		counts := make([]float64, 5)
		for s.decide(s.llr(counts)) == undecided {
			counts[model.play(r)]++
			total++
		}
	}
	assert.InEpsilon(t, want, float64(total)/matches, 0.15)
}

func TestSPRTBounds(t *testing.T) {
	s, err := parseSPRT("elo0=-5,elo1=10,alpha=0.05,beta=0.1,model=normalized")
	require.NoError(t, err)
	assert.Equal(t, &sprt{elo0: -5, elo1: 10, alpha: 0.05, beta: 0.1, normalized: true}, s)
	lower, upper := s.bounds()
	assert.InDelta(t, math.Log(0.1/0.95), lower, 1e-12)
	assert.InDelta(t, math.Log(0.9/0.05), upper, 1e-12)
	assert.Equal(t, undecided, s.decide(0))
	assert.Equal(t, acceptH0, s.decide(-3))
	assert.Equal(t, acceptH1, s.decide(3))
	assert.Zero(t, s.llr(make([]float64, 5)))
	for text, complaint := range map[string]string{
		"":                       "elo1 is missing",
		"elo0=3,elo1=2":          "elo0 must be less",
		"elo1=2,alpha=0":         "must be positive",
		"elo1=1e9":               "elo0 and elo1 must be from -4000 to 4000",
		"elo0=-1e9,elo1=2":       "elo0 and elo1 must be from -4000 to 4000",
		"elo1=2,beta=x":          "not a number",
		"elo1=2,model=bayes":     "not logistic or normalized",
		"elo1=2,gamma=3":         `unknown key "gamma"; the keys are alpha, beta, elo0, elo1, model`,
		"elo0":                   "is not key=value",
		"elo1=2,elo1=3":          "elo1 is given twice",
		"elo1=NaN":               "not a number",
		`elo1=2,model="logistic`: "quote is not closed",
	} {
		_, err := parseSPRT(text)
		assert.ErrorContains(t, err, complaint, "%q", text)
	}
}

func TestRatings(t *testing.T) {
	// Two players: the Bradley-Terry model is the logistic curve, but for the
	// drawn game that is added.
	var meetings []meeting
	for range 75 {
		meetings = append(meetings, meeting{0, 1, 4})
	}
	for range 25 {
		meetings = append(meetings, meeting{0, 1, 0})
	}
	r := rate(2, meetings, 1)
	assert.InDelta(t, eloOf(150.5/201), r[0].elo-r[1].elo, 0.1)
	assert.InDelta(t, 0, r[0].elo+r[1].elo, 1e-9)
	assert.Less(t, r[0].low, r[0].elo)
	assert.Greater(t, r[0].high, r[0].elo)
	assert.Equal(t, r, rate(2, meetings, 1), "the same seed, the same ratings")

	// Known truth: four players 100 apart.
	truth := []float64{150, 50, -50, -150}
	random := rand.New(rand.NewPCG(7, 7))
	meetings = nil
	for i := range truth {
		for j := i + 1; j < len(truth); j++ {
			model := modelOf(truth[i]-truth[j], 0.1, 0.1)
			for range 2000 {
				meetings = append(meetings, meeting{i, j, model.play(random)})
			}
		}
	}
	for i, elo := range bradleyTerry(4, meetings) {
		assert.InDelta(t, truth[i], elo, 12, "player %d", i)
	}

	// Nobody is infinitely strong, and who has not played is average.
	elos := bradleyTerry(3, []meeting{{0, 1, 4}})
	assert.Greater(t, elos[0], 0.0)
	assert.Less(t, elos[0], 1000.0)
}

// Under a hypothesis far from the results there is still a most likely
// distribution, and with it a ratio that ends the test.
func TestSPRTFarHypotheses(t *testing.T) {
	// All pairs 1-1, against a player that is t of its own noise better: some
	// share of pairs must be won, no matter how high, and the smallest share that
	// does is t²/(1+t²).
	for _, elo := range []float64{250, 400, 800} {
		d := elo * math.Sqrt2 / normalizedPerT
		want := -30 * math.Log(1+d*d)
		assert.InDelta(t, want, (&sprt{elo0: 0, elo1: elo, normalized: true}).llr([]float64{2: 30, 4: 0}), 0.1, "%g", elo)
		assert.InDelta(t, -want, (&sprt{elo0: -elo, elo1: 0, normalized: true}).llr([]float64{2: 30, 4: 0}), 0.1, "%g", elo)
	}
	r := rand.New(rand.NewPCG(8, 8))
	hypotheses := []float64{-maxTestElo, -800, -50, 0, 20, 250, 400, 1000, maxTestElo}
	for range 20 {
		model := modelOf(r.Float64()*1000-500, 0.02, 0)
		if r.IntN(2) == 0 {
			model = opponentModel{}
			model[r.IntN(5)] += 0.5
			model[r.IntN(5)] += 0.5
		}
		counts := make([]float64, 5)
		for range 1 + r.IntN(100) {
			counts[model.play(r)]++
		}
		for i := range len(hypotheses) - 1 {
			for _, normalized := range []bool{false, true} {
				s := sprt{elo0: hypotheses[i], elo1: hypotheses[i+1], normalized: normalized}
				llr := s.llr(counts)
				assert.False(t, math.IsNaN(llr) || math.IsInf(llr, 0), "%v of %v: %v", s, counts, llr)
				mirrored := sprt{elo0: -s.elo1, elo1: -s.elo0, normalized: normalized}
				assert.InDelta(t, -llr, mirrored.llr(reverse(counts)), 1e-3+1e-6*math.Abs(llr), "%v of %v", s, counts)
			}
		}
	}
}

// Where both apply, the search finds what the fixed point does, and elsewhere a
// distribution with the ratio asked for.
func TestSearchWithT(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 100 {
		p := make([]float64, 3+2*r.IntN(2))
		for i := range p {
			p[i] = math.Pow(r.Float64(), 4) + 1e-5
		}
		n, _, _ := scoreStats(p)
		for i := range p {
			p[i] /= n
		}
		want := (r.Float64()*2 - 1) * math.Pow(10, r.Float64()*3-2)
		q := searchWithT(p, want)
		total, mean, variance := scoreStats(q)
		assert.InDelta(t, 1, total, 1e-6)
		assert.InDelta(t, mean-0.5, want*math.Sqrt(variance), 1e-6)
		assert.InDelta(t, logLikelihood(p, likeliestWithT(p, want)), logLikelihood(p, q), 1e-5, "%v %v", p, want)
	}
}
