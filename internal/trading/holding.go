package trading

import (
	"cmp"
	"slices"
	"time"

	"daybook/internal/money"
	"daybook/internal/text"
)

// Holding is a position and its result at a mark. Realised and unrealised result add up
// to the value less what was paid.
type Holding struct {
	Position
	Mark       Mark
	Value      money.Exact   // of the signed units, at the mark
	Unrealised money.Exact   // the value less the signed units at their average
	Realised   money.Exact   // the signed units at their average less what was paid
	Weight     money.Percent // of |value| in the sum of them in its currency, 0 where that is 0
}

// Mark is the price that a position is valued at.
type Mark struct {
	Price  money.Price
	Source MarkSource
	At     time.Time // when it was made; zero where nobody said
}

// MarkSource is where a mark comes from.
type MarkSource string

// The sources of marks.
const (
	CompanyMark   MarkSource = "company"
	LastTradeMark MarkSource = "last_trade"
)

// Quote is what a share of a company costs, more than 0.
type Quote struct {
	Company  text.Name
	Price    money.Price
	Currency money.Currency // "" = not said
}

// Holdings values positions, in their order. The mark of a stock is the price of the one
// company that is named as its symbol is, without regard to case, and priced in its
// currency or in none that was said; where there is none or several, and of any other
// product, it is the price of the latest trade.
//
// The positions are all that there are of their currencies.
func Holdings(positions []Position, quotes []Quote) []Holding {
	quoted := map[string][]Quote{}
	for _, q := range quotes {
		name := text.Code(q.Company).Fold()
		quoted[name] = append(quoted[name], q)
	}
	holdings := make([]Holding, len(positions))
	gross := map[money.Currency]money.Exact{}
	for i, p := range positions {
		h := p.at(p.mark(quoted[text.Code(p.Symbol).Fold()]))
		gross[p.Currency] = gross[p.Currency].Plus(h.Value.Abs())
		holdings[i] = h
	}
	for i := range holdings {
		h := &holdings[i]
		if whole := gross[h.Currency]; whole.Sign() != 0 {
			h.Weight = h.Value.Abs().PercentOf(whole)
		}
	}
	return holdings
}

// mark is that of a position whose symbol is the name in the quotes.
func (p Position) mark(quotes []Quote) Mark {
	var found []Quote
	for _, q := range quotes {
		if p.Product == StockTrade && (q.Currency == "" || q.Currency == p.Currency) {
			found = append(found, q)
		}
	}
	if len(found) != 1 {
		return Mark{Price: p.Last, Source: LastTradeMark, At: p.Date}
	}
	return Mark{Price: found[0].Price, Source: CompanyMark}
}

// at is the position valued at a mark, without its weight.
func (p Position) at(m Mark) Holding {
	value := money.AverageAt(m.Price).Times(p.Quantity, 0)
	held := p.Average.Times(p.Quantity, max(p.Trades-1, 0)) // the first trade is the average
	return Holding{Position: p, Mark: m, Value: value, Unrealised: value.Minus(held), Realised: held.Minus(p.Paid.Exact())}
}

// Portfolio is what is held in one currency.
type Portfolio struct {
	Currency             money.Currency
	Value                money.Exact // Long and Short, added
	Long                 money.Exact
	Short                money.Exact // negative, or 0
	Unrealised, Realised money.Exact
	Positions            int64 // those that are not flat
	Trades               int64
}

// Portfolios adds holdings up, exactly, by currency in the order of their codes.
func Portfolios(holdings []Holding) []Portfolio {
	found := map[money.Currency]*Portfolio{}
	for _, h := range holdings {
		p := found[h.Currency]
		if p == nil {
			p = &Portfolio{Currency: h.Currency}
			found[h.Currency] = p
		}
		p.add(h)
	}
	portfolios := make([]Portfolio, 0, len(found))
	for _, p := range found {
		portfolios = append(portfolios, *p)
	}
	slices.SortFunc(portfolios, func(a, b Portfolio) int { return cmp.Compare(a.Currency, b.Currency) })
	return portfolios
}

func (p *Portfolio) add(h Holding) {
	p.Value = p.Value.Plus(h.Value)
	switch {
	case h.Quantity > 0:
		p.Long = p.Long.Plus(h.Value)
	case h.Quantity < 0:
		p.Short = p.Short.Plus(h.Value)
	}
	if h.Quantity != 0 {
		p.Positions++
	}
	p.Unrealised = p.Unrealised.Plus(h.Unrealised)
	p.Realised = p.Realised.Plus(h.Realised)
	p.Trades += h.Trades
}

// HoldingFilter narrows a page of holdings. A nil field does not narrow.
type HoldingFilter struct {
	Symbol   *Symbol
	Currency *money.Currency
	After    Instrument // only instruments after it, by symbol, currency and product
	Limit    int
}

// page returns the holdings that match, which come by symbol, currency and product.
func (f HoldingFilter) page(holdings []Holding) []Holding {
	var page []Holding
	for _, h := range holdings {
		if len(page) == f.Limit {
			break
		}
		if h.Compare(f.After) > 0 && (f.Symbol == nil || *f.Symbol == h.Symbol) && (f.Currency == nil || *f.Currency == h.Currency) {
			page = append(page, h)
		}
	}
	return page
}
