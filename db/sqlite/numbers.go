package sqlite

import (
	"context"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
)

// number is the last id of a table without a rowid, as one transaction sees it. It is read when it is
// first needed, and written once at the end.
type number struct {
	known, moved bool
	last         int64
}

// numbers gives the ids of the tables without a rowid. A copy of it serves as a savepoint.
type numbers struct{ budgetLines, actuals number }

// next gives the next id.
func (n *number) next(ctx context.Context, q *gen.Queries, name string) (id int64, err error) {
	if !n.known {
		if n.last, err = q.LastID(ctx, name); err != nil {
			return 0, err
		}
		n.known = true
	}
	n.last++
	n.moved = true
	return n.last, nil
}

// put writes the last ids back.
func (n *numbers) put(ctx context.Context, q *gen.Queries) error {
	for _, row := range []struct {
		number
		name string
	}{{n.budgetLines, rows.BudgetLineIDs}, {n.actuals, rows.ActualIDs}} {
		if !row.moved {
			continue
		}
		if err := q.PutLastID(ctx, row.last, row.name); err != nil {
			return err
		}
	}
	return nil
}
