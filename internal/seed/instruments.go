package seed

import (
	"fmt"
	"math/rand/v2"
	"time"

	"daybook/internal/money"
	"daybook/internal/trading"
)

// instrument is what the desk trades, and what it holds of it.
type instrument struct {
	trading.Instrument
	session
	quote  func(day int) int64 // in ten-thousandths
	tick   int64               // the step of its prices, in ten-thousandths
	jitter int64               // how far trades stray from the quote, in hundredths of a percent
	lot    int64               // units that trade together
	ticket int64               // lots in the largest usual trade
	mandate
	held int64 // lots; negative when short
}

// mandate is the range, in lots, in which the desk may hold an instrument.
type mandate struct{ least, most int64 }

var (
	longOnly  = mandate{0, 40}
	shortOnly = mandate{-25, 0}
	bothWays  = mandate{-20, 20}
)

// order moves the holding toward a target within the mandate, or a part of the way
// there, and returns the signed number of lots.
func (in *instrument) order(r *rand.Rand) int64 {
	gap := in.least + r.Int64N(in.most-in.least+1) - in.held
	switch {
	case gap == 0 && in.held == in.most:
		gap = -1
	case gap == 0:
		gap = 1
	}
	largest := 1 + r.Int64N(in.ticket)
	return max(-largest, min(gap, largest))
}

// onTick returns a quote rounded to a multiple of a tick, and at least one.
func onTick(quote, tick int64) money.Price { return price(max((quote+tick/2)/tick, 1) * tick) }

// trade buys or, when negative, sells a number of lots near the day's quote.
func (in *instrument) trade(r *rand.Rand, lots int64, day int, at time.Time) trading.Trade {
	in.held += lots
	quote := in.quote(day)
	quote += quote * (r.Int64N(2*in.jitter+1) - in.jitter) / 10_000
	return trading.Trade{
		Instrument: in.Instrument,
		Shares:     trading.Shares(max(lots, -lots) * in.lot),
		Side:       trading.SideOf(lots > 0),
		Price:      onTick(quote, in.tick),
		Date:       at,
	}
}

// exchange returns where securities of a currency trade.
func exchange(c money.Currency) session {
	switch c {
	case "USD", "CAD":
		return newYork
	case "JPY":
		return tokyo
	}
	return europe
}

// stocks returns the shares of the companies. The desk sells two of them short and
// swings between long and short in a third.
func stocks(m *market) []*instrument {
	all := make([]*instrument, len(companies))
	for i, c := range companies {
		in := &instrument{
			Instrument: trading.Instrument{
				Symbol: trading.Symbol(c.ticker), Currency: c.currency, Product: trading.StockTrade,
			},
			session: exchange(c.currency),
			quote:   func(day int) int64 { return m.stock(i, day) },
			tick:    c.tick(),
			jitter:  60, lot: 100, ticket: 12,
			mandate: longOnly,
		}
		switch c.ticker {
		case "SBRE", "PMBR":
			in.mandate = shortOnly
		case "KSTL":
			in.mandate = bothWays
		}
		switch {
		case c.price < 20_00:
			in.lot = 500
		case c.price > 200_00:
			in.lot = 50
		}
		all[i] = in
	}
	return all
}

// rates are the currencies' rates to the dollar at the start of the market.
var rates = []int64{eurUSD: 1_0850, gbpUSD: 1_2640, usdJPY: 146_2000, usdCHF: 8840, usdCAD: 1_3560}

const (
	eurUSD = iota
	gbpUSD
	usdJPY
	usdCHF
	usdCAD
)

// pairs returns the currency pairs, priced in their second currency. The crosses
// follow from the dollar rates, so that there is no arbitrage in the data.
func pairs(m *market) []*instrument {
	rate := func(i int) func(int) int64 { return func(day int) int64 { return m.rate(i, day) } }
	times := func(a, b int) func(int) int64 {
		return func(day int) int64 { return m.rate(a, day) * m.rate(b, day) / perUnit }
	}
	over := func(a, b int) func(int) int64 {
		return func(day int) int64 { return m.rate(a, day) * perUnit / m.rate(b, day) }
	}
	var all []*instrument
	for _, p := range []struct {
		symbol trading.Symbol
		quote  func(day int) int64
	}{
		{"EURUSD", rate(eurUSD)},
		{"USDJPY", rate(usdJPY)},
		{"GBPUSD", rate(gbpUSD)},
		{"USDCHF", rate(usdCHF)},
		{"USDCAD", rate(usdCAD)},
		{"EURGBP", over(eurUSD, gbpUSD)},
		{"EURJPY", times(eurUSD, usdJPY)},
		{"EURCHF", times(eurUSD, usdCHF)},
		{"GBPJPY", times(gbpUSD, usdJPY)},
	} {
		in := &instrument{
			Instrument: trading.Instrument{
				Symbol: p.symbol, Currency: money.Currency(p.symbol[3:]), Product: trading.CurrencyTrade,
			},
			session: interbank,
			quote:   p.quote,
			tick:    1,
			jitter:  12, lot: 50_000, ticket: 16,
			mandate: bothWays,
		}
		if in.Currency == "JPY" {
			in.tick = 10
		}
		all = append(all, in)
	}
	return all
}

// bond is a fixed coupon bond; it matures well after the data ends.
type bond struct {
	issuer   string
	coupon   string
	month    int
	years    int // from the start of the market to maturity
	currency money.Currency
	price    int64 // in cents a unit of 100 nominal
}

var bonds = []bond{
	{"T", "4.25", 11, 10, "USD", 99_20},
	{"T", "3.875", 8, 5, "USD", 98_65},
	{"UKT", "4.125", 7, 7, "GBP", 97_90},
	{"DBR", "2.5", 2, 11, "EUR", 100_35},
	{"NBKI", "5.2", 6, 6, "USD", 101_40},
	{"BWTU", "4.75", 3, 12, "USD", 97_10},
	{"RWAK", "3.375", 9, 5, "EUR", 98_15},
	{"PMBR", "5.875", 10, 8, "GBP", 103_05},
	{"ALPH", "1.75", 5, 7, "CHF", 99_45},
	{"TMTP", "4.6", 12, 6, "CAD", 100_80},
}

// fixedIncome returns the bonds; a unit is 100 nominal and a lot 10,000. The desk is
// short of the long Treasury, against its corporates.
func fixedIncome(m *market) []*instrument {
	all := make([]*instrument, len(bonds))
	for i, b := range bonds {
		matures := m.days[0].Year() + b.years
		in := &instrument{
			Instrument: trading.Instrument{
				Symbol:   trading.Symbol(fmt.Sprintf("%s %s %02d/%02d", b.issuer, b.coupon, b.month, matures%100)),
				Currency: b.currency,
				Product:  trading.BondTrade,
			},
			session: exchange(b.currency),
			quote:   func(day int) int64 { return m.bond(i, day) },
			tick:    10,
			jitter:  8, lot: 100, ticket: 25,
			mandate: mandate{0, 80},
		}
		if i == 0 {
			in.mandate = mandate{-60, 0}
		}
		all[i] = in
	}
	return all
}
