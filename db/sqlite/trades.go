package sqlite

import (
	"context"
	"iter"
	"time"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// AddTrades implements trading.Store.
func (s *Store) AddTrades(ctx context.Context, trades []trading.Trade) ([]trading.Trade, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) ([]trading.Trade, error) {
		stored := make([]trading.Trade, len(trades))
		for i, t := range trades {
			t = t.Dated(q.scribe.at)
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
			if err := q.tell(ctx, journal.Trades, id, nil, tradeRecord(t)); err != nil {
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
		if isNoRow(err) {
			return void, fault.New(fault.NotFound, "there is no trade %d", id)
		}
		if err != nil {
			return void, err
		}
		void = tradeOf(row)
		q.positions.change(void.Instrument, void.Date)
		return void, q.tell(ctx, journal.Trades, int64(id), tradeRecord(void), nil)
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
		abreast(newest, func(page []trading.Trade, after, through int64) (_ []trading.Trade, reached int64, err error) {
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
	return readPage(ctx, s, tradePage(f), tradeAt)
}

// tradeAt is the trade of a row of tradeList.
func tradeAt(s *scanner, row *cursor.Rows) trading.Trade {
	return trading.Trade{
		ID: trading.TradeID(row.Int(0)),
		Instrument: trading.Instrument{
			Symbol:   trading.Symbol(s.text(row.Text(1))),
			Currency: money.Currency(s.text(row.Text(2))),
			Product:  trading.Product(row.Int(4)),
		},
		Shares: trading.Shares(row.Int(3)),
		Side:   trading.Side(row.Int(5)),
		Price:  money.Price(row.Int(6)),
		Date:   dateOf(row.Int(7)),
	}
}

func tradePage(f trading.TradeFilter) page {
	p := newPage(&tradeList, tradeOrders[f.Sort])
	p.down, p.after, p.limit, p.walk = f.Down, f.After, f.Limit, walkedTrades
	p.where = narrow(p.where, "symbol", "= ?", f.Symbol)
	p.where = narrow(p.where, "currency_code", "= ?", f.Currency)
	p.where = narrow(p.where, "product", "= ?", f.Product)
	p.where = narrow(p.where, "side", "= ?", f.Side)
	p.where = narrow(p.where, "traded_at", ">= ?", instant(f.From))
	p.where = narrow(p.where, "traded_at", "< ?", instant(f.To))
	return p
}

// tradeList is the table of trades as it is read in pages.
var tradeList = list{
	table: "trades", of: journal.Trades, columns: "id, symbol, currency_code, shares, product, side, price, traded_at",
	key: []keyPart{{"symbol", ""}}, byID: true,
}

// walkedTrades is how many ids are walked: they lie side by side.
const walkedTrades = 100_000

// tradeOrders are those of trades, but for that of the ids.
var tradeOrders = map[trading.Sort]order{
	trading.SortByDate: {by: "traded_at"},
	trading.SortBySymbol: {
		by: "symbol", kind: byText, along: []string{"symbol"},
		values: func(at rank) []any { return []any{at.text} },
	},
	trading.SortByShares: {by: "shares"},
	trading.SortByPrice:  {by: "price"},
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
