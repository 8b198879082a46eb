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

// The columns of ListChanges.
const (
	changeBefore = iota
	changeAfter
	changeSeq
	changeAt
)

var changeColumns = []string{
	changeBefore: "was",
	changeAfter:  "became",
	changeSeq:    "seq",
	changeAt:     "at",
}

// changesSince reads the changes of an entity after a head, in their order. It reports false if an
// entry is not a change of the entity.
func (s *snapshot) changesSince(head journal.Seq, of journal.Entity) (changes []records.Change, known bool, err error) {
	row, known := s.changes, true
	err = row.Read(func() {
		var is bool
		at := time.UnixMicro(row.Int(changeAt)).UTC()
		changes, is = records.AppendChanges(changes, of, row.Text(changeBefore), row.Text(changeAfter), journal.Seq(row.Int(changeSeq)), at)
		known = known && is
	}, int64(head), int64(s.head), string(of))
	return changes, known, err
}

// journalHead returns the number of the newest entry, 0 if there is none.
func (s *scanner) journalHead() (head journal.Seq, err error) {
	err = s.head.Read(func() { head = journal.Seq(s.head.Int(0)) })
	return head, err
}
