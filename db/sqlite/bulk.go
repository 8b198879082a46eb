package sqlite

import (
	"cmp"
	"context"
	"errors"
	"iter"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/bulk"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/money"
)

// bulkSlice is how many rows are looked up, stored and journalled at a time.
const bulkSlice = 4000

// bulkTable says how many records with a key are stored in their table. Row is a row of the table.
type bulkTable[R comparable, Row any] struct {
	entity   journal.Entity
	sequence string
	number   func(*numbers) *number

	between, byKey, insert, update, remove string // the statements

	key      func(*R) []any // of byKey and remove, and twice of between
	columns  func(*R) []any // of insert
	changes  func(*R) []any // of update
	record   func(R) []byte
	stored   func(Row) R
	id       func(*R) *int64
	currency func(*R) money.Currency
	keep     func(r, stored *R) // takes the text that a record does not have
}

// storeMany stores rows in one transaction of its own, slice by slice.
func storeMany[R comparable, Row any](ctx context.Context, s *Store, t *bulkTable[R, Row], rows bulk.Rows[R]) (bulk.Result, error) {
	return writeAlone(ctx, s, func(ctx context.Context, q *tx) (bulk.Result, error) {
		b := bulkWrite[R, Row]{table: t, tx: q, existing: rows.Existing, known: currencies{}}
		b.result.Counts.Skipped = rows.Skipped
		q.beginBatch(rows.Batch)
		err := inSlices(rows.All, func(slice []bulk.Row[R]) error { return b.store(ctx, slice) })
		if err := cmp.Or(err, b.conflicts.Refuse()); err != nil {
			return b.result, err
		}
		return b.result, q.endBulk(ctx, &b.result, rows.LeftOut)
	})
}

// inSlices passes rows to a function, some at a time.
func inSlices[R any](rows iter.Seq2[*bulk.Row[R], error], store func([]bulk.Row[R]) error) error {
	slice := make([]bulk.Row[R], 0, bulkSlice)
	for row, err := range rows {
		if err != nil {
			return err
		}
		if slice = append(slice, *row); len(slice) < bulkSlice {
			continue
		}
		if err := store(slice); err != nil {
			return err
		}
		slice = slice[:0]
	}
	if len(slice) == 0 {
		return nil
	}
	return store(slice)
}

// bulkWrite is the storing of many rows.
type bulkWrite[R comparable, Row any] struct {
	table    *bulkTable[R, Row]
	tx       *tx
	existing bulk.Existing
	known    currencies
	result   bulk.Result
	changes  []bulkChange[R] // of the slice

	conflicts bulk.ConflictsError
	lastID    *int64 // before the first row of a checked file; nil until it is needed
}

// bulkChange is a record that is new, that changes, or that is removed.
type bulkChange[R any] struct {
	before, after *R // nil for none
}

// store stores a slice, unless a row was wrong or a conflict. Then it only looks for others.
func (b *bulkWrite[R, Row]) store(ctx context.Context, slice []bulk.Row[R]) error {
	for i := range slice {
		wrong, err := b.known.check(ctx, b.tx.Queries, "currency", b.table.currency(&slice[i].Record))
		if err != nil {
			return err
		}
		if wrong != nil {
			refuse(&b.result, &slice[i], *wrong)
		}
	}
	found, err := b.find(slice)
	if err != nil {
		return err
	}
	b.changes = b.changes[:0]
	for i := range slice {
		if err := b.decide(ctx, &slice[i], found[i]); err != nil {
			return err
		}
	}
	if b.result.Counts.Wrong > 0 || b.conflicts.Total > 0 {
		return nil
	}
	if err := b.write(); err != nil {
		return err
	}
	for _, c := range b.changes {
		var before, after []byte
		if c.before != nil {
			before = b.table.record(*c.before)
		}
		if c.after != nil {
			after = b.table.record(*c.after)
		}
		if err := b.tx.tell(ctx, b.table.entity, *b.table.id(cmp.Or(c.after, c.before)), before, after); err != nil {
			return err
		}
	}
	return nil
}

// refuse adds a finding about a row.
func refuse[R any](result *bulk.Result, row *bulk.Row[R], f bulk.Finding) {
	f.Line = row.Line
	result.Counts.Wrong++
	result.Add(f)
}

// same reports whether a record is as a check saw it; nil is none.
func same[R comparable](seen, is *R) bool {
	return seen == nil && is == nil || seen != nil && is != nil && *seen == *is
}

// conflict adds a row whose record is not as the check of its file saw it.
func conflict[R any](
	ctx context.Context, q *tx, found *bulk.ConflictsError, entity journal.Entity, row *bulk.Row[R], is *R, record func(R) []byte, id func(*R) *int64,
) error {
	c := bulk.Conflict{Line: row.Line}
	of := is
	if row.Seen != nil {
		c.Seen = record(*row.Seen)
		if is == nil {
			of = row.Seen
		}
	}
	if is != nil {
		c.Is = record(*is)
	}
	return addConflict(ctx, q, found, entity, *id(of), c)
}

// addConflict adds a conflict, with the newest entry of its record.
func addConflict(ctx context.Context, q *tx, found *bulk.ConflictsError, entity journal.Entity, id int64, c bulk.Conflict) error {
	if found.Full() {
		found.Add(c)
		return nil
	}
	newest, err := q.journal.Newest(ctx, entity, id)
	if newest != nil {
		c.Seq, c.At, c.Actor = int64(newest.Seq), newest.At, newest.Actor
	}
	found.Add(c)
	return err
}

// find returns the record that is stored under the key of each row, nil if there is none. It looks for none if
// there is none between the first key and the last.
func (b *bulkWrite[R, Row]) find(slice []bulk.Row[R]) ([]*R, error) {
	found := make([]*R, len(slice))
	return found, cursor.Lend(b.tx.conn.Raw, func(conn *cursor.Conn) (err error) {
		between, err := cursor.Prepare[int64](conn, b.table.between)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, between.Close()) }()
		some, err := between.Last(append(b.table.key(&slice[0].Record), b.table.key(&slice[len(slice)-1].Record)...)...)
		if err != nil || some == 0 {
			return err
		}
		byKey, err := cursor.Prepare[Row](conn, b.table.byKey)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, byKey.Close()) }()
		for i := range slice {
			for row, err := range byKey.All(b.table.key(&slice[i].Record)...) {
				if err != nil {
					return err
				}
				found[i] = new(b.table.stored(*row))
			}
		}
		return nil
	})
}

// decide counts a row by what becomes of it, and notes the change.
func (b *bulkWrite[R, Row]) decide(ctx context.Context, row *bulk.Row[R], stored *R) (err error) {
	record, counts := &row.Record, &b.result.Counts
	switch {
	case row.Checked && !same(row.Seen, stored):
		return conflict(ctx, b.tx, &b.conflicts, b.table.entity, row, stored, b.table.record, b.table.id)
	case row.Removes:
		counts.Cleared++
		b.changes = append(b.changes, bulkChange[R]{before: stored})
		return nil
	}
	if stored == nil {
		counts.New++
		*b.table.id(record), err = b.nextID(ctx, row)
		b.changes = append(b.changes, bulkChange[R]{after: record})
		return err
	}
	*b.table.id(record) = *b.table.id(stored)
	if !row.Checked {
		b.table.keep(record, stored)
	}
	switch {
	case b.existing == bulk.Refuse:
		refuse(&b.result, row, bulk.Finding{Code: bulk.ExistsAlready, Message: "The record is stored already."})
	case b.existing == bulk.Skip:
		counts.Skipped++
	case *record == *stored:
		counts.Unchanged++
	default:
		counts.Changed++
		b.changes = append(b.changes, bulkChange[R]{stored, record})
	}
	return nil
}

// nextID gives the id of a new record. The rows of a file that was checked get theirs in the order of the file, so that
// an export by id has it too.
func (b *bulkWrite[R, Row]) nextID(ctx context.Context, row *bulk.Row[R]) (id int64, err error) {
	number := b.table.number(b.tx.numbers)
	if !row.Checked {
		return number.next(ctx, b.tx.Queries, b.table.sequence)
	}
	if b.lastID == nil {
		last, err := number.read(ctx, b.tx.Queries, b.table.sequence)
		if err != nil {
			return 0, err
		}
		b.lastID = &last
	}
	id = *b.lastID + row.Place
	number.give(id)
	return id, nil
}

// write writes the changes of the slice.
func (b *bulkWrite[R, Row]) write() error {
	err := cursor.Lend(b.tx.conn.Raw, func(conn *cursor.Conn) (err error) {
		insert, err := cursor.PrepareInsert(conn, b.table.insert)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, insert.Close()) }()
		update, err := cursor.PrepareUpdate(conn, b.table.update)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, update.Close()) }()
		remove, err := cursor.PrepareUpdate(conn, b.table.remove)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, remove.Close()) }()
		for _, c := range b.changes {
			switch {
			case c.after == nil:
				err = remove.Run(b.table.key(c.before)...)
			case c.before != nil:
				err = update.Run(b.table.changes(c.after)...)
			default:
				err = insert.Add(b.table.columns(c.after)...)
			}
			if err != nil {
				return err
			}
		}
		return insert.Flush()
	})
	if sqlerr.IsForeignKey(err) {
		return fault.New(fault.UnknownReference, "a row names a department or an account that was removed while the rows were checked; nothing was stored; send the rows again")
	}
	return err
}

// currencies are the currencies of rows, each with what is wrong with it, nil for nothing.
type currencies map[money.Currency]*bulk.Finding

// check returns what is wrong with a currency in a field.
func (c currencies) check(ctx context.Context, q *gen.Queries, field string, currency money.Currency) (*bulk.Finding, error) {
	wrong, known := c[currency]
	if known {
		return wrong, nil
	}
	if err := checkCurrency(ctx, q, field, currency); err != nil {
		if fault.KindOf(err) != fault.Invalid {
			return nil, err
		}
		wrong = &bulk.Finding{Field: field, Value: string(currency), Code: bulk.UnknownReference, Message: err.Error()}
	}
	c[currency] = wrong
	return wrong, nil
}
