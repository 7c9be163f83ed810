package gomoku

import "sync/atomic"

// Several threads search the same tree and share the transposition table. So that
// they do not all look at the same moves in the same order, each says which moves it
// is searching, and a move that another one has in hand is put off until the rest
// are done; by then its value is in the table, most often. (T. Kerrigan,
// "Simplified ABDADA", after J.-C. Weill, "The ABDADA Distributed Minimax-Search
// Algorithm", 1996.)

// shareDepth is the least depth at which threads look at what the others do. Less
// deep, a move is searched before it is worth asking.
const shareDepth = 3

const (
	inHandBuckets = 1 << 10 // a power of two
	inHandSlots   = 4
)

// movesInHand is which moves the threads of a search are looking at. An entry may
// be lost to another one: then two threads do the same work. It is safe for
// concurrent use. The nil table is that of a thread alone and has no entries.
type movesInHand [inHandBuckets][inHandSlots]atomic.Uint64

// key returns what stands for the move p, searched to the given depth, in the
// position with the given hash. It is 0 for a move that is not shared.
func (t *movesInHand) key(hash uint64, p Point, depth int) uint64 {
	if t == nil || depth < shareDepth {
		return 0
	}
	return hash ^ uint64(p+1)*0x9e3779b97f4a7c15 | 1
}

// bucket returns where a key may stand.
func (t *movesInHand) bucket(key uint64) *[inHandSlots]atomic.Uint64 {
	return &t[key>>1%inHandBuckets]
}

// has reports whether a thread is searching the move.
func (t *movesInHand) has(key uint64) bool {
	if key == 0 {
		return false
	}
	b := t.bucket(key)
	for i := range b {
		if b[i].Load() == key {
			return true
		}
	}
	return false
}

// take notes that the move is being searched.
func (t *movesInHand) take(key uint64) {
	if key == 0 {
		return
	}
	b := t.bucket(key)
	for i := range b {
		if was := b[i].Load(); was == key || was == 0 && b[i].CompareAndSwap(0, key) {
			return
		}
	}
	b[0].Store(key)
}

// drop notes that the move is no longer searched.
func (t *movesInHand) drop(key uint64) {
	if key == 0 {
		return
	}
	b := t.bucket(key)
	for i := range b {
		if b[i].CompareAndSwap(key, 0) {
			return
		}
	}
}

// clear forgets what a search that was broken off has left.
func (t *movesInHand) clear() {
	if t == nil {
		return
	}
	for i := range t {
		for j := range t[i] {
			t[i][j].Store(0)
		}
	}
}
