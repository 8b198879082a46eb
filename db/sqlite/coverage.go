package sqlite

import (
	"context"
	"fmt"
	"math"

	"daybook/db/records"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// Coverage implements budget.Store.
func (s *Store) Coverage(ctx context.Context, year fiscal.Year) (budget.Coverage, error) {
	return share(ctx, s, fmt.Sprintf("coverage of %d", year), func(s *snapshot) (of budget.Coverage, err error) {
		of.Budgeted, err = s.covers(year, journal.BudgetLines, budget.Original, func(period int64) []any {
			return []any{int64(year), period, string(budget.Original), int64(0), int64(math.MaxInt64)}
		})
		if err != nil {
			return of, err
		}
		of.Actual, err = s.covers(year, journal.Actuals, "", func(period int64) []any { return []any{int64(year), period, int64(0), int64(math.MaxInt64)} })
		return of, err
	})
}

// covers returns one side of a coverage. Invalid: it has more than mostCombined.
func (s *snapshot) covers(year fiscal.Year, side journal.Entity, version budget.Version, parameters func(period int64) []any) ([]budget.Cover, error) {
	row := s.actual
	if side == journal.BudgetLines {
		row = s.budgeted
	}
	found, err := records.Cached(s.cached, fmt.Sprintf("coverage of %d", year), side, func() (of records.Covers, err error) {
		gathered := records.Coverer{Year: year}
		for period := fiscal.Period(1); period <= fiscal.Periods && err == nil; period++ {
			gathered.Begin(period)
			err = row.Read(func() {
				if gathered.Len() <= mostCombined {
					gathered.Add(budget.DepartmentID(row.Int(postingDepartment)), budget.AccountID(row.Int(postingAccount)), money.Amount(row.Int(postingAmount)))
				}
			}, parameters(int64(period))...)
		}
		if err == nil && gathered.Len() > mostCombined {
			err = fault.New(fault.Invalid, "fiscal year %d has figures for more than %d accounts of departments; they are too many to look for gaps", year, mostCombined)
		}
		return records.Covers{Scope: records.Scope{Year: year, Version: version}, Covers: gathered.Covers()}, err
	})
	return found.Covers, err
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
