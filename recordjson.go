package gomoku

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"
)

// The JSON form of a record. Fields that say nothing are left out:
//
//	{"size": 15, "rule": "renju",
//	 "black": {"name": "Ann", "rating": "2d", "team": ""}, "white": {...},
//	 "outcome": "black", "reason": "five",
//	 "event": "", "round": "", "place": "", "date": "", "opening": "",
//	 "comment": "", "charset": "",
//	 "start": {"setup": {"black": ["h8"], "white": [], "empty": []}, "turn": "white",
//	           "comment": "", "labels": [{"point": "h8", "text": "A"}],
//	           "extra": [{"name": "AP", "values": ["x"]}]},
//	 "moves": [{"move": "i9", "color": "white", "ms": 120, "comment": "",
//	            "variations": [[{"move": "i8", "color": "white"}]]}]}
//
// A move of "-" is a pass. The variations of a move are lines that could have
// been played in its place. A text that is not valid UTF-8 is {"base64": "..."}.
type recordJSON struct {
	Size    int         `json:"size"`
	Rule    *Rule       `json:"rule,omitempty"`
	Black   *playerJSON `json:"black,omitempty"`
	White   *playerJSON `json:"white,omitempty"`
	Outcome string      `json:"outcome,omitempty"`
	Reason  jsonText    `json:"reason,omitempty"`
	Event   jsonText    `json:"event,omitempty"`
	Round   jsonText    `json:"round,omitempty"`
	Place   jsonText    `json:"place,omitempty"`
	Date    jsonText    `json:"date,omitempty"`
	Opening jsonText    `json:"opening,omitempty"`
	Comment jsonText    `json:"comment,omitempty"`
	Charset jsonText    `json:"charset,omitempty"`
	Start   *nodeJSON   `json:"start,omitempty"`
	Moves   []nodeJSON  `json:"moves"`
}

type playerJSON struct {
	Name   jsonText `json:"name,omitempty"`
	Rating jsonText `json:"rating,omitempty"`
	Team   jsonText `json:"team,omitempty"`
}

type nodeJSON struct {
	Move       *Point         `json:"move,omitempty"`
	Color      string         `json:"color,omitempty"`
	Millis     int64          `json:"ms,omitempty"`
	Comment    jsonText       `json:"comment,omitempty"`
	Setup      *setupJSON     `json:"setup,omitempty"`
	Turn       string         `json:"turn,omitempty"`
	Labels     []labelJSON    `json:"labels,omitempty"`
	Extra      []propertyJSON `json:"extra,omitempty"`
	Variations [][]nodeJSON   `json:"variations,omitempty"`
}

type setupJSON struct {
	Black []Point `json:"black,omitempty"`
	White []Point `json:"white,omitempty"`
	Empty []Point `json:"empty,omitempty"`
}

type labelJSON struct {
	Point Point    `json:"point"`
	Text  jsonText `json:"text"`
}

type propertyJSON struct {
	Name   jsonText   `json:"name"`
	Values []jsonText `json:"values"`
}

// jsonText is text in any encoding.
type jsonText string

type jsonBytes struct {
	Base64 []byte `json:"base64"`
}

func (t jsonText) MarshalJSON() ([]byte, error) {
	if !utf8.ValidString(string(t)) {
		return json.Marshal(jsonBytes{[]byte(t)})
	}
	return json.Marshal(string(t))
}

func (t *jsonText) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var b jsonBytes
		if err := json.Unmarshal(data, &b); err != nil {
			return err
		}
		*t = jsonText(b.Base64)
		return nil
	}
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	*t = jsonText(s)
	return nil
}

// MarshalJSON returns the record as a JSON object, the same for equal records.
// It refuses an invalid record.
func (r *Record) MarshalJSON() ([]byte, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	j := recordJSON{
		Size: r.Size, Black: toPlayerJSON(r.Black), White: toPlayerJSON(r.White),
		Reason: jsonText(r.Reason), Event: jsonText(r.Event), Round: jsonText(r.Round),
		Place: jsonText(r.Place), Date: jsonText(r.Date), Opening: jsonText(r.Opening),
		Comment: jsonText(r.Comment), Charset: jsonText(r.Charset), Moves: []nodeJSON{},
	}
	if !r.RuleUnknown {
		j.Rule = &r.Rule
	}
	if r.Outcome != UnknownOutcome {
		j.Outcome = r.Outcome.String()
	}
	if !r.Root.isEmpty() {
		start := toNodeJSON(&r.Root)
		j.Start = &start
	}
	if len(r.Root.Next) > 0 {
		var err error
		if j.Moves, err = toLineJSON(&r.Root, 0, 0); err != nil {
			return nil, err
		}
	}
	return json.Marshal(j)
}

func toPlayerJSON(p Player) *playerJSON {
	if p == (Player{}) {
		return nil
	}
	return &playerJSON{jsonText(p.Name), jsonText(p.Rating), jsonText(p.Team)}
}

// toLineJSON returns the line that starts with from.Next[i]. The variations of
// its first move are the caller's.
func toLineJSON(from *RecordNode, i, depth int) ([]nodeJSON, error) {
	if depth == maxNesting {
		return nil, fmt.Errorf("%w: variations nested %d deep", ErrRecordTooLarge, maxNesting)
	}
	var line []nodeJSON
	for n := from; i < len(n.Next); i = 0 {
		siblings := n.Next[i+1:]
		if n == from && i > 0 {
			siblings = nil
		}
		next := n.Next[i]
		j := toNodeJSON(next)
		for k := range siblings {
			v, err := toLineJSON(n, i+1+k, depth+1)
			if err != nil {
				return nil, err
			}
			j.Variations = append(j.Variations, v)
		}
		line = append(line, j)
		n = next
	}
	return line, nil
}

func toNodeJSON(n *RecordNode) nodeJSON {
	j := nodeJSON{Millis: n.Time.Milliseconds(), Comment: jsonText(n.Comment)}
	if n.Color != Empty {
		p := n.Point
		j.Move, j.Color = &p, n.Color.String()
	}
	if len(n.Setup) > 0 {
		j.Setup = &setupJSON{}
		stones := n.Setup
		if hasRepeats(stones) {
			stones = cleanSetup(stones)
		}
		for _, s := range stones {
			list := j.Setup.list(s.Color)
			*list = append(*list, s.Point)
		}
	}
	if n.Turn != Empty {
		j.Turn = n.Turn.String()
	}
	for _, l := range n.Labels {
		j.Labels = append(j.Labels, labelJSON{l.Point, jsonText(l.Text)})
	}
	for _, p := range n.Extra {
		q := propertyJSON{Name: jsonText(p.Name), Values: []jsonText{}}
		for _, v := range p.Values {
			q.Values = append(q.Values, jsonText(v))
		}
		j.Extra = append(j.Extra, q)
	}
	return j
}

func (s *setupJSON) list(c Color) *[]Point {
	switch c {
	case Black:
		return &s.Black
	case White:
		return &s.White
	}
	return &s.Empty
}

// UnmarshalJSON reads what MarshalJSON writes; unknown fields are ignored. The
// result is valid; on an error r stays as it was.
func (r *Record) UnmarshalJSON(data []byte) error {
	var j recordJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	rec := Record{
		Size: j.Size, RuleUnknown: j.Rule == nil,
		Reason: string(j.Reason), Event: string(j.Event), Round: string(j.Round),
		Place: string(j.Place), Date: string(j.Date), Opening: string(j.Opening),
		Comment: string(j.Comment), Charset: string(j.Charset),
		Root: RecordNode{Point: NoPoint},
	}
	if j.Rule != nil {
		rec.Rule = *j.Rule
	}
	for _, p := range [...]struct {
		from *playerJSON
		to   *Player
	}{{j.Black, &rec.Black}, {j.White, &rec.White}} {
		if p.from != nil {
			*p.to = Player{string(p.from.Name), string(p.from.Rating), string(p.from.Team)}
		}
	}
	if j.Outcome != "" {
		for i, name := range outcomeNames {
			if name == j.Outcome {
				rec.Outcome = Outcome(i)
			}
		}
		if rec.Outcome.String() != j.Outcome {
			return fmt.Errorf("gomoku: record: unknown outcome %q", j.Outcome)
		}
	}
	if j.Start != nil {
		if len(j.Start.Variations) > 0 {
			return errors.New("gomoku: record: the start has variations")
		}
		if err := j.Start.fill(&rec.Root); err != nil {
			return err
		}
	}
	if err := fromLineJSON(&rec.Root, j.Moves, 0); err != nil {
		return err
	}
	if err := rec.Validate(); err != nil {
		return err
	}
	*r = rec
	return nil
}

// fromLineJSON appends a line, with its variations, to n.
func fromLineJSON(n *RecordNode, line []nodeJSON, depth int) error {
	if depth == maxNesting {
		return fmt.Errorf("%w: variations nested %d deep", ErrRecordTooLarge, maxNesting)
	}
	for i := range line {
		next := &RecordNode{Point: NoPoint}
		if err := line[i].fill(next); err != nil {
			return err
		}
		if depth > 0 && i == 0 && len(line[i].Variations) > 0 {
			return errors.New("gomoku: record: variations on the first move of a variation")
		}
		n.Next = append(n.Next, next)
		for _, v := range line[i].Variations {
			if len(v) == 0 {
				return errors.New("gomoku: record: a variation without a move")
			}
			if err := fromLineJSON(n, v, depth+1); err != nil {
				return err
			}
		}
		n = next
	}
	return nil
}

// fill copies the node to n.
func (j *nodeJSON) fill(n *RecordNode) error {
	var err error
	if j.Color != "" || j.Move != nil {
		if n.Color, err = jsonColor(j.Color); err != nil {
			return err
		}
		if j.Move == nil {
			return errors.New("gomoku: record: a colour without a move")
		}
		n.Point = *j.Move
	}
	if j.Millis < 0 || j.Millis > maxMoveTime {
		return fmt.Errorf("gomoku: record: time of %d ms", j.Millis)
	}
	n.Time = time.Duration(j.Millis) * time.Millisecond
	n.Comment = string(j.Comment)
	if j.Turn != "" {
		if n.Turn, err = jsonColor(j.Turn); err != nil {
			return err
		}
	}
	if j.Setup != nil {
		for _, c := range [...]Color{Black, White, Empty} {
			for _, p := range *j.Setup.list(c) {
				n.Setup = append(n.Setup, Stone{p, c})
			}
		}
	}
	for _, l := range j.Labels {
		n.Labels = append(n.Labels, Label{l.Point, string(l.Text)})
	}
	for _, p := range j.Extra {
		q := Property{Name: string(p.Name)}
		for _, v := range p.Values {
			q.Values = append(q.Values, string(v))
		}
		n.Extra = append(n.Extra, q)
	}
	return nil
}

func jsonColor(s string) (Color, error) {
	switch s {
	case "black":
		return Black, nil
	case "white":
		return White, nil
	}
	return Empty, fmt.Errorf("gomoku: record: %w: %q", ErrColor, s)
}

// appendJSONLine writes a record of JSONLines.
func appendJSONLine(dst []byte, rec *Record) ([]byte, error) {
	text, err := json.Marshal(rec)
	if err != nil {
		return nil, err
	}
	return append(append(dst, text...), '\n'), nil
}

// jsonReader reads objects that follow each other, usually one a line. A line
// that starts with "{" starts an object even if the one before is not complete,
// so a line cut short, as a crash leaves it, spoils no other.
type jsonReader struct{ s *recordScanner }

func (r *jsonReader) next() (*Record, error) {
	for {
		r.s.startGame()
		c, ok := r.s.peek()
		if !ok {
			return nil, io.EOF
		}
		if !isSpace(c) {
			break
		}
		r.s.skip(1)
	}
	at := r.s.pos
	text, err := r.object()
	if err != nil {
		return nil, err
	}
	rec := &Record{}
	if err := json.Unmarshal(text, rec); err != nil {
		fault := at
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			fault = advance(at, text[:max(0, min(int(syntax.Offset)-1, len(text)))])
		}
		return nil, r.s.fault(fault, err, "")
	}
	if rec.RuleUnknown {
		rec.Rule = r.s.o.Rule
	}
	return rec, nil
}

// advance returns the position behind text, which starts at p.
func advance(p recordPos, text []byte) recordPos {
	p.Offset += int64(len(text))
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		p.Line += bytes.Count(text, []byte("\n"))
		p.Column = len(text) - i
	} else {
		p.Column += len(text)
	}
	return p
}

// object reads the bytes of an object. After a fault it skips to the next line
// that starts with "{".
func (r *jsonReader) object() ([]byte, error) {
	at := r.s.pos
	if c, _ := r.s.peek(); c != '{' {
		r.resync()
		return nil, r.s.fault(at, nil, `no "{" where a record should start`)
	}
	var text []byte
	depth, inString := 0, false
	for {
		c, ok := r.s.peek()
		if !ok {
			if !r.s.atEnd() {
				r.resync()
				return nil, r.s.fault(at, ErrRecordTooLarge, "")
			}
			return nil, r.s.fault(at, io.ErrUnexpectedEOF, "the record is not complete")
		}
		if c == '{' && r.s.pos.Column == 1 && len(text) > 0 {
			return nil, r.s.fault(at, io.ErrUnexpectedEOF, "the record is not complete")
		}
		r.s.skip(1)
		text = append(text, c)
		switch {
		case inString && c == '\\':
			if c, ok = r.s.peek(); ok && c != '\n' {
				r.s.skip(1)
				text = append(text, c)
			}
		case inString:
			inString = c != '"' && c != '\n'
		case c == '"':
			inString = true
		case c == '{':
			depth++
			// A node in memory is larger than the text of an empty one.
			if !r.s.takeNodes(2) {
				r.resync()
				return nil, r.s.fault(at, ErrRecordTooLarge, "")
			}
		case c == '}':
			if depth--; depth == 0 {
				return text, nil
			}
		}
	}
}

// resync skips to the next line that starts with "{".
func (r *jsonReader) resync() {
	for {
		r.s.startGame()
		c, ok := r.s.peek()
		if !ok || c == '{' && r.s.pos.Column == 1 {
			return
		}
		r.s.skip(1)
	}
}
