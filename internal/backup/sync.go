package backup

import (
	"errors"
	"os"
	"runtime"
)

// Sync sees to it that the names in a directory are on the disk. Windows has no way to
// ask for that, and needs none: its journal keeps names in order.
func Sync(dir string) (err error) {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir) //nolint:gosec // the folder that the caller says
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return d.Sync()
}
