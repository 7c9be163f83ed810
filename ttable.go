package gomoku

import "math/bits"

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
// move plus one, the depth, the bound, and the age of the search.
type packedEntry uint64

const (
	moveShift  = 32
	depthShift = 42
	boundShift = 50
	ageShift   = 52
	ageMask    = 1<<6 - 1
)

func pack(e tableEntry, age uint8) packedEntry {
	return packedEntry(uint32(e.score)) |
		packedEntry(e.move+1)<<moveShift |
		packedEntry(uint8(e.depth))<<depthShift |
		packedEntry(e.bound)<<boundShift |
		packedEntry(age&ageMask)<<ageShift
}

func (p packedEntry) depth() int   { return int(uint8(p >> depthShift)) }
func (p packedEntry) bound() Bound { return Bound(p >> boundShift & 3) }
func (p packedEntry) age() uint8   { return uint8(p >> ageShift & ageMask) }

func (p packedEntry) unpack() tableEntry {
	return tableEntry{
		score: Score(uint32(p)),
		move:  Point(p>>moveShift&(1<<10-1)) - 1,
		depth: p.depth(),
		bound: p.bound(),
	}
}

type tableSlot struct {
	key  uint64
	data packedEntry
}

const (
	bucketSlots = 4
	bucketBytes = bucketSlots * 16
)

type tableBucket [bucketSlots]tableSlot

// transpositions is the table. The zero value has no room: it finds and stores
// nothing.
type transpositions struct {
	buckets []tableBucket
	age     uint8 // of the present search
}

// resize makes room for the given number of bytes, rounded down to whole
// buckets, and forgets everything if that is a change.
func (t *transpositions) resize(bytes int64) {
	if n := bytes / bucketBytes; n != int64(len(t.buckets)) {
		t.buckets = make([]tableBucket, n)
	}
}

// clear forgets everything.
func (t *transpositions) clear() {
	clear(t.buckets)
	t.age = 0
}

// newSearch makes all entries older by one search.
func (t *transpositions) newSearch() { t.age = (t.age + 1) & ageMask }

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
		if b[i].key == hash && b[i].data.bound() != NoBound {
			return b[i].data.unpack(), true
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
		d := b[i].data
		if b[i].key == hash || d.bound() == NoBound {
			worst = i
			break
		}
		// A search back costs as much as three plies of depth.
		worth := d.depth() - 3*int((t.age-d.age())&ageMask)
		if worth < worstWorth {
			worst, worstWorth = i, worth
		}
	}
	b[worst] = tableSlot{hash, pack(e, t.age)}
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
