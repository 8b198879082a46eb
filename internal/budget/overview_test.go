package budget

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// TestNewestMonth: the newest month is that of the newest actual, or of the newest budget line if there
// is no actual, in the year and the period that were asked for.
func TestNewestMonth(t *testing.T) {
	months := func(months ...Month) Use {
		use := Use{Months: map[Month]int64{}}
		for _, m := range months {
			use.Months[m] = 1
		}
		return use
	}
	u := Usage{
		Actuals: months(Month{2025, 12}, Month{2026, 3}, Month{2026, 2}),
		Lines:   months(Month{2026, 12}, Month{2027, 1}, Month{2025, 4}),
	}
	far := Month{2099, 1}
	for _, c := range []struct{ asked, want Month }{
		{Month{}, Month{2026, 3}},
		{Month{Year: 2025}, Month{2025, 12}},
		{Month{Year: 2027}, Month{2027, 1}},
		{Month{Year: 2028}, Month{2028, 0}},
		{Month{Period: 2}, Month{2026, 2}},
		{Month{Period: 4}, Month{2025, 4}},
		{Month{Period: 9}, Month{0, 9}},
		{Month{1999, 9}, Month{1999, 9}},
	} {
		if got := u.Newest(c.asked, far); got != c.want {
			t.Errorf("%v: got %v, want %v", c.asked, got, c.want)
		}
	}
	if got, want := (Usage{Lines: u.Lines}).Newest(Month{}, far), (Month{2027, 1}); got != want {
		t.Errorf("without actuals: got %v, want %v", got, want)
	}
	if got := fmt.Sprint(u.Years()); got != "[2025 2026 2027]" {
		t.Errorf("got the years %s, want [2025 2026 2027]", got)
	}
}

// TestNewestMonthWithinTheHorizon: an actual with a mistyped year, and budgets for later years, do not
// decide what the newest month is, because they are beyond the horizon.
func TestNewestMonthWithinTheHorizon(t *testing.T) {
	u := Usage{
		Actuals: Use{Months: map[Month]int64{{2062, 3}: 1, {2026, 11}: 9, {2027, 6}: 1}},
		Lines:   Use{Months: map[Month]int64{{2024, 4}: 1, {2030, 4}: 1, {2031, 5}: 1}},
	}
	for _, c := range []struct{ asked, horizon, want Month }{
		{Month{}, Month{2027, 5}, Month{2026, 11}},
		{Month{}, Month{2027, 6}, Month{2027, 6}},
		{Month{}, Month{2061, 12}, Month{2027, 6}},
		{Month{}, Month{2062, 3}, Month{2062, 3}},
		{Month{}, Month{2025, 1}, Month{2024, 4}}, // all actuals are beyond the horizon, so a budget line decides
		{Month{}, Month{2024, 3}, Month{2062, 3}}, // everything is beyond the horizon: the clock is probably wrong
		{Month{Year: 2062}, Month{2027, 5}, Month{2062, 3}},
		{Month{Period: 3}, Month{2027, 5}, Month{2062, 3}},
		{Month{Period: 4}, Month{2027, 5}, Month{2024, 4}},
		{Month{Period: 5}, Month{2027, 5}, Month{2031, 5}},
	} {
		if got := u.Newest(c.asked, c.horizon); got != c.want {
			t.Errorf("%v up to %v: got %v, want %v", c.asked, c.horizon, got, c.want)
		}
	}
}

func TestHorizonIsAYearAfterTheClock(t *testing.T) {
	east := time.FixedZone("", 14*60*60)
	for _, c := range []struct {
		now  time.Time
		want Month
	}{
		{time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC), Month{2027, 6}},
		{time.Date(2026, 12, 31, 23, 59, 0, 0, time.UTC), Month{2027, 12}},
		{time.Date(2027, 1, 1, 1, 0, 0, 0, east), Month{2027, 12}},
	} {
		if got := NewLedger(nil, func() time.Time { return c.now }).horizon(); got != c.want {
			t.Errorf("%s: got %v, want %v", c.now, got, c.want)
		}
	}
}

// TestOverviewIsOfTheReport: the figures of an overview are those of the report of its period and of the
// summary of its year.
func TestOverviewIsOfTheReport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		months := tallying()
		var r Report
		const period = fiscal.Period(2)
		for i := range fiscal.Period(3) {
			p := books()
			p.Budgeted, p.Actual = side(t, "budgeted"), side(t, "actual")
			months.take(p, func(one Posting) Tally { return Tally{Period: i + 1, AccountID: one.AccountID, Currency: one.Currency} })
			if i+1 == period {
				r = newReport(ReportQuery{Period: period}, AllDepartments, p)
			}
		}
		threshold := money.WholePercent(rapid.Int64Range(0, 120).Draw(t, "threshold"))
		listed, _ := mostPosted(months.tallies().currencies(""))
		got := currencyOverviews(r, months.tallies(), listed, threshold)
		year := newSummary(SummaryQuery{By: PerAccount}, AllDepartments, months.tallies().through(period))
		of := newSummary(SummaryQuery{By: PerAccount}, AllDepartments, r.items)
		total := func(s Summary, currency money.Currency) (f Figures) {
			for _, net := range s.Totals {
				if net.Currency == currency {
					f = net.Figures
				}
			}
			return f
		}
		for _, s := range got {
			if want := total(of, s.Currency); s.Period != want || s.Months[period-1] != want {
				t.Fatalf("%s: got the period %+v and the month %+v, want %+v", s.Currency, s.Period, s.Months[period-1], want)
			}
			if want := total(year, s.Currency); s.YearToDate != want {
				t.Fatalf("%s: got the year to date %+v, want %+v", s.Currency, s.YearToDate, want)
			}
			if s.ToDate[period-1] != s.YearToDate || s.ToDate[0] != s.Months[0] || s.ToDate[11].Variance != sumOf(&s.Months).Variance {
				t.Fatalf("%s: got %+v to date, want the sums of the months", s.Currency, s.ToDate)
			}
			driversOf(t, s, r, threshold)
		}
		if !slices.IsSortedFunc(got, func(a, b CurrencyOverview) int { return slices.Compare([]byte(a.Currency), []byte(b.Currency)) }) {
			t.Fatalf("got currencies out of order: %v", got)
		}
	})
}

// driversOf compares the alerts and drivers of an overview with the lines of the report.
func driversOf(t *rapid.T, s CurrencyOverview, r Report, threshold money.Percent) {
	var worst, best []VarianceLine
	lines, favourable, unfavourable := 0, 0, 0
	for _, line := range r.Lines {
		if line.Currency != s.Currency {
			continue
		}
		lines++
		switch {
		case line.Percent.Exceeds(threshold) && line.Abs < 0:
			unfavourable++
		case line.Percent.Exceeds(threshold):
			favourable++
		}
		if line.Abs < 0 {
			worst = append(worst, line)
		}
		if line.Abs > 0 {
			best = append(best, line)
		}
	}
	slices.SortStableFunc(worst, func(a, b VarianceLine) int { return int(max(-1, min(1, a.Abs-b.Abs))) })
	slices.SortStableFunc(best, func(a, b VarianceLine) int { return int(max(-1, min(1, b.Abs-a.Abs))) })
	worst, best = worst[:min(len(worst), Drivers)], best[:min(len(best), Drivers)]
	if !slices.Equal(s.Worst, worst) || !slices.Equal(s.Best, best) {
		t.Fatalf("%s: got the worst %v and the best %v, want %v and %v", s.Currency, s.Worst, s.Best, worst, best)
	}
	if s.Lines != lines {
		t.Fatalf("%s: got %d lines, want %d", s.Currency, s.Lines, lines)
	}
	if s.Favourable != favourable || s.Unfavourable != unfavourable {
		t.Fatalf("%s: got %d and %d alerts, want %d and %d", s.Currency, s.Unfavourable, s.Favourable, unfavourable, favourable)
	}
}

func sumOf(months *[fiscal.Periods]Figures) (sum Figures) {
	for _, f := range months {
		sum = sum.plus(f)
	}
	return sum
}

// TestASourceIsBehindTheNewestOfThoseListed: a source is as many periods behind as its newest actual is
// older than the newest of all sources.
func TestASourceIsBehindTheNewestOfThoseListed(t *testing.T) {
	o := Overview{Sources: []Source{{Newest: Month{2025, 11}}, {Newest: Month{2026, 2}}, {Newest: Month{2026, 1}}}}
	var got []int
	for _, s := range o.Sources {
		got = append(got, o.Behind(s))
	}
	if want := []int{3, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("got %v periods behind, want %v", got, want)
	}
}
