package storetest

import (
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"daybook/internal/access"
	"daybook/internal/fault"
	"daybook/internal/text"
)

func tokens() []clause {
	return []clause{
		{"tokens are returned as they were stored, and listed by id; two may have the same name", func(t *testing.T, s Store) {
			var want []access.Token
			for i, one := range []access.Token{
				{Name: "feed", Scope: access.Ingest, Created: noon},
				{Name: "feed", Scope: access.Read, Created: noon.Add(time.Microsecond), Expires: noon.Add(time.Hour + time.Microsecond)},
				{Name: text.Name(strings.Repeat("é", text.MaxName)), Scope: access.Write, Created: noon.AddDate(-100, 0, 0), Expires: noon.AddDate(200, 0, 0)},
				{Name: "operator", Scope: access.Admin, Created: noon, Expires: time.Unix(0, 0).UTC(), Revoked: noon, LastUsed: noon},
			} {
				one.Digest = access.Digest{byte(i)}
				got := must(s.CreateToken(t.Context(), one))(t)
				one.ID = got.ID
				same(t, "stored token", got, one)
				want = append(want, one)
			}
			same(t, "tokens", must(s.Tokens(t.Context()))(t), want)
			checkRising(t, want, func(one access.Token) int64 { return int64(one.ID) })
			for _, one := range want {
				same(t, "token by digest", must(s.TokenByDigest(t.Context(), one.Digest))(t), one)
			}
		}},
		{"an unknown digest finds no token", func(t *testing.T, s Store) {
			one := token(t, s, "feed")
			for _, d := range []access.Digest{{}, digest("another"), flipLastBit(one.Digest)} {
				refused(s.TokenByDigest(t.Context(), d))(t, fault.NotFound)
			}
		}},
		{"a token is revoked at the given time, and no other token changes", func(t *testing.T, s Store) {
			one, other := token(t, s, "feed"), token(t, s, "other")
			one.Revoked = noon.Add(time.Hour)
			same(t, "revoked token", must(s.RevokeToken(t.Context(), one.ID, one.Revoked))(t), one)
			same(t, "token by digest", must(s.TokenByDigest(t.Context(), one.Digest))(t), one)
			same(t, "tokens", must(s.Tokens(t.Context()))(t), []access.Token{one, other})
		}},
		{"a token that was revoked before is returned unchanged", func(t *testing.T, s Store) {
			one := token(t, s, "feed")
			one = must(s.RevokeToken(t.Context(), one.ID, noon.Add(time.Hour)))(t)
			for _, at := range []time.Time{noon, noon.Add(2 * time.Hour)} {
				same(t, "revoked token", must(s.RevokeToken(t.Context(), one.ID, at))(t), one)
			}
			same(t, "tokens", must(s.Tokens(t.Context()))(t), []access.Token{one})
		}},
		{"when many revoke one token at the same time, all get the same result", func(t *testing.T, s Store) {
			one := token(t, s, "feed")
			got := make([]access.Token, crowd)
			inCrowd(crowd, func(i int) {
				revoked, err := s.RevokeToken(t.Context(), one.ID, noon.Add(time.Duration(i)*time.Second))
				if err != nil {
					t.Errorf("%d: got error %v, want none", i, err)
				}
				got[i] = revoked
			})
			want := must(s.TokenByDigest(t.Context(), one.Digest))(t)
			for _, revoked := range got {
				same(t, "revoked token", revoked, want)
			}
		}},
		{"the last use is stored, an earlier one does not replace it, and nothing else changes", func(t *testing.T, s Store) {
			one, other := token(t, s, "feed"), token(t, s, "other")
			for _, use := range []struct{ at, want time.Time }{
				{noon.Add(time.Hour), noon.Add(time.Hour)},
				{noon.Add(2 * time.Hour), noon.Add(2 * time.Hour)},
				{noon, noon.Add(2 * time.Hour)},
			} {
				if err := s.TouchToken(t.Context(), one.ID, use.at); err != nil {
					t.Fatalf("got error %v, want none", err)
				}
				one.LastUsed = use.want
				same(t, "tokens", must(s.Tokens(t.Context()))(t), []access.Token{one, other})
			}
		}},
		{"an unknown id is refused", func(t *testing.T, s Store) {
			one := token(t, s, "feed")
			for _, id := range []access.TokenID{0, -1, one.ID + 1} {
				refused(s.RevokeToken(t.Context(), id, noon))(t, fault.NotFound)
				refused(0, s.TouchToken(t.Context(), id, noon))(t, fault.NotFound)
			}
			same(t, "tokens", must(s.Tokens(t.Context()))(t), []access.Token{one})
		}},
	}
}

// token stores a token that never expires. Its digest is that of its name.
func token(t *testing.T, s Store, name text.Name) access.Token {
	t.Helper()
	return must(s.CreateToken(t.Context(), access.Token{Name: name, Scope: access.Read, Digest: digest(string(name)), Created: noon}))(t)
}

func digest(of string) access.Digest { return sha256.Sum256([]byte(of)) }

// flipLastBit returns a digest that differs in the last bit only.
func flipLastBit(d access.Digest) access.Digest {
	d[len(d)-1] ^= 1
	return d
}
