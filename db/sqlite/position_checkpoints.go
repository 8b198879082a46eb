package sqlite

import (
	"context"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/trading"
)

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
