package sqlite

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"daybook/internal/access"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
)

func today() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) }

// openTwice opens a new file as two processes would.
func openTwice(t *testing.T) (one, other *Store) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app.db")
	stores := make([]*Store, 2)
	for i := range stores {
		s, err := Open(t.Context(), path, today)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
		stores[i] = s
	}
	return stores[0], stores[1]
}

// TestLookingUpATokenWaitsForNoList: tokens and sessions are found although lists and reports use every
// connection of theirs, because these lookups have connections of their own. As a control, a list waits
// then.
func TestLookingUpATokenWaitsForNoList(t *testing.T) {
	s := openStore(t)
	token, err := s.CreateToken(t.Context(), access.Token{Name: "feed", Scope: access.Read, Digest: access.Digest{1}, Created: today()})
	if err != nil {
		t.Fatal(err)
	}
	session := access.Session{Digest: access.Digest{2}, Token: token.ID, Expires: today().Add(time.Hour)}
	if err := s.CreateSession(t.Context(), session, today()); err != nil {
		t.Fatal(err)
	}
	defer takeReaders(t, s)()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if got, err := s.TokenByDigest(ctx, token.Digest); err != nil || got.ID != token.ID {
		t.Errorf("got token %d, %v, want %d", got.ID, err, token.ID)
	}
	if _, got, err := s.SessionByDigest(ctx, session.Digest); err != nil || got.ID != token.ID {
		t.Errorf("got the session of token %d, %v, want %d", got.ID, err, token.ID)
	}
	short, end := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer end()
	if _, err := s.Tokens(short); err == nil {
		t.Error("the control: got a list while every connection for lists is taken, want it to wait")
	}
}

// TestTheJournalTellsOfTokens: the journal has one entry when a token is created and one when it is
// revoked. A use of the token, or a session, leaves no entry.
func TestTheJournalTellsOfTokens(t *testing.T) {
	s, _ := openTwice(t)
	ctx := journal.With(t.Context(), journal.Origin{Actor: "test", Request: "r1"})
	digest := access.Digest{0xab, 31: 0xcd}
	token, err := s.CreateToken(ctx, access.Token{Name: `the "feed"`, Scope: access.Ingest, Digest: digest, Created: today(), Expires: today().Add(time.Microsecond)})
	if err != nil {
		t.Fatal(err)
	}
	session := access.Session{Digest: access.Digest{2}, Token: token.ID, Expires: today().Add(time.Hour)}
	quiet := []error{
		s.TouchToken(ctx, token.ID, today()),
		s.CreateSession(ctx, session, today()),
		s.EndSession(ctx, session.Digest),
		s.CreateSession(ctx, session, today()),
	}
	for range 2 { // the second time changes nothing
		_, err := s.RevokeToken(ctx, token.ID, today().Add(time.Second))
		quiet = append(quiet, err)
	}
	for i, err := range quiet {
		if err != nil {
			t.Errorf("step %d: got error %v, want none", i, err)
		}
	}
	entries, err := s.JournalPage(t.Context(), journal.Filter{Entity: journal.Tokens, Limit: 100})
	if err != nil || len(entries) != 2 {
		t.Fatalf("got %v, %v, want two entries", entries, err)
	}
	const stem = `{"id":1,"name":"the \"feed\"","scope":"ingest",` +
		`"sha256":"ab000000000000000000000000000000000000000000000000000000000000cd",` +
		`"created_at":"2026-01-02T12:00:00Z","expires_at":"2026-01-02T12:00:00.000001Z","revoked_at":`
	created, revoked := stem+`null}`, stem+`"2026-01-02T12:00:01Z"}`
	for i, want := range []struct{ before, after string }{{"", created}, {created, revoked}} {
		e := entries[i]
		if string(e.Before) != want.before || string(e.After) != want.after {
			t.Errorf("entry %d: got %s to %s, want %s to %s", e.Seq, e.Before, e.After, want.before, want.after)
		}
		if e.Seq != journal.Seq(i+1) || e.EntityID != 1 || e.Actor != "test" || e.Request != "r1" {
			t.Errorf("entry %d: got record %d by %+v, want entry %d of 1 by test in r1", e.Seq, e.EntityID, e.Origin, i+1)
		}
	}
}

// TestARevokedTokenIsSoInEveryProcess: when one process revokes a token, another one sees that at its
// next read, and the sessions of the token have ended.
func TestARevokedTokenIsSoInEveryProcess(t *testing.T) {
	one, other := openTwice(t)
	token, err := one.CreateToken(t.Context(), access.Token{Name: "feed", Scope: access.Read, Digest: access.Digest{1}, Created: today()})
	if err != nil {
		t.Fatal(err)
	}
	session := access.Session{Digest: access.Digest{2}, Token: token.ID, Expires: today().Add(time.Hour)}
	if err := other.CreateSession(t.Context(), session, today()); err != nil {
		t.Fatal(err)
	}
	for range 20 { // so that every connection of the pool has read it
		if got, err := other.TokenByDigest(t.Context(), token.Digest); err != nil || got != token {
			t.Fatalf("got %+v, %v, want %+v", got, err, token)
		}
	}
	if token, err = one.RevokeToken(t.Context(), token.ID, today()); err != nil {
		t.Fatal(err)
	}
	if got, err := other.TokenByDigest(t.Context(), token.Digest); err != nil || got != token || got.Revoked.IsZero() {
		t.Errorf("got %+v, %v, want %+v", got, err, token)
	}
	if got, _, err := other.SessionByDigest(t.Context(), session.Digest); err == nil {
		t.Errorf("got the session %+v, want it ended", got)
	}
}

// TestAUseTakesNoIdempotencyKey: the Idempotency-Key of a request is not used up when the store records
// the use of the request's token, or begins or ends its session.
func TestAUseTakesNoIdempotencyKey(t *testing.T) {
	s, _ := openTwice(t)
	token, err := s.CreateToken(t.Context(), access.Token{Name: "feed", Scope: access.Write, Digest: access.Digest{1}, Created: today()})
	if err != nil {
		t.Fatal(err)
	}
	rendered := 0
	ctx := idempotency.With(t.Context(), idempotency.Claim[access.Token]{Request: idempotency.Request{Key: "k"}, Answer: func(access.Token) (idempotency.Answer, error) {
		rendered++
		return idempotency.Answer{Status: 201}, nil
	}})
	session := access.Session{Digest: access.Digest{2}, Token: token.ID, Expires: today().Add(time.Hour)}
	for range 2 {
		for i, err := range []error{
			s.TouchToken(ctx, token.ID, today()), s.CreateSession(ctx, session, today()), s.EndSession(ctx, session.Digest),
		} {
			if err != nil {
				t.Errorf("step %d: got error %v, want none", i, err)
			}
		}
	}
	if rendered != 0 {
		t.Errorf("got %d answers stored, want none", rendered)
	}
}
