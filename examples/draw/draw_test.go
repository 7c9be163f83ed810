package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// draw runs the program.
func draw(stdin string, args ...string) (stdout, stderr string, err error) {
	var out, notes bytes.Buffer
	err = run(args, strings.NewReader(stdin), &out, &notes)
	return out.String(), notes.String(), err
}

// TestSources: the same position from everything it can come as.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		return name
	}
	want, _, err := draw("", "-no-numbers", "-no-last", "-size", "9", "-rule", "renju", "-title", "x", "e5f6")
	require.NoError(t, err)
	_, want, _ = strings.Cut(want, "</desc>")
	drawing := "9 . . . . . . . . .\n8 . . . . . . . . .\n7 . . . . . . . . .\n6 . . . . . o . . .\n5 . . . . x . . . .\n" +
		"4 . . . . . . . . .\n3 . . . . . . . . .\n2 . . . . . . . . .\n1 . . . . . . . . .\n  a b c d e f g h i\n"
	sgf := "(;GM[4]SZ[9]RU[renju];B[aa])(;GM[4]SZ[9]RU[renju];B[ee];W[fd];B[];W[aa])"
	for name, args := range map[string][]string{
		"text form":        {"9 renju turn=black moves=e5f6"},
		"drawing":          {drawing},
		"drawing, stdin":   {"-"},
		"file of moves":    {write("a.moves", "e5f6\n")},
		"file of text":     {write("a.txt", "9 renju turn=black moves=e5f6\n")},
		"file of drawing":  {write("b.txt", drawing)},
		"second game":      {"-game", "2", "-move", "2", write("a.sgf", sgf)},
		"earlier position": {"-move", "2", "e5f6a1"},
	} {
		got, _, err := draw(drawing, append([]string{"-no-numbers", "-no-last", "-size", "9", "-rule", "renju"}, args...)...)
		require.NoError(t, err, name)
		_, got, _ = strings.Cut(got, "</desc>")
		assert.Equal(t, want, got, name)
	}
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.sgf")
	require.NoError(t, os.WriteFile(bad, []byte("(;GM[4]SZ[15];B[zz])"), 0o644))
	for want, args := range map[string][]string{
		"one position is needed, not 0":                        {},
		`"none.sgf" is neither moves nor a file that is there`: {"none.sgf"},
		`parse moves "h8h8" at offset 2`:                       {"h8h8"},
		`is neither .svg nor .png`:                             {"-o", filepath.Join(dir, "a.gif"), "h8"},
		`-move 3: there are 1 moves`:                           {"-move", "3", "h8"},
		"-game 2: there are 1 games":                           {"-game", "2", bad},
		"-game 0: games are counted from 1":                    {"-game", "0", "h8"},
		"-game 2: there is one position":                       {"-game", "2", "h8"},
		"-game 3: there is one position":                       {"-game", "3", "9 renju turn=black moves=e5f6"},
		`line 1, column 16: point "zz"`:                        {bad},
		`-labels: "x" is not point=text`:                       {"-labels", "x", "h8"},
		"label p1: point is outside the board":                 {"-labels", "p1=x", "h8"},
		"move 1 of the line, h8: point is occupied":            {"-line", "h8", "h8"},
		"-pixels -1 is not 0 to 20000":                         {"-pixels", "-1", "h8"},
	} {
		out := filepath.Join(dir, "out.svg")
		_, _, err := draw("", append([]string{"-o", out}, args...)...)
		assert.ErrorContains(t, err, want)
		_, err = os.Stat(out)
		assert.True(t, os.IsNotExist(err), "nothing is written")
	}
}

// TestPNG looks at pixels whose colour is known.
func TestPNG(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.png")
	_, _, err := draw("", "-o", name, "-no-numbers", "-no-last", "-theme", "print", "-pixels", "632", "h8i9")
	require.NoError(t, err)
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	img, err := png.Decode(f)
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 632, 632), img.Bounds())
	gray := func(x, y int) uint8 { return color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y }
	assert.Equal(t, uint8(0), gray(44+7*40, 28+7*40), "a black stone on h8")
	assert.Equal(t, uint8(255), gray(44+8*40, 28+6*40), "a white stone on i9")
	assert.Less(t, gray(44+8*40, 28+6*40-18), uint8(90), "with a black edge")
	assert.Equal(t, uint8(255), gray(44+20, 28+20), "between the lines")
	assert.InDelta(t, 0x55, int(gray(44+2*40, 28+20)), 90, "a line")
	_, notes, err := draw("", "-o", name, "-labels", "a1=黑", "h8")
	require.NoError(t, err)
	assert.Contains(t, notes, "lacks what is drawn as a box, in 1 places")
}

// TestRasterizesAllPictures: the rasterizer knows all that the package draws.
func TestRasterizesAllPictures(t *testing.T) {
	names, err := filepath.Glob("../../testdata/svg/*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		svg, err := os.ReadFile(name)
		require.NoError(t, err)
		img, _, err := rasterize(svg, 150)
		require.NoError(t, err, name)
		assert.True(t, img.(*image.NRGBA).Opaque(), name)
	}
	for _, bad := range []string{
		"", "<svg", `<svg/>`, `<svg viewBox="0 0 9 0"/>`, `<svg viewBox="0 0 9 9"><ellipse/></svg>`,
		`<svg viewBox="0 0 9 9"><path fill="#000000" d="M1 2Q3 4 5 6"/></svg>`, `<svg viewBox="0 0 9 9"><rect fill="red"/></svg>`,
		`<svg viewBox="0 0 9 9"><circle r="x" fill="#000000"/></svg>`, `<svg viewBox="0 0 9 9"><path fill="#000000" d="L1 2"/></svg>`,
	} {
		_, _, err := rasterize([]byte(bad), 9)
		assert.Error(t, err, bad)
	}
}

// TestCoverage: the ink of shapes is their area, overlaps counted once.
func TestCoverage(t *testing.T) {
	ink := func(shapes ...polyline) float64 {
		r := newRaster(100, 50) // 4 pixels a square unit
		r.fill(shapes, color.NRGBA{255, 255, 255, 255}, 1)
		sum := 0.0
		for i := 0; i < len(r.image.Pix); i += 4 {
			sum += float64(r.image.Pix[i]) / 255
		}
		return sum / 4
	}
	disc := circle(25, 25, 10, 2)
	assert.InEpsilon(t, 100*math.Pi, ink(disc), 0.02)
	square := polyline{[]point{{10, 10}, {20, 10}, {20, 20}, {10, 20}}, true}
	assert.InEpsilon(t, 100.0, ink(square), 0.001)
	back := polyline{[]point{{15, 10}, {15, 20}, {25, 20}, {25, 10}}, true} // goes around the other way
	assert.InEpsilon(t, 150.0, ink(square, back), 0.001)
	line := polyline{points: []point{{10, 10}, {40, 10}}}
	assert.InEpsilon(t, 30*4+4*math.Pi, ink(line.stroke(4, 2, nil)...), 0.02)
	assert.InEpsilon(t, 3*(4*2+math.Pi), ink(line.stroke(2, 2, []float64{4, 8})...), 0.03)
}
