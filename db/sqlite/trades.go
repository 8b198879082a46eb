package sqlite

import (
	"context"
	"iter"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// AddTrades implements trading.Store.
func (s *Store) AddTrades(ctx context.Context, trades []trading.Trade) ([]trading.Trade, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) ([]trading.Trade, error) {
		stored := make([]trading.Trade, len(trades))
		held := positions{}
		for i, t := range trades {
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
			if err := held.take(ctx, q.Queries, t); err != nil {
				return stored, err
			}
			if err := q.tell(ctx, journal.Trades, id, nil, tradeRecord(t)); err != nil {
				return stored, err
			}
			stored[i] = t
		}
		return stored, held.put(ctx, q)
	})
}

// VoidTrade implements trading.Store.
func (s *Store) VoidTrade(ctx context.Context, id trading.TradeID) (trading.Trade, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (void trading.Trade, err error) {
		row, err := q.DeleteTrade(ctx, int64(id))
		if isNoRow(err) {
			return void, fault.New(fault.NotFound, "there is no trade %d", id)
		}
		if err != nil {
			return void, err
		}
		void = tradeOf(row)
		if err := refoldPosition(ctx, q, void.Instrument); err != nil {
			return void, err
		}
		return void, q.tell(ctx, journal.Trades, int64(id), tradeRecord(void), nil)
	})
}

// Trades implements trading.Store.
func (s *Store) Trades(ctx context.Context) iter.Seq2[trading.Trade, error] {
	return func(yield func(trading.Trade, error) bool) {
		var newest int64
		err := s.scan(ctx, func(c *scanner) (err error) {
			newest, err = c.newestTradeID()
			return err
		})
		if err != nil {
			yield(trading.Trade{}, err)
			return
		}
		abreast(newest, func(page []trading.Trade, after, through int64) (_ []trading.Trade, reached int64, err error) {
			err = s.scan(ctx, func(c *scanner) (err error) {
				page, reached, err = c.tradesAfter(page, after, through)
				return err
			})
			return page, reached, err
		})(yield)
	}
}

// TradePage implements trading.Store.
func (s *Store) TradePage(ctx context.Context, f trading.TradeFilter) ([]trading.Trade, error) {
	rows, err := s.reader.PageTrades(ctx, gen.PageTradesParams{
		After:        int64(f.After),
		Symbol:       f.Symbol,
		CurrencyCode: f.Currency,
		Product:      f.Product,
		Side:         f.Side,
		TradedFrom:   instant(f.From),
		TradedTo:     instant(f.To),
		Most:         int64(f.Limit),
	})
	return eachOf(tradeOf, rows, err)
}

func tradeOf(r gen.Trade) trading.Trade {
	return trading.Trade{
		ID: trading.TradeID(r.ID),
		Instrument: trading.Instrument{
			Symbol:   trading.Symbol(r.Symbol),
			Currency: money.Currency(r.CurrencyCode),
			Product:  trading.Product(r.Product),
		},
		Shares: trading.Shares(r.Shares),
		Side:   trading.Side(r.Side),
		Price:  money.Price(r.Price),
		Date:   dateOf(r.TradedAt),
	}
}

// dateOf is the instant that a column holds as nanoseconds since 1970.
func dateOf(nanoseconds int64) time.Time { return time.Unix(0, nanoseconds).UTC() }

// instant is the column of an optional date.
func instant(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	nanoseconds := t.UnixNano()
	return &nanoseconds
}
