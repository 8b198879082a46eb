// Package sqlerr tells what an error of SQLite means: it turns it into a fault, and tells which errors
// end a transaction or make a connection unreliable.
//
// It knows no statement, no file and no record.
package sqlerr

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"syscall"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/internal/fault"
	"daybook/internal/idempotency"
)

// Distrusts reports an error after which the state that a connection has of its file may be wrong.
func Distrusts(err error) bool {
	return IsDiskFailure(err) || IsReadOnly(err) || fault.KindOf(err) == fault.OutcomeUnknown
}

// Classify turns an error of the driver into a fault. An unknown error is Internal. A fault and a
// stored answer pass through.
func Classify(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	if _, ok := errors.AsType[*idempotency.AnsweredError](err); ok {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fault.Wrap(fault.Unavailable, err, "the request was canceled before it was done")
	}
	if Code(err) == sqlite3.SQLITE_IOERR_IN_PAGE {
		return fault.Wrap(fault.Unavailable, err, "%v", ErrIndexRemoved)
	}
	if IsFull(err) {
		return fault.Wrap(fault.Unavailable, err, "the disk is full; nothing was stored")
	}
	switch Code(err) & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fault.Wrap(fault.Unavailable, err, "the database is busy with another process; try again")
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return fault.Wrap(fault.Unavailable, err, "the database file is read-only; nothing was stored")
	case sqlite3.SQLITE_IOERR:
		return fault.Wrap(fault.Unavailable, err, "the disk does not answer; nothing was stored")
	case sqlite3.SQLITE_CANTOPEN:
		return fault.Wrap(fault.Unavailable, err, "the database file cannot be opened")
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fault.Wrap(fault.Unavailable, err, "the database file is damaged; nothing was stored")
	case sqlite3.SQLITE_INTERRUPT:
		return fault.Wrap(fault.Unavailable, err, "the request was canceled before it was done")
	}
	return fault.Wrap(fault.Internal, err, "the database failed")
}

// ClassifyCommit is Classify for a COMMIT. If the disk fails during a COMMIT, the transaction may or
// may not be stored.
func ClassifyCommit(err error) error {
	if Code(err)&0xff == sqlite3.SQLITE_IOERR {
		return fault.Wrap(fault.OutcomeUnknown, err, "the disk failed while storing; the change may or may not be stored")
	}
	return Classify(err)
}

// Code is SQLite's extended result code, 0 for an error without one.
func Code(err error) int {
	if e, ok := errors.AsType[coded](err); ok {
		return e.Code()
	}
	return 0
}

// coded is an error of SQLite, from the driver or from the library below it.
type coded interface {
	error
	Code() int
}

// IsDuplicate reports a unique or primary key that exists already.
func IsDuplicate(err error) bool {
	code := Code(err)
	return code == sqlite3.SQLITE_CONSTRAINT_UNIQUE || code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
}

// IsForeignKey reports a missing parent, or remaining children.
func IsForeignKey(err error) bool { return Code(err) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY }

// IsNoRow reports that a query for one row returned none.
func IsNoRow(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// Missing returns a NotFound error in place of one of IsNoRow.
func Missing(err error, format string, args ...any) error {
	if IsNoRow(err) {
		return fault.New(fault.NotFound, format, args...)
	}
	return err
}

// IsAnswered reports that an Idempotency-Key was used before: for the same request, which has its
// answer, or for another one. No work was done.
func IsAnswered(err error) bool {
	_, answered := errors.AsType[*idempotency.AnsweredError](err)
	return answered || fault.KindOf(err) == fault.KeyReused
}

// EndsTransaction reports an error after which SQLite may have rolled back the whole transaction by
// itself.
func EndsTransaction(err error) bool {
	return IsDiskFailure(err) || IsReadOnly(err) || slices.Contains([]int{
		sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_INTERRUPT,
	}, Code(err)&0xff)
}

// IsFull reports a disk without room, or a quota that is used up.
func IsFull(err error) bool {
	code := Code(err)
	return code&0xff == sqlite3.SQLITE_FULL || code == sqlite3.SQLITE_IOERR_SHMSIZE || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// IsReadOnly reports a file that cannot be written. SQLite begins a transaction on it, and refuses the
// first statement that writes.
func IsReadOnly(err error) bool { return Code(err)&0xff == sqlite3.SQLITE_READONLY }

// IsDiskFailure reports that the disk failed, or returned damaged data.
func IsDiskFailure(err error) bool {
	code := Code(err) & 0xff
	return code == sqlite3.SQLITE_IOERR || code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}

// IsDamage reports data that is damaged, or a file that ends too early. The disk itself works.
func IsDamage(err error) bool {
	code := Code(err)
	return code&0xff == sqlite3.SQLITE_CORRUPT || code&0xff == sqlite3.SQLITE_NOTADB || code == sqlite3.SQLITE_IOERR_SHORT_READ
}

// ErrIndexRemoved is the error of a log whose index is no longer the one that was opened.
var ErrIndexRemoved = errors.New("the index of the write-ahead log (-shm) beside the database was removed, replaced or cut off; stop the server and start it again")

// disorder is the error of rows that are out of order.
type disorder struct{}

// ErrDisorder is the error of rows that are out of order, as in a damaged file.
var ErrDisorder error = disorder{}

func (disorder) Error() string { return "the rows of a table are out of order" }

// Code returns SQLite's code for a damaged file.
func (disorder) Code() int { return sqlite3.SQLITE_CORRUPT }
