package sqlite

import (
	"context"
	"database/sql"
	"math"
	"slices"
	"strings"

	"daybook/internal/fault"
)

// A page of trades, of budget lines or of actuals is read by a query that is composed
// here from the filters that are set. sqlc cannot: a query that has every filter, as
// `? IS NULL OR column = ?`, finds its records by none of them, and one for each choice of
// filters, order and direction would be hundreds. Every word of a query is a constant of
// this package; values are bound.

// list is a table that is read in pages.
type list struct {
	table   string
	columns string
	key     []keyPart // what the table is clustered on, as far as records are found by it
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
	after int64 // an id; 0 is the start
	limit int
	few   bool  // that match: they are gathered and sorted, whatever they are sorted by
	walk  int64 // by id: so many ids are gone through before all the table is
}

// fewRecords is how many records, found by the key or an index, are sooner sorted than
// looked for among all others.
const fewRecords = 50_000

// order is what records are sorted by before their ids.
type order struct {
	terms []string
	// Where it is the code of a parent, the column that refers to one and the table: the
	// records of the next few codes are mostly enough, and found without all others.
	column, parents string
}

// condition is on a column; holds says what of it, with a place for the value.
type condition struct {
	column string
	holds  string
	value  any
}

// narrow appends a condition where there is a value.
func narrow[T any](where []condition, column, holds string, value *T) []condition {
	if value == nil {
		return where
	}
	return append(where, condition{column, holds, *value})
}

// readPage reads a page. In the order of the ids an index finds the records, but what
// most filters are about stands in the table, where each has to be looked up at random:
// 33 seconds for two million that do not match. So that is done for some ids only, and
// what the page still lacks is gathered from the table in its own order, in half a second.
// Unavailable. Invalid: after, as reached has it.
func readPage[T any](ctx context.Context, s *Store, p page, record func(*sql.Rows) (T, error)) ([]T, error) {
	if len(p.sort.terms) > 0 {
		return readSorted(ctx, s, p, record)
	}
	if p.down && p.after == 0 {
		p.after = math.MaxInt64
	}
	if p.few {
		return readRecords(ctx, s, p.gathered([]any{p.after}), record)
	}
	through, err := s.walkedThrough(ctx, p)
	if err != nil {
		return nil, err
	}
	near, err := readRecords(ctx, s, p.walked(through), record)
	if err != nil || len(near) == p.limit || through == p.end() {
		return near, err
	}
	p.limit -= len(near)
	far, err := readRecords(ctx, s, p.gathered([]any{through}), record)
	return append(near, far...), err
}

// readSorted is readPage in another order than that of the ids.
func readSorted[T any](ctx context.Context, s *Store, p page, record func(*sql.Rows) (T, error)) ([]T, error) {
	from, err := s.reached(ctx, p)
	if err != nil {
		return nil, err
	}
	if p.sort.parents != "" && !p.few {
		first := p
		first.where = append(slices.Clone(p.where), p.nextCodes(from))
		records, err := readRecords(ctx, s, first.gathered(from), record)
		if err != nil || len(records) == p.limit {
			return records, err
		}
	}
	return readRecords(ctx, s, p.gathered(from), record)
}

// nextCodes narrows a page to the records of the first few codes from where it begins. A
// blob is above every text.
func (p page) nextCodes(from []any) condition {
	var code any = ""
	switch {
	case len(from) > 0:
		code = from[0]
	case p.down:
		code = []byte{}
	}
	return condition{p.sort.column, "IN (SELECT id FROM " + p.sort.parents + " WHERE code_key " + p.past() + "= ?" +
		" ORDER BY code_key" + p.direction() + " LIMIT 4)", code}
}

// reached is where in its order a page begins: the terms and the id of the record that it
// comes after, nothing at the start. Invalid: that record is gone.
func (s *Store) reached(ctx context.Context, p page) ([]any, error) {
	if p.after == 0 {
		return nil, nil
	}
	from := make([]any, len(p.sort.terms)+1)
	into := make([]any, len(from))
	for i := range from {
		into[i] = &from[i]
	}
	q := "SELECT " + strings.Join(p.sort.terms, ", ") + ", id FROM " + p.list.table + " WHERE id = ?"
	err := s.reading.QueryRowContext(ctx, q, p.after).Scan(into...)
	if isNoRow(err) {
		var fields fault.Fields
		fields.Add("after", "names no record that is there, so that nobody knows what follows it; begin the list anew")
		err = fields.Err()
	}
	return from, classify(err)
}

// walkedThrough is the last of the ids that are walked.
func (s *Store) walkedThrough(ctx context.Context, p page) (int64, error) {
	if p.walk == 0 || len(p.where) == 0 {
		return p.end(), nil
	}
	var first int64
	q := "SELECT id FROM " + p.list.table + " WHERE id " + p.past() + " ? ORDER BY id" + p.direction() + " LIMIT 1"
	err := s.reading.QueryRowContext(ctx, q, p.after).Scan(&first)
	switch {
	case isNoRow(err):
		return p.end(), nil
	case p.down:
		return max(first-p.walk, p.end()), classify(err)
	default:
		return first + p.walk, classify(err)
	}
}

// end is no id, but lies beyond the last in the order.
func (p page) end() int64 {
	if p.down {
		return 0
	}
	return math.MaxInt64
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

// query is text and what is bound to it.
type query struct {
	text  string
	bound []any
}

// walked is the query for those up to and with an id, along the index on it: a plus keeps
// SQLite from finding them by anything else.
func (p page) walked(through int64) query {
	conditions, bound := []string{"id " + p.past() + " ?", "? " + p.past() + "= id"}, []any{p.after, through}
	for _, c := range p.where {
		conditions, bound = append(conditions, "+"+c.column+" "+c.holds), append(bound, c.value)
	}
	return p.query(conditions, []string{"id"}, bound)
}

// gathered is the query for those after from, along the key of the table, as far as it is
// known, and sorted; the plus keeps SQLite from taking them in the order of the ids.
func (p page) gathered(from []any) query {
	terms := append(slices.Clone(p.sort.terms), "+id")
	conditions := []string{"+id > 0"} // ids count from 1
	for _, part := range p.passed() {
		conditions = append(conditions, part.column+" IN "+part.every)
	}
	var bound []any
	for _, c := range p.where {
		conditions, bound = append(conditions, c.column+" "+c.holds), append(bound, c.value)
	}
	if len(from) > 0 {
		places := strings.Repeat(", ?", len(from))[2:]
		conditions = append(conditions, "("+strings.Join(terms, ", ")+") "+p.past()+" ("+places+")")
		bound = append(bound, from...)
	}
	return p.query(conditions, terms, bound)
}

// passed are the parts of the key that no filter names, before one that a filter does.
func (p page) passed() []keyPart {
	var passed, waiting []keyPart
	for _, part := range p.list.key {
		if p.names(part.column) {
			passed, waiting = append(passed, waiting...), nil
		} else {
			waiting = append(waiting, part)
		}
	}
	return passed
}

// names reports whether a filter is on the column.
func (p page) names(column string) bool {
	return slices.ContainsFunc(p.where, func(c condition) bool { return c.column == column })
}

// counted is the query for how many records the filters on the key leave, most at most.
func (p page) counted(most int64) query {
	var conditions []string
	for _, part := range p.passed() {
		conditions = append(conditions, part.column+" IN "+part.every)
	}
	var bound []any
	for _, c := range p.where {
		if slices.ContainsFunc(p.list.key, func(part keyPart) bool { return part.column == c.column }) {
			conditions, bound = append(conditions, c.column+" "+c.holds), append(bound, c.value)
		}
	}
	q := "SELECT count(*) FROM (SELECT 1 FROM " + p.list.table + " WHERE " + strings.Join(conditions, " AND ") + " LIMIT ?)"
	return query{q, append(bound, most)}
}

func (p page) query(conditions, terms []string, bound []any) query {
	q := "SELECT " + p.list.columns + " FROM " + p.list.table + " WHERE " + strings.Join(conditions, " AND ") +
		" ORDER BY " + strings.Join(terms, p.direction()+", ") + p.direction() + " LIMIT ?"
	return query{q, append(bound, p.limit)}
}

// readRecords reads what a query gives. Unavailable.
func readRecords[T any](ctx context.Context, s *Store, q query, record func(*sql.Rows) (T, error)) ([]T, error) {
	rows, err := s.reading.QueryContext(ctx, q.text, q.bound...)
	if err != nil {
		return nil, classify(err)
	}
	defer func() { _ = rows.Close() }() // what it failed with is its Err
	var records []T
	for rows.Next() {
		r, err := record(rows)
		if err != nil {
			return nil, classify(err)
		}
		records = append(records, r)
	}
	return records, classify(rows.Err())
}
