package exchange_test

import (
	"testing"

	"daybook/internal/exchange"
)

// TestSpelledYears: a fiscal year may have FY before it, and be that of two calendar years. Beside a column of periods, one that looks
// like a month is a year too; where the year and the period are one column, it is asked about.
func TestSpelledYears(t *testing.T) {
	for written, want := range map[string]string{
		"2027": "2027", "FY27": "2027", "fy 2027": "2027", "FY'27": "2027", "2026/27": "2027", "2026-27": "2027", "2026/2027": "2027", "FY2026/27": "2027",
		"2026/28": "wrong", "26/27": "wrong", "2011/12": "2012",
	} {
		p := preview(t, "Dept,Account,Year,Period,Amount,Currency\nFIN,6100,"+written+",1,5.5,EUR\n", exchange.Source{Kind: "actuals", Store: newKnown(t)})
		got := p.State
		if p.Counts.Wrong == 1 {
			got = "wrong"
		} else if records := recordsOf(t, p); len(records) == 1 {
			got = records[0]["fiscal_year"]
		}
		if got != want {
			t.Errorf("%s: got %s, want %s (%+v)", written, got, want, p.Findings)
		}
	}
	both := exchange.Map{Kind: "actuals", Columns: []exchange.Column{
		{Field: "department", Header: "Dept"}, {Field: "gl_code", Header: "Account"}, {Field: "fiscal_year", Header: "Month"},
		{Field: "fiscal_period", Header: "Month"}, {Field: "amount", Header: "Amount"}, {Field: "currency", Header: "Currency"},
	}}
	p := preview(t, "Dept,Account,Month,Amount,Currency\nFIN,6100,2011/12,5.5,EUR\n", exchange.Source{Kind: "actuals", Map: both, Store: newKnown(t)})
	if p.State != "questions" || p.Questions[0].Code != "year_starts" {
		t.Errorf("in a column of both: got %s, want the question year_starts", told(p))
	}
}
