package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// A journal is a file of JSON lines that holds what was found so far: first the
// effort, then every move that was judged. A line is written in one piece; what a
// crash may leave of one is cut off when the journal is opened again.
type journal struct {
	file *os.File
	size int64
	done map[string]map[int]*moveReport // by game and move
}

// journalHead is the first line: reports of another effort do not mix.
type journalHead struct {
	Version int    `json:"analyze"`
	Effort  effort `json:"effort"`
}

// journalVersion changes with what a report means.
const journalVersion = 1

type journalLine struct {
	Game   string      `json:"game"`
	Report *moveReport `json:"report"`
}

// openJournal opens or creates a journal. With an empty name there is none, and
// everything is forgotten in the end.
func openJournal(name string, e effort) (*journal, error) {
	j := &journal{done: map[string]map[int]*moveReport{}}
	if name == "" {
		return j, nil
	}
	var err error
	if j.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	if err := j.begin(name, e); err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	return j, nil
}

// begin reads what the file holds and makes it ready for more.
func (j *journal) begin(name string, e effort) error {
	text, err := io.ReadAll(j.file)
	if err != nil {
		return err
	}
	head, err := json.Marshal(journalHead{journalVersion, e})
	if err != nil {
		return err
	}
	if len(text) > 0 && !bytes.HasPrefix(text, []byte(`{"analyze":`)) {
		return fmt.Errorf("%s is not a journal", name)
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	number := 0
	for line := range bytes.Lines(whole) {
		if number++; number == 1 {
			if !bytes.Equal(bytes.TrimSuffix(line, []byte("\n")), head) {
				return fmt.Errorf("%s is of another analysis; move it away or give the same flags:\n  there: %s  here:  %s", name, line, head)
			}
			continue
		}
		var l journalLine
		if err := json.Unmarshal(line, &l); err != nil || l.Report == nil {
			return fmt.Errorf("%s:%d: not a line of a journal", name, number)
		}
		j.keep(l.Game, l.Report)
	}
	j.size = int64(len(whole))
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	if _, err := j.file.Seek(j.size, io.SeekStart); err != nil {
		return err
	}
	if number == 0 {
		return j.write(head)
	}
	return nil
}

func (j *journal) keep(game string, r *moveReport) {
	if j.done[game] == nil {
		j.done[game] = map[int]*moveReport{}
	}
	j.done[game][r.Move] = r
}

// restore gives a game the reports that the journal has of it.
func (j *journal) restore(g *game) {
	for i, s := range g.steps {
		if r := j.done[g.id][s.number]; r != nil && r.Point == s.node.Point && r.Color == s.node.Color {
			g.set(i, r)
		}
	}
}

// add writes a report.
func (j *journal) add(g *game, r *moveReport) error {
	if j.file == nil {
		return nil
	}
	line, err := json.Marshal(journalLine{g.id, r})
	if err != nil {
		return err
	}
	return j.write(line)
}

// write writes all of a line or, if that fails, nothing.
func (j *journal) write(line []byte) error {
	line = append(line, '\n')
	if _, err := j.file.Write(line); err != nil {
		return errors.Join(err, j.file.Truncate(j.size))
	}
	j.size += int64(len(line))
	return nil
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
