package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"
)

// probe sends a small request to a server again and again.
type probe struct {
	figure  string
	request []byte
	begins  []byte // the beginning of the response
}

// run sends the request at least once, and until ctx ends. It returns the sorted response times.
func (p probe) run(ctx context.Context, addr string) ([]time.Duration, error) {
	conn, err := dial(context.WithoutCancel(ctx), addr)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }() // every response was read
	var took []time.Duration
	for {
		began := time.Now()
		body, err := conn.ask(p.request)
		if err == nil && !bytes.HasPrefix(body, p.begins) {
			err = fmt.Errorf("answered %q to %q", body, p.request)
		}
		if err != nil {
			return nil, err
		}
		took = append(took, time.Since(began))
		select {
		case <-ctx.Done():
			slices.Sort(took)
			return took, nil
		case <-time.After(time.Millisecond):
		}
	}
}

// probing is a subject that probes one server while a feed runs against the same or another. The
// figures are the 99th percentiles in ms.
func (b *bench) probing(name string, probed *process, probes []probe, feeding subject) subject {
	return subject{name: name, measure: func(ctx context.Context, say say) error {
		during, stop := context.WithCancel(ctx)
		var wait sync.WaitGroup
		took, errs := make([][]time.Duration, len(probes)), make([]error, len(probes))
		for i, p := range probes {
			wait.Go(func() { took[i], errs[i] = p.run(during, probed.addr) })
		}
		late := time.AfterFunc(b.duration(), stop) // before the check of the feed
		err := feeding.measure(ctx, func(string, float64) {})
		late.Stop()
		stop()
		wait.Wait()
		if err := errors.Join(err, errors.Join(errs...)); err != nil {
			return errors.Join(err, said(probed))
		}
		for i, p := range probes {
			say(name+" "+p.figure, float64(percentile(took[i], 0.99))/float64(time.Millisecond))
		}
		return nil
	}}
}

// beside probes the program during a feed. The reference is a probe of it during a feed of another
// process that stores nothing.
func beside() workload {
	return workload{
		name: "beside",
		open: func(ctx context.Context, b *bench) ([]subject, error) {
			ours, l, err := b.writing(ctx)
			if err != nil {
				return nil, err
			}
			echo, err := b.reference(ctx, echoReference)
			if err != nil {
				return nil, err
			}
			var department string
			if err := queryOne(ctx, l.path, "SELECT code FROM departments ORDER BY id LIMIT 1", &department); err != nil {
				return nil, err
			}
			query := url.Values{"year": {strconv.Itoa(year)}, "period": {strconv.Itoa(period)}, "dept": {department}}
			probes := []probe{
				{"health", get("/health"), []byte(`{"status":"ok"`)},
				{"variance", get("/api/v1/variance?" + query.Encode()), []byte(`{"department":"` + department + `"`)},
			}
			return []subject{
				b.probing("ingest", ours, probes, b.ingesting("ours", ours, l, l.feed(64, false))),
				b.probing("echo", ours, probes, b.ingesting("echo", echo, nil, echoed(l.feed(64, false)))),
			}, nil
		},
		rows: []row{
			{workload: "/health while ingest-64 runs, p99", ours: "ingest health", reference: "echo health", against: "while echo runs", unit: "ms", goal: atMost(2)},
			{workload: "one-department variance, the same", ours: "ingest variance", reference: "echo variance", against: "while echo runs", unit: "ms", goal: atMost(2)},
		},
	}
}
