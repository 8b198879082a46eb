// Package sqlitetest has what the tests of several rooms need: databases with records of every kind,
// damaged and edited copies of them, and what is in them.
//
// It must not know the Store, so that the tests inside of the Store's package may use it too: they pass
// sqlite.Open.
package sqlitetest

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/verify"
	"daybook/db/storetest"
	"daybook/internal/access"
	"daybook/internal/batch"
	"daybook/internal/budget"
	"daybook/internal/bulk"
	"daybook/internal/journal"
	"daybook/internal/mapping"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// opening opens a database file, as sqlite.Open does. These helpers know no Store, so that the tests
// of the package that has it may use them too.
type opening[S closable] func(ctx context.Context, path string, now func() time.Time) (S, error)

type closable interface {
	storetest.Store
	Close() error
}

// RecordOfEach makes a database with records of every entity, some changed and some removed, and
// returns its path. No two of these databases have the same origin.
func RecordOfEach[S closable](t *testing.T, open opening[S]) string {
	t.Helper()
	path := emptyFile(t, open)
	s, err := open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	Fill(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	BehindItsBack(t, path, `INSERT INTO position_checkpoints
		SELECT 'ACME', 'USD', 0, 10, 500, 0, traded_at, 500, traded_at, 1, 0, 5000 FROM trades WHERE traded_at = 1767225600000000000`)
	return path
}

// empty is the content of a database without records, which is made once.
var empty struct {
	sync.Mutex
	content []byte
}

func emptyFile[S closable](t *testing.T, open opening[S]) string {
	t.Helper()
	empty.Lock()
	defer empty.Unlock()
	if empty.content != nil {
		return FileOf(t, empty.content)
	}
	path := filepath.Join(t.TempDir(), "app.db")
	s, err := open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if empty.content, err = os.ReadFile(path); err != nil { //nolint:gosec // a file of the test
		t.Fatal(err)
	}
	return path
}

// Fill stores records of every entity, changes some and removes some.
func Fill(t *testing.T, s storetest.Store) {
	t.Helper()
	ctx := journal.With(t.Context(), journal.Origin{Actor: "test", Request: "r1"})
	fatal := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	currency, err := s.AddCurrency(ctx, trading.Currency{Code: "USD", Name: "US dollar"})
	fatal(err)
	company, err := s.AddCompany(ctx, trading.Company{Name: "ACME", Price: 100, CurrencyID: currency.ID})
	fatal(err)
	_, err = s.AddRevenue(ctx, trading.Revenue{CompanyID: company.ID, Category: "Lamps", Amount: money.Units(5)})
	fatal(err)
	for day := range 3 {
		_, err = s.AddTrades(ctx, []trading.Trade{{
			Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD"}, Shares: 10, Side: trading.Buy,
			Price: 500, Date: time.Date(2026, 1, 3-day, 0, 0, 0, 0, time.UTC), // each before the last
		}})
		fatal(err)
	}
	_, err = s.VoidTrade(journal.With(t.Context(), journal.Origin{Actor: "test", Request: "r2", Reason: "entered twice"}), 2)
	fatal(err)
	department, err := s.CreateDepartment(ctx, budget.Department{Code: "FIN", Name: "Finance", Active: true})
	fatal(err)
	account, err := s.CreateAccount(ctx, budget.Account{Code: "6000", Type: budget.Opex})
	fatal(err)
	key := budget.Key{DepartmentID: department.ID, AccountID: account.ID, Year: 2026, Period: 1}
	_, err = s.CreateLines(ctx, []budget.Line{{LineKey: budget.LineKey{Key: key, Version: budget.Original}, Amount: 1, Currency: "USD"}})
	fatal(err)
	first := budget.Actual{Key: key, Currency: "USD", Source: "erp"}
	second := first
	second.Amount = 1
	_, err = s.IngestActuals(ctx, []budget.Actual{first, second})
	fatal(err)
	made := time.Date(2026, 1, 2, 0, 0, 0, 1000, time.UTC)
	token, err := s.CreateToken(ctx, access.Token{Name: "feed", Scope: access.Ingest, Digest: access.Digest{1}, Created: made, Expires: made.AddDate(1, 0, 0)})
	fatal(err)
	fatal(s.TouchToken(ctx, token.ID, made.Add(time.Minute)))
	fatal(s.CreateSession(ctx, access.Session{Digest: access.Digest{2}, Token: token.ID, Expires: made.Add(time.Hour)}, made))
	_, err = s.RevokeToken(ctx, token.ID, made.Add(time.Hour))
	fatal(err)
	fatal(s.CreateSession(ctx, access.Session{Digest: access.Digest{3}, Token: token.ID, Expires: made.Add(time.Hour)}, made))
	first.Period = 2
	_, err = s.StoreActuals(ctx, bulk.Rows[budget.Actual]{
		Existing: bulk.Replace, Batch: batch.Origin{Kind: "actuals", Via: batch.Import, File: "a.csv", Map: "erp", Source: "erp"},
		All: func(yield func(*bulk.Row[budget.Actual], error) bool) {
			yield(&bulk.Row[budget.Actual]{Record: first, Line: 2}, nil)
		},
	})
	fatal(err)
	_, err = s.PutMap(ctx, mapping.Map{Name: "erp", Kind: "actuals", Text: "{}"})
	fatal(err)
}

// BehindItsBack runs statements on the file as another program would, without the triggers that protect
// the journal.
func BehindItsBack(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// Found returns the findings of verifying a database.
func Found(t *testing.T, path string) []string {
	t.Helper()
	v, err := verify.Database(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rows.Map(v.Findings, records.Finding.String)
}
