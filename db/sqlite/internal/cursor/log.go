package cursor

import (
	"cmp"
	"encoding/binary"

	sqlite3 "modernc.org/sqlite/lib"
)

// Sizes and places in the write-ahead log and in the header of its index, in bytes (SQLite,
// "WAL-mode File Format", 2.1; "Database File Format", 4.1).
const (
	logHeader   = 32
	frameHeader = 24
	logSaltsAt  = 16
	framesAt    = 16
	indexHeader = 48 // is there twice
)

// LogWhole reports whether the write-ahead log on the disk can hold what its index says that
// it holds: it has the header of this log, and is long enough for the committed pages. SQLite
// does not look: it appends to a log that was cut off, and copies zeros from it.
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
	for range 10 { // another process may start the log again meanwhile
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
		var header [logHeader]byte
		if err := log.read(header[:], 0); err != nil {
			return false, err
		}
		if after, settled := i.log(); !settled || after.salts != before.salts {
			continue
		}
		if !begins(header, page) {
			return false, nil
		}
		salts := [2]uint32{binary.NativeEndian.Uint32(header[logSaltsAt:]), binary.NativeEndian.Uint32(header[logSaltsAt+4:])}
		return salts == before.salts && size >= logHeader+int64(before.frames)*(page+frameHeader), nil
	}
	return true, nil // it is in use all the time, and the next look tells
}

// begins reports whether the header of a log is one that SQLite reads: otherwise it takes the
// log for empty when it is opened again.
func begins(header [logHeader]byte, page int64) bool {
	const magic, version = 0x377f0682, 3007000 // the last bit of the first says in which order words are summed up
	word := func(at int) uint32 { return binary.BigEndian.Uint32(header[at:]) }
	var order binary.ByteOrder = binary.LittleEndian
	if word(0)&1 != 0 {
		order = binary.BigEndian
	}
	var a, b uint32
	for at := 0; at < 24; at += 8 {
		a += order.Uint32(header[at:]) + b
		b += order.Uint32(header[at+4:]) + a
	}
	return word(0)&^1 == magic && word(4) == version && int64(word(8)) == page && word(24) == a && word(28) == b
}

// logged is what the index says of the log.
type logged struct {
	salts  [2]uint32
	frames uint32 // committed, one page each
}

// log reads the header of the index. settled is false while a process writes it: it writes
// the second copy first.
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
