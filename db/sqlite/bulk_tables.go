package sqlite

import (
	"context"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/internal/budget"
	"daybook/internal/bulk"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// StoreActuals implements budget.Store.
func (s *Store) StoreActuals(ctx context.Context, actuals bulk.Rows[budget.Actual]) (bulk.Result, error) {
	return storeMany(ctx, s, &manyActuals, actuals)
}

// StoreLines implements budget.Store.
func (s *Store) StoreLines(ctx context.Context, lines bulk.Rows[budget.Line]) (bulk.Result, error) {
	return storeMany(ctx, s, &manyLines, lines)
}

var manyActuals = bulkTable[budget.Actual, gen.Actual]{
	entity: journal.Actuals, sequence: rows.ActualIDs, number: func(n *numbers) *number { return &n.actuals },
	between: `SELECT EXISTS (SELECT 1 FROM actuals
WHERE (fiscal_year, fiscal_period, department_id, gl_account_id) >= (?, ?, ?, ?)
  AND (fiscal_year, fiscal_period, department_id, gl_account_id) <= (?, ?, ?, ?))`,
	byKey: gen.GetActualByKey, insert: gen.InsertActual, update: gen.ReplaceActual,
	key: func(a *budget.Actual) []any {
		return []any{int64(a.Year), int64(a.Period), int64(a.DepartmentID), int64(a.AccountID)}
	},
	columns: func(a *budget.Actual) []any {
		return []any{int64(a.ID), int64(a.DepartmentID), int64(a.AccountID), int64(a.Year), int64(a.Period), int64(a.Amount), string(a.Currency), string(a.Source)}
	},
	changes: func(a *budget.Actual) []any {
		return []any{int64(a.Amount), string(a.Currency), string(a.Source), int64(a.Year), int64(a.Period), int64(a.DepartmentID), int64(a.AccountID)}
	},
	record: records.Actual, stored: rows.Actual,
	id:       func(a *budget.Actual) *int64 { return (*int64)(&a.ID) },
	currency: func(a *budget.Actual) money.Currency { return a.Currency },
	keep:     func(a, stored *budget.Actual) { a.Source = stored.Source },
}

var manyLines = bulkTable[budget.Line, gen.BudgetLine]{
	entity: journal.BudgetLines, sequence: rows.BudgetLineIDs, number: func(n *numbers) *number { return &n.budgetLines },
	between: `SELECT EXISTS (SELECT 1 FROM budget_lines
WHERE (fiscal_year, fiscal_period, version, department_id, gl_account_id) >= (?, ?, ?, ?, ?)
  AND (fiscal_year, fiscal_period, version, department_id, gl_account_id) <= (?, ?, ?, ?, ?))`,
	byKey: gen.GetLineByKey, insert: gen.InsertLine, update: gen.ReplaceLine,
	key: func(l *budget.Line) []any {
		return []any{int64(l.Year), int64(l.Period), string(l.Version), int64(l.DepartmentID), int64(l.AccountID)}
	},
	columns: func(l *budget.Line) []any {
		return []any{int64(l.ID), int64(l.DepartmentID), int64(l.AccountID), int64(l.Year), int64(l.Period), string(l.Version), int64(l.Amount), string(l.Currency), string(l.Notes)}
	},
	changes: func(l *budget.Line) []any {
		return []any{int64(l.Amount), string(l.Currency), string(l.Notes), int64(l.ID)}
	},
	record: records.Line, stored: rows.Line,
	id:       func(l *budget.Line) *int64 { return (*int64)(&l.ID) },
	currency: func(l *budget.Line) money.Currency { return l.Currency },
	keep:     func(l, stored *budget.Line) { l.Notes = stored.Notes },
}
