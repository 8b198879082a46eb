package seed

import (
	"fmt"
	"slices"
	"time"

	"daybook/internal/trading"
)

// cycle is a quarter's option contracts. They trade from the day after the expiry
// before theirs to their own.
type cycle struct {
	contracts []*instrument
	last      int  // index of the last business day on which they trade
	live      bool // they expire after the data ends
}

// open returns the contracts that the desk holds.
func (c *cycle) open() []*instrument {
	return slices.DeleteFunc(slices.Clone(c.contracts), func(in *instrument) bool { return in.held == 0 })
}

// cycles returns the option cycles of the market's days, each with a number of
// contracts: at most 8 on every optionable stock.
func cycles(m *market, contracts int) []*cycle {
	var all []*cycle
	first := 0
	for n, expiry := range expiries(m.days[0], m.days[len(m.days)-1]) {
		next := dayAfter(m.days, expiry)
		c := &cycle{last: next - 1, live: expiry.After(m.days[next-1])}
		for i := range contracts {
			c.contracts = append(c.contracts, contract(m, n, i, first, expiry))
		}
		all = append(all, c)
		first = next
	}
	return all
}

// contract returns the nth contract of a cycle that begins on a day: calls that the
// desk writes on what it holds, puts that it buys to protect it, all of them out of
// the money at the start. A unit is one contract, priced per share.
func contract(m *market, cycle, n, first int, expiry time.Time) *instrument {
	stock := (cycle + n/2) % optionables
	product, letter, sign, held := trading.OptionCallTrade, "C", int64(1), mandate{-20, 0}
	if n%2 == 1 {
		product, letter, sign, held = trading.OptionPutTrade, "P", -1, mandate{0, 20}
	}
	spot := m.stock(stock, first)
	step := int64(5 * perUnit)
	if spot < 60*perUnit {
		step /= 2
	}
	strike := ((spot+step/2)/step + sign*int64(1+n/(2*optionables))) * step
	return &instrument{
		Instrument: trading.Instrument{
			Symbol: trading.Symbol(fmt.Sprintf("%s%s%s%08d",
				companies[stock].ticker, expiry.Format("060102"), letter, strike*1_000/perUnit)),
			Currency: companies[stock].currency,
			Product:  product,
		},
		session: newYork,
		quote: func(day int) int64 {
			left := int64(expiry.Sub(m.days[day]).Hours()/24) + 1
			return premium(sign*(m.stock(stock, day)-strike), m.stock(stock, day), left)
		},
		tick:   perUnit / 20,
		jitter: 200, lot: 1, ticket: 10,
		mandate: held,
	}
}

// premium returns what an option costs that is so much in the money, or out of it
// when negative: its intrinsic value, and a time value that fades toward expiry and
// away from the strike.
func premium(inMoney, spot, daysLeft int64) int64 {
	fading := spot * 8 / 100 * daysLeft / 91
	return max(inMoney, 0) + fading*spot/(spot+10*max(inMoney, -inMoney))
}

// optionables is how many companies have listed options: those in dollars, which
// come first in the table.
const optionables = 5
