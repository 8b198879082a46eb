package sqlite

import (
	"context"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/budget"
	"daybook/internal/fault"
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
	before, err := actualByKey(ctx, q.Queries, a.Key)
	if sqlerr.IsNoRow(err) {
		return createActual(ctx, q, a)
	}
	if err != nil {
		return a, err
	}
	a.ID = before.ID
	if err := replaceActual(ctx, q, a); err != nil {
		return a, err
	}
	return a, q.tell(ctx, journal.Actuals, int64(a.ID), records.Actual(before), records.Actual(a))
}

func actualByKey(ctx context.Context, q *gen.Queries, key budget.Key) (budget.Actual, error) {
	row, err := q.GetActualByKey(ctx, gen.GetActualByKeyParams{
		FiscalYear: int64(key.Year), FiscalPeriod: int64(key.Period), DepartmentID: int64(key.DepartmentID), GlAccountID: int64(key.AccountID),
	})
	return rows.Actual(row), err
}

// replaceActual sets the other fields of the actual that has the key.
func replaceActual(ctx context.Context, q *tx, a budget.Actual) error {
	if err := checkCurrency(ctx, q.Queries, "currency", a.Currency); err != nil {
		return err
	}
	return q.ReplaceActual(ctx, gen.ReplaceActualParams{
		Amount: int64(a.Amount), Currency: string(a.Currency), Source: string(a.Source),
		FiscalYear: int64(a.Year), FiscalPeriod: int64(a.Period), DepartmentID: int64(a.DepartmentID), GlAccountID: int64(a.AccountID),
	})
}

func createActual(ctx context.Context, q *tx, a budget.Actual) (budget.Actual, error) {
	id, err := q.numbers.actuals.next(ctx, q.Queries, rows.ActualIDs)
	if err != nil {
		return a, err
	}
	a.ID = budget.ActualID(id)
	if err := insertActual(ctx, q, a); err != nil {
		return a, err
	}
	return a, q.tell(ctx, journal.Actuals, id, nil, records.Actual(a))
}

// insertActual stores an actual under its id.
func insertActual(ctx context.Context, q *tx, a budget.Actual) error {
	if err := checkCurrency(ctx, q.Queries, "currency", a.Currency); err != nil {
		return err
	}
	err := q.InsertActual(ctx, gen.InsertActualParams{
		ID:           int64(a.ID),
		DepartmentID: int64(a.DepartmentID),
		GlAccountID:  int64(a.AccountID),
		FiscalYear:   int64(a.Year),
		FiscalPeriod: int64(a.Period),
		Amount:       int64(a.Amount),
		Currency:     string(a.Currency),
		Source:       string(a.Source),
	})
	switch {
	case sqlerr.IsForeignKey(err):
		return unknownParents(ctx, q.Queries, a.Key)
	case sqlerr.IsDuplicate(err):
		taken, err := actualByKey(ctx, q.Queries, a.Key)
		if err != nil {
			return err
		}
		return fault.Exists(int64(taken.ID), "an actual for this department, account, year and period exists already: %d", taken.ID)
	}
	return err
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

func removeActual(ctx context.Context, q *tx, a budget.Actual) error {
	_, err := q.DeleteActual(ctx, int64(a.ID))
	return err
}

// ActualPage implements budget.Store.
func (s *Store) ActualPage(ctx context.Context, f budget.ActualFilter) (listing.Page[budget.Actual], error) {
	return readPage(ctx, s, actualPage(f), rows.Actual)
}

// actualList is the table of actuals, read in pages.
var actualList = list{
	table:     "actuals",
	columns:   []string{"id", "department_id", "gl_account_id", "fiscal_year", "fiscal_period", "amount", "currency", "source"},
	notByID:   []string{"currency", "source"},
	key:       "sqlite_autoindex_actuals_1",
	clustered: []string{"fiscal_year", "fiscal_period", "department_id", "gl_account_id"},
	indexed:   []string{"department_id", "gl_account_id"},
}

func actualPage(f budget.ActualFilter) page {
	p := postingPage(&actualList, f.KeyFilter, f.Sort)
	p.where = narrow(p.where, "currency", "= ?", f.Currency)
	p.where = narrow(p.where, "source", "= ?", f.Source)
	p.down, p.after, p.limit = f.Down, f.After, f.Limit
	return p
}
