package sqlite

import (
	"context"
	"iter"
)

// pageSize is how many rows one short read takes.
const pageSize = 1000

// pages yields records in short reads, none of which is open while the caller looks
// at a record. page returns up to most records after the last one yielded, which is
// nil at the start.
func pages[T any](page func(last *T, most int64) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var last *T
		for {
			records, err := page(last, pageSize)
			if err != nil {
				var none T
				yield(none, classify(err))
				return
			}
			for i := range records {
				if !yield(records[i], nil) {
					return
				}
			}
			if len(records) < pageSize {
				return
			}
			last = &records[len(records)-1]
		}
	}
}

// ahead reads each page while the one before it is looked at.
func ahead[T any](page func(last *T, most int64) ([]T, error)) func(last *T, most int64) ([]T, error) {
	type result struct {
		records []T
		err     error
	}
	coming := make(chan result, 1) // room for a page that nobody comes for
	fetch := func(last *T, most int64) {
		records, err := page(last, most)
		coming <- result{records, err}
	}
	return func(last *T, most int64) ([]T, error) {
		if last == nil {
			fetch(nil, most)
		}
		got := <-coming
		if n := len(got.records); got.err == nil && int64(n) == most {
			newest := got.records[n-1]
			go fetch(&newest, most)
		}
		return got.records, got.err
	}
}

// byID is pages for rows that have an id: up to the newest there is at the start, in
// the order of their ids.
func byID[Row, T any](
	ctx context.Context,
	newest func(context.Context) (int64, error),
	list func(ctx context.Context, after, through, most int64) ([]Row, error),
	domain func(Row) T,
	id func(T) int64,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var through int64
		pages(func(last *T, most int64) ([]T, error) {
			var after int64
			if last != nil {
				after = id(*last)
			} else {
				var err error
				if through, err = newest(ctx); err != nil {
					return nil, err
				}
			}
			rows, err := list(ctx, after, through, most)
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
