package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"daybook/internal/disk"
)

// sweep removes what a kill has left: drafts, and before them the manifests of those that
// have one. It removes a link as well, and leaves what that leads to.
func (f *Folder) sweep() error {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		file, isDraft := strings.CutPrefix(entry.Name(), DraftPrefix)
		if !isDraft || entry.IsDir() {
			continue
		}
		if f.unfinished(file) {
			if err := f.removeManifest(file); err != nil {
				return err
			}
		}
		if err := remove(f.Draft(file)); err != nil {
			return err
		}
	}
	return nil
}

// unfinished reports that a backup is not there, that its manifest is, and that the
// manifest tells of the backup's draft.
func (f *Folder) unfinished(file string) bool {
	if _, err := os.Lstat(filepath.Join(f.path, file)); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	m, err := f.manifest(file)
	return err == nil && m.File == file && m.tellsOf(f.Draft(file))
}

// tellsOf reports whether a file has the size and the sum of the backup.
func (m Manifest) tellsOf(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.Size() != m.Bytes {
		return false
	}
	file, err := disk.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // it was only read
	_, sum, err := sumOf(file)
	return err == nil && sum == m.SHA256
}
