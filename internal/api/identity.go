package api

import (
	"github.com/gin-gonic/gin"

	"daybook/internal/fault"
)

// identity is the id that a request gives in its body, its query or its path; 0 when
// in none. Invalid: it is no number. ConflictingIdentifiers: two that differ.
func identity[T ~int64](c *gin.Context, body *form) (T, error) {
	named := queryForm(c.Request.URL.Query())
	given := []*T{
		maybe(body, "id", id[T]()),
		maybe(named, "id", id[T]()),
	}
	if segment := c.Param("id"); segment != "" {
		path := &form{}
		path.set("id", value{queryKind, segment})
		given = append(given, maybe(path, "id", id[T]()))
		named.wrong = append(named.wrong, path.wrong...)
	}
	if err := append(body.wrong, named.wrong...).Err(); err != nil {
		return 0, err
	}
	var only *T
	for _, g := range given {
		if g == nil {
			continue
		}
		if only != nil && *only != *g {
			return 0, fault.New(fault.ConflictingIdentifiers, "the request names two ids, %d and %d", *only, *g)
		}
		only = g
	}
	if only == nil {
		return 0, nil
	}
	if *only < 1 {
		return 0, fault.New(fault.NotFound, "there is no record %d; ids count from 1", *only)
	}
	return *only, nil
}

// deletion answers a DELETE: it finds the id, which must be there, and removes the
// record.
func deletion[T ~int64, R, Body any](c *gin.Context, remove func(T) (R, error), body func(R) Body) error {
	f, err := identifying(c)
	if err != nil {
		return err
	}
	id, err := identity[T](c, f)
	if err != nil {
		return err
	}
	if id == 0 {
		return fault.New(fault.MissingIdentifier, "say which record: id in the body, ?id= in the query, or the last part of the path")
	}
	removed, err := remove(id)
	return ok(c, body(removed), err)
}
