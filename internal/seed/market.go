package seed

import (
	"math/rand/v2"
	"time"

	"daybook/internal/money"
)

// The streams of random numbers, apart so that the market does not move with the
// number of trades.
const (
	marketStream = 1 + iota
	tradeStream
	ledgerStream
	departmentStream
)

// random returns a stream of random numbers that is the same in every run.
func random(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(20_250_102, stream)) }

// perUnit is how many of the market's price steps make one currency unit: quotes
// have at most 4 decimals.
const perUnit = 10_000

// price returns a number of ten-thousandths as a Price.
func price(quote int64) money.Price { return money.Price(quote * 10_000) }

// market is what the stocks, the dollar rates and the bonds closed at on each
// business day, in ten-thousandths of their currency.
type market struct {
	days   []time.Time
	closes [][]int64 // by day, then stocks, rates and bonds in the order of their tables
}

// walk is how a quote moves from day to day.
type walk struct {
	start  int64
	spread int64 // a quarter of the largest daily move, in hundredths of a percent
	drift  int64 // of every day, in hundredths of a percent
	pull   int64 // the part of the distance to start that a day takes back, 0 = none
}

// newMarket lets every quote take its random walk over the days.
func newMarket(days []time.Time) *market {
	walks := walks()
	quotes := make([]int64, len(walks))
	for i, w := range walks {
		quotes[i] = w.start
	}
	m := &market{days: days, closes: make([][]int64, len(days))}
	r := random(marketStream)
	for day := range days {
		for i, w := range walks {
			quotes[i] = w.step(quotes[i], r)
		}
		m.closes[day] = append([]int64(nil), quotes...)
	}
	return m
}

func (w walk) step(quote int64, r *rand.Rand) int64 {
	move := w.drift
	for range 4 {
		move += r.Int64N(2*w.spread+1) - w.spread
	}
	quote += quote * move / 10_000
	if w.pull > 0 {
		quote += (w.start - quote) / w.pull
	}
	return max(quote, w.start/5)
}

func walks() []walk {
	var all []walk
	for _, c := range companies {
		all = append(all, walk{start: c.price * perUnit / 100, spread: 85, drift: 3})
	}
	for _, start := range rates {
		all = append(all, walk{start: start, spread: 36, pull: 150})
	}
	for _, b := range bonds {
		all = append(all, walk{start: b.price * perUnit / 100, spread: 22, pull: 120})
	}
	return all
}

func (m *market) stock(i, day int) int64 { return m.closes[day][i] }

func (m *market) rate(i, day int) int64 { return m.closes[day][len(companies)+i] }

func (m *market) bond(i, day int) int64 { return m.closes[day][len(companies)+len(rates)+i] }
