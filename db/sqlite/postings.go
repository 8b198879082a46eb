package sqlite

import (
	"context"
	"database/sql"
	"math"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// Postings implements budget.Store.
func (s *Store) Postings(
	ctx context.Context, year fiscal.Year, period fiscal.Period, version budget.Version, department budget.DepartmentID,
) (budget.Postings, error) {
	tx, err := s.reading.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return budget.Postings{}, classify(err)
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	first, last := int64(department), int64(department)
	if department == 0 {
		last = math.MaxInt64
	}
	q := s.reader.WithTx(tx)
	var p budget.Postings
	for _, read := range []func() error{
		func() (err error) { p.Departments, err = departmentsByID(ctx, q, first, last); return },
		func() (err error) { p.Accounts, err = accountsByID(ctx, q); return },
		func() error {
			rows, err := q.ListBudgeted(ctx, gen.ListBudgetedParams{
				FiscalYear: int64(year), FiscalPeriod: int64(period), Version: string(version),
				FirstDepartment: first, LastDepartment: last,
			})
			p.Budgeted = each(rows, func(r gen.ListBudgetedRow) budget.Posting { return postingOf(gen.ListActualRow(r)) })
			return err
		},
		func() error {
			rows, err := q.ListActual(ctx, gen.ListActualParams{
				FiscalYear: int64(year), FiscalPeriod: int64(period), FirstDepartment: first, LastDepartment: last,
			})
			p.Actual = each(rows, postingOf)
			return err
		},
	} {
		if err := read(); err != nil {
			return budget.Postings{}, classify(err)
		}
	}
	return p, nil
}

func departmentsByID(ctx context.Context, q *gen.Queries, first, last int64) (map[budget.DepartmentID]budget.Department, error) {
	rows, err := q.ListDepartments(ctx, first-1, last, math.MaxInt64)
	departments := make(map[budget.DepartmentID]budget.Department, len(rows))
	for _, r := range rows {
		departments[budget.DepartmentID(r.ID)] = departmentOf(r)
	}
	return departments, err
}

func accountsByID(ctx context.Context, q *gen.Queries) (map[budget.AccountID]budget.Account, error) {
	rows, err := q.ListAccounts(ctx, 0, math.MaxInt64, math.MaxInt64)
	accounts := make(map[budget.AccountID]budget.Account, len(rows))
	for _, r := range rows {
		accounts[budget.AccountID(r.ID)] = accountOf(r)
	}
	return accounts, err
}

func postingOf(r gen.ListActualRow) budget.Posting {
	return budget.Posting{
		DepartmentID: budget.DepartmentID(r.DepartmentID),
		AccountID:    budget.AccountID(r.GlAccountID),
		Amount:       money.Amount(r.Amount),
		Currency:     money.Currency(r.Currency),
	}
}
