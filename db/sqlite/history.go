package sqlite

import (
	"database/sql"
	"iter"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// history reads all trades of an instrument, as a connection sees them in the
// transaction that is open on it: below database/sql, since there may be many.
type history struct{ trades *statement }

// openHistory prepares the reading on a connection. It is closed before that is.
func openHistory(conn *sql.Conn) (*history, error) {
	trades, err := prepareBelow(conn, gen.ListInstrumentTrades)
	return &history{trades}, err
}

// close ends the reading for good; once more does nothing.
func (h *history) close() error {
	if h == nil {
		return nil
	}
	return h.trades.close()
}

// position is what the trades of an instrument add up to; its date is zero when there
// are none. Invalid: as for trading.Fold.
func (h *history) position(of trading.Instrument) (p trading.Position, err error) {
	err = h.read(of, func(trades iter.Seq2[trading.Trade, error]) (err error) {
		p, err = trading.Fold(trades)
		return err
	})
	return p, err
}

// read gives an instrument's trades in (date, id) order, without their ids.
func (h *history) read(of trading.Instrument, use func(iter.Seq2[trading.Trade, error]) error) error {
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
	}, string(of.Symbol), string(of.Currency), int64(of.Product))
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
