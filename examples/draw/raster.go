package main

import (
	"image"
	"image/color"
	"math"
	"slices"
)

type point struct{ x, y float64 }

// A polyline is the flattened outline of a shape.
type polyline struct {
	points []point
	closed bool
}

// smooth cuts the corners of a line (Chaikin 1974); its ends stay.
func (l polyline) smooth() polyline {
	n := len(l.points)
	if n < 3 {
		return l
	}
	between := func(a, b point, t float64) point { return point{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t} }
	var cut []point
	for i, p := range l.points {
		next := l.points[(i+1)%n]
		if i == n-1 && !l.closed {
			break
		}
		cut = append(cut, between(p, next, 0.25), between(p, next, 0.75))
	}
	if !l.closed {
		cut[0], cut[len(cut)-1] = l.points[0], l.points[n-1]
	}
	return polyline{cut, l.closed}
}

// circle returns the polygon of a circle, fine enough for its size in pixels.
func circle(x, y, r, scale float64) polyline {
	n := max(12, int(4*math.Sqrt(r*scale)+8))
	l := polyline{closed: true}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		l.points = append(l.points, point{x + r*cos, y + r*sin})
	}
	return l
}

// halfCircle returns points from one end of a half circle to the other, clockwise
// as a picture shows it.
func halfCircle(from, to point) []point {
	const n = 24
	cx, cy := (from.x+to.x)/2, (from.y+to.y)/2
	dx, dy := from.x-cx, from.y-cy
	points := make([]point, n)
	for i := range points {
		sin, cos := math.Sincos(math.Pi * float64(i+1) / n)
		points[i] = point{cx + dx*cos - dy*sin, cy + dx*sin + dy*cos}
	}
	return points
}

// stroke returns polygons that together cover a line of the given width, with
// round joints and ends.
func (l polyline) stroke(width, scale float64, dashes []float64) []polyline {
	if len(dashes) > 0 {
		var all []polyline
		for _, part := range l.dash(dashes) {
			all = append(all, part.stroke(width, scale, nil)...)
		}
		return all
	}
	points := l.points
	if l.closed && len(points) > 0 {
		points = append(slices.Clone(points), points[0])
	}
	var shapes []polyline
	for i, p := range points {
		shapes = append(shapes, circle(p.x, p.y, width/2, scale))
		if i == 0 {
			continue
		}
		q := points[i-1]
		dx, dy := p.x-q.x, p.y-q.y
		length := math.Hypot(dx, dy)
		if length == 0 {
			continue
		}
		nx, ny := -dy*width/2/length, dx*width/2/length
		shapes = append(shapes, polyline{[]point{
			{q.x + nx, q.y + ny}, {q.x - nx, q.y - ny}, {p.x - nx, p.y - ny}, {p.x + nx, p.y + ny},
		}, true})
	}
	return shapes
}

// dash cuts a line into its dashes. Their ends are flat in SVG and round here.
func (l polyline) dash(pattern []float64) []polyline {
	points := l.points
	if l.closed {
		points = append(slices.Clone(points), points[0])
	}
	var parts []polyline
	k, left, on := 0, pattern[0], true
	part := []point{points[0]}
	for i := 1; i < len(points); {
		p, q := part[len(part)-1], points[i]
		if !on {
			p = part[0]
		}
		d := math.Hypot(q.x-p.x, q.y-p.y)
		if d <= left {
			left -= d
			i++
			if on {
				part = append(part, q)
			} else {
				part = []point{q}
			}
			continue
		}
		t := left / d
		cut := point{p.x + (q.x-p.x)*t, p.y + (q.y-p.y)*t}
		if on {
			parts = append(parts, polyline{points: append(part, cut)})
		}
		on = !on
		k = (k + 1) % len(pattern)
		left = pattern[k]
		part = []point{cut}
	}
	if on {
		parts = append(parts, polyline{points: part})
	}
	return parts
}

// subRows is how many lines a row of pixels is looked at along; across, coverage
// is exact.
const subRows = 5

// A raster is a picture of pixels that polygons are painted on.
type raster struct {
	image *image.NRGBA
	scale float64 // pixels a unit
	cover []float64
}

func newRaster(pixels int, side float64) *raster {
	r := &raster{image.NewNRGBA(image.Rect(0, 0, pixels, pixels)), float64(pixels) / side, make([]float64, pixels)}
	return r
}

// An edge of a polygon goes up or down.
type edge struct {
	x0, y0, x1, y1 float64 // y0 < y1, in pixels
	up             int
}

// fill paints the union of the polygons, each whatever way it turns.
func (r *raster) fill(shapes []polyline, c color.NRGBA, opacity float64) {
	var edges []edge
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range shapes {
		turn := s.turn()
		for i, p := range s.points {
			q := s.points[(i+1)%len(s.points)]
			e := edge{p.x * r.scale, p.y * r.scale, q.x * r.scale, q.y * r.scale, turn}
			if e.y0 == e.y1 {
				continue
			}
			if e.y0 > e.y1 {
				e = edge{e.x1, e.y1, e.x0, e.y0, -turn}
			}
			low, high = min(low, e.y0), max(high, e.y1)
			edges = append(edges, e)
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		switch {
		case a.y0 < b.y0:
			return -1
		case a.y0 > b.y0:
			return 1
		}
		return 0
	})
	size := r.image.Rect.Dx()
	first, last := max(int(math.Floor(low)), 0), min(int(math.Ceil(high)), size)
	for y := first; y < last; y++ {
		clear(r.cover)
		for sub := range subRows {
			r.coverRow(edges, float64(y)+(float64(sub)+0.5)/subRows)
		}
		for x, cover := range r.cover {
			if cover > 0 {
				r.blend(x, y, c, min(cover/subRows, 1)*opacity)
			}
		}
	}
}

// turn is 1 or -1, by the direction in which a polygon goes around.
func (l polyline) turn() int {
	area := 0.0
	for i, p := range l.points {
		q := l.points[(i+1)%len(l.points)]
		area += p.x*q.y - q.x*p.y
	}
	if area < 0 {
		return -1
	}
	return 1
}

// coverRow adds what the polygons cover of a row along a line.
func (r *raster) coverRow(edges []edge, y float64) {
	type crossing struct {
		x  float64
		up int
	}
	var crossings []crossing
	for _, e := range edges {
		if e.y0 > y {
			break
		}
		if e.y1 > y {
			crossings = append(crossings, crossing{e.x0 + (e.x1-e.x0)*(y-e.y0)/(e.y1-e.y0), e.up})
		}
	}
	slices.SortFunc(crossings, func(a, b crossing) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return b.up - a.up
	})
	around, from := 0, 0.0
	for _, c := range crossings {
		if around == 0 {
			from = c.x
		}
		if around += c.up; around == 0 {
			r.coverSpan(from, c.x)
		}
	}
}

func (r *raster) coverSpan(from, to float64) {
	size := float64(len(r.cover))
	from, to = min(max(from, 0), size), min(max(to, 0), size)
	for x := int(from); x < len(r.cover) && float64(x) < to; x++ {
		r.cover[x] += min(to, float64(x+1)) - max(from, float64(x))
	}
}

// blend paints a pixel. The picture is opaque from its background on.
func (r *raster) blend(x, y int, c color.NRGBA, opacity float64) {
	at := r.image.PixOffset(x, y)
	pix := r.image.Pix[at : at+4]
	for i, v := range [...]uint8{c.R, c.G, c.B} {
		pix[i] = uint8(math.Round(float64(v)*opacity + float64(pix[i])*(1-opacity)))
	}
	pix[3] = 255
}
