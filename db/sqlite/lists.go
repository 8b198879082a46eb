package sqlite

import (
	"cmp"
	"context"
	"iter"

	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/listing"
)

// byIDAtOnce is how many rows one short read of a list by id takes. A row may have a text of 16,000
// bytes, and the server holds the rows while a slow client reads: at most 400 KB, within the memory
// that a list counts against the limit for answers.
const byIDAtOnce = 25

// byID yields rows in the order of their ids, up to the newest row at the start. Each read waits for
// its turn.
func byID[Row, T any](
	ctx context.Context,
	newest func(context.Context) (int64, error),
	list func(ctx context.Context, after, through, most int64) ([]Row, error),
	domain func(Row) T,
	id func(T) int64,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var through int64
		rows.Pages(byIDAtOnce, func(a, b *T) int { return cmp.Compare(id(*a), id(*b)) }, func(last *T, most int64) ([]T, error) {
			var found []Row
			err := listing.InTurn(ctx, func() (err error) {
				var after int64
				if last != nil {
					after = id(*last)
				} else if through, err = newest(ctx); err != nil {
					return err
				}
				found, err = list(ctx, after, through, most)
				return err
			})
			return rows.Map(found, domain), err
		})(yield)
	}
}

// eachOf maps the rows of a query, and classifies its error.
func eachOf[A, B any](f func(A) B, found []A, err error) ([]B, error) {
	return rows.Map(found, f), sqlerr.Classify(err)
}
