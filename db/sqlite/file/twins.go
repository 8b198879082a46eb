package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"daybook/internal/disk"
	"daybook/internal/fault"
)

// oneName refuses a file that is mounted by itself, or that has other hard links than those that
// allowed returns.
func (f File) oneName(allowed func() []string) error {
	if mounted, err := disk.Mounted(f.Path); err == nil && mounted {
		return fault.New(fault.Unavailable, "%s is mounted by itself, and processes that use its other name would overwrite it; mount the folder that it lies in, not the file", f)
	}
	n, err := disk.Links(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fault.Wrap(fault.Unavailable, err, "cannot look at %s", f)
	case n > 1 && n > 1+len(allowed()):
		return fault.New(fault.Unavailable, "%s has %d names (hard links), and processes that use different ones overwrite each other; remove the others, which `find FOLDER -samefile %s` finds", f, n, f.Path)
	}
	return nil
}

// single removes the second name that a killed restore left, and refuses any other second name. The
// caller holds the lock that keeps restores out.
func (f File) single() error {
	if err := f.ForgetTwins(); err != nil {
		return fault.Wrap(fault.Unavailable, err, "cannot remove the second name of %s that a restore left", f)
	}
	return f.oneName(func() []string { return nil })
}

// BeforeRestore is part of the name of a database that a restore keeps aside.
const BeforeRestore = ".before-restore-"

// twins are the second names that a restore gave the file. A kill after step 3 leaves them.
func (f File) twins() (names []string) {
	own, err := os.Lstat(f.Path)
	if err != nil {
		return nil
	}
	entries, err := os.ReadDir(filepath.Dir(f.Path))
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		name := filepath.Join(filepath.Dir(f.Path), entry.Name())
		if !strings.HasPrefix(name, f.Path+BeforeRestore) {
			continue
		}
		if info, err := entry.Info(); err == nil && os.SameFile(info, own) {
			names = append(names, name)
		}
	}
	return names
}

// ForgetTwins removes the twins. A twin that has its own log beside it is more than a second name, and
// stays.
func (f File) ForgetTwins() error {
	for _, name := range f.twins() {
		var logs []string
		for _, part := range LogParts {
			if Exists(name + part) {
				logs = append(logs, part)
			}
		}
		if slices.ContainsFunc(logs, func(part string) bool { return !SameFile(f.Path+part, name+part) }) {
			continue
		}
		for _, part := range append(logs, "") { // the database last: while it exists, the logs can be recognised
			if err := Remove(name + part); err != nil {
				return err
			}
		}
	}
	return nil
}

// SameFile reports whether two names lead to one file.
func SameFile(a, b string) bool {
	one, err := os.Lstat(a)
	if err != nil {
		return false
	}
	other, err := os.Lstat(b)
	return err == nil && os.SameFile(one, other)
}
