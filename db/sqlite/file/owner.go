package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"daybook/db/sqlite/internal/cursor"
	"daybook/internal/backup"
	"daybook/internal/disk"
	"daybook/internal/fault"
)

// A database belongs to one user, and has one name:
//
//   - Daybook makes all files for their owner alone, whatever the umask is. SQLite gives its
//     write-ahead log the permissions of the database. A file that others may use was
//     changed by hand, or made by an older program. Exposed finds it. Nothing changes it.
//   - SQLite opens the files beside the database by their names, so each must be a regular
//     file of the owner of the database. A link to the database itself is
//     followed.
//   - SQLite plays a rollback journal back into the database. Daybook works without one,
//     except while it makes a database, turns its log on or off, or brings
//     the copy of a restore up to date. A journal that a kill leaves then has the permissions of the
//     database; Daybook refuses one that more users may write to. A process that only reads plays none back.
//   - A file with two names is refused: a second hard link, or a mount of the file by
//     itself. Two processes that open it by different names hold different locks and
//     write different logs, and each loses what the other has committed.
//   - Its folder is one in which not every user may make files, since a user could make a
//     log or a rollback journal there, which SQLite would apply.
//   - The superuser works on no file that another user could exchange, also not through a folder
//     above it, and makes no file that the owner of the folder could not use. The
//     latter holds where there is no database yet: root's database in another user's folder is
//     one that the service of that user cannot open.

// The endings of the files beside a database; each follows the name of the database.
const (
	serveLock   = ".serve.lock"
	MigrateLock = ".migrate.lock"
	serveAddr   = ".serve.addr"
	CopyDraft   = ".restoring" // a copy that takes the place of the database, or that is migrated to be verified
)

// Companions are the endings of the files that lie beside a database and are opened by name.
var Companions = []string{"-wal", "-shm", "-journal", MigrateLock, serveLock, serveAddr, secondLog, secondIndex}

// OwnerError refuses an action that only the owner may take. Errors of kind Unavailable wrap it.
type OwnerError struct {
	Path  string
	Owner string // a name that sudo accepts
}

func (e *OwnerError) Error() string {
	return fmt.Sprintf("%s belongs to %s, who could not use the files that another user makes there", e.Path, e.Owner)
}

// superuser is the user id of root.
const superuser = 0

// resolve follows the links on the way to a file, which may be missing. Unavailable: root would follow
// a link that belongs to another user.
func resolve(path string) (string, error) {
	target, err := disk.Resolve(path)
	if err == nil {
		return target, nil
	}
	if _, is := errors.AsType[*fs.PathError](err); is {
		var dir string
		if dir, err = disk.Resolve(filepath.Dir(path)); err == nil {
			return filepath.Join(dir, filepath.Base(path)), nil
		}
	}
	if _, is := errors.AsType[*fs.PathError](err); is {
		return path, nil // opening it fails, and says why
	}
	return "", fault.Wrap(fault.Unavailable, err, "root follows only its own links")
}

// safe refuses a file that this process must not work on, by the rules above.
func (f File) safe() error {
	if os.Geteuid() == superuser {
		if err := f.BelongsTo(superuser); err != nil {
			return err
		}
	}
	if err := disk.Closed(os.Geteuid(), filepath.Dir(f.Path)); err != nil {
		return fault.Wrap(fault.Unavailable, err, "%s cannot be used where other users could change it", f)
	}
	for _, part := range Companions {
		if err := disk.Plain(f.Path + part); err != nil {
			return fault.Wrap(fault.Unavailable, err, "%s cannot be used: something else is in the place of a file of it; remove that", f)
		}
		if err := f.owners(part); err != nil {
			return err
		}
	}
	return f.oneName(f.twins)
}

// owners refuses a file beside the database that another user made, or that more users may write to.
func (f File) owners(part string) error {
	path := f.Path + part
	if owner := disk.Stranger(path, f.Path); owner != "" {
		return fault.New(fault.Unavailable, "%s belongs to %s, and not to the owner of %s; remove it, or where it is a part of the database give it to that owner with chown", path, owner, f)
	}
	if part == "-journal" && disk.Wider(path, f.Path) {
		return fault.New(fault.Unavailable, "users may write to %s who may not write to %s, and what it holds would change the database; move it away, or where it is a part of the database run: chmod 600 %s", path, f, path)
	}
	return nil
}

// BelongsTo refuses to open a database that another user could exchange. uid is the id of root; tests
// pass another.
func (f File) BelongsTo(uid int) error {
	if is, owner, err := disk.BelongsTo(uid, f.Path); err == nil && !is {
		return fault.Wrap(fault.Unavailable, &OwnerError{f.Path, owner}, "root does not open %s", f)
	}
	dir := filepath.Dir(f.Path)
	switch is, owner, err := disk.BelongsTo(uid, dir); {
	case err != nil:
		return fault.Wrap(fault.Unavailable, err, "cannot use %s", dir)
	case is:
		return nil
	case Exists(f.Path):
		return fault.New(fault.Unavailable, "%s is root's and its folder is not: %s could exchange it; give it away (chown %s %s) and work as %s, or move it", f, owner, owner, f.Path, owner)
	default:
		return fault.Wrap(fault.Unavailable, &OwnerError{dir, owner}, "root makes no database in %s", dir)
	}
}

// asGuest returns the file with the name of its owner, if the owner is another user.
func (f File) asGuest() (File, error) {
	is, owner, err := disk.BelongsTo(os.Geteuid(), f.Path)
	if err != nil || is {
		return f, nil //nolint:nilerr // a missing file has no owner yet; opening any other file reports the error
	}
	f.GuestOf = owner
	if f.VFS, err = cursor.Guest(); err != nil {
		return f, fault.Wrap(fault.Unavailable, err, "cannot open %s", f)
	}
	return f, nil
}

// MayWrite refuses to write or to replace the database of another user, a backup, and a file whose name
// the program removes.
func (f File) MayWrite() error {
	if why := backup.Reserved(filepath.Base(f.Path)); why != "" {
		return fault.New(fault.Unavailable, "%s cannot be used under this name: %s; give it another name", f, why)
	}
	if f.GuestOf != "" {
		return f.onlyOwner("only %s may write %s", f.GuestOf, f)
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

// onlyOwner is the error of an action that a guest may not take and the owner may.
func (f File) onlyOwner(format string, args ...any) error {
	return fault.Wrap(fault.Unavailable, &OwnerError{f.Path, f.GuestOf}, format, args...)
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

// Exposed returns the files of a database that other users may use: they could read its records, or
// lock it against writes. The folder is among them if a group may make files in it. Unavailable: as for
// Open.
func Exposed(path string) ([]disk.Exposure, error) {
	f, err := locate(path)
	if err != nil {
		return nil, err
	}
	paths := []string{filepath.Dir(f.Path), f.Path}
	for _, part := range Companions {
		paths = append(paths, f.Path+part)
	}
	return disk.Exposed(paths...), nil
}
