package file

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/wal"
	"daybook/internal/fault"
)

// A Header is the first 100 bytes of a database file (SQLite, "Database File Format", 1.3).
type Header []byte

// HeaderSize is the size of a Header.
const HeaderSize = wal.HeaderOfDatabase

// HeaderOf reads the header as a connection sees it. It is nil for a database without pages. Unavailable:
// a table or a view of the database hides its pages.
func HeaderOf(ctx context.Context, q queryer) (h Header, err error) {
	var hidden bool
	err = q.QueryRowContext(ctx, "SELECT count(*) > 0 FROM sqlite_schema WHERE lower(name) = 'sqlite_dbpage'").Scan(&hidden)
	if err == nil && hidden { // an error of a schema that is half copied is no reason
		return nil, fault.New(fault.Unavailable, "a table or a view has the reserved name sqlite_dbpage, which another program made; restore a backup from before that")
	}
	err = q.QueryRowContext(ctx, "SELECT substr(data, 1, 100) FROM sqlite_dbpage WHERE pgno = 1").Scan((*[]byte)(&h))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return h, err
}

// Mark shows in a transaction to which database its log belongs (foreign_log.go). base is the header of the
// file if the transaction is the first of this program in the log, else nil. SQLite leaves user_version to the
// program that makes the database. No part of Daybook reads it alone.
func Mark(ctx context.Context, tx gen.DBTX, base Header) error {
	if base != nil {
		name := make([]byte, wal.NameSize)
		_, _ = rand.Read(name) // it never fails
		if err := gen.New(tx).NoteLogBase(ctx, base, name); err != nil {
			return err
		}
	}
	var number [4]byte
	_, _ = rand.Read(number[:]) // it never fails
	number[0] |= 1              // earlier builds wrote 0
	return markWith(ctx, tx, binary.BigEndian.Uint32(number[:]))
}

// markWith is Mark with a given number and no note.
func markWith(ctx context.Context, tx gen.DBTX, number uint32) error {
	_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", int32(number)))
	return err
}

// queryer is a database or a transaction.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
