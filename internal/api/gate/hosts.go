package gate

import (
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"strings"

	"daybook/internal/fault"
)

// CheckHosts refuses a host name to answer to that is not a host name.
func CheckHosts(allowed []string) error {
	for _, host := range allowed {
		if _, is := hostname(host); !is {
			return fmt.Errorf("%q is not the name or address of a host, like books.example.com", host)
		}
	}
	return nil
}

// knownHosts are this machine's own names and the allowed ones.
func knownHosts(allowed []string) map[string]bool {
	hosts := map[string]bool{}
	if own, err := os.Hostname(); err == nil {
		hosts[strings.ToLower(own)] = true
		hosts[strings.ToLower(own)+".local"] = true
	}
	for _, host := range allowed {
		name, _ := hostname(host) // CheckHosts accepted it
		hosts[name] = true
	}
	return hosts
}

// CheckHost refuses a Host name that a DNS rebinding attack could use. The browser takes such
// a page for one of this server, so a check of its origin does not help. HostNotAllowed.
func (g *Gate) CheckHost(r *http.Request) error {
	name, is := hostname(r.Host)
	if !is && r.Host != "" {
		return fault.New(HostNotAllowed, "the Host header %q is not the name or address of a host", r.Host)
	}
	if !g.answersTo(name) {
		return fault.New(HostNotAllowed, "this server does not answer to the host name %q; start it with --allow-host %s if it should", name, name)
	}
	return nil
}

// answersTo reports whether only this machine can serve a page under a name: an address,
// localhost or a name below it, or a known name. Others on a LAN can bind a name without a dot
// (mDNS, LLMNR, a search domain), so it is answered only where the name alone gives no access.
// A browser always sends a name, so a request without one is not from a browser.
//
// A name below localhost is this machine (RFC 6761, section 6.3). Browsers resolve it to a
// loopback address without asking a resolver.
func (g *Gate) answersTo(name string) bool {
	switch {
	case name == "", name == "localhost", strings.HasSuffix(name, ".localhost"), g.names().hosts[name]:
		return true
	case g.ShortHosts && !strings.Contains(name, "."):
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil
}

// hostname is the name or address in a Host header (RFC 9110, section 7.2): in lower case,
// without the port, the brackets and the dot of the root. It reports whether there is one. An
// IPv6 address is in brackets and has no zone, because a zone means something to its sender
// alone.
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

// isPort reports whether the rest of a Host header is empty, or a colon and a port.
func isPort(rest string) bool {
	port, is := strings.CutPrefix(rest, ":")
	return rest == "" || is && strings.Trim(port, "0123456789") == ""
}

// isDNSName reports whether a name consists of labels of letters, digits, - and _. An IPv4
// address does.
func isDNSName(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}
