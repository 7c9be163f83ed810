// Draw makes pictures of positions, as SVG or PNG.
//
//	go run ./examples/draw -o board.svg h8i9g9h10
//	go run ./examples/draw -o board.png -theme dark -game 2 -move 30 games.sgf
//	go run ./examples/draw -o foul.png -rule renju -fouls -threats h8g6f6g5f7g4h7g3g2a1
//	go run ./examples/draw -o think.svg -nodes 20000 h8i9k5g9j9h10j8
//
// The position is a string of moves, a board as Board.String draws it or as its
// text form has it ("15 renju turn=black moves=h8"), or the name of a file with
// one of these or with game records; "-" reads standard input. A PNG is the SVG,
// drawn by this program; its font has digits, Latin letters and a few signs.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gomoku-go/gomoku"
	"github.com/gomoku-go/gomoku/examples/internal/position"
	"github.com/gomoku-go/gomoku/examples/internal/savefile"
)

func main() {
	err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

// options is the command line.
type options struct {
	source       position.Source
	out          string
	pixels       int
	line, labels string
	threats      bool
	nodes        int64
	svg          gomoku.SVGOptions
}

func parseOptions(args []string, usage io.Writer) (*options, error) {
	o := new(options)
	f := flag.NewFlagSet("draw", flag.ContinueOnError)
	f.SetOutput(usage)
	f.StringVar(&o.out, "o", "", "`file` for the picture, .svg or .png; without it SVG goes to standard output")
	o.source.Flags(f)
	f.TextVar(&o.svg.Theme, "theme", gomoku.LightTheme, "`colours`: light, dark or print")
	f.IntVar(&o.pixels, "pixels", 0, "width and height; without it a PNG has 40 a row, an SVG the size of its place")
	f.StringVar(&o.svg.Title, "title", "", "title for screen readers")
	f.BoolVar(&o.svg.NoCoordinates, "no-coordinates", false, "leave out the letters and numbers at the edge")
	f.BoolVar(&o.svg.NoNumbers, "no-numbers", false, "leave out the move numbers")
	f.IntVar(&o.svg.NumbersFrom, "numbers-from", 0, "leave out the numbers of the `moves` before this one")
	f.BoolVar(&o.svg.NoLastMove, "no-last", false, "leave out the ring on the last move")
	f.BoolVar(&o.svg.Fouls, "fouls", false, "mark the points that renju forbids Black")
	f.BoolVar(&o.threats, "threats", false, "outline the fours and threes of both sides")
	f.StringVar(&o.line, "line", "", "`moves` to be played, as ghost stones")
	f.BoolVar(&o.svg.LineArrows, "arrows", false, "draw the line as arrows")
	f.StringVar(&o.labels, "labels", "", "`point=text,...` to write on points")
	f.Int64Var(&o.nodes, "nodes", 0, "let the engine look at so many positions, and draw its candidates and, without -line, its line")
	f.Usage = func() {
		fmt.Fprint(usage, "usage: draw [flags] position\n\nThe position is moves (h8i9g9), a drawn board, or a file with one of these or with game\nrecords; - is standard input.\n\n")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() != 1 {
		f.Usage()
		return nil, fmt.Errorf("one position is needed, not %d", f.NArg())
	}
	o.source.Arg = f.Arg(0)
	switch strings.ToLower(filepath.Ext(o.out)) {
	case ".svg", ".png":
	case "":
		if o.out == "" {
			break
		}
		fallthrough
	default:
		return nil, fmt.Errorf("-o %q is neither .svg nor .png", o.out)
	}
	if o.pixels < 0 || o.pixels > 20_000 {
		return nil, fmt.Errorf("-pixels %d is not 0 to 20000", o.pixels)
	}
	if o.nodes < 0 {
		return nil, fmt.Errorf("-nodes %d is negative", o.nodes)
	}
	return o, nil
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	b, err := o.source.Position(stdin)
	if err != nil {
		return err
	}
	if err := o.addToPicture(b); err != nil {
		return err
	}
	isPNG := strings.EqualFold(filepath.Ext(o.out), ".png")
	if !isPNG {
		o.svg.Pixels = o.pixels
	}
	var picture bytes.Buffer
	if err := gomoku.WriteSVG(&picture, b, o.svg); err != nil {
		return err
	}
	if isPNG {
		if o.pixels == 0 {
			o.pixels = 40 * (b.Size() + 1)
		}
		img, missing, err := rasterize(picture.Bytes(), o.pixels)
		if err != nil {
			return err
		}
		if missing > 0 {
			fmt.Fprintf(stderr, "note: the PNG's font lacks what is drawn as a box, in %d places; an SVG has it\n", missing)
		}
		picture.Reset()
		if err := png.Encode(&picture, img); err != nil {
			return err
		}
	}
	if o.out == "" {
		_, err := stdout.Write(picture.Bytes())
		return err
	}
	return savefile.Write(o.out, picture.Bytes())
}

// addToPicture adds what the flags ask for.
func (o *options) addToPicture(b *gomoku.Board) (err error) {
	if o.threats {
		o.svg.Threats = append(gomoku.Threats(b, gomoku.Black), gomoku.Threats(b, gomoku.White)...)
	}
	if o.svg.Line, err = gomoku.ParseMoves(o.line); err != nil {
		return fmt.Errorf("-line: %w", err)
	}
	for part := range strings.SplitSeq(o.labels, ",") {
		if part == "" {
			continue
		}
		at, text, ok := strings.Cut(part, "=")
		if !ok {
			return fmt.Errorf("-labels: %q is not point=text", part)
		}
		p, err := gomoku.ParsePoint(strings.TrimSpace(at))
		if err != nil {
			return fmt.Errorf("-labels: %w", err)
		}
		o.svg.Labels = append(o.svg.Labels, gomoku.Label{Point: p, Text: text})
	}
	if o.nodes == 0 {
		return nil
	}
	e, err := gomoku.NewEngine(gomoku.WithNodeLimit(o.nodes), gomoku.WithBook(false))
	if err != nil {
		return err
	}
	r, err := e.Search(context.Background(), b)
	if err != nil {
		return err
	}
	o.svg.Candidates = r.Candidates
	if o.line == "" {
		o.svg.Line = r.PV
	}
	return nil
}
