// Package sqlite keeps the Book and the Ledger in one SQLite file: one writer that
// commits many requests together, and a pool of readers that never wait for it.
// db/DESIGN.md says why.
//
// It turns rows into domain values and driver errors into faults, and opens the
// transactions; every rule it applies inside one is a function of the domain.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"runtime"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/budget"
	"daybook/internal/fault"
	"daybook/internal/trading"
)

var (
	_ trading.Store = (*Store)(nil)
	_ budget.Store  = (*Store)(nil)
)

// Store is an open database file.
type Store struct {
	file    file
	info    os.FileInfo // of the file that was opened
	writing *sql.DB     // one connection, the writer's
	reading *sql.DB
	writer  *writer
	reader  *gen.Queries // prepared on reading
}

// Open migrates a database file, creating it when there is none, and opens it.
// Unavailable: it is not a database of ours, newer than this program, or the disk
// refuses.
func Open(ctx context.Context, path string) (*Store, error) {
	f, err := locate(path)
	if err != nil {
		return nil, err
	}
	if _, err := f.migrate(ctx); err != nil {
		return nil, err
	}
	s := &Store{file: f}
	if err := s.open(ctx); err != nil {
		_ = s.Close() // the reason to give up is the one to report
		return nil, fault.Wrap(fault.Unavailable, err, "cannot open %s", path)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) (err error) {
	if s.writing, err = s.file.open(ctx, "rw", 1, writerPragmas); err != nil {
		return err
	}
	if s.reading, err = s.file.open(ctx, "ro", max(4, runtime.NumCPU()), readerPragmas); err != nil {
		return err
	}
	if s.reader, err = gen.Prepare(ctx, s.reading); err != nil {
		return err
	}
	if s.info, err = os.Stat(string(s.file)); err != nil {
		return err
	}
	s.writer, err = newWriter(ctx, s.writing)
	return err
}

// Close answers the writes that wait, refuses new ones, and closes the file.
func (s *Store) Close() error {
	var err error
	if s.writer != nil {
		err = s.writer.close()
	}
	if s.reading != nil {
		err = errors.Join(err, s.reading.Close())
	}
	if s.writing != nil {
		err = errors.Join(err, s.writing.Close())
	}
	return err
}

// Ping reads on the path that every list takes, and checks that the path still
// leads to the file that was opened. Unavailable.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.file.sameAs(s.info); err != nil {
		return fault.Wrap(fault.Unavailable, err, "the database is unreachable")
	}
	if _, err := s.reader.Ping(ctx); err != nil {
		return fault.Wrap(fault.Unavailable, err, "the database is unreachable")
	}
	return nil
}

// Connections counts the connections to the file: open, in use and idle. The
// writer's is in use only while it writes.
func (s *Store) Connections() (open, inUse, idle int) {
	r := s.reading.Stats()
	return r.OpenConnections + 1, r.InUse, r.Idle + 1
}

// TradingEmpty implements trading.Store.
func (s *Store) TradingEmpty(ctx context.Context) (bool, error) {
	empty, err := s.reader.TradingEmpty(ctx)
	return empty == 1, classify(err)
}

// BudgetEmpty implements budget.Store.
func (s *Store) BudgetEmpty(ctx context.Context) (bool, error) {
	empty, err := s.reader.BudgetEmpty(ctx)
	return empty == 1, classify(err)
}
