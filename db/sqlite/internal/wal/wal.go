// Package wal reads write-ahead logs of SQLite from the disk ("WAL-mode File Format", section 2). It
// tells a damaged log from one whose end a power cut tore off. SQLite treats both as a log that ends
// there.
package wal

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// The sizes of the parts of a log in bytes.
const (
	HeaderSize      = 32
	FrameHeaderSize = 24

	// HeaderOfDatabase is the size of the header of a database ("Database File Format", 1.3).
	HeaderOfDatabase = 100
)

// The first number of a log gives the byte order of the words in its checksums.
const (
	magicLittle = 0x377f0682
	magicBig    = 0x377f0683
	version     = 3007000
)

// Header is the beginning of a log. Each frame of the log repeats its salts.
type Header struct {
	Page  int64 // bytes
	Salts [8]byte
	order binary.ByteOrder
	sum   sum
}

type sum [2]uint32

// ReadHeader reads the beginning of a log. It reports false if SQLite does not accept it.
func ReadHeader(b [HeaderSize]byte) (h Header, ok bool) {
	switch binary.BigEndian.Uint32(b[0:]) {
	case magicLittle:
		h.order = binary.LittleEndian
	case magicBig:
		h.order = binary.BigEndian
	default:
		return h, false
	}
	h.Page, h.Salts, h.sum = int64(binary.BigEndian.Uint32(b[8:])), [8]byte(b[16:24]), stored(b[24:])
	const least, most = 512, 65536
	size := h.Page >= least && h.Page <= most && h.Page&(h.Page-1) == 0
	return h, size && binary.BigEndian.Uint32(b[4:]) == version && h.next(sum{}, b[:24]) == h.sum
}

func stored(b []byte) sum {
	return sum{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])}
}

// next continues a checksum over more bytes. Their number is a multiple of eight.
func (h Header) next(s sum, b []byte) sum {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += h.order.Uint32(b) + s[1]
		s[1] += h.order.Uint32(b[4:]) + s[0]
	}
	return s
}

// Damage is the place where SQLite stops reading a log although stored transactions follow.
type Damage struct {
	At           int64 // byte of the log; 0 if the header is damaged
	Transactions int   // complete ones behind that place; there may be more
}

// Start is the header of a database, the first bytes of its first page. The zero Start is none.
type Start [HeaderOfDatabase]byte

// number returns user_version, which each transaction of this program changes.
func (s Start) number() uint32 { return binary.BigEndian.Uint32(s[60:]) }

// Sum stands for a header where a schema has no place for a note: the first transaction of a migration has
// it for its number.
func (s Start) Sum() uint32 { return crc32.ChecksumIEEE(s[:]) | 1 } // never 0

// cookie returns the schema cookie.
func (s Start) cookie() uint32 { return binary.BigEndian.Uint32(s[40:]) }

// NameSize is the size of the name of a log in bytes.
const NameSize = 8

// Note is what a transaction says of its log. The zero Note is none.
type Note struct {
	Base Start          // the header that the database had when the log was begun
	Log  [NameSize]byte // the name of the log
}

// Page is what a function finds in a page of a database: the number of the newest link of the journal, 0
// for none, and a note.
type Page struct {
	Newest int64
	Note
}

// Reading is the content of a log.
type Reading struct {
	Damaged bool
	Damage  Damage // if Damaged
	Applied int    // transactions that SQLite applies
	Newest  int64  // the newest link of the journal in these
	Held    int64  // the newest link in all frames of the log; if its header is damaged, in all frames of the file
	Base    Start  // the header of the database when the log was begun, if a transaction notes it
	Apart   bool   // the log lacks pages that the database lacks too
	Named   bool   // the log has the note of the database
	Summed  bool   // the number of the first transaction is the sum of the database's header
	Guest   bool   // the transactions that SQLite applies change only the Guests of the database
	Begun   bool   // SQLite has begun to copy the log: the database begins as one of its pages
	newest  Start  // the newest header in the log
}

// vacuums reports a transaction of another program that writes an older note again, at another place. It
// counts up the schema cookie, which the transactions of this program keep. before is the header before it
// in the log, if there is one; else that is the one it notes.
func (r Reading) vacuums(before Start) bool {
	if before == (Start{}) {
		before = r.Base
	}
	return r.newest.cookie() != before.cookie()
}

// Database is the database beside a log, without the log.
type Database struct {
	Page  int64 // bytes of a page; 0 if it cannot be read without its log, then it is as the log says
	Bytes int64 // of the file
	Start Start // zero if it cannot be read
	Note  Note  // zero if it cannot be read
	// Guests are the pages of small tables of other programs, one page each. No record is in them.
	Guests map[int64]bool
}

// guest reports a frame that changes only a page of Guests, and not how many pages there are.
func (d Database) guest(frame []byte) bool {
	const leaf = 0x0d // of a table: it refers to no other page, except for long records
	pages := int64(binary.BigEndian.Uint32(frame[4:]))
	return d.Guests[int64(binary.BigEndian.Uint32(frame))] && frame[FrameHeaderSize] == leaf && (pages == 0 || pages == d.Bytes/d.Page)
}

// Read reads a log that no process writes, compares it with the database beside it, and looks for
// damage. A power cut can tear only the last transaction, because each transaction is synced before the
// next one is written. So a frame with a wrong checksum was damaged later if two transactions follow it:
// the end of one, and the beginning of another.
//
// The checksum of a frame continues the checksum of the frame before it. Behind a damaged frame, Read
// compares each frame with the checksum written in the frame before it and with the computed one,
// because the damage may be in the checksum itself or in the salts.
func Read(log io.ReaderAt, size int64, beside Database, read func(page []byte) Page) (r Reading, err error) {
	var start [HeaderSize]byte
	if size <= HeaderSize {
		return r, nil
	}
	if _, err := log.ReadAt(start[:], 0); err != nil {
		return r, err
	}
	h, ok := ReadHeader(start)
	if beside.Page == 0 {
		if !ok {
			return r, nil
		}
		beside.Page = h.Page
	}
	ok = ok && h.Page == beside.Page
	growth := beside.growth()
	frames := io.NewSectionReader(log, HeaderSize, size-HeaderSize)
	frame := make([]byte, FrameHeaderSize+beside.Page)
	before := previous{sum: h.sum, computed: h.sum, own: true}
	pending := Reading{Guest: true} // of the transaction that is read
	for at := int64(HeaderSize); ; at += int64(len(frame)) {
		if _, err := io.ReadFull(frames, frame); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			r.Damaged = !ok || r.Damage.Transactions > 0 // SQLite syncs the header before it writes the first frame
			r.Apart = growth.apart()
			return r, nil
		} else if err != nil {
			return r, err
		}
		held := read(frame[FrameHeaderSize:])
		if !ok {
			r.Held = max(r.Held, held.Newest)
			continue
		}
		now, continues := h.follows(before, frame)
		if now.own {
			r.Held = max(r.Held, held.Newest)
		}
		switch {
		case !continues && r.Damage.At == 0:
			r.Damage.At = at
		case continues && r.Damage.At > 0 && before.commit:
			r.Damage.Transactions++
		}
		if r.Damage.At == 0 {
			growth.add(frame)
		}
		pending.Newest = max(pending.Newest, held.Newest)
		pending.Guest = pending.Guest && beside.guest(frame)
		if held.Note != (Note{}) {
			pending.Base, pending.Named = held.Base, pending.Named || held.Note == beside.Note
		}
		if binary.BigEndian.Uint32(frame) == 1 {
			start := Start(frame[FrameHeaderSize:][:HeaderOfDatabase])
			pending.Begun = pending.Begun || start == beside.Start && start.number() != 0 // an earlier build wrote none
			pending.newest = start
		}
		if now.commit && r.Damage.At == 0 {
			if r.Base == (Start{}) && !pending.vacuums(r.newest) {
				r.Base = pending.Base
			}
			if pending.newest != (Start{}) {
				r.Summed = r.Summed || r.newest == (Start{}) && pending.newest.number() == beside.Start.Sum()
				r.newest = pending.newest
			}
			r.Guest = pending.Guest && (r.Guest || r.Applied == 0)
			r.Applied++
			r.Newest, r.Begun, r.Named = max(r.Newest, pending.Newest), r.Begun || pending.Begun, r.Named || pending.Named
			pending = Reading{Guest: true}
		}
		before = now
	}
}

// previous is what Read remembers of the frame before.
type previous struct {
	sum      sum  // as written
	computed sum  // computed from the frames before it and its own bytes
	own      bool // it belongs to this log
	commit   bool // it ends a transaction
}

// follows reports whether a frame continues the one before it, and returns its own state.
func (h Header) follows(before previous, frame []byte) (now previous, continues bool) {
	from := func(s sum) sum { return h.next(h.next(s, frame[:8]), frame[FrameHeaderSize:]) }
	now = previous{
		sum: stored(frame[16:]), computed: from(before.computed),
		own: [8]byte(frame[8:16]) == h.Salts, commit: binary.BigEndian.Uint32(frame[4:]) != 0,
	}
	continues = now.own && (now.computed == now.sum || before.own && from(before.sum) == now.sum)
	if continues {
		now.computed = now.sum
	}
	return now, continues
}
