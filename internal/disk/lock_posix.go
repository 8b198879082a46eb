//go:build unix && !linux

package disk

import (
	"io"
	"os"
	"slices"
	"sync"
	"syscall"
)

// setLock is the lock of a process.
const setLock = syscall.F_SETLK

// Such a lock ends when the process closes any descriptor of the file. So the process keeps each file of
// locks open, and opens it once.
var kept struct {
	sync.Mutex
	files []*os.File
}

func openLocks(path string) (*os.File, error) {
	kept.Lock()
	defer kept.Unlock()
	there, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if at := slices.IndexFunc(kept.files, func(file *os.File) bool {
		info, err := file.Stat()
		return err == nil && os.SameFile(info, there)
	}); at >= 0 {
		return kept.files[at], nil
	}
	file, err := OpenToWrite(path)
	if err == nil {
		kept.files = append(kept.files, file)
	}
	return file, err
}

// ReadLocks is Read for a file of locks, which keeps the locks of this process on it.
func ReadLocks(path string, most int64) ([]byte, error) {
	file, err := openLocks(path)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.NewSectionReader(file, 0, most))
}

// Close ends nothing: the caller ends its locks one by one.
func (l Locks) Close() error { return nil }
