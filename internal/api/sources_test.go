package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

// TestAnOverviewOfManySources: actuals have 10,000 sources with the longest names. The overview names
// only some of the sources, and says how many there are.
func TestAnOverviewOfManySources(t *testing.T) {
	s := serve(t)
	key := budget.Key{
		DepartmentID: budget.DepartmentID(s.create(t, "/api/v1/department/create", `{"code": "OPS", "name": "Operations"}`)),
		AccountID: budget.AccountID(s.create(t, "/api/v1/gl-accounts",
			`{"code": "5000", "type": "opex"}`)),
	}
	actuals := make([]budget.Actual, 10_000)
	for i := range actuals {
		key.Year, key.Period = fiscal.Year(2000+i/fiscal.Periods), fiscal.Period(i%fiscal.Periods+1)
		name := fmt.Sprintf("%04d%s", i, strings.Repeat("\U0001F4B6", 251))
		actuals[i] = budget.Actual{Key: key, Amount: 1, Currency: "USD", Source: text.Source(name)}
	}
	if _, err := s.store.IngestActuals(t.Context(), actuals); err != nil {
		t.Fatal(err)
	}
	body := s.get(t, "/api/v1/overview")
	got := read[struct {
		Sources      []struct{ Source string }
		SourcesTotal int `json:"sources_total"`
	}](t, body)
	if len(got.Sources) != budget.MostSources || got.SourcesTotal != len(actuals) {
		t.Errorf("got %d sources of %d, want %d of %d", len(got.Sources), got.SourcesTotal, budget.MostSources, len(actuals))
	}
	if len(body) > 1<<18 {
		t.Errorf("got %d bytes, want at most %d", len(body), 1<<18)
	}
}

// TestAnOverviewOfManyCurrencies: a year of actuals has one actual in each of 300 currencies, and two
// in a currency that is last by code. The overview shows that one and the first others.
func TestAnOverviewOfManyCurrencies(t *testing.T) {
	s := serve(t)
	key := budget.Key{
		DepartmentID: budget.DepartmentID(s.create(t, "/api/v1/department/create", `{"code": "OPS", "name": "Operations"}`)),
		Year:         2025,
	}
	var actuals []budget.Actual
	for i := range 26 {
		key.AccountID = budget.AccountID(s.create(t, "/api/v1/gl-accounts", fmt.Sprintf(`{"code": "%d", "type": "opex"}`, 5000+i)))
		for period := fiscal.Period(1); period <= fiscal.Periods; period++ {
			key.Period = period
			currency := money.Currency(fmt.Sprintf("A%03d", len(actuals)))
			if i == 25 {
				currency = "ZZZ"
			}
			actuals = append(actuals, budget.Actual{Key: key, Amount: 1, Currency: currency})
		}
	}
	if _, err := s.store.IngestActuals(t.Context(), actuals); err != nil {
		t.Fatal(err)
	}
	type overview struct {
		Currencies      []struct{ Currency money.Currency }
		CurrenciesTotal int `json:"currencies_total"`
	}
	got := read[overview](t, s.get(t, "/api/v1/overview"))
	var listed []money.Currency
	for _, c := range got.Currencies {
		listed = append(listed, c.Currency)
	}
	if got.CurrenciesTotal != 301 {
		t.Errorf("got %d currencies in all, want 301", got.CurrenciesTotal)
	}
	filters := read[struct{ Currencies []money.Currency }](t, s.get(t, "/api/v1/filters"))
	for name, list := range map[string][]money.Currency{"overview": listed, "filters": filters.Currencies} {
		if len(list) != budget.MostCurrencies {
			t.Errorf("%s: got %d currencies, want %d", name, len(list), budget.MostCurrencies)
		}
		if !slices.IsSorted(list) || list[0] != "A000" || list[len(list)-1] != "ZZZ" {
			t.Errorf("%s: got %v, want ZZZ, which has the most actuals, and the first 99 of the others, by code", name, list)
		}
	}
	one := read[overview](t, s.get(t, "/api/v1/overview?currency=A299"))
	if len(one.Currencies) != 1 || one.Currencies[0].Currency != "A299" || one.CurrenciesTotal != 1 {
		t.Errorf("got %+v of %d, want only A299", one.Currencies, one.CurrenciesTotal)
	}
}
