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

	"github.com/gofrs/flock"

	"daybook/internal/disk"
	"daybook/internal/fault"
)

const (
	// lockName is the file by which the processes that put backups into a folder, or
	// remove some, take turns.
	lockName = ".daybook-backup.lock"
	// DraftPrefix begins the names of drafts: files that are not finished, or no longer
	// wanted. The name that a file shall have, or had, follows.
	DraftPrefix = ".daybook-backup-"
	// patience is how long a process waits for its turn: a large database takes minutes to
	// be copied and verified.
	patience = 10 * time.Minute
)

// Folder is a directory that this process alone puts backups into until Close.
//
// A backup is there with its manifest, and its signature where it is signed, or not at
// all: the manifest gets its name first, then the signature, then the backup, and they
// lose their names the other way round. The backup is a draft until it gets its name in
// one step, and becomes a draft again in one step. A draft that is there when the lock is
// free was left by a kill. Its name says which manifest came before its backup, or was to
// go after it: that manifest goes with the draft when it tells of the draft's bytes. Any
// other manifest without its backup is of one that somebody moved or compressed, and stays.
type Folder struct {
	path      string
	lock      *flock.Flock
	scheduled bool               // what is put here is taken by the clock
	key       ed25519.PrivateKey // that signs what is put here, nil for none
	made      os.FileInfo        // the draft that Create made last
}

type scheduledKey struct{}

// scheduled returns the context of a backup that is taken by the clock, so that whoever
// takes one need not know why.
func scheduled(ctx context.Context) context.Context {
	return context.WithValue(ctx, scheduledKey{}, true)
}

// OpenFolder waits for its turn, no longer than 10 minutes, and removes what a kill has left.
// Unavailable: another process does not end its turn; there is no such directory, or it
// is read-only.
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
	path, err := trusted(path)
	if err != nil {
		return nil, err
	}
	lock, err := disk.Lock(filepath.Join(path, lockName))
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock the backups in %s", path)
	}
	f := &Folder{path: path, lock: lock}
	f.scheduled, _ = ctx.Value(scheduledKey{}).(bool)
	f.key, _ = ctx.Value(signingKey{}).(ed25519.PrivateKey)
	waiting, stop := context.WithTimeout(ctx, patience)
	defer stop()
	switch _, err := f.lock.TryLockContext(waiting, 20*time.Millisecond); {
	case err != nil && waiting.Err() != nil && ctx.Err() == nil:
		return nil, fault.Wrap(fault.Unavailable, err, "another process has been busy with the backups in %s for %s; try again when it is done", path, patience)
	case err != nil:
		return nil, fault.Wrap(fault.Unavailable, err, "cannot lock %s", f.lock.Path())
	}
	if err := f.sweep(); err != nil {
		_ = f.Close() // the reason to give up is the one to report
		return nil, fault.Wrap(fault.Unavailable, err, "cannot tidy up %s", path)
	}
	return f, nil
}

// trusted returns the path of a folder with links followed, so that each later step finds
// the same folder. It refuses one in which other users could keep the lock, or put files in
// the place of a backup that is being written, and root a link of another user.
func trusted(path string) (string, error) {
	folder, err := filepath.Abs(path)
	if err == nil {
		folder, err = disk.Resolve(folder)
	}
	if err != nil {
		return "", fault.Wrap(fault.Unavailable, err, "cannot use %s for backups", path)
	}
	if err := disk.Closed(os.Geteuid(), folder); err != nil {
		return "", fault.Wrap(fault.Unavailable, err, "%s cannot hold backups where other users could change them", path)
	}
	return folder, nil
}

// MakeFolder makes a folder for backups where there is none; only its owner may use it.
// Unavailable: other users may make files in the folder, or in the one above a new one.
func MakeFolder(path string) error {
	if exists(path) {
		_, err := trusted(path)
		return err
	}
	above, err := trusted(filepath.Dir(path))
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

// makeFolder makes a folder that its owner alone may use, whatever the umask.
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

// Close lets others have their turn.
func (f *Folder) Close() error { return f.lock.Unlock() }

// Create makes the empty draft of a backup. fs.ErrExist: something is in the way, which may
// be a link of another user; it is neither followed nor changed.
func (f *Folder) Create(file string) error {
	draft, err := disk.Create(f.Draft(file))
	if err != nil {
		return err
	}
	f.made, err = draft.Stat()
	return errors.Join(err, draft.Close())
}

// isMade refuses a file that is not the one that Create made. Somebody who may write to the
// folder has replaced it.
func (f *Folder) isMade(info os.FileInfo, err error) error {
	if err == nil && !os.SameFile(f.made, info) {
		err = fmt.Errorf("another user replaced %s while the backup was made; let nobody else write to the folder: chmod go-w %s", info.Name(), f.path)
	}
	return err
}

// Draft is the path of the draft of a file.
func (f *Folder) Draft(file string) string { return filepath.Join(f.path, DraftPrefix+file) }

func (f *Folder) manifest(file string) (Manifest, error) {
	return ReadManifest(ManifestOf(filepath.Join(f.path, file)), nil)
}

// reserved are the endings of files that the program or SQLite keeps beside a database, and
// removes: a backup of such a name would go with them.
var reserved = []string{"-wal", "-wal.draft", "-shm", "-journal", ".lock", ".restoring", ".serve.addr", ".serve.addr.new"}

// Reserved says why a file of that name would be removed, "" where it would not.
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

// Free reports that a backup of that name may be put here. Invalid: files of such a name are
// removed. AlreadyExists: something is in the way.
func (f *Folder) Free(file string) error {
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

// Publish gives the finished draft of a backup, which Create made, its name and its manifest, and returns that
// with what is said of the file. When it returns, both are on the disk. AlreadyExists:
// something is in the way. Unavailable: the disk refuses; then nothing has come to the
// folder.
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
	// From here on a manifest stands without its backup; a kill leaves it to sweep.
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
	// From here on the backup is there.
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

// Remove removes a backup. Unavailable: its bytes are not those that the manifest tells
// of, so that they may be the only ones; they stay.
func (f *Folder) Remove(m Manifest) error {
	path := filepath.Join(f.path, m.File)
	if exists(path) && !m.tellsOf(path) {
		return fault.New(fault.Unavailable, "%s is not the file that its manifest tells of, and stays; if you need it, move it to another folder, else remove it and its manifest", path)
	}
	return f.withdraw(m.File)
}

// withdraw makes a backup a draft again before its manifest goes, so that what a kill
// leaves is known for what it is. The manifest of a backup that somebody has moved stays.
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

// settle sees to it that a draft is on the disk, and returns its size and sum.
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

// sumOf returns the size and the SHA-256 of what there is to read.
func sumOf(from io.Reader) (size int64, sum string, err error) {
	hash := sha256.New()
	size, err = io.Copy(hash, from)
	return size, hex.EncodeToString(hash.Sum(nil)), err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// remove removes a file that may be gone.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
