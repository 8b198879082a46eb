package main

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// unread returns the write end of a pipe whose read end is closed.
func unread(t *testing.T) *os.File {
	t.Helper()
	read, write, err := os.Pipe()
	if err == nil {
		err = read.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = write.Close() })
	return write
}

// TestALogThatNobodyReads: a server ends normally even if nobody reads the pipe of its log any more.
func TestALogThatNobodyReads(t *testing.T) {
	command := exec.CommandContext(t.Context(), "app", "serve", "--addr", "127.0.0.1:0")
	command.Dir, command.Env, command.Stderr = t.TempDir(), plainEnvironment(), unread(t)
	p, err := start(command)
	if err != nil {
		t.Fatal(err)
	}
	finish := begin(t, p.addr, `{"code":"USD","name":"US dollar"}`)
	if got, want := finish(), http.StatusCreated; got != want {
		t.Fatalf("got status %d, want %d", got, want)
	}
	if err := p.stop(syscall.SIGTERM); err != nil { // after the head of the journal is logged
		t.Errorf("got %v, want an exit with 0", err)
	}
}

// TestASecretThatNobodyReads: if the secret could not be printed, the error says which token to revoke.
func TestASecretThatNobodyReads(t *testing.T) {
	var stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), "app", "token", "create", "--name", "lost", "--scope", "read")
	command.Dir, command.Env, command.Stdout, command.Stderr = t.TempDir(), plainEnvironment(), unread(t), &stderr
	err := command.Run()
	if err == nil || !strings.HasPrefix(stderr.String(), "app: the secret of token 1 could not be printed; revoke it and make another: ") {
		t.Errorf("got %v and %q, want an error that names token 1", err, stderr.String())
	}
}
