package api

import (
	"slices"

	"daybook/internal/budget"
	"daybook/internal/field"
	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// filtersBody is the choices in the filters of a screen. Year and period are null if nothing is
// budgeted or booked.
type filtersBody struct {
	FiscalYear     *fiscal.Year     `json:"fiscal_year"`
	FiscalPeriod   *fiscal.Period   `json:"fiscal_period"`
	Years          []fiscal.Year    `json:"years"`
	Currencies     []money.Currency `json:"currencies"`
	AlertThreshold money.Percent    `json:"alert_threshold"`
	Empty          bool             `json:"empty"`
}

func (a *api) filters(c *request) error {
	f := queryForm(c)
	month := monthFilter(f)
	if err := f.err(); err != nil {
		return err
	}
	ledger, err := a.Ledger.Filters(c.Request.Context(), month)
	if err != nil {
		return err
	}
	traded, err := a.Book.TradedCurrencies(c.Request.Context())
	if err != nil {
		return err
	}
	currencies := slices.Concat(ledger.Currencies, traded)
	slices.Sort(currencies)
	empty, err := a.empty(c)
	return ok(c, filtersBody{
		FiscalYear: shown(ledger.Newest.Year, ledger.Newest.Year != 0), FiscalPeriod: shown(ledger.Newest.Period, ledger.Newest.Period != 0),
		Years: ledger.Years, Currencies: slices.Compact(currencies),
		AlertThreshold: budget.DefaultThreshold(), Empty: empty,
	}, err)
}

// monthFilter reads `year` and `period`; 0 is any.
func monthFilter(f *form) budget.Month {
	return budget.Month{
		Year:   optional(f, "year", 0, field.Whole(fiscal.NewYear)),
		Period: optional(f, "period", 0, field.Whole(fiscal.NewPeriod)),
	}
}

// empty reports whether there are no records at all.
func (a *api) empty(c *request) (bool, error) {
	empty, err := a.Ledger.BudgetEmpty(c.Request.Context())
	if err == nil && empty {
		empty, err = a.Book.TradingEmpty(c.Request.Context())
	}
	return empty, err
}
