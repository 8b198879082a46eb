package sqlite

import (
	"context"
	"encoding/binary"
	"testing"
	"time"

	"daybook/internal/access"
	"daybook/internal/fault"
)

// TestATokenHasFewSessions: a session beyond the limit ends the oldest one of the same token, also if
// all its sessions end at the same time. The sessions of other tokens stay.
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
					t.Fatalf("session %d, which just began: got %v, want it found", i, err)
				}
			}
			if _, _, err := s.SessionByDigest(t.Context(), first.Digest); err == nil && step > 0 {
				t.Error("the oldest session of the token: got it found, want it ended")
			}
			if _, _, err := s.SessionByDigest(t.Context(), other.Digest); err != nil {
				t.Errorf("the session of another token: got %v, want it found", err)
			}
			if got, want := countSessions(t, s), access.MostSessions+1; got != want {
				t.Errorf("got %d sessions, want %d", got, want)
			}
			end := today().Add(24 * time.Hour) // when all sessions have ended
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

// TestEndingNoSessionDoesNotUseTheWriter: a request to end a session that does not exist does not wait
// for the writer. Anyone can send such requests without a token, so they must not delay writes.
func TestEndingNoSessionDoesNotUseTheWriter(t *testing.T) {
	s := openStore(t)
	release := hold(t, s)
	defer release()
	ctx, end := context.WithTimeout(t.Context(), 10*time.Second) // it would wait without end for the writer, which is held
	defer end()
	if err := s.EndSession(ctx, access.Digest{1}); err != nil {
		t.Error(err)
	}
}

// TestATokenKeepsNoOtherFromSigningIn: if as many sign-ins of one token wait as are allowed, one more is
// refused, but another token can still sign in.
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
			t.Errorf("got %v, want NotFound, because the token does not exist", err)
		}
	}
}
