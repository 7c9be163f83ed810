package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

const extensions = ".sgf, .psq, .pgn, .moves, .offsets, .jsonl"

func (s *session) save(arg string) error     { return s.saveGame(arg, false) }
func (s *session) saveOver(arg string) error { return s.saveGame(arg, true) }

// saveGame writes the game to a file, which it replaces as a whole or leaves as
// it is. A file that holds anything but this game it replaces only when told to.
func (s *session) saveGame(name string, over bool) error {
	if name == "" {
		name = s.game.file
	}
	if name == "" {
		return errors.New("save needs a file name, such as game.sgf; the formats are " + extensions)
	}
	format := gomoku.FormatOfName(name)
	if format == gomoku.UnknownFormat {
		return fmt.Errorf("the extension of %q is no format to save in; the formats are %s", name, extensions)
	}
	if _, err := os.Lstat(name); err == nil && !over && name != s.game.file {
		return fmt.Errorf("%q exists already; save! %s replaces it", name, name)
	}
	rec := s.record()
	losses, err := rec.Losses(format)
	if err != nil {
		return userError(err)
	}
	// What is lost is said below; stones are never lost, but an error.
	if err := gomoku.SaveRecords(name, []*gomoku.Record{rec}, format, gomoku.WriteOptions{AllowLoss: true}); err != nil {
		if lost := (*gomoku.LossError)(nil); errors.As(err, &lost) && s.game.board.Len() == 0 {
			return fmt.Errorf("a game without a move can't be saved as %v", format)
		}
		return fileError("save", name, err)
	}
	s.game.file = name
	s.printf("Saved %s to %s.\n", count(len(s.game.times), "move"), name)
	if len(losses) > 0 {
		s.printf("Not kept, because %v has no place for it: %s.\n", format, lossList(losses))
	}
	return nil
}

// lossList names what was lost, as part of a sentence.
func lossList(losses []gomoku.Loss) string {
	names := make([]string, 0, len(losses))
	for _, l := range losses {
		names = append(names, l.Field)
	}
	return strings.Join(names, ", ")
}

// fileError says which file the person named is in trouble; the library's error
// may name a temporary one.
func fileError(what, name string, err error) error {
	path, link := (*fs.PathError)(nil), (*os.LinkError)(nil)
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	default:
		return plainError(err)
	}
	return fmt.Errorf("can't %s %q: %w", what, name, err)
}

// load loads a game: "name" or "name #3", the third of the file.
func (s *session) load(arg string) error {
	if arg == "" {
		return errors.New("load needs a file name, such as game.sgf")
	}
	name, n := arg, 1
	if i := strings.LastIndex(arg, " #"); i >= 0 {
		var err error
		if n, err = strconv.Atoi(arg[i+2:]); err != nil || n < 1 {
			return fmt.Errorf("%q is no number of a game", arg[i+2:])
		}
		name = strings.TrimSpace(arg[:i])
	}
	return s.loadGame(name, n)
}

// loadGame changes to the nth game of a file.
func (s *session) loadGame(name string, n int) error {
	now := s.game.board
	records, faults := gomoku.LoadRecords(name, gomoku.ReadOptions{Size: now.Size(), Rule: now.Rule()})
	switch {
	case len(records) == 0 && faults != nil:
		return fileError("load", name, firstFaults(faults))
	case len(records) == 0:
		return fmt.Errorf("%q holds no game", name)
	case n > len(records):
		return fmt.Errorf("%q holds %s, not %d", name, count(len(records), "readable game"), n)
	}
	rec := records[n-1]
	g, err := replay(rec)
	if err != nil {
		return userError(err)
	}
	if len(records) == 1 && faults == nil {
		g.file = name
	}
	s.enter(g)
	s.paused = s.toMove() != nil
	s.reportLoaded(name, n, len(records), rec, faults)
	return nil
}

// replay returns the game of a record, at the end of its main line.
func replay(rec *gomoku.Record) (*game, error) {
	b, err := rec.Board()
	if err != nil {
		return nil, err
	}
	g := &game{board: b, source: rec}
	for n := range gameMoves(rec) {
		g.times = append(g.times, n.Time)
	}
	if !b.Over() {
		g.end = ending{rec.Outcome, rec.Reason}
	}
	return g, nil
}

// reportLoaded says what was loaded, and what was not as one might expect.
func (s *session) reportLoaded(name string, n, of int, rec *gomoku.Record, faults error) {
	which := ""
	if of > 1 {
		which = fmt.Sprintf("game %d of %d, ", n, of)
	}
	who := ""
	if black, white := clean(rec.Black.Name), clean(rec.White.Name); strings.TrimSpace(black+white) != "" {
		who = fmt.Sprintf(", Black %q, White %q", black, white)
	}
	s.printf("Loaded %s: %s%s%s. The game is %s.\n", name, which, count(len(s.game.times), "move"), who, s.describe())
	if rec.RuleUnknown {
		s.printf("The file names no rule; %v is assumed.\n", rec.Rule)
	}
	if b := s.game.board; b.Over() && rec.Outcome != gomoku.UnknownOutcome && rec.Outcome.Winner() != b.Winner() {
		s.printf("The file gives another result than the board: %v.\n", rec.Outcome)
	}
	if faults != nil {
		s.printf("Not everything in the file could be read:\n%s\n", clean(plainError(firstFaults(faults)).Error()))
	}
	if s.paused && !s.game.over() {
		s.printf("%s is on the move; go lets the game go on.\n", title(s.game.board.Turn()))
	}
}

// firstFaults keeps an error that lists many from filling the screen.
func firstFaults(err error) error {
	const most = 3
	list, ok := err.(interface{ Unwrap() []error })
	if !ok || len(list.Unwrap()) <= most {
		return err
	}
	all := list.Unwrap()
	more := fmt.Errorf("and %d more", len(all)-most)
	return errors.Join(append(slices.Clone(all[:most]), more)...)
}

// gameMoves returns the nodes that make the moves of the board a record ends
// with: those after the last set-up stones, but for passes.
func gameMoves(rec *gomoku.Record) func(yield func(*gomoku.RecordNode) bool) {
	return func(yield func(*gomoku.RecordNode) bool) {
		for n := lastSetup(rec); len(n.Next) > 0; {
			n = n.Next[0]
			if isMove(n) && !yield(n) {
				return
			}
		}
	}
}

// lastSetup returns the last node of the main line that sets stones up.
func lastSetup(rec *gomoku.Record) *gomoku.RecordNode {
	last := &rec.Root
	for n := range rec.Line() {
		if len(n.Setup) > 0 {
			last = n
		}
	}
	return last
}

func isMove(n *gomoku.RecordNode) bool { return n.Color != gomoku.Empty && n.Point != gomoku.NoPoint }

// record returns the record of the game. What a loaded one held besides moves
// is kept: comments, variations, the names of the players.
func (s *session) record() *gomoku.Record {
	g := s.game
	rec := gomoku.NewRecord(g.board)
	if src := g.source; src != nil {
		outcome, reason := rec.Outcome, rec.Reason
		rec = graft(src, g)
		if outcome != src.Outcome {
			rec.Outcome, rec.Reason = outcome, reason
		}
	} else {
		rec.Black.Name, rec.White.Name = s.playerName(gomoku.Black), s.playerName(gomoku.White)
		rec.Date = s.now().Format(time.DateOnly)
	}
	if !g.board.Over() {
		rec.Outcome, rec.Reason = g.end.outcome, g.end.reason
	}
	i := 0
	for n := range gameMoves(rec) {
		n.Time = g.times[i]
		i++
	}
	return rec
}

// playerName is the name of a player in a record.
func (s *session) playerName(c gomoku.Color) string {
	switch m := s.movers[c].(type) {
	case nil:
		return "person"
	case *brainMover:
		return m.name
	}
	return "gomoku " + s.specs[c].level.String()
}

// graft returns a copy of the record with the moves of the game as its main
// line. Where they leave the old one, that becomes a variation.
func graft(src *gomoku.Record, g *game) *gomoku.Record {
	rec := *src
	rec.Root = *copyTree(&src.Root)
	node := lastSetup(&rec)
	for p, c := range g.board.Moves() {
		node = beforeMove(node)
		i := slices.IndexFunc(node.Next, func(n *gomoku.RecordNode) bool {
			return n.Color == c && n.Point == p
		})
		next := &gomoku.RecordNode{Color: c, Point: p}
		if i < 0 {
			rec.RuleUnknown = false // it is what the game goes on under
		} else {
			next = node.Next[i]
			node.Next = slices.Delete(node.Next, i, i+1)
		}
		node.Next = slices.Insert(node.Next, 0, next)
		node = next
	}
	// Passes and remarks may follow; a move was taken back.
	if end := beforeMove(node); len(end.Next) > 0 {
		end.Next = nil
	}
	return &rec
}

// beforeMove follows the line over nodes that make no move and returns the node
// whose continuations do.
func beforeMove(n *gomoku.RecordNode) *gomoku.RecordNode {
	for len(n.Next) > 0 && !isMove(n.Next[0]) {
		n = n.Next[0]
	}
	return n
}

// copyTree returns a copy of a node and all that follows it.
func copyTree(n *gomoku.RecordNode) *gomoku.RecordNode {
	c := *n
	c.Next = slices.Clone(n.Next)
	for i, next := range c.Next {
		c.Next[i] = copyTree(next)
	}
	return &c
}
