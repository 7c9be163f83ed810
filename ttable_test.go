package gomoku

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTableEntrySizes pins the layout: an entry of two words, a bucket of a cache line.
func TestTableEntrySizes(t *testing.T) {
	assert.EqualValues(t, 8, unsafe.Sizeof(packedEntry(0)))
	assert.EqualValues(t, 16, unsafe.Sizeof(tableSlot{}))
	assert.EqualValues(t, 64, unsafe.Sizeof(tableBucket{}))
	assert.EqualValues(t, unsafe.Sizeof(tableBucket{}), bucketBytes)
}

// TestPackedEntryRoundTrip packs every kind of entry, at the limits of each field and at random.
func TestPackedEntryRoundTrip(t *testing.T) {
	check := func(e tableEntry, age uint8) {
		t.Helper()
		gen := (age*7 + 5) & genMask
		p := pack(e, age, gen)
		if got := p.unpack(); got != e || p.gen() != gen || p.age() != age&ageMask || p.depth() != e.depth || p.bound() != e.bound {
			t.Fatalf("%+v, age %d, came back as %+v, age %d", e, age, got, p.age())
		}
	}
	scores := []Score{
		0, 1, -1, MaxEstimate, -MaxEstimate, MaxEstimate + 1, -MaxEstimate - 1, mateScore, -mateScore,
		infinity, -infinity, mateIn(1), -mateIn(MaxDepth), math.MaxInt32, math.MinInt32,
	}
	moves := []Point{NoPoint, 0, Pt(21, 0), Pt(0, 21), Pt(21, 21), Pt(7, 7)}
	for _, s := range scores {
		for _, m := range moves {
			for _, depth := range []int{0, 1, 7, MaxDepth, 255} {
				for bound := NoBound; bound <= Upper; bound++ {
					check(tableEntry{s, m, depth, bound}, 63)
					check(tableEntry{s, m, depth, bound}, 0)
				}
			}
		}
	}
	rnd := rand.New(rand.NewPCG(31, 1))
	for range 100_000 {
		e := tableEntry{Score(rnd.Uint32()), Pt(rnd.IntN(MaxSize), rnd.IntN(MaxSize)), rnd.IntN(256), Bound(rnd.IntN(4))}
		check(e, uint8(rnd.IntN(64)))
	}
	for p := range Point(pointLimit) { // every point fits
		check(tableEntry{move: p}, 1)
	}
}

// TestScoreAcrossPlies has mates as the table keeps them: from the position, not from the root.
func TestScoreAcrossPlies(t *testing.T) {
	for _, tc := range []struct {
		root  Score
		ply   int
		table Score
	}{
		{0, 9, 0},
		{123, 9, 123},
		{-123, 9, -123},
		{MaxEstimate, 9, MaxEstimate}, // won, but no mate: nothing to count
		{-MaxEstimate, 9, -MaxEstimate},
		{mateIn(5), 0, mateIn(5)},
		{mateIn(5), 4, mateIn(1)}, // four plies below the root the win is one ply away
		{mateIn(9), 2, mateIn(7)},
		{-mateIn(5), 5, -mateIn(0)}, // lost already
		{-mateIn(8), 2, -mateIn(6)},
		{mateIn(MaxDepth), MaxDepth - 1, mateIn(1)},
	} {
		assert.Equal(t, tc.table, tc.root.toTable(tc.ply), "%v at %d", tc.root, tc.ply)
		assert.Equal(t, tc.root, tc.table.fromTable(tc.ply), "%v at %d", tc.table, tc.ply)
	}
	for ply := range MaxDepth {
		for plies := ply; plies < MaxDepth; plies++ {
			for _, s := range []Score{mateIn(plies), -mateIn(plies)} {
				in := s.toTable(ply)
				require.Equal(t, s, in.fromTable(ply))
				got, ok := in.Mate()
				require.True(t, ok)
				if s > 0 {
					require.Equal(t, plies-ply, got)
				} else {
					require.Equal(t, ply-plies, got)
				}
			}
		}
	}
}

// TestScoreMate has the edges between estimates and proven results.
func TestScoreMate(t *testing.T) {
	for _, tc := range []struct {
		s     Score
		plies int
		ok    bool
		text  string
	}{
		{0, 0, false, "+0"},
		{120, 0, false, "+120"},
		{-7, 0, false, "-7"},
		{MaxEstimate, 0, false, "+20000000"},
		{-MaxEstimate, 0, false, "-20000000"},
		{30_000_000 - 1, 1, true, "win in 1"},
		{30_000_000 - 5, 5, true, "win in 5"},
		{-30_000_000 + 4, -4, true, "loss in 4"},
		{-30_000_000, 0, true, "loss in 0"},
	} {
		plies, ok := tc.s.Mate()
		assert.Equal(t, tc.plies, plies, "%d", tc.s)
		assert.Equal(t, tc.ok, ok, "%d", tc.s)
		assert.Equal(t, tc.text, tc.s.String())
	}
}

// TestTableFindsWhatItStored fills a table with room for everything.
func TestTableFindsWhatItStored(t *testing.T) {
	table := newTranspositions(1 << 20)
	table.prepare(valueKey{})
	rnd := rand.New(rand.NewPCG(32, 1))
	stored := map[uint64]tableEntry{0: {5, NoPoint, 3, Exact}}
	for range 2000 { // of 65536 slots
		stored[rnd.Uint64()] = tableEntry{Score(rnd.Int32()), Pt(rnd.IntN(22), rnd.IntN(22)), rnd.IntN(100), Bound(1 + rnd.IntN(3))}
	}
	for hash := range stored {
		_, ok := table.probe(hash)
		require.False(t, ok, "found in an empty table")
	}
	for hash, e := range stored {
		table.store(hash, tableEntry{1, 1, 1, Lower}) // a later entry of the position replaces the first
		table.store(hash, e)
	}
	for hash, e := range stored {
		got, ok := table.probe(hash)
		require.True(t, ok)
		require.Equal(t, e, got)
		_, ok = table.probe(hash ^ 1)
		require.False(t, ok, "another position with nearly the same hash")
	}
	table.forget()
	for hash := range stored {
		_, ok := table.probe(hash)
		require.False(t, ok, "found after clear")
	}
}

// TestTableReplacement: in a full bucket the shallow entry goes before the deep one, the old search's before the new one's.
func TestTableReplacement(t *testing.T) {
	fill := func(depths ...int) *transpositions {
		table := newTranspositions(bucketBytes)
		table.prepare(valueKey{})
		require.Len(t, table.buckets, 1)
		for i, d := range depths {
			table.store(uint64(i+1), tableEntry{depth: d, bound: Exact, move: NoPoint})
		}
		return &table
	}
	has := func(table *transpositions, hash uint64) bool {
		_, ok := table.probe(hash)
		return ok
	}
	table := fill(5, 3, 8, 4)
	for hash := uint64(1); hash <= 4; hash++ {
		assert.True(t, has(table, hash), "a bucket holds four")
	}
	table.store(9, tableEntry{depth: 1, bound: Exact})
	assert.True(t, has(table, 9), "a new entry is always kept")
	assert.False(t, has(table, 2), "the shallowest goes")
	assert.True(t, has(table, 1) && has(table, 3) && has(table, 4))

	table = fill(9, 9, 9, 9)
	table.prepare(valueKey{})
	for range 3 {
		table.store(4, tableEntry{depth: 7, bound: Exact}) // seen again by the new search
	}
	table.store(5, tableEntry{depth: 7, bound: Exact})
	table.store(6, tableEntry{depth: 7, bound: Exact})
	table.store(7, tableEntry{depth: 7, bound: Exact})
	assert.True(t, has(table, 4) && has(table, 5) && has(table, 6) && has(table, 7), "two plies deeper do not outweigh a search back")
	for range 200 { // the age goes round without harm
		table.prepare(valueKey{})
		table.store(100, tableEntry{depth: 1, bound: Exact})
		require.True(t, has(table, 100))
	}
}

// TestTableWithoutRoom finds and stores nothing.
func TestTableWithoutRoom(t *testing.T) {
	for _, bytes := range []int64{0, 1, bucketBytes - 1} {
		table := newTranspositions(bytes)
		table.store(1, tableEntry{depth: 1, bound: Exact})
		_, ok := table.probe(1)
		assert.False(t, ok)
		table.forget()
	}
}

// TestTableMemory keeps the table within the bytes asked for.
func TestTableMemory(t *testing.T) {
	for _, bytes := range []int64{64, 65, 127, 128, 1000, 1 << 16, 1<<20 + 63} {
		table := newTranspositions(bytes)
		table.prepare(valueKey{})
		used := int64(len(table.buckets)) * int64(unsafe.Sizeof(tableBucket{}))
		assert.LessOrEqual(t, used, bytes)
		assert.Greater(t, used, bytes-bucketBytes)
		rnd := rand.New(rand.NewPCG(33, 1))
		for range 1000 { // any hash has its place
			table.store(rnd.Uint64(), tableEntry{depth: 1, bound: Exact})
		}
		table.store(math.MaxUint64, tableEntry{depth: 1, bound: Exact})
		table.store(0, tableEntry{depth: 1, bound: Exact})
	}
}

// TestTableKeepsItsEntriesOverSearches: preparing for a search that values positions alike forgets nothing; other
// values forget everything.
func TestTableKeepsItsEntriesOverSearches(t *testing.T) {
	base := BalancedWeights()
	other := base
	other.One++
	factory := evaluatorFactory(func() Evaluator { return NewLineEvaluator(base) })
	key := valueKey{radius: 2, cap: 20, weights: base}
	for name, tc := range map[string]struct {
		key  valueKey
		kept bool
	}{
		"same":       {key, true},
		"radius":     {valueKey{radius: 3, cap: 20, weights: base}, false},
		"cap":        {valueKey{radius: 2, cap: 19, weights: base}, false},
		"weights":    {valueKey{radius: 2, cap: 20, weights: other}, false},
		"seed":       {valueKey{radius: 2, cap: 20, weights: base, seed: 1}, false},
		"techniques": {valueKey{radius: 2, cap: 20, weights: base, techniques: Shapes}, false},
		"shapes":     {valueKey{radius: 2, cap: 20, weights: base, shapeWorth: new(ShapeWeights)}, false},
		"evaluator":  {valueKey{radius: 2, cap: 20, weights: base, evaluator: &factory}, false},
	} {
		table := newTranspositions(1 << 12)
		table.prepare(key)
		table.store(77, tableEntry{depth: 1, bound: Exact})
		table.prepare(tc.key)
		_, ok := table.probe(77)
		assert.Equal(t, tc.kept, ok, name)
	}
}

// TestTornEntriesAreNotFound: words that two threads wrote to one slot match no position.
func TestTornEntriesAreNotFound(t *testing.T) {
	one, two := newTranspositions(bucketBytes), newTranspositions(bucketBytes)
	const a, b = 0x1234567890abcdef, 0xfedcba9876543210
	one.store(a, tableEntry{score: 1, depth: 1, bound: Exact})
	two.store(b, tableEntry{score: 2, depth: 2, bound: Exact})
	one.buckets[0][0].data.Store(two.buckets[0][0].data.Load())
	for _, hash := range []uint64{a, b} {
		_, ok := one.probe(hash)
		assert.False(t, ok)
	}
}

// TestTableForgetsOverAllGenerations: what was stored in any earlier generation is never found, also when the
// generations go round, and does not get in the way of new entries.
func TestTableForgetsOverAllGenerations(t *testing.T) {
	table, fresh := newTranspositions(bucketBytes), newTranspositions(bucketBytes)
	for i := range uint64(3 * (genMask + 1)) {
		table.store(i, tableEntry{depth: 50, bound: Exact})
		table.forget()
		for old := range i + 1 {
			_, ok := table.probe(old)
			require.False(t, ok)
		}
	}
	for i := range uint64(9) {
		e := tableEntry{depth: int(i*5) % 7, bound: Lower}
		table.store(i, e)
		fresh.store(i, e)
	}
	for i := range uint64(9) {
		_, a := table.probe(i)
		_, b := fresh.probe(i)
		require.Equal(t, b, a, "a table that has forgotten replaces like a new one")
	}
}
