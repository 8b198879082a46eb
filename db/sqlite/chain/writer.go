package chain

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Writer is the journal writer of one transaction. It writes the entries of the transaction, and a link
// of the chain over all of them, or over each 1,000. To roll back to a savepoint, the caller goes back
// to a copy of the Writer from the beginning of the savepoint.
type Writer struct {
	queries *gen.Queries
	many    *sql.Stmt       // InsertManyEntries
	At      time.Time       // of every entry
	Known   bool            // Head and Last were read
	Head    journal.Hash    // the newest link
	Last    journal.Seq     // the newest entry, which may not be inserted yet
	entries []journal.Entry // that are not inserted yet
	link    *journal.Link   // after Head, over those that are; nil if each 1,000 entries get a link
	conn    *sql.Conn       // if all entries get one link, else nil
	Sealed  bool            // the transaction has a new link
}

// NewWriter begins the journal of a transaction. many is the prepared InsertManyEntries; a transaction
// of fewer than 16 entries does not use it.
func NewWriter(queries *gen.Queries, many *sql.Stmt, at time.Time) Writer {
	return Writer{queries: queries, many: many, At: at.UTC().Truncate(time.Microsecond)}
}

// WithOneLink makes the Writer write one link over all entries, however many they are. The caller cannot go
// back to a copy of it. It inserts them on the connection, below database/sql.
func (s Writer) WithOneLink(conn *sql.Conn) Writer {
	s.conn = conn
	return s
}

// MostHeld is how many entries the Writer holds in memory. A transaction with more entries gets more
// than one link, except if the Writer is WithOneLink.
const MostHeld = 1000

// Write journals an entry under the next number. Unavailable: a new record would have an id below 1,
// which happens only if another program changed the counter.
func (s *Writer) Write(ctx context.Context, e journal.Entry) error {
	if e.Before == nil && e.EntityID < 1 {
		return fault.New(fault.Unavailable, "a new record of %s would have the id %d, but ids count from 1: another program changed the counter; nothing was stored; run app verify to find what else it changed", e.Entity, e.EntityID)
	}
	if err := s.ReadHead(ctx); err != nil {
		return err
	}
	s.Last++
	e.Seq, e.At = s.Last, s.At
	s.entries = append(s.entries, e)
	switch {
	case len(s.entries) < MostHeld:
		return nil
	case s.conn != nil:
		return s.flush(ctx)
	}
	return s.Seal(ctx)
}

// Pending returns the entry with a number, if it is not inserted yet, else nil.
func (s *Writer) Pending(seq journal.Seq) *journal.Entry {
	for i := range s.entries {
		if s.entries[i].Seq == seq {
			return &s.entries[i]
		}
	}
	return nil
}

// Newest returns the newest entry of a record, which may not be inserted yet; nil if there is none.
func (s *Writer) Newest(ctx context.Context, entity journal.Entity, id int64) (*journal.Entry, error) {
	for i := len(s.entries) - 1; i >= 0; i-- {
		if e := &s.entries[i]; e.Entity == entity && e.EntityID == id {
			return e, nil
		}
	}
	row, err := s.queries.NewestRecordEntry(ctx, string(entity), id)
	if sqlerr.IsNoRow(err) {
		return nil, nil
	}
	entry := Entry(row)
	return &entry, err
}

// ReadHead reads the end of the chain, which another process may have moved since the last transaction.
// Unavailable: the end has no valid hash.
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

// Seal writes the entries that are not inserted yet, and a link over all entries since the last one.
func (s *Writer) Seal(ctx context.Context) error {
	if len(s.entries) == 0 && s.link == nil {
		return nil
	}
	if err := s.flush(ctx); err != nil {
		return err
	}
	s.Head, s.link, s.Sealed = s.link.Hash(), nil, true
	return s.queries.InsertLink(ctx, int64(s.Last), s.Head[:])
}

// flush inserts the entries and adds them to the link.
func (s *Writer) flush(ctx context.Context) error {
	insert := s.insert
	if s.conn != nil {
		insert = s.insertBelow
	}
	if err := insert(ctx, s.entries); err != nil {
		return err
	}
	if s.link == nil {
		s.link = s.Head.Link()
	}
	for i := range s.entries {
		s.link.Add(&s.entries[i])
	}
	if s.conn != nil {
		s.entries = s.entries[:0]
	} else {
		s.entries = nil // a copy of the writer may still hold them
	}
	return nil
}

// One statement inserts manyEntries entries, because running a statement is half of the cost of an
// entry.
const manyEntries = 16

// InsertManyEntries is the statement that the caller prepares for NewWriter.
var InsertManyEntries = gen.InsertEntry + strings.Repeat(", (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", manyEntries-1)

func (s *Writer) insert(ctx context.Context, entries []journal.Entry) error {
	for len(entries) >= manyEntries {
		columns := make([]any, 0, 11*manyEntries)
		for _, e := range entries[:manyEntries] {
			r := row(e)
			columns = append(columns, r.Seq, r.At, r.Actor, r.Request, r.Entity, r.EntityID, r.Before, r.After, r.First, r.Reason, r.Batch)
		}
		if _, err := s.many.ExecContext(ctx, columns...); err != nil {
			return err
		}
		entries = entries[manyEntries:]
	}
	for _, e := range entries {
		if err := s.queries.InsertEntry(ctx, row(e)); err != nil {
			return err
		}
	}
	return nil
}

// insertBelow is insert below database/sql.
func (s *Writer) insertBelow(_ context.Context, entries []journal.Entry) error {
	return cursor.Lend(s.conn.Raw, func(conn *cursor.Conn) (err error) {
		insert, err := cursor.PrepareInsert(conn, gen.InsertEntry)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, insert.Close()) }()
		for i := range entries {
			r := row(entries[i])
			if err := insert.Add(r.Seq, r.At, r.Actor, r.Request, r.Entity, r.EntityID, r.Before, r.After, r.First, r.Reason, r.Batch); err != nil {
				return err
			}
		}
		return insert.Flush()
	})
}

// row returns an entry as a row of the journal.
func row(e journal.Entry) gen.InsertEntryParams {
	return gen.InsertEntryParams{
		Seq: int64(e.Seq), At: e.At.UnixMicro(), Actor: e.Actor, Request: e.Request,
		Entity: string(e.Entity), EntityID: e.EntityID,
		Before: Column(e.Before), After: Column(e.After),
		First: rows.Optional(int64(e.First)), Reason: rows.Optional(e.Reason), Batch: rows.Optional(e.Batch),
	}
}

// Column returns a record as a column of the journal, nil for none.
func Column(record []byte) *string {
	if record == nil {
		return nil
	}
	text := string(record)
	return &text
}
