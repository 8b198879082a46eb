package server

import (
	"net/netip"
	"sync"
	"sync/atomic"
)

// quota counts what is in use, in all and by each peer with a share.
type quota struct {
	most, share int
	all         *atomic.Int64 // changed under mu

	mu    sync.Mutex
	peers map[netip.Prefix]int
}

// newQuota allows as many as the limit of connections.
func newQuota(limits Limits, all *atomic.Int64) *quota {
	return &quota{most: limits.Connections, share: limits.share(), all: all, peers: map[netip.Prefix]int{}}
}

// take counts one more, unless all are in use, or all of the peer's share.
func (q *quota) take(peer netip.Prefix) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if int(q.all.Load()) >= q.most || peer.IsValid() && q.peers[peer] >= q.share {
		return false
	}
	q.all.Add(1)
	if peer.IsValid() {
		q.peers[peer]++
	}
	return true
}

// leave counts one less.
func (q *quota) leave(peer netip.Prefix) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all.Add(-1)
	if !peer.IsValid() {
		return
	}
	q.peers[peer]--
	if q.peers[peer] == 0 {
		delete(q.peers, peer)
	}
}
