package budget

import (
	"cmp"

	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// Coverage tells in which periods something is budgeted in the original version, and in
// which something is posted, from one snapshot. A side is sorted by year, department id
// and account id, which are unique together. It is shared: whoever asks for it leaves it
// as it is.
type Coverage struct {
	Budgeted []Cover
	Actual   []Cover
}

// Cover is the fiscal year of an account in a department, on one side.
type Cover struct {
	Year         fiscal.Year
	DepartmentID DepartmentID
	AccountID    AccountID
	There        fiscal.Set // periods that have an amount, be it of 0
	Counting     fiscal.Set // those whose amount is not 0
}

// Compare orders the covers of a side.
func (c *Cover) Compare(o *Cover) int {
	if order := cmp.Compare(c.Year, o.Year); order != 0 {
		return order
	}
	return cmp.Or(cmp.Compare(c.DepartmentID, o.DepartmentID), cmp.Compare(c.AccountID, o.AccountID))
}

// Take adds the amount of a period.
func (c *Cover) Take(p fiscal.Period, amount money.Amount) {
	c.There = c.There.With(p)
	if amount != 0 {
		c.Counting = c.Counting.With(p)
	}
}

// Drop takes the amount of a period away again.
func (c *Cover) Drop(p fiscal.Period) {
	c.There, c.Counting = c.There.Less(fiscal.Set(0).With(p)), c.Counting.Less(fiscal.Set(0).With(p))
}

// compare walks both sides in step; a side that there is nothing on has no periods.
func (v Coverage) compare(visit func(budgeted, actual Cover)) {
	budgeted, actual := v.Budgeted, v.Actual
	for len(budgeted) > 0 || len(actual) > 0 {
		var order int
		switch {
		case len(actual) == 0:
			order = -1
		case len(budgeted) == 0:
			order = 1
		default:
			order = budgeted[0].Compare(&actual[0])
		}
		var planned, posted Cover
		if order <= 0 {
			planned, budgeted = budgeted[0], budgeted[1:]
			posted = Cover{Year: planned.Year, DepartmentID: planned.DepartmentID, AccountID: planned.AccountID}
		}
		if order >= 0 {
			posted, actual = actual[0], actual[1:]
		}
		visit(planned, posted)
	}
}

// newest is the newest month up to the horizon that has an actual, zero where there is
// none.
func (v Coverage) newest(horizon Month) (newest Month) {
	for i := range v.Actual {
		year, there := v.Actual[i].Year, v.Actual[i].There
		newest = newest.later(year, there&horizon.reached(year))
	}
	return newest
}

// later is the last of some periods of a year, where it is later.
func (m Month) later(year fiscal.Year, periods fiscal.Set) Month {
	if o := (Month{year, periods.Last()}); periods != 0 && m.Before(o) {
		return o
	}
	return m
}
