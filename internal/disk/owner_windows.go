package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// careful and unwaiting: Windows has no such flags, and has no pipes in folders.
const (
	careful   = 0
	unwaiting = 0
)

// exposed reports false, because a file inherits its permissions from its folder.
func exposed(fs.FileMode) bool { return false }

func shared(fs.FileInfo) bool { return false }

// BelongsTo knows no owners here. Its result refuses no file.
func BelongsTo(_ int, path string) (bool, string, error) {
	_, err := os.Lstat(path)
	return true, "", err
}

// toOwnerOf changes nothing, because a file has the permissions of its folder.
func toOwnerOf(string, *os.File) {}

// Links counts the names that a file has on its disk.
func Links(path string) (n int, err error) {
	file, err := os.Open(path) //nolint:gosec // a file of the caller's choice; a second handle drops no locks here
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var info syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(syscall.Handle(file.Fd()), &info); err != nil {
		return 0, err
	}
	return int(info.NumberOfLinks), nil
}
