//go:build unix

package disk

import (
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// careful opens no link, and does not wait for the other end of a pipe.
const careful = syscall.O_NOFOLLOW | unwaiting

// unwaiting does not wait for the other end of a pipe.
const unwaiting = syscall.O_NONBLOCK

func exposed(mode fs.FileMode) bool {
	if mode.IsDir() {
		return mode.Perm()&0o022 != 0
	}
	return mode.Perm()&0o077 != 0
}

// shared reports whether others may use a file that is meant only for this process.
func shared(info fs.FileInfo) bool {
	const group, others = 0o070, 0o007
	mode := info.Mode().Perm()
	return mode&others != 0 || mode&group != 0 && ownerOf(info) == os.Geteuid()
}

// BelongsTo reports whether a file or folder belongs to a user, and returns the name of its owner, as
// sudo accepts it. It does not follow links.
func BelongsTo(uid int, path string) (bool, string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return false, "", err
	}
	owner := ownerOf(info)
	return owner == uid, nameOf(owner), nil
}

func ownerOf(info fs.FileInfo) int {
	of, is := info.Sys().(*syscall.Stat_t)
	if !is {
		return -1
	}
	return int(of.Uid)
}

// nameOf returns the name of a user, or "#1000" for one without a name.
func nameOf(uid int) string {
	id := strconv.Itoa(uid)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return "#" + id
}

// toOwnerOf gives a file that root has made to the owner of its folder, who could not use it otherwise. In
// a container, root may not have the right to do so; then the file stays root's.
func toOwnerOf(folder string, file *os.File) {
	if os.Geteuid() != 0 {
		return
	}
	if info, err := os.Stat(folder); err == nil {
		_ = file.Chown(ownerOf(info), -1)
	}
}

// Links counts the names that a file has on its disk.
func Links(path string) (int, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, err
	}
	of, is := info.Sys().(*syscall.Stat_t)
	if !is {
		return 1, nil
	}
	return int(of.Nlink), nil
}
