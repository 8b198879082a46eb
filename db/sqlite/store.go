// Package sqlite keeps the Book, the Ledger and the Keyring in one SQLite file: one
// writer that commits many requests together, and a pool of readers that never wait
// for it.
// db/DESIGN.md says why.
//
// It turns rows into domain values and driver errors into faults, and opens the
// transactions; every rule it applies inside one is a function of the domain.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/access"
	"daybook/internal/budget"
	"daybook/internal/disk"
	"daybook/internal/fault"
	"daybook/internal/trading"
)

var (
	_ trading.Store = (*Store)(nil)
	_ budget.Store  = (*Store)(nil)
	_ access.Store  = (*Store)(nil)
)

// Store is an open database file.
type Store struct {
	file     file
	now      func() time.Time
	writer   *writer
	reading  *sql.DB
	reader   *gen.Queries // prepared on reading
	lookups  *lookups
	scanners *scanners
	memory   *memory
	room     func(dir string) (free, all int64, err error) // of the disk
	deleting chan struct{}                                 // has one while a department or account is deleted
}

// Open migrates a database file, creating it when there is none, and opens it; now
// dates the journal and bounds the time of a batch.
// Unavailable: it is not a database of ours, newer than this program, or the disk
// refuses.
func Open(ctx context.Context, path string, now func() time.Time) (*Store, error) {
	f, err := locate(path)
	if err != nil {
		return nil, err
	}
	return f.store(ctx, now)
}

// OpenExisting is Open for a database that is there; it creates none. Unavailable: there
// is none, or as for Open.
func OpenExisting(ctx context.Context, path string, now func() time.Time) (*Store, error) {
	f, err := locate(path)
	if err != nil {
		return nil, err
	}
	if f.missing() {
		return nil, f.none()
	}
	return f.store(ctx, now)
}

// store migrates the file and opens it, both before another process may restore it.
func (f file) store(ctx context.Context, now func() time.Time) (s *Store, err error) {
	err = f.alone(ctx, func() error {
		if _, err := f.update(ctx); err != nil {
			return err
		}
		s, err = f.openStore(ctx, now)
		return err
	})
	return s, err
}

// openStore opens a file that is up to date.
func (f file) openStore(ctx context.Context, now func() time.Time) (*Store, error) {
	s := &Store{file: f, now: now, memory: &memory{}, room: disk.Room, deleting: make(chan struct{}, 1)}
	if err := s.open(ctx); err != nil {
		_ = s.Close() // the reason to give up is the one to report
		return nil, fault.Wrap(fault.Unavailable, err, "cannot open %s", f.path)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) (err error) {
	if s.writer, err = newWriter(ctx, s.file, s.now); err != nil {
		return err
	}
	if s.reading, err = s.file.open(ctx, "ro", readersAtOnce(), readerPragmas); err != nil {
		return err
	}
	if s.reader, err = gen.Prepare(ctx, s.reading); err != nil {
		return err
	}
	if s.lookups, err = s.file.lookups(ctx); err != nil {
		return err
	}
	s.scanners, err = s.file.scanners()
	return err
}

// Close answers the writes that wait, refuses new ones, and closes the file. The
// connection that writes goes last: SQLite copies the write-ahead log into the
// database when the last one closes, which a reader could not do. Where that would damage
// the database it does not, and the error says so.
func (s *Store) Close() error {
	var err error
	if s.writer != nil {
		s.writer.drain()
	}
	if s.scanners != nil {
		err = s.scanners.close()
	}
	if s.reading != nil {
		err = errors.Join(err, s.reading.Close())
	}
	if s.lookups != nil {
		err = errors.Join(err, s.lookups.Close())
	}
	if s.writer != nil {
		harm := s.writer.witness.unwritten()
		if errors.Is(harm, errLogRemoved) { // this connection may not be the last
			err = errors.Join(err, s.writer.saveAtEnd())
		} else if forbidsCopy(harm) {
			err = errors.Join(err, harm, s.writer.conn.keepLog())
		}
		s.writer.witness.close()
		err = errors.Join(err, s.writer.conn.close())
	}
	return err
}

// Ping reads from the database, on a connection of its own, and checks that the path still
// leads to the file that was opened and that nobody has overwritten it; where it fails no
// write is taken either. What only a removed log holds is saved then, since it could not be once
// another program has made a new one. Unavailable.
func (s *Store) Ping(ctx context.Context) error {
	checked := make(chan error, 1)
	go func() {
		err := s.writer.witness.check(ctx)
		if errors.Is(err, errLogRemoved) {
			refused := s.writer.write(ctx, func(context.Context, *tx) error { return nil })
			err = cmp.Or(errors.Unwrap(refused), err) // begin has saved the log, or says why it could not
		}
		checked <- err
	}()
	select {
	case err := <-checked:
		if err != nil {
			return unreachable(err)
		}
		return nil
	case <-ctx.Done(): // the disk does not answer
		return unreachable(ctx.Err())
	}
}

// When a database that can be read is not ready to be written to.
const (
	longestFailing = 5 * time.Second
	leastRoom      = 64 << 20 // bytes on the disk: what the write-ahead log stays under beside usual reports
)

// Ready is Ping, and checks that writes are likely to succeed. Unavailable: transactions
// have failed for 5 s, the disk has less than 64 MiB left, or another process has brought
// the schema to a version that this program does not know.
func (s *Store) Ready(ctx context.Context) error {
	if err := s.Ping(ctx); err != nil {
		return err
	}
	if failing := s.writer.failing.span(s.now()); failing >= longestFailing {
		return fault.New(fault.Unavailable, "no write has succeeded for %d s", int(failing.Seconds()))
	}
	if free, _, err := s.room(filepath.Dir(s.file.path)); err == nil && free < leastRoom {
		return fault.New(fault.Unavailable, "the disk has only %d MiB left; at least %d are needed", free>>20, leastRoom>>20)
	}
	switch version, err := s.writer.witness.version(ctx); {
	case err != nil:
		return unreachable(err)
	case version > s.SchemaVersion():
		return fault.New(fault.Unavailable, "the database has schema version %d, this program knows %d: use a newer one", version, s.SchemaVersion())
	}
	return nil
}

// Connections counts the connections to the file: open, in use and idle. The
// writer's is in use only while it writes.
func (s *Store) Connections() (open, inUse, idle int) {
	r := s.reading.Stats()
	return r.OpenConnections + 1, r.InUse, r.Idle + 1
}

// File tells the name of the database file, without its folder, its size and that of its
// write-ahead log in bytes; 0 for one that is not there.
func (s *Store) File() (name string, size, log int64) {
	return filepath.Base(s.file.path), sizeOf(s.file.path), sizeOf(s.file.path + "-wal")
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// SchemaVersion is the number of the newest migration, which an open database has
// taken.
func (s *Store) SchemaVersion() int64 { return s.file.schema.newest() }

// TradingEmpty implements trading.Store.
func (s *Store) TradingEmpty(ctx context.Context) (bool, error) {
	empty, err := s.newest(ctx).TradingEmpty(ctx)
	return empty == 1, classify(err)
}

// BudgetEmpty implements budget.Store.
func (s *Store) BudgetEmpty(ctx context.Context) (bool, error) {
	empty, err := s.newest(ctx).BudgetEmpty(ctx)
	return empty == 1, classify(err)
}
