package backup

import (
	"context"
	"fmt"
	"strings"

	"daybook/internal/text"
)

// Strays are the names of backups whose journal begins like the journal of a database, but continues in
// a way that the database does not know: an older backup was restored, or somebody replaced the database or
// rewrote its journal.
type Strays []string

// FindStrays finds the strays among the manifests of a folder by their lineages in the database.
// Unavailable: the folder or the database cannot be read.
func FindStrays(ctx context.Context, dir string, lineages func(context.Context, []Manifest) ([]Lineage, error)) (Strays, error) {
	manifests, err := Manifests(dir)
	if err != nil || len(manifests) == 0 { // common at a start; then the database need not be opened
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

// Warning says what the strays mean and what to do, "" if there are none.
func (s Strays) Warning() string {
	const most = 3 // names in the message
	names := make([]string, len(s))
	for i, name := range s {
		names[i] = text.Printable(name) // a file name may have any bytes
	}
	switch n := len(s); {
	case n == 0:
		return ""
	case n > most:
		return fmt.Sprintf("%s and %d more backups hold %s", strings.Join(names[:most], ", "), n-most, strayed)
	case n == 1:
		return "the backup " + names[0] + " holds " + strayed
	}
	return "the backups " + strings.Join(names, ", ") + " hold " + strayed
}

const strayed = "entries that this database does not have: an older backup was restored (the journal notes each restore), " +
	"another file took its place, or its journal was rewritten; app verify --against FILE.json tells more"
