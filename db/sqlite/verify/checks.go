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

// checks counts the rows that break a CHECK. PRAGMA integrity_check does not report them here, because
// SQLite leaves CHECKs out of the schema on a read-only connection. The CHECKs are those of the
// migrations. checks skips the tables in altered, which differ from the migrations and are a finding
// already.
func (v *verifier) checks(ctx context.Context, tx *sql.Tx, altered map[string]bool) error {
	objects, err := v.of.Objects(v.of.Newest())
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		table := objects[key]
		if table.Kind != "table" || altered[table.Name] {
			continue
		}
		for _, check := range checksOf(table.SQL) {
			// A CHECK whose result is NULL holds.
			query := fmt.Sprintf("SELECT count(*) FROM %s WHERE NOT (%s)", schema.Quoted(table.Name), check) //nolint:gosec // both are the migrations'
			var broken int64
			if err := tx.QueryRowContext(ctx, query).Scan(&broken); err != nil {
				return unreadable(&v.Findings, table.Name, err)
			}
			if broken > 0 {
				v.Findings.Add(table.Name, 0, "CHECK (%s) does not hold in %d of its rows", check, broken)
			}
		}
	}
	return nil
}

// checksOf lists the expressions of the CHECKs in a CREATE TABLE of the migrations. No text in them has
// a parenthesis.
func checksOf(create string) (checks []string) {
	for {
		_, rest, more := strings.Cut(create, "CHECK (")
		if !more {
			return checks
		}
		depth := 1
		end := strings.IndexFunc(rest, func(r rune) bool {
			switch r {
			case '(':
				depth++
			case ')':
				depth--
			}
			return depth == 0
		})
		if end < 0 {
			return checks
		}
		checks, create = append(checks, rest[:end]), rest[end:]
	}
}
