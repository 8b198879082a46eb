package sqlite

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/db/sqlite/verify"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/trading"
)

// addUnderKeys adds currencies for a principal, each with its code as the key. It returns the outcome of
// the last.
func addUnderKeys(t *testing.T, s *Store, principal string, codes ...money.Currency) (outcome string) {
	t.Helper()
	ctx := journal.With(t.Context(), journal.Origin{Actor: "feed (token " + principal + ")"})
	for _, code := range codes {
		_, err := s.AddCurrency(claimedBy(ctx, principal, idempotency.Key(code), 1), trading.Currency{Code: code, Name: "x"})
		outcome = outcomeOf(err)
	}
	return outcome
}

// TestAFloodOfOnePrincipalForgetsNoKeyOfAnother: a principal with too many stored answers loses its own
// oldest ones. Other principals lose none, so a repeated request of theirs is still not done twice.
func TestAFloodOfOnePrincipalForgetsNoKeyOfAnother(t *testing.T) {
	s := openStore(t)
	addUnderKeys(t, s, "1", "AAA")
	addUnderKeys(t, s, "2", "BBB", "CCC", "DDD", "EEE", "FFF")
	sqlitetest.BehindItsBack(t, s.file.Path, fmt.Sprintf("UPDATE idempotency_keys SET running_bytes = running_bytes + %d WHERE key = 'FFF'", idempotency.KeptBytes))
	addUnderKeys(t, s, "1", "GGG")
	if got := keptKeys(t, s); len(got) != 7 {
		t.Errorf("after a write of another principal: got the keys %v, want all seven", got)
	}
	addUnderKeys(t, s, "2", "HHH", "III")
	if got := keptKeys(t, s); !slices.Equal(got, []string{"AAA", "FFF", "GGG", "HHH", "III"}) {
		t.Errorf("got the keys %v, want AAA and GGG of principal 1, and those within the limit of principal 2", got)
	}
	if got := addUnderKeys(t, s, "1", "AAA"); got != "answered x" {
		t.Errorf("a repeated request of principal 1: got %q, want its first answer", got)
	}
}

// TestAWriteOfAnyPrincipalForgetsWhatIsTooOld: a write with a key deletes the expired answers of all
// principals, also of those that no longer write.
func TestAWriteOfAnyPrincipalForgetsWhatIsTooOld(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "app.db"), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	addUnderKeys(t, s, "1", "AAA", "BBB")
	addUnderKeys(t, s, "2", "CCC")
	now = now.Add(idempotency.KeptFor)
	addUnderKeys(t, s, "3", "DDD")
	if got := keptKeys(t, s); !slices.Equal(got, []string{"DDD"}) {
		t.Errorf("got the keys %v, want only the new one", got)
	}
	if v, err := verify.Database(t.Context(), s.file.Path, nil); err != nil || len(v.Findings) != 0 {
		t.Errorf("got %v, %v, want no findings", v.Findings, err)
	}
}

// TestVerifyFindsAnswersThatCountOtherBytes: the counted bytes decide which answers are deleted, so
// verify compares them with the answers. As a control, the deletion of expired answers causes no
// finding, also if the clock was set back.
func TestVerifyFindsAnswersThatCountOtherBytes(t *testing.T) {
	began := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	now := began
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "app.db"), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	addUnderKeys(t, s, "1", "AAA")
	addUnderKeys(t, s, "2", "BBB")
	now = began.Add(-time.Hour)
	addUnderKeys(t, s, "1", "CCC", "DDD")
	now = began.Add(idempotency.KeptFor - time.Minute)
	addUnderKeys(t, s, "1", "EEE", "FFF")
	addUnderKeys(t, s, "2", "GGG", "HHH")
	if got := keptKeys(t, s); !slices.Equal(got, []string{"AAA", "BBB", "EEE", "FFF", "GGG", "HHH"}) {
		t.Fatalf("got the keys %v, want CCC and DDD deleted, which were stored while the clock was back", got)
	}
	if got := sqlitetest.Found(t, s.file.Path); len(got) > 0 {
		t.Fatalf("the control: got %q, want nothing", got)
	}
	const want = "idempotency_keys: the stored answer for %q does not count the bytes of the answers since the one for %q"
	for edit, want := range map[string]string{
		"running_bytes + 600000000 WHERE key = 'FFF'": fmt.Sprintf(want, "FFF", "EEE"),
		"running_bytes + 1 WHERE key = 'HHH'":         fmt.Sprintf(want, "HHH", "GGG"),
		"running_bytes - 1 WHERE key = 'FFF'":         fmt.Sprintf(want, "FFF", "EEE"),
		"running_bytes + 9000 WHERE key = 'GGG'":      fmt.Sprintf(want, "GGG", "HHH"),
		"1 WHERE principal = '2'":                     fmt.Sprintf(want, "GGG", "BBB"),
	} {
		path := filepath.Join(t.TempDir(), "b.db")
		if _, err := sqlitebackup.Backup(t.Context(), s.file.Path, path, "test", sqlitetest.Midday); err != nil {
			t.Fatal(err)
		}
		sqlitetest.BehindItsBack(t, path, "UPDATE idempotency_keys SET running_bytes = "+edit)
		if got := sqlitetest.Found(t, path); !slices.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", edit, got, want)
		}
	}
}

// TestAnswersAreForgottenAlongAnIndex: a write with a key finds the answers that it deletes along an
// index. It does not read the others, even if there are many.
func TestAnswersAreForgottenAlongAnIndex(t *testing.T) {
	s := openStore(t)
	for _, c := range []struct {
		query string
		args  []any
		want  string
	}{
		{gen.KeepAnswer, []any{"1", "k", []byte{}, 200, []byte{}, 1, 1, 1}, "idempotency_keys_by_bytes (principal=?)"},
		{gen.ForgetExpired, []any{1, 4}, "idempotency_keys_by_age (at<?)"},
		{gen.ForgetBeyond, []any{"1", 1, 4}, "idempotency_keys_by_bytes (principal=? AND running_bytes<?)"},
	} {
		plan := wholePlanOf(t, s, c.query, c.args...)
		if !slices.Contains(plan, "SEARCH k USING COVERING INDEX "+c.want) || slices.ContainsFunc(plan, func(step string) bool {
			return strings.HasPrefix(step, "SCAN") || strings.Contains(step, "TEMP B-TREE")
		}) {
			t.Errorf("got the plan %q, want a search of %s, and no scan or sort", plan, c.want)
		}
	}
}

// wholePlanOf returns the steps of the plan of a query, also those of its subqueries.
func wholePlanOf(t *testing.T, s *Store, query string, args ...any) (plan []string) {
	t.Helper()
	rows, err := s.reading.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return plan
}
