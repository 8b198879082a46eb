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

// stubStore is a store with the records that the quality report reads.
type stubStore struct {
	trading.Store
	currencies []trading.Currency
	companies  []trading.Company
	held       inventory
}

func (s stubStore) Currencies(context.Context) iter.Seq2[trading.Currency, error] {
	return yielded(s.currencies)
}

func (s stubStore) Companies(context.Context) iter.Seq2[trading.Company, error] {
	return yielded(s.companies)
}

func (s stubStore) Holdings(_ context.Context, read func(trading.Inventory) error) error {
	return read(s.held)
}

// inventory is an inventory of positions, in their order.
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

// TestQuality: currencies that are in use but neither standard nor registered are found, and companies
// with the same name.
func TestQuality(t *testing.T) {
	held := func(currency money.Currency, trades int64) trading.Position {
		return trading.Position{Instrument: trading.Instrument{Symbol: "ACME", Currency: currency}, Trades: trades}
	}
	s := stubStore{
		currencies: []trading.Currency{{ID: 1, Code: "POINTS"}, {ID: 2, Code: "UNUSED"}},
		companies:  []trading.Company{{ID: 1, Name: "Acme"}, {ID: 2, Name: "Größe"}, {ID: 4, Name: "ACME"}, {ID: 5, Name: "Other"}, {ID: 9, Name: "größe"}},
		held:       inventory{positions: []trading.Position{held("USD", 7), held("XYZ", 2), held("XYZ", 3), held("POINTS", 4), held("OLD", 1), held("NIL", 0)}},
	}
	posted := map[money.Currency]trading.Posted{
		"EUR": {Actuals: 5}, "POINTS": {BudgetLines: 9}, "XYZ": {BudgetLines: 4, Actuals: 6}, "NEW": {BudgetLines: 1}, "GONE": {},
	}
	for _, c := range []struct {
		most int
		want string
	}{
		{100, "XYZ: 5 trades, {4 6} posted\nNEW: 0 trades, {1 0} posted\nOLD: 1 trades, {0 0} posted\nAcme [1 4]\nGröße [2 9]"},
		{1, "XYZ: 5 trades, {4 6} posted\nAcme [1 4]"},
		{0, ""},
	} {
		q, err := trading.NewBook(s).Quality(t.Context(), posted, c.most)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range q.Doubtful {
			got = append(got, fmt.Sprintf("%s: %d trades, %d posted", d.Currency, d.Trades, d.Posted))
		}
		for _, same := range q.Namesakes {
			got = append(got, fmt.Sprint(same.Name, " ", same.IDs))
		}
		if got := strings.Join(got, "\n"); got != c.want {
			t.Errorf("at most %d: got\n%s\nwant\n%s", c.most, got, c.want)
		}
	}
}

// TestFindingsOfAPortfolio: the finding of a doubtful currency names the first trade, actual and budget
// line in it.
func TestFindingsOfAPortfolio(t *testing.T) {
	q := trading.Quality{
		Doubtful: []trading.Doubt{
			{Currency: "A", Trades: 1, Posted: trading.Posted{BudgetLines: 2, Actuals: 3}},
			{Currency: "B", Posted: trading.Posted{BudgetLines: 2, Actuals: 3}},
			{Currency: "C", Posted: trading.Posted{BudgetLines: 1}},
		},
		Namesakes: []trading.Namesakes{{Name: "Acme", IDs: []trading.CompanyID{1, 4}}},
	}
	var got []string
	for _, f := range q.Findings() {
		got = append(got, fmt.Sprint(f.Kind, " ", f.Severity, " ", f.Count, " ", f.Subject.Records, ": ", f.Title, ": ", f.Detail))
	}
	want := []string{
		"doubtful_currency high 6 trades: Currency A: neither registered nor a code of ISO 4217; used by 1 trade and 5 budget lines and actuals",
		"doubtful_currency high 5 actuals: Currency B: neither registered nor a code of ISO 4217; used by 5 budget lines and actuals",
		"doubtful_currency high 1 budget_lines: Currency C: neither registered nor a code of ISO 4217; used by 1 budget line or actual",
		`ambiguous_name low 2 : Companies with the name "Acme": ids 1, 4; a position of this name may not be valued at their price`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
