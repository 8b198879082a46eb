package file

import (
	"crypto/sha256"
	"encoding/binary"

	"daybook/db/sqlite/internal/cursor"
)

// observation is what the monitor saw of the file.
type observation struct {
	diskState
	copying  cursor.Copying
	underway bool   // a copy had begun and had not ended
	changes  uint32 // cursor.Conn.Changes
}

// remade reports whether the index of the log was overwritten since an earlier observation. Then its
// record of copies proves nothing. It is blank until SQLite makes it again at the next read.
func (s observation) remade(since observation) bool {
	return s.blank() || s.changes < since.changes
}

// blank reports an index that describes no log, or that was overwritten with zeros.
func (s observation) blank() bool { return s.copying.Salts == [2]uint32{} }

// diskState is the observed part of a file on the disk.
type diskState struct {
	size  int64
	head  [20]byte // never changes: the magic number and the page size
	pages [sha256.Size]byte
}

// observe reads the first page, the page of log_base, and the pages that lead to the end of journal_links.
// During a copy it sees some old and some new pages. The next observation allows for that, because it knows
// that the copy had not ended.
func (w *Monitor) observe() (s observation, err error) {
	for range 10 { // repeat if a copy changed the file meanwhile
		before, err := w.conn.Copying()
		if err != nil {
			return s, err
		}
		if s.diskState, err = w.observeDisk(); err != nil {
			return s, err
		}
		if s.changes, err = w.conn.Changes(); err != nil {
			return s, err
		}
		if s.copying, err = w.conn.Copying(); err != nil || s.copying == before {
			return s, err
		}
	}
	s.underway = true // old and new pages may be mixed
	return s, nil
}

func (w *Monitor) observeDisk() (d diskState, err error) {
	const deepest = 20 // more levels than any tree of pages has
	if d.size, err = w.conn.DiskSize(); err != nil {
		return d, err
	}
	sum, page := sha256.New(), make([]byte, w.page)
	if err := w.conn.ReadDisk(page, 0); err != nil {
		return d, err
	}
	d.head = [20]byte(page)
	sum.Write(page)
	if err := w.conn.ReadDisk(page, (w.note-1)*w.page); err != nil {
		return d, err
	}
	sum.Write(page)
	for next, depth := w.links, 0; next > 0 && depth < deepest; depth++ {
		if err := w.conn.ReadDisk(page, (next-1)*w.page); err != nil {
			return d, err
		}
		sum.Write(page)
		next = lastChild(page)
	}
	d.pages = [sha256.Size]byte(sum.Sum(nil))
	return d, nil
}

// lastChild is the last child of a page in a tree (SQLite, "Database File Format", 1.6), 0 for a leaf.
func lastChild(page []byte) int64 {
	const interiorIndex, interiorTable = 2, 5
	if page[0] == interiorIndex || page[0] == interiorTable {
		return int64(binary.BigEndian.Uint32(page[8:]))
	}
	return 0
}
