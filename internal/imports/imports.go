// Package imports keeps files that are being brought in: each with what it would do, until that is stored, or nobody
// asks for it any more.
//
// A file and the records that were read from it lie in files beside the database, and end with the process. The
// package knows files and what a store answers. It must not know HTTP, nor SQL.
package imports

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"sync"
	"time"

	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/intake"
	"daybook/internal/spool"
	"daybook/internal/tables"
)

// TooMany is the kind of the fault that no room is left for one more import.
const TooMany fault.Kind = "too many imports"

// The bounds of all imports together, and how long one lives after its last use.
const (
	Most     = 20
	MostKept = 4 << 30 // bytes
	Lifetime = time.Hour
)

// patience is how long an answer waits for a file to be read. A larger file is asked for again.
const patience = time.Second

// Service keeps imports.
type Service struct {
	folder spool.Folder
	books  exchange.Database
	ctx    context.Context // of what is read while nobody waits for it
	stop   context.CancelFunc
	work   sync.WaitGroup
	turn   chan struct{} // one file is read at a time

	mu   sync.Mutex
	kept map[string]*kept
	size int64 // of all files
}

// New returns a service that has no imports yet.
func New(folder spool.Folder, books exchange.Database) *Service {
	s := &Service{folder: folder, books: books, turn: make(chan struct{}, 1), kept: map[string]*kept{}}
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

// Close ends what is being read, and removes all files.
func (s *Service) Close() {
	s.stop()
	s.mu.Lock()
	for _, k := range s.kept {
		s.remove(k)
	}
	s.mu.Unlock()
	s.work.Wait()
}

// Upload is a file as it was sent.
type Upload struct {
	Owner   string // who may see it
	Kind    string
	Name    string // of the file, "" for none
	Content *spool.File
	Size    int64
	Map     exchange.Map // empty: it is suggested
}

// kept is one import. Its fields are guarded by Service.mu, but for those of the upload, which never change.
type kept struct {
	Upload
	id     string
	sha256 string
	used   time.Time
	timer  *time.Timer
	number int       // of the newest revision
	newest *revision // nil before the first is there
	former *revision // while the newest is being read: the one before
}

// revision is a reading of the file under one map. Its result is there when done is closed.
type revision struct {
	number  int
	m       exchange.Map
	cancel  context.CancelFunc
	done    chan struct{}
	preview *exchange.Preview
	rows    *rowFile
	err     error
}

// Add takes a file in, and reads it. It owns the content from now on, whatever it returns. Errors as those of a
// reading; TooMany: there are as many imports as there may be.
func (s *Service) Add(ctx context.Context, u Upload) (*Import, error) {
	k := &kept{Upload: u, id: rand.Text()}
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(u.Content, 0, u.Size)); err != nil {
		return nil, errors.Join(unkeepable(err), u.Content.Close())
	}
	k.sha256 = hex.EncodeToString(hash.Sum(nil))
	if err := s.enter(k); err != nil {
		return nil, errors.Join(err, u.Content.Close())
	}
	s.mu.Lock()
	r := s.start(k, u.Map)
	s.mu.Unlock()
	one, err := s.wait(ctx, k, r)
	if err != nil {
		s.mu.Lock()
		s.remove(k)
		s.mu.Unlock()
	}
	return one, err
}

// unkeepable is the fault of a disk that refuses.
func unkeepable(err error) error {
	return fault.Wrap(fault.Unavailable, err, "the server cannot keep the file on its disk; nothing was stored")
}

// enter makes room for an import, and keeps it. TooMany.
func (s *Service) enter(k *kept) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) >= Most {
		s.removeOldest()
	}
	if len(s.kept) >= Most {
		return fault.New(TooMany, "%d files are being imported already; finish or delete one of them, or wait until one has not been used for an hour", Most)
	}
	if s.size+k.Size > MostKept {
		return fault.New(TooMany, "the files that are being imported fill the room for them; finish or delete one of them, or wait until one has not been used for an hour")
	}
	s.size += k.Size
	s.kept[k.id] = k
	k.timer = time.AfterFunc(Lifetime, func() { s.expire(k) })
	k.used = time.Now()
	return nil
}

// removeOldest removes the oldest import that is of no use any more.
func (s *Service) removeOldest() {
	var oldest *kept
	for _, k := range s.kept {
		if k.over() && (oldest == nil || k.used.Before(oldest.used)) {
			oldest = k
		}
	}
	if oldest != nil {
		s.remove(oldest)
	}
}

// over reports whether an import can lead to nothing: its file cannot be read.
func (k *kept) over() bool { return k.newest != nil && k.newest.finished() && k.newest.err != nil }

func (r *revision) finished() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// expire removes an import that was not used for its lifetime.
func (s *Service) expire(k *kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(k)
}

// remove forgets an import, and removes its files when nobody reads them.
func (s *Service) remove(k *kept) {
	if s.kept[k.id] != k {
		return
	}
	delete(s.kept, k.id)
	s.size -= k.Size
	k.timer.Stop()
	revisions := []*revision{k.newest, k.former}
	for _, r := range revisions {
		if r != nil {
			r.cancel()
		}
	}
	s.work.Go(func() {
		for _, r := range revisions {
			s.drop(r)
		}
		_ = k.Content.Close() // nothing of it is needed
	})
}

// drop removes the records of a revision, when it is not read any more.
func (s *Service) drop(r *revision) {
	if r == nil {
		return
	}
	<-r.done
	if r.rows != nil {
		r.rows.close()
	}
}

// find returns the import of an owner. NotFound: there is none, or not any more.
func (s *Service) find(owner, id string) (*kept, error) {
	k := s.kept[id]
	if k == nil || k.Owner != owner {
		return nil, fault.New(fault.NotFound, "there is no such import; it ends an hour after its last use, and with the server: send the file again")
	}
	k.used = time.Now()
	k.timer.Reset(Lifetime)
	return k, nil
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
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		r.err = ctx.Err()
		return
	}
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
			File: file, Kind: k.Kind, Map: r.m, Store: store, Now: time.Now(), Each: r.rows.add,
		})
		if err == nil {
			err = r.rows.finish()
		}
		return err
	})
	r.err = faultOf(r.err)
}

// faultOf is the fault of a file that cannot be read.
func faultOf(err error) error {
	e, is := errors.AsType[*tables.Error](err)
	switch {
	case !is:
		return err
	case e.Reason == tables.TooManyRows:
		return fault.New(fault.TooManyRows, "%s", e.Message)
	case e.Sheet != "":
		return fault.New(intake.Unreadable, "%s (sheet %s)", e.Message, e.Sheet)
	}
	return fault.New(intake.Unreadable, "%s", e.Message)
}

// wait waits until a revision is read, but not long. It returns the error of the reading.
func (s *Service) wait(ctx context.Context, k *kept, r *revision) (*Import, error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-r.done:
		if r.err != nil {
			return nil, r.err
		}
	case <-late.C:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return k.now(), nil
}

// Get returns an import. If its file is still being read, it waits a moment. NotFound.
func (s *Service) Get(ctx context.Context, owner, id string) (*Import, error) {
	s.mu.Lock()
	k, err := s.find(owner, id)
	if err != nil {
		s.mu.Unlock()
		return nil, err
	}
	r := k.newest
	s.mu.Unlock()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-r.done:
	case <-late.C:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return k.now(), nil
}

// SetMap reads the file of an import under another map. If it cannot be read so, the import stays as it was. Errors
// as those of Add; NotFound.
func (s *Service) SetMap(ctx context.Context, owner, id string, m exchange.Map) (*Import, error) {
	s.mu.Lock()
	k, err := s.find(owner, id)
	if err != nil {
		s.mu.Unlock()
		return nil, err
	}
	r := s.start(k, m)
	s.mu.Unlock()
	one, err := s.wait(ctx, k, r)
	if err == nil {
		return one, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if k.newest == r && k.former != nil {
		k.newest, k.former, k.number = k.former, nil, k.former.number
		r.cancel()
		s.work.Go(func() { s.drop(r) })
	}
	return nil, err
}

// KindOf returns the kind of the records of an import. NotFound.
func (s *Service) KindOf(owner, id string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, err := s.find(owner, id)
	if err != nil {
		return "", err
	}
	return k.Kind, nil
}

// Delete removes an import. NotFound.
func (s *Service) Delete(owner, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, err := s.find(owner, id)
	if err != nil {
		return err
	}
	s.remove(k)
	return nil
}
