package cursor

import (
	"runtime/debug"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// The methods with which SQLite reads a file.
type (
	readFunc   func(tls *libc.TLS, file, buffer uintptr, amount int32, offset int64) int32
	sizeFunc   func(tls *libc.TLS, file, size uintptr) int32
	shmMapFunc func(tls *libc.TLS, file uintptr, region, size, extend int32, address uintptr) int32
)

// function returns the function that a function pointer of SQLite points to.
func function[F any](pointer uintptr) F {
	return *(*F)(unsafe.Pointer(&pointer)) //nolint:gosec // SQLite's form of a function pointer
}

// handle is a file that SQLite has open, with its methods.
type handle struct {
	conn    *Conn
	file    uintptr
	methods *sqlite3.Tsqlite3_io_methods
}

// database returns the database file that the connection has open.
func (c *Conn) database() (handle, error) { return c.handle(sqlite3.SQLITE_FCNTL_FILE_POINTER) }

// handle returns the file that a file control of SQLite gives.
func (c *Conn) handle(control int32) (h handle, err error) {
	out := c.tls.Alloc(int(unsafe.Sizeof(h.file)))
	defer c.tls.Free(int(unsafe.Sizeof(h.file)))
	if err := c.ok(sqlite3.Xsqlite3_file_control(c.tls, c.db, 0, control, out)); err != nil {
		return h, err
	}
	file := *(*uintptr)(at(out))
	if file == 0 || (*sqlite3.Tsqlite3_file)(at(file)).FpMethods == 0 {
		return h, &Error{sqlite3.SQLITE_CANTOPEN, "the file is not open"}
	}
	return handle{c, file, (*sqlite3.Tsqlite3_io_methods)(at((*sqlite3.Tsqlite3_file)(at(file)).FpMethods))}, nil
}

// size returns the size of the file in bytes.
func (h handle) size() (size int64, err error) {
	c := h.conn
	out := c.tls.Alloc(int(unsafe.Sizeof(size)))
	defer c.tls.Free(int(unsafe.Sizeof(size)))
	err = c.ok(function[sizeFunc](h.methods.FxFileSize)(c.tls, h.file, out))
	return *(*int64)(at(out)), err
}

// read fills a buffer from an offset. Beyond the end of the file it reads zeros.
func (h handle) read(into []byte, offset int64) error {
	c := h.conn
	buffer := c.tls.Alloc(len(into))
	defer c.tls.Free(len(into))
	code := function[readFunc](h.methods.FxRead)(c.tls, h.file, buffer, int32(len(into)), offset)
	if code == sqlite3.SQLITE_IOERR_SHORT_READ {
		code = sqlite3.SQLITE_OK // SQLite filled the rest with zeros
	}
	copy(into, bytes(buffer, len(into)))
	return c.ok(code)
}

// DiskSize returns the size of the database file on the disk in bytes.
func (c *Conn) DiskSize() (int64, error) {
	database, err := c.database()
	if err != nil {
		return 0, err
	}
	return database.size()
}

// ReadDisk reads what the database file has on the disk at an offset: not what SQLite keeps
// of it in memory, nor what its write-ahead log has. Beyond the end there are zeros.
//
// It reads through the file that SQLite has open. One that was opened beside it would, when
// it is closed, drop the locks that SQLite has on it.
func (c *Conn) ReadDisk(into []byte, offset int64) error {
	database, err := c.database()
	if err != nil {
		return err
	}
	return database.read(into, offset)
}

// Copying says how far any process has copied the write-ahead log into the database file. Only such a
// copy writes to the file, and Begun changes before it does.
type Copying struct {
	Salts       [2]uint32 // of the log; they change each time SQLite starts the log again
	Begun, Done uint32    // through which page of the log
	Restarting  bool      // Begun and Done may still be those of the log before it was started again
}

// Places in the shared index of the log, in bytes (SQLite, "WAL-mode File Format", 2.1).
const (
	changesAt = 8
	saltsAt   = 32
	doneAt    = 96
	begunAt   = 128
	region    = 32 << 10 // mapped in one piece
)

// Copying reads the index of the write-ahead log, which is mapped in each connection that has read
// anything.
func (c *Conn) Copying() (of Copying, err error) {
	index, err := c.index()
	if err != nil {
		return of, err
	}
	err = mapped(func() { of = index.copying() })
	return of, err
}

// Log returns the salts of the log, which are others in each log, and whether all of it is copied, so that
// the next transaction may begin another. In a transaction that writes, no other process adds to the log.
func (c *Conn) Log() (salts [2]uint32, copied bool, err error) {
	index, err := c.index()
	if err != nil {
		return salts, false, err
	}
	err = mapped(func() {
		log, _ := index.log()
		salts, copied = log.salts, index.word(doneAt) == log.frames
	})
	return salts, copied, err
}

// Changes returns how many transactions were written to the log since its index was made. It decreases
// only if the index was overwritten and made again from the log. The index then says that all of the
// log is being copied, even if it never was.
func (c *Conn) Changes() (changes uint32, err error) {
	index, err := c.index()
	if err != nil {
		return 0, err
	}
	err = mapped(func() { changes = index.word(changesAt) })
	return changes, err
}

// mapped reads from the index. If the file of the index was truncated it returns an error, because the
// system then has no memory for it, and the read would end the process.
func mapped(read func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		if _, is := p.(interface{ Addr() uintptr }); is {
			err = &Error{sqlite3.SQLITE_IOERR_SHMMAP, "the index of the write-ahead log was cut off"}
		} else if p != nil {
			panic(p)
		}
	}()
	read()
	return nil
}

// index is the address of the index of the write-ahead log.
type index uintptr

func (c *Conn) index() (index, error) {
	database, err := c.database()
	if err != nil {
		return 0, err
	}
	address, err := database.block(0)
	if err != nil {
		return 0, err
	}
	if address == 0 {
		return 0, &Error{sqlite3.SQLITE_CANTOPEN, "the write-ahead log has no index"}
	}
	return address, nil
}

// copying reads the state of the copy from the index. SQLite restarts a log in two steps: the header
// gets new salts and no pages, then Done and Begun become zero.
func (i index) copying() (of Copying) {
	before, settled := i.log()
	of = Copying{Salts: before.salts, Begun: i.word(begunAt), Done: i.word(doneAt)}
	after, settledAfter := i.log()
	of.Restarting = !settled || !settledAfter || after.salts != before.salts || max(of.Begun, of.Done) > before.frames
	return of
}

func (i index) word(place uintptr) uint32 {
	return atomic.LoadUint32((*uint32)(at(uintptr(i) + place)))
}

func (c *Conn) ok(code int32) error {
	if code == sqlite3.SQLITE_OK {
		return nil
	}
	return c.failure(code)
}
