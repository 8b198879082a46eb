package rows

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"math"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// Trades reads the trades of an instrument in the transaction that is open on a connection. There may
// be many, so it reads them one by one, and below database/sql, which takes more than three times as long.
type Trades struct {
	conn    *sql.Conn
	Spacing int64 // the least number of trades between two position checkpoints
}

// NewTrades reads on a connection.
func NewTrades(conn *sql.Conn) *Trades { return &Trades{conn, checkpointSpacing} }

// Fold adds up the trades of an instrument, beginning with one of its position checkpoints or with the
// zero Position. The result is from if there are no trades. passed and Invalid are as for trading.Fold.
func (h *Trades) Fold(ctx context.Context, of trading.Instrument, from trading.Position, passed func(trading.Position)) (trading.Position, error) {
	return trading.Fold(from, h.Since(ctx, of, TakenUntil(from)), passed)
}

// TakenUntil returns the date of the latest trade of a position as a column. It is before every date if
// there is no trade.
func TakenUntil(p trading.Position) int64 {
	if p.Trades == 0 {
		return math.MinInt64
	}
	return p.Date.UnixNano()
}

// Since yields an instrument's trades after a date, in (date, id) order and without their ids.
func (h *Trades) Since(ctx context.Context, of trading.Instrument, after int64) iter.Seq2[trading.Trade, error] {
	return func(yield func(trading.Trade, error) bool) {
		stopped := false
		if err := cursor.Lend(h.conn.Raw, func(conn *cursor.Conn) (err error) {
			defer conn.Until(ctx)()
			list, err := cursor.Prepare[gen.ListInstrumentTradesRow](conn, gen.ListInstrumentTrades)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, list.Close()) }()
			for row, err := range list.All(string(of.Symbol), string(of.Currency), int64(of.Product), after) {
				if err != nil {
					return err
				}
				if stopped = !yield(trading.Trade{
					Instrument: of, Shares: trading.Shares(row.Shares), Side: trading.Side(row.Side), Price: money.Price(row.Price), Date: Date(row.TradedAt),
				}, nil); stopped {
					return nil
				}
			}
			return nil
		}); err != nil && !stopped {
			yield(trading.Trade{}, err)
		}
	}
}

// checkpointSpacing is the least number of trades of an instrument between two of its position
// checkpoints. To fold that many takes about a millisecond. To store a row takes as long as to fold
// ten.
const checkpointSpacing = 1_000
