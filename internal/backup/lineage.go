package backup

import "daybook/internal/journal"

// Restored is what a restore notes in the journal: from which backup the database goes on.
type Restored struct {
	ID   int64        // of the entry that notes it
	File string       // the name of the backup, without a folder
	Link journal.Head // the newest link of the backup
}

// Lineage is the relation between the journal of a backup and the journal of a database.
type Lineage int

// The lineages.
const (
	Foreign Lineage = iota // its journal has another beginning: it is of another database
	Own                    // the database has its link
	Stray                  // the database does not have its link
)

// Chain is the part of a journal's chain that a comparison with backups needs.
type Chain interface {
	// Origin is Contents.Origin.
	Origin() string
	// Has reports whether a link is on the chain.
	Has(journal.Head) (bool, error)
}

// LineageIn returns the lineage of the manifest's backup in the journal of a database.
func (m Manifest) LineageIn(c Chain) (Lineage, error) {
	if m.Origin != c.Origin() {
		return Foreign, nil
	}
	if head, err := m.ChainHead(); err == nil {
		if has, err := c.Has(head); err != nil || has {
			return Own, err
		}
	}
	return Stray, nil
}
