package sqlite

import (
	"context"
	"math"

	"daybook/db/records"
	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/budget"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// Coverage implements budget.Store.
func (s *Store) Coverage(ctx context.Context) (budget.Coverage, error) {
	return share(ctx, s, "coverage", func(s *snapshot) (of budget.Coverage, err error) {
		if of.Budgeted, err = records.Cached(s.cached, "coverage", journal.BudgetLines, s.budgetedCovers); err != nil {
			return of, err
		}
		of.Actual, err = records.Cached(s.cached, "coverage", journal.Actuals, s.actualCovers)
		return of, err
	})
}

func (s *snapshot) budgetedCovers() (records.Covers, error) {
	use, err := s.useOfLines()
	if err != nil {
		return nil, err
	}
	return covers(s.budgeted, budget.Use(use), func(month budget.Month) []any {
		return []any{int64(month.Year), int64(month.Period), string(budget.Original), int64(0), int64(math.MaxInt64)}
	})
}

func (s *snapshot) actualCovers() (records.Covers, error) {
	use, err := s.useOfActuals()
	if err != nil {
		return nil, err
	}
	return covers(s.actual, budget.Use(use), func(month budget.Month) []any {
		return []any{int64(month.Year), int64(month.Period), int64(0), int64(math.MaxInt64)}
	})
}

// covers reads one side, month by month.
func covers(row *cursor.Rows, use budget.Use, parameters func(budget.Month) []any) (records.Covers, error) {
	var gathered records.Coverer
	for _, m := range use.Chronology() {
		gathered.Begin(m)
		err := row.Read(func() {
			gathered.Add(budget.DepartmentID(row.Int(postingDepartment)), budget.AccountID(row.Int(postingAccount)), money.Amount(row.Int(postingAmount)))
		}, parameters(m)...)
		if err != nil {
			return nil, err
		}
	}
	return gathered.Covers(), nil
}

// Chart implements budget.Store.
func (s *Store) Chart(ctx context.Context, department func(budget.Department), account func(budget.Account)) error {
	return s.consistent(ctx, func(c *scanner) error {
		every := []any{int64(0), int64(math.MaxInt64), int64(math.MaxInt64)}
		if err := c.departments.Read(func() { department(c.departmentAt()) }, every...); err != nil {
			return err
		}
		return c.accounts.Read(func() { account(c.accountAt()) }, every...)
	})
}

// Named implements budget.Store.
func (s *Store) Named(ctx context.Context, departments []budget.DepartmentID, accounts []budget.AccountID) (n budget.Names, err error) {
	n.Departments = map[budget.DepartmentID]budget.Department{}
	err = s.scan(ctx, func(c *scanner) error {
		return c.transaction(func() error {
			err := readByID(c.departments, sorted(departments), func() {
				d := c.departmentAt()
				n.Departments[d.ID] = d
			})
			if err == nil {
				n.Accounts, err = c.accountsByID(sorted(accounts), mostDescribed)
			}
			return err
		})
	})
	return n, err
}
