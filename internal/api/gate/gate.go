// Package gate decides who may use the interface, and how much of the server one client may
// use: host names, origins of web pages, proxies, tokens, sessions, limits on guesses, and
// shares of what all clients use together.
//
// It knows HTTP and package access. It must not know what is served: no domain, no route, no
// body of a request or a response.
package gate

import (
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"daybook/internal/access"
	"daybook/internal/fault"
	"daybook/internal/idempotency"
)

// The kinds of faults that only a gate has.
const (
	Forbidden      fault.Kind = "forbidden"         // a token without the scope, or a web page of another site
	HostNotAllowed fault.Kind = "host not allowed"  // a Host name that a DNS rebinding attack could use
	TooMany        fault.Kind = "too many attempts" // more than a client may have or do
)

// Config says who may use the interface.
type Config struct {
	Authenticator *access.Authenticator

	RequireToken bool   // every request needs a token, unless its operation is for anyone
	ShortHosts   bool   // answer to every Host name without a dot
	Known        *Known // nil for nothing
}

// Gate decides about the requests of one server.
type Gate struct {
	Config
	guesses *guesses
}

// New returns a gate.
func New(c Config) *Gate {
	if c.Known == nil {
		c.Known = Know(Names{})
	}
	return &Gate{Config: c, guesses: newGuesses(time.Now)}
}

// names are the names in force.
func (g *Gate) names() *known { return g.Known.names.Load() }

// Anyone is the scope of an operation that needs no token.
const Anyone access.Scope = ""

// Authorize returns the token that authorises a request; the zero value if it needs none. Unauthorized.
// Forbidden: the token lacks the needed scope.
func (g *Gate) Authorize(w http.ResponseWriter, r *http.Request, needed access.Scope) (access.Token, error) {
	if !g.RequireToken || needed == Anyone {
		return access.Token{}, nil
	}
	return g.authorized(w, r, needed)
}

// StillAuthorized checks again what Authorize checked, for a response that goes on for long.
// Unauthorized, Forbidden.
func (g *Gate) StillAuthorized(w http.ResponseWriter, r *http.Request, needed access.Scope) error {
	if !g.RequireToken {
		return nil
	}
	_, err := g.authorized(w, r, needed)
	return err
}

// Principal is who sent a request that a token authorised: the id of the token, whichever of its sessions was
// used, or idempotency.Local if no token was needed.
func Principal(token access.Token) string {
	if token.ID == 0 {
		return idempotency.Local
	}
	return strconv.FormatInt(int64(token.ID), 10)
}

// Sharer is the client to which a request's use of shared resources counts: its principal, or
// if no token is needed, the network it comes from. All of this machine is one client.
func (g *Gate) Sharer(r *http.Request, token access.Token) string {
	client := g.names().TrustedProxies.client(r)
	address, err := netip.ParseAddr(client)
	if g.RequireToken || err != nil || address.Unmap().IsLoopback() {
		return Principal(token)
	}
	return network(client)
}
