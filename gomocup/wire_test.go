package gomocup

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

func TestPointsCountFromTheTop(t *testing.T) {
	for _, c := range []struct {
		text string
		size int
		want gomoku.Point
	}{
		{"0,0", 15, gomoku.Pt(0, 14)},
		{"0,14", 15, gomoku.Pt(0, 0)},
		{"14,0", 15, gomoku.Pt(14, 14)},
		{"3,5", 20, gomoku.Pt(3, 14)},
		{" 3 , 5 ", 20, gomoku.Pt(3, 14)},
	} {
		got, err := parsePoint(c.text, c.size)
		require.NoError(t, err, c.text)
		assert.Equal(t, c.want, got, c.text)
		again, err := parsePoint(formatPoint(got, c.size), c.size)
		require.NoError(t, err)
		assert.Equal(t, got, again)
	}
	for _, text := range []string{"", "7", "7,", ",7", "7,7,7", "7;7", "a,7", "7,15", "15,7", "-1,3", "h8", "99999999999999999999,1"} {
		_, err := parsePoint(text, 15)
		assert.Error(t, err, text)
	}
}

func TestRuleNumbers(t *testing.T) {
	for number, want := range map[int64]gomoku.Rule{
		0: gomoku.Freestyle, 1: gomoku.Standard, 2: gomoku.Renju, 4: gomoku.Renju, 9: gomoku.Caro,
	} {
		got, err := ruleOf(number)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, number := range []int64{-1, 3, 5, 6, 7, 8, 10, 1 << 40} {
		_, err := ruleOf(number)
		assert.Error(t, err, number)
	}
	for rule := range gomoku.Rule(4) {
		number, err := ruleNumber(rule)
		require.NoError(t, err)
		back, err := ruleOf(int64(number))
		require.NoError(t, err)
		assert.Equal(t, rule, back)
	}
	_, err := ruleNumber(200)
	assert.Error(t, err)
}

func TestLineReader(t *testing.T) {
	read := func(r io.Reader) (lines []string, err error) {
		l := newLineReader(r)
		for {
			line, err := l.next()
			if err != nil {
				return lines, err
			}
			lines = append(lines, line)
		}
	}
	lines, err := read(strings.NewReader("a\nb\r\nc\rd\n\n\r\n  e \nf"))
	assert.ErrorIs(t, err, io.EOF)
	assert.Equal(t, []string{"a", "b", "c", "d", "  e ", "f"}, lines)

	lines, err = read(iotest.OneByteReader(strings.NewReader(strings.Repeat("x", 3*maxLine) + "\nlast\n")))
	assert.ErrorIs(t, err, io.EOF)
	assert.Equal(t, []string{strings.Repeat("x", maxLine), "last"}, lines)

	for _, input := range []string{"\ufeffa\nb\n", "\ufeff\r\na\r\nb", "a\nb"} {
		lines, _ = read(iotest.OneByteReader(strings.NewReader(input)))
		assert.Equal(t, []string{"a", "b"}, lines, "%q", input)
	}
	lines, _ = read(strings.NewReader("a\ufeffb\n\ufeffc\n\xef\xbb"))
	assert.Equal(t, []string{"a\ufeffb", "\ufeffc", "\xef\xbb"}, lines, "only at the start it is a mark")

	broken := errors.New("broken")
	lines, err = read(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)))
	assert.ErrorIs(t, err, broken)
	assert.Equal(t, []string{"a", "b"}, lines)
}

func TestMillisecondsRoundUp(t *testing.T) {
	assert.EqualValues(t, 0, milliseconds(0))
	assert.EqualValues(t, 1, milliseconds(1))
	assert.EqualValues(t, 300, milliseconds(300*time.Millisecond))
	assert.EqualValues(t, 301, milliseconds(300*time.Millisecond+1))
}
