package soak_test

import (
	"cmp"
	"encoding/json"
	"math/big"
	"slices"
	"time"
)

// position is the record of a position; its price is written exactly.
type position struct {
	Symbol       string
	CurrencyCode string
	Shares       int64
	Product      int64
	Type         bool
	Price        json.RawMessage
	Date         time.Time
}

// holding is the position that some trades add up to, in exact fractions.
type holding struct {
	quantity *big.Int
	average  *big.Rat
	date     time.Time
}

// fold folds the trades of one instrument in the order of date and id. A trade without an id comes
// last among those of its date. fits is false if after some trade the quantity, or its negative, does
// not fit in an int64.
func fold(trades []trade) (h holding, fits bool) {
	h = holding{quantity: new(big.Int), average: new(big.Rat)}
	order := func(t trade) int64 {
		if t.ID == 0 {
			return 1 << 62
		}
		return t.ID
	}
	trades = slices.Clone(trades)
	slices.SortFunc(trades, func(a, b trade) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(order(a), order(b)))
	})
	for _, t := range trades {
		h = h.take(t)
		if !new(big.Int).Abs(h.quantity).IsInt64() {
			return h, false
		}
	}
	return h, true
}

// take adds one trade of n shares at price p to a quantity q with average price a. From flat or on
// the same side, the new average is (|q|a + n p)/(|q| + n). On the other side, the average stays, is 0
// when the position becomes flat, or is p when the position changes its side.
func (h holding) take(t trade) holding {
	n := big.NewInt(t.Shares)
	if !t.Type {
		n.Neg(n)
	}
	next := holding{quantity: new(big.Int).Add(h.quantity, n), average: h.average, date: t.Date}
	switch {
	case h.quantity.Sign()*n.Sign() >= 0:
		cost := new(big.Rat).Mul(new(big.Rat).SetInt(h.quantity), h.average)
		cost.Add(cost, new(big.Rat).Mul(new(big.Rat).SetInt(n), t.Price.rat()))
		next.average = cost.Quo(cost, new(big.Rat).SetInt(next.quantity))
	case next.quantity.Sign() == 0:
		next.average = new(big.Rat)
	case next.quantity.Sign() == n.Sign():
		next.average = t.Price.rat()
	}
	return next
}

// positions returns the positions of the model that are not flat, sorted by symbol, currency and
// product.
func (w *world) positions() []position {
	held := []position{}
	seen := map[[2]string]map[int64]bool{}
	for _, t := range w.trades.list() {
		of := [2]string{t.Symbol, t.CurrencyCode}
		if seen[of] == nil {
			seen[of] = map[int64]bool{}
		}
		if seen[of][t.Product] {
			continue
		}
		seen[of][t.Product] = true
		h, _ := fold(w.tradesOf(t))
		if h.quantity.Sign() == 0 {
			continue
		}
		held = append(held, position{
			t.Symbol, t.CurrencyCode, new(big.Int).Abs(h.quantity).Int64(), t.Product, h.quantity.Sign() > 0,
			json.RawMessage(plain(h.average, 8)), h.date,
		})
	}
	slices.SortFunc(held, func(a, b position) int {
		return cmp.Or(cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.CurrencyCode, b.CurrencyCode), cmp.Compare(a.Product, b.Product))
	})
	return held
}
