package trading

import (
	"fmt"

	"daybook/internal/field"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// CompanyID identifies a company.
type CompanyID int64

// Company is a company and the price of a share of it (interface.md, "Currencies and companies").
type Company struct {
	ID                CompanyID
	Name              text.Name
	SharesOutstanding Outstanding
	Price             money.Price // not negative
	CurrencyID        CurrencyID  // 0 = none
}

// CompanyFields are the fields of a company.
var CompanyFields = field.List[Company]{
	field.ID("id", func(c *Company) *CompanyID { return &c.ID }).Assigned(),
	field.Text("name", text.ParseName, func(c *Company) *text.Name { return &c.Name }),
	field.Integer("shares_outstanding", NewOutstanding, func(c *Company) *Outstanding { return &c.SharesOutstanding }).Optional(),
	field.Price("price", ParsePrice, ParseComputedPrice, func(c *Company) *money.Price { return &c.Price }).Optional(),
	field.ID("currency_id", func(c *Company) *CurrencyID { return &c.CurrencyID }).Optional().OrNull(),
}

// UsedCompany is a company, the code of its currency, and how often it is used.
type UsedCompany struct {
	Company
	CurrencyCode money.Currency // "" = none
	Revenues     int64
}

// Outstanding is a number of shares outstanding, 0 or more.
type Outstanding int64

// NewOutstanding returns n as shares outstanding. The error continues the field's
// name.
func NewOutstanding(n int64) (Outstanding, error) {
	if n < 0 {
		return 0, fmt.Errorf("must be 0 or more, got %d", n)
	}
	return Outstanding(n), nil
}

// ParsePrice reads a price that is not negative. The error continues the field's
// name.
func ParsePrice(raw string) (money.Price, error) { return notNegative(money.ParsePrice(raw)) }

// ParseComputedPrice is ParsePrice of a number that a client may have computed in floats.
func ParseComputedPrice(raw string) (money.Price, error) {
	return notNegative(money.ParseComputedPrice(raw))
}

func notNegative(p money.Price, err error) (money.Price, error) {
	if err == nil && p < 0 {
		err = fmt.Errorf("must be 0 or more, got %s", p)
	}
	return p, err
}

// RevenueID identifies a revenue row.
type RevenueID int64

// Revenue is what a company earned in one category (interface.md, "Currencies and companies").
type Revenue struct {
	ID           RevenueID
	CompanyID    CompanyID
	Category     text.Name
	Amount       money.Amount
	FiscalYear   fiscal.Year    // 0 = unknown
	CurrencyCode money.Currency // "" = unknown
}

// RevenueFields are the fields of a revenue row.
var RevenueFields = field.List[Revenue]{
	field.ID("id", func(r *Revenue) *RevenueID { return &r.ID }).Assigned(),
	field.ID("company_id", func(r *Revenue) *CompanyID { return &r.CompanyID }),
	field.Text("category", text.ParseName, func(r *Revenue) *text.Name { return &r.Category }),
	field.Amount("amount", func(r *Revenue) *money.Amount { return &r.Amount }),
	field.Integer("fiscal_year", fiscal.NewYear, func(r *Revenue) *fiscal.Year { return &r.FiscalYear }).Optional().OrNull(),
	field.Text("currency_code", money.ParseCurrency, func(r *Revenue) *money.Currency { return &r.CurrencyCode }).Optional().OrNull(),
}

// NamedRevenue is a revenue row and the name of its company.
type NamedRevenue struct {
	Revenue
	Company text.Name
}
