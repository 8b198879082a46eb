package budget

import "daybook/internal/money"

// Figures are budgets and actuals added up, and what they differ by.
type Figures struct {
	Budget   money.Sum
	Actual   money.Sum
	Variance money.Sum // positive is good for profit, whatever the accounts
	Budgeted bool      // there is a budget line among them, be it of 0
	Posted   bool      // there is an actual among them, be it of 0
}

// Percent is the variance in percent of the budget, by the rule of every report.
func (f Figures) Percent() money.Percent { return percent(f.Variance, f.Budget, f.Actual) }

// Status says whether the variance is good for profit.
func (f Figures) Status() Status { return statusOf(f.Variance) }

// Unbudgeted reports actuals without any budget line.
func (f Figures) Unbudgeted() bool { return f.Posted && !f.Budgeted }

// figuresOf compares an actual with its budget under one account; nil is none.
func figuresOf(favourHigh bool, budgeted, actual *money.Sum) (f Figures) {
	if budgeted != nil {
		f.Budget, f.Budgeted = *budgeted, true
	}
	if actual != nil {
		f.Actual, f.Posted = *actual, true
	}
	f.Variance = f.Budget.Minus(f.Actual)
	if favourHigh {
		f.Variance = f.Actual.Minus(f.Budget)
	}
	return f
}

// plus adds other figures, column by column.
func (f Figures) plus(o Figures) Figures {
	return Figures{
		Budget:   f.Budget.Plus(o.Budget),
		Actual:   f.Actual.Plus(o.Actual),
		Variance: f.Variance.Plus(o.Variance),
		Budgeted: f.Budgeted || o.Budgeted,
		Posted:   f.Posted || o.Posted,
	}
}

// net are the figures of an account as they count towards the result: what does not
// favour a high actual is taken away. So budget and variance add up to the actual.
func (f Figures) net(favourHigh bool) Figures {
	if !favourHigh {
		return f.deducted()
	}
	return f
}

// within are the figures of an account as they count towards its type: a contra
// account, such as discounts among revenue, is taken away.
func (f Figures) within(a Account) Figures {
	if a.FavourHigh != (a.Type == Revenue) {
		return f.deducted()
	}
	return f
}

func (f Figures) deducted() Figures {
	var zero money.Sum
	f.Budget, f.Actual = zero.Minus(f.Budget), zero.Minus(f.Actual)
	return f
}
