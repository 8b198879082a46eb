package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"daybook/db/sqlite/internal/cursor"
	"daybook/db/sqlite/internal/gen"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// connection is the one that writes, with its statements prepared.
type connection struct {
	pool    *sql.DB // of this one connection
	conn    *sql.Conn
	queries *gen.Queries
	entries *sql.Stmt // insertManyEntries
	history *history
	feed    *feed
}

// connect opens the connection that writes, and checks that the chain of the journal
// ends whole: after a disk that failed, what is there is looked at, not assumed.
// Unavailable.
func (f file) connect(ctx context.Context) (*connection, error) {
	pool, err := f.open(ctx, "rw", 1, f.writerPragmas())
	if err != nil {
		return nil, err
	}
	c := &connection{pool: pool}
	if err := c.prepare(ctx, filepath.Dir(f.path)); err != nil {
		_ = c.keepLog() // what is refused stays as it is
		_ = c.close()   // the reason to give up is the one to report
		return nil, classify(err)
	}
	return c, nil
}

func (c *connection) prepare(ctx context.Context, folder string) (err error) {
	if c.conn, err = c.pool.Conn(ctx); err != nil {
		return err
	}
	if err := c.writable(); err != nil {
		return err
	}
	// Where readers sort what is too much for their cache: a container may have no other
	// folder for it. It holds for all connections of the process.
	if err := c.exec("PRAGMA temp_store_directory = '" + strings.ReplaceAll(folder, "'", "''") + "'"); err != nil {
		return fault.Wrap(fault.Unavailable, err, "this user may make no files in %s, the folder of the database", folder)
	}
	if c.queries, err = gen.Prepare(ctx, c.conn); err != nil {
		return err
	}
	if c.entries, err = c.conn.PrepareContext(ctx, insertManyEntries); err != nil {
		return err
	}
	if c.history, err = openHistory(c.conn); err != nil {
		return err
	}
	if c.feed, err = openFeed(c.conn); err != nil {
		return err
	}
	return checkChainEnd(ctx, c.queries)
}

// writable refuses a file that SQLite has opened to read only, which it does without a word.
func (c *connection) writable() error {
	return c.below(func(conn *cursor.Conn) error {
		if conn.ReadOnly() {
			return fault.New(fault.Unavailable, "the database file is read-only: this user may not write to it, or its header says so; nothing was stored")
		}
		return nil
	})
}

// below does something with the connection below database/sql.
func (c *connection) below(do func(*cursor.Conn) error) error {
	return c.conn.Raw(func(driven any) error {
		conn, err := cursor.Of(driven)
		if err != nil {
			return err
		}
		return do(conn)
	})
}

func (c *connection) exec(statement string) error {
	_, err := c.conn.ExecContext(context.Background(), statement)
	return err
}

// keepLog has close leave the write-ahead log as it is.
func (c *connection) keepLog() error {
	if c == nil || c.conn == nil {
		return nil
	}
	return c.below((*cursor.Conn).KeepLog)
}

func (c *connection) close() error {
	if c == nil {
		return nil
	}
	err := errors.Join(c.history.close(), c.feed.close())
	if c.entries != nil {
		err = errors.Join(err, c.entries.Close())
	}
	if c.queries != nil {
		err = errors.Join(err, c.queries.Close())
	}
	if c.conn != nil {
		err = errors.Join(err, c.conn.Close())
	}
	return errors.Join(err, c.pool.Close())
}

// distrusts reports an error after which what a connection believes of its file may
// not be so.
func distrusts(err error) bool {
	return isDiskFailure(err) || isReadOnly(err) || fault.KindOf(err) == fault.OutcomeUnknown
}

// checkChainEnd recomputes the newest link from the entries it covers. Unavailable:
// they do not agree.
func checkChainEnd(ctx context.Context, q *gen.Queries) error {
	links, err := q.ListNewestLinks(ctx, 2)
	if err != nil || len(links) == 0 {
		return err
	}
	var from int64
	var link journal.Hash
	if len(links) == 2 {
		from = links[1].Through
		copy(link[:], links[1].Hash)
	}
	var lines []byte
	rows, err := q.ListEntries(ctx, from, links[0].Through)
	if err != nil {
		return err
	}
	for _, row := range rows {
		lines = entryOf(row).AppendTo(lines)
	}
	if link = link.Next(lines); !bytes.Equal(link[:], links[0].Hash) {
		return fault.Wrap(fault.Unavailable, fmt.Errorf("link through entry %d", links[0].Through),
			"the end of the journal is damaged; app verify tells more")
	}
	return nil
}
