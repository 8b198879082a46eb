package sqlite

import (
	"context"
	"iter"

	"daybook/db/sqlite/internal/cursor"
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
	row := i.quotes
	return stream(row, func() trading.Quote {
		return trading.Quote{
			Company: text.Name(row.Text(0)), Price: money.Price(row.Int(1)), Currency: money.Currency(i.text(row.Text(2))),
		}
	})
}

// Positions implements trading.Inventory.
func (i inventory) Positions(after trading.Instrument) iter.Seq2[trading.Position, error] {
	row := i.holdings
	return stream(row, func() trading.Position {
		return rows.Position(gen.Position{
			Symbol: string(row.Text(0)), CurrencyCode: i.text(row.Text(1)), Product: row.Int(2), Quantity: row.Int(3),
			AveragePrice: row.Int(4), AverageRest: row.Int(5), TradedAt: row.Int(6),
			LastPrice: row.Int(7), FirstTradedAt: row.Int(8), Trades: row.Int(9),
			NetCostHigh: row.Int(10), NetCostLow: row.Int(11),
		})
	}, string(after.Symbol), string(after.Currency), int64(after.Product))
}

// Traded implements trading.Inventory.
func (i inventory) Traded() iter.Seq2[trading.Traded, error] {
	row := i.traded
	return stream(row, func() trading.Traded {
		return trading.Traded{Currency: money.Currency(row.Text(0)), Trades: row.Int(1)}
	})
}

// stream yields values that are made of the rows of a query, each when it is asked for. One is yielded when
// Next has told that its columns were what they were read as.
func stream[T any](rows *cursor.Rows, record func() T, parameters ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		defer rows.Reset()
		var none, last T
		err := rows.Bind(parameters...)
		for more, first := true, true; more && err == nil; first = false {
			if more, err = rows.Next(); err == nil && !first && !yield(last, nil) {
				return
			}
			if more && err == nil {
				last = record()
			}
		}
		if err != nil {
			yield(none, err)
		}
	}
}
