package budget

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/fiscal"
	"daybook/internal/money"
)

// printed returns a summary as lines that a person can compare.
func (s Summary) printed() string {
	var b strings.Builder
	figures := func(f Figures) {
		fmt.Fprintf(&b, ": %s %s %s (%s %%) %s\n", shown(f.Budget, f.Budgeted), shown(f.Actual, f.Posted), f.Variance, f.Percent(), f.Status())
	}
	for _, i := range s.Items {
		fmt.Fprintf(&b, "%s/%s %s", i.Department, i.Account.Code, i.Currency)
		figures(i.Figures)
	}
	for _, t := range s.Subtotals {
		fmt.Fprintf(&b, "%s %s", t.Type, t.Currency)
		figures(t.Figures)
	}
	for _, t := range s.Totals {
		fmt.Fprintf(&b, "net %s", t.Currency)
		figures(t.Figures)
	}
	return b.String()
}

func shown(sum money.Sum, there bool) string {
	if !there {
		return "-"
	}
	return sum.String()
}

func TestSummary(t *testing.T) {
	p := books()
	post(t, &p.Budgeted, "1/3 1000 USD", "1/4 50 USD", "2/3 500 USD", "2/1 0 USD", "2/2 40 EUR")
	post(t, &p.Actual, "1/3 1100 USD", "1/4 70 USD", "1/1 30 USD", "2/1 5 USD", "2/2 30 EUR")
	r := newReport(ReportQuery{}, AllDepartments, p)
	for by, want := range map[Grouping]string{
		PerAccount: `
/4000 USD: 1500 1100 -400 (-26.67 %) unfavourable
/4900 USD: 50 70 -20 (-40 %) unfavourable
/5000 EUR: 40 30 10 (25 %) favourable
/6000 USD: 0 35 -35 (-100 %) unfavourable`,
		PerLine: `
ENG/4000 USD: 500 - -500 (-100 %) unfavourable
OPS/4000 USD: 1000 1100 100 (10 %) favourable
OPS/4900 USD: 50 70 -20 (-40 %) unfavourable
ENG/5000 EUR: 40 30 10 (25 %) favourable
ENG/6000 USD: 0 5 -5 (-100 %) unfavourable
OPS/6000 USD: - 30 -30 (-100 %) unfavourable`,
		PerDepartment: `
ENG/ EUR: -40 -30 10 (25 %) favourable
ENG/ USD: 500 -5 -505 (-101 %) unfavourable
OPS/ USD: 950 1000 50 (5.26 %) favourable`,
	} {
		const sums = `
revenue USD: 1450 1030 -420 (-28.97 %) unfavourable
cogs EUR: 40 30 10 (25 %) favourable
opex USD: 0 35 -35 (-100 %) unfavourable
net EUR: -40 -30 10 (25 %) favourable
net USD: 1450 995 -455 (-31.38 %) unfavourable
`
		got := newSummary(SummaryQuery{By: by}, AllDepartments, r.items).printed()
		if want := strings.TrimPrefix(want, "\n") + sums; got != want {
			t.Errorf("by %s: got\n%s\nwant\n%s", by, got, want)
		}
	}
}

func TestSummaryOfOneCurrency(t *testing.T) {
	p := books()
	post(t, &p.Budgeted, "1/3 1000 USD", "2/2 40 EUR")
	r := newReport(ReportQuery{}, AllDepartments, p)
	got := newSummary(SummaryQuery{ReportQuery: ReportQuery{Currency: "EUR"}, By: PerLine}, AllDepartments, r.items).printed()
	want := `ENG/5000 EUR: 40 - 40 (100 %) favourable
cogs EUR: 40 - 40 (100 %) favourable
net EUR: -40 - 40 (100 %) favourable
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFiguresOfUnbudgetedActuals: figures are unbudgeted if there is an actual and no budget line.
func TestFiguresOfUnbudgetedActuals(t *testing.T) {
	for _, c := range []struct {
		figures Figures
		want    bool
	}{
		{Figures{}, false},
		{Figures{Budgeted: true}, false},
		{Figures{Posted: true}, true},
		{Figures{Budgeted: true, Posted: true}, false},
	} {
		if got := c.figures.Unbudgeted(); got != c.want {
			t.Errorf("%+v: got %t, want %t", c.figures, got, c.want)
		}
		line := VarianceLine{Budgeted: c.figures.Budgeted, Posted: c.figures.Posted}
		if got := line.Unbudgeted(); got != c.want {
			t.Errorf("%+v: got %t, want %t", line, got, c.want)
		}
	}
}

// TestSummaryAddsUp: each summary of a period agrees with the report of that period.
func TestSummaryAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := books()
		p.Budgeted, p.Actual = side(t, "budgeted"), side(t, "actual")
		r := newReport(ReportQuery{}, AllDepartments, p)
		for _, by := range []Grouping{PerAccount, PerLine, PerDepartment} {
			s := newSummary(SummaryQuery{By: by}, AllDepartments, r.items)
			reconciles(t, s)
			isOfReport(t, s, r)
			if by == PerLine && len(s.Items) != len(r.Lines) {
				t.Fatalf("got %d lines, want %d", len(s.Items), len(r.Lines))
			}
		}
	})
}

// TestYearAddsUp: the summary of a year to date, and the trend, agree with the reports of its periods.
func TestYearAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const periods = 3
		var reports [periods]Report
		months, departments := tallying(), tallying()
		for i := range reports {
			p := books()
			p.Budgeted, p.Actual = side(t, "budgeted"), side(t, "actual")
			reports[i] = newReport(ReportQuery{}, AllDepartments, p)
			months.take(p, func(one Posting) Tally {
				return Tally{Period: fiscal.Period(i + 1), AccountID: one.AccountID, Currency: one.Currency}
			})
			departments.take(p, func(one Posting) Tally {
				return Tally{DepartmentID: one.DepartmentID, AccountID: one.AccountID, Currency: one.Currency}
			})
		}
		for through := range fiscal.Period(periods) {
			whole := func(add func(Item)) {
				for _, r := range reports[:through+1] {
					r.items(add)
				}
			}
			want := newSummary(SummaryQuery{By: PerAccount}, AllDepartments, whole)
			got := newSummary(SummaryQuery{By: PerAccount}, AllDepartments, months.tallies().through(through+1))
			reconciles(t, got)
			if got.printed() != want.printed() {
				t.Fatalf("through period %d: got\n%s\nwant\n%s", through+1, got.printed(), want.printed())
			}
			if through == periods-1 {
				want := newSummary(SummaryQuery{By: PerDepartment}, AllDepartments, whole)
				got := newSummary(SummaryQuery{By: PerDepartment}, AllDepartments, departments.tallies().through(through))
				reconciles(t, got)
				if got.printed() != want.printed() {
					t.Fatalf("by department: got\n%s\nwant\n%s", got.printed(), want.printed())
				}
			}
		}
		reconciles(t, newSummary(SummaryQuery{By: PerLine}, AllDepartments, departments.tallies().through(periods)))
		accountTrends, err := months.tallies().accountTrends(within(""))
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range reports {
			got := newSummary(SummaryQuery{By: PerAccount}, AllDepartments, func(add func(Item)) {
				for _, c := range accountTrends {
					if f := c.Months[i]; f.Budgeted || f.Posted {
						add(Item{Account: c.Account, Currency: c.Currency, Figures: f})
					}
				}
			})
			if want := newSummary(SummaryQuery{By: PerAccount}, AllDepartments, r.items); got.printed() != want.printed() {
				t.Fatalf("period %d: got\n%s\nwant\n%s", i+1, got.printed(), want.printed())
			}
		}
		if !slices.IsSortedFunc(accountTrends, func(a, b AccountTrend) int {
			return cmp.Or(byStatement(a.Account, b.Account), cmp.Compare(a.Currency, b.Currency))
		}) {
			t.Fatalf("got accountTrends out of order: %v", accountTrends)
		}
		for _, currency := range []money.Currency{"CHF", "EUR", "USD"} {
			narrowed, err := months.tallies().accountTrends(within(currency))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range narrowed {
				if c.Currency != currency {
					t.Fatalf("narrowed to %s: got a line in %s, want none", currency, c.Currency)
				}
			}
		}
	})
}

// adder adds up postings as a store does.
type adder struct{ budgeted, actual map[Tally]money.Sum }

func tallying() adder { return adder{map[Tally]money.Sum{}, map[Tally]money.Sum{}} }

func (a adder) take(p Postings, at func(Posting) Tally) {
	add := func(side map[Tally]money.Sum, postings []Posting) {
		for _, one := range postings {
			side[at(one)] = side[at(one)].Plus(money.SumOf(one.Amount))
		}
	}
	add(a.budgeted, p.Budgeted)
	add(a.actual, p.Actual)
}

func (a adder) tallies() Tallies {
	side := func(of map[Tally]money.Sum) (side []Tally) {
		for at, sum := range of {
			at.Sum = sum
			side = append(side, at)
		}
		slices.SortFunc(side, func(a, b Tally) int { return a.Compare(&b) })
		return side
	}
	return Tallies{Departments: books().Departments, Accounts: books().Accounts, Budgeted: side(a.budgeted), Actual: side(a.actual)}
}

// reconciles checks that budget + variance = actual in the net result, and that items add up to
// subtotals and to totals.
func reconciles(t *rapid.T, s Summary) {
	items, subtotals := map[money.Currency]Figures{}, map[money.Currency]Figures{}
	kinds := map[string]Figures{}
	for _, i := range s.Items {
		net := i.Figures
		if s.By != PerDepartment {
			kinds[fmt.Sprint(i.Account.Type, i.Currency)] = kinds[fmt.Sprint(i.Account.Type, i.Currency)].plus(i.within(i.Account))
			net = i.net(i.Account.FavourHigh)
		}
		if got := net.Budget.Plus(net.Variance); got != net.Actual {
			t.Fatalf("%+v: got budget + variance = %s, want %s", i, got, net.Actual)
		}
		items[i.Currency] = items[i.Currency].plus(net)
	}
	for _, sub := range s.Subtotals {
		if want, by := kinds[fmt.Sprint(sub.Type, sub.Currency)], s.By; by != PerDepartment && sub.Figures != want {
			t.Fatalf("got subtotal %+v, want %+v", sub, want)
		}
		from, to := sub.Budget, sub.Actual
		if sub.Type != Revenue {
			from, to = to, from
		}
		if got := from.Plus(sub.Variance); got != to {
			t.Fatalf("%+v: got %s with the variance, want %s", sub, got, to)
		}
		subtotals[sub.Currency] = subtotals[sub.Currency].plus(sub.Figures)
	}
	if len(s.Totals) != len(items) {
		t.Fatalf("got %d totals, want %d", len(s.Totals), len(items))
	}
	for _, total := range s.Totals {
		if got := total.Budget.Plus(total.Variance); got != total.Actual {
			t.Fatalf("%s: got budget + variance = %s, want %s", total.Currency, got, total.Actual)
		}
		if total.Figures != items[total.Currency] {
			t.Fatalf("got total %+v, want that of the items, %+v", total, items[total.Currency])
		}
		if got := subtotals[total.Currency].Variance; got != total.Variance {
			t.Fatalf("%s: got variance %s in the subtotals, want %s", total.Currency, got, total.Variance)
		}
	}
}

// isOfReport checks that the columns of the items add up to the totals of the report. The items of
// departments are net results, so only their variances do.
func isOfReport(t *rapid.T, s Summary, r Report) {
	totals := r.ByCurrency
	if totals == nil && len(r.Lines) > 0 {
		totals = []Totals{r.Totals}
	}
	if len(totals) != len(s.Totals) {
		t.Fatalf("got totals in %d currencies, want %d", len(s.Totals), len(totals))
	}
	for _, want := range totals {
		var got Figures
		for _, i := range s.Items {
			if i.Currency == want.Currency {
				got = got.plus(i.Figures)
			}
		}
		if s.By == PerDepartment {
			want.Budget, want.Actual, want.Percent = got.Budget, got.Actual, got.Percent()
		}
		if got.Budget != want.Budget || got.Actual != want.Actual || got.Variance != want.Variance || got.Percent() != want.Percent {
			t.Fatalf("%s: got %+v, want %+v", want.Currency, got, want)
		}
	}
}
