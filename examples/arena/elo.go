package main

import (
	"fmt"
	"math"
)

// pairCounts counts pairs of games by the points one player made in them: index
// 0 to 4 stands for 0, ½, 1, 1½ and 2 points. The two games of a pair have the
// same opening and so are not independent: what one colour gains the other
// loses. Pairs are, which is why every error bar here comes from pairs.
type pairCounts [5]int

func (c pairCounts) total() int {
	n := 0
	for _, k := range c {
		n += k
	}
	return n
}

// reversed returns the counts as the other player sees them.
func (c pairCounts) reversed() pairCounts {
	return pairCounts{c[4], c[3], c[2], c[1], c[0]}
}

func (c pairCounts) floats() []float64 {
	f := make([]float64, len(c))
	for i, k := range c {
		f[i] = float64(k)
	}
	return f
}

// scoreStats returns the mean score per game, 0 to 1, of counted results whose
// scores are evenly spaced from 0 to 1, and the variance of one result.
func scoreStats(counts []float64) (n, mean, variance float64) {
	last := float64(len(counts) - 1)
	for i, k := range counts {
		n += k
		mean += k * float64(i) / last
	}
	mean /= n
	for i, k := range counts {
		d := float64(i)/last - mean
		variance += k * d * d
	}
	return n, mean, variance / n
}

// eloOf returns the Elo difference at which a player is expected to make the
// given score per game; 0 and 1 give infinities.
func eloOf(score float64) float64 { return -400 * math.Log10(1/score-1) }

// scoreOf returns the score expected at an Elo difference.
func scoreOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// normalizedPerT is the factor between the signal-to-noise ratio of one game
// and normalised Elo (Van den Bergh, Comments on Normalized Elo): with no draws
// and equal players, normalised and logistic Elo agree.
var normalizedPerT = 800 / math.Ln10

// z95 is the two-sided 95 % quantile of the normal distribution.
const z95 = 1.959963984540054

// An estimate is what a number of pairs says about the strength of a player.
type estimate struct {
	pairs     int
	score     float64 // per game
	elo       float64
	low, high float64 // 95 % interval of elo
	// normalized is the normalised Elo difference, NaN when all pairs are alike.
	normalized float64
	los        float64 // likelihood of superiority
}

// estimateElo returns the Elo difference with its 95 % interval. The interval
// is that of the mean pair score, by Student's t for the few pairs there may
// be, carried over to Elo. When all n pairs ended alike there is no variance to
// go by; then it is the exact one: a result whose true share is q shows n times
// out of n with probability q^n, so q is at least 0.025^(1/n), and the rest
// might be anything.
func estimateElo(c pairCounts) estimate {
	n, mean, variance := scoreStats(c.floats())
	e := estimate{pairs: int(n), score: mean, elo: eloOf(mean), normalized: math.NaN(), los: math.NaN()}
	if n == 0 {
		e.score, e.elo, e.low, e.high = math.NaN(), math.NaN(), math.Inf(-1), math.Inf(1)
		return e
	}
	if variance == 0 {
		q := math.Pow(0.025, 1/n)
		e.low, e.high = eloOf(q*mean), eloOf(q*mean+1-q)
		return e
	}
	half := studentT95(n-1) * math.Sqrt(variance/(n-1))
	e.low, e.high = eloOf(max(mean-half, 0)), eloOf(min(mean+half, 1))
	e.normalized = normalizedPerT * (mean - 0.5) / math.Sqrt(2*variance)
	e.los = normalCDF((mean - 0.5) / math.Sqrt(variance/n))
	return e
}

// studentT95 returns the two-sided 95 % quantile of Student's t distribution,
// by the first terms of its expansion around the normal one, good to 0.3 % from
// four degrees of freedom on and cautious enough below.
func studentT95(freedom float64) float64 {
	const z = z95
	const z3, z5, z7 = z * z * z, z * z * z * z * z, z * z * z * z * z * z * z
	v := freedom
	return z + (z3+z)/(4*v) + (5*z5+16*z3+3*z)/(96*v*v) + (3*z7+19*z5+17*z3-15*z)/(384*v*v*v)
}

func normalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// String describes the estimate in a few words.
func (e estimate) String() string {
	if e.pairs == 0 {
		return "no complete pair"
	}
	s := fmt.Sprintf("Elo %s [%s, %s]", formatElo(e.elo), formatElo(e.low), formatElo(e.high))
	if !math.IsNaN(e.los) {
		s += fmt.Sprintf(", normalised %+.0f, LOS %.1f%%", e.normalized, 100*e.los)
	}
	return s
}

func formatElo(elo float64) string {
	switch {
	case math.IsNaN(elo):
		return "?"
	case math.IsInf(elo, 0):
		return fmt.Sprintf("%+v", elo)[:1] + "inf"
	case math.Abs(elo) < 0.05:
		return "0.0"
	}
	return fmt.Sprintf("%+.1f", elo)
}
