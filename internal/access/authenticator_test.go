package access_test

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/db/sqlite"
	"daybook/internal/access"
	"daybook/internal/fault"
	"daybook/internal/text"
)

// clock is a clock that tests set.
type clock struct {
	mu   sync.Mutex
	time time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.time
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.time = t
}

func (c *clock) pass(d time.Duration)      { c.set(c.now().Add(d)) }
func (c *clock) moment() time.Time         { return c.now().UTC().Truncate(time.Microsecond) }
func (c *clock) in(d time.Duration) string { return c.moment().Add(d).Format(time.RFC3339Nano) }

func authenticator(t *testing.T) (*access.Authenticator, *clock) {
	t.Helper()
	store, clock := open(t)
	return access.NewAuthenticator(store, clock.now), clock
}

// open opens a new store. The time of its clock has nanoseconds and a time zone, which are not stored.
func open(t *testing.T) (*sqlite.Store, *clock) {
	t.Helper()
	c := &clock{time: time.Date(2026, 3, 1, 12, 0, 0, 123_456_789, time.FixedZone("", 3600))}
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "app.db"), c.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return store, c
}

func create(t *testing.T, k *access.Authenticator, scope access.Scope, lasts time.Duration) (access.Secret, access.Token) {
	t.Helper()
	secret, token, err := k.Create(t.Context(), text.Name("feed"), scope, lasts)
	if err != nil {
		t.Fatal(err)
	}
	return secret, token
}

// admitted reports whether the secret of a token is accepted. If not, the error must be the same for
// every refused secret.
func admitted(t *testing.T, k *access.Authenticator, s access.Secret) bool {
	t.Helper()
	token, err := k.Authenticate(t.Context(), s)
	return accepted(t, token, err)
}

func resumed(t *testing.T, k *access.Authenticator, s access.Secret) bool {
	t.Helper()
	_, token, err := k.Resume(t.Context(), s)
	return accepted(t, token, err)
}

func accepted(t *testing.T, token access.Token, err error) bool {
	t.Helper()
	if err == nil {
		return true
	}
	if fault.KindOf(err) != fault.Unauthorized || err.Error() != "the token is unknown, expired or revoked" || token != (access.Token{}) {
		t.Errorf("got %+v and %v (kind %q), want no token, and the error that is the same for all", token, err, fault.KindOf(err))
	}
	return false
}

// TestATokenIsKeptAsItWasMade: a token is stored with the fields that it was made with.
func TestATokenIsKeptAsItWasMade(t *testing.T) {
	store, clock := open(t)
	k := access.NewAuthenticator(store, clock.now)
	secret, made := create(t, k, access.Ingest, 90*time.Minute)
	want := access.Token{
		ID: 1, Name: "feed", Scope: access.Ingest, Digest: secret.Digest(),
		Created: clock.moment(), Expires: clock.moment().Add(90 * time.Minute),
	}
	if made != want {
		t.Errorf("got %+v, want %+v", made, want)
	}
	if got, err := store.Tokens(t.Context()); err != nil || !slices.Equal(got, []access.Token{want}) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if got := made.Actor(); got != "feed (token 1)" {
		t.Errorf("got actor %q, want feed (token 1)", got)
	}
	if _, forGood := create(t, k, access.Read, 0); !forGood.Expires.IsZero() {
		t.Errorf("got a token that expires at %s, want never", forGood.Expires)
	}
}

// TestATokenIsGoodUntilItExpires: a token is accepted until the instant at which it expires. A token
// without an expiry is always accepted.
func TestATokenIsGoodUntilItExpires(t *testing.T) {
	k, clock := authenticator(t)
	secret, token := create(t, k, access.Read, time.Hour)
	forGood, _ := create(t, k, access.Read, 0)
	for _, step := range []struct {
		at   time.Time
		want bool
	}{
		{token.Created, true},
		{token.Expires.Add(-time.Microsecond), true},
		{token.Expires, false},
		{token.Expires.AddDate(50, 0, 0), false},
	} {
		clock.set(step.at)
		if got := admitted(t, k, secret); got != step.want {
			t.Errorf("at %s: got accepted %t, want %t", step.at, got, step.want)
		}
		if !admitted(t, k, forGood) {
			t.Errorf("at %s: got a token that does not expire refused, want it accepted", step.at)
		}
	}
}

// TestStates: a token is good, then expired. A revoked token is revoked, even if it has expired.
func TestStates(t *testing.T) {
	k, clock := authenticator(t)
	_, token := create(t, k, access.Read, time.Hour)
	state := func(want access.State) {
		t.Helper()
		if got := token.State(clock.now()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	state(access.Good)
	clock.pass(time.Hour)
	state(access.Expired)
	var err error
	if token, err = k.Revoke(t.Context(), token.ID); err != nil {
		t.Fatal(err)
	}
	state(access.Revoked)
}

// TestRevokingEndsATokenAndItsSessionsAtOnce: a revoked token and its sessions are refused at once.
// Other tokens are not.
func TestRevokingEndsATokenAndItsSessionsAtOnce(t *testing.T) {
	store, clock := open(t)
	k := access.NewAuthenticator(store, clock.now)
	secret, token := create(t, k, access.Write, 0)
	other, _ := create(t, k, access.Write, 0)
	session, begun, _, err := k.SignIn(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	kept, _, _, err := k.SignIn(t.Context(), other)
	if err != nil || !resumed(t, k, session) {
		t.Fatalf("got %v and no session, want one", err)
	}
	revoked, err := k.Revoke(t.Context(), token.ID)
	if err != nil || !revoked.Revoked.Equal(clock.moment()) {
		t.Errorf("got %+v, %v, want it revoked now", revoked, err)
	}
	if admitted(t, k, secret) || resumed(t, k, session) {
		t.Error("got a revoked token or its session accepted, want both refused")
	}
	if _, _, _, err := k.SignIn(t.Context(), secret); accepted(t, access.Token{}, err) {
		t.Error("got a session for a revoked token, want none")
	}
	if !admitted(t, k, other) || !resumed(t, k, kept) {
		t.Error("got another token or its session refused, want both accepted")
	}
	// A sign-in that began just before the revocation may store its session just after it.
	if err := store.CreateSession(t.Context(), begun, clock.moment()); err != nil {
		t.Fatal(err)
	}
	if resumed(t, k, session) {
		t.Error("got a late session of a revoked token accepted, want it refused")
	}
	clock.pass(time.Hour)
	if again, err := k.Revoke(t.Context(), token.ID); err != nil || again != revoked {
		t.Errorf("revoked again: got %+v, %v, want %+v", again, err, revoked)
	}
	if _, err := k.Revoke(t.Context(), 99); fault.KindOf(err) != fault.NotFound {
		t.Errorf("got %v, want that there is no token 99", err)
	}
}

// TestWhoIsRefusedDoesNotLearnWhy: unknown, expired and revoked secrets get the same error.
func TestWhoIsRefusedDoesNotLearnWhy(t *testing.T) {
	k, clock := authenticator(t)
	expired, _ := create(t, k, access.Read, time.Minute)
	revoked, token := create(t, k, access.Read, 0)
	good, _ := create(t, k, access.Read, 0)
	if _, err := k.Revoke(t.Context(), token.ID); err != nil {
		t.Fatal(err)
	}
	session, _, _, err := k.SignIn(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	clock.pass(time.Hour)
	for what, secret := range map[string]access.Secret{
		"unknown": "daybook_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "expired": expired, "revoked": revoked, "a session": session,
	} {
		if admitted(t, k, secret) {
			t.Errorf("%s: got it accepted, want it refused", what)
		}
		if _, _, _, err := k.SignIn(t.Context(), secret); accepted(t, access.Token{}, err) {
			t.Errorf("%s: got signed in, want it refused", what)
		}
	}
	for what, secret := range map[string]access.Secret{"unknown": "daybook_session_x", "a token": good} {
		if resumed(t, k, secret) {
			t.Errorf("%s as a session: got it accepted, want it refused", what)
		}
	}
}

// TestOpenIsWhetherAnyoneCanComeIn: AnyValid reports whether there is a token that is neither expired
// nor revoked.
func TestOpenIsWhetherAnyoneCanComeIn(t *testing.T) {
	k, clock := authenticator(t)
	open := func(want bool) {
		t.Helper()
		if got, err := k.AnyValid(t.Context()); err != nil || got != want {
			t.Errorf("got %t, %v, want %t", got, err, want)
		}
	}
	open(false)
	create(t, k, access.Read, time.Minute)
	open(true)
	clock.pass(time.Minute)
	open(false)
	_, token := create(t, k, access.Read, 0)
	open(true)
	if _, err := k.Revoke(t.Context(), token.ID); err != nil {
		t.Fatal(err)
	}
	open(false)
}

// uses is a store that counts the recorded uses of tokens. If err is set, recording fails with it.
type uses struct {
	access.Store
	n    int
	err  error
	held chan struct{} // if not nil, recording waits until it is closed
}

func (u *uses) TouchToken(ctx context.Context, id access.TokenID, at time.Time) error {
	u.n++
	if u.held != nil {
		<-u.held
	}
	if u.err != nil {
		return u.err
	}
	return u.Store.TouchToken(ctx, id, at)
}

func TestTheLastUseIsRecordedAtMostOnceAMinute(t *testing.T) {
	store, clock := open(t)
	counted := &uses{Store: store}
	k := access.NewAuthenticator(counted, clock.now)
	secret, _ := create(t, k, access.Read, 0)
	session := access.Secret("")
	for _, step := range []struct {
		after time.Duration
		uses  int
		last  time.Duration // before now
	}{
		{0, 1, 0},
		{time.Second, 1, time.Second},
		{59*time.Second - time.Microsecond, 1, time.Minute - time.Microsecond},
		{time.Microsecond, 2, 0},
		{time.Hour, 3, 0},
		{30 * time.Second, 3, 30 * time.Second},
	} {
		clock.pass(step.after)
		for range 3 {
			got, err := k.Authenticate(t.Context(), secret)
			k.Wait()
			if want := clock.in(-step.last); err != nil || got.LastUsed.Format(time.RFC3339Nano) != want {
				t.Errorf("got last use %s, %v, want %s", got.LastUsed, err, want)
			}
			if session == "" {
				if session, _, _, err = k.SignIn(t.Context(), secret); err != nil {
					t.Fatal(err)
				}
			}
			if !resumed(t, k, session) {
				t.Error("got a session refused, want it accepted")
			}
			k.Wait()
		}
		if tokens, err := store.Tokens(t.Context()); err != nil || tokens[0].LastUsed.Format(time.RFC3339Nano) != clock.in(-step.last) {
			t.Errorf("got %v, %v, want the last use at %s", tokens, err, clock.in(-step.last))
		}
		if counted.n != step.uses {
			t.Errorf("%s later: got %d uses recorded, want %d", step.after, counted.n, step.uses)
		}
	}
}

// TestASessionIsAUseOfItsToken: the use of a session is recorded as a use of its token.
func TestASessionIsAUseOfItsToken(t *testing.T) {
	k, clock := authenticator(t)
	secret, _ := create(t, k, access.Read, 0)
	session, _, _, err := k.SignIn(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	clock.pass(time.Hour)
	_, token, err := k.Resume(t.Context(), session)
	if err != nil || !token.LastUsed.Equal(clock.moment()) {
		t.Errorf("got last use %s, %v, want now", token.LastUsed, err)
	}
}

// TestADiskThatFailsStillLetsReadersIn: a token is accepted even if the disk fails or is slow, so that
// its use cannot be recorded.
func TestADiskThatFailsStillLetsReadersIn(t *testing.T) {
	store, clock := open(t)
	failing := &uses{Store: store}
	k := access.NewAuthenticator(failing, clock.now)
	secret, _ := create(t, k, access.Read, 0)
	session, _, _, err := k.SignIn(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	letIn := func() {
		t.Helper()
		if _, err := k.Authenticate(t.Context(), secret); err != nil {
			t.Errorf("got %v, want the token accepted", err)
		}
		if _, _, err := k.Resume(t.Context(), session); err != nil {
			t.Errorf("got %v, want the session accepted", err)
		}
	}
	for _, err := range []error{
		fault.New(fault.Unavailable, "the disk is full; nothing was stored"),
		fault.New(fault.OutcomeUnknown, "the disk failed while storing"),
	} {
		k.Wait()
		clock.pass(time.Hour)
		failing.err = err
		letIn()
	}
	k.Wait()
	clock.pass(time.Hour)
	failing.err, failing.held = nil, make(chan struct{})
	before := failing.n
	letIn()
	letIn()
	close(failing.held)
	k.Wait()
	if got := failing.n - before; got != 1 {
		t.Errorf("got %d uses recorded while recording the first took long, want 1", got)
	}
}

// TestAStoreThatFailsRefusesNobody: if the store cannot be read, the error is Unavailable. A client
// would not try again after Unauthorized.
func TestAStoreThatFailsRefusesNobody(t *testing.T) {
	k, _ := authenticator(t)
	secret, _ := create(t, k, access.Read, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.Authenticate(ctx, secret); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("got %v, want unavailable", err)
	}
	if _, _, err := k.Resume(ctx, secret); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("got %v, want unavailable", err)
	}
	if _, err := k.AnyValid(ctx); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("got %v, want unavailable", err)
	}
}

func TestASessionLastsTwelveHoursOrAsLongAsItsToken(t *testing.T) {
	for _, c := range []struct{ token, want time.Duration }{
		{0, 12 * time.Hour},
		{365 * 24 * time.Hour, 12 * time.Hour},
		{12*time.Hour + time.Microsecond, 12 * time.Hour},
		{12 * time.Hour, 12 * time.Hour},
		{time.Hour, time.Hour},
	} {
		k, clock := authenticator(t)
		secret, token := create(t, k, access.Read, c.token)
		begun, session, bearer, err := k.SignIn(t.Context(), secret)
		if err != nil {
			t.Fatal(err)
		}
		if got := session.Expires.Sub(clock.moment()); got != c.want || session.Token != token.ID || bearer.ID != token.ID {
			t.Errorf("token of %s: got a session of %s for token %d, want %s", c.token, got, session.Token, c.want)
		}
		clock.set(session.Expires.Add(-time.Microsecond))
		if got, _, err := k.Resume(t.Context(), begun); err != nil || got != session {
			t.Errorf("token of %s, just before the end: got %+v, %v, want %+v", c.token, got, err, session)
		}
		clock.pass(time.Microsecond)
		if resumed(t, k, begun) {
			t.Errorf("token of %s, at the end: got the session accepted, want it refused", c.token)
		}
	}
}

func TestSigningOutEndsOneSession(t *testing.T) {
	k, _ := authenticator(t)
	secret, _ := create(t, k, access.Read, 0)
	var sessions []access.Secret
	for range 2 {
		begun, _, _, err := k.SignIn(t.Context(), secret)
		if err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, begun)
	}
	for range 2 { // the second time the session has ended already
		if err := k.SignOut(t.Context(), sessions[0]); err != nil {
			t.Errorf("got error %v, want none", err)
		}
	}
	if resumed(t, k, sessions[0]) {
		t.Error("got an ended session accepted, want it refused")
	}
	if !resumed(t, k, sessions[1]) || !admitted(t, k, secret) {
		t.Error("got the other session or the token refused, want both accepted")
	}
}
