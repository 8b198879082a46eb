package seed

import (
	"context"
	"iter"
	"math/rand/v2"
	"slices"

	"daybook/internal/trading"
)

// tradingYears is how long the desk has traded when the data ends.
const tradingYears = 3

// fillBook records the portfolio.
func fillBook(ctx context.Context, book *trading.Book, o Options, s *Summary) error {
	m := newMarket(businessDays(o.AsOf.AddDate(-tradingYears, 0, 0), o.AsOf))
	if err := addCompanies(ctx, book, m, o, s); err != nil {
		return err
	}
	trades := newBatch(book.AddTrades)
	for t := range newDesk(m, o.Trades).trades() {
		if err := trades.add(ctx, t); err != nil {
			return err
		}
	}
	err := trades.flush(ctx)
	s.Trades = trades.stored
	return err
}

// desk trades the market, day by day.
type desk struct {
	random *rand.Rand
	market *market
	quotas []int // how many trades there are before each day, and at last in all
	done   int
	stocks []*instrument
	pairs  []*instrument
	bonds  []*instrument
	cycles []*cycle // the options; the first is the one that trades
}

func newDesk(m *market, trades int) *desk {
	d := &desk{
		random: random(tradeStream),
		market: m,
		stocks: stocks(m),
		pairs:  pairs(m),
		bonds:  fixedIncome(m),
	}
	d.quotas = quotas(d.random, len(m.days), trades)
	// As many contracts as get about seven trades each; 36 a quarter make some 500
	// instruments in all.
	d.cycles = cycles(m, min(max(trades/500, 2), 36))
	return d
}

// quotas spreads trades over days that are busier and calmer.
func quotas(r *rand.Rand, days, trades int) []int {
	before := make([]int, days+1)
	for day := range days {
		before[day+1] = before[day] + 60 + r.IntN(80)
	}
	total := before[days]
	for day := range before {
		before[day] = trades * before[day] / total
	}
	return before
}

// trades yields all trades in the order of their dates.
func (d *desk) trades() iter.Seq[trading.Trade] {
	return func(yield func(trading.Trade) bool) {
		for day := range d.market.days {
			for day > d.cycles[0].last {
				d.cycles = d.cycles[1:]
			}
			for _, t := range d.trade(day) {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// trade returns a day's trades. Their times are parts of their sessions that rise
// from trade to trade, so that sorting by time leaves the trades in one instrument
// in the order in which the desk decided on them.
func (d *desk) trade(day int) []trading.Trade {
	parts := make([]int, d.quotas[day+1]-d.quotas[day])
	for i := range parts {
		parts[i] = d.random.IntN(full)
	}
	slices.Sort(parts)
	trades := make([]trading.Trade, len(parts))
	for i, part := range parts {
		in, lots := d.decide(day)
		trades[i] = in.trade(d.random, lots, day, in.at(d.market.days[day], part))
		d.done++
	}
	slices.SortStableFunc(trades, func(a, b trading.Trade) int { return a.Date.Compare(b.Date) })
	return trades
}

// decide chooses an instrument and the lots to buy or sell. Options are closed
// before they expire, however few trades are left until then.
func (d *desk) decide(day int) (*instrument, int64) {
	c := d.cycles[0]
	open := c.open()
	left := len(open)*2 + 5
	lastWeek := false
	if !c.live {
		left = d.quotas[c.last+1] - d.done
		lastWeek = c.last-day < 5
	}
	if len(open) > 0 && (lastWeek || left <= 2*len(open)) {
		return open[0], -open[0].held
	}
	in := d.pick(!lastWeek && left > 2*len(open)+4)
	order := in.order(d.random)
	return in, order
}

// pick chooses an instrument: half of the trades are in stocks.
func (d *desk) pick(options bool) *instrument {
	switch n := d.random.IntN(100); {
	case n < 18 && options:
		return d.cycles[0].contracts[d.random.IntN(len(d.cycles[0].contracts))]
	case n < 34:
		return d.favourite(d.pairs)
	case n < 48:
		return d.favourite(d.bonds)
	}
	return d.favourite(d.stocks)
}

// favourite chooses one of the instruments, those at the front more often.
func (d *desk) favourite(of []*instrument) *instrument {
	return of[min(d.random.IntN(len(of)), d.random.IntN(len(of)))]
}
