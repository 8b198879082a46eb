package tables

import (
	"bytes"
	"io"
	"regexp"
)

// A foreign is a format that people take for a table.
type foreign struct {
	magic, advice string
}

var foreigners = []foreign{
	{"%PDF-", "The file is a PDF. Export the table as XLSX or CSV where the PDF comes from."},
	{"\x1F\x8B", "The file is compressed with gzip. Unpack it first."},
	{"BZh", "The file is compressed with bzip2. Unpack it first."},
	{"\xFD7zXZ\x00", "The file is compressed with xz. Unpack it first."},
	{"\x28\xB5\x2F\xFD", "The file is compressed with zstd. Unpack it first."},
	{"7z\xBC\xAF\x27\x1C", "The file is a 7z archive. Unpack it first."},
	{"Rar!\x1A\x07", "The file is a RAR archive. Unpack it first."},
	{"SQLite format 3\x00", "The file is an SQLite database. Export the table as CSV."},
	{"PAR1", "The file is in the Parquet format. Export the table as CSV."},
	{"\x09\x00\x04\x00", adviceXLS}, {"\x09\x02\x06\x00", adviceXLS}, {"\x09\x04\x06\x00", adviceXLS}, // Excel 2 to 4
}

const (
	adviceXLS       = "The file is a workbook of Excel 97-2003 (.xls). Open it and save it as .xlsx."
	adviceEncrypted = "The workbook is protected by a password. Open it, remove the password and save it again."
	magicOLE        = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"
	magicZip        = "PK"
)

var (
	page       = regexp.MustCompile(`^(?i)<(!doctype html|html|head|body|table|meta|style)\b`)
	sheet2003  = regexp.MustCompile(`urn:schemas-microsoft-com:office:spreadsheet`)
	object     = regexp.MustCompile(`^\{\s*("|\}|$)`)
	array      = regexp.MustCompile(`^\[\s*(\{|\]|$)`)
	whitespace = " \t\r\n"
)

// sniff says what a file is by its first bytes, and refuses what is no table.
func sniff(head []byte, source io.ReaderAt, size int64) (Format, Encoding, error) {
	if err := foreignTo(head, source, size); err != nil {
		return "", "", err
	}
	if bytes.HasPrefix(head, []byte(magicZip)) && len(head) > 3 && head[2] < 9 && head[3] < 9 {
		return XLSX, "", nil
	}
	e := encodingOf(head)
	start, err := io.ReadAll(decoded(bytes.NewReader(head), int64(len(head)), e))
	if err != nil {
		return "", "", err
	}
	text := bytes.TrimLeft(start, whitespace)
	switch {
	case len(text) == 0 && size <= int64(len(head)):
		return "", "", refuse(NotATable, "The file is empty. Choose one that has rows.")
	case bytes.IndexByte(start, 0) >= 0:
		return "", "", refuse(NotATable, "The file is not a text: zero bytes are in it, as in a picture or a program. Save the table as XLSX or CSV.")
	case page.Match(text):
		return "", "", refuse(NotATable, "The file is a web page, whatever its name says. Open it in a spreadsheet program and save it as .xlsx.")
	case bytes.HasPrefix(text, []byte("<?xml")) && sheet2003.Match(text):
		return "", "", refuse(NotATable, "The file is an XML spreadsheet of Excel 2003. Open it and save it as .xlsx.")
	case bytes.HasPrefix(text, []byte("<?xml")):
		return "", "", refuse(NotATable, "The file is XML, which is no table. Export the table as XLSX or CSV.")
	case object.Match(text):
		return NDJSON, e, nil
	case array.Match(text):
		return JSON, e, nil
	}
	return CSV, e, nil
}

// foreignTo refuses the formats that have a magic number of their own.
func foreignTo(head []byte, source io.ReaderAt, size int64) error {
	if bytes.HasPrefix(head, []byte(magicOLE)) {
		protected, err := contains(io.NewSectionReader(source, 0, size), utf16le("EncryptedPackage"))
		switch {
		case err != nil:
			return err
		case protected:
			return refuse(Encrypted, adviceEncrypted)
		}
		return refuse(NotATable, adviceXLS)
	}
	for _, f := range foreigners {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return refuse(NotATable, "%s", f.advice)
		}
	}
	return nil
}

// contains reports whether a stream has the bytes anywhere.
func contains(r io.Reader, wanted []byte) (bool, error) {
	window := make([]byte, 0, 64<<10)
	for {
		n, err := r.Read(window[len(window):cap(window)])
		window = window[:len(window)+n]
		if bytes.Contains(window, wanted) {
			return true, nil
		}
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if keep := len(wanted) - 1; len(window) > keep {
			window = window[:copy(window, window[len(window)-keep:])]
		}
	}
}

// utf16le is an ASCII text in UTF-16, as the names in an OLE file are.
func utf16le(s string) []byte {
	var b []byte
	for i := range len(s) {
		b = append(b, s[i], 0)
	}
	return b
}
