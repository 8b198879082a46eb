package commit

import (
	"encoding/binary"
	"iter"

	"daybook/internal/bulk"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/sorted"
)

// The marks of a row that is kept.
const (
	hasSeen byte = 1 << iota
	removes
	known
	anyway
	byID
)

// writer keeps rows until all are there.
type writer[R any] struct {
	Commit
	codec  *exchange.Codec[R]
	key    func(*R) sorted.Key
	to     *sorted.Rows
	buffer []byte
	record []byte
	rows   int64
}

// take keeps a row, unless it is left out.
func (w *writer[R]) take(row *exchange.Row) error {
	record, seen, mark := row.After, row.Before, byte(0)
	switch row.Result {
	case exchange.ResultSkipped:
		if w.Existing != "" {
			w.Skipped++
		}
		return nil
	case exchange.ResultWrong:
		return nil
	case exchange.ResultAlready:
		mark |= known
	case exchange.ResultCleared:
		record = row.Before
		mark |= removes
	}
	if w.Anyway != nil && w.Anyway(row.Line) {
		mark = mark&^known | anyway
	}
	if row.ByID {
		mark |= byID
	}
	one, err := w.codec.Read(row.ID, record)
	if err != nil && w.Existing != "" {
		return fault.Wrap(fault.UnknownReference, err, "line %d: %s; what the row names was added or removed while the rows were read; nothing was stored; send the rows again", row.Line, err.Error())
	}
	if err != nil {
		return fault.Wrap(fault.ChangedSince, err, "line %d: %s; something that the file names is no longer there; nothing was stored; look at the file's new preview", row.Line, err.Error())
	}
	w.buffer = binary.AppendUvarint(w.buffer[:0], uint64(row.Nth))
	w.buffer = binary.AppendUvarint(w.buffer, uint64(max(row.Order, -row.Order)))
	if err := w.keep(&one); err != nil {
		return err
	}
	if seen != nil {
		mark |= hasSeen
		was, err := w.codec.Read(row.ID, seen)
		if err == nil {
			err = w.keep(&was)
		}
		if err != nil {
			return err
		}
	}
	w.buffer = append(w.buffer, row.ExternalID...)
	key := sorted.Key{0, int64(row.Order)}
	switch {
	case row.ByID:
		key[0] = 1 // a new trade is compared with the trades as they were
	case w.key != nil:
		key = w.key(&one)
	}
	if err := w.to.Add(sorted.Entry{Key: key, Line: row.Line, Mark: mark, Written: w.buffer}); err != nil {
		return noRoom(err)
	}
	w.rows++
	return nil
}

// told is rows that are told of now and then while they are stored.
func (w *writer[R]) told(rows iter.Seq2[*bulk.Row[R], error]) iter.Seq2[*bulk.Row[R], error] {
	if w.Told == nil {
		return rows
	}
	return func(yield func(*bulk.Row[R], error) bool) {
		const often = 1000
		done := int64(0)
		for row, err := range rows {
			done++
			if done%often == 0 {
				w.Told(done, w.rows)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// keep appends a record with its length.
func (w *writer[R]) keep(record *R) (err error) {
	if w.record, err = w.codec.Append(w.record[:0], record); err != nil {
		return fault.Wrap(fault.Internal, err, "a checked row cannot be written")
	}
	w.buffer = append(binary.AppendUvarint(w.buffer, uint64(len(w.record))), w.record...)
	return nil
}

// all yields the rows that were kept.
func (w *writer[R]) all() iter.Seq2[*bulk.Row[R], error] {
	return func(yield func(*bulk.Row[R], error) bool) {
		var row bulk.Row[R]
		for group, err := range w.to.Groups() {
			if err != nil {
				yield(nil, noRoom(err))
				return
			}
			for i := range group {
				if !w.read(&group[i], &row) {
					yield(nil, fault.New(fault.Unavailable, "line %d was changed on the disk; nothing was stored", group[i].Line))
					return
				}
				if !yield(&row, nil) {
					return
				}
			}
		}
	}
}

// read reads what take has kept.
func (w *writer[R]) read(e *sorted.Entry, row *bulk.Row[R]) bool {
	*row = bulk.Row[R]{Line: e.Line, Checked: w.Existing == "", Removes: e.Mark&removes != 0, Known: e.Mark&known != 0, Anyway: e.Mark&anyway != 0, ByID: e.Mark&byID != 0}
	nth, n := binary.Uvarint(e.Written)
	place, m := binary.Uvarint(e.Written[max(n, 0):])
	if n <= 0 || m <= 0 {
		return false
	}
	row.Nth, row.Place = int(nth), int64(place)
	rest, is := w.scan(e.Written[n+m:], &row.Record)
	if is && e.Mark&hasSeen != 0 {
		row.Seen = new(R)
		rest, is = w.scan(rest, row.Seen)
	}
	row.Foreign = string(rest)
	return is
}

// scan reads a record with its length.
func (w *writer[R]) scan(written []byte, record *R) (rest []byte, is bool) {
	size, n := binary.Uvarint(written)
	if n <= 0 || size > uint64(len(written)-n) {
		return nil, false
	}
	written = written[n:]
	return written[size:], w.codec.Scan(written[:size], record)
}
