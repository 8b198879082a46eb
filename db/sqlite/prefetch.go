package sqlite

import (
	"iter"

	"daybook/db/sqlite/rows"
	"daybook/internal/fault"
)

// atOnce is how many pages of a long list are read ahead of the caller.
const atOnce = 2

// prefetch yields the records with ids from 1 through newest. It reads ahead, in short reads of a range
// of ids each. read appends the records after an id, up to another, to a page that the caller no longer
// uses, so that a million records leave no garbage. read also returns reached: there are no other
// records up to that id, so that a gap in the ids costs nothing. A panic in read becomes its error.
func prefetch[T any](newest int64, read func(page []T, after, through int64) (_ []T, reached int64, err error)) iter.Seq2[T, error] {
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
			if newest-after > rows.PageSize {
				through = after + rows.PageSize
			}
			planned = through
			if into == nil {
				into = make([]T, 0, through-after) // one that grows leaves as much garbage again
			}
			next := make(chan page, 1) // room for a page that the caller does not take
			coming = append(coming, next)
			go func() {
				var got page
				defer func() {
					if p := recover(); p != nil {
						got.err = fault.Panicked(p)
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
