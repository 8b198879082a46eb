package api

import (
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"

	"github.com/gin-gonic/gin"

	"daybook/internal/fault"
)

// guard keeps web pages of others from using a browser against us (contract,
// "Access"). A Host allow-list stops DNS rebinding, which a check of Origin cannot
// see; the check of Origin stops writes from a page that names us openly.
type guard struct {
	hosts  map[string]bool
	origin *http.CrossOriginProtection
}

// newGuard allows this machine's own names and those given.
func newGuard(allowed []string) *guard {
	g := &guard{hosts: map[string]bool{}, origin: http.NewCrossOriginProtection()}
	if own, err := os.Hostname(); err == nil {
		g.hosts[strings.ToLower(own)] = true
		g.hosts[strings.ToLower(own)+".local"] = true
	}
	for _, name := range allowed {
		g.hosts[hostname(name)] = true
	}
	return g
}

// check refuses a Host that could be a rebinding name, and a write from a foreign
// page. HostNotAllowed, Forbidden.
func (g *guard) check(c *gin.Context) error {
	if name := hostname(c.Request.Host); !g.allows(name) {
		return fault.New(fault.HostNotAllowed, "this server does not answer to the host name %q; start it with --allow-host %s if it should", name, name)
	}
	if err := g.origin.Check(c.Request); err != nil {
		return fault.New(fault.Forbidden, "a page of another site must not write here")
	}
	return nil
}

// allows reports whether a name can only mean this machine: it is an address, has no
// dot, is localhost or below it, or is known. An absent name is that of a client
// that is no browser.
func (g *guard) allows(name string) bool {
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return !strings.Contains(name, ".") || strings.HasSuffix(name, ".localhost") || g.hosts[name]
}

// hostname is the name of a Host header: lower case, without port, brackets or the
// dot of the root.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}
