package sqlite

import (
	"cmp"
	"context"
	"iter"

	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/listing"
)

// byIDAtOnce is how many rows one short read of a list by id takes. Such a row may bear a
// text of 16,000 bytes, which a client that reads slowly makes the server hold: 400 KB in
// all, within what the limit on memory for answers counts for a list.
const byIDAtOnce = 25

// byID is pages for rows that have an id: up to the newest there is at the start, in
// the order of their ids. Each read waits for its turn.
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

// eachOf maps the rows of a query, whose error it classifies.
func eachOf[A, B any](f func(A) B, found []A, err error) ([]B, error) {
	return rows.Map(found, f), sqlerr.Classify(err)
}
