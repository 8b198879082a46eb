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

// TestMonthsOfShortYears: a month with two digits of its year is read in the hundred years that the map says. A column of
// such months is that of the year too, where no other is.
func TestMonthsOfShortYears(t *testing.T) {
	const long = "Dept,Account,Month,Amount,Currency\nFIN,6100,Nov-25,5.5,EUR\nFIN,6100,Jan-26,6,EUR\n"
	const besideYear = "Dept,Account,Year,Month,Amount,Currency\nFIN,6100,2026,Jan-26,5.5,EUR\n"
	const wide = "Dept,Account,Currency,Jul-25,Aug-25,Jan-26\nFIN,6100,EUR,1,2,3\n"
	for _, c := range []testRow{
		{"asked", "actuals", long, "?century\n?year_starts=1", ""},
		{"from January", "actuals", long, "2 new FIN 6100 2025 11 5.5 EUR \n3 new FIN 6100 2026 1 6 EUR ", `{"dates":{"century":1950,"year_starts":1}}`},
		{"from July", "actuals", long, "2 new FIN 6100 2026 5 5.5 EUR \n3 new FIN 6100 2026 7 6 EUR ", `{"dates":{"century":1950,"year_starts":7}}`},
		{"beside a year", "actuals", besideYear, "2 new FIN 6100 2026 1 5.5 EUR ", `{"dates":{"year_starts":1}}`},
		{"in the header", "actuals", wide, "?year_starts=7\n?column fiscal_year=2026", ""},
		{"in the header, answered", "actuals", wide, "2 new FIN 6100 2026 1 1 EUR \n2 new FIN 6100 2026 2 2 EUR \n2 new FIN 6100 2026 7 3 EUR ", `{"dates":{"century":1950,"year_starts":7}}`},
	} {
		c.run(t, newKnown(t))
	}
	// The year is still proposed when another question was answered first.
	source := exchange.Source{Kind: "actuals", Map: exchange.Map{Dates: exchange.Dates{YearStarts: 7}}, Store: newKnown(t)}
	source.Map = preview(t, wide, source).Map
	if got, want := told(preview(t, wide, source)), "?column fiscal_year=2026"; got != want {
		t.Errorf("under the map that was suggested: got %s, want %s", got, want)
	}
}
