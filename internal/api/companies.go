package api

import (
	"net/http"

	"daybook/internal/money"
	"daybook/internal/trading"
)

func (a *api) addCompany(c *request) error {
	return creation(c, http.StatusCreated, trading.CompanyFields, a.Book.AddCompany)
}

func (a *api) listCompanies(c *request) error {
	return list(c, a.Book.Companies(c.Request.Context()), trading.CompanyFields.Append)
}

// orNull is nil, which is null in JSON, for a zero value.
func orNull[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// companyUseBody is what a company under /api/v1 has besides its fields: the code of its currency, and how often it
// is used.
type companyUseBody struct {
	CurrencyCode *money.Currency `json:"currency_code"`
	Revenues     int64           `json:"revenues"`
}

func companyUseOf(c trading.UsedCompany) companyUseBody {
	return companyUseBody{CurrencyCode: orNull(c.CurrencyCode), Revenues: c.Revenues}
}

func (a *api) pageCompanies(c *request) error {
	f := queryForm(c)
	after, limit := pageParameters[trading.CompanyID](f)
	if err := f.err(); err != nil {
		return err
	}
	companies, err := a.Book.CompanyPage(c.Request.Context(), after, limit+1)
	encode := with(of(trading.CompanyFields, func(c *trading.UsedCompany) *trading.Company { return &c.Company }), encoded(companyUseOf))
	return page(c, companies, limit, encode, func(c trading.UsedCompany) trading.CompanyID { return c.ID }, err)
}
