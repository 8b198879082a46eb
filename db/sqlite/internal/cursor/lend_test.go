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

// TestAConnectionIsLent: Lend calls a function with the connection that executes its statement, and
// returns the error of the function. A panic of the function reaches the caller. As controls, no
// function runs if the statement is not executed, or if a statement or a view that is not of Lend calls
// daybook_lend.
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
		t.Error("a statement that was not executed: got no error, want one")
	}
	if err := exec("SELECT daybook_lend(1)"); err != nil {
		t.Errorf("a statement that is not of Lend: got %v, want no error", err)
	}
	if err := exec("CREATE VIEW v AS SELECT daybook_lend(1)"); err != nil {
		t.Fatal(err)
	}
	if err := exec("SELECT * FROM v"); err == nil {
		t.Error("a view that calls daybook_lend: got no error, want one")
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
