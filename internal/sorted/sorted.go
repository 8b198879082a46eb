// Package sorted puts many rows in the order of their keys: it sorts parts of them in memory, keeps the parts in a file,
// and merges these as it gives them back. So the memory does not grow with the rows.
//
// It must not know what a row is.
package sorted

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

// Key orders rows.
type Key [3]int64

// Rows are rows in a file. The file has several parts, and each part is sorted by key and line.
type Rows struct {
	file    *spool.File
	size    int64
	parts   []section
	part    []Entry // that is being filled
	written []byte  // the records of the part
}

type section struct{ from, size int64 }

// Entry is a row with its key.
type Entry struct {
	Key     Key
	Line    int
	Mark    byte // for the caller
	Written []byte
}

func (e *Entry) compare(o *Entry) int {
	if e.Key != o.Key {
		return slices.Compare(e.Key[:], o.Key[:])
	}
	return cmp.Compare(e.Line, o.Line)
}

// New returns no rows.
func New(folder spool.Folder) (*Rows, error) {
	file, err := folder.New()
	return &Rows{file: file}, err
}

// Close removes the rows.
func (s *Rows) Close() error { return s.file.Close() }

// Add adds a row, whose record it copies.
func (s *Rows) Add(e Entry) error {
	if len(s.part) == rowsOfPart || len(s.part) > 0 && len(s.written)+len(e.Written) > bytesOfPart {
		if err := s.End(); err != nil {
			return err
		}
	}
	start := len(s.written)
	s.written = append(s.written, e.Written...) // where that makes it larger, earlier entries keep the old memory
	e.Written = s.written[start:]
	s.part = append(s.part, e)
	return nil
}

// headBytes is how long the head of a row is in the file: its key, its line, its mark, and how long its
// record is.
const headBytes = 3*8 + 8 + 1 + 4

// End writes the part that is being filled. No row is added after it.
func (s *Rows) End() error {
	if len(s.part) == 0 {
		return nil
	}
	slices.SortFunc(s.part, func(a, b Entry) int { return a.compare(&b) })
	to, from := bufio.NewWriterSize(s.file, 64<<10), s.size
	var head [headBytes]byte
	for i := range s.part {
		e := &s.part[i]
		for k, v := range e.Key {
			binary.LittleEndian.PutUint64(head[8*k:], uint64(v))
		}
		binary.LittleEndian.PutUint64(head[24:], uint64(e.Line))
		head[32] = e.Mark
		binary.LittleEndian.PutUint32(head[33:], uint32(len(e.Written)))
		_, _ = to.Write(head[:]) // Flush returns the error
		_, _ = to.Write(e.Written)
		s.size += headBytes + int64(len(e.Written))
	}
	s.parts = append(s.parts, section{from, s.size - from})
	s.part, s.written = s.part[:0], s.written[:0]
	return to.Flush()
}

// Groups yields the rows by key, all rows of a key together in the order of their lines. A group is valid until the
// next.
func (s *Rows) Groups() iter.Seq2[[]Entry, error] {
	s.part, s.written = nil, nil
	return func(yield func([]Entry, error) bool) {
		parts, err := s.open()
		var group []Entry
		for len(parts) > 0 && err == nil {
			first := parts[0]
			if len(group) > 0 && group[0].Key != first.Key {
				if !yield(group, nil) {
					return
				}
				group = group[:0]
			}
			group = take(group, &first.Entry)
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
func (s *Rows) open() (parts []*partReader, err error) {
	for _, p := range s.parts {
		r := &partReader{from: bufio.NewReaderSize(io.NewSectionReader(s.file, p.from, p.size), 64<<10)}
		err = cmp.Or(err, r.next())
		parts = append(parts, r)
	}
	slices.SortFunc(parts, (*partReader).compare)
	return parts, err
}

// take appends a copy of an entry, in the memory of an earlier one where there is one.
func take(group []Entry, e *Entry) []Entry {
	group = slices.Grow(group, 1)
	group = group[:len(group)+1]
	last := &group[len(group)-1]
	*last = Entry{e.Key, e.Line, e.Mark, append(last.Written[:0], e.Written...)}
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
	Entry
	from *bufio.Reader
	head [headBytes]byte
}

func (r *partReader) compare(o *partReader) int { return r.Entry.compare(&o.Entry) }

// next reads the next entry. After the last it returns io.EOF.
func (r *partReader) next() error {
	if _, err := io.ReadFull(r.from, r.head[:]); err != nil {
		return err
	}
	for k := range r.Key {
		r.Key[k] = int64(binary.LittleEndian.Uint64(r.head[8*k:]))
	}
	r.Line = int(binary.LittleEndian.Uint64(r.head[24:]))
	r.Mark = r.head[32]
	size := int(binary.LittleEndian.Uint32(r.head[33:]))
	r.Written = slices.Grow(r.Written[:0], size)[:size]
	_, err := io.ReadFull(r.from, r.Written)
	return err
}
