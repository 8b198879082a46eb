//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// detach keeps a command out of the terminal's signals: Ctrl-C ends the server, not a
// browser that was started with it.
func detach(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
