//go:build !race

package imports_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/budget"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/imports"
	"daybook/internal/money"
	"daybook/internal/seed"
	"daybook/internal/spool"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// forms are the ways to write a file.
var forms = map[string]exchange.Form{
	"csv":     {Format: exchange.CSV},
	"csv bom": {Format: exchange.CSV, BOM: true},
	"csv de":  {Format: exchange.CSV, Locale: "de"},
	"csv fr":  {Format: exchange.CSV, Locale: "fr"},
	"csv sv":  {Format: exchange.CSV, Locale: "sv"},
	"xlsx":    {Format: exchange.XLSX},
	"ndjson":  {Format: exchange.NDJSON},
	"json":    {Format: exchange.JSON},
}

// books is a database with a service of its own.
type books struct {
	store   *sqlite.Store
	service *imports.Service
	folder  spool.Folder
	path    string
}

func openBooks(t *testing.T) books {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app.db")
	store, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	b := books{store, imports.New(spool.Beside(path), store), spool.Beside(path), path}
	t.Cleanup(func() {
		b.service.Close()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// export writes all records of a kind.
func (b books) export(t *testing.T, kind string, form exchange.Form, wide bool) []byte {
	t.Helper()
	var file bytes.Buffer
	err := b.store.Export(t.Context(), func(one exchange.Snapshot) error {
		return exchange.Export{Kind: kind, Form: form, Wide: wide}.Write(one, &file)
	})
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// bring imports a file, without a map, and stores all of it.
func (b books) bring(t *testing.T, kind string, content []byte) *imports.Import {
	t.Helper()
	one, err := b.service.Add(t.Context(), upload(t, b.folder, kind, string(content)))
	for err == nil && one.State == "reading" {
		one, err = b.service.Get(t.Context(), "me", one.ID)
	}
	if err == nil {
		_, err = b.service.Commit(t.Context(), "me", one.ID, imports.Order{Revision: one.Revision}, nil)
	}
	if err != nil {
		t.Fatalf("%s: %v: %+v", kind, err, one)
	}
	return one
}

// TestWhatIsExportedComesBack: the files of all kinds from the demo, brought into an empty database, are exported as the same
// bytes. Again they have nothing new.
func TestWhatIsExportedComesBack(t *testing.T) {
	demo := openBooks(t)
	o := seed.Options{AsOf: time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC), Trades: 60, Departments: 3, Accounts: 8, Years: 2}
	if _, err := seed.Run(t.Context(), demo.store.Atomically, trading.NewBook(demo.store), budget.NewLedger(demo.store, time.Now), o); err != nil {
		t.Fatal(err)
	}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) { demo.comesBack(t, form) })
	}
}

// comesBack brings all kinds into an empty database, and compares what that exports.
func (b books) comesBack(t *testing.T, form exchange.Form) {
	t.Helper()
	empty := openBooks(t)
	for _, kind := range exchange.Kinds() {
		file := b.export(t, kind.Name, form, false)
		one := empty.bring(t, kind.Name, file)
		if one.Counts.Changed+one.Counts.Unchanged+one.Counts.Already+one.Counts.Wrong+one.Counts.Doubtful > 0 {
			t.Errorf("%s: got %+v, want all new", kind.Name, one.Counts)
		}
		if again := empty.export(t, kind.Name, form, false); !bytes.Equal(again, file) {
			t.Errorf("%s: got\n%.2000s\nwant\n%.2000s", kind.Name, again, file)
		}
		if again := empty.bring(t, kind.Name, file); again.Counts.New+again.Counts.Changed+again.Counts.Wrong > 0 || again.Counts.Unchanged+again.Counts.Already != one.Counts.New {
			t.Errorf("%s again: got %+v, want %d as they are", kind.Name, again.Counts, one.Counts.New)
		}
		if kind.Wide {
			if wide := empty.bring(t, kind.Name, b.export(t, kind.Name, form, true)); wide.Counts.New+wide.Counts.Changed+wide.Counts.Wrong > 0 {
				t.Errorf("%s in the wide form: got %+v, want all as they are", kind.Name, wide.Counts)
			}
		}
	}
	for _, form := range forms {
		for _, kind := range exchange.Kinds() {
			if got, want := empty.export(t, kind.Name, form, kind.Wide), b.export(t, kind.Name, form, kind.Wide); !bytes.Equal(got, want) {
				t.Errorf("%s: %s differs", fmt.Sprint(form), kind.Name)
			}
		}
	}
}

// pieces are what texts in random books are made of: what CSV, spreadsheets, JSON and bidirectional text treat in a way of their own.
var pieces = []string{
	"=", "'", "'=", "+", "-", "@", "\"", "\"\"", ",", ";", "\t", "\n", "\r\n", "|", "a", "Ä", "ß", "0", "007", "1.234", "1,5", "-5", "(3)", "1E5", "TRUE", "null", "NaN",
	"2026-01-02", "03/04/2026", "Total", "Summe", "name", "code", "line", "problem", "sep=;", "{", "[", "<b>", "\\", "/", "%", "#REF!", "\u202E", "\u2066", "\u200F", "\uFF1D", "العربية", "日本", "🙂", "\u00A0", " ", "_x000D_", "&amp;",
}

// text is a random text that a rule accepts.
func randomText[T ~string](r *rand.Rand, rule func(string) (T, error)) T {
	for {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		if s, err := rule(b.String()); err == nil && s != "" {
			return s
		}
	}
}

// fill stores a random book.
func (b books) fill(t *testing.T, r *rand.Rand) {
	t.Helper()
	check := func(_ any, err error) {
		if err != nil && fault.KindOf(err) != fault.AlreadyExists {
			t.Fatal(err)
		}
	}
	ctx, book, ledger := t.Context(), trading.NewBook(b.store), budget.NewLedger(b.store, time.Now)
	optional := func(s string) string { return []string{"", s}[r.IntN(2)] }
	amount := func() money.Amount { return money.Amount(r.Int64N(2e12) - 1e12) }
	for range 4 {
		check(book.AddCurrency(ctx, trading.Currency{Code: money.Currency([]string{"EUR", "USD", "KWD", "JPY", "BTC2"}[r.IntN(5)]), Name: randomText(r, text.ParseName)}))
	}
	for i := range 6 {
		check(ledger.CreateDepartment(ctx, budget.Department{
			Code: randomText(r, text.ParseCode), Name: randomText(r, text.ParseName), CostCenter: text.Label(optional(string(randomText(r, text.ParseLabel)))), Active: i%2 == 0,
		}))
		types := budget.AccountTypes()
		check(ledger.CreateAccount(ctx, budget.Account{
			Code: randomText(r, text.ParseCode), Description: text.Note(optional(string(randomText(r, text.ParseNote)))), Type: types[r.IntN(len(types))], FavourHigh: r.IntN(2) == 0,
		}))
		check(book.AddCompany(ctx, trading.Company{
			Name: []text.Name{"ACME", randomText(r, text.ParseName)}[r.IntN(2)], SharesOutstanding: trading.Outstanding(r.Int64N(1e6)), Price: money.Price(r.Int64N(1e12)), CurrencyID: trading.CurrencyID(r.IntN(2)),
		}))
	}
	for i := range 40 {
		key := budget.Key{DepartmentID: budget.DepartmentID(1 + r.IntN(2)), AccountID: budget.AccountID(1 + r.IntN(2)), Year: fiscal.Year(2025 + i/12), Period: fiscal.Period(1 + i%12)}
		check(ledger.Ingest(ctx, budget.Actual{Key: key, Amount: amount(), Currency: "EUR", Source: text.Source(optional(string(randomText(r, text.ParseSource))))}))
		check(ledger.CreateLine(ctx, budget.Line{LineKey: budget.LineKey{Key: key, Version: budget.Versions()[r.IntN(2)]}, Amount: amount(), Currency: "USD", Notes: text.Note(optional(string(randomText(r, text.ParseNote))))}))
		check(book.AddRevenue(ctx, trading.Revenue{CompanyID: trading.CompanyID(1 + r.IntN(4)), Category: []text.Name{"Lamps", randomText(r, text.ParseName)}[r.IntN(2)], Amount: amount(), FiscalYear: fiscal.Year(2025 * r.IntN(2)), CurrencyCode: money.Currency([]string{"", "EUR"}[r.IntN(2)])}))
		check(book.AddTrade(ctx, trading.Trade{
			Instrument: trading.Instrument{Symbol: []trading.Symbol{"A", "=B"}[r.IntN(2)], Currency: "EUR", Product: trading.Product(r.IntN(5))},
			Shares:     trading.Shares(1 + r.IntN(3)), Side: []trading.Side{trading.Buy, trading.Sell}[r.IntN(2)], Price: money.Price(r.Int64N(3) * 123456789),
			Date: time.Date(2026, 1, 1+r.IntN(3), r.IntN(24), 0, 0, []int{0, 5e8, 123456789}[r.IntN(3)], time.UTC),
		}))
	}
}

// TestRandomBooksComeBack: whatever texts a book has, its files bring it back.
func TestRandomBooksComeBack(t *testing.T) {
	for seed := range uint64(3) {
		b := openBooks(t)
		b.fill(t, rand.New(rand.NewPCG(seed, 39)))
		for name, form := range forms {
			t.Run(fmt.Sprint(seed, " ", name), func(t *testing.T) { b.comesBack(t, form) })
		}
	}
}
