package wal

import "encoding/binary"

// lockByte is the byte of a database in a page that SQLite never writes ("Database File Format", 1.6).
const lockByte = 1 << 30

// growth compares a log with the size of the database beside it. SQLite copies whole pages out of a log
// in the order of their numbers, and begins a log again only when it has copied all of it. So at any
// moment the log holds each page of its last transaction's database that the file does not reach. The
// file may be larger: a VACUUM makes the database smaller, and the file only when all is copied.
type growth struct {
	reaches int64              // pages in the file
	beyond  map[int64]struct{} // pages behind these in the log, in transactions that may be incomplete
	held    int                // those of complete transactions
	size    int64              // pages in the database after the last complete transaction; 0 if there is none
	lock    int64              // the page of lockByte
}

func (d Database) growth() growth {
	return growth{reaches: d.Bytes / d.Page, beyond: map[int64]struct{}{}, lock: lockByte/d.Page + 1}
}

// add takes the next frame that SQLite applies.
func (g *growth) add(frame []byte) {
	if page := int64(binary.BigEndian.Uint32(frame)); page > g.reaches {
		g.beyond[page] = struct{}{}
	}
	if size := int64(binary.BigEndian.Uint32(frame[4:])); size > 0 {
		g.size, g.held = size, len(g.beyond)
	}
}

// apart reports that the log lacks a page that the file does not reach.
func (g *growth) apart() bool {
	if g.size == 0 {
		return false
	}
	missing := g.size - g.reaches
	if g.reaches < g.lock && g.lock <= g.size {
		missing--
	}
	return int64(g.held) < missing
}
