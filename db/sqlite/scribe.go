package sqlite

import (
	"context"
	"fmt"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// scribe writes the journal of one transaction: its entries as they come, and at its
// end one link of the chain over all of them. A copy of it is a mark to go back to.
type scribe struct {
	queries *gen.Queries
	at      time.Time
	known   bool // head and last were read
	head    journal.Hash
	last    journal.Seq
	lines   []byte // the entries since head, as the chain hashes them
}

// write journals an entry under the next number.
func (s *scribe) write(ctx context.Context, e journal.Entry) error {
	if err := s.find(ctx); err != nil {
		return err
	}
	s.last++
	e.Seq, e.At = s.last, s.at
	s.lines = e.AppendTo(s.lines)
	return s.queries.InsertEntry(ctx, gen.InsertEntryParams{
		Seq: int64(e.Seq), At: e.At.UnixMicro(), Actor: e.Actor, Request: e.Request,
		Entity: string(e.Entity), EntityID: e.EntityID,
		Before: column(e.Before), After: column(e.After),
	})
}

// find reads the end of the chain, which another process may have moved since the
// last transaction. Unavailable: it is no hash.
func (s *scribe) find(ctx context.Context) error {
	if s.known {
		return nil
	}
	link, err := s.queries.JournalHead(ctx)
	if err != nil && !isNoRow(err) {
		return err
	}
	if err == nil {
		if len(link.Hash) != len(s.head) {
			return fault.Wrap(fault.Unavailable, fmt.Errorf("link through entry %d: %d bytes", link.Through, len(link.Hash)),
				"the end of the journal is damaged; app verify tells more")
		}
		s.last, s.head = journal.Seq(link.Through), journal.Hash(link.Hash)
	}
	s.known = true
	return nil
}

// seal writes the link over what was journalled since the last one.
func (s *scribe) seal(ctx context.Context) error {
	if len(s.lines) == 0 {
		return nil
	}
	s.head, s.lines = s.head.Next(s.lines), s.lines[:0]
	return s.queries.InsertLink(ctx, int64(s.last), s.head[:])
}

// open journals what was there before there was a journal, as if it were created now.
func (s *scribe) open(ctx context.Context) error {
	const linked = 10_000 // entries under one link, so that no more than these are held
	n := 0
	for r, err := range firstRecords(ctx, s.queries) {
		if err != nil {
			return err
		}
		entry := journal.Entry{Origin: journal.Origin{Actor: "opening"}, Entity: r.entity, EntityID: r.id, After: r.record}
		if err := s.write(ctx, entry); err != nil {
			return err
		}
		n++
		if n%linked == 0 {
			if err := s.seal(ctx); err != nil {
				return err
			}
		}
	}
	return s.seal(ctx)
}

func column(record []byte) *string {
	if record == nil {
		return nil
	}
	text := string(record)
	return &text
}
