//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A log has one writer, who may be killed without leaving it locked, and any
// number of readers, who leave alone what it is writing.
func TestLogIsLocked(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.jsonl")
	args := append(small, "-games", "4", "-log", name)
	_, err := runArena(context.Background(), t, args...)
	require.NoError(t, err)

	program, err := filepath.Abs(os.Args[0])
	require.NoError(t, err)
	other := exec.Command(program, "holdlog", name)
	out, err := other.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	_, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)

	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	_, err = f.WriteString(`{"game":`)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	before, err := os.ReadFile(name)
	require.NoError(t, err)
	_, err = runArena(context.Background(), t, args...)
	assert.ErrorContains(t, err, "another arena is writing "+name)
	report, err := runArena(context.Background(), t, append(args, "-report")...)
	require.NoError(t, err)
	assert.Contains(t, report, "4 of 4 games")
	after, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))

	require.NoError(t, other.Process.Kill())
	assert.Error(t, other.Wait())
	_, err = runArena(context.Background(), t, append(args, "-games", "6")...)
	require.NoError(t, err)
}

func TestOutputMustBeRegular(t *testing.T) {
	for _, flag := range []string{"-log", "-sgf"} {
		_, err := runArena(context.Background(), t, append(small, flag, "/dev/null")...)
		assert.ErrorContains(t, err, "/dev/null is not a regular file")
	}
	info, err := os.Stat("/dev/null")
	require.NoError(t, err)
	assert.False(t, info.Mode().IsRegular())
}
