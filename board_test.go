package gomoku

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func isErr(err, target error) bool { return errors.Is(err, target) }

// boardText is everything a Board says about itself; equal texts and hashes mean equal boards.
func boardText(tb testing.TB, b *Board) string {
	tb.Helper()
	text, err := b.MarshalText()
	if err != nil {
		tb.Fatal(err)
	}
	return fmt.Sprintf("%s hash=%x winner=%v over=%v", text, b.Hash(), b.Winner(), b.Over())
}

// play makes the moves on a board and its twin.
func play(tb testing.TB, b *Board, g *twin, moves string) {
	tb.Helper()
	for i, p := range splitPoints(tb, moves) {
		if err := b.Make(p); err != nil {
			tb.Fatalf("move %d: %v\n%v", i+1, err, g)
		}
		g.play(p)
	}
}

// fullBoardMoves fills 5x5 without a five: no line of five points has one colour.
const fullBoardMoves = "a1b1c1d1e1a2b2c2d2e2a3b3c3d3e3b4a4d4c4a5e4c5b5e5d5"

func fullBoard(tb testing.TB) *Board {
	tb.Helper()
	b, g := mustBoard(tb, 5, Freestyle), newTwin(5, Freestyle)
	play(tb, b, g, fullBoardMoves)
	return b
}

// windows yields every straight row of n points inside a board.
func windows(size, n int) [][]Point {
	var ws [][]Point
	for _, d := range naiveDirs {
		for y := range size {
			for x := range size {
				ex, ey := x+(n-1)*d[0], y+(n-1)*d[1]
				if ex < 0 || ex >= size || ey < 0 || ey >= size {
					continue
				}
				w := make([]Point, n)
				for i := range w {
					w[i] = Pt(x+i*d[0], y+i*d[1])
				}
				ws = append(ws, w)
			}
		}
	}
	return ws
}

// permutations returns all orders of 0..n-1.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for i := range n {
			all = append(all, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return all
}

func TestNewBoard(t *testing.T) {
	for size := -1; size <= 40; size++ {
		for rule := range Rule(10) {
			b, err := NewBoard(size, rule)
			switch {
			case size < 5 || size > 22:
				require.ErrorIs(t, err, ErrSize, "size %d", size)
				require.Nil(t, b)
			case rule > Caro:
				require.ErrorIs(t, err, ErrRule, "rule %d", rule)
				require.Nil(t, b)
			default:
				require.NoError(t, err)
				require.Empty(t, newTwin(size, rule).differences(t, b, rule == Renju && size < 9))
			}
		}
	}
}

// TestMakeErrors: each refusal has its error, names the point, and leaves the board as it was.
func TestMakeErrors(t *testing.T) {
	won := func(t *testing.T) *Board {
		b, err := ParseBoard(15, Freestyle, "h8a1i8a2j8a3k8a4l8")
		require.NoError(t, err)
		return b
	}
	played := func(t *testing.T) *Board {
		b, err := ParseBoard(15, Renju, "h8g7i9")
		require.NoError(t, err)
		return b
	}
	foul := func(t *testing.T) *Board {
		b, _ := setUp(t, 15, Renju, doubleThreeBlack, doubleThreeWhite)
		return b
	}
	setUpWon := func(t *testing.T) *Board {
		b, _ := setUp(t, 15, Standard, "a1b1c1d1e1", "")
		return b
	}
	for _, tc := range []struct {
		name  string
		board func(*testing.T) *Board
		p     Point
		want  error
	}{
		{"no point", played, NoPoint, ErrOutside},
		{"right of the board", played, Pt(15, 7), ErrOutside},
		{"above the board", played, Pt(7, 15), ErrOutside},
		{"a column no board has", played, Point(7*32 + 31), ErrOutside},
		{"a row no board has", played, Point(30 * 32), ErrOutside},
		{"largest point", played, 1<<15 - 1, ErrOutside},
		{"smallest point", played, -1 << 15, ErrOutside},
		{"own stone", played, Pt(7, 7), ErrOccupied},
		{"other's stone", played, Pt(6, 6), ErrOccupied},
		{"set-up stone", foul, Pt(0, 0), ErrOccupied},
		{"foul", foul, Pt(7, 7), ErrFoul},
		{"game won", won, Pt(0, 14), ErrGameOver},
		{"game won by set-up", setUpWon, Pt(0, 14), ErrGameOver},
		{"full board", func(t *testing.T) *Board { return fullBoard(t) }, Pt(2, 2), ErrGameOver},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := tc.board(t)
			before, drawn := boardText(t, b), b.String()
			err := b.Make(tc.p)
			require.ErrorIs(t, err, tc.want)
			var me *MoveError
			require.ErrorAs(t, err, &me)
			assert.Equal(t, tc.p, me.Point)
			assert.Contains(t, err.Error(), "gomoku: ")
			if tc.want == ErrFoul {
				assert.Equal(t, DoubleThree, me.Foul)
				assert.Contains(t, err.Error(), "h8")
			}
			assert.Equal(t, before, boardText(t, b))
			assert.Equal(t, drawn, b.String())
		})
	}
	// the sentinels are different errors
	b := foul(t)
	err := b.Make(Pt(7, 7))
	for _, e := range []error{ErrOutside, ErrOccupied, ErrGameOver, ErrSize, ErrRule, ErrColor} {
		assert.NotErrorIs(t, err, e)
	}
}

func TestUndoTakesAWinBack(t *testing.T) {
	for _, rule := range naiveRules {
		t.Run(rule.String(), func(t *testing.T) {
			b, g := mustBoard(t, 15, rule), newTwin(15, rule)
			play(t, b, g, "h8h1i8i1j8j1k8k1")
			before := boardText(t, b)
			play(t, b, g, "l8")
			require.Equal(t, Black, b.Winner())
			require.True(t, b.Over())
			require.Equal(t, splitPoints(t, "h8i8j8k8l8"), b.WinningLine())
			p, ok := b.Undo()
			g.undo()
			require.True(t, ok)
			require.Equal(t, Pt(11, 7), p)
			require.Equal(t, Empty, b.Winner())
			require.False(t, b.Over())
			require.Nil(t, b.WinningLine())
			require.Equal(t, before, boardText(t, b))
			// and the game goes on, to a win of white's
			play(t, b, g, "a10l1")
			require.Equal(t, White, b.Winner())
			require.Equal(t, splitPoints(t, "h1i1j1k1l1"), b.WinningLine())
			require.Empty(t, g.differences(t, b, true))
		})
	}
}

func TestUndoToTheStart(t *testing.T) {
	b, g := mustBoard(t, 15, Freestyle), newTwin(15, Freestyle)
	empty := boardText(t, b)
	play(t, b, g, "h8i9j8k9a1")
	for range 5 {
		_, ok := b.Undo()
		require.True(t, ok)
		g.undo()
		require.Empty(t, g.differences(t, b, true))
	}
	require.Equal(t, empty, boardText(t, b))
	p, ok := b.Undo()
	assert.False(t, ok)
	assert.Equal(t, NoPoint, p)
	require.Equal(t, empty, boardText(t, b))
}

func TestFullBoardIsADraw(t *testing.T) {
	for _, rule := range []Rule{Freestyle, Standard, Caro} {
		t.Run(rule.String(), func(t *testing.T) {
			b, g := mustBoard(t, 5, rule), newTwin(5, rule)
			for i, p := range splitPoints(t, fullBoardMoves) {
				require.Falsef(t, b.Over(), "over before move %d\n%v", i+1, g)
				require.NoError(t, b.Make(p))
				g.play(p)
			}
			require.Empty(t, g.differences(t, b, true))
			assert.True(t, b.Over())
			assert.Equal(t, Empty, b.Winner())
			assert.Nil(t, b.WinningLine())
			assert.Equal(t, 25, b.Len())
			_, ok := b.Undo()
			require.True(t, ok)
			assert.False(t, b.Over())
		})
	}
	t.Run("set up", func(t *testing.T) {
		b := mustBoard(t, 5, Renju)
		for p, c := range fullBoard(t).Moves() {
			require.False(t, b.Over())
			require.NoError(t, b.SetStone(p, c))
		}
		assert.True(t, b.Over())
		assert.Equal(t, Empty, b.Winner())
		require.NoError(t, b.SetStone(Pt(2, 2), Empty))
		assert.False(t, b.Over())
	})
	t.Run("the last stone wins", func(t *testing.T) {
		b := fullBoard(t)
		last := b.LastMove()
		for y := range 5 { // black gets the column of the last point
			require.NoError(t, b.SetStone(Pt(last.X(), y), Black))
		}
		require.NoError(t, b.SetStone(last, Empty))
		require.False(t, b.Over(), "%v", b)
		b.SetTurn(Black)
		require.NoError(t, b.Make(last))
		assert.Equal(t, Black, b.Winner())
	})
}

func TestSetStone(t *testing.T) {
	b, g := mustBoard(t, 15, Freestyle), newTwin(15, Freestyle)
	set := func(s string, c Color) {
		t.Helper()
		for _, p := range splitPoints(t, s) {
			require.NoError(t, b.SetStone(p, c))
			g.setStone(p, c)
			require.Empty(t, g.differences(t, b, true), "%v", g)
		}
	}
	play(t, b, g, "h8i9j8")
	require.Equal(t, White, b.Turn())
	set("a1", Black)
	assert.Equal(t, White, b.Turn(), "set-up leaves the turn")
	assert.Equal(t, NoPoint, b.LastMove(), "set-up clears the history")
	_, ok := b.Undo()
	assert.False(t, ok)
	assert.Equal(t, 4, b.Len(), "the moves' stones stay")

	set("a2a3a4a5", Black) // unequal counts, a five of black's
	assert.Equal(t, Black, b.Winner())
	assert.Equal(t, splitPoints(t, "a1a2a3a4a5"), b.WinningLine())
	set("a3", White) // replaces the stone
	assert.Equal(t, Empty, b.Winner())
	set("a3", Empty)
	set("a3", Empty) // nothing there already
	assert.Equal(t, Empty, b.Winner())
	set("b1b2b3b4b5", White)
	assert.Equal(t, White, b.Winner())
	set("a3", Black)
	assert.Equal(t, Black, b.Winner(), "two fives set up: black is named")
	set("a1", Empty)
	assert.Equal(t, White, b.Winner())
	set("b1", Empty)
	play(t, b, g, "b1")
	assert.Equal(t, White, b.Winner(), "white was on turn all the time")

	before := boardText(t, b)
	for _, tc := range []struct {
		p    Point
		c    Color
		want error
	}{
		{NoPoint, Black, ErrOutside},
		{Pt(15, 0), White, ErrOutside},
		{Pt(0, 15), Empty, ErrOutside},
		{Point(31), Black, ErrOutside},
		{Point(-700), Black, ErrOutside},
		{Pt(3, 3), 3, ErrColor},
		{Pt(3, 3), 255, ErrColor},
	} {
		require.ErrorIs(t, b.SetStone(tc.p, tc.c), tc.want)
		require.Equal(t, before, boardText(t, b), "history and all")
	}
	assert.Equal(t, 1, len(g.moves))
}

func TestSetUpWinnerByRule(t *testing.T) {
	six := "c3d4e5f6g7h8"
	five := "c3d4e5f6g7"
	for _, tc := range []struct {
		name, black, white string
		want               [4]Color // Freestyle, Standard, Renju, Caro
	}{
		{"black five", five, "", [4]Color{Black, Black, Black, Black}},
		{"white five", "", five, [4]Color{White, White, White, White}},
		{"black six", six, "", [4]Color{Black, Empty, Empty, Empty}},
		{"white six", "", six, [4]Color{White, Empty, White, Empty}},
		{"black five, one end blocked", five, "b2", [4]Color{Black, Black, Black, Black}},
		{"black five, both ends blocked", five, "b2h8", [4]Color{Black, Black, Black, Empty}},
		{"white five, both ends blocked", "b2h8", five, [4]Color{White, White, White, Empty}},
		{"white six, both ends blocked", "b2i9", six, [4]Color{White, Empty, White, Empty}},
		{"edge and stone", "a1b2c3d4e5", "f6", [4]Color{Black, Black, Black, Black}},
		{"four", "c3d4e5f6", "", [4]Color{}},
		{"six and five", six + "c8d8e8f8g8", "", [4]Color{Black, Empty, Empty, Empty}}, // g8 and h8 touch: six both ways
		{"six and a five apart", six + "c12d12e12f12g12", "", [4]Color{Black, Black, Black, Black}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, rule := range naiveRules {
				b, g := setUp(t, 15, rule, tc.black, tc.white)
				assert.Equal(t, tc.want[rule], b.Winner(), "%v\n%v", rule, g)
				require.Empty(t, g.differences(t, b, true), "%v\n%v", rule, g)
			}
		})
	}
}

func TestSetTurn(t *testing.T) {
	b, g := mustBoard(t, 15, Renju), newTwin(15, Renju)
	assert.Equal(t, Black, b.Turn())
	blackFirst := b.Hash()
	b.SetTurn(White)
	g.turn = White
	assert.NotEqual(t, blackFirst, b.Hash(), "the hash covers the turn")
	for _, c := range []Color{Empty, 3, 200} {
		b.SetTurn(c)
		assert.Equal(t, White, b.Turn(), "SetTurn(%d) changes nothing", c)
	}
	play(t, b, g, "h8i8")
	require.Empty(t, g.differences(t, b, true), "white first")
	assert.Equal(t, White, b.At(Pt(7, 7)))

	b.SetTurn(Black) // black once more in the middle of the game: unequal counts
	g.turn = Black
	play(t, b, g, "i9")
	require.Empty(t, g.differences(t, b, true))
	_, _ = b.Undo()
	g.undo()
	require.Empty(t, g.differences(t, b, true), "Undo gives the turn to the one who moved")
	assert.Equal(t, Black, b.Turn())
	_, _ = b.Undo()
	g.undo()
	assert.Equal(t, Black, b.Turn())
	require.Empty(t, g.differences(t, b, true))
	b.SetTurn(White)
	b.SetTurn(Black)
	require.Empty(t, g.differences(t, b, true), "there and back changes nothing")
}

func TestCloneIsIndependent(t *testing.T) {
	b, g := setUp(t, 15, Renju, "c3", "m12")
	play(t, b, g, "h8i9j8")
	before := boardText(t, b)
	c := b.Clone()
	require.Equal(t, before, boardText(t, c))
	require.NoError(t, c.Make(Pt(0, 0)))
	require.Equal(t, before, boardText(t, b))
	for range 4 {
		c.Undo()
	}
	require.NoError(t, c.Make(Pt(1, 1))) // writes where b keeps its first move
	require.NoError(t, c.SetStone(Pt(2, 2), White))
	c.SetTurn(White)
	require.Equal(t, before, boardText(t, b))
	require.Empty(t, g.differences(t, b, true))

	c = b.Clone()
	play(t, b, g, "a5") // and the other way round
	assert.Equal(t, before, boardText(t, c))
}

func TestHash(t *testing.T) {
	seen := map[uint64]string{}
	note := func(name string, b *Board) {
		t.Helper()
		if other, ok := seen[b.Hash()]; ok {
			t.Fatalf("%s and %s have the same hash", name, other)
		}
		seen[b.Hash()] = name
	}
	for size := 5; size <= 22; size++ {
		for _, rule := range naiveRules {
			b := mustBoard(t, size, rule)
			note(fmt.Sprintf("empty %d %v", size, rule), b)
			for y := range size {
				for x := range size {
					if size%8 != 7 && (x+y)%5 > 0 {
						continue
					}
					for _, c := range []Color{Black, White} {
						require.NoError(t, b.SetStone(Pt(x, y), c))
						note(fmt.Sprintf("%d %v %v %v", size, rule, c, Pt(x, y)), b)
						b.SetTurn(White)
						note(fmt.Sprintf("%d %v %v %v, white to move", size, rule, c, Pt(x, y)), b)
						b.SetTurn(Black)
						require.NoError(t, b.SetStone(Pt(x, y), Empty))
					}
				}
			}
		}
	}
	assert.Greater(t, len(seen), 10000)
	// transpositions meet
	a, err := ParseBoard(15, Freestyle, "h8i9j10k11")
	require.NoError(t, err)
	b, err := ParseBoard(15, Freestyle, "j10k11h8i9")
	require.NoError(t, err)
	assert.Equal(t, a.Hash(), b.Hash())
}

// TestEveryFive plays each of the 572 fives of 15x15 in all 120 orders, for both colours under each rule: the win is seen
// with the last stone, whichever it is, and not before; every order of undo leaves nothing.
func TestEveryFive(t *testing.T) {
	fives := windows(15, 5)
	require.Len(t, fives, 572)
	orders := permutations(5)
	require.Len(t, orders, 120)
	for _, rule := range naiveRules {
		for _, c := range []Color{Black, White} {
			t.Run(fmt.Sprintf("%v/%v", rule, c), func(t *testing.T) {
				b := mustBoard(t, 15, rule)
				b.SetTurn(c)
				empty := b.Hash()
				for i, five := range fives {
					for j, order := range orders {
						if (testing.Short() || raceEnabled) && j%12 != i%12 {
							continue
						}
						for k, at := range order {
							b.SetTurn(c)
							if err := b.Make(five[at]); err != nil {
								t.Fatalf("five %v, order %v: %v\n%v", five, order, err, b)
							}
							if won := b.Winner() == c; won != (k == 4) || b.Over() != won {
								t.Fatalf("five %v, order %v: winner %v after %d stones\n%v", five, order, b.Winner(), k+1, b)
							}
						}
						if line := b.WinningLine(); !slices.Equal(line, five) {
							t.Fatalf("WinningLine() = %v, want %v", line, five)
						}
						for range 5 {
							b.Undo()
							if b.Winner() != Empty {
								t.Fatalf("five %v, order %v: a winner after Undo\n%v", five, order, b)
							}
						}
					}
				}
				b.SetTurn(c)
				assert.Equal(t, empty, b.Hash())
			})
		}
	}
}

// TestOverlines fills rows of six to nine with each stone as the last.
func TestOverlines(t *testing.T) {
	for n := 6; n <= 9; n++ {
		for _, rule := range naiveRules {
			for _, c := range []Color{Black, White} {
				t.Run(fmt.Sprintf("n=%d/%v/%v", n, rule, c), func(t *testing.T) {
					wins := rule == Freestyle || rule == Renju && c == White
					for _, row := range windows(15, n) {
						for last := range row {
							if last > 4 || n-1-last > 4 {
								continue // five stood there before the last stone
							}
							g := newTwin(15, rule)
							g.turn = c
							for i, p := range row {
								if i != last {
									g.set(p, c)
								}
							}
							b := g.fresh(t, 0)
							err := b.Make(row[last])
							if rule == Renju && c == Black {
								if !isErr(err, ErrFoul) || b.Foul(row[last]) != Overline {
									t.Fatalf("%v by %v: %v, %v\n%v", row, row[last], err, b.Foul(row[last]), b)
								}
								continue
							}
							if err != nil || (b.Winner() == c) != wins || b.Over() != wins {
								t.Fatalf("%v by %v: %v, winner %v\n%v", row, row[last], err, b.Winner(), b)
							}
							if wins && !slices.Equal(b.WinningLine(), row) {
								t.Fatalf("WinningLine() = %v, want %v", b.WinningLine(), row)
							}
						}
					}
				})
			}
		}
	}
}

// TestOneLine tries every content of a whole line of a small board, on an edge, in the middle and on both long
// diagonals, with every last stone of both colours: overlines, blocked fives, edges.
func TestOneLine(t *testing.T) {
	size := 8
	if testing.Short() || raceEnabled {
		size = 7 // room for a five blocked at both ends
	}
	lines := map[string]func(i int) Point{
		"bottom row":   func(i int) Point { return Pt(i, 0) },
		"top row":      func(i int) Point { return Pt(i, size-1) },
		"right column": func(i int) Point { return Pt(size-1, i) },
		"rising":       func(i int) Point { return Pt(i, i) },
		"falling":      func(i int) Point { return Pt(i, size-1-i) },
	}
	total := 1
	for range size {
		total *= 3
	}
	for name, at := range lines {
		for _, rule := range naiveRules {
			t.Run(fmt.Sprintf("%s/%v", name, rule), func(t *testing.T) {
				b, g := mustBoard(t, size, rule), newTwin(size, rule)
				wins, fouls := 0, 0
				for code := range total {
					for i, v := 0, code; i < size; i, v = i+1, v/3 {
						c := Color(v % 3)
						if g.at(at(i)) != c {
							if err := b.SetStone(at(i), c); err != nil {
								t.Fatal(err)
							}
							g.setStone(at(i), c)
						}
					}
					w := g.winner()
					if b.Winner() != w {
						t.Fatalf("set-up: winner %v, want %v\n%v", b.Winner(), w, g)
					}
					if w != Empty {
						continue
					}
					for i := range size {
						for _, c := range []Color{Black, White} {
							if g.at(at(i)) != Empty {
								continue
							}
							b.SetTurn(c)
							g.turn = c
							foul := NoFoul
							if c == Black {
								foul = g.foulAt(at(i))
							}
							err := b.Make(at(i))
							if foul != NoFoul {
								fouls++
								if !isErr(err, ErrFoul) {
									t.Fatalf("%v at %v: %v, want a foul\n%v", c, at(i), err, g)
								}
								continue
							}
							if err != nil {
								t.Fatalf("%v at %v: %v\n%v", c, at(i), err, g)
							}
							g.play(at(i))
							w := g.winner()
							if w != Empty {
								wins++
							}
							if b.Winner() != w || b.Over() != (w != Empty) || w != Empty && g.winningLineFault(b.WinningLine()) != "" {
								t.Fatalf("%v at %v: winner %v, want %v; line %v\n%v", c, at(i), b.Winner(), w, b.WinningLine(), g)
							}
							b.Undo()
							g.undo()
							if b.Winner() != Empty {
								t.Fatalf("a winner after Undo\n%v", g)
							}
						}
					}
				}
				assert.Greater(t, wins, 50)
				if rule == Renju {
					assert.Greater(t, fouls, 20)
				}
			})
		}
	}
}

// TestSeveralLinesAtOnce: the last stone completes two to four fives, or a five beside an overline.
func TestSeveralLinesAtOnce(t *testing.T) {
	h8 := Pt(7, 7)
	arms := []string{"h4h5h6h7", "d8e8f8g8", "d4e5f6g7", "d12e11f10g9"}
	long := "i8j8"
	for mask := 1; mask < 16; mask++ {
		var black strings.Builder
		for i, arm := range arms {
			if mask>>i&1 == 1 {
				black.WriteString(arm)
			}
		}
		for _, extra := range []string{"", long} {
			for _, rule := range naiveRules {
				for _, c := range []Color{Black, White} {
					b, g := setUp(t, 15, rule, black.String()+extra, "")
					if c == White {
						b, g = setUp(t, 15, rule, "", black.String()+extra)
					}
					b.SetTurn(c)
					g.turn = c
					faults := g.faults(h8, false)
					err := b.Make(h8)
					if len(faults) > 0 {
						require.ErrorIs(t, err, faults[0])
						continue
					}
					require.NoError(t, err)
					g.play(h8)
					require.Empty(t, g.differences(t, b, false), "%v, %v\n%v", rule, c, g)
				}
			}
		}
	}
}

func TestWinningLineCounts(t *testing.T) {
	facts := readFacts(t)
	for size := 5; size <= 22; size++ {
		t.Run(strconv.Itoa(size), func(t *testing.T) {
			want := 2*size*(size-4) + 2*(size-4)*(size-4)
			if fact, ok := facts.WinningLines[strconv.Itoa(size)]; ok {
				require.Equal(t, want, fact)
			} else {
				require.Greater(t, size, 20)
			}
			// a five starts at a point in a direction if the board says so
			b := mustBoard(t, size, Standard)
			n := 0
			for y := range size {
				for x := range size {
					for _, d := range naiveDirs {
						put := 0
						b.SetTurn(Black)
						for i := range 5 {
							if b.Make(Pt(x+i*d[0], y+i*d[1])) != nil {
								break
							}
							put++
							b.SetTurn(Black)
						}
						if b.Winner() == Black {
							n++
						}
						for range put {
							b.Undo()
						}
					}
				}
			}
			assert.Equal(t, want, n)
		})
	}
}

type solvedFacts struct {
	WinningLines map[string]int   `json:"winning_lines"`
	Distinct     map[string][]int `json:"distinct_positions_mod_D4"`
	Perft        map[string][]int `json:"perft_leaf_counts"`
	FiveAtPly9   int              `json:"five_at_ply9_5x5"`
}

func readFacts(tb testing.TB) solvedFacts {
	tb.Helper()
	data, err := os.ReadFile("testdata/solved_facts.json")
	if err != nil {
		tb.Fatal(err)
	}
	var f solvedFacts
	if err := json.Unmarshal(data, &f); err != nil {
		tb.Fatal(err)
	}
	return f
}

// perft counts the move sequences of a length.
func perft(tb testing.TB, b *Board, depth int) int {
	if depth == 0 {
		return 1
	}
	n := 0
	for _, p := range b.Candidates(0) {
		if err := b.Make(p); err != nil {
			tb.Fatal(err)
		}
		n += perft(tb, b, depth-1)
		b.Undo()
	}
	return n
}

func TestPerft(t *testing.T) {
	for name, counts := range readFacts(t).Perft {
		for i, want := range counts {
			if want > 400_000 {
				continue
			}
			t.Run(fmt.Sprintf("%s/plies=%d", name, i+1), func(t *testing.T) {
				size, err := strconv.Atoi(name[:strings.Index(name, "x")])
				require.NoError(t, err)
				for _, rule := range naiveRules {
					b := mustBoard(t, size, rule)
					before := b.Hash()
					require.Equal(t, want, perft(t, b, i+1))
					require.Equal(t, before, b.Hash())
				}
			})
		}
	}
}

// TestFiveAtPly9 counts the games on 5x5 that black wins with the fifth stone: over all ways to place five
// black stones, the winning ones, times the orders of both sides' moves.
func TestFiveAtPly9(t *testing.T) {
	b := mustBoard(t, 5, Freestyle)
	won := 0
	var place func(from, left int)
	place = func(from, left int) {
		if left == 0 {
			if b.Winner() == Black {
				won++
			}
			return
		}
		for i := from; i <= 25-left; i++ {
			b.SetTurn(Black)
			if err := b.Make(Pt(i%5, i/5)); err != nil {
				t.Fatal(err)
			}
			place(i+1, left-1)
			b.Undo()
		}
	}
	place(0, 5)
	assert.Equal(t, 12, won)
	assert.Equal(t, readFacts(t).FiveAtPly9, won*120*20*19*18*17)
}

type outcomeRow struct {
	ID, Rule     string
	Size         int
	Black, White string
	ToMove       string `json:"to_move"`
	Move         string
	Expected     string
}

func TestWinOutcomeRows(t *testing.T) {
	asked := 0
	for _, row := range readRows[outcomeRow](t, "win_outcome.jsonl") {
		if row.Rule == "caro6" {
			continue // six wins there: not one of our rules
		}
		asked++
		t.Run(row.ID, func(t *testing.T) {
			b, g := setUp(t, row.Size, ruleNamed(t, row.Rule), row.Black, row.White)
			require.Equal(t, "black", row.ToMove)
			require.False(t, b.Over(), "%v", g)
			p := splitPoints(t, row.Move)[0]
			err := b.Make(p)
			switch row.Expected {
			case "loss": // by foul
				require.ErrorIs(t, err, ErrFoul)
				require.NoError(t, b.MakeFoul(p))
				assert.Equal(t, White, b.Winner())
				return
			case "win":
				require.NoError(t, err)
				assert.Equal(t, Black, b.Winner(), "%v", b)
			case "ongoing":
				require.NoError(t, err)
				assert.Equal(t, Empty, b.Winner(), "%v", b)
			default:
				t.Fatal(row.Expected)
			}
			g.play(p)
			require.Empty(t, g.differences(t, b, true))
		})
	}
	assert.Equal(t, 29, asked)
}

// lineRow is a row of line_patterns.jsonl: one line between two edges, and for each cell whether a stone of the colour
// there makes the thing asked for (or how many).
type lineRow struct {
	ID, Line, Colour, Query, Expected string
}

func (r lineRow) colour() Color {
	if r.Colour == "black" {
		return Black
	}
	return White
}

type lineLayout struct {
	b      *Board
	g      *twin
	points []Point
}

// layouts puts the line on a board of its own length, so that both its ends are edges: as a row, a column and both
// long diagonals, each also backwards.
func (r lineRow) layouts(tb testing.TB) map[string]lineLayout {
	tb.Helper()
	n := len(r.Line)
	all := map[string]lineLayout{}
	for name, at := range map[string]func(i int) Point{
		"row":     func(i int) Point { return Pt(i, 0) },
		"column":  func(i int) Point { return Pt(n-1, i) },
		"rising":  func(i int) Point { return Pt(i, i) },
		"falling": func(i int) Point { return Pt(i, n-1-i) },
	} {
		for back, flip := range map[string]func(i int) int{
			"":           func(i int) int { return i },
			" backwards": func(i int) int { return n - 1 - i },
		} {
			l := lineLayout{g: newTwin(n, Renju)}
			for i, c := range r.Line {
				p := at(flip(i))
				l.points = append(l.points, p)
				l.g.set(p, map[rune]Color{'.': Empty, 'X': Black, 'O': White}[c])
			}
			l.g.turn = r.colour()
			l.b = l.g.fresh(tb, 0)
			all[name+back] = l
		}
	}
	return all
}

func TestFivesOfOneLine(t *testing.T) {
	asked := 0
	for _, row := range readRows[lineRow](t, "line_patterns.jsonl") {
		if row.Query != "five" {
			continue
		}
		asked++
		for name, l := range row.layouts(t) {
			t.Run(row.ID+"/"+name, func(t *testing.T) {
				for i, p := range l.points {
					if l.g.at(p) != Empty {
						continue
					}
					require.NoError(t, l.b.MakeFoul(p))
					five := l.b.Winner() == row.colour()
					assert.Equal(t, row.Expected[i] == '1', five, "%v at %v\n%v", row.Colour, p, l.g)
					l.b.Undo()
				}
			})
		}
	}
	assert.Equal(t, 14, asked)
}

type gameRow struct {
	ID, Rule, Moves, Result string
	Size, Plies             int
	EndedBy                 string `json:"ended_by"`
	OverlineAtPly           []int  `json:"overline_at_ply"`
}

func TestRealGames(t *testing.T) {
	fives := 0
	for _, row := range readRows[gameRow](t, "real_games.jsonl") {
		t.Run(row.ID, func(t *testing.T) {
			rule := ruleNamed(t, row.Rule)
			b, g := mustBoard(t, row.Size, rule), newTwin(row.Size, rule)
			moves := splitPoints(t, row.Moves)
			require.Len(t, moves, row.Plies)
			for i, p := range moves {
				require.Falsef(t, b.Over(), "over before ply %d of %d\n%v", i+1, row.Plies, b)
				require.NoError(t, b.Make(p))
				g.play(p)
				if slices.Contains(row.OverlineAtPly, i+1) {
					require.Equal(t, Empty, b.Winner(), "an overline at ply %d\n%v", i+1, b)
				}
			}
			require.Empty(t, g.differences(t, b, row.Plies < 25))
			if row.EndedBy == "five" {
				fives++
				assert.Equal(t, row.Result, b.Winner().String(), "%v", b)
				assert.True(t, b.Over())
				assert.Contains(t, b.WinningLine(), b.LastMove())
			} else {
				assert.Equal(t, Empty, b.Winner(), "%v", b)
			}
			c, err := ParseBoard(row.Size, rule, row.Moves)
			require.NoError(t, err)
			require.Equal(t, boardText(t, b), boardText(t, c))
			require.Equal(t, row.Moves, FormatMoves(moves))
			for range moves {
				b.Undo()
			}
			require.Equal(t, boardText(t, mustBoard(t, row.Size, rule)), boardText(t, b))
		})
	}
	assert.Equal(t, 225, fives)
}

func TestOpeningRows(t *testing.T) {
	type openingRow struct {
		ID, Rule, Moves string
		Size, Plies     int
	}
	for _, file := range []string{"openings.jsonl", "bench_positions.jsonl"} {
		for _, row := range readRows[openingRow](t, file) {
			rule := ruleNamed(t, row.Rule)
			b, err := ParseBoard(row.Size, rule, row.Moves)
			require.NoError(t, err, row.ID)
			g := newTwin(row.Size, rule)
			for _, p := range splitPoints(t, row.Moves) {
				require.Empty(t, g.faults(p, false), row.ID)
				g.play(p)
			}
			if file == "openings.jsonl" {
				require.Equal(t, row.Plies, b.Len(), row.ID)
			}
			require.Empty(t, g.differences(t, b, false), row.ID)
			require.Falsef(t, b.Over(), row.ID)
		}
	}
}

func TestMakeUndoAllocatesNothing(t *testing.T) {
	for _, rule := range naiveRules {
		for _, size := range []int{5, 15, 22} {
			b := mustBoard(t, size, rule)
			moves := splitPoints(t, "a1b1c2d2e3a3b4c4d5e5")
			round := func() {
				for _, p := range moves {
					if err := b.Make(p); err != nil {
						t.Fatal(err)
					}
				}
				for range moves {
					b.Undo()
				}
			}
			round()
			assert.Zero(t, testing.AllocsPerRun(100, round), "%v %d", rule, size)
		}
	}
	// a foul test and a refused foul's question allocate nothing either
	b, _ := setUp(t, 15, Renju, doubleThreeBlack, doubleThreeWhite)
	assert.Zero(t, testing.AllocsPerRun(100, func() { b.Foul(Pt(7, 7)) }))
}

// --- text ---------------------------------------------------------------------------------

func TestPointText(t *testing.T) {
	seen := map[string]bool{}
	for y := range 22 {
		for x := range 22 {
			p := Pt(x, y)
			s := string(rune('a'+x)) + strconv.Itoa(y+1)
			seen[s] = true
			require.Equal(t, x, p.X())
			require.Equal(t, y, p.Y())
			require.Equal(t, Point(y*32+x), p)
			require.Equal(t, s, p.String())
			for _, in := range []string{s, strings.ToUpper(s)} {
				q, err := ParsePoint(in)
				require.NoError(t, err)
				require.Equal(t, p, q)
			}
			text, err := p.MarshalText()
			require.NoError(t, err)
			var q Point
			require.NoError(t, q.UnmarshalText(text))
			require.Equal(t, p, q)
		}
	}
	require.Len(t, seen, 484)
	for _, s := range []string{"", "h", "8", "w1", "a0", "a01", "h08", "a23", "a-1", "a+1", "h8x", "hh8", " ", "h 8", "8h", "é1", "a1\x00", "a99999999999999999999"} {
		q, err := ParsePoint(s)
		assert.Error(t, err, "%q", s)
		assert.Equal(t, NoPoint, q, "%q", s)
		p := Pt(3, 3)
		if s != "" {
			assert.Error(t, p.UnmarshalText([]byte(s)), "%q", s)
			assert.Equal(t, Pt(3, 3), p, "%q", s)
		}
	}
	for _, xy := range [][2]int{{-1, 0}, {0, -1}, {22, 0}, {0, 22}, {1000, 1000}, {-1, 1}, {32, 0}, {1 << 20, 0}} {
		assert.Equal(t, NoPoint, Pt(xy[0], xy[1]), "%v", xy)
	}
	for _, p := range []Point{NoPoint, Point(31), Point(22 * 32), -700, 1<<15 - 1} {
		assert.NotPanics(t, func() { _ = p.String() })
	}
}

func TestRuleAndColorText(t *testing.T) {
	for i, name := range []string{"freestyle", "standard", "renju", "caro"} {
		r, err := ParseRule(name)
		require.NoError(t, err)
		require.Equal(t, Rule(i), r)
		require.Equal(t, name, r.String())
		r, err = ParseRule(strings.ToUpper(name))
		require.NoError(t, err)
		require.Equal(t, Rule(i), r)
	}
	for _, s := range []string{"", "ren", "renju ", "omok", "4"} {
		_, err := ParseRule(s)
		assert.Error(t, err, "%q", s)
	}
	assert.NotEmpty(t, Rule(77).String())
	_, err := Rule(77).MarshalText()
	assert.Error(t, err)
	for c, name := range map[Color]string{Empty: "empty", Black: "black", White: "white"} {
		require.Equal(t, name, c.String())
		got, err := ParseColor(name)
		require.NoError(t, err)
		require.Equal(t, c, got)
	}
	assert.Equal(t, White, Black.Opponent())
	assert.Equal(t, Black, White.Opponent())
	assert.Equal(t, Empty, Empty.Opponent())
	assert.NotEmpty(t, Color(9).String())

	// values inside JSON
	type record struct {
		Rule   Rule
		Color  Color
		Best   Point
		Others map[Point]Color
		Foul   Foul
		Board  *Board
	}
	b, err := ParseBoard(9, Caro, "e5d4")
	require.NoError(t, err)
	in := record{Caro, White, Pt(7, 7), map[Point]Color{Pt(0, 0): Black}, DoubleFour, b}
	data, err := json.Marshal(in)
	require.NoError(t, err)
	for _, s := range []string{`"caro"`, `"white"`, `"h8"`, `"a1":"black"`, `"double-four"`} {
		assert.Contains(t, string(data), s)
	}
	var out struct {
		Rule   Rule
		Color  Color
		Best   Point
		Others map[Point]Color
		Board  Board
	}
	require.NoError(t, json.Unmarshal(data, &out))
	assert.Equal(t, in.Rule, out.Rule)
	assert.Equal(t, in.Color, out.Color)
	assert.Equal(t, in.Best, out.Best)
	assert.Equal(t, in.Others, out.Others)
	assert.Equal(t, boardText(t, b), boardText(t, &out.Board))
}

func TestParseBoard(t *testing.T) {
	want, err := ParseBoard(15, Freestyle, "h8i9j10")
	require.NoError(t, err)
	for _, s := range []string{"h8 i9 j10", "h8,i9,j10", " h8, i9 ,j10 ", "h8\ni9\tj10", "H8I9J10"} {
		b, err := ParseBoard(15, Freestyle, s)
		if assert.NoError(t, err, "%q", s) {
			assert.Equal(t, boardText(t, want), boardText(t, b), "%q", s)
		}
	}
	for _, tc := range []struct {
		name  string
		size  int
		rule  Rule
		moves string
		want  error // nil: any
	}{
		{"size", 4, Freestyle, "", ErrSize},
		{"rule", 15, 9, "", ErrRule},
		{"occupied", 15, Freestyle, "h8i9h8", ErrOccupied},
		{"outside", 5, Freestyle, "a1f1", ErrOutside},
		{"after the end", 15, Freestyle, "a1a2b1b2c1c2d1d2e1e2", ErrGameOver},
		{"foul", 15, Renju, "g8a1f8c1h7e1h6g1h8", ErrFoul},
		{"no row", 15, Freestyle, "h8i", nil},
		{"no column", 15, Freestyle, "8", nil},
		{"no point", 15, Freestyle, "h8z9", nil},
		{"row 0", 15, Freestyle, "h0", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, err := ParseBoard(tc.size, tc.rule, tc.moves)
			require.Error(t, err)
			assert.Nil(t, b)
			if tc.want != nil {
				assert.ErrorIs(t, err, tc.want)
			}
		})
	}
}

// textBoards are boards of every kind a text has to carry.
func textBoards(tb testing.TB) map[string]*Board {
	tb.Helper()
	all := map[string]*Board{"full": fullBoard(tb)}
	for _, rule := range naiveRules {
		all["empty "+rule.String()] = mustBoard(tb, 22, rule)
		b, g := mustBoard(tb, 15, rule), newTwin(15, rule)
		play(tb, b, g, "h8i9j8")
		all["game "+rule.String()] = b

		b, g = setUp(tb, 15, rule, "a1b2c3", "o15")
		all["set-up "+rule.String()] = b
		b = b.Clone()
		b.SetTurn(White)
		all["set-up white "+rule.String()] = b
		b = b.Clone()
		g.turn = White
		play(tb, b, g, "h8i9j8")
		all["set-up and game "+rule.String()] = b

		b = b.Clone()
		b.SetTurn(White)
		all["turn given away at the end "+rule.String()] = b
		b = b.Clone()
		for _, p := range splitPoints(tb, "c1c2c4c5") {
			b.SetTurn(White)
			if err := b.Make(p); err != nil {
				tb.Fatal(err)
			}
		}
		all["turn given away "+rule.String()] = b

		b = mustBoard(tb, 15, rule)
		play(tb, b, newTwin(15, rule), "a1b1a2b2a3b3a4b4a5")
		all["won "+rule.String()] = b
		b, _ = setUp(tb, 15, rule, "a1b1c1d1e1", "a5b5c5d5e5")
		all["two fives "+rule.String()] = b
	}
	b, _ := setUp(tb, 15, Renju, doubleThreeBlack, doubleThreeWhite)
	if err := b.MakeFoul(Pt(7, 7)); err != nil {
		tb.Fatal(err)
	}
	all["foul"] = b
	b = b.Clone()
	b.SetTurn(Black)
	all["turn given away after a foul"] = b
	return all
}

func TestBoardTextRoundTrip(t *testing.T) {
	texts := map[string]string{}
	for name, b := range textBoards(t) {
		t.Run(name, func(t *testing.T) {
			text, err := b.MarshalText()
			require.NoError(t, err)
			assert.NotContains(t, string(text), "\n")
			if other, ok := texts[string(text)]; ok && name[:4] != other[:4] {
				t.Errorf("%q is the text of %q too", text, other)
			}
			texts[string(text)] = name
			// the twin from the accessors; textFaults undoes both to the start
			g := newTwin(b.Size(), b.Rule())
			for _, c := range []Color{Black, White} {
				for p := range b.Stones(c).All() {
					g.set(p, c)
				}
			}
			for p, c := range b.Moves() {
				g.moves = append(g.moves, twinMove{p, c, false})
			}
			if n := len(g.moves); n > 0 {
				g.moves[n-1].foul = b.Winner() == White && b.WinningLine() == nil
			}
			g.turn = b.Turn()
			require.Empty(t, g.differences(t, b, true))

			data, err := json.Marshal(b)
			require.NoError(t, err)
			c := mustBoard(t, 9, Caro) // something else before
			require.NoError(t, c.Make(Pt(1, 1)))
			require.NoError(t, json.Unmarshal(data, c))
			assert.Equal(t, boardText(t, b), boardText(t, c))
			require.Empty(t, g.differences(t, c, true))
		})
	}
}

// TestUnmarshalTextErrors: what is no board text is refused, and the board stays as it was.
func TestUnmarshalTextErrors(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":                "",
		"blank":                  "  ",
		"one word":               "15",
		"words swapped":          "renju 15",
		"size":                   "4 renju",
		"size 23":                "23 renju",
		"size is no number":      "xv renju",
		"size overflows":         "99999999999999999999 renju",
		"rule":                   "15 omok",
		"unknown word":           "15 renju hello",
		"unknown key":            "15 renju green=h8",
		"stone outside":          "5 renju black=h8",
		"stone is no point":      "15 renju black=8h",
		"stone twice":            "15 renju black=h8h8",
		"stone of both":          "15 renju black=h8 white=h8",
		"turn":                   "15 renju turn=green",
		"turn empty":             "15 renju turn=empty",
		"key twice":              "15 renju turn=white turn=black",
		"move outside":           "5 renju moves=h8",
		"move on a stone":        "15 renju black=h8 moves=h8",
		"move twice":             "15 renju moves=h8h8",
		"move is no point":       "15 renju moves=h8i",
		"move after the end":     "15 freestyle moves=a1a2b1b2c1c2d1d2e1e2",
		"move after a set-up":    "15 freestyle black=a1b1c1d1e1 moves=a5",
		"foul not marked":        "15 renju black=g8f8h7h6 white=a1c1e1g1 moves=h8",
		"foul in the middle":     "15 renju black=g8f8h7h6 white=a1c1e1g1 moves=h8!a5",
		"mark on a legal move":   "15 renju moves=h8!",
		"mark alone":             "15 renju moves=!",
		"marked under freestyle": "15 freestyle black=g8f8h7h6 moves=h8!",
	} {
		t.Run(name, func(t *testing.T) {
			b, _ := setUp(t, 9, Caro, "a1", "b2")
			require.NoError(t, b.Make(Pt(4, 4)))
			before := boardText(t, b)
			err := b.UnmarshalText([]byte(text))
			if assert.Error(t, err, "%q gave %v", text, b) {
				assert.Equal(t, before, boardText(t, b))
			}
			var z Board
			assert.Error(t, z.UnmarshalText([]byte(text)))
		})
	}
}

// TestTextGrammar pins the documented form.
func TestTextGrammar(t *testing.T) {
	b, g := setUp(t, 15, Renju, "h8g9", "i7")
	b.SetTurn(White)
	g.turn = White
	play(t, b, g, "h9i8")
	text, err := b.MarshalText()
	require.NoError(t, err)
	assert.Equal(t, "15 renju black=h8g9 white=i7 turn=white moves=h9i8", string(text))
	b, _ = setUp(t, 15, Renju, doubleThreeBlack, doubleThreeWhite)
	require.NoError(t, b.MakeFoul(Pt(7, 7)))
	text, err = b.MarshalText()
	require.NoError(t, err)
	assert.True(t, strings.HasSuffix(string(text), "moves=h8!"), "%s", text)
}

func TestDrawing(t *testing.T) {
	b, err := ParseBoard(5, Freestyle, "a1e5c3")
	require.NoError(t, err)
	drawn := b.String()
	rows := strings.Split(strings.TrimRight(drawn, "\n"), "\n")
	var squeezed []string
	for _, r := range rows {
		squeezed = append(squeezed, strings.ReplaceAll(r, " ", ""))
	}
	top := slices.IndexFunc(squeezed, func(s string) bool { return strings.HasPrefix(s, "5") })
	require.GreaterOrEqual(t, top, 0, drawn)
	require.Equal(t, []string{"5....o", "4.....", "3..X..", "2.....", "1x...."}, squeezed[top:top+5], "row 1 at the bottom, the last move a capital\n%s", drawn)
	assert.Contains(t, strings.Join(squeezed, "\n"), "abcde")

	for i := range 80 {
		rnd := rand.New(rand.NewPCG(9, uint64(i)))
		g := &twin{naiveGrid: *randomFoulBoard(rnd), turn: Black}
		rule := naiveRules[i%4]
		g.rule = rule
		b := g.fresh(t, uint64(i))
		for _, p := range g.points(Empty)[:2] { // a last move in capitals
			_ = b.MakeFoul(p)
			g.set(p, b.At(p))
		}
		for form, drawing := range map[string]string{"String": b.String(), "plain": g.plain()} {
			c, err := ParseDrawing(rule, drawing)
			require.NoError(t, err, "%s\n%s", form, drawing)
			want := &twin{naiveGrid: g.naiveGrid, turn: Black}
			if len(g.points(Black)) > len(g.points(White)) {
				want.turn = White
			}
			require.Empty(t, want.differences(t, c, false), "%s\n%s", form, drawing)
		}
	}
	for name, drawing := range map[string]string{
		"nothing":     "",
		"too small":   "....\n....\n....\n....",
		"too large":   strings.Repeat(strings.Repeat(".", 23)+"\n", 23),
		"uneven":      ".....\n.....\n....\n.....\n.....",
		"not square":  ".....\n.....\n.....\n.....",
		"strange":     ".....\n.....\n..?..\n.....\n.....",
		"wide row":    ".....\n.....\n......\n.....\n.....",
		"long column": ".....\n.....\n.....\n.....\n.....\n.....",
	} {
		c, err := ParseDrawing(Renju, drawing)
		assert.Error(t, err, name)
		assert.Nil(t, c, name)
	}
	_, err = ParseDrawing(9, strings.Repeat(".....\n", 5))
	assert.ErrorIs(t, err, ErrRule)
}

// plain draws the grid without numbers and letters.
func (g *naiveGrid) plain() string {
	var sb strings.Builder
	for y := g.size - 1; y >= 0; y-- {
		for x := range g.size {
			sb.WriteByte(".XO"[g.cell[y][x]])
		}
		sb.WriteByte('\n')
	}
	return sb.String()
}

// --- symmetries ---------------------------------------------------------------------------

func TestSymmetriesOfPoints(t *testing.T) {
	require.Equal(t, 8, NumSymmetries)
	for size := 5; size <= 22; size++ {
		images := map[string]Symmetry{} // what a symmetry does to all points -> which
		for s := range Symmetry(8) {
			seen := map[Point]bool{}
			var all []string
			for y := range size {
				for x := range size {
					p := Pt(x, y)
					q := s.Apply(p, size)
					require.True(t, q.X() < size && q.Y() < size && q >= 0, "%v of %v", s, p)
					seen[q] = true
					all = append(all, q.String())
					require.Equal(t, p, s.Inverse().Apply(q, size), "symmetry %d, %v", s, p)
					// neighbours stay neighbours
					if x > 0 {
						w := s.Apply(Pt(x-1, y), size)
						dx, dy := w.X()-q.X(), w.Y()-q.Y()
						require.Equal(t, 1, dx*dx+dy*dy)
					}
					if y > 0 {
						w := s.Apply(Pt(x, y-1), size)
						dx, dy := w.X()-q.X(), w.Y()-q.Y()
						require.Equal(t, 1, dx*dx+dy*dy)
					}
				}
			}
			require.Len(t, seen, size*size)
			images[strings.Join(all, "")] = s
			require.Equal(t, NoPoint, s.Apply(NoPoint, size))
		}
		require.Len(t, images, 8, "all eight are different")
		// one after the other is one of the eight again
		for s := range Symmetry(8) {
			for u := range Symmetry(8) {
				var all []string
				for y := range size {
					for x := range size {
						all = append(all, u.Apply(s.Apply(Pt(x, y), size), size).String())
					}
				}
				require.Contains(t, images, strings.Join(all, ""))
			}
		}
		for y := range size {
			for x := range size {
				require.Equal(t, Pt(x, y), Symmetry(0).Apply(Pt(x, y), size), "0 changes nothing")
			}
		}
	}
}

func TestSymmetriesOfBoards(t *testing.T) {
	for name, b := range textBoards(t) {
		t.Run(name, func(t *testing.T) {
			before := boardText(t, b)
			for s := range Symmetry(8) {
				sb := s.ApplyBoard(b)
				require.Equal(t, before, boardText(t, b))
				require.Equal(t, b.Winner(), sb.Winner())
				require.Equal(t, b.Over(), sb.Over())
				require.Equal(t, b.Turn(), sb.Turn())
				require.Equal(t, len(b.WinningLine()), len(sb.WinningLine()))
				require.Equal(t, b.Hash(), s.Inverse().ApplyBoard(sb).Hash())
				require.Equal(t, before, boardText(t, s.Inverse().ApplyBoard(sb)), "text and all")
				g := newTwin(b.Size(), b.Rule())
				for y := range g.size {
					for x := range g.size {
						g.set(s.Apply(Pt(x, y), g.size), b.At(Pt(x, y)))
					}
				}
				for p, c := range b.Moves() {
					g.moves = append(g.moves, twinMove{s.Apply(p, g.size), c, false})
				}
				if n := len(g.moves); n > 0 {
					g.moves[n-1].foul = b.Winner() == White && b.WinningLine() == nil
				}
				g.turn = b.Turn()
				require.Empty(t, g.differences(t, sb, true), "symmetry %d\n%v", s, b)
			}
		})
	}
}

// TestDistinctPositions counts the positions after a few plies that no symmetry turns into each other.
func TestDistinctPositions(t *testing.T) {
	for name, counts := range readFacts(t).Distinct {
		size, err := strconv.Atoi(name)
		require.NoError(t, err)
		for i, want := range counts {
			plies := i + 1
			if want > 40_000 || (testing.Short() || raceEnabled) && want > 7000 {
				continue
			}
			t.Run(fmt.Sprintf("size=%d/plies=%d", size, plies), func(t *testing.T) {
				assert.Equal(t, want, distinctPositions(t, size, plies))
			})
		}
	}
}

// distinctPositions plays all positions of so many plies and counts the classes by the smallest hash among the eight images.
func distinctPositions(t *testing.T, size, plies int) int {
	t.Helper()
	var images [8]*Board
	for s := range images {
		images[s] = mustBoard(t, size, Freestyle)
	}
	seen := map[uint64]bool{}
	var rec func(ply int, prev [2]int)
	rec = func(ply int, prev [2]int) {
		if ply == plies {
			least := images[0].Hash()
			for _, b := range images[1:] {
				least = min(least, b.Hash())
			}
			seen[least] = true
			return
		}
		// each side's stones in rising order: the order of moves is forgotten
		for i := prev[ply%2]; i < size*size; i++ {
			p := Pt(i%size, i/size)
			if images[0].At(p) != Empty {
				continue
			}
			for s, b := range images {
				if err := b.Make(Symmetry(s).Apply(p, size)); err != nil {
					t.Fatal(err)
				}
			}
			next := prev
			next[ply%2] = i + 1
			rec(ply+1, next)
			for _, b := range images {
				b.Undo()
			}
		}
	}
	rec(0, [2]int{})
	return len(seen)
}
