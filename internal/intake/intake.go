// Package intake reads a file of many records, checks every row by the rules of its fields, and sorts the rows by
// their keys, so that a store can take them in one pass.
//
// A file is CSV with our columns and decimal points, NDJSON, or an array of JSON. Nothing in it can mean two
// things: what breaks a rule is a finding, and no row is stored. The checked rows lie in a file, sorted in parts that
// are merged as they are read. So the memory does not grow with the rows.
//
// It knows no record, no store and no HTTP.
package intake

import (
	"context"
	"errors"
	"io"

	"daybook/internal/bulk"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/sorted"
	"daybook/internal/spool"
	"daybook/internal/tables"
)

// The kinds of faults of a file as a whole.
const (
	Unreadable fault.Kind = "unreadable file"     // it is no table of a known format
	TooLarge   fault.Kind = "a file over a limit" // it has too many rows, or too long ones
)

// Kind says how records of one kind are read.
type Kind[R any] struct {
	Fields     field.List[R]
	References []Reference
	Spellings  []Spelling
	Kept       string // the field without which a row is Partial

	Key  func(*R) sorted.Key     // nil if records have none
	Join func(to, from *R) error // adds the amount of a record with the same key
}

// ErrOtherCurrency is the error of a Join of amounts in two currencies.
var ErrOtherCurrency = errors.New("the rows with this key have two currencies, which cannot be added up")

// Reference is a field that holds the id of another record, which a file may name by its code.
type Reference struct {
	ID, Code string // the names of both columns
	Codes    *Codes
}

// Spelling is another column for a field, or other words in it.
type Spelling struct {
	Field, Column string
	Words         map[string]field.Value // in lower case
}

// Options say what happens to rows that meet others.
type Options struct {
	Existing   bulk.Existing
	Duplicates bulk.Duplicates
	Spool      spool.Folder
}

// Rows are checked rows.
type Rows[R any] struct {
	bulk.Rows[R]
	sorted *sorted.Rows
}

// Close removes the rows.
func (r *Rows[R]) Close() error { return r.sorted.Close() }

// Read reads a file, and checks all of its rows. Unreadable; TooLarge; Unavailable: the disk refuses; RowsRefused:
// rows are wrong, the cause is a bulk.RefusedError.
func Read[R any](ctx context.Context, file io.ReaderAt, size int64, kind *Kind[R], o Options) (_ *Rows[R], err error) {
	r := &reader[R]{kind: kind, options: o}
	if r.sorted, err = sorted.New(o.Spool); err != nil {
		return nil, noRoom(err)
	}
	if err = r.read(ctx, file, size); err == nil {
		err = r.result.Refused()
	}
	if err != nil {
		return nil, errors.Join(err, r.sorted.Close())
	}
	return &Rows[R]{r.rows(), r.sorted}, nil
}

func noRoom(err error) error {
	return fault.Wrap(fault.Unavailable, err, "the server cannot keep the rows on its disk; nothing was stored")
}

// reader reads one file.
type reader[R any] struct {
	kind    *Kind[R]
	options Options
	sorted  *sorted.Rows
	result  bulk.Result
	skipped int64
	buffer  []byte // for one record
}

// read reads, checks and sorts the rows, and then looks at those with equal keys.
func (r *reader[R]) read(ctx context.Context, file io.ReaderAt, size int64) error {
	table, err := tables.Open(file, size, tables.Options{})
	if err != nil {
		return refusal(err)
	}
	defer func() { _ = table.Close() }() // only a workbook has files
	if table.Format == tables.XLSX {
		return fault.New(Unreadable, "this path reads CSV, NDJSON or a JSON array, not a workbook; save the sheet as CSV")
	}
	records, err := table.Records(tables.Dialect{Delimiter: ','})
	if err != nil {
		return refusal(err)
	}
	row := newRow(r.kind.References, r.kind.Spellings)
	if table.Format == tables.CSV {
		if err := r.readHeader(row, records); err != nil {
			return err
		}
	}
	for {
		row.Record, err = records.Read()
		switch {
		case errors.Is(err, io.EOF):
			return r.finish()
		case err != nil:
			return refusal(err)
		case ctx.Err() != nil:
			return fault.Wrap(fault.Unavailable, ctx.Err(), "the request was canceled before it was done")
		case row.Blank():
			r.skipped++
			continue
		}
		before := r.result.Total
		if names := records.Names(); len(names) > len(row.columns) {
			row.name(names)
			r.checkNames(row)
		}
		if err := r.take(row, before); err != nil {
			return err
		}
	}
}

// refusal is the fault of a file that is no table.
func refusal(err error) error {
	wrong, is := errors.AsType[*tables.Error](err)
	switch {
	case !is:
		return noRoom(err)
	case wrong.Reason == tables.TooLarge || wrong.Reason == tables.TooManyRows:
		return fault.New(TooLarge, "%s", wrong.Message)
	}
	return fault.New(Unreadable, "%s", wrong.Message)
}

// take checks a row and keeps its record. before is how many findings there were before the row.
func (r *reader[R]) take(row *row, before int64) error {
	r.checkCells(row)
	if r.result.Total == before {
		record := r.kind.Fields.Read(row, &row.wrong)
		r.note(row)
		if r.result.Total == before {
			return r.keep(row, &record)
		}
	}
	r.result.Counts.Wrong++
	return nil
}

// The marks of a row: whether it is bulk.Row.Partial.
const (
	whole byte = iota
	partial
)

func (r *reader[R]) keep(row *row, record *R) (err error) {
	key := sorted.Key{int64(row.Line)}
	if r.kind.Key != nil {
		key = r.kind.Key(record)
	}
	if r.buffer, err = r.kind.Fields.Append(r.buffer[:0], record); err != nil {
		return fault.Wrap(fault.Internal, err, "a checked row cannot be written")
	}
	mark := whole
	if r.kind.Kept != "" && !row.has(r.kind.Kept) {
		mark = partial
	}
	if err := r.sorted.Add(sorted.Entry{Key: key, Line: row.Line, Mark: mark, Written: r.buffer}); err != nil {
		return noRoom(err)
	}
	return nil
}

// finish sorts the last rows, and checks those with equal keys.
func (r *reader[R]) finish() error {
	if err := r.sorted.End(); err != nil {
		return noRoom(err)
	}
	if r.kind.Key == nil {
		return nil
	}
	for group, err := range r.sorted.Groups() {
		if err != nil {
			return noRoom(err)
		}
		if len(group) > 1 {
			r.checkGroup(group)
		}
	}
	return nil
}

// rows are the checked rows, for a store.
func (r *reader[R]) rows() bulk.Rows[R] {
	return bulk.Rows[R]{Existing: r.options.Existing, Skipped: r.skipped, All: func(yield func(*bulk.Row[R], error) bool) {
		var row bulk.Row[R]
		for group, err := range r.sorted.Groups() {
			if err == nil {
				row.Record, err = r.joined(group)
			}
			if err != nil {
				yield(nil, noRoom(err))
				return
			}
			last := group[len(group)-1]
			row.Line, row.Of, row.Partial = last.Line, 1, last.Mark == partial
			if r.options.Duplicates == bulk.SumDuplicates {
				row.Of = int64(len(group))
			}
			if !yield(&row, nil) {
				return
			}
		}
	}}
}
