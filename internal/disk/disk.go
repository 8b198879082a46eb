// Package disk opens the small files that Daybook keeps on a disk, and tells who may use a file. It
// opens only regular files, and follows no link: in a folder that others can write to, a link could
// lead the program to another file, and a pipe could make it wait forever.
//
// It must not know what the files contain.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Plain returns an error if the path leads to something that is not a regular file. It returns no error
// for a path that does not exist or cannot be looked at.
func Plain(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return nil //nolint:nilerr // opening the file reports the error
	}
	return plain(path, info)
}

func plain(path string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link, which is not followed here", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	}
	return nil
}

// Open opens a regular file to be read.
func Open(path string) (*os.File, error) { return open(path, os.O_RDONLY) }

// OpenToWrite opens an existing regular file to be read and written.
func OpenToWrite(path string) (*os.File, error) { return open(path, os.O_RDWR) }

func open(path string, flag int) (*os.File, error) {
	if err := Plain(path); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, flag|careful, 0) //nolint:gosec // a file of the caller's choice
	if err != nil {
		return nil, err
	}
	return regular(file)
}

// regular closes a file that is not a regular one.
func regular(file *os.File) (*os.File, error) {
	info, err := file.Stat()
	if err == nil {
		err = plain(file.Name(), info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Read returns the content of a regular file of at most that many bytes.
func Read(path string, most int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	return readAll(file, most)
}

// mostNamed is the largest size in bytes of a file that a user names. Keys and certificates have a few
// KiB.
const mostNamed = 1 << 20

// ReadNamed returns the content of a file that a user names, at most 1 MiB. It follows a link, which
// must lead to a regular file.
func ReadNamed(path string) ([]byte, error) {
	file, err := openNamed(path)
	if err != nil {
		return nil, err
	}
	return readAll(file, mostNamed)
}

// ReadSecret is ReadNamed for a private key. It refuses a file that every user may use, and a file of
// this process's own user that the group may use. A file of another user may allow a group: so its
// owner gives it to this process.
func ReadSecret(path string) ([]byte, error) {
	file, err := openNamed(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && shared(info) {
		err = fmt.Errorf("%s is a private key that other users can read or change (mode %04o); run: chmod 600 %s", path, info.Mode().Perm(), path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return readAll(file, mostNamed)
}

func openNamed(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unwaiting, 0) //nolint:gosec // a file of the user's choice
	if err != nil {
		return nil, err
	}
	return regular(file)
}

// readAll reads and closes a file of at most that many bytes.
func readAll(file *os.File, most int64) (data []byte, err error) {
	defer func() { err = errors.Join(err, file.Close()) }()
	data, err = io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than %d bytes", file.Name(), most)
	}
	return data, err
}

// Create makes a new file that only its owner may read and write, whatever the umask is. What root makes
// belongs to the owner of the folder.
func Create(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, private) //nolint:gosec // a path of the caller's choice
	if err != nil {
		return nil, err
	}
	if err := file.Chmod(private); err != nil {
		return nil, errors.Join(err, file.Close(), os.Remove(path))
	}
	toOwnerOf(filepath.Dir(path), file)
	return file, nil
}

// Write makes a new file as Create does, writes data to it and syncs it. After an error it leaves no
// file.
func Write(path string, data []byte) error {
	file, err := Create(path)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// private is the mode of every file: only its owner may read and write it.
const private fs.FileMode = 0o600

// Exposure is a file that users other than its owner may use, or a folder in which others may make
// files.
type Exposure struct {
	Path string
	Mode fs.FileMode // its type, the sticky bit, and its permissions
}

// Exposed returns the files that users other than their owner may read or write, and the folders in
// which others may make files. It leaves out paths that do not exist.
func Exposed(paths ...string) (found []Exposure) {
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err == nil && (info.Mode().IsRegular() || info.IsDir()) && exposed(info.Mode()) {
			found = append(found, Exposure{path, info.Mode() & (fs.ModeDir | fs.ModeSticky | fs.ModePerm)})
		}
	}
	return found
}
