package rows

import (
	"context"
	"database/sql"
	"iter"
	"math"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// Trades reads the trades of an instrument in the transaction that is open on a connection. There may
// be many, so it reads them one by one.
type Trades struct {
	trades  *sql.Stmt
	Spacing int64 // the least number of trades between two position checkpoints
}

// OpenTrades prepares the query on a connection.
func OpenTrades(ctx context.Context, conn *sql.Conn) (*Trades, error) {
	trades, err := conn.PrepareContext(ctx, gen.ListInstrumentTrades)
	return &Trades{trades, checkpointSpacing}, err
}

// Close closes the query. A second call does nothing.
func (h *Trades) Close() error {
	if h == nil || h.trades == nil {
		return nil
	}
	return h.trades.Close()
}

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
		rows, err := h.trades.QueryContext(ctx, string(of.Symbol), string(of.Currency), int64(of.Product), after)
		if err != nil {
			yield(trading.Trade{}, err)
			return
		}
		defer func() { _ = rows.Close() }() // Err has the error of the reading
		for rows.Next() {
			var shares, side, price, date int64
			err := rows.Scan(&shares, &side, &price, &date)
			trade := trading.Trade{
				Instrument: of, Shares: trading.Shares(shares), Side: trading.Side(side), Price: money.Price(price), Date: Date(date),
			}
			if !yield(trade, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(trading.Trade{}, err)
		}
	}
}

// checkpointSpacing is the least number of trades of an instrument between two of its position
// checkpoints. To fold that many takes about a millisecond. To store a row takes as long as to fold
// ten.
const checkpointSpacing = 1_000
