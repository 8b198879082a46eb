package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
