package file

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/wal"
	"daybook/internal/disk"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// damagedLog refuses a write-ahead log that is damaged in the middle: SQLite would drop the
// stored transactions behind the damage. Another process may write the log meanwhile, so
// damage counts only if it is seen at the same place three times. A log that cannot be read
// passes, because SQLite meets the same error.
//
// SQLite begins a log again, or cuts it off, once all of it is in the database. A power cut may
// leave that half done. So a log counts as damaged only if it holds a link of the journal's
// chain that is newer than those in the database.
func (f File) damagedLog(ctx context.Context) error {
	var last wal.Damage
	for look := range 3 {
		found, is, err := f.lookAtLog()
		if err != nil || !is || look > 0 && found.At != last.At {
			return nil //nolint:nilerr // see above
		}
		last = found
	}
	if newer, err := f.logHoldsNewer(ctx); err == nil && !newer {
		return nil
	}
	if last.At == 0 {
		return fault.New(fault.Unavailable, "the header of %s-wal is damaged, so that SQLite would drop all that is in it; restore a backup with app restore, or move the -wal away to use the database without it", f.Path)
	}
	return fault.New(fault.Unavailable, "%s-wal is damaged at byte %d, so that SQLite would drop the %d or more transactions behind that; restore a backup with app restore, or drop them with: sqlite3 %s 'PRAGMA wal_checkpoint(TRUNCATE)'",
		f.Path, last.At, last.Transactions, f.Path)
}

func (f File) lookAtLog() (d wal.Damage, found bool, err error) {
	log, err := disk.Open(f.Path + "-wal")
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

// logHoldsNewer reports whether a page in the log has a newer link of the chain than the
// database has without its log.
func (f File) logHoldsNewer(ctx context.Context) (newer bool, err error) {
	db, err := f.OpenWithoutLog()
	if err != nil {
		return false, err
	}
	defer func() { _ = db.Close() }() // it was only read
	var size int64
	if err := db.QueryRowContext(ctx, "PRAGMA page_size").Scan(&size); err != nil {
		return false, err
	}
	end, err := chain.End(ctx, gen.New(db))
	if err != nil {
		return false, err
	}
	log, err := disk.Open(f.Path + "-wal")
	if err != nil {
		return false, err
	}
	defer func() { _ = log.Close() }() // it was only read
	err = wal.Pages(log, size, func(page []byte) { newer = newer || NewestLink(page) > int64(end.Seq) })
	return newer, err
}

// NewestLink returns the number of the newest link in a page, 0 if the page holds none. It reads
// the leaves of the table journal_links (SQLite, "Database File Format", 1.6 and 2.1).
func NewestLink(page []byte) (newest int64) {
	const leaf, cells = 0x0d, 8 // the type of the page, and where the places of its cells begin
	record := []byte{3, 0, 76}  // of a link: the number is the key of its row, then 32 bytes
	if page[0] != leaf {
		return 0
	}
	for i := range int(binary.BigEndian.Uint16(page[3:])) {
		if cells+2*i+2 > len(page) {
			break
		}
		cell := page[min(int(binary.BigEndian.Uint16(page[cells+2*i:])), len(page)):]
		if len(cell) == 0 || int(cell[0]) != len(record)+len(journal.Hash{}) {
			continue
		}
		through, rest := Varint(cell[1:])
		if bytes.HasPrefix(rest, record) {
			newest = max(newest, through)
		}
	}
	return newest
}

// Varint reads a variable-length integer of SQLite ("Database File Format", 1.6). Each of the
// first eight bytes has seven bits of it, and says by its highest bit that another byte follows.
// A ninth byte has eight bits.
func Varint(b []byte) (v int64, rest []byte) {
	for i := range min(len(b), 9) {
		if i == 8 {
			return v<<8 | int64(b[i]), b[9:]
		}
		v = v<<7 | int64(b[i]&0x7f)
		if b[i] < 0x80 {
			return v, b[i+1:]
		}
	}
	return 0, nil
}
