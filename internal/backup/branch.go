package backup

import (
	"time"

	"daybook/internal/journal"
)

// Branch is a stretch of a journal that a database does not continue: another backup was
// restored in its place, or the database that held it is lost.
type Branch struct {
	ID     int64
	Fork   journal.Seq  // the last entry that the branch and the database have in common
	Head   journal.Head // where the branch ends
	Until  time.Time    // no backup of the branch was taken later; UTC, to the microsecond
	Source string       // the backup that was restored, or the manifest that was accepted
}

// endsWith reports whether a backup ends where the branch does.
func (b Branch) endsWith(m Manifest) bool {
	head, err := m.ChainHead()
	return err == nil && head == b.Head
}

// covers reports whether a backup whose link the database does not have may be one of the
// branch: it ends between the fork and the end of the branch, and was taken in time. The
// links in between are not known.
func (b Branch) covers(m Manifest) bool {
	end := journal.Seq(m.Entries)
	return b.Fork < end && end < b.Head.Seq && !m.TakenAt.After(b.Until)
}

// branchOf returns the branch that a backup counts as one of, false where there is none:
// the one that it ends, or else, of those that cover it, the one that was given up first.
// Until then the database was on that branch.
func branchOf(m Manifest, branches []Branch) (of Branch, found bool) {
	for _, b := range branches {
		if b.endsWith(m) {
			return b, true
		}
		if b.covers(m) && (!found || b.Until.Before(of.Until)) {
			of, found = b, true
		}
	}
	return of, found
}

// Relation is what a backup is to a database.
type Relation int

// The relations.
const (
	Foreign   Relation = iota // its journal begins otherwise: it is of another database
	Own                       // the database has its link
	Abandoned                 // it is of a branch that was given up
	Stray                     // it is of no journal that the database knows of
)

// Standing is how a backup stands to a database.
type Standing struct {
	Relation Relation
	Branch   int64 // the ID of the branch that an abandoned backup is of; else 0
}

// Chain is the chain of a database's journal, as far as backups are held against it.
type Chain interface {
	// Origin is Contents.Origin.
	Origin() string
	// Has reports whether a link is on the chain.
	Has(journal.Head) (bool, error)
	// Branches are those that were given up.
	Branches() []Branch
}

// StandingTo returns how the backup of a manifest stands to the database of a chain.
func (m Manifest) StandingTo(c Chain) (Standing, error) {
	if m.Origin != c.Origin() {
		return Standing{Relation: Foreign}, nil
	}
	if head, err := m.ChainHead(); err == nil {
		if has, err := c.Has(head); err != nil || has {
			return Standing{Relation: Own}, err
		}
	}
	if b, is := branchOf(m, c.Branches()); is {
		return Standing{Abandoned, b.ID}, nil
	}
	return Standing{Relation: Stray}, nil
}
