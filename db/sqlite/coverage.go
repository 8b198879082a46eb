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
	return together(ctx, s, "coverage", func(v *view) (of budget.Coverage, err error) {
		if of.Budgeted, err = recall(v, "coverage", journal.BudgetLines, v.budgetedCovers); err != nil {
			return of, err
		}
		of.Actual, err = recall(v, "coverage", journal.Actuals, v.actualCovers)
		return of, err
	})
}

// covers are one side of a coverage.
type covers []budget.Cover

// size counts a cover as half of a tally.
func (c covers) size() int { return len(c) / 2 }

func (c covers) after(changes []change) (covers, bool) {
	amended := amend(c, (*budget.Cover).Compare)
	for _, one := range changes {
		if one.version != "" && one.version != budget.Original {
			continue
		}
		cover := amended.at(budget.Cover{Year: one.Year, DepartmentID: one.DepartmentID, AccountID: one.AccountID})
		if went := one.n < 0; cover.There.Has(one.Period) != went {
			return c, false
		} else if went {
			cover.Drop(one.Period)
		} else {
			cover.Take(one.Period, one.amount)
		}
	}
	return amended.made(func(cover *budget.Cover) bool { return cover.There == 0 }), true
}

func (v *view) budgetedCovers() (covers, error) {
	use, err := v.lineUse()
	if err != nil {
		return nil, err
	}
	return v.covers(v.budgeted, budget.Use(use), func(month budget.Month) []any {
		return []any{int64(month.Year), int64(month.Period), string(budget.Original), int64(0), int64(math.MaxInt64)}
	})
}

func (v *view) actualCovers() (covers, error) {
	use, err := v.actualUse()
	if err != nil {
		return nil, err
	}
	return v.covers(v.actual, budget.Use(use), func(month budget.Month) []any {
		return []any{int64(month.Year), int64(month.Period), int64(0), int64(math.MaxInt64)}
	})
}

// covers reads one side, month by month.
func (s *scanner) covers(row *cursor.Rows, use budget.Use, parameters func(budget.Month) []any) (covers, error) {
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
