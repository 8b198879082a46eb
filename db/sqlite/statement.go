package sqlite

import (
	"database/sql"

	"daybook/db/sqlite/internal/cursor"
)

// statement is one that runs below database/sql, on a connection that is database/sql's
// and in the transaction that is open there: for what is run for each of many.
type statement struct {
	conn *sql.Conn
	rows *cursor.Rows
}

// prepareBelow prepares a statement on a connection. It is closed before that is.
func prepareBelow(conn *sql.Conn, query string) (s *statement, err error) {
	s = &statement{conn: conn}
	return s, conn.Raw(func(driven any) error {
		below, err := cursor.Of(driven)
		if err != nil {
			return err
		}
		s.rows, err = below.Prepare(query)
		return err
	})
}

// run gives the rows for the parameters, integers and texts, to use, which may leave
// some of them unread. A panic in it is its error: database/sql closes a connection that one
// passes through, but this statement would keep its transaction open, and its lock held.
func (s *statement) run(use func(*cursor.Rows) error, parameters ...any) error {
	return s.conn.Raw(func(any) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = panicked(p)
			}
		}()
		defer s.rows.Reset()
		if err := s.rows.Bind(parameters...); err != nil {
			return err
		}
		return use(s.rows)
	})
}

// close ends the statement for good; once more does nothing.
func (s *statement) close() error {
	if s == nil || s.rows == nil {
		return nil
	}
	rows := s.rows
	s.rows = nil
	return s.conn.Raw(func(any) error { return rows.Close() })
}
