package cursor

import (
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// The methods that SQLite reads a file by.
type (
	readFunc   func(tls *libc.TLS, file, buffer uintptr, amount int32, offset int64) int32
	sizeFunc   func(tls *libc.TLS, file, size uintptr) int32
	shmMapFunc func(tls *libc.TLS, file uintptr, region, size, extend int32, address uintptr) int32
)

// function is the one that a function pointer of SQLite means.
func function[F any](pointer uintptr) F {
	return *(*F)(unsafe.Pointer(&pointer)) //nolint:gosec // SQLite's form of a function pointer
}

// file is the database file as the connection has it open, and its methods.
func (c *Conn) file() (file uintptr, methods *sqlite3.Tsqlite3_io_methods, err error) {
	out := c.tls.Alloc(int(unsafe.Sizeof(file)))
	defer c.tls.Free(int(unsafe.Sizeof(file)))
	if err := c.ok(sqlite3.Xsqlite3_file_control(c.tls, c.db, 0, sqlite3.SQLITE_FCNTL_FILE_POINTER, out)); err != nil {
		return 0, nil, err
	}
	file = *(*uintptr)(at(out))
	return file, (*sqlite3.Tsqlite3_io_methods)(at((*sqlite3.Tsqlite3_file)(at(file)).FpMethods)), nil
}

// DiskSize is how many bytes the database file has on the disk.
func (c *Conn) DiskSize() (size int64, err error) {
	file, methods, err := c.file()
	if err != nil {
		return 0, err
	}
	out := c.tls.Alloc(int(unsafe.Sizeof(size)))
	defer c.tls.Free(int(unsafe.Sizeof(size)))
	err = c.ok(function[sizeFunc](methods.FxFileSize)(c.tls, file, out))
	return *(*int64)(at(out)), err
}

// ReadDisk reads what the database file has on the disk at an offset: not what SQLite keeps
// of it in memory, nor what its write-ahead log has. Beyond the end there are zeros.
//
// It reads through the file that SQLite has open. One that was opened beside it would, when
// it is closed, drop the locks that SQLite has on it.
func (c *Conn) ReadDisk(into []byte, offset int64) error {
	file, methods, err := c.file()
	if err != nil {
		return err
	}
	buffer := c.tls.Alloc(len(into))
	defer c.tls.Free(len(into))
	code := function[readFunc](methods.FxRead)(c.tls, file, buffer, int32(len(into)), offset)
	if code == sqlite3.SQLITE_IOERR_SHORT_READ {
		code = sqlite3.SQLITE_OK // the rest was made zeros
	}
	copy(into, bytes(buffer, len(into)))
	return c.ok(code)
}

// Copying is how far the write-ahead log was copied into the database file, by whichever
// process. Nothing but that writes to the file, and Begun changes before it does.
type Copying struct {
	Salts       [2]uint32 // of the log, which are others each time it begins anew
	Begun, Done uint32    // through which page of the log
}

// Places in the shared index of the log, in bytes (SQLite, "WAL-mode File Format", 2.1).
const (
	saltsAt = 32
	doneAt  = 96
	begunAt = 128
	region  = 32 << 10 // is mapped at once
)

// Copying reads the index of the write-ahead log, which a connection that has read anything
// has mapped.
func (c *Conn) Copying() (of Copying, err error) {
	file, methods, err := c.file()
	if err != nil {
		return of, err
	}
	out := c.tls.Alloc(int(unsafe.Sizeof(file)))
	defer c.tls.Free(int(unsafe.Sizeof(file)))
	if err := c.ok(function[shmMapFunc](methods.FxShmMap)(c.tls, file, 0, region, 0, out)); err != nil {
		return of, err
	}
	index := *(*uintptr)(at(out))
	if index == 0 {
		return of, &Error{sqlite3.SQLITE_CANTOPEN, "the write-ahead log has no index"}
	}
	word := func(place uintptr) uint32 { return atomic.LoadUint32((*uint32)(at(index + place))) }
	return Copying{Salts: [2]uint32{word(saltsAt), word(saltsAt + 4)}, Begun: word(begunAt), Done: word(doneAt)}, nil
}

func (c *Conn) ok(code int32) error {
	if code == sqlite3.SQLITE_OK {
		return nil
	}
	return c.failure(code)
}
