package sqlite

import (
	"context"
	"iter"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// positions are those that a transaction changes, by instrument.
type positions map[trading.Instrument]*heldPosition

type heldPosition struct {
	trading.Position
	late time.Time // the earliest date of a trade that came before others: to be folded anew from there
}

// changedPositions are the positions that one request changes. They begin as the earlier
// requests of the transaction left them. They are written at the end of the transaction, so
// that an instrument with many late trades is folded once.
type changedPositions struct{ own, before positions }

// of is the position of an instrument as the request left it. It reports false where neither
// this request nor an earlier one has changed it.
func (c *changedPositions) of(instrument trading.Instrument) (held *heldPosition, is bool) {
	if held, is = c.own[instrument]; is {
		return held, true
	}
	held = &heldPosition{}
	if before := c.before[instrument]; before != nil {
		*held, is = *before, true
	}
	if c.own == nil {
		c.own = positions{}
	}
	c.own[instrument] = held
	return held, is
}

// take keeps the position of a trade that was just stored: by one step when the trade
// is the latest of its instrument.
func (c *changedPositions) take(ctx context.Context, q *gen.Queries, t trading.Trade) error {
	held, is := c.of(t.Instrument)
	if !is {
		row, err := q.GetPosition(ctx, string(t.Symbol), string(t.Currency), int64(t.Product))
		if err != nil && !isNoRow(err) {
			return err
		}
		if err == nil {
			held.Position = positionOf(row)
		}
	}
	return held.take(t)
}

// change marks the position of an instrument: its trades since a date must be folded again.
func (c *changedPositions) change(of trading.Instrument, date time.Time) {
	held, _ := c.of(of)
	held.change(date)
}

func (h *heldPosition) take(t trading.Trade) (err error) {
	if h.anew() || !h.Precedes(t.Date) {
		h.change(t.Date)
		return nil
	}
	h.Position, err = h.Take(t)
	return err
}

func (h *heldPosition) change(date time.Time) {
	if !h.anew() || date.Before(h.late) {
		h.late = date
	}
}

func (h *heldPosition) anew() bool { return !h.late.IsZero() }

// put writes the position of an instrument. Invalid: its trades cannot be folded.
func (h *heldPosition) put(ctx context.Context, q *tx, of trading.Instrument) error {
	if h.anew() {
		return refoldPosition(ctx, q, of, h.late)
	}
	return putPosition(ctx, q.Queries, h.Position)
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

// Positions implements trading.Store. The flat ones are passed over here, so that a read
// goes through no more than pageSize of them.
func (s *Store) Positions(ctx context.Context) iter.Seq2[trading.Position, error] {
	rising := func(a, b *trading.Position) int { return a.Compare(b.Instrument) }
	all := pages(pageSize, rising, func(last *trading.Position, most int64) ([]trading.Position, error) {
		from := gen.PagePositionsParams{Most: most} // every symbol is above ""
		if last != nil {
			from.AfterSymbol, from.AfterCurrencyCode = string(last.Symbol), string(last.Currency)
			from.AfterProduct = int64(last.Product)
		}
		var rows []gen.Position
		err := listing.InTurn(ctx, func() (err error) {
			rows, err = s.reader.PagePositions(ctx, from)
			return err
		})
		return each(rows, positionOf), err
	})
	return func(yield func(trading.Position, error) bool) {
		for p, err := range all {
			if flat := err == nil && p.Quantity == 0; !flat && !yield(p, err) {
				return
			}
		}
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
