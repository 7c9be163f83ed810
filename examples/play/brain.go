package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
	"github.com/gomoku-go/gomoku/gomocup"
)

// stopTime is how long a brain that is told to stop may take before it is
// killed. Many don't know how to stop.
const stopTime = time.Second

// brainMover is a foreign brain as a player. A brain that failed or was killed
// is started again with the next move.
type brainMover struct {
	name     string
	command  []string
	moveTime *time.Duration  // the setting; 0 is no limit
	life     context.Context // with its end the brain is killed
	client   *gomocup.Client // nil: not running
	size     int             // of the game the brain has been prepared for; 0: none
	rule     gomoku.Rule
}

// newBrainMover starts the brain of the command line.
func (s *session) newBrainMover() (mover, error) {
	command, err := splitCommand(s.brain)
	if err != nil {
		return nil, err
	}
	if len(command) == 0 {
		return nil, errors.New(`no brain is known: start the program with -brain "command"`)
	}
	m := &brainMover{command: command, moveTime: &s.moveTime, life: s.ctx}
	if err := m.start(); err != nil {
		return nil, err
	}
	m.name = m.client.Name()
	return m, nil
}

func (m *brainMover) start() (err error) {
	m.client, err = gomocup.Start(m.life, m.command[0], m.command[1:]...)
	m.size = 0
	return err
}

func (m *brainMover) move(ctx context.Context, b *gomoku.Board, report func(gomoku.Info)) (gomoku.Point, error) {
	p, err := m.ask(ctx, b, report)
	if errors.Is(err, gomoku.ErrFoul) {
		return p, nil // the game will say what comes of it
	}
	if err != nil {
		m.close()
	}
	return p, err
}

// ask is move, and leaves the brain as it is after an error.
func (m *brainMover) ask(ctx context.Context, b *gomoku.Board, report func(gomoku.Info)) (gomoku.Point, error) {
	if m.client == nil {
		if err := m.start(); err != nil {
			return gomoku.NoPoint, err
		}
	}
	client := m.client
	client.OnMessage(func(msg gomocup.Message) {
		if msg.Informed {
			report(msg.Info)
		}
	})
	if err := client.SetLimits(gomocup.Limits{Turn: *m.moveTime}); err != nil {
		return gomoku.NoPoint, err
	}
	if b.Size() != m.size || b.Rule() != m.rule {
		if err := client.NewGame(ctx, b.Size(), b.Rule()); err != nil {
			return gomoku.NoPoint, err
		}
		m.size, m.rule = b.Size(), b.Rule()
	}
	// First ask it to stop, then make it.
	patience, kill := context.WithCancelCause(context.WithoutCancel(ctx))
	defer kill(nil)
	defer context.AfterFunc(ctx, func() {
		client.Stop()
		select {
		case <-time.After(stopTime):
			kill(context.Canceled)
		case <-patience.Done():
		}
	})()
	return client.Move(patience, b, 0)
}

func (m *brainMover) forget() { m.size = 0 }

func (m *brainMover) close() error {
	if m.client == nil {
		return nil
	}
	err := m.client.Close()
	m.client = nil
	return err
}

// brainFailure is the reason for which a player with this error has lost, as
// records name it.
func brainFailure(err error) string {
	switch {
	case errors.Is(err, gomocup.ErrTimeout):
		return "time"
	case errors.Is(err, gomocup.ErrCrashed):
		return "crash"
	case errors.Is(err, gomocup.ErrIllegalMove):
		return "illegal move"
	}
	return "failure"
}

// splitCommand splits a command line into words. Quotes, single or double, keep
// spaces within a word.
func splitCommand(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inWord := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r == ' ' || r == '\t':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the brain's command %q lacks a closing %c", line, quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
