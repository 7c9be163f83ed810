package gomoku

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// addRecordSeeds adds the sample files of a format, and what the writer of the
// format makes of all samples, to a fuzz target.
func addRecordSeeds(f *testing.F, format Format) {
	paths, err := filepath.Glob("testdata/records/*.*")
	require.NoError(f, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(f, err)
		if sniffFormat(text) == format {
			f.Add(string(text))
		}
		recs, _ := readAll(string(text), ReadOptions{Size: 20})
		for _, rec := range recs[:min(len(recs), 2)] {
			out, err := AppendRecord(nil, rec, format, WriteOptions{AllowLoss: true})
			if err == nil {
				f.Add(string(out))
			}
		}
	}
}

// fuzzFormat reads a text as the format says and as the reader guesses. What it
// makes of the text must be valid and stable in every format.
func fuzzFormat(t *testing.T, text string, f Format) {
	if len(text) > 1<<14 {
		t.Skip()
	}
	for _, o := range []ReadOptions{{Format: f}, {Size: 20}, {Format: f, RowsFromTop: true, MaxBytes: 500}} {
		recs, faults := readAll(text, o)
		for i, fault := range faults {
			assert.True(t, fault.Offset >= 0 && fault.Offset <= int64(len(text)), fault)
			assert.GreaterOrEqual(t, fault.Game, 1)
			assert.LessOrEqual(t, fault.Game, len(recs)+len(faults))
			if i > 0 {
				assert.Greater(t, fault.Game, faults[i-1].Game)
			}
		}
		for _, rec := range recs[:min(len(recs), 20)] {
			require.NoError(t, rec.Validate())
			_, _ = rec.Board()
			fuzzRecord(t, rec)
		}
	}
}

// fuzzRecord writes a record in every format and checks what comes back.
func fuzzRecord(t *testing.T, rec *Record) {
	for f := SGF; int(f) < len(formats); f++ {
		losses, err := rec.Losses(f)
		if err != nil {
			continue // an unescaped value; the message says so
		}
		text, err := AppendRecord(nil, rec, f, WriteOptions{AllowLoss: true})
		if hasStones(losses) {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		back := readOne(t, string(text), ReadOptions{Format: f, Size: rec.Size})
		require.Equal(t, moveText(rec), moveText(back))
		if len(losses) == 0 {
			require.Empty(t, diffRecords(rec, back))
		}
		again, err := AppendRecord(nil, back, f, WriteOptions{AllowLoss: true})
		require.NoError(t, err)
		require.Equal(t, string(text), string(again), "%v is not stable", f)
	}
}
