package verify

import (
	"context"
	"database/sql"

	"daybook/db/sqlite/internal/gen"
)

// snapshot is a read transaction: it sees the database as it is at one moment.
type snapshot struct {
	*sql.Tx
	conn    *sql.Conn // has the transaction
	through int64     // the end of the journal in it
}

// snapshots begins two snapshots of the same moment. Each change writes to the journal in its
// transaction, so two snapshots with the same end of the journal are equal.
func snapshots(ctx context.Context, db *sql.DB) (one, other *snapshot, err error) {
	for {
		one, err := newSnapshot(ctx, db)
		if err != nil {
			return nil, nil, err
		}
		other, err := newSnapshot(ctx, db)
		if err == nil && one.through == other.through {
			return one, other, nil
		}
		one.end()
		if err != nil {
			return nil, nil, err
		}
		other.end()
	}
}

// newSnapshot begins a snapshot.
func newSnapshot(ctx context.Context, db *sql.DB) (*snapshot, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	s := &snapshot{conn: conn}
	if s.Tx, err = conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}); err != nil {
		_ = conn.Close() // hands it back to the pool
		return nil, err
	}
	links, err := gen.New(s).ListNewestLinks(ctx, 1)
	if err != nil {
		s.end()
		return nil, err
	}
	if len(links) > 0 {
		s.through = links[0].Through
	}
	return s, nil
}

// end ends the snapshot. Nothing is lost, because it only read.
func (s *snapshot) end() { _, _ = s.Rollback(), s.conn.Close() }
