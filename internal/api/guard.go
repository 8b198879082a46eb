package api

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"daybook/internal/fault"
)

// guard keeps web pages of others from using a browser against us (contract,
// "Access"). A Host allow-list stops DNS rebinding, which a check of Origin cannot
// see; the check of Origin stops writes from a page that names us openly. A read whose
// answer no page may see would still cost its work, or a place among the listeners, so
// it is refused as well.
type guard struct {
	hosts   map[string]bool
	short   bool // names without a dot are allowed
	reads   reads
	origins Origins
	origin  *http.CrossOriginProtection
}

// CheckHosts refuses a host name to answer to that is none.
func CheckHosts(allowed []string) error {
	for _, host := range allowed {
		if _, is := hostname(host); !is {
			return fmt.Errorf("%q is not the name or address of a host, like books.example.com", host)
		}
	}
	return nil
}

// newGuard allows this machine's own names and those given, and writes from the pages
// of the origins.
func newGuard(allowed []string, short bool, origins Origins, reads reads) *guard {
	g := &guard{hosts: map[string]bool{}, short: short, reads: reads, origins: origins, origin: http.NewCrossOriginProtection()}
	if own, err := os.Hostname(); err == nil {
		g.hosts[strings.ToLower(own)] = true
		g.hosts[strings.ToLower(own)+".local"] = true
	}
	for _, host := range allowed {
		name, _ := hostname(host) // CheckHosts let it pass
		g.hosts[name] = true
	}
	for _, origin := range origins.allowed {
		if err := g.origin.AddTrustedOrigin(origin); err != nil {
			panic(fmt.Sprintf("ParseOrigins let %q pass: %v", origin, err))
		}
	}
	return g
}

// check refuses a Host that could be a rebinding name, a write from a foreign page, and
// a read of records for a foreign page that may not see them. HostNotAllowed, Forbidden.
func (g *guard) check(c *gin.Context) error {
	name, is := hostname(c.Request.Host)
	if !is && c.Request.Host != "" {
		return fault.New(fault.HostNotAllowed, "the Host header %q is no name or address of a host", c.Request.Host)
	}
	if !g.allows(name) {
		return fault.New(fault.HostNotAllowed, "this server does not answer to the host name %q; start it with --allow-host %s if it should", name, name)
	}
	if err := g.origin.Check(c.Request); err != nil && !g.reads.have(c) {
		return fault.New(fault.Forbidden, "a page of another site must not write here")
	}
	if g.reads.ofRecords(c) && !g.shows(c.Request) {
		return fault.New(fault.Forbidden, "a page of another site must not read here; to let it, start the server with --cors-origin and the origin of the page, and send the request with CORS")
	}
	return nil
}

// shows reports whether the browser of a request may show its answer to anybody (Fetch
// Metadata). The answer to another site goes to the person who follows a link, or by CORS
// to a page of an allowed origin. No page can embed an answer, or read it without CORS. A
// client that names no mode is no browser, or an old one.
func (g *guard) shows(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "cross-site" && site != "same-site" {
		return true
	}
	switch r.Header.Get("Sec-Fetch-Mode") {
	case "":
		return true
	case "navigate":
		embedded := []string{"embed", "fencedframe", "frame", "iframe", "object"}
		return !slices.Contains(embedded, r.Header.Get("Sec-Fetch-Dest"))
	case "cors":
		return slices.Contains(g.origins.allowed, r.Header.Get("Origin"))
	}
	return false
}

// ownPage refuses what only this server's own page may do, also to the pages of others
// that may write. Forbidden.
func ownPage(c *gin.Context) error {
	if ofOwnPage(c.Request) {
		return nil
	}
	return fault.New(fault.Forbidden, "a page of another site must not sign in or out here; it sends its token with every request")
}

// ofOwnPage reports whether a request comes from a page of this server, or from no page
// (Fetch Metadata, "Sec-Fetch-Site"; an older browser says Origin alone).
func ofOwnPage(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return true
	case "":
		sent := r.Header.Get("Origin")
		origin, err := url.Parse(sent)
		return sent == "" || err == nil && origin.Host == r.Host
	}
	return false
}

// allows reports whether a page under this name may be one of this machine: the name is
// an address, localhost or below it, or known. The resolvers of a LAN (mDNS, LLMNR, a
// search domain) let others bind a name without a dot, so it is allowed only where that
// alone gives no access. Browsers always send a name; a client that sends none is no
// browser.
//
// A name below localhost is this machine (RFC 6761, section 6.3): browsers take it for a
// loopback address and ask no resolver, so that only programs of this machine can serve a
// page under it, and those reach this server anyway.
func (g *guard) allows(name string) bool {
	switch {
	case name == "", name == "localhost", strings.HasSuffix(name, ".localhost"), g.hosts[name]:
		return true
	case g.short && !strings.Contains(name, "."):
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil
}

// hostname is the name or the address of a Host header (RFC 9110, section 7.2): lower case,
// without port, brackets or the dot of the root; is tells whether there is one. An address
// of IPv6 is in brackets and has no zone, which means something to its sender alone.
func hostname(host string) (name string, is bool) {
	if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		name, port, closed := strings.Cut(inner, "]")
		address, err := netip.ParseAddr(name)
		return strings.ToLower(name), closed && isPort(port) && err == nil && address.Is6() && address.Zone() == ""
	}
	name, port, ported := strings.Cut(host, ":")
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	return name, (!ported || isPort(":"+port)) && isDNSName(name)
}

// isPort reports whether what follows a host is nothing, or a colon and a port.
func isPort(rest string) bool {
	port, is := strings.CutPrefix(rest, ":")
	return rest == "" || is && strings.Trim(port, "0123456789") == ""
}

// isDNSName reports whether a name is made of labels of letters, digits, - and _. An
// address of IPv4 is as well.
func isDNSName(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}
