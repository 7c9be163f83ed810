package gomoku

import (
	"fmt"
	"strings"
)

// Rule names a rule set: what each side must make to win, and which moves are
// fouls. The zero value is Freestyle.
type Rule uint8

// The rules the package plays.
const (
	// Freestyle: five or more in a row wins, for both sides.
	Freestyle Rule = iota
	// Standard: exactly five in a row wins; six or more (an overline) does not.
	Standard
	// Renju: Black wins with exactly five and must not play a double-three, a
	// double-four or an overline, except when the same move makes a five.
	// White wins with five or more and has no fouls. (Renju International
	// Federation, Rules of Renju, section 9.)
	Renju
	// Caro: exactly five in a row wins, unless an opponent stone stands directly
	// at both of its ends. The edge of the board blocks nothing. (Gomocup's
	// rule 9.)
	Caro
)

// A ruleSpec is a rule as data, so that a further variant is one more row of
// ruleSpecs and no code. The arrays are indexed by Color.
type ruleSpec struct {
	name   string
	exact  [3]bool // this colour wins with exactly five only
	fouls  [3]bool // this colour has forbidden moves
	capped bool    // a five with an opponent stone at both ends is no win
}

var ruleSpecs = [...]ruleSpec{
	Freestyle: {name: "freestyle"},
	Standard:  {name: "standard", exact: [3]bool{Black: true, White: true}},
	Renju:     {name: "renju", exact: [3]bool{Black: true}, fouls: [3]bool{Black: true}},
	Caro:      {name: "caro", exact: [3]bool{Black: true, White: true}, capped: true},
}

// valid reports whether r is one of the package's rules.
func (r Rule) valid() bool { return int(r) < len(ruleSpecs) }

// spec returns what r means; r must be valid.
func (r Rule) spec() *ruleSpec { return &ruleSpecs[r] }

// String returns the lower-case name of the rule, such as "renju".
func (r Rule) String() string {
	if !r.valid() {
		return fmt.Sprintf("Rule(%d)", uint8(r))
	}
	return ruleSpecs[r].name
}

// ParseRule returns the rule with the given name, in upper or lower case.
func ParseRule(name string) (Rule, error) {
	for r := range ruleSpecs {
		if strings.EqualFold(name, ruleSpecs[r].name) {
			return Rule(r), nil
		}
	}
	return 0, &ParseError{What: "rule", Text: name, Reason: "not one of freestyle, standard, renju, caro"}
}

// MarshalText returns the rule's name; an unknown rule is an error.
func (r Rule) MarshalText() ([]byte, error) {
	if !r.valid() {
		return nil, fmt.Errorf("gomoku: marshal rule: %w: %d", ErrRule, uint8(r))
	}
	return []byte(r.String()), nil
}

// UnmarshalText accepts what ParseRule accepts.
func (r *Rule) UnmarshalText(text []byte) error {
	rule, err := ParseRule(string(text))
	if err != nil {
		return err
	}
	*r = rule
	return nil
}

// A window is eleven neighbouring cells of one line around a centre cell, two
// bits a cell, the centre at cell 5. The code of a cell is the Color of its
// stone, or border. Eleven cells hold everything that decides whether a stone
// at the centre makes a five: five cells each way.
type window uint64

const (
	border     = 3 // cell code: not on the board
	reach      = 5 // cells on each side of the centre
	windowLen  = 2*reach + 1
	lowBits    = 0x5555555555555555 // the lower bit of every cell
	windowBits = 1<<(2*windowLen) - 1
)

// with returns the window with a stone of colour c at its empty centre.
func (w window) with(c Color) window { return w | window(c)<<(2*reach) }

// planes splits the window into one bit a cell, at the cells' lower bits: the
// stones of c and the stones of its opponent. The border is in neither.
func (w window) planes(c Color) (own, opp uint64) {
	lo, hi := uint64(w)&lowBits&windowBits, uint64(w)>>1&lowBits&(windowBits>>1)
	if c == White {
		lo, hi = hi, lo
	}
	return lo &^ hi, hi &^ lo
}

// empties returns the empty cells of the window, one bit a cell.
func (w window) empties() uint64 {
	return ^(uint64(w) | uint64(w)>>1) & lowBits & windowBits
}

// five reports whether the stone of colour c at the window's centre is part of
// a winning row under the rule. It is branch-light bit arithmetic on purpose:
// it runs four times for every move made.
func (s *ruleSpec) five(w window, c Color) bool {
	own, opp := w.planes(c)
	return s.fiveIn(own, opp, c)
}

// fiveIn is five for a window split into planes.
func (s *ruleSpec) fiveIn(own, opp uint64, c Color) bool {
	pairs := own & (own >> 2)
	start := pairs & (pairs >> 4) & (own >> 8) // where five own stones start
	start &= 0x554                             // cells 1 to 5: rows through the centre
	if start == 0 {
		return false
	}
	if s.exact[c] {
		start &^= own<<2 | own>>10
	}
	if s.capped {
		start &^= opp << 2 & (opp >> 10)
	}
	return start != 0
}
