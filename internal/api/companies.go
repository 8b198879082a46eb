package api

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/field"
	"daybook/internal/money"
	"daybook/internal/text"
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

func (a *api) addRevenue(c *request) error {
	return creation(c, http.StatusCreated, trading.RevenueFields, a.Book.AddRevenue)
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
	return list(c, a.Book.Revenues(c.Request.Context(), company), trading.RevenueFields.Append)
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

// namedRevenue is a revenue row under /api/v1, with the name of its company.
var namedRevenue = with(
	of(trading.RevenueFields, func(r *trading.NamedRevenue) *trading.Revenue { return &r.Revenue }),
	encoded(func(r trading.NamedRevenue) companyNameBody { return companyNameBody{r.Company} }),
)

type companyNameBody struct {
	Company text.Name `json:"company"`
}

// revenueCompany reads whose revenue is listed; nil is all companies.
func revenueCompany(f *form) *trading.CompanyID {
	return maybe(f, "company_id", field.AnyID[trading.CompanyID]())
}

func (a *api) pageRevenues(c *request) error {
	f := queryForm(c)
	after, limit := pageParameters[trading.RevenueID](f)
	filter := trading.RevenueFilter{CompanyID: revenueCompany(f), After: after, Limit: limit + 1}
	if err := f.err(); err != nil {
		return err
	}
	revenues, err := a.Book.RevenuePage(c.Request.Context(), filter)
	return page(c, revenues, limit, namedRevenue, func(r trading.NamedRevenue) trading.RevenueID { return r.ID }, err)
}
