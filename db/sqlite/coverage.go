package sqlite

import (
	"context"
	"fmt"
	"math"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
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
	list := s.actual
	if side == journal.BudgetLines {
		list = s.budgeted
	}
	tooMany := fault.New(fault.Invalid, "fiscal year %d has figures for more than %d accounts of departments; they are too many to look for gaps", year, mostCombined)
	found, err := records.Cached(s.cached, fmt.Sprintf("coverage of %d", year), side, func() (records.Covers, error) {
		gathered := records.Coverer{Year: year}
		for period := fiscal.Period(1); period <= fiscal.Periods; period++ {
			gathered.Begin(period)
			for row, err := range list.All(parameters(int64(period))...) {
				if err == nil && gathered.Len() > mostCombined {
					err = tooMany
				}
				if err != nil {
					return records.Covers{}, err
				}
				gathered.Add(budget.DepartmentID(row.DepartmentID), budget.AccountID(row.GlAccountID), money.Amount(row.Amount))
			}
		}
		if gathered.Len() > mostCombined {
			return records.Covers{}, tooMany
		}
		return records.Covers{Scope: records.Scope{Year: year, Version: version}, Covers: gathered.Covers()}, nil
	})
	return found.Covers, err
}

// Chart implements budget.Store.
func (s *Store) Chart(ctx context.Context, department func(budget.Department), account func(budget.Account)) error {
	return s.consistent(ctx, func(c *scanner) error {
		every := []any{int64(0), int64(math.MaxInt64), int64(math.MaxInt64)}
		for row, err := range c.departments.All(every...) {
			if err != nil {
				return err
			}
			department(rows.Department(*row))
		}
		for row, err := range c.accounts.All(every...) {
			if err != nil {
				return err
			}
			row.Description = "" // it may have 16,000 bytes
			account(rows.Account(*row))
		}
		return nil
	})
}

// Named implements budget.Store.
func (s *Store) Named(ctx context.Context, departments []budget.DepartmentID, accounts []budget.AccountID) (n budget.Names, err error) {
	n.Departments = map[budget.DepartmentID]budget.Department{}
	err = s.scan(ctx, func(c *scanner) error {
		return c.transaction(func() error {
			err := readByID(c.departments, sorted(departments), func(row gen.Department) {
				n.Departments[budget.DepartmentID(row.ID)] = rows.Department(row)
			})
			if err == nil {
				n.Accounts, err = c.accountsByID(sorted(accounts), mostDescribed)
			}
			return err
		})
	})
	return n, err
}
