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

	"daybook/db/sqlite/file"
	"daybook/internal/fault"
)

// TestRootIsSentToTheOwner: root may not open the database of another user. The error is one line that
// ends with the command to run instead. As a control, another error names no command.
func TestRootIsSentToTheOwner(t *testing.T) {
	dir, app := openToAll(t)
	data := filepath.Join(dir, "my data")
	ownFolder(t, data)
	if r := runBound(t, data, app, "migrate"); r.err != nil {
		t.Fatalf("%v\n%s", r.err, r.stderr)
	}
	path := filepath.Join(data, "app.db")
	for _, c := range []struct {
		args, env []string
		want      string
	}{
		{[]string{"token", "list", "--db", path}, nil, " token list --db '" + path + "'"},
		{[]string{"verify"}, nil, " verify --db app.db"},
		{[]string{"serve", "--addr", "localhost:0"}, []string{"APP_DB=" + path}, " serve --addr localhost:0 --db '" + path + "'"},
	} {
		if os.Geteuid() != 0 {
			t.Log("not tested: the commands, because only root is refused; the text of the error is tested below")
			break
		}
		command := exec.CommandContext(t.Context(), app, c.args...)
		var complaint strings.Builder
		command.Dir, command.Env, command.Stderr = data, append(plainEnvironment(), c.env...), &complaint
		err := command.Run()
		line, whole := strings.CutSuffix(complaint.String(), "\n")
		container, run, found := strings.Cut(line, ", elsewhere run sudo -u ")
		owner, run, _ := strings.Cut(run, " ")
		if err == nil || !whole || !found || !strings.HasSuffix(container, "; in a container start it with --user "+strings.Trim(owner, "'#")) || owner == "root" || strings.Contains(line, "\n") || run != "app"+c.want {
			t.Errorf("app %v: got %v, %q, want sudo -u OWNER app%s", c.args, err, complaint.String(), c.want)
		}
	}
	refused := fault.Wrap(fault.Unavailable, &file.OwnerError{Path: path, Owner: "#1000"}, "root does not open it")
	if got := asOwner(newCommand(nil), refused); !strings.HasPrefix(got, "; in a container start it with --user 1000, elsewhere run sudo -u '#1000' ") || !strings.HasSuffix(got, " --db app.db") {
		t.Errorf("got %q, want the command to run instead", got)
	}
	if got := asOwner(newCommand(nil), errors.New("another")); got != "" {
		t.Errorf("as a control, another error: got %q, want no command", got)
	}
}

// TestAFolderForOthers: if a group may change the folder of the database, the server runs, and logs one
// line with the command that forbids it. If every user may change the folder, the server refuses to
// run. As a control, it logs nothing about a folder that others may only read.
func TestAFolderForOthers(t *testing.T) {
	dir, app := openToAll(t)
	data := filepath.Join(dir, "data")
	ownFolder(t, data)
	for mode, want := range map[os.FileMode]int{0o755: 0, 0o775: 1, 0o770: 1} {
		if err := os.Chmod(data, mode); err != nil {
			t.Fatal(err)
		}
		command := boundCommand(t, app, "serve", "--addr", "localhost:0")
		command.Dir, command.Env = data, plainEnvironment()
		p, err := start(command)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.stop(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if got := strings.Count(p.stderr.String(), `command="chmod g-w `+data+`"`); got != want {
			t.Errorf("%v: got %d lines with the command in %q, want %d", mode, got, p.stderr.String(), want)
		}
	}
	if err := errors.Join(os.Chmod(data, 0o755), os.Mkdir(filepath.Join(data, "backups"), 0o700), os.Chmod(filepath.Join(data, "backups"), 0o770)); err != nil {
		t.Fatal(err)
	}
	command := boundCommand(t, app, "serve", "--addr", "localhost:0", "--backup-dir", "backups")
	command.Dir, command.Env = data, plainEnvironment()
	p, err := start(command)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if want := `command="chmod g-w ` + filepath.Join(data, "backups") + `"`; strings.Count(p.stderr.String(), want) != 1 {
		t.Errorf("got the log %q, want one line with %s", p.stderr.String(), want)
	}
	if err := os.Chmod(data, 0o777); err != nil {
		t.Fatal(err)
	}
	r := runBound(t, data, app, "serve", "--addr", "localhost:0")
	if r.err == nil || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "chmod o-w "+data) {
		t.Errorf("got %v, %q, want one line of error with chmod o-w", r.err, r.stderr)
	}
}

// TestQuoted: a word is quoted so that a shell reads it as one word.
func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{"/data/app-1.db": "/data/app-1.db", "": "''", "my data": "'my data'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "#7": "'#7'"} {
		if got := quoted(word); got != want {
			t.Errorf("got %s, want %s", got, want)
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
	leave(t, closed, "app.db.serve.lock", "")
	leftUnchanged(t, closed, func() {
		if r := runBound(t, open, app, "verify", "--db", path); r.err != nil || !strings.Contains(r.stdout, "is whole") {
			t.Errorf("beside an empty log: got %v, %s, want no error", r.err, r.stderr)
		}
		lock, err := os.Open(filepath.Join(closed, "app.db.serve.lock"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = lock.Close() }()
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
			t.Fatal(err)
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
