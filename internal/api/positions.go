package api

import (
	"daybook/internal/trading"
)

// positionOf is a position in the form of the one trade that it is equivalent to.
func positionOf(p trading.Position) listedTrade {
	return listedTrade{
		Symbol: p.Symbol, CurrencyCode: p.Currency, Shares: p.Shares(), Product: p.Product,
		Type: p.Side().Flag(), Price: p.Price(), Date: p.Date,
	}
}

// listPositions responds to GET and POST alike, and ignores a body.
func (a *api) listPositions(c *request) error {
	return list(c, a.Book.Positions(c.Request.Context()), func(b []byte, p trading.Position) ([]byte, error) {
		return positionOf(p).appendTo(b)
	})
}
