package spool_test

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"daybook/internal/spool"
)

// TestAFileEndsWithItsClose: a file can be written and read, only its owner can read it, and nothing is left of it.
func TestAFileEndsWithItsClose(t *testing.T) {
	dir := t.TempDir()
	f, err := spool.Beside(filepath.Join(dir, "app.db")).New()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("rows"); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(io.NewSectionReader(f, 0, 4))
	if err != nil || string(got) != "rows" {
		t.Errorf("got %q, %v, want what was written", got, err)
	}
	if info, err := f.Stat(); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want a file for its owner", info.Mode(), err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("got %v left, want nothing", left)
	}
}

// TestSweepRemovesWhatAKilledProcessLeft: it removes the files of its own database, and no other.
func TestSweepRemovesWhatAKilledProcessLeft(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a[b.db", "a[b.db.spool-1", "a[b.db.spool-2", "other.db.spool-1"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := spool.Beside(filepath.Join(dir, "a[b.db")).Sweep(); err != nil {
		t.Fatal(err)
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 2 || left[0].Name() != "a[b.db" || left[1].Name() != "other.db.spool-1" {
		t.Errorf("got %v left, want the database and the file of another one", left)
	}
}
