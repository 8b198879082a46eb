package tables

import (
	"bufio"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
)

// textTable holds the shared texts of a workbook: in memory while they are small, and beyond
// that in two temporary files, so that memory does not grow with them.
type textTable struct {
	count int
	texts store // one after the other
	ends  store // where each text ends, in eight bytes
}

// store is bytes that grow at the end and are read anywhere.
type store struct {
	memory []byte
	file   *os.File
	writer *bufio.Writer
	size   int64
}

// inMemory is how many bytes of shared texts, and of their ends, stay in memory.
const inMemory = 16 << 20

// readTexts reads the part with the shared texts.
func readTexts(a *archive, name, dir string) (*textTable, error) {
	t := &textTable{}
	err := a.each(name, func(start xml.StartElement, m *markup) error {
		if start.Name.Local != "si" {
			return nil
		}
		text, err := m.rich("si")
		if err != nil {
			return err
		}
		return t.add(text, dir)
	})
	if err == nil {
		err = errors.Join(t.texts.flush(), t.ends.flush())
	}
	if err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

func (t *textTable) add(text, dir string) error {
	if err := t.texts.append([]byte(text), dir); err != nil {
		return err
	}
	t.count++
	return t.ends.append(binary.LittleEndian.AppendUint64(nil, uint64(t.texts.size)), dir)
}

// at returns a text by its number, from 0. It reports false where there is none.
func (t *textTable) at(i int) (string, bool, error) {
	if t == nil || i < 0 || i >= t.count {
		return "", false, nil
	}
	var ends [16]byte
	from := ends[8:]
	if i > 0 {
		from = ends[:]
	}
	if err := t.ends.readAt(from, int64(i+1)*8-int64(len(from))); err != nil {
		return "", false, err
	}
	start, end := binary.LittleEndian.Uint64(ends[:8]), binary.LittleEndian.Uint64(ends[8:])
	text := make([]byte, end-start)
	err := t.texts.readAt(text, int64(start))
	return string(text), true, err
}

func (t *textTable) close() error { return errors.Join(t.texts.close(), t.ends.close()) }

func (s *store) append(b []byte, dir string) error {
	s.size += int64(len(b))
	if s.file == nil && s.size <= inMemory {
		s.memory = append(s.memory, b...)
		return nil
	}
	if s.file == nil {
		file, err := os.CreateTemp(dir, "daybook-texts-*")
		if err != nil {
			return err
		}
		// Where an open file can be removed, nothing remains of it after a kill.
		_ = os.Remove(file.Name())
		s.file, s.writer = file, bufio.NewWriterSize(file, 64<<10)
		if _, err := s.writer.Write(s.memory); err != nil {
			return err
		}
		s.memory = nil
	}
	_, err := s.writer.Write(b)
	return err
}

func (s *store) flush() error {
	if s.writer == nil {
		return nil
	}
	return s.writer.Flush()
}

func (s *store) readAt(b []byte, at int64) error {
	if s.file == nil {
		copy(b, s.memory[at:])
		return nil
	}
	_, err := s.file.ReadAt(b, at)
	if errors.Is(err, io.EOF) && len(b) == 0 {
		return nil
	}
	return err
}

func (s *store) close() error {
	s.memory = nil
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if removed := os.Remove(s.file.Name()); removed != nil && !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}

// rich reads a text with its runs to the end of the element, without the notes on
// pronunciation.
func (m *markup) rich(end string) (string, error) {
	var b strings.Builder
	for {
		token, err := m.inside()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				text, err := m.text()
				if err != nil {
					return "", err
				}
				b.WriteString(text)
			case "rPh":
				if err := m.skip(); err != nil {
					return "", err
				}
			}
		case xml.EndElement:
			if t.Name.Local == end {
				return unescape(b.String()), nil
			}
		}
		if b.Len() > maxToken {
			return "", m.explain(errLongToken)
		}
	}
}
