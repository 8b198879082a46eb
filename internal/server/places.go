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

// places are the open connections of a server, over all its listeners.
//
// A connection is idle while it has no request: from when it opens, and from the end of
// an answer, until the handler begins the next request. What net/http answers itself is no
// request. An idle connection may be closed to make room. As with every HTTP connection
// that is kept, a client may send a request in the moment in which the server closes: such
// a request was not begun, and may be sent again. A connection with a request is never
// closed here.
type places struct {
	limits Limits
	open   *atomic.Int64 // counts the connections; changed under mu

	mu    sync.Mutex
	idle  ring.Ring // the anchor of those that are idle, the longest first
	peers map[netip.Prefix]*peer
	freed chan struct{} // closed when there may be room; nil while nobody waits
}

// peer is what the connections of one peer are counted by: an IPv4 address, or the 64 bits
// of an IPv6 address that a provider gives to one customer.
type peer struct {
	open int
	idle ring.Ring // the anchor of its own that are idle, the longest first
}

const (
	// settleTime is how long a connection stays after it became idle. The last bytes of
	// an answer over HTTP/2 are on their way to the socket until then, and a new
	// connection has had no time to ask for anything before.
	settleTime = 100 * time.Millisecond
	// leastIdleTime is what the idle time falls to when all places are taken.
	leastIdleTime = 5 * time.Second
)

var (
	errFull  = errors.New("every connection that is open has a request")
	errShare = errors.New("the peer holds all the connections that one peer may hold")
)

func newPlaces(limits Limits, open *atomic.Int64) *places {
	return &places{limits: limits, open: open, peers: map[netip.Prefix]*peer{}}
}

// take gives a connection a place, and closes idle ones where that makes room for it. It
// waits while every other connection has a request. errShare: the peer holds its share.
// net.ErrClosed: closed was closed.
func (p *places) take(c *conn, closed <-chan struct{}) error {
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

// try is take without the waiting. It returns the connections to close, and with errFull
// what to wait for.
func (p *places) try(c *conn) (cut []*conn, settles <-chan time.Time, freed <-chan struct{}, err error) {
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
func (p *places) idleTime() time.Duration {
	return shortened(p.limits.IdleTime, leastIdleTime, int(p.open.Load()), p.limits.Connections)
}

// shortened is how long a peer is waited for: the whole time while half of the places are
// free, then less and less, and the least time when all are taken.
func shortened(whole, least time.Duration, taken, most int) time.Duration {
	free := most - taken - 1
	if 2*free >= most {
		return whole
	}
	return min(whole, max(least, whole*time.Duration(2*free)/time.Duration(most)))
}

// settled is the connection that is idle longest and may be closed, nil where there is
// none. One that is being written to has an answer under way: it counts as idle from now.
func (p *places) settled(anchor *ring.Ring, now time.Time) *conn {
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

// waitable is what to wait for when there is no room: that the connection that is idle
// longest has settled, and that another becomes idle or ends.
func (p *places) waitable(now time.Time) (settles <-chan time.Time, freed <-chan struct{}) {
	if longest := first(&p.idle); longest != nil {
		settles = time.After(settleTime - now.Sub(longest.since))
	}
	if p.freed == nil {
		p.freed = make(chan struct{})
	}
	return settles, p.freed
}

// wake tells those who wait that there may be room.
func (p *places) wake() {
	if p.freed != nil {
		close(p.freed)
		p.freed = nil
	}
}

// enter counts a connection, which is idle at first.
func (p *places) enter(c *conn, now time.Time) {
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

// cut takes the place of an idle connection, which is then to be closed.
func (p *places) cut(c *conn) *conn {
	p.remove(c)
	return c
}

// leave frees the place of a connection that was closed.
func (p *places) leave(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remove(c)
}

func (p *places) remove(c *conn) {
	if !c.inside {
		return
	}
	c.inside = false
	p.unlist(c)
	p.open.Add(-1)
	if c.peer != nil {
		c.peer.open--
		if c.peer.open == 0 {
			delete(p.peers, c.from)
		}
	}
	p.wake()
}

// begin counts a request of a connection, and reports whether the connection still has its
// place. Where it was closed to make room while the request came, the request is not to be
// answered, so that its client may send it again.
func (p *places) begin(c *conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.requests++
	p.unlist(c)
	return c.inside
}

// end counts one request less.
func (p *places) end(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.requests--
	if c.inside && c.requests == 0 {
		p.list(c, time.Now())
		p.wake()
	}
}

// note is the ConnState of a server: it ends the requests of HTTP/1, whose answers are sent
// after their handlers have returned. Those of HTTP/2 end with their streams.
func (p *places) note(nc net.Conn, state http.ConnState) {
	if state == http.StateIdle && !isHTTP2(nc) {
		p.end(connOf(nc))
	}
}

// list puts a connection behind all others that are idle.
func (p *places) list(c *conn, now time.Time) {
	p.unlist(c)
	c.since = now
	p.idle.Prev().Link(&c.inAll)
	if c.peer != nil {
		c.peer.idle.Prev().Link(&c.inPeer)
	}
}

// unlist takes a connection from those that are idle, if it is one of them.
func (*places) unlist(c *conn) {
	c.inAll.Prev().Unlink(1)
	c.inPeer.Prev().Unlink(1)
}

// first is the connection after an anchor, nil where there is none.
func first(anchor *ring.Ring) *conn {
	c, _ := anchor.Next().Value.(*conn)
	return c
}
