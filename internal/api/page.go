package api

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/field"
	"daybook/internal/listing"
	"daybook/internal/text"
)

// The number of records on a page.
const (
	defaultLimit = 100
	mostLimit    = 1000
)

// pageParameters reads `after`, an id, and `limit`, 1 to 1000.
func pageParameters[ID ~int64](f *form) (after ID, limit int) {
	after = optional(f, "after", 0, field.Whole(func(n int64) (ID, error) {
		if n < 0 {
			return 0, fmt.Errorf("must be 0 or more, got %d", n)
		}
		return ID(n), nil
	}))
	return after, limitParameter(f)
}

// order is how a list with several orders is to be read.
type order[Sort ~string] struct {
	by    Sort
	byID  bool // the default; then `next` and `after` are ids
	down  bool
	after listing.Place
	limit int
}

// orderParameters reads `sort`, `after` and `limit`. `sort` is one of the names, by default the first,
// which is by id; a minus sign before it means downwards.
func orderParameters[Sort ~string](f *form, names []Sort) order[Sort] {
	var orders []Sort
	for _, name := range names {
		orders = append(orders, name, "-"+name)
	}
	chosen := optional(f, "sort", names[0], field.String(func(raw string) (Sort, error) { return text.OneOf(raw, orders...) }))
	name, down := strings.CutPrefix(string(chosen), "-")
	o := order[Sort]{by: Sort(name), byID: Sort(name) == names[0], down: down}
	o.after, o.limit = placeParameters(f, o.byID)
	return o
}

// placeParameters reads `after`, the `next` of the page before, and `limit`.
func placeParameters(f *form, byID bool) (after listing.Place, limit int) {
	if byID {
		var id int64
		if id, limit = pageParameters[int64](f); id > 0 {
			after = listing.Place(strconv.FormatInt(id, 10))
		}
		return after, limit
	}
	after = optional(f, "after", "", field.String(func(raw string) (listing.Place, error) {
		if raw == "0" {
			raw = ""
		}
		return listing.Place(raw), nil
	}))
	return after, limitParameter(f)
}

func limitParameter(f *form) int {
	return optional(f, "limit", defaultLimit, field.Whole(func(n int64) (int, error) {
		if n < 1 || n > mostLimit {
			return 0, fmt.Errorf("must be 1 to %d, got %d", mostLimit, n)
		}
		return int(n), nil
	}))
}

// orderedPage responds with a page of a list that has several orders. By id, next is a number.
func orderedPage[T any](c *request, p listing.Page[T], byID bool, encode encoder[T], err error) error {
	if err != nil {
		return err
	}
	var next *any
	switch {
	case p.Next == "":
	case byID:
		next = new(any(jsontext.Value(p.Next)))
	default:
		next = new(any(p.Next))
	}
	return writePage(c, p.Records, next, encode)
}

// page responds with the first limit of the records. If there is one more, there is a next page.
func page[T, After any](c *request, records []T, limit int, encode encoder[T], after func(T) After, err error) error {
	if err != nil {
		return err
	}
	var next *After
	if len(records) > limit {
		records = records[:limit]
		next = new(after(records[limit-1]))
	}
	return writePage(c, records, next, encode)
}

// writePage responds with a page. Next is the `after` of the page that follows, null on the last one.
func writePage[T, After any](c *request, records []T, next *After, encode encoder[T]) error {
	r := newResponse(c)
	defer r.close()
	part := []byte(`{"items":[`)
	for i := range records {
		if i > 0 {
			part = append(part, ',')
		}
		var err error
		if part, err = encode(part, &records[i]); err == nil {
			_, err = r.Write(part)
		}
		if err != nil {
			return err
		}
		part = part[:0]
	}
	after, err := json.Marshal(next)
	if err == nil {
		_, err = r.Write(fmt.Appendf(part, `],"next":%s}`, after))
	}
	if err != nil {
		return err
	}
	r.send(http.StatusOK)
	return nil
}
