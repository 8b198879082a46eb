package trading

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"

	"daybook/internal/money"
	"daybook/internal/text"
)

// Quality is what is likely to be a mistake in a portfolio.
type Quality struct {
	Doubtful  []Doubt     // currencies, the most used first
	Namesakes []Namesakes // without regard to case, as marks are found
}

// Namesakes are companies that share a name.
type Namesakes struct {
	Name text.Name   // of the first
	IDs  []CompanyID // in their order
}

// Doubt is a currency code that is neither registered nor in ISO 4217, and how often it is used.
type Doubt struct {
	Currency money.Currency
	Trades   int64
	Posted   Posted
}

// Posted is how much a ledger has in a currency.
type Posted struct{ BudgetLines, Actuals int64 }

func (p Posted) all() int64 { return p.BudgetLines + p.Actuals }

// Quality looks for what is likely to be a mistake, and returns the first most of each kind. It is
// told what a ledger has in each currency, because only the book knows which are registered.
func (b *Book) Quality(ctx context.Context, posted map[money.Currency]Posted, most int) (Quality, error) {
	var doubts []Doubt
	err := b.Holdings(ctx, func(i Inventory) (err error) {
		doubts, err = doubtful(i.Traded(), posted, b.Currencies(ctx))
		return err
	})
	if err != nil {
		return Quality{}, err
	}
	shared, err := b.namesakes(ctx, most)
	return Quality{Doubtful: doubts[:min(len(doubts), most)], Namesakes: shared}, err
}

// mostDoubted is how many currencies of trades and postings are looked at. A feed may make up as many as it likes.
const mostDoubted = 20_000

// doubtful are the currencies of trades and postings that are neither registered nor in ISO 4217.
// The currency of a company is always registered.
func doubtful(traded iter.Seq2[Traded, error], posted map[money.Currency]Posted, registered iter.Seq2[Currency, error]) ([]Doubt, error) {
	found := map[money.Currency]Doubt{}
	for currency, p := range posted {
		if p.all() > 0 && !currency.ISO() {
			found[currency] = Doubt{Currency: currency, Posted: p}
		}
	}
	for t, err := range traded {
		if err != nil {
			return nil, err
		}
		if _, known := found[t.Currency]; t.Trades > 0 && !t.Currency.ISO() && (known || len(found) < mostDoubted) {
			found[t.Currency] = Doubt{Currency: t.Currency, Trades: t.Trades, Posted: found[t.Currency].Posted}
		}
	}
	for c, err := range registered {
		if err != nil {
			return nil, err
		}
		delete(found, c.Code)
	}
	doubts := slices.Collect(maps.Values(found))
	slices.SortFunc(doubts, func(a, b Doubt) int {
		return cmp.Or(cmp.Compare(b.Records(), a.Records()), cmp.Compare(a.Currency, b.Currency))
	})
	return doubts, nil
}

// Records is how many trades, budget lines and actuals are in the currency.
func (d Doubt) Records() int64 { return d.Trades + d.Posted.all() }

// namesakes are the companies that share a name, by the id of the first of each: the first most. It
// keeps a few bytes of each company, because there may be many.
func (b *Book) namesakes(ctx context.Context, most int) ([]Namesakes, error) {
	type named struct {
		name nameSum
		id   CompanyID
	}
	var all []named
	for c, err := range b.Companies(ctx) {
		if err != nil {
			return nil, err
		}
		all = append(all, named{sumOf(c.Name), c.ID})
	}
	slices.SortFunc(all, func(a, b named) int { return cmp.Or(bytes.Compare(a.name[:], b.name[:]), cmp.Compare(a.id, b.id)) })
	var shared []Namesakes
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].name == all[0].name {
			n++
		}
		if n > 1 {
			same := Namesakes{}
			for _, one := range all[:n] {
				same.IDs = append(same.IDs, one.id)
			}
			shared = append(shared, same)
		}
		all = all[n:]
	}
	slices.SortFunc(shared, func(a, b Namesakes) int { return cmp.Compare(a.IDs[0], b.IDs[0]) })
	shared = shared[:min(len(shared), most)]
	return shared, b.name(ctx, shared)
}

// name sets the name of namesakes to that of their first.
func (b *Book) name(ctx context.Context, shared []Namesakes) error {
	for c, err := range b.Companies(ctx) {
		if err != nil || len(shared) == 0 {
			return err
		}
		if c.ID == shared[0].IDs[0] {
			shared[0].Name, shared = c.Name, shared[1:]
		}
	}
	return nil
}
