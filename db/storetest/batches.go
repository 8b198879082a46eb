package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"daybook/internal/batch"
	"daybook/internal/budget"
	"daybook/internal/bulk"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/mapping"
)

// batches are the clauses about batches and their undo.
func batches() []clause {
	return []clause{
		{"random batches are undone and done again in turn", randomBatchesAreUndone},
		{"a batch tells which one undid it, and an undo of the undo makes it whole", func(t *testing.T, s Store) {
			one := tradesBatch(t, s, 2)
			checkStates(t, s, "committed")
			undo := undoneBatch(t, s, one)
			same(t, "undo", [2]batch.ID{undo.Batch.Undoes, undo.Batch.ID}, [2]batch.ID{one, 2})
			same(t, "counts", undo.Batch.Counts, batch.Counts{Cleared: 2})
			checkStates(t, s, "undone by 2", "committed")
			refused(s.UndoBatch(t.Context(), one, batch.All, anybody))(t, fault.NotUndoable)
			redo := undoneBatch(t, s, undo.Batch.ID)
			same(t, "counts", redo.Batch.Counts, batch.Counts{New: 2})
			checkStates(t, s, "committed", "undone by 3", "committed")
			undoneBatch(t, s, redo.Batch.ID)
			checkStates(t, s, "undone by 2", "committed", "undone by 4", "committed")
			refused(s.UndoBatch(t.Context(), 9, batch.All, anybody))(t, fault.NotFound)
		}},
		{"entries of a batch, and changes of maps, are not undone by themselves", func(t *testing.T, s Store) {
			one := must(s.Batch(t.Context(), tradesBatch(t, s, 2)))(t)
			checkJournalUnchanged(t, s, "the undo of a part", func() error {
				refused(s.Undo(t.Context(), one.Entries, anybody))(t, fault.NotUndoable)
				return nil
			})
			ctx := journal.With(t.Context(), journal.Origin{})
			must(s.PutMap(ctx, mapping.Map{Name: "a", Kind: "trades", Text: "{}"}))(t)
			refused(s.Undo(t.Context(), journal.WrittenIn(ctx), anybody))(t, fault.NotUndoable)
		}},
		{"where a record was changed since, nothing is undone, or all but that record", aPartIsUndone},
		{"the undo of a batch needs the right to write what it takes back", func(t *testing.T, s Store) {
			one := tradesBatch(t, s, 2)
			denied := errors.New("denied")
			checkJournalUnchanged(t, s, "the undo", func() error {
				if _, err := s.UndoBatch(t.Context(), one, batch.All, func(journal.Entry) error { return denied }); !errors.Is(err, denied) {
					return fmt.Errorf("got %w, want the error of the caller", err)
				}
				return nil
			})
		}},
		{"a map is kept under its name, and an equal one changes nothing", func(t *testing.T, s Store) {
			first := must(s.PutMap(t.Context(), mapping.Map{Name: "a", Kind: "trades", Text: "{}"}))(t)
			must(s.PutMap(t.Context(), mapping.Map{Name: "b", Kind: "trades", Text: "{}"}))(t)
			checkJournalUnchanged(t, s, "an equal map", func() error {
				_, err := s.PutMap(t.Context(), mapping.Map{Name: "a", Kind: "trades", Text: "{}"})
				return err
			})
			changed := must(s.PutMap(t.Context(), mapping.Map{Name: "a", Kind: "actuals", Text: "{}"}))(t)
			same(t, "id", changed.ID, first.ID)
			same(t, "the newest first", must(s.Maps(t.Context()))(t)[0], changed)
			same(t, "the map", must(s.Map(t.Context(), "a"))(t), changed)
			same(t, "the deleted map", must(s.DeleteMap(t.Context(), "a"))(t), changed)
			refused(s.DeleteMap(t.Context(), "a"))(t, fault.NotFound)
			refused(s.Map(t.Context(), "a"))(t, fault.NotFound)
		}},
	}
}

// tradesBatch stores a batch of trades.
func tradesBatch(t *testing.T, s Store, many int) batch.ID {
	t.Helper()
	return must(s.StoreTrades(t.Context(), rowsOf(bulk.Add, randomTrades(rand.New(rand.NewPCG(1, 2)), many)...)))(t).Batch
}

func undoneBatch(t *testing.T, s Store, id batch.ID) batch.TakenBack {
	t.Helper()
	return must(s.UndoBatch(t.Context(), id, batch.All, anybody))(t)
}

// checkStates compares the states of all batches, the oldest first.
func checkStates(t *testing.T, s Store, want ...string) {
	t.Helper()
	var got []string
	for _, b := range slices.Backward(must(s.Batches(t.Context(), 0, 100))(t)) {
		state := string(b.State)
		if b.UndoneBy != 0 {
			state += fmt.Sprintf(" by %d", b.UndoneBy)
		}
		got = append(got, state)
	}
	same(t, "states", got, want)
}

func aPartIsUndone(t *testing.T, s Store) {
	chart := newChart(t, s)
	one := must(s.StoreActuals(t.Context(), rowsOf(bulk.Replace, chart.actual(1), chart.actual(2), chart.actual(3))))(t).Batch
	changed := chart.actual(2)
	changed.Amount = amount("7")
	ctx := journal.With(t.Context(), journal.Origin{Actor: "another"})
	must(s.IngestActuals(ctx, []budget.Actual{changed}))(t)
	inWay := fault.Obstacle{Entity: "actuals", ID: 2, Record: "the actual of D1, A1, P02 2025", Why: fault.ChangedLater, Seq: int64(journal.WrittenIn(ctx).First), Actor: "another"}
	checkJournalUnchanged(t, s, "the undo of all", func() error {
		e := refused(s.UndoBatch(t.Context(), one, batch.All, anybody))(t, fault.NotUndoable)
		same(t, "in the way", *e.Details[0].Obstacle, inWay)
		return nil
	})
	part := must(s.UndoBatch(t.Context(), one, batch.Possible, anybody))(t)
	same(t, "stayed", part.Stayed, fault.Obstacles{Of: []fault.Obstacle{inWay}, Count: 1})
	same(t, "counts", part.Batch.Counts, batch.Counts{Cleared: 2, Skipped: 1})
	same(t, "periods", len(allActuals(t, s)), 1)
	checkStates(t, s, "partial by 2", "committed")
	checkJournalUnchanged(t, s, "an undo that can take back nothing", func() error {
		refused(s.UndoBatch(t.Context(), one, batch.Possible, anybody))(t, fault.NotUndoable)
		return nil
	})
	undoneBatch(t, s, part.Batch.ID)
	same(t, "periods", len(allActuals(t, s)), 3)
	checkStates(t, s, "committed", "undone by 3", "committed")
}

// randomBatchesAreUndone stores batches whose rows meet stored records, undoes some of them and does them again, and at
// the end undoes all. Each time the records are as before.
func randomBatchesAreUndone(t *testing.T, s Store) {
	random := rand.New(rand.NewPCG(9, 10))
	chart := newChart(t, s)
	type stored struct {
		id            batch.ID
		before, after string
	}
	var all []stored
	for range 20 {
		before := state(t, s)
		if id := storeAtRandom(t.Context(), t, s, chart, random); id != 0 {
			all = append(all, stored{id, before, state(t, s)})
		}
	}
	check := func(what, want string) {
		t.Helper()
		if got := state(t, s); got != want {
			t.Fatalf("after %s: got\n%s\nwant\n%s", what, got, want)
		}
	}
	for _, one := range slices.Backward(all) {
		undo := undoneBatch(t, s, one.id)
		check("an undo", one.before)
		undoneBatch(t, s, undo.Batch.ID)
		check("the undo of an undo", one.after)
		undoneBatch(t, s, one.id)
		check("a second undo", one.before)
		checkPositions(t, s)
	}
	for _, b := range must(s.Batches(t.Context(), 0, 1000))(t) {
		if b.Undoes == 0 && b.State != batch.Undone {
			t.Errorf("got batch %d %s, want it undone", b.ID, b.State)
		}
	}
}

func storeAtRandom(ctx context.Context, t *testing.T, s Store, chart chart, random *rand.Rand) batch.ID {
	t.Helper()
	if random.IntN(3) == 0 {
		return must(s.StoreTrades(ctx, rowsOf(bulk.Add, randomTrades(random, 1+random.IntN(5))...)))(t).Batch
	}
	var actuals []budget.Actual
	for period := 1; period <= 12; period++ {
		if random.IntN(2) == 0 {
			actual := chart.actual(period)
			actual.Amount = amount(fmt.Sprint(random.IntN(3)))
			actuals = append(actuals, actual)
		}
	}
	return must(s.StoreActuals(ctx, rowsOf(bulk.Replace, actuals...)))(t).Batch
}
