package gomoku

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// playBytes drives a Board and its twin with the same operations, read from data, and compares them after each.
// The first two bytes give size and rule; then each operation takes its number and its point.
func playBytes(t *testing.T, data []byte) (ops map[string]int) {
	t.Helper()
	ops = map[string]int{}
	if len(data) < 2 {
		return ops
	}
	size, rule := 5+int(data[0])%18, naiveRules[data[1]%4]
	b, g := mustBoard(t, size, rule), newTwin(size, rule)
	var log []string
	for i, n := 2, 0; i+2 < len(data) && n < 300; i, n = i+3, n+1 {
		// points a little outside the board come up as well; NoPoint is 255, 255
		p := Pt(int(data[i+1])%(size+1), int(data[i+2])%(size+1))
		if data[i+1] == 255 && data[i+2] == 255 {
			p = NoPoint
		}
		op, full := "", n%8 == 0
		var err error
		before := b.Hash()
		switch k := data[i] % 32; {
		case k < 20:
			op = "Make"
			faults := g.faults(p, false)
			err = b.Make(p)
			checkFault(t, g, op, p, err, faults)
			if len(faults) == 0 {
				g.play(p)
			}
		case k < 22:
			op = "MakeFoul"
			faults := g.faults(p, true)
			err = b.MakeFoul(p)
			checkFault(t, g, op, p, err, faults)
			if len(faults) == 0 {
				g.play(p)
			}
		case k < 27:
			op = "Undo"
			gp, gok := b.Undo()
			wp, wok := g.undo()
			if gp != wp || gok != wok {
				t.Fatalf("after %v: Undo = %v %v, want %v %v\n%v", log, gp, gok, wp, wok, g)
			}
			if !gok {
				full = false
			}
		case k < 30:
			op = "SetStone"
			c := Color(k - 27)
			err = b.SetStone(p, c)
			if p == NoPoint || !g.inside(p.X(), p.Y()) {
				checkFault(t, g, op, p, err, []error{ErrOutside})
			} else {
				checkFault(t, g, op, p, err, nil)
				g.setStone(p, c)
			}
		case k == 30:
			op = "SetTurn"
			c := Color(data[i+1] % 4)
			b.SetTurn(c)
			if c == Black || c == White {
				g.turn = c
			}
		default:
			op = "Clone"
			c := b.Clone()
			c.SetTurn(naiveOther(c.Turn()))
			_ = c.SetStone(Pt(0, 0), Black) // must not show in the original
			b = b.Clone()
		}
		ops[op]++
		log = append(log, op+" "+p.String())
		if err != nil && b.Hash() != before {
			t.Fatalf("after %v: %v changed the board\n%v", log, err, g)
		}
		if diff := g.differences(t, b, full); diff != nil {
			t.Fatalf("size %d, %v, after %v:\n%s\n%v", size, rule, log, strings.Join(diff, "\n"), g)
		}
		if g.over() {
			ops["over"]++
		}
		if g.lostByFoul() {
			ops["lost by foul"]++
		}
	}
	if diff := g.differences(t, b, true); diff != nil {
		t.Fatalf("size %d, %v, after %v:\n%s\n%v", size, rule, log, strings.Join(diff, "\n"), g)
	}
	return ops
}

// checkFault accepts any of the reasons that hold, and no error when none does.
func checkFault(t *testing.T, g *twin, op string, p Point, err error, faults []error) {
	t.Helper()
	if len(faults) == 0 && err == nil {
		return
	}
	for _, f := range faults {
		if isErr(err, f) {
			return
		}
	}
	t.Fatalf("%s(%v) = %v, want one of %v\n%v", op, p, err, faults, g)
}

// randomOps writes operations that crowd a few points, so that fives, fouls and full boards come up.
func randomOps(rnd *rand.Rand) []byte {
	size := byte(rnd.IntN(18))
	if rnd.IntN(2) == 0 {
		size = byte(rnd.IntN(4)) // 5 to 8: games end, boards fill
	}
	data := []byte{size, byte(rnd.IntN(4))}
	n := int(size) + 5
	span := min(n, 5+rnd.IntN(5))
	x0, y0 := rnd.IntN(n-span+1), rnd.IntN(n-span+1)
	setup := rnd.IntN(3) == 0
	black := data[1] == 2 && rnd.IntN(2) == 0 // renju, black moving again and again: fouls
	for range 20 + rnd.IntN(150) {
		op := byte(rnd.IntN(32))
		if !setup && 27 <= op && op < 30 && rnd.IntN(20) > 0 {
			op = 0
		}
		if 22 <= op && op < 27 && rnd.IntN(2) > 0 {
			op = 0
		}
		if rnd.IntN(200) == 0 {
			data = append(data, op, 255, 255)
			continue
		}
		if black {
			data = append(data, 30, byte(Black), 0)
			op = 20 // MakeFoul
		}
		data = append(data, op, byte(x0+rnd.IntN(span)), byte(y0+rnd.IntN(span)))
		if black && rnd.IntN(8) == 0 {
			data = append(data, 22, 0, 0) // Undo
		}
	}
	return data
}

// TestBoardOps runs the fuzz target's body on random operations, so that every test run has a share of it.
func TestBoardOps(t *testing.T) {
	n := 400
	if testing.Short() || raceEnabled {
		n = 60
	}
	seen := map[string]int{}
	for i := range n {
		for op, k := range playBytes(t, randomOps(rand.New(rand.NewPCG(3, uint64(i))))) {
			seen[op] += k
		}
	}
	t.Log(seen)
	for _, op := range []string{"Make", "MakeFoul", "Undo", "SetStone", "SetTurn", "Clone", "over", "lost by foul"} {
		if seen[op] == 0 {
			t.Errorf("the random operations never show %q", op)
		}
	}
}

func FuzzBoardOps(f *testing.F) {
	for i := range 12 {
		f.Add(randomOps(rand.New(rand.NewPCG(4, uint64(i)))))
	}
	// renju 15x15: a double-three played by MakeFoul, taken back, refused by Make
	f.Add([]byte{10, 2, 28, 6, 7, 28, 5, 7, 28, 7, 6, 28, 7, 5, 20, 7, 7, 22, 0, 0, 0, 7, 7})
	// An execution is long, so minimizing takes most of the time unless told otherwise:
	// go test -fuzz FuzzBoardOps -fuzzminimizetime 10x
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 600 {
			return
		}
		playBytes(t, data)
	})
}

func FuzzParsePoint(f *testing.F) {
	for _, s := range []string{"h8", "a1", "v22", "A1", "w1", "a0", "a23", "h08", "", "h", "8", "h8 ", "h+8", "hé", "h99999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePoint(s)
		if err != nil {
			return
		}
		if x, y := p.X(), p.Y(); x < 0 || x > 21 || y < 0 || y > 21 || Pt(x, y) != p {
			t.Fatalf("ParsePoint(%q) = %d, no point of any board", s, p)
		}
		if !strings.EqualFold(p.String(), s) {
			t.Fatalf("ParsePoint(%q) = %v", s, p)
		}
		if q, err := ParsePoint(p.String()); err != nil || q != p {
			t.Fatalf("ParsePoint(%q) = %v, %v; want %v", p.String(), q, err, p)
		}
	})
}

func FuzzParseRule(f *testing.F) {
	for _, s := range []string{"freestyle", "standard", "renju", "caro", "Renju", "", "0", "9", "rule(7)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRule(s)
		if err != nil {
			return
		}
		if q, err := ParseRule(r.String()); err != nil || q != r {
			t.Fatalf("ParseRule(%q) = %v, but ParseRule(%q) = %v, %v", s, r, r.String(), q, err)
		}
		if r > Caro {
			t.Fatalf("ParseRule(%q) = %d", s, r)
		}
	})
}

func FuzzParseBoard(f *testing.F) {
	for _, s := range []string{"", "h8i9j8", "h8 i9,j8", "h8h8", "h8 i9 z3", "a1b1a2b2a3b3a4b4a5", "a1b1a2b2a3b3a4b4a5b5", "h8,,i9", "h8i", "H8I9"} {
		f.Add(byte(15), byte(0), s)
		f.Add(byte(5), byte(2), s)
	}
	f.Fuzz(func(t *testing.T, size, rule byte, s string) {
		b, err := ParseBoard(int(size), Rule(rule), s)
		if err != nil {
			if b != nil {
				t.Fatalf("ParseBoard(%q) gave a board and %v", s, err)
			}
			return
		}
		if b.Size() != int(size) || b.Rule() != Rule(rule) || size < 5 || size > 22 || rule > byte(Caro) {
			t.Fatalf("ParseBoard(%d, %d, %q) is of size %d, rule %v", size, rule, s, b.Size(), b.Rule())
		}
		// playing the moves one by one gives the same board
		c, want := mustBoard(t, int(size), Rule(rule)), newTwin(int(size), Rule(rule))
		var moves strings.Builder
		for p := range b.Moves() {
			if err := c.Make(p); err != nil {
				t.Fatalf("ParseBoard(%q) holds %v, but %v", s, p, err)
			}
			want.play(p)
			moves.WriteString(p.String())
		}
		if diff := want.differences(t, b, true); diff != nil {
			t.Fatalf("ParseBoard(%q):\n%s", s, strings.Join(diff, "\n"))
		}
		d, err := ParseBoard(int(size), Rule(rule), moves.String())
		if err != nil || d.Hash() != b.Hash() || d.Len() != b.Len() {
			t.Fatalf("ParseBoard(%q) does not read its own moves %q: %v", s, &moves, err)
		}
	})
}

func FuzzBoardUnmarshalText(f *testing.F) {
	for i := range 8 {
		rnd := rand.New(rand.NewPCG(6, uint64(i)))
		g := &twin{naiveGrid: *randomFoulBoard(rnd), turn: Black}
		b := mustBoard(f, g.size, naiveRules[i%4])
		if i%2 == 0 {
			b = g.fresh(f, 0)
		}
		for _, p := range g.points(Empty)[:6] {
			_ = b.MakeFoul(p)
		}
		text, err := b.MarshalText()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(""))
	f.Add([]byte("15"))
	f.Add([]byte("99999999999999999999 renju"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var b Board
		if err := b.UnmarshalText(text); err != nil {
			return
		}
		// the board is sound: a twin with the same stones and moves agrees with it
		g := newTwin(b.Size(), b.Rule())
		for p, c := range b.Moves() {
			g.moves = append(g.moves, twinMove{p: p, c: c})
		}
		for _, c := range []Color{Black, White} {
			for p := range b.Stones(c).All() {
				g.set(p, c)
			}
		}
		g.turn = b.Turn()
		if n := len(g.moves); n > 0 && g.moves[n-1].c == Black {
			p := g.moves[n-1].p
			g.set(p, Empty)
			g.moves[n-1].foul = g.foulAt(p) != NoFoul
			g.set(p, Black)
		}
		if diff := g.differences(t, &b, true); diff != nil {
			t.Fatalf("UnmarshalText(%q):\n%s\n%v", text, strings.Join(diff, "\n"), g)
		}
		again, err := b.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var c Board
		if err := c.UnmarshalText(again); err != nil {
			t.Fatalf("own text %q of %q: %v", again, text, err)
		}
		if third, _ := c.MarshalText(); !bytes.Equal(again, third) {
			t.Fatalf("text %q became %q, then %q", text, again, third)
		}
	})
}
