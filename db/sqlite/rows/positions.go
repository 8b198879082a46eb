package rows

import (
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// PositionRow returns a position as a row of positions or of position_checkpoints.
func PositionRow(p trading.Position) gen.Position {
	high, low := p.NetCost.Words()
	return gen.Position{
		Symbol:        string(p.Symbol),
		CurrencyCode:  string(p.Currency),
		Product:       int64(p.Product),
		Quantity:      p.Quantity,
		AveragePrice:  int64(p.Average.Price),
		AverageRest:   p.Average.Rest,
		TradedAt:      p.Date.UnixNano(),
		LastPrice:     int64(p.Last),
		FirstTradedAt: p.First.UnixNano(),
		Trades:        p.Trades,
		NetCostHigh:   high,
		NetCostLow:    low,
	}
}

// Position is a row of positions or of position_checkpoints.
func Position(r gen.Position) trading.Position {
	return trading.Position{
		Instrument: trading.Instrument{
			Symbol:   trading.Symbol(r.Symbol),
			Currency: money.Currency(r.CurrencyCode),
			Product:  trading.Product(r.Product),
		},
		Quantity: r.Quantity,
		Average:  money.Average{Price: money.Price(r.AveragePrice), Rest: r.AverageRest},
		Date:     Date(r.TradedAt),
		Last:     money.Price(r.LastPrice),
		First:    Date(r.FirstTradedAt),
		Trades:   r.Trades,
		NetCost:  money.SumOfWords(r.NetCostHigh, r.NetCostLow),
	}
}
