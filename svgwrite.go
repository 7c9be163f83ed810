package gomoku

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// Lengths in units of the picture; neighbouring points are svgCell apart.
const (
	svgCell   = 40
	svgStone  = 18   // radius
	svgMargin = 28   // from the outermost lines to the edge
	svgNames  = 16   // more where the coordinates stand
	svgHug    = 19.5 // radius of what is drawn around stones
	svgFont   = 16
)

// at returns where a point is in the picture.
func (w *svgWriter) at(p Point) (x, y int) {
	return w.left + svgCell*p.X(), w.side - w.left - svgCell*p.Y()
}

func (w *svgWriter) raw(parts ...string) {
	for _, s := range parts {
		w.dst = append(w.dst, s...)
	}
}

// group opens a group with the given attributes.
//
//go:noinline
func (w *svgWriter) group(attrs ...string) {
	w.raw("<g")
	if len(attrs) > 0 {
		w.raw(" ")
		w.raw(attrs...)
	}
	w.raw(">\n")
}

func (w *svgWriter) endGroup() { w.raw("</g>\n") }

// tooltip gives the group at hand a title.
func (w *svgWriter) tooltip(text string) {
	w.raw("<title>")
	w.escape(text)
	w.raw("</title>\n")
}

func (w *svgWriter) circle(p Point, r float64) {
	x, y := w.at(p)
	w.raw(`<circle cx="`, strconv.Itoa(x), `" cy="`, strconv.Itoa(y), `" r="`)
	w.number(r)
	w.raw("\"/>\n")
}

// path appends a step of a path between whole coordinates.
func (w *svgWriter) path(step byte, x, y int) {
	w.dst = append(w.dst, step)
	w.dst = strconv.AppendInt(w.dst, int64(x), 10)
	w.dst = append(w.dst, ' ')
	w.dst = strconv.AppendInt(w.dst, int64(y), 10)
}

// pathTo appends a step of a path.
func (w *svgWriter) pathTo(step string, x, y float64) {
	w.raw(step)
	w.number(x)
	w.raw(" ")
	w.number(y)
}

// polygon draws corners around a place.
func (w *svgWriter) polygon(attrs string, x, y float64, corners [][2]float64) {
	w.raw("<path ")
	if attrs != "" {
		w.raw(attrs, " ")
	}
	w.raw(`d="`)
	step := "M"
	for _, c := range corners {
		w.pathTo(step, x+c[0], y+c[1])
		step = "L"
	}
	w.raw("Z\"/>\n")
}

// number appends a length to a tenth.
func (w *svgWriter) number(v float64) {
	w.dst = strconv.AppendFloat(w.dst, math.Round(v*10)/10, 'f', -1, 64)
}

// textOn writes a text in the middle of a point.
func (w *svgWriter) textOn(p Point, size int, ink rgb, text string) {
	x, y := w.at(p)
	attrs := `fill="` + ink.hex() + `"`
	if size != svgFont {
		attrs += ` font-size="` + strconv.Itoa(size) + `"`
	}
	w.textAt(float64(x), float64(y), size, attrs, text)
}

// textAt writes a text around a place. Where the middle of its digits is follows
// from its size: what SVG has for that is not understood everywhere.
func (w *svgWriter) textAt(x, y float64, size int, attrs, text string) {
	w.raw(`<text x="`)
	w.number(x)
	w.raw(`" y="`)
	w.number(y + float64(0.36*float64(size)))
	w.raw(`"`)
	if attrs != "" {
		w.raw(" ", attrs)
	}
	w.raw(">")
	w.escape(text)
	w.raw("</text>\n")
}

// escape appends a text. What XML can't hold becomes U+FFFD.
func (w *svgWriter) escape(text string) {
	for _, r := range text {
		switch {
		case r == '&':
			w.raw("&amp;")
		case r == '<':
			w.raw("&lt;")
		case r == '>':
			w.raw("&gt;")
		case r == '"':
			w.raw("&quot;")
		case r == '\r':
			w.raw(" ")
		case r < ' ' && r != '\n' && r != '\t', r == 0xfffe, r == 0xffff:
			w.raw("\ufffd")
		default:
			w.dst = utf8.AppendRune(w.dst, r)
		}
	}
}

// An svgTheme is the colours of a theme.
type svgTheme struct {
	board, grid, text                  rgb
	black, blackEdge, white, whiteEdge rgb
	ghost                              [3]rgb // [Color]
	win, four, three, foul, arrow      rgb
	hot                                rgb // the best candidate
	lastOn                             [3]rgb
}

// rgb is a colour of 8 bits each.
type rgb uint32

var svgThemes = [...]svgTheme{
	LightTheme: {
		board: 0xf0d9a8, grid: 0x7a6238, text: 0x4d3b1a,
		black: 0x1c1b1a, blackEdge: 0x000000, white: 0xffffff, whiteEdge: 0x6b5a3a,
		ghost: [3]rgb{Black: 0x77694f, White: 0xfaf3e2}, lastOn: [3]rgb{Black: 0xff6b5e, White: 0xd4261a},
		win: 0xc81e1e, four: 0xc2381b, three: 0x1b5fa8, foul: 0xb3191f, arrow: 0x6a2c91, hot: 0x2f9e44,
	},
	DarkTheme: {
		board: 0x2a2e35, grid: 0x69717d, text: 0xb9c1cc,
		black: 0x08090b, blackEdge: 0x8d96a3, white: 0xe8ebef, whiteEdge: 0xe8ebef,
		ghost: [3]rgb{Black: 0x1b1e23, White: 0x9aa1ab}, lastOn: [3]rgb{Black: 0xff7a6b, White: 0xc92a1e},
		win: 0xff5d52, four: 0xff8a5c, three: 0x5cb0ff, foul: 0xff7b80, arrow: 0xc792ea, hot: 0x3fb950,
	},
	PrintTheme: {
		board: 0xffffff, grid: 0x555555, text: 0x000000,
		black: 0x000000, blackEdge: 0x000000, white: 0xffffff, whiteEdge: 0x000000,
		ghost: [3]rgb{Black: 0x767676, White: 0xffffff}, lastOn: [3]rgb{Black: 0xffffff, White: 0x000000},
		win: 0x000000, four: 0x000000, three: 0x000000, foul: 0x000000, arrow: 0x000000, hot: 0xffffff,
	},
}

// mix returns the colour that is parts/1000 of c and the rest of d.
func (c rgb) mix(d rgb, parts int) rgb {
	var m rgb
	for shift := 0; shift < 24; shift += 8 {
		a, b := int(c>>shift&0xff), int(d>>shift&0xff)
		m |= rgb((a*parts+b*(1000-parts)+500)/1000) << shift
	}
	return m
}

// ink returns black or white, whichever is easier to read on the colour: by the
// contrast of WCAG 2, with squares for its exponent of 2.4.
func (c rgb) ink() rgb {
	r, g, b := int(c>>16), int(c>>8&0xff), int(c&0xff)
	if 2126*r*r+7152*g*g+722*b*b > 2100*255*255 {
		return 0x000000
	}
	return 0xffffff
}

// hex returns the colour as SVG writes it.
//
//go:noinline
func (c rgb) hex() string {
	const digits = "0123456789abcdef"
	s := [7]byte{0: '#'}
	for i := range 6 {
		s[i+1] = digits[c>>(20-4*i)&15]
	}
	return string(s[:])
}
