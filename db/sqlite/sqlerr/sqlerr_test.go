package sqlerr

import (
	"testing"

	sqlite3 "modernc.org/sqlite/lib"
)

type code int

func (code) Error() string { return "an error of SQLite" }
func (c code) Code() int   { return int(c) }

// TestIsDamage: damaged data speaks against a file. A disk that fails, or has no room, does not: nobody
// may be told then to move the write-ahead log away.
func TestIsDamage(t *testing.T) {
	for c, want := range map[code]bool{
		sqlite3.SQLITE_CORRUPT: true, sqlite3.SQLITE_CORRUPT_INDEX: true, sqlite3.SQLITE_NOTADB: true, sqlite3.SQLITE_IOERR_SHORT_READ: true,
		sqlite3.SQLITE_IOERR_READ: false, sqlite3.SQLITE_IOERR_SHMSIZE: false, sqlite3.SQLITE_FULL: false, sqlite3.SQLITE_CANTOPEN: false,
	} {
		if got := IsDamage(c); got != want {
			t.Errorf("code %d: got %t, want %t", c, got, want)
		}
	}
}
