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

// read returns the last id.
func (n *number) read(ctx context.Context, q *gen.Queries, name string) (last int64, err error) {
	if !n.known {
		if n.last, err = q.LastID(ctx, name); err != nil {
			return 0, err
		}
		n.known = true
	}
	return n.last, nil
}

// next gives the next id.
func (n *number) next(ctx context.Context, q *gen.Queries, name string) (id int64, err error) {
	last, err := n.read(ctx, q, name)
	if err != nil {
		return 0, err
	}
	id = last + 1 // after the largest integer it is negative, which the table refuses
	n.give(id)
	return id, nil
}

// give gives an id that is larger than the last of an earlier transaction.
func (n *number) give(id int64) { n.last, n.moved = max(n.last, id), true }

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
