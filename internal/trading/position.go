package trading

import (
	"iter"
	"math"
	"time"

	"daybook/internal/fault"
	"daybook/internal/money"
)

// Position is the one trade that is equivalent to all trades of its instrument, in the order of date
// and id (interface.md, "Trades and positions").
type Position struct {
	Instrument
	Quantity int64         // negative when short, 0 when flat
	Average  money.Average // of the units held; 0 when flat
	Date     time.Time     // the latest trade's
	Last     money.Price   // the latest trade's
	First    time.Time     // the earliest trade's date
	Trades   int64         // how many there are
	NetCost  money.Sum     // of all that was bought, less the proceeds of all that was sold
}

// Side is the side held; it means nothing for a flat position.
func (p Position) Side() Side { return SideOf(p.Quantity > 0) }

// Shares is the number of units held, on either side.
func (p Position) Shares() int64 { return max(p.Quantity, -p.Quantity) }

// Price is the published average price, which is as exact as money.Average.Rounded says.
func (p Position) Price() money.Price { return p.Average.Rounded(p.blends()) }

// Trade returns the trade that the position is equivalent to. A flat one has no shares.
func (p Position) Trade() Trade {
	return Trade{Instrument: p.Instrument, Shares: Shares(p.Shares()), Side: p.Side(), Price: p.Price(), Date: p.Date}
}

// blends is how often the average may have been rounded: at each trade but the first.
func (p Position) blends() int64 { return max(p.Trades-1, 0) }

// Take returns the position after one more trade, which must not come before those already taken:
//
//	same side or flat    the average moves toward the trade's price
//	opposite, smaller    the average stays
//	opposite, equal      flat
//	opposite, larger     flips: the rest is held at the trade's price
//
// Invalid: the quantity would leave an int64, or the net cost a Sum.
func (p Position) Take(t Trade) (Position, error) {
	held, n := p.Quantity, t.quantity()
	sum, ok := add(held, n)
	cost := t.Price.Times(n)
	var fields fault.Fields
	if !ok {
		fields.Add("shares", "would take the position in %s beyond %d", t.Symbol, int64(math.MaxInt64))
	}
	if p.NetCost.Overflows(cost) {
		fields.Add("price", "would take the net cost of the position in %s beyond %s", t.Symbol, money.LargestSum)
	}
	if err := fields.Err(); err != nil {
		return p, err
	}
	switch {
	case held == 0 || (held > 0) == (n > 0):
		p.Average = p.Average.Blend(p.Shares(), t.Price, int64(t.Shares))
	case sum == 0:
		p.Average = money.Average{}
	case (sum > 0) != (held > 0):
		p.Average = money.AverageAt(t.Price)
	}
	if p.Trades == 0 {
		p.First = t.Date
	}
	p.Instrument, p.Quantity, p.Date, p.Last = t.Instrument, sum, t.Date, t.Price
	p.Trades++
	p.NetCost = p.NetCost.Plus(cost)
	return p, nil
}

// Precedes reports whether all trades of the position come before a new trade of a date, so that Take
// may add it. Otherwise the position must be computed again by Fold.
func (p Position) Precedes(date time.Time) bool { return !date.Before(p.Date) }

// Fold returns the position of an instrument's trades: those of from, which may be the zero Position,
// and those that follow it, in the order of date and id. It calls passed, unless that is nil, with the
// position at the end of each date but the last. The error is Invalid as for Take, or the first of the
// sequence.
func Fold(from Position, trades iter.Seq2[Trade, error], passed func(Position)) (Position, error) {
	p := from
	for t, err := range trades {
		if err != nil {
			return p, err
		}
		if passed != nil && p.Trades > 0 && t.Date.After(p.Date) {
			passed(p)
		}
		if p, err = p.Take(t); err != nil {
			return p, err
		}
	}
	return p, nil
}

// add returns a + b, and whether the magnitude of the sum fits an int64.
func add(a, b int64) (int64, bool) {
	if b > 0 && a > math.MaxInt64-b || b < 0 && a < -math.MaxInt64-b {
		return 0, false
	}
	return a + b, true
}
