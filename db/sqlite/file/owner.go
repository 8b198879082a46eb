package file

import (
	"errors"
	"io/fs"
	"path/filepath"

	"daybook/internal/backup"
	"daybook/internal/disk"
	"daybook/internal/fault"
)

// Daybook makes all files for their owner alone, whatever the umask is. SQLite gives its log the
// permissions of the database. All are opened by their names, and no link is followed, except to the
// database itself. A file or a folder that others may use is served with a warning.

// CopyDraft is the ending of a copy that takes the place of the database, or that is migrated to be
// verified.
const CopyDraft = ".restoring"

// Companions are the endings of the files that lie beside a database and are opened by name.
var Companions = []string{"-wal", "-shm", "-journal", LockFile}

// resolve follows the links on the way to a file, which may be missing.
func resolve(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path // opening it fails, and says why
}

// plain refuses a database with a link, a folder or a pipe in the place of one of its files.
func (f File) plain() error {
	for _, part := range Companions {
		if err := disk.Plain(f.Path + part); err != nil {
			return fault.Wrap(fault.Unavailable, err, "%s cannot be used: something else is in the place of a file of it; remove that", f)
		}
	}
	return nil
}

// MayWrite refuses to write or to replace a backup, and a file whose name the program removes.
func (f File) MayWrite() error {
	if why := backup.Reserved(filepath.Base(f.Path)); why != "" {
		return fault.New(fault.Unavailable, "%s cannot be used under this name: %s; give it another name", f, why)
	}
	return f.noBackup()
}

// noBackup refuses a file with the manifest of a backup beside it. Opening it to write would change its
// header, and its checksum would no longer match the manifest. A database that grew out of a backup has
// another size.
func (f File) noBackup() error {
	manifest := backup.ManifestOf(f.Path)
	if m, err := backup.ReadManifest(manifest, nil); err != nil || m.Bytes != SizeOf(f.Path) {
		return nil //nolint:nilerr // a file that is no manifest says nothing about this one
	}
	return fault.New(fault.Unavailable, "%s is a backup, as %s says, and could not be restored once it is opened to write; restore it under another name with app restore --db OTHER %s, or move the manifest away to use the file itself", f, filepath.Base(manifest), f)
}

// create makes an empty database file if there is none.
func (f File) create() error {
	made, err := disk.Create(f.Path)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return made.Close() // no process has it open yet, so no lock is lost
}
