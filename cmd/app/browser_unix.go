//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// detach protects a command from the signals of the terminal: Ctrl-C ends the server, not a browser
// that it started.
func detach(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
