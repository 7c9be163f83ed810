package main

import (
	"errors"
	"fmt"
	"math"
)

// A sprt is a sequential probability ratio test of whether a player is elo1
// stronger than the other (H1) rather than elo0 (H0). It is Van den Bergh's
// generalised test: the strength is fixed by each hypothesis, the rest of the
// distribution of pair results is the most likely one under it.
type sprt struct {
	elo0, elo1  float64
	alpha, beta float64 // chances of a wrong H1 and of a wrong H0
	// normalized makes elo0 and elo1 normalised Elo (the score over its own
	// noise, so the length of the test does not depend on the share of draws or
	// on the openings) instead of logistic Elo (the score alone).
	normalized bool
}

// maxTestElo bounds the hypotheses. Much further out, the expected score is 0 or
// 1 to all digits: a player that never loses at all, which no number of games
// shows and which one lost game refutes.
const maxTestElo = 4000

type verdict int

const (
	undecided verdict = iota
	acceptH0
	acceptH1
)

func (v verdict) String() string {
	return [...]string{"undecided", "H0 accepted", "H1 accepted"}[v]
}

// parseSPRT reads "elo0=0,elo1=20,alpha=0.05,beta=0.05,model=logistic".
func parseSPRT(text string) (*sprt, error) {
	s := &sprt{elo0: 0, elo1: math.NaN(), alpha: 0.05, beta: 0.05}
	err := parseKeys(text, map[string]func(string) error{
		"elo0":  floatInto(&s.elo0),
		"elo1":  floatInto(&s.elo1),
		"alpha": floatInto(&s.alpha),
		"beta":  floatInto(&s.beta),
		"model": func(v string) error {
			switch v {
			case "normalized", "normalised":
				s.normalized = true
			case "logistic":
				s.normalized = false
			default:
				return errors.New("not logistic or normalized")
			}
			return nil
		},
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("sprt %q: %w", text, err)
	case math.IsNaN(s.elo1):
		return nil, fmt.Errorf("sprt %q: elo1 is missing", text)
	case max(math.Abs(s.elo0), math.Abs(s.elo1)) > maxTestElo:
		return nil, fmt.Errorf("sprt %q: elo0 and elo1 must be from -%d to %d", text, maxTestElo, maxTestElo)
	case !(s.elo0 < s.elo1):
		return nil, fmt.Errorf("sprt %q: elo0 must be less than elo1", text)
	case !(s.alpha > 0 && s.beta > 0 && s.alpha+s.beta < 1):
		return nil, fmt.Errorf("sprt %q: alpha and beta must be positive and make less than 1", text)
	}
	return s, nil
}

// bounds returns the log-likelihood ratios at which H0 and H1 are accepted.
func (s *sprt) bounds() (lower, upper float64) {
	return math.Log(s.beta / (1 - s.alpha)), math.Log((1 - s.beta) / s.alpha)
}

func (s *sprt) decide(llr float64) verdict {
	lower, upper := s.bounds()
	switch {
	case llr >= upper:
		return acceptH1
	case llr <= lower:
		return acceptH0
	}
	return undecided
}

// llr returns the logarithm of the likelihood of the counted results under H1
// over that under H0. The counts are of pairs (five) or of single games (three:
// losses, draws, wins).
func (s *sprt) llr(counts []float64) float64 {
	n := 0.0
	for _, k := range counts {
		n += k
	}
	if n == 0 {
		return 0
	}
	// A result that was not seen may still happen.
	p := make([]float64, len(counts))
	n = 0
	for i, k := range counts {
		p[i] = max(k, 1e-3)
		n += p[i]
	}
	for i := range p {
		p[i] /= n
	}
	var p0, p1 []float64
	if s.normalized {
		// A pair's mean score has half the variance of a game's.
		t := math.Sqrt(float64(len(counts)-1)/2) / normalizedPerT
		p0, p1 = likeliestWithT(p, s.elo0*t), likeliestWithT(p, s.elo1*t)
	} else {
		p0, p1 = likeliestWithMean(p, scoreOf(s.elo0)), likeliestWithMean(p, scoreOf(s.elo1))
	}
	llr := 0.0
	for i := range p {
		llr += p[i] * math.Log(p1[i]/p0[i])
	}
	return n * llr
}

// likeliestWithMean returns the distribution with the given mean score under
// which the empirical distribution p is most likely (Van den Bergh, Generalized
// Likelihood Ratio for multinomial distributions, proposition 1.1).
func likeliestWithMean(p []float64, mean float64) []float64 {
	a := make([]float64, len(p))
	for i := range a {
		a[i] = float64(i)/float64(len(p)-1) - mean
	}
	return tilt(p, a)
}

// likeliestWithT is likeliestWithMean for a given ratio t of (mean - 1/2) to the
// standard deviation (Van den Bergh, Comments on Normalized Elo, section 4.1):
// a fixed point, reached in a few steps while the results are anywhere near t.
// Far from it the steps lead nowhere or out of the distributions, and the most
// likely one is searched for.
func likeliestWithT(p []float64, t float64) []float64 {
	if t == 0 {
		return likeliestWithMean(p, 0.5)
	}
	q := make([]float64, len(p))
	for i := range q {
		q[i] = 1 / float64(len(q))
	}
	a := make([]float64, len(p))
	for range 50 {
		_, mean, variance := scoreStats(q)
		sigma := math.Sqrt(variance)
		low, high := math.Inf(1), math.Inf(-1)
		for i := range a {
			x := float64(i) / float64(len(p)-1)
			d := (x - mean) / sigma
			a[i] = x - 0.5 - t*sigma*(1+d*d)/2
			low, high = min(low, a[i]), max(high, a[i])
		}
		if !(low < 0 && high > 0) {
			break // no distribution has a mean of zero here
		}
		next := tilt(p, a)
		change := 0.0
		for i := range q {
			change = max(change, math.Abs(next[i]-q[i]))
		}
		q = next
		if change < 1e-10 {
			return q
		}
	}
	return searchWithT(p, t)
}

// tilt returns p[i]/(1+x*a[i]) with the x that makes the mean of a zero. The
// sum that has to vanish falls from plus to minus infinity between the poles.
func tilt(p, a []float64) []float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range a {
		low, high = min(low, v), max(high, v)
	}
	from, to := -1/high, -1/low
	x := 0.0
	for range 200 {
		x = from + (to-from)/2
		if x <= from || x >= to {
			break
		}
		sum := 0.0
		for i, v := range a {
			sum += p[i] * v / (1 + x*v)
		}
		if sum > 0 {
			from = x
		} else {
			to = x
		}
	}
	q := make([]float64, len(p))
	for i, v := range a {
		q[i] = p[i] / (1 + x*v)
	}
	return q
}
