package verify_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/verify"
	"daybook/internal/budget"
	"daybook/internal/journal"
)

// foundAgainst returns what verify finds in a file when it also compares the chain with links that were
// noted before.
func foundAgainst(t *testing.T, path string, notes ...journal.Head) []string {
	t.Helper()
	v, err := verify.Database(t.Context(), path, nil, rows.Map(notes, func(h journal.Head) records.Witness { return records.Witness{Head: h, Name: "the note"} })...)
	if err != nil {
		t.Fatal(err)
	}
	return rows.Map(v.Findings, records.Finding.String)
}

// TestVerifyFindsTheTextNullInTheJournal: verify finds the text null in the place of an absent record.
// The hash is the same for both, so the chain and a noted link do not show this edit.
func TestVerifyFindsTheTextNullInTheJournal(t *testing.T) {
	s := sqlitetest.NewSpecimen(t, sqlite.Open)
	path := sqlitetest.FileOf(t, s.Content)
	before := sqlitetest.LinksOf(t, path)
	sqlitetest.BehindItsBack(t, path, s.Quietly("journal_links", "INSERT INTO journal_links SELECT max(through) + 1, zeroblob(32) FROM journal_links")...)
	s.Rehashed(t, path, `UPDATE journal SET after = 'null' WHERE seq = (SELECT min(seq) FROM journal WHERE after IS NULL);
		INSERT INTO journal SELECT (SELECT max(seq) + 1 FROM journal), at, actor, request, entity, entity_id, 'null', NULL, NULL, NULL, NULL FROM journal WHERE after = 'null'`)
	for through, head := range sqlitetest.LinksOf(t, path) {
		if was, is := before[through]; is && was != head {
			t.Errorf("the control, the link through %d: got %s, want it unchanged", through, head)
		}
	}
	for _, find := range foundAgainst(t, path, slices.Collect(maps.Values(before))...) {
		if strings.HasSuffix(find, `has a record that is not a JSON object: "null"`) {
			return
		}
	}
	t.Error("got no finding of the text null in the place of a record, want one")
}

// TestVerifyAgainstANoteFindsAChainMadeAnew: somebody who changes an entry can compute the whole chain
// again, and the file then has no contradiction. Only a link that was noted outside of the file shows
// the edit.
func TestVerifyAgainstANoteFindsAChainMadeAnew(t *testing.T) {
	s := sqlitetest.NewSpecimen(t, sqlite.Open)
	path := sqlitetest.FileOf(t, s.Content)
	before := sqlitetest.LinksOf(t, path)
	s.Rehashed(t, path, "UPDATE journal SET actor = 'me' WHERE seq = 5")
	after := sqlitetest.LinksOf(t, path)
	if got := foundAgainst(t, path); len(got) > 0 {
		t.Errorf("the control, without a note: got %q, want nothing", got)
	}
	if got := foundAgainst(t, path, before[0], before[4], after[5], after[14]); len(got) > 0 {
		t.Errorf("with notes of links that are in the chain: got %q, want nothing", got)
	}
	for _, seq := range []journal.Seq{5, 14} {
		want := fmt.Sprintf("journal_links %d: is %s, but the note says %s: the link was noted of another journal", seq, after[seq].Hash, before[seq].Hash)
		if got := foundAgainst(t, path, before[4], before[seq]); !slices.Equal(got, []string{want}) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestVerifyAgainstANoteOfNoLink: if a note names a link that the chain does not have, the finding says
// why.
func TestVerifyAgainstANoteOfNoLink(t *testing.T) {
	path := sqlitetest.RecordOfEach(t, sqlite.Open)
	s, err := sqlite.Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	key := budget.Key{DepartmentID: 1, AccountID: 1, Year: 2026, Period: 2}
	var lines []budget.Line
	for _, version := range []budget.Version{budget.Original, budget.Forecast1, budget.Forecast2} {
		lines = append(lines, budget.Line{LineKey: budget.LineKey{Key: key, Version: version}, Currency: "USD"})
	}
	if _, err := s.CreateLines(t.Context(), lines); err != nil { // entries 18 to 20, one link
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	head := sqlitetest.LinksOf(t, path)[20]
	for _, c := range []struct {
		note journal.Head
		want string
	}{
		{journal.Head{Seq: 19, Hash: head.Hash}, "journal_links 19: the note names this link, but there is none: only the last entry of a commit has one"},
		{journal.Head{Seq: 19}, "journal_links 19: the note names this link, but there is none: only the last entry of a commit has one"},
		{journal.Head{Seq: 21, Hash: head.Hash}, "journal_links 21: the note names this link, but the journal ends at entry 20"},
		{journal.Head{Seq: 0, Hash: head.Hash}, "journal_links: is " + strings.Repeat("0", 64) + ", but the note says " + head.Hash.String() + ": the link was noted of another journal"},
	} {
		if got := foundAgainst(t, path, c.note); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: got %q, want %q", c.note, got, c.want)
		}
	}
	if got := foundAgainst(t, path, head); len(got) > 0 {
		t.Errorf("with a note of the newest link: got %q, want nothing", got)
	}
}
