// Package faultdisk is a disk for tests that loses power and fails. It is an SQLite VFS over the
// system's own. It records the changes to the files of one directory, returns what a power cut could
// have left of them at any moment, and fails on request.
//
// It does not sync, because a test's machine keeps its power. It does not see the -shm file, which
// SQLite makes again after a power cut.
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

// Fault is a failure to come.
type Fault struct {
	Kind  Kind   // Write, Truncate, Sync, Open, Grow
	File  string // the file; "" is any
	Nth   int    // the number of the operation, from 1
	Code  int32  // the result for SQLite
	Lasts bool   // later ones fail too
	// Leaves is Drop or Clean: what a failed sync does to unsynced data. Zero keeps it for the next
	// sync.
	Leaves Kind
}

// Disk is the directory with the files of the VFS of this name. Its methods may be called while SQLite
// uses it.
type Disk struct {
	Name string
	vfs  uintptr

	mu     sync.Mutex
	log    []Op
	now    *volume
	fault  Fault
	counts map[Kind]int // since the call of Fail
	struck int          // the moment of the first failure, plus one
}

// New registers a VFS. Close it after the last database on it.
func New() *Disk {
	d := &Disk{now: newVolume(), counts: map[Kind]int{}}
	d.register()
	return d
}

// Moment is the number of operations so far. The power can be cut at a moment.
func (d *Disk) Moment() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.log)
}

// Fail sets a fault and starts to count for it.
func (d *Disk) Fail(f Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault, d.counts = f, map[Kind]int{}
}

// Struck is the moment just after the first failed operation, before its effect on the cache; false if
// nothing has failed yet.
func (d *Disk) Struck() (moment int, is bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.struck - 1, d.struck > 0
}

// Lift ends the fault.
func (d *Disk) Lift() { d.Fail(Fault{}) }

// Counts returns how often each kind of operation was about to happen to the file of the fault since
// the last call of Fail.
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

// Replay repeats all operations, so that the power can be cut at each moment.
func (d *Disk) Replay() *Replay {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &Replay{log: slices.Clone(d.log), volume: newVolume()}
}

// Replay is a disk on which all operations happen again.
type Replay struct {
	Lies   bool // syncs return before the data is on the disk
	log    []Op
	volume *volume
	moment int
}

// At returns an image of a moment. Moments must not go backwards.
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

// WriteTo writes an image into an empty directory.
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

// fails counts an operation that is about to happen to a file. It returns the result for SQLite if the
// operation is to fail, otherwise 0. The caller holds mu.
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

// opening records the content of a file before it is opened for the first time.
func (d *Disk) opening(path string) {
	if d.now.names[filepath.Base(path)] != nil {
		return
	}
	if content, err := os.ReadFile(path); err == nil { //nolint:gosec // the test's own file
		d.happens(Op{Kind: Found, File: filepath.Base(path), Data: content})
	}
}
