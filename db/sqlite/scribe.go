package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// scribe writes the journal of one transaction: its entries, and a link of the chain
// over all of them, or over each 1,000. A copy of it is a mark to go back to.
type scribe struct {
	queries *gen.Queries
	many    *sql.Stmt // insertManyEntries
	at      time.Time
	known   bool // head and last were read
	head    journal.Hash
	last    journal.Seq
	entries []journal.Entry // since head
	sealed  bool            // there is a new link
}

// mostHeld is how many entries are held at once: a transaction that has more gets more
// links than one. A start reads the entries of the newest link.
const mostHeld = 1000

// write journals an entry under the next number.
func (s *scribe) write(ctx context.Context, e journal.Entry) error {
	if err := s.find(ctx); err != nil {
		return err
	}
	s.last++
	e.Seq, e.At = s.last, s.at
	s.entries = append(s.entries, e)
	if len(s.entries) < mostHeld {
		return nil
	}
	return s.seal(ctx)
}

// pending is an entry that is not inserted yet, nil where there is none of that number.
func (s *scribe) pending(seq journal.Seq) *journal.Entry {
	for i := range s.entries {
		if s.entries[i].Seq == seq {
			return &s.entries[i]
		}
	}
	return nil
}

// find reads the end of the chain, which another process may have moved since the
// last transaction. Unavailable: it is no hash.
func (s *scribe) find(ctx context.Context) error {
	if s.known {
		return nil
	}
	head, err := headOf(s.queries.JournalHead(ctx))
	if err != nil {
		return err
	}
	s.last, s.head, s.known = head.Seq, head.Hash, true
	return nil
}

// headOf is the newest link of the chain, as it was read. Unavailable: it is no hash.
func headOf(link gen.JournalLink, err error) (head journal.Head, _ error) {
	switch {
	case isNoRow(err):
		return head, nil
	case err != nil:
		return head, err
	case len(link.Hash) != len(head.Hash):
		return head, fault.Wrap(fault.Unavailable, fmt.Errorf("link through entry %d: %d bytes", link.Through, len(link.Hash)),
			"the end of the journal is damaged; app verify tells more")
	}
	return journal.Head{Seq: journal.Seq(link.Through), Hash: journal.Hash(link.Hash)}, nil
}

// seal writes what was journalled since the last link, and the link over it.
func (s *scribe) seal(ctx context.Context) error {
	if len(s.entries) == 0 {
		return nil
	}
	if err := s.insert(ctx, s.entries); err != nil {
		return err
	}
	var lines []byte
	for _, e := range s.entries {
		lines = e.AppendTo(lines)
	}
	s.head, s.entries, s.sealed = s.head.Next(lines), nil, true // a copy of the scribe may still hold them
	return s.queries.InsertLink(ctx, int64(s.last), s.head[:])
}

// manyEntries are inserted by one statement: half of the work of inserting an entry is
// that of running a statement.
const manyEntries = 16

var insertManyEntries = gen.InsertEntry + strings.Repeat(", (?, ?, ?, ?, ?, ?, ?, ?)", manyEntries-1) //nolint:gosec // only parameters

func (s *scribe) insert(ctx context.Context, entries []journal.Entry) error {
	for len(entries) >= manyEntries {
		columns := make([]any, 0, 8*manyEntries)
		for _, e := range entries[:manyEntries] {
			columns = append(columns, int64(e.Seq), e.At.UnixMicro(), e.Actor, e.Request,
				string(e.Entity), e.EntityID, column(e.Before), column(e.After))
		}
		if _, err := s.many.ExecContext(ctx, columns...); err != nil {
			return err
		}
		entries = entries[manyEntries:]
	}
	for _, e := range entries {
		if err := s.queries.InsertEntry(ctx, gen.InsertEntryParams{
			Seq: int64(e.Seq), At: e.At.UnixMicro(), Actor: e.Actor, Request: e.Request,
			Entity: string(e.Entity), EntityID: e.EntityID,
			Before: column(e.Before), After: column(e.After),
		}); err != nil {
			return err
		}
	}
	return nil
}

func column(record []byte) *string {
	if record == nil {
		return nil
	}
	text := string(record)
	return &text
}
