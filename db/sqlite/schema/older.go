package schema

import (
	"context"

	"daybook/db/sqlite/internal/gen"
)

// older has, for each migration that gave a table new columns, the view that shows the older table with
// them. A temporary view hides the table of the same name, so that a query of the newest schema can read a
// database that is not migrated yet. Where several are of one table, the oldest one that fits has all columns.
var older = []struct {
	before int64 // the version of the migration
	table  string
	view   string
}{
	{15, "journal", "SELECT *, NULL AS first, NULL AS reason, NULL AS batch FROM main.journal"},
	{16, "journal", "SELECT *, NULL AS batch FROM main.journal"},
}

// ShowAsNewest lets a connection that only reads use the queries of the newest schema on a database of an
// older version. query_only forbids temporary views too, so it is off for a moment.
func ShowAsNewest(ctx context.Context, conn gen.DBTX, version int64) error {
	statements, shown := []string{"PRAGMA query_only = OFF"}, map[string]bool{}
	for _, o := range older {
		if version < o.before && !shown[o.table] {
			statements, shown[o.table] = append(statements, "CREATE TEMP VIEW "+o.table+" AS "+o.view), true
		}
	}
	for _, statement := range append(statements, "PRAGMA query_only = ON") {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
