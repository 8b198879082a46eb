package intake

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"slices"

	"daybook/internal/spool"
)

// A part of the rows is sorted in memory. It has at most so many rows and bytes.
const (
	rowsOfPart  = 1 << 15
	bytesOfPart = 8 << 20
)

// sorted has rows in a file. The file has several parts, and each part is sorted by key and line.
type sorted struct {
	file    *spool.File
	size    int64
	parts   []section
	part    []entry // that is being filled
	written []byte  // the records of the part
}

type section struct{ from, size int64 }

// entry is a row with its key.
type entry struct {
	key     Key
	line    int
	partial bool
	written []byte // the record
}

func (e *entry) compare(o *entry) int {
	if e.key != o.key {
		return slices.Compare(e.key[:], o.key[:])
	}
	return cmp.Compare(e.line, o.line)
}

func newSorted(folder spool.Folder) (*sorted, error) {
	file, err := folder.New()
	return &sorted{file: file}, err
}

func (s *sorted) close() error { return s.file.Close() }

// add adds a row, whose record it copies.
func (s *sorted) add(e entry) error {
	if len(s.part) == rowsOfPart || len(s.part) > 0 && len(s.written)+len(e.written) > bytesOfPart {
		if err := s.end(); err != nil {
			return err
		}
	}
	start := len(s.written)
	s.written = append(s.written, e.written...) // where that makes it larger, earlier entries keep the old memory
	e.written = s.written[start:]
	s.part = append(s.part, e)
	return nil
}

// headBytes is how long the head of a row is in the file: its key, its line, whether it is partial, and how long its
// record is.
const headBytes = 3*8 + 8 + 1 + 4

// end writes the part that is being filled.
func (s *sorted) end() error {
	if len(s.part) == 0 {
		return nil
	}
	slices.SortFunc(s.part, func(a, b entry) int { return a.compare(&b) })
	to, from := bufio.NewWriterSize(s.file, 64<<10), s.size
	var head [headBytes]byte
	for i := range s.part {
		e := &s.part[i]
		for k, v := range e.key {
			binary.LittleEndian.PutUint64(head[8*k:], uint64(v))
		}
		binary.LittleEndian.PutUint64(head[24:], uint64(e.line))
		head[32] = 0
		if e.partial {
			head[32] = 1
		}
		binary.LittleEndian.PutUint32(head[33:], uint32(len(e.written)))
		_, _ = to.Write(head[:]) // Flush returns the error
		_, _ = to.Write(e.written)
		s.size += headBytes + int64(len(e.written))
	}
	s.parts = append(s.parts, section{from, s.size - from})
	s.part, s.written = s.part[:0], s.written[:0]
	return to.Flush()
}

// groups yields the rows by key, all rows of a key together in the order of their lines. A group is valid until the
// next.
func (s *sorted) groups() iter.Seq2[[]entry, error] {
	s.part, s.written = nil, nil
	return func(yield func([]entry, error) bool) {
		parts, err := s.open()
		var group []entry
		for len(parts) > 0 && err == nil {
			first := parts[0]
			if len(group) > 0 && group[0].key != first.key {
				if !yield(group, nil) {
					return
				}
				group = group[:0]
			}
			group = take(group, &first.entry)
			if err = first.next(); errors.Is(err, io.EOF) {
				parts, err = parts[1:], nil
			}
			sink(parts)
		}
		if err != nil {
			yield(nil, err)
		} else if len(group) > 0 {
			yield(group, nil)
		}
	}
}

// open returns a reader of each part, sorted by what it has next.
func (s *sorted) open() (parts []*partReader, err error) {
	for _, p := range s.parts {
		r := &partReader{from: bufio.NewReaderSize(io.NewSectionReader(s.file, p.from, p.size), 64<<10)}
		err = cmp.Or(err, r.next())
		parts = append(parts, r)
	}
	slices.SortFunc(parts, (*partReader).compare)
	return parts, err
}

// take appends a copy of an entry, in the memory of an earlier one where there is one.
func take(group []entry, e *entry) []entry {
	group = slices.Grow(group, 1)
	group = group[:len(group)+1]
	last := &group[len(group)-1]
	*last = entry{e.key, e.line, e.partial, append(last.written[:0], e.written...)}
	return group
}

// sink moves the first part to its place among the others, which are sorted.
func sink(parts []*partReader) {
	for i := 1; i < len(parts) && parts[i].compare(parts[i-1]) < 0; i++ {
		parts[i], parts[i-1] = parts[i-1], parts[i]
	}
}

// partReader reads a part, and has its next entry.
type partReader struct {
	entry
	from *bufio.Reader
	head [headBytes]byte
}

func (r *partReader) compare(o *partReader) int { return r.entry.compare(&o.entry) }

// next reads the next entry. After the last it returns io.EOF.
func (r *partReader) next() error {
	if _, err := io.ReadFull(r.from, r.head[:]); err != nil {
		return err
	}
	for k := range r.key {
		r.key[k] = int64(binary.LittleEndian.Uint64(r.head[8*k:]))
	}
	r.line = int(binary.LittleEndian.Uint64(r.head[24:]))
	r.partial = r.head[32] != 0
	size := int(binary.LittleEndian.Uint32(r.head[33:]))
	r.written = slices.Grow(r.written[:0], size)[:size]
	_, err := io.ReadFull(r.from, r.written)
	return err
}
