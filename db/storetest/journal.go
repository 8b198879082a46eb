package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"daybook/db/records"
	"daybook/internal/access"
	"daybook/internal/budget"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

func journals() []clause {
	return []clause{
		{"every write adds one entry for each record, with its origin and the record before and after", everyWriteIsJournalled},
		{"a failed write adds no entry", failedWritesLeaveNoEntry},
		{"the use of a token adds no entry, nor does a session", func(t *testing.T, s Store) {
			one := token(t, s, "feed")
			checkJournalUnchanged(t, s, "a use of a token", func() error { return s.TouchToken(t.Context(), one.ID, noon) })
			begun := access.Session{Digest: digest("a"), Token: one.ID, Expires: noon.Add(time.Hour)}
			checkJournalUnchanged(t, s, "a session", func() error { return s.CreateSession(t.Context(), begun, noon) })
			checkJournalUnchanged(t, s, "the end of a session", func() error { return s.EndSession(t.Context(), begun.Digest) })
		}},
		{"a token that is revoked a second time adds no entry", func(t *testing.T, s Store) {
			one := token(t, s, "feed")
			must(s.RevokeToken(t.Context(), one.ID, noon))(t)
			checkJournalUnchanged(t, s, "revoking again", func() error {
				_, err := s.RevokeToken(t.Context(), one.ID, noon.Add(time.Hour))
				return err
			})
		}},
		{"a unit of work adds all its entries, or none", func(t *testing.T, s Store) {
			origin := journal.Origin{Actor: "a person", Request: "unit", Reason: "a year's end"}
			unit := journal.With(t.Context(), origin)
			if err := s.Atomically(unit, func(ctx context.Context) error { return storeBoth(ctx, s, "A") }); err != nil {
				t.Fatal(err)
			}
			same(t, "written", journal.WrittenIn(unit), journal.Range{First: 1, Last: 6})
			stored := entries(t, s)
			if len(stored) != 6 {
				t.Errorf("got %d entries, want those of two trades, a department, an account, a line and an actual", len(stored))
			}
			for i, e := range stored {
				same(t, "origin", e.Origin, origin)
				same(t, "first entry", e.First, journal.Seq(min(i, 1)))
			}
			failure := errors.New("no more")
			checkJournalUnchanged(t, s, "a failed unit", func() error {
				err := s.Atomically(t.Context(), func(ctx context.Context) error { return errors.Join(storeBoth(ctx, s, "B"), failure) })
				if !errors.Is(err, failure) {
					return fmt.Errorf("got error %w, want the error of the work", err)
				}
				return nil
			})
		}},
		{"the head is the hash of the chain up to the newest entry", func(t *testing.T, s Store) {
			same(t, "the head of an empty journal", must(s.JournalHead(t.Context()))(t), journal.Head{})
			for _, code := range []string{"AAA", "BBB", "CCC"} {
				before := must(s.JournalHead(t.Context()))(t)
				must(s.AddCurrency(t.Context(), currency(t, code)))(t)
				e := entries(t, s)[before.Seq]
				same(t, "head", must(s.JournalHead(t.Context()))(t), journal.Head{Seq: before.Seq + 1, Hash: before.Hash.Next(e.AppendTo(nil))})
			}
		}},
		{"a page has the entries that match, in order", pagedJournal},
		{"many writers at the same time add one entry for each acknowledged record, without a gap", journalOfACrowd},
	}
}

// write is one write and the entries that it must leave.
type write struct {
	name string
	do   func(ctx context.Context) []journal.Entry // returns entity, id, before and after of each
}

// everyWriteIsJournalled calls every method that writes once, and compares the new entries. The journal
// holds records in the encoding of package records.
func everyWriteIsJournalled(t *testing.T, s Store) {
	for _, w := range slices.Concat(tradingWrites(t, s), budgetWrites(t, s), tokenWrites(t, s)) {
		before := entries(t, s)
		origin := journal.Origin{Actor: "a person", Request: "the request of " + w.name, Reason: "why " + w.name}
		ctx := journal.With(t.Context(), origin)
		want := w.do(ctx)
		got := entries(t, s)[len(before):]
		for i := range want {
			want[i].Origin, want[i].Seq = origin, journal.Seq(len(before)+i+1)
			if i > 0 {
				want[i].First = want[0].Seq
			}
		}
		same(t, "written by "+w.name, journal.WrittenIn(ctx), journal.Range{First: want[0].Seq, Last: want[len(want)-1].Seq})
		for i := range got {
			if got[i].At.IsZero() || got[i].At.Location() != time.UTC || !got[i].At.Equal(got[i].At.Truncate(time.Microsecond)) {
				t.Errorf("%s: got an entry at %v, want UTC to the microsecond", w.name, got[i].At)
			}
			got[i].At = time.Time{}
		}
		same(t, "entries of "+w.name, got, want)
	}
}

func created(of journal.Entity, id int64, after []byte) journal.Entry {
	return journal.Entry{Entity: of, EntityID: id, After: after}
}

func removed(of journal.Entity, id int64, before []byte) journal.Entry {
	return journal.Entry{Entity: of, EntityID: id, Before: before}
}

func tradingWrites(t *testing.T, s Store) []write {
	var company trading.Company
	var trades []trading.Trade
	return []write{
		{"AddCurrency", func(ctx context.Context) []journal.Entry {
			c := must(s.AddCurrency(ctx, currency(t, "USD")))(t)
			return []journal.Entry{created(journal.Currencies, int64(c.ID), records.Currency(c))}
		}},
		{"AddCompany", func(ctx context.Context) []journal.Entry {
			company = must(s.AddCompany(ctx, trading.Company{Name: "Acme", Price: 5}))(t)
			return []journal.Entry{created(journal.Companies, int64(company.ID), records.Company(company))}
		}},
		{"AddRevenue", func(ctx context.Context) []journal.Entry {
			r := must(s.AddRevenue(ctx, trading.Revenue{CompanyID: company.ID, Category: "Lamps", Amount: amount("7.5")}))(t)
			return []journal.Entry{created(journal.Revenues, int64(r.ID), records.Revenue(r))}
		}},
		{"AddTrades", func(ctx context.Context) (want []journal.Entry) {
			trades = must(s.AddTrades(ctx, []trading.Trade{trade("ACME", trading.Buy, 3, "1"), trade("ACME", trading.Sell, 1, "2")}))(t)
			for _, one := range trades {
				want = append(want, created(journal.Trades, int64(one.ID), records.Trade(one)))
			}
			return want
		}},
		{"VoidTrade", func(ctx context.Context) []journal.Entry {
			void := must(s.VoidTrade(ctx, trades[1].ID))(t)
			return []journal.Entry{removed(journal.Trades, int64(void.ID), records.Trade(trades[1]))}
		}},
	}
}

func budgetWrites(t *testing.T, s Store) []write {
	var d budget.Department
	var a budget.Account
	var line budget.Line
	var actual budget.Actual
	at := func() chart { return chart{department: d.ID, account: a.ID} }
	return []write{
		{"CreateDepartment", func(ctx context.Context) []journal.Entry {
			d = must(s.CreateDepartment(ctx, budget.Department{Code: "ENG", Name: "Engineering", Active: true}))(t)
			return []journal.Entry{created(journal.Departments, int64(d.ID), records.Department(d))}
		}},
		{"SetActive", func(ctx context.Context) []journal.Entry {
			before := records.Department(d)
			d = must(s.SetActive(ctx, budget.Identifier{By: budget.ByCode, Value: "ENG"}, false))(t)
			return []journal.Entry{{Entity: journal.Departments, EntityID: int64(d.ID), Before: before, After: records.Department(d)}}
		}},
		{"UpdateDepartment", func(ctx context.Context) []journal.Entry {
			before := records.Department(d)
			d = must(s.UpdateDepartment(ctx, d.ID, budget.DepartmentChange{To: budget.DepartmentFields.Part(budget.Department{Name: "Products"}, "name")}))(t)
			return []journal.Entry{{Entity: journal.Departments, EntityID: int64(d.ID), Before: before, After: records.Department(d)}}
		}},
		{"CreateAccount", func(ctx context.Context) []journal.Entry {
			a = must(s.CreateAccount(ctx, budget.Account{Code: "4000", Type: budget.Revenue, FavourHigh: true}))(t)
			return []journal.Entry{created(journal.Accounts, int64(a.ID), records.Account(a))}
		}},
		{"UpdateAccount", func(ctx context.Context) []journal.Entry {
			before := records.Account(a)
			a = must(s.UpdateAccount(ctx, a.ID, budget.AccountChange{To: budget.AccountFields.Part(budget.Account{}, "favour_high")}))(t)
			return []journal.Entry{{Entity: journal.Accounts, EntityID: int64(a.ID), Before: before, After: records.Account(a)}}
		}},
		{"CreateLines", func(ctx context.Context) []journal.Entry {
			line = must(s.CreateLines(ctx, []budget.Line{at().line(1)}))(t)[0]
			return []journal.Entry{created(journal.BudgetLines, int64(line.ID), records.Line(line))}
		}},
		{"UpdateLine", func(ctx context.Context) []journal.Entry {
			before := records.Line(line)
			line = must(s.UpdateLine(ctx, budget.LineRef{ID: line.ID}, budget.LineChange{To: budget.LineFields.Part(budget.Line{Amount: 1}, "amount")}))(t)
			return []journal.Entry{{Entity: journal.BudgetLines, EntityID: int64(line.ID), Before: before, After: records.Line(line)}}
		}},
		{"IngestActuals of a new actual", func(ctx context.Context) []journal.Entry {
			actual = must(s.IngestActuals(ctx, []budget.Actual{at().actual(1)}))(t)[0]
			return []journal.Entry{created(journal.Actuals, int64(actual.ID), records.Actual(actual))}
		}},
		{"IngestActuals of an actual that exists", func(ctx context.Context) []journal.Entry {
			before, replaced := records.Actual(actual), at().actual(1)
			replaced.Amount = amount("3")
			actual = must(s.IngestActuals(ctx, []budget.Actual{replaced}))(t)[0]
			return []journal.Entry{{Entity: journal.Actuals, EntityID: int64(actual.ID), Before: before, After: records.Actual(actual)}}
		}},
		{"DeleteActual", func(ctx context.Context) []journal.Entry {
			must(s.DeleteActual(ctx, actual.ID))(t)
			return []journal.Entry{removed(journal.Actuals, int64(actual.ID), records.Actual(actual))}
		}},
		{"DeleteLine", func(ctx context.Context) []journal.Entry {
			must(s.DeleteLine(ctx, line.ID))(t)
			return []journal.Entry{removed(journal.BudgetLines, int64(line.ID), records.Line(line))}
		}},
		{"DeleteAccount", func(ctx context.Context) []journal.Entry {
			must(s.DeleteAccount(ctx, a.ID))(t)
			return []journal.Entry{removed(journal.Accounts, int64(a.ID), records.Account(a))}
		}},
		{"DeleteDepartment", func(ctx context.Context) []journal.Entry {
			must(s.DeleteDepartment(ctx, d.ID))(t)
			return []journal.Entry{removed(journal.Departments, int64(d.ID), records.Department(d))}
		}},
	}
}

func tokenWrites(t *testing.T, s Store) []write {
	var one access.Token
	return []write{
		{"CreateToken", func(ctx context.Context) []journal.Entry {
			one = must(s.CreateToken(ctx, access.Token{Name: "feed", Scope: access.Read, Digest: digest("feed"), Created: noon}))(t)
			return []journal.Entry{created(journal.Tokens, int64(one.ID), records.Token(one))}
		}},
		{"RevokeToken", func(ctx context.Context) []journal.Entry {
			before := records.Token(one)
			one = must(s.RevokeToken(ctx, one.ID, noon.Add(time.Hour)))(t)
			return []journal.Entry{{Entity: journal.Tokens, EntityID: int64(one.ID), Before: before, After: records.Token(one)}}
		}},
	}
}

func failedWritesLeaveNoEntry(t *testing.T, s Store) {
	chart := newChart(t, s)
	must(s.AddCurrency(t.Context(), currency(t, "USD")))(t)
	must(s.CreateLines(t.Context(), []budget.Line{chart.line(1)}))(t)
	bad := trade("ACME", trading.Buy, 1, "1")
	bad.Currency = "X"
	stray := chart.actual(2)
	stray.AccountID = 99
	for name, do := range map[string]func(ctx context.Context) error{
		"AddCurrency": func(ctx context.Context) error { _, err := s.AddCurrency(ctx, currency(t, "USD")); return err },
		"AddRevenue": func(ctx context.Context) error {
			_, err := s.AddRevenue(ctx, trading.Revenue{CompanyID: 9, Category: "Lamps"})
			return err
		},
		"AddTrades": func(ctx context.Context) error {
			_, err := s.AddTrades(ctx, []trading.Trade{trade("ACME", trading.Buy, 1, "1"), bad})
			return err
		},
		"VoidTrade": func(ctx context.Context) error { _, err := s.VoidTrade(ctx, 9); return err },
		"CreateDepartment": func(ctx context.Context) error {
			_, err := s.CreateDepartment(ctx, budget.Department{Code: "d1", Name: "again"})
			return err
		},
		"CreateLines": func(ctx context.Context) error {
			_, err := s.CreateLines(ctx, []budget.Line{chart.line(2), chart.line(1)})
			return err
		},
		"UpdateLine": func(ctx context.Context) error {
			_, err := s.UpdateLine(ctx, budget.LineRef{ID: 99}, budget.LineChange{To: budget.LineFields.Part(budget.Line{Amount: 1}, "amount")})
			return err
		},
		"IngestActuals": func(ctx context.Context) error {
			_, err := s.IngestActuals(ctx, []budget.Actual{chart.actual(1), stray})
			return err
		},
		"DeleteDepartment": func(ctx context.Context) error { _, err := s.DeleteDepartment(ctx, chart.department); return err },
		"RevokeToken":      func(ctx context.Context) error { _, err := s.RevokeToken(ctx, 9, noon); return err },
	} {
		checkJournalUnchanged(t, s, name, func() error {
			if do(t.Context()) == nil {
				return errors.New("got no error, want one")
			}
			return nil
		})
	}
}

func pagedJournal(t *testing.T, s Store) {
	chart := newChart(t, s)
	must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1), chart.actual(2)}))(t)
	must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1)}))(t)
	whole := entries(t, s)
	for _, f := range []journal.Filter{
		{}, {After: 3}, {Entity: journal.Actuals}, {Entity: journal.Actuals, After: 5}, {Entity: journal.Trades},
		{Entity: journal.Actuals, EntityID: whole[4].EntityID}, {Entity: journal.Accounts, EntityID: 99},
	} {
		want := slices.DeleteFunc(slices.Clone(whole), func(e journal.Entry) bool {
			return e.Seq <= f.After || f.Entity != "" && f.Entity != e.Entity || f.EntityID != 0 && f.EntityID != e.EntityID
		})
		for f.Limit = range len(whole) + 2 {
			if f.Limit == 0 {
				continue
			}
			same(t, fmt.Sprintf("entries of %+v", f), must(s.JournalPage(t.Context(), f))(t), want[:min(len(want), f.Limit)])
		}
	}
	for _, c := range []struct {
		after, through journal.Seq
		want           []journal.Entity
	}{
		{0, 7, []journal.Entity{journal.Accounts, journal.Actuals, journal.Departments}},
		{2, 4, []journal.Entity{journal.Accounts}},
		{4, 4, nil},
	} {
		got := must(s.JournalEntities(t.Context(), c.after, c.through))(t)
		slices.Sort(got)
		slices.Sort(c.want)
		same(t, fmt.Sprintf("entities of %d to %d", c.after, c.through), got, c.want)
	}
}

// journalOfACrowd: a reader that sees a trade finds one entry of it. At the end the journal has no gap,
// and has an entry of each request.
func journalOfACrowd(t *testing.T, s Store) {
	readWhileCrowdWrites(t, 2, func(ctx context.Context) error {
		var seen []trading.TradeID
		for one, err := range s.Trades(ctx) {
			if err != nil {
				return err
			}
			seen = append(seen, one.ID)
		}
		entries, err := tradeEntries(ctx, s)
		for _, id := range seen {
			if entries[id] != 1 {
				return errors.Join(err, fmt.Errorf("trade %d can be read: got %d entries of it, want 1", id, entries[id]))
			}
		}
		return err
	}, func(i int) error {
		ctx := journal.With(t.Context(), journal.Origin{Actor: "a person", Request: fmt.Sprint(i)})
		_, err := s.AddTrades(ctx, []trading.Trade{trade("ACME", trading.Buy, 1, "1")})
		return err
	})
	requests := map[string]bool{}
	for i, e := range entries(t, s) {
		if e.Seq != journal.Seq(i+1) {
			t.Fatalf("got entry %d at place %d, want no gap", e.Seq, i+1)
		}
		requests[e.Request] = true
	}
	if len(requests) != crowd*turns {
		t.Errorf("got entries of %d requests, want %d", len(requests), crowd*turns)
	}
}

// tradeEntries counts the entries of each trade.
func tradeEntries(ctx context.Context, s Store) (map[trading.TradeID]int, error) {
	page, err := s.JournalPage(ctx, journal.Filter{Entity: journal.Trades, Limit: crowd * turns})
	counts := map[trading.TradeID]int{}
	for _, e := range page {
		counts[trading.TradeID(e.EntityID)]++
	}
	return counts, err
}

// entries reads the whole journal.
func entries(t *testing.T, s Store) []journal.Entry {
	t.Helper()
	return must(s.JournalPage(t.Context(), journal.Filter{Limit: 10_000}))(t)
}

// checkJournalUnchanged fails the test if do changes the journal, or returns an error.
func checkJournalUnchanged(t *testing.T, s Store, name string, do func() error) {
	t.Helper()
	before, head := entries(t, s), must(s.JournalHead(t.Context()))(t)
	if err := do(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	same(t, "the journal after "+name, entries(t, s), before)
	same(t, "its head after "+name, must(s.JournalHead(t.Context()))(t), head)
}
