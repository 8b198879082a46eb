package server

import (
	"container/list"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// pool is the open connections of a server, over all its listeners.
//
// A connection is idle while it has no request: after it opens, and after a response, until the handler
// begins the next request. What net/http answers itself does not count as a request. The connection idle
// longest is closed for a new one when all places are taken. As with every HTTP connection that is kept
// open, a client may send a request while the server closes it: such a request was not begun, and may be
// sent again. A connection with a request is never closed here.
type pool struct {
	limits Limits
	open   *atomic.Int64 // counts the connections; changed under mu

	mu    sync.Mutex
	idle  list.List            // of *conn, the one idle longest first
	peers map[netip.Prefix]int // the connections of each peer with a share
	freed chan struct{}        // closed when there may be room; nil while nobody waits
}

// settleTime is how long a new connection, or one that got a response, is safe from being closed for another,
// so that its client has time for a request.
const settleTime = 100 * time.Millisecond

var (
	errFull  = errors.New("every connection that is open has a request")
	errShare = errors.New("the peer holds all the connections that one peer may hold")
)

func newPool(limits Limits, open *atomic.Int64) *pool {
	return &pool{limits: limits, open: open, peers: map[netip.Prefix]int{}}
}

// take adds a connection, and closes an idle one if it must. It waits while every other connection has a
// request. errShare: the peer has its share of connections. net.ErrClosed: closed was closed.
func (p *pool) take(c *conn, closed <-chan struct{}) error {
	for {
		cut, freed, err := p.try(c)
		if cut != nil {
			_ = cut.Conn.Close() // it has no request that an error could matter to
		}
		if !errors.Is(err, errFull) {
			return err
		}
		select {
		case <-freed:
		case <-time.After(settleTime): // by then an idle one has settled
		case <-closed:
			return net.ErrClosed
		}
	}
}

// try is take without waiting. It returns a connection to close or, with errFull, what to wait for.
func (p *pool) try(c *conn) (cut *conn, freed <-chan struct{}, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	shared := c.from.IsValid() && p.peers[c.from] >= p.limits.share()
	full := int(p.open.Load()) >= p.limits.Connections
	if shared || full {
		cut = p.longestIdle(c.from, shared)
	}
	switch {
	case shared && cut == nil:
		return nil, nil, errShare
	case full && cut == nil:
		if p.freed == nil {
			p.freed = make(chan struct{})
		}
		return nil, p.freed, errFull
	case cut != nil:
		p.remove(cut)
	}
	p.open.Add(1)
	if c.from.IsValid() {
		p.peers[c.from]++
	}
	c.inside = true
	p.list(c)
	return cut, nil, nil
}

// longestIdle is the connection that is idle longest and has settled, of one peer or of all; or nil.
func (p *pool) longestIdle(from netip.Prefix, ofPeer bool) *conn {
	for e := p.idle.Front(); e != nil; e = e.Next() {
		c, _ := e.Value.(*conn) // the list holds nothing else
		if time.Since(c.since) < settleTime {
			return nil
		}
		if !ofPeer || c.from == from {
			return c
		}
	}
	return nil
}

// wake tells waiting connections that one may be free.
func (p *pool) wake() {
	if p.freed != nil {
		close(p.freed)
		p.freed = nil
	}
}

// leave removes a connection that was closed.
func (p *pool) leave(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remove(c)
}

func (p *pool) remove(c *conn) {
	if !c.inside {
		return
	}
	c.inside = false
	p.unlist(c)
	p.open.Add(-1)
	if c.from.IsValid() {
		p.peers[c.from]--
		if p.peers[c.from] == 0 {
			delete(p.peers, c.from)
		}
	}
	p.wake()
}

// begin says that a connection has a request, and reports whether it is still in the pool. If it was closed
// for another while the request came, the request must not be answered, so that its client may send it
// again.
func (p *pool) begin(c *conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unlist(c)
	return c.inside
}

// note is the ConnState of a server. It ends requests, whose responses are sent after their handlers have
// returned.
func (p *pool) note(nc net.Conn, state http.ConnState) {
	if state != http.StateIdle {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := connOf(nc); c.inside {
		p.list(c)
		p.wake()
	}
}

// list makes a connection the last of the idle ones.
func (p *pool) list(c *conn) {
	p.unlist(c)
	c.since = time.Now()
	c.idle = p.idle.PushBack(c)
}

// unlist removes a connection from the idle ones, if it is one of them.
func (p *pool) unlist(c *conn) {
	if c.idle != nil {
		p.idle.Remove(c.idle)
		c.idle = nil
	}
}
