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
		{"of nothing is none", func(t *testing.T, s Store) {
			got := must(s.Usage(t.Context()))(t)
			if len(got.Years()) != 0 || len(got.Currencies()) != 0 {
				t.Errorf("got %+v, want nothing", got)
			}
			sources(t, s, nil)
		}},
		{"counts what is posted", func(t *testing.T, s Store) {
			g := ground(t, s)
			forecast, other := g.line(2), g.line(3)
			forecast.Version, other.Currency, other.DepartmentID, other.Year = budget.Forecast1, "CHF", g.otherDepartment, 2024
			lines := must(s.CreateLines(t.Context(), []budget.Line{g.line(1), g.line(2), forecast, other}))(t)
			late, card := g.actual(7), g.actual(1)
			card.Source, card.AccountID, card.Currency = "cards", g.otherAccount, "EUR"
			actuals := must(s.IngestActuals(t.Context(), []budget.Actual{late, g.actual(1), card}))(t)
			got := must(s.Usage(t.Context()))(t)
			same(t, "use by lines", got.Lines, budget.Use{
				Departments: map[budget.DepartmentID]int64{g.department: 3, g.otherDepartment: 1},
				Accounts:    map[budget.AccountID]int64{g.account: 4},
				Currencies:  map[money.Currency]int64{"USD": 3, "CHF": 1},
				Months:      map[budget.Month]int64{{Year: 2025, Period: 1}: 1, {Year: 2025, Period: 2}: 2, {Year: 2024, Period: 3}: 1},
			})
			same(t, "use by actuals", got.Actuals, budget.Use{
				Departments: map[budget.DepartmentID]int64{g.department: 3},
				Accounts:    map[budget.AccountID]int64{g.account: 2, g.otherAccount: 1},
				Currencies:  map[money.Currency]int64{"USD": 2, "EUR": 1},
				Months:      map[budget.Month]int64{{Year: 2025, Period: 1}: 2, {Year: 2025, Period: 7}: 1},
			})
			sources(t, s, []budget.Source{
				{Name: "ERP", Actuals: 2, Newest: budget.Month{Year: 2025, Period: 7}},
				{Name: "cards", Actuals: 1, Newest: budget.Month{Year: 2025, Period: 1}},
			})

			must(s.DeleteLine(t.Context(), lines[3].ID))(t)
			must(s.DeleteActual(t.Context(), actuals[2].ID))(t)
			got = must(s.Usage(t.Context()))(t)
			same(t, "years", len(got.Years()), 1)
			currencies := got.Currencies()
			same(t, "currencies", currencies, []money.Currency{"USD"})
			sources(t, s, []budget.Source{{Name: "ERP", Actuals: 2, Newest: budget.Month{Year: 2025, Period: 7}}})
		}},
		{"lists the sources with the most actuals, and counts all", func(t *testing.T, s Store) {
			g := ground(t, s)
			// Long names are too many bytes to be gathered.
			for _, name := range []string{"ERP", strings.Repeat("\U0001F4B6", 240)} {
				throng(t, s, g, name)
				thronged(t, s, name, 9_900)
			}
			one := g.actual(1)
			one.Year = 1900
			must(s.IngestActuals(t.Context(), []budget.Actual{one}))(t)
			thronged(t, s, strings.Repeat("\U0001F4B6", 240), 9_901)
		}},
		{"tells of a source when it was last changed, as far as that is near", func(t *testing.T, s Store) {
			g := ground(t, s)
			must(s.IngestActuals(t.Context(), []budget.Actual{g.actual(1)}))(t)
			if got := sourcesOf(t, s); len(got) != 1 || got[0].Changed.IsZero() {
				t.Errorf("got %+v, want one source with its time", got)
			}
			cards := g.actual(2)
			cards.Source = "cards"
			many := make([]budget.Actual, 10_000)
			for i := range many {
				many[i] = cards
			}
			must(s.IngestActuals(t.Context(), many))(t)
			got := sourcesOf(t, s)
			if len(got) != 2 || !got[0].Changed.IsZero() || got[1].Changed.IsZero() {
				t.Errorf("got %+v, want the time of the second only", got)
			}
		}},
	}
}

// throng posts one actual each of 9,800 sources, and two each of 100 others, whose names
// come last.
func throng(t *testing.T, s Store, g plot, name string) {
	t.Helper()
	actuals := make([]budget.Actual, 10_000)
	for i := range actuals {
		actuals[i] = g.actual(i%fiscal.Periods + 1)
		actuals[i].Year = fiscal.Year(2000 + i/fiscal.Periods)
		n := i
		if i < 100 {
			n = 9_900 + i
		}
		actuals[i].Source = text.Source(fmt.Sprintf("%s %04d", name, n))
	}
	must(s.IngestActuals(t.Context(), actuals))(t)
}

// thronged complains unless the last hundred of a throng are listed, and all are counted.
func thronged(t *testing.T, s Store, name string, total int) {
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
	sources(t, s, want)
}

// sourcesOf are the sources of all actuals, whatever the month of an overview is.
func sourcesOf(t *testing.T, s Store) []budget.Source {
	t.Helper()
	return must(s.OverviewData(t.Context(), budget.OverviewDataQuery{}))(t).Sources
}

// sources complains unless these are the sources, all of them changed at some time.
func sources(t *testing.T, s Store, want []budget.Source) {
	t.Helper()
	got := append([]budget.Source(nil), sourcesOf(t, s)...)
	for i := range got {
		if got[i].Changed.IsZero() {
			t.Errorf("got no time of %+v, want one", got[i])
		}
		got[i].Changed = time.Time{}
	}
	same(t, "sources", got, want)
}
