package cursor

import (
	"cmp"
	"sync/atomic"
	"unsafe"
)

// The blocks of the index of the write-ahead log (SQLite, "WAL-mode File Format", 2.2 and
// 2.3). A block has the page number of each frame, and a hash table in which a page finds its
// frames. The first block begins with the header and holds fewer frames.
const (
	blockPages  = 4096
	blockSlots  = 2 * blockPages
	headerSize  = 136
	firstPages  = blockPages - headerSize/4
	slotsAt     = 4 * blockPages
	hashOfPages = 383
)

// IndexWhole reports whether each committed frame can be found by its page in the index of the
// write-ahead log. SQLite does not check that: if it does not find a page, it takes it as not in the
// log and reads an older one from the database. Only the header of the index has a checksum.
func (c *Conn) IndexWhole() (whole bool, err error) {
	database, err := c.database()
	if err != nil {
		return false, err
	}
	var wrong error
	err = mapped(func() { whole, wrong = database.findsFrames() })
	return whole, cmp.Or(wrong, err)
}

func (h handle) findsFrames() (bool, error) {
	for range 10 { // repeat if another process restarts the log meanwhile
		first, err := h.block(0)
		if err != nil || first == 0 {
			return false, err
		}
		before, settled := first.log()
		if !settled {
			continue
		}
		whole, err := h.finds(int(before.frames))
		if after, settled := first.log(); err == nil && (!settled || after.salts != before.salts) {
			continue
		}
		return whole, err
	}
	return true, nil // the log changes all the time; the next check will tell
}

// finds looks up that many frames.
func (h handle) finds(frames int) (bool, error) {
	for number := int32(0); frames > 0; number++ {
		block, err := h.block(number)
		if err != nil || block == 0 {
			return false, err
		}
		pages, most := uintptr(block), blockPages
		if number == 0 {
			pages, most = pages+headerSize, firstPages
		}
		n := min(frames, most)
		page := unsafe.Slice((*uint32)(at(pages)), n)                            //nolint:gosec // SQLite gives the length
		slots := unsafe.Slice((*uint16)(at(uintptr(block)+slotsAt)), blockSlots) //nolint:gosec // the size of a block
		if !lookUp(page, slots) {
			return false, nil
		}
		frames -= n
	}
	return true, nil
}

// lookUp looks up each page of a block as SQLite does, from the slot of its hash to the next empty
// slot. One of the slots must have the number of its frame, counted from 1.
func lookUp(pages []uint32, slots []uint16) bool {
	for i := range pages {
		page := atomic.LoadUint32(&pages[i])
		found := false
		for slot, n := page*hashOfPages%blockSlots, 0; n < blockSlots && !found; slot, n = (slot+1)%blockSlots, n+1 {
			frame := slots[slot]
			if frame == 0 {
				break
			}
			found = int(frame) == i+1
		}
		if page == 0 || !found {
			return false
		}
	}
	return true
}

// block returns the address of a block of the index, 0 if there is none.
func (h handle) block(number int32) (index, error) {
	c := h.conn
	out := c.tls.Alloc(int(unsafe.Sizeof(h.file)))
	defer c.tls.Free(int(unsafe.Sizeof(h.file)))
	err := c.ok(function[shmMapFunc](h.methods.FxShmMap)(c.tls, h.file, number, region, 0, out))
	return index(*(*uintptr)(at(out))), err
}
