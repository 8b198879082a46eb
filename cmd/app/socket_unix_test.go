//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestASocketInTheFolderOfAnotherUser: the server logs that another user owns the folder of its socket,
// because that user can replace the socket.
func TestASocketInTheFolderOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("not tested: only root can give a folder to another user")
		return
	}
	dir := shortFolder(t)
	run := filepath.Join(dir, "run")
	ownFolder(t, run)
	command := exec.CommandContext(t.Context(), "app", "serve", "--no-auth", "--addr", "unix:"+filepath.Join(run, "app.sock"))
	command.Dir, command.Env = dir, plainEnvironment()
	p, err := start(command)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if said := p.stderr.String(); strings.Count(said, "another user owns the folder of the socket") != 1 {
		t.Errorf("got the log %q, want one line that another user owns the folder", said)
	}
}

// shortFolder makes a folder with a short path. The path of a socket can have only about 100 bytes.
func shortFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "socket") //nolint:usetesting // the path of t.TempDir is too long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // after an error the system cleans it up
	return dir
}
