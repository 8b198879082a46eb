package budget

import "daybook/internal/money"

// Status says whether a variance is good for profit.
type Status string

// The statuses.
const (
	Favourable   Status = "favourable"
	Unfavourable Status = "unfavourable"
)

// Variance is the difference between a budgeted and an actual figure.
type Variance struct {
	Budget  money.Amount
	Actual  money.Amount
	Abs     money.Amount // positive is good for profit, whatever the account
	Percent money.Percent
	Status  Status
}

// NewVariance compares an actual with its budget. A cost over budget is negative and unfavourable, as is
// revenue under budget.
func NewVariance(favourHigh bool, budgeted, actual money.Amount) Variance {
	v := Variance{Budget: budgeted, Actual: actual, Abs: budgeted - actual}
	if favourHigh {
		v.Abs = actual - budgeted
	}
	abs := money.SumOf(v.Abs)
	v.Percent, v.Status = percent(abs, money.SumOf(budgeted), money.SumOf(actual)), statusOf(abs)
	return v
}

// statusOf is the status of a variance: one of 0 is favourable.
func statusOf(variance money.Sum) Status {
	if variance.Sign() < 0 {
		return Unfavourable
	}
	return Favourable
}

// percent is variance / |budget| x 100 with two decimals, half away from zero. A
// budget of 0 gives 0 when the actual is 0 too, else 100 with the variance's sign, so
// that unbudgeted spend reaches the alerts (interface.md, "Variance").
func percent(variance, budgeted, actual money.Sum) money.Percent {
	switch {
	case budgeted.Sign() != 0:
		return money.PercentOf(variance, budgeted)
	case actual.Sign() == 0:
		return money.Percent{}
	}
	return money.WholePercent(100 * int64(variance.Sign()))
}
