package sqlite

import (
	"context"
	"math"
	"slices"

	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/budget"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// Coverage implements budget.Store.
func (s *Store) Coverage(ctx context.Context) (budget.Coverage, error) {
	return together(ctx, s, "coverage", func(c *scanner, head journal.Seq) (v budget.Coverage, err error) {
		if v.Departments, err = c.departmentsByID(0, math.MaxInt64); err != nil {
			return v, err
		}
		if v.Accounts, err = c.accountsByID(); err != nil {
			return v, err
		}
		usage, err := c.usage(s.memory, head)
		if err != nil {
			return v, err
		}
		v.Budgeted, err = recall(s.memory, c, head, "coverage", sizeOfCovers, func() ([]budget.Cover, error) {
			return c.covers(c.budgeted, usage.Lines, func(m budget.Month) []any {
				return []any{int64(m.Year), int64(m.Period), string(budget.Original), int64(0), int64(math.MaxInt64)}
			})
		}, journal.BudgetLines)
		if err != nil {
			return v, err
		}
		v.Actual, err = recall(s.memory, c, head, "coverage", sizeOfCovers, func() ([]budget.Cover, error) {
			return c.covers(c.actual, usage.Actuals, func(m budget.Month) []any {
				return []any{int64(m.Year), int64(m.Period), int64(0), int64(math.MaxInt64)}
			})
		}, journal.Actuals)
		return v, err
	})
}

// sizeOfCovers counts a cover as half of a tally.
func sizeOfCovers(covers []budget.Cover) int { return len(covers) / 2 }

// covers reads one side, month by month.
func (s *scanner) covers(row *cursor.Rows, use budget.Use, parameters func(budget.Month) []any) ([]budget.Cover, error) {
	var covers []budget.Cover
	year := 0 // where that of the month begins
	months := use.Chronology()
	for n, m := range months {
		if n > 0 && months[n-1].Year != m.Year {
			year = len(covers)
		}
		known, i := covers[year:], 0
		var others []budget.Cover
		err := read(row, func() {
			of := budget.Cover{Year: m.Year, DepartmentID: budget.DepartmentID(row.Int(1)), AccountID: budget.AccountID(row.Int(2))}
			for i < len(known) && known[i].Compare(&of) < 0 { // both are in one order
				i++
			}
			amount := money.Amount(row.Int(3))
			if i < len(known) && known[i].Compare(&of) == 0 {
				known[i].Take(m.Period, amount)
				return
			}
			of.Take(m.Period, amount)
			others = append(others, of)
		}, parameters(m)...)
		if err != nil {
			return nil, err
		}
		if len(others) > 0 {
			covers = append(covers, others...)
			slices.SortFunc(covers[year:], func(a, b budget.Cover) int { return a.Compare(&b) })
		}
	}
	return covers, nil
}
