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
	first, last := int64(department), int64(department)
	if department == 0 {
		last = math.MaxInt64
	}
	err = s.scan(ctx, func(c *scanner) error {
		return c.snapshot(func() (err error) {
			if p.Departments, err = c.departmentsByID(first, last); err != nil {
				return err
			}
			if p.Accounts, err = c.accountsByID(); err != nil {
				return err
			}
			likely := min(len(p.Departments)*len(p.Accounts), 1<<16) // one each is the most there can be
			if p.Budgeted, err = c.postings(c.budgeted, likely, int64(year), int64(period), string(version), first, last); err != nil {
				return err
			}
			p.Actual, err = c.postings(c.actual, likely, int64(year), int64(period), first, last)
			return err
		})
	})
	if err != nil {
		return budget.Postings{}, err
	}
	return p, nil
}
