package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"daybook/db/records"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// undos are the clauses about Undo.
func undos() []clause {
	return []clause{
		{"each kind of write is undone, and done again by an undo of the undo", everyWriteIsUndone},
		{"random writes are undone in turn", randomWritesAreUndone},
		{"an undo leaves an entry for each that it takes back, the newest first", func(t *testing.T, s Store) {
			unit := journal.With(t.Context(), journal.Origin{Actor: "a person"})
			if err := s.Atomically(unit, func(ctx context.Context) error { return storeBoth(ctx, s, "A") }); err != nil {
				t.Fatal(err)
			}
			want := entries(t, s)
			undo := journal.With(t.Context(), journal.Origin{Actor: "another", Request: "undo", Reason: "a mistake"})
			must(s.Undo(undo, journal.WrittenIn(unit), anybody))(t)
			slices.Reverse(want)
			got := entries(t, s)[len(want):]
			same(t, "entries", len(got), len(want))
			for i := range got {
				same(t, "the record", [2]string{string(got[i].Before), string(got[i].After)}, [2]string{string(want[i].After), string(want[i].Before)})
				same(t, "origin", got[i].Origin, journal.OriginOf(undo))
			}
			same(t, "written", journal.WrittenIn(undo), journal.Range{First: 7, Last: 12})
			checkEmpty(t, s, true, true)
		}},
		{"a request of many entries is undone", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			many := journal.With(t.Context(), journal.Origin{})
			must(s.AddTrades(many, randomTrades(rand.New(rand.NewPCG(3, 4)), 2500)))(t)
			must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1)}))(t)
			must(s.Undo(t.Context(), journal.WrittenIn(many), anybody))(t)
			same(t, "trades", len(all(t, s.Trades(t.Context()))), 0)
			checkPositions(t, s)
		}},
		{"a record of many that has a newer entry is named", func(t *testing.T, s Store) {
			many := journal.With(t.Context(), journal.Origin{})
			trades := must(s.AddTrades(many, randomTrades(rand.New(rand.NewPCG(5, 6)), 1500)))(t)
			void := must(s.VoidTrade(journal.With(t.Context(), journal.Origin{Actor: "another"}), trades[7].ID))(t)
			checkNotUndone(t, s, journal.WrittenIn(many), fault.Obstacle{
				Entity: "trades", ID: int64(void.ID), Record: fmt.Sprintf("the trade %d of %s", void.ID, void.Symbol), Why: fault.ChangedLater, Seq: 1501, Actor: "another",
			})
		}},
		{"only the range of a whole request is undone, and the error says which that is", rangesOfRequests},
		{"nothing is undone if a record is in the way, and the error names it", obstaclesAreNamed},
		{"nothing is undone that the caller may not write", func(t *testing.T, s Store) {
			must(s.AddCurrency(t.Context(), currency(t, "EUR")))(t)
			denied := errors.New("denied")
			checkJournalUnchanged(t, s, "the undo", func() error {
				_, err := s.Undo(t.Context(), journal.Range{First: 1, Last: 1}, func(journal.Entry) error { return denied })
				if fault.KindOf(err) != fault.Internal || !errors.Is(err, denied) {
					return fmt.Errorf("got error %w, want the one of the caller", err)
				}
				return nil
			})
		}},
		{"a repeated undo with its key gets the stored answer", func(t *testing.T, s Store) {
			must(s.AddCurrency(t.Context(), currency(t, "EUR")))(t)
			again := claim(t.Context(), keyed{key: "k", request: 1}, func(u journal.Undone) []byte { return fmt.Appendf(nil, `{"counts":%d}`, u.Removed) })
			must(s.Undo(again, journal.Range{First: 1, Last: 1}, anybody))(t)
			_, err := s.Undo(again, journal.Range{First: 1, Last: 1}, anybody)
			if answered, is := errors.AsType[*idempotency.AnsweredError](err); !is || string(answered.Answer.Body) != `{"counts":1}` {
				t.Errorf("got %v, want the stored answer", err)
			}
		}},
	}
}

func anybody(journal.Entry) error { return nil }

// state is all records of a store in words.
func state(t *testing.T, s Store) string {
	t.Helper()
	var b bytes.Buffer
	add := func(record []byte) { fmt.Fprintf(&b, "%s\n", record) }
	ctx := t.Context()
	for _, c := range all(t, s.Currencies(ctx)) {
		add(records.Currency(c))
	}
	for _, c := range all(t, s.Companies(ctx)) {
		add(records.Company(c))
		for _, r := range all(t, s.Revenues(ctx, c.ID)) {
			add(records.Revenue(r))
		}
	}
	for _, one := range all(t, s.Trades(ctx)) {
		add(records.Trade(one))
	}
	for _, d := range all(t, s.Departments(ctx)) {
		add(records.Department(d))
	}
	for _, a := range all(t, s.Accounts(ctx)) {
		add(records.Account(a))
	}
	for _, l := range allLines(t, s) {
		add(records.Line(l))
	}
	for _, a := range allActuals(t, s) {
		add(records.Actual(a))
	}
	held, err := holdings(t, s, trading.Instrument{})
	fmt.Fprintf(&b, "%+v\n", must(held, err)(t))
	return b.String()
}

// step is a write that was done, and the state before and after it.
type step struct {
	name          string
	wrote         journal.Range
	before, after string
}

// do does a write.
func do(t *testing.T, s Store, name string, write func(ctx context.Context)) step {
	t.Helper()
	ctx := journal.With(t.Context(), journal.Origin{Actor: "a person"})
	before := state(t, s)
	write(ctx)
	return step{name, journal.WrittenIn(ctx), before, state(t, s)}
}

// undo takes a step back, and returns the undo as a step.
func (d step) undo(t *testing.T, s Store) step {
	t.Helper()
	undone := do(t, s, "undo of "+d.name, func(ctx context.Context) { must(s.Undo(ctx, d.wrote, anybody))(t) })
	if undone.after != d.before {
		t.Fatalf("after the undo of %s: got\n%s\nwant\n%s", d.name, undone.after, d.before)
	}
	checkPositions(t, s)
	return undone
}

func everyWriteIsUndone(t *testing.T, s Store) {
	var done []step
	for _, w := range slices.Concat(tradingWrites(t, s), budgetWrites(t, s)) {
		done = append(done, do(t, s, w.name, func(ctx context.Context) { w.do(ctx) }))
	}
	for _, d := range slices.Backward(done) {
		redone := d.undo(t, s).undo(t, s)
		if redone.after != d.after {
			t.Errorf("after %s was done again: got\n%s\nwant\n%s", d.name, redone.after, d.after)
		}
		redone.undo(t, s)
	}
	checkEmpty(t, s, true, true)
}

// randomWritesAreUndone writes several records. Some writes change or remove earlier records. Then it undoes all of them.
func randomWritesAreUndone(t *testing.T, s Store) {
	random := rand.New(rand.NewPCG(7, 8))
	chart := newChart(t, s)
	done := []step{}
	for range 40 {
		done = append(done, do(t, s, "a random write", func(ctx context.Context) {
			if err := s.Atomically(ctx, func(ctx context.Context) error { return writeAtRandom(ctx, t, s, chart, random) }); err != nil {
				t.Fatal(err)
			}
		}))
	}
	for _, d := range slices.Backward(done) {
		if d.wrote == (journal.Range{}) {
			continue
		}
		d.undo(t, s)
	}
}

func writeAtRandom(ctx context.Context, t *testing.T, s Store, chart chart, random *rand.Rand) (err error) {
	actuals := make([]budget.Actual, 1+random.IntN(4))
	for i := range actuals {
		actuals[i] = chart.actual(1 + random.IntN(6))
		actuals[i].Amount = amount(fmt.Sprint(random.IntN(1000)))
	}
	_, err = s.IngestActuals(ctx, actuals)
	trades := all(t, s.Trades(t.Context()))
	if len(trades) > 0 && random.IntN(2) == 0 {
		_, voided := s.VoidTrade(ctx, trades[random.IntN(len(trades))].ID)
		err = errors.Join(err, voided)
	}
	_, added := s.AddTrades(ctx, randomTrades(random, 3))
	known := allActuals(t, s)
	if len(known) > 0 && random.IntN(2) == 0 {
		_, deleted := s.DeleteActual(ctx, known[random.IntN(len(known))].ID)
		err = errors.Join(err, deleted)
	}
	return errors.Join(err, added)
}

func rangesOfRequests(t *testing.T, s Store) {
	must(s.AddCurrency(t.Context(), currency(t, "EUR")))(t)
	must(s.AddTrades(t.Context(), []trading.Trade{trade("A", trading.Buy, 1, "1"), trade("A", trading.Buy, 2, "1"), trade("A", trading.Buy, 3, "1")}))(t)
	must(s.AddCurrency(t.Context(), currency(t, "NOK")))(t)
	for _, c := range []struct {
		of    journal.Range
		wrong map[string]string
	}{
		{journal.Range{First: 2, Last: 3}, map[string]string{"through": "4"}},
		{journal.Range{First: 3, Last: 4}, map[string]string{"from": "2"}},
		{journal.Range{First: 1, Last: 4}, map[string]string{"through": "1"}},
		{journal.Range{First: 4, Last: 5}, map[string]string{"from": "2", "through": "4"}},
		{journal.Range{First: 5, Last: 6}, map[string]string{"through": "5"}},
		{journal.Range{First: 9, Last: 9}, map[string]string{"from": "9"}},
	} {
		checkJournalUnchanged(t, s, c.of.String(), func() error {
			e := refused(s.Undo(t.Context(), c.of, anybody))(t, fault.Invalid)
			same(t, "wrong fields of "+c.of.String(), len(e.Details), len(c.wrong))
			for _, d := range e.Details {
				if want := c.wrong[d.Field]; want == "" || !strings.Contains(d.Message, want) {
					t.Errorf("%s: got %s %s, want it to name %q", c.of, d.Field, d.Message, want)
				}
			}
			return nil
		})
	}
	must(s.Undo(t.Context(), journal.Range{First: 2, Last: 4}, anybody))(t)
}

// checkNotUndone fails the test unless an undo is refused because of one record.
func checkNotUndone(t *testing.T, s Store, of journal.Range, first fault.Obstacle) {
	t.Helper()
	checkJournalUnchanged(t, s, "the undo of "+of.String(), func() error {
		before := state(t, s)
		e := refused(s.Undo(t.Context(), of, anybody))(t, fault.NotUndoable)
		same(t, "count", e.Count, 1)
		got := *e.Details[0].Obstacle
		got.Message = ""
		same(t, "obstacle", got, first)
		same(t, "state", state(t, s), before)
		return nil
	})
}

func obstaclesAreNamed(t *testing.T, s Store) {
	var last journal.Range
	write := func(do func(ctx context.Context) error) journal.Range {
		ctx := journal.With(t.Context(), journal.Origin{Actor: "another"})
		if err := do(ctx); err != nil {
			t.Fatal(err)
		}
		last = journal.WrittenIn(ctx)
		return last
	}
	var d budget.Department
	made := write(func(ctx context.Context) (err error) {
		d, err = s.CreateDepartment(ctx, budget.Department{Code: "ENG", Name: "Engineering"})
		return err
	})
	rename := budget.DepartmentChange{To: budget.DepartmentFields.Part(budget.Department{Code: "DEV"}, "code")}
	renamed := write(func(ctx context.Context) error { _, err := s.UpdateDepartment(ctx, d.ID, rename); return err })
	checkNotUndone(t, s, made, fault.Obstacle{Entity: "departments", ID: int64(d.ID), Record: "the department DEV", Why: fault.ChangedLater, Seq: int64(renamed.First), Actor: "another"})
	write(func(ctx context.Context) error {
		_, err := s.CreateDepartment(ctx, budget.Department{Code: "eng", Name: "Another"})
		return err
	})
	checkNotUndone(t, s, renamed, fault.Obstacle{Entity: "departments", ID: int64(d.ID), Record: "the department DEV", Why: fault.KeyTaken})

	a := account(t, s, "A1")
	at := chart{department: d.ID, account: a.ID}
	deleted := write(func(ctx context.Context) error { _, err := s.DeleteAccount(ctx, a.ID); return err })
	must(s.Undo(t.Context(), deleted, anybody))(t)
	again := write(func(ctx context.Context) error {
		_, err := s.CreateDepartment(ctx, budget.Department{Code: "NEW", Name: "New"})
		return err
	})
	at.department = all(t, s.Departments(t.Context()))[2].ID
	line := must(s.CreateLines(t.Context(), []budget.Line{at.line(1)}))(t)[0]
	checkNotUndone(t, s, again, fault.Obstacle{Entity: "departments", ID: int64(at.department), Record: "the department NEW", Why: fault.UsedByOthers})

	gone := write(func(ctx context.Context) error { _, err := s.DeleteLine(ctx, line.ID); return err })
	must(s.CreateLines(t.Context(), []budget.Line{at.line(1)}))(t)
	checkNotUndone(t, s, gone, fault.Obstacle{Entity: "budget_lines", ID: int64(line.ID), Record: "the budget line of New, A1, P01 2025, original", Why: fault.KeyTaken})
	must(s.DeleteLine(t.Context(), allLines(t, s)[0].ID))(t)
	must(s.DeleteAccount(t.Context(), a.ID))(t)
	checkNotUndone(t, s, gone, fault.Obstacle{Entity: "budget_lines", ID: int64(line.ID), Record: fmt.Sprintf("the budget line of New, %d, P01 2025, original", a.ID), Why: fault.ReferenceGone})

	odd := write(func(ctx context.Context) error { _, err := s.AddCurrency(ctx, currency(t, "X-Y")); return err })
	one := trade("A", trading.Buy, 1, "1")
	one.Currency = "X-Y"
	must(s.AddTrades(t.Context(), []trading.Trade{one}))(t)
	checkNotUndone(t, s, odd, fault.Obstacle{Entity: "currencies", ID: 1, Record: "the currency X-Y", Why: fault.UsedByOthers})

	token(t, s, "feed")
	made = journal.Range{First: last.Last + 2, Last: last.Last + 2}
	checkNotUndone(t, s, made, fault.Obstacle{Entity: "tokens", ID: 1, Record: "the token 1", Why: fault.NeverUndone})
}
