// Package listing says how a long list is read: page by page, each from the place where the page before
// it ended.
//
// It must not know what is listed.
package listing

// Place is where a page ended: the value of the last record by which the list is sorted, and its id. So
// the next page does not depend on whether that record is changed or removed. Only the store that made
// a place reads it; "" is the start of the list.
type Place string

// Page is a part of a list. Next is the place where the next page begins, "" on the last one.
type Page[T any] struct {
	Records []T
	Next    Place
}
