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

// UndoBatch implements batch.Store.
func (s *Store) UndoBatch(ctx context.Context, id batch.ID, which batch.Rows, may func(journal.Entry) error) (taken batch.TakenBack, err error) {
	of, err := s.Batch(ctx, id)
	if err != nil {
		return taken, err
	}
	searched := newUndo(s, of.Entries)
	searched.batch, searched.rest = id, which == batch.Possible
	if err := searched.prepare(ctx, may); err != nil {
		return taken, sqlerr.Classify(err)
	}
	return writeAlone(ctx, s, func(ctx context.Context, q *tx) (batch.TakenBack, error) {
		return q.undoBatch(ctx, id, searched)
	})
}

// undoBatch takes a batch back and stores the undo as a batch.
func (t *tx) undoBatch(ctx context.Context, id batch.ID, u undo) (taken batch.TakenBack, err error) {
	row, err := t.GetBatch(ctx, int64(id))
	if err != nil {
		return taken, noBatch(err, id)
	}
	of := rows.Batch(row)
	if of.State == batch.Undone {
		return taken, of.UndoneAlready()
	}
	t.beginBatch(batch.Origin{Kind: of.Kind, Via: batch.Undo})
	t.batch.Undoes = id
	if err := u.takeBack(ctx, t); err != nil {
		return taken, err
	}
	taken.Stayed = u.inWay
	state := batch.Undone
	if u.inWay.Count > 0 {
		state = batch.Partial
	}
	if err := t.markUndone(ctx, of, t.batch.ID, state); err != nil {
		return taken, err
	}
	taken.Batch, err = t.endBatch(ctx, batch.Counts{
		New: int64(u.done.PutBack), Changed: int64(u.done.Changed), Cleared: int64(u.done.Removed), Skipped: int64(u.inWay.Count),
	})
	return taken, err
}

// markUndone says of a batch that another took it back, wholly or in part. If the batch was an undo itself, what it had
// taken back is in force again, and so on.
func (t *tx) markUndone(ctx context.Context, of batch.Batch, by batch.ID, state batch.State) error {
	for {
		is := of
		if is.State, is.UndoneBy = state, by; state == batch.Committed {
			is.UndoneBy = 0
		}
		if err := t.SetBatchUndone(ctx, string(is.State), rows.Optional(int64(is.UndoneBy)), int64(is.ID)); err != nil {
			return err
		}
		if err := t.tell(ctx, journal.Batches, int64(is.ID), records.Batch(of), records.Batch(is)); err != nil {
			return err
		}
		if is.Undoes == 0 {
			return nil
		}
		row, err := t.GetBatch(ctx, int64(is.Undoes))
		if err != nil {
			return err
		}
		of, by, state = rows.Batch(row), is.ID, is.Undid()
	}
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

// endBulk ends the batch of many rows, unless rows are wrong. Its counts have the records that were left out too.
func (t *tx) endBulk(ctx context.Context, result *bulk.Result, left bulk.LeftOut) error {
	if err := result.Refused(); err != nil {
		return err
	}
	result.Counts.Wrong, result.Counts.Doubtful = left.Wrong, left.Doubtful
	b, err := t.endBatch(ctx, result.Counts)
	result.Batch, result.Stored = b.ID, b
	return err
}
