package trading

import (
	"daybook/internal/money"
	"daybook/internal/text"
)

// CurrencyID identifies a registered currency.
type CurrencyID int64

// Currency is a registered currency (trading document, "Currency").
type Currency struct {
	ID   CurrencyID
	Code money.Currency
	Name text.Name
}
