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

// TestBackupsAreOfTheServedDatabase: a link on the way to the database leads to another one
// after the start. The server backs up what it serves, into the same folder as before. As a
// control, app backup follows the link.
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
		t.Errorf("the backup is not beside the served database: %v", err)
	}
	if r := finish(exec.CommandContext(t.Context(), "app", "backup", "--db", "current/app.db", "control.db"), dir); r.err != nil || !strings.Contains(r.stdout, " 0 journal entries") {
		t.Errorf("app backup: got %v, %s%s, want a backup of the other", r.err, r.stdout, r.stderr)
	}
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

// TestReadOnlyTargets: as a user whom permissions bind, a backup into a folder that is
// read-only, and a restore into one, fail in one line and change nothing.
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
	t.Cleanup(func() { _ = os.Chmod(closed, 0o755) }) // else it could not be removed
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
		t.Errorf("got %s, %v, want it as before: %s", after, err, before)
	}
	if r := runBound(t, opened, app, "backup", "--db", "app.db", "again.db"); r.err != nil { // what is read-only may be another's
		t.Errorf("got %v, %s, want a backup where it may be", r.err, r.stderr)
	}
}
