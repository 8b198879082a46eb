package backup

import (
	"slices"
	"time"

	"daybook/internal/journal"
)

// Branch is a part of a journal that a database does not continue, because another backup was restored
// in its place, or because the database with the branch is lost.
type Branch struct {
	ID     int64
	Fork   journal.Seq  // the last entry that the branch and the database have in common
	Head   journal.Head // the end of the branch
	Until  time.Time    // no backup of the branch was taken later; UTC, to the microsecond
	Source string       // the backup that was restored, or the manifest that was accepted
}

// endsWith reports whether a backup and the branch have the same end.
func (b Branch) endsWith(m Manifest) bool {
	head, err := m.ChainHead()
	return err == nil && head == b.Head
}

// covers reports whether a backup may be one of the branch, although the database does not have its
// link: it ends between the fork and the end of the branch, and was taken in time. The links in between
// are unknown.
func (b Branch) covers(m Manifest) bool {
	end := journal.Seq(m.Entries)
	return b.Fork < end && end < b.Head.Seq && !m.TakenAt.After(b.Until)
}

// Lineage is the relation between the journal of a backup and the journal of a database.
type Lineage int

// The lineages.
const (
	Foreign   Lineage = iota // its journal has another beginning: it is of another database
	Own                      // the database has its link
	Abandoned                // it is of a branch that was given up
	Stray                    // the database does not know its journal
)

// Chain is the part of a journal's chain that a comparison with backups needs.
type Chain interface {
	// Origin is Contents.Origin.
	Origin() string
	// Has reports whether a link is on the chain.
	Has(journal.Head) (bool, error)
	// Branches returns the branches that were given up.
	Branches() []Branch
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
	if slices.ContainsFunc(c.Branches(), func(b Branch) bool { return b.endsWith(m) || b.covers(m) }) {
		return Abandoned, nil
	}
	return Stray, nil
}
