package file

import (
	"errors"
	"io/fs"
	"os"
)

// LogParts are the endings of the logs that may lie beside a database and move with it.
var LogParts = []string{"-wal", "-journal"}

// BeforeRestore is part of the name of a database that a restore keeps aside.
const BeforeRestore = ".before-restore-"

// Exists reports whether a name exists.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Occupied is Exists for callers that must tell a missing file from one that cannot be looked at, which
// is the error.
func Occupied(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Remove removes a file if it exists.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SizeOf is the size of a file in bytes, 0 if there is none.
func SizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
