//go:build unix

package gomocup

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

// requireGone checks that no process of the client's group is left.
func requireGone(t *testing.T, c *Client) {
	t.Helper()
	pid := c.cmd.Process.Pid
	assert.NotNil(t, c.cmd.ProcessState, "the process has not been waited for")
	for range 200 { // killed grandchildren are gone when the system has buried them
		if syscall.Kill(-pid, 0) == syscall.ESRCH {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	assert.Fail(t, "a process is left")
}

// Brains are often started by a script, in the directory of their files.
func TestScriptThatStartsTheBrain(t *testing.T) {
	leakFree(t)
	program, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.Symlink(program, filepath.Join(dir, "engine")))
	script := filepath.Join(dir, "brain.sh")
	for kind, want := range map[string]error{"server": nil, "hang": ErrTimeout, "deaf": nil} {
		text := "#!/bin/sh\nsleep 1000 >/dev/null &\n./engine brain " + kind + "\nexit 7\n"
		require.NoError(t, os.WriteFile(script, []byte(text), 0o755))
		c, err := Start(t.Context(), script)
		require.NoError(t, err)
		tolerance := patience
		if kind == "hang" {
			tolerance = time.Millisecond
		}
		require.NoError(t, c.SetLimits(Limits{Turn: time.Millisecond, Tolerance: tolerance}))
		require.NoError(t, c.NewGame(t.Context(), 15, gomoku.Freestyle))
		_, err = c.Move(t.Context(), board(t, 15, gomoku.Freestyle, ""), 0)
		assert.ErrorIs(t, err, want)
		if kind == "deaf" {
			require.NoError(t, c.SetLimits(Limits{}))
			assert.ErrorIs(t, c.Close(), ErrTimeout)
		} else {
			assert.NoError(t, c.Close())
		}
		requireGone(t, c)
	}
}
