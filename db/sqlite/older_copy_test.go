package sqlite

import (
	"errors"
	"os"
	"testing"
	"time"

	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/money"
)

// TestOlderCopiesAreNoticed: if somebody puts older copies over the database, its log and its index
// while a store has them open, the next check notices it, also if the store has not written yet. As a
// control, without copies it notices nothing.
func TestOlderCopiesAreNoticed(t *testing.T) {
	parts := []string{"", "-wal", "-shm"}
	for _, overwritten := range []bool{false, true} {
		path := sqlitetest.RecordOfEach(t, Open)
		s, err := Open(t.Context(), path, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		if err := addCode(t, s, "AAA"); err != nil {
			t.Fatal(err)
		}
		copies := map[string][]byte{}
		for _, part := range parts {
			if copies[part], err = os.ReadFile(path + part); err != nil { // drops the locks of the store, which the test does not need
				t.Fatal(err)
			}
		}
		for _, code := range []money.Currency{"BBB", "CCC"} {
			if err := addCode(t, s, code); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := Open(t.Context(), path, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			beside, err := os.OpenFile(path+part, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = beside.Close() }) // not earlier, because that would drop the locks of the store
			if !overwritten {
				continue
			}
			if _, err := beside.WriteAt(copies[part], 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := again.Ping(t.Context()); (err != nil) != overwritten {
			t.Errorf("Ping: got %v, want an error: %t", err, overwritten)
		}
		if err := addCode(t, again, "DDD"); (err != nil) != overwritten {
			t.Errorf("a write: got %v, want it refused: %t", err, overwritten)
		}
		if err := again.Close(); file.ForbidsCheckpoint(err) != overwritten {
			t.Errorf("Close: got %v, want an error that forbids to copy the log: %t", err, overwritten)
		}
	}
}

// TestAnIndexOfZerosExcusesNothing: if the index is overwritten with zeros, SQLite makes it again from
// the log. The new index says that the log is being copied, and then the monitor allows changes of the
// database. It must still notice another database in the place of this one, both at once and after a
// health check. As a control, zeros alone do no harm.
func TestAnIndexOfZerosExcusesNothing(t *testing.T) {
	other := otherDatabase(t)
	for _, c := range []struct{ overwritten, looked bool }{{false, false}, {true, false}, {true, true}} {
		s, beside := storeAndFile(t)
		if err := errors.Join(addCode(t, s, "AAA"), s.Ping(t.Context())); err != nil {
			t.Fatal(err)
		}
		index, err := os.OpenFile(s.file.Path+"-shm", os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = index.Close() })
		if _, err := index.WriteAt(make([]byte, 32<<10), 0); err != nil {
			t.Fatal(err)
		}
		if c.looked {
			if err := s.Ping(t.Context()); err != nil {
				t.Errorf("%+v: Ping after the zeros: got %v, want no error", c, err)
			}
		}
		if c.overwritten {
			if _, err := beside.WriteAt(other, 0); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if err := s.Ping(t.Context()); (err != nil) != c.overwritten {
				t.Errorf("%+v: Ping: got %v, want an error: %t", c, err, c.overwritten)
			}
		}
		if err := addCode(t, s, "BBB"); (err != nil) != c.overwritten {
			t.Errorf("%+v: a write: got %v, want an error: %t", c, err, c.overwritten)
		}
	}
}
