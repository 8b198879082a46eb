package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
)

// connection is the connection that writes, with its prepared statements.
type connection struct {
	pool    *sql.DB // with this one connection
	conn    *sql.Conn
	queries *gen.Queries
	entries *sql.Stmt // insertManyEntries
	trades  *rows.Trades
}

// connect opens the connection that writes, and checks the end of the journal's chain. After a disk
// failure the state of the file is unknown until it is read again. Unavailable.
func connect(ctx context.Context, f file.File) (*connection, error) {
	pool, err := f.Open(ctx, "rw", 1, f.WriterPragmas())
	if err != nil {
		return nil, err
	}
	c := &connection{pool: pool}
	if err := c.prepare(ctx, filepath.Dir(f.Path)); err != nil {
		_ = c.keepLog() // a refused database keeps its log
		_ = c.close()   // the first error is the one to report
		return nil, sqlerr.Classify(err)
	}
	return c, nil
}

func (c *connection) prepare(ctx context.Context, folder string) (err error) {
	if c.conn, err = c.pool.Conn(ctx); err != nil {
		return err
	}
	var mode string
	if err := c.conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fault.New(fault.Unavailable, "SQLite can keep no write-ahead log in %s, as on some network disks: its journal mode is %s; move the database to a disk of this machine", folder, mode)
	}
	if err := c.writable(); err != nil {
		return err
	}
	// Readers sort in this folder when their cache is too small. A container may have no other folder
	// for that. It applies to all connections of the process.
	if err := c.exec("PRAGMA temp_store_directory = '" + strings.ReplaceAll(folder, "'", "''") + "'"); err != nil {
		return fault.Wrap(fault.Unavailable, err, "this user may not make files in %s, the folder of the database", folder)
	}
	if c.queries, err = gen.Prepare(ctx, c.conn); err != nil {
		return err
	}
	if c.entries, err = c.conn.PrepareContext(ctx, chain.InsertManyEntries); err != nil {
		return err
	}
	c.trades = rows.NewTrades(c.conn)
	return chain.CheckEnd(ctx, c.queries)
}

// writable refuses a file that SQLite opened read-only, which it does without an error. SQLite also
// begins a transaction on such a file, so only a statement that could write reveals it.
func (c *connection) writable() error {
	err := c.exec("BEGIN IMMEDIATE")
	switch {
	case err == nil:
		err = errors.Join(c.exec("DELETE FROM sessions WHERE false"), c.exec("ROLLBACK"))
	case !sqlerr.IsReadOnly(err):
		return nil // another process writes; its lock does not matter here
	}
	if sqlerr.IsReadOnly(err) {
		return fault.Wrap(fault.Unavailable, err, "the database file is read-only: this user may not write to it, or its header says so; nothing was stored")
	}
	return err
}

// usualWait is the busy_timeout of the connection when it opens.
const usualWait = 5 * time.Second

// waitAtMost sets how long a statement waits for other processes.
func (c *connection) waitAtMost(wait time.Duration) error {
	return c.exec(fmt.Sprintf("PRAGMA busy_timeout = %d", wait.Milliseconds()))
}

func (c *connection) exec(statement string) error {
	_, err := c.conn.ExecContext(context.Background(), statement)
	return err
}

// keepLog makes close leave the write-ahead log as it is.
func (c *connection) keepLog() error {
	if c == nil || c.conn == nil {
		return nil
	}
	return cursor.Lend(c.conn.Raw, (*cursor.Conn).KeepLog)
}

func (c *connection) close() error {
	if c == nil {
		return nil
	}
	var err error
	if c.entries != nil {
		err = c.entries.Close()
	}
	if c.queries != nil {
		err = errors.Join(err, c.queries.Close())
	}
	if c.conn != nil {
		err = errors.Join(err, c.conn.Close())
	}
	return errors.Join(err, c.pool.Close())
}

// lookups are connections that only look up tokens and sessions, and check the health, so that neither waits
// for lists and reports.
type lookups struct {
	*sql.DB
	prepared map[string]*sql.Stmt // by the text of the query
	queries  *gen.Queries         // the prepared ones
}

// lookupsAtOnce is the number of these connections. A lookup takes about 20 µs, so two serve more
// requests than the writer or the readers can.
const lookupsAtOnce = 2

// openLookups prepares only these queries, because each prepared query makes the start longer.
func openLookups(ctx context.Context, f file.File) (*lookups, error) {
	db, err := f.Open(ctx, "ro", lookupsAtOnce, file.ReaderPragmas)
	if err != nil {
		return nil, err
	}
	l := &lookups{DB: db, prepared: map[string]*sql.Stmt{}}
	l.queries = gen.New(l)
	for _, query := range []string{gen.FindTokenByDigest, gen.FindSessionByDigest, gen.LinkUpTo} {
		if l.prepared[query], err = db.PrepareContext(ctx, query); err != nil { //nolint:sqlclosecheck // closed with its connections
			return nil, errors.Join(err, db.Close())
		}
	}
	return l, nil
}

// QueryRowContext implements gen.DBTX for the prepared queries.
func (l *lookups) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return l.prepared[query].QueryRowContext(ctx, args...)
}
