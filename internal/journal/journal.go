// Package journal defines the entry that each change leaves: who changed which record when, and the
// record before and after. A chain of hashes makes a change of the journal itself visible.
//
// It must not know the records, nor where entries are kept.
package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"daybook/internal/text"
)

// Entity is the kind of a record, the name of the table that holds it; or the kind of an event.
type Entity string

// The entities.
const (
	Currencies  Entity = "currencies"
	Companies   Entity = "companies"
	Revenues    Entity = "revenues"
	Trades      Entity = "trades"
	Departments Entity = "departments"
	Accounts    Entity = "gl_accounts"
	BudgetLines Entity = "budget_lines"
	Actuals     Entity = "actuals"
	Tokens      Entity = "tokens"
	Batches     Entity = "batches"
	Maps        Entity = "maps"
	// Restores are events: from which backup the database went on. No table holds them.
	Restores Entity = "restores"
	// AbandonedHeads are what restores noted up to schema 13: the end of a journal that was given up.
	AbandonedHeads Entity = "abandoned_heads"
)

// Kept lists every kind of record that a table holds.
func Kept() []Entity {
	return []Entity{Currencies, Companies, Revenues, Trades, Departments, Accounts, BudgetLines, Actuals, Tokens, Batches, Maps}
}

// Entities lists every kind of record and of event that is journalled.
func Entities() []Entity { return append(Kept(), Restores, AbandonedHeads) }

// ParseEntity reads the name of an entity. The error continues the field's name.
func ParseEntity(raw string) (Entity, error) { return text.OneOf(raw, Entities()...) }

// Seq numbers the entries from 1 without a gap.
type Seq int64

// Entry is one change of one record. Before and After are the record as a JSON object: a creation has no
// Before, and a removal no After.
type Entry struct {
	Seq Seq
	At  time.Time // UTC, to the microsecond
	Origin
	Entity        Entity
	EntityID      int64
	Before, After []byte
	First         Seq   // the first entry of the same request; 0 if it is this one
	Batch         int64 // the batch that it is of, 0 for none
}

// Action is what an entry did to its record.
type Action string

// The actions.
const (
	Created Action = "created"
	Changed Action = "changed"
	Removed Action = "removed"
)

// Action follows from what the entry holds.
func (e Entry) Action() Action {
	switch {
	case e.Before == nil:
		return Created
	case e.After == nil:
		return Removed
	}
	return Changed
}

// AppendTo appends the entry as the chain hashes it: a line of JSON,
//
//	[seq,at,"actor","request","entity",entity_id,before,after]
//
// with at in microseconds since 1970, and null for an absent record. An entry that has a first entry, a reason or a
// batch has one more member, {"first":N,"reason":"…","batch":N}, with those that it has.
func (e Entry) AppendTo(b []byte) []byte {
	b = append(b, '[')
	b = strconv.AppendInt(b, int64(e.Seq), 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, e.At.UnixMicro(), 10)
	for _, s := range []string{e.Actor, e.Request, string(e.Entity)} {
		b = append(b, ',')
		b, _ = jsontext.AppendQuote(b, s) // fails only on invalid UTF-8, which no origin has
	}
	b = append(b, ',')
	b = strconv.AppendInt(b, e.EntityID, 10)
	for _, record := range [][]byte{e.Before, e.After} {
		b = append(b, ',')
		if record == nil {
			b = append(b, "null"...)
		}
		b = append(b, record...)
	}
	return append(e.appendNote(b), ']', '\n')
}

// appendNote appends what an entry says beside its change, nothing if it says nothing more: so the lines of
// entries that were written before there were notes never change.
func (e Entry) appendNote(b []byte) []byte {
	if e.First == 0 && e.Reason == "" && e.Batch == 0 {
		return b
	}
	separator := `,{`
	if e.First != 0 {
		b = append(append(b, separator...), `"first":`...)
		b, separator = strconv.AppendInt(b, int64(e.First), 10), `,`
	}
	if e.Reason != "" {
		b = append(append(b, separator...), `"reason":`...)
		b, _ = jsontext.AppendQuote(b, e.Reason) // fails only on invalid UTF-8, which no reason has
		separator = `,`
	}
	if e.Batch != 0 {
		b = append(append(b, separator...), `"batch":`...)
		b = strconv.AppendInt(b, e.Batch, 10)
	}
	return append(b, '}')
}

// Hash is a link of the chain. The zero Hash is before the first.
type Hash [sha256.Size]byte

// Link makes the link after a Hash of the entries of one commit as they come: it is the SHA-256 of the Hash in
// hexadecimal, a line feed, and the lines of the entries as AppendTo makes them.
type Link struct {
	sum  hash.Hash
	line []byte
}

// Link begins the link after h.
func (h Hash) Link() *Link {
	l := &Link{sum: sha256.New()}
	l.sum.Write(append(hex.AppendEncode(nil, h[:]), '\n'))
	return l
}

// Add adds the next entry.
func (l *Link) Add(e *Entry) {
	l.line = e.AppendTo(l.line[:0])
	l.sum.Write(l.line)
}

// Hash returns the link over the entries so far.
func (l *Link) Hash() Hash { return Hash(l.sum.Sum(nil)) }

// Next returns the link after h over the lines of one commit.
func (h Hash) Next(lines []byte) Hash {
	l := h.Link()
	l.sum.Write(lines)
	return l.Hash()
}

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash reads a hash in hexadecimal.
func ParseHash(raw string) (h Hash, err error) {
	sum, err := hex.DecodeString(raw)
	if err == nil && len(sum) != len(h) {
		err = fmt.Errorf("must have %d hexadecimal digits, got %d", hex.EncodedLen(len(h)), len(raw))
	}
	copy(h[:], sum)
	return h, err
}

// Head is a link of the chain, most often the newest, and the entry it goes up to. The
// zero Head is that of a journal without entries.
type Head struct {
	Seq  Seq
	Hash Hash
}

// String returns the head as ParseHead reads it: SEQ:HASH.
func (h Head) String() string { return strconv.FormatInt(int64(h.Seq), 10) + ":" + h.Hash.String() }

// ParseHead reads the number of an entry, a colon, and a hash in hexadecimal.
func ParseHead(raw string) (Head, error) {
	number, digits, _ := strings.Cut(raw, ":")
	seq, err := strconv.ParseUint(number, 10, 63)
	link, hexErr := ParseHash(digits)
	if err != nil || hexErr != nil {
		return Head{}, fmt.Errorf("must be the number of an entry, a colon and %d hexadecimal digits, got %q", hex.EncodedLen(len(link)), text.Shorten(raw))
	}
	return Head{Seq: Seq(seq), Hash: link}, nil
}

// Undone is a request that was taken back, and how often that removed a record, changed one, and put one back.
type Undone struct {
	Range
	Removed, Changed, PutBack int
}

// Filter narrows a page of the journal. A zero field does not narrow.
type Filter struct {
	Entity   Entity
	EntityID int64
	After    Seq // only entries above it
	Through  Seq // only entries up to it; 0 for all
	Limit    int
}

// Store keeps the journal, and writes each entry in the transaction of its change.
type Store interface {
	// JournalPage returns the entries that match, in their order. Unavailable.
	JournalPage(ctx context.Context, f Filter) ([]Entry, error)
	// JournalHead returns the newest link of the chain, even if another process wrote it. Unavailable.
	JournalHead(ctx context.Context) (Head, error)
	// JournalEntities returns the kinds of records in the entries above after, up to and with through,
	// each once. Unavailable.
	JournalEntities(ctx context.Context, after, through Seq) ([]Entity, error)
	// Undo takes back a whole request, the newest entry first: what was created is removed, what was changed gets
	// its fields from before, and what was removed comes back under its id. may says of each entry whether the
	// caller may write what it says. Invalid: the range is not that of one request, and says which is. NotUndoable:
	// records are no longer as the request left them, or others are in the way, and nothing was done. Unavailable,
	// OutcomeUnknown.
	Undo(ctx context.Context, of Range, may func(Entry) error) (Undone, error)
}
