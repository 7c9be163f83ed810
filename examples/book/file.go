package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomoku-go/gomoku"
	"github.com/gomoku-go/gomoku/examples/internal/savefile"
)

// bookFile is the book with the file it is kept in. The file begins with
// comments, the commands that made its parts among them.
type bookFile struct {
	name     string
	book     *gomoku.Book
	commands []string
}

// commandMark begins the lines of the commands.
const commandMark = "#\tgo run ./examples/book "

func openFile(name string) (*bookFile, error) {
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f := &bookFile{name: name}
	if f.book, err = gomoku.ParseBook(string(text)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for line := range strings.Lines(string(text)) {
		if command, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), commandMark); ok {
			f.commands = append(f.commands, command)
		}
	}
	return f, nil
}

// drop forgets the positions of a rule and size.
func (f *bookFile) drop(rule gomoku.Rule, size int) error {
	text, err := f.book.MarshalText()
	if err != nil {
		return err
	}
	lines := slices.DeleteFunc(strings.SplitAfter(string(text), "\n"), func(line string) bool {
		return strings.HasPrefix(line, fmt.Sprintf("%v %d ", rule, size))
	})
	f.book, err = gomoku.ParseBook(strings.Join(lines, ""))
	return err
}

// note remembers the command for a rule and size in place of an earlier one.
func (f *bookFile) note(rule gomoku.Rule, o options) {
	part := fmt.Sprintf("-rule %v -size %d ", rule, o.size)
	out := o.out
	if !filepath.IsLocal(out) {
		out = filepath.Base(out)
	}
	f.commands = slices.DeleteFunc(f.commands, func(c string) bool { return strings.HasPrefix(c, part) })
	f.commands = append(f.commands, fmt.Sprintf("%s-nodes %d -plies %d -wide %d -margin %d -moves %d -o %s",
		part, o.nodes, o.plies, o.wide, o.margin, o.moves, filepath.ToSlash(out)))
}

// save writes the file anew, under another name until it is complete.
func (f *bookFile) save() error {
	text, err := f.book.MarshalText()
	if err != nil {
		return err
	}
	var out strings.Builder
	out.WriteString("# The opening book, computed by the engine itself:\n#\n")
	for _, c := range f.commands {
		out.WriteString(commandMark + c + "\n")
	}
	out.WriteString("#\n# Rule, size, stones in turn, depth of the search, moves of about the same worth.\n")
	out.Write(text)
	return savefile.Write(f.name, []byte(out.String()))
}
