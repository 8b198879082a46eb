package api

import (
	"net/http"

	"daybook/internal/field"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

type companyBody struct {
	ID                trading.CompanyID   `json:"id"`
	Name              text.Name           `json:"name"`
	SharesOutstanding trading.Outstanding `json:"shares_outstanding"`
	Price             money.Price         `json:"price"`
	CurrencyID        *trading.CurrencyID `json:"currency_id"`
}

func companyOf(c trading.Company) companyBody {
	return companyBody{
		ID: c.ID, Name: c.Name, SharesOutstanding: c.SharesOutstanding, Price: c.Price, CurrencyID: orNull(c.CurrencyID),
	}
}

func (a *api) addCompany(c *request) error {
	return creationAs(c, http.StatusCreated, newCompany, a.Book.AddCompany, encoded(companyOf))
}

func newCompany(f *form) trading.Company {
	return trading.Company{
		Name:              required(f, "name", field.String(text.ParseName)),
		SharesOutstanding: optional(f, "shares_outstanding", 0, field.Whole(trading.NewOutstanding)),
		Price:             optional(f, "price", 0, field.Decimal(trading.ParsePrice, trading.ParseComputedPrice)),
		CurrencyID:        optional(f, "currency_id", 0, field.AnyID[trading.CurrencyID]()),
	}
}

func (a *api) listCompanies(c *request) error {
	return list(c, a.Book.Companies(c.Request.Context()), encoded(companyOf))
}

// orNull is nil, which is null in JSON, for a zero value.
func orNull[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// usedCompanyBody is a company under /api/v1, with how often it is used.
type usedCompanyBody struct {
	companyBody
	CurrencyCode *money.Currency `json:"currency_code"`
	Revenues     int64           `json:"revenues"`
}

func usedCompanyOf(c trading.UsedCompany) usedCompanyBody {
	return usedCompanyBody{companyBody: companyOf(c.Company), CurrencyCode: orNull(c.CurrencyCode), Revenues: c.Revenues}
}

func (a *api) pageCompanies(c *request) error {
	f := queryForm(c)
	after, limit := pageParameters[trading.CompanyID](f)
	if err := f.err(); err != nil {
		return err
	}
	companies, err := a.Book.CompanyPage(c.Request.Context(), after, limit+1)
	return page(c, companies, limit, encoded(usedCompanyOf), func(c trading.UsedCompany) trading.CompanyID { return c.ID }, err)
}
