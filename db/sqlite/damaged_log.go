package sqlite

import (
	"os"

	"daybook/db/sqlite/internal/wal"
	"daybook/internal/disk"
	"daybook/internal/fault"
)

// damagedLog refuses a write-ahead log that is damaged in the middle: SQLite would drop the
// stored transactions behind the damage. Another process may write the log meanwhile, so
// damage counts only if it is seen at the same place three times. A log that cannot be read
// passes, because SQLite meets the same error.
func (f file) damagedLog() error {
	var last wal.Damage
	for look := range 3 {
		found, is, err := f.lookAtLog()
		if err != nil || !is || look > 0 && found.At != last.At {
			return nil //nolint:nilerr // see above
		}
		last = found
	}
	if last.At == 0 {
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
