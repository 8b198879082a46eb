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

// Each passes each row of a query to a function, which scans it.
func Each(ctx context.Context, q Querier, query string, row func(scan func(columns ...any) error) error) error {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err says how the reading went
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// ObjectsOf lists the objects of a schema by kind and name.
func ObjectsOf(ctx context.Context, q Querier) (map[string]Object, error) {
	objects := map[string]Object{}
	err := Each(ctx, q, "SELECT type, name, tbl_name, coalesce(sql, ''), coalesce(rootpage, 0) FROM sqlite_schema", func(scan func(...any) error) error {
		var o Object
		err := scan(&o.Kind, &o.Name, &o.Table, &o.SQL, &o.Page)
		objects[o.Kind+" "+o.Name] = o
		return err
	})
	return objects, err
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
	Harmful bool   // the database cannot be used with it
}

func (d Difference) String() string {
	return fmt.Sprintf("the %s %s %s", d.Kind, text.Printable(d.Name), d.problem)
}

// Differences compares a schema with the one that the migrations up to a version make. An index, a view or
// a table that the owner added is no harm: Daybook asks for its own tables by name.
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
		ours, wanted := want[key]
		theirs, there := got[key]
		d := Difference{Object: all[key], Added: !wanted && theirs.Kind == strings.ToLower(theirs.Kind), Harmful: true} // DROP knows no "TRIGGER"
		switch {
		case !there:
			d.problem = "is missing"
		case wanted && theirs.Table == ours.Table && theirs.SQL == ours.SQL, !wanted && guests[theirs.Name] == theirs.SQL && theirs.Kind == "table":
			continue
		case wanted:
			d.problem = "is not as the migrations made it"
		default:
			d.problem, d.Harmful = "was not made by Daybook", theirs.harms(want)
		}
		found = append(found, d)
	}
	return found, nil
}

// harms reports an added object that could change what is stored or shown: a trigger on a table of ours, and
// a table or a view that hides a function of SQLite.
func (o Object) harms(ours map[string]Object) bool {
	if strings.EqualFold(o.Kind, "trigger") {
		_, on := ours["table "+o.Table]
		return on
	}
	name := strings.ToLower(o.Name)
	return strings.HasPrefix(name, "pragma_") || strings.HasPrefix(name, "json_") ||
		strings.HasPrefix(name, "sqlite_") && !strings.HasPrefix(name, "sqlite_stat") && o.Kind != "index"
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

// Order is the order in which objects are dropped: those on a view or a table come before it.
func (d Difference) Order() int {
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
// characters of a name as Go does.
func (d Difference) Drop() string {
	verb := "DROP " + strings.ToUpper(d.Kind)
	if d.Kind == "table" {
		verb += " IF EXISTS" // dropping a virtual table also drops others
	}
	return fmt.Sprintf("%s %s;", verb, text.Printable(Quoted(d.Name)))
}

// Quoted returns a name in the quotes of SQL.
func Quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
