package sqlite

import (
	"cmp"
	"context"
	"math"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/batch"
	"daybook/internal/bulk"
	"daybook/internal/journal"
)

var _ batch.Store = (*Store)(nil)

// Batches implements batch.Store.
func (s *Store) Batches(ctx context.Context, before batch.ID, most int) ([]batch.Batch, error) {
	found, err := s.reader.ListBatchesDown(ctx, cmp.Or(int64(before), math.MaxInt64), int64(most))
	return eachOf(rows.Batch, found, err)
}

// Batch implements batch.Store.
func (s *Store) Batch(ctx context.Context, id batch.ID) (batch.Batch, error) {
	row, err := s.reader.GetBatch(ctx, int64(id))
	return rows.Batch(row), sqlerr.Classify(noBatch(err, id))
}

func noBatch(err error, id batch.ID) error {
	if sqlerr.IsNoRow(err) {
		return batch.NotFound(id)
	}
	return err
}

// beginBatch makes the entries that follow those of a batch, until endBatch. A batch without entries is none.
func (t *tx) beginBatch(of batch.Origin) {
	t.batch = &batch.Batch{Origin: of, State: batch.Committed, Actor: t.origin.Actor, At: t.journal.At}
}

// ofBatch returns the batch of the next entry, 0 for none. The first entry gives the batch its id.
func (t *tx) ofBatch(ctx context.Context) (id int64, err error) {
	if t.batch == nil {
		return 0, nil
	}
	if t.batch.ID == 0 {
		if id, err = t.NextBatch(ctx); err != nil {
			return 0, err
		}
		if err := t.journal.ReadHead(ctx); err != nil {
			return 0, err
		}
		t.batch.ID, t.batch.Entries.First = batch.ID(id), t.journal.Last+1
	}
	return int64(t.batch.ID), nil
}

// endBatch stores the batch, and returns it. Its entry is the last one of the batch.
func (t *tx) endBatch(ctx context.Context, counts batch.Counts) (b batch.Batch, err error) {
	if b = *t.batch; b.ID == 0 {
		t.batch = nil
		return b, nil
	}
	b.Counts, b.Entries.Last = counts, t.journal.Last+1
	if err := t.InsertBatch(ctx, gen.InsertBatchParams(rows.OfBatch(b))); err != nil {
		return b, err
	}
	err = t.tell(ctx, journal.Batches, int64(b.ID), nil, records.Batch(b))
	t.batch = nil
	return b, err
}

// endBulk ends the batch of many rows, unless rows are wrong.
func (t *tx) endBulk(ctx context.Context, result *bulk.Result) error {
	if err := result.Refused(); err != nil {
		return err
	}
	b, err := t.endBatch(ctx, result.Counts)
	result.Batch = b.ID
	return err
}
