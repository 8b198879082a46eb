package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// bench is the state that the workloads of a run share.
type bench struct {
	*options
	shelf  *shelf
	self   string   // this program
	folder string   // the folder for files of this run
	closes []func() // of the running workload, the newest last
	copies int
}

func newBench(ctx context.Context, o *options) (*bench, error) {
	b := &bench{options: o}
	var err error
	if b.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if b.shelf, err = newShelf(ctx, o.app, o.dir); err != nil {
		return nil, err
	}
	b.folder, err = os.MkdirTemp(b.shelf.dir, "run-")
	return b, err
}

// close removes the files of a run.
func (b *bench) close() {
	b.closeWorkload()
	_ = os.RemoveAll(b.folder) // files that stay do no harm
	_ = b.shelf.lock.Close()
}

// later registers a function for the end of the workload. The newest runs first.
func (b *bench) later(f func()) { b.closes = append(b.closes, f) }

func (b *bench) closeWorkload() {
	for _, f := range slices.Backward(b.closes) {
		f()
	}
	b.closes = nil
}

// run measures a workload, round by round, and returns its rows.
func (b *bench) run(ctx context.Context, w workload) ([]measured, error) {
	defer b.closeWorkload()
	began := time.Now()
	subjects, err := w.open(ctx, b)
	if err != nil {
		return nil, err
	}
	opened := time.Now()
	rounds := make([]figures, b.rounds)
	for i := range rounds {
		rounds[i] = figures{}
		for j := range subjects {
			s := subjects[(i+j)%len(subjects)] // so that no subject is always the first
			if err := s.measure(ctx, rounds[i].say); err != nil {
				return nil, fmt.Errorf("round %d, %s: %w", i+1, s.name, err)
			}
			if err := ctx.Err(); err != nil {
				return nil, errors.New("interrupted")
			}
		}
		fmt.Fprintf(os.Stderr, "%s: round %d of %d\n", w.name, i+1, b.rounds)
	}
	fmt.Fprintf(os.Stderr, "%s: ready after %.1f s, measured in %.1f s\n", w.name, opened.Sub(began).Seconds(), time.Since(opened).Seconds())
	rows := make([]measured, len(w.rows))
	for i, r := range w.rows {
		if rows[i], err = r.measured(w.name, rounds); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// copyOf makes a copy of a database that lasts as long as the workload.
func (b *bench) copyOf(from string) (string, error) {
	b.copies++
	to := filepath.Join(b.folder, fmt.Sprintf("%d.db", b.copies))
	if err := copyFile(from, to); err != nil {
		return "", err
	}
	b.later(func() { remove(to) })
	return to, nil
}

// duration is how long a load runs in a round.
func (b *bench) duration() time.Duration { return time.Duration(b.seconds * float64(time.Second)) }
