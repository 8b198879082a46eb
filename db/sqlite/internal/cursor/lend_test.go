package cursor

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// TestAConnectionIsLent: Lend passes the connection that executes its statement, and returns the
// error of the function; a panic of it reaches the caller. As controls, a statement that is not executed, or not of Lend, and a view
// run no function.
func TestAConnectionIsLent(t *testing.T) {
	if err := Lending(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(t.TempDir(), "app.db")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	exec := func(statement string) error {
		_, err := db.ExecContext(t.Context(), statement)
		return err
	}
	if err := exec("CREATE TABLE t (a); INSERT INTO t VALUES (7), (8)"); err != nil {
		t.Fatal(err)
	}
	wrong, times := errors.New("wrong"), 0
	for _, want := range []error{nil, wrong} {
		var counted string
		err := Lend(exec, func(c *Conn) (err error) {
			times++
			if counted, err = c.Value("SELECT count(*) FROM t"); err != nil {
				return err
			}
			return want
		})
		if !errors.Is(err, want) || (err == nil) != (want == nil) || counted != "2" {
			t.Errorf("got %q and %v, want 2 and %v", counted, err, want)
		}
	}
	other := func(string) error { return nil }
	if err := Lend(other, func(*Conn) error { times++; return nil }); err == nil {
		t.Error("got no error of a statement that was not executed")
	}
	if err := exec("SELECT daybook_lend(1)"); err != nil {
		t.Errorf("got %v of a statement that is not of Lend, want none", err)
	}
	if err := exec("CREATE VIEW v AS SELECT daybook_lend(1)"); err != nil {
		t.Fatal(err)
	}
	if err := exec("SELECT * FROM v"); err == nil {
		t.Error("got no error of a view that calls the function")
	}
	func() {
		defer func() {
			if p := fmt.Sprint(recover()); !strings.Contains(p, "a defect") || !strings.Contains(p, "TestAConnectionIsLent") {
				t.Errorf("got the panic %q, want that of the function with its stack", p)
			}
		}()
		_ = Lend(exec, func(*Conn) error { panic("a defect") })
	}()
	if err := exec("INSERT INTO t VALUES (9)"); err != nil {
		t.Errorf("after a panic: got %v, want a connection that works", err)
	}
	if times != 2 {
		t.Errorf("the function ran %d times, want 2", times)
	}
}
