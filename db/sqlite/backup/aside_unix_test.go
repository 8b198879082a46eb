//go:build unix

package backup_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
)

// TestACopyThatIsKeptAside: on a file system without links, a restore copies the old database aside. The
// copy gets its final name only after it is complete.
func TestACopyThatIsKeptAside(t *testing.T) {
	dir := t.TempDir()
	from, to, draft := filepath.Join(dir, "from"), filepath.Join(dir, "to"), filepath.Join(dir, "draft")
	if err := syscall.Mkfifo(from, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- sqlitebackup.KeepCopy(from, to, draft) }()
	in, err := os.OpenFile(from, os.O_WRONLY, 0) // waits for the copy to begin
	if err != nil {
		t.Fatal(err)
	}
	const half = 1 << 20 // more than a pipe holds, so the copy has begun when all of it is written
	if _, err := in.Write(make([]byte, half)); err != nil {
		t.Fatal(err)
	}
	if file.Exists(to) || !file.Exists(draft) {
		t.Error("got the final name before the copy was complete, want only the draft")
	}
	_, err = in.Write(make([]byte, half))
	if err := errors.Join(err, in.Close(), <-done); err != nil || file.SizeOf(to) != 2*half || file.Exists(draft) {
		t.Errorf("got %v, %d bytes, want the whole copy with the final name", err, file.SizeOf(to))
	}
	if err := sqlitebackup.KeepCopy(dir, filepath.Join(dir, "other"), draft); err == nil || file.Exists(draft) || file.Exists(filepath.Join(dir, "other")) {
		t.Errorf("a copy that fails: got %v, want an error and no file left", err)
	}
}
