package sqlite

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/sqlitetest"
)

// journalPlan returns how SQLite reads a page of the journal.
func journalPlan(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var id, parent, unused int
	var plan string
	if err := db.QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN "+gen.PageJournal, 1, 1).Scan(&id, &parent, &unused, &plan); err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestStatisticsAreRemovedOnOpening: old or forged statistics of ANALYZE make SQLite read a whole table
// for one page. Opening the database removes them. The tables of Litestream stay.
func TestStatisticsAreRemovedOnOpening(t *testing.T) {
	t.Parallel()
	s := sqlitetest.NewSpecimen(t, Open)
	good := journalPlan(t, sqlitetest.FileOf(t, s.Content))
	if !strings.HasPrefix(good, "SEARCH journal") {
		t.Errorf("got the plan %q, want a search", good)
	}
	const worse = "ANALYZE; DELETE FROM sqlite_stat1; INSERT INTO sqlite_stat1 VALUES ('journal', 'journal_by_record', '9 9 9 9'), ('journal', NULL, '1')"
	for _, plant := range []string{
		"ANALYZE",
		worse,
		"ANALYZE; INSERT INTO sqlite_stat1 VALUES (zeroblob(9), x'00', 'zzz'), (NULL, NULL, NULL), ('trades', 'trades_by_instrument', '-1 99999999999999999999 unordered')",
		// A table that SQLite makes if it is compiled with STAT4.
		"CREATE TABLE stat4(tbl,idx,neq,nlt,ndlt,sample); UPDATE sqlite_schema SET name = 'sqlite_stat4', tbl_name = 'sqlite_stat4', sql = replace(sql, 'stat4', 'sqlite_stat4') WHERE name = 'stat4'",
	} {
		path := s.Planted(t, "CREATE TABLE _litestream_lock (id INTEGER)", plant)
		planted := journalPlan(t, path)
		if plant == worse && planted == good {
			t.Errorf("%s: got the plan %q, want a worse one", plant, planted)
		}
		store, err := Open(t.Context(), path, time.Now)
		if err != nil {
			t.Errorf("%s: got %v, want it opened", plant, err)
			continue
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
		if got := journalPlan(t, path); got != good {
			t.Errorf("%s: got the plan %q after opening, want %q", plant, got, good)
		}
		if left := tablesIn(t, path); strings.Contains(strings.ToLower(left), "sqlite_stat") || !strings.Contains(left, "_litestream_lock") {
			t.Errorf("%s: got the tables %s after opening, want the table of Litestream, and none of statistics", plant, left)
		}
		if got := sqlitetest.Found(t, path); len(got) > 0 {
			t.Errorf("%s: got %q, want nothing", plant, got)
		}
	}
}

// tablesIn lists the tables of a file.
func tablesIn(t *testing.T, path string) (names string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.QueryRowContext(t.Context(), "SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table'").Scan(&names); err != nil {
		t.Fatal(err)
	}
	return names
}

// TestTheHeaderSetsNoCache: the header of a file cannot set how much memory a connection uses for its
// cache.
func TestTheHeaderSetsNoCache(t *testing.T) {
	t.Parallel()
	path := sqlitetest.NewSpecimen(t, Open).Planted(t, "PRAGMA default_cache_size = 1000000000")
	store, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	for name, want := range map[string]string{"reader": "-2000", "scanner": "-2000", "writer": "-16384"} {
		var got string
		var err error
		switch name {
		case "reader":
			err = store.reading.QueryRowContext(t.Context(), "PRAGMA cache_size").Scan(&got)
		case "writer":
			err = store.writer.conn.conn.QueryRowContext(t.Context(), "PRAGMA cache_size").Scan(&got)
		default:
			err = store.scan(t.Context(), func(s *scanner) (err error) {
				got, err = s.conn.Value("PRAGMA cache_size")
				return err
			})
		}
		if err != nil || got != want {
			t.Errorf("a %s: got %s, %v, want %s", name, got, err, want)
		}
	}
}
