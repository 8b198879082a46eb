package tables

import (
	"archive/zip"
	"errors"
	"io"
	"path"
	"strings"
)

// archive is the zip file of a workbook. It trusts no size that the file declares: bytes are
// counted while they are unpacked.
type archive struct {
	parts  map[string]*zip.File
	limits Limits
	// spent is how many bytes were unpacked and kept: the workbook's own parts and its texts.
	spent int64
}

// maxDirectory bounds the bytes that name the parts of a workbook. A workbook has some dozens.
const maxDirectory = 2 << 20

// openArchive reads the directory of a zip file.
func openArchive(source io.ReaderAt, size int64, l Limits) (*archive, error) {
	if size > l.Packed {
		return nil, refuse(TooLarge, "The workbook has %s bytes, and at most %s can be read. Divide it, or save the sheet as CSV.", grouped(size), bytesOf(l.Packed))
	}
	budget := &budgetedReader{source: source, left: maxDirectory}
	directory, err := zip.NewReader(budget, size)
	switch {
	case errors.Is(err, errDirectory):
		return nil, refuse(Malformed, "The workbook has too many parts. Open it in a spreadsheet program and save it again.")
	case errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrInsecurePath), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return nil, refuse(Malformed, "The workbook is damaged or not whole. Get the whole file, or open it in a spreadsheet program and save it again.")
	case err != nil:
		return nil, err
	}
	budget.left = -1
	a := &archive{parts: map[string]*zip.File{}, limits: l}
	for _, f := range directory.File {
		name := partName(f.Name)
		if a.parts[name] != nil {
			return nil, refuse(Malformed, "The workbook has the part %q twice. Open it in a spreadsheet program and save it again.", f.Name)
		}
		a.parts[name] = f
	}
	return a, nil
}

// partName is a name in the form in which two names of one part are equal.
func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/"))
}

// part is one part while it is unpacked.
type part struct {
	from   io.Reader
	name   string
	packed int64
	read   int64
	most   int64
	limits *Limits
}

// open opens a part. A reader may unpack what the parts that are kept have left over.
func (a *archive) open(name string) (*part, error) {
	f := a.parts[partName(name)]
	if f == nil {
		return nil, refuse(Malformed, "The workbook lacks its part %q. Open it in a spreadsheet program and save it again.", name)
	}
	if f.Flags&1 != 0 {
		return nil, refuse(Encrypted, adviceEncrypted)
	}
	from, err := f.Open()
	if err != nil {
		return nil, damaged(name, err)
	}
	return &part{from: from, name: name, packed: int64(min(f.CompressedSize64, uint64(a.limits.Packed))), most: a.limits.Unpacked - a.spent, limits: &a.limits}, nil
}

func (p *part) Read(b []byte) (int, error) {
	n, err := p.from.Read(b)
	p.read += int64(n)
	switch {
	case p.read > p.limits.RatioFrom && p.read > p.limits.Ratio*p.packed:
		return 0, refuse(TooLarge, "The workbook's part %q unpacks to more than %d times its size. Save the sheet as CSV.", p.name, p.limits.Ratio)
	case p.read > p.most:
		return 0, refuse(TooLarge, "The workbook unpacks to more than %s. Divide it, or save the sheet as CSV.", bytesOf(p.limits.Unpacked))
	case err != nil && !errors.Is(err, io.EOF):
		return n, damaged(p.name, err)
	}
	return n, err
}

// damaged says that a part cannot be unpacked. Errors of the disk stay what they are.
func damaged(name string, err error) error {
	if errors.Is(err, zip.ErrFormat) || errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrAlgorithm) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || strings.HasPrefix(err.Error(), "flate: ") {
		return refuse(Malformed, "The workbook's part %q is damaged. Get the whole file, or open it in a spreadsheet program and save it again.", name)
	}
	return err
}

// budgetedReader reads at most so many bytes, so that a directory of a million parts is not
// read into memory. A negative number is no bound.
type budgetedReader struct {
	source io.ReaderAt
	left   int64
}

var errDirectory = errors.New("the directory of the zip file is too large")

func (r *budgetedReader) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 { // an offset of the directory that is too large for a file
		return 0, io.ErrUnexpectedEOF
	}
	if r.left >= 0 {
		if r.left -= int64(len(p)); r.left < 0 {
			return 0, errDirectory
		}
	}
	return r.source.ReadAt(p, at)
}
