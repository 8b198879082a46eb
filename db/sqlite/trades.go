package sqlite

import (
	"cmp"
	"context"
	"iter"
	"math"
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

// fewTrades is how many trades of a symbol are sooner sorted than found among all others.
const fewTrades = 50_000

// TradePage implements trading.Store.
func (s *Store) TradePage(ctx context.Context, f trading.TradeFilter) ([]trading.Trade, error) {
	few := f.Symbol != nil
	if few {
		trades, err := s.reader.CountSymbolTrades(ctx, string(*f.Symbol))
		if err != nil {
			return nil, classify(err)
		}
		few = trades <= fewTrades
	}
	return s.tradePage(ctx, f, few)
}

// tradePage looks through all trades in the order of their ids, or through the few of
// the symbol.
func (s *Store) tradePage(ctx context.Context, f trading.TradeFilter, few bool) ([]trading.Trade, error) {
	up := gen.PageTradesParams{
		After:        int64(f.After),
		Symbol:       f.Symbol,
		CurrencyCode: f.Currency,
		Product:      f.Product,
		Side:         f.Side,
		TradedFrom:   instant(f.From),
		TradedTo:     instant(f.To),
		Most:         int64(f.Limit),
	}
	down := gen.PageTradesDownParams{
		Before:       cmp.Or(up.After, math.MaxInt64),
		Symbol:       up.Symbol,
		CurrencyCode: up.CurrencyCode,
		Product:      up.Product,
		Side:         up.Side,
		TradedFrom:   up.TradedFrom,
		TradedTo:     up.TradedTo,
		Most:         up.Most,
	}
	var rows []gen.Trade
	var err error
	switch {
	case few && f.Newest:
		rows, err = s.reader.PageSymbolTradesDown(ctx, gen.PageSymbolTradesDownParams{
			Symbol: string(*f.Symbol), Before: down.Before, CurrencyCode: down.CurrencyCode, Product: down.Product,
			Side: down.Side, TradedFrom: down.TradedFrom, TradedTo: down.TradedTo, Most: down.Most,
		})
	case few:
		rows, err = s.reader.PageSymbolTrades(ctx, gen.PageSymbolTradesParams{
			Symbol: string(*f.Symbol), After: up.After, CurrencyCode: up.CurrencyCode, Product: up.Product,
			Side: up.Side, TradedFrom: up.TradedFrom, TradedTo: up.TradedTo, Most: up.Most,
		})
	case f.Newest:
		rows, err = s.reader.PageTradesDown(ctx, down)
	default:
		rows, err = s.reader.PageTrades(ctx, up)
	}
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
