package storetest

import (
	"errors"
	"testing"
	"time"

	"daybook/db/records"
	"daybook/internal/batch"
	"daybook/internal/budget"
	"daybook/internal/bulk"
	"daybook/internal/fault"
	"daybook/internal/fiscal"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
	"daybook/internal/trading"
)

// inBulk are the clauses about many records in one transaction.
func inBulk() []clause {
	return []clause{
		{"many actuals are stored, and each row is counted by what became of it", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			posted := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1), chart.actual(2)}))(t)
			changed := chart.actual(2)
			changed.Amount, changed.Currency, changed.Source = amount("-7"), "EUR", "late"
			got := must(s.StoreActuals(t.Context(), rowsOf(bulk.Replace, chart.actual(1), changed, chart.actual(3))))(t)
			same(t, "counts", got.Counts, batch.Counts{New: 1, Changed: 1, Unchanged: 1})
			changed.ID = posted[1].ID
			stored := allActuals(t, s)
			added := chart.actual(3)
			added.ID = stored[2].ID
			same(t, "actuals", stored, []budget.Actual{posted[0], changed, added})
		}},
		{"many lines are stored, and one that is there can take another currency", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			first := chart.line(1)
			posted := must(s.CreateLines(t.Context(), []budget.Line{first}))(t)
			first.Amount, first.Currency, first.Notes = amount("-7"), "EUR", "late"
			got := must(s.StoreLines(t.Context(), rowsOf(bulk.Replace, first, chart.line(2))))(t)
			same(t, "counts", got.Counts, batch.Counts{New: 1, Changed: 1})
			first.ID = posted[0].ID
			same(t, "the changed line", allLines(t, s)[0], first)
		}},
		{"a row without a source or notes leaves those of a stored record", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			posted := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1)}))(t)
			rows := rowsOf(bulk.Replace, budget.Actual{Key: posted[0].Key, Amount: amount("5"), Currency: posted[0].Currency})
			must(s.StoreActuals(t.Context(), rows))(t)
			posted[0].Amount = amount("5")
			same(t, "actuals", allActuals(t, s), posted)
		}},
		{"what many rows changed is a batch, told by its entries; rows that change nothing are none", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			rows := rowsOf(bulk.Replace, chart.actual(1), chart.actual(2))
			rows.Batch = batch.Origin{Kind: "actuals", Via: batch.Import, File: "a.csv", SHA256: "00", Map: "erp", Source: "bank"}
			before := len(entries(t, s))
			ctx := journal.With(t.Context(), journal.Origin{Actor: "a person", Reason: "why"})
			got := must(s.StoreActuals(ctx, rows))(t)
			same(t, "no batch", must(s.StoreActuals(t.Context(), rows))(t).Batch, 0)
			stored := must(s.Batch(t.Context(), got.Batch))(t)
			want := batch.Batch{
				ID: got.Batch, Origin: rows.Batch, State: batch.Committed, Actor: "a person", At: stored.At,
				Counts: batch.Counts{New: 2}, Entries: journal.WrittenIn(ctx),
			}
			same(t, "the batch", stored, want)
			told := entries(t, s)[before:]
			same(t, "entries", len(told), 3)
			for _, e := range told {
				same(t, "the batch of an entry", e.Batch, int64(got.Batch))
			}
			same(t, "the last entry", string(told[2].After), string(records.Batch(want)))
			later := must(s.StoreTrades(t.Context(), rowsOf(bulk.Add, trade("A", trading.Buy, 10, "2"))))(t)
			all := must(s.Batches(t.Context(), 0, 10))(t)
			same(t, "the newest first", []batch.ID{all[0].ID, all[1].ID}, []batch.ID{later.Batch, got.Batch})
			same(t, "those before", must(s.Batches(t.Context(), later.Batch, 10))(t), []batch.Batch{want})
			refused(s.Batch(t.Context(), later.Batch+1))(t, fault.NotFound)
		}},
		{"existing records are left out where that is wanted", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			posted := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(1)}))(t)
			changed := chart.actual(1)
			changed.Amount = amount("-7")
			rows := rowsOf(bulk.Skip, changed, chart.actual(2))
			rows.Skipped = 3
			got := must(s.StoreActuals(t.Context(), rows))(t)
			same(t, "counts", got.Counts, batch.Counts{New: 1, Skipped: 4})
			same(t, "the first", allActuals(t, s)[0], posted[0])
		}},
		{"if a row is wrong, nothing is stored, and every wrong row is named", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			posted := must(s.IngestActuals(t.Context(), []budget.Actual{chart.actual(2), chart.actual(3)}))(t)
			odd := chart.actual(4)
			odd.Currency = "X"
			checkJournalUnchanged(t, s, "wrong rows", func() error {
				_, err := s.StoreActuals(t.Context(), rowsOf(bulk.Refuse, chart.actual(1), chart.actual(2), chart.actual(3), odd))
				refused, is := errors.AsType[*bulk.RefusedError](err)
				if !is || fault.KindOf(err) != fault.RowsRefused {
					t.Fatalf("got %v, want the rows refused", err)
				}
				same(t, "counts", refused.Counts, batch.Counts{Wrong: 3})
				same(t, "findings", len(refused.Findings), 3)
				return nil
			})
			same(t, "actuals", allActuals(t, s), posted)
		}},
		{"a department that was removed meanwhile refuses all rows", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			for _, bad := range chart.badKeys() {
				last := chart.actual(2)
				last.Key = bad.key
				refused(s.StoreActuals(t.Context(), rowsOf(bulk.Replace, chart.actual(1), last)))(t, fault.UnknownReference)
			}
			same(t, "actuals", allActuals(t, s), nil)
		}},
		{"many trades are stored in their order, and make the positions that they make one by one", func(t *testing.T, s Store) {
			one := trade("A", trading.Buy, 10, "2")
			late := trade("A", trading.Sell, 4, "3")
			late.Date = one.Date.Add(-time.Hour)
			undated := trade("B", trading.Buy, 1, "1")
			undated.Date = time.Time{}
			must(s.AddTrades(t.Context(), []trading.Trade{one}))(t)
			got := must(s.StoreTrades(t.Context(), rowsOf(bulk.Add, one, late, undated)))(t)
			same(t, "counts", got.Counts, batch.Counts{New: 3})
			var ids []trading.TradeID
			for _, stored := range all(t, s.Trades(t.Context())) {
				ids = append(ids, stored.ID)
			}
			same(t, "ids", ids, []trading.TradeID{1, 2, 3, 4})
			held := all(t, s.Positions(t.Context()))
			same(t, "quantities", []int64{held[0].Quantity, held[1].Quantity}, []int64{16, 1})
			odd := one
			odd.Currency = "X"
			refused(s.StoreTrades(t.Context(), rowsOf(bulk.Add, one, odd)))(t, fault.RowsRefused)
			same(t, "trades", len(all(t, s.Trades(t.Context()))), 4)
		}},
		{"more rows than are held at once, sent twice with a key, are stored once", func(t *testing.T, s Store) {
			chart := newChart(t, s)
			actuals := make([]budget.Actual, 2500)
			for i := range actuals {
				actuals[i] = chart.actual(i%fiscal.Periods + 1)
				actuals[i].Year = fiscal.Year(2000 + i/fiscal.Periods)
			}
			ctx := idempotency.With(t.Context(), idempotency.Claim[bulk.Result]{
				Request: idempotency.Request{Principal: idempotency.Local, Key: "k"},
				Answer: func(bulk.Result) (idempotency.Answer, error) {
					return idempotency.Answer{Status: 200, Body: []byte(`{"counts":{}}`)}, nil
				},
			})
			got := must(s.StoreActuals(ctx, rowsOf(bulk.Replace, actuals...)))(t)
			same(t, "counts", got.Counts, batch.Counts{New: 2500})
			_, err := s.StoreActuals(ctx, rowsOf(bulk.Replace, actuals...))
			if _, is := errors.AsType[*idempotency.AnsweredError](err); !is {
				t.Errorf("the second time: got %v, want the stored answer", err)
			}
			same(t, "how many actuals", len(allActuals(t, s)), 2500)
		}},
	}
}

// rowsOf are records as rows, sorted by their keys.
func rowsOf[R any](existing bulk.Existing, all ...R) bulk.Rows[R] {
	return bulk.Rows[R]{Existing: existing, Batch: batch.Origin{Kind: "records", Via: batch.Bulk}, All: func(yield func(*bulk.Row[R], error) bool) {
		for i, record := range all {
			if !yield(&bulk.Row[R]{Record: record, Line: i + 1}, nil) {
				return
			}
		}
	}}
}
