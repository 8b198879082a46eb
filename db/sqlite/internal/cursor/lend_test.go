package cursor

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// TestAConnectionIsLent: Lend calls a function with the connection of database/sql, and returns the error of
// the function. A panic of the function reaches the caller with its stack, and the connection works
// afterwards. As a control, a driver without a handle of SQLite is an error.
func TestAConnectionIsLent(t *testing.T) {
	db, err := sql.Open("sqlite", "file::memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	one, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.ExecContext(t.Context(), "CREATE TABLE t (a); INSERT INTO t VALUES (7), (8)"); err != nil {
		t.Fatal(err)
	}
	wrong, times := errors.New("wrong"), 0
	for _, want := range []error{nil, wrong} {
		err := Lend(one.Raw, func(c *Conn) error {
			times++
			if counted, err := query[int64](t, c, "SELECT count(*) FROM t").Last(); err != nil || counted != 2 {
				t.Errorf("got %d and %v, want 2", counted, err)
			}
			return want
		})
		if !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	other := func(use func(any) error) error { return use(struct{ db uintptr }{}) }
	if err := Lend(other, func(*Conn) error { times++; return nil }); err == nil {
		t.Error("another driver: got no error, want one")
	}
	func() {
		defer func() {
			if p := fmt.Sprint(recover()); !strings.Contains(p, "a defect") || !strings.Contains(p, "TestAConnectionIsLent") {
				t.Errorf("got the panic %q, want that of the function with its stack", p)
			}
		}()
		_ = Lend(one.Raw, func(*Conn) error { panic("a defect") })
	}()
	if _, err := one.ExecContext(t.Context(), "INSERT INTO t VALUES (9)"); err != nil {
		t.Errorf("after a panic: got %v, want a connection that works", err)
	}
	if times != 2 {
		t.Errorf("the function ran %d times, want 2", times)
	}
}
