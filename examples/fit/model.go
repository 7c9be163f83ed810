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
	scale                          float64 // evaluator units that multiply the odds of winning by e
	steps                          int
}

// firstRow is the first weight of the network, and hidden those that are added up in
// hidden units.
var firstRow = slices.Min(gomoku.ShapeRows(nil, emptyBoard))

var emptyBoard = func() *gomoku.Board {
	b, err := gomoku.NewBoard(15, gomoku.Freestyle)
	if err != nil {
		panic(err)
	}
	return b
}()

func hidden(i int) bool { return firstRow <= i && i < gomoku.OutWeights }

// unit is what the i-th of the package's values is worth in the model's units.
func (m *model) unit(i int) float64 {
	if hidden(i) {
		return 1.0 / gomoku.HiddenUnit
	}
	return 1 / m.scale
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
		}
	}
	m.start = m.weights
	return m
}

// shapeWeights returns the weights in the package's form.
func (m *model) shapeWeights() (*gomoku.ShapeWeights, error) {
	values := make([]int, len(m.weights))
	for i, v := range m.weights {
		values[i] = int(math.Round(v / m.unit(i)))
	}
	return gomoku.NewShapeWeights(values)
}

// units are the outputs of the hidden units.
type units [gomoku.NumHidden]float64

// value is the evaluation of a sample, as a power of e in the odds.
func (m *model) value(s *sample) (float64, *units) {
	v := m.weights[gomoku.BaseWeight]
	for _, f := range s.features {
		v += m.weights[f.weight] * float64(f.count)
	}
	var u units
	copy(u[:], m.weights[gomoku.BiasWeights:])
	for _, row := range s.rows {
		for i, w := range m.weights[row:][:len(u)] {
			u[i] += w
		}
	}
	for i := range u {
		u[i] = min(max(u[i], 0), gomoku.HiddenMost)
		v += u[i] * m.weights[gomoku.OutWeights+i]
	}
	return v, &u
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
	inParts(len(samples), func(part, i int) {
		v, _ := m.value(&samples[i])
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
		if !hidden(i) {
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
	for epoch := range m.epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		rate := m.rate * math.Pow(0.05, float64(epoch)/float64(m.epochs))
		for some := range slices.Chunk(order, batch) {
			clear(gradients[:])
			inParts(len(some), func(part, i int) { m.addGradient(&gradients[part], &samples[some[i]]) })
			m.step(gradients, 1/float64(len(some)), rate)
		}
		report(epoch + 1)
	}
}

// gradient is the slope of the loss in the direction of each weight.
type gradient [gomoku.NumShapeWeights]float64

// addGradient adds that of one sample.
func (m *model) addGradient(g *gradient, s *sample) {
	v, u := m.value(s)
	e := sigmoid(v) - m.target(s)
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
	}
}
