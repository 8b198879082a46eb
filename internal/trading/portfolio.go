package trading

import (
	"cmp"
	"maps"
	"slices"

	"daybook/internal/money"
)

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

// MostPortfolios is how many currencies are reported. There may be as many as trades.
const MostPortfolios = 100

// Traded is a currency, and how many trades are in it.
type Traded struct {
	Currency money.Currency
	Trades   int64
}

// portfolios adds positions up, for each currency, by code. Its amounts are the sums of those that the
// positions print.
func portfolios(i Inventory) (found []Portfolio, total int, err error) {
	marks, err := marksOf(i.Quotes())
	if err != nil {
		return nil, 0, err
	}
	shown, total, err := mostTraded(i)
	if err != nil {
		return nil, 0, err
	}
	for p, err := range i.Positions(Instrument{}) {
		if err != nil {
			return nil, 0, err
		}
		if one := shown[p.Currency]; one != nil {
			one.add(p.at(marks.of(p)))
		}
	}
	for _, code := range slices.Sorted(maps.Keys(shown)) {
		found = append(found, *shown[code])
	}
	return found, total, nil
}

// tradedCurrencies lists the currencies with the most trades, by code.
func tradedCurrencies(i Inventory) ([]money.Currency, error) {
	shown, _, err := mostTraded(i)
	return slices.Sorted(maps.Keys(shown)), err
}

// mostTraded returns an empty portfolio for each of the currencies with the most trades, and
// how many currencies there are in all.
func mostTraded(i Inventory) (shown map[money.Currency]*Portfolio, total int, err error) {
	var most []Traded
	first := func() {
		slices.SortFunc(most, func(a, b Traded) int {
			return cmp.Or(cmp.Compare(b.Trades, a.Trades), cmp.Compare(a.Currency, b.Currency))
		})
		most = most[:min(len(most), MostPortfolios)]
	}
	for t, err := range i.Traded() {
		if err != nil {
			return nil, 0, err
		}
		total++
		if most = append(most, t); len(most) == 2*MostPortfolios {
			first()
		}
	}
	first()
	shown = make(map[money.Currency]*Portfolio, len(most))
	for _, t := range most {
		shown[t.Currency] = &Portfolio{Currency: t.Currency}
	}
	return shown, total, nil
}

func (p *Portfolio) add(h Holding) {
	value := h.Value.Rounded()
	p.Value = p.Value.Plus(value)
	switch {
	case h.Quantity > 0:
		p.Long = p.Long.Plus(value)
	case h.Quantity < 0:
		p.Short = p.Short.Plus(value)
	}
	if h.Quantity != 0 {
		p.Positions++
	}
	p.Unrealised = p.Unrealised.Plus(h.Unrealised.Rounded())
	p.Realised = p.Realised.Plus(h.Realised.Rounded())
	p.Trades += h.Trades
}
