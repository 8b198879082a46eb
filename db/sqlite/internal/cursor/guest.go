package cursor

import (
	"fmt"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// openFunc is the function with which SQLite opens a file.
type openFunc func(tls *libc.TLS, vfs, name, file uintptr, flags int32, outFlags uintptr) int32

// systemOpen opens a file as SQLite does on this system.
var systemOpen openFunc

// Guest returns the name of a VFS, SQLite's interface to the disk, that makes no write-ahead log.
// Otherwise SQLite makes one beside the database even if it opens the database read-only. The VFS does
// not open the index of the log: the URI parameter readonly_shm stops SQLite from making one.
var Guest = sync.OnceValues(func() (string, error) {
	const name = "guest"
	tls := libc.NewTLS()
	defer tls.Close()
	system := sqlite3.Xsqlite3_vfs_find(tls, 0)
	if system == 0 {
		return "", &Error{sqlite3.SQLITE_ERROR, "SQLite has no VFS"}
	}
	named, err := libc.CString(name)
	if err != nil {
		return "", err
	}
	ours := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_vfs{})))
	if ours == 0 {
		return "", &Error{sqlite3.SQLITE_NOMEM, "SQLite is out of memory"}
	}
	vfs, open := (*sqlite3.Tsqlite3_vfs)(at(ours)), openFunc(openWithoutLog)
	*vfs = *(*sqlite3.Tsqlite3_vfs)(at(system))
	systemOpen = function[openFunc](vfs.FxOpen)
	vfs.FpNext, vfs.FzName = 0, named
	vfs.FxOpen = *(*uintptr)(unsafe.Pointer(&open)) //nolint:gosec // this function is never collected
	if code := sqlite3.Xsqlite3_vfs_register(tls, ours, 0); code != sqlite3.SQLITE_OK {
		return "", &Error{int(code), fmt.Sprintf("SQLite does not take the VFS %q", name)}
	}
	return name, nil
})

// openWithoutLog opens a write-ahead log only if it exists.
func openWithoutLog(tls *libc.TLS, vfs, name, file uintptr, flags int32, outFlags uintptr) int32 {
	if flags&sqlite3.SQLITE_OPEN_WAL != 0 {
		flags &^= sqlite3.SQLITE_OPEN_CREATE
	}
	return systemOpen(tls, vfs, name, file, flags, outFlags)
}
