package records

import (
	"bytes"

	"daybook/internal/journal"
)

// Witness is a link of the chain that was noted outside of the database, with the name of the note. A
// chain that somebody made again over other entries agrees with itself, but does not have the link.
type Witness struct {
	journal.Head
	Name string
}

// noted makes a place for the hash of each link that witnesses name. Every chain has the link before
// the first entry.
func noted(witnesses []Witness) map[journal.Seq][]byte {
	links := map[journal.Seq][]byte{}
	for _, w := range witnesses {
		links[w.Seq] = nil
	}
	links[0] = make([]byte, len(journal.Hash{}))
	return links
}

// Contradictions finds each witness whose link the walk did not find.
func (r *Replay) Contradictions(witnesses []Witness) (found Findings) {
	for _, w := range witnesses {
		switch there := r.noted[w.Seq]; {
		case bytes.Equal(there, w.Hash[:]):
		case there != nil:
			found.Add("journal_links", int64(w.Seq), "is %x, but %s says %s: the link was noted of another journal", there, w.Name, w.Hash)
		case int64(w.Seq) > r.Entries:
			found.Add("journal_links", int64(w.Seq), "%s names this link, but the journal ends at entry %d", w.Name, r.Entries)
		default:
			found.Add("journal_links", int64(w.Seq), "%s names this link, but there is none: only the last entry of a commit has one", w.Name)
		}
	}
	return found
}
