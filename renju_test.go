package gomoku

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var foulBoards = flag.Int("foulboards", 2000, "number of random boards on which Foul is compared with the slow checker")

// forbiddenRow is a row of the forbidden_*.jsonl files.
type forbiddenRow struct {
	ID, Rule     string
	Size         int
	Black, White string
	Query        string
	Point        string          // for a question about one point
	Expected     json.RawMessage // a kind, or the full set: point -> kind
	KindByCheck  string          `json:"kind_by_check"`
}

// foulKinds maps the files' words. "legal" and "five" are both no foul.
var foulKinds = map[string]Foul{"33": DoubleThree, "44": DoubleFour, "overline": Overline, "legal": NoFoul, "five": NoFoul}

func TestFoulRows(t *testing.T) {
	for _, file := range []string{"forbidden_points.jsonl", "forbidden_realgames.jsonl", "forbidden_random.jsonl"} {
		t.Run(file, func(t *testing.T) {
			for _, row := range readRows[forbiddenRow](t, file) {
				t.Run(row.ID, func(t *testing.T) {
					b, g := setUp(t, row.Size, ruleNamed(t, row.Rule), row.Black, row.White)
					if row.Query == "forbidden_points" {
						testFoulSet(t, row, b, g)
					} else {
						testFoulPoint(t, row, b, g)
					}
				})
			}
		})
	}
}

// testFoulSet asks every empty point: exactly the row's points are fouls, of the row's kind.
func testFoulSet(t *testing.T, row forbiddenRow, b *Board, g *twin) {
	var expected map[string]string
	require.NoError(t, json.Unmarshal(row.Expected, &expected))
	want := map[string]Foul{}
	for p, kind := range expected {
		require.Contains(t, foulKinds, kind)
		want[p] = foulKinds[kind]
	}
	got, slow := map[string]Foul{}, map[string]Foul{}
	for _, p := range g.points(Empty) {
		if f := b.Foul(p); f != NoFoul {
			got[p.String()] = f
		}
		if f := g.foulAt(p); f != NoFoul {
			slow[p.String()] = f
		}
	}
	assert.Equal(t, want, got, "Foul\n%v", g)
	assert.Equal(t, want, slow, "slow checker\n%v", g)
}

func testFoulPoint(t *testing.T, row forbiddenRow, b *Board, g *twin) {
	var expected string
	require.NoError(t, json.Unmarshal(row.Expected, &expected))
	if expected == "forbidden" {
		expected = row.KindByCheck
	}
	require.Contains(t, foulKinds, expected)
	p := splitPoints(t, row.Point)[0]
	if b.At(p) != Empty { // a few rows have the stone on the board already
		require.NoError(t, b.SetStone(p, Empty))
		g.setStone(p, Empty)
	}
	assert.Equal(t, foulKinds[expected], b.Foul(p), "Foul(%v)\n%v", p, g)
	assert.Equal(t, foulKinds[expected], g.foulAt(p), "slow checker, %v\n%v", p, g)

	// the move itself, unless the set-up is over already
	b.SetTurn(Black)
	if b.Over() {
		return
	}
	err := b.Make(p)
	if foulKinds[expected] != NoFoul {
		require.ErrorIs(t, err, ErrFoul)
		assert.Empty(t, b.At(p))
		return
	}
	require.NoError(t, err)
	if row.KindByCheck == "five" {
		assert.Equal(t, Black, b.Winner(), "%v", b)
	} else {
		assert.Equal(t, Empty, b.Winner(), "%v", b)
	}
}

// randomFoulBoard fills a renju board so that fouls of every kind are common: dense patches, more
// black than white, now and then small boards and fully random ones.
func randomFoulBoard(rnd *rand.Rand) *naiveGrid {
	size := 15
	if rnd.IntN(4) == 0 {
		size = 5 + rnd.IntN(18)
	}
	g := newNaiveGrid(size, Renju)
	w := min(size, 6+rnd.IntN(10)) // side of the patch that gets stones
	x0, y0 := rnd.IntN(size-w+1), rnd.IntN(size-w+1)
	density := 0.15 + 0.5*rnd.Float64()
	white := 0.05 + 0.45*rnd.Float64() // share of white stones
	for y := y0; y < y0+w; y++ {
		for x := x0; x < x0+w; x++ {
			if rnd.Float64() < density {
				g.cell[y][x] = Black
				if rnd.Float64() < white {
					g.cell[y][x] = White
				}
			}
		}
	}
	return g
}

func TestFoulAgainstSlowChecker(t *testing.T) {
	n := *foulBoards
	if testing.Short() {
		n = min(n, 200)
	}
	var seen [4]int
	var nested int // points where a three does not count because its straight four is a foul
	for i := range n {
		rnd := rand.New(rand.NewPCG(15, uint64(i)))
		g := &twin{naiveGrid: *randomFoulBoard(rnd), turn: Black}
		b := g.fresh(t, uint64(i))
		hash := b.Hash()
		for _, p := range g.points(Empty) {
			want := g.foulAt(p)
			if got := b.Foul(p); got != want {
				t.Fatalf("board %d: Foul(%v) = %v, want %v\n%v", i, p, got, want, g)
			}
			seen[want]++
			if want == NoFoul && i < 500 && g.deadThrees(p) {
				nested++
			}
			checkFoulStones(t, b, g, p, want)
		}
		if b.Hash() != hash || b.Len() != g.stones() {
			t.Fatalf("board %d: Foul left the board changed\n%v", i, g)
		}
	}
	t.Logf("%d boards: none %d, %v %d, %v %d, %v %d, saved by a dead three %d of the first 500 boards", n, seen[NoFoul],
		Overline, seen[Overline], DoubleFour, seen[DoubleFour], DoubleThree, seen[DoubleThree], nested)
	for f, k := range seen {
		assert.Greater(t, k, n/4, "the random boards hardly show %v", Foul(f))
	}
	assert.Positive(t, nested, "the random boards never show a three that does not count")
}

// deadThrees reports whether p would be a double-three if straight fours could be made by foul too.
func (t *twin) deadThrees(p Point) bool {
	x, y := p.X(), p.Y()
	t.cell[y][x] = Black
	defer func() { t.cell[y][x] = Empty }()
	if t.blackFive(x, y) || t.fours(x, y) > 1 {
		return false
	}
	n := 0
	for _, d := range naiveDirs {
		for o := -3; o <= 3; o++ {
			qx, qy := x+o*d[0], y+o*d[1]
			if !t.is(qx, qy, Empty) {
				continue
			}
			t.cell[qy][qx] = Black
			from, to, ok := t.straightFour(x, y, d[0], d[1])
			t.cell[qy][qx] = Empty
			if ok && from <= o && o <= to {
				n++
				break
			}
		}
	}
	return n >= 2
}

// checkFoulStones compares FoulStones with the stones the slow checker names, in the same order.
func checkFoulStones(t *testing.T, b *Board, g *twin, p Point, f Foul) {
	t.Helper()
	if got, want := b.FoulStones(p), g.foulStones(p, f); !slices.Equal(got, want) {
		t.Fatalf("FoulStones(%v) = %v, want %v for %v\n%v", p, got, want, f, g)
	}
}

// foulStones lists the black stones behind foul f at p, without p: rows from the bottom, then columns.
func (t *twin) foulStones(p Point, f Foul) []Point {
	if f == NoFoul {
		return nil
	}
	x, y := p.X(), p.Y()
	t.cell[y][x] = Black
	defer func() { t.cell[y][x] = Empty }()
	stones := map[Point]bool{}
	for _, d := range naiveDirs {
		at := func(o int) Point { return Pt(x+o*d[0], y+o*d[1]) }
		switch from, to := t.blackRun(x, y, d[0], d[1]); f {
		case Overline:
			for o := from; o <= to && to-from+1 > 5; o++ {
				stones[at(o)] = true
			}
		case DoubleFour:
			for _, set := range t.foursOn(x, y, d[0], d[1]) {
				for o := -4; o <= 4; o++ {
					if set>>(o+4)&1 == 1 {
						stones[at(o)] = true
					}
				}
			}
		case DoubleThree:
			for _, o := range t.threeOn(x, y, d[0], d[1]) {
				stones[at(o)] = true
			}
		}
	}
	delete(stones, p)
	return inOrder(stones)
}

// TestFoulOneLine asks the one-line patterns with double fours and overlines, in all four directions.
func TestFoulOneLine(t *testing.T) {
	for _, row := range readRows[lineRow](t, "line_patterns.jsonl") {
		want, ok := map[string]Foul{"double_four": DoubleFour, "overline": Overline}[row.Query]
		if !ok {
			continue
		}
		for name, l := range row.layouts(t) {
			t.Run(row.ID+"/"+name, func(t *testing.T) {
				for i, p := range l.points {
					if l.g.at(p) != Empty {
						continue
					}
					f := NoFoul
					if row.Expected[i] == '1' {
						f = want
					}
					got := l.b.Foul(p)
					if row.Query == "double_four" && got == Overline {
						got = NoFoul // the row asks for double fours alone
					}
					assert.Equal(t, f, got, "Foul(%v)\n%v", p, l.g)
				}
			})
		}
	}
}

// TestSlowCheckerOneLine holds the slow checker itself against the one-line patterns of black
// stones: how many fours, which of them straight, and whether a three.
func TestSlowCheckerOneLine(t *testing.T) {
	asked := 0
	for _, row := range readRows[lineRow](t, "line_patterns.jsonl") {
		if row.Colour != "black" || !strings.Contains("open_three closed_four open_four", row.Query) {
			continue
		}
		t.Run(row.ID, func(t *testing.T) {
			g := newNaiveGrid(len(row.Line), Renju)
			for i, c := range row.Line {
				g.cell[0][i] = map[rune]Color{'.': Empty, 'X': Black, 'O': White}[c]
			}
			for i, c := range row.Line {
				if c != '.' {
					continue
				}
				want := 0
				if row.Expected[i] != '.' {
					want = int(row.Expected[i] - '0')
				}
				legal := g.foul(i, 0) != Overline
				g.cell[0][i] = Black
				_, _, straight := g.straightFour(i, 0, 1, 0)
				got := 0
				switch {
				case g.blackFive(i, 0), !legal:
				case row.Query == "open_three":
					if g.threeOn(i, 0, 1, 0) != nil {
						got = 1
					}
				case row.Query == "open_four":
					if straight {
						got = 1
					}
				case !straight:
					got = g.fours(i, 0)
				}
				g.cell[0][i] = Empty
				assert.Equal(t, want, got, "%s at %d of %s", row.Query, i, row.Line)
				asked++
			}
		})
	}
	assert.Greater(t, asked, 200)
}

// A double-three at h8 for tests about playing one: g7 of field practice, written as a set-up.
const (
	doubleThreeBlack = "g8f8h7h6"
	doubleThreeWhite = "a1c1e1g1"
)

func TestFoulIsForBlackInRenju(t *testing.T) {
	h8 := Pt(7, 7)
	for _, rule := range naiveRules {
		t.Run(rule.String(), func(t *testing.T) {
			b, _ := setUp(t, 15, rule, doubleThreeBlack, doubleThreeWhite)
			want := NoFoul
			if rule == Renju {
				want = DoubleThree
			}
			assert.Equal(t, want, b.Foul(h8))
			b.SetTurn(White)
			assert.Equal(t, want, b.Foul(h8), "whoever's turn it is")
			require.NoError(t, b.Make(h8), "white has no fouls")
			assert.Equal(t, Empty, b.Winner())
			assert.Equal(t, NoFoul, b.Foul(h8), "an occupied point is no foul")
		})
	}
	b, g := setUp(t, 15, Renju, doubleThreeBlack, "a1b1c1d1e1")
	require.Equal(t, White, b.Winner(), "%v", g)
	assert.Equal(t, DoubleThree, b.Foul(h8), "game over or not")
	for _, p := range []Point{NoPoint, Pt(15, 0), Pt(0, 15), Pt(21, 21), Pt(7, 21)} {
		assert.Equal(t, NoFoul, b.Foul(p), "outside: %d", p)
		assert.Empty(t, b.FoulStones(p), "outside: %d", p)
	}
	assert.ElementsMatch(t, splitPoints(t, doubleThreeBlack), b.FoulStones(h8))
}

// TestFoulStonesNamed pins the stones of small clear cases.
func TestFoulStonesNamed(t *testing.T) {
	for _, tc := range []struct {
		name, black, white, point string
		kind                      Foul
		stones                    string
	}{
		{"overline", "c8d8e8g8h8i8", "", "f8", Overline, "c8d8e8g8h8i8"},
		{"double-four on two lines", "e8f8g8h5h6h7", "d8h4", "h8", DoubleFour, "e8f8g8h5h6h7"},
		{"double-four on one line", "d8f8h8j8", "", "", DoubleFour, ""},
		{"double-three", "f8g8h6h7", "", "h8", DoubleThree, "f8g8h6h7"},
		{"double-three with a gap", "e8g8h6h7", "", "h8", DoubleThree, "e8g8h6h7"},
		{"three beside a four is no foul", "e8f8g8h6h7", "d8", "h8", NoFoul, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.point == "" {
				tc.point, tc.stones = "g8", "d8f8h8j8"
			}
			b, g := setUp(t, 15, Renju, tc.black, tc.white)
			p := splitPoints(t, tc.point)[0]
			require.Equal(t, tc.kind, b.Foul(p), "%v", g)
			assert.ElementsMatch(t, splitPoints(t, tc.stones), b.FoulStones(p), "%v", g)
		})
	}
}

// TestFoulFirstThatApplies pins the order Overline, DoubleFour, DoubleThree, and that five beats all.
func TestFoulFirstThatApplies(t *testing.T) {
	for _, tc := range []struct {
		name, black, white, point string
		want                      Foul
	}{
		{"overline and double-four", "c8d8e8g8h8" + "f4f5f6" + "c5d6e7", "f3b4", "f8", Overline},
		{"overline and double-three", "c8d8e8g8h8" + "f6f7" + "d6e7", "", "f8", Overline},
		{"double-four and double-three", "e8f8g8" + "h5h6h7" + "i9j10" + "i7j6", "d8h4", "h8", DoubleFour},
		{"five and double-three", "d8e8f8g8" + "h6h7" + "i9j10", "c8", "h8", NoFoul},
		{"five and double-four", "d8e8f8g8" + "h5h6h7" + "i9j10k11", "h4", "h8", NoFoul},
		{"five and overline", "d8e8f8g8" + "h6h7h9h10h11", "", "h8", NoFoul},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, g := setUp(t, 15, Renju, tc.black, tc.white)
			p := splitPoints(t, tc.point)[0]
			require.Equal(t, tc.want, g.foulAt(p), "slow checker\n%v", g)
			require.Equal(t, tc.want, b.Foul(p), "%v", g)
			if tc.want == NoFoul {
				b.SetTurn(Black)
				require.NoError(t, b.Make(p))
				assert.Equal(t, Black, b.Winner())
				assert.Len(t, b.WinningLine(), 5)
			}
		})
	}
}

func TestMakeFoul(t *testing.T) {
	h8 := Pt(7, 7)
	for name, tc := range map[string]struct {
		black, white, point string
		kind                Foul
	}{
		"double-three": {doubleThreeBlack, doubleThreeWhite, "h8", DoubleThree},
		"double-four":  {"e8f8g8h5h6h7", "d8h4", "h8", DoubleFour},
		"overline":     {"c8d8e8g8h8", "", "f8", Overline},
	} {
		t.Run(name, func(t *testing.T) {
			b, g := setUp(t, 15, Renju, tc.black, tc.white)
			p := splitPoints(t, tc.point)[0]
			before := boardText(t, b)
			require.ErrorIs(t, b.Make(p), ErrFoul)
			require.Equal(t, before, boardText(t, b), "a refused foul leaves the board alone")

			require.NoError(t, b.MakeFoul(p))
			g.play(p)
			require.True(t, g.lostByFoul())
			require.Empty(t, g.differences(t, b, true), "%v", b)
			assert.Equal(t, White, b.Winner(), "black loses")
			assert.True(t, b.Over())
			assert.Nil(t, b.WinningLine())
			assert.Equal(t, Black, b.At(p))
			assert.ErrorIs(t, b.Make(Pt(14, 14)), ErrGameOver)
			assert.ErrorIs(t, b.MakeFoul(Pt(14, 14)), ErrGameOver)

			got, ok := b.Undo()
			require.True(t, ok)
			assert.Equal(t, p, got)
			assert.Equal(t, Empty, b.Winner())
			assert.Equal(t, before, boardText(t, b), "Undo takes the foul back")
		})
	}
	t.Run("a legal move", func(t *testing.T) {
		for _, rule := range naiveRules {
			b := mustBoard(t, 15, rule)
			c := mustBoard(t, 15, rule)
			for _, p := range splitPoints(t, "h8i9h9i10h10i11h11i12h12") {
				require.NoError(t, b.MakeFoul(p))
				require.NoError(t, c.Make(p))
				require.Equal(t, boardText(t, c), boardText(t, b))
			}
			require.Equal(t, Black, b.Winner(), fmt.Sprint(rule))
			require.Len(t, b.WinningLine(), 5)
		}
	})
	t.Run("white's", func(t *testing.T) {
		b, _ := setUp(t, 15, Renju, doubleThreeWhite, doubleThreeBlack)
		b.SetTurn(White)
		require.NoError(t, b.MakeFoul(h8))
		assert.Equal(t, Empty, b.Winner(), "white has no fouls")
	})
	t.Run("errors", func(t *testing.T) {
		b, _ := setUp(t, 15, Renju, doubleThreeBlack, doubleThreeWhite)
		before := boardText(t, b)
		assert.ErrorIs(t, b.MakeFoul(NoPoint), ErrOutside)
		assert.ErrorIs(t, b.MakeFoul(Pt(15, 3)), ErrOutside)
		assert.ErrorIs(t, b.MakeFoul(Pt(0, 0)), ErrOccupied)
		assert.Equal(t, before, boardText(t, b))
	})
}

// TestFoulSymmetric: a foul stays one under the eight symmetries of the board.
func TestFoulSymmetric(t *testing.T) {
	fouls := 0
	for i := range 60 {
		g := &twin{naiveGrid: *randomFoulBoard(rand.New(rand.NewPCG(8, uint64(i)))), turn: Black}
		b := g.fresh(t, 1)
		for s := range Symmetry(8) {
			sb := s.ApplyBoard(b)
			for _, p := range g.points(Empty) {
				want := b.Foul(p)
				if want != NoFoul {
					fouls++
				}
				if got := sb.Foul(s.Apply(p, g.size)); got != want {
					t.Fatalf("board %d, symmetry %d: Foul(%v) = %v, want %v\n%v", i, s, p, got, want, g)
				}
			}
		}
	}
	assert.Greater(t, fouls, 500)
}
