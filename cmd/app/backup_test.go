package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"daybook/internal/backup"
)

// TestBackupsAreOfTheServedDatabase: after the start of a server, a link in the path of its database is
// changed to another database. The server still backs up the database that it serves, into that
// database's folder. As a control, `app backup` follows the changed link.
func TestBackupsAreOfTheServedDatabase(t *testing.T) {
	dir := t.TempDir()
	for _, year := range []string{"first", "second"} {
		if err := os.Mkdir(filepath.Join(dir, year), 0o700); err != nil {
			t.Fatal(err)
		}
		if r := finish(exec.CommandContext(t.Context(), "app", "migrate", "--db", filepath.Join(year, "app.db")), dir); r.err != nil {
			t.Fatalf("app migrate: %v\n%s", r.err, r.stderr)
		}
	}
	link := filepath.Join(dir, "current")
	if err := os.Symlink("first", link); err != nil {
		t.Fatal(err)
	}
	p, err := startServing(t.Context(), dir, plainEnvironment(), "--db", "current/app.db", "--addr", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if got := begin(t, p.addr, `{"code":"USD","name":"US dollar"}`)(); got != http.StatusCreated {
		t.Fatalf("got status %d, want %d", got, http.StatusCreated)
	}
	if err := errors.Join(os.Remove(link), os.Symlink("second", link)); err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post("http://"+p.addr+"/api/v1/backups", "application/json", nil) //nolint:noctx // to a process of this test
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var m backup.Manifest
	if err := json.NewDecoder(answer.Body).Decode(&m); err != nil || m.Entries != 1 || m.Counts["currencies"] != 1 {
		t.Errorf("got status %d and a backup of %d entries, %v, want one of the served database", answer.StatusCode, m.Entries, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "first", m.File)); err != nil {
		t.Errorf("got %v, want the backup in the folder of the served database", err)
	}
	if r := finish(exec.CommandContext(t.Context(), "app", "backup", "--db", "current/app.db", "control.db"), dir); r.err != nil || !strings.Contains(r.stdout, " 0 journal entries") {
		t.Errorf("app backup: got %v, %s%s, want a backup of the other database, which is empty", r.err, r.stdout, r.stderr)
	}
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

// TestReadOnlyTargets: a backup into a read-only folder and a restore into one fail with one line of
// error, and change nothing. The commands run as a user who is not root.
func TestReadOnlyTargets(t *testing.T) {
	dir, app := openToAll(t)
	for _, d := range []string{"open", "closed"} {
		ownFolder(t, filepath.Join(dir, d))
	}
	opened, closed := filepath.Join(dir, "open"), filepath.Join(dir, "closed")
	for _, c := range [][]string{
		{"migrate", "--db", "app.db"}, {"backup", "--db", "app.db", "good.db"}, {"migrate", "--db", "../closed/app.db"},
		{"restore", "--db", "../closed/app.db", "good.db"}, // makes the locks
	} {
		if r := runBound(t, opened, app, c...); r.err != nil {
			t.Fatalf("app %v: %v\n%s", c, r.err, r.stderr)
		}
	}
	if err := os.Chmod(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(closed, 0o755) }) // so that it can be removed
	before, err := stateOf(closed)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"backup", "--db", "app.db", "../closed/new.db"},
		{"backup", "--db", "../closed/app.db"},
		{"restore", "--db", "../closed/app.db", "good.db"},
		{"restore", "--db", "../closed/new.db", "good.db"},
	} {
		r := runBound(t, opened, app, args...)
		if r.err == nil || strings.Count(r.stderr, "\n") != 1 || !strings.HasPrefix(r.stderr, "app: ") || !strings.Contains(r.stderr, "permission denied") {
			t.Errorf("app %v: got %v and %q, want a failure and one line about permission", args, r.err, r.stderr)
		}
	}
	if after, err := stateOf(closed); err != nil || after != before {
		t.Errorf("got %s, %v, want the unchanged files %s", after, err, before)
	}
	if r := runBound(t, opened, app, "backup", "--db", "app.db", "again.db"); r.err != nil {
		t.Errorf("got %v, %s, want a backup in a folder that is not read-only", r.err, r.stderr)
	}
}
