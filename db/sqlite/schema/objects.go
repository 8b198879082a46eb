package schema

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"daybook/internal/text"
)

// Object is a table, index, trigger or view of a schema.
type Object struct {
	Kind, Name, Table, SQL string
	Page                   int64 // the first page of a table or an index; otherwise 0
}

// guests are the tables of other programs that may be in the database: those of Litestream, which
// copies the file while a server uses it.
var guests = map[string]string{
	"_litestream_seq":  "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
	"_litestream_lock": "CREATE TABLE _litestream_lock (id INTEGER)",
}

// GuestPages returns the first page of each table of another program that may be in the database. Those
// tables are so small that they have no other.
func GuestPages(ctx context.Context, q Querier) (map[int64]bool, error) {
	objects, err := ObjectsOf(ctx, q)
	pages := map[int64]bool{}
	for _, o := range objects {
		if o.Kind == "table" && guests[o.Name] == o.SQL {
			pages[o.Page] = true
		}
	}
	return pages, err
}

// SumOf returns a checksum of the objects of a schema.
func SumOf(objects map[string]Object) string {
	sum := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		o := objects[key]
		fmt.Fprintf(sum, "%q %q %q %q\n", o.Kind, o.Name, o.Table, o.SQL)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Querier is a database or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// ObjectsOf lists the objects of a schema by kind and name.
func ObjectsOf(ctx context.Context, q Querier) (map[string]Object, error) {
	rows, err := q.QueryContext(ctx, "SELECT type, name, tbl_name, coalesce(sql, ''), coalesce(rootpage, 0) FROM sqlite_schema")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err says how the reading went
	objects := map[string]Object{}
	for rows.Next() {
		var o Object
		if err := rows.Scan(&o.Kind, &o.Name, &o.Table, &o.SQL, &o.Page); err != nil {
			return nil, err
		}
		objects[o.Kind+" "+o.Name] = o
	}
	return objects, rows.Err()
}

// Objects returns the objects that the migrations up to a version make, by kind and name.
func (s *Schema) Objects(version int64) (map[string]Object, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if made := s.made[version]; made != nil {
		return made, nil
	}
	ctx := context.Background()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }() // closing removes the database in memory
	db.SetMaxOpenConns(1)
	if _, err := s.Up(ctx, db, version); err != nil {
		return nil, fmt.Errorf("the migrations cannot run in memory: %w", err)
	}
	objects, err := ObjectsOf(ctx, db)
	if err != nil {
		return nil, err
	}
	s.made[version] = objects
	return objects, nil
}

// Difference is an object that is not as the migrations made it.
type Difference struct {
	Object
	problem string // follows the name of the object in a sentence
	Added   bool   // a DROP statement can remove it
}

func (d Difference) String() string {
	return fmt.Sprintf("the %s %s %s", d.Kind, text.Printable(d.Name), d.problem)
}

// Differences compares a schema with the one that the migrations up to a version make. Every added
// object is a difference: a trigger may write to our tables, a view or a table may hide a table or a
// function of SQLite, and a table with an unknown function or collation makes every backup fail.
func (s *Schema) Differences(ctx context.Context, q Querier, version int64) ([]Difference, error) {
	got, err := ObjectsOf(ctx, q)
	if err != nil {
		return nil, err
	}
	if version == s.Newest() && SumOf(got) == s.sum {
		return nil, nil
	}
	want, err := s.Objects(version)
	if err != nil {
		return nil, err
	}
	for key, o := range got {
		o.Table = canonical(o.Table, want)
		got[key] = o
	}
	all := maps.Clone(got)
	maps.Copy(all, want)
	var found []Difference
	for _, key := range slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(all[a].Table, all[b].Table), cmp.Compare(a, b))
	}) {
		if problem, added := compareObject(key, want, got); problem != "" {
			found = append(found, Difference{all[key], problem, added})
		}
	}
	return found, nil
}

// compareObject says what is wrong with one object, "" for nothing.
func compareObject(key string, want, got map[string]Object) (problem string, added bool) {
	ours, wanted := want[key]
	theirs, there := got[key]
	switch {
	case !there:
		return "is missing", false
	case wanted && (theirs.Table != ours.Table || theirs.SQL != ours.SQL):
		return "is not as the migrations made it", false
	case !wanted && !theirs.isGuest():
		// SQLite compares kinds without regard to case, but DROP works only on one in lower case.
		return "was not made by Daybook", theirs.Kind == strings.ToLower(theirs.Kind)
	}
	return "", false
}

// isGuest reports an object that may be beside ours. Daybook removes the statistics of ANALYZE when it
// opens the file to write. It refuses a table of the same name with another definition, because it may
// be virtual, or need a function or a collation that SQLite lacks.
func (o Object) isGuest() bool {
	return o.Kind == "table" && o.SQL != "" && (guests[o.Name] == o.SQL || Statistics[o.Name] == o.SQL)
}

// canonical returns the name of a table as the migrations write it. SQLite compares names without
// regard to case.
func canonical(table string, want map[string]Object) string {
	for _, o := range want {
		if o.Kind == "table" && strings.EqualFold(o.Name, table) {
			return o.Name
		}
	}
	return table
}

// Order is the order in which objects are dropped. Tables named as statistics come first, because while
// one exists no other DROP TABLE may work. The objects on a view or a table come before it.
func (d Difference) Order() int {
	if namedAsStatistics(d.Table) {
		return -1
	}
	return slices.Index([]string{"index", "trigger", "view", "table"}, d.Kind)
}

// Described names the object and its table.
func (d Difference) Described() string {
	if d.Kind == "table" || d.Kind == "view" {
		return d.Kind + " " + text.Printable(d.Name)
	}
	return fmt.Sprintf("%s %s on %s", d.Kind, text.Printable(d.Name), text.Printable(d.Table))
}

// Drop returns the statement that removes the object. SQL has no escapes, so it writes unprintable
// characters of a name as Go does. Each DROP TABLE reads and writes the tables named as statistics, and
// fails if one of them is unusable; so Drop deletes such a table from the schema instead.
func (d Difference) Drop() string {
	if namedAsStatistics(d.Table) {
		return fmt.Sprintf("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE tbl_name = '%s'; PRAGMA writable_schema = RESET; VACUUM;", d.Table)
	}
	verb := "DROP " + strings.ToUpper(d.Kind)
	if d.Kind == "table" {
		verb += " IF EXISTS" // dropping a virtual table also drops others
	}
	return fmt.Sprintf("%s %s;", verb, text.Printable(Quoted(d.Name)))
}

// Quoted returns a name in the quotes of SQL.
func Quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
