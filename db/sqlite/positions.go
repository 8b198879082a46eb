package sqlite

import (
	"context"
	"iter"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// changedPositions are the positions that one request changes. They begin with the result of the
// earlier requests of the transaction, and are written at its end, so that an instrument with many late
// trades is folded once.
type changedPositions struct{ own, before records.Positions }

// of returns the position of an instrument after the request. It reports false if neither this request
// nor an earlier one of the transaction has changed it.
func (c *changedPositions) of(instrument trading.Instrument) (held *records.PendingPosition, is bool) {
	if held, is = c.own[instrument]; is {
		return held, true
	}
	held = &records.PendingPosition{}
	if before := c.before[instrument]; before != nil {
		*held, is = *before, true
	}
	if c.own == nil {
		c.own = records.Positions{}
	}
	c.own[instrument] = held
	return held, is
}

// take updates the position for a trade that was just stored: in one step if the trade is the latest of
// its instrument.
func (c *changedPositions) take(ctx context.Context, q *gen.Queries, t trading.Trade) error {
	held, is := c.of(t.Instrument)
	if !is {
		row, err := q.GetPosition(ctx, string(t.Symbol), string(t.Currency), int64(t.Product))
		if err != nil && !sqlerr.IsNoRow(err) {
			return err
		}
		if err == nil {
			held.Position = rows.Position(row)
		}
	}
	return held.Add(t)
}

// change marks the position of an instrument: its trades since a date must be folded again.
func (c *changedPositions) change(of trading.Instrument, date time.Time) {
	held, _ := c.of(of)
	held.Refold(date)
}

// put writes the position of an instrument. Invalid: its trades cannot be folded.
func put(ctx context.Context, h *records.PendingPosition, q *tx, of trading.Instrument) error {
	if h.Stale() {
		return refoldPosition(ctx, q, of, h.From)
	}
	return putPosition(ctx, q.Queries, h.Position)
}

// refoldPosition folds and writes the position of an instrument whose trades have changed; changed is
// the earliest date of those.
func refoldPosition(ctx context.Context, q *tx, of trading.Instrument, changed time.Time) error {
	held, err := refold(ctx, q, of, changed)
	if err != nil {
		return err
	}
	if held.Trades == 0 {
		return q.DeletePosition(ctx, string(of.Symbol), string(of.Currency), int64(of.Product))
	}
	return putPosition(ctx, q.Queries, held)
}

func putPosition(ctx context.Context, q *gen.Queries, p trading.Position) error {
	return q.PutPosition(ctx, gen.PutPositionParams(rows.PositionRow(p)))
}

// refold folds the trades of an instrument again after some of them have changed; changed is the
// earliest date of those. It begins at the newest checkpoint before that date, so that it reads only
// the trades that follow. It replaces the checkpoints that are out of date, and returns the position.
//
// A checkpoint is always earlier than the position, so that adding the latest trade never changes a
// checkpoint. So refold also deletes a checkpoint if all trades after it were voided.
func refold(ctx context.Context, q *tx, of trading.Instrument, changed time.Time) (trading.Position, error) {
	from, err := checkpointBefore(ctx, q.Queries, of, changed)
	if err != nil {
		return from, err
	}
	var checkpoints []trading.Position
	last := from.Trades
	position, err := q.trades.Fold(ctx, of, from, func(p trading.Position) {
		if p.Trades-last >= q.trades.Spacing {
			checkpoints, last = append(checkpoints, p), p.Trades
		}
	})
	if err != nil {
		return position, err
	}
	if err := q.DeletePositionCheckpoints(ctx, gen.DeletePositionCheckpointsParams{
		Symbol: string(of.Symbol), CurrencyCode: string(of.Currency), Product: int64(of.Product),
		TradedAt: min(changed.UnixNano(), rows.TakenUntil(position)),
	}); err != nil {
		return position, err
	}
	for _, p := range checkpoints {
		if err := q.InsertPositionCheckpoint(ctx, gen.InsertPositionCheckpointParams(rows.PositionRow(p))); err != nil {
			return position, err
		}
	}
	return position, nil
}

// checkpointBefore returns the newest checkpoint of an instrument before a date, the zero Position if
// there is none.
func checkpointBefore(ctx context.Context, q *gen.Queries, of trading.Instrument, date time.Time) (trading.Position, error) {
	row, err := q.GetPositionCheckpoint(ctx, gen.GetPositionCheckpointParams{
		Symbol: string(of.Symbol), CurrencyCode: string(of.Currency), Product: int64(of.Product), TradedAt: date.UnixNano(),
	})
	if sqlerr.IsNoRow(err) {
		return trading.Position{}, nil
	}
	return rows.Position(gen.Position(row)), err
}

// Positions implements trading.Store. It skips flat positions here, so that one read takes no more than
// pageSize rows.
func (s *Store) Positions(ctx context.Context) iter.Seq2[trading.Position, error] {
	rising := func(a, b *trading.Position) int { return a.Compare(b.Instrument) }
	all := rows.Pages(rows.PageSize, rising, func(last *trading.Position, most int64) ([]trading.Position, error) {
		from := gen.PagePositionsParams{Most: most} // every symbol sorts after ""
		if last != nil {
			from.AfterSymbol, from.AfterCurrencyCode = string(last.Symbol), string(last.Currency)
			from.AfterProduct = int64(last.Product)
		}
		var found []gen.Position
		err := listing.InTurn(ctx, func() (err error) {
			found, err = s.reader.PagePositions(ctx, from)
			return err
		})
		return rows.Map(found, rows.Position), err
	})
	return func(yield func(trading.Position, error) bool) {
		for p, err := range all {
			if flat := err == nil && p.Quantity == 0; !flat && !yield(p, err) {
				return
			}
		}
	}
}

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
