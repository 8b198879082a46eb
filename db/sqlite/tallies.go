package sqlite

import (
	"context"
	"fmt"
	"math"
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
	return s.tallies(ctx, adding{year: year, through: fiscal.Periods, version: version, department: department, apart: true})
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

// tallies of one department are a few ranges; only those of all are worth remembering.
func (s *Store) tallies(ctx context.Context, a adding) (t budget.Tallies, err error) {
	if a.department != 0 {
		err = s.scan(ctx, func(c *scanner) error {
			return c.snapshot(func() (err error) {
				t, err = c.tallies(a, func(_ journal.Entity, _ adding, read func() ([]budget.Tally, error)) ([]budget.Tally, error) {
					return read()
				})
				return err
			})
		})
		return t, err
	}
	return together(ctx, s, fmt.Sprintf("%+v", a), func(c *scanner, head journal.Seq) (budget.Tallies, error) {
		return c.tallies(a, func(of journal.Entity, a adding, read func() ([]budget.Tally, error)) ([]budget.Tally, error) {
			return recall(s.memory, c, head, fmt.Sprintf("%+v", a), func(side []budget.Tally) int { return len(side) }, read, of)
		})
	})
}

// tallies reads both sides, each the way that it is told.
func (s *scanner) tallies(
	a adding, side func(journal.Entity, adding, func() ([]budget.Tally, error)) ([]budget.Tally, error),
) (t budget.Tallies, err error) {
	first, last := int64(a.department), int64(a.department)
	if a.department == 0 {
		last = math.MaxInt64
	}
	if t.Departments, err = s.departmentsByID(first, last); err != nil {
		return t, err
	}
	if t.Accounts, err = s.accountsByID(); err != nil {
		return t, err
	}
	t.Budgeted, err = side(journal.BudgetLines, a, func() ([]budget.Tally, error) {
		return s.tally(s.budgeted, a, func(period int64) []any { return []any{int64(a.year), period, string(a.version), first, last} })
	})
	if err != nil {
		return t, err
	}
	a.version = "" // actuals have none
	t.Actual, err = side(journal.Actuals, a, func() ([]budget.Tally, error) {
		return s.tally(s.actual, a, func(period int64) []any { return []any{int64(a.year), period, first, last} })
	})
	return t, err
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
	at      map[budget.Tally]int // by the tally without its sum
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
	s.tallies[i].Sum.Add(amount)
	s.last = i
}

// same reports two tallies of the same, whatever their sums.
func same(a, b *budget.Tally) bool {
	return a.AccountID == b.AccountID && a.DepartmentID == b.DepartmentID && a.Period == b.Period && a.Currency == b.Currency
}
