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

// TestASocketInTheFolderOfAnotherUser: the log says that its owner may exchange the socket.
func TestASocketInTheFolderOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("the tests do not run as root, who alone can give a folder away")
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
		t.Errorf("got the log %q, want it said who owns the folder", said)
	}
}

// shortFolder is a folder whose name leaves room for that of a socket.
func shortFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "socket") //nolint:usetesting // the test's own would be too long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // the system's to clean up otherwise
	return dir
}
