package rows

import (
	"iter"

	"daybook/db/sqlite/sqlerr"
)

// PageSize is how many rows one short read takes.
const PageSize = 1000

// Pages yields records in short reads of a given size. No read is open while the caller handles a
// record. page returns up to most records after last, which is nil at the start. In a damaged file a
// page may lead back to an earlier one, so records that are out of the order of compare are an error.
// Otherwise the loop might never end.
func Pages[T any](size int, compare func(a, b *T) int, page func(last *T, most int64) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var last *T
		for {
			records, err := page(last, int64(size))
			if err != nil {
				var none T
				yield(none, sqlerr.Classify(err))
				return
			}
			for i := range records {
				if last != nil && compare(last, &records[i]) >= 0 {
					var none T
					yield(none, sqlerr.Classify(sqlerr.ErrDisorder))
					return
				}
				if last = &records[i]; !yield(records[i], nil) {
					return
				}
			}
			if len(records) < size {
				return
			}
			end := records[len(records)-1] // a copy, so that the page can be freed
			last = &end
		}
	}
}

// Map maps a slice.
func Map[A, B any](from []A, f func(A) B) []B {
	to := make([]B, len(from))
	for i, a := range from {
		to[i] = f(a)
	}
	return to
}
