package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"daybook/internal/disk"
)

// sweep removes what a kill has left: first the manifest of each draft that has one, then the draft. It
// removes a link itself, not its target.
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

// unfinished reports that a backup does not exist, but its manifest does, and describes the draft of
// the backup.
func (f *Folder) unfinished(file string) bool {
	if _, err := os.Lstat(filepath.Join(f.path, file)); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	m, err := f.manifest(file)
	return err == nil && m.File == file && m.tellsOf(f.Draft(file))
}

// tellsOf reports whether a file has the size and the sum in the manifest.
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
