package exchange_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/budget"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/money"
	"daybook/internal/tables"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// state is a database in memory.
type state struct {
	currencies  []trading.Currency
	companies   []trading.Company
	revenues    []trading.Revenue
	departments []budget.Department
	accounts    []budget.Account
	lines       []budget.Line
	actuals     []budget.Actual
	trades      []trading.Trade
}

func (s *state) Seq() int64                                            { return 7 }
func (s *state) Currencies() iter.Seq2[trading.Currency, error]        { return all(s.currencies) }
func (s *state) Companies() iter.Seq2[trading.Company, error]          { return all(s.companies) }
func (s *state) Revenues() iter.Seq2[trading.Revenue, error]           { return all(s.revenues) }
func (s *state) Departments() iter.Seq2[budget.Department, error]      { return all(s.departments) }
func (s *state) Accounts() iter.Seq2[budget.Account, error]            { return all(s.accounts) }
func (s *state) Lines(budget.LineFilter) iter.Seq2[budget.Line, error] { return all(s.lines) }
func (s *state) Actuals(budget.ActualFilter) iter.Seq2[budget.Actual, error] {
	return all(s.actuals)
}
func (s *state) Trades(trading.TradeFilter) iter.Seq2[trading.Trade, error] { return all(s.trades) }

func all[T any](records []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, record := range records {
			if !yield(record, nil) {
				return
			}
		}
	}
}

func units(raw string) money.Amount {
	a, err := money.ParseAmount(raw)
	if err != nil {
		panic(err)
	}
	return a
}

func price(raw string) money.Price {
	p, err := money.ParsePrice(raw)
	if err != nil {
		panic(err)
	}
	return p
}

// sample has a record of each kind, with what is hard about it.
func sample() *state {
	s := &state{
		currencies:  []trading.Currency{{ID: 1, Code: "EUR", Name: "Euro"}, {ID: 2, Code: "XTS", Name: `"Test", 1`}},
		companies:   []trading.Company{{ID: 1, Name: "Acme", SharesOutstanding: 1000, Price: price("12.5"), CurrencyID: 1}, {ID: 4, Name: "Acme"}, {ID: 5, Name: "Zürich"}},
		revenues:    []trading.Revenue{{ID: 1, CompanyID: 4, Category: "Sales", Amount: units("-0.0001")}, {ID: 2, CompanyID: 5, Category: "Rent", Amount: units("1234.5"), FiscalYear: 2027, CurrencyCode: "EUR"}},
		departments: []budget.Department{{ID: 3, Code: "BÜR", Name: "Büro Süd", CostCenter: "K-1", Active: true}, {ID: 9, Code: "FIN", Name: "Finance; all"}},
		accounts:    []budget.Account{{ID: 8, Code: "6100", Description: "Rent\nand heating", Type: "opex"}, {ID: 11, Code: "0420", Type: "revenue", FavourHigh: true}},
		trades: []trading.Trade{
			{ID: 5, Instrument: trading.Instrument{Symbol: "ACME", Currency: "EUR"}, Shares: 10, Side: trading.SideOf(true), Price: price("101.25"), Date: time.Date(2026, 3, 4, 10, 20, 30, 0, time.UTC)},
			{ID: 6, Instrument: trading.Instrument{Symbol: "=ACME", Currency: "EUR", Product: 2}, Shares: 3, Side: trading.SideOf(false), Price: price("0.00000001"), Date: time.Date(2026, 3, 5, 0, 0, 0, 5000, time.UTC)},
		},
	}
	for i, notes := range []string{"=2+5+cmd", "-5 days", "@team", "'=x", "it's fine", "+49 30 1"} {
		amount := []string{"-1250.5", "0.01", "5", "6", "7", "8"}[i]
		s.lines = append(s.lines, budget.Line{
			ID:      budget.LineID(i + 1),
			LineKey: budget.LineKey{Key: budget.Key{DepartmentID: 9, AccountID: 8, Year: 2027, Period: fiscal.Period(i + 1)}, Version: budget.Original},
			Amount:  units(amount), Currency: "EUR", Notes: text.Note(notes),
		})
	}
	for i, key := range []budget.Key{{DepartmentID: 3, AccountID: 11, Year: 2026, Period: 12}, {DepartmentID: 9, AccountID: 8, Year: 2026, Period: 1}, {DepartmentID: 3, AccountID: 11, Year: 2026, Period: 2}} {
		s.actuals = append(s.actuals, budget.Actual{ID: budget.ActualID(20 + i), Key: key, Amount: units("1000.25"), Currency: "EUR", Source: "bank"})
	}
	return s
}

// export writes the sample.
func export(t *testing.T, e exchange.Export) string {
	t.Helper()
	var b bytes.Buffer
	if err := e.Write(sample(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestEveryKindIsWrittenAsItsGoldenFile: each kind in CSV, NDJSON and JSON has the bytes of a file.
func TestEveryKindIsWrittenAsItsGoldenFile(t *testing.T) {
	var exports []exchange.Export
	for _, kind := range exchange.Kinds() {
		for _, format := range []exchange.Format{exchange.CSV, exchange.NDJSON, exchange.JSON} {
			exports = append(exports, exchange.Export{Kind: kind.Name, Form: exchange.Form{Format: format}})
		}
	}
	for _, kind := range []string{"budgets", "actuals"} {
		exports = append(exports, exchange.Export{Kind: kind, Wide: true, Form: exchange.Form{Format: exchange.CSV}},
			exchange.Export{Kind: kind, IDs: true, Form: exchange.Form{Format: exchange.CSV, Locale: "de"}})
	}
	for _, e := range exports {
		name := e.Kind
		if e.Wide {
			name += "-wide"
		}
		if e.IDs {
			name += "-ids-de"
		}
		got := export(t, e)
		want, err := os.ReadFile(filepath.Join("testdata", "exports", name+"."+string(e.Format)))
		if err != nil || got != string(want) {
			t.Errorf("%s as %s: got\n%s\nwant\n%s\n%v", name, e.Format, got, want, err)
		}
	}
}

// TestTheFilesThatOthersReadAreExports: the files of the imports that an export must give.
func TestTheFilesThatOthersReadAreExports(t *testing.T) {
	for file, e := range map[string]exchange.Export{
		"51-export-formula-guard.csv": {Kind: "budgets", Form: exchange.Form{Format: exchange.CSV}},
		"52-export-excel-bom.csv":     {Kind: "departments", Form: exchange.Form{Format: exchange.CSV, Locale: "de"}},
	} {
		want, err := os.ReadFile(filepath.Join("..", "tables", "testdata", "imports", file))
		if err != nil {
			t.Fatal(err)
		}
		one := sample()
		one.departments = one.departments[:1]
		if e.Kind == "budgets" {
			one.departments = sample().departments
		}
		var got bytes.Buffer
		if err := e.Write(one, &got); err != nil || got.String() != string(want) {
			t.Errorf("%s: got %q, %v, want %q", file, got.String(), err, want)
		}
	}
}

// TestFormsOfCSV: the mark of UTF-8, the decimal comma, and texts that look like formulas left as they are.
func TestFormsOfCSV(t *testing.T) {
	form := func(f exchange.Form) string {
		f.Format = exchange.CSV
		return export(t, exchange.Export{Kind: "budgets", Form: f})
	}
	plain := form(exchange.Form{})
	if got := form(exchange.Form{BOM: true}); got != "\uFEFF"+plain {
		t.Errorf("with a mark: got %.60q", got)
	}
	if got := form(exchange.Form{Locale: "en"}); got != plain {
		t.Errorf("in English: got %.60q, want the plain file", got)
	}
	if got := form(exchange.Form{Raw: true}); !strings.Contains(got, "EUR,=2+5+cmd\r\n") {
		t.Errorf("raw: got %q, want the text as it is", got)
	}
	for _, locale := range []string{"de", "fr", "sv"} {
		if got := form(exchange.Form{Locale: locale}); !strings.HasPrefix(got, "\uFEFFdepartment;gl_code;") || !strings.Contains(got, ";-1250,5;EUR;'=2+5+cmd\r\n") {
			t.Errorf("%s: got %q, want semicolons, decimal commas and a mark", locale, got)
		}
	}
}

// TestAWorkbookHasTypedCells: numbers and dates are numbers and dates, codes are texts, and what a sheet would change
// is text.
func TestAWorkbookHasTypedCells(t *testing.T) {
	for kind, want := range map[string][]string{
		"budgets":  {"text:FIN", "text:6100", "number:2027", "number:1", "text:original", "number:-1250.5", "text:EUR", "text:=2+5+cmd"},
		"trades":   {"text:ACME", "text:EUR", "number:10", "text:stock", "text:buy", "number:101.25", "date:2026-03-04T10:20:30Z"},
		"accounts": {"text:6100", "text:Rent\nand heating", "text:opex", "boolean:false"},
	} {
		book := export(t, exchange.Export{Kind: kind, Form: exchange.Form{Format: exchange.XLSX}})
		rows := rowsOf(t, book)
		if !slices.Equal(rows[1], want) {
			t.Errorf("%s: got %q, want %q", kind, rows[1], want)
		}
		if kind == "trades" && rows[2][6] != "text:2026-03-05T00:00:00.000005Z" {
			t.Errorf("got %q, want a fraction of a second as text", rows[2][6])
		}
	}
}

func rowsOf(t *testing.T, book string) (rows [][]string) {
	t.Helper()
	file, err := tables.Open(strings.NewReader(book), int64(len(book)), tables.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	r, err := file.Records(tables.Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	names := map[tables.Type]string{tables.TextCell: "text:", tables.NumberCell: "number:", tables.BooleanCell: "boolean:", tables.DateCell: "date:"}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		row := []string{}
		for _, cell := range record.Cells {
			value := cell.Value
			if cell.Type == tables.DateCell {
				value = cell.Time.Format(time.RFC3339Nano)
			}
			row = append(row, names[cell.Type]+value)
		}
		rows = append(rows, row)
	}
}

// TestWhatHasNoWideForm: it is refused with what has one.
func TestWhatHasNoWideForm(t *testing.T) {
	err := exchange.Export{Kind: "trades", Wide: true, Form: exchange.Form{Format: exchange.CSV}}.Write(sample(), io.Discard)
	if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "only budgets and actuals") {
		t.Errorf("got %v, want it refused", err)
	}
}

// endless yields one currency for ever.
type endless struct{ *state }

func (e endless) Currencies() iter.Seq2[trading.Currency, error] {
	return func(yield func(trading.Currency, error) bool) {
		for yield(trading.Currency{Code: "EUR"}, nil) {
		}
	}
}

// TestASheetThatIsTooSmall: a workbook with more records than a sheet holds is an error.
func TestASheetThatIsTooSmall(t *testing.T) {
	err := exchange.Export{Kind: "currencies", Form: exchange.Form{Format: exchange.XLSX}}.Write(endless{sample()}, io.Discard)
	if !exchange.TooManyRows(err) {
		t.Errorf("got %v, want too many rows", err)
	}
}
