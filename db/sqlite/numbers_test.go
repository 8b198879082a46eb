package sqlite

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// TestAnIDBelowOneIsRefused: if another program has changed a counter of ids, so that the next id would
// be below 1, a write that needs this id is refused. Other writes are not.
func TestAnIDBelowOneIsRefused(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, Open)
	sqlitetest.BehindItsBack(t, path, "UPDATE sequences SET last = 9223372036854775807")
	s, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	key := budget.Key{DepartmentID: 1, AccountID: 1, Year: 2026, Period: 3}
	ctx := t.Context()
	for name, write := range map[string]func(context.Context) error{
		"an actual": func(ctx context.Context) error {
			_, err := s.IngestActuals(ctx, []budget.Actual{{Key: key, Currency: "USD", Source: "erp"}})
			return err
		},
		"a budget line": func(ctx context.Context) error {
			_, err := s.CreateLines(ctx, []budget.Line{{LineKey: budget.LineKey{Key: key, Version: budget.Original}, Currency: "USD"}})
			return err
		},
	} {
		err := write(ctx)
		if err == nil || fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "app verify") {
			t.Errorf("%s: got %v, want Unavailable with a hint to run app verify", name, err)
		}
	}
	if head, err := s.JournalHead(ctx); err != nil || head.Seq != 17 {
		t.Errorf("got the newest entry %v, %v, want 17, because the refused writes have none", head.Seq, err)
	}
	if c, err := s.AddCurrency(ctx, trading.Currency{Code: money.Currency("EUR"), Name: "Euro"}); err != nil || c.ID != 2 {
		t.Errorf("another write: got %v, %v, want currency 2", c.ID, err)
	}
}

// TestACounterIsTakenBackWithItsWrite: a write that is rolled back also rolls back the counters of ids.
// So a counter is always the highest id in the journal.
func TestACounterIsTakenBackWithItsWrite(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, Open)
	s, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	most := trading.Trade{Instrument: trading.Instrument{Symbol: "ACME", Currency: "USD"}, Shares: math.MaxInt64 - 100, Side: trading.Buy, Date: sqlitetest.Midday}
	if _, err := s.AddTrades(t.Context(), []trading.Trade{most, most}); err == nil {
		t.Error("got no error, want the second trade refused")
	}
	key := budget.Key{DepartmentID: 1, AccountID: 1, Year: 2026, Period: 3}
	nowhere := budget.Key{DepartmentID: 9, AccountID: 1, Year: 2026, Period: 3}
	posts := []budget.Actual{{Key: key, Currency: "USD", Source: "erp"}, {Key: nowhere, Currency: "USD", Source: "erp"}}
	if _, err := s.IngestActuals(t.Context(), posts); err == nil {
		t.Error("got no error, want the second actual refused")
	}
	if _, err := s.AddCurrency(t.Context(), trading.Currency{Code: "USD", Name: "again"}); err == nil {
		t.Error("got no error, want the currency refused")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := sqlitetest.Found(t, path); len(got) > 0 {
		t.Errorf("got %q, want nothing", got)
	}
}
