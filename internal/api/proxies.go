package api

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the reverse proxies whose word on a client's address and on TLS is
// taken. The zero value trusts none.
type Proxies struct {
	networks []netip.Prefix
	unix     bool
}

// unixPeer is how a peer is named that came through a unix socket.
const unixPeer = "unix"

// ParseProxies reads addresses and networks ("10.0.0.7", "10.0.0.0/8"), and "unix" for
// whoever comes through the unix socket.
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
	return err == nil && p.Contain(address)
}

// Contain reports whether an address is that of a proxy.
func (p Proxies) Contain(address netip.Addr) bool {
	return slices.ContainsFunc(p.networks, func(n netip.Prefix) bool { return n.Contains(address.Unmap()) })
}

// client is the address a request comes from: the peer's, or what the trusted proxies
// before us say, read from the nearest to the first that is not trusted.
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

// neighbours is what an address counts as where a client could use many: the 64 bits of an
// IPv6 address that one customer of a provider has, and any other address as it is.
func neighbours(client string) string {
	address, err := netip.ParseAddr(client)
	if err != nil || !address.Unmap().Is6() {
		return client
	}
	network, err := address.Prefix(64)
	if err != nil {
		panic(err) // an IPv6 address has as many bits
	}
	return network.String()
}

// peer is the address of who holds the other end of the connection, without its port. The
// kind of the server's own end tells a unix socket: the peer of one can bind its end to a
// name that looks like an address.
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
