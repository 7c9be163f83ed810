package gomoku

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const playokTags = "[Black \"one\"]\n[White \"two\"]\n[BlackElo \"1\"]\n[WhiteElo \"2\"]\n"

// The seats and the colours part where a colour was chosen.
func TestPlayOKSeats(t *testing.T) {
	for _, tt := range []struct {
		name, moves, want string
		opening           string
		black             string
		outcome           Outcome
	}{
		{"no choice", "1. h8 i9 2. j8 1-0", "h8i9j8", "", "one", BlackWins},
		{"no choice, second wins", "1. h8 i9 2. j8 k8 0-1", "h8i9j8k8", "", "one", WhiteWins},
		{"second takes black", "1. h8 i9 2. j8 black 3. k8 l8 1-0", "h8i9j8k8l8", "swap2:black@3", "two", WhiteWins},
		{"second takes white", "1. h8 i9 2. j8 white 3. -- k8 4. l8 0-1", "h8i9j8k8l8", "swap2:white@3", "one", WhiteWins},
		{"two more, first takes black", "1. h8 i9 2. j8 k8 3. l8 -- 4. black m8 5. n8 1-0", "h8i9j8k8l8m8n8", "swap2:black@5", "one", BlackWins},
		{"two more, first takes white", "1. h8 i9 2. j8 k8 3. l8 -- 4. white -- 5. m8 n8 1-0", "h8i9j8k8l8m8n8", "swap2:white@5", "two", WhiteWins},
		{"a lost turn", "1. h8 i9 2. j8 black 3. k8 -- 4. l8 m8 *", "h8i9j8k8-l8m8", "swap2:black@3", "two", UnknownOutcome},
		{"a lost turn without a choice", "1. h8 -- 2. j8 *", "h8-j8", "", "one", UnknownOutcome},
		{"draw", "1. h8 1/2-1/2", "h8", "", "one", Draw},
		{"choice at the end", "1. h8 i9 2. j8 white *", "h8i9j8", "swap2:white@3", "one", UnknownOutcome},
		{"no result", "1. h8 i9", "h8i9", "", "one", UnknownOutcome},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec := readOne(t, playokTags+"\n"+tt.moves+"\n", ReadOptions{})
			assert.Equal(t, tt.want, moveText(rec))
			assert.Equal(t, tt.opening, rec.Opening)
			assert.Equal(t, tt.black, rec.Black.Name)
			assert.Equal(t, map[string]string{"one": "1", "two": "2"}[tt.black], rec.Black.Rating)
			assert.Equal(t, tt.outcome, rec.Outcome)
			out, losses := writeLossy(t, rec, PlayOK)
			assert.Empty(t, losses)
			if tt.name != "no result" {
				assert.Contains(t, out, "\n\n"+tt.moves+"\n")
			}
			checkRoundTrip(t, rec)
		})
	}
}

func TestPlayOKSample(t *testing.T) {
	recs, err := LoadRecords("testdata/records/playok_sample.pgn", ReadOptions{})
	require.NoError(t, err)
	rec := recs[0]
	assert.Equal(t, BlackWins, rec.Outcome, "0-1 is the second seat, which took black")
	assert.Equal(t, "1588", rec.Black.Rating)
	assert.Equal(t, "PlayOK", rec.Place)
	assert.Equal(t, "2020-09-26", rec.Date)
	assert.Empty(t, rec.Event)
	assert.Empty(t, rec.Round)
	assert.Equal(t, Standard, rec.Rule)
	assert.False(t, rec.RuleUnknown)
	assert.Equal(t, []Property{{"Time", []string{"09:57:12"}}, {"TimeControl", []string{"60"}}, {"GameType", []string{"61,15"}}}, rec.Root.Extra)
	b, err := rec.Board()
	require.NoError(t, err)
	assert.Equal(t, Black, b.Winner())
}

func TestPlayOKTags(t *testing.T) {
	rec := readOne(t, `[Event "a \"b\" \\ c]d"]`+"\n[Date \"????.??.??\"]\n[GameType \"61,20\"]\n[Rule \"renju\"]\n[Odd \"]\"]\n[Charset \"KOI8-R\"]\n\n1. t20 *\n", ReadOptions{})
	assert.Equal(t, `a "b" \ c]d`, rec.Event)
	assert.Empty(t, rec.Date)
	assert.Equal(t, 20, rec.Size)
	assert.Equal(t, Renju, rec.Rule)
	assert.Equal(t, Property{"Odd", []string{`\]`}}, rec.Root.Extra[1])
	checkRoundTrip(t, rec)
	for _, f := range []Format{SGF, PlayOK, JSONLines} {
		losses, err := rec.Losses(f)
		assert.NoError(t, err)
		assert.Empty(t, losses, f)
	}

	rec = readOne(t, "h8i9", ReadOptions{Size: 19, Rule: Caro})
	rec.RuleUnknown = false
	out, losses := writeLossy(t, rec, PlayOK)
	assert.Empty(t, losses)
	assert.Contains(t, out, "[Rule \"caro\"]\n[Size \"19\"]\n")
	rec.Event = "?"
	_, losses = writeLossy(t, rec, PlayOK)
	assert.Equal(t, []Loss{{Field: "event", Count: 1}}, losses)
}

func TestPlayOKComments(t *testing.T) {
	rec := readOne(t, "1. {before} h8 {one\n\n[two]} {three} i9{x} 2. j8 *", ReadOptions{})
	assert.Equal(t, "before", rec.Root.Comment)
	n := rec.Root.Next[0]
	assert.Equal(t, "one\n\n[two]\nthree", n.Comment)
	assert.Equal(t, "x", n.Next[0].Comment)
	checkRoundTrip(t, rec)
	n.Comment = "}"
	_, losses := writeLossy(t, rec, PlayOK)
	assert.Equal(t, []Loss{{Field: "comment", Count: 1, Move: 1}}, losses)
}

func TestPlayOKManyGames(t *testing.T) {
	recs, faults := readAll("1. h8 *\n\n1. i9 *\n1. j9 *\n\n[Event \"x\"]\n\n1. k9 *\n[Event \"y\"]\n1. l9\n[Event \"z\"]\n", ReadOptions{})
	assert.Empty(t, faults)
	require.Len(t, recs, 6)
	assert.Equal(t, "l9", moveText(recs[4]))
	assert.Equal(t, "", moveText(recs[5]))
}

func TestPlayOKFaults(t *testing.T) {
	const good = "[Event \"x\"]\n\n1. h8 *\n\n"
	for _, tt := range []struct {
		in        string
		line, col int
		want      string
	}{
		{"[Event \"x]\n\n1. h8 *\n", 1, 1, "malformed"},
		{"[Event x]\n\n1. h8 *\n", 1, 1, "malformed"},
		{"[Event]\n\n1. h8 *\n", 1, 1, "malformed"},
		{"[Event \"x\" y\"]\n\n1. h8 *\n", 1, 1, "malformed"},
		{"[Event \"x\\\"]\n\n1. h8 *\n", 1, 1, "malformed"},
		{"[Event \"x\\y\"]\n\n1. h8 *\n", 1, 1, "malformed"},
		{"[E-t \"x\"]\n\n1. h8 *\n", 1, 1, "malformed"},
		{"[Result \"2-0\"]\n\n1. h8 *\n", 1, 1, "unknown result"},
		{"[Size \"99\"]\n\n1. h8 *\n", 1, 1, "size"},
		{"[GameType \"61,99\"]\n\n1. h8 *\n", 1, 1, "size"},
		{"[Rule \"go\"]\n\n1. h8 *\n", 1, 1, "unknown rule"},
		{"[Result \"1-0\"]\n\n1. h8 0-1\n", 3, 7, "in the tags"},
		{"[Event \"x\"]\n\n1. h8 i9\n3. j8 *\n", 4, 1, "move 2 of seat 1"},
		{"[Event \"x\"]\n\n1. 2. h8 *\n", 3, 4, "move 1 of seat 1"},
		{"[Event \"x\"]\n\n1. h8 h8 *\n", 3, 7, "occupied"},
		{"[Event \"x\"]\n\n1. h16 *\n", 3, 4, "outside"},
		{"[Event \"x\"]\n\n1. e4xe5 *\n", 3, 4, "no move"},
		{"[Event \"x\"]\n\n1. h8 i9 2. j8 black 3. white *\n", 3, 25, "second choice"},
		{"[Event \"x\"]\n\n1. h8 black *\n", 3, 7, "after 1 stones"},
		{"[Event \"x\"]\n\n1. h8 i9 2. j8 white 3. k8 *\n", 3, 25, "out of turn"},
		{"[Event \"x\"]\n\n1. h8 * i9\n", 3, 9, "after the result"},
		{"[Event \"x\"]\n\n1. h8 {a *\n", 3, 7, "closing"},
	} {
		t.Run(tt.in, func(t *testing.T) {
			recs, faults := readAll(tt.in, ReadOptions{Format: PlayOK})
			assert.Empty(t, recs)
			require.Len(t, faults, 1)
			assert.ErrorContains(t, faults[0], tt.want)
			assert.Equal(t, []int{tt.line, tt.col}, []int{faults[0].Line, faults[0].Column}, faults[0].Error())
			if tt.want == "closing" {
				return
			}
			recs, faults = readAll(good+tt.in+"\n"+good, ReadOptions{Format: PlayOK})
			require.Len(t, faults, 1)
			assert.Equal(t, 2, faults[0].Game)
			assert.Len(t, recs, 2)
		})
	}
}

// TestPlayOKRepeatedTags: values of a tag that comes more than once are all kept, in
// PlayOK and in SGF.
func TestPlayOKRepeatedTags(t *testing.T) {
	rec := readOne(t, "[Foo \"1\"]\n[Bar \"x\"]\n[Foo \"2\"]\n\n1. h8 i9 *\n", ReadOptions{Format: PlayOK})
	assert.Equal(t, []Property{{"Foo", []string{"1", "2"}}, {"Bar", []string{"x"}}}, rec.Root.Extra)
	for _, f := range []Format{PlayOK, SGF} {
		out, losses := writeLossy(t, rec, f)
		assert.Empty(t, losses, f)
		assert.Equal(t, rec.Root.Extra, readOne(t, out, ReadOptions{Format: f}).Root.Extra, f)
	}
}

func FuzzPlayOK(f *testing.F) {
	addRecordSeeds(f, PlayOK)
	f.Add("[GameType \"61,15\"]\n[Result \"1-0\"]\n\n1. h8 i9 2. j8 k8 3. l8 -- 4. white -- 5. m8 {x} -- 1-0\n")
	f.Add("[e\"\"]\n[a\"\"]\n[e\"\"]") // a tag twice, another between
	f.Fuzz(func(t *testing.T, text string) { fuzzFormat(t, text, PlayOK) })
}
