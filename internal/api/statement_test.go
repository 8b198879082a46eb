package api_test

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"daybook/internal/budget"
	"daybook/internal/seed"
	"daybook/internal/tables"
	"daybook/internal/trading"
)

// summaryFigures is a row of a summary's answer.
type summaryFigures struct {
	GLType   string `json:"gl_type"`
	Currency string
	Budget   json.Number
	Actual   json.Number
	Variance json.Number `json:"variance_abs"`
}

// sheetTitles are the titles of the types in a workbook.
var sheetTitles = map[string]string{
	"revenue": "Revenue, total", "cogs": "Cost of goods sold, total", "opex": "Operating expenses, total",
	"headcount": "Headcount costs, total", "capex": "Capital expenditure, total", "": "Net result after capex",
}

// withBooks starts a server with the budgets and actuals of the demo data.
func withBooks(t *testing.T) *server {
	t.Helper()
	s := serve(t)
	o := seed.Defaults(frozen)
	o.Trades, o.Years = 40, 1
	if _, err := seed.Run(t.Context(), s.store.Atomically, trading.NewBook(s.store), budget.NewLedger(s.store, func() time.Time { return frozen }), o); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTheVarianceWorkbook: each formula of the workbook gives the value that is kept beside it, the totals are those
// of the interface, and the check notices a changed line.
func TestTheVarianceWorkbook(t *testing.T) {
	s := withBooks(t)
	for target, summary := range map[string]string{
		"/api/v1/variance?year=2026&period=6":                                      "/api/v1/variance/summary?year=2026&period=6&by=line",
		"/api/v1/variance?year=2026&period=6&dept=LDN":                             "/api/v1/variance/summary?year=2026&period=6&by=line&dept=LDN",
		"/api/v1/variance/summary?year=2026&period=6&by=account&span=year_to_date": "",
		"/api/v1/variance/summary?year=2026&period=6&by=department":                "",
		"/api/v1/variance/summary?year=2026&period=5&by=line&currency=GBP":         "",
	} {
		if summary == "" {
			summary = target
		}
		reconciles(t, s, target, summary)
	}
}

// reconciles compares a workbook with the answer of a summary.
func reconciles(t *testing.T, s *server, target, summary string) {
	t.Helper()
	content := []byte(s.get(t, target+"&format=xlsx"))
	f, err := excelize.OpenReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	sheet := f.GetSheetName(0)
	rows, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	totals, check, changed, formulas := map[string][]string{}, "", "", 0
	currency, labels := "", 0
	for i, row := range rows {
		for j, kept := range row {
			ref, _ := excelize.CoordinatesToCellName(j+1, i+1)
			formula, _ := f.GetCellFormula(sheet, ref)
			if formula == "" {
				continue
			}
			formulas++
			got, err := f.CalcCellValue(sheet, ref, excelize.Options{RawCellValue: true})
			if err != nil || !sameCell(got, kept) {
				t.Errorf("%s: %s =%s: got %s, %v, want the kept %s", target, ref, formula, got, err, kept)
			}
			switch {
			case strings.HasPrefix(formula, "COUNTIF"):
				check, labels = ref, j
			case changed == "" && !strings.Contains(formula, "SUBTOTAL"):
				changed, _ = excelize.CoordinatesToCellName(labels+2, i+1)
			}
		}
		switch {
		case len(row) == 1 && len(row[0]) == 3:
			currency = row[0]
		case len(row) > labels+2 && (strings.HasSuffix(row[0], ", total") || row[0] == sheetTitles[""]):
			totals[currency+" "+row[0]] = row[labels : labels+3]
		}
	}
	want := read[struct{ Subtotals, Totals []summaryFigures }](t, s.get(t, summary))
	expected := want.Totals
	if !strings.Contains(target, "by=department") {
		expected = append(expected, want.Subtotals...)
	}
	for _, w := range expected {
		row := totals[w.Currency+" "+sheetTitles[w.GLType]]
		if len(row) != 3 || !sameCell(row[0], w.Budget.String()) || !sameCell(row[1], w.Actual.String()) || !sameCell(row[2], w.Variance.String()) {
			t.Errorf("%s: %s %s: got %q, want %v", target, w.Currency, sheetTitles[w.GLType], row, w)
		}
	}
	if len(totals) != len(expected) || formulas < 10 || check == "" {
		t.Fatalf("%s: got %d totals, %d formulas and the check %q, want %d totals", target, len(totals), formulas, check, len(expected))
	}
	if got, err := f.CalcCellValue(sheet, check); got != "TRUE" {
		t.Errorf("%s: got the check %s, %v, want TRUE", target, got, err)
	}
	if err := f.SetCellValue(sheet, changed, 12345.67); err != nil {
		t.Fatal(err)
	}
	if got, err := f.CalcCellValue(sheet, check); got != "FALSE" {
		t.Errorf("%s: got the check %s, %v after %s was changed, want FALSE", target, got, err, changed)
	}
}

// sameCell compares texts, and numbers as a spreadsheet program keeps them.
func sameCell(got, want string) bool {
	a, errA := strconv.ParseFloat(got, 64)
	b, errB := strconv.ParseFloat(want, 64)
	if errA == nil && errB == nil {
		return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b))
	}
	truths := map[string]string{"TRUE": "1", "FALSE": "0"}
	return got == want || truths[got] == want || truths[want] == got
}

// TestTheVarianceWorkbookSaysItsState: the number and the time of the newest entry of the journal, and the filters.
func TestTheVarianceWorkbookSaysItsState(t *testing.T) {
	s := withBooks(t)
	got := s.do(t, request{method: http.MethodGet, target: "/api/v1/variance?year=2026&period=6&dept=LDN&format=xlsx"})
	f, err := excelize.OpenReader(bytes.NewReader(got.body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for ref, want := range map[string]string{
		"A2": "Fiscal year 2026, period 6", "A3": "Version: original. Department: LDN. Currency: all.",
		"A4": "State: journal entry " + got.header.Get("X-Journal-Seq") + " of ",
	} {
		if text, _ := f.GetCellValue("Variance", ref); !strings.HasPrefix(text, want) {
			t.Errorf("%s: got %q, want %q", ref, text, want)
		}
	}
	again := s.do(t, request{method: http.MethodGet, target: "/api/v1/variance?year=2026&period=6&dept=LDN&format=xlsx"})
	if !bytes.Equal(again.body, got.body) {
		t.Error("got other bytes of the same state, want the same")
	}
	_, err = tables.Open(bytes.NewReader(got.body), int64(len(got.body)), tables.Options{})
	if err == nil || !strings.Contains(err.Error(), "no import format") {
		t.Errorf("the workbook as an import: got %v, want that it is no import format", err)
	}
}
