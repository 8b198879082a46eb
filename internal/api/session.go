package api

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"daybook/internal/access"
	"daybook/internal/fault"
	"daybook/internal/journal"
)

// sessionBody says whether a page needs to sign in, and who it is when it did. Seq and Hash
// are how far the journal had come, nil for who may not read: a page that asks for records
// afterwards, and hears of the same from the stream of events, missed nothing between.
type sessionBody struct {
	Required  bool         `json:"required"`
	OpenToAll bool         `json:"open_to_all"`
	SignedIn  *signedIn    `json:"signed_in"`
	Seq       *journal.Seq `json:"seq"`
	Hash      *string      `json:"hash"`
}

// signedIn is the token behind a session, and when the session ends.
type signedIn struct {
	Name      string       `json:"name"`
	Scope     access.Scope `json:"scope"`
	ExpiresAt time.Time    `json:"expires_at"`
}

// signIn exchanges a token for the session of a browser, in a cookie that no script
// can read. It ends the session that the browser had. Unauthorized, TooMany: the token is
// wrong. Forbidden: a page of others asks, which brings its token with every request
// instead.
func (a *api) signIn(c *gin.Context) error {
	if err := ownPage(c); err != nil {
		return err
	}
	raw, err := sentToken(c)
	if err != nil {
		return err
	}
	secret, session, token, err := a.exchange(c, raw)
	if fault.KindOf(err) == fault.Unauthorized {
		return a.guessed(c, err)
	}
	if err != nil {
		return err
	}
	if err := a.endSessions(c); err != nil {
		return err // nobody is told of the new session
	}
	a.setCookie(c, string(secret), int(access.SessionLength.Seconds()))
	return a.answerSession(c, http.StatusCreated, signedInAs(session, token))
}

// guessed returns what the client of a wrong token is told: what is wrong with it, and
// where the client was wrong too often, TooMany. Only wrong tokens are counted and refused
// for that: many people may share the address of somebody who guesses, and their right
// tokens must let them in. Nothing is lost by it, because no token of 256 random bits is
// ever guessed.
func (a *api) guessed(c *gin.Context, wrong error) error {
	client := a.TrustedProxies.client(c.Request)
	wait := a.guesses.wrong(neighbours(client))
	if wait == 0 {
		return wrong
	}
	c.Header("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	return fault.New(fault.TooMany, "%v; too many wrong tokens came from %s: wait a moment, or send a right one", wrong, client)
}

// mostCredentials is the largest body of who signs in: anyone may send one.
const mostCredentials = 4 << 10

// sentToken reads the token of the body.
func sentToken(c *gin.Context) (string, error) {
	if b, is := c.Request.Body.(*body); is {
		b.most = mostCredentials
	}
	f, err := object(c)
	if err != nil {
		return "", err
	}
	raw := required(f, "token", secretText)
	return raw, f.err()
}

// secretText reads a string that no complaint repeats.
func secretText(v value) (string, error) {
	if v.kind != '"' {
		return "", errors.New("must be a string")
	}
	return v.text, nil
}

func (a *api) exchange(c *gin.Context, raw string) (access.Secret, access.Session, access.Token, error) {
	secret, err := access.ParseToken(raw)
	if err != nil {
		return "", access.Session{}, access.Token{}, fault.New(fault.Unauthorized, "the token %v", err)
	}
	return a.Keys.SignIn(c.Request.Context(), secret)
}

// getSession answers anyone; the session of the cookie where there is one.
func (a *api) getSession(c *gin.Context) error {
	session, token, err := a.resume(c)
	switch {
	case fault.KindOf(err) == fault.Unauthorized:
		return a.answerSession(c, http.StatusOK, nil)
	case err != nil:
		return err
	}
	return a.answerSession(c, http.StatusOK, signedInAs(session, token))
}

// signOut ends the session of the cookie, if there is one. Forbidden: a page of others
// asks.
func (a *api) signOut(c *gin.Context) error {
	if err := ownPage(c); err != nil {
		return err
	}
	if err := a.endSessions(c); err != nil {
		return err
	}
	a.setCookie(c, "", -1)
	return a.answerSession(c, http.StatusOK, nil)
}

// answerSession answers the session of who signed in, or of nobody.
func (a *api) answerSession(c *gin.Context, status int, who *signedIn) error {
	body := sessionBody{Required: a.RequireToken, OpenToAll: a.OpenToAll, SignedIn: who}
	if !a.RequireToken || who != nil && who.Scope.Allows(access.Read) {
		head, err := a.Journal.JournalHead(c.Request.Context())
		if err != nil {
			return err
		}
		body.Seq, body.Hash = &head.Seq, new(head.Hash.String())
	}
	return write(c, status, body)
}

func signedInAs(s access.Session, t access.Token) *signedIn {
	return &signedIn{Name: string(t.Name), Scope: t.Scope, ExpiresAt: s.Expires}
}

// mostCookies is how many cookies of the session's names are looked at.
const mostCookies = 8

// sessionSecrets are what a browser has that looks like a session, the likeliest first.
func (a *api) sessionSecrets(c *gin.Context) (secrets []access.Secret) {
	if !ofOwnPage(c.Request) {
		return nil
	}
	for _, cookie := range a.sessionCookies(c.Request) {
		if secret, err := access.ParseSession(cookie.Value); err == nil && len(secrets) < mostCookies {
			secrets = append(secrets, secret)
		}
	}
	return secrets
}

// resume returns the first session of a browser that is not over, and its token.
// Unauthorized: it has none.
func (a *api) resume(c *gin.Context) (session access.Session, token access.Token, err error) {
	err = fault.New(fault.Unauthorized, "the session is over; sign in again")
	for _, secret := range a.sessionSecrets(c) {
		session, token, err = a.Keys.Resume(c.Request.Context(), secret)
		if fault.KindOf(err) != fault.Unauthorized {
			break
		}
	}
	return session, token, err
}

// endSessions ends the sessions that a browser has.
func (a *api) endSessions(c *gin.Context) error {
	for _, secret := range a.sessionSecrets(c) {
		if err := a.Keys.SignOut(c.Request.Context(), secret); err != nil {
			return err
		}
	}
	return nil
}

// setCookie sets the session cookie for so many seconds; below 0 it removes it.
func (a *api) setCookie(c *gin.Context, value string, seconds int) {
	http.SetCookie(c.Writer, &http.Cookie{ //nolint:gosec // without TLS a browser would not keep a Secure one
		Name: a.cookieName(c.Request), Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: a.secure(c.Request),
	})
}
