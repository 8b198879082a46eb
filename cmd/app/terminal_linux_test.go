package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAClosedTerminalEndsTheServer: a server in a terminal that is closed ends as after SIGTERM, so that it
// does not go on where nobody sees it.
func TestAClosedTerminalEndsTheServer(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	inside, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "app", "serve", "--addr", "127.0.0.1:0")
	command.Dir, command.Env, command.Stdin = t.TempDir(), plainEnvironment(), inside
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p, err := start(command)
	if err != nil {
		t.Fatal(err)
	}
	if err := inside.Close(); err != nil {
		t.Error(err)
	}
	if err := terminal.Close(); err != nil {
		t.Error(err)
	}
	if err := p.wait(); err != nil || strings.Contains(p.stderr.String(), "read again") {
		t.Errorf("got %v and the log %q, want a quiet end", err, p.stderr.String())
	}
}
