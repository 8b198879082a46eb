package exchange

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/tables"
)

func TestNormal(t *testing.T) {
	for _, c := range []struct{ header, key, unit string }{
		{"Amount (EUR)", "amount", "EUR"},
		{"Amount\n(EUR)", "amount", "EUR"},
		{"  GL_Code ", "gl code", ""},
		{"GL.-__Code", "gl code", ""},
		{"FISCAL\u00A0YEAR", "fiscal year", ""},
		{"Ｐｒｉｃｅ [USD]", "price", "USD"},
		{"Wa\u0308hrung", "währung", ""},
		{"Betrag, netto", "betrag, netto", ""},
		{"(EUR)", "", "EUR"},
		{"Side (b) of two", "side (b) of two", ""},
		{"", "", ""},
	} {
		if key, unit := normal(c.header); key != c.key || unit != c.unit {
			t.Errorf("normal(%q): got %q and %q, want %q and %q", c.header, key, unit, c.key, c.unit)
		}
	}
}

func TestPeriodOf(t *testing.T) {
	for header, want := range map[string]period{
		"1":             {number: 1, bare: true},
		"12":            {number: 12, bare: true},
		"p01":           {number: 1},
		"P1":            {number: 1},
		"M01":           {number: 1},
		"Period 1":      {number: 1},
		"July 31":       {month: time.July},
		"Sept 30":       {month: time.September},
		"Jan-26":        {month: time.January, short: 26},
		"Dez '25":       {month: time.December, short: 25},
		"März":          {month: time.March},
		"févr.":         {month: time.February},
		"maj":           {month: time.May},
		"Dec 2026":      {month: time.December, year: 2026},
		"2026-07":       {month: time.July, year: 2026},
		"07/2026":       {month: time.July, year: 2026},
		"2026-07-31":    {month: time.July, year: 2026},
		"31.07.2026":    {month: time.July, year: 2026},
		"7/31/2026":     {month: time.July, year: 2026},
		"31 July 2026":  {month: time.July, year: 2026},
		"January (EUR)": {month: time.January},
	} {
		if got, is := periodOf(tables.Cell{Type: tables.TextCell, Value: header}); !is || got != want {
			t.Errorf("periodOf(%q): got %+v, %t, want %+v", header, got, is, want)
		}
	}
	for _, header := range []string{"", "0", "13", "P13", "Total", "Accrued", "2026", "3/4/2026", "Marketing", "17.5", "2026-13"} {
		if got, is := periodOf(tables.Cell{Type: tables.TextCell, Value: header}); is {
			t.Errorf("periodOf(%q): got %+v, want no period", header, got)
		}
	}
	sheet := tables.Cell{Type: tables.DateCell, Time: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)}
	if got, is := periodOf(sheet); !is || got != (period{month: time.January, year: 2026}) {
		t.Errorf("periodOf of a date of a sheet: got %+v, %t", got, is)
	}
}

// TestPeriodOfAFiscalYear: a fiscal year is the year of its last month.
func TestPeriodOfAFiscalYear(t *testing.T) {
	for _, c := range []struct {
		period
		starts       time.Month
		number, year int
	}{
		{period{number: 3}, time.July, 3, 0},
		{period{month: time.March}, time.January, 3, 0},
		{period{month: time.July}, time.July, 1, 0},
		{period{month: time.June, year: 2026}, time.July, 12, 2026},
		{period{month: time.July, year: 2025}, time.July, 1, 2026},
		{period{month: time.December, year: 2026}, time.January, 12, 2026},
	} {
		if number, year := c.in(c.starts); number != c.number || year != c.year {
			t.Errorf("%+v from %s: got period %d of %d, want %d of %d", c.period, c.starts, number, year, c.number, c.year)
		}
	}
}

var (
	budgetFields = []string{"department", "gl_code", "fiscal_year", "fiscal_period", "version", "amount", "currency", "notes", "debit", "credit", "sign", "total"}
	tradeFields  = []string{"symbol", "currency_code", "shares", "product", "side", "price", "date", "gross"}
)

// TestFind: the header is the row with the most known names.
func TestFind(t *testing.T) {
	budgets, trades := newNames(budgetFields, "", true), newNames(tradeFields, "", false)
	for name, c := range map[string]struct {
		names
		file   string
		fields string // by column; an asterisk marks a question
		line   int
	}{
		"exact":          {budgets, "department,gl_code,amount\nFIN,6100,1\n", "department gl_code amount", 1},
		"aliases":        {budgets, "Abteilung;Konto;Jahr;Monat;Betrag;Währung\n", "department gl_code fiscal_year fiscal_period amount currency", 1},
		"above":          {budgets, "\"Kostenstelle:\";\"FIN\"\n\"\"\n\"Von: \";\"01.01.2027\"\nAbteilung;Konto;Betrag\nFIN;6100;-30,78\n", "department gl_code amount", 4},
		"months":         {budgets, ",July 31,Aug 31,Total\nREVENUES,,,\nTax,1,2,3\n", "- period period total", 1},
		"repeated":       {budgets, "0,1,2,3\n,July 31,Aug 31,Accrued\nTax,1,2,3\n,July 31,Aug 31,Payable\n", "- period period -", 2},
		"numbers":        {budgets, "x,1,2,3,4\nFIN,10,20,30,40\n", "- period period period period", 1},
		"numbers beside": {budgets, "Department,Account,1,2\n1,2,3,4\n", "department gl_code period period", 1},
		"tie":            {budgets, "department,amount\namount,department\n", "department amount*", 1},
		"none":           {budgets, "FIN,6100,2027,1,10\nOPS,6200,2027,2,11\n", "*", 0},
		"no periods":     {trades, "Symbol,Jan,Type\n", "symbol - side", 1},
		"two":            {budgets, "Account,gl_code,Amount\n", "gl_code gl_code amount", 1},
	} {
		file, err := tables.Open(strings.NewReader(c.file), int64(len(c.file)), tables.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d, _, err := c.dialect(file, tables.Dialect{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := surveyed(file, d)
		if err != nil {
			t.Fatal(err)
		}
		h, q := c.find(s.head)
		if got := fieldsOf(h, q); got != c.fields || h.line != c.line {
			t.Errorf("%s: got %q on line %d, want %q on line %d", name, got, h.line, c.fields, c.line)
		}
	}
}

func fieldsOf(h headed, q *Question) string {
	fields := make([]string, len(h.headers))
	for i, column := range h.headers {
		fields[i] = column.field
		if column.field == "" {
			fields[i] = "-"
		}
	}
	said := strings.Join(fields, " ")
	if q != nil {
		said += "*"
	}
	return said
}

// TestHeaderRowIsAsked: the choices are the rows that can be the header, and that there is no header.
func TestHeaderRowIsAsked(t *testing.T) {
	n := newNames(budgetFields, "", true)
	head := func(rows ...string) (records []tables.Record) {
		for i, row := range rows {
			r := tables.Record{Line: i + 1}
			for value := range strings.SplitSeq(row, ",") {
				r.Cells = append(r.Cells, tables.Cell{Type: tables.TextCell, Value: value})
			}
			records = append(records, r)
		}
		return records
	}
	for name, c := range map[string]struct {
		rows     []string
		proposed string
		choices  string
	}{
		"none": {[]string{"FIN,6100", "OPS,6200"}, "", "1 2 0"},
		"tie":  {[]string{"notes,x", "department,amount", "FIN,1", "amount,department"}, "2", "2 4 0"},
	} {
		_, q := n.find(head(c.rows...))
		if q == nil {
			t.Errorf("%s: got no question", name)
			continue
		}
		var values []string
		for _, choice := range q.Choices {
			values = append(values, choice.Value)
		}
		if got := strings.Join(values, " "); q.Code != "header_row" || q.Proposed != c.proposed || got != c.choices {
			t.Errorf("%s: got %s, proposed %q of %q, want header_row, %q of %q", name, q.Code, q.Proposed, got, c.proposed, c.choices)
		}
	}
}

// TestDelimiterInATie: known headers decide between delimiters, then more columns.
func TestDelimiterInATie(t *testing.T) {
	n := newNames(budgetFields, "", true)
	for name, c := range map[string]struct {
		file  string
		want  byte
		asked string
	}{
		"known":   {"Abteilung;Konto;Betrag, netto\nFIN;6100;10,50\nFIN;6200;7,25\n", ';', ""},
		"columns": {"a,b;c;d\n1,2;3;4\n", ';', ""},
		"tie":     {"a,b|c\n1,2|3\n", ',', ", |"},
		"one":     {"department\nFIN\n", 0, ""},
		"sep":     {"sep=|\ndepartment,x|amount\n", 0, ""},
	} {
		file, err := tables.Open(strings.NewReader(c.file), int64(len(c.file)), tables.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d, questions, err := n.dialect(file, tables.Dialect{})
		if err != nil {
			t.Fatal(err)
		}
		asked := ""
		if len(questions) == 1 {
			asked = fmt.Sprint(questions[0].Choices[0].Value, " ", questions[0].Choices[1].Value)
		}
		if d.Delimiter != c.want || asked != c.asked {
			t.Errorf("%s: got %q, asked %q, want %q, asked %q", name, d.Delimiter, asked, c.want, c.asked)
		}
	}
}

// TestSheetIsAsked: one visible sheet with a header is taken, several are a question.
func TestSheetIsAsked(t *testing.T) {
	n := newNames(budgetFields, "", true)
	content, err := os.ReadFile("../tables/testdata/imports/49-xlsx-hidden-first-sheet.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	file, err := tables.Open(bytes.NewReader(content), int64(len(content)), tables.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, questions, err := n.dialect(file, tables.Dialect{})
	if err != nil || d.Sheet != "Actuals 2027" || len(questions) > 0 {
		t.Errorf("got %q, %v, %v, want the sheet Actuals 2027 and no question", d.Sheet, questions, err)
	}
	for i := range file.Sheets {
		file.Sheets[i].Hidden = false
	}
	d, questions, err = n.dialect(file, tables.Dialect{})
	if err != nil || d.Sheet != "Calc" || len(questions) != 1 || questions[0].Code != "sheet" || len(questions[0].Choices) != 2 {
		t.Errorf("both visible: got %q, %v, %v, want Calc proposed and the question sheet", d.Sheet, questions, err)
	}
}

// TestEncodingIsAsked: only where a column with a field has a text that is not in the encoding.
func TestEncodingIsAsked(t *testing.T) {
	const content = "a,b\nx,B\xDCR\n"
	file, err := tables.Open(strings.NewReader(content), int64(len(content)), tables.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := surveyed(file, tables.Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	if q := s.askForEncoding(headed{}, []int{1}); q != nil {
		t.Errorf("a column without such a text: got %+v, want no question", q)
	}
	q := s.askForEncoding(headed{}, []int{1, 2})
	if q == nil || q.Proposed != "windows-1252" || !slices.Equal(q.Cells, []Place{{2, "column 2", "BÜR"}}) {
		t.Errorf("got %+v, want the question with the cell of line 2", q)
	}
}
