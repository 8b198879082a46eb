package records

import (
	"slices"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// Covers are one side of the coverage of a year.
type Covers struct {
	Scope
	Covers []budget.Cover // sorted
}

// Size implements Sums. A cover is half as large as a tally.
func (c Covers) Size() int { return len(c.Covers) / 2 }

// After implements Sums.
func (c Covers) After(changes []Change) (Covers, bool) {
	covers := newOverlay(c.Covers, (*budget.Cover).Compare)
	for _, one := range changes {
		if one.Year != c.Year || one.Version != c.Version {
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
	c.Covers = covers.merged(func(cover *budget.Cover) bool { return cover.There == 0 })
	return c, true
}

// Coverer gathers the covers of a year as the postings are read: period by period, and in each by
// department and account.
type Coverer struct {
	Year   fiscal.Year
	covers []budget.Cover
	period fiscal.Period
	at     int            // the next cover after the last posting of the period
	others []budget.Cover // new covers of the period
}

// Begin begins a period, which is later than the one before.
func (c *Coverer) Begin(p fiscal.Period) {
	c.end()
	c.period, c.at = p, 0
}

// Add adds a posting of the period.
func (c *Coverer) Add(department budget.DepartmentID, account budget.AccountID, amount money.Amount) {
	cover := budget.Cover{Year: c.Year, DepartmentID: department, AccountID: account}
	for c.at < len(c.covers) && c.covers[c.at].Compare(&cover) < 0 {
		c.at++
	}
	if c.at < len(c.covers) && c.covers[c.at].Compare(&cover) == 0 {
		c.covers[c.at].Take(c.period, amount)
		return
	}
	cover.Take(c.period, amount)
	c.others = append(c.others, cover)
}

// Len returns how many covers were gathered.
func (c *Coverer) Len() int { return len(c.covers) + len(c.others) }

// Covers returns the gathered covers.
func (c *Coverer) Covers() []budget.Cover {
	c.end()
	return c.covers
}

// end merges the new covers of the period into those of the others.
func (c *Coverer) end() {
	if len(c.others) == 0 {
		return
	}
	c.covers = append(c.covers, c.others...)
	slices.SortFunc(c.covers, func(a, b budget.Cover) int { return a.Compare(&b) })
	c.others = c.others[:0]
}
