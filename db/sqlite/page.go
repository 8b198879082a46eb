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

// One query reads a page of trades, of budget lines or of actuals. It is composed
// here from the filters that are set. sqlc cannot compose it: a query with every filter,
// as `? IS NULL OR column = ?`, uses no index, and one query for each choice of filters,
// order and direction would be hundreds. Every word of a query is a constant of this
// package; values are bound.

// list is a table that is read in pages.
type list struct {
	table   string
	columns []string // the id first
	// notByID are columns that the index on the ids does not hold. A list by id that filters on one of
	// them is read along the table and sorted, because looking up each record by its id takes ten times
	// as long.
	notByID []string
	// key is the index of a primary key whose columns the other indexes hold too. SQLite takes it for cheaper to
	// filter a smaller index by those columns, and to look up each record, which takes forty times as long. So a list
	// that is sorted, and filters on none of the columns indexed, is read along the key. "": SQLite chooses.
	key       string
	clustered []string // the columns of the key
	indexed   []string // the columns with an index of their own
}

// order is the sort order of a list before the id.
type order struct {
	name    string   // the name in a sort key; "" means by id alone
	value   string   // an SQL expression, an integer or a text
	text    bool     // value is a text
	columns []string // the columns that SQLite sorts by
	// The table with the columns, and the condition that joins it to the list. SQLite reads this table
	// first, unless there is a condition on one of the columns narrows of the list.
	join    string
	on      string
	narrows []string
	// bound splits a value into its columns; nil: the value is the one column.
	bound func(value int64) []any
}

// byColumn is the order by an integer.
func byColumn(column string) order {
	return order{name: column, value: column, columns: []string{column}}
}

// page says which records of a list are read, and in which order.
type page struct {
	list  *list
	where []condition
	sort  order
	down  bool
	after listing.Place
	limit int      // 0 for a whole list
	along []string // of a whole list by id: the columns that SQLite sorts by instead of the id
}

// condition is a condition on a column. holds is its SQL, with a placeholder for the value.
type condition struct {
	column string
	holds  string
	value  any // int64 or string
}

// narrow appends a condition if there is a value, which is an integer or a named string type.
func narrow[T any](where []condition, column, holds string, value *T) []condition {
	if value == nil {
		return where
	}
	if v := reflect.ValueOf(*value); v.CanInt() {
		return append(where, condition{column, holds, v.Int()})
	}
	return append(where, condition{column, holds, reflect.ValueOf(*value).String()})
}

// readPage reads a page of rows as records. Unavailable. Invalid: after is not a sort key of this order.
func readPage[Row, T any](ctx context.Context, s *Store, p page, record func(Row) T) (read listing.Page[T], err error) {
	q, err := p.query()
	if err != nil {
		return read, err
	}
	page := func(c *scanner) error {
		list, err := cursor.Prepare[Row](c.conn, q.text)
		if err != nil {
			return err
		}
		defer func() { _ = list.Close() }() // All has the error
		last := listing.Place("")
		for row, err := range list.All(q.bound...) {
			if err != nil {
				return err
			}
			if len(read.Records) == p.limit { // one record more means that another page follows
				read.Next = last
				return nil
			}
			if read.Records = append(read.Records, record(*row)); len(read.Records) == p.limit {
				last = p.placeOf(list)
			}
		}
		return nil
	}
	// Some orders and filters make SQLite read the whole table.
	err = s.long(ctx, func(ctx context.Context) error { return s.scan(ctx, page) })
	return read, err
}

// query is the text of a query and its bound values, integers and texts.
type query struct {
	text  string
	bound []any
}

// query returns the query for the page and one record more.
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
	if p.after != "" {
		values, err := p.valuesAt(p.after)
		if err != nil {
			var fields fault.Fields
			fields.Add("after", "must be the `next` of a page in the same order; start again at the first page")
			return q, fields.Err()
		}
		places := strings.Repeat(", ?", len(values))[2:]
		conditions = append(conditions, "("+strings.Join(sorted, ", ")+")"+beyond+"("+places+")")
		q.bound = append(q.bound, values...)
	}
	// Ids begin at 1. The plus keeps SQLite from reading a list of another order along the ids.
	switch alone := len(sorted) == 1; {
	case alone && p.after == "":
		conditions = append(conditions, sorted[0]+" > 0")
	case !alone || p.down:
		conditions = append(conditions, "+id > 0")
	}
	columns := strings.Join(p.list.columns, ", ")
	if p.sort.name != "" {
		columns += ", " + p.sort.value
	}
	q.text = "SELECT " + columns + " FROM " + p.tables() + " WHERE " + strings.Join(conditions, " AND ") +
		" ORDER BY " + strings.Join(sorted, direction+", ") + direction
	if p.limit > 0 { // with a limit, SQLite sorts many records in a slower way
		q.text += " LIMIT ?"
		q.bound = append(q.bound, int64(p.limit)+1)
	}
	return q, nil
}

// tables returns the tables in the order in which SQLite reads them.
func (p page) tables() string {
	const then = " CROSS JOIN "
	first := p.list.table
	if p.list.key != "" && !p.filters(p.list.indexed) && !p.alongIDs() {
		first += " INDEXED BY " + p.list.key
	}
	switch {
	case p.sort.join == "":
		return first
	case p.filters(p.sort.narrows):
		return first + then + p.sort.join
	}
	return p.sort.join + then + p.list.table
}

// filters reports a condition on one of the columns.
func (p page) filters(columns []string) bool {
	return slices.ContainsFunc(p.where, func(c condition) bool { return slices.Contains(columns, c.column) })
}

// alongIDs reports a list that is read along the index on the ids.
func (p page) alongIDs() bool {
	return p.sort.name == "" && p.along == nil && !p.filters(p.list.notByID)
}

// sorted returns the columns of the order with the id. A plus keeps SQLite from using the index on the
// ids.
func (p page) sorted() []string {
	if p.along != nil {
		return p.along
	}
	if p.sort.name == "" && !p.alongIDs() {
		return []string{"+id"}
	}
	return append(slices.Clip(p.sort.columns), "id")
}

// sortKey is the position of a record in a list: the id in a list by id; otherwise also the name of the
// order and the value, because the record may change before the next page is read.
type sortKey struct {
	id     int64
	number int64
	text   string
}

// columns are those of the current row of a query.
type columns interface {
	Int(column int) int64
	Text(column int) string
}

// placeOf returns the sort key of the record in a row.
func (p page) placeOf(row columns) listing.Place {
	at := sortKey{id: row.Int(0)}
	switch value := len(p.list.columns); {
	case p.sort.name == "":
	case p.sort.text:
		at.text = row.Text(value)
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

// valuesAt reads a sort key as values of the sorted columns. In a list by id every number is valid. In
// another order only a key from a page is valid, because any other stands for no record.
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
		return nil, errors.New("no page gave this value")
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
	parts := strings.SplitN(string(letters), "\n", 4) // only a text may have a line end
	if len(parts) != 4 || parts[0] != p.order() {
		return at, errors.New("the value is from another order")
	}
	if at.id, err = strconv.ParseInt(parts[1], 10, 64); err != nil {
		return at, err
	}
	at.text = parts[3]
	at.number, err = strconv.ParseInt(parts[2], 10, 64)
	return at, err
}

// order returns the name of the order of the page.
func (p page) order() string {
	if p.down {
		return p.sort.name + " DESC"
	}
	return p.sort.name
}
