package api

import (
	"net/http"

	"daybook/internal/field"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

type currencyBody struct {
	ID   trading.CurrencyID `json:"id"`
	Code money.Currency     `json:"code"`
	Name text.Name          `json:"name"`
}

func currencyOf(c trading.Currency) currencyBody { return currencyBody(c) }

func (a *api) addCurrency(c *request) error {
	return creationAs(c, http.StatusCreated, newCurrency, a.Book.AddCurrency, encoded(currencyOf))
}

func newCurrency(f *form) trading.Currency {
	return trading.Currency{
		Code: required(f, "code", field.String(money.ParseCurrency)),
		Name: optional(f, "name", "", field.String(text.ParseName)),
	}
}

func (a *api) listCurrencies(c *request) error {
	return list(c, a.Book.Currencies(c.Request.Context()), encoded(currencyOf))
}

// usedCurrencyBody is a currency under /api/v1, with how often it is used.
type usedCurrencyBody struct {
	currencyBody
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
	return page(c, currencies, limit, encoded(func(u trading.UsedCurrency) usedCurrencyBody {
		return usedCurrencyBody{
			currencyBody: currencyOf(u.Currency), ISO: u.Code.ISO(), Trades: u.Trades, Companies: u.Companies,
			BudgetLines: usage.Lines.Currencies[u.Code], Actuals: usage.Actuals.Currencies[u.Code],
		}
	}), func(u trading.UsedCurrency) trading.CurrencyID { return u.ID }, err)
}
