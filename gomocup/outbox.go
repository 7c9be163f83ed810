package gomocup

import (
	"errors"
	"io"
	"time"
)

var errNotRead = errors.New("the manager does not read")

// outbox writes lines from a goroutine of its own, so that a manager that does
// not read can't keep the brain from reading, or from ending.
type outbox struct {
	lines  chan string
	done   chan struct{} // closed when nothing more will be written
	failed chan error    // the error that ended it
}

// The lines that may wait. Answers are as many as commands, which a manager
// waits for one by one; messages are dropped when more than a few wait.
const (
	maxWaiting  = 4096
	maxMessages = 64
)

func newOutbox(w io.Writer) *outbox {
	o := &outbox{lines: make(chan string, maxWaiting), done: make(chan struct{}), failed: make(chan error, 2)}
	go func() {
		defer close(o.done)
		for line := range o.lines {
			if _, err := io.WriteString(w, line+"\n"); err != nil {
				o.failed <- err
				return
			}
		}
	}()
	return o
}

func (o *outbox) answer(line string) {
	select {
	case o.lines <- line:
	default:
		select {
		case o.failed <- errNotRead:
		default:
		}
	}
}

func (o *outbox) message(text string) {
	if len(o.lines) < maxMessages {
		o.answer("MESSAGE " + text)
	}
}

// close waits a moment for what is still to be written. It must come after the
// last answer and message.
func (o *outbox) close() {
	close(o.lines)
	timer := time.NewTimer(50 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-o.done:
	case <-timer.C:
	}
}
