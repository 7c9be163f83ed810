package gomocup

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// formatInfo writes what a search found as the text of a MESSAGE, in the order
// that Gomocup's brains have made a habit:
//
//	depth 5-9 ev +120 n 15210 n/s 500000 tm 30 pv 7,7 8,8
//
// A proven result is "+M5" or "-M4", the plies to the end.
func formatInfo(i gomoku.Info, size int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "depth %d-%d ev %s n %d", i.Depth, i.SelDepth, formatScore(i.Score), i.Nodes)
	if i.Elapsed > 0 {
		fmt.Fprintf(&b, " n/s %.0f", float64(i.Nodes)/i.Elapsed.Seconds())
	}
	fmt.Fprintf(&b, " tm %d pv", i.Elapsed.Milliseconds())
	b.WriteString(formatLine(i.PV, size))
	return b.String()
}

// formatLine writes points with a space before each.
func formatLine(line []gomoku.Point, size int) string {
	var b strings.Builder
	for _, p := range line {
		b.WriteByte(' ')
		b.WriteString(formatPoint(p, size))
	}
	return b.String()
}

func formatScore(s gomoku.Score) string {
	plies, ok := s.Mate()
	switch {
	case !ok:
		return fmt.Sprintf("%+d", int32(s))
	case plies > 0:
		return "+M" + strconv.Itoa(plies)
	default:
		return "-M" + strconv.Itoa(-plies)
	}
}

// provenScore returns the score of a win in that many plies, or of a loss if
// the number is negative or the sign says so.
func provenScore(plies int, lost bool) gomoku.Score {
	least := gomoku.MaxEstimate + 1
	most, _ := least.Mate()
	s := least + gomoku.Score(most-min(max(plies, 0), most))
	if lost {
		return -s
	}
	return s
}

// readInfo adds to i what it recognizes in the text of a MESSAGE and reports
// whether there was anything. There is no standard for these texts; it reads
// the habits of the programs that are around:
//
//	depth 1-12 ev 43.7 n 1349 n/s 36 tm 36670 pv Of10 Xe12
//	Speed 481K | Depth 17-33 | Eval 279 | Node 129K | Time 270ms
//	Bestline H7 I8 F9
//	depth: 5-7 best:[7,6] val=62 time:82ms
//
// What it can't read it leaves as it was.
func readInfo(i *gomoku.Info, text string, size int) (found bool) {
	fields := strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(" \t|:=[]", r)
	})
	if len(fields) > 0 && strings.EqualFold(fields[0], "multipv") {
		return false // another line than the best
	}
	for len(fields) >= 2 {
		key, value := strings.ToLower(fields[0]), strings.TrimRight(fields[1], ",;")
		fields = fields[1:]
		ok := false
		switch key {
		case "depth":
			ok = readDepth(i, value)
		case "ev", "eval", "val", "value", "score":
			ok = readScore(i, value)
		case "n", "node", "nodes":
			var v float64
			if v, ok = readQuantity(value); ok {
				i.Nodes = int64(v)
			}
		case "tm", "time":
			ok = readElapsed(i, value)
		case "pv", "bestline", "best":
			if line := readLine(fields, size); len(line) > 0 {
				i.PV = line
				fields = fields[len(line):]
				found = true
			}
		}
		if ok {
			found = true
			fields = fields[1:]
		}
	}
	return found
}

func readDepth(i *gomoku.Info, s string) bool {
	low, high, ranged := strings.Cut(s, "-")
	d, err := strconv.Atoi(low)
	if err != nil || d < 0 {
		return false
	}
	i.Depth, i.SelDepth = d, d
	if sel, err := strconv.Atoi(high); ranged && err == nil && sel >= d {
		i.SelDepth = sel
	}
	return true
}

func readScore(i *gomoku.Info, s string) bool {
	switch upper := strings.ToUpper(s); {
	case upper == "U": // unknown
		return false
	case strings.HasPrefix(upper, "W"), strings.HasPrefix(upper, "L"):
		plies, _ := strconv.Atoi(upper[1:])
		i.Score = provenScore(plies, upper[0] == 'L')
		return true
	case strings.HasPrefix(upper, "+M"), strings.HasPrefix(upper, "-M"):
		plies, err := strconv.Atoi(upper[2:])
		if err != nil {
			return false
		}
		i.Score = provenScore(plies, upper[0] == '-')
		return true
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) {
		return false
	}
	limit := float64(gomoku.MaxEstimate)
	i.Score = gomoku.Score(math.Round(min(max(v, -limit), limit)))
	return true
}

// readElapsed reads milliseconds, also with their unit, and seconds with theirs.
func readElapsed(i *gomoku.Info, s string) bool {
	unit := time.Millisecond
	s = strings.ToLower(s)
	if t, ok := strings.CutSuffix(s, "ms"); ok {
		s = t
	} else if t, ok := strings.CutSuffix(s, "s"); ok {
		s, unit = t, time.Second
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v < 1e12) {
		return false
	}
	i.Elapsed = time.Duration(v * float64(unit))
	return true
}

// readQuantity reads a number such as 1349, 129K or 1.2M.
func readQuantity(s string) (float64, bool) {
	factor := 1.0
	if s != "" {
		switch s[len(s)-1] {
		case 'k', 'K':
			factor = 1e3
		case 'm', 'M':
			factor = 1e6
		case 'g', 'G':
			factor = 1e9
		}
	}
	if factor > 1 {
		s = s[:len(s)-1]
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v*factor < math.MaxInt64/2) {
		return 0, false
	}
	return v * factor, true
}

// readLine reads points up to the first field that is none. A point is "7,6",
// or a column letter and a row from 1 at the top ("H7"), or the side's sign, a
// row letter and a column from 0 ("Xg7"); two families of brains do that.
func readLine(fields []string, size int) []gomoku.Point {
	var line []gomoku.Point
	for _, f := range fields {
		p := gomoku.NoPoint
		switch {
		case strings.Contains(f, ","):
			p, _ = parsePoint(f, size)
		case len(f) >= 3 && (f[0] == 'O' || f[0] == 'X') && 'a' <= f[1] && f[1] <= 'z':
			if x, err := strconv.Atoi(f[2:]); err == nil {
				p, _ = wirePoint(x, int(f[1]-'a'), size)
			}
		case len(f) >= 2 && 'A' <= f[0] && f[0] <= 'Z':
			if row, err := strconv.Atoi(f[1:]); err == nil {
				p, _ = wirePoint(int(f[0]-'A'), row-1, size)
			}
		}
		if p == gomoku.NoPoint {
			break
		}
		line = append(line, p)
	}
	return line
}
