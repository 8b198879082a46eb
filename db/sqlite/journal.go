package sqlite

import (
	"context"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/journal"
)

var _ journal.Store = (*Store)(nil)

// JournalPage implements journal.Store.
func (s *Store) JournalPage(ctx context.Context, f journal.Filter) ([]journal.Entry, error) {
	if f.EntityID != 0 {
		rows, err := s.reader.PageRecordJournal(ctx, gen.PageRecordJournalParams{
			Entity: string(f.Entity), EntityID: f.EntityID, After: int64(f.After), Most: int64(f.Limit),
		})
		return eachOf(entryOf, rows, err)
	}
	rows, err := s.reader.PageJournal(ctx, int64(f.After), optional(f.Entity), int64(f.Limit))
	return eachOf(entryOf, rows, err)
}

// JournalHead implements journal.Store.
func (s *Store) JournalHead(ctx context.Context) (journal.Head, error) {
	head, err := headOf(s.reader.JournalHead(ctx))
	return head, classify(err)
}

// JournalEntities implements journal.Store.
func (s *Store) JournalEntities(ctx context.Context, after, through journal.Seq) ([]journal.Entity, error) {
	rows, err := s.reader.JournalEntities(ctx, int64(after), int64(through))
	return eachOf(func(name string) journal.Entity { return journal.Entity(name) }, rows, err)
}

func entryOf(r gen.Journal) journal.Entry {
	return journal.Entry{
		Seq:      journal.Seq(r.Seq),
		At:       time.UnixMicro(r.At).UTC(),
		Origin:   journal.Origin{Actor: r.Actor, Request: r.Request},
		Entity:   journal.Entity(r.Entity),
		EntityID: r.EntityID,
		Before:   told(r.Before),
		After:    told(r.After),
	}
}

func told(record *string) []byte {
	if record == nil {
		return nil
	}
	return []byte(*record)
}
