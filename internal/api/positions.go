package api

import (
	"github.com/gin-gonic/gin"

	"daybook/internal/trading"
)

// positionOf is a position as the one trade that it is equivalent to.
func positionOf(p trading.Position) tradeRecord {
	return tradeRecord{
		Symbol: p.Symbol, CurrencyCode: p.Currency, Shares: p.Shares(), Product: p.Product,
		Type: p.Side().Flag(), Price: p.Price(), Date: p.Date,
	}
}

// listPositions answers GET and POST alike; a body is ignored.
func (a *api) listPositions(c *gin.Context) error {
	return list(c, a.Book.Positions(c.Request.Context()), func(b []byte, p trading.Position) ([]byte, error) {
		return positionOf(p).appendTo(b)
	})
}
