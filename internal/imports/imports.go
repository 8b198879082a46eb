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

	"daybook/internal/commit"
	"daybook/internal/exchange"
	"daybook/internal/fault"
	"daybook/internal/mapping"
	"daybook/internal/spool"
)

// TooMany is the kind of the fault that no room is left for one more import.
const TooMany fault.Kind = "too many imports"

// The bounds of all imports together, and how long one lives after its last use.
const (
	Most     = 20
	MostKept = 4 << 30 // bytes
	Lifetime = time.Hour
)

// smallFile is the size below which a file is small.
const smallFile = 1 << 20

// patience is how long an answer waits for a file to be read. A larger file is asked for again.
const patience = time.Second

// Service keeps imports.
type Service struct {
	folder spool.Folder
	books  Books
	ctx    context.Context // of what is read while nobody waits for it
	stop   context.CancelFunc
	work   sync.WaitGroup
	turn   chan struct{} // one large file is read at a time
	small  chan struct{} // and one small file, which does not wait for a large one

	mu   sync.Mutex
	kept map[string]*kept
	size int64 // of all files
}

// Books are what files are compared with and stored in, and the maps by which files were read before.
type Books interface {
	commit.Store
	Maps(ctx context.Context) ([]mapping.Map, error)
}

// New returns a service that has no imports yet.
func New(folder spool.Folder, books Books) *Service {
	s := &Service{folder: folder, books: books, turn: make(chan struct{}, 1), small: make(chan struct{}, 1), kept: map[string]*kept{}}
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
	Told    Told
}

// Told is called while a file is read, and while its records are stored, with how much of that is done. At the end of
// each it is called with all. It may be nil.
type Told func(done, all int64)

// begin returns it for one of the two, and what ends that.
func (t Told) begin() (told Told, end func()) {
	if t == nil {
		return nil, func() {}
	}
	return func(done, all int64) { t(min(done, all-1), all) }, func() { t(1, 1) }
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

	turn       chan struct{} // one commit at a time
	committing *revision     // nil if none is being committed
	done       *Done         // what was stored, nil before
	stored     int           // the revision that was stored
}

// Add takes a file in, and reads it. It owns the content from now on, whatever it returns. Errors as those of a
// reading; TooMany: there are as many imports as there may be.
func (s *Service) Add(ctx context.Context, u Upload) (*Import, error) {
	k := &kept{Upload: u, id: rand.Text(), turn: make(chan struct{}, 1)}
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

// over reports whether an import can lead to nothing more: it is stored, or its file cannot be read.
func (k *kept) over() bool {
	return k.done != nil || k.newest != nil && k.newest.finished() && k.newest.err != nil
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
	if k.done != nil {
		s.mu.Unlock()
		return nil, fault.New(fault.ChangedSince, "the import is stored already; to import the file once more, send it again")
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
