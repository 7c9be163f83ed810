package gomoku

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRecordJSON(t *testing.T) {
	rec := fullRecord()
	text, err := json.Marshal(rec)
	require.NoError(t, err)
	var back Record
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, rec, &back)
	again, err := json.Marshal(&back)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(again))

	// Indented, and inside something else.
	nested := map[string]*Record{"game": rec}
	text, err = json.MarshalIndent(nested, "", "  ")
	require.NoError(t, err)
	var got map[string]*Record
	require.NoError(t, json.Unmarshal(text, &got))
	assert.Equal(t, nested, got)

	rec = readOne(t, "(;SZ[15]RU[renju]RE[B+five];B[hh]MS[5](;W[ig])(;W[gg](;B[])(;B[aa])))", ReadOptions{})
	text, err = json.Marshal(rec)
	require.NoError(t, err)
	assert.Equal(t, `{"size":15,"rule":"renju","outcome":"black","reason":"five","moves":[{"move":"h8","color":"black","ms":5},`+
		`{"move":"i9","color":"white","variations":[[{"move":"g9","color":"white"},{"move":"-","color":"black",`+
		`"variations":[[{"move":"a15","color":"black"}]]}]]}]}`, string(text))
	checkRoundTrip(t, rec)
}

func TestRecordJSONBytes(t *testing.T) {
	rec := readOne(t, "h8", ReadOptions{})
	rec.Comment = "\xff\xfe"
	rec.Black.Name = "<&>"
	text, err := json.Marshal(rec)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"comment":{"base64":"//4="}`)
	var back Record
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, rec, &back)
}

func TestRecordJSONIndentedStream(t *testing.T) {
	rec := readOne(t, "h8i9", ReadOptions{})
	text, err := json.MarshalIndent(rec, "", "  ")
	require.NoError(t, err)
	recs, faults := readAll(string(text)+"\n"+string(text), ReadOptions{})
	assert.Empty(t, faults)
	assert.Equal(t, []*Record{rec, rec}, recs)
}

func TestRecordJSONFaults(t *testing.T) {
	const good = `{"size":15,"moves":[]}` + "\n"
	for _, tt := range []struct {
		in        string
		line, col int
		want      string
	}{
		{`{}`, 1, 1, "size"},
		{`{"size":15,"moves":[{"move":"h8"}]}`, 1, 1, "colour"},
		{`{"size":15,"moves":[{"color":"black"}]}`, 1, 1, "without a move"},
		{`{"size":15,"moves":[{"move":"h99","color":"black"}]}`, 1, 1, "row number"},
		{`{"size":15,"moves":[{"move":"p1","color":"black"}]}`, 1, 1, "outside"},
		{`{"size":15,"moves":[{"move":"a1","color":"black"},{"move":"a1","color":"white"}]}`, 1, 1, "occupied"},
		{`{"size":15,"moves":[{"ms":-1}]}`, 1, 1, "time"},
		{`{"size":15,"moves":[{"turn":"red"}]}`, 1, 1, "colour"},
		{`{"size":15,"moves":[{"variations":[[]]}]}`, 1, 1, "without a move"},
		{`{"size":15,"moves":[{"variations":[[{"variations":[[{}]]}]]}]}`, 1, 1, "first move"},
		{`{"size":15,"start":{"variations":[[{}]]}}`, 1, 1, "start"},
		{`{"size":15,"start":{"turn":"x"}}`, 1, 1, "colour"},
		{`{"size":15,"outcome":"great"}`, 1, 1, "outcome"},
		{`{"size":15,"rule":"chess"}`, 1, 1, "rule"},
		{`{"size":15,"comment":{"base64":"?"}}`, 1, 1, "base64"},
		{`{"size":15,"comment":7}`, 1, 1, "string"},
		{"{\"size\":15,\n \"rule\" \"renju\"}", 2, 9, "invalid character"},
		{`{"size":15,"com`, 1, 1, "not complete"},
		{`["size"]`, 1, 1, "should start"},
		{`"{`, 1, 1, "should start"},
	} {
		t.Run(tt.in, func(t *testing.T) {
			recs, faults := readAll(tt.in, ReadOptions{Format: JSONLines})
			assert.Empty(t, recs)
			require.Len(t, faults, 1)
			assert.ErrorContains(t, faults[0], tt.want)
			assert.Equal(t, []int{tt.line, tt.col}, []int{faults[0].Line, faults[0].Column}, faults[0].Error())
			recs, faults = readAll(good+tt.in+"\n"+good, ReadOptions{})
			require.Len(t, faults, 1)
			assert.Equal(t, 2, faults[0].Game)
			assert.Len(t, recs, 2)
		})
	}
	rec := fullRecord()
	assert.Error(t, json.Unmarshal([]byte("{}"), rec))
	assert.Equal(t, fullRecord(), rec, "unchanged on an error")
}

func FuzzJSONLines(f *testing.F) {
	addRecordSeeds(f, JSONLines)
	text, err := json.Marshal(fullRecord())
	require.NoError(f, err)
	f.Add(string(text) + "\n{\"size\":15,\"moves\":[{\"variations\":[[{}]]}]}\n{")
	f.Fuzz(func(t *testing.T, text string) { fuzzFormat(t, text, JSONLines) })
}
