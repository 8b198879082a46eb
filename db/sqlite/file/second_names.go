package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A server gives its write-ahead log and the index of the log second names. A program that removes the
// first names does not remove the files then: the server gives them their names back, and every process
// goes on with the same files. Without a second name a removed log ends with the last process that has
// it open. A copy of it in its place would not do: a process that has the old one open would later copy
// that one into the database. A file system without hard links has no second names.

// The endings of the second names; each follows the name of the database.
const (
	secondLog   = ".serve.wal"
	secondIndex = ".serve.shm"
)

// named is a file that a process has open.
type named struct {
	first, second string
	info          os.FileInfo
}

// nameOf returns the file that has the first name now.
func nameOf(first, second string) (named, error) {
	info, err := os.Stat(first)
	return named{first, second, info}, err
}

// twice gives the file its second name, if no file has that.
func (n named) twice() { _ = os.Link(n.first, n.second) }

// again gives the file its first name, if no file has that.
func (n named) again() error {
	if !n.is(n.second) {
		return fmt.Errorf("%s is not its second name", n.second)
	}
	if err := os.Link(n.second, n.first); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// once removes the second name. If the folder was moved away, the file with that name may belong to the
// server of another database, and stays.
func (n named) once() error {
	if !n.is(n.second) {
		return nil
	}
	return Remove(n.second)
}

// is reports whether a path is a name of the file.
func (n named) is(path string) bool {
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(n.info, now)
}

// nameAgain gives the log and its index the names that they have lost. An empty log that has the name is
// removed: a program that only read has made it. If the index was replaced, the log stays without a name:
// a process that uses the other index would write over the log.
func (f File) nameAgain(log, index named) error {
	if err := index.again(); err != nil {
		return err
	}
	if err := f.sameIndexAs(index.info); err != nil {
		return err
	}
	if !log.is(log.first) && SizeOf(log.first) == 0 {
		if err := Remove(log.first); err != nil {
			return err
		}
	}
	if err := log.again(); err != nil {
		return err
	}
	return errors.Join(f.sameLogAs(log.info), f.SyncFolder(filepath.Dir(f.Path)))
}
