package budget

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/money"
	"daybook/internal/text"
)

// books returns two departments and four accounts. The order of their codes is not that of their ids.
func books() Postings {
	return Postings{
		Departments: map[DepartmentID]text.Code{1: "OPS", 2: "ENG", 3: "eng2"},
		Accounts: map[AccountID]Account{
			1: {ID: 1, Code: "6000", Description: "Rent", Type: Opex},
			2: {ID: 2, Code: "5000", Description: "Goods", Type: COGS},
			3: {ID: 3, Code: "4000", Description: "Sales", Type: Revenue, FavourHigh: true},
			4: {ID: 4, Code: "4900", Description: "Returns", Type: Revenue},
		},
	}
}

// post adds "budgeted" or "actual" figures written as department/account amount currency.
func post(t *testing.T, side *[]Posting, entries ...string) {
	t.Helper()
	for _, entry := range entries {
		var p Posting
		var amount, currency string
		if _, err := fmt.Sscanf(entry, "%d/%d %s %s", &p.DepartmentID, &p.AccountID, &amount, &currency); err != nil {
			t.Fatal(err)
		}
		a, err := money.ParseAmount(amount)
		if err != nil {
			t.Fatal(err)
		}
		p.Amount, p.Currency = a, money.Currency(currency)
		*side = append(*side, p)
	}
	slices.SortFunc(*side, byKey)
}

func byKey(a, b Posting) int {
	return cmp.Or(cmp.Compare(a.DepartmentID, b.DepartmentID), cmp.Compare(a.AccountID, b.AccountID))
}

// written returns a report as lines that a person can compare.
func written(r Report) string {
	var b strings.Builder
	total := func(name string, t Totals) {
		fmt.Fprintf(&b, "%s %s: %s %s %s (%s %%)\n", name, t.Currency, t.Budget, t.Actual, t.Variance, t.Percent)
	}
	fmt.Fprintf(&b, "%s %d-%02d %s\n", r.Department, r.Year, r.Period, r.Version)
	for _, l := range r.Lines {
		fmt.Fprintf(&b, "%s %s %s: %s %s %s (%s %%) %s\n", l.Department, l.Account.Code, l.Currency, l.Budget, l.Actual, l.Abs, l.Percent, l.Status)
	}
	for _, t := range r.ByCurrency {
		total("of", t)
	}
	total("total", r.Totals)
	return b.String()
}

func TestReport(t *testing.T) {
	all := ReportQuery{Year: 2025, Period: 3, Version: Original}
	inEUR := all
	inEUR.Currency = "EUR"
	for _, c := range []struct {
		name             string
		query            ReportQuery
		budgeted, actual []string
		want             string
	}{
		{"the published example", all, []string{"2/3 373080 USD", "2/2 158940 USD"}, []string{"2/3 400855 USD", "2/2 179336 USD"}, `
ENG 4000 USD: 373080 400855 27775 (7.44 %) favourable
ENG 5000 USD: 158940 179336 -20396 (-12.83 %) unfavourable
total USD: 532020 580191 7379 (1.39 %)`},
		{"nothing", all, nil, nil, `
total : 0 0 0 (0 %)`},
		{"one side only", all, []string{"1/1 100 USD"}, []string{"1/2 50 USD", "2/3 7 USD"}, `
ENG 4000 USD: 0 7 7 (100 %) favourable
OPS 5000 USD: 0 50 -50 (-100 %) unfavourable
OPS 6000 USD: 100 0 100 (100 %) favourable
total USD: 100 57 57 (57 %)`},
		{"by department code, account code and currency", all,
			[]string{"1/1 1 USD", "1/4 1 USD", "2/1 1 USD", "3/3 1 USD"}, []string{"1/1 1 USD", "1/4 1 USD", "2/1 1 USD", "3/3 1 USD"}, `
ENG 6000 USD: 1 1 0 (0 %) favourable
OPS 4900 USD: 1 1 0 (0 %) favourable
OPS 6000 USD: 1 1 0 (0 %) favourable
eng2 4000 USD: 1 1 0 (0 %) favourable
total USD: 4 4 0 (0 %)`},
		{"a pair that differs in currency is two lines", all, []string{"1/1 100 USD", "1/2 10 USD"}, []string{"1/1 90 EUR", "1/2 10 USD"}, `
OPS 5000 USD: 10 10 0 (0 %) favourable
OPS 6000 EUR: 0 90 -90 (-100 %) unfavourable
OPS 6000 USD: 100 0 100 (100 %) favourable
of EUR: 0 90 -90 (-100 %)
of USD: 110 10 100 (90.91 %)
total USD: 110 10 100 (90.91 %)`},
		{"a tie goes to the first in the alphabet", all, []string{"1/1 100 USD"}, []string{"1/1 90 EUR"}, `
OPS 6000 EUR: 0 90 -90 (-100 %) unfavourable
OPS 6000 USD: 100 0 100 (100 %) favourable
of EUR: 0 90 -90 (-100 %)
of USD: 100 0 100 (100 %)
total EUR: 0 90 -90 (-100 %)`},
		{"narrowed to one currency", inEUR, []string{"1/1 100 USD", "1/2 10 USD"}, []string{"1/1 90 EUR", "1/2 10 USD"}, `
OPS 6000 EUR: 0 90 -90 (-100 %) unfavourable
total EUR: 0 90 -90 (-100 %)`},
		{"a department that a damaged file has lost", all, []string{"1/1 100 USD", "9/1 7 USD"}, []string{"9/1 5 USD"}, `
 6000 USD: 7 5 2 (28.57 %) favourable
OPS 6000 USD: 100 0 100 (100 %) favourable
total USD: 107 5 102 (95.33 %)`},
		{"reversals", all, []string{"1/1 -100 USD"}, []string{"1/1 -120 USD"}, `
OPS 6000 USD: -100 -120 20 (20 %) favourable
total USD: -100 -120 20 (20 %)`},
		{"budgets that cancel out", all, []string{"1/1 -100 USD", "1/2 100 USD"}, []string{"1/1 -100 USD", "1/2 101 USD"}, `
OPS 5000 USD: 100 101 -1 (-1 %) unfavourable
OPS 6000 USD: -100 -100 0 (0 %) favourable
total USD: 0 1 -1 (-100 %)`},
		{"unbudgeted figures that cancel out", all, nil, []string{"1/2 5 USD", "1/1 -5 USD"}, `
OPS 5000 USD: 0 5 -5 (-100 %) unfavourable
OPS 6000 USD: 0 -5 5 (100 %) favourable
total USD: 0 0 0 (0 %)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := books()
			post(t, &p.Budgeted, c.budgeted...)
			post(t, &p.Actual, c.actual...)
			got := written(newReport(c.query, AllDepartments, p))
			if want := "ALL 2025-03 original\n" + strings.TrimPrefix(c.want, "\n") + "\n"; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestReportBeyond64Bits: totals are exact beyond 64 bits.
func TestReportBeyond64Bits(t *testing.T) {
	const lines = 100
	p := Postings{Departments: map[DepartmentID]text.Code{1: "D"}, Accounts: map[AccountID]Account{}}
	for i := range AccountID(lines) {
		p.Accounts[i+1] = Account{ID: i + 1, Code: text.Code(fmt.Sprintf("%03d", i)), FavourHigh: true}
		post(t, &p.Budgeted, fmt.Sprintf("1/%d -99999999999999.9999 USD", i+1))
		post(t, &p.Actual, fmt.Sprintf("1/%d 99999999999999.9999 USD", i+1))
	}
	got := newReport(ReportQuery{}, "D", p).Totals
	if got.Budget.String() != "-9999999999999999.99" || got.Actual.String() != "9999999999999999.99" ||
		got.Variance.String() != "19999999999999999.98" || got.Percent.String() != "200" {
		t.Errorf("got %s %s %s (%s %%), want a variance of 19999999999999999.98 (200 %%)", got.Budget, got.Actual, got.Variance, got.Percent)
	}
}

// TestOver: the alerts of a report are the lines whose variance exceeds the threshold, with their own
// totals. The report itself does not change.
func TestOver(t *testing.T) {
	p := books()
	post(t, &p.Budgeted, "1/1 100 USD", "1/2 100 USD", "1/3 100 USD", "2/1 100 EUR", "2/2 100000 USD")
	post(t, &p.Actual, "1/1 110 USD", "1/2 110.01 USD", "1/3 85 USD", "2/1 50 EUR", "2/2 110004 USD", "2/3 1 USD")
	r := newReport(ReportQuery{Year: 2025, Period: 3, Version: Forecast1}, AllDepartments, p)
	for threshold, want := range map[string]string{
		"10": `
ENG 4000 USD: 0 1 1 (100 %) favourable
ENG 6000 EUR: 100 50 50 (50 %) favourable
OPS 4000 USD: 100 85 -15 (-15 %) unfavourable
OPS 5000 USD: 100 110.01 -10.01 (-10.01 %) unfavourable
of EUR: 100 50 50 (50 %)
of USD: 200 196.01 -24.01 (-12.01 %)
total USD: 200 196.01 -24.01 (-12.01 %)`,
		"10.01": `
ENG 4000 USD: 0 1 1 (100 %) favourable
ENG 6000 EUR: 100 50 50 (50 %) favourable
OPS 4000 USD: 100 85 -15 (-15 %) unfavourable
of EUR: 100 50 50 (50 %)
of USD: 100 86 -14 (-14 %)
total USD: 100 86 -14 (-14 %)`,
		"99.9999": `
ENG 4000 USD: 0 1 1 (100 %) favourable
total USD: 0 1 1 (100 %)`,
		"100": `
total : 0 0 0 (0 %)`,
	} {
		limit, err := money.ParsePercent(threshold)
		if err != nil {
			t.Fatal(err)
		}
		got := written(r.Over(limit))
		if want := "ALL 2025-03 forecast1\n" + strings.TrimPrefix(want, "\n") + "\n"; got != want {
			t.Errorf("over %s: got\n%s\nwant\n%s", threshold, got, want)
		}
	}
	if got, want := len(r.Lines), 6; got != want {
		t.Errorf("got %d lines in the full report afterwards, want %d", got, want)
	}
}

// TestReportAddsUp: any report has a line for each posting, and its lines add up to its totals.
func TestReportAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := books()
		p.Budgeted, p.Actual = side(t, "budgeted"), side(t, "actual")
		r := newReport(ReportQuery{Year: 2025, Period: 3, Version: Original}, AllDepartments, p)
		linesAreThePostings(t, r, p)
		addsUp(t, r)
		addsUp(t, r.Over(money.WholePercent(rapid.Int64Range(0, 120).Draw(t, "threshold"))))
		narrowed := 0
		for _, currency := range []money.Currency{"CHF", "EUR", "USD"} {
			one := newReport(ReportQuery{Currency: currency}, AllDepartments, p)
			addsUp(t, one)
			narrowed += len(one.Lines)
			if len(one.Lines) > 0 && (one.Currency != currency || one.ByCurrency != nil) {
				t.Fatalf("narrowed to %s: got totals in %s and %v, want only %s", currency, one.Currency, one.ByCurrency, currency)
			}
		}
		if narrowed != len(r.Lines) {
			t.Fatalf("got %d lines in reports of one currency, want %d", narrowed, len(r.Lines))
		}
	})
}

// side draws the postings of one side.
func side(t *rapid.T, name string) []Posting {
	const most = 999_999_999_999_999_999
	var postings []Posting
	for d := range DepartmentID(3) {
		for a := range AccountID(4) {
			if !rapid.Bool().Draw(t, name) {
				continue
			}
			postings = append(postings, Posting{
				DepartmentID: d + 1, AccountID: a + 1,
				Amount:   money.Amount(rapid.OneOf(rapid.Int64Range(-50_000, 50_000), rapid.SampledFrom([]int64{most, -most})).Draw(t, "amount")),
				Currency: rapid.SampledFrom([]money.Currency{"USD", "USD", "EUR", "CHF"}).Draw(t, "currency"),
			})
		}
	}
	return postings
}

// linesAreThePostings checks that each posting is in exactly one line, and that the lines are sorted.
func linesAreThePostings(t *rapid.T, r Report, p Postings) {
	type place struct {
		department text.Code
		account    AccountID
		currency   money.Currency
	}
	want := map[place]Variance{}
	at := func(one Posting) place {
		return place{p.Departments[one.DepartmentID], one.AccountID, one.Currency}
	}
	for _, one := range p.Budgeted {
		v := want[at(one)]
		v.Budget = one.Amount
		want[at(one)] = v
	}
	for _, one := range p.Actual {
		v := want[at(one)]
		v.Actual = one.Amount
		want[at(one)] = v
	}
	for _, l := range r.Lines {
		figures, ok := want[place{l.Department, l.Account.ID, l.Currency}]
		if !ok || l.Variance != NewVariance(l.Account.FavourHigh, figures.Budget, figures.Actual) {
			t.Fatalf("got line %+v, want figures %+v", l, figures)
		}
		delete(want, place{l.Department, l.Account.ID, l.Currency})
		if l.Account != p.Accounts[l.Account.ID] {
			t.Fatalf("got account %+v, want %+v", l.Account, p.Accounts[l.Account.ID])
		}
	}
	if len(want) > 0 {
		t.Fatalf("got no lines for %+v, want one for each", want)
	}
	if !slices.IsSortedFunc(r.Lines, func(a, b VarianceLine) int {
		return cmp.Or(cmp.Compare(a.Department, b.Department), cmp.Compare(a.Account.Code, b.Account.Code), cmp.Compare(a.Currency, b.Currency))
	}) {
		t.Fatalf("got lines out of order:\n%s", written(r))
	}
}

// addsUp checks that the lines add up to the totals of their currency, and that the report's totals are
// those of the currency with the most lines.
func addsUp(t *rapid.T, r Report) {
	counts := map[money.Currency]int{}
	sums := map[money.Currency]*[3]big.Int{}
	for _, l := range r.Lines {
		if sums[l.Currency] == nil {
			sums[l.Currency] = &[3]big.Int{}
		}
		counts[l.Currency]++
		for i, a := range []money.Amount{l.Budget, l.Actual, l.Abs} {
			sums[l.Currency][i].Add(&sums[l.Currency][i], big.NewInt(int64(a)))
		}
	}
	totals := r.ByCurrency
	if len(counts) < 2 {
		if totals != nil {
			t.Fatalf("got totals by currency %v with %d currencies, want none", totals, len(counts))
		}
		totals = []Totals{r.Totals}
	} else if len(totals) != len(counts) {
		t.Fatalf("got %d totals, want %d", len(totals), len(counts))
	}
	if !slices.IsSortedFunc(totals, func(a, b Totals) int { return cmp.Compare(a.Currency, b.Currency) }) {
		t.Fatalf("got totals out of order:\n%s", written(r))
	}
	for _, total := range totals {
		want := sums[total.Currency]
		if want == nil {
			want = &[3]big.Int{}
		}
		for i, got := range []money.Sum{total.Budget, total.Actual, total.Variance} {
			if printed, _ := new(big.Rat).SetString(got.String()); printed.Cmp(new(big.Rat).SetFrac(&want[i], big.NewInt(10_000))) != 0 {
				t.Fatalf("column %d in %s: got %s, want %s units:\n%s", i, total.Currency, got, want[i].String(), written(r))
			}
		}
		percentIsOf(t, total, want)
		if counts[total.Currency] > counts[r.Currency] || counts[total.Currency] == counts[r.Currency] && total.Currency < r.Currency {
			t.Fatalf("got the totals of %s, want those of %s:\n%s", r.Currency, total.Currency, written(r))
		}
		if total.Currency == r.Currency && total != r.Totals {
			t.Fatalf("got totals %+v, want %+v", r.Totals, total)
		}
	}
}

func percentIsOf(t *rapid.T, total Totals, sums *[3]big.Int) {
	budgeted, actual, variance := &sums[0], &sums[1], &sums[2]
	want := new(big.Rat)
	switch {
	case budgeted.Sign() != 0:
		want.SetFrac(variance, new(big.Int).Abs(budgeted))
		want.Mul(want, big.NewRat(100, 1))
	case actual.Sign() != 0:
		want.SetInt64(int64(100 * variance.Sign()))
	}
	rounded, _ := new(big.Rat).SetString(want.FloatString(2))
	if got, _ := new(big.Rat).SetString(total.Percent.String()); got.Cmp(rounded) != 0 {
		t.Fatalf("in %s: got %s %%, want %s", total.Currency, total.Percent, want.FloatString(2))
	}
}
