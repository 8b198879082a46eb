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
type history struct {
	conn   *sql.Conn
	trades *cursor.Rows
}

// openHistory prepares the reading on a connection. It is closed before that is.
func openHistory(conn *sql.Conn) (*history, error) {
	h := &history{conn: conn}
	return h, conn.Raw(func(driven any) error {
		below, err := cursor.Of(driven)
		if err != nil {
			return err
		}
		h.trades, err = below.Prepare(gen.ListInstrumentTrades)
		return err
	})
}

// close ends the reading for good; once more does nothing.
func (h *history) close() error {
	if h == nil || h.trades == nil {
		return nil
	}
	trades := h.trades
	h.trades = nil
	return h.conn.Raw(func(any) error { return trades.Close() })
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
	return h.conn.Raw(func(any) error {
		defer h.trades.Reset()
		if err := h.trades.Bind(string(of.Symbol), string(of.Currency), int64(of.Product)); err != nil {
			return err
		}
		return use(func(yield func(trading.Trade, error) bool) {
			for {
				more, err := h.trades.Next()
				if err != nil {
					yield(trading.Trade{}, err)
				}
				if err != nil || !more || !yield(h.trade(of), nil) {
					return
				}
			}
		})
	})
}

// trade is the one that the reading stands at.
func (h *history) trade(of trading.Instrument) trading.Trade {
	return trading.Trade{
		Instrument: of,
		Shares:     trading.Shares(h.trades.Int(0)),
		Side:       trading.Side(h.trades.Int(1)),
		Price:      money.Price(h.trades.Int(2)),
		Date:       dateOf(h.trades.Int(3)),
	}
}
