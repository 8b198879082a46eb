package file

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
)

// A kill leaves a write-ahead log beside the database, and SQLite applies it to whatever file has the
// name of the database. If somebody put an older copy there meanwhile, the two would make a damaged
// database. So each start gives the database a number, and each log belongs to the file with one number:
//
//   - A start that writes first copies the log into the file. Then it writes a new random number into the
//     header of the database (user_version), and copies that into the file too. The lock file notes it.
//     So an older copy bears an older number.
//   - The next start compares the number in the file with the note. If they differ, it refuses and
//     changes nothing. If nothing is noted, it verifies the database with its log first.
//   - A reader can keep the new number in the log. Until all of the log was copied into the file, the note
//     holds all numbers that the file can bear.
//
// A backup gets a number of its own.

// random returns a number that no database has.
func random() uint32 {
	var number [4]byte
	_, _ = rand.Read(number[:]) // it never fails
	number[0] |= 1              // SQLite writes 0
	return binary.BigEndian.Uint32(number[:])
}

// Number gives a database a new number, which is in no note: no log of another copy fits it.
func Number(ctx context.Context, to gen.DBTX) error { return setNumber(ctx, to, random()) }

func setNumber(ctx context.Context, to gen.DBTX, number uint32) error {
	_, err := to.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", int32(number)))
	return err
}

// queryer is a database, a connection or a transaction.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func numberOf(ctx context.Context, q queryer) (uint32, error) {
	var number int32
	err := q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&number)
	return uint32(number), err
}

// number returns the number that the file has without its log, 0 for a missing or empty file. While SQLite
// copies a log into a file that grows, the header says more pages than the file has. SQLite calls such a
// file malformed, except if the connection may write the schema. This connection writes nothing.
func (f File) number(ctx context.Context) (uint32, error) {
	if f.Missing() {
		return 0, nil
	}
	db, err := sql.Open("sqlite", f.DSN(url.Values{"mode": {"ro"}, "immutable": {"1"}, "_pragma": {"writable_schema(1)"}}))
	if err != nil {
		return 0, err
	}
	defer func() { _ = db.Close() }() // it was only read
	return numberOf(ctx, db)
}

// Renewed reports whether the database has got the number of this start.
func (l *Lock) Renewed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.number != 0
}

// Renew gives the database a new number for this start, on a connection that writes. Unavailable: the disk
// refuses; then the noted numbers still hold.
func (l *Lock) Renew(ctx context.Context, conn *sql.Conn) error {
	number := random()
	logged, err := numberOf(ctx, conn)
	if err == nil {
		err = l.Note(ctx, logged, number)
	}
	if err == nil {
		err = setNumber(ctx, conn, number)
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, sqlerr.Classify(err), "cannot give %s the number of this start", l.of)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.number = number
	return nil
}

// Note notes the number that the file has, and others that it can get from a log: those, and the noted ones
// if there is a log already. A migration also calls it, because it begins a log. Unavailable.
func (l *Lock) Note(ctx context.Context, others ...uint32) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	noted := l.said.numbers
	if SizeOf(l.of.Path+"-wal") == 0 {
		noted = nil
	}
	has, err := l.of.number(ctx)
	if err == nil {
		all := slices.Concat(noted, others, []uint32{has})
		slices.Sort(all)
		err = l.write(note{slices.Compact(all), l.said.address})
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, sqlerr.Classify(err), "cannot note the number of %s", l.of)
	}
	return nil
}

// Settle notes the number of this start alone. The caller has copied all of the log, so the file has the
// number for good. A failure leaves all numbers noted, until the next call.
func (l *Lock) Settle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.number != 0 && len(l.said.numbers) > 1 {
		_ = l.write(note{[]uint32{l.number}, l.said.address})
	}
}

// Belongs refuses a log that belongs to a file with another number. A start in another process changes the
// note and then the file, so a difference counts only if the note stays the same. A file whose number
// cannot be read passes, because SQLite meets the same error. Unavailable.
func (f File) Belongs(ctx context.Context) error {
	const looks = 3
	for range looks {
		before, err := f.noted()
		if err != nil || len(before) == 0 {
			return err
		}
		has, err := f.number(ctx)
		if err != nil || slices.Contains(before, has) {
			return nil //nolint:nilerr // see above
		}
		now, err := f.noted()
		if err != nil {
			return err
		}
		if slices.Equal(before, now) {
			return fault.New(fault.Unavailable, "%[1]s-wal was not written for this %[2]s: another file was copied over one of them; put back the %[3]s that lay beside this log, or move the -wal away to use this %[3]s without it, or restore a backup with app restore; if you put both back together, remove %[1]s%[4]s, and the next start verifies them",
				f.Path, f, filepath.Base(f.Path), LockFile)
		}
	}
	return nil
}

// noted returns the noted numbers, none if there is no log.
func (f File) noted() ([]uint32, error) {
	if SizeOf(f.Path+"-wal") == 0 {
		return nil, nil
	}
	n, err := f.readNote()
	if errors.Is(err, fs.ErrPermission) { // another user may read the database, and not the note
		return nil, nil
	}
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot read %s%s", f.Path, LockFile)
	}
	return n.numbers, nil
}

// Doubted reports a log that no note says anything about. Unavailable: as for Served.
func (f File) Doubted() (bool, error) {
	if SizeOf(f.Path+"-wal") == 0 {
		return false, nil
	}
	noted, err := f.noted()
	if err != nil || len(noted) > 0 {
		return false, err
	}
	served, err := f.ServedUnlocked()
	return !served, err
}
