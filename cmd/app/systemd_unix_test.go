//go:build unix

package main

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestUnderSystemd: a server says what it does at the start, that it is ready, and that it ends. Its watchdog
// is fed, but not while the database hangs.
func TestUnderSystemd(t *testing.T) {
	dir := shortFolder(t)
	notify := filepath.Join(dir, "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: notify, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() }) // the test is over
	wait := func(want string) {
		t.Helper()
		var said strings.Builder
		for message := make([]byte, 4096); ; {
			if err := l.SetReadDeadline(time.Now().Add(patience)); err != nil {
				t.Fatal(err)
			}
			n, err := l.Read(message)
			if err != nil {
				t.Fatalf("got %q and %v, want %q", said.String(), err, want)
			}
			if strings.Contains(string(message[:n]), want) {
				return
			}
			said.Write(message[:n])
		}
	}
	command := exec.CommandContext(t.Context(), "app", "serve", "--db", "app.db", "--addr", "127.0.0.1:0")
	command.Dir, command.Env = dir, append(plainEnvironment(), "NOTIFY_SOCKET="+notify, "WATCHDOG_USEC=3000000")
	p, err := start(command)
	if err != nil {
		t.Fatal(err)
	}
	wait("STATUS=Opening app.db")
	wait("READY=1\nSTATUS=Serving app.db on http://127.0.0.1:")
	wait("WATCHDOG=1")
	unlock := lockReaders(t, filepath.Join(dir, "app.db-shm"))
	wait("STATUS=The database does not answer")
	unlock()
	wait("WATCHDOG=1")
	wait("STATUS=Serving app.db")
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Errorf("%v\n%s", err, p.stderr.String())
	}
	wait("STOPPING=1")
}

// lockReaders takes the locks that every reader of a database needs a part of, as a program that hangs in the
// middle of SQLite's work can hold them. unlock releases them.
func lockReaders(t *testing.T, shm string) (unlock func()) {
	t.Helper()
	file, err := os.OpenFile(shm, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	locks := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: 123, Len: 5} // WAL_READ_LOCK(0) to (4)
	for syscall.FcntlFlock(file.Fd(), syscall.F_SETLKW, &locks) == syscall.EINTR {
		continue
	}
	return func() { _ = file.Close() } // releases them
}
