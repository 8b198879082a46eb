package soak_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"pgregory.net/rapid"
)

// The variance report, as the interface answers it. The model calculates its numbers in exact
// fractions.
type (
	report struct {
		Department   string `json:"department"`
		FiscalYear   int64  `json:"fiscal_year"`
		FiscalPeriod int64  `json:"fiscal_period"`
		Version      string `json:"version"`
		totals
		Lines            []reportLine `json:"lines"`
		TotalsByCurrency []totals     `json:"totals_by_currency,omitempty"`
		Threshold        *int64       `json:"threshold,omitempty"`
	}
	totals struct {
		Currency         string `json:"currency"`
		TotalBudget      exact  `json:"total_budget"`
		TotalActual      exact  `json:"total_actual"`
		TotalVariance    exact  `json:"total_variance"`
		TotalVariancePct exact  `json:"total_variance_pct"`
	}
	reportLine struct {
		Department    string `json:"department,omitempty"`
		GLCode        string `json:"gl_code"`
		GLDescription string `json:"gl_description"`
		GLType        string `json:"gl_type"`
		Budget        exact  `json:"budget"`
		Actual        exact  `json:"actual"`
		VarianceAbs   exact  `json:"variance_abs"`
		VariancePct   exact  `json:"variance_pct"`
		Status        string `json:"status"`
		Currency      string `json:"currency"`

		sortedBy string // the code of its department, also when Department is left out
	}
)

// exact is a number of a report.
type exact struct{ *big.Rat }

// MarshalJSON writes the number as the interface answers it.
func (e exact) MarshalJSON() ([]byte, error) { return json.RawMessage(plain(e.rat(), 4)), nil }

func (e exact) rat() *big.Rat {
	if e.Rat == nil {
		return new(big.Rat)
	}
	return e.Rat
}

func sumOf(a, b exact) exact { return exact{new(big.Rat).Add(a.rat(), b.rat())} }

// percentage is variance / |budget| x 100 with two decimals; without a budget 0, or 100
// with the variance's sign.
func percentage(variance, budgeted, actual exact) exact {
	hundred := big.NewRat(100, 1)
	if budgeted.rat().Sign() == 0 {
		if actual.rat().Sign() == 0 {
			return exact{}
		}
		return exact{hundred.Mul(hundred, big.NewRat(int64(variance.rat().Sign()), 1))}
	}
	p := new(big.Rat).Quo(variance.rat(), new(big.Rat).Abs(budgeted.rat()))
	rounded, _ := new(big.Rat).SetString(p.Mul(p, hundred).FloatString(2))
	return exact{rounded}
}

// compared returns a line of the report.
func (w *world) compared(k postingKey, currency string, budgeted, actual exact) reportLine {
	d, a := w.departments.rows[k.DepartmentID], w.accounts.rows[k.GLAccountID]
	variance := new(big.Rat).Sub(budgeted.rat(), actual.rat())
	if a.FavourHigh {
		variance.Neg(variance)
	}
	status := "favourable"
	if variance.Sign() < 0 {
		status = "unfavourable"
	}
	return reportLine{
		sortedBy: d.Code, GLCode: a.Code, GLDescription: a.Description, GLType: a.Type, Budget: budgeted, Actual: actual,
		VarianceAbs: exact{variance}, VariancePct: percentage(exact{variance}, budgeted, actual), Status: status, Currency: currency,
	}
}

// reportLines are the lines of a period, each of one department, account and currency.
func (w *world) reportLines(year, period int64, version string, keep func(reportLine) bool) []reportLine {
	type place struct {
		postingKey
		currency string
	}
	budgeted, posted := map[place]exact{}, map[place]exact{}
	places := map[place]bool{}
	for _, l := range w.lines.list() {
		if l.FiscalYear == year && l.FiscalPeriod == period && l.Version == version {
			at := place{l.postingKey, l.Currency}
			budgeted[at], places[at] = exact{l.Amount.rat()}, true
		}
	}
	for _, a := range w.actuals.list() {
		if a.FiscalYear == year && a.FiscalPeriod == period {
			at := place{a.postingKey, a.Currency}
			posted[at], places[at] = exact{a.Amount.rat()}, true
		}
	}
	lines := []reportLine{}
	for at := range places {
		if l := w.compared(at.postingKey, at.currency, budgeted[at], posted[at]); keep(l) {
			lines = append(lines, l)
		}
	}
	slices.SortFunc(lines, func(a, b reportLine) int {
		return cmp.Or(cmp.Compare(a.sortedBy, b.sortedBy), cmp.Compare(a.GLCode, b.GLCode), cmp.Compare(a.Currency, b.Currency))
	})
	return lines
}

// total fills in the totals of the report's lines.
func (r *report) total() {
	sums, counts := map[string]totals{}, map[string]int{}
	for _, l := range r.Lines {
		t := sums[l.Currency]
		t.TotalBudget, t.TotalActual = sumOf(t.TotalBudget, l.Budget), sumOf(t.TotalActual, l.Actual)
		t.TotalVariance = sumOf(t.TotalVariance, l.VarianceAbs)
		sums[l.Currency] = t
		counts[l.Currency]++
	}
	most := 0
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		t := sums[currency]
		t.Currency, t.TotalVariancePct = currency, percentage(t.TotalVariance, t.TotalBudget, t.TotalActual)
		r.TotalsByCurrency = append(r.TotalsByCurrency, t)
		if counts[currency] > most {
			most, r.totals = counts[currency], t
		}
	}
	if len(sums) == 1 {
		r.TotalsByCurrency = nil
	}
}

// variance reads a variance report, or its alerts.
func (w *world) variance(t *rapid.T) {
	like, _ := w.drawKey(t)
	want := report{Department: "ALL", FiscalYear: like.FiscalYear, FiscalPeriod: like.FiscalPeriod, Version: "original"}
	query := url.Values{"year": {strconv.FormatInt(like.FiscalYear, 10)}, "period": {strconv.FormatInt(like.FiscalPeriod, 10)}}
	if version := rapid.SampledFrom(versions).Draw(t, "version"); version != "original" {
		query.Set("version", version)
		want.Version = version
	}
	only, threshold := "", int64(-1)
	if rapid.IntRange(0, 3).Draw(t, "by currency") == 0 {
		only = "EUR"
		query.Set("currency", "eur")
	}
	target := "/api/v1/variance"
	if rapid.Bool().Draw(t, "alerts") {
		target, threshold = "/api/v1/variance/alerts", 10
		if rapid.Bool().Draw(t, "threshold") {
			threshold = rapid.SampledFrom([]int64{0, 50, 100}).Draw(t, "threshold")
			query.Set("threshold", strconv.FormatInt(threshold, 10))
		}
		want.Threshold = &threshold
	}
	known := w.narrowToDepartment(t, query, &want)
	want.Lines = w.reportLines(like.FiscalYear, like.FiscalPeriod, want.Version, func(l reportLine) bool {
		return (only == "" || l.Currency == only) && (want.Department == "ALL" || l.sortedBy == want.Department) &&
			new(big.Rat).Abs(l.VariancePct.rat()).Cmp(big.NewRat(threshold, 1)) > 0
	})
	if want.Department == "ALL" {
		for i := range want.Lines {
			want.Lines[i].Department = want.Lines[i].sortedBy
		}
	}
	want.total()
	expected := outcome{status: http.StatusOK, answer: want}
	if !known {
		expected = missing
	}
	w.read(t, request{method: http.MethodGet, target: target + "?" + query.Encode()}, expected)
}

// narrowToDepartment limits the report to one department, half of the time. It reports whether that
// department exists.
func (w *world) narrowToDepartment(t *rapid.T, query url.Values, want *report) (known bool) {
	if rapid.Bool().Draw(t, "all departments") {
		if rapid.Bool().Draw(t, "said") {
			query.Set("dept", "all")
		}
		return true
	}
	code := rapid.SampledFrom(codes).Draw(t, "dept")
	query.Set("dept", code)
	_, row, known := w.departments.find(func(d department) bool { return sameCode(d.Code, code) })
	want.Department = row.Code
	return known
}
