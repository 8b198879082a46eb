package main

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTheProgramSpeaksOfItselfAsItIsCalled: where it is called daybook, as in the packages, what the server and the
// commands say names daybook: at the start, in answers, in the log, and in warnings. As app it names app.
func TestTheProgramSpeaksOfItselfAsItIsCalled(t *testing.T) {
	for _, name := range []string{"app", packaged} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			run := func(args ...string) result {
				r := runIn(t, dir, name, args...)
				if r.err != nil {
					t.Fatalf("%v: %v\n%s", args, r.err, r.stderr)
				}
				return r
			}
			run("token", "create", "--name", "early", "--scope", "read")
			run("backup", "early.db")
			run("token", "create", "--name", "late", "--scope", "read")
			run("backup", "late.db")
			has(t, "restore", run("restore", "late.db").stdout, "are good again; "+name+" token list shows them; revoke again with "+name+" token revoke")
			served, answer := serveOnce(t, dir, name, "unauthorized", "/api/v1/departments", "--require-token")
			has(t, "start", served, "use it; "+name+" token list shows")
			has(t, "answer", answer, "TOKEN; "+name+" token create makes one")

			run("restore", "early.db")
			has(t, "warning", run("backup", "mine.db").stderr, name+": warning: the backup late.db holds")
			served, answer = serveOnce(t, dir, name, "late.db", "/api/v1/status")
			has(t, "start for this machine", served, "with a token: "+name+" token create, then "+name+" serve --addr")
			has(t, "log", served, "rewritten; "+name+" verify --against")
			has(t, "status", answer, "rewritten; "+name+" verify --against")
		})
	}
}

// serveOnce starts a server, asks it for path until the answer holds a word, and stops it. It returns what the
// server printed and the answer.
func serveOnce(t *testing.T, dir, name, word, path string, args ...string) (printed, answer string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, append([]string{"serve", "--addr", "localhost:0"}, args...)...)
	command.Dir = dir
	p, err := start(command)
	if err != nil {
		t.Fatal(err)
	}
	for late := time.Now().Add(patience); !strings.Contains(answer, word) && time.Now().Before(late); time.Sleep(10 * time.Millisecond) {
		answer = get(t, p.addr, path)
	}
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	return p.stdout.String() + p.stderr.String(), answer
}

func has(t *testing.T, what, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("%s: got %q, want it to say %q", what, got, want)
	}
}
