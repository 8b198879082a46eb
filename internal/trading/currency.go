package trading

import (
	"daybook/internal/field"
	"daybook/internal/money"
	"daybook/internal/text"
)

// CurrencyID identifies a registered currency.
type CurrencyID int64

// Currency is a registered currency (interface.md, "Currencies and companies").
type Currency struct {
	ID   CurrencyID
	Code money.Currency
	Name text.Name
}

// CurrencyFields are the fields of a currency. The Book names one without a name.
var CurrencyFields = field.List[Currency]{
	field.ID("id", func(c *Currency) *CurrencyID { return &c.ID }).Assigned(),
	field.Text("code", money.ParseCurrency, func(c *Currency) *money.Currency { return &c.Code }),
	field.Text("name", text.ParseName, func(c *Currency) *text.Name { return &c.Name }).Default(func(c *Currency) { c.Name = text.Name(c.Code) }),
}

// UsedCurrency is a registered currency, and how often a portfolio uses it.
type UsedCurrency struct {
	Currency
	Trades    int64
	Companies int64
}
