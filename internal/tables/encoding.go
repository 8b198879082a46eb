package tables

import (
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Encoding is how the bytes of a text file say characters.
type Encoding string

// The encodings. Windows1252 is never found, only asked for: its bytes say nothing about it.
// A cell whose bytes break the encoding is a BrokenCell, and the evidence for the question.
const (
	UTF8        Encoding = "utf-8"
	UTF16LE     Encoding = "utf-16le"
	UTF16BE     Encoding = "utf-16be"
	Windows1252 Encoding = "windows-1252"
)

// The byte order marks.
const (
	bomUTF8    = "\xEF\xBB\xBF"
	bomUTF16LE = "\xFF\xFE"
	bomUTF16BE = "\xFE\xFF"
)

// encodingOf returns the encoding that the first bytes of a text say: by a byte order mark, or
// by zeros in every other byte, which a text in another encoding does not have.
func encodingOf(head []byte) Encoding {
	switch {
	case bytes.HasPrefix(head, []byte(bomUTF8)):
		return UTF8
	case bytes.HasPrefix(head, []byte(bomUTF16LE)):
		return UTF16LE
	case bytes.HasPrefix(head, []byte(bomUTF16BE)):
		return UTF16BE
	}
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	switch half := (len(head) + 3) / 4; { // of the bytes at even or odd places
	case half == 0:
	case zeros[0] == 0 && zeros[1] >= half:
		return UTF16LE
	case zeros[1] == 0 && zeros[0] >= half:
		return UTF16BE
	}
	return UTF8
}

// decoded returns bytes of an encoding as UTF-8, without the byte order mark. Bytes that break
// UTF-8 stay as they are; those that break another encoding become U+FFFD.
func decoded(source io.ReaderAt, size int64, e Encoding) io.Reader {
	var mark string
	var decoder transform.Transformer
	switch e {
	case UTF16LE:
		mark, decoder = bomUTF16LE, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder()
	case UTF16BE:
		mark, decoder = bomUTF16BE, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder()
	case Windows1252:
		decoder = charmap.Windows1252.NewDecoder()
	default:
		mark = bomUTF8
	}
	start := make([]byte, len(mark))
	if n, _ := source.ReadAt(start, 0); n < len(mark) || string(start) != mark {
		mark = ""
	}
	var r io.Reader = io.NewSectionReader(source, int64(len(mark)), size-int64(len(mark)))
	if decoder != nil {
		r = transform.NewReader(r, decoder)
	}
	return r
}

// shown is a text to show. One that is not in UTF-8 is most often in Windows-1252.
func shown(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	s, _ = charmap.Windows1252.NewDecoder().String(s) // has a character for every byte
	return s
}

// text returns the file's characters in an encoding, by default its own. A byte order mark says more than the encoding
// that is asked for: the file was saved in another one since.
func (f *File) text(e Encoding) (io.Reader, Encoding) {
	start := make([]byte, len(bomUTF8))
	n, _ := f.source.ReadAt(start, 0)
	if marked := bytes.HasPrefix(start[:n], []byte(bomUTF8)); e == "" || marked {
		e = f.Encoding
	}
	return decoded(f.source, f.size, e), e
}
