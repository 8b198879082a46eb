package sqlite

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

	"daybook/internal/fault"
	"daybook/internal/text"
)

// object is a table, index, trigger or view of a schema.
type object struct {
	kind, name, table, sql string
}

// guests are the tables that others may keep beside ours: those of Litestream, which copies
// the file while it is served.
var guests = map[string]string{
	"_litestream_seq":  "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
	"_litestream_lock": "CREATE TABLE _litestream_lock (id INTEGER)",
}

// sumOf is the same for two schemas only where they have the same objects.
func sumOf(objects map[string]object) string {
	sum := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		o := objects[key]
		fmt.Fprintf(sum, "%q %q %q %q\n", o.kind, o.name, o.table, o.sql)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// schemaOf lists the objects of a schema by kind and name.
func schemaOf(ctx context.Context, q querier) (map[string]object, error) {
	rows, err := q.QueryContext(ctx, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err says how the reading went
	objects := map[string]object{}
	for rows.Next() {
		var o object
		if err := rows.Scan(&o.kind, &o.name, &o.table, &o.sql); err != nil {
			return nil, err
		}
		objects[o.kind+" "+o.name] = o
	}
	return objects, rows.Err()
}

// objects are those that the migrations up to a version make, by kind and name.
func (s *schema) objects(version int64) (map[string]object, error) {
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
	defer func() { _ = db.Close() }() // with it the database goes
	db.SetMaxOpenConns(1)
	if _, err := s.up(ctx, db, version); err != nil {
		return nil, fmt.Errorf("the schema as it ought to be: %w", err)
	}
	objects, err := schemaOf(ctx, db)
	if err != nil {
		return nil, err
	}
	s.made[version] = objects
	return objects, nil
}

// difference is an object that is not as the migrations made it.
type difference struct {
	object
	problem string // continues the object
	added   bool   // a DROP statement removes it
}

func (d difference) String() string {
	return fmt.Sprintf("the %s %s %s", d.kind, text.Printable(d.name), d.problem)
}

// differences compares a schema with that of the migrations up to a version. What was added
// is a difference, whatever it is: a trigger may write to our tables, a view or a table may
// stand where another table or a function of SQLite is expected, and a table with a function
// or a collation that SQLite does not have stops each backup.
func (s *schema) differences(ctx context.Context, q querier, version int64) ([]difference, error) {
	got, err := schemaOf(ctx, q)
	if err != nil {
		return nil, err
	}
	if version == s.newest() && sumOf(got) == s.sum {
		return nil, nil
	}
	want, err := s.objects(version)
	if err != nil {
		return nil, err
	}
	for key, o := range got {
		o.table = canonical(o.table, want)
		got[key] = o
	}
	all := maps.Clone(got)
	maps.Copy(all, want)
	var found []difference
	for _, key := range slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(all[a].table, all[b].table), cmp.Compare(a, b))
	}) {
		if problem, added := compareObject(key, want, got); problem != "" {
			found = append(found, difference{all[key], problem, added})
		}
	}
	return found, nil
}

// compareObject says what is wrong with one object, "" for nothing.
func compareObject(key string, want, got map[string]object) (problem string, added bool) {
	ours, wanted := want[key]
	theirs, there := got[key]
	switch {
	case !there:
		return "is missing", false
	case wanted && (theirs.table != ours.table || theirs.sql != ours.sql):
		return "is not as the migrations made it", false
	case !wanted && !theirs.isGuest():
		// SQLite knows kinds without regard to case, but drops none that is written otherwise.
		return "is none of ours", theirs.kind == strings.ToLower(theirs.kind)
	}
	return "", false
}

// isGuest reports an object that may be beside ours. The statistics of ANALYZE are removed
// as soon as the file is opened to be written. A table of their name with another definition
// is refused: it may be a virtual one, or need a function or a collation that SQLite lacks.
func (o object) isGuest() bool {
	return o.kind == "table" && o.sql != "" && (guests[o.name] == o.sql || statistics[o.name] == o.sql)
}

// canonical is the name of a table as the migrations write it: SQLite takes it without
// regard to case.
func canonical(table string, want map[string]object) string {
	for _, o := range want {
		if o.kind == "table" && strings.EqualFold(o.name, table) {
			return o.name
		}
	}
	return table
}

// checkSchema refuses a database whose schema is not what the migrations up to its version
// make, and says how to remove what was added. Unavailable.
func (f file) checkSchema(ctx context.Context, version int64) error {
	db, err := f.open(ctx, "ro", 1, readerPragmas)
	if err != nil {
		return f.unreadable(err)
	}
	defer func() { _ = db.Close() }() // it was only read
	return f.checkObjects(ctx, db, version)
}

// checkObjects is checkSchema of a database that is open.
func (f file) checkObjects(ctx context.Context, q querier, version int64) error {
	found, err := f.schema.differences(ctx, q, version)
	if err != nil {
		return f.unreadable(err)
	}
	var added, drops []string
	slices.SortStableFunc(found, func(a, b difference) int { return cmp.Compare(a.order(), b.order()) })
	for _, d := range found {
		if !d.added {
			return fault.New(fault.Unavailable, "%s cannot be used: %s; restore a backup from before that", f, d)
		}
		added = append(added, d.described())
		drops = append(drops, d.drop())
	}
	if len(added) == 0 {
		return nil
	}
	return fault.New(fault.Unavailable, "%s cannot be used: Daybook did not make its %s; remove what was added with any SQLite tool: %s",
		f, strings.Join(added, ", "), strings.Join(drops, " "))
}

// order is that in which objects are dropped: what is named as statistics before all, since no
// other DROP TABLE may work while it is there, and those on a view or a table before it.
func (d difference) order() int {
	if namedAsStatistics(d.table) {
		return -1
	}
	return slices.Index([]string{"index", "trigger", "view", "table"}, d.kind)
}

func (d difference) described() string {
	if d.kind == "table" || d.kind == "view" {
		return d.kind + " " + text.Printable(d.name)
	}
	return fmt.Sprintf("%s %s on %s", d.kind, text.Printable(d.name), text.Printable(d.table))
}

// drop is the statement that removes the object. SQL has no escapes: what cannot be printed
// of a name is written as Go would. Each DROP TABLE reads and writes the tables that are named
// as statistics, and so fails where one of them cannot be: such a one is taken out of the schema.
func (d difference) drop() string {
	if namedAsStatistics(d.table) {
		return fmt.Sprintf("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE tbl_name = '%s'; PRAGMA writable_schema = RESET; VACUUM;", d.table)
	}
	verb := "DROP " + strings.ToUpper(d.kind)
	if d.kind == "table" {
		verb += " IF EXISTS" // a virtual table takes others with it
	}
	return fmt.Sprintf("%s %s;", verb, text.Printable(quoted(d.name)))
}

// quoted is a name as SQL has it.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
