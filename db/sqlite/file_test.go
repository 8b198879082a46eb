package sqlite

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// TestOpenRefusesWhatIsNotOurs: a file that is not a Daybook database, or that a newer Daybook made, is
// refused in one line and not changed.
func TestOpenRefusesWhatIsNotOurs(t *testing.T) {
	random := make([]byte, 8192)
	_, _ = rand.Read(random)
	for name, content := range map[string][]byte{
		"random bytes":     random,
		"text":             []byte("date,amount\n2026-01-01,5\n"),
		"one byte":         []byte("S"),
		"a broken header":  append([]byte("SQLite format 3\x00"), random...),
		"another program":  sqlitetest.AnotherProgram(t, "CREATE TABLE songs (title TEXT)"),
		"another's id":     sqlitetest.AnotherProgram(t, "PRAGMA application_id = 7; CREATE TABLE songs (title TEXT)"),
		"a newer Daybook":  sqlitetest.NewerDaybook(t),
		"a short database": sqlitetest.AnotherProgram(t, "CREATE TABLE songs (title TEXT)")[:700],
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "app.db")
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Open(t.Context(), path, time.Now)
			if got := fault.KindOf(err); err == nil || got != fault.Unavailable {
				t.Fatalf("got %v, want Unavailable", err)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("got %q, want one line", err)
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, content) {
				t.Errorf("got the file changed, %v, want it unchanged", err)
			}
			if _, err := os.Stat(path + file.LockFile); err == nil {
				t.Error("got a lock file left beside the file, want none")
			}
		})
	}
}

// TestOpenNamesWhatIsWrongWithThePath: the error of a wrong path says what is wrong with it.
func TestOpenNamesWhatIsWrongWithThePath(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:                                    "is a directory",
		filepath.Join(dir, "no", "app.db"):     "there is no directory",
		filepath.Join(dir, "a\x00b", "x.db"):   "cannot open",
		filepath.Join("/dev/null", "under.db"): "cannot open",
	} {
		_, err := Open(t.Context(), path, time.Now)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q in it", path, err, want)
		}
	}
}

// TestAFileThatAnotherProcessMakesIsNoLink: Locate checks a path in several steps. If another process
// makes or removes a file there between two steps, this is no error.
func TestAFileThatAnotherProcessMakesIsNoLink(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	var other sync.WaitGroup
	defer other.Wait()
	ended := make(chan struct{})
	defer close(ended)
	other.Go(func() {
		for {
			select {
			case <-ended:
				return
			default:
				_ = os.WriteFile(path, nil, 0o600)
				_ = os.Remove(path)
			}
		}
	})
	for range 20_000 {
		if _, err := file.Locate(path); err != nil {
			t.Fatal(err)
		}
	}
}

// TestADatabaseThatIsBeingMadeIsSeenWholeOrNotAtAll: while one process makes a database, other processes
// find no database, or one with the whole schema of some version. Each migration is one transaction, so
// they may find the version of every migration. The version that they find never falls.
func TestADatabaseThatIsBeingMadeIsSeenWholeOrNotAtAll(t *testing.T) {
	for range 30 {
		f, err := file.Locate(filepath.Join(t.TempDir(), "app.db"))
		if err != nil {
			t.Fatal(err)
		}
		versions := []int64{0}
		for _, m := range f.Schema.Steps(nil) {
			versions = append(versions, m.Version)
		}
		made := make(chan error, 1)
		go func() {
			_, err := MigrateFile(t.Context(), f)
			made <- err
		}()
		seen := int64(0)
		for making := true; making; {
			select {
			case err := <-made:
				if err != nil {
					t.Fatal(err)
				}
				making = false
			default:
			}
			version, err := f.Inspect(t.Context())
			if err != nil || version < seen || !slices.Contains(versions, version) {
				t.Fatalf("got version %d after %d, %v, want the same or a later one of %d", version, seen, err, versions)
			}
			seen = version
			if version == 0 {
				continue
			}
			incomplete := f.CheckSchema(t.Context(), version)
			if now, err := f.Inspect(t.Context()); err != nil || incomplete != nil && now == version {
				t.Fatalf("at version %d: got %v, %v, want the whole schema of it", version, incomplete, err)
			}
		}
		if seen != f.Schema.Newest() {
			t.Errorf("when it is made: got version %d, want %d", seen, f.Schema.Newest())
		}
	}
}

// TestPathsThatMeanSomethingToSQLite: a file name with characters that are special in a URI of SQLite is
// the name of the file that is written.
func TestPathsThatMeanSomethingToSQLite(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a b.db", "a?mode=ro.db", "a#b.db", "100%.db", "%41.db", "Bücher.db", ":memory:", "file:x.db", "a&b=c.db"} {
		path := filepath.Join(dir, name)
		s, err := Open(t.Context(), path, time.Now)
		if err != nil {
			t.Errorf("%q: Open: got %v, want no error", name, err)
			continue
		}
		if err := s.writer.write(t.Context(), addCurrency("AAA")); err != nil {
			t.Errorf("%q: a write: got %v, want no error", name, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%q: Close: got %v, want no error", name, err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%q: got no file with content, %v, want it written", name, err)
		}
	}
}

// TestEveryConnectionHasItsPragmas: every connection of every pool reads back the pragmas that it must
// have.
func TestEveryConnectionHasItsPragmas(t *testing.T) {
	s := openStore(t)
	for _, pool := range []struct {
		db      *sql.DB
		pragmas []file.Pragma
	}{{s.reading, file.ReaderPragmas}, {s.lookups.DB, file.ReaderPragmas}} {
		for range pool.db.Stats().MaxOpenConnections { // all at the same time, so that each is a different one
			conn, err := pool.db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = conn.Close() })
			hasPragmas(t, conn, pool.pragmas)
		}
	}
	hasPragmas(t, s.writer.conn.conn, s.file.WriterPragmas())
}

func hasPragmas(t *testing.T, conn *sql.Conn, pragmas []file.Pragma) {
	t.Helper()
	readBack := map[string]string{"ON": "1", "OFF": "0", "FULL": "2", "MEMORY": "2", "WAL": "wal"}
	for _, p := range pragmas {
		var got string
		if err := conn.QueryRowContext(t.Context(), "PRAGMA "+p.Name).Scan(&got); err != nil || got != cmp.Or(readBack[p.Value], p.Value) {
			t.Errorf("%s: got %q, %v, want %q", p.Name, got, err, p.Value)
		}
	}
}

// TestReadersCannotWrite: the connections for reads refuse a statement that writes.
func TestReadersCannotWrite(t *testing.T) {
	s := openStore(t)
	_, err := s.reading.ExecContext(t.Context(), "INSERT INTO currencies (code, name) VALUES ('AAA', 'A')")
	if got := fault.KindOf(sqlerr.Classify(err)); got != fault.Unavailable {
		t.Errorf("got %v, want Unavailable", err)
	}
}

// TestASecondServerIsRefused: while a server holds the lock of a database, a second one is refused.
func TestASecondServerIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	guarded, err := Guard(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Guard(t.Context(), path); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("got %v, want Unavailable", err)
	}
	if err := guarded.Release(); err != nil {
		t.Fatal(err)
	}
	guarded, err = Guard(t.Context(), path)
	if err != nil {
		t.Fatalf("after the first server has ended: got %v, want no error", err)
	}
	if err := guarded.Release(); err != nil {
		t.Fatal(err)
	}
}

// TestNobodyMigratesUnderAServer: a database is not migrated while an older program serves it, because
// that program would write rows that do not fit the new schema.
func TestNobodyMigratesUnderAServer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	f, err := file.Locate(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := MigrateFile(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	older, err := f.Lock(t.Context())
	if err == nil {
		err = errors.Join(older.Serve(t.Context(), path), older.Opened())
	}
	if err != nil {
		t.Fatal(err)
	}
	f.Schema = sqlitetest.Later(t)
	if _, err := MigrateFile(t.Context(), f); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "an older program serves") {
		t.Errorf("got %v, want Unavailable because an older program serves", err)
	}
	if version, err := f.Inspect(t.Context()); version != schema.Released.Newest() || err != nil {
		t.Errorf("got schema version %d, %v, want the old one", version, err)
	}
	if err := older.Unlock(); err != nil {
		t.Fatal(err)
	}
	if u, err := MigrateFile(t.Context(), f); err != nil || len(u.Steps) != 1 {
		t.Errorf("after it has ended: got %v, %v, want one step", u, err)
	}
}

// TestAWriteAheadLogThatIsRemovedIsNoticed: if the write-ahead log is removed, health checks and writes
// fail, and the store copies the log into the database when it closes.
func TestAWriteAheadLogThatIsRemovedIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	s, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if _, err := s.AddCurrency(t.Context(), trading.Currency{Code: "AAA", Name: "A"}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path + "-wal"); err != nil {
		t.Fatal(err)
	}
	if err := s.Ping(t.Context()); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("Ping: got %v, want Unavailable", err)
	}
	if _, err := s.AddCurrency(t.Context(), trading.Currency{Code: "BBB", Name: "B"}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a write: got %v, want Unavailable", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	var codes []money.Currency
	for c, err := range again.Currencies(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, c.Code)
	}
	if !slices.Equal(codes, []money.Currency{"AAA"}) {
		t.Errorf("got %v, want AAA, which was acknowledged", codes)
	}
}

// TestALinkLeadsToTheSameLock: a server is refused if another one serves the same database by another
// path, through a link.
func TestALinkLeadsToTheSameLock(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "app.db"), filepath.Join(dir, "link.db")
	if _, err := Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	guarded, err := Guard(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = guarded.Release() }()
	if second, err := Guard(t.Context(), link); err == nil {
		_ = second.Release()
		t.Error("got a second server through the link, want it refused")
	}
}

// TestAFileThatHasGoneIsNoticed: if the database file is removed or replaced under a store, health
// checks and writes fail.
func TestAFileThatHasGoneIsNoticed(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openStore(t)
			if err := s.Ping(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := harm(s.file.Path); err != nil {
				t.Fatal(err)
			}
			if got := fault.KindOf(s.Ping(t.Context())); got != fault.Unavailable {
				t.Errorf("Ping: got kind %q, want Unavailable", got)
			}
			if err := s.writer.write(t.Context(), addCurrency("AAA")); fault.KindOf(err) != fault.Unavailable {
				t.Errorf("a write, which would be lost: got %v, want Unavailable", err)
			}
		})
	}
}

// TestMigrateCreatesOnceAndTellsWhatItDid: Migrate makes a new database and returns the steps that it
// took. A second time it does nothing. Listing the migrations makes no file.
func TestMigrateCreatesOnceAndTellsWhatItDid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	pending, err := Migrations(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("got a file after listing the migrations, want none")
	}
	u, err := Migrate(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Steps) != len(pending) || len(u.Steps) == 0 {
		t.Errorf("got %d steps, want %d", len(u.Steps), len(pending))
	}
	if u, err := Migrate(t.Context(), path); err != nil || len(u.Steps) != 0 {
		t.Errorf("a second time: got %v, %v, want no steps", u, err)
	}
	applied, err := Migrations(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range applied {
		if m.Applied.IsZero() {
			t.Errorf("%s: got it pending, want it applied", m.Name)
		}
	}
}

// TestCloseLeavesOneFile: after Close no write-ahead log is left. Otherwise somebody who copies only the
// database file would lose the content of the log.
func TestCloseLeavesOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	s, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.writer.write(t.Context(), addCurrency("AAA")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + "-wal"); err == nil {
		t.Error("got a write-ahead log after Close, want none")
	}
}
