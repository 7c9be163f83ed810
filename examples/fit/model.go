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

// kinds is the number of ways to choose four shapes without order.
const kinds = gomoku.NumShapes * (gomoku.NumShapes + 1) * (gomoku.NumShapes + 2) * (gomoku.NumShapes + 3) / 24

// points is the number of weights of points: by kind, for the mover and the other.
const points = 2 * kinds

// kindOf numbers four shapes without regard to their order: the combinatorial
// number system on the sorted shapes.
func kindOf(s [4]gomoku.Shape) uint16 {
	slices.Sort(s[:])
	a, b, c, d := int(s[0]), int(s[1]), int(s[2]), int(s[3])
	return uint16(a + b*(b+1)/2 + c*(c+1)*(c+2)/6 + d*(d+1)*(d+2)*(d+3)/24)
}

// classes is the number of pairs of classes.
const classes = gomoku.NumClasses * gomoku.NumClasses

func threatOf(mover, other gomoku.Class) int { return int(mover)*gomoku.NumClasses + int(other) }

// model is the evaluation as a function of its weights: the kinds of points for
// the mover, those for the other side, then the pairs of classes.
type model struct {
	options
	weights, start, moment, spread [points + classes]float64
	scale                          float64 // evaluator units that multiply the odds of winning by e
	steps                          int
}

func newModel(w *gomoku.ShapeWeights, o options) *model {
	m := &model{options: o}
	eachKind(func(s [4]gomoku.Shape) {
		mover, other := w.Point(s)
		m.weights[kindOf(s)], m.weights[kinds+int(kindOf(s))] = float64(mover), float64(other)
	})
	eachThreat(func(mover, other gomoku.Class) {
		m.weights[points+threatOf(mover, other)] = float64(w.Threat(mover, other))
	})
	m.start = m.weights
	return m
}

func eachKind(f func([4]gomoku.Shape)) {
	n := gomoku.Shape(gomoku.NumShapes)
	for a := range n {
		for b := range a + 1 {
			for c := range b + 1 {
				for d := range c + 1 {
					f([4]gomoku.Shape{a, b, c, d})
				}
			}
		}
	}
}

func eachThreat(f func(mover, other gomoku.Class)) {
	n := gomoku.Class(gomoku.NumClasses)
	for mover := range n {
		for other := range n {
			f(mover, other)
		}
	}
}

// shapeWeights returns the weights in the package's form.
func (m *model) shapeWeights() *gomoku.ShapeWeights {
	return gomoku.NewShapeWeights(
		func(s [4]gomoku.Shape) (mover, other int) {
			return int(math.Round(m.weights[kindOf(s)])), int(math.Round(m.weights[kinds+int(kindOf(s))]))
		},
		func(mover, other gomoku.Class) int { return int(math.Round(m.weights[points+threatOf(mover, other)])) },
	)
}

// value is the evaluation of a sample.
func (m *model) value(s *sample) float64 {
	v := m.weights[points+threatOf(s.threat[0], s.threat[1])]
	for _, f := range s.features {
		v += m.weights[f.kind] * float64(f.count)
	}
	return v
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// target is what the evaluation is to predict.
func (m *model) target(s *sample) float64 {
	return (1-m.mix)*float64(s.result) + m.mix*sigmoid(float64(s.score)/m.scale)
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

// findScale finds the scale at which the weights at the start predict the
// results best, so that the fit keeps their units.
func (m *model) findScale(samples []sample) {
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
	var gradient [points + classes]float64
	for _, i := range part {
		s := &samples[i]
		e := (sigmoid(m.value(s)/m.scale) - m.target(s)) / float64(len(part))
		gradient[points+threatOf(s.threat[0], s.threat[1])] += e
		for _, f := range s.features {
			gradient[f.kind] += e * float64(f.count)
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
