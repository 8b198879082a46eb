package chain

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Writer is the journal writer of one transaction. It writes the entries of the transaction, and a link
// of the chain over all of them, or over each 1,000. A savepoint is rolled back by a copy of the Writer
// that was made when the savepoint began.
type Writer struct {
	queries *gen.Queries
	many    *sql.Stmt       // InsertManyEntries
	At      time.Time       // of every entry
	Known   bool            // Head and Last were read
	Head    journal.Hash    // the newest link
	Last    journal.Seq     // the newest entry, one that is not inserted yet too
	entries []journal.Entry // since Head
	Sealed  bool            // the transaction has a new link
}

// NewWriter begins the journal of a transaction. many is InsertManyEntries, prepared; a transaction of
// fewer than 16 entries does without it.
func NewWriter(queries *gen.Queries, many *sql.Stmt, at time.Time) Writer {
	return Writer{queries: queries, many: many, At: at.UTC().Truncate(time.Microsecond)}
}

// MostHeld is how many entries the Writer holds in memory. A transaction with more gets more than one
// link. It also bounds what a start reads: the entries of the newest link.
const MostHeld = 1000

// Write journals an entry under the next number. Unavailable: a new record would have an id
// below 1, which only a counter that was changed behind the program's back gives.
func (s *Writer) Write(ctx context.Context, e journal.Entry) error {
	if e.Before == nil && e.EntityID < 1 {
		return fault.New(fault.Unavailable, "a new record of %s would have the id %d, and ids count from 1: the counter was changed behind the program's back; nothing was stored; app verify tells more", e.Entity, e.EntityID)
	}
	if err := s.ReadHead(ctx); err != nil {
		return err
	}
	s.Last++
	e.Seq, e.At = s.Last, s.At
	s.entries = append(s.entries, e)
	if len(s.entries) < MostHeld {
		return nil
	}
	return s.Seal(ctx)
}

// Pending is an entry that is not inserted yet, nil where there is none of that number.
func (s *Writer) Pending(seq journal.Seq) *journal.Entry {
	for i := range s.entries {
		if s.entries[i].Seq == seq {
			return &s.entries[i]
		}
	}
	return nil
}

// ReadHead reads the end of the chain, which another process may have moved since the
// last transaction. Unavailable: it is no hash.
func (s *Writer) ReadHead(ctx context.Context) error {
	if s.Known {
		return nil
	}
	head, err := Head(s.queries.JournalHead(ctx))
	if err != nil {
		return err
	}
	s.Last, s.Head, s.Known = head.Seq, head.Hash, true
	return nil
}

// Seal writes what was journalled since the last link, and the link over it.
func (s *Writer) Seal(ctx context.Context) error {
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
	s.Head, s.entries, s.Sealed = s.Head.Next(lines), nil, true // a copy of the writer may still hold them
	return s.queries.InsertLink(ctx, int64(s.Last), s.Head[:])
}

// manyEntries are inserted by one statement: half of the work of inserting an entry is
// that of running a statement.
const manyEntries = 16

// InsertManyEntries is the statement that NewWriter is passed, prepared.
var InsertManyEntries = gen.InsertEntry + strings.Repeat(", (?, ?, ?, ?, ?, ?, ?, ?)", manyEntries-1)

func (s *Writer) insert(ctx context.Context, entries []journal.Entry) error {
	for len(entries) >= manyEntries {
		columns := make([]any, 0, 8*manyEntries)
		for _, e := range entries[:manyEntries] {
			columns = append(columns, int64(e.Seq), e.At.UnixMicro(), e.Actor, e.Request,
				string(e.Entity), e.EntityID, Column(e.Before), Column(e.After))
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
			Before: Column(e.Before), After: Column(e.After),
		}); err != nil {
			return err
		}
	}
	return nil
}

// Column is a record as the journal holds it, nil for none.
func Column(record []byte) *string {
	if record == nil {
		return nil
	}
	text := string(record)
	return &text
}
