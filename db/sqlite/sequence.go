package sqlite

import (
	"cmp"
	"context"
	"iter"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/internal/listing"
)

// How many rows one short read takes. Those of the lists by id may bear a text of 16,000
// bytes each, which a client that reads slowly makes the server hold: 400 KB in all, within
// what the room for answers counts for a list.
const (
	pageSize   = 1000
	byIDAtOnce = 25
)

// pages yields records in short reads of some size, none of which is open while the caller
// looks at a record. page returns up to most records after the last one yielded, which is
// nil at the start. In a file that is damaged a page may lead back to an earlier one: records
// that do not rise, as compare has it, are an error, so that there is an end.
func pages[T any](size int, compare func(a, b *T) int, page func(last *T, most int64) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var last *T
		for {
			records, err := page(last, int64(size))
			if err != nil {
				var none T
				yield(none, classify(err))
				return
			}
			for i := range records {
				if last != nil && compare(last, &records[i]) >= 0 {
					var none T
					yield(none, classify(errDisorder))
					return
				}
				if last = &records[i]; !yield(records[i], nil) {
					return
				}
			}
			if len(records) < size {
				return
			}
			end := records[len(records)-1] // the others of the page are held no longer
			last = &end
		}
	}
}

// disorder is the error of rows that do not rise.
type disorder struct{}

var errDisorder error = disorder{}

func (disorder) Error() string { return "the rows of a table do not rise" }

// Code is SQLite's result code.
func (disorder) Code() int { return sqlite3.SQLITE_CORRUPT }

// atOnce is how many pages of a long list are read while the one before them is looked
// at.
const atOnce = 2

// abreast yields the records with ids from 1 through the newest, in short reads of a
// range of ids each. read appends the records after an id, through another, to a page
// that was looked at, so that a million records leave no garbage. It tells how far it
// saw: up to reached there are no others, so that a gap among the ids costs nothing. A panic
// in it is its error.
func abreast[T any](newest int64, read func(page []T, after, through int64) (_ []T, reached int64, err error)) iter.Seq2[T, error] {
	type page struct {
		records []T
		reached int64
		err     error
	}
	return func(yield func(T, error) bool) {
		var planned int64
		var coming []chan page
		plan := func(into []T) {
			after, through := planned, newest
			if after >= newest {
				return
			}
			if newest-after > pageSize {
				through = after + pageSize
			}
			planned = through
			next := make(chan page, 1) // room for a page that nobody comes for
			coming = append(coming, next)
			go func() {
				var got page
				defer func() {
					if p := recover(); p != nil {
						got.err = panicked(p)
					}
					next <- got
				}()
				got.records, got.reached, got.err = read(into[:0], after, through)
			}()
		}
		for range atOnce {
			plan(nil)
		}
		var seen []T
		for len(coming) > 0 {
			got := <-coming[0]
			coming = coming[1:]
			if got.err != nil {
				var none T
				yield(none, got.err)
				return
			}
			planned = max(planned, got.reached)
			plan(seen)
			for i := range got.records {
				if !yield(got.records[i], nil) {
					return
				}
			}
			seen = got.records
		}
	}
}

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
		pages(byIDAtOnce, func(a, b *T) int { return cmp.Compare(id(*a), id(*b)) }, func(last *T, most int64) ([]T, error) {
			var rows []Row
			err := listing.InTurn(ctx, func() (err error) {
				var after int64
				if last != nil {
					after = id(*last)
				} else if through, err = newest(ctx); err != nil {
					return err
				}
				rows, err = list(ctx, after, through, most)
				return err
			})
			return each(rows, domain), err
		})(yield)
	}
}

// each maps a slice.
func each[A, B any](from []A, f func(A) B) []B {
	to := make([]B, len(from))
	for i, a := range from {
		to[i] = f(a)
	}
	return to
}

// eachOf maps the rows of a query, whose error it classifies.
func eachOf[A, B any](f func(A) B, rows []A, err error) ([]B, error) {
	return each(rows, f), classify(err)
}
