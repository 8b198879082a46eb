package verify

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"daybook/db/sqlite/schema"
)

// indexes counts the index entries that have 0.0 where the table has 0. PRAGMA integrity_check treats
// them as equal, but a query that reads only the index does not. indexes skips the objects in altered,
// which differ from the migrations and are a finding already.
func (v *verifier) indexes(ctx context.Context, tx *sql.Tx, altered map[string]bool) error {
	objects, err := v.of.Objects(v.of.Newest())
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		index := objects[key]
		if _, differs := altered[index.Name]; index.Kind != "index" || differs || altered[index.Table] {
			continue
		}
		wrong, err := Texts(ctx, tx, fmt.Sprintf(`SELECT 'typeof("' || t.name || '") = ''real''' FROM pragma_index_xinfo('%s') AS i
			JOIN pragma_table_info('%s') AS t ON t.name = i.name AND t.type = 'INTEGER'`, index.Name, index.Table))
		if err != nil {
			return unreadable(&v.Findings, index.Table, err)
		}
		if len(wrong) == 0 {
			continue
		}
		var entries int64
		query := fmt.Sprintf("SELECT count(*) FROM %s INDEXED BY %s WHERE %s", schema.Quoted(index.Table), schema.Quoted(index.Name), strings.Join(wrong, " OR ")) //nolint:gosec // names are the migrations'
		if err := tx.QueryRowContext(ctx, query).Scan(&entries); err != nil {
			return unreadable(&v.Findings, index.Table, err)
		}
		if entries > 0 {
			v.Findings.Add(index.Table, 0, "the index %s has a REAL in place of an INTEGER in %d of its entries", index.Name, entries)
		}
	}
	return nil
}
