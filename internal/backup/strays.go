package backup

import (
	"context"
	"fmt"
	"strings"

	"daybook/internal/text"
)

// Strays are the names of backups that begin as the journal of a database does, and are of
// no journal that the database knows of: it was replaced by an older one, or its journal
// was rewritten. They are the evidence, and are kept.
type Strays []string

// FindStrays finds the strays among the manifests of a folder, by how they stand to the
// database. Unavailable: the folder or the database cannot be read.
func FindStrays(ctx context.Context, dir string, lineages func(context.Context, []Manifest) ([]Lineage, error)) (Strays, error) {
	manifests, err := Manifests(dir)
	if err != nil || len(manifests) == 0 { // a server often starts with none; the database is not opened for that
		return nil, err
	}
	are, err := lineages(ctx, manifests)
	if err != nil {
		return nil, err
	}
	var strays Strays
	for i, m := range manifests {
		if are[i] == Stray {
			strays = append(strays, m.File)
		}
	}
	return strays, nil
}

// Warning says what the strays mean and what to do, "" where there are none.
func (s Strays) Warning() string {
	const most = 3 // that are named
	names := make([]string, len(s))
	for i, name := range s {
		names[i] = text.Printable(name) // a file's name may be of any bytes
	}
	switch n := len(s); {
	case n == 0:
		return ""
	case n > most:
		return fmt.Sprintf("%s and %d more backups %s", strings.Join(names[:most], ", "), n-most, strayed)
	case n == 1:
		return "the backup " + names[0] + " " + strayed
	}
	return "the backups " + strings.Join(names, ", ") + " " + strayed
}

const strayed = "cannot have been taken of this database: it was replaced by an older one, or its journal was rewritten; " +
	"app verify --against FILE.json tells, and app backup --accept-fork FILE.json accepts that what the backup holds is lost"
