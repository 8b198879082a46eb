package sqlitetest

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/schema"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Specimen is a whole database with a record of each kind, to be edited.
type Specimen struct {
	Content []byte
	schema  map[string]schema.Object
}

// Planted is a copy on which the statements were run, in one file.
func (s Specimen) Planted(t *testing.T, statements ...string) string {
	t.Helper()
	path := FileOf(t, s.Content)
	BehindItsBack(t, path, append([]string{"PRAGMA journal_mode = DELETE", "PRAGMA foreign_keys = OFF", "PRAGMA writable_schema = ON"}, statements...)...)
	return path
}

// Rehashed runs a statement on the journal of a file, and computes the chain again over the changed
// journal, as a forger would.
func (s Specimen) Rehashed(t *testing.T, path, statement string) {
	t.Helper()
	BehindItsBack(t, path, s.Quietly("journal", statement)...)
	store, done := openAt(t, path)
	links, err := store.ListLinks(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var updates []string
	var head journal.Hash
	after := int64(0)
	for _, link := range links {
		var lines []byte
		rows, err := store.ListEntries(t.Context(), after, link.Through)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			lines = chain.Entry(row).AppendTo(lines)
		}
		head, after = head.Next(lines), link.Through
		updates = append(updates, fmt.Sprintf("UPDATE journal_links SET hash = x'%s' WHERE through = %d", head, link.Through))
	}
	done()
	BehindItsBack(t, path, s.Quietly("journal_links", strings.Join(updates, "; "))...)
}

// LinksOf are the links of a file, by the last entry of each.
func LinksOf(t *testing.T, path string) map[journal.Seq]journal.Head {
	t.Helper()
	q, done := openAt(t, path)
	defer done()
	rows, err := q.ListLinks(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	heads := map[journal.Seq]journal.Head{0: {}}
	for _, row := range rows {
		heads[journal.Seq(row.Through)] = journal.Head{Seq: journal.Seq(row.Through), Hash: journal.Hash(row.Hash)}
	}
	return heads
}

// openAt returns queries on a file, until done.
func openAt(t *testing.T, path string) (q *gen.Queries, done func()) {
	t.Helper()
	f, err := file.Locate(path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := f.Open(t.Context(), "ro", 1, file.ReaderPragmas)
	if err != nil {
		t.Fatal(err)
	}
	return gen.New(db), func() { _ = db.Close() } // it was only read
}

// NewSpecimen makes a specimen.
func NewSpecimen[S closable](t *testing.T, open opening[S]) (s Specimen) {
	t.Helper()
	path := RecordOfEach(t, open)
	var err error
	if s.Content, err = os.ReadFile(path); err != nil { //nolint:gosec // a file of the test
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if s.schema, err = schema.ObjectsOf(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	return s
}

// Edited returns what verifying finds in a copy on which the statements were run, on
// one connection that checks nothing.
func (s Specimen) Edited(t *testing.T, statements ...string) []string {
	t.Helper()
	path := FileOf(t, s.Content)
	unchecked := []string{"PRAGMA foreign_keys = OFF", "PRAGMA ignore_check_constraints = ON", "PRAGMA writable_schema = ON"}
	BehindItsBack(t, path, slices.Concat(unchecked, statements)...)
	return Found(t, path)
}

// Objects lists the objects of a kind that our migrations made, by name.
func (s Specimen) Objects(kind string) []schema.Object {
	var objects []schema.Object
	for _, o := range s.schema {
		if o.Kind == kind && o.SQL != "" && o.Table != "goose_db_version" && o.Table != "sqlite_sequence" {
			objects = append(objects, o)
		}
	}
	slices.SortFunc(objects, func(a, b schema.Object) int { return strings.Compare(a.Name, b.Name) })
	return objects
}

// Quietly runs a statement with the triggers of its table out of the way, and puts them
// back.
func (s Specimen) Quietly(table, statement string) []string {
	var drops, makes []string
	for _, trigger := range s.Objects("trigger") {
		if trigger.Table == table {
			drops = append(drops, "DROP TRIGGER "+trigger.Name)
			makes = append(makes, trigger.SQL)
		}
	}
	return slices.Concat(drops, []string{statement}, makes)
}

// TableColumn is a column of a table.
type TableColumn struct {
	Name, Kind, Key string
	Nullable        bool
}

// ColumnsOf lists a table's columns, each with those that tell its rows apart.
func ColumnsOf(t *testing.T, s Specimen, table string) []TableColumn {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app.db")
	if err := os.WriteFile(path, s.Content, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(t.Context(), `SELECT name, type, pk, "notnull" = 0 FROM pragma_table_info(?)`, table)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var columns []TableColumn
	var key []string
	for rows.Next() {
		var c TableColumn
		var pk int
		if err := rows.Scan(&c.Name, &c.Kind, &pk, &c.Nullable); err != nil {
			t.Fatal(err)
		}
		if pk > 0 {
			key, c.Nullable = append(key, c.Name), false
		}
		columns = append(columns, c)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if len(columns) == 0 || len(key) == 0 {
		t.Fatalf("%s has %d columns, %d of them its key", table, len(columns), len(key))
	}
	for i := range columns {
		columns[i].Key = strings.Join(key, ", ")
	}
	return columns
}

// RefusesDamage reports that the end of the journal was found damaged.
func RefusesDamage(err error) bool {
	return err != nil && fault.KindOf(err) == fault.Unavailable && strings.Contains(err.Error(), "the end of the journal is damaged")
}
