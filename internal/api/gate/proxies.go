package gate

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the reverse proxies that are trusted to tell a client's address and whether it
// uses TLS. The zero value trusts none.
type Proxies struct {
	networks []netip.Prefix
	unix     bool
}

// unixPeer is the name of every peer that uses the unix socket.
const unixPeer = "unix"

// ParseProxies reads addresses and networks ("10.0.0.7", "10.0.0.0/8"), and "unix" for every
// peer that uses the unix socket.
func ParseProxies(raw []string) (p Proxies, err error) {
	for _, s := range raw {
		if s == unixPeer {
			p.unix = true
			continue
		}
		network, err := netip.ParsePrefix(s)
		if err != nil {
			address, err := netip.ParseAddr(s)
			if err != nil {
				return Proxies{}, fmt.Errorf("%q is neither an address, nor a network like 10.0.0.0/8, nor unix", s)
			}
			address = address.Unmap()
			network = netip.PrefixFrom(address, address.BitLen())
		}
		if network.Addr().Is4In6() {
			return Proxies{}, fmt.Errorf("%q must be written as a network of IPv4", s)
		}
		p.networks = append(p.networks, network.Masked())
	}
	return p, nil
}

func (p Proxies) trusts(peer string) bool {
	if peer == unixPeer {
		return p.unix
	}
	address, err := netip.ParseAddr(peer)
	return err == nil && p.contain(address)
}

// contain reports whether an address is that of a proxy.
func (p Proxies) contain(address netip.Addr) bool {
	return slices.ContainsFunc(p.networks, func(n netip.Prefix) bool { return n.Contains(address.Unmap()) })
}

// client is the address that a request comes from: the peer's, or what trusted proxies say. They
// are read from the nearest to the first that is not trusted.
func (p Proxies) client(r *http.Request) string {
	client := peer(r)
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !p.trusts(client) {
			break
		}
		address, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		client = address.Unmap().String()
	}
	return client
}

// network is what an address counts as where a client could use many: the first 64 bits of an
// IPv6 address, which one customer of a provider has, and any other address unchanged.
func network(client string) string {
	address, err := netip.ParseAddr(client)
	if err != nil || !address.Unmap().Is6() {
		return client
	}
	prefix, err := address.Prefix(64)
	if err != nil {
		panic(err) // an IPv6 address has as many bits
	}
	return prefix.String()
}

// peer is the address of the other end of the connection, without its port. The server's own
// end tells whether it is a unix socket, because the other end can be bound to a name that looks
// like an address.
func peer(r *http.Request) string {
	if _, tcp := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); !tcp {
		return unixPeer
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		panic(err) // every address of TCP has a port
	}
	return host
}
