package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// few is the number of trades in a small demo database.
const few = "50"

// TestDemoIsMadeOnce runs .ci/demo, the script with which `make run` fills its database. The second
// run changes nothing.
func TestDemoIsMadeOnce(t *testing.T) {
	dir := demoFolder(t)
	if r := finish(demo(t, few), dir); r.err != nil || !strings.Contains(r.stdout, "demo data") {
		t.Fatalf("got %+v, want a demo database and a line about it", r)
	}
	if info, err := os.Stat(filepath.Join(dir, "app.db")); err != nil || info.Mode() != 0o600 {
		t.Errorf("got %v, %v, want a file that only its owner may read and write", info, err)
	}
	before, err := stateOf(filepath.Join(dir, "app.db"))
	if err != nil {
		t.Fatal(err)
	}
	if r := finish(demo(t, few), dir); r.err != nil || r.stdout != "" {
		t.Errorf("the second time: got %+v, want no output and no error", r)
	}
	if after, err := stateOf(filepath.Join(dir, "app.db")); err != nil || after != before {
		t.Errorf("the second time: got %s, %v, want %s", after, err, before)
	}
	if r := runIn(t, dir, "app", "seed"); r.err == nil || !strings.Contains(r.stderr, "holds data") {
		t.Errorf("app seed: got %+v, want an error, because the database holds data", r)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.demo*"))
	if err != nil || len(left) > 0 {
		t.Errorf("got the temporary files %v, %v, want none", left, err)
	}
}

// TestDemoLeavesAStrayLogAlone: the script refuses to make a database beside the write-ahead log of
// another one. SQLite would write that log into the new file.
func TestDemoLeavesAStrayLogAlone(t *testing.T) {
	dir := demoFolder(t)
	stray := filepath.Join(dir, "app.db-wal")
	if err := os.WriteFile(stray, []byte("of another database"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := finish(demo(t, few), dir)
	if r.err == nil || !strings.Contains(r.stderr, "app.db-wal is there") {
		t.Errorf("got %+v, want an error that names the log", r)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 { // bin and the log
		t.Errorf("got the files %v, %v, want only bin and the log", entries, err)
	}
}

// demoFolder returns a directory with this binary as bin/app.
func demoFolder(t *testing.T) string {
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

// demo returns the command that runs the script, with few departments and accounts so that it is fast.
func demo(t *testing.T, trades string) *exec.Cmd {
	t.Helper()
	script, err := filepath.Abs(filepath.Join(root, ".ci", "demo"))
	if err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(t.Context(), "env", "DB=app.db",
		"APP_TRADES="+trades, "APP_DEPARTMENTS=2", "APP_ACCOUNTS=5", "APP_YEARS=1", "sh", script)
}
