package cursor

import (
	"cmp"
	"encoding/binary"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/db/sqlite/internal/wal"
)

// Places in the header of the index of the write-ahead log, in bytes (SQLite, "WAL-mode File
// Format", 2.1).
const (
	framesAt    = 16
	indexHeader = 48 // there are two copies
)

// LogWhole reports whether the write-ahead log on the disk can hold what its index says: it has a
// complete header with the right salts, and is long enough for the committed pages. SQLite does not
// check that: it appends to a truncated log, and copies zeros from it.
//
// It reads through the file that SQLite has open, as ReadDisk does.
func (c *Conn) LogWhole(page int64) (bool, error) {
	index, err := c.index()
	if err != nil {
		return false, err
	}
	log, err := c.handle(sqlite3.SQLITE_FCNTL_JOURNAL_POINTER)
	if err != nil {
		return false, err
	}
	var whole bool
	var wrong error
	err = mapped(func() { whole, wrong = index.describes(log, page) })
	return whole, cmp.Or(wrong, err)
}

// describes compares the log with its index.
func (i index) describes(log handle, page int64) (bool, error) {
	for range 10 { // repeat if another process restarts the log meanwhile
		before, settled := i.log()
		if !settled {
			continue
		}
		if before.frames == 0 {
			return true, nil
		}
		size, err := log.size()
		if err != nil {
			return false, err
		}
		var start [wal.HeaderSize]byte
		if err := log.read(start[:], 0); err != nil {
			return false, err
		}
		if after, settled := i.log(); !settled || after.salts != before.salts {
			continue
		}
		header, whole := wal.ReadHeader(start)
		salts := [2]uint32{binary.NativeEndian.Uint32(header.Salts[:]), binary.NativeEndian.Uint32(header.Salts[4:])}
		return whole && header.Page == page && salts == before.salts &&
			size >= wal.HeaderSize+int64(before.frames)*(page+wal.FrameHeaderSize), nil
	}
	return true, nil // the log changes all the time; the next check will tell
}

// logged is what the index says about the log.
type logged struct {
	salts  [2]uint32
	frames uint32 // committed, one page each
}

// log reads the header of the index. settled is false while a process writes it: it writes the second
// copy first.
func (i index) log() (l logged, settled bool) {
	l = i.logged(0)
	return l, l == i.logged(indexHeader)
}

func (i index) logged(header uintptr) logged {
	return logged{
		salts:  [2]uint32{i.word(header + saltsAt), i.word(header + saltsAt + 4)},
		frames: i.word(header + framesAt),
	}
}
