package gomoku

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readAll returns the good games of a text and the faults of the bad ones.
func readAll(text string, o ReadOptions) (recs []*Record, faults []*RecordError) {
	for rec, err := range ReadRecords(bytes.NewReader([]byte(text)), o) {
		if err != nil {
			faults = append(faults, err.(*RecordError))
			continue
		}
		recs = append(recs, rec)
	}
	return recs, faults
}

// readOne returns the only game of a text.
func readOne(t testing.TB, text string, o ReadOptions) *Record {
	t.Helper()
	recs, faults := readAll(text, o)
	require.Empty(t, faults)
	require.Len(t, recs, 1)
	return recs[0]
}

func TestRecordSamples(t *testing.T) {
	games := map[string]int{"piskvork_openings.txt": 41}
	paths, err := filepath.Glob("testdata/records/*")
	require.NoError(t, err)
	for _, path := range paths {
		name := filepath.Base(path)
		if name == "README.md" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			o := ReadOptions{}
			if name == "piskvork_openings.txt" {
				o.Size = 20
			}
			recs, faults := readAll(string(text), o)
			assert.Empty(t, faults)
			assert.Len(t, recs, max(1, games[name]))
			for _, rec := range recs {
				_, err := rec.Board()
				assert.NoError(t, err)
				for f := SGF; f <= JSONLines; f++ {
					out, err := AppendRecord(nil, rec, f, WriteOptions{AllowLoss: true})
					if !assert.NoError(t, err, f.String()) {
						continue
					}
					again := readOne(t, string(out), ReadOptions{Format: f, Size: rec.Size})
					out2, err := AppendRecord(nil, again, f, WriteOptions{AllowLoss: true})
					assert.NoError(t, err)
					assert.Equal(t, string(out), string(out2))
					if f != SGF && f != JSONLines {
						continue
					}
					losses, err := rec.Losses(f)
					assert.NoError(t, err)
					assert.Empty(t, losses)
					assert.Equal(t, rec, again)
				}
			}
		})
	}
}
