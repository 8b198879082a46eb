//go:build unix

package sqlite

import (
	"io/fs"
	"os"
	"syscall"
)

// succeed gives a new file the owner and the permissions of another: the one whose place
// it takes, or the backup that it is of. Nobody may do with the new one what nobody may
// do with the other, but its owner, who may read and write it. Where this process may
// not give it away it stays its own, and a group that is not the other's gets no more
// than everyone.
func succeed(other fs.FileInfo, path string) error {
	mode := other.Mode().Perm()&0o666 | 0o600
	if of, is := other.Sys().(*syscall.Stat_t); is && os.Chown(path, int(of.Uid), int(of.Gid)) != nil && os.Chown(path, -1, int(of.Gid)) != nil {
		mode = mode&^0o070 | mode&0o007<<3
	}
	return os.Chmod(path, mode)
}

// belong gives a file to the owner of another, or of a folder, when the superuser made
// it: what it left behind must not lock the service out that owns the database.
func belong(path, to string) {
	if os.Geteuid() != 0 {
		return
	}
	info, err := os.Stat(to)
	if err != nil {
		return
	}
	if of, is := info.Sys().(*syscall.Stat_t); is {
		_ = os.Chown(path, int(of.Uid), int(of.Gid))
	}
}
