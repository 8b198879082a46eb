package file

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"os"
	"strconv"
	"sync/atomic"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// Monitor tells whether the names of the database, its log and the index of that still lead to the files
// that are open. SQLite does not notice when somebody moves or removes them: it goes on to acknowledge
// writes that no restart would find. A health check also reads the newest link of the journal. The
// monitor has its own connection, so that it waits for no other read.
type Monitor struct {
	file   File
	names  [3]os.FileInfo // the database, its log and the index of that, as they were opened
	free   chan struct{}
	conn   *cursor.Conn // nil while there is none
	ping   *cursor.Rows
	link   *cursor.Rows
	stored atomic.Pointer[journal.Head] // the newest link that this process has read or written
	closed bool
}

var errLost = errors.New("the database no longer holds what this server has stored: another program replaced its records, or overwrote one of its files; keep a copy of all three files, stop the server, and run app verify")

// Monitor opens the connection of a monitor. It takes the present files as good. head is the newest link.
func (f File) Monitor(head journal.Head) (w *Monitor, err error) {
	w = &Monitor{file: f, free: make(chan struct{}, 1)}
	w.stored.Store(&head)
	w.free <- struct{}{}
	err = w.open() // the read in it makes the log
	for i, part := range []string{"", "-wal", "-shm"} {
		if err == nil {
			w.names[i], err = os.Stat(f.Path + part)
		}
	}
	if err != nil {
		w.drop()
		return nil, err
	}
	return w, nil
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
	return w.ping.Read(func() {})
}

// Check checks the names, and reads the newest link that this process has read or stored. The error says
// what is wrong.
func (w *Monitor) Check(ctx context.Context) error {
	return w.alone(ctx, func() error {
		head := w.stored.Load()
		if head.Seq == 0 {
			return w.ping.Read(func() {})
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
	})
}

// SchemaVersion returns the schema version of the file, which another process may have raised.
func (w *Monitor) SchemaVersion(ctx context.Context) (version int64, err error) {
	err = w.alone(ctx, func() error {
		text, err := w.conn.Value("SELECT coalesce(max(version_id), 0) FROM goose_db_version")
		if err == nil {
			version, err = strconv.ParseInt(text, 10, 64)
		}
		return err
	})
	return version, err
}

// Named checks that each name still leads to the open file.
func (w *Monitor) Named() error {
	if _, err := w.file.sameAs(w.names[0]); err != nil {
		return err
	}
	return cmp.Or(w.file.sameLogAs(w.names[1]), w.file.sameIndexAs(w.names[2]))
}

// MayCopyLog refuses a copy of the log into the database after which another process would lose what it
// wrote, because the log or the index has been replaced. A log that only lost its name may be copied.
func (w *Monitor) MayCopyLog() error {
	if err := w.file.sameLogAs(w.names[1]); err != nil && !errors.Is(err, ErrLogRemoved) {
		return err
	}
	return w.file.sameIndexAs(w.names[2])
}

// alone runs a function while no other goroutine uses the connection. It opens the connection if there is
// none, and closes one that fails.
func (w *Monitor) alone(ctx context.Context, do func() error) error {
	select {
	case <-w.free:
		defer func() { w.free <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if w.closed {
		return errors.New("the database is closed")
	}
	err := w.Named()
	if err != nil {
		return err
	}
	if w.conn == nil {
		err = w.open()
	}
	if err == nil {
		release := w.conn.Until(ctx)
		err = do()
		release()
	}
	if sqlerr.Distrusts(err) || w.conn != nil && !w.conn.Idle() {
		w.drop()
	}
	return err
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

// Unreachable is the error of a database that fails the check of its monitor. Unavailable.
func Unreachable(err error) error {
	return fault.Wrap(fault.Unavailable, err, "the database is unreachable")
}
