package records

import (
	"slices"

	"daybook/internal/budget"
	"daybook/internal/money"
)

// Covers are one side of a coverage, sorted.
type Covers []budget.Cover

// Size implements Sums. A cover is half as large as a tally.
func (c Covers) Size() int { return len(c) / 2 }

// After implements Sums.
func (c Covers) After(changes []Change) (Covers, bool) {
	covers := newOverlay(c, (*budget.Cover).Compare)
	for _, one := range changes {
		if one.Version != "" && one.Version != budget.Original {
			continue
		}
		cover := covers.at(budget.Cover{Year: one.Year, DepartmentID: one.DepartmentID, AccountID: one.AccountID})
		if went := one.Count < 0; cover.There.Has(one.Period) != went {
			return c, false
		} else if went {
			cover.Drop(one.Period)
		} else {
			cover.Take(one.Period, one.Amount)
		}
	}
	return covers.merged(func(cover *budget.Cover) bool { return cover.There == 0 }), true
}

// Coverer gathers covers as the postings are read: month by month, and in each by department and
// account.
type Coverer struct {
	covers []budget.Cover
	year   int // the index of the first cover of the month's year
	month  budget.Month
	at     int            // the next cover of the year after the last posting of the month
	others []budget.Cover // new covers of the month
}

// Begin begins a month, which is later than the one before.
func (c *Coverer) Begin(m budget.Month) {
	c.end()
	if c.month.Year != m.Year {
		c.year = len(c.covers)
	}
	c.month, c.at = m, c.year
}

// Add adds a posting of the month.
func (c *Coverer) Add(department budget.DepartmentID, account budget.AccountID, amount money.Amount) {
	cover := budget.Cover{Year: c.month.Year, DepartmentID: department, AccountID: account}
	for c.at < len(c.covers) && c.covers[c.at].Compare(&cover) < 0 {
		c.at++
	}
	if c.at < len(c.covers) && c.covers[c.at].Compare(&cover) == 0 {
		c.covers[c.at].Take(c.month.Period, amount)
		return
	}
	cover.Take(c.month.Period, amount)
	c.others = append(c.others, cover)
}

// Covers returns the gathered covers.
func (c *Coverer) Covers() Covers {
	c.end()
	return c.covers
}

// end merges the new covers of the month into its year.
func (c *Coverer) end() {
	if len(c.others) == 0 {
		return
	}
	c.covers = append(c.covers, c.others...)
	slices.SortFunc(c.covers[c.year:], func(a, b budget.Cover) int { return a.Compare(&b) })
	c.others = c.others[:0]
}
