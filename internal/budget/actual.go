package budget

import (
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
