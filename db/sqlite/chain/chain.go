// Package chain reads and writes the tables of the journal: its entries, and the chain of links over
// them.
//
// It knows no file and no other table. It neither begins nor ends a transaction.
package chain

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"iter"
	"time"

	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// CheckEnd recomputes the newest link from the entries that it covers, which it reads in pages. Unavailable: they
// do not match.
func CheckEnd(ctx context.Context, q *gen.Queries) error {
	links, err := q.ListNewestLinks(ctx, 2)
	if err != nil || len(links) == 0 {
		return err
	}
	var from int64
	var link journal.Hash
	if len(links) == 2 {
		from = links[1].Through
		copy(link[:], links[1].Hash)
	}
	sum := link.Link()
	for e, err := range Entries(ctx, q, from) {
		if err != nil {
			return err
		}
		if int64(e.Seq) > links[0].Through {
			break
		}
		sum.Add(&e)
	}
	if link = sum.Hash(); !bytes.Equal(link[:], links[0].Hash) {
		return fault.Wrap(fault.Unavailable, fmt.Errorf("link through entry %d", links[0].Through),
			"the end of the journal is damaged; run app verify to find where")
	}
	return nil
}

// Entries yields the entries of the journal after a number, in their order. It holds one page of them.
func Entries(ctx context.Context, q *gen.Queries, after int64) iter.Seq2[journal.Entry, error] {
	rising := func(a, b *journal.Entry) int { return cmp.Compare(a.Seq, b.Seq) }
	return rows.Pages(rows.PageSize, rising, func(last *journal.Entry, most int64) ([]journal.Entry, error) {
		if last != nil {
			after = int64(last.Seq)
		}
		found, err := q.PageJournal(ctx, after, most)
		return rows.Map(found, Entry), err
	})
}

// End returns the newest link of the journal, the zero Head if there is none.
func End(ctx context.Context, q *gen.Queries) (end journal.Head, err error) {
	links, err := q.ListNewestLinks(ctx, 1)
	if err != nil || len(links) == 0 {
		return end, err
	}
	copy(end.Hash[:], links[0].Hash)
	end.Seq = journal.Seq(links[0].Through)
	return end, nil
}

// Origin returns the first link of the journal in hexadecimal, "" if there is none.
func Origin(ctx context.Context, q *gen.Queries) (string, error) {
	links, err := q.ListLinks(ctx, 0, 1)
	if err != nil || len(links) == 0 {
		return "", err
	}
	return hex.EncodeToString(links[0].Hash), nil
}

// Holds reports whether the chain has a link. Every chain has the zero Head, the link before
// the first entry.
func Holds(ctx context.Context, q *gen.Queries, link journal.Head) (bool, error) {
	if link.Seq == 0 {
		return link.Hash == journal.Hash{}, nil
	}
	links, err := q.ListLinks(ctx, int64(link.Seq)-1, 1)
	return err == nil && len(links) == 1 && links[0].Through == int64(link.Seq) && bytes.Equal(links[0].Hash, link.Hash[:]), err
}

// Entry returns a row of the journal as an entry.
func Entry(r gen.Journal) journal.Entry {
	return journal.Entry{
		Seq:      journal.Seq(r.Seq),
		At:       time.UnixMicro(r.At).UTC(),
		Origin:   journal.Origin{Actor: r.Actor, Request: r.Request, Reason: rows.OrZero(r.Reason)},
		Entity:   journal.Entity(r.Entity),
		EntityID: r.EntityID,
		Before:   told(r.Before),
		After:    told(r.After),
		First:    journal.Seq(rows.OrZero(r.First)),
		Batch:    rows.OrZero(r.Batch),
	}
}

func told(record *string) []byte {
	if record == nil {
		return nil
	}
	return []byte(*record)
}

// Head returns the newest link of the chain from its row. Unavailable: the row has no valid hash.
func Head(link gen.JournalLink, err error) (head journal.Head, _ error) {
	switch {
	case sqlerr.IsNoRow(err):
		return head, nil
	case err != nil:
		return head, err
	case len(link.Hash) != len(head.Hash):
		return head, fault.Wrap(fault.Unavailable, fmt.Errorf("link through entry %d: %d bytes", link.Through, len(link.Hash)),
			"the end of the journal is damaged; run app verify to find where")
	}
	return journal.Head{Seq: journal.Seq(link.Through), Hash: journal.Hash(link.Hash)}, nil
}
