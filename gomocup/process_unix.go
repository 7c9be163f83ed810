//go:build unix

package gomocup

import (
	"os/exec"
	"syscall"
)

// ownGroup starts the program in a process group of its own, so that whatever
// it starts, such as the engine behind a wrapper script, ends with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the program and everything in its group.
func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
