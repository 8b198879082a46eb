package sqlite

import (
	"context"
	"slices"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/journal"
)

var _ journal.Store = (*Store)(nil)

// JournalPage implements journal.Store.
func (s *Store) JournalPage(ctx context.Context, f journal.Filter) ([]journal.Entry, error) {
	found, err := s.journalPage(ctx, f)
	if f.Through > 0 {
		end := slices.IndexFunc(found, func(e journal.Entry) bool { return e.Seq > f.Through })
		if end >= 0 {
			found = found[:end]
		}
	}
	return found, err
}

func (s *Store) journalPage(ctx context.Context, f journal.Filter) ([]journal.Entry, error) {
	if f.EntityID != 0 {
		list, err := s.reader.PageRecordJournal(ctx, gen.PageRecordJournalParams{
			Entity: string(f.Entity), EntityID: f.EntityID, After: int64(f.After), Most: int64(f.Limit),
		})
		return eachOf(chain.Entry, list, err)
	}
	if f.Entity != "" {
		return s.entityJournal(ctx, f)
	}
	list, err := s.reader.PageJournal(ctx, int64(f.After), int64(f.Limit))
	return eachOf(chain.Entry, list, err)
}

// entityJournal reads only the blocks of the journal's index that have entries of the entity. It skips
// each other block with one search.
func (s *Store) entityJournal(ctx context.Context, f journal.Filter) (page []journal.Entry, err error) {
	const inBlock = 1 << 12
	after := int64(f.After)
	for len(page) < f.Limit {
		found, err := s.reader.PageEntityJournal(ctx, string(f.Entity), after, int64(f.Limit-len(page)))
		if err != nil {
			return nil, sqlerr.Classify(err)
		}
		if len(found) == 0 {
			break
		}
		page = append(page, rows.Map(found, chain.Entry)...)
		after = found[len(found)-1].Seq | (inBlock - 1) // fewer than the limit: the block has no more
	}
	return page, nil
}

// JournalHead implements journal.Store.
func (s *Store) JournalHead(ctx context.Context) (journal.Head, error) {
	head, err := chain.Head(s.reader.JournalHead(ctx))
	return head, sqlerr.Classify(err)
}

// JournalEntities implements journal.Store.
func (s *Store) JournalEntities(ctx context.Context, after, through journal.Seq) ([]journal.Entity, error) {
	list, err := s.reader.JournalEntities(ctx, int64(after), int64(through))
	return eachOf(func(name string) journal.Entity { return journal.Entity(name) }, list, err)
}
