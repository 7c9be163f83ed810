package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
)

// rasterize draws a picture of gomoku.WriteSVG as pixels. It knows the part of
// SVG that these pictures are made of and refuses everything else. missing is how
// many letters of labels its font does not have.
func rasterize(svg []byte, pixels int) (img image.Image, missing int, err error) {
	d := xml.NewDecoder(bytes.NewReader(svg))
	p := painter{styles: []style{{}}}
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = p.token(token, pixels)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("drawing the SVG: %w", err)
		}
	}
	if p.raster == nil {
		return nil, 0, errors.New("drawing the SVG: it is empty")
	}
	return p.raster.image, p.missing, nil
}

// A style is the attributes in force in an element: its own and those of the
// elements around it. What a shape alone has, such as its place, is not handed on.
type style map[string]string

func (s style) number(name string) (float64, error) {
	v, ok := s[name]
	if !ok {
		return 0, nil
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil {
		return 0, fmt.Errorf("%s=%q is not a number", name, v)
	}
	return f, nil
}

// numbers returns several attributes as numbers; missing ones are 0.
func (s style) numbers(names ...string) ([]float64, error) {
	values := make([]float64, len(names))
	for i, name := range names {
		var err error
		if values[i], err = s.number(name); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// inherited are the attributes that apply to what is inside an element.
var inherited = map[string]bool{
	"fill": true, "stroke": true, "stroke-width": true, "stroke-dasharray": true, "fill-opacity": true,
	"font-size": true, "font-weight": true,
}

type painter struct {
	raster  *raster
	styles  []style
	text    strings.Builder
	missing int
}

func (p *painter) token(t xml.Token, pixels int) error {
	switch t := t.(type) {
	case xml.StartElement:
		return p.start(t, pixels)
	case xml.CharData:
		p.text.Write(t)
	case xml.EndElement:
		s := p.styles[len(p.styles)-1]
		p.styles = p.styles[:len(p.styles)-1]
		if t.Name.Local == "text" {
			return p.writeText(s)
		}
	}
	return nil
}

func (p *painter) start(e xml.StartElement, pixels int) error {
	s := style{}
	for name, v := range p.styles[len(p.styles)-1] {
		if inherited[name] {
			s[name] = v
		}
	}
	for _, a := range e.Attr {
		s[a.Name.Local] = a.Value
	}
	p.styles = append(p.styles, s)
	p.text.Reset()
	switch e.Name.Local {
	case "svg":
		fields := strings.Fields(s["viewBox"])
		if len(fields) != 4 {
			return fmt.Errorf("viewBox=%q", s["viewBox"])
		}
		side, err := strconv.ParseFloat(fields[3], 64)
		if err != nil || side <= 0 {
			return fmt.Errorf("viewBox=%q", s["viewBox"])
		}
		p.raster = newRaster(pixels, side)
		return nil
	case "g", "title", "desc", "text":
		return nil
	}
	shapes, err := p.shapes(e.Name.Local, s)
	if err != nil {
		return err
	}
	return p.paint(shapes, s)
}

// shapes returns the outlines of an element.
func (p *painter) shapes(name string, s style) ([]polyline, error) {
	switch name {
	case "circle":
		v, err := s.numbers("cx", "cy", "r")
		if err != nil {
			return nil, err
		}
		return []polyline{circle(v[0], v[1], v[2], p.raster.scale)}, nil
	case "rect":
		v, err := s.numbers("x", "y", "width", "height", "rx")
		if err != nil {
			return nil, err
		}
		x, y, w, h, r := v[0], v[1], v[2], v[3], v[4]
		l := polyline{[]point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, true}
		if r > 0 {
			l.points = nil
			for i, corner := range []point{{x + w - r, y + h - r}, {x + r, y + h - r}, {x + r, y + r}, {x + w - r, y + r}} {
				for j := range 7 { // a quarter of a circle around each
					sin, cos := math.Sincos(math.Pi / 2 * (float64(i) + float64(j)/6))
					l.points = append(l.points, point{corner.x + r*cos, corner.y + r*sin})
				}
			}
		}
		return []polyline{l}, nil
	case "path":
		return p.path(s["d"])
	}
	return nil, fmt.Errorf("unknown element %s", name)
}

// path reads the steps M, L, A (half circles alone) and Z.
func (p *painter) path(d string) ([]polyline, error) {
	var lines []polyline
	for d = strings.TrimSpace(d); d != ""; {
		step := d[0]
		end := strings.IndexAny(d[1:], "MLAZ") + 1
		if end == 0 {
			end = len(d)
		}
		fields := strings.Fields(d[1:end])
		d = d[end:]
		args := make([]float64, len(fields))
		for i, f := range fields {
			var err error
			if args[i], err = strconv.ParseFloat(f, 64); err != nil {
				return nil, fmt.Errorf("path: %q is not a number", f)
			}
		}
		want := map[byte]int{'M': 2, 'L': 2, 'A': 7}[step]
		if len(args) != want || step != 'M' && len(lines) == 0 {
			return nil, fmt.Errorf("path: step %c with %d numbers", step, len(args))
		}
		if step == 'M' {
			lines = append(lines, polyline{points: []point{{args[0], args[1]}}})
			continue
		}
		l := &lines[len(lines)-1]
		switch step {
		case 'L':
			l.points = append(l.points, point{args[0], args[1]})
		case 'A':
			from, to := l.points[len(l.points)-1], point{args[5], args[6]}
			l.points = append(l.points, halfCircle(from, to)...)
		case 'Z':
			l.closed = true
		default:
			return nil, fmt.Errorf("path: unknown step %c", step)
		}
	}
	return lines, nil
}

// paint fills and strokes.
func (p *painter) paint(shapes []polyline, s style) error {
	v, err := s.numbers("stroke-width", "fill-opacity")
	if err != nil {
		return err
	}
	width, opacity := v[0], v[1]
	if s["fill-opacity"] == "" {
		opacity = 1
	}
	if c, ok, err := parseColor(s["fill"]); err != nil {
		return err
	} else if ok {
		p.raster.fill(shapes, c, opacity)
	}
	c, ok, err := parseColor(s["stroke"])
	if err != nil || !ok {
		return err
	}
	if s["stroke-width"] == "" {
		width = 1
	}
	var dashes []float64
	for f := range strings.FieldsSeq(s["stroke-dasharray"]) {
		length, err := strconv.ParseFloat(f, 64)
		if err != nil || length <= 0 {
			return fmt.Errorf("stroke-dasharray=%q", s["stroke-dasharray"])
		}
		dashes = append(dashes, length)
	}
	var all []polyline
	for _, l := range shapes {
		all = append(all, l.stroke(width, p.raster.scale, dashes)...)
	}
	p.raster.fill(all, c, 1)
	return nil
}

// parseColor reads #rrggbb; ok is false for none.
func parseColor(s string) (c color.NRGBA, ok bool, err error) {
	if s == "" || s == "none" {
		return c, false, nil
	}
	v, err := strconv.ParseUint(strings.TrimPrefix(s, "#"), 16, 32)
	if err != nil || len(s) != 7 || s[0] != '#' {
		return c, false, fmt.Errorf("colour %q", s)
	}
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}, true, nil
}

func (p *painter) writeText(s style) error {
	v, err := s.numbers("x", "y", "font-size")
	if err != nil {
		return err
	}
	c, ok, err := parseColor(s["fill"])
	if err != nil || !ok {
		return err
	}
	strokes, missing := textStrokes(p.text.String(), v[0], v[1], v[2])
	p.missing += missing
	width := glyphStroke
	if s["font-weight"] == "bold" {
		width = glyphBold
	}
	var all []polyline
	for _, l := range strokes {
		all = append(all, l.stroke(width*v[2], p.raster.scale, nil)...)
	}
	p.raster.fill(all, c, 1)
	return nil
}
