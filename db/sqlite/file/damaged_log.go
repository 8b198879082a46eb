package file

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/wal"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/disk"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// older reports a log that SQLite would apply although the database has newer links of the journal. SQLite
// would replace newer pages with older ones.
func (l log) older() bool {
	behind := l.Newest > 0 && l.Newest < l.database
	copied := l.Damaged && l.Newest < l.Held && l.Held <= l.database // counts the links behind the damage too
	return l.Applied > 0 && (behind || copied)
}

// loses reports that there are transactions behind damage that the database may not have. SQLite would
// drop them. The links tell, unless the transactions have none.
func (l log) loses() bool {
	unlinked := l.Damage.At > 0 && (l.Applied > 0 || l.Held == 0)
	return l.Damaged && (unlinked || l.Held > max(l.Newest, l.database))
}

// unneeded reports a log that SQLite does not apply, beside a database that has all links of the log. A
// power cut leaves such a log when SQLite has copied all of it and then restarts or truncates it.
func (l log) unneeded() bool {
	return l.Damaged && l.Applied == 0 && l.Held <= l.database && !l.loses()
}

// damagedLog is the error of a log that is damaged.
func (f File) damagedLog(l log, advice string) error {
	if l.Damage.At == 0 {
		return fault.New(fault.Unavailable, "the header of %s-wal is damaged, so that SQLite would drop all that is in it; %s", f.Path, advice)
	}
	if l.Applied > 0 && !l.partial {
		advice = fmt.Sprintf("restore a backup with app restore, or drop them with: sqlite3 %s 'PRAGMA wal_checkpoint(TRUNCATE)'", f.Path)
	}
	return fault.New(fault.Unavailable, "%s-wal is damaged at byte %d, so that SQLite would drop the %d or more transactions behind that; %s",
		f.Path, l.Damage.At, l.Damage.Transactions, advice)
}

// readLog reads the database before the log, because the log only gets newer while another process
// writes it.
func (f File) readLog(ctx context.Context) (l log, err error) {
	db, err := f.openWithoutLog()
	if err != nil {
		return l, err
	}
	defer func() { _ = db.Close() }() // it was only read
	alone := wal.Database{Bytes: SizeOf(f.Path)}
	if err := db.QueryRowContext(ctx, "PRAGMA page_size").Scan(&alone.Page); err != nil && !unreadable(err) {
		return l, err
	}
	start, err := HeaderOf(ctx, db)
	if err != nil && !unreadable(err) {
		return l, err
	}
	copy(l.start[:], start)
	alone.Start = l.start
	if row, err := gen.New(db).GetLogBase(ctx); err == nil && len(row.Header) == wal.HeaderOfDatabase && len(row.Log) == wal.NameSize {
		l.note = wal.Note{Base: wal.Start(row.Header), Log: [wal.NameSize]byte(row.Log)}
		alone.Note = l.note
	}
	if pages, err := schema.GuestPages(ctx, db); err == nil {
		alone.Guests = pages
	}
	if end, err := chain.End(ctx, gen.New(db)); err == nil {
		l.database = int64(end.Seq)
	} else {
		l.partial = true
	}
	frames, err := disk.Open(f.Path + "-wal")
	if err != nil {
		return l, err
	}
	defer func() { _ = frames.Close() }() // it was only read
	info, err := frames.Stat()
	if err != nil {
		return l, err
	}
	l.Reading, err = wal.Read(frames, info.Size(), alone, pageIn)
	return l, err
}

// unreadable reports a file that says nothing without its log: it is damaged, only a part of its log was
// copied, or its header is not one that SQLite reads.
func unreadable(err error) bool {
	return sqlerr.IsDamage(err) || sqlerr.Code(err)&0xff == sqlite3.SQLITE_ERROR
}

// pageIn finds in a page the newest link of the journal, in the leaves of the table journal_links, and
// the row of log_base (SQLite, "Database File Format", 1.6 and 2.1).
func pageIn(page []byte) (p wal.Page) {
	const leaf, cells = 0x0d, 8                                                           // the type of the page, and where its cell pointers begin
	link := []byte{3, 0, 2*32 + 12}                                                       // how the record of a link begins: its number is the rowid, then a blob of 32 bytes
	note := []byte{5, 0, 0x81, (2*wal.HeaderOfDatabase + 12) & 0x7f, 2*wal.NameSize + 12} // how the row of log_base begins
	if page[0] != leaf {
		return p
	}
	for i := range int(binary.BigEndian.Uint16(page[3:])) {
		if cells+2*i+2 > len(page) {
			break
		}
		cell := page[min(int(binary.BigEndian.Uint16(page[cells+2*i:])), len(page)):]
		size, rest := varint(cell)
		rowid, rest := varint(rest)
		switch {
		case size == int64(len(link)+len(journal.Hash{})) && bytes.HasPrefix(rest, link):
			p.Newest = max(p.Newest, rowid)
		case size == int64(len(note)+wal.HeaderOfDatabase+wal.NameSize) && bytes.HasPrefix(rest, note) && len(rest) >= int(size):
			p.Base = wal.Start(rest[len(note):][:wal.HeaderOfDatabase])
			p.Log = [wal.NameSize]byte(rest[size-wal.NameSize:])
		}
	}
	return p
}

// varint reads a variable-length integer of SQLite ("Database File Format", 1.6). Each of the first
// eight bytes holds seven bits, and its highest bit says that another byte follows. A ninth byte holds
// eight bits.
func varint(b []byte) (v int64, rest []byte) {
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
