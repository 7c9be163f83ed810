package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomoku-go/gomoku"
)

type options struct {
	mix, pull, rate float64
	epochs          int
	seed            uint64
}

// model is the evaluation as a function of its weights.
type model struct {
	options
	weights, start, moment, spread [gomoku.NumShapeWeights]float64
	scale                          float64 // evaluator units that multiply the odds of winning by e
	steps                          int
}

func newModel(w *gomoku.ShapeWeights, o options) *model {
	m := &model{options: o}
	for i, v := range w.Values() {
		m.weights[i] = float64(v)
	}
	m.start = m.weights
	return m
}

// shapeWeights returns the weights in the package's form.
func (m *model) shapeWeights() (*gomoku.ShapeWeights, error) {
	values := make([]int, len(m.weights))
	for i, v := range m.weights {
		values[i] = int(math.Round(v))
	}
	return gomoku.NewShapeWeights(values)
}

// value is the evaluation of a sample.
func (m *model) value(s *sample) float64 {
	v := 0.0
	for _, f := range s.features {
		v += m.weights[f.weight] * float64(f.count)
	}
	return v
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

// loss is the mean cross entropy of the predictions.
func (m *model) loss(samples []sample) float64 {
	sum := 0.0
	for i := range samples {
		s := &samples[i]
		p, t := sigmoid(m.value(s)/m.scale), m.target(s)
		p = min(max(p, 1e-9), 1-1e-9)
		sum -= t*math.Log(p) + (1-t)*math.Log(1-p)
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
		m.scale = usualScale
		return
	}
	mix := m.mix
	m.mix = 0
	best, bestLoss := 0.0, math.Inf(1)
	for scale := 20.0; scale < 3000; scale *= 1.1 {
		m.scale = scale
		if l := m.loss(samples); l < bestLoss {
			best, bestLoss = scale, l
		}
	}
	m.scale, m.mix = best, mix
}

// batch is how many samples a step looks at.
const batch = 2048

// fit goes down the gradient by Adam (Kingma and Ba 2015), with a step size
// that shrinks to a twentieth.
func (m *model) fit(samples []sample, report func(epoch int)) {
	rng := rand.New(rand.NewPCG(m.seed, 0))
	order := rng.Perm(len(samples))
	for epoch := range m.epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		rate := m.rate * math.Pow(0.05, float64(epoch)/float64(m.epochs))
		for part := range slices.Chunk(order, batch) {
			m.step(samples, part, rate)
		}
		report(epoch + 1)
	}
}

func (m *model) step(samples []sample, part []int, rate float64) {
	const decay1, decay2, tiny = 0.9, 0.999, 1e-10
	var gradient [gomoku.NumShapeWeights]float64
	for _, i := range part {
		s := &samples[i]
		e := (sigmoid(m.value(s)/m.scale) - m.target(s)) / float64(len(part))
		for _, f := range s.features {
			gradient[f.weight] += e * float64(f.count)
		}
	}
	m.steps++
	fix1, fix2 := 1-math.Pow(decay1, float64(m.steps)), 1-math.Pow(decay2, float64(m.steps))
	for i, g := range gradient {
		g += m.pull * (m.weights[i] - m.start[i])
		m.moment[i] = decay1*m.moment[i] + (1-decay1)*g
		m.spread[i] = decay2*m.spread[i] + (1-decay2)*g*g
		m.weights[i] -= rate * (m.moment[i] / fix1) / (math.Sqrt(m.spread[i]/fix2) + tiny)
	}
}
