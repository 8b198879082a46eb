package cursor

import "iter"

// Stream yields values made of the rows of a query, one at a time. It yields a value only after Next
// has checked the types of its columns.
func Stream[T any](list *Rows, record func() T, parameters ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		defer list.Reset()
		var none, last T
		err := list.Bind(parameters...)
		for more, first := true, true; more && err == nil; first = false {
			if more, err = list.Next(); err == nil && !first && !yield(last, nil) {
				return
			}
			if more && err == nil {
				last = record()
			}
		}
		if err != nil {
			yield(none, err)
		}
	}
}
