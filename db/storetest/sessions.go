package storetest

import (
	"testing"
	"time"

	"daybook/internal/access"
	"daybook/internal/fault"
)

func sessions() []clause {
	return []clause{
		{"a session is found by its digest, and comes with its token as it is now", func(t *testing.T, s Store) {
			one, other := token(t, s, "feed"), token(t, s, "other")
			begun := []access.Session{
				session(t, s, one, "a", noon.Add(time.Hour)),
				session(t, s, other, "b", noon.Add(time.Microsecond)),
				session(t, s, one, "c", noon.Add(2*time.Hour)),
			}
			if err := s.TouchToken(t.Context(), one.ID, noon); err != nil {
				t.Fatal(err)
			}
			one.LastUsed = noon
			for i, bearer := range []access.Token{one, other, one} {
				checkSession(t, s, begun[i], bearer)
			}
		}},
		{"an unknown digest finds no session, nor does the digest of a token", func(t *testing.T, s Store) {
			one := token(t, s, "feed")
			begun := session(t, s, one, "a", noon.Add(time.Hour))
			for _, d := range []access.Digest{{}, flipLastBit(begun.Digest), one.Digest} {
				checkNoSession(t, s, d)
			}
			refused(s.TokenByDigest(t.Context(), begun.Digest))(t, fault.NotFound)
		}},
		{"a session of an unknown token is refused, and removes no other session", func(t *testing.T, s Store) {
			one := token(t, s, "feed")
			ended := session(t, s, one, "a", noon.Add(time.Hour))
			stray := access.Session{Digest: digest("b"), Token: one.ID + 1, Expires: noon.Add(9 * time.Hour)}
			refused(0, s.CreateSession(t.Context(), stray, noon.Add(2*time.Hour)))(t, fault.NotFound)
			checkNoSession(t, s, stray.Digest)
			checkSession(t, s, ended, one)
		}},
		{"a new session removes those that ended before", func(t *testing.T, s Store) {
			one := token(t, s, "feed")
			ended := session(t, s, one, "ended", noon.Add(time.Hour-time.Microsecond))
			ending := session(t, s, one, "ending", noon.Add(time.Hour))
			lasting := session(t, s, one, "lasting", noon.Add(2*time.Hour))
			begun := access.Session{Digest: digest("begun"), Token: one.ID, Expires: noon.Add(13 * time.Hour)}
			if err := s.CreateSession(t.Context(), begun, noon.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
			checkNoSession(t, s, ended.Digest)
			for _, left := range []access.Session{ending, lasting, begun} {
				checkSession(t, s, left, one)
			}
		}},
		{"a session can be ended twice without an error", func(t *testing.T, s Store) {
			one := token(t, s, "feed")
			ended, left := session(t, s, one, "a", noon.Add(time.Hour)), session(t, s, one, "b", noon.Add(time.Hour))
			for range 2 {
				if err := s.EndSession(t.Context(), ended.Digest); err != nil {
					t.Errorf("got error %v, want none", err)
				}
			}
			if err := s.EndSession(t.Context(), digest("never begun")); err != nil {
				t.Errorf("a session that never began: got error %v, want none", err)
			}
			checkNoSession(t, s, ended.Digest)
			checkSession(t, s, left, one)
		}},
		{"revoking a token ends its sessions, and no others", func(t *testing.T, s Store) {
			one, other := token(t, s, "feed"), token(t, s, "other")
			a, b := session(t, s, one, "a", noon.Add(time.Hour)), session(t, s, one, "b", noon.Add(time.Hour))
			left := session(t, s, other, "c", noon.Add(time.Hour))
			must(s.RevokeToken(t.Context(), one.ID, noon))(t)
			checkNoSession(t, s, a.Digest)
			checkNoSession(t, s, b.Digest)
			checkSession(t, s, left, other)
		}},
		{"revoking a token again ends the sessions that began after the first time", func(t *testing.T, s Store) {
			one := token(t, s, "feed")
			one = must(s.RevokeToken(t.Context(), one.ID, noon))(t)
			late := session(t, s, one, "late", noon.Add(time.Hour))
			checkSession(t, s, late, one)
			must(s.RevokeToken(t.Context(), one.ID, noon))(t)
			checkNoSession(t, s, late.Digest)
		}},
		{"many can begin and end sessions at the same time", func(t *testing.T, s Store) {
			one := token(t, s, "feed")
			inCrowd(crowd*turns, func(i int) {
				own := access.Session{Digest: access.Digest{byte(i), byte(i >> 8)}, Token: one.ID, Expires: noon.Add(time.Hour)}
				err := s.CreateSession(t.Context(), own, noon)
				if err == nil {
					_, _, err = s.SessionByDigest(t.Context(), own.Digest)
				}
				if err == nil {
					err = s.EndSession(t.Context(), own.Digest)
				}
				if err != nil {
					t.Errorf("session %d: got error %v, want none", i, err)
				}
				if _, _, err := s.SessionByDigest(t.Context(), own.Digest); fault.KindOf(err) != fault.NotFound {
					t.Errorf("session %d after its end: got error %v, want kind NotFound", i, err)
				}
			})
		}},
	}
}

// session stores a session that begins at noon.
func session(t *testing.T, s Store, of access.Token, name string, expires time.Time) access.Session {
	t.Helper()
	begun := access.Session{Digest: digest(name), Token: of.ID, Expires: expires}
	if err := s.CreateSession(t.Context(), begun, noon); err != nil {
		t.Fatalf("got error %v (kind %q), want none", err, fault.KindOf(err))
	}
	return begun
}

// checkSession fails the test unless the store finds the session by its digest, with its token.
func checkSession(t *testing.T, s Store, want access.Session, bearer access.Token) {
	t.Helper()
	got, of, err := s.SessionByDigest(t.Context(), want.Digest)
	if err != nil {
		t.Errorf("got error %v, want the session", err)
	}
	same(t, "session", got, want)
	same(t, "token of the session", of, bearer)
}

// checkNoSession fails the test unless the store finds no session with the digest.
func checkNoSession(t *testing.T, s Store, d access.Digest) {
	t.Helper()
	_, _, err := s.SessionByDigest(t.Context(), d)
	refused(0, err)(t, fault.NotFound)
}
