//go:build unix

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/verify"
	"daybook/internal/fault"
	"daybook/internal/trading"
)

// guest returns the file as it is for a user who does not own it.
func guest(t *testing.T, path string) file.File {
	t.Helper()
	f, err := file.Locate(path, verify.Whole)
	if err != nil {
		t.Fatal(err)
	}
	f.GuestOf = "alice"
	if f.VFS, err = cursor.Guest(); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestAGuestMakesNothing: a user who does not own a database can read it, with or without a server, and
// after a kill. This makes no file in its folder. As a control, if its owner reads it, SQLite makes a
// log and an index.
func TestAGuestMakesNothing(t *testing.T) {
	alone := sqlitetest.RecordOfEach(t, Open)
	restored, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, Open)) // without a log
	left := sqlitetest.RecordOfEach(t, Open)                                // with the files that a reader of the owner made
	if err := sqlitetest.Verified(t.Context(), left); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(t.TempDir(), "app.db")
	sqlitetest.Crashed(t, Open, killed)
	if err := sqlitetest.Verified(t.Context(), killed); err != nil { // makes the index
		t.Fatal(err)
	}
	served := serving(t)
	for what, path := range map[string]string{"alone": alone, "restored": restored, "left": left, "killed": killed, "served": served} {
		before := sqlitetest.NamesIn(t, filepath.Dir(path))
		f := guest(t, path)
		v, err := verify.File(t.Context(), f, nil)
		if err != nil || len(v.Findings) > 0 || v.Records == 0 {
			t.Errorf("%s: got %v, %v, %d records, want no findings and some records", what, v.Findings, err, v.Records)
		}
		to := filepath.Join(t.TempDir(), "copy.db")
		if m, err := sqlitebackup.Take(t.Context(), f, to, "test", sqlitetest.Midday); err != nil || m.Entries != v.Entries {
			t.Errorf("%s: got a backup of %d entries, %v, want %d", what, m.Entries, err, v.Entries)
		}
		if _, err := sqlitebackup.LineagesIn(t.Context(), f, nil); err != nil {
			t.Errorf("%s: lineages: got %v, want no error", what, err)
		}
		if after := sqlitetest.NamesIn(t, filepath.Dir(path)); !slices.Equal(after, before) {
			t.Errorf("%s: got the files %v, want %v", what, after, before)
		}
	}
	if err := sqlitetest.Verified(t.Context(), alone); err != nil || !file.Exists(alone+"-wal") || !file.Exists(alone+"-shm") {
		t.Errorf("the control: got the files %v, %v, want a log and an index too", sqlitetest.NamesIn(t, filepath.Dir(alone)), err)
	}
}

// serving returns the path of a database that is open until the test ends, with its newest record in the
// log.
func serving(t *testing.T) (path string) {
	t.Helper()
	path = sqlitetest.RecordOfEach(t, Open)
	s, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.AddCurrency(t.Context(), trading.Currency{Code: "LOG", Name: "In the log"}); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAGuestBesideAServerThatEnds: if the log or its index disappears after the check and before the
// read, SQLite refuses to read for a guest and makes no file. As a control, it makes the missing file
// for the owner.
func TestAGuestBesideAServerThatEnds(t *testing.T) {
	for _, gone := range []string{"-wal", "-shm"} {
		for _, owner := range []bool{false, true} {
			path := sqlitetest.RecordOfEach(t, Open)
			if err := sqlitetest.Verified(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			f := guest(t, path)
			if owner {
				f.GuestOf, f.VFS = "", ""
			}
			if err := os.Remove(path + gone); err != nil {
				t.Fatal(err)
			}
			db, err := sql.Open("sqlite", f.DSN(url.Values{"mode": {"ro"}}))
			if err != nil {
				t.Fatal(err)
			}
			var n int
			err = db.QueryRowContext(t.Context(), "SELECT count(*) FROM trades").Scan(&n)
			if closing := db.Close(); closing != nil {
				t.Error(closing)
			}
			if (err == nil) != owner || file.Exists(path+gone) != owner {
				t.Errorf("without %s, by the owner: %t: got %v, made: %t; want it read and made only by the owner", gone, owner, err, file.Exists(path+gone))
			}
		}
	}
}

// TestWhatAGuestMayNotDo: a command of a guest is refused if it would write beside the database, or if
// it cannot read the newest changes. The error names the owner, and no file is made.
func TestWhatAGuestMayNotDo(t *testing.T) {
	logged := filepath.Join(t.TempDir(), "app.db") // with a log, and without its index
	sqlitetest.Crashed(t, Open, logged)
	if err := file.Remove(logged + "-shm"); err != nil {
		t.Fatal(err)
	}
	unlogged := serving(t)
	if err := file.Remove(unlogged + "-wal"); err != nil {
		t.Fatal(err)
	}
	good, _ := sqlitetest.BackupOf(t, sqlitetest.RecordOfEach(t, Open))
	for what, c := range map[string]struct {
		path string
		use  func(ctx context.Context, f file.File) error
	}{
		"a log":   {logged, func(ctx context.Context, f file.File) error { _, err := verify.File(ctx, f, nil); return err }},
		"no log":  {unlogged, func(ctx context.Context, f file.File) error { _, err := verify.File(ctx, f, nil); return err }},
		"open":    {sqlitetest.RecordOfEach(t, Open), func(ctx context.Context, f file.File) error { _, err := OpenFile(ctx, f, time.Now); return err }},
		"migrate": {sqlitetest.RecordOfEach(t, Open), func(ctx context.Context, f file.File) error { _, err := MigrateFile(ctx, f); return err }},
		"restore": {sqlitetest.RecordOfEach(t, Open), func(ctx context.Context, f file.File) error {
			_, err := sqlitebackup.RestoreFile(ctx, f, good, f.Path, nil, sqlitetest.Midday)
			return err
		}},
		"backup beside it": {sqlitetest.RecordOfEach(t, Open), func(ctx context.Context, f file.File) error {
			_, err := sqlitebackup.Take(ctx, f, filepath.Join(filepath.Dir(f.Path), "copy.db"), "test", sqlitetest.Midday)
			return err
		}},
	} {
		before := sqlitetest.NamesIn(t, filepath.Dir(c.path))
		err := c.use(t.Context(), guest(t, c.path))
		refused, is := errors.AsType[*file.OwnerError](err)
		if fault.KindOf(err) != fault.Unavailable || !is || refused.Owner != "alice" || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want an OwnerError that names alice, in one line", what, err)
		}
		if after := sqlitetest.NamesIn(t, filepath.Dir(c.path)); !slices.Equal(after, before) {
			t.Errorf("%s: got the files %v, want %v", what, after, before)
		}
	}
}

// TestAGuestWhileAServerBegins: a guest reads a database that no process has open. If a process writes
// to it meanwhile, the read fails with an error that says to try again. As a control, it succeeds
// without such a write.
func TestAGuestWhileAServerBegins(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, Open)
	for _, disturbed := range []bool{false, true} {
		began := false
		_, err := verify.File(t.Context(), guest(t, path), func(int64, int64) {
			if !began && disturbed {
				began = true
				s, err := Open(t.Context(), path, time.Now)
				if err == nil {
					_, err = s.AddCurrency(t.Context(), trading.Currency{Code: "LOG", Name: "Meanwhile"})
					err = errors.Join(err, s.Close())
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
		if refused := fault.KindOf(err) == fault.Unavailable && strings.Contains(err.Error(), "try again"); err != nil && !refused || refused != disturbed {
			t.Errorf("got %v, want it refused: %t", err, disturbed)
		}
	}
}
