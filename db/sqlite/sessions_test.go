package sqlite

import (
	"context"
	"encoding/binary"
	"testing"
	"time"

	"daybook/internal/access"
	"daybook/internal/fault"
)

// TestATokenHasFewSessions: one session too many ends the oldest of the same token, also if all end
// together with their token.
func TestATokenHasFewSessions(t *testing.T) {
	for name, step := range map[string]time.Duration{"one after another": time.Second, "all end together": 0} {
		t.Run(name, func(t *testing.T) {
			s, _ := openTwice(t)
			var tokens [2]access.Token
			for i := range tokens {
				token, err := s.CreateToken(t.Context(), access.Token{Name: "feed", Scope: access.Write, Digest: access.Digest{1: byte(i)}, Created: today()})
				if err != nil {
					t.Fatal(err)
				}
				tokens[i] = token
			}
			other := access.Session{Digest: access.Digest{9}, Token: tokens[1].ID, Expires: today().Add(time.Hour)}
			if err := s.CreateSession(t.Context(), other, today()); err != nil {
				t.Fatal(err)
			}
			const many = 3 * access.MostSessions
			first := access.Session{}
			for i := range many {
				begun := access.Session{Token: tokens[0].ID, Expires: today().Add(2*time.Hour + time.Duration(i)*step)}
				binary.BigEndian.PutUint64(begun.Digest[:], uint64(many-i)) // not in the order in which they began
				if i == 0 {
					first = begun
				}
				if err := s.CreateSession(t.Context(), begun, today()); err != nil {
					t.Fatal(err)
				}
				if _, _, err := s.SessionByDigest(t.Context(), begun.Digest); err != nil {
					t.Fatalf("session %d, which just began: got %v", i, err)
				}
			}
			if _, _, err := s.SessionByDigest(t.Context(), first.Digest); err == nil && step > 0 {
				t.Error("the oldest session of the token goes on")
			}
			if _, _, err := s.SessionByDigest(t.Context(), other.Digest); err != nil {
				t.Errorf("the session of another token: got %v", err)
			}
			if got, want := countSessions(t, s), access.MostSessions+1; got != want {
				t.Errorf("got %d sessions, want %d", got, want)
			}
			end := today().Add(24 * time.Hour) // all have ended
			last := access.Session{Digest: access.Digest{10}, Token: tokens[1].ID, Expires: end.Add(time.Hour)}
			if err := s.CreateSession(t.Context(), last, end); err != nil {
				t.Fatal(err)
			}
			if got := countSessions(t, s); got != 1 {
				t.Errorf("got %d sessions when all others have ended, want 1", got)
			}
		})
	}
}

func countSessions(t *testing.T, s *Store) (n int) {
	t.Helper()
	if err := s.reading.QueryRowContext(t.Context(), "SELECT count(*) FROM sessions").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestEndingNoSessionDoesNotUseTheWriter: anyone may end a session, also without a token.
func TestEndingNoSessionDoesNotUseTheWriter(t *testing.T) {
	s := openStore(t)
	release := hold(t, s)
	defer release()
	ctx, end := context.WithTimeout(t.Context(), 10*time.Second) // behind the writer it would wait for ever
	defer end()
	if err := s.EndSession(ctx, access.Digest{1}); err != nil {
		t.Error(err)
	}
}

// The sign-ins of one token that wait are its own: another token signs in behind them.
func TestATokenKeepsNoOtherFromSigningIn(t *testing.T) {
	s := openStore(t)
	release := hold(t, s)
	signIn := func(of access.TokenID) func() (struct{}, error) {
		return queue(t, s, func() (struct{}, error) {
			return struct{}{}, s.CreateSession(t.Context(), access.Session{Token: of, Expires: today()}, today())
		})
	}
	var answers []func() (struct{}, error)
	for range mostOfOne {
		answers = append(answers, signIn(1))
	}
	if err := s.CreateSession(t.Context(), access.Session{Token: 1}, today()); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("one more: got %v, want Unavailable", err)
	}
	other := signIn(2)
	release()
	for _, answer := range append(answers, other) {
		if _, err := answer(); fault.KindOf(err) != fault.NotFound {
			t.Errorf("got %v, want an answer of the store, that there is no such token", err)
		}
	}
}
