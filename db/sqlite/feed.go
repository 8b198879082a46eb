package sqlite

import (
	"database/sql"
	"errors"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/budget"
	"daybook/internal/money"
	"daybook/internal/text"
)

// feed finds and replaces actuals in the transaction that is open on a connection:
// below database/sql, since a feed does both for each of its lines.
type feed struct{ found, replaced *statement }

// openFeed prepares the statements on a connection. It is closed before that is.
func openFeed(conn *sql.Conn) (f *feed, err error) {
	f = &feed{}
	if f.found, err = prepareBelow(conn, gen.GetActualByKey); err != nil {
		return f, err
	}
	f.replaced, err = prepareBelow(conn, gen.ReplaceActual)
	return f, err
}

// close ends the statements for good; once more does nothing.
func (f *feed) close() error {
	if f == nil {
		return nil
	}
	return errors.Join(f.found.close(), f.replaced.close())
}

// find returns the actual that has the key, and whether there is one.
func (f *feed) find(key budget.Key) (a budget.Actual, found bool, err error) {
	err = f.found.run(func(rows *cursor.Rows) error {
		if found, err = rows.Next(); err != nil || !found {
			return err
		}
		a = budget.Actual{
			ID:       budget.ActualID(rows.Int(0)),
			Key:      key,
			Amount:   money.Amount(rows.Int(1)),
			Currency: money.Currency(rows.Text(2)),
			Source:   text.Source(rows.Text(3)),
		}
		_, err = rows.Next() // a column that was not what it was read as
		return err
	}, int64(key.Year), int64(key.Period), int64(key.DepartmentID), int64(key.AccountID))
	return a, found, err
}

// replace gives the actual that has the key another amount, currency and source.
func (f *feed) replace(a budget.Actual) error {
	return f.replaced.run(func(rows *cursor.Rows) error {
		_, err := rows.Next()
		return err
	}, int64(a.Amount), string(a.Currency), string(a.Source),
		int64(a.Year), int64(a.Period), int64(a.DepartmentID), int64(a.AccountID))
}
