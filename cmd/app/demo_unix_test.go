//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestDemoThatIsKilledLeavesNoDatabase kills the script while it fills a database. There is no app.db
// then, and the next run makes one.
func TestDemoThatIsKilledLeavesNoDatabase(t *testing.T) {
	dir := demoFolder(t)
	command := demo(t, "1000000") // so many that it is killed before the end
	command.Dir, command.Env = dir, plainEnvironment()
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		begun, err := filepath.Glob(filepath.Join(dir, "app.db.demo.*", "app.db"))
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("got no temporary database, %v, want one", err)
		}
		if len(begun) > 0 {
			break
		}
	}
	if err := syscall.Kill(-command.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err == nil {
		t.Fatal("the script ended before it was killed")
	}
	if _, err := os.Stat(filepath.Join(dir, "app.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want no app.db", err)
	}
	if r := finish(demo(t, few), dir); r.err != nil {
		t.Errorf("the next time: got %+v, want no error", r)
	}
}
