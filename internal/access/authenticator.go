// Package access decides who may use Daybook: tokens, the scope of each, and the sessions
// of browsers that signed in with a token.
//
// It must not know HTTP, nor where tokens are stored. It never stores a secret.
package access

import (
	"context"
	"sync"
	"time"

	"daybook/internal/fault"
	"daybook/internal/text"
)

// Authenticator creates, checks and revokes tokens and sessions. Its errors are those of
// the store, unless a method says more.
type Authenticator struct {
	store Store
	now   func() time.Time

	mu       sync.Mutex
	touching map[TokenID]bool // tokens whose use is being recorded
	touches  sync.WaitGroup
}

// NewAuthenticator returns an Authenticator on a store.
func NewAuthenticator(store Store, now func() time.Time) *Authenticator {
	return &Authenticator{store: store, now: now, touching: map[TokenID]bool{}}
}

// Wait returns when every use so far is recorded.
func (a *Authenticator) Wait() { a.touches.Wait() }

// Create makes a token that expires after a time, or never if the time is 0. The secret is
// not stored and cannot be shown again.
func (a *Authenticator) Create(ctx context.Context, name text.Name, scope Scope, lasts time.Duration) (Secret, Token, error) {
	secret, now := newSecret(tokenPrefix), a.moment()
	t := Token{Name: name, Scope: scope, Digest: secret.Digest(), Created: now}
	if lasts > 0 {
		t.Expires = now.Add(lasts).Truncate(time.Microsecond)
	}
	t, err := a.store.CreateToken(ctx, t)
	if err != nil {
		return "", Token{}, err
	}
	return secret, t, nil
}

// AnyValid reports whether any token is valid now.
func (a *Authenticator) AnyValid(ctx context.Context) (bool, error) {
	tokens, err := a.store.Tokens(ctx)
	for _, t := range tokens {
		if t.valid(a.now()) {
			return true, nil
		}
	}
	return false, err
}

// Revoke ends a token and its sessions at once.
func (a *Authenticator) Revoke(ctx context.Context, id TokenID) (Token, error) {
	return a.store.RevokeToken(ctx, id, a.moment())
}

// Authenticate returns the token of a secret and records its use. Unauthorized: the token is
// unknown, expired or revoked; the error does not say which.
func (a *Authenticator) Authenticate(ctx context.Context, s Secret) (Token, error) {
	t, err := a.store.TokenByDigest(ctx, s.Digest())
	return a.authenticate(ctx, t, err)
}

// SignIn starts a session with a token's secret and returns the session's secret.
// Unauthorized: as for Authenticate.
func (a *Authenticator) SignIn(ctx context.Context, s Secret) (Secret, Session, Token, error) {
	t, err := a.Authenticate(ctx, s)
	if err != nil {
		return "", Session{}, Token{}, err
	}
	secret, now := newSecret(sessionPrefix), a.moment()
	session := Session{Digest: secret.Digest(), Token: t.ID, Expires: now.Add(SessionLength)}
	if !t.Expires.IsZero() && t.Expires.Before(session.Expires) {
		session.Expires = t.Expires
	}
	if err := a.store.CreateSession(ctx, session, now); err != nil {
		return "", Session{}, Token{}, err
	}
	return secret, session, t, nil
}

// Resume returns the session of a secret, and its token. Unauthorized: the session ended.
func (a *Authenticator) Resume(ctx context.Context, s Secret) (Session, Token, error) {
	session, t, err := a.store.SessionByDigest(ctx, s.Digest())
	if err == nil && !a.now().Before(session.Expires) {
		err = unauthorized()
	}
	t, err = a.authenticate(ctx, t, err)
	return session, t, err
}

// SignOut ends the session of a secret.
func (a *Authenticator) SignOut(ctx context.Context, s Secret) error {
	return a.store.EndSession(ctx, s.Digest())
}

// authenticate returns a token that is valid now. It records the token's use at most once a
// minute, so that a feed which sends one line a request does not double its writes.
func (a *Authenticator) authenticate(ctx context.Context, t Token, err error) (Token, error) {
	now := a.moment()
	switch {
	case fault.KindOf(err) == fault.NotFound, err == nil && !t.valid(now):
		return Token{}, unauthorized()
	case err != nil:
		return Token{}, err
	}
	if now.Sub(t.LastUsed) >= time.Minute {
		t.LastUsed = now
		a.touch(ctx, t.ID, now)
	}
	return t, nil
}

// touch records a use while its request goes on: a read does not wait for a write, and works
// where nothing can be written. If it fails, the next use is recorded instead.
func (a *Authenticator) touch(ctx context.Context, id TokenID, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.touching[id] {
		return
	}
	a.touching[id] = true
	a.touches.Go(func() {
		_ = a.store.TouchToken(context.WithoutCancel(ctx), id, at)
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.touching, id)
	})
}

func unauthorized() error {
	return fault.New(fault.Unauthorized, "the token is unknown, expired or revoked")
}

func (a *Authenticator) moment() time.Time { return a.now().UTC().Truncate(time.Microsecond) }
