package gomoku

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMoveLines(t *testing.T) {
	top := ReadOptions{Format: MoveLines, RowsFromTop: true}
	wire := ReadOptions{Format: MoveLines, RowsFromTop: true, ZeroBased: true}
	for _, tt := range []struct {
		in   string
		o    ReadOptions
		want string
	}{
		{"h8i9j8", ReadOptions{}, "h8i9j8"},
		{"  H8, i9; j8\t\r\n", ReadOptions{}, "h8i9j8"},
		{"8,8 9,9;10,8", ReadOptions{}, "h8i9j8"},
		{"h8-i9", ReadOptions{}, "h8-i9"},
		{"8,8 i9", ReadOptions{Format: MoveLines}, "h8i9"},
		{"a1b2", top, "a15b14"},
		{"1,1 2,2", top, "a15b14"},
		{"0,0 1,1", wire, "a15b14"},
		{"0,0 19,19", ReadOptions{Format: MoveLines, Size: 20, RowsFromTop: true, ZeroBased: true}, "a20t1"},
		{"v22", ReadOptions{Size: 22}, "v22"},
	} {
		rec := readOne(t, tt.in, tt.o)
		assert.Equal(t, tt.want, moveText(rec), tt.in)
		checkRoundTrip(t, rec)
	}
	recs, faults := readAll("# two games\nh8i9\n\n  # end\nj8\n", ReadOptions{})
	assert.Empty(t, faults)
	assert.Len(t, recs, 2)
	out, _ := writeLossy(t, recs[0], MoveLines)
	assert.Equal(t, "h8i9\n", out)
}

func TestMoveLineFaults(t *testing.T) {
	for _, tt := range []struct {
		in   string
		col  int
		want string
	}{
		{"h8h8", 3, "occupied"},
		{"h8 h16", 4, "outside"},
		{"h8 16,1", 4, "outside"},
		{"h8 8", 5, "no comma"},
		{"h8 8,x", 6, "no number"},
		{"h8 1,12345", 4, "outside"},
		{"h8 zz", 4, "beyond"},
		{"h8 h99", 5, "row number"},
		{"h8 ?", 4, "no column letter"},
	} {
		recs, faults := readAll("a1\n"+tt.in+"\nb2", ReadOptions{Format: MoveLines})
		assert.Len(t, recs, 2)
		require.Len(t, faults, 1, tt.in)
		assert.ErrorContains(t, faults[0], tt.want)
		assert.Equal(t, []int{2, 2, tt.col}, []int{faults[0].Game, faults[0].Line, faults[0].Column}, faults[0].Error())
	}
}

func TestOffsetLines(t *testing.T) {
	for _, tt := range []struct {
		in   string
		size int
		want string
	}{
		{"0,0, 1,-1, 2,0", 15, "h8i9j8"}, // up is negative
		{"0,0,1,0,1,3\r\n", 15, "h8i8i5"},
		{" 0 , 0 ", 15, "h8"},
		{"0,0", 20, "k10"},
		{"-8,-6, -7,-6", 20, "c16d16"},
		{"-10,-10, 9,9", 20, "a20t1"},
	} {
		rec := readOne(t, tt.in, ReadOptions{Format: OffsetLines, Size: tt.size})
		assert.Equal(t, tt.want, moveText(rec), tt.in)
		checkRoundTrip(t, rec)
	}
	rec := readOne(t, "h8i9j8", ReadOptions{})
	out, losses := writeLossy(t, rec, OffsetLines)
	assert.Empty(t, losses)
	assert.Equal(t, "0,0, 1,-1, 2,0\n", out)
}

func TestOffsetLineFaults(t *testing.T) {
	for _, tt := range []struct {
		in   string
		col  int
		want string
	}{
		{"0,0, 0,0", 1, "occupied"},
		{"0,0, 8,0", 1, "outside"},
		{"0,0, 1", 7, "odd number"},
		{"0,0, 1;2", 7, "no comma"},
		{"0,0, ", 6, "no offset"},
		{"0,,0", 3, "no offset"},
		{"0,--1", 3, "no offset"},
		{"0,12345", 3, "no offset"},
	} {
		recs, faults := readAll("0,0\n"+tt.in+"\n0,1", ReadOptions{Format: OffsetLines})
		assert.Len(t, recs, 2)
		require.Len(t, faults, 1, tt.in)
		assert.ErrorContains(t, faults[0], tt.want)
		assert.Equal(t, []int{2, 2, tt.col}, []int{faults[0].Game, faults[0].Line, faults[0].Column}, faults[0].Error())
	}
}

func FuzzMoveLines(f *testing.F) {
	addRecordSeeds(f, MoveLines)
	f.Add("h8i9 -, 3,4;10,10\n# x\nA1")
	f.Fuzz(func(t *testing.T, text string) { fuzzFormat(t, text, MoveLines) })
}

func FuzzOffsetLines(f *testing.F) {
	addRecordSeeds(f, OffsetLines)
	f.Add("0,0, -7,7\r\n\n1,1")
	f.Fuzz(func(t *testing.T, text string) { fuzzFormat(t, text, OffsetLines) })
}
