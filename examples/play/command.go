package main

import (
	"fmt"
	"slices"
	"strings"
)

// A command is something the person can type besides a move.
type command struct {
	name   string
	args   string // as the help shows them
	help   string
	urgent bool // not to wait until the engine has moved
	run    func(s *session, arg string) error
}

// commands are all of them, in the order of the help. They are a function's
// result because help, being one of them, lists them.
func commands() []command {
	return []command{
		{"undo", "", "take back your last move and the answer to it", true, (*session).undo},
		{"redo", "", "play again what undo took back", false, (*session).redo},
		{"hint", "", "ask the engine for a move", false, (*session).hint},
		{"analyze", "[LINES] [depth N] [TIME]", "look for the best lines; Enter or Ctrl-C ends it", false, (*session).analyze},
		{"moves", "", "list the moves", false, (*session).listMoves},
		{"board", "", "draw the board", false, (*session).redraw},
		{"fouls", "", "show where Black may not play", false, (*session).fouls},
		{"resign", "", "give the game up", true, (*session).resign},
		{"swap", "", "change colours with the other player", true, (*session).swap},
		{"new", "[SIZE] [RULE]", "begin another game", true, (*session).newGame},
		{"back", "", "return to the game before new or load", true, (*session).back},
		{"black", "PLAYER", "let me, easy, normal, hard, expert or brain play Black", true, (*session).setBlack},
		{"white", "PLAYER", "the same for White", true, (*session).setWhite},
		{"level", "LEVEL", "set the level of the engine", true, (*session).setLevel},
		{"time", "TIME", "set the most time for a move: 10, 500ms, off", true, (*session).setTime},
		{"thinking", "[on|off]", "show what the engine thinks, or don't", false, (*session).setThinking},
		{"go", "", "let the game go on after a pause", false, (*session).resume},
		{"save", "FILE", "save the game; the extension is the format", false, (*session).save},
		{"save!", "FILE", "the same over an existing file", false, (*session).saveOver},
		{"load", "FILE [#N]", "load a game, the first or Nth of the file", true, (*session).load},
		{"settings", "", "show who plays and how", false, (*session).settings},
		{"help", "[COMMAND]", "show this", false, (*session).help},
		{"quit", "", "leave", true, (*session).leave},
	}
}

// otherNames are further words for commands.
var otherNames = map[string]string{
	"?": "help", "exit": "quit", "analyse": "analyze", "show": "board", "list": "moves", "continue": "go", "open": "load",
}

// do carries out a line of input: a move, a command, or nothing.
func (s *session) do(line string) error {
	if line == "" {
		return nil
	}
	if looksLikePoint(line) {
		return s.move(line)
	}
	c, arg, err := parseCommand(line)
	if err != nil {
		return err
	}
	if c.args == "" && arg != "" {
		return fmt.Errorf("%s takes nothing after it, but there is %q", c.name, arg)
	}
	return c.run(s, arg)
}

// looksLikePoint reports whether a line is meant as a move: a letter and a
// digit. No command looks like that.
func looksLikePoint(line string) bool {
	if len(line) < 2 {
		return false
	}
	isLetter := 'a' <= line[0]|0x20 && line[0]|0x20 <= 'z'
	rest := strings.TrimLeft(line[1:], " ")
	return isLetter && rest != "" && '0' <= rest[0] && rest[0] <= '9'
}

// parseCommand finds the command of a line, by its name or the beginning of it,
// and what stands after the name.
func parseCommand(line string) (c command, arg string, err error) {
	name, arg, _ := strings.Cut(line, " ")
	name, arg = strings.ToLower(name), strings.TrimSpace(arg)
	if full, ok := otherNames[name]; ok {
		name = full
	}
	var begins []string
	for _, c := range commands() {
		if c.name == name {
			return c, arg, nil
		}
		// Overwriting is never meant by half a word.
		if name != "" && strings.HasPrefix(c.name, name) && !strings.HasSuffix(c.name, "!") {
			begins = append(begins, c.name)
		}
	}
	switch len(begins) {
	case 1:
		return parseCommand(begins[0] + " " + arg)
	case 0:
		if name != "" && '0' <= name[0] && name[0] <= '9' {
			return command{}, "", fmt.Errorf("%q is no move: write the letter of the column, then the number of the row, such as h8", line)
		}
		return command{}, "", fmt.Errorf("%q is neither a move, such as h8, nor a command; help lists the commands%s", name, suggest(name))
	}
	return command{}, "", fmt.Errorf("%q may be %s", name, strings.Join(begins, " or "))
}

// suggest returns the command that was probably meant, as part of a sentence.
func suggest(name string) string {
	for _, c := range commands() {
		if oneSlip(name, c.name) {
			return fmt.Sprintf(" (%s?)", c.name)
		}
	}
	return ""
}

// oneSlip reports whether a becomes b by one letter added, left out or changed,
// or two neighbours swapped.
func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 1:
		return a[i:] == b[i+1:]
	case 0:
		if i == len(a) || a[i+1:] == b[i+1:] {
			return true
		}
		return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	}
	return false
}

// help explains one command or lists them all.
func (s *session) help(arg string) error {
	if arg != "" {
		c, _, err := parseCommand(arg)
		if err != nil {
			return err
		}
		s.printf("%s: %s.\n", strings.TrimSpace(c.name+" "+c.args), c.help)
		return nil
	}
	s.printf("A move is the letter of the column and the number of the row: h8.\n")
	list := commands()
	width := len(slices.MaxFunc(list, func(a, b command) int { return len(a.usage()) - len(b.usage()) }).usage())
	for _, c := range list {
		s.printf("  %-*s  %s\n", width, c.usage(), c.help)
	}
	s.printf("The beginning of a name is enough where it is clear. While the engine thinks,\n" +
		"Enter makes it move now; Ctrl-C stops it, and twice ends the program.\n")
	return nil
}

func (c command) usage() string { return strings.TrimSpace(c.name + " " + c.args) }

func (s *session) leave(string) error {
	s.quit = true
	return nil
}
