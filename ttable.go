package gomoku

import (
	"math/bits"
	"sync/atomic"
)

// The transposition table remembers what the search found for a position,
// whatever the order of moves that led there, for the next time it meets the
// position: in another line, at the next depth or after the next move.
//
// An entry is 16 bytes, the hash and one packed word; four of them make a
// bucket of a cache line. A position may stand anywhere in its bucket, and a new
// entry replaces the one that is worth least: an old search's before this one's,
// a shallow one before a deep one.

// tableEntry is what is known of a position.
type tableEntry struct {
	score Score // mates count from the position, not from the root
	move  Point // the best move found, or NoPoint
	depth int   // plies searched below the position
	bound Bound // how score relates to the value; NoBound marks no entry
}

// packedEntry is a tableEntry in one word: score in the low 32 bits, then the
// move plus one, the depth, the bound, the age of the search and the generation.
type packedEntry uint64

const (
	moveShift  = 32
	depthShift = 42
	boundShift = 50
	ageShift   = 52
	ageMask    = 1<<6 - 1
	genShift   = 58
	genMask    = 1<<6 - 1
)

func pack(e tableEntry, age, gen uint8) packedEntry {
	return packedEntry(uint32(e.score)) |
		packedEntry(e.move+1)<<moveShift |
		packedEntry(uint8(e.depth))<<depthShift |
		packedEntry(e.bound)<<boundShift |
		packedEntry(age&ageMask)<<ageShift |
		packedEntry(gen)<<genShift
}

func (p packedEntry) depth() int   { return int(uint8(p >> depthShift)) }
func (p packedEntry) bound() Bound { return Bound(p >> boundShift & 3) }
func (p packedEntry) age() uint8   { return uint8(p >> ageShift & ageMask) }
func (p packedEntry) gen() uint8   { return uint8(p >> genShift) }

func (p packedEntry) unpack() tableEntry {
	return tableEntry{
		score: Score(uint32(p)),
		move:  Point(p>>moveShift&(1<<10-1)) - 1,
		depth: p.depth(),
		bound: p.bound(),
	}
}

// tableSlot holds an entry so that several threads can read and write it without
// locks (R. Hyatt and T. Mann, "A Lockless Transposition Table Implementation
// for Parallel Search", 2002): the key is the hash exclusive-or the data, so a
// slot whose words come from two different writes matches no hash.
type tableSlot struct {
	key, data atomic.Uint64
}

const (
	bucketSlots = 4
	bucketBytes = bucketSlots * 16
)

type tableBucket [bucketSlots]tableSlot

// transpositions is the table. The zero value has no room: it finds and stores
// nothing. Probing and storing are safe for concurrent use.
//
// To forget takes no time: entries of another generation count as none. Only
// when the generations are used up is the memory cleared.
type transpositions struct {
	buckets   []tableBucket
	age       uint8    // of the present search
	gen       uint8    // of the entries that count
	filledFor valueKey // what the values depend on
	partial   bool     // some values came from searches that left moves out
}

// newTranspositions returns a table of the given number of bytes, rounded down to
// whole buckets.
func newTranspositions(bytes int64) transpositions {
	return transpositions{buckets: make([]tableBucket, bytes/bucketBytes)}
}

// prepare forgets what does not hold for the coming search.
func (t *transpositions) prepare(key valueKey) {
	if t.filledFor != key {
		t.forget()
	}
	t.filledFor = key
	t.age = (t.age + 1) & ageMask // all entries are older by one search
}

// forget makes the table like new.
func (t *transpositions) forget() {
	t.age, t.partial = 0, false
	if t.gen = (t.gen + 1) & genMask; t.gen == 0 {
		clear(t.buckets)
	}
}

// holds reports whether there is an entry in a slot's data.
func (t *transpositions) holds(d packedEntry) bool { return d.bound() != NoBound && d.gen() == t.gen }

// bucket returns the bucket of a hash, which spreads evenly over any number of
// buckets.
func (t *transpositions) bucket(hash uint64) *tableBucket {
	i, _ := bits.Mul64(hash, uint64(len(t.buckets)))
	return &t.buckets[i]
}

// probe returns what is known of the position with the given hash.
func (t *transpositions) probe(hash uint64) (tableEntry, bool) {
	if len(t.buckets) == 0 {
		return tableEntry{}, false
	}
	b := t.bucket(hash)
	for i := range b {
		data := b[i].data.Load()
		if b[i].key.Load()^data == hash && t.holds(packedEntry(data)) {
			return packedEntry(data).unpack(), true
		}
	}
	return tableEntry{}, false
}

// store keeps the entry for the position with the given hash.
func (t *transpositions) store(hash uint64, e tableEntry) {
	if len(t.buckets) == 0 {
		return
	}
	b := t.bucket(hash)
	worst, worstWorth := 0, int(^uint(0)>>1)
	for i := range b {
		data := b[i].data.Load()
		d := packedEntry(data)
		if b[i].key.Load()^data == hash || !t.holds(d) {
			worst = i
			break
		}
		// A search back costs as much as three plies of depth.
		worth := d.depth() - 3*int((t.age-d.age())&ageMask)
		if worth < worstWorth {
			worst, worstWorth = i, worth
		}
	}
	data := uint64(pack(e, t.age, t.gen))
	b[worst].data.Store(data)
	b[worst].key.Store(hash ^ data)
}

// toTable turns a score that counts mates from the root into one that counts
// them from a position the given number of plies below it.
func (s Score) toTable(ply int) Score {
	switch {
	case s > MaxEstimate:
		return s + Score(ply)
	case s < -MaxEstimate:
		return s - Score(ply)
	}
	return s
}

// fromTable is the inverse of toTable.
func (s Score) fromTable(ply int) Score {
	switch {
	case s > MaxEstimate:
		return s - Score(ply)
	case s < -MaxEstimate:
		return s + Score(ply)
	}
	return s
}
