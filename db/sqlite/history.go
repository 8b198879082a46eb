package sqlite

import (
	"context"
	"database/sql"
	"iter"
	"math"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// history reads the trades of an instrument, as a connection sees them in the transaction
// that is open on it. There may be many, so they are read one by one.
type history struct {
	trades  *sql.Stmt
	spacing int64 // how many trades at least are taken from one past position to the next
}

// openHistory prepares the reading on a connection.
func openHistory(ctx context.Context, conn *sql.Conn) (*history, error) {
	trades, err := conn.PrepareContext(ctx, gen.ListInstrumentTrades)
	return &history{trades, pastSpacing}, err
}

// close ends the reading for good; once more does nothing.
func (h *history) close() error {
	if h == nil || h.trades == nil {
		return nil
	}
	return h.trades.Close()
}

// fold is what the trades of an instrument add up to, from one of its past positions or
// from the zero Position, which it is when there are none. What it shows to passed, and
// Invalid: as for trading.Fold.
func (h *history) fold(ctx context.Context, of trading.Instrument, from trading.Position, passed func(trading.Position)) (trading.Position, error) {
	return trading.Fold(from, h.since(ctx, of, takenUntil(from)), passed)
}

// takenUntil is the date of the latest trade of a position, as a column holds it; before
// every date, where it has none.
func takenUntil(p trading.Position) int64 {
	if p.Trades == 0 {
		return math.MinInt64
	}
	return p.Date.UnixNano()
}

// since yields an instrument's trades after a date, in (date, id) order and without their ids.
func (h *history) since(ctx context.Context, of trading.Instrument, after int64) iter.Seq2[trading.Trade, error] {
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
				Instrument: of, Shares: trading.Shares(shares), Side: trading.Side(side), Price: money.Price(price), Date: dateOf(date),
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
