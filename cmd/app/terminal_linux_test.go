package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAClosedTerminalEndsTheServer: a server in a terminal that is closed ends as after SIGTERM, so that it
// does not go on where nobody sees it.
func TestAClosedTerminalEndsTheServer(t *testing.T) {
	terminal, inside := openTerminal(t)
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

// openTerminal returns the two ends of a new terminal: what shows it, and what programs in it write to.
func openTerminal(t *testing.T) (terminal, inside *os.File) {
	t.Helper()
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
	inside, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return terminal, inside
}

// TestImportOnATerminal: a bar on the terminal shows how much is done, and is gone at the end. What is printed elsewhere has
// none.
func TestImportOnATerminal(t *testing.T) {
	terminal, inside := openTerminal(t)
	shown := make(chan string)
	go func() {
		all, _ := io.ReadAll(terminal) // the error says that the other end is closed
		shown <- string(all)
	}()
	var file strings.Builder
	file.WriteString("code,name\n")
	for i := range 5000 {
		fmt.Fprintf(&file, "D%d,Department\n", i)
	}
	var out strings.Builder
	command := newCommand(browse)
	command.SetIn(strings.NewReader(file.String()))
	command.SetOut(&out)
	command.SetErr(inside)
	command.SetArgs([]string{"import", "departments", "-", "--db", filepath.Join(t.TempDir(), "app.db")})
	if err := command.ExecuteContext(t.Context()); err != nil {
		t.Error(err)
	}
	if err := inside.Close(); err != nil {
		t.Error(err)
	}
	const cleared = "\r\033[K"
	if got := <-shown; strings.Count(got, cleared) != 2 || !strings.HasSuffix(got, cleared) || !strings.Contains(got, " 40 %") {
		t.Errorf("got %q on the terminal, want a bar for the reading and one for the storing, and both gone", got)
	}
	if !strings.Contains(out.String(), "5000 new") || strings.Contains(out.String(), "█") {
		t.Errorf("got %q, want what was stored, without a bar", out.String())
	}
	if err := terminal.Close(); err != nil {
		t.Error(err)
	}
}
