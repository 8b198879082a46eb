package tables

import (
	"io"
	"strings"
)

// CSVOptions say how a CSV file is written.
type CSVOptions struct {
	Delimiter byte // a comma where it is 0
	BOM       bool // begin with a byte order mark, so that Excel takes the file for UTF-8
	Raw       bool // write texts that look like formulas as they are, without Guard
}

// CSVWriter writes records as RFC 4180 says, in UTF-8, with CRLF. encoding/csv cannot: with
// CRLF it changes the line breaks inside a text.
type CSVWriter struct {
	to        io.Writer
	delimiter byte
	special   [256]bool // the bytes that make quotes necessary
	raw       bool
	buffer    []byte
}

// buffered is how many bytes a writer holds before it passes them on.
const buffered = 64 << 10

// NewCSVWriter returns a writer of CSV. Its Close passes the last bytes on.
func NewCSVWriter(to io.Writer, o CSVOptions) *CSVWriter {
	w := &CSVWriter{to: to, delimiter: o.Delimiter, raw: o.Raw}
	if w.delimiter == 0 {
		w.delimiter = ','
	}
	for _, b := range []byte{'"', '\r', '\n', w.delimiter} {
		w.special[b] = true
	}
	if o.BOM {
		w.buffer = append(w.buffer, bomUTF8...)
	}
	return w
}

// Write writes a record. A TextCell that looks like a formula is made harmless. Other cells
// are written as their Value says, so a number's decimal mark is the caller's; a DateCell
// without a Value is written in RFC 3339.
func (w *CSVWriter) Write(cells []Cell) error {
	for i := range cells {
		if i > 0 {
			w.buffer = append(w.buffer, w.delimiter)
		}
		w.cell(&cells[i], len(cells) == 1)
	}
	w.buffer = append(w.buffer, "\r\n"...)
	if len(w.buffer) >= buffered {
		return w.flush()
	}
	return nil
}

// cell appends one cell. An empty cell that is alone has quotes, because a blank line is no
// record.
func (w *CSVWriter) cell(c *Cell, alone bool) {
	text := c.Value
	switch c.Type {
	case TextCell:
		if !w.raw {
			text = Guard(text)
		}
	case DateCell:
		if text == "" {
			text = c.instant()
		}
	}
	if quoted := w.isSpecial(text) || alone && text == "" || startsFile(text); !quoted {
		w.buffer = append(w.buffer, text...)
		return
	}
	w.buffer = append(w.buffer, '"')
	for {
		before, after, found := strings.Cut(text, `"`)
		w.buffer = append(w.buffer, before...)
		if !found {
			break
		}
		w.buffer = append(w.buffer, `""`...)
		text = after
	}
	w.buffer = append(w.buffer, '"')
}

// isSpecial reports whether a text has a byte that makes quotes necessary.
func (w *CSVWriter) isSpecial(text string) bool {
	for i := range len(text) {
		if w.special[text[i]] {
			return true
		}
	}
	return false
}

// startsFile reports whether a text at the beginning of a file would say something about the
// file: a byte order mark, `sep=;`, JSON, a page of HTML or XML.
func startsFile(text string) bool {
	if text == "" {
		return false
	}
	switch text[0] {
	case '[', '{', '<', '%':
		return true
	case 's', 'S':
		return len(text) > 3 && strings.EqualFold(text[:4], "sep=")
	}
	return strings.HasPrefix(text, bomUTF8)
}

// Close writes what is left. It does not close the writer below.
func (w *CSVWriter) Close() error { return w.flush() }

func (w *CSVWriter) flush() error {
	_, err := w.to.Write(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}
