package sqlite

import (
	"cmp"
	"context"

	"daybook/db/sqlite/internal/gen"
)

// whole is one transaction of which several methods of a Store are parts.
type whole struct {
	writer *writer
	tx     *tx
	err    error // of the first part that failed
}

type wholeKey struct{}

// Atomically does work in one transaction, however many methods of the Store it calls:
// all that it stores is stored, or nothing. The methods know the transaction by the
// context that work is given; it is good until work returns, on its goroutine.
//
// Whether the store is empty is told as of the transaction; other reads do not see what
// it stored, and long ones are refused. All other writes wait for its end. Work may be done
// twice, so it touches nothing outside but what it sets anew each time.
//
// Its error is that of work, or of the first part that failed. Unavailable: nothing was
// stored. OutcomeUnknown: all was stored, or nothing.
func (s *Store) Atomically(ctx context.Context, work func(ctx context.Context) error) error {
	return s.writer.write(ctx, func(ctx context.Context, q *tx) error {
		w := &whole{writer: s.writer, tx: q}
		err := work(context.WithValue(ctx, wholeKey{}, w))
		return cmp.Or(w.err, err)
	})
}

// wholeOf is the transaction that a context is of; nil where it is of none of the writer.
func wholeOf(ctx context.Context, writer *writer) *whole {
	if w, _ := ctx.Value(wholeKey{}).(*whole); w != nil && w.writer == writer {
		return w
	}
	return nil
}

// do does a part. After one that failed no other is done: what it left is to be taken
// back.
func (w *whole) do(ctx context.Context, part work) error {
	if w.err == nil {
		w.err = part(ctx, w.tx)
	}
	return w.err
}

// newest reads what is stored, and where the context is of a transaction what that has
// stored so far.
func (s *Store) newest(ctx context.Context) *gen.Queries {
	if w := wholeOf(ctx, s.writer); w != nil {
		return w.tx.Queries
	}
	return s.reader
}
