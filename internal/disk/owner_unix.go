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

// Stranger returns the name of the user whom a file belongs to that lies beside another,
// "" where that is the user of the other: its owner, or who runs this where it is not there.
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

// Wider reports whether users may write to a file who may not write to another.
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

// nameOf is a user's name, or "#1000" for one without.
func nameOf(uid int) string {
	id := strconv.Itoa(uid)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return "#" + id
}

// Resolve returns an absolute path with every link in it followed, those that links lead to
// as well. Root follows only its own links, where no other user could exchange them; what
// is refused is no *fs.PathError.
func Resolve(path string) (string, error) {
	if os.Geteuid() != root {
		return filepath.EvalSymlinks(path)
	}
	return follow(root, path)
}

// follow is Resolve for a user who follows only links of his own.
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

// root is the id of the user who may do everything.
const root = 0

// Closed returns an error where every user may make files in a folder, sticky or not,
// given by its absolute path. SQLite takes a file for a part of a database by its name
// alone: who makes the file "app.db-journal" there changes the database. Root, who has
// the id 0, is also kept from a folder that a group may write to, and from one that other
// users could exchange.
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
		return fmt.Errorf("%s may make files in %s; make a folder in it that is yours alone, and use that: mkdir -m 700 %s", who, folder, filepath.Join(folder, "daybook"))
	case info.Mode().Perm()&writers != 0:
		return fmt.Errorf("%s may make files in %s; take that from them: chmod %s %s", who, folder, take, folder)
	case uid == root:
		return guarded(uid, folder)
	}
	return nil
}

// guarded returns an error where another user than root and that one could exchange what
// lies in a folder, given by its absolute path: the folder, or one above it, belongs to
// that user, or others may write to it. In a sticky folder each user may only exchange
// what is his own. A folder that is a link is not followed.
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
