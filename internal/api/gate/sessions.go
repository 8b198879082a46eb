package gate

import (
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daybook/internal/access"
	"daybook/internal/fault"
)

// sessionCookie holds the session of a browser that signed in. Under TLS its name begins with
// hostOnly: then a browser accepts it only from this host itself and over TLS (RFC 6265bis,
// "Cookie Name Prefixes"), so that neither a page of a sibling host nor one without TLS can
// replace the session. Without TLS a page of another port of the same host can set a cookie of
// this name, so a request may send several.
const (
	sessionCookie = "daybook_session"
	hostOnly      = "__Host-"
)

// cookieName is the name of the session cookie that a client is given. Browsers send the
// cookies of one port of a host to all its ports, so the name ends with the port that the
// client used: two servers on one host do not overwrite each other's sessions.
func (g *Gate) cookieName(r *http.Request) string {
	if port := (&url.URL{Host: r.Host}).Port(); port != "" {
		return g.publishedCookie(r) + "_" + port
	}
	return g.publishedCookie(r)
}

// publishedCookie is the name without the port. The session is read under this name too.
func (g *Gate) publishedCookie(r *http.Request) string {
	if g.secure(r) {
		return hostOnly + sessionCookie
	}
	return sessionCookie
}

// secure reports whether the client uses TLS, to this server or to a trusted proxy.
func (g *Gate) secure(r *http.Request) bool {
	return r.TLS != nil || g.names().TrustedProxies.trusts(peer(r)) && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// sessionCookies are the cookies of a request that may hold its session, the likeliest first.
func (g *Gate) sessionCookies(r *http.Request) (found []*http.Cookie) {
	for _, name := range slices.Compact([]string{g.cookieName(r), g.publishedCookie(r)}) {
		found = append(found, r.CookiesNamed(name)...)
	}
	return found
}

// mostCookies is how many session cookies of a request are tried.
const mostCookies = 8

// sessionSecrets are the secrets of a request that may be its session's, the likeliest first.
func (g *Gate) sessionSecrets(r *http.Request) (secrets []access.Secret) {
	if !fromOwnPage(r) {
		return nil
	}
	for _, cookie := range g.sessionCookies(r) {
		if secret, err := access.ParseSession(cookie.Value); err == nil && len(secrets) < mostCookies {
			secrets = append(secrets, secret)
		}
	}
	return secrets
}

// SignIn starts a session with the secret of a token, ends the session that the browser had, and
// sets the cookie, which no script can read. Unauthorized: the token is wrong. TooMany: the
// same, and so were too many before it.
func (g *Gate) SignIn(w http.ResponseWriter, r *http.Request, raw string) (access.Session, access.Token, error) {
	var session access.Session
	var token access.Token
	secret, err := tokenSecret(raw)
	if err == nil {
		secret, session, token, err = g.Authenticator.SignIn(r.Context(), secret)
	}
	if fault.KindOf(err) == fault.Unauthorized {
		return session, token, g.guessed(w, r, err)
	}
	if err == nil {
		err = g.endSessions(r) // if this fails, the client does not learn of the new session
	}
	if err != nil {
		return session, token, err
	}
	g.setCookie(w, r, string(secret), int(access.SessionLength.Seconds()))
	return session, token, nil
}

// guessed counts a wrong token and returns the error for it: what is wrong, or TooMany if the
// client was wrong too often. Only wrong tokens are counted and refused. Many people may share
// the address of a client that guesses, and their tokens must still work. This costs no safety,
// because nobody guesses a token of 256 random bits.
func (g *Gate) guessed(w http.ResponseWriter, r *http.Request, wrong error) error {
	client := g.names().TrustedProxies.client(r)
	wait := g.guesses.wrong(network(client))
	if wait == 0 {
		return wrong
	}
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	return fault.New(TooMany, "%v; too many wrong tokens came from %s: wait a moment, or send a right one", wrong, client)
}

// Session returns the first session of a browser that has not ended, and its token.
// Unauthorized: there is none.
func (g *Gate) Session(r *http.Request) (session access.Session, token access.Token, err error) {
	err = fault.New(fault.Unauthorized, "the session is over; sign in again")
	for _, secret := range g.sessionSecrets(r) {
		session, token, err = g.Authenticator.Resume(r.Context(), secret)
		if fault.KindOf(err) != fault.Unauthorized {
			break
		}
	}
	return session, token, err
}

// SignOut ends the sessions of a browser and removes the cookie.
func (g *Gate) SignOut(w http.ResponseWriter, r *http.Request) error {
	if err := g.endSessions(r); err != nil {
		return err
	}
	g.setCookie(w, r, "", -1)
	return nil
}

func (g *Gate) endSessions(r *http.Request) error {
	for _, secret := range g.sessionSecrets(r) {
		if err := g.Authenticator.SignOut(r.Context(), secret); err != nil {
			return err
		}
	}
	return nil
}

// setCookie sets the session cookie for a number of seconds; a negative number removes it.
func (g *Gate) setCookie(w http.ResponseWriter, r *http.Request, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // without TLS a browser would not keep a Secure one
		Name: g.cookieName(r), Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: g.secure(r),
	})
}
