package gomoku

// Zobrist hashing (A. L. Zobrist, "A New Hashing Method with Application for
// Game Playing", 1970): a position's hash is the exclusive or of one random key
// for each stone, for the side to move, and for the kind of board. Adding or
// removing a stone is one exclusive or.
//
// The keys come from a fixed seed, so a hash means the same in every program
// and on every machine, and searches are repeatable.

type zobristTable struct {
	stone [3][pointLimit]uint64 // [Color][Point]; row Empty is unused
	turn  uint64                // White is to move
	rule  [len(ruleSpecs)]uint64
	size  [MaxSize + 1]uint64
}

var zobrist = newZobristTable(0x676f6d6f6b75) // "gomoku"

func newZobristTable(seed uint64) *zobristTable {
	rnd := splitMix64(seed)
	t := new(zobristTable)
	for _, c := range [...]Color{Black, White} {
		for p := range t.stone[c] {
			t.stone[c][p] = rnd.next()
		}
	}
	t.turn = rnd.next()
	for i := range t.rule {
		t.rule[i] = rnd.next()
	}
	for i := range t.size {
		t.size[i] = rnd.next()
	}
	return t
}

// splitMix64 is the generator of Steele, Lea and Flood ("Fast Splittable
// Pseudorandom Number Generators", OOPSLA 2014). It is here because the hash
// keys must not change with the Go release, as math/rand's output may.
type splitMix64 uint64

func (s *splitMix64) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
