package sqlite

import (
	"context"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/budget"
	"daybook/internal/journal"
	"daybook/internal/listing"
)

// IngestActuals implements budget.Store.
func (s *Store) IngestActuals(ctx context.Context, actuals []budget.Actual) ([]budget.Actual, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (_ []budget.Actual, err error) {
		stored := make([]budget.Actual, len(actuals))
		for i, a := range actuals {
			if stored[i], err = ingestActual(ctx, q, a); err != nil {
				return stored, err
			}
		}
		return stored, nil
	})
}

// ingestActual replaces the actual that has the key, or inserts a new one.
func ingestActual(ctx context.Context, q *tx, a budget.Actual) (budget.Actual, error) {
	if err := checkCurrency(ctx, q.Queries, "currency", a.Currency); err != nil {
		return a, err
	}
	row, err := q.GetActualByKey(ctx, gen.GetActualByKeyParams{
		FiscalYear: int64(a.Year), FiscalPeriod: int64(a.Period), DepartmentID: int64(a.DepartmentID), GlAccountID: int64(a.AccountID),
	})
	if sqlerr.IsNoRow(err) {
		return insertActual(ctx, q, a)
	}
	if err != nil {
		return a, err
	}
	before := rows.Actual(row)
	a.ID = before.ID
	if err := q.ReplaceActual(ctx, gen.ReplaceActualParams{
		Amount: int64(a.Amount), Currency: string(a.Currency), Source: string(a.Source),
		FiscalYear: int64(a.Year), FiscalPeriod: int64(a.Period), DepartmentID: int64(a.DepartmentID), GlAccountID: int64(a.AccountID),
	}); err != nil {
		return a, err
	}
	return a, q.tell(ctx, journal.Actuals, int64(a.ID), records.Actual(before), records.Actual(a))
}

func insertActual(ctx context.Context, q *tx, a budget.Actual) (budget.Actual, error) {
	id, err := q.numbers.actuals.next(ctx, q.Queries, rows.ActualIDs)
	if err != nil {
		return a, err
	}
	a.ID = budget.ActualID(id)
	err = q.InsertActual(ctx, gen.InsertActualParams{
		ID:           id,
		DepartmentID: int64(a.DepartmentID),
		GlAccountID:  int64(a.AccountID),
		FiscalYear:   int64(a.Year),
		FiscalPeriod: int64(a.Period),
		Amount:       int64(a.Amount),
		Currency:     string(a.Currency),
		Source:       string(a.Source),
	})
	if sqlerr.IsForeignKey(err) {
		err = unknownParents(ctx, q.Queries, a.Key)
	}
	if err != nil {
		return a, err
	}
	return a, q.tell(ctx, journal.Actuals, id, nil, records.Actual(a))
}

// DeleteActual implements budget.Store.
func (s *Store) DeleteActual(ctx context.Context, id budget.ActualID) (budget.Actual, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (a budget.Actual, err error) {
		row, err := q.DeleteActual(ctx, int64(id))
		if err != nil {
			return a, sqlerr.Missing(err, "there is no actual %d", id)
		}
		a = rows.Actual(row)
		return a, q.tell(ctx, journal.Actuals, int64(id), records.Actual(a), nil)
	})
}

// ActualPage implements budget.Store.
func (s *Store) ActualPage(ctx context.Context, f budget.ActualFilter) (listing.Page[budget.Actual], error) {
	return readPage(ctx, s, actualPage(f), rows.Actual)
}

// actualList is the table of actuals, read in pages.
var actualList = list{
	table:   "actuals",
	columns: []string{"id", "department_id", "gl_account_id", "fiscal_year", "fiscal_period", "amount", "currency", "source"},
	notByID: []string{"currency", "source"},
	key:     "sqlite_autoindex_actuals_1",
	indexed: []string{"department_id", "gl_account_id"},
}

func actualPage(f budget.ActualFilter) page {
	p := postingPage(&actualList, f.KeyFilter, f.Sort)
	p.where = narrow(p.where, "currency", "= ?", f.Currency)
	p.where = narrow(p.where, "source", "= ?", f.Source)
	p.down, p.after, p.limit = f.Down, f.After, f.Limit
	return p
}
