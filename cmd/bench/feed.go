package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// post is a request that is made in advance and sent again and again, each time with
// another amount: SQLite writes no page whose bytes did not change.
type post struct {
	wire   []byte
	amount []byte // the place in wire, as wide as placeholder
	record int    // which of the book-keeper's records it is about
}

// placeholder is the amount of a request that was not sent yet: as wide as all amounts.
const placeholder = "1000000.01"

func newPost(path, body string, record int) post {
	wire := append(postHead(path, len(body)), body...)
	at := bytes.LastIndex(wire, []byte(placeholder))
	return post{wire: wire, amount: wire[at : at+len(placeholder)], record: record}
}

// set writes the amount of a serial number, in units of 0.01, into the request, and
// returns it. No two serials below 90 million have the same, and none ends in 0, so that
// it is answered as it was sent.
func (p *post) set(serial int64) int64 {
	n := 100_000_001 + serial*10 + serial%9
	for i, rest := len(p.amount)-1, n; i >= 0; i-- {
		if p.amount[i] == '.' {
			continue
		}
		p.amount[i] = byte('0' + rest%10)
		rest /= 10
	}
	return n
}

// feed is what a number of callers post, each on a connection of its own, one request
// after the other. No two callers have a record in common, so that what is stored in
// the end is what each was answered last.
type feed struct {
	callers [][]post
	serial  atomic.Int64 // of the amounts given so far
	// answered keeps books of an acknowledged post; amounts are in units of 0.01. Callers
	// call it at the same time, for different records. It may be nil.
	answered func(record int, amount int64)
	blind    bool // the answers do not repeat what was sent
}

// load is what came of a feed.
type load struct {
	posts    int
	rate     float64         // posts a second
	latency  time.Duration   // the median
	duration []time.Duration // of each post, sorted
}

// caller is one of them, while the feed runs.
type caller struct {
	posts     []post
	next      int
	durations []time.Duration
}

// run feeds a server for a time, after a tenth of it that does not count, and until each
// caller has an answer that does.
func (f *feed) run(ctx context.Context, addr string, d time.Duration) (load, error) {
	var (
		wait     sync.WaitGroup
		callers  = make([]caller, len(f.callers))
		errs     = make([]error, len(f.callers))
		began    = time.Now()
		counting = began.Add(d / 10)
		end      = counting.Add(d)
	)
	for i, posts := range f.callers {
		callers[i].posts = posts
		wait.Go(func() { errs[i] = f.call(ctx, &callers[i], addr, counting, end) })
	}
	wait.Wait()
	var l load
	for _, c := range callers {
		l.duration = append(l.duration, c.durations...)
	}
	if err := errors.Join(errs...); err != nil {
		return l, err
	}
	slices.Sort(l.duration)
	l.posts = len(l.duration)
	l.rate = float64(l.posts) / time.Since(counting).Seconds()
	l.latency = percentile(l.duration, 0.5)
	return l, nil
}

func (f *feed) call(ctx context.Context, c *caller, addr string, counting, end time.Time) error {
	conn, err := dial(ctx, addr)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // every answer was read
	for sent := time.Now(); sent.Before(end) || len(c.durations) == 0; {
		p := &c.posts[c.next]
		c.next = (c.next + 1) % len(c.posts)
		amount := p.set(f.serial.Add(1))
		body, err := conn.ask(p.wire)
		if err == nil && !f.shaped(body, p) {
			err = fmt.Errorf("answered %q to %q", body, p.wire)
		}
		if err != nil {
			return err
		}
		if f.answered != nil {
			f.answered(p.record, amount)
		}
		now := time.Now()
		if sent.After(counting) {
			c.durations = append(c.durations, now.Sub(sent))
		}
		sent = now
	}
	return ctx.Err()
}

// shaped reports whether an answer is a record with the amount that was sent.
func (f *feed) shaped(body []byte, p *post) bool {
	return len(body) > 2 && body[0] == '{' && body[len(body)-1] == '}' && (f.blind || bytes.Contains(body, p.amount))
}
