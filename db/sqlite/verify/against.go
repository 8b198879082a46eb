package verify

import (
	"bytes"

	"daybook/internal/journal"
)

// Witness is a link that was noted outside of the database, and the name of the note. A
// chain that somebody made anew over other entries agrees with itself, but does not have
// the link.
type Witness struct {
	journal.Head
	Name string
}

// noted has a place for the hash of each link that a walk of the journal looks for. The
// link before the first entry is on every chain.
func noted(witnesses []Witness) map[int64][]byte {
	links := map[int64][]byte{}
	for _, w := range witnesses {
		links[int64(w.Seq)] = nil
	}
	links[0] = make([]byte, len(journal.Hash{}))
	return links
}

// contradicts names each witness whose link the walk did not come by.
func (t *teller) contradicts(witnesses []Witness) (found Findings) {
	for _, w := range witnesses {
		switch there := t.noted[int64(w.Seq)]; {
		case bytes.Equal(there, w.Hash[:]):
		case there != nil:
			found.Add("journal_links", int64(w.Seq), "is %x, and %s says %s: this is not the journal that the link was noted of", there, w.Name, w.Hash)
		case int64(w.Seq) > t.entries:
			found.Add("journal_links", int64(w.Seq), "%s names this link, and the journal ends at entry %d", w.Name, t.entries)
		default:
			found.Add("journal_links", int64(w.Seq), "%s names this link, and there is none: only the last entry of a commit has one", w.Name)
		}
	}
	return found
}
