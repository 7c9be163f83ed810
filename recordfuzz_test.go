package gomoku

import (
	"os"
	"path/filepath"
	"testing"
	"time"

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
		for _, rec := range recs[:min(len(recs), 4)] {
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

// A recordMaker builds a record from bytes: each byte decides something, and
// texts are taken from them as they are.
type recordMaker struct{ data []byte }

func (m *recordMaker) byte() byte {
	if len(m.data) == 0 {
		return 0
	}
	c := m.data[0]
	m.data = m.data[1:]
	return c
}

func (m *recordMaker) text() string {
	n := min(int(m.byte()%8), len(m.data))
	s := string(m.data[:n])
	m.data = m.data[n:]
	return s
}

func (m *recordMaker) point(size int) Point {
	return Pt(int(m.byte())%size, int(m.byte())%size)
}

func (m *recordMaker) node(n *RecordNode, size int) {
	switch m.byte() % 12 {
	case 0:
		n.Comment = m.text()
	case 1:
		n.Time = time.Duration(m.byte()) * time.Millisecond
	case 2:
		n.Labels = append(n.Labels, Label{m.point(size), m.text()})
	case 3:
		n.Extra = append(n.Extra, Property{m.text(), []string{m.text(), m.text()}})
	case 4:
		n.Extra = append(n.Extra, Property{"XY", []string{m.text()}})
	case 5:
		if n.Color != Empty {
			return
		}
		n.Turn = Color(m.byte() % 3)
	case 6:
		if n.Color == Empty {
			n.Setup = append(n.Setup, Stone{m.point(size), Color(m.byte() % 3)})
		}
	}
}

func (m *recordMaker) record() *Record {
	r := &Record{Size: 5 + int(m.byte())%18, Rule: Rule(m.byte() % 4), Root: RecordNode{Point: NoPoint}}
	r.RuleUnknown = m.byte()%2 == 0
	r.Outcome = Outcome(m.byte() % 5)
	r.Charset = []string{"", "UTF-8", "gbk", "Shift_JIS", m.text()}[m.byte()%5]
	for n := m.byte() % 8; n > 0; n-- {
		texts := []*string{
			&r.Reason, &r.Opening, &r.Comment, &r.Event, &r.Round, &r.Place, &r.Date,
			&r.Black.Name, &r.White.Name, &r.Black.Rating, &r.White.Team,
		}
		*texts[int(m.byte())%len(texts)] = m.text()
	}
	if c := m.byte() % 8; c < 4 {
		r.Opening = []string{"swap2:black@3", "swap2:white@3", "swap2:black@5", "swap2:white@5"}[c]
	}
	nodes := []*RecordNode{&r.Root}
	for len(m.data) > 0 && len(nodes) < 200 {
		end := nodes[len(nodes)-1]
		switch c := m.byte(); {
		case c < 150:
			nodes = append(nodes, end.Add(m.point(r.Size), end.Color.Opponent()))
			if end.Color == Empty {
				nodes[len(nodes)-1].Color = Black
			}
		case c < 160:
			nodes = append(nodes, end.Add(NoPoint, Color(1+m.byte()%2)))
		case c < 180:
			nodes = append(nodes, nodes[int(m.byte())%len(nodes)].Add(m.point(r.Size), Color(1+m.byte()%2)))
		case c < 185:
			nodes = append(nodes, end.Add(NoPoint, Empty))
		default:
			m.node(end, r.Size)
		}
	}
	return r
}

// FuzzRecord writes records that no reader would come up with.
func FuzzRecord(f *testing.F) {
	f.Add([]byte("\x0a\x01\x01\x01\x02\x01\x02\x04abcd\x09\x01\x02\x02\x03\x04\xc8\x02\x03\x04\x05hello\xc8\x03\x02XX\x02ab\x03]\\]"))
	f.Add([]byte("\x00\x00\x00\x00\x04\x03gbk\x02\x02\x04\x95]\x95\\\x03\x04\x95\\]:\x08\x01\x01\x02\x02\xc8\x02\x01\x01\x04a:\x95]\xa0\x01\xaf\x00\x03\x03\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := recordMaker{data}
		rec := m.record()
		if rec.Validate() != nil {
			t.Skip()
		}
		fuzzRecord(t, rec)
	})
}
