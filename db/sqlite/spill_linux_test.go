package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadersSortBesideTheDatabase: SQLite makes its temporary files for a large sort in the folder of
// the database, because in a container no other folder may be writable. The test does not run in
// parallel, because the folder is a setting of the whole process.
func TestReadersSortBesideTheDatabase(t *testing.T) {
	s := openStore(t)
	rows, err := s.reading.QueryContext(t.Context(), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
		SELECT i FROM n ORDER BY hex(i * 7919 % 100003) || 'a text that makes it more than the cache'`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	var sorted []string
	for _, fd := range open {
		if name, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil && strings.Contains(name, "etilqs_") {
			sorted = append(sorted, filepath.Dir(name))
		}
	}
	if len(sorted) == 0 {
		t.Fatal("got no temporary file of SQLite, want at least one")
	}
	for _, dir := range sorted {
		if dir != filepath.Dir(s.file.Path) {
			t.Errorf("got a temporary file in %s, want it in %s", dir, filepath.Dir(s.file.Path))
		}
	}
}
