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
		{"without postings the data is empty", func(t *testing.T, s Store) {
			got := must(s.OverviewData(t.Context(), budget.OverviewDataQuery{Month: budget.Month{Year: 2025}, Version: budget.Original}))(t)
			same(t, "month", got.Month, budget.Month{Year: 2025})
			same(t, "postings", got.Postings, budget.Postings{})
			same(t, "months", got.Months, budget.Tallies{})
		}},
		{"the data is that of the month that Usage.Newest chooses", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			forecast, late, other := chart.line(2), chart.actual(3), chart.actual(2)
			forecast.Version, forecast.Amount, late.Year, other.DepartmentID = budget.Forecast1, amount("7"), 2031, chart.otherDepartment
			must(s.CreateLines(t.Context(), []budget.Line{chart.line(1), chart.line(2), forecast, chart.line(12)}))(t)
			must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1), other, late}))(t)
			for _, q := range []budget.OverviewDataQuery{
				{},
				{Month: budget.Month{Period: 1}},
				{Month: budget.Month{Year: 2031}, Version: budget.Forecast1},
				{Month: budget.Month{Year: 2025, Period: 2}, Version: budget.Forecast1},
				{Horizon: budget.Month{Year: 2031, Period: 2}},
				{Horizon: budget.Month{Year: 2025, Period: 12}, DepartmentID: chart.otherDepartment},
				{Horizon: budget.Month{Year: 2025, Period: 12}, DepartmentID: 98},
				{Month: budget.Month{Year: 1999}},
			} {
				q.Version = cmp.Or(q.Version, budget.Original)
				checkOverview(t, s, q)
			}
			stored := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(5)}))(t)
			q := budget.OverviewDataQuery{Horizon: budget.Month{Year: 2025, Period: 12}, Version: budget.Original}
			checkOverview(t, s, q)
			must(s.DeleteActual(t.Context(), stored[0].ID))(t)
			checkOverview(t, s, q)
		}},
	}
}

// oneSnapshot returns an error if the parts of an overview's data cannot be from one snapshot. It expects
// that all postings of the store are of the overview's month.
func oneSnapshot(o budget.OverviewData) error {
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
			return fmt.Errorf("got %d postings with the sum %s, usage counts %d, months count %d with the sum %s; want them equal",
				n, sum, side.use.Months[o.Month], count, added)
		}
	}
	return nil
}

// checkOverview fails the test unless the data of an overview equals its parts, each read on its own.
func checkOverview(t *testing.T, s Store, q budget.OverviewDataQuery) {
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
