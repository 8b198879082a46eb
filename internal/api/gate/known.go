package gate

import (
	"net/http"
	"net/netip"
	"sync/atomic"
)

// Names are what the operator of a server named.
type Names struct {
	AllowHosts     []string // Host names to answer to, besides those that DNS rebinding cannot use; CheckHosts accepted them
	Origins        Origins
	TrustedProxies Proxies
}

// Known are the names that are in force. They may change while requests are served; a request that is checked
// meanwhile may see the names of before and after.
type Known struct{ names atomic.Pointer[known] }

// known are names, prepared for the checks of requests.
type known struct {
	Names
	hosts  map[string]bool
	writes *http.CrossOriginProtection
}

// Know returns known names.
func Know(n Names) *Known {
	k := &Known{}
	k.Change(n)
	return k
}

// Change puts other names in force, in the place of all of before.
func (k *Known) Change(n Names) {
	k.names.Store(&known{Names: n, hosts: knownHosts(n.AllowHosts), writes: n.Origins.protection()})
}

// IsProxy reports whether an address is that of a trusted proxy.
func (k *Known) IsProxy(address netip.Addr) bool {
	return k.names.Load().TrustedProxies.contain(address)
}
