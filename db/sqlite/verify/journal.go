package verify

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"hash/maphash"
	"math"
	"time"
	"unicode/utf8"

	"daybook/db/sqlite/chain"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/journal"
	"daybook/internal/text"
)

// A state is what the live tables hold, or the journal says they do: a digest of each
// record.
type state map[journal.Entity]map[int64]uint64

// seed makes digests that nobody can aim at; they live no longer than the process.
var seed = maphash.MakeSeed()

func digest(record []byte) uint64 { return maphash.Bytes(seed, record) }

func newState() state {
	s := state{}
	for _, entity := range journal.Entities() {
		s[entity] = map[int64]uint64{}
	}
	return s
}

// teller is what the journal tells.
type teller struct {
	Findings
	state   state
	highest map[journal.Entity]int64 // the id of a record that was ever told of
	entries int64
	latest  time.Time // of all entries
	chained int64     // links
	head    journal.Hash
	noted   map[int64][]byte // the hashes of the links that witnesses name, nil until the walk comes by
}

// read walks the journal: that its numbers have no gap, that each link is the hash of
// its entries, and that each entry continues what the one before it left.
func (t *teller) read(ctx context.Context, q *gen.Queries, step func(int64)) error {
	links := t.links(ctx, q)
	link, err := links()
	if err != nil {
		return err
	}
	var lines []byte
	first, last := journal.Seq(1), journal.Seq(0)
	rising := func(a, b *journal.Entry) int { return cmp.Compare(a.Seq, b.Seq) }
	entries := rows.Pages(rows.PageSize, rising, func(after *journal.Entry, most int64) ([]journal.Entry, error) {
		from := int64(math.MinInt64) // an entry that somebody slipped in may be below 1
		if after != nil {
			from = int64(after.Seq)
		}
		found, err := q.PageJournal(ctx, from, most)
		return rows.Map(found, chain.Entry), err
	})
	for e, err := range entries {
		if err != nil {
			return err
		}
		if e.Seq < 1 {
			t.Add("journal", 0, "an entry is numbered %d", e.Seq)
		} else if e.Seq != last+1 {
			t.Add("journal", int64(last+1), "is missing: the next entry is %d", e.Seq)
		}
		last = e.Seq
		for _, part := range []string{e.Actor, e.Request, string(e.Entity), string(e.Before), string(e.After)} {
			if !utf8.ValidString(part) { // the chain has U+FFFD in its place
				t.Add("journal", int64(e.Seq), "its text %q is not UTF-8", part)
			}
		}
		t.continues(e)
		lines = e.AppendTo(lines)
		for link != nil && link.Through <= int64(e.Seq) {
			t.head = t.head.Next(lines)
			if !bytes.Equal(t.head[:], link.Hash) {
				t.Add("journal", int64(first), "the entries %d to %d are not those that the chain was made of", first, e.Seq)
				t.head = journal.Hash(link.Hash) // so that one change is found once
			}
			lines, first = lines[:0], e.Seq+1
			if link, err = links(); err != nil {
				return err
			}
		}
		t.entries++
		if e.At.After(t.latest) {
			t.latest = e.At
		}
		step(1)
	}
	if first <= last || link != nil {
		t.Add("journal", int64(last), "the chain does not end with the last entry")
	}
	return nil
}

// links returns a function that gives the next link each time, nil after the last.
func (t *teller) links(ctx context.Context, q *gen.Queries) func() (*gen.JournalLink, error) {
	var page []gen.JournalLink
	after := int64(math.MinInt64)
	return func() (*gen.JournalLink, error) {
		if len(page) == 0 {
			var err error
			if page, err = q.ListLinks(ctx, after, rows.PageSize); err != nil || len(page) == 0 {
				return nil, err
			}
		}
		link := page[0]
		if link.Through <= after {
			return nil, sqlerr.ErrDisorder
		}
		page, after = page[1:], link.Through
		t.chained++
		if len(link.Hash) != sha256.Size {
			t.Add("journal_links", link.Through, "holds no hash")
			link.Hash = make([]byte, sha256.Size)
		}
		if _, is := t.noted[link.Through]; is && link.Through > 0 {
			t.noted[link.Through] = link.Hash
		}
		return &link, nil
	}
}

// continues folds an entry into the state, and checks that it begins where the record
// was left.
func (t *teller) continues(e journal.Entry) {
	records, known := t.state[e.Entity]
	if !known {
		t.Add("journal", int64(e.Seq), "is about %q, which there is not", e.Entity)
		return
	}
	for _, record := range [][]byte{e.Before, e.After} {
		if record != nil && !bytes.HasPrefix(record, []byte("{")) { // the chain has the same line for the text null and for none
			t.Add("journal", int64(e.Seq), "tells of a record that is no JSON object: %q", text.Shorten(string(record)))
		}
	}
	t.highest[e.Entity] = max(t.highest[e.Entity], e.EntityID)
	left, is := records[e.EntityID]
	if is != (e.Before != nil) || is && left != digest(e.Before) {
		t.Add("journal", int64(e.Seq), "does not continue what an earlier entry left of %s %d", e.Entity, e.EntityID)
	}
	if e.After == nil {
		delete(records, e.EntityID)
	} else {
		records[e.EntityID] = digest(e.After)
	}
}
