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

// NewTrades reads on a connection that was opened after cursor.Lending.
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

// The columns of ListInstrumentTrades.
const (
	tradeShares = iota
	tradeSide
	tradePrice
	tradeDate
)

var tradeColumns = []string{
	tradeShares: "shares",
	tradeSide:   "side",
	tradePrice:  "price",
	tradeDate:   "traded_at",
}

// Since yields an instrument's trades after a date, in (date, id) order and without their ids.
func (h *Trades) Since(ctx context.Context, of trading.Instrument, after int64) iter.Seq2[trading.Trade, error] {
	return func(yield func(trading.Trade, error) bool) {
		exec := func(statement string) error {
			_, err := h.conn.ExecContext(ctx, statement)
			return err
		}
		stopped := false
		if err := cursor.Lend(exec, func(conn *cursor.Conn) (err error) {
			list, err := conn.Prepare(gen.ListInstrumentTrades, tradeColumns...)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, list.Close()) }()
			trades := cursor.Stream(list, func() trading.Trade {
				return trading.Trade{
					Instrument: of, Shares: trading.Shares(list.Int(tradeShares)), Side: trading.Side(list.Int(tradeSide)),
					Price: money.Price(list.Int(tradePrice)), Date: Date(list.Int(tradeDate)),
				}
			}, string(of.Symbol), string(of.Currency), int64(of.Product), after)
			for trade, err := range trades {
				if err != nil {
					return err
				}
				if stopped = !yield(trade, nil); stopped {
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
