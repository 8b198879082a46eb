package backup

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"daybook/internal/disk"
	"daybook/internal/fault"
)

const (
	// lockName is the lock file of a folder. The processes that put backups into the folder, or remove
	// some, take turns at it.
	lockName = ".daybook-backup.lock"
	// DraftPrefix begins the names of drafts: files that are not finished, or no longer wanted. The
	// final or former name of the file follows.
	DraftPrefix = ".daybook-backup-"
	// patience is how long a process waits for its turn. To copy and verify a large database takes
	// minutes.
	patience = 10 * time.Minute
)

// Folder is a directory of backups that only this process changes until Close.
//
// A backup exists with its manifest, and with its signature if it is signed, or not at
// all: the manifest gets its name first, then the signature, then the backup, and they
// lose their names in the opposite order. The backup is a draft until it gets its name in
// one step, and becomes a draft again in one step. A draft that exists while the lock is
// free was left by a kill. Its name tells the name of its manifest. The next process
// removes that manifest with the draft if it describes the bytes of the draft. Any
// other manifest without its backup stays, because somebody moved or compressed the backup.
type Folder struct {
	path      string
	lock      disk.Locks
	scheduled bool               // the schedule takes these backups
	key       ed25519.PrivateKey // signs these backups, nil for none
	made      os.FileInfo        // the draft that Create made last
}

type scheduledKey struct{}

// scheduled returns the context of a backup that the schedule takes, so that the code between need not
// know that.
func scheduled(ctx context.Context) context.Context {
	return context.WithValue(ctx, scheduledKey{}, true)
}

// OpenFolder waits for its turn, at most 10 minutes, and removes what a kill has left. Unavailable:
// another process does not end its turn, there is no such directory, or it is read-only.
func OpenFolder(ctx context.Context, path string) (*Folder, error) {
	return openFolder(ctx, path, patience)
}

func openFolder(ctx context.Context, path string, patience time.Duration) (*Folder, error) {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.Unavailable, "there is no directory %s for backups", path)
	case err != nil:
		return nil, fault.Wrap(fault.Unavailable, err, "cannot use %s for backups", path)
	case !info.IsDir():
		return nil, fault.New(fault.Unavailable, "%s is not a directory for backups", path)
	}
	path, err := resolved(path)
	if err != nil {
		return nil, err
	}
	lock, err := disk.OpenLocks(filepath.Join(path, lockName))
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock the backups in %s", path)
	}
	f := &Folder{path: path, lock: lock}
	f.scheduled, _ = ctx.Value(scheduledKey{}).(bool)
	f.key, _ = ctx.Value(signingKey{}).(ed25519.PrivateKey)
	waiting, stop := context.WithTimeout(ctx, patience)
	defer stop()
	switch err := f.lock.Lock(waiting, 0); {
	case err != nil && waiting.Err() != nil && ctx.Err() == nil:
		_ = f.lock.Close() // the first error is the one to report
		return nil, fault.Wrap(fault.Unavailable, err, "another process has been busy with the backups in %s for %s; try again when it is done", path, patience)
	case err != nil:
		_ = f.lock.Close() // the first error is the one to report
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock %s", f.lock.Name())
	}
	if err := f.sweep(); err != nil {
		_ = f.Close() // the first error is the one to report
		return nil, fault.Wrap(fault.Unavailable, err, "cannot tidy up %s", path)
	}
	return f, nil
}

// resolved returns the path of a folder with links resolved, so that each later step uses the same
// folder.
func resolved(path string) (string, error) {
	folder, err := filepath.Abs(path)
	if err == nil {
		folder, err = filepath.EvalSymlinks(folder)
	}
	if err != nil {
		return "", fault.Wrap(fault.Unavailable, err, "cannot use %s for backups", path)
	}
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return "", fault.New(fault.Unavailable, "%s is no folder, and cannot hold backups", path)
	}
	return folder, nil
}

// MakeFolder makes a folder for backups if there is none. Only its owner may use it. Unavailable: the disk
// refuses.
func MakeFolder(path string) error {
	if exists(path) {
		_, err := resolved(path)
		return err
	}
	above, err := resolved(filepath.Dir(path))
	if err != nil {
		return err
	}
	err = makeFolder(above, filepath.Base(path))
	if err == nil || errors.Is(err, fs.ErrExist) {
		err = Sync(above)
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "cannot make the folder %s for backups", path)
	}
	return nil
}

// makeFolder makes a folder that only its owner may use, whatever the umask is.
func makeFolder(above, name string) (err error) {
	root, err := os.OpenRoot(above)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if err := root.Mkdir(name, 0o700); err != nil {
		return err
	}
	return root.Chmod(name, 0o700)
}

// Close gives the turn to other processes.
func (f *Folder) Close() error { return errors.Join(f.lock.Unlock(0), f.lock.Close()) }

// Create makes the empty draft of a backup. fs.ErrExist: a file has that name, perhaps a link of
// another user; Create neither follows nor changes it.
func (f *Folder) Create(file string) error {
	draft, err := disk.Create(f.Draft(file))
	if err != nil {
		return err
	}
	f.made, err = draft.Stat()
	return errors.Join(err, draft.Close())
}

// isMade refuses a file that Create did not make. Another user who may write to the folder replaced it.
func (f *Folder) isMade(info os.FileInfo, err error) error {
	if err == nil && !os.SameFile(f.made, info) {
		err = fmt.Errorf("another user replaced %s while the backup was made; make the folder writable only for you: chmod go-w %s", info.Name(), f.path)
	}
	return err
}

// Draft is the path of the draft of a file.
func (f *Folder) Draft(file string) string { return filepath.Join(f.path, DraftPrefix+file) }

func (f *Folder) manifest(file string) (Manifest, error) {
	return ReadManifest(ManifestOf(filepath.Join(f.path, file)), nil)
}

// reserved are the endings of files that the program or SQLite keeps beside a database and removes. A
// backup with such a name would be removed too.
var reserved = []string{"-wal", "-shm", "-journal", ".lock", ".restoring"}

// Reserved returns why the program would remove a file of that name, "" if it would not.
func Reserved(name string) string {
	if strings.HasPrefix(name, DraftPrefix) {
		return "files whose names begin with " + DraftPrefix + " are removed as unfinished"
	}
	for _, ending := range reserved {
		if strings.HasSuffix(name, ending) {
			return "files whose names end in " + ending + " belong to a database and are removed with it"
		}
	}
	return ""
}

// Free checks that a backup may get that name here. Invalid: the program removes files of such a name, or a
// manifest cannot name it. AlreadyExists: a file has the name.
func (f *Folder) Free(file string) error {
	if !utf8.ValidString(file) {
		return fault.New(fault.Invalid, "%q cannot be the name of a backup: it is not UTF-8; choose another name", file)
	}
	if why := Reserved(file); why != "" {
		return fault.New(fault.Invalid, "%s cannot be the name of a backup: %s; choose another name", file, why)
	}
	path := filepath.Join(f.path, file)
	for _, path := range []string{path, ManifestOf(path), SignatureOf(path)} {
		if exists(path) {
			return fault.New(fault.AlreadyExists, "%s exists already, and a backup replaces nothing", path)
		}
	}
	return nil
}

// Publish gives the finished draft of a backup, which Create made, its name and its manifest. It
// returns the manifest with the size and the sum of the file. Then both are on the disk. AlreadyExists:
// a file has the name. Unavailable: the disk refuses; then no new file is in the folder.
func (f *Folder) Publish(m Manifest) (Manifest, error) {
	m.Scheduled = f.scheduled
	var err error
	if m.Bytes, m.SHA256, err = f.settle(m.File); err != nil {
		return Manifest{}, fault.Wrap(fault.Unavailable, err, "cannot finish %s", m.File)
	}
	if err := f.publish(m); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return Manifest{}, fault.Wrap(fault.AlreadyExists, err, "%s exists already, and a backup replaces nothing", m.File)
		}
		return Manifest{}, fault.Wrap(fault.Unavailable, err, "cannot write %s", m.File)
	}
	return m, nil
}

func (f *Folder) publish(m Manifest) error {
	text, err := m.Format()
	if err != nil {
		return err
	}
	if err := f.put(ManifestOf(m.File), text); err != nil {
		return err
	}
	// From here on there is a manifest without its backup. After a kill, sweep removes it.
	if f.key != nil {
		if err := f.put(SignatureOf(m.File), ed25519.Sign(f.key, text)); err != nil {
			return errors.Join(err, remove(filepath.Join(f.path, ManifestOf(m.File))))
		}
	}
	if err = Sync(f.path); err == nil {
		err = f.name(m.File)
	}
	if err != nil {
		return errors.Join(err, f.removeManifest(m.File))
	}
	// From here on the backup exists.
	if err = f.isMade(os.Lstat(filepath.Join(f.path, m.File))); err == nil {
		err = Sync(f.path)
	}
	if err != nil {
		return errors.Join(err, f.withdraw(m.File))
	}
	return nil
}

// put writes the draft of a file, and gives it its name.
func (f *Folder) put(file string, data []byte) error {
	err := disk.Write(f.Draft(file), data)
	if err == nil {
		err = f.name(file)
	}
	if err != nil {
		return errors.Join(err, remove(f.Draft(file)))
	}
	return nil
}

// name gives the draft of a file its name, which must be free.
func (f *Folder) name(file string) error {
	return disk.Rename(f.Draft(file), filepath.Join(f.path, file))
}

// removeManifest removes the manifest of a backup, after its signature.
func (f *Folder) removeManifest(file string) error {
	path := filepath.Join(f.path, file)
	if err := remove(SignatureOf(path)); err != nil {
		return err
	}
	return remove(ManifestOf(path))
}

// Remove removes a backup. Unavailable: its bytes differ from its manifest, so they may be the only
// copy; they stay.
func (f *Folder) Remove(m Manifest) error {
	path := filepath.Join(f.path, m.File)
	if exists(path) && !m.tellsOf(path) {
		return fault.New(fault.Unavailable, "%s is not the file that its manifest describes, so it is not removed; if you need it, move it to another folder, otherwise remove it and its manifest", path)
	}
	return f.withdraw(m.File)
}

// withdraw makes a backup a draft again before it removes the manifest, so that a kill leaves a
// recognisable state. If somebody has moved the backup, its manifest stays.
func (f *Folder) withdraw(file string) error {
	switch err := disk.Rename(filepath.Join(f.path, file), f.Draft(file)); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	if err := f.removeManifest(file); err != nil {
		return err
	}
	return remove(f.Draft(file))
}

// settle syncs a draft, and returns its size and sum.
func (f *Folder) settle(name string) (size int64, sum string, err error) {
	file, err := disk.OpenToWrite(f.Draft(name))
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := f.isMade(file.Stat()); err != nil {
		return 0, "", err
	}
	if err := file.Sync(); err != nil {
		return 0, "", err
	}
	return sumOf(file)
}

// sumOf returns the size and the SHA-256 of all that from holds.
func sumOf(from io.Reader) (size int64, sum string, err error) {
	hash := sha256.New()
	size, err = io.Copy(hash, from)
	return size, hex.EncodeToString(hash.Sum(nil)), err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// remove removes a file if it exists.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
