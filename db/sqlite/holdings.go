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

// The columns of ListQuotes.
const (
	quoteCompany = iota
	quotePrice
	quoteCurrency
)

var quoteColumns = []string{
	quoteCompany:  "name",
	quotePrice:    "price",
	quoteCurrency: "currency_code",
}

// Quotes implements trading.Inventory.
func (i inventory) Quotes() iter.Seq2[trading.Quote, error] {
	row := i.quotes
	return cursor.Stream(row, func() trading.Quote {
		return trading.Quote{
			Company: text.Name(row.Text(quoteCompany)), Price: money.Price(row.Int(quotePrice)), Currency: money.Currency(i.text(row.Text(quoteCurrency))),
		}
	})
}

// The columns of ListHoldings.
const (
	holdingSymbol = iota
	holdingCurrency
	holdingProduct
	holdingQuantity
	holdingAveragePrice
	holdingAverageRest
	holdingTradedAt
	holdingLastPrice
	holdingFirstTradedAt
	holdingTrades
	holdingNetCostHigh
	holdingNetCostLow
)

var holdingColumns = []string{
	holdingSymbol:        "symbol",
	holdingCurrency:      "currency_code",
	holdingProduct:       "product",
	holdingQuantity:      "quantity",
	holdingAveragePrice:  "average_price",
	holdingAverageRest:   "average_rest",
	holdingTradedAt:      "traded_at",
	holdingLastPrice:     "last_price",
	holdingFirstTradedAt: "first_traded_at",
	holdingTrades:        "trades",
	holdingNetCostHigh:   "net_cost_high",
	holdingNetCostLow:    "net_cost_low",
}

// Positions implements trading.Inventory.
func (i inventory) Positions(after trading.Instrument) iter.Seq2[trading.Position, error] {
	row := i.holdings
	return cursor.Stream(row, func() trading.Position {
		return rows.Position(gen.Position{
			Symbol: string(row.Text(holdingSymbol)), CurrencyCode: i.text(row.Text(holdingCurrency)), Product: row.Int(holdingProduct), Quantity: row.Int(holdingQuantity),
			AveragePrice: row.Int(holdingAveragePrice), AverageRest: row.Int(holdingAverageRest), TradedAt: row.Int(holdingTradedAt),
			LastPrice: row.Int(holdingLastPrice), FirstTradedAt: row.Int(holdingFirstTradedAt), Trades: row.Int(holdingTrades),
			NetCostHigh: row.Int(holdingNetCostHigh), NetCostLow: row.Int(holdingNetCostLow),
		})
	}, string(after.Symbol), string(after.Currency), int64(after.Product))
}

// The columns of ListTraded.
const (
	tradedCurrency = iota
	tradedTrades
)

var tradedColumns = []string{
	tradedCurrency: "currency_code",
	tradedTrades:   "trades",
}

// Traded implements trading.Inventory.
func (i inventory) Traded() iter.Seq2[trading.Traded, error] {
	row := i.traded
	return cursor.Stream(row, func() trading.Traded {
		return trading.Traded{Currency: money.Currency(row.Text(tradedCurrency)), Trades: row.Int(tradedTrades)}
	})
}
