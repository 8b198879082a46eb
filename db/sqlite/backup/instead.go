package backup

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"time"

	"daybook/db/sqlite/file"
	"daybook/internal/backup"
	"daybook/internal/fault"
)

// damageError is the error of a backup that was damaged when it was taken, or has changed since.
type damageError struct{ error }

func (d damageError) Unwrap() error { return d.error }

// advised adds advice to the error of a damaged backup: restore the newest whole backup of the same
// database in the folder.
func advised(ctx context.Context, f file.File, s Source, err error) error {
	if _, is := errors.AsType[damageError](err); !is || ctx.Err() != nil {
		return err
	}
	dir := filepath.Dir(s.path)
	if m, found := newestWhole(ctx, f, dir, s); found {
		return fault.New(fault.KindOf(err), "%v; %s, taken at %s, is whole: restore that", err, filepath.Join(dir, m.File), m.TakenAt.UTC().Format(time.RFC3339))
	}
	return fault.New(fault.KindOf(err), "%v; no other backup in %s is known to be of the same database and whole; to save what is left, copy the file with cp, and serve the copy, or read it with .recover of the program sqlite3", err, dir)
}

// newestWhole finds the newest other backup in a folder that a restore would accept. The origin in its
// manifest says which database a backup is of.
func newestWhole(ctx context.Context, f file.File, dir string, damaged Source) (backup.Manifest, bool) {
	if damaged.manifest == nil || damaged.manifest.Origin == "" {
		return backup.Manifest{}, false
	}
	beside, err := backup.Manifests(dir)
	if err != nil {
		return backup.Manifest{}, false
	}
	slices.SortFunc(beside, func(a, b backup.Manifest) int {
		return cmp.Or(b.TakenAt.Compare(a.TakenAt), cmp.Compare(a.File, b.File))
	})
	for _, m := range beside {
		other := m.File != filepath.Base(damaged.path) && m.Origin == damaged.manifest.Origin
		if other && m.Damage == "" && restorable(ctx, f, filepath.Join(dir, m.File), damaged.signedBy) == nil {
			return m, true
		}
	}
	return backup.Manifest{}, false
}

// restorable returns what is wrong with a backup and its manifest, nil if a restore would accept them.
// With a key it accepts only a manifest that the key signed.
func restorable(ctx context.Context, f file.File, path string, signedBy ed25519.PublicKey) (err error) {
	s, err := openSource(path, f, signedBy)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.File.Close()) }()
	hash := sha256.New()
	size, err := io.Copy(hash, reader{ctx, s.File})
	if err != nil {
		return err
	}
	if err := s.asItsManifest(size, hex.EncodeToString(hash.Sum(nil))); err != nil {
		return err
	}
	taken := file.File{Path: s.path, Immutable: true, Schema: f.Schema}
	c, err := contents(ctx, taken)
	if err != nil {
		return err
	}
	switch damage, err := unrestorable(ctx, taken, c.Schema, nil); {
	case err != nil:
		return err
	case damage != "":
		return errors.New(damage)
	}
	return s.holds(c)
}
