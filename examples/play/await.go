package main

import (
	"context"

	"github.com/gomoku-go/gomoku"
)

// A cause is why the wait for something that thinks has ended.
type cause uint8

const (
	finished cause = iota // it came to its end
	hurried               // Enter: it shall come to its end now
	spoken                // a line was typed that wants to be carried out
	stopped               // Ctrl-C
	leaving               // the program ends
)

// await does work in another goroutine and meanwhile shows what it reports and
// listens. On a terminal an empty line ends the work, as does a line that can't
// wait: with impatient set, any line. What was typed is kept for later. Input
// that is not typed waits its turn, so that a script gives the same each time.
func (s *session) await(impatient bool, show func(gomoku.Info), work func(ctx context.Context, report func(gomoku.Info))) cause {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	infos := make(chan gomoku.Info)
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(ctx, func(i gomoku.Info) {
			select {
			case infos <- i:
			case <-ctx.Done():
			}
		})
	}()
	why := finished
	end := func(c cause) {
		cancel()
		why = max(why, c)
	}
	leave := func() {
		s.quit = true
		s.cancel()
		end(leaving)
	}
	lines, over := s.lines, s.ctx.Done()
	if !s.interactive {
		lines = nil
	}
	for {
		select {
		case i := <-infos:
			show(i)
		case <-done:
			return why
		case in, ok := <-lines:
			s.ctrlC = 0
			s.live = 0 // the terminal has gone to a new line
			switch {
			case !ok:
				lines = nil
				leave()
			case in.text == "" && in.err == nil:
				end(hurried)
			default:
				s.waiting = append(s.waiting, in)
				if impatient || cannotWait(in.text) {
					end(spoken)
				}
			}
		case <-s.interrupts:
			s.printf("\n")
			if s.ctrlC++; s.ctrlC > 1 {
				leave()
			}
			end(stopped)
		case <-over:
			over = nil
			leave()
		}
	}
}

// cannotWait reports whether a line is a command that is meant for now rather
// than for after the engine's move.
func cannotWait(line string) bool {
	c, _, err := parseCommand(line)
	return err == nil && c.urgent
}

// listen awaits a player's thinking and shows it, or that there is some.
func (s *session) listen(impatient bool, work func(ctx context.Context, report func(gomoku.Info))) cause {
	side := s.game.board.Turn()
	if s.thinking {
		s.printf("%s thinks.\n", title(side))
		return s.await(impatient, func(i gomoku.Info) { s.update(formatInfo(i, side)) }, work)
	}
	if s.interactive {
		s.update(title(side) + " is thinking. Enter makes it move now.\n")
		defer s.update("")
	}
	return s.await(impatient, func(gomoku.Info) {}, work)
}

// showAnalysis prints all lines of an analysis.
func (s *session) showAnalysis(i gomoku.Info) { s.update(formatInfo(i, s.game.board.Turn())) }
