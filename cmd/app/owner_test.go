package main

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"daybook/internal/disk"
)

// TestStartsThatAreServed: a server starts in a folder in which others may make files, sticky or not, in the
// folder of another user, as root in the folder of another user as in a container, and beside a second name
// of the database. The log and the status warn of it. As a control, nothing is said in a folder of its own.
func TestStartsThatAreServed(t *testing.T) {
	dir, app := openToAll(t)
	root := os.Geteuid() == 0
	for name, c := range map[string]struct {
		prepare func(data string) error
		as      int    // who serves
		want    string // the warning
	}{
		"its own":          {func(data string) error { return os.Chmod(data, 0o755) }, nobody, ""},
		"of a group":       {func(data string) error { return os.Chmod(data, 0o775) }, nobody, "other users may make files in the folder"},
		"of everyone":      {func(data string) error { return os.Chmod(data, 0o777) }, nobody, "other users may make files in the folder"},
		"sticky":           {func(data string) error { return os.Chmod(data, 0o777|os.ModeSticky) }, nobody, "make a folder of your own in it"},
		"of another":       {func(data string) error { return errors.Join(os.Chmod(data, 0o777), os.Chown(data, nobody-1, -1)) }, nobody, "belongs to "},
		"of another, root": {func(string) error { return nil }, 0, "belongs to "},
		"with a second name": {func(data string) error {
			path := filepath.Join(data, "app.db")
			return os.Link(path, filepath.Join(filepath.Dir(data), filepath.Base(data)+".db"))
		}, nobody, "has 2 names"},
	} {
		if !root && (name == "of another" || c.as == 0) {
			continue // only root can give a folder away
		}
		data := filepath.Join(dir, name)
		ownFolder(t, data)
		if r := runBound(t, data, app, "seed", "--trades", "20", "--departments", "1", "--accounts", "3", "--years", "1"); r.err != nil {
			t.Fatalf("%v\n%s", r.err, r.stderr)
		}
		if err := c.prepare(data); err != nil {
			t.Fatal(err)
		}
		command := boundCommand(t, app, "serve", "--addr", "localhost:0")
		if root && c.as == 0 {
			command = exec.CommandContext(t.Context(), app, "serve", "--addr", "localhost:0")
		}
		command.Dir, command.Env = data, plainEnvironment()
		p, err := start(command)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		status := get(t, p.addr, "/api/v1/status")
		if err := p.stop(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if c.want == "" && (strings.Contains(p.stderr.String(), "level=WARN") || !strings.Contains(status, `"warnings":[]`)) {
			t.Errorf("%s: got the log %q and the status %s, want no warning", name, p.stderr.String(), status)
		}
		if !strings.Contains(p.stderr.String(), c.want) || !strings.Contains(status, c.want) || strings.Contains(status, dir) {
			t.Errorf("%s: got the log %q and the status %s, want %q in both, and no folder in the status", name, p.stderr.String(), status, c.want)
		}
		if r := runBound(t, data, app, "verify"); r.err != nil { // the files that root made are its owner's
			t.Errorf("%s: verify: %v, %s", name, r.err, r.stderr)
		}
	}
}

// TestVerifyWhereNothingCanBeWritten: a database in a read-only folder can be verified, backed up to
// another folder, and its migrations listed. No file is added to its folder. If its write-ahead log
// has changes, or a server has it open, the commands fail with one line of error.
func TestVerifyWhereNothingCanBeWritten(t *testing.T) {
	dir, app := openToAll(t)
	open, closed := filepath.Join(dir, "open"), filepath.Join(dir, "closed")
	for _, d := range []string{open, closed} {
		ownFolder(t, d)
	}
	if r := runBound(t, closed, app, "seed", "--trades", "20", "--departments", "1", "--accounts", "3", "--years", "1"); r.err != nil {
		t.Fatalf("%v\n%s", r.err, r.stderr)
	}
	path := filepath.Join(closed, "app.db")
	if err := os.Chmod(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(closed, 0o755) }) // so that it can be removed
	leftUnchanged(t, closed, func() {
		for _, args := range [][]string{{"verify", "--db", path}, {"backup", "--db", path, "copy.db"}, {"migrate", "status", "--db", path}, {"verify", "--db", "copy.db"}} {
			if r := runBound(t, open, app, args...); r.err != nil {
				t.Errorf("app %v: %v, %s", args, r.err, r.stderr)
			}
		}
	})
	// If no server runs, an empty log says that no process has the database open.
	leave(t, closed, "app.db-wal", "")
	leave(t, closed, "app.db.lock", "")
	leftUnchanged(t, closed, func() {
		if r := runBound(t, open, app, "verify", "--db", path); r.err != nil || !strings.Contains(r.stdout, "is whole") {
			t.Errorf("beside an empty log: got %v, %s, want no error", r.err, r.stderr)
		}
		lock, err := disk.OpenLocks(filepath.Join(closed, "app.db.lock"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = lock.Close() }()
		if locked, err := lock.TryLock(1); err != nil || !locked { // as a server
			t.Fatal(locked, err)
		}
		if r := runBound(t, open, app, "verify", "--db", path); r.err == nil || !strings.Contains(r.stderr, "has it open") && !strings.Contains(r.stderr, "open; only that user") {
			t.Errorf("while a server has the lock: got %v, %q, want an error that the database is open", r.err, r.stderr)
		}
	})
	leave(t, closed, "app.db-wal", "changes")
	leftUnchanged(t, closed, func() {
		for _, args := range [][]string{{"verify", "--db", path}, {"backup", "--db", path, "other.db"}} {
			r := runBound(t, open, app, args...)
			if r.err == nil || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "has changes in "+path+"-wal") {
				t.Errorf("app %v: got %v, %q, want one line about the log", args, r.err, r.stderr)
			}
		}
	})
}

// TestClientsLearnNoFolderOfASocket: the user who starts the server sees the whole path of the socket;
// clients see only its name.
func TestClientsLearnNoFolderOfASocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.sock")
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	var said strings.Builder
	command := newCommand(nil)
	command.SetOut(&said)
	o := serveOptions{addr: "unix:" + path}
	if got := o.announce(command, admission{}, "app.db", []net.Listener{listener}); len(got) != 1 || got[0] != "unix:s.sock" {
		t.Errorf("got %q for clients, want the name of the socket", got)
	}
	if !strings.Contains(said.String(), "unix:"+path) {
		t.Errorf("got the output %q, want the path of the socket", said.String())
	}
}

// leave adds a file to a read-only folder. The file belongs to the user of runBound.
func leave(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(path, []byte(content), 0o600), os.Chmod(dir, 0o555))
	if os.Geteuid() == 0 {
		err = errors.Join(err, os.Chown(path, nobody, nobody))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// leftUnchanged calls do, and fails the test if do changes a file in the folder.
func leftUnchanged(t *testing.T, dir string, do func()) {
	t.Helper()
	before, err := stateOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	do()
	if after, err := stateOf(dir); err != nil || after != before {
		t.Errorf("got %s, %v, want the unchanged files %s", after, err, before)
	}
}
