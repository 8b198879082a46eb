package sqlite

import (
	"cmp"
	"context"

	"daybook/db/sqlite/internal/gen"
)

// whole is one transaction in which several methods of a Store take part.
type whole struct {
	writer *writer
	tx     *tx
	err    error // of the first failed part
}

type wholeKey struct{}

// Atomically does work in one transaction, whatever number of Store methods it calls: it stores
// everything or nothing. The context of work identifies the transaction. It is valid until work
// returns, and only on its goroutine.
//
// Checks for an empty store see what the transaction has stored. Other reads do not, and long reads are
// refused. All other writes wait for its end. Work may be done twice, so it changes nothing outside
// except what it sets again each time.
//
// The error is the error of work or of the first failed part. Unavailable: nothing was stored.
// OutcomeUnknown: everything was stored, or nothing.
func (s *Store) Atomically(ctx context.Context, work func(ctx context.Context) error) error {
	return s.writer.write(ctx, func(ctx context.Context, q *tx) error {
		w := &whole{writer: s.writer, tx: q}
		err := work(context.WithValue(ctx, wholeKey{}, w))
		return cmp.Or(w.err, err)
	})
}

// wholeOf returns the transaction of a context, nil if it has none of this writer.
func wholeOf(ctx context.Context, writer *writer) *whole {
	if w, _ := ctx.Value(wholeKey{}).(*whole); w != nil && w.writer == writer {
		return w
	}
	return nil
}

// do does a part. After a failed part it does no other, because the transaction will be rolled back.
func (w *whole) do(ctx context.Context, part work) error {
	if w.err == nil {
		w.err = part(ctx, w.tx)
	}
	return w.err
}

// newest returns the queries for the newest state. In a transaction they see what the transaction has
// stored so far.
func (s *Store) newest(ctx context.Context) *gen.Queries {
	if w := wholeOf(ctx, s.writer); w != nil {
		return w.tx.Queries
	}
	return s.reader
}
