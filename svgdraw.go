package gomoku

import (
	"math"
	"slices"
	"strconv"
)

// An svgWriter holds a picture that is being drawn.
type svgWriter struct {
	board *Board
	o     *SVGOptions
	theme *svgTheme
	dst   []byte

	left, side int // the first column, and width and height of the picture

	lastFoul Foul     // what lost the game
	labels   PointSet // points with a label
	ghosts   PointSet // of the line
	warm     PointSet // candidates
}

func newSVGWriter(b *Board, o *SVGOptions) *svgWriter {
	w := &svgWriter{board: b, o: o, theme: &svgThemes[o.Theme], left: svgMargin}
	if !o.NoCoordinates {
		w.left += svgNames
	}
	w.side = w.left + svgCell*(b.size-1) + svgMargin
	if n := len(b.history); n > 0 && b.winner != Empty && b.WinningLine() == nil {
		before := b.Clone()
		p, _ := before.Undo()
		w.lastFoul = before.Foul(p)
	}
	for _, l := range o.Labels {
		if l.Text != "" {
			w.labels.Add(l.Point)
		}
	}
	for _, p := range o.Line {
		if p != NoPoint && !o.LineArrows {
			w.ghosts.Add(p)
		}
	}
	for _, c := range o.Candidates {
		w.warm.Add(c.Point)
	}
	return w
}

// picture draws the layers, lowest first.
func (w *svgWriter) picture() []byte {
	side := strconv.Itoa(w.side)
	w.raw(`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 `, side, ` `, side, `"`)
	if w.o.Pixels > 0 {
		px := strconv.Itoa(w.o.Pixels)
		w.raw(` width="`, px, `" height="`, px, `"`)
	}
	w.raw(` font-family="Helvetica, Arial, sans-serif" font-size="`, strconv.Itoa(svgFont), `" text-anchor="middle">`, "\n<title>")
	w.escape(w.title())
	w.raw("</title>\n<desc>")
	w.escape(w.description())
	w.raw("</desc>\n")
	w.grid()
	w.heat()
	w.threats()
	w.win()
	w.stones()
	w.line()
	w.lastMove()
	w.numbers()
	w.drawLabels()
	w.fouls()
	w.threatPoints()
	w.raw("</svg>\n")
	return w.dst
}

func (w *svgWriter) grid() {
	t, n := w.theme, w.board.size
	first, last := w.left, w.left+svgCell*(n-1)
	top := w.side - last
	w.raw(`<rect width="`, strconv.Itoa(w.side), `" height="`, strconv.Itoa(w.side), `" fill="`, t.board.hex(), `"/>`, "\n")
	w.raw(`<path stroke="`, t.grid.hex(), `" stroke-linecap="square" fill="none" d="`)
	for i := range n {
		at := svgCell * i
		w.path('M', first, top+at)
		w.path('L', last, top+at)
		w.path('M', first+at, top)
		w.path('L', first+at, top+last-first)
	}
	w.raw("\"/>\n")
	w.group(`fill="`, t.grid.hex(), `"`)
	for _, p := range starPoints(n) {
		w.circle(p, 3.5)
	}
	w.endGroup()
	if w.o.NoCoordinates {
		return
	}
	w.group(`fill="`, t.text.hex(), `" font-size="15"`)
	for i := range n {
		p := Pt(i, i)
		x, y := w.at(p)
		w.textAt(float64(x), float64(w.side-13), 15, "", string(rune('a'+i)))
		w.textAt(16, float64(y), 15, "", strconv.Itoa(i+1))
	}
	w.endGroup()
}

// starPoints returns the points that a board of the size has dots on.
func starPoints(size int) []Point {
	edge, mid := 3, size/2
	if size < 13 {
		edge = 2
	}
	var points []Point
	for _, y := range [...]int{edge, mid, size - 1 - edge} {
		for _, x := range [...]int{edge, mid, size - 1 - edge} {
			centred := (x == mid) != (y == mid)
			switch {
			case (x == mid || y == mid) && size%2 == 0, // there is no middle
				centred && size < 19,
				size < 9 && !(x == mid && y == mid):
				continue
			}
			points = append(points, Pt(x, y))
		}
	}
	return points
}

// heat draws the candidates.
func (w *svgWriter) heat() {
	if len(w.o.Candidates) == 0 {
		return
	}
	t := w.theme
	// The best come last, on top, where a point is given twice.
	ordered := slices.Clone(w.o.Candidates)
	slices.SortStableFunc(ordered, func(a, b Candidate) int { return int(a.Score) - int(b.Score) })
	best := ordered[len(ordered)-1].Score
	estimate := -MaxEstimate // the best
	for _, c := range ordered {
		if c.Score < MaxEstimate {
			estimate = max(estimate, c.Score)
		}
	}
	for _, c := range ordered {
		level := heatLevel(c.Score, estimate, best)
		fill := t.hot.mix(t.board, 150+level*7/10)
		x, y := w.at(c.Point)
		w.group()
		w.tooltip(c.Point.String() + ": " + candidateWords(c))
		w.raw(`<rect x="`, strconv.Itoa(x-svgStone), `" y="`, strconv.Itoa(y-svgStone), `" width="`, strconv.Itoa(2*svgStone),
			`" height="`, strconv.Itoa(2*svgStone), `" rx="6" fill="`, fill.hex())
		if w.o.Theme == PrintTheme {
			w.raw(`" stroke="`, t.text.hex(), `" stroke-width="`)
			w.number(0.5 + float64(level)*3/1000)
		}
		w.raw("\"/>\n")
		if !w.ghosts.Has(c.Point) && !w.labels.Has(c.Point) {
			ink := fill.ink()
			text := shortScore(c.Score)
			size := 13
			if len(text) > 3 {
				size = max(15-len(text), 6)
			}
			attrs := `fill="` + ink.hex() + `" font-size="` + strconv.Itoa(size) + `"`
			if c.Bound == Exact {
				attrs += ` font-weight="bold"`
			}
			w.textAt(float64(x), float64(y), size, attrs, text)
		}
		w.endGroup()
	}
}

// heatLevel says how good a candidate is, 0 to 1000: compared with the best
// estimate, or half as much where there is a win.
func heatLevel(s, estimate, best Score) int {
	switch {
	case s >= MaxEstimate:
		return 1000
	case s <= -MaxEstimate:
		return 0
	}
	const half = 200 // behind the best by so much counts half
	level := int(1000 * half / (half + int64(estimate) - int64(s)))
	if best >= MaxEstimate {
		level /= 2
	}
	return level
}

// shortScore is a score in at most five characters.
func shortScore(s Score) string {
	plies, proven := s.Mate()
	switch {
	case proven && plies > 0:
		return "W" + strconv.Itoa(plies)
	case proven:
		return "L" + strconv.Itoa(-plies)
	case s == MaxEstimate:
		return "W?"
	case s == -MaxEstimate:
		return "L?"
	}
	sign, n := "+", int(s)
	if n < 0 {
		sign, n = "-", -n
	}
	switch {
	case n == 0:
		sign = ""
	case n >= 1_000_000:
		return sign + strconv.Itoa(n/1_000_000) + "M"
	case n >= 10_000:
		return sign + strconv.Itoa(n/1000) + "k"
	case n >= 1000:
		return sign + strconv.Itoa(n/1000) + "." + strconv.Itoa(n/100%10) + "k"
	}
	return sign + strconv.Itoa(n)
}

// threats draws the outlines, which the stones then cover in part.
func (w *svgWriter) threats() {
	for i := len(w.o.Threats) - 1; i >= 0; i-- { // the strongest are usually first
		t := &w.o.Threats[i]
		if t.Kind == FiveThreat && w.board.winner != Empty {
			continue // marked as the winning row
		}
		first, last := slices.Min(t.Stones), slices.Max(t.Stones)
		if len(t.Completing) > 0 {
			first, last = min(first, slices.Min(t.Completing)), max(last, slices.Max(t.Completing))
		}
		c := w.threatColor(t.Kind)
		w.group(`fill="`, c.hex(), `" fill-opacity="0.13" stroke="`, c.hex(), `" stroke-width="2"`, threatDashes(t.Kind))
		w.tooltip(w.threatWords(t))
		w.capsule(first, last)
		w.endGroup()
	}
}

func (w *svgWriter) threatColor(k ThreatKind) rgb {
	if k >= FourThreat {
		return w.theme.four
	}
	return w.theme.three
}

func threatDashes(k ThreatKind) string {
	if k >= FourThreat {
		return ""
	}
	return ` stroke-dasharray="6 4"`
}

// capsule draws a rounded box around the row from p to q.
func (w *svgWriter) capsule(p, q Point) {
	px, py := w.at(p)
	qx, qy := w.at(q)
	dx, dy := float64(qx-px), float64(qy-py)
	length := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if length == 0 {
		w.circle(p, svgHug)
		return
	}
	nx, ny := -dy*svgHug/length, dx*svgHug/length
	const half = "A19.5 19.5 0 0 1 " // a half circle of radius svgHug
	w.raw(`<path d="`)
	w.pathTo("M", float64(px)+nx, float64(py)+ny)
	w.pathTo(half, float64(px)-nx, float64(py)-ny)
	w.pathTo("L", float64(qx)-nx, float64(qy)-ny)
	w.pathTo(half, float64(qx)+nx, float64(qy)+ny)
	w.raw("Z\"/>\n")
}

func (w *svgWriter) stones() {
	for _, c := range [...]Color{Black, White} {
		fill, edge := w.stoneColors(c)
		stones := w.board.stones[c]
		if stones.IsEmpty() {
			continue
		}
		w.group(`fill="`, fill.hex(), `" stroke="`, edge.hex(), `" stroke-width="1.2"`)
		for p := range stones.All() {
			w.circle(p, svgStone)
		}
		w.endGroup()
	}
}

func (w *svgWriter) stoneColors(c Color) (fill, edge rgb) {
	if c == Black {
		return w.theme.black, w.theme.blackEdge
	}
	return w.theme.white, w.theme.whiteEdge
}

// line draws the moves of the line.
func (w *svgWriter) line() {
	before := NoPoint
	for i, p := range w.o.Line {
		switch {
		case p == NoPoint:
			continue
		case w.o.LineArrows:
			w.arrow(before, p, w.moverAt(i))
		default:
			w.ghost(p, w.moverAt(i), i+1)
		}
		before = p
	}
}

func (w *svgWriter) ghost(p Point, c Color, number int) {
	_, edge := w.stoneColors(c)
	fill := w.theme.ghost[c]
	w.group(`fill="`, fill.hex(), `" stroke="`, edge.hex(), `" stroke-width="1.5" stroke-dasharray="4 3"`)
	w.circle(p, svgStone)
	w.endGroup()
	if w.labels.Has(p) {
		return
	}
	w.numberOn(p, number, fill.ink())
}

// arrow draws a small ring at q and an arrow to it from p, unless that is NoPoint.
func (w *svgWriter) arrow(p, q Point, c Color) {
	fill, _ := w.stoneColors(c)
	ink := w.theme.arrow.hex()
	if p != NoPoint {
		const ring, headLength, headWidth = 9, 11, 5.5
		px, py := w.at(p)
		qx, qy := w.at(q)
		dx, dy := float64(qx-px), float64(qy-py)
		length := math.Sqrt(float64(dx*dx) + float64(dy*dy))
		ux, uy := dx/length, dy/length
		along := func(from int, u, by float64) float64 { return float64(from) + float64(u*by) }
		baseX, baseY := along(qx, ux, -ring-headLength), along(qy, uy, -ring-headLength)
		w.raw(`<path stroke="`, ink, `" stroke-width="3" fill="none" d="`)
		w.pathTo("M", along(px, ux, ring), along(py, uy, ring))
		w.pathTo("L", baseX, baseY)
		w.raw("\"/>\n")
		w.polygon(`fill="`+ink+`"`, baseX, baseY, [][2]float64{
			{ux * headLength, uy * headLength}, {-uy * headWidth, ux * headWidth}, {uy * headWidth, -ux * headWidth},
		})
	}
	w.group(`fill="`, fill.hex(), `" stroke="`, ink, `" stroke-width="2.5"`)
	w.circle(q, 7.5)
	w.endGroup()
}

// win outlines the winning row, under the stones.
func (w *svgWriter) win() {
	row := w.board.WinningLine()
	if row == nil {
		return
	}
	w.group(`fill="none" stroke="`, w.theme.win.hex(), `" stroke-width="5"`)
	w.tooltip(sideName(w.board.winner) + " wins: " + pointList(row))
	w.capsule(row[0], row[len(row)-1])
	w.endGroup()
}

// lastMove draws a ring on the last move.
func (w *svgWriter) lastMove() {
	p := w.board.LastMove()
	if p == NoPoint || w.o.NoLastMove {
		return
	}
	w.group(`fill="none" stroke="`, w.theme.lastOn[w.board.At(p)].hex(), `" stroke-width="2"`)
	w.circle(p, svgStone-3)
	w.endGroup()
}

func (w *svgWriter) numbers() {
	if w.o.NoNumbers {
		return
	}
	for i, m := range w.board.history {
		if i+1 < w.o.NumbersFrom || w.labels.Has(m.point) {
			continue
		}
		w.numberOn(m.point, i+1, w.inkOn(m.point))
	}
}

// inkOn returns the colour of text on a point.
func (w *svgWriter) inkOn(p Point) rgb {
	switch w.board.At(p) {
	case Black:
		return w.theme.white
	case White:
		return w.theme.black
	}
	return w.theme.text
}

// numberOn writes a move number on a stone.
func (w *svgWriter) numberOn(p Point, number int, ink rgb) {
	size := svgFont
	if number >= 100 {
		size = 13
	}
	w.textOn(p, size, ink, strconv.Itoa(number))
}

// drawLabels writes the labels. Where there is no stone it hides the grid.
func (w *svgWriter) drawLabels() {
	for p := range w.labels.All() {
		text := ""
		for _, l := range w.o.Labels {
			if l.Point == p && l.Text != "" {
				text = l.Text
			}
		}
		shown, size := fitLabel(text)
		w.group()
		if shown != text {
			w.tooltip(text)
		}
		ink := w.inkOn(p)
		switch {
		case w.ghosts.Has(p):
			ink = w.theme.ghost[w.moverAt(slices.Index(w.o.Line, p))].ink()
		case w.board.At(p) == Empty && !w.warm.Has(p):
			w.group(`fill="`, w.theme.board.hex(), `"`)
			w.circle(p, 15)
			w.endGroup()
		}
		w.textOn(p, size, ink, shown)
		w.endGroup()
	}
}

// moverAt returns who makes a move of the line.
func (w *svgWriter) moverAt(i int) Color {
	if i%2 == 0 {
		return w.board.turn
	}
	return w.board.turn.Opponent()
}

// fitLabel returns as much of a label as fits on a point, and its size.
func fitLabel(text string) (string, int) {
	const most = 5
	cut, n := len(text), 0
	for i := range text {
		if n++; n == most {
			cut = i
		}
	}
	switch {
	case n <= 2:
		return text, svgFont
	case n == 3:
		return text, 13
	case n <= most:
		return text, 11
	}
	return text[:cut] + "…", 11
}

// fouls draws the points that are fouls, and the foul that lost the game.
func (w *svgWriter) fouls() {
	if w.lastFoul != NoFoul {
		w.foul(w.board.LastMove(), w.lastFoul, "lost by a "+w.lastFoul.String())
	}
	for p, f := range w.allFouls() {
		if !w.labels.Has(p) {
			w.foul(p, f, f.String()+", forbidden to Black")
		}
	}
}

// allFouls yields the points that are fouls if they are asked for.
func (w *svgWriter) allFouls() func(func(Point, Foul) bool) {
	return func(yield func(Point, Foul) bool) {
		if !w.o.Fouls {
			return
		}
		empty := w.board.Stones(Empty)
		for p := range empty.All() {
			if f := w.board.Foul(p); f != NoFoul && !yield(p, f) {
				return
			}
		}
	}
}

// foul draws a stop sign.
func (w *svgWriter) foul(p Point, f Foul, words string) {
	ink := w.theme.foul.hex()
	x, y := w.at(p)
	const r, c = 15, 6.2 // c = r tan(pi/8)
	w.group(`fill="`, w.theme.board.hex(), `" stroke="`, ink, `" stroke-width="2"`)
	w.tooltip(p.String() + ": " + words)
	w.polygon("", float64(x), float64(y), [][2]float64{{-c, -r}, {c, -r}, {r, -c}, {r, c}, {c, r}, {-c, r}, {-r, c}, {-r, -c}})
	w.textAt(float64(x), float64(y), 13, `fill="`+ink+`" stroke="none" font-size="13" font-weight="bold"`,
		[...]string{Overline: "6+", DoubleFour: "44", DoubleThree: "33"}[f])
	w.endGroup()
}

// threatPoints marks the points that complete and stop threats: in the middle of
// a free point, else above it.
func (w *svgWriter) threatPoints() {
	var all [2]PointSet // completing, stopping
	var strongest [pointLimit]ThreatKind
	for _, t := range w.o.Threats {
		for i, points := range [...][]Point{t.Completing, t.Defending} {
			for _, p := range points {
				all[i].Add(p)
				strongest[p] = max(strongest[p], t.Kind)
			}
		}
	}
	marked := all[0].Union(all[1])
	for p := range marked.All() {
		c := w.threatColor(strongest[p])
		px, py := w.at(p)
		x, y, r := float64(px), float64(py), 8.0
		if w.warm.Has(p) || w.labels.Has(p) || w.ghosts.Has(p) || w.board.At(p) != Empty || w.o.Fouls && w.board.Foul(p) != NoFoul {
			x, y, r = x+12, y-13, 5
		}
		w.group(`stroke="`, c.hex(), `" stroke-width="2"`)
		w.tooltip(w.threatPointWords(p))
		if all[1].Has(p) {
			w.polygon(`fill="`+w.theme.board.hex()+`"`, x, y, [][2]float64{{-r, -r}, {r, -r}, {r, r}, {-r, r}})
		}
		if all[0].Has(p) {
			d := r
			if all[1].Has(p) {
				d = r * 0.6
			}
			w.polygon(`fill="`+c.hex()+`" stroke="none"`, x, y, [][2]float64{{0, -d}, {d, 0}, {0, d}, {-d, 0}})
		}
		w.endGroup()
	}
}
