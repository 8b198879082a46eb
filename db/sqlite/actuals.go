package sqlite

import (
	"context"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/text"
)

// IngestActuals implements budget.Store.
func (s *Store) IngestActuals(ctx context.Context, actuals []budget.Actual) ([]budget.Actual, error) {
	stored := make([]budget.Actual, len(actuals))
	err := s.writer.write(ctx, func(ctx context.Context, q *gen.Queries) (err error) {
		for i, a := range actuals {
			if stored[i], err = ingestActual(ctx, q, a); err != nil {
				return err
			}
		}
		return nil
	})
	return stored, err
}

// ingestActual replaces, because most of a feed repeats, and inserts what is new.
func ingestActual(ctx context.Context, q *gen.Queries, a budget.Actual) (budget.Actual, error) {
	if err := checkCurrency(ctx, q, "currency", a.Currency); err != nil {
		return a, err
	}
	id, err := q.ReplaceActual(ctx, gen.ReplaceActualParams{
		Amount:       int64(a.Amount),
		Currency:     string(a.Currency),
		Source:       string(a.Source),
		FiscalYear:   int64(a.Year),
		FiscalPeriod: int64(a.Period),
		DepartmentID: int64(a.DepartmentID),
		GlAccountID:  int64(a.AccountID),
	})
	if isNoRow(err) {
		id, err = insertActual(ctx, q, a)
	}
	a.ID = budget.ActualID(id)
	return a, err
}

func insertActual(ctx context.Context, q *gen.Queries, a budget.Actual) (int64, error) {
	id, err := q.NextID(ctx, "actuals")
	if err != nil {
		return 0, err
	}
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
	if isForeignKey(err) {
		err = unknownParents(ctx, q, a.Key)
	}
	return id, err
}

// DeleteActual implements budget.Store.
func (s *Store) DeleteActual(ctx context.Context, id budget.ActualID) (budget.Actual, error) {
	var a budget.Actual
	err := s.writer.write(ctx, func(ctx context.Context, q *gen.Queries) error {
		row, err := q.DeleteActual(ctx, int64(id))
		if isNoRow(err) {
			return fault.New(fault.NotFound, "there is no actual %d", id)
		}
		a = actualOf(row)
		return err
	})
	return a, err
}

// ActualPage implements budget.Store.
func (s *Store) ActualPage(ctx context.Context, f budget.ActualFilter) ([]budget.Actual, error) {
	rows, err := s.reader.PageActuals(ctx, gen.PageActualsParams{
		After:        int64(f.After),
		DepartmentID: f.DepartmentID,
		GlAccountID:  f.AccountID,
		FiscalYear:   f.Year,
		FiscalPeriod: f.Period,
		Most:         int64(f.Limit),
	})
	return eachOf(actualOf, rows, err)
}

func actualOf(r gen.Actual) budget.Actual {
	return budget.Actual{
		ID:       budget.ActualID(r.ID),
		Key:      keyOf(r.DepartmentID, r.GlAccountID, r.FiscalYear, r.FiscalPeriod),
		Amount:   money.Amount(r.Amount),
		Currency: money.Currency(r.Currency),
		Source:   text.Label(r.Source),
	}
}
