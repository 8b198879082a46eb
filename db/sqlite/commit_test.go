package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/batch"
	"daybook/internal/budget"
	"daybook/internal/bulk"
	"daybook/internal/commit"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/seed"
	"daybook/internal/spool"
	"daybook/internal/trading"
)

// parentsFirst are the kinds in an order in which each can be stored.
var parentsFirst = []string{"currencies", "companies", "revenue", "departments", "accounts", "budgets", "actuals", "trades"}

// seeded is a store with small demo data, companies with one name, equal revenues, and equal trades.
func seeded(t *testing.T) *sqlite.Store {
	t.Helper()
	s := openAt(t, time.Now)
	o := seed.Options{AsOf: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC), Trades: 60, Departments: 3, Accounts: 8, Years: 1}
	book, ledger := trading.NewBook(s), budget.NewLedger(s, time.Now)
	if _, err := seed.Run(t.Context(), s.Atomically, book, ledger, o); err != nil {
		t.Fatal(err)
	}
	ctx := journal.With(t.Context(), journal.Origin{Actor: "test"})
	for _, c := range collected(t, s.Companies(ctx))[:2] {
		c.ID = 0
		same, err := book.AddCompany(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := book.AddRevenue(ctx, trading.Revenue{CompanyID: same.ID, Category: "=Sales", Amount: -1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	trades := collected(t, s.Trades(ctx))
	for i := range trades {
		trades[i].ID = 0
	}
	if _, err := book.AddTrades(ctx, trades[:3]); err != nil {
		t.Fatal(err)
	}
	return s
}

// seen is a file that was checked.
func seen(t *testing.T, s *sqlite.Store, kind string, content []byte, m exchange.Map) (rows []exchange.Row, counts exchange.Counts) {
	t.Helper()
	err := s.Compare(t.Context(), func(one exchange.Stored) error {
		_, rows, counts = checked(t, content, kind, m, one)
		return nil
	})
	if err != nil || counts == (exchange.Counts{}) {
		t.Fatalf("%s: got %+v, %v, want records", kind, counts, err)
	}
	return rows, counts
}

// committed stores the rows of a check.
func committed(ctx context.Context, t *testing.T, s *sqlite.Store, kind string, rows []exchange.Row) (bulk.Result, error) {
	t.Helper()
	return commit.Commit{Kind: kind, Rows: each(rows), Spool: spool.Beside(t.TempDir() + "/app.db")}.Run(ctx, s)
}

// undone undoes a batch.
func undone(t *testing.T, s *sqlite.Store, id batch.ID) {
	t.Helper()
	if _, err := s.UndoBatch(t.Context(), id, batch.All, func(journal.Entry) error { return nil }); err != nil {
		t.Fatal(err)
	}
}

// headOf is the number of the newest entry of the journal.
func headOf(t *testing.T, s *sqlite.Store) journal.Seq {
	t.Helper()
	head, err := s.JournalHead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return head.Seq
}

// TestFilesOfEveryKindAreStored: the exported files of a database, stored in an empty one, give the same files again. A
// changed file is stored too; after it, nothing differs from the file, and an undo
// leaves the records as they were.
func TestFilesOfEveryKindAreStored(t *testing.T) {
	from := seeded(t)
	path := sqlite.NewFile(t)
	to, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	ctx := journal.With(t.Context(), journal.Origin{Actor: "importer"})
	for _, kind := range parentsFirst {
		content := exported(t, from, kind)
		rows, counts := seen(t, to, kind, content, exchange.Map{})
		result, err := committed(ctx, t, to, kind, rows)
		if err != nil || int(result.Counts.New) != len(rows) || counts.New != len(rows) {
			t.Fatalf("%s: got %+v, %v, want %d new records", kind, result, err, len(rows))
		}
		if got := exported(t, to, kind); !bytes.Equal(got, content) {
			t.Errorf("%s: got\n%s\nwant\n%s", kind, got, content)
		}
	}
	for _, kind := range slices.Backward(parentsFirst) {
		before := exported(t, to, kind)
		rows, counts := seen(t, to, kind, changedFile(before), exchange.Map{})
		result, err := committed(ctx, t, to, kind, rows)
		if c := result.Counts; err != nil || int(c.New) != counts.New || int(c.Changed) != counts.Changed || int(c.Unchanged) != counts.Unchanged || c.New+c.Changed == 0 {
			t.Fatalf("%s: got %+v, %v, want %+v", kind, result, err, counts)
		}
		if _, again := seen(t, to, kind, changedFile(before), exchange.Map{}); again.New+again.Changed > 0 {
			t.Errorf("%s: got %+v after the commit, want no difference", kind, again)
		}
		undone(t, to, result.Batch)
		if after := exported(t, to, kind); !bytes.Equal(before, after) {
			t.Errorf("%s: got after the undo\n%s\nwant\n%s", kind, after, before)
		}
	}
	if err := errors.Join(to.Close(), sqlitetest.Verified(t.Context(), path)); err != nil {
		t.Error(err)
	}
}

// TestAFileIsStoredOnce: of two commits of one check, the second finds every record that it would store changed, and
// stores nothing. A commit of another check, which saw what the first stored, changes nothing: that is the control.
func TestAFileIsStoredOnce(t *testing.T) {
	s := seeded(t)
	first := journal.With(t.Context(), journal.Origin{Actor: "first"})
	for _, kind := range slices.Backward(parentsFirst) {
		content := changedFile(exported(t, s, kind))
		rows, counts := seen(t, s, kind, content, exchange.Map{})
		if _, err := committed(first, t, s, kind, rows); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		head := headOf(t, s)
		_, err := committed(t.Context(), t, s, kind, rows)
		found, is := errors.AsType[*commit.ConflictsError](err)
		if !is || fault.KindOf(err) != fault.ChangedSince || int(found.Total) != counts.New+counts.Changed || len(found.Conflicts) != min(int(found.Total), 100) {
			t.Fatalf("%s: got %v with %+v, want %d conflicts", kind, err, found, counts.New+counts.Changed)
		}
		for _, c := range found.Conflicts {
			if kind != "trades" && (c.Actor != "first" || c.Seq == 0 || c.Seq > int64(head) || c.Is == nil) || c.Line < 2 {
				t.Errorf("%s: got the conflict %+v, want one with the entry of the first commit", kind, c)
			}
		}
		if now := headOf(t, s); now != head {
			t.Errorf("%s: got entries up to %d, want none after %d", kind, now, head)
		}
		rows, _ = seen(t, s, kind, content, exchange.Map{})
		if result, err := committed(t.Context(), t, s, kind, rows); err != nil || headOf(t, s) != head {
			t.Errorf("%s: got %+v, %v from the commit of another check, want it accepted without an entry", kind, result, err)
		}
	}
}

// TestTwoCommitsAtOnce: of two commits of one check at the same time, one stores all and the other nothing.
func TestTwoCommitsAtOnce(t *testing.T) {
	s := seeded(t)
	for _, kind := range []string{"departments", "actuals", "trades"} {
		rows, counts := seen(t, s, kind, changedFile(exported(t, s, kind)), exchange.Map{})
		errs := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := commit.Commit{Kind: kind, Rows: each(rows), Spool: spool.Beside(t.TempDir() + "/app.db")}.Run(t.Context(), s)
				errs <- err
			}()
		}
		before := headOf(t, s)
		a, b := <-errs, <-errs
		if (a == nil) == (b == nil) || fault.KindOf(errors.Join(a, b)) != fault.ChangedSince {
			t.Errorf("%s: got %v and %v, want one commit and one conflict", kind, a, b)
		}
		if stored := int(headOf(t, s) - before); stored > counts.New+counts.Changed+1 {
			t.Errorf("%s: got %d entries, want at most %d and that of the batch", kind, stored, counts.New+counts.Changed)
		}
	}
}

// TestWhatChangedAfterTheCheckIsAConflict: an actual that is changed, removed or stored after the check of a file is
// named with what the check saw, what is there, and who changed it.
func TestWhatChangedAfterTheCheckIsAConflict(t *testing.T) {
	s := seeded(t)
	content := exported(t, s, "actuals")
	lines := strings.SplitAfter(string(content), "\r\n")
	stored := collected(t, func(yield func(budget.Actual, error) bool) {
		err := s.Export(t.Context(), func(one exchange.Snapshot) error {
			one.Actuals(budget.ActualFilter{})(yield)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	without := strings.Join(slices.Delete(slices.Clone(lines), 3, 4), "") // the third
	ctx := journal.With(t.Context(), journal.Origin{Actor: "editor"})
	rows, _ := seen(t, s, "actuals", []byte(without), exchange.Map{})
	changed := stored[0]
	changed.Amount++
	if _, err := s.IngestActuals(ctx, []budget.Actual{changed}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.DeleteActual(ctx, stored[1].ID); err != nil {
		t.Fatal(err)
	}
	third := stored[2]
	third.Amount++
	if _, err := s.IngestActuals(ctx, []budget.Actual{third}); err != nil { // not in the file
		t.Fatal(err)
	}
	_, err := committed(t.Context(), t, s, "actuals", rows)
	found, is := errors.AsType[*commit.ConflictsError](err)
	if !is || found.Total != 2 {
		t.Fatalf("got %v, %+v, want two conflicts", err, found)
	}
	byLine := map[int]commit.Conflict{}
	for _, c := range found.Conflicts {
		byLine[c.Line] = c
		if c.Actor != "editor" || c.Seq == 0 || c.At.IsZero() || c.Seen == nil {
			t.Errorf("got %+v, want the entry of the editor", c)
		}
	}
	if one := byLine[2]; one.Is == nil || one.Is.Record[4] != changed.Amount.String() || one.Seen.Record[4] != stored[0].Amount.String() {
		t.Errorf("got %+v, want the amount before and after", one)
	}
	if one := byLine[3]; one.Is != nil {
		t.Errorf("got %+v, want nothing there", one)
	}
}

// TestAFileClears: a file whose map clears removes the lines without an amount.
func TestAFileClears(t *testing.T) {
	s := seeded(t)
	for _, kind := range []string{"budgets", "actuals"} {
		before := exported(t, s, kind)
		m := exchange.Map{Empty: "clear"}
		rows, counts := seen(t, s, kind, clearedFile(before), m)
		result, err := committed(t.Context(), t, s, kind, rows)
		if err != nil || counts.Cleared == 0 || int(result.Counts.Cleared) != counts.Cleared {
			t.Fatalf("%s: got %+v, %v, want %d cleared", kind, result, err, counts.Cleared)
		}
		if left := bytes.Count(exported(t, s, kind), []byte("\r\n")); left != bytes.Count(before, []byte("\r\n"))-counts.Cleared {
			t.Errorf("%s: got %d lines left", kind, left)
		}
	}
}
