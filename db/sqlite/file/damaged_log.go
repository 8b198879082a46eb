package file

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/wal"
	"daybook/internal/disk"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// loggedLinks is what a write-ahead log holds of the journal's chain, beside what the database
// has without it. Each transaction but those of sessions and uses of tokens has a link.
type loggedLinks struct {
	wal.Reading
	database int64 // the newest link in the database; the others are in the log
	partial  bool  // only a part of the log was copied, so the database cannot be read without it
}

// older reports a log that SQLite would apply to a database that has newer links: SQLite would put
// older pages in the place of newer ones.
func (l loggedLinks) older() bool {
	behind := l.Newest > 0 && l.Newest < l.database
	copied := l.Damaged && l.Newest < l.Held && l.Held <= l.database // also what is behind the damage
	return l.Applied > 0 && (behind || copied)
}

// loses reports links behind damage, which SQLite would drop.
func (l loggedLinks) loses() bool {
	return l.Damaged && l.Held > max(l.Newest, l.database)
}

// unneeded reports a log that SQLite does not apply, beside a database that has all its links. A power
// cut leaves that when SQLite restarts the log or cuts it off, after all of it was copied.
func (l loggedLinks) unneeded() bool { return l.Damaged && l.Applied == 0 && l.Held <= l.database }

// unfitLog refuses a write-ahead log that is damaged in the middle, since SQLite would drop the
// stored transactions behind the damage, and one that is older than the database. Another process
// may write the log meanwhile, so only what is seen three times counts. A log that cannot be read
// passes, because SQLite meets the same error.
func (f File) unfitLog(ctx context.Context) error {
	var last loggedLinks
	for look := range 3 {
		now, err := f.readLog(ctx)
		if err != nil || !now.older() && !now.loses() && !now.unneeded() || look > 0 && now != last {
			return nil //nolint:nilerr // see above
		}
		last = now
	}
	whole := f.wholeWithoutLog(ctx)
	if last.unneeded() && whole {
		return nil
	}
	advice := "restore a backup with app restore"
	if whole {
		advice += ", or move the -wal away to use the database without it"
	}
	switch {
	case last.Damaged && last.Damage.At == 0:
		return fault.New(fault.Unavailable, "the header of %s-wal is damaged, so that SQLite would drop all that is in it; %s", f.Path, advice)
	case last.older():
		return fault.New(fault.Unavailable, "%s-wal ends with entry %d of the journal, before the end of the journal in %s, so that SQLite would put older pages in the place of newer ones; %s", f.Path, last.Newest, f, advice)
	case last.Applied > 0 && !last.partial:
		advice = fmt.Sprintf("restore a backup with app restore, or drop them with: sqlite3 %s 'PRAGMA wal_checkpoint(TRUNCATE)'", f.Path)
	}
	return fault.New(fault.Unavailable, "%s-wal is damaged at byte %d, so that SQLite would drop the %d or more transactions behind that; %s",
		f.Path, last.Damage.At, last.Damage.Transactions, advice)
}

// readLog reads the database first: a log that is written meanwhile only gets newer.
func (f File) readLog(ctx context.Context) (l loggedLinks, err error) {
	db, err := f.OpenWithoutLog()
	if err != nil {
		return l, err
	}
	defer func() { _ = db.Close() }() // it was only read
	var page int64
	if err := db.QueryRowContext(ctx, "PRAGMA page_size").Scan(&page); err != nil {
		return l, err
	}
	if end, err := chain.End(ctx, gen.New(db)); err == nil {
		l.database = int64(end.Seq)
	} else {
		l.partial = true
	}
	log, err := disk.Open(f.Path + "-wal")
	if err != nil {
		return l, err
	}
	defer func() { _ = log.Close() }() // it was only read
	info, err := log.Stat()
	if err != nil {
		return l, err
	}
	l.Reading, err = wal.Read(log, info.Size(), page, NewestLink)
	return l, err
}

// verifier reports whether a file verifies whole, sessions left out.
var verifier = func(context.Context, File) bool { return false }

// RegisterVerifier makes the verifier known that decides whether a database needs its log.
func RegisterVerifier(whole func(context.Context, File) bool) { verifier = whole }

// wholeWithoutLog reports whether the database verifies whole without its log. A database of an older
// schema is not verified, since app verify knows only the newest; it passes for whole.
func (f File) wholeWithoutLog(ctx context.Context) bool {
	f.Immutable = true
	first, err := f.Identify(ctx, "immutable", "1")
	if err != nil {
		return false
	}
	return first.version != f.Schema.Newest() || verifier(ctx, f)
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
