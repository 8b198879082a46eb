package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object is a table, index, trigger or view of a schema.
type object struct{ kind, name, table, sql string }

// schemaOf lists the objects of a schema by kind and name.
func schemaOf(ctx context.Context, q interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}) (map[string]object, error) {
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
	for key, o := range objects {
		if o.table == "goose_db_version" { // another version of goose may have written it otherwise
			o.sql = ""
			objects[key] = o
		}
	}
	s.made[version] = objects
	return objects, nil
}

// schema compares the schema with that of the migrations, by kind and name. Tables that are not ours are
// left alone, since a tool that copies the file may keep its own beside ours; but a
// trigger or an index on one of ours is not, nor a view.
func (v *verifier) schema(ctx context.Context, tx *sql.Tx, want map[string]object) error {
	got, err := schemaOf(ctx, tx)
	if err != nil {
		return err
	}
	for key, o := range got {
		o.table = canonical(o.table, want)
		got[key] = o
	}
	all := maps.Clone(got)
	maps.Copy(all, want)
	for _, key := range slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(all[a].table, all[b].table), cmp.Compare(a, b))
	}) {
		if problem := compareObject(key, want, got); problem != "" {
			v.Findings.find(all[key].table, 0, "the %s %s", key, problem)
		}
	}
	return nil
}

// compareObject says what is wrong with one object, "" for nothing.
func compareObject(key string, want, got map[string]object) string {
	ours, wanted := want[key]
	theirs, there := got[key]
	_, onOurs := want["table "+theirs.table]
	switch {
	case !there:
		return "is missing"
	case wanted && (theirs.table != ours.table || ours.sql != "" && theirs.sql != ours.sql):
		return "is not as the migrations made it"
	case !wanted && (theirs.kind == "view" || theirs.kind != "table" && onOurs):
		return "is none of ours"
	}
	return ""
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
