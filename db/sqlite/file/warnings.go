package file

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"daybook/db/sqlite/schema"
	"daybook/internal/disk"
	"daybook/internal/text"
)

// Warning is what an owner should know about a database that is served all the same.
type Warning struct {
	Text    string // without the folders of this machine
	Path    string // of the file or the folder
	Command string // what ends it, "" if that is no one command
}

// Warnings returns what others may do to an up-to-date database, and what the owner added to it. Nothing
// changes it. Unavailable: as for Open.
func Warnings(ctx context.Context, path string) ([]Warning, error) {
	f, err := Locate(path)
	if err != nil {
		return nil, err
	}
	f.Name = filepath.Base(f.Path)
	paths := []string{filepath.Dir(f.Path), f.Path}
	for _, part := range Companions {
		paths = append(paths, f.Path+part)
	}
	found := slices.Concat(f.ofOthers(), Exposed(paths...))
	if n, err := disk.Links(f.Path); err == nil && n > 1 {
		found = append(found, Warning{
			Text: fmt.Sprintf("%s has %d names (hard links); programs that use different names overwrite each other's changes", f, n), Path: f.Path,
		})
	}
	added, err := f.added(ctx)
	return append(found, added...), err
}

// ofOthers warns of a database and of a folder that belong to another user.
func (f File) ofOthers() (found []Warning) {
	const root = 0
	if own, owner, err := disk.BelongsTo(os.Geteuid(), f.Path); err == nil && !own {
		found = append(found, Warning{
			Text: fmt.Sprintf("%s belongs to %s, who may not be able to use the files that this server makes; run the server as %s", f, owner, owner), Path: f.Path,
		})
	}
	dir := filepath.Dir(f.Path)
	own, owner, err := disk.BelongsTo(os.Geteuid(), dir)
	if roots, _, _ := disk.BelongsTo(root, dir); err == nil && !own && !roots {
		found = append(found, Warning{
			Text: fmt.Sprintf("the folder of %s belongs to %s, who can replace the database; run the server as %s, or move the database", f, owner, owner), Path: dir,
		})
	}
	return found
}

// Exposed warns of the files that other users may use, and of the folders in which they may make files.
// With a file they can read records, and block writes by a lock; with a folder they can change records.
func Exposed(paths ...string) (found []Warning) {
	for _, e := range disk.Exposed(paths...) {
		w := Warning{Text: "other users may use the file " + filepath.Base(e.Path), Path: e.Path, Command: "chmod 600 "}
		switch {
		case e.Mode&fs.ModeSticky != 0:
			w.Text, w.Command = "other users may make files in the folder "+filepath.Base(e.Path)+", and so change records; make a folder of your own in it, and use that", "mkdir -m 700 "
			w.Path = filepath.Join(e.Path, "daybook")
		case e.Mode.IsDir():
			w.Text, w.Command = "other users may make files in the folder "+filepath.Base(e.Path)+", and so change records", "chmod go-w "
		}
		w.Command += text.ShellWord(w.Path)
		found = append(found, w)
	}
	return found
}

// added warns of the objects that the owner added to the schema.
func (f File) added(ctx context.Context) (found []Warning, err error) {
	err = f.Reading(ctx, func(tx *sql.Tx) error {
		differences, err := f.Schema.Differences(ctx, tx, f.Schema.Newest())
		added := slices.DeleteFunc(differences, func(d schema.Difference) bool { return d.Harmful })
		if err != nil || len(added) == 0 {
			return err
		}
		named, drops := removal(added)
		found = []Warning{{Text: fmt.Sprintf("%s holds what Daybook did not make: %s", f, named), Path: f.Path, Command: drops}}
		return nil
	})
	return found, err
}
