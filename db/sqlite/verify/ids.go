package verify

import (
	"context"
	"database/sql"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/schema"
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
	if err := rowidSequences(ctx, tx, given); err != nil {
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
// SQLite uses the first.
func rowidSequences(ctx context.Context, tx *sql.Tx, given map[journal.Entity]int64) error {
	return schema.Each(ctx, tx, "SELECT name, coalesce(seq, 0) FROM sqlite_sequence ORDER BY rowid DESC", func(scan func(...any) error) error {
		var name journal.Entity
		var last int64
		err := scan(&name, &last)
		if name != rows.BudgetLineIDs && name != rows.ActualIDs {
			given[name] = last
		}
		return err
	})
}
