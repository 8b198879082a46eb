// Package tables reads files as tables and writes tables as files: CSV in its dialects and
// encodings, XLSX, NDJSON and JSON arrays.
//
// It knows tables and no domain. A file becomes records of cells, and each cell has a value,
// the type that its format gives it, and a place. What a file cannot say by itself, such as
// the meaning of 1.234, is not guessed: the package collects the evidence of the cells
// (MarkEvidence, DateEvidence, File.Delimiters), the caller decides, and Cell.Number and
// Cell.Date then read each cell under the caller's decision.
//
//	file, err := tables.Open(upload, size, tables.Options{})
//	if err != nil {
//		return err // a sentence that says where and what to do
//	}
//	defer file.Close()
//	rows, err := file.Records(tables.Dialect{})
//	if err != nil {
//		return err
//	}
//	for {
//		record, err := rows.Read()
//		if err == io.EOF {
//			return nil
//		}
//		if err != nil {
//			return err
//		}
//		amount, err := record.Cell(3).Number(tables.Comma)
//		...
//	}
//
// Memory does not grow with the rows of a file, whatever the file holds: see Limits.
package tables

import "io"

// Format is the format of a file.
type Format string

// The formats.
const (
	CSV    Format = "csv"    // with any delimiter
	XLSX   Format = "xlsx"   // a workbook of Excel 2007 or later
	NDJSON Format = "ndjson" // JSON objects, one after the other
	JSON   Format = "json"   // a JSON array of objects
)

// Options say how a file is opened. The zero value is fit for any file.
type Options struct {
	Limits Limits // DefaultLimits where it is zero
	// Dir is the folder for temporary files: the shared texts of a large workbook. The empty
	// string is os.TempDir.
	Dir string
}

// File is a file that can be read as a table, more than once and by several readers at once.
type File struct {
	Format   Format
	Encoding Encoding // of a file that is text, as its bytes say; Dialect may say otherwise
	// Separator is the delimiter that a line `sep=;` at the beginning of a CSV file names, or 0.
	// The line is neither header nor record.
	Separator byte
	// Delimiters are the delimiters that a CSV file may have, the likeliest first. There are
	// none where the file has one column.
	Delimiters []Delimiter
	Sheets     []Sheet // of a workbook, in its order, without charts

	source io.ReaderAt
	size   int64
	limits Limits
	book   *workbook
}

// Dialect says how a file is read where its bytes leave it open. A zero field takes what the
// bytes say.
type Dialect struct {
	Encoding  Encoding
	Delimiter byte   // by default File.Separator, or the first of File.Delimiters
	Sheet     string // by default the first that is not hidden
}

// Open looks at what the file is. The content decides, not a name. The error is an *Error, or
// that of the source.
func Open(source io.ReaderAt, size int64, o Options) (*File, error) {
	f := &File{source: source, size: size, limits: o.Limits}
	if f.limits == (Limits{}) {
		f.limits = DefaultLimits()
	}
	if size > f.limits.Bytes {
		return nil, refuse(TooLarge, "The file has %s bytes, and at most %s can be read. Divide it into several files.", grouped(size), bytesOf(f.limits.Bytes))
	}
	head := make([]byte, min(size, 4096))
	if _, err := source.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	var err error
	if f.Format, f.Encoding, err = sniff(head, source, size); err != nil {
		return nil, err
	}
	switch f.Format {
	case XLSX:
		f.book, err = openWorkbook(source, size, f.limits, o.Dir)
		if err == nil {
			f.Sheets = f.book.sheets
		}
	case CSV:
		err = f.findDelimiters()
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Close removes the temporary files.
func (f *File) Close() error {
	if f.book == nil {
		return nil
	}
	return f.book.close()
}

// Reader gives the records of a table, one at a time.
type Reader struct {
	rows   source
	limits Limits
	filled int
	sheet  string
	err    error
}

// source reads the records of one format.
type source interface {
	read() (Record, error)
}

// Records returns a reader of the file's records, from the first.
func (f *File) Records(d Dialect) (*Reader, error) {
	r := &Reader{limits: f.limits}
	switch f.Format {
	case XLSX:
		sheet, err := f.book.sheet(d.Sheet)
		if err != nil {
			return nil, err
		}
		r.sheet = sheet.Name
		r.rows, err = f.book.open(sheet)
		return r, err
	case CSV:
		rows, err := f.csv(d)
		if err != nil {
			return nil, err
		}
		r.rows = rows
	default:
		text, _ := f.text(d.Encoding)
		r.rows = newJSON(text, f.Format, f.limits)
	}
	return r, nil
}

// Read returns the next record, blank ones too. Its cells are valid until the next call. After
// the last record it returns io.EOF. After an error there are no more records.
func (r *Reader) Read() (Record, error) {
	if r.err != nil {
		return Record{}, r.err
	}
	record, err := r.rows.read()
	if err == nil && !record.Blank() {
		r.filled++
		if r.filled > r.limits.Rows+1 {
			err = refuse(TooManyRows, "The table has more than %s rows. Divide it into several files.", grouped(r.limits.Rows)).at(record.Line)
		}
	}
	if err != nil {
		if e, ok := err.(*Error); ok && r.sheet != "" { //nolint:errorlint // the sources return it unwrapped
			e.Sheet = r.sheet
		}
		r.err = err
		return Record{}, err
	}
	return record, nil
}

// Names returns the names of the columns of a JSON table: the names of its objects' members,
// in the order in which they first came, up to the record that was read last. Other tables
// have none.
func (r *Reader) Names() []string {
	if named, ok := r.rows.(interface{ names() []string }); ok {
		return named.names()
	}
	return nil
}

// Merged returns the merged cells of a sheet, when Read has returned io.EOF. A sheet keeps
// them behind its rows. Only the first cell of each range is filled.
func (r *Reader) Merged() []Range {
	if sheet, ok := r.rows.(*sheetReader); ok {
		return sheet.merged
	}
	return nil
}
