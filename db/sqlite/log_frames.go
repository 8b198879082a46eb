package sqlite

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"

	"daybook/internal/disk"
)

// Sizes in a write-ahead log, in bytes (SQLite, "Database File Format", 4.1).
const (
	logHeader   = 32
	frameHeader = 24
)

// brokenLog reports a log that was damaged behind a commit that was on the disk. SQLite takes
// the first frame with a wrong checksum for the end of the log, as a power cut leaves it. But a
// commit is synced before the next transaction is written: where frames of a later one follow,
// in the same chain of checksums, what is wrong was whole once.
func (f file) brokenLog() (bool, error) {
	for range 2 { // what a server appends meanwhile may be seen half the first time
		if broken, err := f.walkLog(); err != nil || !broken {
			return false, err
		}
	}
	return true, nil
}

func (f file) walkLog() (broken bool, err error) {
	file, err := disk.Open(f.path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	log := bufio.NewReaderSize(file, 1<<20)
	var w logWalk
	if more, err := w.begin(log); err != nil || !more {
		return false, err
	}
	for !w.damaged {
		if more, err := w.next(log); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// logWalk goes through the frames of a log.
type logWalk struct {
	order     binary.ByteOrder
	salts     [8]byte
	salted    bool
	sums      [2]checksum // what the next frame may continue: what is written, and what is computed
	broken    bool        // a checksum was wrong
	committed bool        // since then
	damaged   bool        // and a frame of another transaction followed
	frame     []byte
}

// checksum is that of SQLite's log, of all before it.
type checksum [2]uint32

func (c checksum) of(order binary.ByteOrder, data []byte) checksum {
	for ; len(data) >= 8; data = data[8:] {
		c[0] += order.Uint32(data) + c[1]
		c[1] += order.Uint32(data[4:]) + c[0]
	}
	return c
}

func written(at []byte) checksum {
	return checksum{binary.BigEndian.Uint32(at), binary.BigEndian.Uint32(at[4:])}
}

// begin reads the header; false where there is none, or it cannot be followed.
func (w *logWalk) begin(log io.Reader) (bool, error) {
	var header [logHeader]byte
	if more, err := full(log, header[:]); err != nil || !more {
		return false, err
	}
	w.order = binary.LittleEndian
	if header[3]&1 != 0 {
		w.order = binary.BigEndian
	}
	size := binary.BigEndian.Uint32(header[8:])
	if size < 512 || size > 65536 || size&(size-1) != 0 {
		return false, nil
	}
	w.frame = make([]byte, frameHeader+size)
	stored, computed := written(header[24:]), checksum{}.of(w.order, header[:24])
	w.sums = [2]checksum{stored, computed}
	w.broken = stored != computed
	if !w.broken {
		w.salts, w.salted = [8]byte(header[16:24]), true
	}
	return true, nil
}

// next reads a frame; false at the end of the log.
func (w *logWalk) next(log io.Reader) (bool, error) {
	if more, err := full(log, w.frame); err != nil || !more {
		return false, err
	}
	salts := [8]byte(w.frame[8:16])
	if !w.salted {
		w.salts, w.salted = salts, true
	}
	stored := written(w.frame[16:])
	whole := false
	for _, sum := range w.sums {
		whole = whole || sum.of(w.order, w.frame[:8]).of(w.order, w.frame[frameHeader:]) == stored
	}
	whole = whole && salts == w.salts
	if !whole && w.broken {
		return false, nil // nothing continues what was wrong
	}
	w.damaged = whole && w.broken && w.committed
	w.broken = w.broken || !whole
	commits := salts == w.salts && binary.BigEndian.Uint32(w.frame[4:]) != 0
	w.committed = w.committed || w.broken && commits
	computed := w.sums[0].of(w.order, w.frame[:8]).of(w.order, w.frame[frameHeader:])
	w.sums = [2]checksum{stored, computed}
	return true, nil
}

// full fills a buffer; false where the log ends before.
func full(log io.Reader, into []byte) (bool, error) {
	_, err := io.ReadFull(log, into)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return false, nil
	}
	return err == nil, err
}
