package backup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"daybook/db/sqlite/file"
	"daybook/internal/backup"
	"daybook/internal/disk"
	"daybook/internal/fault"
)

// giveWay keeps the database aside and puts the copy in its place: steps 3 to 5 of Restore.
func giveWay(f, copied file.File, now time.Time) (aside string, err error) {
	aside, log, err := keepAside(f, now)
	if err == nil {
		err = replaceBy(f, copied.Path, log)
	}
	if err == nil {
		return aside, nil
	}
	placed, kept := !file.Exists(copied.Path), ""
	if !placed && !log && aside != "" { // the database still has its own name
		err, aside = errors.Join(err, os.Remove(aside)), ""
	}
	if aside != "" {
		kept = "; what was there before is " + aside
	}
	if placed {
		return "", fault.Wrap(fault.OutcomeUnknown, err, "%s is restored, but the disk failed, so that a power cut may take it back%s", f.Path, kept)
	}
	return "", fault.Wrap(fault.Unavailable, err, "cannot replace %s%s", f.Path, kept)
}

// keepAside gives the old database, and what is left of its log, a second name. The name is "" if there
// is no database. log: there was a log.
func keepAside(f file.File, now time.Time) (aside string, log bool, err error) {
	draft := f.Path + asideDraft
	if err := file.Remove(draft); err != nil { // left by a kill
		return "", false, err
	}
	name := f.Path + file.BeforeRestore + backup.Stamp(now)
	for n := 2; file.Exists(name) || file.Exists(name+"-wal"); n++ {
		name = fmt.Sprintf("%s%s%s-%d", f.Path, file.BeforeRestore, backup.Stamp(now), n)
	}
	for _, part := range append([]string{""}, file.LogParts...) {
		is, err := file.Occupied(f.Path + part)
		if err == nil && is {
			err = link(f.Path+part, name+part, draft)
		}
		if err != nil {
			return aside, log, err
		}
		if is {
			aside, log = name, part != ""
		}
	}
	return aside, log, f.SyncFolder(filepath.Dir(f.Path))
}

// replaceBy puts the copy in the place of the database.
func replaceBy(f file.File, copied string, log bool) error {
	beside := []string{"-shm"}
	if log {
		beside = append(beside, file.LogParts...)
	}
	for _, part := range beside {
		if err := file.Remove(f.Path + part); err != nil {
			return err
		}
	}
	// After a power cut the removed files must not appear again beside the copy.
	if err := f.SyncFolder(filepath.Dir(f.Path)); err != nil {
		return err
	}
	if err := os.Rename(copied, f.Path); err != nil {
		return err
	}
	return f.SyncFolder(filepath.Dir(f.Path))
}

// link gives a file a second name. On a file system without links it makes a copy.
func link(from, to, draft string) error {
	if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return keepCopy(from, to, draft)
}

// keepCopy copies a file. The copy is a draft until it is complete and on the disk, so that a kill
// leaves no incomplete file under the final name.
func keepCopy(from, to, draft string) error {
	err := Duplicate(from, draft)
	if err == nil {
		err = disk.Rename(draft, to)
	}
	if err != nil {
		return errors.Join(err, file.Remove(draft))
	}
	return nil
}

// Duplicate copies a file to a new one and syncs it.
func Duplicate(from, to string) (err error) {
	in, err := os.Open(from) //nolint:gosec // the caller's database, which no process has open
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := disk.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Sync()
}
