package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/disk"
)

// scale is the size of the databases.
type scale struct {
	trades      int // of a portfolio
	departments int // each posts to every account in every period
	accounts    int // one has no budget
	deep        int // trades of one instrument
	rows        int // that are stored in one request
}

// whole is the scale that the names of the workloads state: a report has 40,000 lines, from 1.92 million
// budget lines a year.
var whole = scale{trades: 1_000_000, departments: 1_000, accounts: 41, deep: 100_000, rows: 300_000}

// tenth returns a tenth of a number, at least 1.
func tenth(n int) int { return max(1, n/10) }

// asOf is the date of all data: the last day of a year, so that the whole year has actuals. year and
// period are those of the reports.
const (
	asOf   = "2026-12-31"
	year   = 2026
	period = 6
)

// shelf is the folder with the databases that are built once for each schema and used by all runs.
type shelf struct {
	app, dir string
	schema   int64
	lock     disk.Locks // because two runs at once would disturb each other
}

func newShelf(ctx context.Context, app, dir string) (*shelf, error) {
	s := &shelf{}
	var err error
	if s.app, err = filepath.Abs(app); err != nil {
		return nil, err
	}
	if s.dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if _, err := os.Stat(s.app); err != nil {
		return nil, fmt.Errorf("there is no program to measure; build it with make build: %w", err)
	}
	if err := os.MkdirAll(s.dir, 0o750); err != nil {
		return nil, err
	}
	if s.lock, err = disk.OpenLocks(filepath.Join(s.dir, "bench.lock")); err != nil {
		return nil, err
	}
	if free, err := s.lock.TryLock(0); err != nil || !free {
		return nil, errors.Join(err, fmt.Errorf("another benchmark works in %s", s.dir))
	}
	s.schema, err = schemaVersion(ctx, s.dir)
	return s, err
}

// schemaVersion returns the schema version of a new database.
func schemaVersion(ctx context.Context, dir string) (int64, error) {
	work, err := os.MkdirTemp(dir, "schema-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	store, err := sqlite.Open(ctx, filepath.Join(work, "app.db"), time.Now)
	if err != nil {
		return 0, err
	}
	return store.SchemaVersion(), store.Close()
}

// trades returns a portfolio of that many trades.
func (s *shelf) trades(ctx context.Context, n int) (string, error) {
	return s.take(fmt.Sprintf("trades%d", n), func(path string) error {
		return s.seed(ctx, path, "--trades", strconv.Itoa(n), "--departments", "1", "--accounts", "1", "--years", "1")
	})
}

// ledger returns a year's books, with a hundred trades for each department.
func (s *shelf) ledger(ctx context.Context, departments, accounts int) (string, error) {
	return s.take(fmt.Sprintf("ledger%dx%d", departments, accounts), func(path string) error {
		return s.seed(ctx, path, "--trades", strconv.Itoa(100*departments), "--departments", strconv.Itoa(departments), "--accounts", strconv.Itoa(accounts), "--years", "1")
	})
}

// yearsOf returns the ledger with earlier years: years is the number of all years. Four years of the
// whole scale are more than a GiB.
func (s *shelf) yearsOf(ctx context.Context, departments, accounts, years int) (string, error) {
	one, err := s.ledger(ctx, departments, accounts)
	if err != nil {
		return "", err
	}
	return s.take(fmt.Sprintf("ledger%dx%dx%d", departments, accounts, years), func(path string) error {
		if err := copyFile(one, path); err != nil {
			return err
		}
		return addYears(ctx, path, years-1)
	})
}

// addYears copies the year's books to the years before it, without the journal: no report reads it, and
// seeding everything would take three times as long.
func addYears(ctx context.Context, path string, years int) error {
	db, err := openDatabase(ctx, path, "rw")
	if err != nil {
		return err
	}
	// It need not survive a power failure, because it can be built again.
	_, err = db.ExecContext(ctx, "PRAGMA synchronous = OFF; PRAGMA cache_size = -262144")
	for back := 1; back <= years && err == nil; back++ {
		err = addYear(ctx, db, back)
	}
	return errors.Join(err, db.Close())
}

// addYear copies the books of the year to one that many years earlier.
func addYear(ctx context.Context, db *sql.DB, back int) error {
	for _, statement := range []string{
		`INSERT INTO budget_lines
			SELECT id + ?1 * (SELECT max(id) FROM budget_lines WHERE fiscal_year = ?2), department_id, gl_account_id,
			       fiscal_year - ?1, fiscal_period, version, amount, currency, notes
			FROM budget_lines WHERE fiscal_year = ?2 ORDER BY fiscal_period, version, department_id, gl_account_id`,
		`INSERT INTO actuals
			SELECT id + ?1 * (SELECT max(id) FROM actuals WHERE fiscal_year = ?2), department_id, gl_account_id,
			       fiscal_year - ?1, fiscal_period, amount, currency, source
			FROM actuals WHERE fiscal_year = ?2 ORDER BY fiscal_period, department_id, gl_account_id`,
	} {
		if _, err := db.ExecContext(ctx, statement, back, year); err != nil {
			return err
		}
	}
	_, err := db.ExecContext(ctx, `UPDATE sequences SET last = CASE name
		WHEN 'actuals' THEN (SELECT max(id) FROM actuals) ELSE (SELECT max(id) FROM budget_lines) END`)
	return err
}

// take returns the database of that name. It builds it first if it does not exist.
func (s *shelf) take(name string, build func(path string) error) (string, error) {
	path := filepath.Join(s.dir, fmt.Sprintf("schema%d-%s.db", s.schema, name))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	fmt.Fprintf(os.Stderr, "building %s, once\n", path)
	part := path + ".part"
	remove(part) // left by a killed run
	defer remove(part)
	if err := build(part); err != nil {
		return "", err
	}
	return path, os.Rename(part, path)
}

// remove removes a database that no process has open, and the files beside it.
func remove(path string) {
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		_ = os.Remove(path + suffix) // it may not exist
	}
}

func (s *shelf) seed(ctx context.Context, path string, args ...string) error {
	seed := exec.CommandContext(ctx, s.app, append([]string{"seed", "--db", path, "--as-of", asOf}, args...)...)
	if said, err := seed.CombinedOutput(); err != nil {
		return fmt.Errorf("app seed: %w\n%s", err, said)
	}
	return nil
}

// copyFile copies a database that no process has open.
func copyFile(from, to string) (err error) {
	if log, err := os.Stat(from + "-wal"); err == nil && log.Size() > 0 {
		return fmt.Errorf("%s-wal holds commits that a copy would not have; remove both, and they are built again", from)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // nothing was written to it
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Sync() // so that no measured fsync includes it
}

// openDatabase opens a database as any SQLite tool may. The mode is SQLite's: ro or rw.
func openDatabase(ctx context.Context, path, mode string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?mode="+mode+
		"&_pragma=busy_timeout(5000)&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}
