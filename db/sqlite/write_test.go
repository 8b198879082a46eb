package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/db/records"
	"daybook/db/sqlite/internal/sqlitetest"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// claimed returns the context of a request for a currency with a key.
func claimed(ctx context.Context, key idempotency.Key, body byte) context.Context {
	return claimedBy(ctx, idempotency.Local, key, body)
}

// claimedBy is claimed for a request of a principal.
func claimedBy(ctx context.Context, principal string, key idempotency.Key, body byte) context.Context {
	return idempotency.With(ctx, idempotency.Claim[trading.Currency]{
		Request: idempotency.Request{Principal: principal, Key: key, Fingerprint: idempotency.Fingerprint{body}},
		Answer: func(c trading.Currency) (idempotency.Answer, error) {
			return idempotency.Answer{Status: 201, Body: records.Currency(c)}, nil
		},
	})
}

// outcomeOf returns the outcome of a request in words: "done", the name in a stored answer, or the error.
func outcomeOf(err error) string {
	if answered, is := errors.AsType[*idempotency.AnsweredError](err); is {
		_, name, _ := strings.Cut(string(answered.Answer.Body), `"name":`)
		return "answered " + strings.Trim(name, `"}`)
	}
	switch {
	case err == nil:
		return "done"
	case fault.KindOf(err) == fault.KeyReused:
		return "key reused"
	}
	return err.Error()
}

// TestADamagedAnswerIsNotGivenAgain: a stored answer is returned only if it matches its write in the
// journal. Otherwise a client could get an impossible status or another body.
func TestADamagedAnswerIsNotGivenAgain(t *testing.T) {
	s := openStore(t)
	add := func() error {
		_, err := s.AddCurrency(claimed(t.Context(), "k", 1), trading.Currency{Code: "USD", Name: "US dollar"})
		return err
	}
	if err := add(); err != nil {
		t.Fatal(err)
	}
	sqlitetest.BehindItsBack(t, s.file.Path, "CREATE TABLE whole AS SELECT * FROM idempotency_keys")
	edits := []string{
		"body = x''", "body = CAST('US dollar' AS BLOB)", "body = CAST(body || '{}' AS BLOB)", "body = CAST('{}' AS BLOB)", "body = x'7b22ff227d'",
		"body = CAST(replace(body, 'dollar', 'cent') AS BLOB)", "fingerprint = x'01'", "seq = 2", "at = at + 1",
	}
	for _, status := range []int64{1000, 0, -1, 99, 500, math.MaxInt64} {
		edits = append(edits, fmt.Sprintf("status = %d", status))
	}
	for _, edit := range edits {
		sqlitetest.BehindItsBack(t, s.file.Path, "UPDATE idempotency_keys SET "+edit)
		if err := add(); fault.KindOf(err) != fault.Unavailable || err == nil || !strings.Contains(err.Error(), "is damaged") {
			t.Errorf("%s: got %v, want Unavailable because the answer is damaged", edit, err)
		}
		sqlitetest.BehindItsBack(t, s.file.Path, "REPLACE INTO idempotency_keys SELECT * FROM whole")
		if got := outcomeOf(add()); got != "answered US dollar" {
			t.Errorf("after %s is undone: got %s, want the stored answer", edit, got)
		}
	}
}

// TestAKeyIsKeptForSevenDaysAndThroughRestarts: an answer is stored for seven days, also if the server
// restarts.
func TestAKeyIsKeptForSevenDaysAndThroughRestarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.db")
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	// ask opens the store anew for each request, as after a crash.
	ask := func(key idempotency.Key, code money.Currency, body byte) string {
		t.Helper()
		s, err := Open(t.Context(), path, func() time.Time { return now })
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		_, err = s.AddCurrency(claimed(t.Context(), key, body), trading.Currency{Code: code, Name: text.Name(code)})
		return outcomeOf(err)
	}
	for _, step := range []struct {
		after time.Duration
		key   idempotency.Key
		code  money.Currency
		body  byte
		want  string
	}{
		{0, "k", "AAA", 1, "done"},
		{time.Hour, "k", "AAA", 1, "answered AAA"},
		{time.Hour, "k", "BBB", 2, "key reused"},
		{7*24*time.Hour - 3*time.Hour, "k", "AAA", 1, "answered AAA"},
		{2 * time.Hour, "k", "CCC", 3, "done"}, // the key has expired
		{0, "k", "CCC", 3, "answered CCC"},
	} {
		now = now.Add(step.after)
		if got := ask(step.key, step.code, step.body); got != step.want {
			t.Errorf("%s with %s and body %d: got %q, want %q", now, step.key, step.body, got, step.want)
		}
	}
}

// TestOldKeysAreForgotten: writes with a key delete the answers that have expired.
func TestOldKeysAreForgotten(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "app.db"), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for _, code := range []money.Currency{"AAA", "BBB", "CCC", "DDD", "EEE", "FFF"} {
		if _, err := s.AddCurrency(claimed(t.Context(), idempotency.Key(code), 1), trading.Currency{Code: code, Name: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(8 * 24 * time.Hour)
	for _, code := range []money.Currency{"GGG", "HHH"} {
		if _, err := s.AddCurrency(claimed(t.Context(), idempotency.Key(code), 1), trading.Currency{Code: code, Name: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	if got := keptKeys(t, s); !slices.Equal(got, []string{"GGG", "HHH"}) {
		t.Errorf("got the keys %v, want the two new ones", got)
	}
}

// keptKeys returns the keys whose answers are stored, the oldest first.
func keptKeys(t *testing.T, s *Store) (keys []string) {
	t.Helper()
	rows, err := s.reading.QueryContext(t.Context(), "SELECT key FROM idempotency_keys ORDER BY seq")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return keys
}

// TestKeysBeyondTheLimitAreForgotten: the answers of a principal take at most idempotency.KeptBytes
// together; its oldest are deleted first. The test does not store large answers, but changes their
// counted sizes.
func TestKeysBeyondTheLimitAreForgotten(t *testing.T) {
	s := openStore(t)
	add := func(codes ...money.Currency) {
		t.Helper()
		for _, code := range codes {
			if _, err := s.AddCurrency(claimed(t.Context(), idempotency.Key(code), 1), trading.Currency{Code: code, Name: "x"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	enlarge := func(code money.Currency, bytes int64) {
		t.Helper()
		sqlitetest.BehindItsBack(t, s.file.Path, fmt.Sprintf("UPDATE idempotency_keys SET running_bytes = running_bytes + %d WHERE key = '%s'", bytes, code))
	}
	add("AAA", "BBB", "CCC", "DDD", "EEE", "FFF")
	enlarge("FFF", idempotency.KeptBytes-3000)
	add("GGG")
	if got := keptKeys(t, s); len(got) != 7 {
		t.Errorf("below the limit: got %v, want all seven", got)
	}
	enlarge("GGG", 3000)
	add("HHH")
	if got := keptKeys(t, s); !slices.Equal(got, []string{"EEE", "FFF", "GGG", "HHH"}) {
		t.Errorf("above the limit: got %v, want a few of the oldest deleted", got)
	}
	add("III", "JJJ")
	if got := keptKeys(t, s); !slices.Equal(got, []string{"FFF", "GGG", "HHH", "III", "JJJ"}) {
		t.Errorf("after the next writes: got %v, want only the keys below the limit", got)
	}
}

// TestAKeyBelongsToItsPrincipal: the same key of two principals belongs to two requests.
func TestAKeyBelongsToItsPrincipal(t *testing.T) {
	s := openStore(t)
	for _, step := range []struct {
		principal string
		code      money.Currency
		body      byte
		want      string
	}{
		{"1", "AAA", 1, "done"},
		{"2", "BBB", 2, "done"},
		{idempotency.Local, "CCC", 1, "done"},
		{"1", "AAA", 1, "answered AAA"},
		{"2", "BBB", 2, "answered BBB"},
		{"2", "AAA", 1, "key reused"},
		{idempotency.Local, "CCC", 1, "answered CCC"},
	} {
		origin := journal.Origin{Actor: "local"}
		if step.principal != idempotency.Local {
			origin.Actor = "feed (token " + step.principal + ")"
		}
		ctx := claimedBy(journal.With(t.Context(), origin), step.principal, "k", step.body)
		_, err := s.AddCurrency(ctx, trading.Currency{Code: step.code, Name: text.Name(step.code)})
		if got := outcomeOf(err); got != step.want {
			t.Errorf("%s of %s: got %q, want %q", step.code, step.principal, got, step.want)
		}
	}
}

// TestAnAnswerKnowsItsJournalEntry: an answer is stored with the number of the journal entry of its own
// write, also if many writes share its transaction.
func TestAnAnswerKnowsItsJournalEntry(t *testing.T) {
	s := openStore(t)
	add := func(key string, shares ...trading.Shares) error {
		trades := make([]trading.Trade, len(shares))
		for i := range shares {
			trades[i] = trading.Trade{Instrument: acme, Shares: shares[i], Side: trading.Buy, Price: 1, Date: sqlitetest.Midday}
		}
		ctx := journal.With(t.Context(), journal.Origin{Request: key})
		if len(shares) != 2 {
			ctx = claimedIn(ctx, idempotency.Key(key))
		}
		_, err := s.AddTrades(ctx, trades)
		return err
	}
	var clients sync.WaitGroup
	for n := range 24 {
		clients.Go(func() {
			if n%6 == 5 {
				if err := add(fmt.Sprint("refused ", n), 1, math.MaxInt64, math.MaxInt64); err == nil {
					t.Error("got no error, want it refused")
				}
			} else if err := add(fmt.Sprint(n), slices.Repeat([]trading.Shares{1}, 1+n%3/2)...); err != nil {
				t.Error(err)
			}
		})
	}
	clients.Wait()
	rows, err := s.reading.QueryContext(t.Context(), `
		SELECT key, k.seq, j.seq FROM idempotency_keys k JOIN journal j ON request = key`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	kept := 0
	for rows.Next() {
		var key string
		var got, want int64
		if err := rows.Scan(&key, &got, &want); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s: got the entry %d, want %d", key, got, want)
		}
		kept++
	}
	if err := rows.Err(); err != nil || kept != 16 {
		t.Errorf("got %d answers, %v, want those of the 16 requests with a key", kept, err)
	}
}

// TestARefusedRequestKeepsNoAnswer: the answer to a refused request is not stored. So a corrected
// request can use the same key.
func TestARefusedRequestKeepsNoAnswer(t *testing.T) {
	s := openStore(t)
	add := func(code money.Currency) string {
		_, err := s.AddCurrency(claimed(t.Context(), "k", 1), trading.Currency{Code: code, Name: text.Name(code)})
		return outcomeOf(err)
	}
	if _, err := s.AddCurrency(t.Context(), trading.Currency{Code: "AAA", Name: "A"}); err != nil {
		t.Fatal(err)
	}
	if got, want := add("AAA"), "the currency AAA is registered already"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := add("BBB"); got != "done" {
		t.Errorf("corrected, with the same key: got %q, want done", got)
	}
}

// TestRetriesAtOnceAreDoneOnce: of concurrent requests with one key, one is done and all others get its
// answer.
func TestRetriesAtOnceAreDoneOnce(t *testing.T) {
	s := openStore(t)
	outcomes := make(chan string, 32)
	var clients sync.WaitGroup
	for range cap(outcomes) {
		clients.Go(func() {
			_, err := s.AddCurrency(claimed(t.Context(), "k", 1), trading.Currency{Code: "AAA", Name: "A"})
			outcomes <- outcomeOf(err)
		})
	}
	clients.Wait()
	close(outcomes)
	got := map[string]int{}
	for outcome := range outcomes {
		got[outcome]++
	}
	if got["done"] != 1 || got["answered A"] != cap(outcomes)-1 {
		t.Errorf("got %v, want it done once and answered %d times", got, cap(outcomes)-1)
	}
}
