package gomoku

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSGFCanonical(t *testing.T) {
	for _, tt := range []struct{ name, in, out string }{
		{"plain", "(;GM[1]SZ[15];B[hh];W[ig])", "(;FF[4]GM[4]SZ[15];B[hh];W[ig])\n"},
		{"no size", "(;B[hh])", "(;FF[4]GM[4]SZ[15];B[hh])\n"},
		{"move in the root", "(;SZ[15]B[hh]C[x];W[ig])", "(;FF[4]GM[4]SZ[15];B[hh]C[x];W[ig])\n"},
		{"points with numbers", "(;SZ[15];B[h8];W[I9])", "(;FF[4]GM[4]SZ[15];B[hh];W[ig])\n"},
		{"capitals", "(;SZ[15];B[HH])", "(;FF[4]GM[4]SZ[15];B[hh])\n"},
		{"old names", "(;SiZe[15];Black[hh]Comment[x])", "(;FF[4]GM[4]SZ[15];B[hh]C[x])\n"},
		{"passes", "(;SZ[19];B[];W[tt])", "(;FF[4]GM[4]SZ[19];B[];W[])\n"},
		{"tt is a point", "(;SZ[20];B[tt])", "(;FF[4]GM[4]SZ[20];B[tt])\n"},
		{"spaces", " ( ; SZ [15]\n ;\tB\r\n[hh] ) ", "(;FF[4]GM[4]SZ[15];B[hh])\n"},
		{"rectangle", "(;SZ[15]AB[aa:bb][cc])", "(;FF[4]GM[4]SZ[15]AB[aa][ba][ab][bb][cc])\n"},
		{"set-up and move", "(;SZ[15];AE[aa]B[hh]C[x])", "(;FF[4]GM[4]SZ[15];AE[aa];B[hh]C[x])\n"},
		{"square size", "(;SZ[15:15])", "(;FF[4]GM[4]SZ[15])\n"},
		{"rule", "(;SZ[15]RU[Renju])", "(;FF[4]GM[4]SZ[15]RU[renju])\n"},
		{"rule by number", "(;SZ[15]RU[9])", "(;FF[4]GM[4]SZ[15]RU[caro])\n"},
		{"other rule", "(;SZ[15]RU[RIF \\]])", "(;FF[4]GM[4]SZ[15]RU[RIF \\]])\n"},
		{"result", "(;SZ[15]RE[W+Resign])", "(;FF[4]GM[4]SZ[15]RE[W+R])\n"},
		{"result with a reason", "(;SZ[15]RE[B+five])", "(;FF[4]GM[4]SZ[15]RE[B+five])\n"},
		{"draw", "(;SZ[15]RE[Draw])", "(;FF[4]GM[4]SZ[15]RE[0])\n"},
		{"void", "(;SZ[15]RE[Void])", "(;FF[4]GM[4]SZ[15]RE[Void])\n"},
		{"unknown result", "(;SZ[15]RE[?])", "(;FF[4]GM[4]SZ[15])\n"},
		{"result in other words", "(;SZ[15]RE[黑胜])", "(;FF[4]GM[4]SZ[15]RE[黑胜])\n"},
		{"alternative fifths", "(;SZ[15];B[hh]5A[ig][gi])", "(;FF[4]GM[4]SZ[15];B[hh]5A[ig][gi])\n"},
		{"unknown properties", "(;SZ[15]AP[x:1]XX[a\\:b][];B[hh]BL[9.5])", "(;FF[4]GM[4]SZ[15]AP[x:1]XX[a\\:b][];B[hh]BL[9.5])\n"},
		{"time", "(;SZ[15];B[hh]MS[1500])", "(;FF[4]GM[4]SZ[15];B[hh]MS[1500])\n"},
		{"another MS", "(;SZ[15];B[hh]MS[x])", "(;FF[4]GM[4]SZ[15];B[hh]MS[x])\n"},
		{"escapes", "(;SZ[15]C[a\\]b\\\\c\\:d\\\ne\\x:])", "(;FF[4]GM[4]SZ[15]C[a\\]b\\\\c:dex:])\n"},
		{"line ends", "(;SZ[15]C[a\r\nb\rc\\\r\nd])", "(;FF[4]GM[4]SZ[15]C[a\nb\ncd])\n"},
		{"labels", "(;SZ[15]LB[aa:1][bb:x\\:y][cc])", "(;FF[4]GM[4]SZ[15]LB[aa:1][bb:x\\:y][cc:])\n"},
		{"repeated texts", "(;SZ[15]PB[a][b]C[x]C[y])", "(;FF[4]GM[4]SZ[15]PB[a, b]C[x\ny])\n"},
		{"empty nodes", "(;SZ[15];;B[hh];)", "(;FF[4]GM[4]SZ[15];;B[hh];)\n"},
		{"variations", "(;SZ[15];B[hh](;W[ig];B[ii])(;W[gg]))", "(;FF[4]GM[4]SZ[15];B[hh]\n(;W[ig];B[ii])\n(;W[gg]))\n"},
		{"needless parentheses", "(;SZ[15](;B[hh](;W[ig])))", "(;FF[4]GM[4]SZ[15];B[hh];W[ig])\n"},
		{"first moves differ", "(;SZ[15](;B[hh])(;B[ii]))", "(;FF[4]GM[4]SZ[15]\n(;B[hh])\n(;B[ii]))\n"},
		{"text before", "Subject: a game (of renju)\n\n(;SZ[15];B[hh])\x1a", "(;FF[4]GM[4]SZ[15];B[hh])\n"},
		{"tags", "(;SZ[15]TAG[Time Control:1][Time:09\\]])", "(;FF[4]GM[4]SZ[15]TAG[Time Control:1][Time:09\\]])\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec := readOne(t, tt.in, ReadOptions{Format: SGF})
			out, losses := writeLossy(t, rec, SGF)
			assert.Empty(t, losses)
			assert.Equal(t, tt.out, out)
			checkRoundTrip(t, rec)
		})
	}
}

func TestSGFFields(t *testing.T) {
	rec := readOne(t, "(;GM[4]SZ[20]RU[standard]PB[Ann]BR[2d]BT[A]PW[Bob]WR[3d]WT[B]EV[e]RO[2]PC[p]DT[2024-01-02]"+
		"ON[D1]GC[g]C[start]CA[utf-8]RE[B+T]PL[W]AB[aa]LB[bb:x];W[cc]MS[20]C[hi])", ReadOptions{})
	want := &Record{
		Size: 20, Rule: Standard, Black: Player{"Ann", "2d", "A"}, White: Player{"Bob", "3d", "B"},
		Outcome: BlackWins, Reason: "time", Event: "e", Round: "2", Place: "p", Date: "2024-01-02", Opening: "D1",
		Comment: "g", Charset: "utf-8",
		Root: RecordNode{
			Point: NoPoint, Comment: "start", Turn: White,
			Setup: []Stone{{Pt(0, 19), Black}}, Labels: []Label{{Pt(1, 18), "x"}},
			Next: []*RecordNode{{Color: White, Point: Pt(2, 17), Time: 20 * time.Millisecond, Comment: "hi"}},
		},
	}
	assert.Equal(t, want, rec)
	rec = readOne(t, "(;SZ[15];B[h8])", ReadOptions{RowsFromTop: true})
	assert.Equal(t, "h8", moveText(rec))
	rec = readOne(t, "(;SZ[15];B[h1])", ReadOptions{RowsFromTop: true})
	assert.Equal(t, "h15", moveText(rec))
}

func TestSGFFaults(t *testing.T) {
	const good = "(;SZ[15];B[hh])"
	for _, tt := range []struct {
		in        string
		line, col int
		want      string
	}{
		{"(;SZ[15]\n;B[zz])", 2, 3, "outside"},
		{"(;SZ[15];B[h16])", 1, 11, "outside"},
		{"(;SZ[15];B[hh];W[hh])", 1, 17, "occupied"},
		{"(;SZ[15];B[hh](;W[ii])(;W[jj];B[hh]))", 1, 32, "occupied"},
		{"(;SZ[15]AB[hh];W[hh])", 1, 17, "occupied"},
		{"(;SZ[15];B[?])", 1, 11, "not a point"},
		{"(;SZ[15];B[hh:ii])", 1, 11, "not a point"},
		{"(;SZ[15];B[hh][ii])", 1, 10, "two moves"},
		{"(;SZ[15];B[hh]W[ii])", 1, 15, "two moves"},
		{"(;SZ[15]AB[aa:zz])", 1, 11, "outside"},
		{"(;SZ[15]LB[zz:a])", 1, 11, "outside"},
		{"(;SZ[15]PL[x])", 1, 9, "neither"},
		{"(;SZ[23])", 1, 5, "size"},
		{"(;SZ[x])", 1, 5, "size"},
		{"(;SZ[15:16])", 1, 5, "size"},
		{"(;GM[2]SZ[8])", 1, 5, "not gomoku"},
		{"(;SZ[15];B)", 1, 10, "no value"},
		{"(;SZ[15];b[hh])", 1, 10, "no value"},
		{"(;SZ[15];B[hh]=)", 1, 15, "unexpected"},
		{"(;SZ[15]())", 1, 9, "without a node"},
		{"(;SZ[15];B[hh]\n" + good, 2, 1, "another game"},
		{"(;SZ[15];B[aa]C[bb\n(;SZ[15", 1, 16, "closing"},
		{"(;SZ[15];B[hh]", 1, 1, "closing"},
		{"junk", 1, 1, "missing"},
	} {
		t.Run(tt.in, func(t *testing.T) {
			recs, faults := readAll(tt.in, ReadOptions{Format: SGF})
			if strings.Contains(tt.in, good) {
				require.Len(t, recs, 1)
			} else {
				require.Empty(t, recs)
			}
			require.Len(t, faults, 1)
			assert.ErrorContains(t, faults[0], tt.want)
			if tt.line > 0 {
				assert.Equal(t, tt.line, faults[0].Line, faults[0].Error())
				assert.Equal(t, tt.col, faults[0].Column, faults[0].Error())
				assert.Equal(t, SGF, faults[0].Format)
				at := 0
				for range tt.line - 1 {
					at += strings.Index(tt.in[at:], "\n") + 1
				}
				assert.EqualValues(t, at+tt.col-1, faults[0].Offset)
			}
			if tt.want == "closing" || tt.want == "another game" || tt.want == "missing" {
				return
			}
			// The games around a bad one are read.
			recs, faults = readAll(good+"\n"+tt.in+"\n"+good, ReadOptions{Format: SGF})
			require.Len(t, faults, 1)
			assert.Equal(t, 2, faults[0].Game)
			assert.Len(t, recs, 2)
		})
	}
}

func TestSGFTextBetweenGames(t *testing.T) {
	recs, faults := readAll("(;SZ[15];B[hh])\n;W[ii])\n(;SZ[15];B[ii])\nend", ReadOptions{})
	assert.Len(t, recs, 2)
	require.Len(t, faults, 2)
	assert.Equal(t, []int{2, 4}, []int{faults[0].Game, faults[1].Game})
	assert.Equal(t, "gomoku: sgf game 2, line 2, column 1: text outside a game", faults[0].Error())
}

func TestSGFNesting(t *testing.T) {
	deep := func(n int) string {
		return "(;SZ[15]" + strings.Repeat("(;B[]", n) + strings.Repeat(")", n) + ")"
	}
	_, faults := readAll(deep(maxNesting-1), ReadOptions{})
	assert.Empty(t, faults)
	recs, faults := readAll(deep(100000)+"\n(;SZ[15];B[hh])", ReadOptions{})
	require.Len(t, faults, 1)
	assert.ErrorIs(t, faults[0], ErrRecordTooLarge)
	assert.Len(t, recs, 1)

	_, faults = readAll("(;"+strings.Repeat("X1[]", maxProperties+1)+")", ReadOptions{})
	require.Len(t, faults, 1)
	assert.ErrorIs(t, faults[0], ErrRecordTooLarge)
}

// In these encodings "]" and "\" are second bytes of characters. Programs leave
// them as they are or escape them; both ways must give the same text.
func TestSGFTwoByteCharsets(t *testing.T) {
	const (
		bracket   = "\xa6\x5d" // big5 for the second character of Honinbo
		backslash = "\x95\x5c" // gbk, as in a well-known player's name
		other     = "\xa5\xbb"
	)
	for _, text := range []string{
		bracket, backslash, other + bracket + other, bracket + "AB[cd", bracket + bracket + backslash,
		"x" + backslash + "x", backslash + "\n;B", bracket + "\nx", other + "]", "\\" + bracket, backslash + "]",
		other[:1], "a]" + other[:1], bracket + ";", bracket + "(x)", backslash + backslash + bracket,
	} {
		for _, charset := range []string{"big5", "GBK", "gb2312", "Shift_JIS"} {
			rec := readOne(t, "(;CA["+charset+"]SZ[15])", ReadOptions{})
			rec.Comment, rec.Black.Name = text, text
			rec.Root.Labels = []Label{{0, text}, {1, text + ":" + text}}
			out, losses := writeLossy(t, rec, SGF)
			if !strings.Contains(text, "\n") {
				assert.Empty(t, losses, "%s %q", charset, text)
				assert.Equal(t, rec, readOne(t, out, ReadOptions{}))
			}
			back := readOne(t, out, ReadOptions{})
			again, _ := writeLossy(t, back, SGF)
			assert.Equal(t, out, again)
		}
	}
	for _, in := range []string{
		"(;CA[big5]SZ[15]C[" + other + bracket + other + "];B[hh])",
		"(;CA[big5]SZ[15]C[" + other + "\xa6\\\x5d" + other + "];B[hh])",
		"(;SZ[15]CA[big5]C[" + other + "\xa6\\\x5d" + other + "];B[hh])",
	} {
		rec := readOne(t, in, ReadOptions{})
		assert.Equal(t, other+bracket+other, rec.Root.Comment)
		assert.Equal(t, "h8", moveText(rec))
	}
	for _, in := range []string{
		"(;CA[gbk]SZ[15]C[" + backslash + "x];B[hh])",
		"(;CA[gbk]SZ[15]C[\x95\\\\x];B[hh])",
	} {
		assert.Equal(t, backslash+"x", readOne(t, in, ReadOptions{}).Root.Comment)
	}
	// A character cut in half does not swallow the end of the value.
	rec := readOne(t, "(;CA[gbk]SZ[15]C[x\x95];B[hh])", ReadOptions{})
	assert.Equal(t, "x\x95", rec.Root.Comment)
	// Private properties keep their bytes too.
	rec = readOne(t, "(;CA[big5]SZ[15]US["+bracket+other+"];B[hh])", ReadOptions{})
	checkRoundTrip(t, rec)
	out, losses := writeLossy(t, rec, SGF)
	assert.Empty(t, losses)
	assert.Equal(t, rec, readOne(t, out, ReadOptions{}))
}

func TestSGFOtherCharsets(t *testing.T) {
	all := make([]byte, 0, 256)
	for c := 1; c < 256; c++ {
		if c != '\r' {
			all = append(all, byte(c))
		}
	}
	for _, charset := range []string{"", "UTF-8", "KOI8-R", "gb2312", "Shift_JIS"} {
		rec := readOne(t, "(;SZ[15])", ReadOptions{})
		rec.Charset, rec.Comment = charset, string(all)
		for _, f := range []Format{SGF, JSONLines} {
			out, losses := writeLossy(t, rec, f)
			assert.Empty(t, losses)
			assert.Equal(t, rec, readOne(t, out, ReadOptions{Format: f}), charset)
		}
	}
}

func TestSGFWriterRefuses(t *testing.T) {
	rec := readOne(t, "h8", ReadOptions{})
	for _, raw := range []string{"]", "a\\", "\\\\]"} {
		rec.Root.Extra = []Property{{"XX", []string{raw}}}
		_, err := AppendRecord(nil, rec, SGF, WriteOptions{AllowLoss: true})
		assert.ErrorContains(t, err, "not escaped", raw)
	}
	// What a property can't say is a loss, and does not become a move.
	rec.Root.Extra = []Property{{"B", []string{"aa"}}, {"x y", []string{"1"}}, {"YY", nil}, {"SZ", []string{"9"}}}
	out, losses := writeLossy(t, rec, SGF)
	assert.Len(t, losses, 4)
	assert.Equal(t, "(;FF[4]GM[4]SZ[15];B[hh])\n", out)
	// Tags of a name are written together, as they are after they have been read.
	rec.Root.Extra = []Property{{"e", []string{"1"}}, {"a", []string{"2"}}, {"e", []string{"3"}}}
	out, _ = writeLossy(t, rec, SGF)
	assert.Equal(t, "(;FF[4]GM[4]SZ[15]TAG[e:1][e:3][a:2];B[hh])\n", out)
	again, losses := writeLossy(t, readOne(t, out, ReadOptions{}), SGF)
	assert.Equal(t, out, again)
	assert.Empty(t, losses)
	rec.Root.Extra = nil
	rec.Event = "two\nlines"
	out, losses = writeLossy(t, rec, SGF)
	assert.Equal(t, []Loss{{Field: "event", Count: 1}}, losses)
	assert.Contains(t, out, "EV[two lines]")
}

func TestSGFLineLength(t *testing.T) {
	rec := readOne(t, strings.Repeat("-", 300), ReadOptions{Format: MoveLines})
	out, _ := writeLossy(t, rec, SGF)
	for line := range strings.Lines(out) {
		assert.LessOrEqual(t, len(line), 80, line)
	}
	checkRoundTrip(t, rec)
}

func TestSGFUnescapedProperty(t *testing.T) {
	for _, value := range []string{"a]b", `a\`} {
		rec := readOne(t, "h8", ReadOptions{})
		rec.Root.Extra = []Property{{"XY", []string{value}}}
		require.NoError(t, rec.Validate())
		_, err := AppendRecord(nil, rec, SGF, WriteOptions{AllowLoss: true})
		assert.ErrorContains(t, err, "value "+strconv.Quote(value)+" of property XY is not escaped")
		text, losses := writeLossy(t, rec, JSONLines)
		assert.Empty(t, losses)
		assert.Equal(t, rec.Root.Extra, readOne(t, text, ReadOptions{}).Root.Extra)
	}
}

// FuzzSGF looks for texts that make the reader panic, loop or lose track, and
// for records that do not survive writing.
func FuzzSGF(f *testing.F) {
	addRecordSeeds(f, SGF)
	f.Add("(;CA[gbk]SZ[15]C[\x95\\x\x95]\x95\\\\]PB[\xa6\\]AB[];B[hh]LB[aa:\x95]x])")
	f.Add("(;SZ[15];AB[aa:cc]B[hh](;W[])(;W[tt];AE[aa]))(;GM[4]")
	f.Fuzz(func(t *testing.T, text string) { fuzzFormat(t, text, SGF) })
}

func ExampleRecord_variations() {
	rec := &Record{Size: 15, Rule: Renju}
	move := rec.Add(Pt(7, 7), Black).Add(Pt(7, 8), White)
	move.Add(Pt(7, 9), Black).Comment = "Kansei"
	move.Add(Pt(8, 9), Black).Comment = "Keigetsu"
	text, err := AppendRecord(nil, rec, SGF, WriteOptions{})
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// (;FF[4]GM[4]SZ[15]RU[renju];B[hh];W[hg]
	// (;B[hf]C[Kansei])
	// (;B[if]C[Keigetsu]))
	// <nil>
}
