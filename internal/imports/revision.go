package imports

import (
	"context"
	"errors"
	"time"

	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// Unreadable is the kind of the fault of a file that is no table of a known format.
const Unreadable fault.Kind = "unreadable file"

// revision is a reading of the file under one map. Its result is there when done is closed.
type revision struct {
	number  int
	m       exchange.Map
	cancel  context.CancelFunc
	done    chan struct{}
	preview *exchange.Preview
	rows    *rowFile
	err     error

	suggested text.Code // a saved map that fits the file
}

func (r *revision) finished() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// start begins to read the file of an import under a map. The revision before stays until the new one is there.
func (s *Service) start(k *kept, m exchange.Map) *revision {
	k.number++
	r := &revision{number: k.number, m: m, done: make(chan struct{})}
	ctx, cancel := context.WithCancel(s.ctx)
	r.cancel = cancel
	unread := k.newest
	if unread != nil && unread.finished() && unread.err == nil {
		k.former, unread = unread, nil
	}
	if unread != nil {
		unread.cancel()
	}
	k.newest = r
	s.work.Go(func() {
		s.drop(unread) // one at a time reads the file of one import
		r.read(ctx, s, k)
		cancel()
		close(r.done)
		s.mu.Lock()
		defer s.mu.Unlock()
		if former := k.former; k.newest == r && r.err == nil && former != nil {
			k.former = nil
			s.work.Go(func() { s.drop(former) })
		}
	})
	return r
}

// read reads the file, and keeps its records.
func (r *revision) read(ctx context.Context, s *Service, k *kept) {
	turn := s.turn
	if k.Size < smallFile {
		turn = s.small
	}
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		r.err = ctx.Err()
		return
	}
	told, end := k.Told.begin()
	defer end()
	r.err = s.books.Compare(ctx, func(stored exchange.Stored) error {
		file, err := tables.Open(k.Content, k.Size, tables.Options{})
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // nothing depends on it
		store, err := exchange.NewStore(stored, k.Kind)
		if err != nil {
			return err
		}
		if r.rows, err = newRowFile(s); err != nil {
			return err
		}
		r.preview, err = exchange.Check(ctx, exchange.Source{
			File: file, Kind: k.Kind, Map: r.m, Store: store, Now: time.Now(), Each: r.rows.add, Told: told,
		})
		if err == nil {
			err = r.rows.finish()
		}
		return err
	})
	if r.err == nil && r.m.Name == "" {
		r.suggested, r.err = s.suggest(ctx, k.Kind, r.preview.Columns)
	}
	r.err = faultOf(r.err)
}

// suggest is the name of the newest saved map that fits the columns of a file, or "".
func (s *Service) suggest(ctx context.Context, kind string, columns []exchange.Shown) (text.Code, error) {
	saved, err := s.books.Maps(ctx)
	for _, one := range saved {
		if one.Kind != kind {
			continue
		}
		if m, err := exchange.ParseMap([]byte(one.Text), kind); err == nil && m.Fits(columns) {
			return one.Name, nil
		}
	}
	return "", err
}

// faultOf is the fault of a file that cannot be read.
func faultOf(err error) error {
	e, is := errors.AsType[*tables.Error](err)
	switch {
	case errors.Is(err, context.Canceled):
		return fault.Wrap(fault.Unavailable, err, "the reading of the file was ended; send it again")
	case !is:
		return err
	case e.Reason == tables.TooManyRows:
		return fault.New(fault.TooManyRows, "%s", e.Message)
	case e.Sheet != "":
		return fault.New(Unreadable, "%s (sheet %s)", e.Message, e.Sheet)
	}
	return fault.New(Unreadable, "%s", e.Message)
}
