package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The demo database of `make run` comes from .ci/demo, with this binary as bin/app.

const few = "50" // trades

func TestDemoIsMadeOnce(t *testing.T) {
	dir := demoRoom(t)
	if r := finish(demo(t, few), dir); r.err != nil || !strings.Contains(r.stdout, "demo data") {
		t.Fatalf("got %+v, want it made, and said", r)
	}
	if info, err := os.Stat(filepath.Join(dir, "app.db")); err != nil || info.Mode() != 0o600 {
		t.Errorf("got %v, %v, want it the owner's alone", info, err)
	}
	before, err := stateOf(filepath.Join(dir, "app.db"))
	if err != nil {
		t.Fatal(err)
	}
	if r := finish(demo(t, few), dir); r.err != nil || r.stdout != "" {
		t.Errorf("the second time: got %+v, want nothing done", r)
	}
	if after, err := stateOf(filepath.Join(dir, "app.db")); err != nil || after != before {
		t.Errorf("the second time: got %s, %v, want %s", after, err, before)
	}
	if r := runIn(t, dir, "app", "seed"); r.err == nil || !strings.Contains(r.stderr, "holds data") {
		t.Errorf("got %+v, want the database to hold data", r)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.demo*"))
	if err != nil || len(left) > 0 {
		t.Errorf("got %v, %v left over, want nothing", left, err)
	}
}

// TestDemoLeavesAStrayLogAlone: SQLite would replay it into the new file.
func TestDemoLeavesAStrayLogAlone(t *testing.T) {
	dir := demoRoom(t)
	stray := filepath.Join(dir, "app.db-wal")
	if err := os.WriteFile(stray, []byte("of another database"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := finish(demo(t, few), dir)
	if r.err == nil || !strings.Contains(r.stderr, "app.db-wal is there") {
		t.Errorf("got %+v, want it refused", r)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 { // bin and the log
		t.Errorf("got %v, %v, want nothing new", entries, err)
	}
}

// demoRoom returns a directory with this binary as bin/app.
func demoRoom(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	app, err := exec.LookPath("app")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(app, filepath.Join(dir, "bin", "app")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// demo is the script, with a little company to be fast.
func demo(t *testing.T, trades string) *exec.Cmd {
	t.Helper()
	script, err := filepath.Abs(filepath.Join(root, ".ci", "demo"))
	if err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(t.Context(), "env", "DB=app.db",
		"APP_TRADES="+trades, "APP_DEPARTMENTS=2", "APP_ACCOUNTS=5", "APP_YEARS=1", "sh", script)
}
