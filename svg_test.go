package gomoku

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var updateGoldens = flag.Bool("update", false, "rewrite the golden files")

// svgPictures are the goldens of testdata/svg.
var svgPictures = []struct {
	name  string
	board func(tb testing.TB) *Board
	opts  func(b *Board) SVGOptions
}{
	{"won", textBoard("15 freestyle moves=i10i9h9h10g8f7j11f8k12"), func(*Board) SVGOptions { return SVGOptions{} }},
	{"empty5", textBoard("5 caro"), func(*Board) SVGOptions { return SVGOptions{Pixels: 120, Theme: DarkTheme} }},
	{"foul_lost", textBoard("9 renju moves=f6a1d4a3d5a9f5i1e5!"), func(*Board) SVGOptions { return SVGOptions{Theme: PrintTheme} }},
	{"fouls_threats", foulBoard, func(b *Board) SVGOptions {
		return SVGOptions{Theme: DarkTheme, Fouls: true, NoNumbers: true, Threats: append(Threats(b, Black), Threats(b, White)...)}
	}},
	{"heat_line", quietBoard, func(b *Board) SVGOptions {
		return SVGOptions{
			Title: `<Puzzle> & "line"`, Description: "From a game of the engine", Theme: LightTheme,
			Candidates: someCandidates(b), Line: b.Candidates(1)[:4], NumbersFrom: 3,
		}
	}},
	{"all_print", foulBoard, everything(PrintTheme)},
	{"all_light", foulBoard, everything(LightTheme)},
	{"all_dark", foulBoard, everything(DarkTheme)},
	{"arrows", quietBoard, func(b *Board) SVGOptions {
		return SVGOptions{Theme: PrintTheme, NoCoordinates: true, LineArrows: true, Line: pts("h9", "-", "k12", "a1", "f5")}
	}},
	{"full22", filledBoard, func(*Board) SVGOptions { return SVGOptions{Pixels: 700} }},
}

func textBoard(text string) func(testing.TB) *Board {
	return func(tb testing.TB) *Board {
		b := new(Board)
		require.NoError(tb, b.UnmarshalText([]byte(text)))
		return b
	}
}

func quietBoard(tb testing.TB) *Board { return textBoard("15 freestyle moves=h8i9k5g9j9h10j8")(tb) }

// foulBoard has fouls of each kind, open and broken threes, and a four.
func foulBoard(tb testing.TB) *Board {
	b, err := ParseDrawing(Renju, `
		. . . . x . x . x . x . . . .
		. . x . . . . . . . . . . . .
		. . x . . . . . . . . . . . .
		. . x . . . . o o . o . . . .
		. . . . . . . . . . . . . . .
		. . x . . . . . . . . . o . .
		. . x . . . . . . . . o . . .
		. . . . . . . x . . o . . . .
		. . . . . x . x . o . . . . .
		. . . . . x . . . . . . . . .
		. . . . . . . . . . . x . . .
		. . . . x x x . . . . x x . .
		. . . . . . . . . . x . . . .
		. . o o o . . . . . . . . . .
		. . . . . . . . . . . . . . .`)
	require.NoError(tb, err)
	b.SetTurn(Black)
	for _, p := range pts("m4", "n11", "o1", "a15") { // a few moves with numbers
		if b.At(p) == Empty {
			require.NoError(tb, b.Make(p))
		}
	}
	return b
}

// filledBoard is full but for its corners, without a winner.
func filledBoard(tb testing.TB) *Board {
	b, err := NewBoard(22, Freestyle)
	require.NoError(tb, err)
	var points [3][]Point
	for y := range 22 {
		for x := range 22 {
			c := Black
			if (x/2+y)%2 == 0 {
				c = White
			}
			points[c] = append(points[c], Pt(x, y))
		}
	}
	for i := range points[Black][:240] {
		require.NoError(tb, b.Make(points[Black][i]))
		require.NoError(tb, b.Make(points[White][i]))
	}
	return b
}

func pts(names ...string) []Point {
	points := make([]Point, len(names))
	for i, n := range names {
		if err := points[i].UnmarshalText([]byte(n)); err != nil {
			panic(err)
		}
	}
	return points
}

func someCandidates(b *Board) []Candidate {
	scores := []Score{1234, 310, 120, 40, 0, -75, -MaxEstimate, MaxEstimate, -mateScore + 4, 56_000, mateScore - 7}
	var list []Candidate
	for i, p := range b.Candidates(1) {
		list = append(list, Candidate{Point: p, Score: scores[i%len(scores)], Bound: Bound(1 + i%3)})
	}
	return list
}

// everything is a picture with all that it can have, much of it in one place.
func everything(theme SVGTheme) func(b *Board) SVGOptions {
	return func(b *Board) SVGOptions {
		return SVGOptions{
			Theme: theme, Fouls: true, Threats: append(Threats(b, White), Threats(b, Black)...),
			Candidates: someCandidates(b)[:30], Line: pts("k9", "c8", "f9", "o8", "j11"),
			Labels: []Label{{Pt(7, 7), "A"}, {Pt(13, 13), "far too long"}, {Pt(0, 7), "<&>"}, {Pt(6, 7), "x"}, {Pt(2, 7), "黑"}},
		}
	}
}

func drawSVG(tb testing.TB, b *Board, o SVGOptions) string {
	var w bytes.Buffer
	require.NoError(tb, WriteSVG(&w, b, o))
	return w.String()
}

func TestWriteSVGGoldens(t *testing.T) {
	for _, p := range svgPictures {
		t.Run(p.name, func(t *testing.T) {
			b := p.board(t)
			got := drawSVG(t, b, p.opts(b))
			checkSVG(t, got)
			path := filepath.Join("testdata", "svg", p.name+".svg")
			if *updateGoldens {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			if string(want) != got {
				saved := filepath.Join(t.ArtifactDir(), p.name+".svg")
				require.NoError(t, os.WriteFile(saved, []byte(got), 0o644))
				t.Errorf("not the picture in %s; the new one is in %s", path, saved)
			}
		})
	}
}

// checkSVG reads a picture as XML: one root with the role of an image that begins
// with a title and a description, known elements, no ids, nothing of the outside.
func checkSVG(t *testing.T, text string) (desc string) {
	t.Helper()
	known := []string{"svg", "title", "desc", "g", "rect", "circle", "path", "text"}
	unwanted := []string{"id", "href", "style", "class"}
	d := xml.NewDecoder(strings.NewReader(text))
	var path, began []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			if !slices.Contains(known, e.Name.Local) {
				t.Fatalf("unknown element %s", e.Name.Local)
			}
			for _, a := range e.Attr {
				if slices.Contains(unwanted, a.Name.Local) || strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Fatalf("attribute %s=%q", a.Name.Local, a.Value)
				}
			}
			path = append(path, e.Name.Local)
			began = append(began, e.Name.Local)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if len(path) == 2 && path[1] == "desc" {
				desc += string(e)
			}
		}
	}
	require.Equal(t, []string{"svg", "title", "desc"}, began[:3])
	require.Contains(t, text[:200], `role="img"`)
	return desc
}

// TestSVGDescription: what a picture shows is said in words.
func TestSVGDescription(t *testing.T) {
	tests := []struct {
		board string
		o     SVGOptions
		want  string
	}{
		{"15 freestyle", SVGOptions{}, "Black to move. 0 moves."},
		{"15 renju moves=h8", SVGOptions{Description: "Hi & bye."}, "Hi & bye. White to move. 1 move. Last move black h8. All moves from the first, black's: h8."},
		{
			"9 freestyle black=a1,b1,c1,d1 turn=black moves=e1",
			SVGOptions{},
			"Black has won with a1 b1 c1 d1 e1. 1 move. Last move black e1. All moves from the first, black's: e1. Set up black: a1 b1 c1 d1.",
		},
		{
			"9 renju moves=f6a1d4a3d5a9f5i1e5!",
			SVGOptions{NoNumbers: true},
			"Black has lost by a double-three at e5. 9 moves. Last move black e5. All moves from the first, black's: f6 a1 d4 a3 d5 a9 f5 i1 e5.",
		},
		{
			"7 caro moves=d4",
			SVGOptions{
				Candidates: []Candidate{{Point: Pt(0, 0), Score: 12, Bound: Exact}, {Point: Pt(1, 0), Score: mateIn(5), Bound: Upper}},
				Line:       []Point{Pt(2, 2), NoPoint}, Labels: []Label{{Pt(3, 3), "<b>"}},
			},
			"White to move. 1 move. Last move black d4. All moves from the first, black's: d4. Candidates: a1 +12, b1 at most win in 5. The line goes on: c3 -. Label on d4: <b>.",
		},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, checkSVG(t, drawSVG(t, textBoard(tt.board)(t), tt.o)))
	}
	b := foulBoard(t)
	desc := checkSVG(t, drawSVG(t, b, SVGOptions{Fouls: true, Threats: Threats(b, White)}))
	assert.Contains(t, desc, "c11 is forbidden to Black: overline.")
	assert.Contains(t, desc, "White's broken three h12 i12 k12, completed by j12, stopped by")
}

// TestSVGShowsEachThing compares the pictures with and without each option.
func TestSVGShowsEachThing(t *testing.T) {
	b := foulBoard(t)
	plain := drawSVG(t, b, SVGOptions{})
	for name, tt := range map[string]struct {
		o    SVGOptions
		want []string // in the picture with the option and not without
	}{
		"pixels":      {SVGOptions{Pixels: 33}, []string{`width="33" height="33"`}},
		"fouls":       {SVGOptions{Fouls: true}, []string{">6+<", ">44<", ">33<", "<title>c11: overline, forbidden to Black</title>"}},
		"threats":     {SVGOptions{Threats: Threats(b, White)}, []string{"stroke-dasharray", "<title>j12: completes White&apos;s broken three"}},
		"line":        {SVGOptions{Line: pts("a1", "b1")}, []string{"stroke-dasharray"}},
		"arrows":      {SVGOptions{Line: pts("a1", "b1"), LineArrows: true}, []string{`r="7.5"`}},
		"candidates":  {SVGOptions{Candidates: []Candidate{{Point: Pt(0, 0), Score: 1234}}}, []string{">+1.2k<", "<title>a1: +1234</title>"}},
		"labels":      {SVGOptions{Labels: []Label{{Pt(0, 0), "abcdefg"}}}, []string{">abcd…<", "<title>abcdefg</title>"}},
		"title":       {SVGOptions{Title: "<script>"}, []string{"<title>&lt;script&gt;</title>"}},
		"description": {SVGOptions{Description: "a\x00\xff\r\n"}, []string{"<desc>a\ufffd\ufffd \n. "}},
	} {
		got := drawSVG(t, b, tt.o)
		checkSVG(t, got)
		for _, want := range tt.want {
			want = strings.ReplaceAll(want, "&apos;", "'")
			assert.Contains(t, got, want, name)
			assert.NotContains(t, plain, want, name)
		}
	}
	for name, tt := range map[string]struct {
		o    SVGOptions
		gone string
	}{
		"coordinates":  {SVGOptions{NoCoordinates: true}, ">h</text>"},
		"numbers":      {SVGOptions{NoNumbers: true}, ">1</text>"},
		"numbers from": {SVGOptions{NumbersFrom: 3}, ">2</text>"},
		"last move":    {SVGOptions{NoLastMove: true}, `r="15"`},
	} {
		if name == "numbers" || name == "numbers from" { // rows have numbers too
			tt.o.NoCoordinates = true
		}
		assert.NotContains(t, drawSVG(t, b, tt.o), tt.gone, name)
		assert.Contains(t, plain, tt.gone, name)
	}
}

func TestWriteSVGErrors(t *testing.T) {
	b := quietBoard(t)
	for want, tt := range map[string]struct {
		o   SVGOptions
		err error
	}{
		"gomoku: svg: label p1: point is outside the board":                   {SVGOptions{Labels: []Label{{Pt(15, 0), "x"}}}, ErrOutside},
		"gomoku: svg: label -: point is outside the board":                    {SVGOptions{Labels: []Label{{NoPoint, ""}}}, ErrOutside},
		"gomoku: svg: candidate Point(999): point is outside the board":       {SVGOptions{Candidates: []Candidate{{Point: 999}}}, ErrOutside},
		"gomoku: svg: candidate h8: point is occupied":                        {SVGOptions{Candidates: []Candidate{{Point: Pt(7, 7)}}}, ErrOccupied},
		"gomoku: svg: move 2 of the line, a16: point is outside the board":    {SVGOptions{Line: pts("a1", "a16")}, ErrOutside},
		"gomoku: svg: move 1 of the line, h8: point is occupied":              {SVGOptions{Line: pts("h8")}, ErrOccupied},
		"gomoku: svg: move 3 of the line, a1: point is occupied":              {SVGOptions{Line: pts("a1", "-", "a1")}, ErrOccupied},
		"gomoku: svg: threat 1 at v22: point is outside the board":            {SVGOptions{Threats: []Threat{{Stones: pts("a1"), Defending: pts("v22")}}}, ErrOutside},
		"gomoku: svg: threat 1 without stones: invalid option":                {SVGOptions{Threats: []Threat{{}}}, ErrOption},
		"gomoku: svg: candidate a1 with score 30000001: invalid option":       {SVGOptions{Candidates: []Candidate{{Score: mateScore + 1}}}, ErrOption},
		"gomoku: svg: -1 pixels: invalid option":                              {SVGOptions{Pixels: -1}, ErrOption},
		"gomoku: svg: numbers from move -2: invalid option":                   {SVGOptions{NumbersFrom: -2}, ErrOption},
		"gomoku: svg: SVGTheme(9): invalid option\n-3 pixels: invalid option": {SVGOptions{Theme: 9, Pixels: -3}, ErrOption},
	} {
		var w failingWriter
		err := WriteSVG(&w, b, tt.o)
		assert.EqualError(t, err, want)
		assert.ErrorIs(t, err, tt.err)
		assert.Zero(t, w.calls, "nothing is written")
	}
	assert.ErrorIs(t, WriteSVG(io.Discard, nil, SVGOptions{}), ErrNilBoard)
	assert.ErrorIs(t, WriteSVG(io.Discard, new(Board), SVGOptions{}), ErrNilBoard)
	var w failingWriter
	assert.ErrorIs(t, WriteSVG(&w, b, SVGOptions{}), io.ErrShortWrite)
	assert.Equal(t, 1, w.calls)
}

func TestSVGTheme(t *testing.T) {
	for _, theme := range []SVGTheme{LightTheme, DarkTheme, PrintTheme} {
		back, err := ParseSVGTheme(strings.ToUpper(theme.String()))
		require.NoError(t, err)
		assert.Equal(t, theme, back)
	}
	_, err := ParseSVGTheme("neon")
	assert.ErrorContains(t, err, `parse theme "neon" at offset 0: not one of light, dark, print`)
}

// TestSVGSizes draws boards of every size in every theme: a point has its place,
// and nothing leaves the picture.
func TestSVGSizes(t *testing.T) {
	number := regexp.MustCompile(`cx="([0-9.]+)" cy="([0-9.]+)"`)
	for size := MinSize; size <= MaxSize; size++ {
		b := mustBoard(t, size, Renju)
		for _, p := range []Point{Pt(0, 0), Pt(size-1, size-1), Pt(0, size-1), Pt(size-1, 0)} {
			require.NoError(t, b.Make(p))
		}
		for _, o := range []SVGOptions{{}, {Theme: DarkTheme, NoCoordinates: true}, {Theme: PrintTheme, Pixels: 50 * size}} {
			text := drawSVG(t, b, o)
			checkSVG(t, text)
			var side, unused float64
			_, err := fmt.Sscanf(text[strings.Index(text, "viewBox"):], `viewBox="0 0 %g %g"`, &side, &unused)
			require.NoError(t, err)
			for _, m := range number.FindAllStringSubmatch(text, -1) {
				for _, s := range m[1:] {
					v, err := strconv.ParseFloat(s, 64)
					require.NoError(t, err)
					if v < svgStone || v > side-svgStone {
						t.Fatalf("size %d: %s of %g", size, s, side)
					}
				}
			}
		}
	}
}

// TestStarPoints: the points that boards are known to have, and elsewhere only
// points that all symmetries of the board share.
func TestStarPoints(t *testing.T) {
	for size, want := range map[int]string{
		15: "d4 l4 h8 d12 l12", 19: "d4 j4 p4 d10 j10 p10 d16 j16 p16", 9: "c3 g3 e5 c7 g7", 13: "d4 j4 g7 d10 j10", 7: "d4", 6: "", 20: "d4 q4 d17 q17",
	} {
		assert.Equal(t, want, pointList(starPoints(size)), size)
	}
	for size := MinSize; size <= MaxSize; size++ {
		var set PointSet
		for _, p := range starPoints(size) {
			set.Add(p)
		}
		for p := range set.All() {
			assert.True(t, set.Has(Pt(size-1-p.X(), p.Y())) && set.Has(Pt(p.Y(), p.X())), "size %d, %v", size, p)
		}
	}
}

// TestSVGInk: text can be read on what it stands on, by the contrast of WCAG 2.
func TestSVGInk(t *testing.T) {
	for i, theme := range svgThemes {
		for name, pair := range map[string][2]rgb{
			"coordinates": {theme.text, theme.board}, "black's numbers": {theme.white, theme.black},
			"white's numbers": {theme.black, theme.white}, "fouls": {theme.foul, theme.board},
		} {
			assert.GreaterOrEqual(t, contrast(pair[0], pair[1]), 4.5, "%v %s", SVGTheme(i), name)
		}
		for level := 150; level <= 1000; level += 50 {
			fill := theme.hot.mix(theme.board, level)
			assert.GreaterOrEqual(t, contrast(fill.ink(), fill), 4.5, "%v heat %d", SVGTheme(i), level)
		}
	}
}

// contrast is the ratio of WCAG 2: relative luminances, each plus 0.05.
func contrast(a, b rgb) float64 {
	luminance := func(c rgb) float64 {
		part := func(shift int) float64 {
			v := float64(c>>shift&0xff) / 255
			if v <= 0.04045 {
				return v / 12.92
			}
			return math.Pow((v+0.055)/1.055, 2.4)
		}
		return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
	}
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return max(x, y) / min(x, y)
}

// FuzzSVG: any board and options are an error or a picture.
func FuzzSVG(f *testing.F) {
	for _, p := range svgPictures {
		text, err := p.board(f).MarshalText()
		require.NoError(f, err)
		f.Add(string(text), []byte("\x07\x01\x02abcdefg\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09"))
	}
	f.Add("15 renju moves=h8", []byte("\x01\x00\xff\x10<&>\"'\x00\x1f\x80"))
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		b := new(Board)
		if len(text) > 4000 || b.UnmarshalText([]byte(text)) != nil {
			t.Skip()
		}
		m := recordMaker{data}
		o := SVGOptions{
			Theme: SVGTheme(m.byte() % 4), Pixels: int(m.byte()) - 5, Title: m.text(), Description: m.text(),
			NumbersFrom: int(m.byte()) - 2, NoCoordinates: m.byte()%2 == 0, NoNumbers: m.byte()%2 == 0,
			NoLastMove: m.byte()%2 == 0, Fouls: m.byte()%2 == 0, LineArrows: m.byte()%2 == 0,
		}
		if m.byte()%2 == 0 {
			o.Threats = append(Threats(b, Black), Threats(b, White)...)
		}
		for len(m.data) > 0 && len(o.Line) < 300 {
			p := m.point(b.Size() + int(m.byte()%32/31))
			switch m.byte() % 4 {
			case 0:
				o.Line = append(o.Line, p)
			case 1:
				o.Candidates = append(o.Candidates, Candidate{Point: p, Score: Score(int32(m.byte()) << (m.byte() % 24)), Bound: Bound(m.byte())})
			case 2:
				o.Labels = append(o.Labels, Label{p, m.text()})
			case 3:
				o.Threats = append(o.Threats, Threat{Kind: ThreatKind(m.byte()), Stones: []Point{p, m.point(b.Size())}})
			}
		}
		var w bytes.Buffer
		if err := WriteSVG(&w, b, o); err != nil {
			require.True(t, errors.Is(err, ErrOutside) || errors.Is(err, ErrOccupied) || errors.Is(err, ErrOption), err)
			require.Zero(t, w.Len())
			return
		}
		checkSVG(t, w.String())
		require.Equal(t, w.String(), drawSVG(t, b, o), "the same bytes again")
	})
}

func BenchmarkWriteSVG(b *testing.B) {
	for _, p := range svgPictures {
		board := p.board(b)
		o := p.opts(board)
		b.Run("picture="+p.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := WriteSVG(io.Discard, board, o); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(drawSVG(b, board, o))), "B/picture")
		})
	}
}
