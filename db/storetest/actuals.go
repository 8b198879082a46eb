package storetest

import (
	"slices"
	"strings"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/listing"
	"daybook/internal/money"
	"daybook/internal/text"
)

func actuals() []clause {
	return []clause{
		{"actuals are returned as they were stored, with new ids", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			most, least, empty := chart.actual(12), chart.actual(1), chart.actual(2)
			most.Amount, most.Year, most.Source = amount("99999999999999.9999"), 9999, text.Source(strings.Repeat("é", text.MaxName))
			least.Amount, least.Year = amount("-99999999999999.9999"), 1900
			empty.Amount, empty.Source = 0, ""
			want := []budget.Actual{most, least, empty}
			got := must(s.IngestActuals(t.Context(), want))(t)
			checkRising(t, got, func(a budget.Actual) int64 { return int64(a.ID) })
			for i := range want {
				want[i].ID = got[i].ID
			}
			same(t, "stored actuals", got, want)
			same(t, "actuals", allActuals(t, s), want)
		}},
		{"an actual whose key exists keeps its id and takes the new amount, currency and source", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			posted := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1), chart.actual(2)}))(t)
			again := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1)}))(t)
			same(t, "the same actual again", again, posted[:1])
			posted[0].Amount, posted[0].Currency, posted[0].Source = amount("-3"), "EUR", ""
			changed := posted[0]
			changed.ID = 0
			same(t, "the changed actual", must(s.IngestActuals(t.Context(), []budget.Actual{changed}))(t), posted[:1])
			same(t, "actuals", allActuals(t, s), posted)
		}},
		{"of several actuals with one key in a request, the last is stored", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			last := chart.actual(1)
			last.Amount = amount("77")
			got := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1), chart.actual(2), last}))(t)
			if got[0].ID != got[2].ID || got[2].Amount != last.Amount {
				t.Errorf("got %+v, want the id of the first and the amount of the last", got)
			}
			same(t, "actuals", allActuals(t, s), []budget.Actual{got[2], got[1]})
		}},
		{"all actuals of a request are stored, or none", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			posted := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1)}))(t)
			replaced := chart.actual(1)
			replaced.Amount = amount("5")
			for _, bad := range chart.badKeys() {
				last := chart.actual(3)
				last.Key = bad.key
				refused(s.IngestActuals(t.Context(), []budget.Actual{replaced, chart.actual(2), last}))(t, fault.UnknownReference, bad.fields...)
			}
			for period := range 2 { // an actual that exists, and a new one
				odd := chart.actual(1 + period)
				odd.Currency = "X"
				refused(s.IngestActuals(t.Context(), []budget.Actual{replaced, chart.actual(3), odd}))(t, fault.Invalid, "currency")
			}
			same(t, "actuals", allActuals(t, s), posted)
		}},
		{"a currency code that is not Plain is accepted after it is registered", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			must(s.AddCurrency(t.Context(), currency(t, "x")))(t)
			one := chart.actual(1)
			one.Currency = "X"
			must(s.IngestActuals(t.Context(), []budget.Actual{one}))(t)
		}},
		{"a deleted actual is returned and removed, and its id is never used again", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			posted := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1), chart.actual(2)}))(t)
			last := posted[1]
			same(t, "deleted actual", must(s.DeleteActual(t.Context(), last.ID))(t), last)
			refused(s.DeleteActual(t.Context(), last.ID))(t, fault.NotFound)
			same(t, "actuals", allActuals(t, s), posted[:1])
			next := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(2)}))(t)
			if next[0].ID <= last.ID {
				t.Errorf("got id %d after deleting %d, want a higher one", next[0].ID, last.ID)
			}
		}},
		{"a page has the actuals that match, by id", pagedActuals},
		{"a page is in the requested order, and equal values are by id", sortedActuals},
	}
}

func pagedActuals(t *testing.T, s Store) {
	chart := newChart(t, s)
	var sent []budget.Actual
	for i := range 48 {
		one := chart.actual(12 - i%12) // so that the order of ids is not the order of keys
		one.Year = fiscal.Year(2025 - i/12%2)
		one.Currency = []money.Currency{"USD", "EUR"}[i%5%2]
		one.Source = []text.Source{"ERP", "cards", ""}[i%3]
		if i/24 == 1 {
			one.DepartmentID, one.AccountID = chart.otherDepartment, chart.otherAccount
		}
		sent = append(sent, one)
	}
	stored := must(s.IngestActuals(t.Context(), sent))(t)
	filters := map[string]budget.ActualFilter{
		"nothing":     {},
		"currency":    {Currency: new(money.Currency("EUR"))},
		"source":      {Source: new(text.Source("cards"))},
		"no source":   {Source: new(text.Source(""))},
		"all of them": {KeyFilter: chart.every(), Currency: new(money.Currency("USD")), Source: new(text.Source("ERP"))},
	}
	for name, f := range chart.filters() {
		filters[name] = budget.ActualFilter{KeyFilter: f}
	}
	for name, f := range filters {
		var want []budget.Actual
		for _, a := range stored {
			if keyMatches(f.KeyFilter, a.Key) && valueMatches(f.Currency, a.Currency) && valueMatches(f.Source, a.Source) {
				want = append(want, a)
			}
		}
		for _, newest := range []bool{false, true} {
			for _, limit := range []int{1, 5, 1000} {
				f.Limit, f.Down = limit, newest
				got := inPages(t, limit, func(after listing.Place) (listing.Page[budget.Actual], error) {
					f.After = after
					return s.ActualPage(t.Context(), f)
				})
				same(t, "actuals narrowed by "+name, got, want)
			}
			slices.Reverse(want)
		}
	}
}

// allActuals returns every actual.
func allActuals(t *testing.T, s Store) []budget.Actual {
	t.Helper()
	return must(s.ActualPage(t.Context(), budget.ActualFilter{Limit: 10_000}))(t).Records
}
