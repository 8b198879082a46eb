package trading

import (
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

// UsedCurrency is a registered currency, and how often a portfolio uses it.
type UsedCurrency struct {
	Currency
	Trades    int64
	Companies int64
}
