package storetest

import (
	"cmp"
	"fmt"
	"testing"

	"daybook/internal/budget"
	"daybook/internal/money"
)

func overviewData() []clause {
	return []clause{
		{"of nothing is none", func(t *testing.T, s Store) {
			got := must(s.OverviewData(t.Context(), budget.OverviewDataQuery{Month: budget.Month{Year: 2025}, Version: budget.Original}))(t)
			same(t, "month", got.Month, budget.Month{Year: 2025})
			same(t, "postings", got.Postings, budget.Postings{})
			same(t, "months", got.Months, budget.Tallies{})
		}},
		{"is of the month as the usage completes it", func(t *testing.T, s Store) {
			g := ground(t, s)
			forecast, late, other := g.line(2), g.actual(3), g.actual(2)
			forecast.Version, forecast.Amount, late.Year, other.DepartmentID = budget.Forecast1, amount("7"), 2031, g.otherDepartment
			must(s.CreateLines(t.Context(), []budget.Line{g.line(1), g.line(2), forecast, g.line(12)}))(t)
			must(s.IngestActuals(t.Context(), []budget.Actual{g.actual(1), other, late}))(t)
			for _, q := range []budget.OverviewDataQuery{
				{},
				{Month: budget.Month{Period: 1}},
				{Month: budget.Month{Year: 2031}, Version: budget.Forecast1},
				{Month: budget.Month{Year: 2025, Period: 2}, Version: budget.Forecast1},
				{Horizon: budget.Month{Year: 2031, Period: 2}},
				{Horizon: budget.Month{Year: 2025, Period: 12}, DepartmentID: g.otherDepartment},
				{Horizon: budget.Month{Year: 2025, Period: 12}, DepartmentID: 98},
				{Month: budget.Month{Year: 1999}},
			} {
				q.Version = cmp.Or(q.Version, budget.Original)
				overviewed(t, s, q)
			}
			stored := must(s.IngestActuals(t.Context(), []budget.Actual{g.actual(5)}))(t)
			q := budget.OverviewDataQuery{Horizon: budget.Month{Year: 2025, Period: 12}, Version: budget.Original}
			overviewed(t, s, q)
			must(s.DeleteActual(t.Context(), stored[0].ID))(t)
			overviewed(t, s, q)
		}},
	}
}

// agreeing fails unless the parts of an overview's data are of one snapshot. All postings must be
// of its month.
func agreeing(o budget.OverviewData) error {
	for _, side := range []struct {
		use      budget.Use
		postings []budget.Posting
		tallies  []budget.Tally
	}{
		{o.Usage.Lines, o.Postings.Budgeted, o.Months.Budgeted},
		{o.Usage.Actuals, o.Postings.Actual, o.Months.Actual},
	} {
		var sum, added money.Sum
		for _, p := range side.postings {
			sum.Add(p.Amount)
		}
		count := int64(0)
		for _, t := range side.tallies {
			added, count = added.Plus(t.Sum), count+t.Count
		}
		if n := int64(len(side.postings)); side.use.Months[o.Month] != n || count != n || added != sum {
			return fmt.Errorf("got %d postings of %s together, %d counted, and %d tallied as %s",
				n, sum, side.use.Months[o.Month], count, added)
		}
	}
	return nil
}

// overviewed fails unless the data of an overview equals its parts, read one by one.
func overviewed(t *testing.T, s Store, q budget.OverviewDataQuery) {
	t.Helper()
	got := must(s.OverviewData(t.Context(), q))(t)
	want := budget.OverviewData{Usage: must(s.Usage(t.Context()))(t), Sources: sourcesOf(t, s)}
	want.SourcesTotal = len(want.Sources)
	want.Month = want.Usage.Newest(q.Month, q.Horizon)
	if want.Whole() {
		want.Postings = must(s.Postings(t.Context(), want.Year, want.Period, q.Version, q.DepartmentID))(t)
		want.Months = must(s.Months(t.Context(), want.Year, q.Version, q.DepartmentID))(t)
	}
	same(t, "overview data", got, want)
}
