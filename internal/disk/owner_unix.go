//go:build unix

package disk

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// careful opens no link, and does not wait for the other end of a pipe.
const careful = syscall.O_NOFOLLOW | unwaiting

// unwaiting does not wait for the other end of a pipe.
const unwaiting = syscall.O_NONBLOCK

func exposed(mode fs.FileMode) bool { return mode.Perm()&^private != 0 }

// shared reports whether others may use a file that is meant for this process alone.
func shared(info fs.FileInfo) bool {
	const group, others = 0o070, 0o007
	mode := info.Mode().Perm()
	return mode&others != 0 || mode&group != 0 && ownerOf(info) == os.Geteuid()
}

// BelongsTo reports whether a file or folder belongs to a user, and the name of the one
// whom it belongs to, as sudo takes it. Links are not followed.
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

// nameOf is a user's name, or "#1000" for one without.
func nameOf(uid int) string {
	id := strconv.Itoa(uid)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return "#" + id
}

// FollowsOnly returns an error where a part of an absolute path is a link of another
// user than that one, or lies where another could exchange it.
func FollowsOnly(uid int, path string) error {
	for part := path; ; part = filepath.Dir(part) {
		info, err := os.Lstat(part)
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			if ownerOf(info) != uid {
				return fmt.Errorf("%s is a symbolic link of %s", part, nameOf(ownerOf(info)))
			}
			if err := Guarded(uid, filepath.Dir(part)); err != nil {
				return err
			}
		}
		if part == filepath.Dir(part) {
			return nil
		}
	}
}

// Guarded returns an error where another user than root and that one could exchange what
// lies in a folder, given by its absolute path: the folder, or one above it, belongs to
// that user, or others may write to it. In a sticky folder each user may only exchange
// what is his own. A folder that is a link is not followed.
func Guarded(uid int, folder string) error {
	const root = 0
	for part := folder; ; part = filepath.Dir(part) {
		info, err := os.Lstat(part)
		if err != nil {
			return err
		}
		switch owner := ownerOf(info); {
		case owner != uid && owner != root:
			return fmt.Errorf("%s belongs to %s, who could exchange what is in it", part, nameOf(owner))
		case info.Mode()&fs.ModeSymlink == 0 && info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0:
			return fmt.Errorf("others than its owner may write to %s and could exchange what is in it; take that from them with chmod go-w %s", part, part)
		}
		if part == filepath.Dir(part) {
			return nil
		}
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
