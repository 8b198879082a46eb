// Package file knows the database as a file: where it is, whether it is ours and whole, who may
// use it, who has it locked, how it is opened, and what lies beside it.
//
// It knows no record and no request. Of the tables it reads only the chain of the journal, which
// tells whether a log belongs to the file.
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

// File is a database on a disk. SQLite alone opens it: opening and closing it with
// calls of our own would drop SQLite's locks on it.
type File struct {
	Path        string
	Name        string      // what messages call it, "" for its path
	VFS         string      // SQLite's way to the disk; "" is the system's, tests have one that fails
	Synchronous string      // FULL; tests show what less would lose
	Immutable   bool        // nobody writes it: it is read without locks, and nothing appears beside it
	seen        os.FileInfo // what it was like before it was read, where that must not change
	GuestOf     string      // the owner, where that is another user than this one: nothing is made beside it
	Schema      *schema.Schema
	SyncFolder  func(folder string) error // has the names in its folder on the disk; tests have one that fails
}

// Unreadable makes a fault of an error that reading the file gave.
func (f File) Unreadable(err error) error {
	if _, is := errors.AsType[*fault.Error](err); is {
		return err
	}
	return fault.Wrap(fault.Unavailable, err, "%s cannot be read", f)
}

func (f File) String() string { return cmp.Or(f.Name, f.Path) }

// Locate returns the absolute path, with links followed, so that every process
// that works on a file derives the same lock from it. Unavailable: there can be no
// database, or owner.go refuses the file that is there.
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
	if abs, err = resolve(abs); err != nil {
		return File{}, err
	}
	if strings.HasPrefix(filepath.Base(abs), backup.DraftPrefix) { // the next backup into the folder would remove it
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
	if err := f.safe(); err != nil {
		return f, err
	}
	return f.asGuest()
}

// Missing reports a file that is not there or empty: a new database.
func (f File) Missing() bool {
	info, err := os.Stat(f.Path)
	return err != nil || info.Size() == 0
}

// NoDatabase is the error of a file that is missing where a database is needed.
func (f File) NoDatabase() error {
	if err := f.LostLog(); err != nil {
		return err
	}
	return fault.New(fault.Unavailable, "%s holds no database", f)
}

// LostLog refuses a file that is missing or empty beside a write-ahead log that holds
// something. SQLite would make a new database there, and remove the log or apply it. A file
// that is no longer missing is being made by another process: SQLite begins it before its log.
func (f File) LostLog() error {
	if SizeOf(f.Path+"-wal") == 0 || !f.Missing() {
		return nil
	}
	return fault.New(fault.Unavailable, "%s is missing or empty, and %s-wal has changes of the database that was there; restore a backup with app restore, or move the -wal away to begin anew", f, f.Path)
}
