// Package file handles the database as a file: where it is, whether it is ours and whole, who may use
// it, who has it locked, how to open it, and which files belong to it.
//
// It knows no record and no request.
package file

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	_ "modernc.org/sqlite" // the driver that sql.Open names

	"daybook/db/sqlite/schema"
	"daybook/internal/backup"
	"daybook/internal/fault"
)

// File is a database on a disk. Only SQLite opens it: if this process opened and closed it directly,
// SQLite would lose its locks on it.
type File struct {
	Path        string
	Name        string      // the name in messages; "" is the path
	VFS         string      // SQLite's interface to the disk; "" is the system's; tests have one that fails
	Synchronous string      // FULL; tests show what a lower setting loses
	Immutable   bool        // no process writes it: SQLite takes no lock and makes no file beside it
	seen        os.FileInfo // the state before the read, if it must stay the same during the read
	Schema      *schema.Schema
	SyncFolder  func(folder string) error // writes the names in the folder to the disk; tests have one that fails
}

// Unreadable turns an error from reading the file into a fault.
func (f File) Unreadable(err error) error {
	if _, is := errors.AsType[*fault.Error](err); is {
		return err
	}
	return fault.Wrap(fault.Unavailable, err, "%s cannot be read", f)
}

func (f File) String() string { return cmp.Or(f.Name, f.Path) }

// Locate returns the file with its absolute path and links resolved, so that every process that works
// on the file derives the same lock. Unavailable: there can be no database at the path.
func Locate(path string) (File, error) {
	if path == "" {
		return File{}, fault.New(fault.Unavailable, "no database file is named")
	}
	if !utf8.ValidString(filepath.Base(path)) { // manifests and answers name it
		return File{}, fault.New(fault.Unavailable, "the name of the file %s is not UTF-8; give it another", path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return File{}, fault.Wrap(fault.Unavailable, err, "cannot find %s", path)
	}
	abs = resolve(abs)
	// Daybook opens and closes manifests directly. To close the database like that would drop SQLite's
	// locks on it.
	for _, read := range []string{backup.ManifestOf(""), backup.SignatureOf("")} {
		if strings.HasSuffix(abs, read) {
			return File{}, fault.New(fault.Unavailable, "%s cannot be used under this name: names that end in %s belong to the manifests of backups; give it another name", path, read)
		}
	}
	if strings.HasPrefix(filepath.Base(abs), backup.DraftPrefix) { // the next backup into the folder removes it
		return File{}, fault.New(fault.Unavailable, "%s cannot be used under this name: %s; give it another name", path, backup.Reserved(filepath.Base(abs)))
	}
	switch info, err := os.Stat(abs); {
	case err == nil && info.IsDir():
		return File{}, fault.New(fault.Unavailable, "%s is a directory, not a database file", path)
	case err == nil && !info.Mode().IsRegular():
		return File{}, fault.New(fault.Unavailable, "%s is not a file", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return File{}, fault.Wrap(fault.Unavailable, err, "cannot open %s", path)
	case err != nil:
		// Another process may have made the file after the Stat above. Then it is no link.
		if info, err := os.Lstat(abs); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return File{}, fault.New(fault.Unavailable, "%s is a link to a file that is not there", path)
		}
		if _, err := os.Stat(filepath.Dir(abs)); err != nil {
			return File{}, fault.New(fault.Unavailable, "cannot create %s: there is no directory %s", path, filepath.Dir(abs))
		}
	}
	f := File{Path: abs, Synchronous: "FULL", Schema: schema.Released, SyncFolder: backup.Sync}
	return f, f.plain()
}

// Missing reports a file that does not exist or is empty: a new database.
func (f File) Missing() bool {
	info, err := os.Stat(f.Path)
	return err != nil || info.Size() == 0
}

// NoDatabase is the error of a missing file where a command needs a database.
func (f File) NoDatabase() error {
	if err := f.LostLog(); err != nil {
		return err
	}
	return fault.New(fault.Unavailable, "%s holds no database", f)
}

// LostLog refuses a missing or empty file beside a write-ahead log that is not empty. SQLite would make
// a new database there, and remove the log or apply it. If the file is no longer missing, another
// process is making it: SQLite makes the database before its log.
func (f File) LostLog() error {
	if SizeOf(f.Path+"-wal") == 0 || !f.Missing() {
		return nil
	}
	return fault.New(fault.Unavailable, "%s is missing or empty, and %s-wal holds changes of the database that was there; restore a backup with app restore, or move the -wal away to start a new database", f, f.Path)
}
