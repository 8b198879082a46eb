package seed_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/listing"
	"daybook/internal/seed"
	"daybook/internal/trading"
)

// database is an empty database with its Book and its Ledger.
type database struct {
	store  *sqlite.Store
	book   *trading.Book
	ledger *budget.Ledger
}

func newDatabase(t *testing.T) database {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "app.db"), time.Now)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	noClock := func() time.Time { panic("the clock was read") }
	return database{store, trading.NewBook(store), budget.NewLedger(store, noClock)}
}

func (d database) seed(t *testing.T, o seed.Options) seed.Summary {
	t.Helper()
	summary, err := seed.Run(t.Context(), d.store.Atomically, d.book, d.ledger, o)
	if err != nil {
		t.Fatalf("Run(%+v): %v", o, err)
	}
	return summary
}

// contents returns every record, in the order of the ids.
func (d database) contents(t *testing.T) []string {
	t.Helper()
	ctx := t.Context()
	var all []string
	all = appendText(all, read(t, d.book.Currencies(ctx)))
	companies := read(t, d.book.Companies(ctx))
	all = appendText(all, companies)
	for _, c := range companies {
		all = appendText(all, read(t, d.book.Revenues(ctx, c.ID)))
	}
	all = appendText(all, read(t, d.book.Trades(ctx)))
	all = appendText(all, read(t, d.book.Positions(ctx)))
	all = appendText(all, read(t, d.ledger.Departments(ctx)))
	all = appendText(all, read(t, d.ledger.Accounts(ctx)))
	all = appendText(all, d.lines(t))
	return appendText(all, d.actuals(t))
}

func appendText[T any](all []string, records []T) []string {
	for _, r := range records {
		all = append(all, fmt.Sprintf("%T %+v", r, r))
	}
	return all
}

func read[T any](t *testing.T, records func(func(T, error) bool)) []T {
	t.Helper()
	var all []T
	for r, err := range records {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

const pageSize = 1_000

func (d database) lines(t *testing.T) []budget.Line {
	t.Helper()
	return pages(t, func(ctx context.Context, after listing.Place) (listing.Page[budget.Line], error) {
		return d.ledger.LinePage(ctx, budget.LineFilter{After: after, Limit: pageSize})
	})
}

func (d database) actuals(t *testing.T) []budget.Actual {
	t.Helper()
	return pages(t, func(ctx context.Context, after listing.Place) (listing.Page[budget.Actual], error) {
		return d.ledger.ActualPage(ctx, budget.ActualFilter{After: after, Limit: pageSize})
	})
}

func pages[T any](t *testing.T, page func(context.Context, listing.Place) (listing.Page[T], error)) []T {
	t.Helper()
	var all []T
	for after := listing.Place(""); ; {
		got, err := page(t.Context(), after)
		if err != nil {
			t.Fatal(err)
		}
		if all, after = append(all, got.Records...), got.Next; after == "" {
			return all
		}
	}
}

func day(year int, month time.Month, date int) time.Time {
	return time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
}

// full is a store that cannot store budget lines, as if its disk were full. The trades are stored before
// them.
type full struct{ *sqlite.Store }

var errFull = fault.New(fault.Unavailable, "the disk is full; nothing was stored")

func (f full) CreateLines(context.Context, []budget.Line) ([]budget.Line, error) { return nil, errFull }

// stepwise replaces Atomically. Each part of the work is a transaction of its own.
func stepwise(ctx context.Context, work func(context.Context) error) error { return work(ctx) }

// TestAFailureLeavesNothing: a run that fails in its last third stores nothing, and can be repeated on
// the same database. As a control, with one transaction for each part the first parts stay.
func TestAFailureLeavesNothing(t *testing.T) {
	d := newDatabase(t)
	o := seed.Defaults(day(2025, time.September, 17))
	o.Trades, o.Years = 300, 1
	load := func(atomically seed.Atomically) {
		t.Helper()
		disk := full{d.store}
		got, err := seed.Run(t.Context(), atomically, trading.NewBook(disk), budget.NewLedger(disk, time.Now), o)
		if !errors.Is(err, errFull) || got != (seed.Summary{}) {
			t.Errorf("got %+v, %v, want nothing stored and %v", got, err, errFull)
		}
	}
	load(d.store.Atomically)
	if got := d.contents(t); len(got) != 0 {
		t.Errorf("got %d records, want none", len(got))
	}
	if head, err := d.store.JournalHead(t.Context()); err != nil || head.Seq != 0 {
		t.Errorf("got journal entry %d, %v, want none", head.Seq, err)
	}
	if got := d.seed(t, o); got.Trades != 300 {
		t.Errorf("the next time: got %+v, want 300 trades", got)
	}
	d = newDatabase(t)
	load(stepwise)
	if len(d.contents(t)) == 0 {
		t.Error("as a control, one transaction for each part: got no records, want those of the first parts")
	}
}

func TestSameDayGivesTheSameData(t *testing.T) {
	run := func(asOf time.Time) []string {
		d := newDatabase(t)
		o := seed.Defaults(asOf)
		o.Trades, o.Years = 300, 1
		d.seed(t, o)
		return d.contents(t)
	}
	morning := run(day(2025, time.September, 17))
	evening := run(time.Date(2025, time.September, 17, 23, 30, 0, 0, time.FixedZone("", -5*60*60)))
	if !slices.Equal(morning, evening) {
		t.Errorf("two runs on the same day: got a difference, want none: %s", firstDifference(morning, evening))
	}
	if dayAfter := run(day(2025, time.September, 18)); slices.Equal(dayAfter, morning) {
		t.Error("another day: got the same data, want other data")
	}
}

func firstDifference(a, b []string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] + " and " + b[i]
		}
	}
	return fmt.Sprintf("%d and %d records", len(a), len(b))
}

func TestRefusesADatabaseThatHoldsData(t *testing.T) {
	for name, occupy := range map[string]func(context.Context, database) error{
		"a currency": func(ctx context.Context, d database) error {
			_, err := d.book.AddCurrency(ctx, trading.Currency{Code: "NOK"})
			return err
		},
		"an account": func(ctx context.Context, d database) error {
			_, err := d.ledger.CreateAccount(ctx, budget.Account{Code: "1", Type: budget.Opex})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDatabase(t)
			if err := occupy(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			before := d.contents(t)
			summary, err := seed.Run(t.Context(), d.store.Atomically, d.book, d.ledger, seed.Defaults(day(2025, time.June, 2)))
			if got, want := fault.KindOf(err), fault.NotEmpty; err == nil || got != want {
				t.Errorf("got error %v, want kind %q", err, want)
			}
			if summary != (seed.Summary{}) {
				t.Errorf("got %+v, want nothing stored", summary)
			}
			if after := d.contents(t); !slices.Equal(after, before) {
				t.Errorf("got %d records, want the same %d as before", len(after), len(before))
			}
		})
	}
}

func TestRefusesOptionsOutOfRange(t *testing.T) {
	d := newDatabase(t)
	for _, o := range []seed.Options{
		{},
		{AsOf: day(2201, time.January, 1), Trades: 10_000_001, Departments: 5_001, Accounts: 5_001, Years: 21},
	} {
		_, err := seed.Run(t.Context(), d.store.Atomically, d.book, d.ledger, o)
		if got, want := fault.KindOf(err), fault.Invalid; err == nil || got != want {
			t.Fatalf("got error %v, want kind %q", err, want)
		}
		var got []string
		refused, _ := errors.AsType[*fault.Error](err)
		for _, detail := range refused.Details {
			got = append(got, detail.Field)
		}
		if want := []string{"as-of", "trades", "departments", "accounts", "years"}; !slices.Equal(got, want) {
			t.Errorf("got errors about %v, want %v", got, want)
		}
	}
	if got := d.contents(t); len(got) != 0 {
		t.Errorf("got %d records, want none", len(got))
	}
	least := seed.Options{AsOf: day(1950, time.January, 1), Trades: 1, Departments: 1, Accounts: 1, Years: 1}
	most := seed.Options{AsOf: day(2200, time.December, 31), Trades: 10_000_000, Departments: 5_000, Accounts: 5_000, Years: 20}
	for _, o := range []seed.Options{least, most} {
		if err := o.Err(); err != nil {
			t.Errorf("%+v: got %v, want no error", o, err)
		}
	}
	d.seed(t, least)
}
