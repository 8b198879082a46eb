package sqlite

import (
	"context"
	"iter"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/journal"
	"daybook/internal/listing"
	"daybook/internal/trading"
)

// AddTrades implements trading.Store.
func (s *Store) AddTrades(ctx context.Context, trades []trading.Trade) ([]trading.Trade, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) ([]trading.Trade, error) {
		stored := make([]trading.Trade, len(trades))
		for i, t := range trades {
			t = t.Dated(q.journal.At)
			if err := checkCurrency(ctx, q.Queries, "currency_code", t.Currency); err != nil {
				return stored, err
			}
			id, err := q.InsertTrade(ctx, gen.InsertTradeParams{
				Symbol:       string(t.Symbol),
				CurrencyCode: string(t.Currency),
				Shares:       int64(t.Shares),
				Product:      int64(t.Product),
				Side:         int64(t.Side),
				Price:        int64(t.Price),
				TradedAt:     t.Date.UnixNano(),
			})
			if err != nil {
				return stored, err
			}
			t.ID = trading.TradeID(id)
			if err := q.positions.take(ctx, q.Queries, t); err != nil {
				return stored, err
			}
			if err := q.tell(ctx, journal.Trades, id, nil, records.Trade(t)); err != nil {
				return stored, err
			}
			stored[i] = t
		}
		return stored, nil
	})
}

// VoidTrade implements trading.Store.
func (s *Store) VoidTrade(ctx context.Context, id trading.TradeID) (trading.Trade, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (void trading.Trade, err error) {
		row, err := q.DeleteTrade(ctx, int64(id))
		if err != nil {
			return void, sqlerr.Missing(err, "there is no trade %d", id)
		}
		void = rows.Trade(row)
		q.positions.change(void.Instrument, void.Date)
		return void, q.tell(ctx, journal.Trades, int64(id), records.Trade(void), nil)
	})
}

// replaceTrade sets all fields of the trade that has the id.
func replaceTrade(ctx context.Context, q *tx, t trading.Trade) error {
	if err := checkCurrency(ctx, q.Queries, "currency_code", t.Currency); err != nil {
		return err
	}
	row, err := q.GetTrade(ctx, int64(t.ID))
	if err != nil {
		return err
	}
	return updateTrade(ctx, q, rows.Trade(row), t)
}

// updateTrade gives a trade other fields, and marks the positions that it was in and is in.
func updateTrade(ctx context.Context, q *tx, before, after trading.Trade) error {
	q.positions.change(before.Instrument, before.Date)
	q.positions.change(after.Instrument, after.Date)
	return q.ReplaceTrade(ctx, gen.ReplaceTradeParams{
		Symbol: string(after.Symbol), CurrencyCode: string(after.Currency), Shares: int64(after.Shares), Product: int64(after.Product),
		Side: int64(after.Side), Price: int64(after.Price), TradedAt: after.Date.UnixNano(), ID: int64(after.ID),
	})
}

func deleteTrade(ctx context.Context, q *tx, t trading.Trade) error {
	_, err := q.DeleteTrade(ctx, int64(t.ID))
	q.positions.change(t.Instrument, t.Date)
	return err
}

// putBackTrade stores a trade under its id.
func putBackTrade(ctx context.Context, q *tx, t trading.Trade) error {
	if err := checkCurrency(ctx, q.Queries, "currency_code", t.Currency); err != nil {
		return err
	}
	q.positions.change(t.Instrument, t.Date) // a trade of the same date may have a higher id
	return q.PutBackTrade(ctx, gen.PutBackTradeParams{
		ID: int64(t.ID), Symbol: string(t.Symbol), CurrencyCode: string(t.Currency), Shares: int64(t.Shares),
		Product: int64(t.Product), Side: int64(t.Side), Price: int64(t.Price), TradedAt: t.Date.UnixNano(),
	})
}

// Trades implements trading.Store.
func (s *Store) Trades(ctx context.Context) iter.Seq2[trading.Trade, error] {
	return func(yield func(trading.Trade, error) bool) {
		var newest int64
		err := s.scanInTurn(ctx, func(c *scanner) (err error) {
			newest, err = c.newestTradeID()
			return err
		})
		if err != nil {
			yield(trading.Trade{}, err)
			return
		}
		prefetch(newest, func(page []trading.Trade, after, through int64) (_ []trading.Trade, reached int64, err error) {
			err = s.scanInTurn(ctx, func(c *scanner) (err error) {
				page, reached, err = c.tradesAfter(page, after, through)
				return err
			})
			return page, reached, err
		})(yield)
	}
}

// TradePage implements trading.Store.
func (s *Store) TradePage(ctx context.Context, f trading.TradeFilter) (listing.Page[trading.Trade], error) {
	return readPage(ctx, s, tradePage(f), rows.Trade)
}

func tradePage(f trading.TradeFilter) page {
	p := page{list: &tradeList, sort: tradeOrders[f.Sort], down: f.Down, after: f.After, limit: f.Limit}
	p.where = narrow(p.where, "symbol", "= ?", f.Symbol)
	p.where = narrow(p.where, "currency_code", "= ?", f.Currency)
	p.where = narrow(p.where, "product", "= ?", f.Product)
	p.where = narrow(p.where, "side", "= ?", f.Side)
	p.where = narrow(p.where, "traded_at", ">= ?", instant(f.From))
	p.where = narrow(p.where, "traded_at", "< ?", instant(f.To))
	return p
}

// tradeList is the table of trades, read in pages.
var tradeList = list{
	table:   "trades",
	columns: []string{"id", "symbol", "currency_code", "shares", "product", "side", "price", "traded_at"},
}

// tradeOrders are the orders of trades, except by id.
var tradeOrders = map[trading.Sort]order{
	trading.SortByDate:   byColumn("traded_at"),
	trading.SortBySymbol: {name: "symbol", value: "symbol", text: true, columns: []string{"symbol"}},
	trading.SortByShares: byColumn("shares"),
	trading.SortByPrice:  byColumn("price"),
}

// instant returns an optional date as a column.
func instant(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	nanoseconds := t.UnixNano()
	return &nanoseconds
}
