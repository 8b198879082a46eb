package tables_test

import (
	"errors"
	"io"
	"os"
	"slices"
	"testing"

	"daybook/internal/tables"
)

// TestPhiladelphia: the five pages of the city as published, in millions, have the month figures
// of 21 accounts each that were put into the interface's terms elsewhere, with the cells that
// have the other mark.
func TestPhiladelphia(t *testing.T) {
	budget := monthsByAccount(t, "budget.csv")
	actuals := monthsByAccount(t, "actuals.csv")
	for _, page := range []struct {
		name    string
		figures map[string][]string
		other   int // cells of the accounts with a decimal comma
	}{
		{"FY22-FY26-Adopted.csv", budget["original"], 5},
		{"FY22_Q1.csv", budget["forecast1"], 10},
		{"FY22_Q2.csv", budget["forecast2"], 4},
		{"FY22_Q3.csv", budget["forecast3"], 7},
		{"FY22_Q4.csv", actuals[""], 8},
	} {
		rows, others := pageRows(t, page.name)
		other := 0
		for account, months := range page.figures {
			at := slices.IndexFunc(rows, func(row []string) bool { return slices.Equal(row, months) })
			if at < 0 {
				t.Errorf("%s: got no row for account %s, want %v", page.name, account, months)
				continue
			}
			other += others[at]
		}
		if len(page.figures) != 21 || other != page.other {
			t.Errorf("%s: got %d accounts and %d cells with the other mark, want 21 and %d", page.name, len(page.figures), other, page.other)
		}
	}
}

// pageRows returns the month figures of a page's rows in whole dollars, and how many cells of
// each row have the other mark.
func pageRows(t *testing.T, name string) (rows [][]string, others []int) {
	t.Helper()
	for _, r := range records(t, "testdata/philadelphia/"+name) {
		var row []string
		other := 0
		for _, cell := range r[min(1, len(r)):min(13, len(r))] {
			n, err := cell.Number(tables.Point)
			if e, refused := errors.AsType[*tables.NumberError](err); refused && e.Problem == tables.OtherMark {
				n, err, other = e.Reads, nil, other+1
			}
			if err == nil {
				row = append(row, tables.Shift(n.Value, 6))
			}
		}
		rows, others = append(rows, row), append(others, other)
	}
	return rows, others
}

// monthsByAccount returns the twelve figures of each account of the General Fund, by version.
func monthsByAccount(t *testing.T, name string) map[string]map[string][]string {
	t.Helper()
	found := map[string]map[string][]string{}
	for _, r := range records(t, "../api/testdata/philadelphia/"+name)[1:] {
		version, amount := "", r[4].Value
		if len(r) == 7 {
			version, amount = r[4].Value, r[5].Value
		}
		account := r[1].Value
		if r[0].Value != "GF" || account == "7000" {
			continue
		}
		if found[version] == nil {
			found[version] = map[string][]string{}
		}
		found[version][account] = append(found[version][account], amount)
	}
	return found
}

// records returns the cells of every record of a file.
func records(t *testing.T, name string) [][]tables.Cell {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := tables.Open(file, info.Size(), tables.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Records(tables.Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	var found [][]tables.Cell
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, slices.Clone(record.Cells))
	}
}
