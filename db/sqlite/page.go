package sqlite

import (
	"context"
	"encoding/base64"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/fault"
	"daybook/internal/listing"
)

// A page of trades, of budget lines or of actuals is read by one query, which is composed
// here from the filters that are set. sqlc cannot compose it: a query that has every filter,
// as `? IS NULL OR column = ?`, uses no index, and one query for each choice of filters,
// order and direction would be hundreds. Every word of a query is a constant of this
// package; values are bound.

// list is a table that is read in pages.
type list struct {
	table   string
	columns []string // the id first
	// notByID are columns that the index on the ids does not hold. A list by id that is
	// filtered on one of them is read along the table and sorted, because to look up each
	// record by its id takes ten times as long.
	notByID []string
}

// order is what a list is sorted by before the id.
type order struct {
	name    string   // in a place; none is by id alone
	value   string   // what a record is sorted by, an integer or a text
	text    bool     // value is a text
	columns []string // by which SQLite sorts
	// The table that has the columns, and what joins the list to it.
	join string
	on   string
	// bound are the columns of a value; without it the value is the one column.
	bound func(value int64) []any
}

// byColumn is the order by an integer.
func byColumn(column string) order {
	return order{name: column, value: column, columns: []string{column}}
}

// page is which records of a list are read, and in which order.
type page struct {
	list  *list
	where []condition
	sort  order
	down  bool
	after listing.Place
	limit int
}

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

// readPage reads a page. Unavailable. Invalid: after is no place in the order of the page.
func readPage[T any](ctx context.Context, s *Store, p page, record func(*scanner, *cursor.Rows) T) (read listing.Page[T], err error) {
	q, err := p.query()
	if err != nil {
		return read, err
	}
	last := listing.Place("")
	page := func(c *scanner) error {
		return c.each(q, func(row *cursor.Rows) bool {
			if len(read.Records) == p.limit { // one more tells that a page follows
				read.Next = last
				return false
			}
			if read.Records = append(read.Records, record(c, row)); len(read.Records) == p.limit {
				last = p.placeOf(row)
			}
			return true
		})
	}
	// Some orders and filters make SQLite go through the whole table.
	err = s.long(ctx, func(ctx context.Context) error { return s.scan(ctx, page) })
	return read, err
}

// query is text and what is bound to it, integers and texts.
type query struct {
	text  string
	bound []any
}

// query is the query for the page and one record more.
func (p page) query() (q query, err error) {
	var conditions []string
	if p.sort.on != "" {
		conditions = append(conditions, p.sort.on)
	}
	for _, c := range p.where {
		conditions, q.bound = append(conditions, c.column+" "+c.holds), append(q.bound, c.value)
	}
	sorted, direction, beyond := p.sorted(), "", " > "
	if p.down {
		direction, beyond = " DESC", " < "
	}
	if p.after == "" {
		conditions = append(conditions, sorted[len(sorted)-1]+" > 0") // ids count from 1
	} else {
		values, err := p.valuesAt(p.after)
		if err != nil {
			var fields fault.Fields
			fields.Add("after", "must be the `next` of a page in the same order; begin the list anew")
			return q, fields.Err()
		}
		places := strings.Repeat(", ?", len(values))[2:]
		conditions = append(conditions, "("+strings.Join(sorted, ", ")+")"+beyond+"("+places+")")
		q.bound = append(q.bound, values...)
		if len(sorted) > 1 || p.down {
			conditions = append(conditions, "+id > 0")
		}
	}
	columns := strings.Join(p.list.columns, ", ")
	if p.sort.name != "" {
		columns += ", " + p.sort.value
	}
	q.text = "SELECT " + columns + " FROM " + p.sort.join + p.list.table + " WHERE " + strings.Join(conditions, " AND ") +
		" ORDER BY " + strings.Join(sorted, direction+", ") + direction + " LIMIT ?"
	q.bound = append(q.bound, int64(p.limit)+1)
	return q, nil
}

// sorted are the columns of the order with the id. A plus keeps SQLite from finding the
// records by their ids.
func (p page) sorted() []string {
	notByID := func(c condition) bool { return slices.Contains(p.list.notByID, c.column) }
	if p.sort.name == "" && slices.ContainsFunc(p.where, notByID) {
		return []string{"+id"}
	}
	return append(slices.Clip(p.sort.columns), "id")
}

// sortKey is where a record is in a list: by id, the id; otherwise also the order and the value that
// the record is sorted by, since the record may change before the next page is read.
type sortKey struct {
	id     int64
	number int64
	text   string
}

// placeOf writes the place of the record in a row.
func (p page) placeOf(row *cursor.Rows) listing.Place {
	at := sortKey{id: row.Int(0)}
	switch value := len(p.list.columns); {
	case p.sort.name == "":
	case p.sort.text:
		at.text = string(row.Text(value))
	default:
		at.number = row.Int(value)
	}
	return p.written(at)
}

func (p page) written(at sortKey) listing.Place {
	id := strconv.FormatInt(at.id, 10)
	if p.sort.name == "" {
		return listing.Place(id)
	}
	parts := []string{p.order(), id, strconv.FormatInt(at.number, 10), at.text}
	return listing.Place(base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, "\n"))))
}

// valuesAt reads what written wrote, as values of the sorted columns. By id, any number is a place.
// In another order only a place that a page gave is one: any other would stand for no record.
func (p page) valuesAt(after listing.Place) (values []any, err error) {
	if p.sort.name == "" {
		id, err := strconv.ParseInt(string(after), 10, 64)
		return []any{id}, err
	}
	at, err := p.keyAt(after)
	if err != nil {
		return nil, err
	}
	if at.id < 1 || p.sort.text && at.number != 0 || !p.sort.text && at.text != "" || p.written(at) != after {
		return nil, errors.New("not given by a page")
	}
	switch {
	case p.sort.text:
		values = []any{at.text}
	case p.sort.bound != nil:
		values = p.sort.bound(at.number)
	default:
		values = []any{at.number}
	}
	return append(values, at.id), nil
}

func (p page) keyAt(after listing.Place) (at sortKey, err error) {
	letters, err := base64.RawURLEncoding.DecodeString(string(after))
	if err != nil {
		return at, err
	}
	parts := strings.SplitN(string(letters), "\n", 4) // a text may have a line end, the others have none
	if len(parts) != 4 || parts[0] != p.order() {
		return at, errors.New("of another order")
	}
	if at.id, err = strconv.ParseInt(parts[1], 10, 64); err != nil {
		return at, err
	}
	at.text = parts[3]
	at.number, err = strconv.ParseInt(parts[2], 10, 64)
	return at, err
}

// order names the order of the page.
func (p page) order() string {
	if p.down {
		return p.sort.name + " DESC"
	}
	return p.sort.name
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
