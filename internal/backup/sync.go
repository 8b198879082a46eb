package backup

import (
	"errors"
	"os"
	"runtime"
)

// Sync writes the names in a directory to the disk. Windows has no call for that and needs none,
// because its journal keeps the order of names.
func Sync(dir string) (err error) {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir) //nolint:gosec // a folder of the caller's choice
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return d.Sync()
}
