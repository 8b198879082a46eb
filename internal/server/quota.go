package server

import (
	"net/http"
	"net/netip"
	"sync"
)

// quota counts what is in use, in all and by each peer that has a share.
type quota struct {
	most, share int

	mu    sync.Mutex
	all   int
	peers map[netip.Prefix]int
}

// newQuota allows as many as there may be connections.
func newQuota(limits Limits) *quota {
	return &quota{most: limits.Connections, share: limits.share(), peers: map[netip.Prefix]int{}}
}

// take counts one more, unless all are in use, or the share of the peer is.
func (q *quota) take(peer netip.Prefix) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.all >= q.most || peer.IsValid() && q.peers[peer] >= q.share {
		return false
	}
	q.all++
	if peer.IsValid() {
		q.peers[peer]++
	}
	return true
}

// leave counts one less.
func (q *quota) leave(peer netip.Prefix) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all--
	if !peer.IsValid() {
		return
	}
	q.peers[peer]--
	if q.peers[peer] == 0 {
		delete(q.peers, peer)
	}
}

// peerOf is who sent a request, as far as it has a share; zero = it has none.
func peerOf(r *http.Request) netip.Prefix {
	if c, is := r.Context().Value(connKey{}).(*conn); is {
		return c.from
	}
	return netip.Prefix{}
}
