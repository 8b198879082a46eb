package sqlite

import (
	"context"
	"database/sql"
	"iter"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// positions are those that one unit of work changes, each read and written once
// however many trades it takes.
type positions map[trading.Instrument]*heldPosition

type heldPosition struct {
	trading.Position
	late time.Time // the earliest date of a trade that came before others: to be folded anew from there
}

// take keeps the position of a trade that was just stored: by one step when the trade
// is the latest of its instrument.
func (p positions) take(ctx context.Context, q *gen.Queries, t trading.Trade) error {
	held := p[t.Instrument]
	if held == nil {
		row, err := q.GetPosition(ctx, string(t.Symbol), string(t.Currency), int64(t.Product))
		if err != nil && !isNoRow(err) {
			return err
		}
		held = &heldPosition{}
		if err == nil {
			held.Position = positionOf(row)
		}
		p[t.Instrument] = held
	}
	return held.take(t)
}

func (h *heldPosition) take(t trading.Trade) (err error) {
	switch anew := h.anew(); {
	case !anew && h.Precedes(t.Date):
		h.Position, err = h.Take(t)
	case !anew || t.Date.Before(h.late):
		h.late = t.Date
	}
	return err
}

func (h *heldPosition) anew() bool { return !h.late.IsZero() }

// put writes the positions that were taken into.
func (p positions) put(ctx context.Context, q *tx) error {
	for instrument, held := range p {
		if held.anew() {
			if err := refoldPosition(ctx, q, instrument, held.late); err != nil {
				return err
			}
		} else if err := putPosition(ctx, q.Queries, held.Position); err != nil {
			return err
		}
	}
	return nil
}

// refoldPosition makes the position of an instrument anew whose trades have changed, the
// earliest of those at a date.
func refoldPosition(ctx context.Context, q *tx, of trading.Instrument, changed time.Time) error {
	held, err := refoldPast(ctx, q, of, changed)
	if err != nil {
		return err
	}
	if held.Trades == 0 {
		return q.DeletePosition(ctx, string(of.Symbol), string(of.Currency), int64(of.Product))
	}
	return putPosition(ctx, q.Queries, held)
}

func putPosition(ctx context.Context, q *gen.Queries, p trading.Position) error {
	return q.PutPosition(ctx, gen.PutPositionParams(rowOf(p)))
}

// rowOf is a position as its table holds it, and that of the past ones.
func rowOf(p trading.Position) gen.Position {
	return gen.Position{
		Symbol:        string(p.Symbol),
		CurrencyCode:  string(p.Currency),
		Product:       int64(p.Product),
		Quantity:      p.Quantity,
		AveragePrice:  int64(p.Average.Price),
		AverageRest:   p.Average.Rest,
		AverageFiner:  p.Average.Finer,
		TradedAt:      p.Date.UnixNano(),
		LastPrice:     int64(p.Last),
		FirstTradedAt: p.First.UnixNano(),
		Trades:        p.Trades,
		PaidHigh:      p.Paid.High,
		PaidMiddle:    p.Paid.Middle,
		PaidLow:       p.Paid.Low,
	}
}

// Positions implements trading.Store.
func (s *Store) Positions(ctx context.Context) iter.Seq2[trading.Position, error] {
	return pages(pageSize, func(last *trading.Position, most int64) ([]trading.Position, error) {
		from := gen.ListOpenPositionsParams{Most: most} // every symbol is above ""
		if last != nil {
			from.AfterSymbol, from.AfterCurrencyCode = string(last.Symbol), string(last.Currency)
			from.AfterProduct = int64(last.Product)
		}
		rows, err := s.reader.ListOpenPositions(ctx, from)
		return each(rows, positionOf), err
	})
}

// Holdings implements trading.Store.
func (s *Store) Holdings(ctx context.Context, currency *money.Currency) (positions []trading.Position, quotes []trading.Quote, err error) {
	tx, err := s.reading.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, nil, classify(err)
	}
	defer func() { _ = tx.Rollback() }() // it only read
	q := s.reader.WithTx(tx)
	held, err := q.ListHoldings(ctx, (*string)(currency))
	if err != nil {
		return nil, nil, classify(err)
	}
	priced, err := q.ListQuotes(ctx)
	return each(held, positionOf), each(priced, quoteOf), classify(err)
}

func quoteOf(r gen.ListQuotesRow) trading.Quote {
	return trading.Quote{
		Company: text.Name(r.Name), Price: money.Price(r.Price), Currency: money.Currency(orZero(r.CurrencyCode)),
	}
}

func positionOf(r gen.Position) trading.Position {
	return trading.Position{
		Instrument: trading.Instrument{
			Symbol:   trading.Symbol(r.Symbol),
			Currency: money.Currency(r.CurrencyCode),
			Product:  trading.Product(r.Product),
		},
		Quantity: r.Quantity,
		Average:  money.Average{Price: money.Price(r.AveragePrice), Rest: r.AverageRest, Finer: r.AverageFiner},
		Date:     dateOf(r.TradedAt),
		Last:     money.Price(r.LastPrice),
		First:    dateOf(r.FirstTradedAt),
		Trades:   r.Trades,
		Paid:     money.Outlay{High: r.PaidHigh, Middle: r.PaidMiddle, Low: r.PaidLow},
	}
}
