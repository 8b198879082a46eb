package sqlite

import (
	"context"
	"iter"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// Holdings implements trading.Store.
func (s *Store) Holdings(ctx context.Context, read func(trading.Inventory) error) error {
	return s.consistent(ctx, func(c *scanner) error { return read(inventory{c}) })
}

// inventory reads from the snapshot of a scanner.
type inventory struct{ *scanner }

// Quotes implements trading.Inventory.
func (i inventory) Quotes() iter.Seq2[trading.Quote, error] {
	return mapped(i.quotes.All(), func(row gen.ListQuotesRow) trading.Quote {
		return trading.Quote{Company: text.Name(row.Name), Price: money.Price(row.Price), Currency: money.Currency(row.CurrencyCode)}
	})
}

// Positions implements trading.Inventory.
func (i inventory) Positions(after trading.Instrument) iter.Seq2[trading.Position, error] {
	return mapped(i.holdings.All(string(after.Symbol), string(after.Currency), int64(after.Product)), rows.Position)
}

// Traded implements trading.Inventory.
func (i inventory) Traded() iter.Seq2[trading.Traded, error] {
	return mapped(i.traded.All(), func(row gen.ListTradedRow) trading.Traded {
		return trading.Traded{Currency: money.Currency(row.CurrencyCode), Trades: row.Trades}
	})
}

// mapped maps the rows of a query.
func mapped[A, B any](from iter.Seq2[*A, error], f func(A) B) iter.Seq2[B, error] {
	return func(yield func(B, error) bool) {
		for row, err := range from {
			if !yield(f(*row), err) {
				return
			}
		}
	}
}
