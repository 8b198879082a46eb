package api

import (
	"daybook/internal/trading"
)

// listPositions responds to GET and POST alike, and ignores a body. A position has the form of the one trade that
// it is equivalent to.
func (a *api) listPositions(c *request) error {
	var trade trading.Trade
	return list(c, a.Book.Positions(c.Request.Context()), func(b []byte, p *trading.Position) ([]byte, error) {
		trade = p.Trade()
		return listedTrade.Append(b, &trade)
	})
}
