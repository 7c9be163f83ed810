package gomoku

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Format is a text format for game records.
type Format uint8

// The record formats. Their documentation says what each can hold; for what it
// can't, WriteRecord reports a *LossError.
const (
	// UnknownFormat makes a reader look at the text, and SaveRecords at the
	// name of the file.
	UnknownFormat Format = iota

	// SGF, the Smart Game Format, holds everything a Record has. It is written
	// as FF[4] GM[4]; GM[1] and GM[5], under which renju games are found too,
	// are read as well. The first letter of a point is the column from the
	// left, the second the row from the top; points such as "h8", rows counted
	// from the bottom, are also read. The time of a move is kept in a private
	// property: MS, milliseconds. (red-bean.com/sgf.)
	SGF

	// PSQ is the format of Piskvork, the Gomocup manager: size, moves, times
	// in milliseconds, names. "x,y,ms" counts x from the left and y from the
	// top, both from 1; a game that has a 0 and no number as large as the board
	// is taken to count from 0, as some programs do. Its two level numbers are kept in the root property
	// PSQLEVELS, the result number at its end in PSQCODE. That number says how
	// the game ended (0 as usual, 15 by time, -1 not at all), not who won; a -1
	// is not kept, as it says nothing.
	PSQ

	// PlayOK is the PGN-like game list of PlayOK: tags, then moves such as
	// "1. h8 i9 2. j8 black 3. g7", rows from the bottom. The words black and
	// white are a choice of colour in the swap2 opening, "--" marks a column
	// whose player is not on move (or passes), and the result is 1-0 when the player in
	// the first column wins, whatever colour he ended up with.
	PlayOK

	// MoveLines is a game a line: moves such as "h8i9j8" or "h8 i9 j8", "-" for
	// a pass, or pairs of numbers, column and row from 1, such as "8,8 9,9".
	// Lines that start with "#" are comments and skipped. Only moves are held.
	MoveLines

	// OffsetLines is an opening a line, as Gomocup and Piskvork keep them:
	// "0,0, 1,-1, 2,0" counts columns to the right and rows DOWN from the
	// centre, point (n/2, n/2) of the board. Only moves are held.
	OffsetLines

	// JSONLines is a Record in JSON a line. It holds everything a Record has.
	// The reader accepts objects that span lines too.
	JSONLines
)

var formats = [...]struct {
	name string
	exts []string // the first is the usual one
}{
	UnknownFormat: {"unknown", nil},
	SGF:           {"sgf", []string{".sgf"}},
	PSQ:           {"psq", []string{".psq"}},
	PlayOK:        {"playok", []string{".pgn"}},
	MoveLines:     {"moves", []string{".moves", ".pos"}},
	OffsetLines:   {"offsets", []string{".offsets"}},
	JSONLines:     {"jsonl", []string{".jsonl", ".json"}},
}

// String returns the name of the format: "sgf", "psq", "playok", "moves",
// "offsets", "jsonl" or "unknown".
func (f Format) String() string {
	if int(f) >= len(formats) {
		return fmt.Sprintf("Format(%d)", uint8(f))
	}
	return formats[f].name
}

// ParseFormat returns the format with the given name, in upper or lower case.
func ParseFormat(name string) (Format, error) {
	for f := SGF; int(f) < len(formats); f++ {
		if strings.EqualFold(name, formats[f].name) {
			return f, nil
		}
	}
	return UnknownFormat, &ParseError{What: "format", Text: name, Reason: "not one of sgf, psq, playok, moves, offsets, jsonl"}
}

// FormatOfName returns the format that the extension of a file name stands for:
// .sgf, .psq, .pgn, .moves or .pos, .offsets, .jsonl or .json; else
// UnknownFormat. Text files (.txt) may hold any of them: let the reader look.
func FormatOfName(name string) Format {
	ext := filepath.Ext(name)
	for f := range formats {
		for _, e := range formats[f].exts {
			if strings.EqualFold(e, ext) {
				return Format(f)
			}
		}
	}
	return UnknownFormat
}

// ErrUnknownFormat: the input is in none of the record formats, or a format is
// needed and none was given.
var ErrUnknownFormat = errors.New("gomoku: unknown record format")

// ErrRecordTooLarge: a game is larger than ReadOptions.MaxBytes allows, or its
// variations are nested too deep (1000).
var ErrRecordTooLarge = errors.New("gomoku: record is too large")

// ReadOptions say how to read records. The zero value is right for most files.
type ReadOptions struct {
	// Format is the format of the input; with UnknownFormat the reader looks
	// at its beginning.
	Format Format

	// Size and Rule are assumed where the input names none. A Size of 0 is 15.
	Size int
	Rule Rule

	// RowsFromTop counts row numbers from the top where the format leaves it
	// open: in MoveLines, and in SGF points such as "h8". The default is from
	// the bottom, as renju players write.
	RowsFromTop bool

	// ZeroBased counts the number pairs of MoveLines from 0. Together with
	// RowsFromTop they are then the coordinates of the Gomocup protocol.
	ZeroBased bool

	// MaxBytes limits the text of one game; 0 is 4 MiB. A game may have one
	// node or set-up stone for every 8 bytes of the limit, so memory stays in
	// proportion: at the default below 200 MB for the worst of inputs.
	MaxBytes int
}

const (
	defaultSize     = 15
	defaultMaxBytes = 4 << 20
	bytesPerNode    = 8    // of the limit, not of the text
	maxNesting      = 1000 // of variations
)

// RecordError says which game of an input could not be read, where the fault
// is and what. Lines and columns count from 1, columns in bytes.
type RecordError struct {
	Format       Format
	Game         int   // number of the game in the input, from 1, bad ones included
	Line, Column int   // where the fault is
	Offset       int64 // the same place in bytes from the start of the input
	Reason       string
	Err          error // a cause to look for with errors.Is, or nil
}

// Error describes the fault, for example
// `gomoku: sgf game 3, line 12, column 5: point "zz" is not on the board`.
func (e *RecordError) Error() string {
	reason := e.Reason
	switch {
	case e.Err != nil && reason != "":
		reason += ": " + e.Err.Error()
	case e.Err != nil:
		reason = e.Err.Error()
	}
	return fmt.Sprintf("gomoku: %v game %d, line %d, column %d: %s", e.Format, e.Game, e.Line, e.Column, reason)
}

// Unwrap returns e.Err.
func (e *RecordError) Unwrap() error { return e.Err }

// ReadRecords returns the games of r, one after the other, as it reads them. A
// game that can't be read gives a nil record and a *RecordError; reading goes
// on with the next game. After an error of r itself, which the *RecordError
// wraps, the sequence ends. It can be used once.
func ReadRecords(r io.Reader, o ReadOptions) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		s := newRecordScanner(r, o)
		next, err := s.formatReader()
		if err != nil {
			yield(nil, err)
			return
		}
		if next == nil {
			return // an empty input holds no games
		}
		for {
			before := s.pos.Offset
			s.startGame()
			rec, err := next()
			broken := err != nil && s.err != nil && len(s.buf) == 0
			if broken {
				err = s.fault(s.pos, s.err, "")
			}
			if err == io.EOF {
				return
			}
			s.game++
			if err != nil {
				fault := err.(*RecordError)
				fault.Format, fault.Game = s.o.Format, s.game
				if !yield(nil, fault) || broken || s.pos.Offset == before {
					return
				}
				continue
			}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// LoadRecords reads all games of a file. It returns the good ones together with
// the errors of the bad ones, joined; each is a *RecordError unless the file
// could not be opened. If o names no format, the extension of the name decides,
// or with an extension that says nothing the text.
func LoadRecords(path string, o ReadOptions) ([]*Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("gomoku: load records: %w", err)
	}
	defer f.Close()
	if o.Format == UnknownFormat {
		o.Format = FormatOfName(path)
	}
	var recs []*Record
	var faults []error
	for rec, err := range ReadRecords(f, o) {
		if err != nil {
			faults = append(faults, err)
			continue
		}
		recs = append(recs, rec)
	}
	return recs, errors.Join(faults...)
}

// WriteOptions say how to write records.
type WriteOptions struct {
	// AllowLoss writes a record even if the format can't hold all of it; see
	// Losses. Moves and set-up stones are never dropped: what would change the
	// game, a Loss of "moves", "pass", "turn order", "empty game" or "set-up
	// stones", is a *LossError even so.
	AllowLoss bool
}

// Loss is something in a record that a format can't hold. Of moves, passes and
// the order of turns it is the first in a line; what follows is not compared.
type Loss struct {
	Field string // "rule", "comment", "time", "variations", ...
	Count int    // in how many places
	Move  int    // the first of them: number of the move, 0 for the record itself
}

// LossError says what a format can't hold of a record. Nothing was written.
type LossError struct {
	Format Format
	Losses []Loss
}

// Error lists the losses, for example
// "gomoku: psq can't hold rule, comment (2 places, first at move 5)".
func (e *LossError) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "gomoku: %v can't hold ", e.Format)
	for i, l := range e.Losses {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(l.Field)
		if l.Count > 1 {
			fmt.Fprintf(&s, " (%d places, first at move %d)", l.Count, l.Move)
		} else if l.Move > 0 {
			fmt.Fprintf(&s, " (at move %d)", l.Move)
		}
	}
	return s.String()
}

// hasStones reports whether a loss would change the game: never allowed.
func hasStones(losses []Loss) bool {
	for _, l := range losses {
		switch l.Field {
		case fieldMoves, fieldPass, fieldOrder, fieldEmpty, fieldSetup:
			return true
		}
	}
	return false
}

// AppendRecord appends the text of rec in format f to dst. The text is the same
// for equal records, and reading and writing it again gives the same bytes.
// Several records can follow each other in one text.
//
// The text is read back before it is returned. If that gives less than rec, the
// error is a *LossError, unless o allows the loss and no moves or set-up stones
// are among it. Line ends within comments
// become "\n" and times are cut to milliseconds without that being a loss. An
// invalid record is refused; see Validate. On an error dst is returned as it
// was.
func AppendRecord(dst []byte, rec *Record, f Format, o WriteOptions) ([]byte, error) {
	text, losses, err := encodeRecord(rec, f)
	if err != nil {
		return dst, err
	}
	if len(losses) > 0 && (!o.AllowLoss || hasStones(losses)) {
		return dst, &LossError{Format: f, Losses: losses}
	}
	return append(dst, text...), nil
}

// WriteRecord writes rec to w in format f, as AppendRecord builds it, with one
// call of Write: nothing is written on an error, and never half a game unless w
// itself fails.
func WriteRecord(w io.Writer, rec *Record, f Format, o WriteOptions) error {
	text, err := AppendRecord(nil, rec, f, o)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("gomoku: write record: %w", err)
	}
	return nil
}

// SaveRecords writes the records to the named file, replacing it. The games are
// written to a temporary file in the same directory first, which then takes
// the name: whatever happens, the file holds either the old games or all the
// new ones. With UnknownFormat the extension of the name decides.
//
// A symbolic link stays, and the file it leads to is replaced. What is there
// and not a regular file, such as a directory, a device or a pipe, is an error;
// so is a link that leads nowhere. WriteRecord writes to such things.
func SaveRecords(path string, recs []*Record, f Format, o WriteOptions) (err error) {
	if path == "" {
		return errors.New("gomoku: save records: the file name is empty")
	}
	if f == UnknownFormat {
		if f = FormatOfName(path); f == UnknownFormat {
			return fmt.Errorf("%w: %q", ErrUnknownFormat, path)
		}
	}
	var text []byte
	for i, rec := range recs {
		if text, err = AppendRecord(text, rec, f, o); err != nil {
			return fmt.Errorf("gomoku: save records: game %d: %w", i+1, err)
		}
	}
	path, mode, err := saveTarget(path)
	if err != nil {
		return fmt.Errorf("gomoku: save records: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("gomoku: save records: %w", err)
	}
	_, err = tmp.Write(text)
	err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("gomoku: save records: %w", errors.Join(err, os.Remove(tmp.Name())))
	}
	return nil
}

// saveTarget returns the file that saving to path replaces, links followed, and
// the permissions that it has or gets.
func saveTarget(path string) (string, os.FileMode, error) {
	old, err := os.Stat(path)
	if err != nil {
		if link, lerr := os.Lstat(path); lerr == nil && link.Mode()&os.ModeSymlink != 0 {
			return "", 0, fmt.Errorf("following the link: %w", err)
		}
		return path, 0o644, nil // a new file, unless creating it says otherwise
	}
	if !old.Mode().IsRegular() {
		return "", 0, &os.PathError{Op: "replace", Path: path, Err: errors.New("not a regular file")}
	}
	target, err := filepath.EvalSymlinks(path)
	return target, old.Mode().Perm(), err
}

// Losses returns what format f can't hold of the record: what WriteRecord would
// complain about.
func (r *Record) Losses(f Format) ([]Loss, error) {
	_, losses, err := encodeRecord(r, f)
	return losses, err
}

// encodeRecord returns the text of a record and what of it the text does not
// hold. The losses are found by reading the text again, so that no writer can
// forget one.
func encodeRecord(rec *Record, f Format) ([]byte, []Loss, error) {
	if err := rec.Validate(); err != nil {
		return nil, nil, err
	}
	var text []byte
	var err error
	switch f {
	case SGF:
		text, err = appendSGF(nil, rec)
	case PSQ:
		text = appendPSQ(nil, rec)
	case PlayOK:
		text = appendPlayOK(nil, rec)
	case MoveLines:
		text = appendMoveLine(nil, rec)
	case OffsetLines:
		text = appendOffsetLine(nil, rec)
	case JSONLines:
		text, err = appendJSONLine(nil, rec)
	default:
		err = fmt.Errorf("%w: %v", ErrUnknownFormat, f)
	}
	if err != nil {
		return nil, nil, err
	}
	var back *Record
	games := 0
	limit := max(defaultMaxBytes, 2*bytesPerNode*len(text))
	for got, err := range ReadRecords(bytes.NewReader(text), ReadOptions{Format: f, Size: rec.Size, MaxBytes: limit}) {
		games++
		if err != nil {
			if errors.Is(err, ErrRecordTooLarge) {
				return nil, nil, err
			}
			got = nil
		}
		back = got
	}
	if games != 1 || back == nil {
		// Nothing the readers would make of it: an empty game in a format of
		// moves only, or stones that the format has no words for.
		return nil, []Loss{lostGame(rec)}, nil
	}
	if (f == MoveLines || f == OffsetLines) && rec.Size != defaultSize {
		back.Size = defaultSize // what a reader assumes who is not told better
	}
	return text, diffRecords(rec, back), nil
}

// formatReader finds out the format, unless it is given, and returns the
// function that reads the next game: io.EOF after the last, else a *RecordError
// for a bad one. With no input at all there is none.
func (s *recordScanner) formatReader() (func() (*Record, error), error) {
	s.startGame()
	if s.o.Size < MinSize || s.o.Size > MaxSize {
		return nil, fmt.Errorf("gomoku: read records: %w: %d", ErrSize, s.o.Size)
	}
	if !s.o.Rule.valid() {
		return nil, fmt.Errorf("gomoku: read records: %w: %d", ErrRule, uint8(s.o.Rule))
	}
	if bytes.HasPrefix(s.look(3), []byte("\xef\xbb\xbf")) {
		s.skip(3) // a byte order mark
		s.pos.Column = 1
	}
	head := s.look(1 << 12)
	if len(bytes.TrimSpace(head)) == 0 && len(head) < 1<<12 {
		if s.err == nil {
			return nil, nil
		}
		fault := s.fault(s.pos, s.err, "")
		fault.Game = 1
		return nil, fault
	}
	if s.o.Format == UnknownFormat {
		s.o.Format = sniffFormat(head)
	}
	switch s.o.Format {
	case SGF:
		return (&sgfReader{s: s}).next, nil
	case PSQ:
		return (&psqReader{lineReader: lineReader{s: s}}).next, nil
	case PlayOK:
		return (&playokReader{lineReader{s: s}}).next, nil
	case MoveLines:
		return s.nextMoveLine, nil
	case OffsetLines:
		return s.nextOffsetLine, nil
	case JSONLines:
		return (&jsonReader{s: s}).next, nil
	}
	fault := s.fault(s.pos, ErrUnknownFormat, "")
	fault.Game = 1
	return nil, fault
}

// sniffFormat tells the format from the beginning of a text.
func sniffFormat(head []byte) Format {
	text := bytes.TrimSpace(head)
	if bytes.HasPrefix(text, []byte("Piskvorky ")) {
		return PSQ
	}
	if len(text) > 0 && text[0] == '{' {
		return JSONLines
	}
	if isSGFStart(text) {
		return SGF
	}
	passes := false // the lines so far hold only passes, or are drawn lines above other text
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if len(bytes.Trim(line, "- \t,;")) == 0 && bytes.IndexByte(line, '-') >= 0 {
			passes = true
			continue
		}
		f := sniffLine(line)
		if passes && f != MoveLines {
			passes = false
			break
		}
		if f != UnknownFormat {
			return f
		}
		break
	}
	if passes {
		return MoveLines
	}
	// SGF files may start with other text, such as the header of a mail.
	for i := range text {
		if isSGFStart(text[i:]) {
			return SGF
		}
	}
	return UnknownFormat
}

// sniffLine tells the format from the first line of a text.
func sniffLine(line []byte) Format {
	switch {
	case line[0] == '[' && len(line) > 1 && isLetter(line[1]):
		return PlayOK
	case bytes.HasPrefix(line, []byte("1.")):
		return PlayOK
	}
	numbers := true
	for _, c := range line {
		numbers = numbers && (isDigit(c) || isSpace(c) || c == ',' || c == '-' || c == ';')
	}
	if numbers {
		if _, err := parseOffsets(line); err == nil {
			return OffsetLines
		}
		if isDigit(line[0]) {
			return MoveLines
		}
		return UnknownFormat
	}
	// The game may start with passes.
	if _, _, reason := scanPoint(string(bytes.TrimLeft(line, "- \t,;"))); reason == "" {
		return MoveLines
	}
	return UnknownFormat
}

// isSGFStart reports whether a game of an SGF file starts text: "(" and ";".
func isSGFStart(text []byte) bool {
	return len(text) > 0 && text[0] == '(' && bytes.HasPrefix(bytes.TrimLeft(text[1:], " \t\r\n"), []byte(";"))
}
