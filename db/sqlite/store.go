// Package sqlite stores the Book, the Ledger and the access data in one SQLite file. One writer commits
// many requests together. A pool of readers never waits for it. db/DESIGN.md gives the reasons.
//
// It opens the transactions. The domain packages have every rule that it applies inside one, and
// db/records has everything that any other store needs too. The packages below it handle the file, the
// schema, the journal's tables, verification and backups. None of them knows the Store.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"time"

	"daybook/db/records"
	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/schema"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/access"
	"daybook/internal/backup"
	"daybook/internal/budget"
	"daybook/internal/disk"
	"daybook/internal/fault"
	"daybook/internal/metrics"
	"daybook/internal/trading"
)

var (
	_ trading.Store = (*Store)(nil)
	_ budget.Store  = (*Store)(nil)
	_ access.Store  = (*Store)(nil)
)

// Store is an open database file.
type Store struct {
	file     file.File
	now      func() time.Time
	writer   *writer
	reading  *sql.DB
	reader   *gen.Queries // prepared on reading
	lookups  *lookups
	scanners *scanners
	cache    records.Cache
	shared   records.SharedReads
	room     func(dir string) (free, all int64, err error) // of the disk
	deleting chan struct{}                                 // has one during the deletion of a department or account
}

// Open migrates a database file and opens it. It creates the file if there is none. now gives the times
// in the journal and bounds the time of a group. Unavailable: the file is not a database of ours, is
// newer than this program, or the disk refuses.
func Open(ctx context.Context, path string, now func() time.Time) (*Store, error) {
	f, err := file.Locate(path)
	if err != nil {
		return nil, err
	}
	return OpenFile(ctx, f, now)
}

// OpenExisting is Open for an existing database; it creates none. Unavailable: there is none, or as for
// Open.
func OpenExisting(ctx context.Context, path string, now func() time.Time) (*Store, error) {
	f, err := file.Locate(path)
	if err != nil {
		return nil, err
	}
	if f.Missing() {
		return nil, f.NoDatabase()
	}
	return OpenFile(ctx, f, now)
}

// OpenFile migrates the file and opens it. Both are done before another process may restore it.
func OpenFile(ctx context.Context, f file.File, now func() time.Time) (s *Store, err error) {
	err = f.Exclusively(ctx, func(lock *file.Lock) error {
		if _, err := update(ctx, f, lock); err != nil {
			return err
		}
		served, err := f.Served()
		if err != nil {
			return err
		}
		if served { // the server gave the database its number
			lock = nil
		}
		s, err = newStore(ctx, f, lock, now)
		return err
	})
	return s, err
}

// newStore opens an up-to-date file. lock is as for newWriter.
func newStore(ctx context.Context, f file.File, lock *file.Lock, now func() time.Time) (*Store, error) {
	s := &Store{file: f, now: now, room: disk.Room, deleting: make(chan struct{}, 1)}
	if err := s.open(ctx, lock); err != nil {
		_ = s.Close() // the first error is the one to report
		return nil, fault.Wrap(fault.Unavailable, err, "cannot open %s", f.Path)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, lock *file.Lock) (err error) {
	if s.writer, err = newWriter(ctx, s.file, lock, s.now); err != nil {
		return err
	}
	if s.reading, err = s.file.Open(ctx, "ro", readersAtOnce(), file.ReaderPragmas); err != nil {
		return err
	}
	if s.reader, err = gen.Prepare(ctx, s.reading); err != nil {
		return err
	}
	if s.lookups, err = openLookups(ctx, s.file); err != nil {
		return err
	}
	s.scanners, err = openScanners(s.file)
	return err
}

// Close does the waiting writes, refuses new ones, and closes the file. The connection that writes
// closes last, because SQLite copies the write-ahead log into the database when the last connection
// closes, and a reader could not do that. If the copy would damage the database, SQLite does not make
// it, and the error says so.
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
		err = errors.Join(err, s.writer.close())
	}
	return err
}

// Ping reads the newest link of the journal on its own connection, and checks that the names of the database
// still lead to the open files. While a name does not, the store also refuses writes. Unavailable.
func (s *Store) Ping(ctx context.Context) error {
	checked := make(chan error, 1)
	go func() { checked <- s.check(ctx) }()
	select {
	case err := <-checked:
		return err
	case <-ctx.Done(): // the disk does not answer
		return file.Unreachable(ctx.Err())
	}
}

// errLost is the error of a file whose records another program replaced through SQLite.
var errLost = errors.New("the database no longer holds what this server has stored: another program replaced its records, or overwrote one of its files; keep a copy of all three files, stop the server, and run app verify")

// check checks the names, and that the journal has the newest link that this process has read or written.
// Unavailable.
func (s *Store) check(ctx context.Context) error {
	if err := s.writer.monitor.Named(); err != nil {
		return file.Unreachable(err)
	}
	stored := *s.writer.stored.Load()
	found, err := chain.Head(s.lookups.queries.LinkUpTo(ctx, int64(stored.Seq)))
	if err == nil && found != stored {
		err = errLost
	}
	if err != nil {
		return file.Unreachable(err)
	}
	return nil
}

// The limits of Ready.
const (
	longestFailing = 5 * time.Second
	leastRoom      = 64 << 20 // bytes on the disk: what the write-ahead log stays under beside usual reports
)

// Ready is Ping, and checks that writes are likely to succeed. Unavailable: transactions have failed
// for 5 s, the disk has less than 64 MiB left, or another process has migrated the schema to a version
// that this program does not know.
func (s *Store) Ready(ctx context.Context) error {
	if err := s.Ping(ctx); err != nil {
		return err
	}
	if failing := s.writer.failing.span(s.now()); failing >= longestFailing {
		return fault.New(fault.Unavailable, "no write has succeeded for %d s", int(failing.Seconds()))
	}
	if free, _, err := s.room(filepath.Dir(s.file.Path)); err == nil && free < leastRoom {
		return fault.New(fault.Unavailable, "the disk has only %d MiB left; at least %d are needed", free>>20, leastRoom>>20)
	}
	switch version, err := schema.Version(ctx, s.lookups.DB); {
	case err != nil:
		return file.Unreachable(err)
	case version > s.SchemaVersion():
		return fault.New(fault.Unavailable, "the database has schema version %d, this program knows %d: use a newer one", version, s.SchemaVersion())
	}
	return nil
}

// Connections counts the connections to the file: open, in use and idle. The connection of the writer
// is in use only while it writes.
func (s *Store) Connections() (open, inUse, idle int) {
	r := s.reading.Stats()
	return r.OpenConnections + 1, r.InUse, r.Idle + 1
}

// File returns the name of the database file without its folder, its size in bytes, and the size of its
// write-ahead log. A missing file has size 0.
func (s *Store) File() (name string, size, log int64) {
	return filepath.Base(s.file.Path), file.SizeOf(s.file.Path), file.SizeOf(s.file.Path + "-wal")
}

// Free returns how many bytes are free on the disk of the database, -1 if that is not known.
func (s *Store) Free() int64 {
	free, _, err := s.room(filepath.Dir(s.file.Path))
	if err != nil {
		return -1
	}
	return free
}

// Writing counts what the writer does.
func (s *Store) Writing() *metrics.Writer { return s.writer.metrics }

// SchemaVersion is the number of the newest migration. An open database has taken it.
func (s *Store) SchemaVersion() int64 { return s.file.Schema.Newest() }

// Backup backs up this database, even if its name leads to another file by now. It returns the errors
// of the function Backup of the package backup. Unavailable also: the file on the disk is no longer
// this database.
func (s *Store) Backup(ctx context.Context, to, program string, now time.Time) (backup.Manifest, error) {
	if err := s.check(ctx); err != nil {
		return backup.Manifest{}, err
	}
	return sqlitebackup.Take(ctx, s.file, to, program, now)
}

// Lineages returns the lineage of the backup of each manifest in this database, even if its name leads
// to another file by now. Unavailable: the file on the disk is no longer this database, or cannot be
// read.
func (s *Store) Lineages(ctx context.Context, of []backup.Manifest) ([]backup.Lineage, error) {
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	return sqlitebackup.LineagesIn(ctx, s.file, of)
}

// TradingEmpty implements trading.Store.
func (s *Store) TradingEmpty(ctx context.Context) (bool, error) {
	empty, err := s.newest(ctx).TradingEmpty(ctx)
	return empty == 1, sqlerr.Classify(err)
}

// BudgetEmpty implements budget.Store.
func (s *Store) BudgetEmpty(ctx context.Context) (bool, error) {
	empty, err := s.newest(ctx).BudgetEmpty(ctx)
	return empty == 1, sqlerr.Classify(err)
}
