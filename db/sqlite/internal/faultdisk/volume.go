package faultdisk

import (
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
)

// Sector is the number of bytes that a disk writes completely or not at all.
const Sector = 512

// Kind is the kind of an operation on a file.
type Kind int

// The kinds.
const (
	Found    Kind = iota // it existed, with its content, before the disk was watched
	Create               // it was created empty
	Write                // Data was written at Offset
	Truncate             // it was cut to Size
	Sync                 // fsync returned without error
	Drop                 // fsync failed; the cache dropped the unsynced data
	Clean                // fsync failed; the cache kept the unsynced data and will not write it again
	Delete               // it was removed
	Open                 // it was opened; used only for faults
	Grow                 // it would become larger, as on a full disk; used only for faults
)

// Op is one operation on a file of a volume.
type Op struct {
	Kind   Kind
	File   string // its name in the one directory
	Offset int64
	Data   []byte
	Size   int64
	Dir    bool // the directory was synced after it
}

// Survival says what a power cut leaves of unsynced data.
type Survival int

// The survivals.
const (
	None    Survival = iota // nothing
	All                     // everything
	Sectors                 // of each file: nothing, everything, or an earlier state of each sector
)

// volume is a directory on a disk with a cache before it.
//
// The assumptions: a sync makes a file's content and size durable, not its
// name. Until then each sector on the disk, and the size, has its state of some moment
// since the last sync, independently of the others; the new part of a larger file
// reads as zeros. Creations and removals reach the disk in their order, and are
// durable when the directory is synced.
type volume struct {
	names   map[string]*inode // as programs see the directory
	durable map[string]*inode // as of the last sync
	moves   []move            // since then
}

// move gives a name to an inode, or removes the name if the inode is nil.
type move struct {
	name  string
	inode *inode
}

func newVolume() *volume {
	return &volume{names: map[string]*inode{}, durable: map[string]*inode{}}
}

// apply applies the operation.
func (v *volume) apply(op Op) {
	file := v.names[op.File]
	switch op.Kind {
	case Found:
		found := &inode{disk: slices.Clone(op.Data), base: slices.Clone(op.Data), live: slices.Clone(op.Data)}
		v.names[op.File], v.durable[op.File] = found, found
	case Create:
		created := &inode{}
		v.names[op.File] = created
		v.moves = append(v.moves, move{op.File, created})
	case Write:
		file.write(op.Offset, op.Data)
	case Truncate:
		file.truncate(op.Size)
	case Sync:
		file.sync()
	case Drop:
		file.drop()
	case Clean:
		file.clean()
	case Delete:
		delete(v.names, op.File)
		v.moves = append(v.moves, move{op.File, nil})
	case Open: // changes nothing
	}
	if op.Dir {
		v.durable, v.moves = maps.Clone(v.names), nil
	}
}

// image returns the files as a power cut could leave them now.
func (v *volume) image(s Survival, chance *rand.Rand) map[string][]byte {
	names := maps.Clone(v.durable)
	for _, m := range v.moves[:len(v.moves)-lost(len(v.moves), s, chance)] {
		if m.inode == nil {
			delete(names, m.name)
		} else {
			names[m.name] = m.inode
		}
	}
	files := make(map[string][]byte, len(names))
	for name, file := range names {
		files[name] = file.image(s, chance)
	}
	return files
}

// lost returns how many of the last n operations did not reach the disk.
func lost(n int, s Survival, chance *rand.Rand) int {
	switch s {
	case None:
		return n
	case All:
		return 0
	}
	return chance.IntN(n + 1)
}

// inode is a file, with or without a name.
type inode struct {
	disk     []byte   // certainly on the disk
	base     []byte   // the content at the last sync; if that failed, disk does not have all of it
	live     []byte   // the content as programs see it
	unsynced []change // the changes from base to live
}

// change is new bytes for a range, or zeros if data is nil, and the size of the file after that.
type change struct {
	from, to int64
	data     []byte
	size     int64
}

func (f *inode) write(at int64, data []byte) {
	end := at + int64(len(data))
	f.change(change{at, end, data, max(int64(len(f.live)), end)})
}

func (f *inode) truncate(size int64) {
	f.change(change{size, max(size, int64(len(f.live))), nil, size})
}

func (f *inode) change(c change) {
	f.live = resize(f.live, max(int64(len(f.live)), c.to))
	c.put(f.live, c.from, c.to)
	f.live = resize(f.live, c.size)
	f.unsynced = append(f.unsynced, c)
}

// sync writes the sectors that changed since the last sync to the disk.
func (f *inode) sync() {
	f.disk = resize(f.disk, int64(len(f.live)))
	for _, c := range f.unsynced {
		for sector := range c.sectors() {
			copySector(f.disk, f.live, sector)
		}
	}
	f.base, f.unsynced = slices.Clone(f.live), nil
}

// clean makes the cache treat unsynced data as synced.
func (f *inode) clean() { f.base, f.unsynced = slices.Clone(f.live), nil }

// drop reads the sectors that changed since the last sync back from the disk.
func (f *inode) drop() {
	f.live = resize(f.live, int64(len(f.disk)))
	for _, c := range f.unsynced {
		for sector := range c.sectors() {
			copySector(f.live, f.disk, sector)
		}
	}
	f.clean()
}

// image returns the content as a power cut could leave it now.
func (f *inode) image(s Survival, chance *rand.Rand) []byte {
	if s == Sectors {
		s = []Survival{None, All, Sectors, Sectors}[chance.IntN(4)]
	}
	n := len(f.unsynced)
	content, size := slices.Clone(f.disk), int64(len(f.disk))
	sized := n - lost(n, s, chance)
	seen := map[int64]int{} // how many changes of each sector reached the disk
	for i, c := range f.unsynced {
		content = resize(content, max(int64(len(content)), c.to))
		for sector := range c.sectors() {
			reached, known := seen[sector]
			if !known {
				reached = n - lost(n, s, chance)
				seen[sector] = reached
			}
			if i >= reached {
				continue
			}
			if !known {
				copySector(content, f.base, sector)
			}
			c.put(content, sector*Sector, (sector+1)*Sector)
		}
		if i < sized {
			size = c.size
		}
	}
	return resize(content, size)
}

// sectors yields the numbers of the sectors that the change touches.
func (c change) sectors() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for sector := c.from / Sector; sector*Sector < c.to; sector++ {
			if !yield(sector) {
				return
			}
		}
	}
}

// put applies the part of the change between from and to.
func (c change) put(content []byte, from, to int64) {
	from, to = max(from, c.from), min(to, c.to)
	if c.data == nil {
		clear(content[from:to])
	} else {
		copy(content[from:to], c.data[from-c.from:])
	}
}

// copySector copies a sector from one content to another, up to the end of the target. Beyond the end
// of the source it writes zeros.
func copySector(to, from []byte, sector int64) {
	part := func(b []byte) []byte {
		size := int64(len(b))
		return b[min(sector*Sector, size):min((sector+1)*Sector, size)]
	}
	target := part(to)
	clear(target[copy(target, part(from)):])
}

// resize truncates the content, or extends it with zeros.
func resize(content []byte, size int64) []byte {
	if size <= int64(len(content)) {
		return content[:size]
	}
	return append(content, make([]byte, size-int64(len(content)))...)
}
