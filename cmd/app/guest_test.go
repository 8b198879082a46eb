package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAUserWhoDoesNotOwnTheDatabase: a user who may read the database by its group can verify it, back
// it up into a folder of his own, and list its tokens and migrations: while no process has it open,
// beside its server, and after the server was killed. Commands that write are refused. No file is made
// in the folder, so that the server of the owner can start again.
func TestAUserWhoDoesNotOwnTheDatabase(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("not tested: only root can start processes as two users; the tests of db/sqlite cover what a reader may do")
		return
	}
	const auditor = nobody - 1
	dir, app := openToAll(t)
	data, own := filepath.Join(dir, "data"), filepath.Join(dir, "own")
	for _, d := range []string{data, own} {
		ownFolder(t, d)
	}
	if r := runBound(t, data, app, "seed", "--trades", "20", "--departments", "1", "--accounts", "3", "--years", "1"); r.err != nil {
		t.Fatalf("%v\n%s", r.err, r.stderr)
	}
	path := filepath.Join(data, "app.db")
	for file, mode := range map[string]os.FileMode{path: 0o640, data: 0o770} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(own, auditor, nobody); err != nil {
		t.Fatal(err)
	}
	asAuditor := func(args ...string) result {
		command := exec.CommandContext(t.Context(), app, args...)
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: auditor, Gid: nobody}}
		return finish(command, own)
	}
	look := func(when string) {
		t.Helper()
		before := filesIn(t, data)
		for _, args := range [][]string{{"verify", "--db", path}, {"token", "list", "--db", path}, {"migrate", "status", "--db", path}, {"backup", "--db", path, when + ".db"}, {"verify", "--db", when + ".db"}} {
			if r := asAuditor(args...); r.err != nil {
				t.Errorf("%s, app %v: got %v, %s, want no error", when, args, r.err, r.stderr)
			}
		}
		for _, args := range [][]string{{"token", "revoke", "1"}, {"token", "create", "--name", "a", "--scope", "read"}, {"migrate"}, {"seed"}, {"serve", "--addr", "localhost:0"}, {"restore", when + ".db"}, {"backup"}} {
			r := asAuditor(append(args, "--db", path)...)
			if r.err == nil || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "elsewhere run sudo -u ") {
				t.Errorf("%s, app %v: got %v, %q, want one line that names the command for the owner", when, args, r.err, r.stderr)
			}
		}
		if after := filesIn(t, data); after != before {
			t.Errorf("%s: got the files %s, want %s", when, after, before)
		}
	}
	look("alone")
	for _, end := range []os.Signal{os.Kill, syscall.SIGTERM} {
		command := boundCommand(t, app, "serve", "--addr", "localhost:0")
		command.Dir, command.Env = data, plainEnvironment()
		p, err := start(command)
		if err != nil {
			t.Fatalf("the owner's server: %v", err)
		}
		if r := runBound(t, data, app, "token", "create", "--name", end.String(), "--scope", "read"); r.err != nil { // so that the write-ahead log is not empty
			t.Fatalf("%v\n%s", r.err, r.stderr)
		}
		look("served-" + end.String())
		if err := p.stop(end); err != nil && end != os.Kill {
			t.Error(err)
		}
		look("ended-" + end.String())
		if r := runBound(t, data, app, "token", "revoke", "1"); r.err != nil { // removes the log that a killed server left, but not the file with its address
			t.Fatalf("%v\n%s", r.err, r.stderr)
		}
		look("used-" + end.String())
	}
}

// filesIn lists a folder.
func filesIn(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}
