package trading_test

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"daybook/internal/money"
	"daybook/internal/trading"
)

// shelf is a store with what a quality is made of.
type shelf struct {
	trading.Store
	currencies []trading.Currency
	companies  []trading.Company
	held       inventory
}

func (s shelf) Currencies(context.Context) iter.Seq2[trading.Currency, error] {
	return yielded(s.currencies)
}

func (s shelf) Companies(context.Context) iter.Seq2[trading.Company, error] {
	return yielded(s.companies)
}

func (s shelf) Holdings(_ context.Context, read func(trading.Inventory) error) error {
	return read(s.held)
}

// inventory is one of positions in their order.
type inventory struct {
	positions []trading.Position
	quotes    []trading.Quote
}

func (i inventory) Quotes() iter.Seq2[trading.Quote, error] { return yielded(i.quotes) }

func (i inventory) Positions(after trading.Instrument) iter.Seq2[trading.Position, error] {
	from := slices.IndexFunc(i.positions, func(p trading.Position) bool { return p.Compare(after) > 0 })
	if from < 0 {
		return yielded[trading.Position](nil)
	}
	return yielded(i.positions[from:])
}

func (i inventory) Traded() iter.Seq2[trading.Traded, error] {
	trades := map[money.Currency]int64{}
	for _, p := range i.positions {
		trades[p.Currency] += p.Trades
	}
	var traded []trading.Traded
	for _, currency := range slices.Sorted(maps.Keys(trades)) {
		traded = append(traded, trading.Traded{Currency: currency, Trades: trades[currency]})
	}
	return yielded(traded)
}

func yielded[T any](records []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestQuality(t *testing.T) {
	held := func(currency money.Currency, trades int64) trading.Position {
		return trading.Position{Instrument: trading.Instrument{Symbol: "ACME", Currency: currency}, Trades: trades}
	}
	s := shelf{
		currencies: []trading.Currency{{ID: 1, Code: "POINTS"}, {ID: 2, Code: "UNUSED"}},
		companies:  []trading.Company{{ID: 1, Name: "Acme"}, {ID: 2, Name: "Größe"}, {ID: 4, Name: "ACME"}, {ID: 5, Name: "Other"}, {ID: 9, Name: "größe"}},
		held:       inventory{positions: []trading.Position{held("USD", 7), held("XYZ", 2), held("XYZ", 3), held("POINTS", 4), held("OLD", 1), held("NIL", 0)}},
	}
	posted := map[money.Currency]int64{"EUR": 5, "POINTS": 9, "XYZ": 10, "NEW": 1, "GONE": 0}
	for _, c := range []struct {
		most int
		want string
	}{
		{100, "XYZ: 5 trades, 10 postings\nNEW: 0 trades, 1 postings\nOLD: 1 trades, 0 postings\nAcme [1 4]\nGröße [2 9]"},
		{1, "XYZ: 5 trades, 10 postings\nAcme [1 4]"},
		{0, ""},
	} {
		q, err := trading.NewBook(s).Quality(t.Context(), posted, c.most)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range q.Doubtful {
			got = append(got, fmt.Sprintf("%s: %d trades, %d postings", d.Currency, d.Trades, d.Postings))
		}
		for _, same := range q.Namesakes {
			got = append(got, fmt.Sprint(same.Name, " ", same.IDs))
		}
		if got := strings.Join(got, "\n"); got != c.want {
			t.Errorf("at most %d: got\n%s\nwant\n%s", c.most, got, c.want)
		}
	}
}
