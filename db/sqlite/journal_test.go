package sqlite

import (
	"context"
	"slices"
	"testing"

	"daybook/db/sqlite/internal/gen"
	"daybook/internal/journal"
)

// block is how many entries share a block of the index journal_by_record.
const block = 4096

// TestTheEntriesOfARecordAreFoundInEveryBlock: a page has all entries of a record after a given one.
// They are found in the block of that entry, at the edges of blocks, and behind blocks without entries
// of the record.
func TestTheEntriesOfARecordAreFoundInEveryBlock(t *testing.T) {
	s := openStore(t)
	of := []journal.Seq{1, 2, block - 1, block, block + 1, 3*block - 1, 3 * block, 3*block + 1}
	err := s.writer.write(t.Context(), func(ctx context.Context, q *tx) error {
		for seq := journal.Seq(1); seq <= 3*block+100; seq++ {
			id := int64(7)
			if !slices.Contains(of, seq) {
				id = 8
			}
			if err := q.tell(ctx, journal.Actuals, id, nil, []byte("{}")); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for after := range journal.Seq(3*block + 3) {
		if after > 3 && after%block > 2 && after%block < block-2 {
			continue // no entry of the record is near
		}
		var want []journal.Seq
		for _, seq := range of {
			if seq > after && len(want) < 3 {
				want = append(want, seq)
			}
		}
		if got := seqsOf(t, s, journal.Filter{Entity: journal.Actuals, EntityID: 7, After: after, Limit: 3}); !slices.Equal(got, want) {
			t.Errorf("after %d: got %v, want %v", after, got, want)
		}
	}
	if got := seqsOf(t, s, journal.Filter{Entity: journal.Trades, EntityID: 7, Limit: 3}); len(got) > 0 {
		t.Errorf("of another entity: got %v, want none", got)
	}
}

// TestAPageOfAnEntityPassesOverTheEntriesOfOthers: if an entity has few entries among many of others, a
// page of them is read from block to block along the index, without the entries of others. As a control,
// another query has another plan.
func TestAPageOfAnEntityPassesOverTheEntriesOfOthers(t *testing.T) {
	s := openStore(t)
	of := []journal.Seq{2, block - 1, block, 5*block - 1, 5*block + 1, 5*block + 2}
	err := s.writer.write(t.Context(), func(ctx context.Context, q *tx) error {
		for seq := journal.Seq(1); seq <= 5*block+100; seq++ {
			entity := journal.Actuals
			if slices.Contains(of, seq) {
				entity = journal.Trades
			}
			if err := q.tell(ctx, entity, 1, nil, []byte("{}")); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, after := range []journal.Seq{0, 1, 2, block - 2, block - 1, block, block + 1, 5*block - 1, 5 * block, 5*block + 1, 5*block + 2, 9 * block} {
		for limit := 1; limit <= len(of)+1; limit++ {
			var want []journal.Seq
			for _, seq := range of {
				if seq > after && len(want) < limit {
					want = append(want, seq)
				}
			}
			if got := seqsOf(t, s, journal.Filter{Entity: journal.Trades, After: after, Limit: limit}); !slices.Equal(got, want) {
				t.Errorf("after %d, at most %d: got %v, want %v", after, limit, got, want)
			}
		}
	}
	if got := seqsOf(t, s, journal.Filter{Entity: journal.Actuals, After: 1, Limit: 5000}); len(got) != 5000 || got[0] != 3 || !slices.IsSorted(got) {
		t.Errorf("got %d entries from %d on, want 5,000 in order from 3 on", len(got), got[0])
	}
	want := []string{"SEARCH journal USING INDEX journal_by_record (<expr>=? AND entity=?)", "USE TEMP B-TREE FOR ORDER BY"}
	if got := planOf(t, s, query{text: gen.PageEntityJournal}); !slices.Equal(got, want) {
		t.Errorf("got the plan %q, want %q", got, want)
	}
	control := "SELECT * FROM journal WHERE seq > ?1 AND (?2 IS NULL OR entity = ?2) ORDER BY seq LIMIT ?3"
	if got := planOf(t, s, query{text: control}); slices.Equal(got, want) {
		t.Errorf("the control, a query that reads every entry: got the plan %q, want another", got)
	}
}

// TestTheHeadOfTheJournal: the head is the newest link of the chain, and JournalEntities returns the
// kinds of records that have entries in a range.
func TestTheHeadOfTheJournal(t *testing.T) {
	s := openStore(t)
	if head, err := s.JournalHead(t.Context()); err != nil || head != (journal.Head{}) {
		t.Errorf("of a new database: got %v, %v, want none", head, err)
	}
	var chain journal.Hash
	told := []journal.Entity{journal.Trades, journal.Actuals, journal.Trades, journal.Currencies}
	for i, of := range told {
		err := s.writer.write(t.Context(), func(ctx context.Context, q *tx) error { return q.tell(ctx, of, 1, nil, []byte("{}")) })
		if err != nil {
			t.Fatal(err)
		}
		entries, err := s.JournalPage(t.Context(), journal.Filter{After: journal.Seq(i), Limit: 2})
		if err != nil || len(entries) != 1 {
			t.Fatalf("got the entries %v, %v, want one", entries, err)
		}
		chain = chain.Next(entries[0].AppendTo(nil))
		want := journal.Head{Seq: journal.Seq(i + 1), Hash: chain}
		if head, err := s.JournalHead(t.Context()); err != nil || head != want {
			t.Errorf("after %d entries: got %v, %v, want %v", i+1, head, err, want)
		}
	}
	for _, c := range []struct {
		after, through journal.Seq
		want           []journal.Entity
	}{
		{0, 4, []journal.Entity{journal.Actuals, journal.Currencies, journal.Trades}},
		{1, 3, []journal.Entity{journal.Actuals, journal.Trades}},
		{3, 9, []journal.Entity{journal.Currencies}},
		{4, 4, nil},
	} {
		got, err := s.JournalEntities(t.Context(), c.after, c.through)
		slices.Sort(got)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("after %d through %d: got %v, %v, want %v", c.after, c.through, got, err, c.want)
		}
	}
}

func seqsOf(t *testing.T, s *Store, f journal.Filter) (seqs []journal.Seq) {
	t.Helper()
	entries, err := s.JournalPage(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		seqs = append(seqs, e.Seq)
	}
	return seqs
}
