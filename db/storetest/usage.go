package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/internal/budget"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/text"
)

func usage() []clause {
	return []clause{
		{"without postings nothing is counted", func(t *testing.T, s Store) {
			got := must(s.Usage(t.Context()))(t)
			if len(got.Years()) != 0 || len(got.Currencies()) != 0 {
				t.Errorf("got %+v, want nothing", got)
			}
			checkSources(t, s, nil)
		}},
		{"usage counts the postings by department, account, currency and month", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			forecast, other := chart.line(2), chart.line(3)
			forecast.Version, other.Currency, other.DepartmentID, other.Year = budget.Forecast1, "CHF", chart.otherDepartment, 2024
			lines := must(s.CreateLines(t.Context(), []budget.Line{chart.line(1), chart.line(2), forecast, other}))(t)
			late, card := chart.actual(7), chart.actual(1)
			card.Source, card.AccountID, card.Currency = "cards", chart.otherAccount, "EUR"
			actuals := must(s.IngestActuals(t.Context(), []budget.Actual{late, chart.actual(1), card}))(t)
			got := must(s.Usage(t.Context()))(t)
			same(t, "use by lines", got.Lines, budget.Use{
				Departments: map[budget.DepartmentID]int64{chart.department: 3, chart.otherDepartment: 1},
				Accounts:    map[budget.AccountID]int64{chart.account: 4},
				Currencies:  map[money.Currency]int64{"USD": 3, "CHF": 1},
				Months:      map[budget.Month]int64{{Year: 2025, Period: 1}: 1, {Year: 2025, Period: 2}: 2, {Year: 2024, Period: 3}: 1},
			})
			same(t, "use by actuals", got.Actuals, budget.Use{
				Departments: map[budget.DepartmentID]int64{chart.department: 3},
				Accounts:    map[budget.AccountID]int64{chart.account: 2, chart.otherAccount: 1},
				Currencies:  map[money.Currency]int64{"USD": 2, "EUR": 1},
				Months:      map[budget.Month]int64{{Year: 2025, Period: 1}: 2, {Year: 2025, Period: 7}: 1},
			})
			checkSources(t, s, []budget.Source{
				{Name: "ERP", Actuals: 2, Newest: budget.Month{Year: 2025, Period: 7}},
				{Name: "cards", Actuals: 1, Newest: budget.Month{Year: 2025, Period: 1}},
			})

			must(s.DeleteLine(t.Context(), lines[3].ID))(t)
			must(s.DeleteActual(t.Context(), actuals[2].ID))(t)
			got = must(s.Usage(t.Context()))(t)
			same(t, "years", len(got.Years()), 1)
			currencies := got.Currencies()
			same(t, "currencies", currencies, []money.Currency{"USD"})
			checkSources(t, s, []budget.Source{{Name: "ERP", Actuals: 2, Newest: budget.Month{Year: 2025, Period: 7}}})
		}},
		{"the sources with the most actuals are listed, and all sources are counted", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			// With long names the sources take too many bytes for a store that collects them in memory.
			for _, name := range []string{"ERP", strings.Repeat("\U0001F4B6", 240)} {
				postManySources(t, s, chart, name)
				checkManySources(t, s, name, 9_900)
			}
			one := chart.actual(1)
			one.Year = 1900
			must(s.IngestActuals(t.Context(), []budget.Actual{one}))(t)
			checkManySources(t, s, strings.Repeat("\U0001F4B6", 240), 9_901)
		}},
		{"a source has the time of its last change, if that is among the newest 10,000 changes", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1)}))(t)
			if got := sourcesOf(t, s); len(got) != 1 || got[0].Changed.IsZero() {
				t.Errorf("got %+v, want one source with its time", got)
			}
			cards := chart.actual(2)
			cards.Source = "cards"
			many := make([]budget.Actual, 10_000)
			for i := range many {
				many[i] = cards
			}
			must(s.IngestActuals(t.Context(), many))(t)
			got := sourcesOf(t, s)
			if len(got) != 2 || !got[0].Changed.IsZero() || got[1].Changed.IsZero() {
				t.Errorf("got %+v, want a time for the second source only", got)
			}
		}},
	}
}

// postManySources posts one actual of each of 9,800 sources, and two of each of 100 others. The names of
// the 100 are the last in order.
func postManySources(t *testing.T, s Store, chart chart, name string) {
	t.Helper()
	actuals := make([]budget.Actual, 10_000)
	for i := range actuals {
		actuals[i] = chart.actual(i%fiscal.Periods + 1)
		actuals[i].Year = fiscal.Year(2000 + i/fiscal.Periods)
		n := i
		if i < 100 {
			n = 9_900 + i
		}
		actuals[i].Source = text.Source(fmt.Sprintf("%s %04d", name, n))
	}
	must(s.IngestActuals(t.Context(), actuals))(t)
}

// checkManySources fails the test unless the 100 sources with two actuals are listed, and all are
// counted.
func checkManySources(t *testing.T, s Store, name string, total int) {
	t.Helper()
	look := must(s.OverviewData(t.Context(), budget.OverviewDataQuery{}))(t)
	same(t, "count of sources", look.SourcesTotal, total)
	want := make([]budget.Source, budget.MostSources)
	for i := range want {
		n := 9_900 + i
		want[i] = budget.Source{
			Name: text.Source(fmt.Sprintf("%s %04d", name, n)), Actuals: 2,
			Newest: budget.Month{Year: fiscal.Year(2000 + n/fiscal.Periods), Period: fiscal.Period(n%fiscal.Periods + 1)},
		}
	}
	checkSources(t, s, want)
}

// sourcesOf returns the sources of all actuals. An overview of any month has them.
func sourcesOf(t *testing.T, s Store) []budget.Source {
	t.Helper()
	return must(s.OverviewData(t.Context(), budget.OverviewDataQuery{}))(t).Sources
}

// checkSources fails the test unless the store has these sources, each with a time of its last change.
func checkSources(t *testing.T, s Store, want []budget.Source) {
	t.Helper()
	got := append([]budget.Source(nil), sourcesOf(t, s)...)
	for i := range got {
		if got[i].Changed.IsZero() {
			t.Errorf("got no time of the last change of %+v, want one", got[i])
		}
		got[i].Changed = time.Time{}
	}
	same(t, "sources", got, want)
}
