package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// maxLine is the longest line of input; nothing sensible comes near it.
const maxLine = 4096

// An inputLine is a line without its end, or why there is none.
type inputLine struct {
	text string
	err  error
}

// readLines sends the lines of r, until its end or until done is closed, and
// then closes the channel. An over-long line is sent as an error; reading goes
// on after it.
func readLines(r io.Reader, done <-chan struct{}) <-chan inputLine {
	lines := make(chan inputLine)
	go func() {
		defer close(lines)
		br := bufio.NewReaderSize(r, maxLine)
		for {
			line, ok := nextLine(br)
			if !ok {
				return
			}
			select {
			case lines <- line:
			case <-done:
				return
			}
		}
	}()
	return lines
}

// nextLine reads a line; without one ok is false.
func nextLine(r *bufio.Reader) (line inputLine, ok bool) {
	text, tooLong, err := r.ReadLine()
	if err != nil {
		return inputLine{}, false
	}
	s := string(text)
	if tooLong {
		for tooLong && err == nil {
			_, tooLong, err = r.ReadLine()
		}
		return inputLine{err: fmt.Errorf("a line of more than %d bytes was skipped", maxLine)}, true
	}
	return inputLine{text: strings.TrimSpace(s)}, true
}
