package budget

import (
	"context"
	"slices"

	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// Filters are the values that reports can be filtered by.
type Filters struct {
	Newest     Month            // the newest month that matches what was asked for; see Usage.Newest
	Years      []fiscal.Year    // that have budgets or actuals, the newest first
	Currencies []money.Currency // of budgets and actuals, by code, at most MostCurrencies
}

// Filters returns the values that reports can be filtered by, and the newest month of the
// year and period that are given; 0 stands for any.
func (l *Ledger) Filters(ctx context.Context, asked Month) (Filters, error) {
	usage, err := l.Usage(ctx)
	if err != nil {
		return Filters{}, err
	}
	years := usage.Years()
	slices.Reverse(years)
	return Filters{Newest: usage.Newest(asked, l.horizon()), Years: years, Currencies: usage.Currencies()}, nil
}
