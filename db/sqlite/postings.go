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
	err = s.consistent(ctx, func(c *scanner) (err error) {
		p, err = c.postingsOf(budget.Month{Year: year, Period: period}, version, department, mostDescribed)
		return err
	})
	return p, err
}

// postingsOf reads both sides of a month, for one department, or for all if department is 0. described
// is how many bytes of account descriptions it may read. Invalid: there are more lines than mostCombined.
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
	if p.Places() > mostCombined {
		return p, errCombined()
	}
	if p.Departments, err = s.codesByID(idsIn(p.Budgeted, p.Actual, func(of *budget.Posting) budget.DepartmentID { return of.DepartmentID })); err != nil {
		return p, err
	}
	p.Accounts, err = s.accountsByID(idsIn(p.Budgeted, p.Actual, func(of *budget.Posting) budget.AccountID { return of.AccountID }), described)
	return p, err
}

// postingOrders are the orders of budget lines and actuals, except by id. By the code of a parent, SQLite
// goes through the parents by their codes, and finds the postings of each with an index. The postings of
// one department by account, or of one account by department, are few: SQLite finds these first, and
// sorts them.
var postingOrders = map[budget.Sort]order{
	budget.SortByAmount:     byColumn("amount"),
	budget.SortByDepartment: byCodeOf("departments", "department_id", "gl_account_id"),
	budget.SortByAccount:    byCodeOf("gl_accounts", "gl_account_id", "department_id"),
	budget.SortByPeriod: {
		name: "fiscal_year * 100 + fiscal_period", value: "fiscal_year * 100 + fiscal_period", columns: []string{"fiscal_year", "fiscal_period"},
		bound: func(value int64) []any { return []any{value / 100, value % 100} },
	},
}

// byCodeOf is the order by the code of what a posting refers to. Another reference, the year, the currency and the
// source narrow a list: few postings may have them, and in the order of the codes all others would be looked up one
// by one.
func byCodeOf(parents, reference, other string) order {
	return order{
		name: reference, value: "code_key", text: true, columns: []string{"code_key"},
		join: "(SELECT id AS parent_id, code_key FROM " + parents + ")", on: reference + " = parent_id", narrows: []string{other, "fiscal_year", "currency", "source"},
	}
}

// postingPage returns a page of budget lines or actuals.
func postingPage(of *list, f budget.KeyFilter, by budget.Sort) page {
	p := page{list: of, sort: postingOrders[by]}
	p.where = narrow(p.where, "fiscal_year", "= ?", f.Year)
	p.where = narrow(p.where, "fiscal_period", "= ?", f.Period)
	p.where = narrow(p.where, "department_id", "= ?", f.DepartmentID)
	p.where = narrow(p.where, "gl_account_id", "= ?", f.AccountID)
	return p
}

// likely is an upper bound of the postings on one side of a month: one for each account in each
// department.
func (s *scanner) likely(department budget.DepartmentID) (int, error) {
	const most = 1 << 16
	n := int64(1)
	for i, newest := range s.newestOf {
		if i == 0 && department != 0 {
			continue
		}
		id, err := newest.Last()
		if err != nil {
			return 0, err
		}
		n = min(n*min(id, most), most)
	}
	return int(n), nil
}

// departments returns the range of ids that covers one department, or all if id is 0.
func departments(id budget.DepartmentID) (first, last int64) {
	if id == 0 {
		return 0, math.MaxInt64
	}
	return int64(id), int64(id)
}
