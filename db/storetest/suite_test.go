//go:build !race

package storetest_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/db/storetest"
	"daybook/internal/batch"
	"daybook/internal/budget"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// stores are one correct store and several broken ones. A broken one must fail the chapter that it names.
var stores = map[string]struct {
	fails string // a chapter, or a clause of it, "" for the correct store
	store func(*sqlite.Store) storetest.Store
}{
	"correct":         {"", func(s *sqlite.Store) storetest.Store { return s }},
	"without journal": {"Journal", func(s *sqlite.Store) storetest.Store { return withoutJournal{s} }},
	"without origins": {"Journal", func(s *sqlite.Store) storetest.Store { return withoutOrigins{s} }},
	"without keys":    {"Keys", func(s *sqlite.Store) storetest.Store { return withoutKeys{s} }},
	"one principal":   {"Keys", func(s *sqlite.Store) storetest.Store { return onePrincipal{s} }},
	"without undo":    {"Undo", func(s *sqlite.Store) storetest.Store { return withoutUndo{s} }},
	"spoilt undo":     {"Batches/random_batches_are_undone_and_done_again_in_turn", func(s *sqlite.Store) storetest.Store { return spoiltUndo{s} }},
	"endless keys":    {"Keys", func(s *sqlite.Store) storetest.Store { return s }}, // its clock stands still
}

// withoutJournal is a store whose journal is always empty.
type withoutJournal struct{ *sqlite.Store }

func (withoutJournal) JournalPage(context.Context, journal.Filter) ([]journal.Entry, error) {
	return nil, nil
}

func (withoutJournal) JournalHead(context.Context) (journal.Head, error) { return journal.Head{}, nil }

// withoutOrigins is a store whose journal does not say who added a trade.
type withoutOrigins struct{ *sqlite.Store }

func (s withoutOrigins) AddTrades(ctx context.Context, trades []trading.Trade) ([]trading.Trade, error) {
	return s.Store.AddTrades(journal.With(ctx, journal.Origin{}), trades)
}

// withoutUndo is a store that says it has undone a request, and has not.
type withoutUndo struct{ *sqlite.Store }

func (withoutUndo) Undo(_ context.Context, of journal.Range, _ func(journal.Entry) error) (journal.Undone, error) {
	return journal.Undone{Range: of}, nil
}

// spoiltUndo is a store whose undo of a batch gives one of several changed actuals a wrong amount.
type spoiltUndo struct{ *sqlite.Store }

func (s spoiltUndo) UndoBatch(ctx context.Context, id batch.ID, which batch.Rows, may func(journal.Entry) error) (batch.TakenBack, error) {
	taken, err := s.Store.UndoBatch(ctx, id, which, may)
	if err != nil || taken.Batch.Counts.Changed < 2 {
		return taken, err
	}
	page, err := s.ActualPage(ctx, budget.ActualFilter{Limit: 1})
	if err != nil {
		return taken, err
	}
	wrong := page.Records[0]
	wrong.Amount++
	_, err = s.IngestActuals(ctx, []budget.Actual{wrong})
	return taken, err
}

// withoutKeys is a store that ignores the Idempotency-Key when it adds a currency.
type withoutKeys struct{ *sqlite.Store }

func (s withoutKeys) AddCurrency(ctx context.Context, c trading.Currency) (trading.Currency, error) {
	return s.Store.AddCurrency(journal.With(context.Background(), journal.OriginOf(ctx)), c)
}

// onePrincipal is a store that treats the keys of all principals as keys of the same principal.
type onePrincipal struct{ *sqlite.Store }

func (s onePrincipal) AddCurrency(ctx context.Context, c trading.Currency) (trading.Currency, error) {
	claim, err := idempotency.ClaimOf[trading.Currency](ctx)
	if err != nil || claim == nil {
		return s.Store.AddCurrency(ctx, c)
	}
	local := *claim
	local.Principal = idempotency.Local
	return s.Store.AddCurrency(idempotency.With(journal.With(ctx, journal.Origin{}), local), c)
}

// chosenStore is the environment variable that names the store which TestChosenStore checks.
const chosenStore = "STORETEST_STORE"

// TestChosenStore runs the suite on the store that the environment names. TestBrokenStoresFail runs it in
// a process of its own. Without a named store it does nothing.
func TestChosenStore(t *testing.T) {
	chosen, is := stores[os.Getenv(chosenStore)]
	if !is {
		return
	}
	storetest.Run(t, func(t *testing.T, now func() time.Time) storetest.Store {
		if os.Getenv(chosenStore) == "endless keys" {
			now = time.Now
		}
		s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "app.db"), now)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
		return chosen.store(s)
	})
}

// TestBrokenStoresFail: the suite finds a store that does not journal its writes, does not keep
// Idempotency-Keys, or undoes wrongly. As a control, a correct store passes.
func TestBrokenStoresFail(t *testing.T) {
	for name, c := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChosenStore$/^(Journal|Undo|Batches|Keys)$", "-test.v")
			run.Env = append(os.Environ(), chosenStore+"="+name)
			out, err := run.CombinedOutput()
			if c.fails == "" {
				if err != nil || !strings.Contains(string(out), "--- PASS: TestChosenStore/Keys") {
					t.Errorf("a correct store: got %v, want the suite to pass:\n%s", err, out)
				}
				return
			}
			if err == nil || !strings.Contains(string(out), "--- FAIL: TestChosenStore/"+c.fails+" ") {
				t.Errorf("a broken store: got %v, want chapter %s to fail:\n%s", err, c.fails, out)
			}
		})
	}
}
