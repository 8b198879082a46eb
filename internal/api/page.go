package api

import (
	"fmt"

	"github.com/gin-gonic/gin"
)

// The number of records on a page.
const (
	defaultLimit = 100
	mostLimit    = 1000
)

// pageBody is a page of a list; next is what to send as `after` for the one that
// follows, null on the last.
type pageBody[Body any, ID ~int64] struct {
	Items []Body `json:"items"`
	Next  *ID    `json:"next"`
}

// pageParameters reads `after`, an id, and `limit`, 1 to 1000.
func pageParameters[ID ~int64](f *form) (after ID, limit int) {
	after = optional(f, "after", 0, whole(func(n int64) (ID, error) {
		if n < 0 {
			return 0, fmt.Errorf("must be 0 or more, got %d", n)
		}
		return ID(n), nil
	}))
	limit = optional(f, "limit", defaultLimit, whole(func(n int64) (int, error) {
		if n < 1 || n > mostLimit {
			return 0, fmt.Errorf("must be 1 to %d, got %d", mostLimit, n)
		}
		return int(n), nil
	}))
	return after, limit
}

// page answers the first limit of the records; one more of them tells that there is
// a next page.
func page[T, Body any, ID ~int64](c *gin.Context, records []T, limit int, body func(T) Body, id func(T) ID, err error) error {
	if err != nil {
		return err
	}
	answer := pageBody[Body, ID]{Items: []Body{}}
	if len(records) > limit {
		records = records[:limit]
		last := id(records[limit-1])
		answer.Next = &last
	}
	for _, r := range records {
		answer.Items = append(answer.Items, body(r))
	}
	return ok(c, answer, nil)
}
