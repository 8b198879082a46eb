package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"

	"daybook/db/sqlite/internal/wal"
	"daybook/internal/disk"
	"daybook/internal/fault"
)

// damagedLog refuses a write-ahead log that is damaged in the middle: SQLite would drop the
// stored transactions behind the damage. Another process may write the log meanwhile, so
// damage counts only if it is seen at the same place three times. A log that cannot be read
// passes, because SQLite meets the same error.
//
// When SQLite begins a log again, it writes the header over the old one, and a power cut may
// tear that. All that the log holds was copied into the database before. So a header that
// cannot be read is damage only if the log holds something that the database does not.
func (f file) damagedLog(ctx context.Context) error {
	var last wal.Damage
	for look := range 3 {
		found, is, err := f.lookAtLog()
		if err != nil || !is || look > 0 && found.At != last.At {
			return nil //nolint:nilerr // see above
		}
		last = found
	}
	if last.At == 0 {
		if copied, err := f.holdsItsLog(ctx); copied || err != nil {
			return nil //nolint:nilerr // a database that cannot be read is not refused for its log
		}
		return fault.New(fault.Unavailable, "the header of %s-wal is damaged, so that SQLite would drop all that is in it; restore a backup with app restore, or move the -wal away to use the database without it", f.path)
	}
	return fault.New(fault.Unavailable, "%s-wal is damaged at byte %d, so that SQLite would drop the %d or more transactions behind that; restore a backup with app restore, or drop them with: sqlite3 %s 'PRAGMA wal_checkpoint(TRUNCATE)'",
		f.path, last.At, last.Transactions, f.path)
}

func (f file) lookAtLog() (d wal.Damage, found bool, err error) {
	log, err := disk.Open(f.path + "-wal")
	if err != nil {
		return d, false, err
	}
	defer func() { _ = log.Close() }() // it was only read
	var info os.FileInfo
	if info, err = log.Stat(); err != nil {
		return d, false, err
	}
	return wal.Damaged(log, info.Size())
}

// holdsItsLog reports whether the database without its log has the newest content of each page
// in the log.
func (f file) holdsItsLog(ctx context.Context) (bool, error) {
	db, err := f.openWithoutLog()
	if err != nil {
		return false, err
	}
	defer func() { _ = db.Close() }() // it was only read
	var size int64
	if err := db.QueryRowContext(ctx, "PRAGMA page_size").Scan(&size); err != nil {
		return false, err
	}
	log, err := disk.Open(f.path + "-wal")
	if err != nil {
		return false, err
	}
	defer func() { _ = log.Close() }() // it was only read
	pages, ok, err := wal.Newest(log, size)
	if err != nil || !ok {
		return false, err
	}
	logged, stored := make([]byte, size), []byte(nil)
	for page, at := range pages {
		if _, err := log.ReadAt(logged, at); err != nil {
			return false, err
		}
		err := db.QueryRowContext(ctx, "SELECT data FROM sqlite_dbpage WHERE pgno = ?", page).Scan(&stored)
		if errors.Is(err, sql.ErrNoRows) || err == nil && !bytes.Equal(logged, stored) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}
