package verify

import (
	"context"
	"database/sql"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/internal/journal"
)

// numbers checks that the last id of each table is the highest in the journal. An id is never used
// twice, also not the id of a deleted record. A write that is rolled back gives its ids back.
func (v *verifier) numbers(ctx context.Context, tx *sql.Tx, highest map[journal.Entity]int64) error {
	given := map[journal.Entity]int64{}
	ours, err := gen.New(tx).ListSequences(ctx)
	if err != nil {
		return err
	}
	for _, s := range ours {
		if s.Name != rows.BudgetLineIDs && s.Name != rows.ActualIDs {
			v.Findings.Add("sequences", 0, "the counter of %s was not made by Daybook", s.Name)
			continue
		}
		given[journal.Entity(s.Name)] = s.Last
	}
	for _, entity := range []journal.Entity{rows.BudgetLineIDs, rows.ActualIDs} {
		if _, is := given[entity]; !is {
			v.Findings.Add("sequences", 0, "the counter of %s is missing", entity)
			given[entity] = highest[entity] // reports one row only once
		}
	}
	if err := v.rowidSequences(ctx, tx, given); err != nil {
		return err
	}
	var steps int64
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM goose_db_version").Scan(&steps); err != nil {
		return err
	}
	if last := given["goose_db_version"]; last != steps {
		v.Findings.Add("sqlite_sequence", 0, "the counter of goose_db_version is %d, but its last row is %d", last, steps)
	}
	for _, entity := range journal.Kept() {
		table := "sqlite_sequence"
		if entity == rows.BudgetLineIDs || entity == rows.ActualIDs {
			table = "sequences"
		}
		if given[entity] != highest[entity] {
			v.Findings.Add(table, 0, "the counter of %s is %d, but the highest id in the journal is %d", entity, given[entity], highest[entity])
		}
	}
	return nil
}

// rowidSequences adds the counters that SQLite keeps for tables with a rowid. If a table has two,
// SQLite uses the first. SQLite does not find a name that is a BLOB, and would use ids again.
func (v *verifier) rowidSequences(ctx context.Context, tx *sql.Tx, given map[journal.Entity]int64) error {
	found, err := tx.QueryContext(ctx, `SELECT typeof(name) = 'text' AND typeof(seq) = 'integer', coalesce(CAST(name AS TEXT), ''), coalesce(CAST(seq AS INTEGER), 0)
		FROM sqlite_sequence ORDER BY rowid DESC`)
	if err != nil {
		return err
	}
	defer func() { _ = found.Close() }() // Err says how the reading went
	for found.Next() {
		var typed bool
		var name journal.Entity
		var last int64
		if err := found.Scan(&typed, &name, &last); err != nil {
			return err
		}
		if !typed {
			v.Findings.Add("sqlite_sequence", 0, "the counter of %s is not a text and a number", name)
			continue
		}
		if name != rows.BudgetLineIDs && name != rows.ActualIDs {
			given[name] = last
		}
	}
	return found.Err()
}
