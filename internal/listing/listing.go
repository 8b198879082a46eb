// Package listing is how a long list is read: page by page, each from the place where the
// one before it ended.
package listing

// Place is where a page ended: what the list is sorted by had this value there, and the
// record this id. So the page that follows does not depend on what becomes of that record.
// Only the store that gave a place reads it; "" is the start of the list.
type Place string

// Page is a part of a list. Next is the place where the following page begins, "" on the
// last one.
type Page[T any] struct {
	Records []T
	Next    Place
}
