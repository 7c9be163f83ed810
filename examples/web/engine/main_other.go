//go:build !js

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"
)

// maxMessage is the longest line that is read.
const maxMessage = 64 << 20

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve answers the messages of in until it ends and all are answered.
func serve(in io.Reader, out io.Writer) error {
	var mu sync.Mutex
	var failed error
	s := newService(func(message []byte) {
		mu.Lock()
		defer mu.Unlock()
		if _, err := out.Write(append(message, '\n')); err != nil && failed == nil {
			failed = err
		}
	})
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() {
		s.accept(lines.Bytes())
	}
	s.wait()
	if err := lines.Err(); err != nil {
		return err
	}
	mu.Lock()
	defer mu.Unlock()
	return failed
}
