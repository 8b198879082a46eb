//go:build unix

package backup_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"daybook/db/sqlite"
	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/fault"
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

// TestAnotherNameOfALiveDatabase: a restore from a second name (a hard link) of a database in use is
// refused, because the newest records are in the log beside the first name. As a control, a backup with
// two names is restored if its manifest is beside it.
func TestAnotherNameOfALiveDatabase(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	s, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	other, target := filepath.Join(t.TempDir(), "other.db"), filepath.Join(t.TempDir(), "app.db")
	if err := os.Link(path, other); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlitebackup.Restore(t.Context(), other, target, nil, sqlitetest.Midday); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "2 names") || file.Exists(target) {
		t.Errorf("got %v, want it refused", err)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	copied, _ := sqlitetest.BackupOf(t, path)
	if err := os.Link(copied, other); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlitebackup.Restore(t.Context(), copied, target, nil, sqlitetest.Midday); err != nil {
		t.Errorf("the control: got %v, want no error", err)
	}
}
