package exchange_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daybook/internal/exchange"
	"daybook/internal/tables"
)

// forms are all forms of a file.
var forms = []exchange.Form{
	{Format: exchange.CSV}, {Format: exchange.CSV, BOM: true}, {Format: exchange.CSV, Locale: "de"}, {Format: exchange.CSV, Locale: "fr"},
	{Format: exchange.CSV, Locale: "sv"}, {Format: exchange.XLSX}, {Format: exchange.NDJSON}, {Format: exchange.JSON},
}

// TestOwnFiles: records of every kind come back from their files in every form as they were, whatever their texts hold.
func TestOwnFiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, form := range forms {
		for _, kind := range exchange.Kinds() {
			for range 5 {
				want := randomRecords(random, kind)
				content := written(t, kind, form, want)
				p, got := comeBack(t, kind, content)
				if difference := cmp.Diff(want, got); difference != "" || p.State != "ready" || p.FindingsTotal > 0 {
					t.Fatalf("%s as %+v: %s, %+v %+v\n%s\n%s", kind.Name, form, p.State, p.Questions, p.Findings, difference, content)
				}
			}
		}
	}
}

// TestExportsComeBack: the files of exports read as records without a question or a finding, and these give the same
// file again.
func TestExportsComeBack(t *testing.T) {
	names, err := filepath.Glob("testdata/exports/[a-z]*.*")
	if err != nil || len(names) < 24 {
		t.Fatalf("got %d files, %v, want at least 24", len(names), err)
	}
	for _, name := range names {
		base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
		first, variant, _ := strings.Cut(base, "-")
		i := slices.IndexFunc(exchange.Kinds(), func(k exchange.Kind) bool { return k.Name == first })
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p, records := comeBack(t, exchange.Kinds()[i], string(content))
		if p.State != "ready" || p.FindingsTotal > 0 || p.Counts.New != len(records) || len(records) == 0 {
			t.Errorf("%s: got %s, %+v %+v, want only new records", base, p.State, p.Questions, p.Findings)
		}
		if variant != "" { // with ids, or wide
			continue
		}
		format := exchange.Format(strings.TrimPrefix(filepath.Ext(name), "."))
		if got := written(t, exchange.Kinds()[i], exchange.Form{Format: format}, records); got != string(content) {
			t.Errorf("%s: got\n%s\nwant\n%s", base, got, content)
		}
	}
}

// comeBack reads a file of our own where nothing else is stored.
func comeBack(t *testing.T, kind exchange.Kind, content string) (*exchange.Preview, []exchange.Record) {
	t.Helper()
	db := newKnown(t, "BÜR", "=X")
	db.references["companies"] = []exchange.Reference{{ID: 1, Name: "Acme"}, {ID: 2, Name: "Acme"}, {ID: 3, Name: "Only"}, {ID: 4, Name: "Zürich"}}
	db.references["currencies"] = []exchange.Reference{{ID: 1, Code: "EUR"}}
	var records []exchange.Record
	p := preview(t, content, exchange.Source{Kind: kind.Name, Store: db, Each: func(row exchange.Row) error {
		records = append(records, row.After)
		return nil
	}})
	return p, records
}

// written are records in a file.
func written(t *testing.T, kind exchange.Kind, form exchange.Form, records []exchange.Record) string {
	t.Helper()
	var b bytes.Buffer
	w, err := exchange.NewWriter(&b, kind.Title, kind.Columns, form)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := w.Write(r); err != nil {
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
		return "Only"
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
