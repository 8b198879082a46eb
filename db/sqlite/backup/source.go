package backup

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"daybook/db/records"
	"daybook/db/sqlite/file"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/verify"
	"daybook/internal/backup"
	"daybook/internal/disk"
	"daybook/internal/fault"
)

// Source is a backup that is being restored.
type Source struct {
	path     string
	File     *os.File
	manifest *backup.Manifest  // nil when there is none
	signedBy ed25519.PublicKey // the key that must have signed the manifest, nil for none
}

// openSource opens a backup. SQLite never opens it, because a backup may lie where nothing can be
// written beside it.
func openSource(path string, target file.File, signedBy ed25519.PublicKey) (s Source, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, fault.New(fault.Unavailable, "there is no file %s", path)
	case err != nil:
		return s, fault.Wrap(fault.Unavailable, err, "cannot read %s", path)
	case info.IsDir():
		return s, fault.New(fault.Unavailable, "%s is a directory, not a backup", path)
	case !info.Mode().IsRegular():
		return s, fault.New(fault.Unavailable, "%s is not a file", path)
	case info.Size() == 0:
		return s, fault.New(fault.Unavailable, "%s is empty, not a backup", path)
	}
	if there, err := os.Stat(target.Path); err == nil && os.SameFile(info, there) {
		return s, fault.New(fault.Unavailable, "%s is the database itself", path)
	}
	for _, used := range usedByRestore(target) {
		if there, err := os.Stat(used); err == nil && os.SameFile(info, there) {
			return s, fault.New(fault.Unavailable, "%s would be lost: a restore of %s removes %s; restore a backup, or copy this file to another name and restore the copy", path, target, used)
		}
	}
	if s.path, err = filepath.EvalSymlinks(path); err != nil { // the manifest and a log lie beside the file, not beside a link to it
		return s, fault.Wrap(fault.Unavailable, err, "cannot read %s", path)
	}
	s.signedBy = signedBy
	if err := s.readManifest(); err != nil {
		return s, err
	}
	if err := s.complete(); err != nil {
		return s, err
	}
	if s.File, err = disk.Open(s.path); err != nil {
		return s, fault.Wrap(fault.Unavailable, err, "cannot read %s", path)
	}
	return s, nil
}

// usedByRestore are the files beside a database that a restore removes or replaces.
func usedByRestore(f file.File) (paths []string) {
	paths = []string{f.Path + asideDraft}
	for _, name := range []string{f.Path, f.Path + file.CopyDraft} {
		for _, part := range append([]string{""}, file.Companions...) {
			paths = append(paths, name+part)
		}
	}
	return paths
}

// readManifest reads the manifest beside the backup. With a key the manifest must exist and be signed
// by it.
func (s *Source) readManifest() error {
	path := backup.ManifestOf(s.path)
	m, err := backup.ReadManifest(path, s.signedBy)
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.signedBy == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.Unavailable, "%s has no signed manifest: %s is missing", s.path, path)
	case err != nil:
		return err
	}
	s.manifest = &m
	return nil
}

// complete refuses a database in use, whose newest commits are in a file beside it.
func (s *Source) complete() error {
	for _, suffix := range []string{"-wal", "-journal"} {
		if info, err := os.Stat(s.path + suffix); err == nil && info.Size() > 0 {
			return fault.New(fault.Unavailable, "%s is a database with changes in %s%s, not a backup: make a backup of it with app backup", s.path, filepath.Base(s.path), suffix)
		}
	}
	return nil
}

// copyTo copies the backup, checks the copy, brings it up to date, and ends its sessions.
func (s *Source) copyTo(ctx context.Context, to file.File) (size int64, c backup.Contents, err error) {
	size, sum, err := s.write(ctx, to.Path)
	if err != nil {
		return 0, c, fault.Wrap(fault.Unavailable, err, "cannot copy %s to %s", s.path, to.Path)
	}
	if err := s.complete(); err != nil { // again, because a file may have appeared during the copy
		return 0, c, err
	}
	if err := s.asItsManifest(size, sum); err != nil {
		return 0, c, damageError{err}
	}
	if c, err = contents(ctx, to); err != nil {
		return 0, c, err
	}
	if err := s.holds(c); err != nil {
		return 0, c, damageError{err}
	}
	if err := renew(ctx, to); err != nil {
		return 0, c, err
	}
	if err := signOut(ctx, to); err != nil {
		return 0, c, fault.Wrap(fault.Unavailable, err, "cannot end the sessions in %s", to)
	}
	return size, c, nil
}

// asItsManifest refuses bytes that differ from the manifest.
func (s *Source) asItsManifest(size int64, sum string) error {
	if m := s.manifest; m != nil && (m.Bytes != size || m.SHA256 != sum) {
		return fault.New(fault.Unavailable, "%s is not what its manifest says: %d bytes with SHA-256 %s, not %d with %s", s.path, size, sum, m.Bytes, m.SHA256)
	}
	return nil
}

// holds refuses contents that differ from the manifest.
func (s *Source) holds(c backup.Contents) error {
	if s.manifest == nil {
		return nil
	}
	if differs := c.Differs(s.manifest.Contents); differs != "" {
		return fault.New(fault.Unavailable, "%s is not what its manifest says: %s", s.path, differs)
	}
	return nil
}

// finished verifies a copy that is complete, and checks that it continues the journal of its backup. It
// comes last, so that the file that takes the place of the database is the file that was checked. The
// sessions are gone before, because a clock that is behind the clock of the backup would make them look
// forged.
func finished(ctx context.Context, f file.File, of backup.Contents) error {
	head, err := of.ChainHead()
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "%s cannot be restored", f)
	}
	v, err := verify.File(ctx, f, nil, records.Witness{Head: head, Name: f.String()})
	if err != nil {
		return err
	}
	if err := damage(f, v.Findings); err != nil {
		return damageError{err}
	}
	return nil
}

// renew migrates a copy to the newest schema. It needs no backup, because its source is one.
func renew(ctx context.Context, f file.File) error {
	version, err := f.Inspect(ctx)
	if err != nil || version == f.Schema.Newest() {
		return err
	}
	f.Immutable = false
	_, err = f.Upgrade(ctx, file.AlonePragmas)
	return err
}

// signOut ends the sessions in a copy.
func signOut(ctx context.Context, f file.File) (err error) {
	f.Immutable = false
	db, err := f.Open(ctx, "rw", 1, file.AlonePragmas)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return gen.New(db).DeleteSessions(ctx)
}

// write copies the bytes to a new file, and returns their number and sum.
func (s *Source) write(ctx context.Context, path string) (size int64, sum string, err error) {
	if err := removeAll((file.File{Path: path})); err != nil { // left by a kill
		return 0, "", err
	}
	to, err := disk.Create(path)
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	hash := sha256.New()
	if size, err = io.Copy(io.MultiWriter(to, hash), reader{ctx, s.File}); err != nil {
		return 0, "", err
	}
	return size, hex.EncodeToString(hash.Sum(nil)), to.Sync()
}

// reader reads until its context ends.
type reader struct {
	ctx context.Context
	io.Reader
}

func (r reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}
