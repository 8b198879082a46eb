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

// TestRootIsSentToTheOwner: the error is one line that ends with the command to run
// instead; only that of another user's database is.
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
			t.Log("the tests do not run as root, who alone is refused; what the error says is tried below")
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
		t.Errorf("got %q, want the command", got)
	}
	if got := asOwner(newCommand(nil), errors.New("another")); got != "" {
		t.Errorf("got %q for another error", got)
	}
}

// TestAFolderForOthers: a server says in one line that a group may change the folder of its
// database, and runs; where every user may, it does not. As a control, it says nothing of a
// folder that others may only read.
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
			t.Errorf("%v: got %d such lines in %q, want %d", mode, got, p.stderr.String(), want)
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
		t.Errorf("got %q, want a line with %s", p.stderr.String(), want)
	}
	if err := os.Chmod(data, 0o777); err != nil {
		t.Fatal(err)
	}
	r := runBound(t, data, app, "serve", "--addr", "localhost:0")
	if r.err == nil || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "chmod o-w "+data) {
		t.Errorf("got %v, %q, want an error in one line", r.err, r.stderr)
	}
}

func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{"/data/app-1.db": "/data/app-1.db", "": "''", "my data": "'my data'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "#7": "'#7'"} {
		if got := quoted(word); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestVerifyWhereNothingCanBeWritten: a database in a folder that is read-only is
// verified, backed up elsewhere and its migrations listed, and nothing comes to it. With
// changes in its log it is not, nor while it is served, and one line says why.
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
	t.Cleanup(func() { _ = os.Chmod(closed, 0o755) }) // else it could not be removed
	unharmed(t, closed, func() {
		for _, args := range [][]string{{"verify", "--db", path}, {"backup", "--db", path, "copy.db"}, {"migrate", "status", "--db", path}, {"verify", "--db", "copy.db"}} {
			if r := runBound(t, open, app, args...); r.err != nil {
				t.Errorf("app %v: %v, %s", args, r.err, r.stderr)
			}
		}
	})
	// A log that holds nothing is of a database that nobody has open, if no server does.
	leave(t, closed, "app.db-wal", "")
	leave(t, closed, "app.db.serve.lock", "")
	unharmed(t, closed, func() {
		if r := runBound(t, open, app, "verify", "--db", path); r.err != nil || !strings.Contains(r.stdout, "is whole") {
			t.Errorf("beside an empty log: %v, %s", r.err, r.stderr)
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
			t.Errorf("while it is served: got %v, %q, want an error", r.err, r.stderr)
		}
	})
	leave(t, closed, "app.db-wal", "changes")
	unharmed(t, closed, func() {
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
	if got := o.announce(command, admission{}, "app.db", []net.Listener{listener}); len(got) != 1 || got[0] != "unix:s.sock, http" {
		t.Errorf("got %q for clients, want the name of the socket", got)
	}
	if !strings.Contains(said.String(), "unix:"+path) {
		t.Errorf("got %q, want the path", said.String())
	}
}

// leave puts a file of the user who runBound runs as into a folder that is read-only.
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

// unharmed does something that must leave a folder as it is.
func unharmed(t *testing.T, dir string, do func()) {
	t.Helper()
	before, err := stateOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	do()
	if after, err := stateOf(dir); err != nil || after != before {
		t.Errorf("got %s, %v, want it as before: %s", after, err, before)
	}
}
