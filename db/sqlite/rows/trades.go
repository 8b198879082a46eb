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

// Trades reads the trades of an instrument, as a connection sees them in the transaction
// that is open on it. There may be many, so they are read one by one.
type Trades struct {
	trades  *sql.Stmt
	Spacing int64 // how many trades at least are taken from one position checkpoint to the next
}

// OpenTrades prepares the reading on a connection.
func OpenTrades(ctx context.Context, conn *sql.Conn) (*Trades, error) {
	trades, err := conn.PrepareContext(ctx, gen.ListInstrumentTrades)
	return &Trades{trades, checkpointSpacing}, err
}

// Close ends the reading for good; once more does nothing.
func (h *Trades) Close() error {
	if h == nil || h.trades == nil {
		return nil
	}
	return h.trades.Close()
}

// Fold is what the trades of an instrument add up to, from one of its position checkpoints or
// from the zero Position, which it is when there are none. What it shows to passed, and
// Invalid: as for trading.Fold.
func (h *Trades) Fold(ctx context.Context, of trading.Instrument, from trading.Position, passed func(trading.Position)) (trading.Position, error) {
	return trading.Fold(from, h.Since(ctx, of, TakenUntil(from)), passed)
}

// TakenUntil is the date of the latest trade of a position, as a column holds it; before
// every date, where it has none.
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
		defer func() { _ = rows.Close() }() // what it failed with is the error of Err
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

// checkpointSpacing is how many trades of an instrument at least lie between two of its past
// positions. Folding as many takes about a millisecond; keeping a row takes as long as
// folding ten.
const checkpointSpacing = 1_000
