package disk

import (
	"errors"
	"io/fs"
	"os"
)

// Rename gives a file another name on the same disk in one step: a kill leaves it under one name, never
// under both. fs.ErrExist: the name is taken. If the system has no such step, Rename checks the name
// first; a file that takes the name after the check is replaced.
func Rename(from, to string) error {
	err := renameToFree(from, to)
	if errors.Is(err, errors.ErrUnsupported) {
		return lookAndRename(from, to)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

func lookAndRename(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	}
	return os.Rename(from, to)
}
