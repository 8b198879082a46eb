package records

import (
	"bytes"
	"crypto/sha256"
	"iter"
	"time"
	"unicode/utf8"

	"daybook/internal/journal"
	"daybook/internal/text"
)

// Link is a link of the journal's chain, as it is stored.
type Link struct {
	Through journal.Seq // the newest entry that it covers
	Hash    []byte
}

// Replay is a walk of the journal, and what it found.
type Replay struct {
	Found   Findings
	Digests Digests
	Highest map[journal.Entity]int64 // the highest id of a record in the journal
	Entries int64
	Latest  time.Time // of all entries
	Links   int64
	Head    journal.Hash
	noted   map[journal.Seq][]byte // the hashes of the links that witnesses name, nil before the walk reaches them
}

// NewReplay returns a walk that looks for the links of the witnesses.
func NewReplay(witnesses []Witness) *Replay {
	return &Replay{Digests: newDigests(journal.Entities()), Highest: map[journal.Entity]int64{}, noted: noted(witnesses)}
}

// Run walks the journal. It checks that the numbers of the entries have no gap, that each link is the
// hash of its entries, and that each entry continues the state that the earlier entry left of its
// record. Both sequences ascend. Run calls step for each entry. It returns the first error of a
// sequence.
func (r *Replay) Run(entries iter.Seq2[journal.Entry, error], links iter.Seq2[Link, error], step func(int64)) error {
	next, stop := iter.Pull2(links)
	defer stop()
	link, err := r.link(next)
	if err != nil {
		return err
	}
	sum := r.Head.Link()
	first, last := journal.Seq(1), journal.Seq(0)
	for e, err := range entries {
		if err != nil {
			return err
		}
		r.entry(e, last)
		last = e.Seq
		sum.Add(&e)
		for link != nil && link.Through <= e.Seq {
			r.Head = sum.Hash()
			if !bytes.Equal(r.Head[:], link.Hash) {
				r.Found.Add("journal", int64(first), "the entries %d to %d do not match their link of the chain", first, e.Seq)
				r.Head = journal.Hash(link.Hash) // reports one change only once
			}
			sum, first = r.Head.Link(), e.Seq+1
			if link, err = r.link(next); err != nil {
				return err
			}
		}
		step(1)
	}
	if first <= last || link != nil {
		r.Found.Add("journal", int64(last), "the chain does not end with the last entry")
	}
	return nil
}

// entry checks an entry by itself, and against the record that it changes.
func (r *Replay) entry(e journal.Entry, last journal.Seq) {
	if e.Seq < 1 {
		r.Found.Add("journal", 0, "an entry has the number %d", e.Seq)
	} else if e.Seq != last+1 {
		r.Found.Add("journal", int64(last+1), "is missing: the next entry is %d", e.Seq)
	}
	for _, part := range []string{e.Actor, e.Request, e.Reason, string(e.Entity), string(e.Before), string(e.After)} {
		if !utf8.ValidString(part) { // the chain has U+FFFD in its place
			r.Found.Add("journal", int64(e.Seq), "its text %q is not UTF-8", part)
		}
	}
	r.fold(e)
	r.Entries++
	if e.At.After(r.Latest) {
		r.Latest = e.At
	}
}

// fold checks that an entry begins with the state that its record had, and stores the state that it
// leaves.
func (r *Replay) fold(e journal.Entry) {
	records, known := r.Digests[e.Entity]
	if !known {
		r.Found.Add("journal", int64(e.Seq), "is about the unknown entity %q", e.Entity)
		return
	}
	for _, record := range [][]byte{e.Before, e.After} {
		if record != nil && !bytes.HasPrefix(record, []byte("{")) { // the chain has the same line for the text null and for none
			r.Found.Add("journal", int64(e.Seq), "has a record that is not a JSON object: %q", text.Shorten(string(record)))
		}
	}
	r.Highest[e.Entity] = max(r.Highest[e.Entity], e.EntityID)
	left, is := records[e.EntityID]
	if is != (e.Before != nil) || is && left != digest(e.Before) {
		r.Found.Add("journal", int64(e.Seq), "does not continue what an earlier entry left of %s %d", e.Entity, e.EntityID)
	}
	if e.After == nil {
		delete(records, e.EntityID)
	} else {
		records[e.EntityID] = digest(e.After)
	}
}

// link returns the next link, nil after the last.
func (r *Replay) link(next func() (Link, error, bool)) (*Link, error) {
	link, err, more := next()
	if err != nil || !more {
		return nil, err
	}
	r.Links++
	if len(link.Hash) != sha256.Size {
		r.Found.Add("journal_links", int64(link.Through), "holds no hash")
		link.Hash = make([]byte, sha256.Size)
	}
	if _, is := r.noted[link.Through]; is && link.Through > 0 {
		r.noted[link.Through] = link.Hash
	}
	return &link, nil
}
