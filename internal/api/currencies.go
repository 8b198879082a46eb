package api

import (
	"net/http"

	"daybook/internal/trading"
)

func (a *api) addCurrency(c *request) error {
	return creation(c, http.StatusCreated, trading.CurrencyFields, a.Book.AddCurrency)
}

func (a *api) listCurrencies(c *request) error {
	return list(c, a.Book.Currencies(c.Request.Context()), trading.CurrencyFields.Append)
}

// currencyUseBody is what a currency under /api/v1 has besides its fields: whether ISO 4217 has it, and how often it
// is used.
type currencyUseBody struct {
	ISO         bool  `json:"iso"`
	Trades      int64 `json:"trades"`
	Companies   int64 `json:"companies"`
	BudgetLines int64 `json:"budget_lines"`
	Actuals     int64 `json:"actuals"`
}

func (a *api) pageCurrencies(c *request) error {
	f := queryForm(c)
	after, limit := pageParameters[trading.CurrencyID](f)
	if err := f.err(); err != nil {
		return err
	}
	usage, err := a.Ledger.Usage(c.Request.Context())
	if err != nil {
		return err
	}
	currencies, err := a.Book.CurrencyPage(c.Request.Context(), after, limit+1)
	used := encoded(func(u trading.UsedCurrency) currencyUseBody {
		return currencyUseBody{
			ISO: u.Code.ISO(), Trades: u.Trades, Companies: u.Companies,
			BudgetLines: usage.Lines.Currencies[u.Code], Actuals: usage.Actuals.Currencies[u.Code],
		}
	})
	encode := with(of(trading.CurrencyFields, func(u *trading.UsedCurrency) *trading.Currency { return &u.Currency }), used)
	return page(c, currencies, limit, encode, func(u trading.UsedCurrency) trading.CurrencyID { return u.ID }, err)
}
