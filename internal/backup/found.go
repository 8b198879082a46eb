package backup

import (
	"os"
	"path/filepath"
	"strings"

	"daybook/internal/fault"
)

// Manifests lists the manifests in a folder, with the names of the backups that they have there, even
// if a backup is missing. It leaves out files that are no manifests. Unavailable: the folder cannot be
// read.
func Manifests(path string) ([]Manifest, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "cannot read the backups in %s", path)
	}
	f := Folder{path: path}
	var found []Manifest
	for _, entry := range entries {
		file, is := strings.CutSuffix(entry.Name(), manifestSuffix)
		if !is || !entry.Type().IsRegular() || strings.HasPrefix(file, DraftPrefix) {
			continue
		}
		if m, err := f.manifest(file); err == nil {
			m.File = file
			found = append(found, m)
		}
	}
	return found, nil
}

// Backups lists the whole backups of a database in the folder, the oldest first: each is named after
// the database, and has a manifest with its name and size. It ignores all other files.
func (f *Folder) Backups(database string) ([]Manifest, error) {
	return list(f.path, database)
}

func list(path, database string) ([]Manifest, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	f := Folder{path: path}
	var found []Manifest
	for _, entry := range entries { // ordered by name, and so by time
		at, ours := takenAt(database, entry.Name())
		if !ours || !entry.Type().IsRegular() {
			continue
		}
		m, err := f.manifest(entry.Name())
		info, statErr := entry.Info()
		if err == nil && statErr == nil && m.File == entry.Name() && info.Size() == m.Bytes {
			m.TakenAt = at // the time in the name counts, because people see it
			found = append(found, m)
		}
	}
	return found, nil
}

// Files returns the paths of the backups of a database in a folder, and of their manifests and
// signatures, as their names say. The result is empty if the folder cannot be read.
func Files(dir, database string) (paths []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		if _, ours := takenAt(database, strings.TrimSuffix(strings.TrimSuffix(entry.Name(), signatureSuffix), manifestSuffix)); ours {
			paths = append(paths, filepath.Join(dir, entry.Name()))
		}
	}
	return paths
}
