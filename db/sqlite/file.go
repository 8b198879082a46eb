package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	_ "modernc.org/sqlite" // the driver that sql.Open names
	sqlite3 "modernc.org/sqlite/lib"

	"daybook/internal/backup"
	"daybook/internal/fault"
)

// applicationID marks a database file as Daybook's: "DAYB".
const applicationID = 0x44415942

// file is a database on a disk. SQLite alone opens it: opening and closing it with
// calls of our own would drop SQLite's locks on it.
type file struct {
	path        string
	name        string      // what messages call it, "" for its path
	vfs         string      // SQLite's way to the disk; "" is the system's, tests have one that fails
	synchronous string      // FULL; tests show what less would lose
	still       bool        // nobody writes it: it is read without locks, and nothing appears beside it
	seen        os.FileInfo // what it was like before it was read, where that must not change
	guestOf     string      // the owner, where that is another user than this one: nothing is made beside it
	schema      *schema
	sync        func(folder string) error // has the names in its folder on the disk; tests have one that fails
}

func (f file) String() string { return cmp.Or(f.name, f.path) }

// locate returns the absolute path, with links followed, so that every process
// that works on a file derives the same lock from it. Unavailable: there can be no
// database, or owner.go refuses the file that is there.
func locate(path string) (file, error) {
	if path == "" {
		return file{}, fault.New(fault.Unavailable, "no database file is named")
	}
	if !utf8.ValidString(filepath.Base(path)) { // manifests and answers name it
		return file{}, fault.New(fault.Unavailable, "the name of the file %s is not UTF-8; give it another", path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return file{}, fault.Wrap(fault.Unavailable, err, "cannot find %s", path)
	}
	if abs, err = resolve(abs); err != nil {
		return file{}, err
	}
	if strings.HasPrefix(filepath.Base(abs), backup.DraftPrefix) { // the next backup into the folder would remove it
		return file{}, fault.New(fault.Unavailable, "%s cannot be used under this name: %s; give it another name", path, backup.Reserved(filepath.Base(abs)))
	}
	switch info, err := os.Stat(abs); {
	case err == nil && info.IsDir():
		return file{}, fault.New(fault.Unavailable, "%s is a directory, not a database file", path)
	case err == nil && !info.Mode().IsRegular():
		return file{}, fault.New(fault.Unavailable, "%s is not a file", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return file{}, fault.Wrap(fault.Unavailable, err, "cannot open %s", path)
	case err != nil:
		// Another process may have made the file after the Stat above. Then it is no link.
		if info, err := os.Lstat(abs); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return file{}, fault.New(fault.Unavailable, "%s is a link to a file that is not there", path)
		}
		if _, err := os.Stat(filepath.Dir(abs)); err != nil {
			return file{}, fault.New(fault.Unavailable, "cannot create %s: there is no directory %s", path, filepath.Dir(abs))
		}
	}
	f := file{path: abs, synchronous: "FULL", schema: released, sync: backup.Sync}
	if err := f.safe(); err != nil {
		return f, err
	}
	return f.asGuest()
}

// A pragma is set through the DSN, so that every connection of a pool has it, and
// read back when the pool opens.
type pragma struct{ name, value, readBack string }

// refused is the error of a pragma that is not in force.
func (p pragma) refused(got string) error {
	return fault.New(fault.Unavailable, "the database refuses to set %s to %s: it is %s", p.name, p.value, got)
}

var (
	// Those of a connection that copies a database, to a backup or from its log.
	copyingPragmas = []pragma{
		{"busy_timeout", "5000", "5000"},
		{"trusted_schema", "OFF", "0"},
		{"cache_size", "-2000", "-2000"}, // KiB: otherwise a file may say how much each connection holds
	}
	readerPragmas = append([]pragma{{"query_only", "ON", "1"}}, copyingPragmas...)
	// Looking at a file that may not be ours sets nothing that would write to it.
	inspectPragmas = []pragma{{"busy_timeout", "5000", "5000"}}
)

// writerPragmas are those of a connection that writes.
func (f file) writerPragmas() []pragma {
	level := map[string]string{"NORMAL": "1", "FULL": "2"}[f.synchronous]
	return []pragma{
		{"busy_timeout", "5000", "5000"},
		{"journal_mode", "WAL", "wal"},
		{"synchronous", f.synchronous, level},
		{"foreign_keys", "ON", "1"},
		{"trusted_schema", "OFF", "0"},
		{"wal_autocheckpoint", "0", "0"},             // walKeeper does it
		{"journal_size_limit", "4194304", "4194304"}, // walComfort
		{"cache_size", "-16384", "-16384"},           // KiB: the pages that a feed in any order comes back to
		{"temp_store", "MEMORY", "2"},                // what a savepoint takes back
	}
}

// open returns a pool of exactly size connections that are never recycled, each
// with its pragmas in force. The mode is SQLite's: ro, rw or rwc.
func (f file) open(ctx context.Context, mode string, size int, pragmas []pragma) (*sql.DB, error) {
	values := url.Values{"mode": {mode}}
	for _, p := range pragmas {
		values.Add("_pragma", p.name+"("+p.value+")")
	}
	db, err := sql.Open("sqlite", f.dsn(values))
	if err != nil {
		return nil, classify(err)
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	if err := verifyPool(ctx, db, size, pragmas); err != nil {
		_ = db.Close() // the reason to give up is the one to report
		return nil, err
	}
	return db, nil
}

func (f file) dsn(parameters url.Values) string {
	path := filepath.ToSlash(f.path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows drive
	}
	if f.vfs != "" {
		parameters.Set("vfs", f.vfs)
	}
	if f.still {
		parameters.Set("immutable", "1")
	}
	if f.guestOf != "" {
		parameters.Set("readonly_shm", "1")
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: parameters.Encode()}
	return u.String()
}

// verifyPool opens every connection of a pool, all at once, and reads its pragmas
// back.
func verifyPool(ctx context.Context, db *sql.DB, size int, pragmas []pragma) error {
	conns := make([]*sql.Conn, 0, size)
	defer func() {
		for _, conn := range conns {
			_ = conn.Close() // hands it back to the pool
		}
	}()
	for range size {
		conn, err := db.Conn(ctx)
		if err != nil {
			return classify(err)
		}
		conns = append(conns, conn)
		if err := verifyPragmas(ctx, conn, pragmas); err != nil {
			return err
		}
	}
	return nil
}

func verifyPragmas(ctx context.Context, conn *sql.Conn, pragmas []pragma) error {
	for _, p := range pragmas {
		var got string
		if err := conn.QueryRowContext(ctx, "PRAGMA "+p.name).Scan(&got); err != nil {
			return classify(err)
		}
		if got != p.readBack {
			return p.refused(got)
		}
	}
	return nil
}

// inspect returns the schema version of the file, 0 for one that is missing or
// empty. Unavailable: it is not a database, another program's, newer than this binary,
// or of a build that was never released, or the log beside it is of a database that is
// lost, or of another, or a change to it is half made; the file is not touched.
func (f file) inspect(ctx context.Context) (int64, error) {
	if f.missing() {
		return 0, f.lostLog()
	}
	if sizeOf(f.path) == 1 { // which SQLite takes for an empty file, and writes over
		return 0, fault.New(fault.Unavailable, "%s is not a database: it holds one byte; remove it, or choose another name", f)
	}
	// A look that takes no lock and leaves nothing beside the file, but does not see
	// what is still in its write-ahead log: enough to turn away what is not ours.
	first, err := f.look(ctx, "immutable", "1")
	if err == nil {
		if err := f.refusal(first); err != nil {
			return 0, err
		}
		if err := f.foreignLog(ctx); err != nil {
			return 0, err
		}
	}
	seen, err := f.look(ctx, "mode", "ro")
	switch code := resultCode(err) & 0xff; {
	case resultCode(err) == sqlite3.SQLITE_READONLY_ROLLBACK:
		return 0, fault.Wrap(fault.Unavailable, err, "a kill or a power cut left a change to %s half made, and %s-journal says how to take it back; app migrate does that, in a folder of yours to which you have copied both if nothing can be written here", f, f.path)
	case code == sqlite3.SQLITE_NOTADB || code == sqlite3.SQLITE_CORRUPT:
		return 0, fault.Wrap(fault.Unavailable, err, "%s is not a database that can be read", f)
	case err != nil:
		return 0, fault.Wrap(fault.Unavailable, classify(err), "cannot read %s", f)
	}
	return seen.version, cmp.Or(f.refusal(seen), f.wrongHeader(seen))
}

// takenBack is inspect for who writes: where a kill or a power cut left a change half made,
// SQLite takes it back first, by the journal beside the file.
func (f file) takenBack(ctx context.Context) (int64, error) {
	version, err := f.inspect(ctx)
	if resultCode(err) != sqlite3.SQLITE_READONLY_ROLLBACK {
		return version, err
	}
	if _, err := f.look(ctx, "mode", "rw"); err != nil {
		return 0, fault.Wrap(fault.Unavailable, classify(err), "cannot take back the change to %s that was left half made", f)
	}
	return f.inspect(ctx)
}

// missing reports a file that is not there or empty: a new database.
func (f file) missing() bool {
	info, err := os.Stat(f.path)
	return err != nil || info.Size() == 0
}

// none is the error of a file that is missing where a database is needed.
func (f file) none() error {
	if err := f.lostLog(); err != nil {
		return err
	}
	return fault.New(fault.Unavailable, "%s holds no database", f)
}

// lostLog refuses a file that is missing or empty beside a write-ahead log that holds
// something. SQLite would make a new database there, and remove the log or apply it. A file
// that is no longer missing is being made by another process: SQLite begins it before its log.
func (f file) lostLog() error {
	if sizeOf(f.path+"-wal") == 0 || !f.missing() {
		return nil
	}
	return fault.New(fault.Unavailable, "%s is missing or empty, and %s-wal has changes of the database that was there; restore a backup with app restore, or move the -wal away to begin anew", f, f.path)
}

// identity is what a file says of itself.
type identity struct {
	application, tables, version int64
	encoding                     string // of all text in it
	header                       header
}

// foreign reports a database of another program.
func (i identity) foreign() bool {
	empty := i.application == 0 && i.tables == 0
	return !empty && i.application != applicationID
}

// refusal says why this program must not touch a file, nil when it may.
func (f file) refusal(i identity) error {
	switch newest := f.schema.newest(); {
	case i.foreign():
		return fault.New(fault.Unavailable, "%s is the database of another program", f)
	case i.encoding != "UTF-8": // SQLite would sort text otherwise
		return fault.New(fault.Unavailable, "%s cannot be used: its text is in %s, and Daybook makes it in UTF-8; restore a backup from before that", f, i.encoding)
	case i.version > newest:
		return fault.New(fault.Unavailable, "%s has schema version %d, this program knows %d: use a newer one", f, i.version, newest)
	case i.version > 0 && i.version < f.schema.baseline():
		return fault.New(fault.Unavailable, "%s was made by an unreleased build; serve it with that build, or start a new one", f)
	}
	return nil
}

// look reads the identity through a connection of its own, opened with one parameter. It is
// one snapshot, since another process may be making the database.
func (f file) look(ctx context.Context, parameter, value string) (i identity, err error) {
	db, err := sql.Open("sqlite", f.dsn(url.Values{parameter: {value}, "_pragma": {"busy_timeout(5000)"}}))
	if err != nil {
		return i, err
	}
	defer func() { _ = db.Close() }() // it was only read
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return i, err
	}
	defer func() { _ = tx.Rollback() }() // it was only read

	// No functions: a table of their name would hide them.
	for _, q := range []struct {
		text string
		into any
	}{{"PRAGMA application_id", &i.application}, {"PRAGMA encoding", &i.encoding}, {"SELECT count(*) FROM sqlite_schema", &i.tables}} {
		if err := tx.QueryRowContext(ctx, q.text).Scan(q.into); err != nil {
			return i, err
		}
	}
	if i.application == applicationID {
		i.version, err = schemaVersion(ctx, tx)
	}
	if err == nil {
		i.header, err = readHeader(ctx, tx)
	}
	return i, err
}

// sameAs returns what the path leads to, which must still be the file that info describes.
func (f file) sameAs(info os.FileInfo) (os.FileInfo, error) {
	now, err := os.Stat(f.path)
	if err != nil {
		return nil, fmt.Errorf("the database file is gone: %w", err)
	}
	if !os.SameFile(info, now) {
		return nil, errors.New("the database file was replaced by another")
	}
	return now, nil
}

var (
	errLogRemoved  = errors.New("the write-ahead log beside the database was removed; stop the server and start it again")
	errLogReplaced = errors.New("the write-ahead log beside the database was replaced by another; stop the server, start it again, and run app verify")
)

// sameLogAs reports whether the write-ahead log beside the file is still the one that
// info describes. Without it, what it held would be gone with the last process that
// has it open.
func (f file) sameLogAs(info os.FileInfo) error {
	switch now, err := os.Stat(f.path + "-wal"); {
	case errors.Is(err, fs.ErrNotExist):
		return errLogRemoved
	case err != nil || !os.SameFile(info, now):
		return errLogReplaced
	}
	return nil
}

var errIndexRemoved = errors.New("the index of the write-ahead log (-shm) beside the database was removed, replaced or cut off; stop the server and start it again")

// sameIndexAs reports whether the index of the log beside the file is still the one that
// info describes. Otherwise another process makes a new one, and both append to the log at
// the same place. One that was cut off ends a process that reads it.
func (f file) sameIndexAs(info os.FileInfo) error {
	const least = 32 << 10 // bytes that SQLite maps at once
	now, err := os.Stat(f.path + "-shm")
	if err != nil || !os.SameFile(info, now) || now.Size() < least {
		return errIndexRemoved
	}
	return nil
}
