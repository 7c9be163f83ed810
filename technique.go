package gomoku

import (
	"fmt"
	"math/bits"
	"strings"
)

// Technique is a set of the techniques that make the search strong. Each can be
// switched on and off by itself, to see what it gives.
type Technique uint32

// The techniques. Those after Shapes need it and do nothing without it.
const (
	// Shapes follows the shapes of all empty points move by move. Wins and forced
	// replies are then known without search, moves are ordered by shape, and
	// without WithEvaluator leaves are judged by shape as well.
	Shapes Technique = 1 << iota
	// ThreatDefence answers a threatened open four only with moves that stop it
	// and with fours of one's own.
	ThreatDefence
	// AnswerExtension searches the forced answer to a four without taking it off
	// the depth.
	AnswerExtension
	// LeafVCF looks for a victory by continuous fours where the depth ends.
	LeafVCF
	// RootVCF looks for one before the search begins.
	RootVCF
	// History orders quiet moves by how often they cut off elsewhere, and tries
	// the killers of the ply and the answer to the last move early.
	History
	// Futility leaves out quiet moves where the estimate is far below the window,
	// and whole nodes where it is far above it. Unsound.
	Futility
	// Razoring ends the search near the leaves where only a VCF could still help.
	// Unsound.
	Razoring
	// LateMovePruning leaves out the last quiet moves near the leaves. Unsound.
	LateMovePruning
	// LateMoveReduction searches late moves less deep, and again in full if one
	// turns out better than expected. Unsound.
	LateMoveReduction
	// InternalReduction searches a node less deep if the table knows no move for
	// it: it comes up again at the next depth, and then the table does. Unsound.
	InternalReduction
	// RootVCT looks for a victory by continuous threats before the search begins,
	// for a 32nd of the time or nodes and 200,000 positions at most. A search with a
	// limit of depth, or less than 160,000 nodes or 640 ms, does without.
	RootVCT
	// LastResort tries the moves beyond the candidate cap as well where all within it
	// lose: what nobody would play otherwise may be what saves the game.
	LastResort

	techniqueEnd
)

// Sets of techniques.
const (
	NoTechniques  Technique = 0
	AllTechniques           = techniqueEnd - 1
	// Precise is every technique that leaves no move out without a reason that
	// proves it worthless. LeafVCF and AnswerExtension still look further than the
	// depth, and what VCF finds is a win, if not always the shortest.
	Precise = Shapes | ThreatDefence | AnswerExtension | LeafVCF | History
)

// selective is the techniques that go by the estimate of nodes inside the tree.
const selective = Futility | Razoring | LateMovePruning | LateMoveReduction

var techniqueNames = [...]string{
	"shapes", "threatdefence", "answerextension", "leafvcf", "rootvcf", "history",
	"futility", "razoring", "latemovepruning", "latemovereduction", "internalreduction",
	"rootvct", "lastresort",
}

// String returns the names of the techniques joined by "+", or "none".
func (t Technique) String() string {
	var names []string
	for ; t != 0; t &= t - 1 {
		if i := bits.TrailingZeros32(uint32(t)); i < len(techniqueNames) {
			names = append(names, techniqueNames[i])
		} else {
			names = append(names, fmt.Sprintf("Technique(%#x)", uint32(t&-t)))
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, "+")
}

// ParseTechniques reads names joined by "+"; "none", "all" and "precise" are
// names as well.
func ParseTechniques(s string) (Technique, error) {
	var t Technique
	for name := range strings.SplitSeq(s, "+") {
		switch strings.ToLower(name) {
		case "none":
			continue
		case "all":
			t |= AllTechniques
			continue
		case "precise":
			t |= Precise
			continue
		}
		i, err := enumValue(techniqueNames[:], name, "technique")
		if err != nil {
			return 0, err
		}
		t |= 1 << i
	}
	return t, nil
}

// has reports whether all techniques of u are in t.
func (t Technique) has(u Technique) bool { return t&u == u }
