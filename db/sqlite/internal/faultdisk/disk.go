// Package faultdisk is a disk for tests that loses power and fails: a SQLite VFS over
// the system's own that records what happens to the files of one directory, gives back
// what a power cut could have left of them at any moment, and fails on request.
//
// It does not sync: a test's machine keeps its power. It does not see the -shm file,
// which SQLite makes anew after a power cut.
package faultdisk

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Fault is what is to fail.
type Fault struct {
	Kind  Kind   // Write, Truncate, Sync, Open
	File  string // of which file; "" is any
	Nth   int    // which one, from 1
	Code  int32  // what SQLite is told
	Lasts bool   // those after it fail too
	// Leaves is Drop or Clean: what a failed sync does to what was not synced; zero
	// keeps it to be synced by the next.
	Leaves Kind
}

// Disk is the directory that the VFS of this name has files in. Its methods may be
// called while SQLite works on it.
type Disk struct {
	Name string
	vfs  uintptr

	mu     sync.Mutex
	log    []Op
	now    *volume
	fault  Fault
	counts map[Kind]int // since the fault was ordered
	struck int          // the moment at which the fault first struck, plus one
}

// New registers a VFS. Close it after the last database on it.
func New() *Disk {
	d := &Disk{now: newVolume(), counts: map[Kind]int{}}
	d.register()
	return d
}

// Moment is how much has happened so far, to cut the power at.
func (d *Disk) Moment() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.log)
}

// Fail orders a fault and starts to count for it.
func (d *Disk) Fail(f Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault, d.counts = f, map[Kind]int{}
}

// Struck is the moment just after the thing that failed first, before what
// the failure did to the cache; false when nothing has failed yet.
func (d *Disk) Struck() (moment int, is bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.struck - 1, d.struck > 0
}

// Lift ends the fault.
func (d *Disk) Lift() { d.Fail(Fault{}) }

// Counts is how often each kind was about to happen since the last order, to the file
// that it was for.
func (d *Disk) Counts() map[Kind]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.counts)
}

// Image returns the files, by name, as a power cut could leave them now.
func (d *Disk) Image(s Survival, chance *rand.Rand) map[string][]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now.image(s, chance)
}

// Replay lets everything happen again, to cut the power on the way.
func (d *Disk) Replay() *Replay {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &Replay{log: slices.Clone(d.log), volume: newVolume()}
}

// Replay is a disk on which everything happens again.
type Replay struct {
	Lies   bool // syncs return before anything is on the disk
	log    []Op
	volume *volume
	moment int
}

// At returns an image of a moment, which is not before the one of the last call.
func (r *Replay) At(moment int, s Survival, chance *rand.Rand) map[string][]byte {
	for ; r.moment < moment; r.moment++ {
		op := r.log[r.moment]
		if r.Lies && op.Kind == Sync {
			continue
		}
		r.volume.apply(op)
	}
	return r.volume.image(s, chance)
}

// WriteTo puts an image into a directory, which is empty.
func WriteTo(dir string, image map[string][]byte) error {
	for name, content := range image {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return fmt.Errorf("the image: %w", err)
		}
	}
	return nil
}

// happens records an op. The caller holds mu.
func (d *Disk) happens(op Op) {
	d.log = append(d.log, op)
	d.now.apply(op)
}

// fails counts an op that is about to happen to a file, and returns what SQLite is told instead
// of 0 when it is to fail. The caller holds mu.
func (d *Disk) fails(k Kind, name string) int32 {
	f := d.fault
	if f.File != "" && f.File != name {
		return 0
	}
	d.counts[k]++
	if f.Kind != k || f.Nth == 0 || d.counts[k] < f.Nth || d.counts[k] > f.Nth && !f.Lasts {
		return 0
	}
	if d.struck == 0 {
		d.struck = len(d.log) + 1
	}
	return f.Code
}

// opening learns of a file before it is opened for the first time.
func (d *Disk) opening(path string) {
	if d.now.names[filepath.Base(path)] != nil {
		return
	}
	if content, err := os.ReadFile(path); err == nil { //nolint:gosec // the test's own file
		d.happens(Op{Kind: Found, File: filepath.Base(path), Data: content})
	}
}
