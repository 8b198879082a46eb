package gate

import (
	"net/http"
	"strings"

	"daybook/internal/access"
	"daybook/internal/fault"
)

// authorized returns the token that a request proves to hold, if it has the needed scope.
// Unauthorized, Forbidden.
func (g *Gate) authorized(w http.ResponseWriter, r *http.Request, needed access.Scope) (access.Token, error) {
	token, err := g.authenticate(w, r)
	if err != nil {
		return token, err
	}
	return token, Allow(w, token, needed)
}

// Allow refuses a token that does not have the needed scope, and says in the response which that is. Forbidden.
func Allow(w http.ResponseWriter, token access.Token, needed access.Scope) error {
	if token.Scope.Allows(needed) {
		return nil
	}
	w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+string(needed)+`"`)
	return fault.New(Forbidden, "this needs a token with the scope %s; yours has %s", needed, token.Scope)
}

// authenticate returns the token that a request proves to hold: by its Authorization header
// (RFC 6750), or else by the session of its browser, which no page of another site may use.
// Unauthorized.
func (g *Gate) authenticate(w http.ResponseWriter, r *http.Request) (token access.Token, err error) {
	sent := r.Header["Authorization"]
	switch {
	case len(sent) > 0:
		var secret access.Secret
		if secret, err = bearerSecret(sent); err == nil {
			token, err = g.Authenticator.Authenticate(r.Context(), secret)
		}
	case len(g.sessionCookies(r)) > 0 && fromOwnPage(r):
		_, token, err = g.Session(r)
	default:
		w.Header().Set("WWW-Authenticate", "Bearer")
		return token, fault.New(fault.Unauthorized, "this needs a token, sent as Authorization: Bearer TOKEN; app token create makes one")
	}
	if fault.KindOf(err) == fault.Unauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
	}
	return token, err
}

// bearerSecret reads the only Authorization header of a request. Unauthorized.
func bearerSecret(sent []string) (access.Secret, error) {
	scheme, credentials, _ := strings.Cut(sent[0], " ")
	if len(sent) > 1 || !strings.EqualFold(scheme, "Bearer") {
		return "", fault.New(fault.Unauthorized, "the one Authorization header must say Bearer and a token")
	}
	return tokenSecret(strings.TrimSpace(credentials))
}

// tokenSecret reads the secret of a token. Unauthorized.
func tokenSecret(raw string) (access.Secret, error) {
	secret, err := access.ParseToken(raw)
	if err != nil {
		return "", fault.New(fault.Unauthorized, "the token %v", err)
	}
	return secret, nil
}
