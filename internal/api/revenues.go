package api

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/field"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

type revenueBody struct {
	ID           trading.RevenueID `json:"id"`
	CompanyID    trading.CompanyID `json:"company_id"`
	Category     text.Name         `json:"category"`
	Amount       money.Amount      `json:"amount"`
	FiscalYear   *fiscal.Year      `json:"fiscal_year"`
	CurrencyCode *money.Currency   `json:"currency_code"`
}

func revenueOf(r trading.Revenue) revenueBody {
	return revenueBody{
		ID: r.ID, CompanyID: r.CompanyID, Category: r.Category, Amount: r.Amount,
		FiscalYear: orNull(r.FiscalYear), CurrencyCode: orNull(r.CurrencyCode),
	}
}

func (a *api) addRevenue(c *request) error {
	return creationAs(c, http.StatusCreated, newRevenue, a.Book.AddRevenue, encoded(revenueOf))
}

func newRevenue(f *form) trading.Revenue {
	return trading.Revenue{
		CompanyID:    required(f, "company_id", field.AnyID[trading.CompanyID]()),
		Category:     required(f, "category", field.String(text.ParseName)),
		Amount:       required(f, "amount", field.Decimal(money.ParseAmount, money.ParseComputedAmount)),
		FiscalYear:   optional(f, "fiscal_year", 0, field.Whole(fiscal.NewYear)),
		CurrencyCode: optional(f, "currency_code", "", field.String(money.ParseCurrency)),
	}
}

// companyParameter reads the company that a listing of revenue is about.
func companyParameter(c *request) (trading.CompanyID, error) {
	f := queryForm(c)
	company := required(f, "company_id", field.AnyID[trading.CompanyID]())
	return company, f.err()
}

func (a *api) listRevenues(c *request) error {
	company, err := companyParameter(c)
	if err != nil {
		return err
	}
	return list(c, a.Book.Revenues(c.Request.Context(), company), encoded(revenueOf))
}

func (a *api) listRevenueCategories(c *request) error {
	company, err := companyParameter(c)
	if err != nil {
		return err
	}
	return list(c, a.Book.RevenueCategories(c.Request.Context(), company), func(b []byte, category *text.Name) ([]byte, error) {
		return jsontext.AppendQuote(b, *category)
	})
}

// namedRevenueBody is a revenue row under /api/v1, with the name of its company.
type namedRevenueBody struct {
	revenueBody
	Company text.Name `json:"company"`
}

func namedRevenueOf(r trading.NamedRevenue) namedRevenueBody {
	return namedRevenueBody{revenueBody: revenueOf(r.Revenue), Company: r.Company}
}

func (a *api) pageRevenues(c *request) error {
	f := queryForm(c)
	after, limit := pageParameters[trading.RevenueID](f)
	filter := trading.RevenueFilter{CompanyID: maybe(f, "company_id", field.AnyID[trading.CompanyID]()), After: after, Limit: limit + 1}
	if err := f.err(); err != nil {
		return err
	}
	revenues, err := a.Book.RevenuePage(c.Request.Context(), filter)
	return page(c, revenues, limit, encoded(namedRevenueOf), func(r trading.NamedRevenue) trading.RevenueID { return r.ID }, err)
}
