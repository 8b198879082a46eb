package rows

import (
	"iter"

	"daybook/db/sqlite/sqlerr"
)

// PageSize is how many rows one short read takes.
const PageSize = 1000

// Pages yields records in short reads of some size, none of which is open while the caller
// looks at a record. page returns up to most records after the last one yielded, which is
// nil at the start. In a file that is damaged a page may lead back to an earlier one: records
// that do not rise, as compare has it, are an error, so that there is an end.
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
			end := records[len(records)-1] // the others of the page are held no longer
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
