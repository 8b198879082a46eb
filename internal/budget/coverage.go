package budget

import (
	"cmp"

	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// Coverage tells which periods of a fiscal year have a budget line of the original version and
// which have an actual, read from one snapshot. Each side is sorted by department id and account
// id, which are unique together. Callers share it and must not change it.
type Coverage struct {
	Budgeted []Cover
	Actual   []Cover
}

// Cover is one side of the fiscal year of an account in a department.
type Cover struct {
	Year         fiscal.Year
	DepartmentID DepartmentID
	AccountID    AccountID
	There        fiscal.Set // periods that have an amount, even one of 0
	Counting     fiscal.Set // periods whose amount is not 0
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

// Drop removes the amount of a period.
func (c *Cover) Drop(p fiscal.Period) {
	c.There, c.Counting = c.There.Less(fiscal.Set(0).With(p)), c.Counting.Less(fiscal.Set(0).With(p))
}

// merge visits each account of a department that has either side. A side that
// has nothing there has no periods.
func (v Coverage) merge(visit func(budgeted, actual Cover)) {
	merge(v.Budgeted, v.Actual, (*Cover).Compare, func(budgeted, actual *Cover) {
		at := either(budgeted, actual)
		nothing := &Cover{Year: at.Year, DepartmentID: at.DepartmentID, AccountID: at.AccountID}
		visit(*cmp.Or(budgeted, nothing), *cmp.Or(actual, nothing))
	})
}
