package sqlite

import (
	"context"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/trading"
)

// refoldPast folds an instrument anew whose trades have changed, the earliest of those at a
// date: from the newest position that was kept of the time before, so that it takes what
// follows, not all there is. It keeps those that it passes in place of those that are
// no longer so, and returns the present one.
//
// A past position is before the present one, always, so that a trade which is the latest
// cannot change it. So it goes too when all that followed it was voided.
func refoldPast(ctx context.Context, q *tx, of trading.Instrument, changed time.Time) (trading.Position, error) {
	from, err := pastPosition(ctx, q.Queries, of, changed)
	if err != nil {
		return from, err
	}
	var past []trading.Position
	last := from.Trades
	held, err := q.history.Fold(ctx, of, from, func(p trading.Position) {
		if p.Trades-last >= q.history.Spacing {
			past, last = append(past, p), p.Trades
		}
	})
	if err != nil {
		return held, err
	}
	if err := q.DeletePastPositions(ctx, gen.DeletePastPositionsParams{
		Symbol: string(of.Symbol), CurrencyCode: string(of.Currency), Product: int64(of.Product),
		TradedAt: min(changed.UnixNano(), rows.TakenUntil(held)),
	}); err != nil {
		return held, err
	}
	for _, p := range past {
		if err := q.InsertPastPosition(ctx, gen.InsertPastPositionParams(rows.PositionRow(p))); err != nil {
			return held, err
		}
	}
	return held, nil
}

// pastPosition is the newest of an instrument that was kept of the time before a date; the
// zero Position where there is none.
func pastPosition(ctx context.Context, q *gen.Queries, of trading.Instrument, before time.Time) (trading.Position, error) {
	row, err := q.GetPastPosition(ctx, gen.GetPastPositionParams{
		Symbol: string(of.Symbol), CurrencyCode: string(of.Currency), Product: int64(of.Product), TradedAt: before.UnixNano(),
	})
	if sqlerr.IsNoRow(err) {
		return trading.Position{}, nil
	}
	return rows.Position(gen.Position(row)), err
}
