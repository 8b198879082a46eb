//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

func asNobody(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}
