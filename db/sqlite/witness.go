package sqlite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"net/url"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// A witness tells whether the file on the disk is still the database that is open. SQLite
// does not notice when it is overwritten: it goes on with what it has in memory and in the
// write-ahead log, acknowledges more writes, and after a restart the file cannot be read.
//
// Nothing but copying the log writes to the file, and whoever copies it, this process or
// another, says so before in the shared index of the log. So the witness looks at parts of
// the file that every copy changes: what changed without a copy was changed by something
// else. It has a connection of its own, so that it waits for no other read.
type witness struct {
	file    file
	info    os.FileInfo // of the file that was opened
	log     os.FileInfo // of its write-ahead log
	index   os.FileInfo // of the index of that
	free    chan struct{}
	conn    *cursor.Conn // nil while there is none
	ping    *cursor.Rows
	link    *cursor.Rows
	stored  atomic.Pointer[journal.Head] // the newest link that this process has found or written
	page    int64                        // bytes
	root    int64                        // the page that journal_links begins at: each commit writes its end
	closed  bool
	written time.Time // when the file was last written to, before it was seen
	seen    sight
	foreign bool // it is not as it was seen, and no copy explains that
}

// sight is what the witness saw of the file.
type sight struct {
	extent
	copying  cursor.Copying
	underway bool   // a copy had begun and was not done
	changes  uint32 // cursor.Conn.Changes
}

// remade reports whether the index of the log was overwritten since another sight: what it says of
// copies excuses nothing then. It is blank until the next read has SQLite make it anew.
func (s sight) remade(since sight) bool {
	return s.blank() || s.changes < since.changes
}

// blank reports an index that tells of no log, or was overwritten with zeros.
func (s sight) blank() bool { return s.copying.Salts == [2]uint32{} }

// extent is what there is of a file on the disk, as far as it is looked at.
type extent struct {
	size  int64
	head  [20]byte // what never changes: that it is a database, and the size of its pages
	pages [sha256.Size]byte
}

var (
	errOverwritten    = errors.New("the database file was overwritten by another program; stop the server and restore a backup")
	errLogBehind      = errors.New("the database no longer holds what this server has stored: the write-ahead log beside it or the index of that (-shm) was overwritten; keep a copy of all three files, stop the server, and run app verify")
	errLogOverwritten = errors.New("the write-ahead log beside the database was cut off or overwritten by another program; stop the server and restore a backup")
)

// forbidsCopy reports an error after which to copy the write-ahead log into the database
// would damage it, or lose what another process has appended to the log.
func forbidsCopy(err error) bool {
	return isDiskFailure(err) || slices.ContainsFunc([]error{errOverwritten, errLogOverwritten, errLogBehind, errLogReplaced, errIndexRemoved}, func(harm error) bool {
		return errors.Is(err, harm)
	})
}

// witness opens the connection of a witness, and takes the file for whole as it is. head is the
// newest link.
func (f file) witness(head journal.Head) (w *witness, err error) {
	w = &witness{file: f, free: make(chan struct{}, 1)}
	w.stored.Store(&head)
	w.free <- struct{}{}
	if w.info, err = os.Stat(f.path); err != nil {
		return nil, err
	}
	if err = w.open(); err == nil {
		w.log, err = os.Stat(f.path + "-wal") // which reading has made
	}
	if err == nil {
		w.index, err = os.Stat(f.path + "-shm")
	}
	if err == nil {
		w.written = w.info.ModTime()
		w.seen, err = w.look()
	}
	if err != nil {
		w.drop()
		return nil, err
	}
	return w, nil
}

// open opens the connection, and gives it up where that fails.
func (w *witness) open() (err error) {
	defer func() {
		if err != nil {
			w.drop()
		}
	}()
	if w.conn, err = cursor.Open(w.file.dsn(url.Values{"mode": {"ro"}})); err != nil {
		return err
	}
	if w.ping, err = w.conn.Prepare(gen.Ping); err != nil {
		return err
	}
	if w.link, err = w.conn.Prepare(gen.LinkUpTo); err != nil {
		return err
	}
	if err := w.read(); err != nil {
		return err
	}
	if w.page, err = w.number("PRAGMA page_size"); err != nil {
		return err
	}
	w.root, err = w.number("SELECT rootpage FROM sqlite_schema WHERE name = 'journal_links'")
	return err
}

func (w *witness) number(query string) (int64, error) {
	text, err := w.conn.Value(query)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// read is a real read, of a table.
func (w *witness) read() error {
	return read(w.ping, func() {})
}

// check reads from the database, and compares what is on the disk with what it was. The
// error says what is wrong.
func (w *witness) check(ctx context.Context) error {
	return w.alone(ctx, func(info os.FileInfo) error {
		if err := w.compare(info); err != nil {
			return err
		}
		if err := w.logWhole(); err != nil {
			return err
		}
		return w.read()
	})
}

// version is the schema version of the file, which another process may have raised.
func (w *witness) version(ctx context.Context) (version int64, err error) {
	err = w.alone(ctx, func(os.FileInfo) error {
		version, err = w.number("SELECT coalesce(max(version_id), 0) FROM goose_db_version")
		return err
	})
	return version, err
}

// unwritten is check without the read, and where nothing has written to the file since it
// was seen, without looking at the disk: it costs no more than a look at the names
// and at the log.
func (w *witness) unwritten() error {
	return w.alone(context.Background(), func(info os.FileInfo) error {
		if w.wrote(info) {
			if err := w.compare(info); err != nil {
				return err
			}
		}
		return w.logWhole()
	})
}

// logWhole checks that nobody has cut off the write-ahead log or overwritten its beginning, that
// its index finds each of its pages, and that the newest link which this process found or stored is
// there. A link with another hash is not lost: the writer refuses it when it continues the chain.
func (w *witness) logWhole() error {
	whole, err := w.conn.LogWhole(w.page)
	if err == nil && !whole {
		err = errLogOverwritten
	}
	if err == nil {
		if whole, err = w.conn.IndexWhole(); err == nil && !whole {
			err = errLogBehind
		}
	}
	head := w.stored.Load()
	if err != nil || head.Seq == 0 {
		return err
	}
	found := journal.Seq(0)
	if err := read(w.link, func() { found = journal.Seq(w.link.Int(0)) }, int64(head.Seq)); err != nil {
		return err
	}
	if found != head.Seq {
		return errLogBehind
	}
	return nil
}

// follow takes down how far the log was copied, after a transaction of this process: which
// began the log anew, perhaps, or was followed by a copy. So what changes from then on has
// no excuse. What is wrong the next write is told.
func (w *witness) follow() {
	_ = w.alone(context.Background(), func(info os.FileInfo) error {
		copying, err := w.conn.Copying()
		if err != nil {
			return err
		}
		changes, err := w.conn.Changes()
		if err != nil {
			return err
		}
		if copying == w.seen.copying && changes >= w.seen.changes {
			w.seen.changes = changes
			return nil
		}
		return w.compare(info) // whatever its time says: another process may have copied since
	})
}

// wrote reports whether anything has written to the file since it was seen.
func (w *witness) wrote(info os.FileInfo) bool {
	return w.foreign || info.Size() != w.seen.size || !info.ModTime().Equal(w.written)
}

// alone does something while nobody else uses the connection, which it opens where there is
// none, and passes what the name of the file leads to. The log and its index must be those
// that were opened. A connection that fails is given up.
func (w *witness) alone(ctx context.Context, do func(os.FileInfo) error) error {
	select {
	case <-w.free:
		defer func() { w.free <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if w.closed {
		return errors.New("the database is closed")
	}
	info, err := w.file.sameAs(w.info)
	err = cmp.Or(err, w.file.sameLogAs(w.log), w.file.sameIndexAs(w.index))
	if errors.Is(err, errLogRemoved) && w.conn != nil {
		err = cmp.Or(w.compare(info), err) // what the log holds is not saved into another file
	}
	if err != nil {
		return err
	}
	if w.conn == nil {
		err = w.open()
	}
	if err == nil {
		release := w.conn.Until(ctx)
		err = do(info)
		release()
	}
	if distrusts(err) || w.conn != nil && !w.conn.Idle() {
		w.drop()
	}
	return err
}

// compare looks at the file, and remembers what it saw unless that is not the database that
// was opened. That is forgiven when the file is what it was. info is of before.
func (w *witness) compare(info os.FileInfo) error {
	now, err := w.look()
	if err != nil {
		return err
	}
	copied := !now.remade(w.seen) && (now.copying != w.seen.copying || w.seen.underway)
	w.foreign = now.extent != w.seen.extent && (w.foreign || !copied || now.head != w.seen.head)
	if w.foreign {
		return errOverwritten
	}
	if now.blank() {
		return nil // what it was before tells more
	}
	now.underway = now.underway || copied && now.copying.Begun != now.copying.Done
	w.seen, w.written = now, info.ModTime()
	return nil
}

// look reads the first page, and those that lead to the end of journal_links. While a copy
// is under way it sees some pages as they were and some as they become, which the next
// look takes for what it is: a copy that was not done when it was looked at.
func (w *witness) look() (s sight, err error) {
	for range 10 { // a copy that began and ended meanwhile
		before, err := w.conn.Copying()
		if err != nil {
			return s, err
		}
		if s.extent, err = w.lookAtDisk(); err != nil {
			return s, err
		}
		if s.changes, err = w.conn.Changes(); err != nil {
			return s, err
		}
		if s.copying, err = w.conn.Copying(); err != nil || s.copying == before {
			return s, err
		}
	}
	s.underway = true // it is not known what the pages are of
	return s, nil
}

func (w *witness) lookAtDisk() (d extent, err error) {
	const deepest = 20 // more than any tree of pages is
	if d.size, err = w.conn.DiskSize(); err != nil {
		return d, err
	}
	sum, page := sha256.New(), make([]byte, w.page)
	if err := w.conn.ReadDisk(page, 0); err != nil {
		return d, err
	}
	d.head = [20]byte(page)
	sum.Write(page)
	for next, depth := w.root, 0; next > 0 && depth < deepest; depth++ {
		if err := w.conn.ReadDisk(page, (next-1)*w.page); err != nil {
			return d, err
		}
		sum.Write(page)
		next = lastChild(page)
	}
	d.pages = [sha256.Size]byte(sum.Sum(nil))
	return d, nil
}

// lastChild is the last page below one of a tree (SQLite, "Database File Format", 1.6), 0
// below a leaf.
func lastChild(page []byte) int64 {
	const interiorIndex, interiorTable = 2, 5
	if page[0] == interiorIndex || page[0] == interiorTable {
		return int64(binary.BigEndian.Uint32(page[8:]))
	}
	return 0
}

// drop closes the connection, if there is one. It only read.
func (w *witness) drop() {
	if w.ping != nil {
		_ = w.ping.Close()
	}
	if w.link != nil {
		_ = w.link.Close()
	}
	if w.conn != nil {
		_ = w.conn.Close()
	}
	w.conn, w.ping, w.link = nil, nil, nil
}

// close closes the connection for good.
func (w *witness) close() {
	<-w.free
	w.closed = true
	w.drop()
	w.free <- struct{}{}
}

// unreachable is the error of a database that the witness does not find as it was.
// Unavailable.
func unreachable(err error) error {
	return fault.Wrap(fault.Unavailable, err, "the database is unreachable")
}
