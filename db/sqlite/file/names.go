package file

import (
	"errors"
	"io/fs"
	"os"
)

// LogParts of a database that may lie beside it, and go where it goes.
var LogParts = []string{"-wal", "-journal"}

// Exists reports whether there is something under a name.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Occupied is Exists where the difference matters between no file and one that cannot be looked at,
// which is the error.
func Occupied(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Remove removes a file that may be gone.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SizeOf is the size of a file in bytes, 0 where there is none.
func SizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
