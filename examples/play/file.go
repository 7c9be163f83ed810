package main

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
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
		} else if lost != nil {
			return fmt.Errorf("this game can't be saved as %v, which has no place for its %s", format, lossList(vital(lost.Losses)))
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

// vital returns the losses that would make it another game.
func vital(losses []gomoku.Loss) []gomoku.Loss {
	kept := slices.DeleteFunc(slices.Clone(losses), func(l gomoku.Loss) bool {
		return l.Field != "moves" && l.Field != "set-up stones"
	})
	if len(kept) == 0 {
		return losses
	}
	return kept
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
	name, n := arg, 0
	if i := strings.LastIndex(arg, " #"); i >= 0 {
		var err error
		if n, err = strconv.Atoi(arg[i+2:]); err != nil || n < 1 {
			return fmt.Errorf("%q is no number of a game", arg[i+2:])
		}
		name = strings.TrimSpace(arg[:i])
	}
	return s.loadGame(name, n)
}

// loadGame changes to the nth game of a file, games that can't be read counted,
// as the library's errors number them; 0 is the first that can be read.
func (s *session) loadGame(name string, n int) error {
	now := s.game.board
	records, faults := gomoku.LoadRecords(name, gomoku.ReadOptions{Size: now.Size(), Rule: now.Rule()})
	games := numberGames(records, faults)
	if n == 0 {
		n = 1 + slices.IndexFunc(games, func(g numbered) bool { return g.rec != nil })
	}
	switch {
	case n == 0 && faults != nil, len(games) == 0 && faults != nil:
		return fileError("load", name, firstFaults(faults))
	case len(games) == 0:
		return fmt.Errorf("%q holds no game", name)
	case n > len(games):
		return fmt.Errorf("%q holds %s, not %d", name, count(len(games), "game"), n)
	}
	rec := games[n-1].rec
	if rec == nil {
		return fileError("load", name, games[n-1].err)
	}
	g, late, err := replay(rec)
	if err != nil {
		return userError(err)
	}
	if len(games) == 1 && faults == nil && late == 0 {
		g.file = name
	}
	s.enter(g)
	s.paused = s.toMove() != nil
	s.reportLoaded(name, n, len(games), late, faults)
	return nil
}

// numbered is a game of a file: a record, or why there is none.
type numbered struct {
	rec *gomoku.Record
	err error
}

// numberGames puts the games that could be read and the errors of the others
// into the order of the file.
func numberGames(records []*gomoku.Record, faults error) []numbered {
	bad := map[int]error{}
	list, _ := faults.(interface{ Unwrap() []error })
	if list != nil {
		for _, err := range list.Unwrap() {
			if fault := (*gomoku.RecordError)(nil); errors.As(err, &fault) {
				bad[fault.Game] = err
			}
		}
	}
	var games []numbered
	for i := 0; i < len(records) || bad[len(games)+1] != nil; {
		if err := bad[len(games)+1]; err != nil {
			games = append(games, numbered{err: err})
			continue
		}
		games = append(games, numbered{rec: records[i]})
		i++
	}
	return games
}

// replay returns the game of a record, at the end of its main line or, if that
// goes on behind the end of the game, there; late is how many moves it leaves out.
func replay(rec *gomoku.Record) (g *game, late int, err error) {
	b, err := rec.Board()
	var fault *gomoku.ReplayError
	if errors.As(err, &fault) && errors.Is(err, gomoku.ErrGameOver) {
		rec, late = cut(rec, fault.Move)
		b, err = rec.Board()
	}
	if err != nil {
		return nil, 0, err
	}
	g = &game{board: b, source: rec}
	for n := range gameMoves(rec) {
		g.times = append(g.times, n.Time)
	}
	if !b.Over() {
		g.end = ending{rec.Outcome, rec.Reason}
	}
	return g, late, nil
}

// cut returns a copy of the record that ends before a move of its main line,
// passes counted, and how many moves that leaves out.
func cut(rec *gomoku.Record, move int) (*gomoku.Record, int) {
	short := *rec
	short.Root = *copyTree(&rec.Root)
	last, left := &short.Root, 0
	for n := range short.Line() {
		if n.Color != gomoku.Empty {
			move--
		}
		if move > 0 {
			last = n
		} else if isMove(n) {
			left++
		}
	}
	last.Next = nil
	return &short, left
}

// reportLoaded says what was loaded, and what was not as one might expect.
func (s *session) reportLoaded(name string, n, of, late int, faults error) {
	rec := s.game.source
	which := ""
	if of > 1 {
		which = fmt.Sprintf("game %d of %d, ", n, of)
	}
	who := ""
	if black, white := clean(rec.Black.Name), clean(rec.White.Name); strings.TrimSpace(black+white) != "" {
		who = fmt.Sprintf(", Black %q, White %q", black, white)
	}
	passes := 0
	for n := range gameLine(rec) {
		if !isMove(n) {
			passes++
		}
	}
	moves := count(len(s.game.times), "move")
	switch {
	case passes == 1:
		moves += " and a pass"
	case passes > 1:
		moves += fmt.Sprintf(" and %d passes", passes)
	}
	s.printf("Loaded %s: %s%s%s. The game is %s.\n", name, which, moves, who, s.describe())
	if late > 0 {
		origin := "the file names"
		if rec.RuleUnknown {
			origin = "is assumed"
		}
		s.printf("%s goes on after the game has ended under %v, which %s: %s left out.\n", name, rec.Rule, origin, count(late, "move"))
	}
	if rec.RuleUnknown {
		s.printf("The file names no rule; %v is assumed.\n", rec.Rule)
		if late > 0 {
			s.printf("With another rule, such as after new standard, load may read all of it.\n")
		}
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

// gameLine returns the nodes that make the moves of the board a record ends
// with, and the passes between: those after the last set-up stones.
func gameLine(rec *gomoku.Record) iter.Seq[*gomoku.RecordNode] {
	return func(yield func(*gomoku.RecordNode) bool) {
		for n := lastSetup(rec); len(n.Next) > 0; {
			n = n.Next[0]
			if n.Color != gomoku.Empty && !yield(n) {
				return
			}
		}
	}
}

// gameMoves is gameLine without the passes.
func gameMoves(rec *gomoku.Record) iter.Seq[*gomoku.RecordNode] {
	return func(yield func(*gomoku.RecordNode) bool) {
		for n := range gameLine(rec) {
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
