package main

import (
	"cmp"
	"math"
	"slices"
)

// searchWithT returns what likeliestWithT does, for any p and t. A mean fixes,
// with t, the standard deviation; the most likely distribution that has both is
// a concave problem with one solution. So it remains to find the mean, between
// 1/2 and the end of the scores. Some means have no distribution: scores lie on
// a grid, and between its points a deviation can be too small as well as too
// large. That leaves intervals, each of which is searched.
func searchWithT(p []float64, t float64) []float64 {
	if t < 0 {
		q := searchWithT(reverse(p), -t)
		return reverse(q)
	}
	// The variance is (mean-1/2)²/t². It can't exceed that of wins and losses
	// alone, mean*(1-mean), nor be below that of the two scores about the mean,
	// (mean-x)*(y-mean).
	s := 1 + 1/(t*t)
	cuts := []float64{0.5, 0.5 + 0.5/math.Sqrt(s)}
	last := len(p) - 1
	for i := last / 2; i < last; i++ {
		// In u = mean-1/2: s*u² - (x+y)*u + x*y < 0 has no distribution.
		x, y := float64(i)/float64(last)-0.5, float64(i+1)/float64(last)-0.5
		if d := (x+y)*(x+y)/4 - s*x*y; d > 0 {
			// Both roots without a difference of like numbers.
			u := ((x+y)/2 + math.Sqrt(d)) / s
			cuts = append(cuts, 0.5+u, 0.5+x*y/(s*u))
		}
	}
	slices.SortFunc(cuts, cmp.Compare[float64])
	var best []float64
	most := math.Inf(-1)
	value := func(mean float64) float64 {
		q, ok := likeliestWithMoments(p, mean, (mean-0.5)/t)
		if !ok {
			return math.Inf(-1)
		}
		v := logLikelihood(p, q)
		if v > most {
			best, most = q, v
		}
		return v
	}
	for i := range len(cuts) - 1 {
		mid := cuts[i] + (cuts[i+1]-cuts[i])/2
		k := math.Floor(mid * float64(last))
		x, y := k/float64(last), (k+1)/float64(last)
		if (mid-0.5)*(mid-0.5)/(t*t) > (mid-x)*(y-mid) {
			maximize(value, cuts[i], cuts[i+1])
		}
	}
	return best
}

// maximize looks for the maximum of f in an interval: on a grid first, then
// between the neighbours of its best point.
func maximize(f func(float64) float64, from, to float64) {
	const steps = 24
	at := func(i int) float64 { return from + (to-from)*float64(i)/steps }
	top, most := 1, math.Inf(-1)
	for i := 1; i < steps; i++ {
		if v := f(at(i)); v > most {
			top, most = i, v
		}
	}
	const golden = 0.6180339887498949
	low, high := at(top-1), at(top+1)
	a, b := high-golden*(high-low), low+golden*(high-low)
	fa, fb := f(a), f(b)
	for range 40 {
		if fa > fb {
			high, b, fb = b, a, fa
			a = high - golden*(high-low)
			fa = f(a)
		} else {
			low, a, fa = a, b, fb
			b = low + golden*(high-low)
			fb = f(b)
		}
	}
}

// likeliestWithMoments returns the distribution with the given mean and standard
// deviation under which p is most likely: p[i]/(1+x*a[i]+y*b[i]), where a and b
// are what must have a mean of zero and (x, y) maximises the concave sum of
// p[i]*log(1+x*a[i]+y*b[i]). It is found by Newton's method.
func likeliestWithMoments(p []float64, mean, sigma float64) ([]float64, bool) {
	a, b := make([]float64, len(p)), make([]float64, len(p))
	for i := range p {
		a[i] = (float64(i)/float64(len(p)-1) - mean) / sigma
		b[i] = a[i]*a[i] - 1
	}
	sum := func(x, y float64) float64 {
		v := 0.0
		for i := range p {
			w := 1 + x*a[i] + y*b[i]
			if w <= 0 {
				return math.Inf(-1)
			}
			v += p[i] * math.Log(w)
		}
		return v
	}
	x, y, now := 0.0, 0.0, 0.0
	for range 100 {
		var gx, gy, xx, xy, yy float64 // gradient and negated second derivatives
		for i := range p {
			w := 1 + x*a[i] + y*b[i]
			da, db := a[i]/w, b[i]/w
			gx += p[i] * da
			gy += p[i] * db
			xx += p[i] * da * da
			xy += p[i] * da * db
			yy += p[i] * db * db
		}
		det := xx*yy - xy*xy
		dx, dy := (gx*yy-gy*xy)/det, (gy*xx-gx*xy)/det
		gain := gx*dx + gy*dy
		if !(gain > 1e-19) { // at the maximum, or det is not a positive number
			break
		}
		step := 1.0
		next := sum(x+dx, y+dy)
		// Near the maximum the sum is too flat to tell steps apart.
		near := gain < 1e-10 && !math.IsInf(next, -1)
		for !near && next < now+step*gain/10 && step > 1e-9 {
			step /= 2
			next = sum(x+step*dx, y+step*dy)
		}
		if !near && next <= now {
			break
		}
		x, y, now = x+step*dx, y+step*dy, next
	}
	q := make([]float64, len(p))
	total, first, second := 0.0, 0.0, 0.0
	for i := range p {
		q[i] = p[i] / (1 + x*a[i] + y*b[i])
		total += q[i]
		first += q[i] * a[i]
		second += q[i] * b[i]
	}
	return q, math.Abs(total-1) < 1e-6 && math.Abs(first) < 1e-6 && math.Abs(second) < 1e-6
}

// logLikelihood returns the mean logarithm of q's probabilities under p.
func logLikelihood(p, q []float64) float64 {
	v := 0.0
	for i := range p {
		v += p[i] * math.Log(q[i])
	}
	return v
}

func reverse(p []float64) []float64 {
	r := slices.Clone(p)
	slices.Reverse(r)
	return r
}
