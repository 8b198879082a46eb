package exchange_test

import (
	"bytes"
	"testing"

	"github.com/xuri/excelize/v2"

	"daybook/internal/exchange"
	"daybook/internal/tables"
)

// mergedSheet has a department over three rows, with a heading among them, one over two, and a merged amount.
func mergedSheet(t *testing.T) *tables.File {
	t.Helper()
	f := excelize.NewFile()
	for i, row := range [][]any{
		{"department", "gl_code", "fiscal_year", "fiscal_period", "currency", "amount"},
		{"Finance team", "6100", 2027, 1, "EUR", 10},
		{nil, "Travel"},
		{nil, "6200", nil, 1, nil, 11},
		{"Ignored", "6100", 2027, 2, "EUR", 12},
		{nil, "6200", nil, 1, "EUR", nil},
		{"OPS", "6100", 2027, 1, "EUR", 13},
	} {
		cell, _ := excelize.CoordinatesToCellName(1, i+1)
		if err := f.SetSheetRow("Sheet1", cell, &row); err != nil {
			t.Fatal(err)
		}
	}
	for _, merged := range [][2]string{{"A2", "A4"}, {"C2", "C4"}, {"E2", "E4"}, {"A5", "A6"}, {"C5", "C6"}, {"F5", "F6"}} {
		if err := f.MergeCell("Sheet1", merged[0], merged[1]); err != nil {
			t.Fatal(err)
		}
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	file, err := tables.Open(bytes.NewReader(b.Bytes()), int64(b.Len()), tables.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

// TestMergedCells: a merged cell that is repeated has the words of the map in all its rows, whatever its column. An
// amount is never repeated. A heading stays one.
func TestMergedCells(t *testing.T) {
	fin, skip := "FIN", map[string]exchange.Words{}
	skip["department"] = exchange.Words{"Finance team": &fin, "Ignored": nil}
	for _, c := range []struct {
		name  string
		m     exchange.Map
		wants string
	}{
		{"by the words of the map", exchange.Map{FillDown: "repeat", Values: skip},
			"2 new FIN 6100 2027 1 10 EUR \n4 new FIN 6200 2027 1 11 EUR \n7 new OPS 6100 2027 1 13 EUR \nskipped by_the_map 2\nskipped heading 1"},
		{"an amount", exchange.Map{FillDown: "repeat", Values: map[string]exchange.Words{"department": {"Finance team": &fin, "Ignored": &fin}}},
			"2 new FIN 6100 2027 1 10 EUR \n4 new FIN 6200 2027 1 11 EUR \n5 new FIN 6100 2027 2 12 EUR \n7 new OPS 6100 2027 1 13 EUR \n6 wrong field_count amount\nskipped heading 1"},
		{"open", exchange.Map{Values: skip},
			"?fill_down department\n?fill_down fiscal_year\n?fill_down currency\n2 new FIN 6100 2027 1 10 EUR \n4 new FIN 6200 2027 1 11 EUR \n7 new OPS 6100 2027 1 13 EUR \nskipped by_the_map 2\nskipped heading 1"},
		{"filled in the first row", exchange.Map{FillDown: "empty", Values: skip},
			"2 new FIN 6100 2027 1 10 EUR \n7 new OPS 6100 2027 1 13 EUR \n4 wrong missing department\n4 wrong missing fiscal_year\n4 wrong missing currency\n6 wrong missing department\n6 wrong missing fiscal_year\n6 wrong field_count amount\nskipped by_the_map 1\nskipped heading 1"},
	} {
		p, err := exchange.Check(t.Context(), exchange.Source{File: mergedSheet(t), Kind: "actuals", Map: c.m, Store: newKnown(t)})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := told(p); got != c.wants {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.wants)
		}
	}
}
