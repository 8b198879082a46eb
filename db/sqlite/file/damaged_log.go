package file

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/wal"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/disk"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// loggedLinks are the links of the journal's chain in a write-ahead log and in the database without the
// log. Each transaction of this program shows one there: its own, or the one that it follows.
type loggedLinks struct {
	wal.Reading
	database int64 // the newest link in the database; the others are in the log
	partial  bool  // only a part of the log was copied, so the database cannot be read without it
}

// older reports a log that SQLite would apply although the database has newer links. SQLite would
// replace newer pages with older ones.
func (l loggedLinks) older() bool {
	newest := max(l.Newest, l.Noted.Through)
	behind := newest > 0 && newest < l.database
	copied := l.Damaged && l.Newest < l.Held && l.Held <= l.database // counts the links behind the damage too
	return l.Applied > 0 && (behind || copied)
}

// loses reports that there are transactions behind damage that the database may not have. SQLite would
// drop them. The links tell, unless the transactions have none.
func (l loggedLinks) loses() bool {
	unlinked := l.Damage.At > 0 && (l.Applied > 0 || l.Held == 0)
	return l.Damaged && (unlinked || l.Held > max(l.Newest, l.database))
}

// unneeded reports a log that SQLite does not apply, beside a database that has all links of the log. A
// power cut leaves such a log when SQLite has copied all of it and then restarts or truncates it.
func (l loggedLinks) unneeded() bool {
	return l.Damaged && l.Applied == 0 && l.Held <= l.database && !l.loses()
}

// unfitLog refuses a write-ahead log that is damaged in the middle, because SQLite would drop the
// stored transactions behind the damage. It also refuses a log that is older than the database. Another
// process may write the log meanwhile, so only a state that is seen three times counts. A log that
// cannot be read passes, because SQLite meets the same error. unfitLog returns what it read.
func (f File) unfitLog(ctx context.Context) (last loggedLinks, err error) {
	for look := range 3 {
		now, err := f.readLog(ctx)
		if err != nil || !now.older() && !now.loses() && !now.unneeded() || look > 0 && now != last {
			return now, nil //nolint:nilerr // see above
		}
		last = now
	}
	whole := f.wholeWithoutLog(ctx)
	if last.unneeded() && whole {
		return last, nil
	}
	advice := adviceBesideLog(whole)
	switch {
	case last.Damaged && last.Damage.At == 0:
		return last, fault.New(fault.Unavailable, "the header of %s-wal is damaged, so that SQLite would drop all that is in it; %s", f.Path, advice)
	case last.older():
		return last, fault.New(fault.Unavailable, "%s-wal ends with entry %d of the journal, before the end of the journal in %s, so that SQLite would put older pages in the place of newer ones; %s", f.Path, max(last.Newest, last.Noted.Through), f, advice)
	case last.Applied > 0 && !last.partial:
		advice = fmt.Sprintf("restore a backup with app restore, or drop them with: sqlite3 %s 'PRAGMA wal_checkpoint(TRUNCATE)'", f.Path)
	}
	return last, fault.New(fault.Unavailable, "%s-wal is damaged at byte %d, so that SQLite would drop the %d or more transactions behind that; %s",
		f.Path, last.Damage.At, last.Damage.Transactions, advice)
}

// adviceBesideLog says what to do about a log that does not fit. whole: the database verifies whole
// without it.
func adviceBesideLog(whole bool) string {
	const restore = "restore a backup with app restore"
	if whole {
		return restore + ", or move the -wal away to use the database without it"
	}
	return restore
}

// readLog reads the database before the log, because the log only gets newer while another process
// writes it.
func (f File) readLog(ctx context.Context) (l loggedLinks, err error) {
	db, err := f.openWithoutLog()
	if err != nil {
		return l, err
	}
	defer func() { _ = db.Close() }() // it was only read
	alone := wal.Database{Bytes: SizeOf(f.Path)}
	if err := db.QueryRowContext(ctx, "PRAGMA page_size").Scan(&alone.Page); err != nil && !sqlerr.IsDamage(err) {
		return l, err
	}
	if alone.Start, err = startOf(ctx, db); err != nil && !sqlerr.IsDamage(err) {
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
	l.Reading, err = wal.Read(log, info.Size(), alone, linksIn)
	return l, err
}

// wholeWithoutLog reports whether the database verifies whole without its log. A database of an older
// schema counts as whole, because app verify knows only the newest schema.
func (f File) wholeWithoutLog(ctx context.Context) bool {
	f.Immutable = true
	first, err := f.Identify(ctx, "immutable", "1")
	if err != nil {
		return false
	}
	if first.version != f.Schema.Newest() {
		return true
	}
	if f.whole == nil {
		return false
	}
	whole, err := f.whole(ctx, f)
	return err == nil && whole
}

// linksIn returns the newest link in a page, and the newest that an earlier transaction wrote: a
// transaction with many entries writes a link for each 1,000 of them. It reads the leaves of the table
// journal_links (SQLite, "Database File Format", 1.6 and 2.1), and the one of followed_links.
func linksIn(page []byte) (n wal.Links) {
	const leaf, cells = 0x0d, 8  // the type of the page, and where its cell pointers begin
	record := []byte{3, 0, hash} // how the record of a link begins: its number is the rowid
	if page[0] != leaf {
		return n
	}
	var links []int64 // in the order of their numbers
	for i := range int(binary.BigEndian.Uint16(page[3:])) {
		if cells+2*i+2 > len(page) {
			break
		}
		cell := page[min(int(binary.BigEndian.Uint16(page[cells+2*i:])), len(page)):]
		size, rest := varint(cell)
		rowid, rest := varint(rest)
		switch {
		case size == int64(len(record)+len(journal.Hash{})) && bytes.HasPrefix(rest, record):
			links = append(links, rowid)
		case i == 0 && rowid == 1:
			n.Follows = followedIn(rest[:min(int64(len(rest)), max(size, 0))])
		}
	}
	if len(links) > 0 {
		n.Newest = links[len(links)-1]
	}
	for i := len(links) - 2; i > 0 && n.Before == 0; i-- {
		if links[i]-links[i-1] != chain.MostHeld {
			n.Before = links[i]
		}
	}
	return n
}

// hash is the serial type of a hash in a record: 32 bytes.
const hash = 2*32 + 12

// followedIn returns the link in the record of followed_links, the zero Link if a record is of another
// table.
func followedIn(record []byte) (l wal.Link) {
	if len(record) < 4 || record[0] != 4 || record[1] != 0 || record[3] != hash {
		return l
	}
	sizes := []int{1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8} // of integers, by their serial type
	number, rest := int(record[2]), record[4:]
	switch {
	case number == 9: // the constant 1
		l.Through = 1
	case number > 0 && number < len(sizes) && len(rest) >= sizes[number]:
		for _, b := range rest[:sizes[number]] {
			l.Through = l.Through<<8 | int64(b)
		}
		rest = rest[sizes[number]:]
	default:
		return l
	}
	if len(rest) != len(l.Hash) {
		return wal.Link{}
	}
	l.Hash = [32]byte(rest)
	return l
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
