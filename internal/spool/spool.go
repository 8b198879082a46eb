// Package spool has files for what is too large for the memory and lives only as long as a request: a body that
// is read more than once, an answer that a client takes slowly. They lie beside the database, so that they are on
// a disk with room, and only their owner can read them.
//
// It must not know what is in the files.
package spool

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// mark stands between the name of the database and the random part of a name.
const mark = ".spool-"

// Folder makes the files of one database.
type Folder struct{ database string }

// Beside returns the folder for the files of a database. For "" that is the system's folder for temporary files.
func Beside(database string) Folder { return Folder{database} }

// File is a file that is removed when it is closed. Where the system allows that, it has no name, so that it ends
// with the process too.
type File struct {
	*os.File
	named bool
}

// New makes a file.
func (f Folder) New() (*File, error) {
	dir, name := "", "daybook"
	if f.database != "" {
		dir, name = filepath.Dir(f.database), filepath.Base(f.database)
	}
	made, err := os.CreateTemp(dir, name+mark+"*")
	if err != nil {
		return nil, err
	}
	removed := runtime.GOOS != "windows" && os.Remove(made.Name()) == nil
	return &File{File: made, named: !removed}, nil
}

// Close closes the file and removes it.
func (f *File) Close() error {
	err := f.File.Close()
	if f.named {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// Sweep removes the files that a killed process left. Only the server of the database calls it.
func (f Folder) Sweep() error {
	beside, err := os.ReadDir(filepath.Dir(f.database))
	for _, entry := range beside {
		if strings.HasPrefix(entry.Name(), filepath.Base(f.database)+mark) {
			err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(f.database), entry.Name())))
		}
	}
	return err
}
