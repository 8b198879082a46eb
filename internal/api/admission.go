package api

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"daybook/internal/access"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
	"daybook/internal/journal"
)

// anyone is the scope of what needs no token.
const anyone access.Scope = ""

// sessionCookie is where a browser that signed in keeps its session. Under TLS its name
// begins with hostOnly: then a browser takes it only from this host itself and over TLS
// (RFC 6265bis, "Cookie Name Prefixes"), so that neither a page of a sibling name nor one
// without TLS can put another session in its place. Without TLS a page of another port of
// the same host can set a cookie of this name, so that a request may bring several.
const (
	sessionCookie = "daybook_session"
	hostOnly      = "__Host-"
)

// cookieName is the name under which a client is given its session cookie. Browsers do not
// keep the cookies of two ports of a host apart, so it ends with the port that the client
// names: two servers on one host do not overwrite each other's sessions.
func (a *api) cookieName(r *http.Request) string {
	if port := (&url.URL{Host: r.Host}).Port(); port != "" {
		return a.publishedCookie(r) + "_" + port
	}
	return a.publishedCookie(r)
}

// publishedCookie is the name without the port, under which the session is read as well.
func (a *api) publishedCookie(r *http.Request) string {
	if a.secure(r) {
		return hostOnly + sessionCookie
	}
	return sessionCookie
}

// sessionCookies are the cookies of a request that may hold its session, the likeliest first.
func (a *api) sessionCookies(r *http.Request) (found []*http.Cookie) {
	for _, name := range slices.Compact([]string{a.cookieName(r), a.publishedCookie(r)}) {
		found = append(found, r.CookiesNamed(name)...)
	}
	return found
}

// bearerToken is where admit leaves the token that let a request pass.
const bearerToken = "token"

// admit lets a request pass whose token, or the session of its browser, reaches what
// it asks for, and tells the journal who it is. Unauthorized, Forbidden.
func (a *api) admit(needed access.Scope) handle {
	return func(c *gin.Context) error {
		if !a.RequireToken || needed == anyone {
			return nil
		}
		token, err := a.admitted(c, needed)
		if err != nil {
			return err
		}
		c.Set(bearerToken, token)
		ctx := c.Request.Context()
		origin := journal.OriginOf(ctx)
		origin.Actor = token.Actor()
		c.Request = c.Request.WithContext(journal.With(ctx, origin))
		return nil
	}
}

// principalOf is who sent a request that admit let pass: a token by its id, whichever of
// its sessions it came by, or idempotency.Local.
func principalOf(c *gin.Context) string {
	passed, _ := c.Get(bearerToken)
	if token, is := passed.(access.Token); is {
		return strconv.FormatInt(int64(token.ID), 10)
	}
	return idempotency.Local
}

// admitted returns the token that a request proves to hold, which must reach what it asks
// for. Unauthorized, Forbidden.
func (a *api) admitted(c *gin.Context, needed access.Scope) (access.Token, error) {
	token, err := a.bearer(c)
	if err != nil {
		return token, err
	}
	if !token.Scope.Allows(needed) {
		c.Header("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+string(needed)+`"`)
		return token, fault.New(fault.Forbidden, "this needs a token with the scope %s; yours has %s", needed, token.Scope)
	}
	return token, nil
}

// bearer returns the token that a request proves to hold: in the Authorization header
// (RFC 6750), or without one by the session of its browser, which no page of others may
// use. Unauthorized.
func (a *api) bearer(c *gin.Context) (token access.Token, err error) {
	ctx := c.Request.Context()
	sent := c.Request.Header["Authorization"]
	switch {
	case len(sent) > 0:
		secret, parseErr := bearerSecret(sent)
		if parseErr != nil {
			err = parseErr
			break
		}
		token, err = a.Keys.Authenticate(ctx, secret)
	case len(a.sessionCookies(c.Request)) > 0 && ofOwnPage(c.Request):
		_, token, err = a.resume(c)
	default:
		c.Header("WWW-Authenticate", "Bearer")
		return token, fault.New(fault.Unauthorized, "this needs a token, sent as Authorization: Bearer TOKEN; app token create makes one")
	}
	if fault.KindOf(err) == fault.Unauthorized {
		c.Header("WWW-Authenticate", `Bearer error="invalid_token"`)
	}
	return token, err
}

// bearerSecret reads the one Authorization header there may be.
func bearerSecret(sent []string) (access.Secret, error) {
	scheme, credentials, _ := strings.Cut(sent[0], " ")
	if len(sent) > 1 || !strings.EqualFold(scheme, "Bearer") {
		return "", fault.New(fault.Unauthorized, "the one Authorization header must say Bearer and a token")
	}
	secret, err := access.ParseToken(strings.TrimSpace(credentials))
	if err != nil {
		return "", fault.New(fault.Unauthorized, "the token %v", err)
	}
	return secret, nil
}

// secure reports whether the client speaks TLS, to us or to a proxy that is trusted.
func (a *api) secure(r *http.Request) bool {
	return r.TLS != nil || a.TrustedProxies.trusts(peer(r)) && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}
