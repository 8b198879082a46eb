package sqlite

import (
	"context"
	"fmt"

	"daybook/db/records"
	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// Months implements budget.Store.
func (s *Store) Months(
	ctx context.Context, year fiscal.Year, version budget.Version, department budget.DepartmentID,
) (budget.Tallies, error) {
	return s.tallies(ctx, monthsOf(year, version), department)
}

// YearToDate implements budget.Store.
func (s *Store) YearToDate(
	ctx context.Context, year fiscal.Year, period fiscal.Period, version budget.Version, department budget.DepartmentID,
) (budget.Tallies, error) {
	return s.tallies(ctx, records.Scope{Year: year, Through: period, Version: version}, department)
}

// monthsOf returns the scope of Months.
func monthsOf(year fiscal.Year, version budget.Version) records.Scope {
	return records.Scope{Year: year, Through: fiscal.Periods, Version: version, ByPeriod: true}
}

// tallies adds up the postings of a department, or of all if department is 0. The postings of one
// department are a few ranges of an index, so only those of all are shared and cached.
func (s *Store) tallies(ctx context.Context, of records.Scope, department budget.DepartmentID) (t budget.Tallies, err error) {
	if department == 0 {
		return share(ctx, s, fmt.Sprintf("%+v", of), func(s *snapshot) (budget.Tallies, error) { return s.tallies(of, 0, mostDescribed) })
	}
	err = s.snapshot(ctx, func(s *snapshot) (err error) {
		t, err = s.tallies(of, department, mostDescribed)
		return err
	})
	return t, err
}

// tallies reads both sides. described is how many bytes of account descriptions it may read. Invalid: there are more sums than mostCombined.
func (s *snapshot) tallies(of records.Scope, department budget.DepartmentID, described int) (t budget.Tallies, err error) {
	if t.Budgeted, t.Actual, err = s.sides(of, department); err != nil {
		return t, err
	}
	if t.Places() > mostCombined {
		return t, errCombined()
	}
	if t.Departments, err = s.codesByID(idsIn(t.Budgeted, t.Actual, func(of *budget.Tally) budget.DepartmentID { return of.DepartmentID })); err != nil {
		return t, err
	}
	t.Accounts, err = s.accountsByID(idsIn(t.Budgeted, t.Actual, func(of *budget.Tally) budget.AccountID { return of.AccountID }), described)
	return t, err
}

func (s *snapshot) sides(of records.Scope, department budget.DepartmentID) (budgeted, actual []budget.Tally, err error) {
	first, last := departments(department)
	budgeted, err = s.side(of, department, journal.BudgetLines, func() ([]budget.Tally, error) {
		return s.addUp(s.budgeted, of, func(period int64) []any { return []any{int64(of.Year), period, string(of.Version), first, last} })
	})
	if err != nil {
		return nil, nil, err
	}
	of.Version = "" // actuals have none
	actual, err = s.side(of, department, journal.Actuals, func() ([]budget.Tally, error) {
		return s.addUp(s.actual, of, func(period int64) []any { return []any{int64(of.Year), period, first, last} })
	})
	return budgeted, actual, err
}

// side returns one side of tallies. It caches the side of all departments.
func (s *snapshot) side(of records.Scope, department budget.DepartmentID, entity journal.Entity, read func() ([]budget.Tally, error)) ([]budget.Tally, error) {
	if department != 0 {
		return read()
	}
	side, err := records.Cached(s.cached, fmt.Sprintf("%+v", of), entity, func() (records.Tallies, error) {
		sums, err := read()
		return records.Tallies{Scope: of, Sums: sums}, err
	})
	return side.Sums, err
}

// addUp adds up one side, period by period. Invalid: there are more sums than mostCombined.
func (s *scanner) addUp(list *cursor.Query[postingRow], of records.Scope, parameters func(period int64) []any) ([]budget.Tally, error) {
	adder := records.NewAdder()
	for period := int64(1); period <= int64(of.Through); period++ {
		for row, err := range list.All(parameters(period)...) {
			if err == nil && adder.Len() > mostCombined {
				err = errCombined()
			}
			if err != nil {
				return nil, err
			}
			to := budget.Tally{AccountID: budget.AccountID(row.GlAccountID), Currency: money.Currency(row.Currency)}
			if of.ByPeriod {
				to.Period = fiscal.Period(period)
			} else {
				to.DepartmentID = budget.DepartmentID(row.DepartmentID)
			}
			adder.Add(to, money.Amount(row.Amount))
		}
	}
	if adder.Len() > mostCombined {
		return nil, errCombined()
	}
	return adder.Sums(), nil
}
