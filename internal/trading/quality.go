package trading

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"daybook/internal/money"
	"daybook/internal/text"
)

// Quality is what of a portfolio is likely to be a mistake.
type Quality struct {
	Doubtful  []Doubt     // currencies, those that are used most first
	Namesakes [][]Company // that share a name without regard to case, by id, as a mark is looked for
}

// Doubt is a code that is neither registered nor of ISO 4217, and how often it is used.
type Doubt struct {
	Currency money.Currency
	Trades   int64
	Postings int64 // budget lines and actuals
}

// Quality looks for what is likely to be a mistake, at most so many of each kind. What
// is posted in each currency elsewhere is given to it, since the book knows which
// currencies are registered.
func (b *Book) Quality(ctx context.Context, posted map[money.Currency]int64, most int) (Quality, error) {
	var registered []Currency
	for c, err := range b.store.Currencies(ctx) {
		if err != nil {
			return Quality{}, err
		}
		registered = append(registered, c)
	}
	positions, _, err := b.store.Holdings(ctx, nil)
	if err != nil {
		return Quality{}, err
	}
	var companies []Company
	for c, err := range b.store.Companies(ctx) {
		if err != nil {
			return Quality{}, err
		}
		companies = append(companies, c)
	}
	doubts, shared := doubtful(registered, positions, posted), namesakes(companies)
	return Quality{Doubtful: doubts[:min(len(doubts), most)], Namesakes: shared[:min(len(shared), most)]}, nil
}

// doubtful are the currencies of positions and postings that are neither registered nor
// of ISO 4217. That of a company is always registered.
func doubtful(registered []Currency, positions []Position, posted map[money.Currency]int64) []Doubt {
	found := map[money.Currency]Doubt{}
	for _, p := range positions {
		d := found[p.Currency]
		d.Trades += p.Trades
		found[p.Currency] = d
	}
	for currency, n := range posted {
		d := found[currency]
		d.Postings += n
		found[currency] = d
	}
	for _, c := range registered {
		delete(found, c.Code)
	}
	var doubts []Doubt
	for currency, d := range found {
		if !currency.ISO() && d.Records() > 0 {
			d.Currency = currency
			doubts = append(doubts, d)
		}
	}
	slices.SortFunc(doubts, func(a, b Doubt) int {
		return cmp.Or(cmp.Compare(b.Records(), a.Records()), cmp.Compare(a.Currency, b.Currency))
	})
	return doubts
}

// Records is how many trades, budget lines and actuals are in the currency.
func (d Doubt) Records() int64 { return d.Trades + d.Postings }

// namesakes are the companies that share a name, in the order of the first of each.
func namesakes(companies []Company) [][]Company {
	sharing := map[string][]Company{}
	for _, c := range companies {
		name := text.Code(c.Name).Fold()
		sharing[name] = append(sharing[name], c)
	}
	maps.DeleteFunc(sharing, func(_ string, same []Company) bool { return len(same) == 1 })
	return slices.SortedFunc(maps.Values(sharing), func(a, b []Company) int { return cmp.Compare(a[0].ID, b[0].ID) })
}
