// Package wal reads write-ahead logs of SQLite from the disk ("WAL-mode File Format", section 2). It
// tells a damaged log from one whose end a power cut tore off. SQLite treats both as a log that ends
// there.
package wal

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
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

// Link is a link of the journal. The zero Link is none.
type Link struct {
	Through int64
	Hash    [32]byte
}

// Links are what a function finds in a page: the number of the newest link, the newest that an earlier
// transaction wrote, and the one that a transaction without entries follows. 0 is none.
type Links struct {
	Newest, Before int64
	Follows        Link
}

// add adds what another page of the same transaction shows.
func (l *Links) add(other Links) {
	l.Newest, l.Before = max(l.Newest, other.Newest), max(l.Before, other.Before)
	if other.Follows != (Link{}) {
		l.Follows = other.Follows
	}
}

// Content is a page of a database and the SHA-256 of its bytes.
type Content struct {
	Page int64
	Sum  [sha256.Size]byte
}

// Reading is the content of a log. Its links are those that a function finds in its pages.
type Reading struct {
	Damaged bool
	Damage  Damage    // if Damaged
	Applied int       // transactions that SQLite applies
	Before  int64     // the newest link from before these, as the pages of the first one with a link show it; 0 if they do not
	Follows Link      // the link that the first of these follows, if it shows it
	Visible int64     // the newest link in these without the last one, which a reader may not see yet
	Newest  int64     // the newest link in these
	Noted   Link      // the newest link that one of these follows
	Cookies [2]uint32 // the schema cookie at the beginning of these and at their end; 0 if the first one does not show it
	Last    Content   // a page that the last one wrote: a reader that sees it sees all of these
	Held    int64     // the newest link in all frames of the log; if its header is damaged, in all frames of the file
	Apart   bool      // the log lacks pages that the database lacks too
	Begun   bool      // SQLite has begun to copy the log: the database begins as one of its pages
}

// Database is the size of the database beside a log, without the log.
type Database struct {
	Page  int64  // bytes of a page; 0 if it cannot be read without its log, then it is as the log says
	Bytes int64  // of the file
	Start []byte // the first HeaderOfDatabase bytes of the file; empty if they cannot be read
}

// Read reads a log that no process writes, compares it with the size of the database beside it, and
// looks for damage. A power cut can tear only the last transaction, because each transaction is synced
// before the next one is written. So a frame with a wrong checksum was damaged later if two
// transactions follow it: the end of one, and the beginning of another.
//
// The checksum of a frame continues the checksum of the frame before it. Behind a damaged frame, Read
// compares each frame with the checksum written in the frame before it and with the computed one,
// because the damage may be in the checksum itself or in the salts.
func Read(log io.ReaderAt, size int64, beside Database, links func(page []byte) Links) (r Reading, err error) {
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
	cookie, begins := uint32(0), false // of the first page of the database, if a program of ours wrote that
	before, pending := previous{sum: h.sum, computed: h.sum, own: true}, Links{}
	for at := int64(HeaderSize); ; at += int64(len(frame)) {
		if _, err := io.ReadFull(frames, frame); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			r.Damaged = !ok || r.Damage.Transactions > 0 // SQLite syncs the header before it writes the first frame
			r.Apart = growth.apart()
			return r, nil
		} else if err != nil {
			return r, err
		}
		held := links(frame[FrameHeaderSize:])
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
		pending.add(held)
		if binary.BigEndian.Uint32(frame) == 1 {
			start := frame[FrameHeaderSize:][:HeaderOfDatabase]
			cookie, begins = 0, begins || bytes.Equal(start, beside.Start)
			if len(beside.Start) == HeaderOfDatabase && userVersion(start) != userVersion(beside.Start) { // a VACUUM keeps it
				cookie = binary.BigEndian.Uint32(start[40:])
			}
		}
		if now.commit && r.Damage.At == 0 {
			if r.Applied == 0 && (pending.Newest > 0 || pending.Follows != (Link{})) { // else another program wrote it
				r.Cookies = [2]uint32{cookie, cookie}
			}
			if r.Cookies[0] > 0 && cookie > 0 {
				r.Cookies[1] = cookie
			}
			r.Begun = r.Begun || begins
			cookie, begins = 0, false
			r.Applied++
			if r.Newest == 0 {
				r.Before = pending.Before
			}
			if r.Newest == 0 && r.Follows == (Link{}) {
				r.Follows = pending.Follows
			}
			if pending.Follows != (Link{}) {
				r.Noted = pending.Follows
			}
			r.Last = Content{int64(binary.BigEndian.Uint32(frame)), sha256.Sum256(frame[FrameHeaderSize:])}
			r.Visible, r.Newest, pending = r.Newest, max(r.Newest, pending.Newest), Links{}
		}
		before = now
	}
}

// userVersion returns the user_version in a header of a database.
func userVersion(start []byte) uint32 { return binary.BigEndian.Uint32(start[60:]) }

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
