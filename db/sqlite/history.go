package sqlite

import (
	"database/sql"
	"iter"
	"math"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// history reads the trades of an instrument, as a connection sees them in the
// transaction that is open on it: below database/sql, since there may be many.
type history struct {
	trades  *statement
	spacing int64 // how many trades at least are taken from one past position to the next
}

// openHistory prepares the reading on a connection. It is closed before that is.
func openHistory(conn *sql.Conn) (*history, error) {
	trades, err := prepareBelow(conn, gen.ListInstrumentTrades)
	return &history{trades, pastSpacing}, err
}

// close ends the reading for good; once more does nothing.
func (h *history) close() error {
	if h == nil {
		return nil
	}
	return h.trades.close()
}

// fold is what the trades of an instrument add up to, from one of its past positions or
// from the zero Position, which it is when there are none. What it shows to passed, and
// Invalid: as for trading.Fold.
func (h *history) fold(of trading.Instrument, from trading.Position, passed func(trading.Position)) (p trading.Position, err error) {
	err = h.read(of, takenUntil(from), func(trades iter.Seq2[trading.Trade, error]) (err error) {
		p, err = trading.Fold(from, trades, passed)
		return err
	})
	return p, err
}

// takenUntil is the date of the latest trade of a position, as a column holds it; before
// every date, where it has none.
func takenUntil(p trading.Position) int64 {
	if p.Trades == 0 {
		return math.MinInt64
	}
	return p.Date.UnixNano()
}

// read gives an instrument's trades after a date, in (date, id) order and without their
// ids.
func (h *history) read(of trading.Instrument, after int64, use func(iter.Seq2[trading.Trade, error]) error) error {
	return h.trades.run(func(rows *cursor.Rows) error {
		return use(func(yield func(trading.Trade, error) bool) {
			for {
				more, err := rows.Next()
				if err != nil {
					yield(trading.Trade{}, err)
				}
				if err != nil || !more || !yield(tradeIn(rows, of), nil) {
					return
				}
			}
		})
	}, string(of.Symbol), string(of.Currency), int64(of.Product), after)
}

// tradeIn is the trade of an instrument that the reading stands at.
func tradeIn(rows *cursor.Rows, of trading.Instrument) trading.Trade {
	return trading.Trade{
		Instrument: of,
		Shares:     trading.Shares(rows.Int(0)),
		Side:       trading.Side(rows.Int(1)),
		Price:      money.Price(rows.Int(2)),
		Date:       dateOf(rows.Int(3)),
	}
}
