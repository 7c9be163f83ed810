package gomoku

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readAll returns the good games of a text and the faults of the bad ones.
func readAll(text string, o ReadOptions) (recs []*Record, faults []*RecordError) {
	for rec, err := range ReadRecords(strings.NewReader(text), o) {
		if err != nil {
			faults = append(faults, err.(*RecordError))
			continue
		}
		recs = append(recs, rec)
	}
	return recs, faults
}

// readOne returns the only game of a text.
func readOne(t testing.TB, text string, o ReadOptions) *Record {
	t.Helper()
	recs, faults := readAll(text, o)
	require.Empty(t, faults, text)
	require.Len(t, recs, 1, text)
	return recs[0]
}

// writeLossy returns the text of a record and what was lost.
func writeLossy(t testing.TB, rec *Record, f Format) (string, []Loss) {
	t.Helper()
	losses, err := rec.Losses(f)
	require.NoError(t, err)
	text, err := AppendRecord(nil, rec, f, WriteOptions{AllowLoss: true})
	if hasStones(losses) {
		assert.Error(t, err)
		return "", losses
	}
	require.NoError(t, err)
	return string(text), losses
}

// moveText returns the moves of the main line.
func moveText(rec *Record) string {
	var s strings.Builder
	for p := range rec.Moves() {
		s.WriteString(p.String())
	}
	return s.String()
}

// checkRoundTrip writes rec in every format, reads it and writes it again: the
// bytes must stay, and if nothing was reported lost, so must the record.
func checkRoundTrip(t testing.TB, rec *Record) {
	t.Helper()
	for f := SGF; int(f) < len(formats); f++ {
		text, losses := writeLossy(t, rec, f)
		if hasStones(losses) {
			continue
		}
		back := readOne(t, text, ReadOptions{Format: f, Size: rec.Size})
		again, _ := writeLossy(t, back, f)
		require.Equal(t, text, again, "%v is not stable", f)
		if len(losses) == 0 {
			require.Empty(t, diffRecords(rec, back), f)
		}
		if f == SGF {
			require.Empty(t, losses, "SGF holds everything")
		}
	}
}

func TestRecordSamples(t *testing.T) {
	tests := []struct {
		name   string
		format Format
		games  int
		moves  string // of the first game
	}{
		{"lfz084_test1.sgf", SGF, 1, "h8i9i7g9j7g8j9g7g6h10"},
		{"lfz084_test2.sgf", SGF, 1, "h8i9i7g9j7g8j9g7g10j8k7l7k6k8j6i8"},
		{"lfz084_test3.sgf", SGF, 1, "h8i9i7g9j7g8j9g7g10j8k7l7k6k5"},
		{"lfz084_test4.sgf", SGF, 1, "h8i9i7g9j7g8j9g7g10j8k7l7k6j6"},
		{"lfz084_test5.sgf", SGF, 1, "h8i9i7g9j7g8j9g7g6h10"},
		{"lfz084_zjrenju_gm5.sgf", SGF, 1, "h8h9h6i10i6i9g9g8j11i7i8"},
		{"lfz084_gowrite_labels.sgf", SGF, 1, "h8i8"},
		{"gomocuponline_1x0-16-2.psq", PSQ, 1, "j11k9j8k8i10l9h9k12k10m10n11n9l11m9j9o9"},
		{"genopen_22.psq", PSQ, 1, "b3c2g2f5e4"},
		{"playok_sample.pgn", PlayOK, 1, "f3g3h3h5i5g6f6f7i4i6g4f5h4f4i3g5j4k4h2k5g2n15i2o14i1"},
		{"piskvork_openings.txt", OffsetLines, 41, "k10l10l7"},
	}
	seen := map[string]bool{"README.md": true}
	for _, tt := range tests {
		seen[tt.name] = true
		t.Run(tt.name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata/records", tt.name))
			require.NoError(t, err)
			assert.Equal(t, tt.format, sniffFormat(text))
			o := ReadOptions{}
			if tt.format == OffsetLines {
				o.Size = 20
			}
			recs, faults := readAll(string(text), o)
			require.Empty(t, faults)
			require.Len(t, recs, tt.games)
			assert.True(t, strings.HasPrefix(moveText(recs[0]), tt.moves), moveText(recs[0]))
			for _, rec := range recs {
				_, err := rec.Board()
				assert.NoError(t, err)
				checkRoundTrip(t, rec)
			}
		})
	}
	entries, err := os.ReadDir("testdata/records")
	require.NoError(t, err)
	for _, e := range entries {
		assert.True(t, seen[e.Name()], "%s is not tested", e.Name())
	}
}

// fullRecord has something in every field.
func fullRecord() *Record {
	r := &Record{
		Size: 15, Rule: Renju,
		Black: Player{"Ann ]\\:", "2d", "A"}, White: Player{"Bob", "1900", "B"},
		Outcome: WhiteWins, Reason: "time",
		Event: "Open", Round: "3", Place: "Tallinn", Date: "2024-05-31", Opening: "D1",
		Comment: "two\nlines [1] \\", Charset: "UTF-8",
		Root: RecordNode{
			Point: NoPoint, Comment: "start", Turn: White,
			Setup:  []Stone{{Pt(7, 7), Black}, {Pt(0, 0), White}},
			Labels: []Label{{Pt(1, 1), "A:]"}, {Pt(2, 2), "星"}},
			Extra:  []Property{{"AP", []string{"x:1"}}, {"US", []string{`a\]b`, ""}}},
		},
	}
	n := r.Add(Pt(8, 8), White)
	n.Time, n.Comment = 1234*time.Millisecond, "good"
	m := n.Add(Pt(9, 9), Black)
	n.Add(NoPoint, Black).Add(Pt(9, 9), White).Comment = "in a variation"
	m.Labels = []Label{{Pt(9, 9), "1"}}
	k := &RecordNode{Point: NoPoint, Setup: []Stone{{Pt(14, 14), White}, {Pt(7, 7), Empty}}}
	m.Next = append(m.Next, k)
	k.Add(NoPoint, White).Add(Pt(7, 7), Black).Extra = []Property{{"GB", []string{"1"}}, {"Clock", []string{"0:10"}}}
	return r
}

func TestRecordHoldsEverything(t *testing.T) {
	rec := fullRecord()
	require.NoError(t, rec.Validate())
	checkRoundTrip(t, rec)
	for _, f := range []Format{SGF, JSONLines} {
		text, losses := writeLossy(t, rec, f)
		assert.Empty(t, losses)
		back := readOne(t, text, ReadOptions{})
		assert.Equal(t, rec, back, f)
	}
}

func TestRecordBoard(t *testing.T) {
	for _, text := range []string{
		"15 freestyle turn=black",
		"15 freestyle turn=white",
		"15 renju turn=black moves=h8i9j8",
		"20 caro black=h8 white=i9j9 turn=black moves=a1b2",
		"15 standard black=a1 turn=white moves=h8-i9--j9-",
		"15 freestyle turn=black moves=a1b1a2b2a3b3a4b4a5",
		"15 renju white=a1 turn=black moves=h8a3h7c15g9o1f9o7h9!",
	} {
		t.Run(text, func(t *testing.T) {
			b := new(Board)
			require.NoError(t, b.UnmarshalText([]byte(text)))
			rec := NewRecord(b)
			require.NoError(t, rec.Validate())
			again, err := rec.Board()
			require.NoError(t, err)
			got, err := again.MarshalText()
			require.NoError(t, err)
			assert.Equal(t, normalBoardText(t, text), string(got))
			assert.Equal(t, b.Winner(), rec.Outcome.Winner())
			checkRoundTrip(t, rec)
		})
	}
}

// normalBoardText returns a board's text as a record keeps it: a pass more or
// less between two moves is only who plays next.
func normalBoardText(t *testing.T, text string) string {
	b := new(Board)
	require.NoError(t, b.UnmarshalText([]byte(text)))
	norm, err := b.MarshalText()
	require.NoError(t, err)
	return string(norm)
}

func TestNewRecordPasses(t *testing.T) {
	b, err := ParseBoard(15, Freestyle, "h8")
	require.NoError(t, err)
	for _, p := range []Point{Pt(8, 8), Pt(9, 9)} {
		b.SetTurn(Black)
		require.NoError(t, b.Make(p))
	}
	b.SetTurn(Black)
	rec := NewRecord(b)
	assert.Equal(t, "h8-i9-j10-", moveText(rec))
	want := Black
	for _, c := range rec.Moves() {
		assert.Equal(t, want, c)
		want = want.Opponent()
	}
	again, err := rec.Board()
	require.NoError(t, err)
	assert.Equal(t, b.String(), again.String())
	assert.Equal(t, b.Hash(), again.Hash())
	for _, f := range []Format{SGF, PlayOK, MoveLines, JSONLines} {
		losses, err := rec.Losses(f)
		require.NoError(t, err)
		assert.False(t, hasStones(losses), "%v: %v", f, losses)
	}
	checkRoundTrip(t, rec)
}

func TestNewRecordResult(t *testing.T) {
	b, err := ParseBoard(15, Freestyle, "a1b1a2b2a3b3a4b4a5")
	require.NoError(t, err)
	rec := NewRecord(b)
	assert.Equal(t, BlackWins, rec.Outcome)
	assert.Equal(t, "five", rec.Reason)

	b, err = ParseBoard(15, Renju, "h8a1h7a3g9a5f9a7")
	require.NoError(t, err)
	require.NoError(t, b.MakeFoul(Pt(7, 8)))
	if b.Winner() == White {
		rec = NewRecord(b)
		assert.Equal(t, WhiteWins, rec.Outcome)
		assert.Equal(t, "foul", rec.Reason)
	}
}

func TestRecordBoardErrors(t *testing.T) {
	rec := readOne(t, "h8i9j8", ReadOptions{})
	rec.Add(Pt(7, 7), White)
	_, err := rec.Board()
	var replay *ReplayError
	require.ErrorAs(t, err, &replay)
	assert.Equal(t, 4, replay.Move)
	assert.ErrorIs(t, err, ErrOccupied)
	assert.Equal(t, "gomoku: replay move 4 (white h8): gomoku: make h8: point is occupied", err.Error())

	rec = readOne(t, "a1b1a2b2a3b3a4b4a5h8", ReadOptions{})
	_, err = rec.Board()
	assert.EqualError(t, err, "gomoku: replay move 10 (white h8): gomoku: make h8: the game is over")

	rec.Size = 4
	_, err = rec.Board()
	assert.ErrorIs(t, err, ErrSize)

	rec = &Record{Size: 15, Root: RecordNode{Setup: []Stone{{Pt(20, 20), Black}}}}
	_, err = rec.Board()
	assert.EqualError(t, err, "gomoku: replay: set-up: gomoku: set u21: point is outside the board")
}

func TestRecordBoardAt(t *testing.T) {
	rec := readOne(t, "(;SZ[15];B[hh](;W[ii];B[jj])(;W[hi]))", ReadOptions{})
	first := rec.Root.Next[0]
	for want, n := range map[string]*RecordNode{
		"":       &rec.Root,
		"h8":     first,
		"h8i7":   first.Next[0],
		"h8i7j6": first.Next[0].Next[0],
		"h8h7":   first.Next[1],
	} {
		b, err := rec.BoardAt(n)
		require.NoError(t, err)
		var moves []Point
		for p := range b.Moves() {
			moves = append(moves, p)
		}
		assert.Equal(t, want, FormatMoves(moves))
	}
	_, err := rec.BoardAt(&RecordNode{})
	assert.ErrorIs(t, err, ErrNotInRecord)
}

func TestRecordSetupTurn(t *testing.T) {
	rec := readOne(t, "(;SZ[15]AB[hh][ii]AW[jj])", ReadOptions{})
	b, err := rec.Board()
	require.NoError(t, err)
	assert.Equal(t, White, b.Turn())
	rec = readOne(t, "(;SZ[15]AB[hh][ii]AW[jj]PL[B])", ReadOptions{})
	b, err = rec.Board()
	require.NoError(t, err)
	assert.Equal(t, Black, b.Turn())
}

func TestRecordValidate(t *testing.T) {
	good := func() *Record { return &Record{Size: 15, Root: RecordNode{Point: NoPoint}} }
	tests := []struct {
		name string
		want error
		f    func(*Record)
	}{
		{"size", ErrSize, func(r *Record) { r.Size = 23 }},
		{"rule", ErrRule, func(r *Record) { r.Rule = 99 }},
		{"outcome", nil, func(r *Record) { r.Outcome = 99 }},
		{"root move", nil, func(r *Record) { r.Root.Color = Black }},
		{"colour", ErrColor, func(r *Record) { r.Add(Pt(0, 0), 3) }},
		{"turn", ErrColor, func(r *Record) { r.Root.Turn = 3 }},
		{"outside", ErrOutside, func(r *Record) { r.Add(Pt(15, 0), Black) }},
		{"point", ErrOutside, func(r *Record) { r.Add(-7, Black) }},
		{"occupied", ErrOccupied, func(r *Record) { r.Add(Pt(1, 0), Black); r.Add(Pt(1, 0), White) }},
		{"set-up colour", ErrColor, func(r *Record) { r.Root.Setup = []Stone{{0, 3}} }},
		{"set-up point", ErrOutside, func(r *Record) { r.Root.Setup = []Stone{{-1, Black}} }},
		{"label", ErrOutside, func(r *Record) { r.Root.Labels = []Label{{Pt(16, 0), ""}} }},
		{"move and turn", nil, func(r *Record) { r.Add(Pt(1, 0), Black).Turn = Black }},
		{"both", nil, func(r *Record) { r.Add(Pt(1, 0), Black).Setup = []Stone{{0, Black}} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := good()
			require.NoError(t, r.Validate())
			tt.f(r)
			err := r.Validate()
			require.Error(t, err)
			if tt.want != nil {
				assert.ErrorIs(t, err, tt.want)
			}
			assert.Error(t, WriteRecord(io.Discard, r, SGF, WriteOptions{AllowLoss: true}))
			_, err = r.MarshalJSON()
			assert.Error(t, err)
		})
	}
	r := good()
	first := r.Add(Pt(1, 0), Black)
	first.Add(Pt(2, 0), White)
	r.Root.Add(Pt(2, 0), Black).Add(Pt(1, 0), White)
	assert.NoError(t, r.Validate(), "the same points in variations")
}

func TestNilRecord(t *testing.T) {
	rec := readOne(t, "h8", ReadOptions{})
	path := filepath.Join(t.TempDir(), "x.sgf")
	for f := SGF; int(f) < len(formats); f++ {
		assert.EqualError(t, WriteRecord(io.Discard, nil, f, WriteOptions{}), "gomoku: record: nil")
		err := SaveRecords(path, []*Record{rec, nil}, f, WriteOptions{AllowLoss: true})
		assert.EqualError(t, err, "gomoku: save records: game 2: gomoku: record: nil")
	}
	assert.NoFileExists(t, path)
	_, err := (*Record)(nil).Losses(SGF)
	assert.Error(t, err)
	assert.Error(t, NewRecord(nil).Validate())
	rec.Root.Next[0].Next = []*RecordNode{nil}
	assert.EqualError(t, rec.Validate(), "gomoku: record: node 2 deep: nil node")
}

func TestRecordLosses(t *testing.T) {
	rec := fullRecord()
	fields := func(f Format) (s []string) {
		losses, err := rec.Losses(f)
		require.NoError(t, err)
		for _, l := range losses {
			s = append(s, l.Field)
		}
		return s
	}
	assert.Empty(t, fields(SGF))
	assert.Empty(t, fields(JSONLines))
	assert.Contains(t, fields(PSQ), fieldOrder)
	assert.Contains(t, fields(PlayOK), fieldSetup)

	rec = readOne(t, "h8i9j8", ReadOptions{})
	for f := SGF; f <= JSONLines; f++ {
		assert.Empty(t, fields(f), f)
	}
	rec.Root.Next[0].Comment = "a"
	rec.Root.Next[0].Next[0].Comment = "b"
	rec.Root.Next[0].Time = time.Second
	rec.Root.Next[0].Next[0].Add(Pt(0, 0), Black)
	rec.Root.Next[0].Labels = []Label{{0, "x"}}
	rec.Root.Next[0].Extra = []Property{{"KO", []string{""}}}
	rec.Rule, rec.RuleUnknown = Renju, false
	rec.Black.Name = "Ann"
	rec.Outcome = Draw
	assert.Equal(t, []string{"rule", "outcome", "comment", "labels", "KO", "variations"}, fields(PSQ))
	assert.Equal(t, []string{"time", "labels", "KO", "variations"}, fields(PlayOK))
	assert.Equal(t, []string{"rule", "black player", "outcome", "time", "comment", "labels", "KO", "variations"}, fields(MoveLines))

	err := WriteRecord(io.Discard, rec, PSQ, WriteOptions{})
	var loss *LossError
	require.ErrorAs(t, err, &loss)
	assert.Equal(t, "gomoku: psq can't hold rule, outcome, comment (2 places, first at move 1), "+
		"labels (at move 1), KO (at move 1), variations (at move 3)", err.Error())

	// Moves are never dropped, whatever is allowed.
	rec.Root.Next[0].Add(NoPoint, White)
	rec.Root.Next[0].Next[0], rec.Root.Next[0].Next[1] = rec.Root.Next[0].Next[1], rec.Root.Next[0].Next[0]
	for _, f := range []Format{PSQ, OffsetLines} {
		assert.ErrorAs(t, WriteRecord(io.Discard, rec, f, WriteOptions{AllowLoss: true}), &loss, f)
	}
	rec = readOne(t, "(;SZ[20];B[hh];B[ii])", ReadOptions{})
	for f := PSQ; f <= OffsetLines; f++ {
		assert.ErrorAs(t, WriteRecord(io.Discard, rec, f, WriteOptions{AllowLoss: true}), &loss, f)
	}
}

func TestRecordLossCause(t *testing.T) {
	pass := "h8-j8"
	for _, tt := range []struct {
		in   string
		f    Format
		want string
	}{
		{pass, PSQ, "gomoku: psq can't hold pass (at move 2)"},
		{pass, OffsetLines, "gomoku: offsets can't hold pass (at move 2)"},
		{"h8-", PSQ, "gomoku: psq can't hold pass (at move 2)"},
		{"(;SZ[15];B[])", OffsetLines, "gomoku: offsets can't hold pass (at move 1)"},
		{"(;SZ[15];B[hh];B[jh])", PSQ, "gomoku: psq can't hold turn order (at move 2)"},
		{"(;SZ[15];B[hh];B[jh])", MoveLines, "gomoku: moves can't hold turn order (at move 2)"},
		{"(;SZ[15];B[hh];B[])", MoveLines, "gomoku: moves can't hold turn order (at move 2)"},
		{"(;SZ[15];W[hh])", OffsetLines, "gomoku: offsets can't hold turn order (at move 1)"},
		{"(;SZ[15])", MoveLines, "gomoku: moves can't hold empty game"},
		{"(;SZ[15])", OffsetLines, "gomoku: offsets can't hold empty game"},
		{"(;SZ[15]AB[hh])", MoveLines, "gomoku: moves can't hold set-up stones"},
		{"(;SZ[15]AB[hh];W[ii])", PSQ, "gomoku: psq can't hold set-up stones, turn order (at move 1)"},
		{"(;SZ[15];B[hh];AE[hh];W[hh])", MoveLines, "gomoku: moves can't hold set-up stones (at move 1)"},
	} {
		rec := readOne(t, tt.in, ReadOptions{})
		_, err := AppendRecord(nil, rec, tt.f, WriteOptions{AllowLoss: true})
		var loss *LossError
		require.ErrorAs(t, err, &loss, tt.in)
		assert.EqualError(t, err, tt.want, tt.in)
	}
	for f := PSQ; f <= OffsetLines; f++ {
		losses, err := readOne(t, pass, ReadOptions{}).Losses(f)
		require.NoError(t, err)
		assert.Equal(t, f == PSQ || f == OffsetLines, hasStones(losses), f)
	}
}

func TestRecordSizeLoss(t *testing.T) {
	rec := readOne(t, "h8i9", ReadOptions{Size: 20})
	for _, f := range []Format{MoveLines, OffsetLines} {
		text, losses := writeLossy(t, rec, f)
		assert.Equal(t, []Loss{{Field: "size", Count: 1}}, losses)
		assert.Equal(t, "h8i9", moveText(readOne(t, text, ReadOptions{Size: 20})))
	}
}

func TestFormatNames(t *testing.T) {
	for f := SGF; int(f) < len(formats); f++ {
		got, err := ParseFormat(strings.ToUpper(f.String()))
		require.NoError(t, err)
		assert.Equal(t, f, got)
		assert.Equal(t, f, FormatOfName("dir.x/game"+strings.ToUpper(formats[f].exts[0])))
	}
	_, err := ParseFormat("unknown")
	assert.Error(t, err)
	assert.Equal(t, UnknownFormat, FormatOfName("openings.txt"))
	assert.Equal(t, "Format(77)", Format(77).String())
	assert.Equal(t, "Outcome(77)", Outcome(77).String())
}

func TestSniffFormat(t *testing.T) {
	for text, want := range map[string]Format{
		"(;B[hh])":                       SGF,
		" \n( ;B[hh])":                   SGF,
		"From: a\nTo: b\n\n(;GM[4])":     SGF,
		"Piskvorky 15x15, 0:0, 0\n":      PSQ,
		"[Event \"?\"]\n":                PlayOK,
		"1. h8 h9 *":                     PlayOK,
		"h8i9":                           MoveLines,
		"# games\n\nH8 i9":               MoveLines,
		"8,8 9,9":                        MoveLines,
		"0,0, 1,-1":                      OffsetLines,
		"-8,-6, -7,-6, -8,-5":            OffsetLines,
		"{\"size\":15}":                  JSONLines,
		"hello":                          UnknownFormat,
		"-\n":                            MoveLines,
		"# passes\n--\n- -\n":            MoveLines,
		"-\nh8i9\n":                      MoveLines,
		"-h8i9":                          MoveLines,
		"-\n8,8 9,9":                     MoveLines,
		"---\nsize: 15":                  UnknownFormat,
		"---\n0,0, 1,-1":                 UnknownFormat,
		"-----\n(;B[hh])":                SGF,
		"-hello":                         UnknownFormat,
		",":                              UnknownFormat,
		"[[":                             UnknownFormat,
		"FF[4]":                          UnknownFormat,
		"\xffRenLib\xff\x03\x04\xff\xff": UnknownFormat,
	} {
		assert.Equal(t, want, sniffFormat([]byte(text)), text)
	}
}

func TestReadRecordsEdges(t *testing.T) {
	for _, text := range []string{"", " \n\r\n", "\xef\xbb\xbf"} {
		recs, faults := readAll(text, ReadOptions{})
		assert.Empty(t, recs)
		assert.Empty(t, faults)
	}
	recs, faults := readAll("what is this?", ReadOptions{})
	assert.Empty(t, recs)
	require.Len(t, faults, 1)
	assert.ErrorIs(t, faults[0], ErrUnknownFormat)

	assert.Equal(t, "h8", moveText(readOne(t, "\xef\xbb\xbfh8", ReadOptions{})), "byte order mark")

	for _, o := range []ReadOptions{{Size: 4}, {Size: 23}, {Rule: 77}} {
		for rec, err := range ReadRecords(strings.NewReader("h8"), o) {
			assert.Nil(t, rec)
			assert.Error(t, err)
		}
	}
	n := 0
	for range ReadRecords(strings.NewReader("h8\nh8\nh8"), ReadOptions{}) {
		if n++; n == 2 {
			break
		}
	}
	assert.Equal(t, 2, n)
}

func TestReadRecordsReaderError(t *testing.T) {
	broken := errors.New("the disk is gone")
	for text, want := range map[string]int{
		"(;SZ[15];B[hh])\n(;SZ[15]":                             1,
		"Piskvorky 15x15, 0:0, 0\n8,8,0\n":                      0, // there may have been more
		"[Event \"?\"]\n\n1. h8 *\n\n[Event \"?\"]\n\n1. h8 i9": 1,
		"h8\n":                                  1,
		"0,0\n":                                 1,
		"{\"size\":15,\"moves\":[]}\n{\"size\"": 1,
		"":                                      0,
	} {
		r := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		games, last := 0, error(nil)
		for rec, err := range ReadRecords(r, ReadOptions{}) {
			assert.NoError(t, last, "reading ends with the error")
			if last = err; rec != nil {
				games++
			}
		}
		assert.ErrorIs(t, last, broken, text)
		assert.Equal(t, want, games, text)
	}
}

func TestReadRecordsSmallReads(t *testing.T) {
	text, err := os.ReadFile("testdata/records/lfz084_gowrite_labels.sgf")
	require.NoError(t, err)
	want := readOne(t, string(text), ReadOptions{})
	for rec, err := range ReadRecords(iotest.OneByteReader(strings.NewReader(string(text))), ReadOptions{}) {
		require.NoError(t, err)
		assert.Equal(t, want, rec)
	}
}

func TestReadRecordsRule(t *testing.T) {
	for _, text := range []string{
		"(;SZ[15];B[hh])", "Piskvorky 15x15, 0:0, 0\n8,8,0\n", "1. h8 *", "h8", "0,0", `{"size":15,"moves":[{"move":"h8","color":"black"}]}`,
	} {
		rec := readOne(t, text, ReadOptions{Rule: Renju})
		assert.Equal(t, Renju, rec.Rule, text)
		assert.True(t, rec.RuleUnknown, text)
		out, _ := writeLossy(t, rec, SGF)
		assert.NotContains(t, out, "RU[", "an unknown rule is not made up")
	}
}

func TestReadRecordsLimit(t *testing.T) {
	long := strings.Repeat("x", 3000)
	for _, text := range []string{
		"(;SZ[15]C[" + long + "];B[hh])\n(;SZ[15];B[hh])",
		"(;SZ[15]" + strings.Repeat(";B[]", 200) + ")\n(;SZ[15];B[hh])",
		"(;SZ[15]" + strings.Repeat("AB[aa:oo]", 2) + ")\n(;SZ[15];B[hh])",
		"(;SZ[15]C[" + long + "\n(;SZ[15];B[hh])",
		"Piskvorky 15x15, 0:0, 0\n" + long + "\nPiskvorky 15x15, 0:0, 0\n8,8,0\n",
		"[Event \"" + long + "\"]\n\n*\n\n[Event \"\"]\n\n1. h8 *\n",
		"[Event \"\"]\n\n{" + long + "}\n\n[Event \"\"]\n\n1. h8 *\n",
		"[Event \"\"]\n\n" + strings.Repeat("-- ", 200) + "\n\n[Event \"\"]\n\n1. h8 *\n",
		"h8 " + long + "\nh8\n",
		"0,0" + strings.Repeat(" ", 3000) + "\n0,0\n",
		`{"comment":"` + long + "\"}\n{\"size\":15,\"moves\":[{\"move\":\"h8\",\"color\":\"black\"}]}\n",
		`{"moves":[` + strings.Repeat("{},", 200) + "{}]}\n{\"size\":15,\"moves\":[{\"move\":\"h8\",\"color\":\"black\"}]}\n",
	} {
		recs, faults := readAll(text, ReadOptions{MaxBytes: 1000})
		require.Len(t, faults, 1, text)
		require.Len(t, recs, 1, text)
		assert.ErrorIs(t, faults[0], ErrRecordTooLarge, text)
		assert.Equal(t, "h8", moveText(recs[0]))
	}
}

func TestSaveAndLoadRecords(t *testing.T) {
	dir := t.TempDir()
	rec := readOne(t, "h8i9j8", ReadOptions{})
	path := filepath.Join(dir, "games.sgf")
	require.NoError(t, SaveRecords(path, []*Record{rec, rec}, UnknownFormat, WriteOptions{}))
	recs, err := LoadRecords(path, ReadOptions{})
	require.NoError(t, err)
	require.Len(t, recs, 2)
	assert.Equal(t, rec, recs[1])

	// A save that fails leaves the file and the directory alone.
	rec.Black.Name = "Ann"
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	var loss *LossError
	require.ErrorAs(t, SaveRecords(path, []*Record{rec}, MoveLines, WriteOptions{}), &loss)
	assert.ErrorIs(t, SaveRecords(filepath.Join(dir, "x.txt"), nil, UnknownFormat, WriteOptions{}), ErrUnknownFormat)
	assert.ErrorIs(t, SaveRecords(filepath.Join(dir, "no", "x.sgf"), nil, SGF, WriteOptions{}), os.ErrNotExist)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "d.sgf"), 0o755))
	assert.Error(t, SaveRecords(filepath.Join(dir, "d.sgf"), nil, SGF, WriteOptions{}))
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, before, after)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2)

	// Permissions of the old file stay.
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, SaveRecords(path, []*Record{rec}, SGF, WriteOptions{}))
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	require.NoError(t, os.WriteFile(path, []byte("(;SZ[99])(;SZ[15];B[hh])(;B[zz])"), 0o600))
	recs, err = LoadRecords(path, ReadOptions{})
	assert.Len(t, recs, 1)
	assert.ErrorIs(t, err, ErrSize)
	assert.ErrorIs(t, err, ErrOutside)
	_, err = LoadRecords(filepath.Join(dir, "none"), ReadOptions{})
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestSaveRecordsTarget(t *testing.T) {
	dir := t.TempDir()
	recs := []*Record{readOne(t, "h8i9j8", ReadOptions{})}
	assert.EqualError(t, SaveRecords("", recs, SGF, WriteOptions{}), "gomoku: save records: the file name is empty")
	assert.EqualError(t, SaveRecords(dir, recs, SGF, WriteOptions{}), "gomoku: save records: replace "+dir+": not a regular file")
	if info, err := os.Stat(os.DevNull); err == nil && info.Mode()&os.ModeDevice != 0 {
		// The device itself is left out: a test that fails must not replace it.
		_, _, err := saveTarget(os.DevNull)
		assert.ErrorContains(t, err, "not a regular file")
	}

	file, link := filepath.Join(dir, "a.sgf"), filepath.Join(dir, "link.sgf")
	if err := os.Symlink("a.sgf", link); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	assert.ErrorIs(t, SaveRecords(link, recs, SGF, WriteOptions{}), os.ErrNotExist, "the link leads nowhere")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, SaveRecords(link, recs, SGF, WriteOptions{}))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink, "the link stays")
	info, err = os.Lstat(file)
	require.NoError(t, err)
	assert.True(t, info.Mode().IsRegular())
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	got, err := LoadRecords(file, ReadOptions{})
	require.NoError(t, err)
	assert.Len(t, got, 1)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2, "no temporary file is left")
}

type failingWriter struct{ calls int }

func (w *failingWriter) Write(p []byte) (int, error) {
	w.calls++
	return 0, io.ErrShortWrite
}

func TestWriteRecordErrors(t *testing.T) {
	rec := readOne(t, "h8", ReadOptions{})
	w := &failingWriter{}
	assert.ErrorIs(t, WriteRecord(w, rec, SGF, WriteOptions{}), io.ErrShortWrite)
	assert.Equal(t, 1, w.calls)
	rec.Comment = "x"
	assert.Error(t, WriteRecord(w, rec, PSQ, WriteOptions{}))
	assert.Equal(t, 1, w.calls, "nothing is written of a record with losses")
	assert.ErrorIs(t, WriteRecord(w, rec, UnknownFormat, WriteOptions{}), ErrUnknownFormat)
	assert.ErrorIs(t, WriteRecord(w, rec, 77, WriteOptions{}), ErrUnknownFormat)
	dst, err := AppendRecord([]byte("before"), rec, PSQ, WriteOptions{})
	assert.Error(t, err)
	assert.Equal(t, "before", string(dst))

	// Too deep for any reader.
	rec = readOne(t, "h8", ReadOptions{})
	n := &rec.Root
	for range maxNesting + 1 {
		n.Add(NoPoint, Black)
		n = n.Add(NoPoint, Black)
	}
	assert.ErrorIs(t, WriteRecord(w, rec, SGF, WriteOptions{AllowLoss: true}), ErrRecordTooLarge)
	assert.ErrorIs(t, WriteRecord(w, rec, JSONLines, WriteOptions{AllowLoss: true}), ErrRecordTooLarge)
}

func TestRecordLongLine(t *testing.T) {
	// A main line may be as long as it likes, and only variations nest.
	rec := readOne(t, "h8", ReadOptions{})
	n := rec.Root.Next[0]
	for range 20000 {
		n = n.Add(NoPoint, White)
	}
	checkRoundTrip(t, rec)
}
