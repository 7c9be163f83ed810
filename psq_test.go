package gomoku

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPSQFields(t *testing.T) {
	rec := readOne(t, "Piskvorky 20x20, 7:3, 0\r\n1,1,456\r\n20,2\r\nfirst.exe\r\nsecond, it is.zip\r\n15\r\n", ReadOptions{})
	assert.Equal(t, 20, rec.Size)
	assert.Equal(t, "a20t19", moveText(rec))
	assert.Equal(t, 456*time.Millisecond, rec.Root.Next[0].Time)
	assert.Equal(t, "first.exe", rec.Black.Name)
	assert.Equal(t, "second, it is.zip", rec.White.Name)
	assert.Equal(t, []Property{{"PSQLEVELS", []string{"7", "3"}}, {"PSQCODE", []string{"15"}}}, rec.Root.Extra)
	assert.True(t, rec.RuleUnknown)
	out, losses := writeLossy(t, rec, PSQ)
	assert.Empty(t, losses)
	assert.Equal(t, "Piskvorky 20x20, 7:3, 0\n1,1,456\n20,2,0\nfirst.exe\nsecond, it is.zip\n15\n", out)
}

func TestPSQSecondPlayerStarts(t *testing.T) {
	rec := readOne(t, "Piskvorky 15x15, 7:3, 1\n8,8,0\none\ntwo\n0\n", ReadOptions{})
	assert.Equal(t, "two", rec.Black.Name)
	assert.Equal(t, []string{"3", "7"}, rec.Root.Extra[0].Values)
	out, losses := writeLossy(t, rec, PSQ)
	assert.Empty(t, losses)
	assert.Equal(t, "Piskvorky 15x15, 3:7, 0\n8,8,0\ntwo\none\n0\n", out)
}

func TestPSQTails(t *testing.T) {
	const game = "Piskvorky 15x15, 0:0, 0\n8,8,0\n"
	for _, tt := range []struct{ tail, black, white, code string }{
		{"", "", "", ""},
		{"-1\n", "", "", ""},
		{"a\nb\n-1\n", "a", "b", ""},
		{"a\nb\n", "a", "b", ""},
		{"a\nb\n0", "a", "b", "0"},
		{"1\n2\n0\n", "1", "2", "0"},
		{"?\nb\n0\n", "", "b", "0"},
		{"\n\na\n\nb\n\n0\n\n", "a", "b", "0"},
		{" a \nb\t\n0\n", " a", "b", "0"},
	} {
		rec := readOne(t, game+tt.tail, ReadOptions{})
		assert.Equal(t, Player{Name: tt.black}, rec.Black, tt.tail)
		assert.Equal(t, Player{Name: tt.white}, rec.White, tt.tail)
		if tt.code == "" {
			assert.Empty(t, rec.Root.Extra)
		} else {
			assert.Equal(t, []Property{{psqCode, []string{tt.code}}}, rec.Root.Extra)
		}
		checkRoundTrip(t, rec)
	}
}

func TestPSQResultNumber(t *testing.T) {
	rec := readOne(t, "h8", ReadOptions{})
	for _, tt := range []struct {
		outcome Outcome
		reason  string
		want    string
	}{{UnknownOutcome, "", "-1\n"}, {BlackWins, "five", "0\n"}, {Draw, "", "0\n"}, {WhiteWins, "time", "15\n"}} {
		rec.Outcome, rec.Reason = tt.outcome, tt.reason
		out, losses := writeLossy(t, rec, PSQ)
		assert.Equal(t, "Piskvorky 15x15, 0:0, 0\n8,8,0\n"+tt.want, out)
		assert.Equal(t, tt.outcome != UnknownOutcome, len(losses) > 0, "the number does not say who won")
	}
}

func TestPSQUnfinished(t *testing.T) {
	for _, moves := range []string{"(;SZ[15])", "(;SZ[15];B[hh];W[ii])"} {
		rec := readOne(t, moves, ReadOptions{})
		text, losses := writeLossy(t, rec, PSQ)
		assert.Empty(t, losses)
		assert.Equal(t, rec, readOne(t, text, ReadOptions{}))

		// A -1 from elsewhere is in the text too.
		rec.Root.Extra = []Property{{psqCode, []string{"-1"}}}
		again, losses := writeLossy(t, rec, PSQ)
		assert.Empty(t, losses)
		assert.Equal(t, text, again)
	}
}

func TestPSQZeroBased(t *testing.T) {
	assert.Equal(t, "a15o1", moveText(readOne(t, "Piskvorky 15x15, 0:0, 0\n0,0\n14,14\n", ReadOptions{})))
	assert.Equal(t, "a15o1", moveText(readOne(t, "Piskvorky 15x15, 0:0, 0\n1,1\n15,15\n", ReadOptions{})))
	_, faults := readAll("Piskvorky 15x15, 0:0, 0\n1,1\n15,15\n0,3\n", ReadOptions{})
	require.Len(t, faults, 1)
	assert.Equal(t, 4, faults[0].Line)
}

func TestPSQFaults(t *testing.T) {
	const good = "Piskvorky 15x15, 0:0, 0\n8,8,0\n"
	for _, tt := range []struct {
		in   string
		line int
		want string
	}{
		{"8,8,0\n", 1, "Piskvorky"},
		{"Piskvorky\n", 1, "Piskvorky"},
		{"Piskvorky 15\n", 1, "no board size"},
		{"Piskvorky 15x20, 0:0, 0\n", 1, "size"},
		{"Piskvorky 40x40, 0:0, 0\n", 1, "size"},
		{"Piskvorky 15x15, 0:0, 2\n", 1, "starting player"},
		{good + "16,8,0\n", 3, "outside"},
		{good + "-1,8,0\n", 3, "outside"},
		{good + "99999999999,8,0\n", 3, "outside"},
		{good + "99999999999999999999,8,0\n", 3, "x,y,ms"},
		{good + "\n8,8,5\n", 4, "occupied"},
		{good + "8,9,10,11\n", 3, "x,y,ms"},
		{good + "8,,9\n", 3, "x,y,ms"},
		{good + "8,9,-5\n", 3, "range"},
		{good + "name\n8,9\n", 4, "after the moves"},
		{good + "a\nb\nc\n", 3, "neither"},
		{good + "a\nb\n0\nc\n", 6, "after the moves"},
	} {
		t.Run(tt.in, func(t *testing.T) {
			recs, faults := readAll(tt.in, ReadOptions{Format: PSQ})
			assert.Empty(t, recs)
			require.Len(t, faults, 1)
			assert.ErrorContains(t, faults[0], tt.want)
			assert.Equal(t, tt.line, faults[0].Line)
			recs, faults = readAll(good+tt.in+good, ReadOptions{Format: PSQ})
			assert.NotEmpty(t, recs)
			assert.Len(t, faults, 1)
		})
	}
}

func FuzzPSQ(f *testing.F) {
	addRecordSeeds(f, PSQ)
	f.Add("Piskvorky 15x15, 7:3, 1\n0,0\n3,4,5\na\nb\n-1\nPiskvorky 5x5, 0:0, 0\n")
	f.Fuzz(func(t *testing.T, text string) { fuzzFormat(t, text, PSQ) })
}
