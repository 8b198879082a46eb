package sqlite

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/journal"
	"daybook/internal/listing"
)

// A page of trades, of budget lines or of actuals is read by a query that is composed
// here from the filters that are set. sqlc cannot: a query that has every filter, as
// `? IS NULL OR column = ?`, finds its records by none of them, and one for each choice of
// filters, order and direction would be hundreds. Every word of a query is a constant of
// this package; values are bound.

// list is a table that is read in pages.
type list struct {
	table   string
	of      journal.Entity
	columns string    // the id first
	key     []keyPart // what the table is clustered on, or an index, as far as records are found by it
	byID    bool      // its records lie in the order of their ids
}

// keyPart is a column of the key. Where none of its values is asked for, but one of a
// column that comes later, every one stands in its place, so that the records are still
// found, in as many short ranges.
type keyPart struct {
	column string
	every  string // value that there is, "" in the last column
}

// page is which records of a list are read, and in which order.
type page struct {
	list  *list
	where []condition
	sort  order // before the id
	down  bool
	after listing.Place
	limit int
	walk  int64 // by id: so many ids are gone through before all the table is
	least int   // of a stretch
	most  int
	trial int
}

// newPage is a page of all records of a list in an order.
func newPage(of *list, by order) page {
	return page{list: of, sort: by, least: leastStretch, most: mostStretch, trial: trialRows}
}

// fewRecords is how many records, found by the key or an index, are sooner sorted than
// looked for among all others.
const fewRecords = 50_000

// condition is on a column; holds says what of it, with a place for the value.
type condition struct {
	column string
	holds  string
	value  any // int64 or string
}

// narrow appends a condition where there is a value, an integer or a text of some name.
func narrow[T any](where []condition, column, holds string, value *T) []condition {
	if value == nil {
		return where
	}
	if v := reflect.ValueOf(*value); v.CanInt() {
		return append(where, condition{column, holds, v.Int()})
	}
	return append(where, condition{column, holds, reflect.ValueOf(*value).String()})
}

// readPage reads a page, for all who ask for it at the time. Unavailable. Invalid: after,
// as rankAt has it.
func readPage[T any](ctx context.Context, s *Store, p page, record func(*scanner, *cursor.Rows) T) (listing.Page[T], error) {
	after, err := p.rankAt(p.after)
	if err != nil {
		return listing.Page[T]{}, err
	}
	what := fmt.Sprintf("%s after %q, %d of them", p.what(), p.after, p.limit)
	return together(ctx, s, what, func(v *view) (read listing.Page[T], err error) {
		one := p
		one.limit++ // one more tells whether a page follows
		found, err := pageOf(v, one, after, record)
		read.Records = found.records
		if len(found.records) > p.limit {
			read.Records, read.Next = found.records[:p.limit], p.placeOf(found.ranks[p.limit-1])
		}
		// It may have gone through everything, which no other page does soon: with as many
		// connections as processors, what each keeps of it is more than all that is remembered.
		return read, errors.Join(err, v.conn.Exec("PRAGMA shrink_memory"))
	})
}

// what names all that a page is one of.
func (p page) what() string {
	return fmt.Sprintf("%s by %s where %#v", p.list.table, p.order(), p.where)
}

// placed are records and where each stands.
type placed[T any] struct {
	records []T
	ranks   []rank
}

// pageOf reads a page. In the order of the ids an index finds the records, but what
// most filters are about stands in the table, where each has to be looked up at random:
// 33 seconds for two million that do not match. So that is done for some ids only. Where
// they do not fill the page, and in every other order, it is a part of a stretch.
func pageOf[T any](v *view, p page, after rank, record func(*scanner, *cursor.Rows) T) (read placed[T], err error) {
	known, err := v.knownStretch(p)
	if err != nil {
		return read, err
	}
	if ranks, found := known.next(p, after); found {
		if read, err = readAt(v, p, ranks, record); err != nil || len(read.records) == len(ranks) {
			return read, err
		}
		known = stretch{} // of records that are gone, though no entry tells of it
	}
	if p.sort.by == "" {
		near, filled, err := walkedBy(v, p, known, after, record)
		if err != nil || filled {
			return near, err
		}
	}
	ranks, err := v.readStretch(p, known, after)
	if err != nil {
		return read, err
	}
	return readAt(v, p, ranks, record)
}

// walkedBy reads a page along the index on the ids, and reports whether there is no more
// of it. Where others lie between its records, it is remembered.
func walkedBy[T any](v *view, p page, known stretch, after rank, record func(*scanner, *cursor.Rows) T) (read placed[T], filled bool, err error) {
	walked, through := stretch{from: after, to: p.finish()}, p.finish().id
	if len(p.where) > 0 {
		if few, err := v.leavesFew(p); few || err != nil {
			return read, false, err
		}
		if through, err = v.walkedThrough(p, after.id); err != nil {
			return read, false, err
		}
	}
	err = v.each(p.walked(after.id, through), func(row *cursor.Rows) bool {
		walked.ranks = append(walked.ranks, rank{id: row.Int(0)})
		read.records = append(read.records, record(v.scanner, row))
		return true
	})
	read.ranks = walked.ranks
	if n := len(walked.ranks); n == p.limit {
		walked.to, filled = walked.ranks[n-1], true
	}
	filled = filled || through == p.finish().id
	if err == nil && filled && len(p.where) > 0 {
		v.keepStretch(p, known.and(p, walked).cut(p))
	}
	return read, filled, err
}

// walkedThrough is the last of the ids that are walked.
func (s *scanner) walkedThrough(p page, after int64) (through int64, err error) {
	through = p.finish().id
	q := "SELECT id FROM " + p.list.table + " WHERE id " + p.past() + " ? ORDER BY id" + p.direction() + " LIMIT 1"
	err = s.each(query{q, []any{after}}, func(row *cursor.Rows) bool {
		if first := row.Int(0); p.down {
			through = max(first-p.walk, through)
		} else {
			through = first + p.walk
		}
		return true
	})
	return through, err
}

func (p page) past() string {
	if p.down {
		return "<"
	}
	return ">"
}

func (p page) direction() string {
	if p.down {
		return " DESC"
	}
	return ""
}

// query is text and what is bound to it, integers and texts.
type query struct {
	text  string
	bound []any
}

// walked is the query for those after an id up to and with another, along the index on it:
// a plus keeps SQLite from finding them by anything else.
func (p page) walked(after, through int64) query {
	conditions, bound := []string{"id " + p.past() + " ?", "? " + p.past() + "= id"}, []any{after, through}
	for _, c := range p.where {
		conditions, bound = append(conditions, "+"+c.column+" "+c.holds), append(bound, c.value)
	}
	q := "SELECT " + p.list.columns + " FROM " + p.list.table + " WHERE " + strings.Join(conditions, " AND ") +
		" ORDER BY id" + p.direction() + " LIMIT ?"
	return query{q, append(bound, int64(p.limit))}
}

// passed are the conditions on the parts of the key that no filter names, before one that a
// filter does: each of their values stands.
func (p page) passed() []string {
	var passed, waiting []string
	for _, part := range p.list.key {
		if p.names(part.column) {
			passed, waiting = append(passed, waiting...), nil
		} else {
			waiting = append(waiting, part.column+" IN "+part.every)
		}
	}
	return passed
}

// names reports whether a filter is on the column.
func (p page) names(column string) bool {
	return slices.ContainsFunc(p.where, func(c condition) bool { return c.column == column })
}

// keyed reports whether records are found by the column along the key.
func (p page) keyed(column string) bool {
	return slices.ContainsFunc(p.list.key, func(part keyPart) bool { return part.column == column })
}

// leavesFew reports whether the filters on the key find few records: they are counted along
// it, until they are too many.
func (s *scanner) leavesFew(p page) (bool, error) {
	key := p.list.key
	if !p.names(key[len(key)-1].column) && (len(key) == 1 || !p.names(key[0].column) || !p.names(key[1].column)) {
		return false, nil
	}
	n, err := s.count(p.counted(fewRecords + 1))
	return n <= fewRecords, err
}

// counted is the query for how many records the filters on the key leave, most at most.
func (p page) counted(most int64) query {
	conditions, bound := p.passed(), []any(nil)
	for _, c := range p.where {
		if p.keyed(c.column) {
			conditions, bound = append(conditions, c.column+" "+c.holds), append(bound, c.value)
		}
	}
	q := "SELECT count(*) FROM (SELECT 1 FROM " + p.list.table + " WHERE " + strings.Join(conditions, " AND ") + " LIMIT ?)"
	return query{q, append(bound, most)}
}

// each goes through the rows that a query gives, until it is told that they are enough.
func (s *scanner) each(q query, row func(*cursor.Rows) (more bool)) (err error) {
	rows, err := s.conn.Prepare(q.text)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // what it failed with is the error of Next
	if err := rows.Bind(q.bound...); err != nil {
		return err
	}
	for {
		more, err := rows.Next()
		if err != nil || !more {
			return err
		}
		if !row(rows) {
			_, err = rows.Next() // tells of a column that was not what it was read as
			return err
		}
	}
}

// count is the one number that a query gives.
func (s *scanner) count(q query) (n int64, err error) {
	err = s.each(q, func(row *cursor.Rows) bool {
		n = row.Int(0)
		return true
	})
	return n, err
}
