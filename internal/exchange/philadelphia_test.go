package exchange_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"daybook/internal/exchange"
	"daybook/internal/tables"
)

// city is the folder of the figures of the city in the interface's terms.
const city = "../api/testdata/philadelphia/"

// TestPhiladelphia: the five pages of the city as published, each with its map, give the figures that were put into
// the interface's terms elsewhere.
func TestPhiladelphia(t *testing.T) {
	db := &known{references: map[string][]exchange.Reference{}, stored: map[string]exchange.Record{}}
	for i, row := range csvRows(t, city+"departments.csv") {
		db.references["departments"] = append(db.references["departments"], exchange.Reference{ID: int64(i), Code: row[0], Name: row[1]})
	}
	for i, row := range csvRows(t, city+"accounts.csv") {
		db.references["accounts"] = append(db.references["accounts"], exchange.Reference{ID: int64(i), Code: row[0], Name: row[1], Type: row[2]})
	}
	figures := map[string]map[string]string{}
	for _, row := range slices.Concat(csvRows(t, city+"budget.csv"), csvRows(t, city+"actuals.csv")) {
		version, amount := "", row[4]
		if len(row) == 7 {
			version, amount = row[4], row[5]
		}
		if row[0] != "GF" || row[1] == "7000" {
			continue
		}
		if figures[version] == nil {
			figures[version] = map[string]string{}
		}
		figures[version][strings.Join(row[:4], " ")] = amount
	}
	for _, page := range []struct {
		name, kind, version string
		other               int // cells of the accounts with a decimal comma
	}{
		{"FY22-FY26-Adopted", "budgets", "original", 5},
		{"FY22_Q1", "budgets", "forecast1", 10},
		{"FY22_Q2", "budgets", "forecast2", 4},
		{"FY22_Q3", "budgets", "forecast3", 7},
		{"FY22_Q4", "actuals", "", 8},
	} {
		t.Run(page.name, func(t *testing.T) {
			content, err := os.ReadFile("testdata/philadelphia/" + page.name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			m, err := exchange.ParseMap(content, page.kind)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			p := checked(t, "../tables/testdata/philadelphia/"+page.name+".csv", exchange.Source{
				Kind: page.kind, Map: m, Store: db,
				Each: func(row exchange.Row) error {
					if row.Result == "new" {
						got[strings.Join(row.After[:4], " ")] = row.After[len(row.After)-3]
					}
					return nil
				},
			})
			if p.State != "ready" || p.Counts.New != 252 || p.Counts.Wrong != 0 || p.Counts.Doubtful != page.other || p.FindingsTotal != page.other {
				t.Errorf("got %s, %+v, %d findings, want ready, 252 new and %d doubtful: %+v %+v", p.State, p.Counts, p.FindingsTotal, page.other, p.Questions, p.Findings)
			}
			for _, f := range p.Findings {
				if f.Code != "other_mark" || !f.Accepted {
					t.Errorf("got %+v, want only cells with the other mark, accepted", f)
				}
			}
			if !maps.Equal(got, figures[page.version]) {
				t.Errorf("got %d figures, want the %d of the interface: %s", len(got), len(figures[page.version]), differences(got, figures[page.version]))
			}
		})
	}
}

func differences(got, want map[string]string) string {
	var list []string
	for key, amount := range want {
		if got[key] != amount {
			list = append(list, fmt.Sprintf("%s: got %q, want %q", key, got[key], amount))
		}
	}
	slices.Sort(list)
	return strings.Join(list[:min(len(list), 10)], "; ")
}

// checked checks a file.
func checked(t *testing.T, name string, source exchange.Source) *exchange.Preview {
	t.Helper()
	content, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = content.Close() }()
	info, err := content.Stat()
	if err != nil {
		t.Fatal(err)
	}
	source.File, err = tables.Open(content, info.Size(), tables.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = source.File.Close() }()
	p, err := exchange.Check(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// csvRows are the rows of a file below its header.
func csvRows(t *testing.T, name string) [][]string {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}
