package main

import (
	"context"
	"os"
	"time"
)

// start starts the program on a large database, and sends no more requests for a while.
func start() workload {
	return workload{
		name: "start",
		open: func(ctx context.Context, b *bench) ([]subject, error) {
			db, err := b.shelf.yearsOf(ctx, b.scale.departments, b.scale.accounts, 4)
			if err != nil {
				return nil, err
			}
			return []subject{{name: "start", measure: func(ctx context.Context, say say) error { return b.start(ctx, db, say) }}}, nil
		},
		rows: []row{
			{workload: "start to first 200", ours: "start", unit: "ms", goal: atMost(50)},
			{workload: "the database of that", ours: "size", unit: "GiB", goal: atLeast(1)},
			{workload: "idle memory", ours: "idle", unit: "MB", goal: atMost(40), optional: true},
			{workload: "the binary", ours: "binary", unit: "MB", goal: atMost(32)},
		},
	}
}

// idle is how long, at most, the program gets no request before its memory is read.
const idle = time.Second

func (b *bench) start(ctx context.Context, db string, say say) error {
	began := time.Now()
	p, err := launch(ctx, b.shelf.app, "serve", "--db", db, "--addr", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer p.stop()
	if err := healthy(ctx, p); err != nil {
		return err
	}
	say("start", float64(time.Since(began))/float64(time.Millisecond))
	time.Sleep(min(idle, b.duration()))
	if held := p.memory(); held > 0 {
		say("idle", held*(1<<20)/1e6)
	}
	for figure, of := range map[string]struct {
		path string
		unit float64
	}{"size": {db, 1 << 30}, "binary": {b.shelf.app, 1e6}} {
		info, err := os.Stat(of.path)
		if err != nil {
			return err
		}
		say(figure, float64(info.Size())/of.unit)
	}
	return nil
}
