package cursor

import (
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// The methods with which SQLite changes a file.
type (
	writeFunc    func(tls *libc.TLS, file, buffer uintptr, amount int32, offset int64) int32
	truncateFunc func(tls *libc.TLS, file uintptr, size int64) int32
	syncFunc     func(tls *libc.TLS, file uintptr, flags int32) int32
	shmLockFunc  func(tls *libc.TLS, file uintptr, offset, n, flags int32) int32
)

// checkpointLock is the lock of a process that copies the write-ahead log into the database (SQLite,
// "WAL-mode File Format", 2.3).
const checkpointLock = 1

// Grow makes the database file at least as large as size, with zeros, so that a checkpoint up to that size
// needs no more room on the disk. If that fails, the file stays as it was. It fails while another process
// checkpoints.
func (c *Conn) Grow(size int64) (err error) {
	database, err := c.database()
	if err != nil {
		return err
	}
	locked := func(flags int32) error {
		return c.ok(function[shmLockFunc](database.methods.FxShmLock)(c.tls, database.file, checkpointLock, 1, flags|sqlite3.SQLITE_SHM_EXCLUSIVE))
	}
	if err := locked(sqlite3.SQLITE_SHM_LOCK); err != nil {
		return err
	}
	defer func() { _ = locked(sqlite3.SQLITE_SHM_UNLOCK) }() // it cannot fail, because this connection has the lock
	had, err := database.size()
	if err != nil || had >= size {
		return err
	}
	if err = database.fill(had, size); err != nil {
		_ = c.ok(function[truncateFunc](database.methods.FxTruncate)(c.tls, database.file, had)) // SQLite ignores what stays there
	}
	return err
}

// fill writes zeros to a part of the file, and syncs it.
func (h handle) fill(from, to int64) error {
	c := h.conn
	const most = 64 << 10
	zeros := c.tls.Alloc(most)
	defer c.tls.Free(most)
	clear(bytes(zeros, most))
	for ; from < to; from += most {
		if err := c.ok(function[writeFunc](h.methods.FxWrite)(c.tls, h.file, zeros, int32(min(most, to-from)), from)); err != nil {
			return err
		}
	}
	return c.ok(function[syncFunc](h.methods.FxSync)(c.tls, h.file, sqlite3.SQLITE_SYNC_NORMAL))
}
