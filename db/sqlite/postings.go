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
		p, err = c.postingsOf(budget.Month{Year: year, Period: period}, version, department, mostDescribed)
		return err
	})
	return p, err
}

// postingsOf reads both sides of a month, of one department or of every one under 0, and so
// many bytes of descriptions of accounts.
func (s *scanner) postingsOf(m budget.Month, version budget.Version, department budget.DepartmentID, described int) (p budget.Postings, err error) {
	first, last := departments(department)
	likely, err := s.likely(department)
	if err != nil {
		return p, err
	}
	if p.Budgeted, err = s.postings(s.budgeted, likely, int64(m.Year), int64(m.Period), string(version), first, last); err != nil {
		return p, err
	}
	if p.Actual, err = s.postings(s.actual, likely, int64(m.Year), int64(m.Period), first, last); err != nil {
		return p, err
	}
	if p.Departments, err = s.codesByID(idsIn(p.Budgeted, p.Actual, func(of *budget.Posting) budget.DepartmentID { return of.DepartmentID })); err != nil {
		return p, err
	}
	p.Accounts, err = s.accountsByID(idsIn(p.Budgeted, p.Actual, func(of *budget.Posting) budget.AccountID { return of.AccountID }), described)
	return p, err
}

// likely is how many postings one side of a month may have: one of each account in each
// department is the most there can be.
func (s *scanner) likely(department budget.DepartmentID) (int, error) {
	const most = 1 << 16
	n := int64(1)
	for i, newest := range s.newestOf {
		if i == 0 && department != 0 {
			continue
		}
		err := read(newest, func() { n = min(n*min(newest.Int(0), most), most) })
		if err != nil {
			return 0, err
		}
	}
	return int(n), nil
}

// departments are the first and the last id of one department, or of every one under 0.
func departments(id budget.DepartmentID) (first, last int64) {
	if id == 0 {
		return 0, math.MaxInt64
	}
	return int64(id), int64(id)
}
