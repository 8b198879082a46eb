package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// careful and unwaiting: Windows has no such flags, and its pipes lie in no folder.
const (
	careful   = 0
	unwaiting = 0
)

// exposed: a file inherits from its folder who may use it.
func exposed(fs.FileMode) bool { return false }

func shared(fs.FileInfo) bool { return false }

// BelongsTo knows no owners here: nobody is kept from a file by what it returns.
func BelongsTo(_ int, path string) (bool, string, error) {
	_, err := os.Lstat(path)
	return true, "", err
}

// Stranger and Wider find nothing: what lies in a folder has the permissions of the folder.
func Stranger(string, string) string { return "" }

// Wider is as Stranger.
func Wider(string, string) bool { return false }

// Resolve returns an absolute path with every link in it followed. Each may be: making one
// needs a right of its own.
func Resolve(path string) (string, error) { return filepath.EvalSymlinks(path) }

// Closed accepts every folder: Windows keeps the right to make files in access control lists,
// not in mode bits.
func Closed(int, string) error { return nil }

// Links counts the names that a file has on its disk.
func Links(path string) (n int, err error) {
	file, err := os.Open(path) //nolint:gosec // the caller says which; a second handle drops no locks here
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
