package budget

import (
	"slices"

	"daybook/internal/field"
	"daybook/internal/money"
	"daybook/internal/text"
)

// ActualID identifies an actual.
type ActualID int64

// Actual is the amount that was earned or spent under one key (interface.md, "Actuals").
type Actual struct {
	ID ActualID
	Key
	Amount   money.Amount // negative for a reversal
	Currency money.Currency
	Source   text.Source // the feed it came from
}

// ActualFields are the fields of an actual.
var ActualFields = slices.Concat(
	field.List[Actual]{field.ID("id", func(a *Actual) *ActualID { return &a.ID }).Assigned()},
	keyFields(func(a *Actual) *Key { return &a.Key }),
	field.List[Actual]{
		field.Amount("amount", func(a *Actual) *money.Amount { return &a.Amount }),
		field.Text("currency", money.ParseCurrency, func(a *Actual) *money.Currency { return &a.Currency }),
		field.Text("source", text.ParseSource, func(a *Actual) *text.Source { return &a.Source }).Optional(),
	},
)
