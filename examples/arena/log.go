package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gomoku-go/gomoku"
)

// settings is all that decides which games a match has and how they are played.
// It is the first line of the log: a match can go on only under the same ones.
type settings struct {
	Version    int             `json:"arena"`
	Tournament string          `json:"tournament"`
	Players    []playerSetting `json:"players"`
	Rule       gomoku.Rule     `json:"rule"`
	Size       int             `json:"size"`
	Openings   string          `json:"openings"` // digest
	Order      string          `json:"order"`
	Turn       bool            `json:"symmetries"`
	Seed       uint64          `json:"seed"`
	Time       string          `json:"time_control"`
	Adjudicate adjudication    `json:"adjudication"`
}

type playerSetting struct {
	Name string `json:"name"`
	Spec string `json:"spec"`
}

const logVersion = 1

// A gameLog is a file of JSON lines: the settings, then every finished game in
// the order in which they finished. A line is written in one piece and synced
// before the game counts; what a crash may leave of one is cut off when the log
// is opened again.
type gameLog struct {
	file *os.File
	size int64
}

// readLog returns the games of a log and leaves it alone, so that it can be read
// while they are played.
func readLog(name string, s settings) ([]*gameRecord, error) {
	header, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	games, _, err := checkLog(name, text, header)
	return games, err
}

// checkLog returns the games in the text of a log and how long its whole lines
// are. The first must be the header.
func checkLog(name string, text, header []byte) (games []*gameRecord, size int, err error) {
	size = bytes.LastIndexByte(text, '\n') + 1
	if size == 0 {
		if len(text) > 0 && text[0] != '{' {
			return nil, 0, fmt.Errorf("%s is not the log of a match", name)
		}
		return nil, 0, nil
	}
	found, games, err := parseLog(text[:size])
	if err != nil {
		return nil, 0, fmt.Errorf("%s:%w", name, err)
	}
	if !bytes.Equal(found, header) {
		return nil, 0, fmt.Errorf("%s is the log of another match; move it away or give the same settings:\n  log:  %s\n  here: %s", name, found, header)
	}
	return games, size, nil
}

// openLog opens or creates the log of a match and returns the games in it. torn
// is how many bytes of an unfinished line were cut off. Where the system can, the
// log is locked: a second match would mistake a line that is being written for an
// unfinished one.
func openLog(name string, s settings) (l *gameLog, games []*gameRecord, torn int, err error) {
	header, err := json.Marshal(s)
	if err != nil {
		return nil, nil, 0, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, nil, 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	if info, err := f.Stat(); err != nil {
		return nil, nil, 0, err
	} else if !info.Mode().IsRegular() {
		return nil, nil, 0, fmt.Errorf("%s is not a regular file: a log is read again and cut", name)
	}
	if lockFile(f) {
		return nil, nil, 0, fmt.Errorf("another arena is writing %s", name)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, nil, 0, err
	}
	games, size, err := checkLog(name, text, header)
	if err != nil {
		return nil, nil, 0, err
	}
	l = &gameLog{f, int64(size)}
	if err := f.Truncate(l.size); err != nil {
		return nil, nil, 0, err
	}
	if l.size == 0 {
		if err := l.writeLine(header); err != nil {
			return nil, nil, 0, err
		}
	}
	return l, games, len(text) - size, nil
}

// parseLog reads the lines of a log: the settings and the games.
func parseLog(text []byte) (header []byte, games []*gameRecord, err error) {
	number := 0
	seen := make(map[int]bool)
	for line := range bytes.Lines(text) {
		number++
		line = bytes.TrimSuffix(line, []byte("\n"))
		if number == 1 {
			header = line
			continue
		}
		g := new(gameRecord)
		if err := json.Unmarshal(line, g); err != nil {
			return nil, nil, fmt.Errorf("%d: not a game: %w", number, err)
		}
		if !seen[g.Game] {
			seen[g.Game] = true
			games = append(games, g)
		}
	}
	return header, games, nil
}

// add writes a game.
func (l *gameLog) add(g *gameRecord) error {
	line, err := json.Marshal(g)
	if err != nil {
		return err
	}
	return l.writeLine(line)
}

// writeLine writes all of a line or, if that fails, nothing.
func (l *gameLog) writeLine(line []byte) error {
	line = append(line, '\n')
	if _, err := l.file.Write(line); err != nil {
		return errors.Join(err, l.file.Truncate(l.size))
	}
	l.size += int64(len(line))
	return l.file.Sync()
}

func (l *gameLog) close() error { return l.file.Close() }
