package soak_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"pgregory.net/rapid"
)

// table has the rows of the model by id. An id is never used twice.
type table[T any] struct {
	rows map[int64]T
	last int64
}

// add adds a row under a new id.
func (t *table[T]) add(row func(id int64) T) (int64, T) {
	if t.rows == nil {
		t.rows = map[int64]T{}
	}
	t.last++
	t.rows[t.last] = row(t.last)
	return t.last, t.rows[t.last]
}

func (t *table[T]) remove(id int64) { delete(t.rows, id) }

// list returns the rows in the order of their ids.
func (t *table[T]) list() []T {
	rows := make([]T, 0, len(t.rows))
	for _, id := range slices.Sorted(maps.Keys(t.rows)) {
		rows = append(rows, t.rows[id])
	}
	return rows
}

// find returns the first row, by id, that matches.
func (t *table[T]) find(matches func(T) bool) (id int64, row T, found bool) {
	for _, id := range slices.Sorted(maps.Keys(t.rows)) {
		if matches(t.rows[id]) {
			return id, t.rows[id], true
		}
	}
	return 0, row, false
}

// drawID draws an id: mostly of an existing row, sometimes of a removed row or of none.
func (t *table[T]) drawID(rt *rapid.T, label string) int64 {
	ids := slices.Sorted(maps.Keys(t.rows))
	if len(ids) > 0 && rapid.IntRange(0, 7).Draw(rt, label+" is there") > 0 {
		return rapid.SampledFrom(ids).Draw(rt, label)
	}
	return rapid.Int64Range(1, t.last+2).Draw(rt, label)
}

// pageOf is a page of a list as the interface answers it.
type pageOf[T any] struct {
	Items []T    `json:"items"`
	Next  *int64 `json:"next"`
}

// pages reads a list page by page, and compares each page with the rows of the model that match.
func pages[T any](w *world, t *rapid.T, target string, query url.Values, rows []T, id func(T) int64) {
	limit := rapid.IntRange(1, 7).Draw(t, "limit")
	query.Set("limit", strconv.Itoa(limit))
	for {
		want := pageOf[T]{Items: rows[:min(limit, len(rows))]}
		if want.Items == nil {
			want.Items = []T{}
		}
		rows = rows[len(want.Items):]
		if len(rows) > 0 {
			last := id(want.Items[limit-1])
			want.Next = &last
		}
		w.read(t, request{method: http.MethodGet, target: target + "?" + query.Encode()}, outcome{status: http.StatusOK, answer: want})
		if want.Next == nil {
			return
		}
		query.Set("after", strconv.FormatInt(*want.Next, 10))
	}
}

// deletion returns a request that removes a record. It draws one of the ways to send the id.
func deletion(t *rapid.T, target string, id int64) request {
	r := request{method: http.MethodDelete, target: target}
	switch rapid.IntRange(0, 4).Draw(t, "id in") {
	case 0:
		r.body = fmt.Sprintf(`{"id":"%d"}`, id)
	case 1:
		r.body = fmt.Sprintf(`{"id":%d}`, id)
	case 2:
		r.body = fmt.Sprintf(`[{"id":%d}]`, id)
	case 3:
		r.target += fmt.Sprintf("?id=%d", id)
	default:
		r.target += fmt.Sprintf("/%d", id)
	}
	return r
}
