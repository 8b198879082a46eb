package server

import (
	"container/ring"
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
// begins the next request. What net/http answers itself does not count as a request. An idle connection
// may be closed for a new one. As with every HTTP connection that is kept open, a client may send a
// request while the server closes it: such a request was not begun, and may be sent again. A
// connection with a request is never closed here.
type pool struct {
	limits Limits
	open   *atomic.Int64 // counts the connections; changed under mu
	busy   *atomic.Int64 // counts those that have a request; changed under mu

	mu    sync.Mutex
	idle  ring.Ring // the anchor of those that are idle, the longest first
	peers map[netip.Prefix]*peer
	freed chan struct{} // closed when there may be room; nil while nobody waits
}

// peer counts the connections of one peer: an IPv4 address, or the first 64 bits of an IPv6 address, which
// a provider gives to one customer.
type peer struct {
	open int
	idle ring.Ring // the anchor of its own that are idle, the longest first
}

const (
	// settleTime is how long a connection stays open after it became idle. Until then the last bytes of
	// an HTTP/2 response may still be on their way to the socket, and a new connection has had no time
	// to send a request.
	settleTime = 100 * time.Millisecond
	// leastIdleTime is the idle time when all places are taken.
	leastIdleTime = 5 * time.Second
)

var (
	errFull  = errors.New("every connection that is open has a request")
	errShare = errors.New("the peer holds all the connections that one peer may hold")
)

func newPool(limits Limits, open, busy *atomic.Int64) *pool {
	return &pool{limits: limits, open: open, busy: busy, peers: map[netip.Prefix]*peer{}}
}

// take adds a connection, and closes idle ones if it must. It waits while every other connection has a
// request. errShare: the peer has its share of connections. net.ErrClosed: closed was closed.
func (p *pool) take(c *conn, closed <-chan struct{}) error {
	for {
		cut, settles, freed, err := p.try(c)
		for _, c := range cut {
			_ = c.Conn.Close() // it has no request that an error could matter to
		}
		if !errors.Is(err, errFull) {
			return err
		}
		select {
		case <-freed:
		case <-settles:
		case <-closed:
			return net.ErrClosed
		}
	}
}

// try is take without waiting. It returns the connections to close and, with errFull, what to wait for.
func (p *pool) try(c *conn) (cut []*conn, settles <-chan time.Time, freed <-chan struct{}, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	for longest := p.settled(&p.idle, now); longest != nil && now.Sub(longest.since) > p.idleTime(); longest = p.settled(&p.idle, now) {
		cut = append(cut, p.cut(longest))
	}
	if holds := p.peers[c.from]; holds != nil && holds.open >= p.limits.share() {
		longest := p.settled(&holds.idle, now)
		if longest == nil {
			return cut, nil, nil, errShare
		}
		cut = append(cut, p.cut(longest))
	}
	if int(p.open.Load()) >= p.limits.Connections {
		longest := p.settled(&p.idle, now)
		if longest == nil {
			settles, freed = p.waitable(now)
			return cut, settles, freed, errFull
		}
		cut = append(cut, p.cut(longest))
	}
	p.enter(c, now)
	return cut, nil, nil, nil
}

// idleTime is how long a connection may be idle when one more opens.
func (p *pool) idleTime() time.Duration {
	return shortened(p.limits.IdleTime, leastIdleTime, int(p.open.Load()), p.limits.Connections)
}

// shortened is how long the server waits for a peer: the whole time while half of the connections are
// free, then less, and the least time when all are open.
func shortened(whole, least time.Duration, taken, most int) time.Duration {
	free := most - taken - 1
	if 2*free >= most {
		return whole
	}
	return min(whole, max(least, whole*time.Duration(2*free)/time.Duration(most)))
}

// settled is the connection that is idle longest and may be closed, or nil. A connection that is being
// written to still sends a response, so it counts as idle from now.
func (p *pool) settled(anchor *ring.Ring, now time.Time) *conn {
	for {
		c := first(anchor)
		if c == nil || now.Sub(c.since) < settleTime {
			return nil
		}
		if c.writing.Load() == 0 {
			return c
		}
		p.list(c, now)
	}
}

// waitable is what to wait for when all connections are open: that the one idle longest has settled, and
// that another becomes idle or ends.
func (p *pool) waitable(now time.Time) (settles <-chan time.Time, freed <-chan struct{}) {
	if longest := first(&p.idle); longest != nil {
		settles = time.After(settleTime - now.Sub(longest.since))
	}
	if p.freed == nil {
		p.freed = make(chan struct{})
	}
	return settles, p.freed
}

// wake tells waiting connections that one may be free.
func (p *pool) wake() {
	if p.freed != nil {
		close(p.freed)
		p.freed = nil
	}
}

// enter adds a connection, which is idle at first.
func (p *pool) enter(c *conn, now time.Time) {
	p.open.Add(1)
	if c.from.IsValid() {
		if p.peers[c.from] == nil {
			p.peers[c.from] = &peer{}
		}
		c.peer = p.peers[c.from]
		c.peer.open++
	}
	c.inside = true
	c.inAll.Value, c.inPeer.Value = c, c
	p.list(c, now)
}

// cut removes an idle connection, which the caller closes.
func (p *pool) cut(c *conn) *conn {
	p.remove(c)
	return c
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
	if c.requests > 0 {
		p.busy.Add(-1)
	}
	if c.peer != nil {
		c.peer.open--
		if c.peer.open == 0 {
			delete(p.peers, c.from)
		}
	}
	p.wake()
}

// begin counts a request of a connection, and reports whether the connection is still in the pool. If it
// was closed for another while the request came, the request must not be answered, so that its client
// may send it again.
func (p *pool) begin(c *conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.inside && c.requests == 0 {
		p.busy.Add(1)
	}
	c.requests++
	p.unlist(c)
	return c.inside
}

// end counts the end of a request.
func (p *pool) end(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.requests--
	if c.inside && c.requests == 0 {
		p.busy.Add(-1)
		p.list(c, time.Now())
		p.wake()
	}
}

// note is the ConnState of a server. It ends the requests of HTTP/1, whose responses are sent after their
// handlers have returned. Those of HTTP/2 end with their streams.
func (p *pool) note(nc net.Conn, state http.ConnState) {
	if state == http.StateIdle && !isHTTP2(nc) {
		p.end(connOf(nc))
	}
}

// list makes a connection the last of the idle ones.
func (p *pool) list(c *conn, now time.Time) {
	p.unlist(c)
	c.since = now
	p.idle.Prev().Link(&c.inAll)
	if c.peer != nil {
		c.peer.idle.Prev().Link(&c.inPeer)
	}
}

// unlist removes a connection from the idle ones, if it is one of them.
func (*pool) unlist(c *conn) {
	c.inAll.Prev().Unlink(1)
	c.inPeer.Prev().Unlink(1)
}

// first is the connection after an anchor, or nil.
func first(anchor *ring.Ring) *conn {
	c, _ := anchor.Next().Value.(*conn)
	return c
}
