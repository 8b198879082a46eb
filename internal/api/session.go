package api

import (
	"errors"
	"net/http"
	"time"

	"daybook/internal/access"
	"daybook/internal/api/gate"
	"daybook/internal/fault"
	"daybook/internal/field"
	"daybook/internal/journal"
)

// sessionBody says whether a page must sign in, and with which token it did. Seq and Hash are
// the head of the journal, or null without permission to read. A page that reads records after
// this, and then listens to events from that head on, misses no change.
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

// signIn exchanges a token for a session, in a cookie. Forbidden: a page of another site asks;
// it sends its token with every request instead. Errors as those of Gate.SignIn.
func (a *api) signIn(c *request) error {
	if err := gate.CheckOwnPage(c.Request); err != nil {
		return err
	}
	raw, err := sentToken(c)
	if err != nil {
		return err
	}
	session, token, err := a.gate.SignIn(c.Writer, c.Request, raw)
	if err != nil {
		return err
	}
	return a.writeSession(c, http.StatusCreated, signedInAs(session, token))
}

// mostCredentials is the largest body of a sign-in, which needs no token.
const mostCredentials = 4 << 10

// sentToken reads the token of the body.
func sentToken(c *request) (string, error) {
	if c.body != nil {
		c.body.most = mostCredentials
	}
	f, err := object(c)
	if err != nil {
		return "", err
	}
	raw := required(f, "token", secretText)
	return raw, f.err()
}

// secretText reads a string that no error message repeats.
func secretText(v field.Value) (string, error) {
	if v.Kind != '"' {
		return "", errors.New("must be a string")
	}
	return v.Text, nil
}

// getSession responds to anyone, with the session of the cookie if there is one.
func (a *api) getSession(c *request) error {
	session, token, err := a.gate.Session(c.Request)
	switch {
	case fault.KindOf(err) == fault.Unauthorized:
		return a.writeSession(c, http.StatusOK, nil)
	case err != nil:
		return err
	}
	return a.writeSession(c, http.StatusOK, signedInAs(session, token))
}

// signOut ends the session of the cookie, if there is one. Forbidden: a page of another site
// asks.
func (a *api) signOut(c *request) error {
	if err := gate.CheckOwnPage(c.Request); err != nil {
		return err
	}
	if err := a.gate.SignOut(c.Writer, c.Request); err != nil {
		return err
	}
	return a.writeSession(c, http.StatusOK, nil)
}

// writeSession responds with a session, or with none for nil.
func (a *api) writeSession(c *request, status int, who *signedIn) error {
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
