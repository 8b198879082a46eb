package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"daybook/internal/fault"
)

// identity is the id that a request gives in its body, its query or its path; 0 when
// in none. Invalid: it is no number. ConflictingIdentifiers: two that differ.
func identity[T ~int64](c *gin.Context, body *form) (T, error) {
	query := queryForm(c)
	given := slices.AppendSeq(slices.Collect(body.named("id")), query.named("id"))
	if segment := c.Param("id"); segment != "" {
		given = append(given, value{queryKind, segment})
	}
	wrong := slices.Concat(body.wrong, query.wrong)
	ids := make([]T, len(given))
	for i, v := range given {
		n, err := id[T]()(v)
		wrong.Check("id", err)
		ids[i] = n
	}
	if err := wrong.Err(); err != nil {
		return 0, err
	}
	switch ids = slices.Compact(ids); {
	case len(ids) == 0:
		return 0, nil
	case len(ids) > 1:
		return 0, fault.New(fault.ConflictingIdentifiers, "the request names two ids, %d and %d", ids[0], ids[1])
	case ids[0] < 1:
		return 0, fault.New(fault.NotFound, "there is no record %d; ids count from 1", ids[0])
	}
	return ids[0], nil
}

// deletion answers a DELETE: it finds the id, which must be there, and removes the
// record.
func deletion[T ~int64, R, Body any](c *gin.Context, remove func(context.Context, T) (R, error), body func(R) Body) error {
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
	removed, err := remove(once(c, http.StatusOK, body), id)
	return ok(c, body(removed), err)
}
