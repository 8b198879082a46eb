package sqlite

import (
	"context"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/journal"
)

// snapshot is a consistent read of the newest state, with the cached sums as of that state.
type snapshot struct {
	*scanner
	cached *records.Snapshot
	head   journal.Seq
}

// snapshot does reads of the newest state that see the same moment. Unavailable.
func (s *Store) snapshot(ctx context.Context, read func(*snapshot) error) error {
	return s.consistent(ctx, func(c *scanner) (err error) {
		one := &snapshot{scanner: c, cached: s.cache.Snapshot()} // before the first read, which begins the transaction
		if one.head, err = c.journalHead(); err != nil {
			return err
		}
		one.cached.At(one.head, one.changesSince)
		return read(one)
	})
}

// share does a read of the newest state. Concurrent callers with the same key share one read; a caller
// that needs newer data waits for the next. The callers share the result and must not change it.
// Unavailable.
func share[T any](ctx context.Context, s *Store, key string, read func(*snapshot) (T, error)) (found T, err error) {
	var newest journal.Seq
	err = s.scan(ctx, func(c *scanner) (err error) {
		newest, err = c.journalHead()
		return err
	})
	if err != nil {
		return found, err
	}
	found, err = records.Share(ctx, &s.shared, key, newest, func(ctx context.Context) (found T, head journal.Seq, err error) {
		err = s.snapshot(ctx, func(one *snapshot) (err error) {
			head = one.head
			found, err = read(one)
			return err
		})
		return found, head, err
	})
	return found, sqlerr.Classify(err)
}

// changesSince reads the changes of an entity after a head, in their order. It reports false if an
// entry is not a change of the entity.
func (s *snapshot) changesSince(head journal.Seq, of journal.Entity) (changes []records.Change, known bool, err error) {
	known = true
	for row, err := range s.changes.All(int64(head), int64(s.head), string(of)) {
		if err != nil {
			return nil, false, err
		}
		var is bool
		changes, is = records.AppendChanges(changes, of, []byte(row.Was), []byte(row.Became), journal.Seq(row.Seq), time.UnixMicro(row.At).UTC())
		known = known && is
	}
	return changes, known, nil
}

// journalHead returns the number of the newest entry, 0 if there is none.
func (s *scanner) journalHead() (journal.Seq, error) {
	head, err := s.head.Last()
	return journal.Seq(head), err
}
