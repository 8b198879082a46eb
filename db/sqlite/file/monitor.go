package file

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
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Monitor tells whether the file on the disk is still the database that is open. SQLite
// does not notice when it is overwritten: it goes on with what it has in memory and in the
// write-ahead log, acknowledges more writes, and after a restart the file cannot be read.
//
// Nothing but copying the log writes to the file, and whoever copies it, this process or
// another, says so before in the shared index of the log. So the monitor looks at parts of
// the file that every copy changes: what changed without a copy was changed by something
// else. It has a connection of its own, so that it waits for no other read.
type Monitor struct {
	File    File
	Info    os.FileInfo // of the file that was opened
	log     os.FileInfo // of its write-ahead log
	index   os.FileInfo // of the index of that
	Free    chan struct{}
	Conn    *cursor.Conn // nil while there is none
	ping    *cursor.Rows
	link    *cursor.Rows
	Stored  atomic.Pointer[journal.Head] // the newest link that this process has found or written
	Page    int64                        // bytes
	root    int64                        // the page that journal_links begins at: each commit writes its end
	closed  bool
	written time.Time // when the file was last written to, before it was seen
	Seen    observation
	foreign bool // it is not as it was seen, and no copy explains that
}

// observation is what the monitor saw of the file.
type observation struct {
	diskState
	Copying  cursor.Copying
	underway bool   // a copy had begun and was not done
	changes  uint32 // cursor.Conn.Changes
}

// remade reports whether the index of the log was overwritten since another sight: what it says of
// copies excuses nothing then. It is blank until the next read has SQLite make it anew.
func (s observation) remade(since observation) bool {
	return s.blank() || s.changes < since.changes
}

// blank reports an index that tells of no log, or was overwritten with zeros.
func (s observation) blank() bool { return s.Copying.Salts == [2]uint32{} }

// diskState is what there is of a file on the disk, as far as it is looked at.
type diskState struct {
	size  int64
	head  [20]byte // what never changes: that it is a database, and the size of its pages
	pages [sha256.Size]byte
}

var (
	// ErrOverwritten is the error of a file that something else than SQLite has written to.
	ErrOverwritten = errors.New("the database file was overwritten by another program; stop the server and restore a backup")
	errLogBehind   = errors.New("the database no longer holds what this server has stored: the write-ahead log beside it or the index of that (-shm) was overwritten; keep a copy of all three files, stop the server, and run app verify")
	// ErrLogOverwritten is the error of a log that something else than SQLite has written to.
	ErrLogOverwritten = errors.New("the write-ahead log beside the database was cut off or overwritten by another program; stop the server and restore a backup")
)

// ForbidsCheckpoint reports an error after which to copy the write-ahead log into the database
// would damage it, or lose what another process has appended to the log.
func ForbidsCheckpoint(err error) bool {
	return sqlerr.IsDiskFailure(err) || slices.ContainsFunc([]error{ErrOverwritten, ErrLogOverwritten, errLogBehind, ErrLogReplaced, sqlerr.ErrIndexRemoved}, func(harm error) bool {
		return errors.Is(err, harm)
	})
}

// Monitor opens the connection of a monitor, and takes the file for whole as it is. head is the
// newest link.
func (f File) Monitor(head journal.Head) (w *Monitor, err error) {
	w = &Monitor{File: f, Free: make(chan struct{}, 1)}
	w.Stored.Store(&head)
	w.Free <- struct{}{}
	if w.Info, err = os.Stat(f.Path); err != nil {
		return nil, err
	}
	if err = w.open(); err == nil {
		w.log, err = os.Stat(f.Path + "-wal") // which reading has made
	}
	if err == nil {
		w.index, err = os.Stat(f.Path + "-shm")
	}
	if err == nil {
		w.written = w.Info.ModTime()
		w.Seen, err = w.observe()
		// After a kill SQLite says that all of the log is being copied, and says no more when a copy begins.
		w.Seen.underway = w.Seen.underway || w.Seen.Copying.Begun != w.Seen.Copying.Done
	}
	if err != nil {
		w.drop()
		return nil, err
	}
	return w, nil
}

// open opens the connection, and gives it up where that fails.
func (w *Monitor) open() (err error) {
	defer func() {
		if err != nil {
			w.drop()
		}
	}()
	if w.Conn, err = cursor.Open(w.File.DSN(url.Values{"mode": {"ro"}})); err != nil {
		return err
	}
	if w.ping, err = w.Conn.Prepare(gen.Ping); err != nil {
		return err
	}
	if w.link, err = w.Conn.Prepare(gen.LinkUpTo); err != nil {
		return err
	}
	if err := w.read(); err != nil {
		return err
	}
	if w.Page, err = w.number("PRAGMA page_size"); err != nil {
		return err
	}
	w.root, err = w.number("SELECT rootpage FROM sqlite_schema WHERE name = 'journal_links'")
	return err
}

func (w *Monitor) number(query string) (int64, error) {
	text, err := w.Conn.Value(query)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// read is a real read, of a table.
func (w *Monitor) read() error {
	return w.ping.Read(func() {})
}

// Check reads from the database, and compares what is on the disk with what it was. The
// error says what is wrong.
func (w *Monitor) Check(ctx context.Context) error {
	return w.Alone(ctx, func(info os.FileInfo) error {
		if err := w.Compare(info); err != nil {
			return err
		}
		if err := w.checkLog(); err != nil {
			return err
		}
		return w.read()
	})
}

// SchemaVersion is the schema version of the file, which another process may have raised.
func (w *Monitor) SchemaVersion(ctx context.Context) (version int64, err error) {
	err = w.Alone(ctx, func(os.FileInfo) error {
		version, err = w.number("SELECT coalesce(max(version_id), 0) FROM goose_db_version")
		return err
	})
	return version, err
}

// CheckBeforeWrite is check without the read, and where nothing has written to the file since it
// was seen, without looking at the disk: it costs no more than a look at the names
// and at the log.
func (w *Monitor) CheckBeforeWrite() error {
	return w.Alone(context.Background(), func(info os.FileInfo) error {
		if w.changedSince(info) {
			if err := w.Compare(info); err != nil {
				return err
			}
		}
		return w.checkLog()
	})
}

// checkLog checks that nobody has cut off the write-ahead log or overwritten its beginning, that
// its index finds each of its pages, and that the newest link which this process found or stored is
// there. A link with another hash is not lost: the writer refuses it when it continues the chain.
func (w *Monitor) checkLog() error {
	whole, err := w.Conn.LogWhole(w.Page)
	if err == nil && !whole {
		err = ErrLogOverwritten
	}
	if err == nil {
		if whole, err = w.Conn.IndexWhole(); err == nil && !whole {
			err = errLogBehind
		}
	}
	head := w.Stored.Load()
	if err != nil || head.Seq == 0 {
		return err
	}
	found := journal.Seq(0)
	if err := w.link.Read(func() { found = journal.Seq(w.link.Int(0)) }, int64(head.Seq)); err != nil {
		return err
	}
	if found != head.Seq {
		return errLogBehind
	}
	return nil
}

// Copied reports whether no part of the log was being copied when the monitor last looked: what changes
// in the file without a copy is noticed only then.
func (w *Monitor) Copied() bool { return !w.Seen.underway }

// AfterTransaction takes down how far the log was copied, after a transaction of this process: which
// began the log anew, perhaps, or was followed by a copy. So what changes from then on has
// no excuse. What is wrong the next write is told.
func (w *Monitor) AfterTransaction() {
	_ = w.Alone(context.Background(), func(info os.FileInfo) error {
		copying, err := w.Conn.Copying()
		if err != nil {
			return err
		}
		changes, err := w.Conn.Changes()
		if err != nil {
			return err
		}
		if copying == w.Seen.Copying && changes >= w.Seen.changes {
			w.Seen.changes = changes
			return nil
		}
		return w.Compare(info) // whatever its time says: another process may have copied since
	})
}

// changedSince reports whether anything has written to the file since it was seen.
func (w *Monitor) changedSince(info os.FileInfo) bool {
	return w.foreign || info.Size() != w.Seen.size || !info.ModTime().Equal(w.written)
}

// Alone does something while nobody else uses the connection, which it opens where there is
// none, and passes what the name of the file leads to. The log and its index must be those
// that were opened. A connection that fails is given up.
func (w *Monitor) Alone(ctx context.Context, do func(os.FileInfo) error) error {
	select {
	case <-w.Free:
		defer func() { w.Free <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if w.closed {
		return errors.New("the database is closed")
	}
	info, err := w.File.SameAs(w.Info)
	err = cmp.Or(err, w.File.sameLogAs(w.log), w.File.sameIndexAs(w.index))
	if errors.Is(err, ErrLogRemoved) && w.Conn != nil {
		err = cmp.Or(w.Compare(info), err) // what the log holds is not saved into another file
	}
	if err != nil {
		return err
	}
	if w.Conn == nil {
		err = w.open()
	}
	if err == nil {
		release := w.Conn.Until(ctx)
		err = do(info)
		release()
	}
	if sqlerr.Distrusts(err) || w.Conn != nil && !w.Conn.Idle() {
		w.drop()
	}
	return err
}

// Compare looks at the file, and remembers what it saw unless that is not the database that
// was opened. That is forgiven when the file is what it was. info is of before.
func (w *Monitor) Compare(info os.FileInfo) error {
	now, err := w.observe()
	if err != nil {
		return err
	}
	copied := !now.remade(w.Seen) && (now.Copying != w.Seen.Copying || w.Seen.underway)
	w.foreign = now.diskState != w.Seen.diskState && (w.foreign || !copied || now.head != w.Seen.head)
	if w.foreign {
		return ErrOverwritten
	}
	if now.blank() {
		return nil // what it was before tells more
	}
	now.underway = now.underway || copied && now.Copying.Begun != now.Copying.Done
	w.Seen, w.written = now, info.ModTime()
	return nil
}

// observe reads the first page, and those that lead to the end of journal_links. While a copy
// is under way it sees some pages as they were and some as they become, which the next
// look takes for what it is: a copy that was not done when it was looked at.
func (w *Monitor) observe() (s observation, err error) {
	for range 10 { // a copy that began and ended meanwhile
		before, err := w.Conn.Copying()
		if err != nil {
			return s, err
		}
		if s.diskState, err = w.observeDisk(); err != nil {
			return s, err
		}
		if s.changes, err = w.Conn.Changes(); err != nil {
			return s, err
		}
		if s.Copying, err = w.Conn.Copying(); err != nil || s.Copying == before {
			return s, err
		}
	}
	s.underway = true // it is not known what the pages are of
	return s, nil
}

func (w *Monitor) observeDisk() (d diskState, err error) {
	const deepest = 20 // more than any tree of pages is
	if d.size, err = w.Conn.DiskSize(); err != nil {
		return d, err
	}
	sum, page := sha256.New(), make([]byte, w.Page)
	if err := w.Conn.ReadDisk(page, 0); err != nil {
		return d, err
	}
	d.head = [20]byte(page)
	sum.Write(page)
	for next, depth := w.root, 0; next > 0 && depth < deepest; depth++ {
		if err := w.Conn.ReadDisk(page, (next-1)*w.Page); err != nil {
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
func (w *Monitor) drop() {
	if w.ping != nil {
		_ = w.ping.Close()
	}
	if w.link != nil {
		_ = w.link.Close()
	}
	if w.Conn != nil {
		_ = w.Conn.Close()
	}
	w.Conn, w.ping, w.link = nil, nil, nil
}

// Close closes the connection for good.
func (w *Monitor) Close() {
	<-w.Free
	w.closed = true
	w.drop()
	w.Free <- struct{}{}
}

// Unreachable is the error of a database that the monitor does not find as it was.
// Unavailable.
func Unreachable(err error) error {
	return fault.Wrap(fault.Unavailable, err, "the database is unreachable")
}
