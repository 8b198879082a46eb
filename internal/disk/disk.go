// Package disk opens the small files that Daybook keeps on a disk, and tells who may use a file. It opens
// only regular files, and follows no link: in a folder that others can write to, a link could lead the
// program to another file, and a pipe could make it wait for ever.
//
// It must not know what is in the files.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// Plain returns an error where there is something at the path that is not a regular
// file. A path where nothing is, or that cannot be looked at, passes.
func Plain(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return nil //nolint:nilerr // opening it fails, and says why
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

// OpenToWrite opens a regular file that is there to be read and written.
func OpenToWrite(path string) (*os.File, error) { return open(path, os.O_RDWR) }

func open(path string, flag int) (*os.File, error) {
	if err := Plain(path); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, flag|careful, 0) //nolint:gosec // the caller says which
	if err != nil {
		return nil, err
	}
	return regular(file)
}

// regular closes a file that is no regular one.
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

// Read returns what is in a regular file of at most that many bytes.
func Read(path string, most int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	return readAll(file, most)
}

// mostNamed is how many bytes a file may have that a user names: keys and certificates
// have a few KiB.
const mostNamed = 1 << 20

// ReadNamed returns what is in a file that a user names, of at most 1 MiB. A link is
// followed, and must lead to a regular file.
func ReadNamed(path string) ([]byte, error) {
	file, err := openNamed(path)
	if err != nil {
		return nil, err
	}
	return readAll(file, mostNamed)
}

// ReadSecret is ReadNamed for a private key. It refuses a file that every user may use,
// and a file of this process's own user that the group may use. A file that another user
// owns may admit a group: that is how its owner gives it to this process.
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
	file, err := os.OpenFile(path, os.O_RDONLY|unwaiting, 0) //nolint:gosec // the user says which
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

// Create makes a new file that its owner alone may read and write, whatever the umask.
func Create(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, private) //nolint:gosec // the caller says where
	if err != nil {
		return nil, err
	}
	if err := file.Chmod(private); err != nil {
		return nil, errors.Join(err, file.Close(), os.Remove(path))
	}
	return file, nil
}

// Write makes a new file as Create does, with that in it, and sees to it that it is on
// the disk. It leaves nothing where it fails.
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

// Lock returns the lock that a file stands for. The file is made where there is none, as
// Create does.
func Lock(path string) (*flock.Flock, error) {
	switch file, err := Create(path); {
	case err == nil:
		if err := file.Close(); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrExist):
		return nil, err
	}
	return ExistingLock(path)
}

// ExistingLock returns the lock that a file stands for, and makes no file: taking the
// lock fails with fs.ErrNotExist where there is none.
func ExistingLock(path string) (*flock.Flock, error) {
	if err := Plain(path); err != nil {
		return nil, err
	}
	return flock.New(path, flock.SetFlag(os.O_RDONLY|careful)), nil
}

// private is the mode of every file: its owner may read and write it, and nobody else.
const private fs.FileMode = 0o600

// Exposure is a file that others than its owner may use, or a folder in which others may
// make files.
type Exposure struct {
	Path string
	Mode fs.FileMode // whether it is a folder, and a sticky one, and its permissions
}

// Exposed returns those of the files that others than their owner may read or write, and
// those of the folders in which others may make files. What is not there is left out.
func Exposed(paths ...string) (found []Exposure) {
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err == nil && (info.Mode().IsRegular() || info.IsDir()) && exposed(info.Mode()) {
			found = append(found, Exposure{path, info.Mode() & (fs.ModeDir | fs.ModeSticky | fs.ModePerm)})
		}
	}
	return found
}
