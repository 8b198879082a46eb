package exchange_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daybook/internal/exchange"
	"daybook/internal/tables"
)

// TestOwnFiles: records that are written as an export writes them come back as they were, whatever their texts hold,
// with commas and decimal points, and with semicolons and decimal commas.
func TestOwnFiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, options := range []tables.CSVOptions{{}, {Delimiter: ';', BOM: true}} {
		for _, kind := range exchange.Kinds() {
			for range 20 {
				want := randomRecords(random, kind)
				db := newKnown(t)
				db.references["companies"] = []exchange.Reference{{ID: 1, Name: "Acme"}}
				db.references["currencies"] = []exchange.Reference{{ID: 1, Code: "EUR"}}
				content := written(t, kind, want, options)
				var got []exchange.Record
				p := preview(t, content, exchange.Source{Kind: kind.Name, Store: db, Each: func(row exchange.Row) error {
					got = append(got, row.After)
					return nil
				}})
				if difference := cmp.Diff(want, got); difference != "" || p.State != "ready" || p.FindingsTotal > 0 {
					t.Fatalf("%s with %+v: %s, %+v %+v\n%s\n%s", kind.Name, options, p.State, p.Questions, p.Findings, difference, content)
				}
			}
		}
	}
}

// written are records as an export writes them.
func written(t *testing.T, kind exchange.Kind, records []exchange.Record, options tables.CSVOptions) string {
	t.Helper()
	var b bytes.Buffer
	w := tables.NewCSVWriter(&b, options)
	header := make([]tables.Cell, len(kind.Columns))
	for i, column := range kind.Columns {
		header[i] = tables.Cell{Type: tables.TextCell, Value: column.Name}
	}
	rows := [][]tables.Cell{header}
	for _, r := range records {
		row := make([]tables.Cell, len(r))
		for i, value := range r {
			row[i] = tables.Cell{Type: tables.TextCell, Value: value}
			if kind.Columns[i].Value == exchange.Decimal {
				row[i].Type = tables.NumberCell
				if options.Delimiter == ';' {
					row[i].Value = strings.Replace(value, ".", ",", 1)
				}
			}
		}
		rows = append(rows, row)
	}
	for _, row := range rows {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// randomRecords are records of a kind with distinct keys.
func randomRecords(random *rand.Rand, kind exchange.Kind) []exchange.Record {
	list := make([]exchange.Record, 1+random.IntN(8))
	for i := range list {
		list[i] = make(exchange.Record, len(kind.Columns))
		for j, column := range kind.Columns {
			list[i][j] = randomValue(random, kind.Name, column, i)
		}
	}
	return list
}

func randomValue(random *rand.Rand, kind string, column exchange.Field, i int) string {
	switch column.Value {
	case exchange.Decimal:
		if column.Name == "price" {
			return []string{"0", "1.234", "0.00000001", "9999999999.99999999"}[random.IntN(4)]
		}
		return []string{"0", "1.234", "-1234.5", "1234567", "0.0001", "-99999999999999.9999"}[random.IntN(6)]
	case exchange.Flag:
		return []string{"true", "false"}[random.IntN(2)]
	case exchange.Date:
		return fmt.Sprintf("2026-01-%02dT15:30:00.000000001Z", 1+i)
	case exchange.Side:
		return []string{"buy", "sell"}[random.IntN(2)]
	case exchange.Product:
		return []string{"stock", "call", "put", "currency", "bond"}[random.IntN(5)]
	case exchange.Integer:
		return map[string]string{"fiscal_period": fmt.Sprint(1 + i), "company_nth": ""}[column.Name] + map[string]string{"fiscal_year": "2027", "shares": "1000", "shares_outstanding": "1234"}[column.Name]
	}
	switch column.Name {
	case "department":
		return "FIN"
	case "company":
		return "Acme"
	case "currency", "currency_code":
		return "EUR"
	case "version":
		return "original"
	case "type":
		return "opex"
	case "code":
		if kind == "currencies" {
			return fmt.Sprintf("C%02d", i)
		}
		return fmt.Sprintf("%s%d", "0K", i)
	case "gl_code":
		return "6100"
	}
	return randomText(random, column.Name == "notes")
}

// randomText is a text with what a file can take wrong.
func randomText(random *rand.Rand, lines bool) string {
	parts := []string{"a", "=", "'", "''=", "+1", "-", "@", `"`, `""`, ",", ";", "\u05d0", "\u00e9", "1.234", "total", "\uff1d", "N/A", "0"}
	if lines {
		parts = append(parts, "\n", "\t")
	}
	var b strings.Builder
	for range 1 + random.IntN(6) {
		b.WriteString(parts[random.IntN(len(parts))])
	}
	// A text in the store has no white space at its ends.
	if trimmed := strings.TrimSpace(b.String()); trimmed != "" {
		return trimmed
	}
	return "x"
}

// FuzzCheck: no file and no map makes a check fail in another way than by its errors, and the counts are those of
// the records.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{actualsHead + "FIN,6100,2027,1,5,EUR\n", wideHead + "FIN,6100,2027,EUR,1,2,3,6\n", tradesHead + "X,EUR,1,stock,buy,5,2026-01-31\n", "a;b\n1,2;3\n"} {
		f.Add(seed, uint8(0), `{"duplicates":"sum"}`)
	}
	f.Fuzz(func(t *testing.T, content string, k uint8, set string) {
		kinds := exchange.Kinds()
		kind := kinds[int(k)%len(kinds)].Name
		file, err := tables.Open(strings.NewReader(content), int64(len(content)), tables.Options{Dir: t.TempDir()})
		if err != nil {
			return
		}
		defer func() { _ = file.Close() }()
		m, err := exchange.ParseMap([]byte(strings.Replace(set, "{", `{"kind":"`+kind+`",`, 1)), kind)
		if err != nil {
			m = exchange.Map{}
		}
		records := 0
		p, err := exchange.Check(t.Context(), exchange.Source{File: file, Kind: kind, Map: m, Store: newKnown(t), Each: func(exchange.Row) error {
			records++
			return nil
		}})
		if err != nil {
			return
		}
		c := p.Counts
		if got := c.New + c.Changed + c.Unchanged + c.Already + c.Cleared + c.Wrong; got != records {
			t.Errorf("got %d results in %+v, want %d", got, c, records)
		}
		if p.State == "ready" && len(p.Questions) > 0 || slices.ContainsFunc(p.Findings, func(f exchange.Finding) bool { return f.Message == "" || f.Code == "" }) {
			t.Errorf("got %+v", p)
		}
	})
}
