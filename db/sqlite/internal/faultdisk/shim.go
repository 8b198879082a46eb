package faultdisk

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// The VFS is a copy of the system's with our own functions to open and delete. An open
// file is the system's with four methods of ours in its table. All other calls, for locks and
// shared memory for example, do not pass here. SQLite is C translated to Go: a pointer is a
// uintptr into memory that Go does not manage, and a function pointer is the content of a Go
// variable of function type.

// The functions of SQLite that are replaced.
type (
	openFunc     func(tls *libc.TLS, vfs, name, file uintptr, flags int32, outFlags uintptr) int32
	deleteFunc   func(tls *libc.TLS, vfs, name uintptr, syncDir int32) int32
	closeFunc    func(tls *libc.TLS, file uintptr) int32
	writeFunc    func(tls *libc.TLS, file, buffer uintptr, amount int32, offset int64) int32
	truncateFunc func(tls *libc.TLS, file uintptr, size int64) int32
	syncFunc     func(tls *libc.TLS, file uintptr, flags int32) int32
)

// at returns a pointer to the value at an address.
func at[T any](address uintptr) *T {
	return *(**T)(unsafe.Pointer(&address)) //nolint:gosec // SQLite's memory, which Go does not move
}

// function returns the function that a function pointer points to; pointer is its reverse.
func function[F any](pointer uintptr) F {
	return *(*F)(unsafe.Pointer(&pointer)) //nolint:gosec // SQLite's form of a function pointer
}

func pointer[F any](function F) uintptr {
	return *(*uintptr)(unsafe.Pointer(&function)) //nolint:gosec // of a function that is never collected
}

// system is SQLite's own VFS.
var system = sync.OnceValue(func() sqlite3.Tsqlite3_vfs {
	tls := libc.NewTLS()
	defer tls.Close()
	return *at[sqlite3.Tsqlite3_vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
})

var (
	disks  sync.Map // *Disk by the address of its VFS
	opened sync.Map // *handle by the address of SQLite's file
	tables sync.Map // the address of our table of methods by that of the system's
	number atomic.Int64
)

// handle is an open file.
type handle struct {
	disk    *Disk
	name    string
	methods *sqlite3.Tsqlite3_io_methods // the system's
	syncDir bool                         // the first sync must also sync the directory
}

// allocate puts a value into memory that Go does not move or collect.
func allocate[T any](tls *libc.TLS, value T) uintptr {
	address := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(value)))
	if address == 0 {
		panic("out of memory")
	}
	*at[T](address) = value
	return address
}

func (d *Disk) register() {
	tls := libc.NewTLS()
	defer tls.Close()
	d.Name = fmt.Sprintf("faultdisk%d", number.Add(1))
	name, err := libc.CString(d.Name)
	if err != nil {
		panic(err)
	}
	vfs := system()
	vfs.FpNext = 0
	vfs.FzName = name
	vfs.FxOpen = pointer[openFunc](open)
	vfs.FxDelete = pointer[deleteFunc](remove)
	d.vfs = allocate(tls, vfs)
	disks.Store(d.vfs, d)
	if code := sqlite3.Xsqlite3_vfs_register(tls, d.vfs, 0); code != sqlite3.SQLITE_OK {
		panic(fmt.Sprintf("registering a VFS: %d", code))
	}
}

// Close removes the VFS.
func (d *Disk) Close() {
	tls := libc.NewTLS()
	defer tls.Close()
	sqlite3.Xsqlite3_vfs_unregister(tls, d.vfs)
	disks.Delete(d.vfs)
	libc.Xfree(tls, at[sqlite3.Tsqlite3_vfs](d.vfs).FzName)
	libc.Xfree(tls, d.vfs)
}

// lookUp returns the value for an address that SQLite passes, the zero T if there is none.
func lookUp[T any](in *sync.Map, address uintptr) T {
	found, _ := in.Load(address)
	meant, _ := found.(T)
	return meant
}

func diskOf(vfs uintptr) *Disk { return lookUp[*Disk](&disks, vfs) }

func handleOf(file uintptr) *handle { return lookUp[*handle](&opened, file) }

func open(tls *libc.TLS, vfs, name, file uintptr, flags int32, outFlags uintptr) int32 {
	d, systemOpen := diskOf(vfs), function[openFunc](system().FxOpen)
	if name == 0 {
		return systemOpen(tls, vfs, name, file, flags, outFlags) // a temporary file
	}
	path := libc.GoString(name)
	h := &handle{disk: d, name: filepath.Base(path)}
	d.mu.Lock()
	defer d.mu.Unlock()
	if code := d.fails(Open, h.name); code != 0 {
		at[sqlite3.Tsqlite3_file](file).FpMethods = 0
		return code
	}
	d.opening(path)
	if code := systemOpen(tls, vfs, name, file, flags, outFlags); code != sqlite3.SQLITE_OK {
		return code
	}
	if d.now.names[h.name] == nil {
		d.happens(Op{Kind: Create, File: h.name})
	}
	const journals = sqlite3.SQLITE_OPEN_MAIN_JOURNAL | sqlite3.SQLITE_OPEN_SUPER_JOURNAL | sqlite3.SQLITE_OPEN_WAL
	h.syncDir = flags&sqlite3.SQLITE_OPEN_CREATE != 0 && flags&journals != 0
	base := at[sqlite3.Tsqlite3_file](file)
	h.methods = at[sqlite3.Tsqlite3_io_methods](base.FpMethods)
	base.FpMethods = ourMethods(tls, base.FpMethods)
	opened.Store(file, h)
	return sqlite3.SQLITE_OK
}

// ourMethods returns the system's table of methods with ours in it.
func ourMethods(tls *libc.TLS, systems uintptr) uintptr {
	if ours := lookUp[uintptr](&tables, systems); ours != 0 {
		return ours
	}
	methods := *at[sqlite3.Tsqlite3_io_methods](systems)
	methods.FxClose = pointer[closeFunc](shut)
	methods.FxWrite = pointer[writeFunc](write)
	methods.FxTruncate = pointer[truncateFunc](truncate)
	methods.FxSync = pointer[syncFunc](flush)
	tables.LoadOrStore(systems, allocate(tls, methods))
	return lookUp[uintptr](&tables, systems)
}

func remove(tls *libc.TLS, vfs, name uintptr, syncDir int32) int32 {
	d := diskOf(vfs)
	d.mu.Lock()
	defer d.mu.Unlock()
	code := function[deleteFunc](system().FxDelete)(tls, vfs, name, 0)
	if file := filepath.Base(libc.GoString(name)); code == sqlite3.SQLITE_OK && d.now.names[file] != nil {
		d.happens(Op{Kind: Delete, File: file, Dir: syncDir != 0})
	}
	return code
}

func shut(tls *libc.TLS, file uintptr) int32 {
	h := handleOf(file)
	opened.Delete(file)
	return function[closeFunc](h.methods.FxClose)(tls, file)
}

// write fails after its first half, or as a whole where it would make the file larger.
func write(tls *libc.TLS, file, buffer uintptr, amount int32, offset int64) int32 {
	h := handleOf(file)
	d := h.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if is := d.now.names[h.name]; is != nil && int64(len(is.live)) < offset+int64(amount) {
		if code := d.fails(Grow, h.name); code != 0 {
			return code
		}
	}
	fault := d.fails(Write, h.name)
	if fault != 0 {
		amount /= 2
	}
	if amount > 0 {
		if code := function[writeFunc](h.methods.FxWrite)(tls, file, buffer, amount, offset); code != sqlite3.SQLITE_OK {
			return code
		}
		d.happens(Op{Kind: Write, File: h.name, Offset: offset, Data: slices.Clone(memory(buffer, amount))})
	}
	return fault
}

func memory(address uintptr, amount int32) []byte {
	return unsafe.Slice(at[byte](address), amount) //nolint:gosec // the buffer is that long
}

func truncate(tls *libc.TLS, file uintptr, size int64) int32 {
	h := handleOf(file)
	d := h.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if code := d.fails(Truncate, h.name); code != 0 {
		return code
	}
	code := function[truncateFunc](h.methods.FxTruncate)(tls, file, size)
	if code == sqlite3.SQLITE_OK {
		d.happens(Op{Kind: Truncate, File: h.name, Size: size})
	}
	return code
}

func flush(tls *libc.TLS, file uintptr, _ int32) int32 {
	h := handleOf(file)
	d := h.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if code := d.fails(Sync, h.name); code != 0 {
		return h.failedSync(tls, file, code)
	}
	d.happens(Op{Kind: Sync, File: h.name, Dir: h.syncDir})
	h.syncDir = false
	return sqlite3.SQLITE_OK
}

// failedSync changes the file as the fault says for a failed sync.
func (h *handle) failedSync(tls *libc.TLS, file uintptr, code int32) int32 {
	d := h.disk
	if leaves := d.fault.Leaves; leaves == Drop || leaves == Clean {
		d.happens(Op{Kind: leaves, File: h.name})
	}
	if d.fault.Leaves != Drop {
		return code
	}
	if failed := h.rewrite(tls, file, d.now.names[h.name].live); failed != sqlite3.SQLITE_OK {
		panic(fmt.Sprintf("dropping what was not synced of %s: %d", h.name, failed))
	}
	return code
}

// rewrite replaces the content of the file.
func (h *handle) rewrite(tls *libc.TLS, file uintptr, content []byte) int32 {
	const most = 64 << 10 // at once; SQLite's own never writes more than a page
	buffer := libc.Xmalloc(tls, most)
	defer libc.Xfree(tls, buffer)
	failed := function[truncateFunc](h.methods.FxTruncate)(tls, file, int64(len(content)))
	for offset := 0; offset < len(content) && failed == sqlite3.SQLITE_OK; offset += most {
		n := int32(copy(memory(buffer, most), content[offset:]))
		failed = function[writeFunc](h.methods.FxWrite)(tls, file, buffer, n, int64(offset))
	}
	return failed
}
