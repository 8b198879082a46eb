package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"daybook/internal/fault"
	"daybook/internal/field"
)

// creation responds to a request that writes the record in its body: it reads the record, writes it,
// once if the request has a key, and responds with what was written.
func creation[T any](c *request, status int, fields field.List[T], add func(context.Context, T) (T, error)) error {
	return creationAs(c, status, func(f *form) T { return fields.Read(f, &f.wrong) }, add, fields.Append)
}

// creationAs is creation with another form of the body, and of the answer.
func creationAs[T any](c *request, status int, read func(*form) T, add func(context.Context, T) (T, error), encode encoder[T]) error {
	f, err := wrappable(c)
	if err != nil {
		return err
	}
	record := read(f)
	if err := f.err(); err != nil {
		return err
	}
	written, err := add(once(c, status, encode), record)
	return answer(c, status, written, encode, err)
}

// edit responds to a PATCH of the record in the path: it reads the fields to set, and in `was` those
// that the client saw, changes the record, and responds with all of it.
func edit[T ~int64, R any](c *request, fields field.List[R], update func(context.Context, T, field.Change[R]) (R, error)) error {
	f, err := wrappable(c)
	if err != nil {
		return err
	}
	seen, err := f.inner("was")
	if err != nil {
		return err
	}
	change := field.Change[R]{To: fields.ReadPart(f, &f.wrong), Was: fields.ReadPart(seen, &seen.wrong)}
	for _, wrong := range seen.wrong {
		f.wrong.Add("was."+wrong.Field, "%s", wrong.Message)
	}
	if seen.twice != "" {
		f.twice = "was." + seen.twice
	}
	id, err := identity[T](c, f) // with all errors of the form
	if err != nil {
		return err
	}
	written, err := update(once(c, http.StatusOK, fields.Append), id, change)
	return answer(c, http.StatusOK, written, fields.Append, err)
}

// identity is the id that a request gives in its body, its query or its path, as `id` or under
// another of its names; 0 if in none. Invalid: it is not a number. ConflictingIdentifiers: it gives
// two that differ.
func identity[T ~int64](c *request, body *form, names ...string) (T, error) {
	query := queryForm(c)
	wrong := slices.Concat(body.wrong, query.wrong)
	var ids []T
	take := func(name string, v field.Value) {
		n, err := field.AnyID[T]()(v)
		wrong.Check(name, err)
		ids = append(ids, n)
	}
	for _, name := range slices.Concat([]string{"id"}, names) {
		for _, f := range []*form{body, query} {
			for v := range f.named(name) {
				take(name, v)
			}
		}
	}
	if segment := c.Param("id"); segment != "" {
		take("id", field.Value{Kind: field.Untyped, Text: segment})
	}
	if err := cmp.Or(body.repeated(), wrong.Err()); err != nil {
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

// deletion responds to a DELETE: it finds the id, under `id` or another of its names, and removes the
// record. MissingIdentifier: there is no id.
func deletion[T ~int64, R any](c *request, remove func(context.Context, T) (R, error), encode encoder[R], names ...string) error {
	f, err := identifying(c)
	if err != nil {
		return err
	}
	id, err := identity[T](c, f, names...)
	if err != nil {
		return err
	}
	if id == 0 {
		return fault.New(fault.MissingIdentifier, "say which record: id in the body, ?id= in the query, or the last part of the path")
	}
	removed, err := remove(once(c, http.StatusOK, encode), id)
	return answer(c, http.StatusOK, removed, encode, err)
}
