package statement_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"daybook/internal/budget"
	"daybook/internal/money"
	"daybook/internal/statement"
	"daybook/internal/text"
)

func sum(raw string) money.Sum {
	a, err := money.ParseAmount(raw)
	if err != nil {
		panic(err)
	}
	return money.SumOf(a)
}

func figures(budgeted, actual, variance string) budget.Figures {
	return budget.Figures{Budget: sum(budgeted), Actual: sum(actual), Variance: sum(variance), Budgeted: true, Posted: true}
}

var (
	sales     = budget.Account{ID: 1, Code: "4000", Description: "=1+1", Type: budget.Revenue, FavourHigh: true}
	discounts = budget.Account{ID: 2, Code: "4900", Description: "Discounts", Type: budget.Revenue}
)

// report is a revenue with a deduction in one currency.
func report(currency money.Currency, sold, deducted, all budget.Figures) budget.Summary {
	return budget.Summary{
		SummaryQuery: budget.SummaryQuery{ReportQuery: budget.ReportQuery{Year: 2026, Period: 6, Version: budget.Original}, By: budget.PerLine, Span: budget.OnePeriod},
		Department:   budget.AllDepartments,
		Items: []budget.Item{
			{Department: "FIN", Account: sales, Currency: currency, Figures: sold},
			{Department: "FIN", Account: discounts, Currency: currency, Figures: deducted},
		},
		Subtotals: []budget.Subtotal{{Type: budget.Revenue, Currency: currency, Figures: all}},
		Totals:    []budget.Net{{Currency: currency, Figures: all}},
	}
}

// written are the cells of a workbook as they are kept, by their names, and its formulas.
func written(t *testing.T, s budget.Summary, state statement.State) (cells, formulas map[string]string) {
	t.Helper()
	var content bytes.Buffer
	if err := statement.Write(&content, s, state); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&content)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	rows, err := f.GetRows("Variance", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	cells, formulas = map[string]string{}, map[string]string{}
	for i, row := range rows {
		for j, value := range row {
			ref, _ := excelize.CoordinatesToCellName(j+1, i+1)
			cells[ref] = value
			if formula, _ := f.GetCellFormula("Variance", ref); formula != "" {
				formulas[ref] = formula
			}
		}
	}
	return cells, formulas
}

// TestADeductedAccountHasTheOppositeSign: so that the subtotal adds up its rows, and a text that looks like a formula
// stays a text.
func TestADeductedAccountHasTheOppositeSign(t *testing.T) {
	cells, formulas := written(t, report("KWD", figures("100.125", "110", "9.875"), figures("10", "11", "-1"), figures("90.125", "99", "8.875")), statement.State{Seq: 7, At: time.Unix(0, 0)})
	for ref, want := range map[string]string{
		"A4": "State: journal entry 7 of 1970-01-01 00:00:00 UTC.", "A5": "An account that is deducted from its total has the opposite sign.",
		"C11": "=1+1", "D11": "100.125", "F11": "9.875", "G11": "0.0986", "H11": "favourable",
		"C12": "Discounts (deducted)", "D12": "-10", "E12": "-11", "F12": "-1", "H12": "unfavourable",
		"A13": "Revenue, total", "D13": "90.125", "D6": "1", "H15": "1",
	} {
		if cells[ref] != want {
			t.Errorf("%s: got %q, want %q", ref, cells[ref], want)
		}
	}
	for ref, want := range map[string]string{"C11": "", "D11": "", "D13": "SUBTOTAL(9,D11:D12)", "F12": "E12-D12", "F14": "F13"} {
		if formulas[ref] != want {
			t.Errorf("%s: got the formula %q, want %q", ref, formulas[ref], want)
		}
	}
}

// TestAmountsThatASheetDoesNotKeep: amounts of over 15 digits are exact texts, beside totals without formulas, and
// the workbook says so.
func TestAmountsThatASheetDoesNotKeep(t *testing.T) {
	cells, formulas := written(t, report("USD", figures("12345678901234.5678", "12345678901234.5679", "0.0001"), figures("1", "1", "0"), figures("12345678901233.5678", "12345678901233.5679", "0.0001")), statement.State{Seq: -1})
	for ref, want := range map[string]string{
		"A4": "State: the books changed while this report was made.", "D7": "no formulas",
		"D12": "12345678901234.5678", "E12": "12345678901234.5679", "F12": "0.0001", "H12": "favourable",
		"D14": "12345678901233.5678", "H16": "not checked",
	} {
		if cells[ref] != want {
			t.Errorf("%s: got %q, want %q", ref, cells[ref], want)
		}
	}
	if !strings.HasPrefix(cells["A5"], "Amounts in USD have over 15 digits") || len(formulas) > 0 {
		t.Errorf("got %q and the formulas %q, want a note and no formulas", cells["A5"], formulas)
	}
}

// TestAReportWithoutLines: the workbook has a head and no blocks.
func TestAReportWithoutLines(t *testing.T) {
	cells, formulas := written(t, budget.Summary{SummaryQuery: budget.SummaryQuery{By: budget.PerAccount}}, statement.State{})
	if cells["A4"] != "State: the books are empty." || cells["C5"] != "no formulas" || len(formulas) > 0 {
		t.Errorf("got %q %q, want a head alone", cells, formulas)
	}
}

// BenchmarkWrite writes a report of 10,000 lines.
func BenchmarkWrite(b *testing.B) {
	const lines = 10_000
	s := budget.Summary{SummaryQuery: budget.SummaryQuery{By: budget.PerLine}}
	var all budget.Figures
	for i := range lines {
		a := sales
		a.Code = text.Code(fmt.Sprint(4000 + i))
		f := figures("1000.5", "1100.25", "99.75")
		all.Budget, all.Actual, all.Variance = all.Budget.Plus(f.Budget), all.Actual.Plus(f.Actual), all.Variance.Plus(f.Variance)
		s.Items = append(s.Items, budget.Item{Department: "FIN", Account: a, Currency: "USD", Figures: f})
	}
	s.Subtotals = []budget.Subtotal{{Type: budget.Revenue, Currency: "USD", Figures: all}}
	s.Totals = []budget.Net{{Currency: "USD", Figures: all}}
	b.ReportAllocs()
	for b.Loop() {
		if err := statement.Write(io.Discard, s, statement.State{Seq: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
