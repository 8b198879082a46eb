package trading

import "daybook/internal/money"

// Holding is a position, valued at a mark. Its realised and unrealised profit and loss add up to the
// value less the net cost.
type Holding struct {
	Position
	Mark       Mark
	Value      money.Exact   // of the signed units, at the mark
	Unrealised money.Exact   // the value less the signed units at their average
	Realised   money.Exact   // the signed units at their average less the net cost
	Weight     money.Percent // of |value| in the sum of all |values| in its currency, 0 if that is 0
}

// at is the position valued at a mark, without its weight.
func (p Position) at(m Mark) Holding {
	value := m.Price.Times(p.Quantity).Exact()
	held := p.Average.Times(p.Quantity, p.blends())
	return Holding{Position: p, Mark: m, Value: value, Unrealised: value.Minus(held), Realised: held.Minus(p.NetCost.Exact())}
}

// HoldingFilter narrows a page of holdings. A nil field does not narrow.
type HoldingFilter struct {
	Symbol   *Symbol
	Currency *money.Currency
	Open     *bool      // whether units are held, or all were closed
	After    Instrument // only instruments after it, by symbol, currency and product
	Limit    int
}

// page returns the holdings that match, by symbol, currency and product. It reads all positions for the
// sums of the currencies on the page, and keeps only those on the page.
func (f HoldingFilter) page(i Inventory) ([]Holding, error) {
	marks, err := marksOf(i.Quotes())
	if err != nil {
		return nil, err
	}
	var page []Holding
	gross := map[money.Currency]money.Exact{}
	for p, err := range i.Positions(f.start()) {
		if err != nil {
			return nil, err
		}
		if len(page) == f.Limit || f.Symbol != nil && *f.Symbol != p.Symbol {
			break
		}
		if (f.Currency == nil || *f.Currency == p.Currency) && (f.Open == nil || *f.Open == (p.Quantity != 0)) {
			page = append(page, p.at(marks.of(p)))
			gross[p.Currency] = money.Exact{}
		}
	}
	if len(page) == 0 {
		return nil, nil
	}
	for p, err := range i.Positions(Instrument{}) {
		if err != nil {
			return nil, err
		}
		if sum, shown := gross[p.Currency]; shown {
			gross[p.Currency] = sum.Plus(marks.of(p).Price.Times(p.Shares()).Exact())
		}
	}
	for i := range page {
		h := &page[i]
		if whole := gross[h.Currency]; whole.Sign() != 0 {
			h.Weight = h.Value.Abs().PercentOf(whole)
		}
	}
	return page, nil
}

// start is an instrument before the page: no position up to it is on the page.
func (f HoldingFilter) start() Instrument {
	if f.Symbol != nil && f.After.Symbol < *f.Symbol {
		return Instrument{Symbol: *f.Symbol} // no currency is ""
	}
	return f.After
}
