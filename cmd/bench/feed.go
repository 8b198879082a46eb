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

// post is a prepared request that is sent again and again with different amounts, because SQLite does
// not write a page whose bytes are unchanged.
type post struct {
	wire   []byte
	amount []byte // a part of wire, as wide as placeholder
	record int    // the index of the ledger's record
}

// placeholder is the amount of a request before it is sent, as wide as all amounts.
const placeholder = "1000000.01"

func newPost(path, body string, record int) post {
	wire := append(postHead(path, len(body)), body...)
	at := bytes.LastIndex(wire, []byte(placeholder))
	return post{wire: wire, amount: wire[at : at+len(placeholder)], record: record}
}

// set writes the amount of a serial number into the request, and returns it in units of 0.01. The
// amounts of two serials below 90 million differ. None ends in 0, so that the response repeats it as it
// was sent.
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

// feed is the posts of several callers. Each sends one request after the other on its own connection.
// No two callers post the same record, so that the stored state is the last response to each caller.
type feed struct {
	callers [][]post
	serial  atomic.Int64 // of the amounts given so far
	// answered records an acknowledged post; amounts are in units of 0.01. Callers call it concurrently
	// for different records. It may be nil.
	answered func(record int, amount int64)
	blind    bool // the responses do not repeat the amount
}

// load is the result of a feed.
type load struct {
	posts    int
	rate     float64         // posts a second
	latency  time.Duration   // the median
	duration []time.Duration // of each post, sorted
}

// caller is one caller of a running feed.
type caller struct {
	posts     []post
	next      int
	durations []time.Duration
}

// run feeds a server for a time, after a warm-up of a tenth of it, and until each caller has a response
// that counts.
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

// shaped reports whether a response is a record with the sent amount.
func (f *feed) shaped(body []byte, p *post) bool {
	return len(body) > 2 && body[0] == '{' && body[len(body)-1] == '}' && (f.blind || bytes.Contains(body, p.amount))
}
