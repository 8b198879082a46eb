package sqlite

import (
	"context"
	"math"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
)

// Postings implements budget.Store.
func (s *Store) Postings(
	ctx context.Context, year fiscal.Year, period fiscal.Period, version budget.Version, department budget.DepartmentID,
) (p budget.Postings, err error) {
	err = s.snapshot(ctx, func(c *scanner) (err error) {
		if p, err = c.postingsOf(budget.Month{Year: year, Period: period}, version, department); err != nil {
			return err
		}
		used := map[budget.AccountID]bool{}
		for _, side := range [][]budget.Posting{p.Budgeted, p.Actual} {
			for i := range side {
				used[side[i].AccountID] = true
			}
		}
		return c.describe(p.Accounts, used, mostDescribed)
	})
	return p, err
}

// postingsOf reads both sides of a month, of one department or of every one under 0. The
// accounts have no descriptions.
func (s *scanner) postingsOf(m budget.Month, version budget.Version, department budget.DepartmentID) (p budget.Postings, err error) {
	first, last := departments(department)
	if p.Departments, err = s.departmentsByID(first, last); err != nil {
		return p, err
	}
	if p.Accounts, err = s.accountsByID(); err != nil {
		return p, err
	}
	likely := min(len(p.Departments)*len(p.Accounts), 1<<16) // one each is the most there can be
	if p.Budgeted, err = s.postings(s.budgeted, likely, int64(m.Year), int64(m.Period), string(version), first, last); err != nil {
		return p, err
	}
	p.Actual, err = s.postings(s.actual, likely, int64(m.Year), int64(m.Period), first, last)
	return p, err
}

// departments are the first and the last id of one department, or of every one under 0.
func departments(id budget.DepartmentID) (first, last int64) {
	if id == 0 {
		return 0, math.MaxInt64
	}
	return int64(id), int64(id)
}
