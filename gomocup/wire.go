package gomocup

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// noTimeLimit is the number of milliseconds that stands for no limit in
// INFO time_left; managers send it for a game without a clock.
const noTimeLimit = math.MaxInt32

// ruleNumber returns the number that announces a rule to a brain.
func ruleNumber(r gomoku.Rule) (int, error) {
	switch r {
	case gomoku.Freestyle:
		return 0, nil
	case gomoku.Standard:
		return 1, nil
	case gomoku.Renju:
		return 4, nil
	case gomoku.Caro:
		return 9, nil
	}
	return 0, fmt.Errorf("the protocol has no number for rule %v", r)
}

// ruleOf returns the rule behind a number that a manager sent.
func ruleOf(number int64) (gomoku.Rule, error) {
	switch number {
	case 0:
		return gomoku.Freestyle, nil
	case 1:
		return gomoku.Standard, nil
	case 2, 4:
		return gomoku.Renju, nil
	case 9:
		return gomoku.Caro, nil
	}
	return 0, fmt.Errorf("rule %d is not supported, only 0 freestyle, 1 standard, 2 or 4 renju, 9 caro", number)
}

// formatPoint writes a point as the protocol does.
func formatPoint(p gomoku.Point, size int) string {
	return strconv.Itoa(p.X()) + "," + strconv.Itoa(size-1-p.Y())
}

var errPoint = errors.New("not a point x,y")

// parsePoint reads a point such as "7,7" on a board of the given size.
func parsePoint(s string, size int) (gomoku.Point, error) {
	n, err := parseNumbers(s, 2)
	if err != nil {
		return gomoku.NoPoint, errPoint
	}
	return wirePoint(n[0], n[1], size)
}

// wirePoint converts column and row from the top.
func wirePoint(x, y, size int) (gomoku.Point, error) {
	if x < 0 || y < 0 || x >= size || y >= size {
		return gomoku.NoPoint, fmt.Errorf("%d,%d is outside the board", x, y)
	}
	return gomoku.Pt(x, size-1-y), nil
}

// parseNumbers reads exactly n integers between commas, with spaces around them.
func parseNumbers(s string, n int) ([]int, error) {
	parts := strings.Split(s, ",")
	if len(parts) != n {
		return nil, errPoint
	}
	numbers := make([]int, n)
	for i, part := range parts {
		v, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		numbers[i] = v
	}
	return numbers, nil
}

// cutWord splits a line into its first word and the rest, without the spaces
// around either.
func cutWord(line string) (word, rest string) {
	line = strings.TrimSpace(line)
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		return line[:i], strings.TrimSpace(line[i:])
	}
	return line, ""
}

// milliseconds rounds up, so that a limit that is set never becomes 0, which
// the protocol reads as another thing.
func milliseconds(d time.Duration) int64 {
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}
