//go:build unix

package disk

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
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

// Stranger returns the owner of a file that lies beside another, "" if both have the same owner. If the
// other does not exist, the user of this process counts as its owner.
func Stranger(beside, file string) string {
	part, err := os.Lstat(beside)
	if err != nil {
		return ""
	}
	own := os.Geteuid()
	if info, err := os.Stat(file); err == nil {
		own = ownerOf(info)
	}
	if ownerOf(part) == own {
		return ""
	}
	return nameOf(ownerOf(part))
}

// Wider reports whether a file has writers who may not write to another file.
func Wider(file, than string) bool {
	one, err := os.Lstat(file)
	if err != nil {
		return false
	}
	var mode fs.FileMode
	if other, err := os.Stat(than); err == nil {
		mode = other.Mode()
	}
	return one.Mode().Perm()&^mode.Perm()&0o022 != 0
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

// Resolve returns an absolute path with all links resolved. Root follows only its own links, in folders
// where no other user could exchange them; such a refusal is not an *fs.PathError.
func Resolve(path string) (string, error) {
	if os.Geteuid() != root {
		return filepath.EvalSymlinks(path)
	}
	return follow(root, path)
}

// follow is Resolve for a user who follows only his own links.
func follow(uid int, path string) (string, error) {
	const most, separator = 40, string(filepath.Separator)
	done, rest := separator, strings.Split(path, separator)
	for links := 0; len(rest) > 0; {
		next := filepath.Join(done, rest[0]) // "" and "." stay, ".." goes up; there is no link in done
		info, err := os.Lstat(next)
		if err != nil {
			return "", err
		}
		rest = rest[1:]
		if info.Mode()&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		links++
		if links > most {
			return "", &fs.PathError{Op: "follow", Path: path, Err: syscall.ELOOP}
		}
		if ownerOf(info) != uid {
			return "", fmt.Errorf("%s is a symbolic link of %s", next, nameOf(ownerOf(info)))
		}
		if err := guarded(uid, done); err != nil {
			return "", err
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(target) {
			done = separator
		}
		rest = append(strings.Split(target, separator), rest...)
	}
	return done, nil
}

// root is the user id of the superuser.
const root = 0

// Closed returns an error if every user may make files in a folder, sticky or not, given by its
// absolute path. SQLite recognises a part of a database only by its name: a user who makes the file
// "app.db-journal" there changes the database. For root, who has the id 0, Closed also refuses a folder
// that a group may write to, and one that other users could exchange.
func Closed(uid int, folder string) error {
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	who, writers, take := "every user", fs.FileMode(0o002), "o-w"
	if uid == root {
		who, writers, take = "users other than root", 0o022, "go-w"
	}
	switch {
	case info.Mode().Perm()&writers != 0 && info.Mode()&fs.ModeSticky != 0: // such as /tmp
		return fmt.Errorf("%s may make files in %s; make a folder of your own in it, and use that: mkdir -m 700 %s", who, folder, filepath.Join(folder, "daybook"))
	case info.Mode().Perm()&writers != 0:
		return fmt.Errorf("%s may make files in %s; take that right from them: chmod %s %s", who, folder, take, folder)
	case uid == root:
		return guarded(uid, folder)
	}
	return nil
}

// guarded returns an error if a user other than root and uid could exchange the files in a folder,
// given by its absolute path: if the folder or one above it belongs to such a user, or others may write
// to it. In a sticky folder each user may exchange only his own files. guarded does not follow a folder
// that is a link.
func guarded(uid int, folder string) error {
	for part := folder; ; part = filepath.Dir(part) {
		info, err := os.Lstat(part)
		if err != nil {
			return err
		}
		switch owner := ownerOf(info); {
		case owner != uid && owner != root:
			return fmt.Errorf("%s belongs to %s, who could exchange what is in it", part, nameOf(owner))
		case info.Mode()&fs.ModeSymlink == 0 && info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0:
			return fmt.Errorf("users other than its owner may write to %s and could exchange what is in it; take that right from them: chmod go-w %s", part, part)
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
