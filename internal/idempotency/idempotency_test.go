package idempotency_test

import (
	"testing"

	"daybook/internal/idempotency"
)

// TestAClaimIsOnOneKindOfWrite: a write finds the claim on its own result. In a context that claims
// another kind of write it fails, so that it is not done without its key.
func TestAClaimIsOnOneKindOfWrite(t *testing.T) {
	if claim, err := idempotency.ClaimOf[int](t.Context()); claim != nil || err != nil {
		t.Errorf("without a key: got %v, %v, want neither", claim, err)
	}
	ctx := idempotency.With(t.Context(), idempotency.Claim[int]{
		Request: idempotency.Request{Key: "k"},
		Answer:  func(n int) (idempotency.Answer, error) { return idempotency.Answer{Status: n}, nil },
	})
	if claim, err := idempotency.ClaimOf[int](ctx); err != nil || claim.Key != "k" {
		t.Errorf("got %v, %v, want the claim", claim, err)
	}
	if claim, err := idempotency.ClaimOf[string](ctx); err == nil {
		t.Errorf("for a kind of write that was not claimed: got %v, want an error", claim)
	}
	if claim, err := idempotency.ClaimOf[[]int](ctx); err == nil {
		t.Errorf("for a write of many records: got %v, want an error", claim)
	}
}

// TestAClaimOnOneOfMany: a write of one record can be done as a write of many with one element. Its
// answer is that of the one record.
func TestAClaimOnOneOfMany(t *testing.T) {
	if got := idempotency.WithOne[int](t.Context()); got != t.Context() {
		t.Error("without a key: got another context, want the same")
	}
	ctx := idempotency.WithOne[int](idempotency.With(t.Context(), idempotency.Claim[int]{
		Answer: func(n int) (idempotency.Answer, error) { return idempotency.Answer{Status: n}, nil },
	}))
	claim, err := idempotency.ClaimOf[[]int](ctx)
	if err != nil || claim == nil {
		t.Fatalf("got %v, %v, want a claim", claim, err)
	}
	if answer, err := claim.Answer([]int{7}); err != nil || answer.Status != 7 {
		t.Errorf("got %v, %v, want the answer for the one record", answer, err)
	}
	for _, many := range [][]int{nil, {1, 2}} {
		if answer, err := claim.Answer(many); err == nil {
			t.Errorf("%d records: got %v, want an error", len(many), answer)
		}
	}
}

func TestParseKey(t *testing.T) {
	for raw, want := range map[string]idempotency.Key{"k": "k", ` "a b" `: "a b", `"`: `"`} {
		if got, err := idempotency.ParseKey(raw); err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", raw, got, err, want)
		}
	}
	for _, raw := range []string{"", `""`, "a\tb", "é", string(make([]byte, 256))} {
		if got, err := idempotency.ParseKey(raw); err == nil {
			t.Errorf("%q: got %q, want an error", raw, got)
		}
	}
}
