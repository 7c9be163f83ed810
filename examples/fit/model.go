package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/gomoku-go/gomoku"
)

type options struct {
	mix, pull, rate float64
	epochs          int
	seed            uint64
	fresh           bool
}

// model is the evaluation as a function of its weights. These are kept in units in
// which a step of one size suits them all: what is added up in the odds of winning, as
// powers of e, and what is added up in hidden units, as shares of a unit's 1.
type model struct {
	options
	weights, start, moment, spread [gomoku.NumShapeWeights]float64
	patterns                       [gomoku.SumWeights - gomoku.PatternWeights]float64 // the weights of patterns, rounded as the package does
	scale                          float64                                            // evaluator units that multiply the odds of winning by e
	steps                          int
}

// firstRow is the first weight of the network.
var firstRow = slices.Min(gomoku.ShapeRows(nil, emptyBoard))

var emptyBoard = func() *gomoku.Board {
	b, err := gomoku.NewBoard(15, gomoku.Freestyle)
	if err != nil {
		panic(err)
	}
	return b
}()

// inOdds reports whether a weight is added up in the odds; the others are inside of the
// network.
func inOdds(i int) bool {
	return i < firstRow || gomoku.OutWeights <= i && i < gomoku.PatternWeights
}

// sumShare makes a step of the usual size suit the weights of what points say, of which
// much is summed up.
const sumShare = 0.3

// unit is what the i-th of the package's values is worth in the model's units.
func (m *model) unit(i int) float64 {
	switch {
	case inOdds(i):
		return 1 / m.scale
	case i >= gomoku.SumWeights:
		return gomoku.PointUnit / (gomoku.SumUnit * gomoku.HiddenUnit * sumShare)
	case i >= gomoku.PatternWeights:
		return 1.0 / gomoku.PointUnit
	}
	return 1.0 / gomoku.HiddenUnit
}

func newModel(w *gomoku.ShapeWeights, o options) *model {
	m := &model{options: o, scale: usualScale}
	for i, v := range w.Values() {
		m.weights[i] = float64(v) * m.unit(i)
	}
	if o.fresh { // numbers of no meaning, but different ones
		rng := rand.New(rand.NewPCG(o.seed, 1))
		for i := firstRow; i < len(m.weights); i++ {
			m.weights[i] = 0.1 * rng.NormFloat64()
			if gomoku.PatternWeights <= i && i < gomoku.SumWeights {
				m.weights[i] /= 2
			}
		}
	}
	m.start = m.weights
	m.roundPatterns()
	return m
}

// roundPatterns makes of the weights of patterns the values that are used. They are so
// coarse that the others should learn to live with them; a step moves the fine weights by
// the slope at the coarse ones.
func (m *model) roundPatterns() {
	for i := range m.patterns {
		unit := m.unit(gomoku.PatternWeights + i)
		m.patterns[i] = math.Round(m.weights[gomoku.PatternWeights+i]/unit) * unit
	}
}

// shapeWeights returns the weights in the package's form. Of those that started from
// numbers of no meaning, the ones that never came up are 0: that is as good, and shorter.
func (m *model) shapeWeights() (*gomoku.ShapeWeights, error) {
	values := make([]int, len(m.weights))
	for i, v := range m.weights {
		if m.fresh && m.steps > 0 && i >= firstRow && m.spread[i] == 0 {
			continue
		}
		values[i] = int(math.Round(v / m.unit(i)))
	}
	return gomoku.NewShapeWeights(values)
}

// work is what comes up on the way to the evaluation of a sample.
type work struct {
	units  [gomoku.NumHidden]float64          // outputs of the hidden units
	said   [2 * gomoku.NumPointUnits]float64  // what all points say to the mover, then to the other
	points [][2][gomoku.NumPointUnits]float64 // the points' values
}

// value is the evaluation of a sample, as a power of e in the odds.
func (m *model) value(s *sample, w *work) float64 {
	v := m.weights[gomoku.BaseWeight]
	for _, f := range s.features {
		v += m.weights[f.weight] * float64(f.count)
	}
	m.listen(s, w)
	u := &w.units
	copy(u[:], m.weights[gomoku.BiasWeights:])
	for _, row := range s.rows {
		for i, w := range m.weights[row:][:len(u)] {
			u[i] += w
		}
	}
	for i, said := range w.said {
		for j, w := range m.weights[sumRow(i):][:len(u)] {
			u[j] += sumShare * said * w
		}
	}
	for i := range u {
		u[i] = min(max(u[i], 0), gomoku.HiddenMost)
		v += u[i] * m.weights[gomoku.OutWeights+i]
	}
	return v
}

// sumRow is the first of the weights of the i-th of what points say.
func sumRow(i int) int { return gomoku.SumWeights + i*gomoku.NumHidden }

// listen works out the points' values and what they say.
func (m *model) listen(s *sample, w *work) {
	w.points = w.points[:0]
	clear(w.said[:])
	for at := 0; at < len(s.patterns); at += 4 {
		var values [2][gomoku.NumPointUnits]float64
		for _, p := range s.patterns[at : at+4] {
			for side, row := range [2]uint16{p, otherView[p]} {
				for i, x := range m.patterns[int(row)-gomoku.PatternWeights:][:gomoku.NumPointUnits] {
					values[side][i] += x
				}
			}
		}
		for side := range values {
			for i, x := range values[side] {
				w.said[side*gomoku.NumPointUnits+i] += max(x, 0)
			}
		}
		w.points = append(w.points, values)
	}
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// target is what the evaluation is to predict.
func (m *model) target(s *sample) float64 {
	thought := sigmoid(float64(s.score) / m.scale)
	if s.judged {
		return thought
	}
	return (1-m.mix)*float64(s.result) + m.mix*thought
}

// parts is in how many parts samples are gone through side by side. It is always the
// same, so that sums are.
const parts = 8

// inParts calls f for every sample, with the number of its part.
func inParts(n int, f func(part, i int)) {
	var wg sync.WaitGroup
	for part := range parts {
		wg.Go(func() {
			for i := part; i < n; i += parts {
				f(part, i)
			}
		})
	}
	wg.Wait()
}

// loss is the mean cross entropy of the predictions.
func (m *model) loss(samples []sample) float64 {
	var sums [parts]float64
	var works [parts]work
	inParts(len(samples), func(part, i int) {
		v := m.value(&samples[i], &works[part])
		p, t := sigmoid(v), m.target(&samples[i])
		p = min(max(p, 1e-9), 1-1e-9)
		sums[part] -= t*math.Log(p) + (1-t)*math.Log(1-p)
	})
	sum := 0.0
	for _, s := range sums {
		sum += s
	}
	return sum / float64(len(samples))
}

// usualScale is the scale where no game's result tells a better one.
const usualScale = 450

// findScale finds the scale at which the weights at the start predict the
// results best, so that the fit keeps their units.
func (m *model) findScale(samples []sample) {
	samples = slices.DeleteFunc(slices.Clone(samples), func(s sample) bool { return s.judged })
	if len(samples) == 0 {
		return
	}
	mix := m.mix
	m.mix = 0
	best, bestLoss := 0.0, math.Inf(1)
	for scale := 20.0; scale < 3000; scale *= 1.1 {
		m.setScale(scale)
		if l := m.loss(samples); l < bestLoss {
			best, bestLoss = scale, l
		}
	}
	m.setScale(best)
	m.mix = mix
}

// setScale changes the scale, and leaves the evaluation in its own units as it is.
func (m *model) setScale(scale float64) {
	for i := range m.weights {
		if inOdds(i) {
			m.weights[i] *= m.scale / scale
			m.start[i] = m.weights[i]
		}
	}
	m.scale = scale
}

// batch is how many samples a step looks at.
const batch = 1024

// fit goes down the gradient by Adam (Kingma and Ba 2015), with a step size
// that shrinks to a twentieth.
func (m *model) fit(samples []sample, report func(epoch int)) {
	rng := rand.New(rand.NewPCG(m.seed, 0))
	order := rng.Perm(len(samples))
	gradients := new([parts]gradient)
	var works [parts]work
	for epoch := range m.epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		rate := m.rate * math.Pow(0.05, float64(epoch)/float64(m.epochs))
		for some := range slices.Chunk(order, batch) {
			clear(gradients[:])
			inParts(len(some), func(part, i int) { m.addGradient(&gradients[part], &works[part], &samples[some[i]]) })
			m.step(gradients, 1/float64(len(some)), rate)
		}
		report(epoch + 1)
	}
}

// mostOfPattern is how far from 0 the weights of patterns may be.
const mostOfPattern = 31.0 / gomoku.PointUnit

// gradient is the slope of the loss in the direction of each weight.
type gradient [gomoku.NumShapeWeights]float64

// addGradient adds that of one sample.
func (m *model) addGradient(g *gradient, w *work, s *sample) {
	e := sigmoid(m.value(s, w)) - m.target(s)
	u := &w.units
	g[gomoku.BaseWeight] += e
	for _, f := range s.features {
		g[f.weight] += e * float64(f.count)
	}
	for i := range u {
		g[gomoku.OutWeights+i] += e * u[i]
		if u[i] > 0 && u[i] < gomoku.HiddenMost { // elsewhere it does not move
			u[i] = e * m.weights[gomoku.OutWeights+i]
		} else {
			u[i] = 0
		}
		g[gomoku.BiasWeights+i] += u[i]
	}
	for _, row := range s.rows {
		for i, d := range u {
			g[int(row)+i] += d
		}
	}
	var slopes [len(w.said)]float64 // in the direction of what the points say
	for i, said := range w.said {
		row := sumRow(i)
		for j, d := range u {
			slopes[i] += sumShare * d * m.weights[row+j]
			g[row+j] += sumShare * d * said
		}
	}
	for at := range w.points {
		for side := range w.points[at] {
			for i, x := range w.points[at][side] {
				if x <= 0 {
					continue
				}
				for _, p := range s.patterns[4*at:][:4] {
					if side == 1 {
						p = otherView[p]
					}
					g[int(p)+i] += slopes[side*gomoku.NumPointUnits+i]
				}
			}
		}
	}
}

// step moves the weights.
func (m *model) step(gradients *[parts]gradient, share, rate float64) {
	const decay1, decay2, tiny = 0.9, 0.999, 1e-10
	m.steps++
	fix1, fix2 := 1-math.Pow(decay1, float64(m.steps)), 1-math.Pow(decay2, float64(m.steps))
	for i := range m.weights {
		g := m.pull * (m.weights[i] - m.start[i])
		for part := range gradients {
			g += share * gradients[part][i]
		}
		m.moment[i] = decay1*m.moment[i] + (1-decay1)*g
		m.spread[i] = decay2*m.spread[i] + (1-decay2)*g*g
		m.weights[i] -= rate * (m.moment[i] / fix1) / (math.Sqrt(m.spread[i]/fix2) + tiny)
		if gomoku.PatternWeights <= i && i < gomoku.SumWeights { // the package would cut them
			m.weights[i] = min(max(m.weights[i], -mostOfPattern), mostOfPattern)
		}
	}
	m.roundPatterns()
}
