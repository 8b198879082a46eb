//go:build unix

package file_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"daybook/db/sqlite"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/disk"
	"daybook/internal/fault"
)

// TestWaitingForAnotherProcess: a process that waits for the lock of another says so once, after a
// second. It gives up after 30 s. If the lock is free before that, it continues. A wait of half a second
// gives no notice.
func TestWaitingForAnotherProcess(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	using := uses(good)
	for _, name := range []string{"Open", "Guard", "Migrate", "Restore"} {
		for held, want := range map[time.Duration]struct {
			notices int
			refused bool
		}{500 * time.Millisecond: {0, false}, 10 * time.Second: {1, false}, time.Hour: {1, true}} {
			path := sqlitetest.RecordOfEach(t, sqlite.Open)
			synctest.Test(t, func(t *testing.T) {
				lock, err := disk.OpenLocks(path + file.LockFile)
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = lock.Close() }()
				if _, err := lock.TryLock(0); err != nil {
					t.Fatal(err)
				}
				released := make(chan struct{})
				release := time.AfterFunc(held, func() {
					_ = lock.Unlock(0)
					close(released)
				})
				var notices atomic.Int64
				began := time.Now()
				err = using[name](file.WithNotice(t.Context(), func(sentence string) {
					notices.Add(1)
					if !strings.Contains(sentence, path+file.LockFile) {
						t.Errorf("%s: got the notice %q, want the name of the lock in it", name, sentence)
					}
				}), path)
				took := time.Since(began)
				if got := int(notices.Load()); got != want.notices {
					t.Errorf("%s, held for %s: got %d notices, want %d", name, held, got, want.notices)
				}
				if refused := fault.KindOf(err) == fault.Unavailable && strings.Contains(err.Error(), "for 30s and holds "+path+file.LockFile); err != nil && !refused || refused != want.refused {
					t.Errorf("%s, held for %s: got %v, want it refused: %t", name, held, err, want.refused)
				}
				if want.refused && (took < file.LongestWait || took > file.LongestWait+time.Second) {
					t.Errorf("%s: got it refused after %s, want it after %s", name, took, file.LongestWait)
				}
				if !release.Stop() {
					<-released
				}
			})
		}
	}
}

// TestALogWithoutItsDatabase: the database is missing or empty, and its log has content. No command
// makes a new database or changes the log. A restore keeps the log aside. As a control, after the log is
// moved away, a new database is made.
func TestALogWithoutItsDatabase(t *testing.T) {
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, sqlite.Open))
	for what, lose := range map[string]func(path string) error{
		"removed": os.Remove,
		"emptied": func(path string) error { return os.Truncate(path, 0) },
	} {
		read := func(path string) string {
			t.Helper()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			return string(data)
		}
		lost := func() (path, log string) {
			path = filepath.Join(t.TempDir(), "app.db")
			sqlitetest.Crashed(t, sqlite.Open, path)
			if err := lose(path); err != nil {
				t.Fatal(err)
			}
			return path, read(path + "-wal")
		}
		using := uses(good)
		restore := using["Restore"]
		delete(using, "Restore")
		delete(using, "Served") // it opens no database
		using["OpenExisting"] = func(ctx context.Context, path string) error {
			_, err := sqlite.OpenExisting(ctx, path, time.Now)
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(using)) {
			path, log := lost()
			if err := using[name](t.Context(), path); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "move the -wal away to start a new database") {
				t.Errorf("%s, %s: got %v, want it refused, with a hint what to do", what, name, err)
			}
			if file.SizeOf(path) > 0 || read(path+"-wal") != log {
				t.Errorf("%s, %s: got the database or its log changed, want both unchanged", what, name)
			}
		}
		path, log := lost()
		if err := restore(t.Context(), path); err != nil {
			t.Errorf("%s, restored: got %v, want no error", what, err)
		}
		kept, err := filepath.Glob(path + file.BeforeRestore + "*-wal")
		if err != nil || len(kept) != 1 || read(kept[0]) != log {
			t.Errorf("%s, restored: got the logs %v, %v, want the old log kept aside", what, kept, err)
		}
		if err := sqlitetest.Verified(t.Context(), path); err != nil {
			t.Errorf("%s, restored and verified: got %v, want no error", what, err)
		}
		path, _ = lost()
		if err := os.Rename(path+"-wal", path+".aside"); err != nil {
			t.Fatal(err)
		}
		s, err := sqlite.Open(t.Context(), path, time.Now)
		if err != nil {
			t.Fatalf("%s, the control: got %v, want no error", what, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
