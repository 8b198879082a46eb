package sqlite

import (
	"context"
	"fmt"
	"slices"

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
	return s.tallies(ctx, months(year, version, department))
}

// YearToDate implements budget.Store.
func (s *Store) YearToDate(
	ctx context.Context, year fiscal.Year, period fiscal.Period, version budget.Version, department budget.DepartmentID,
) (budget.Tallies, error) {
	return s.tallies(ctx, adding{year: year, through: period, version: version, department: department})
}

// adding says what is added up: the periods of a year from the first through another.
type adding struct {
	year       fiscal.Year
	through    fiscal.Period
	version    budget.Version
	department budget.DepartmentID // 0 = every one
	apart      bool                // periods stay apart and departments do not
}

// months are what Months adds up.
func months(year fiscal.Year, version budget.Version, department budget.DepartmentID) adding {
	return adding{year: year, through: fiscal.Periods, version: version, department: department, apart: true}
}

// tallies of one department are a few ranges; only those of all are worth remembering.
func (s *Store) tallies(ctx context.Context, a adding) (t budget.Tallies, err error) {
	if a.department == 0 {
		return together(ctx, s, fmt.Sprintf("%+v", a), func(v *view) (budget.Tallies, error) { return v.tallies(a, mostDescribed) })
	}
	err = s.view(ctx, func(v *view) (err error) {
		t, err = v.tallies(a, mostDescribed)
		return err
	})
	return t, err
}

// tallies are both sides, and so many bytes of descriptions of accounts.
func (v *view) tallies(a adding, described int) (t budget.Tallies, err error) {
	if t.Budgeted, t.Actual, err = v.sides(a); err != nil {
		return t, err
	}
	if t.Departments, err = v.codesByID(idsIn(t.Budgeted, t.Actual, func(of *budget.Tally) budget.DepartmentID { return of.DepartmentID })); err != nil {
		return t, err
	}
	t.Accounts, err = v.accountsByID(idsIn(t.Budgeted, t.Actual, func(of *budget.Tally) budget.AccountID { return of.AccountID }), described)
	return t, err
}

func (v *view) sides(a adding) (budgeted, actual []budget.Tally, err error) {
	first, last := departments(a.department)
	budgeted, err = v.added(a, journal.BudgetLines, func() ([]budget.Tally, error) {
		return v.tally(v.budgeted, a, func(period int64) []any { return []any{int64(a.year), period, string(a.version), first, last} })
	})
	if err != nil {
		return nil, nil, err
	}
	a.version = "" // actuals have none
	actual, err = v.added(a, journal.Actuals, func() ([]budget.Tally, error) {
		return v.tally(v.actual, a, func(period int64) []any { return []any{int64(a.year), period, first, last} })
	})
	return budgeted, actual, err
}

// added is one side, remembered where it is of all departments.
func (v *view) added(a adding, of journal.Entity, read func() ([]budget.Tally, error)) ([]budget.Tally, error) {
	if a.department != 0 {
		return read()
	}
	side, err := recall(v, fmt.Sprintf("%+v", a), of, func() (tallied, error) {
		sums, err := read()
		return tallied{a, sums}, err
	})
	return side.sums, err
}

// tallied is what one side of all departments adds up to.
type tallied struct {
	adding
	sums []budget.Tally
}

func (t tallied) size() int { return len(t.sums) }

func (t tallied) after(changes []change) (tallied, bool) {
	sums := amend(t.sums, (*budget.Tally).Compare)
	for _, c := range changes {
		if c.Year != t.year || c.Period > t.through || c.version != t.version {
			continue
		}
		sum := sums.at(t.tallyOf(c))
		sum.Count += c.n
		sum.Sum.Add(money.Amount(c.n) * c.amount)
		if sum.Count < 0 || sum.Count == 0 && sum.Sum != (money.Sum{}) {
			return t, false
		}
	}
	t.sums = sums.made(func(sum *budget.Tally) bool { return sum.Count == 0 })
	return t, true
}

// tallyOf is what a posting is added to, as yet without it.
func (a adding) tallyOf(c change) budget.Tally {
	of := budget.Tally{AccountID: c.AccountID, Currency: c.currency}
	if a.apart {
		of.Period = c.Period
	} else {
		of.DepartmentID = c.DepartmentID
	}
	return of
}

// tally adds up one side, period by period.
func (s *scanner) tally(row *cursor.Rows, a adding, parameters func(period int64) []any) ([]budget.Tally, error) {
	sums := sums{at: map[budget.Tally]int{}}
	for period := int64(1); period <= int64(a.through); period++ {
		of := budget.Tally{}
		if a.apart {
			of.Period = fiscal.Period(period)
		}
		err := read(row, func() {
			if !a.apart {
				of.DepartmentID = budget.DepartmentID(row.Int(1))
			}
			of.AccountID = budget.AccountID(row.Int(2))
			of.Currency = money.Currency(s.text(row.Text(0)))
			sums.add(of, money.Amount(row.Int(3)))
		}, parameters(period)...)
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(sums.tallies, func(a, b budget.Tally) int { return a.Compare(&b) })
	return sums.tallies, nil
}

// sums are tallies that grow. Postings come in an order, so that what came after a
// tally before is likely to come after it again: few are looked for.
type sums struct {
	tallies []budget.Tally
	follows []int // what came after each the last time
	last    int
	at      map[budget.Tally]int // by the tally of nothing
}

func (s *sums) add(of budget.Tally, amount money.Amount) {
	i := 0
	if s.last < len(s.follows) {
		i = s.follows[s.last]
	}
	if i >= len(s.tallies) || !same(&s.tallies[i], &of) {
		var known bool
		if i, known = s.at[of]; !known {
			i = len(s.tallies)
			s.at[of] = i
			s.tallies = append(s.tallies, of)
			s.follows = append(s.follows, i+1)
		}
		if s.last < len(s.follows) {
			s.follows[s.last] = i
		}
	}
	s.tallies[i].Count++
	s.tallies[i].Sum.Add(amount)
	s.last = i
}

// same reports two tallies of the same, whatever their sums.
func same(a, b *budget.Tally) bool {
	return a.AccountID == b.AccountID && a.DepartmentID == b.DepartmentID && a.Period == b.Period && a.Currency == b.Currency
}
