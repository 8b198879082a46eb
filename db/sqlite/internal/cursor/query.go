package cursor

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Query is a query whose rows are values of T: one integer, or a struct that sqlc generated, which has a
// field for each of the first columns. Int and Text give the other columns of the current row.
type Query[T any] struct {
	statement
	row    T
	fields []any // pointers to the fields of row
}

// Prepare compiles a query. It refuses one whose columns are not the fields of T.
func Prepare[T any](c *Conn, text string) (*Query[T], error) {
	s, err := c.prepare(text)
	if err != nil {
		return nil, err
	}
	q := &Query[T]{statement: s}
	row := reflect.ValueOf(&q.row).Elem()
	if row.Kind() != reflect.Struct {
		q.fields = []any{&q.row}
		return q, nil
	}
	for field, value := range row.Fields() {
		column := libc.GoString(sqlite3.Xsqlite3_column_name(s.conn.tls, s.handle, int32(len(q.fields))))
		if !strings.EqualFold(strings.ReplaceAll(column, "_", ""), field.Name) {
			return nil, errors.Join(fmt.Errorf("the query gives a column %q, where %T has the field %s: %s", column, q.row, field.Name, text), s.Close())
		}
		q.fields = append(q.fields, value.Addr().Interface())
	}
	return q, nil
}

// All yields the rows for the parameters, which are integers, texts and bytes. Each is valid until the next. The
// reading ends with the loop. A column with another type than its field is an error, as in a damaged file.
func (q *Query[T]) All(parameters ...any) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		defer q.reset()
		more, err := true, q.bind(parameters)
		for more && err == nil {
			if more, err = q.next(); more {
				if err = q.read(); err == nil && !yield(&q.row, nil) {
					return
				}
			}
		}
		if err = cmp.Or(err, q.wrong); err != nil {
			yield(new(T), err)
		}
	}
}

// Last returns the last row, the zero T if there is none.
func (q *Query[T]) Last(parameters ...any) (row T, err error) {
	for next, failed := range q.All(parameters...) {
		row, err = *next, failed
	}
	return row, err
}

// read reads the columns of the current row.
func (q *Query[T]) read() error {
	for column, field := range q.fields {
		switch field := field.(type) {
		case *int64:
			*field = q.Int(column)
		case *string:
			*field = q.Text(column)
		case *bool:
			*field = q.Int(column) != 0
		case **int64:
			if *field = nil; !q.null(column) {
				*field = new(q.Int(column))
			}
		case **string:
			if *field = nil; !q.null(column) {
				*field = new(q.Text(column))
			}
		default:
			return fmt.Errorf("column %d is a %T", column, field)
		}
	}
	return q.wrong
}

// texts has recent short texts by their hash. It keeps no long ones, so that a connection stays small.
type texts struct{ byHash [4096]string }

func (t *texts) text(raw []byte) string {
	if t == nil || len(raw) > 64 {
		return string(raw)
	}
	hash := uint32(0)
	for _, b := range raw {
		hash = 31*hash + uint32(b)
	}
	seen := &t.byHash[hash%uint32(len(t.byHash))]
	if *seen != string(raw) {
		*seen = string(raw)
	}
	return *seen
}
