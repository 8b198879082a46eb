//go:build !race

package sqlite

import (
	"testing"

	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/budget"
	"daybook/internal/fault"
)

// TestReportsAreBounded: a report with too many combinations of department, account and currency for the
// memory is refused. As controls, a report of one department is made, and so is one that adds up all
// departments.
func TestReportsAreBounded(t *testing.T) {
	path := newFile(t)
	const digits = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
	sqlitetest.BehindItsBack(t, path,
		digits+"1000) INSERT INTO departments (code, code_key, name, cost_center, active) SELECT 'D' || i, 'd' || i, '', '', 1 FROM n",
		digits+"201) INSERT INTO gl_accounts (code, code_key, description, type, favour_high) SELECT 'A' || i, 'a' || i, '', 'opex', 0 FROM n",
		`INSERT INTO actuals (id, department_id, gl_account_id, fiscal_year, fiscal_period, amount, currency, source)
			SELECT d.id * 1000 + a.id, d.id, a.id, 2026, 1, 1, 'USD', 'erp' FROM departments AS d, gl_accounts AS a`,
		`INSERT INTO budget_lines (id, department_id, gl_account_id, fiscal_year, fiscal_period, version, amount, currency, notes)
			SELECT department_id * 1000 + gl_account_id, department_id, gl_account_id, 2027, 1, 'original', 1, 'USD', '' FROM actuals WHERE gl_account_id <= 120`,
		`INSERT INTO actuals (id, department_id, gl_account_id, fiscal_year, fiscal_period, amount, currency, source)
			SELECT 2000000 + id, department_id, gl_account_id, 2027, 1, 1, 'USD', 'erp' FROM actuals WHERE gl_account_id > 80`)
	s, err := Open(t.Context(), path, today)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	ctx := t.Context()
	if _, err := s.Coverage(ctx, 2026); fault.KindOf(err) != fault.Invalid {
		t.Errorf("coverage: got %v, want kind %q", err, fault.Invalid)
	}
	if _, err := s.Coverage(ctx, 2027); err != nil {
		t.Errorf("coverage of a year with fewer on each side: got %v, want no error", err)
	}
	for name, c := range map[string]struct {
		read func(budget.DepartmentID) error
		all  fault.Kind // of a report of all departments
	}{
		"postings": {func(of budget.DepartmentID) error {
			_, err := s.Postings(ctx, 2026, 1, budget.Original, of)
			return err
		}, fault.Invalid},
		"postings of two sides, each of which is small enough": {func(of budget.DepartmentID) error {
			_, err := s.Postings(ctx, 2027, 1, budget.Original, of)
			return err
		}, fault.Invalid},
		"year to date of such sides": {func(of budget.DepartmentID) error {
			_, err := s.YearToDate(ctx, 2027, 1, budget.Original, of)
			return err
		}, fault.Invalid},
		"year to date": {func(of budget.DepartmentID) error {
			_, err := s.YearToDate(ctx, 2026, 1, budget.Original, of)
			return err
		}, fault.Invalid},
		"months": {func(of budget.DepartmentID) error { _, err := s.Months(ctx, 2026, budget.Original, of); return err }, ""},
	} {
		if err := c.read(1); err != nil {
			t.Errorf("%s of one department: got %v, want no error", name, err)
		}
		if err := c.read(0); (err == nil) != (c.all == "") || err != nil && fault.KindOf(err) != c.all {
			t.Errorf("%s of all departments: got %v, want kind %q", name, err, c.all)
		}
	}
}
