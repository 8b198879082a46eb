// Package access says who may come in: tokens, what each reaches, and the sessions of
// browsers that signed in with one.
//
// It knows neither HTTP nor where tokens are kept, and never keeps a secret.
package access

import (
	"context"
	"sync"
	"time"

	"daybook/internal/fault"
	"daybook/internal/text"
)

// Keyring is the one door to tokens and sessions. Errors are the store's, as its
// comments say, unless said otherwise.
type Keyring struct {
	store Store
	now   func() time.Time

	mu       sync.Mutex
	touching map[TokenID]bool // whose use is being recorded
	touches  sync.WaitGroup
}

// NewKeyring returns a Keyring on a store.
func NewKeyring(store Store, now func() time.Time) *Keyring {
	return &Keyring{store: store, now: now, touching: map[TokenID]bool{}}
}

// Wait returns when every use so far is recorded.
func (k *Keyring) Wait() { k.touches.Wait() }

// Create makes a token that expires after a time, 0 for never. The secret is not
// stored, and cannot be had again.
func (k *Keyring) Create(ctx context.Context, name text.Name, scope Scope, lasts time.Duration) (Secret, Token, error) {
	secret, now := newSecret(tokenPrefix), k.moment()
	t := Token{Name: name, Scope: scope, Digest: secret.Digest(), Created: now}
	if lasts > 0 {
		t.Expires = now.Add(lasts).Truncate(time.Microsecond)
	}
	t, err := k.store.CreateToken(ctx, t)
	if err != nil {
		return "", Token{}, err
	}
	return secret, t, nil
}

// AnyGood reports whether any token would let its bearer in.
func (k *Keyring) AnyGood(ctx context.Context) (bool, error) {
	tokens, err := k.store.Tokens(ctx)
	for _, t := range tokens {
		if t.valid(k.now()) {
			return true, nil
		}
	}
	return false, err
}

// Revoke ends a token and its sessions at once.
func (k *Keyring) Revoke(ctx context.Context, id TokenID) (Token, error) {
	return k.store.RevokeToken(ctx, id, k.moment())
}

// Admit returns the token of a secret and records its use. Unauthorized: there is no
// such token, or it is expired or revoked; which of these, the bearer does not learn.
func (k *Keyring) Admit(ctx context.Context, s Secret) (Token, error) {
	t, err := k.store.TokenByDigest(ctx, s.Digest())
	return k.admit(ctx, t, err)
}

// SignIn exchanges a token's secret for a session's. Unauthorized: as for Admit.
func (k *Keyring) SignIn(ctx context.Context, s Secret) (Secret, Session, Token, error) {
	t, err := k.Admit(ctx, s)
	if err != nil {
		return "", Session{}, Token{}, err
	}
	secret, now := newSecret(sessionPrefix), k.moment()
	session := Session{Digest: secret.Digest(), Token: t.ID, Expires: now.Add(SessionLength)}
	if !t.Expires.IsZero() && t.Expires.Before(session.Expires) {
		session.Expires = t.Expires
	}
	if err := k.store.CreateSession(ctx, session, now); err != nil {
		return "", Session{}, Token{}, err
	}
	return secret, session, t, nil
}

// Resume returns the session of a secret, and its token. Unauthorized: it ended.
func (k *Keyring) Resume(ctx context.Context, s Secret) (Session, Token, error) {
	session, t, err := k.store.SessionByDigest(ctx, s.Digest())
	if err == nil && !k.now().Before(session.Expires) {
		err = refused()
	}
	t, err = k.admit(ctx, t, err)
	return session, t, err
}

// SignOut ends the session of a secret.
func (k *Keyring) SignOut(ctx context.Context, s Secret) error {
	return k.store.EndSession(ctx, s.Digest())
}

// admit lets a token in that is good now, and records its use unless that was done
// within a minute: a feed that posts line by line must not cost a write more a line.
func (k *Keyring) admit(ctx context.Context, t Token, err error) (Token, error) {
	now := k.moment()
	switch {
	case fault.KindOf(err) == fault.NotFound, err == nil && !t.valid(now):
		return Token{}, refused()
	case err != nil:
		return Token{}, err
	}
	if now.Sub(t.LastUsed) >= time.Minute {
		t.LastUsed = now
		k.touch(ctx, t.ID, now)
	}
	return t, nil
}

// touch records a use beside the request that it is of: reading does not wait for
// writing, and goes on where nothing can be written. What fails the next use says again.
func (k *Keyring) touch(ctx context.Context, id TokenID, at time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.touching[id] {
		return
	}
	k.touching[id] = true
	k.touches.Go(func() {
		_ = k.store.TouchToken(context.WithoutCancel(ctx), id, at)
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.touching, id)
	})
}

func refused() error {
	return fault.New(fault.Unauthorized, "the token is unknown, expired or revoked")
}

func (k *Keyring) moment() time.Time { return k.now().UTC().Truncate(time.Microsecond) }
