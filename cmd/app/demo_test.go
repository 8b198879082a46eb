package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
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

func TestDemoThatIsKilledLeavesNoDatabase(t *testing.T) {
	dir := demoRoom(t)
	command := demo(t, "1000000") // which it never comes to the end of
	command.Dir, command.Env = dir, plainEnvironment()
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		begun, err := filepath.Glob(filepath.Join(dir, "app.db.demo.*", "app.db"))
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("got %v, want a database that grows", err)
		}
		if len(begun) > 0 {
			break
		}
	}
	if err := syscall.Kill(-command.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err == nil {
		t.Fatal("it was done before it was killed")
	}
	if _, err := os.Stat(filepath.Join(dir, "app.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want no app.db", err)
	}
	if r := finish(demo(t, few), dir); r.err != nil {
		t.Errorf("the next time: got %+v", r)
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
