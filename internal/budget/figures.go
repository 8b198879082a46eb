package budget

import "daybook/internal/money"

// Figures are sums of budgets and actuals, and their variance.
type Figures struct {
	Budget   money.Sum
	Actual   money.Sum
	Variance money.Sum // positive is good for profit, whatever the accounts
	Budgeted bool      // a budget line is among them, even one of 0
	Posted   bool      // an actual is among them, even one of 0
}

// Percent is the variance in percent of the budget, by the rule of every report.
func (f Figures) Percent() money.Percent { return percent(f.Variance, f.Budget, f.Actual) }

// Status says whether the variance is good for profit.
func (f Figures) Status() Status { return statusOf(f.Variance) }

// Unbudgeted reports actuals without any budget line.
func (f Figures) Unbudgeted() bool { return f.Posted && !f.Budgeted }

// figuresOf compares a budget and an actual of one account; nil is none.
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

// net are the figures of an account as part of the net result: an account that does not favour a high
// actual is subtracted. So budget and variance add up to the actual.
func (f Figures) net(favourHigh bool) Figures {
	if !favourHigh {
		return f.deducted()
	}
	return f
}

// within are the figures of an account as part of its type: a contra account, such as discounts in
// revenue, is subtracted.
func (f Figures) within(a Account) Figures {
	if a.Contra() {
		return f.deducted()
	}
	return f
}

func (f Figures) deducted() Figures {
	var zero money.Sum
	f.Budget, f.Actual = zero.Minus(f.Budget), zero.Minus(f.Actual)
	return f
}
