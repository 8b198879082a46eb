package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"daybook/internal/fault"
	"daybook/internal/idempotency"
	"daybook/internal/money"
	"daybook/internal/text"
	"daybook/internal/trading"
)

// claimed is a context in which a request for a currency bears a key.
func claimed(ctx context.Context, key idempotency.Key, body byte) context.Context {
	return idempotency.With(ctx, &idempotency.Claim{
		Key:         key,
		Fingerprint: idempotency.Fingerprint{body},
		Render: func(record any) (idempotency.Answer, error) {
			c, is := record.(trading.Currency)
			if !is {
				return idempotency.Answer{}, errors.New("not a currency")
			}
			return idempotency.Answer{Status: 201, Body: []byte(c.Name)}, nil
		},
	})
}

// outcomeOf tells a replayed answer's body, or the kind of an error.
func outcomeOf(err error) string {
	if answered, is := errors.AsType[*idempotency.AnsweredError](err); is {
		return "answered " + string(answered.Answer.Body)
	}
	switch {
	case err == nil:
		return "done"
	case fault.KindOf(err) == fault.KeyReused:
		return "key reused"
	}
	return err.Error()
}

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
		{2 * time.Hour, "k", "CCC", 3, "done"}, // the key counts as unused
		{0, "k", "CCC", 3, "answered CCC"},
	} {
		now = now.Add(step.after)
		if got := ask(step.key, step.code, step.body); got != step.want {
			t.Errorf("%s with %s and body %d: got %q, want %q", now, step.key, step.body, got, step.want)
		}
	}
}

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
	var kept int
	if err := s.reading.QueryRowContext(t.Context(), "SELECT count(*) FROM idempotency_keys").Scan(&kept); err != nil {
		t.Fatal(err)
	}
	if kept != 2 {
		t.Errorf("got %d keys, want the two new ones", kept)
	}
}

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
		t.Errorf("mended, under the same key: got %q, want done", got)
	}
}

// Retries that overtake each other are done once, also within one transaction.
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
