package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// Monitor tells whether the file on the disk is still the database that is open. SQLite does not notice
// when another program overwrites it: SQLite goes on with its memory and its write-ahead log and
// acknowledges more writes, and after a restart the file cannot be read.
//
// Only a checkpoint writes to the file. The process that copies the log, this one or another, first
// says so in the shared index of the log. So the monitor looks at parts of the file that every copy
// changes. If they changed without a copy, another program changed them. The monitor has its own
// connection, so that it waits for no other read.
type Monitor struct {
	file    File
	info    os.FileInfo // of the file that was opened
	log     named       // its write-ahead log
	index   named       // the index of the log
	notice  func(sentence string)
	free    chan struct{}
	conn    *cursor.Conn // nil while there is none
	ping    *cursor.Rows
	link    *cursor.Rows
	stored  atomic.Pointer[journal.Head] // the newest link that this process has read or written
	page    int64                        // bytes
	links   int64                        // the root page of journal_links; each commit writes the end of that table
	note    int64                        // the page of log_base; the first commit in a log writes it
	closed  bool
	written time.Time // when the file was last written, at the last observation
	seen    observation
	foreign bool // the file changed, and no copy explains that
}

var (
	// ErrOverwritten is the error of a file that another program wrote to without SQLite.
	ErrOverwritten = errors.New("the database file was overwritten by another program; stop the server and restore a backup")
	errLost        = errors.New("the database no longer holds what this server has stored: another program replaced its records, or the write-ahead log beside it or its index (-shm) was overwritten; keep a copy of all three files, stop the server, and run app verify")
	// ErrLogOverwritten is the error of a log that another program wrote to without SQLite.
	ErrLogOverwritten = errors.New("the write-ahead log beside the database was cut off or overwritten by another program; stop the server and restore a backup")
)

// ForbidsCheckpoint reports an error that makes a checkpoint unsafe: to copy the log into the database
// would damage the database, or lose what another process appended to the log.
func ForbidsCheckpoint(err error) bool {
	return sqlerr.IsDiskFailure(err) || slices.ContainsFunc([]error{ErrOverwritten, ErrLogOverwritten, errLost, ErrLogReplaced, sqlerr.ErrIndexRemoved}, func(harm error) bool {
		return errors.Is(err, harm)
	})
}

// Monitor opens the connection of a monitor. It takes the present state of the file as good. head is
// the newest link.
func (f File) Monitor(ctx context.Context, head journal.Head) (w *Monitor, err error) {
	w = &Monitor{file: f, notice: Notice(ctx), free: make(chan struct{}, 1)}
	w.stored.Store(&head)
	w.free <- struct{}{}
	if w.info, err = os.Stat(f.Path); err != nil {
		return nil, err
	}
	if err = w.open(); err == nil {
		w.log, err = nameOf(f.Path+"-wal", f.Path+secondLog) // the read in open made it
	}
	if err == nil {
		w.index, err = nameOf(f.Path+"-shm", f.Path+secondIndex)
	}
	if err == nil {
		w.written = w.info.ModTime()
		w.seen, err = w.observe()
		// After a kill the index says that SQLite copies all of the log, and does not change when a
		// copy begins.
		w.seen.underway = w.seen.underway || w.seen.copying.Begun != w.seen.copying.Done
	}
	if err != nil {
		w.drop()
		return nil, err
	}
	w.keepNames()
	return w, nil
}

// KeepNames gives the log and its index a name that they have lost. The next write or health check
// reports why it could not.
func (w *Monitor) KeepNames() {
	_ = w.alone(context.Background(), func(os.FileInfo) error {
		w.keepNames()
		return nil
	})
}

func (w *Monitor) keepNames() {
	if w.file.SecondNames {
		w.log.twice()
		w.index.twice()
	}
}

// Wrote tells the monitor the newest link that this process has written.
func (w *Monitor) Wrote(head journal.Head) { w.stored.Store(&head) }

// open opens the connection. It closes the connection if that fails.
func (w *Monitor) open() (err error) {
	defer func() {
		if err != nil {
			w.drop()
		}
	}()
	if w.conn, err = cursor.Open(w.file.DSN(url.Values{"mode": {"ro"}})); err != nil {
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
	if w.links, err = w.rootOf("journal_links"); err != nil {
		return err
	}
	w.note, err = w.rootOf("log_base")
	return err
}

// rootOf is the root page of a table.
func (w *Monitor) rootOf(table string) (int64, error) {
	return w.number("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'")
}

func (w *Monitor) number(query string) (int64, error) {
	text, err := w.conn.Value(query)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// read reads a table.
func (w *Monitor) read() error {
	return w.ping.Read(func() {})
}

// Check reads from the database, and compares the file on the disk with the last observation. The error
// says what is wrong.
func (w *Monitor) Check(ctx context.Context) error {
	return w.alone(ctx, func(info os.FileInfo) error {
		if err := w.compare(info); err != nil {
			return err
		}
		if err := w.checkLog(); err != nil {
			return err
		}
		return w.read()
	})
}

// SchemaVersion returns the schema version of the file, which another process may have raised.
func (w *Monitor) SchemaVersion(ctx context.Context) (version int64, err error) {
	err = w.alone(ctx, func(os.FileInfo) error {
		version, err = w.number("SELECT coalesce(max(version_id), 0) FROM goose_db_version")
		return err
	})
	return version, err
}

// CheckBeforeWrite is Check without the read. It reads the file only if its size or time has changed,
// so that it usually costs no more than a look at the names and at the log.
func (w *Monitor) CheckBeforeWrite() error {
	return w.alone(context.Background(), func(info os.FileInfo) error {
		if w.changedSince(info) {
			if err := w.compare(info); err != nil {
				return err
			}
		}
		return w.checkLog()
	})
}

// checkLog checks that nobody truncated the write-ahead log or overwrote its beginning, that the index
// finds each page of the log, and that the newest link which this process read or stored is there.
func (w *Monitor) checkLog() error {
	whole, err := w.conn.LogWhole(w.page)
	if err == nil && !whole {
		err = ErrLogOverwritten
	}
	if err == nil {
		if whole, err = w.conn.IndexWhole(); err == nil && !whole {
			err = errLost
		}
	}
	head := w.stored.Load()
	if err != nil || head.Seq == 0 {
		return err
	}
	var found journal.Head
	if err := w.link.Read(func() {
		found.Seq = journal.Seq(w.link.Int(0))
		copy(found.Hash[:], w.link.Text(1))
	}, int64(head.Seq)); err != nil {
		return err
	}
	if found != *head {
		return errLost
	}
	return nil
}

// Copied reports whether no checkpoint was under way at the last observation. Only then does the
// monitor notice a change of the file that no copy explains.
func (w *Monitor) Copied() bool { return !w.seen.underway }

// AfterTransaction records how far the log was copied, after a transaction of this process. The
// transaction may have restarted the log, or a checkpoint may have followed it. From then on no copy
// excuses a change. The next write reports what is wrong.
func (w *Monitor) AfterTransaction() {
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
		return w.compare(info) // even if its time is the same, because another process may have copied since
	})
}

// changedSince reports whether the file was written since the last observation.
func (w *Monitor) changedSince(info os.FileInfo) bool {
	return w.foreign || info.Size() != w.seen.size || !info.ModTime().Equal(w.written)
}

// alone runs a function while no other goroutine uses the connection, and passes it the state of the
// file that has the name. It opens the connection if there is none. The log and its index must be those
// that were opened, and get a name back that they have lost. alone closes a connection that fails.
func (w *Monitor) alone(ctx context.Context, do func(os.FileInfo) error) error {
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
	if err == nil {
		err = w.named(info)
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
	if sqlerr.Distrusts(err) || w.conn != nil && !w.conn.Idle() {
		w.drop()
	}
	return err
}

// named checks that the log and its index have their names, and gives them back. The error says what
// is wrong. info is the state of the file.
func (w *Monitor) named(info os.FileInfo) error {
	lost := cmp.Or(w.file.sameLogAs(w.log.info), w.file.sameIndexAs(w.index.info))
	if lost == nil || !errors.Is(lost, ErrLogRemoved) && Exists(w.index.first) {
		return lost
	}
	if w.conn != nil {
		if err := w.compare(info); err != nil {
			return err // the log belongs to no other file
		}
	}
	if !w.file.SecondNames {
		return lost
	}
	if err := w.file.nameAgain(w.log, w.index); err != nil {
		return fmt.Errorf("%w; it could not get its name back: %w", lost, err)
	}
	w.notice("another program removed the write-ahead log beside the database, or its index; it has its name again")
	return nil
}

// compare observes the file. It stores the observation unless the file is not the database that was
// opened. The error ends when the file is again what it was. info is the state of the file before that.
func (w *Monitor) compare(info os.FileInfo) error {
	now, err := w.observe()
	if err != nil {
		return err
	}
	copied := !now.remade(w.seen) && (now.copying != w.seen.copying || w.seen.underway)
	w.foreign = now.diskState != w.seen.diskState && (w.foreign || !copied || now.head != w.seen.head)
	if w.foreign {
		return ErrOverwritten
	}
	if now.blank() {
		return nil // the earlier observation tells more
	}
	now.underway = now.underway || copied && now.copying.Begun != now.copying.Done
	w.seen, w.written = now, info.ModTime()
	return nil
}

// drop closes the connection, if there is one. Nothing is lost, because it only read.
func (w *Monitor) drop() {
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

// Close closes the connection for good.
func (w *Monitor) Close() {
	<-w.free
	w.closed = true
	w.drop()
	w.free <- struct{}{}
}

// DropSecondNames removes the second names of a server, after its last connection is closed.
func (w *Monitor) DropSecondNames() error {
	if !w.file.SecondNames {
		return nil
	}
	return errors.Join(w.log.once(), w.index.once())
}

// Unreachable is the error of a database that fails the check of its monitor. Unavailable.
func Unreachable(err error) error {
	return fault.Wrap(fault.Unavailable, err, "the database is unreachable")
}
