package tables

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
)

// Delimiter is a delimiter that a CSV file may have, with what speaks for it.
type Delimiter struct {
	Byte    byte
	Records int // of the first 100 records, how many have Width cells
	Width   int // the commonest number of cells, at least 2
}

// delimiters are those that a file may have without naming it.
const delimiters = ",;\t|"

// judged is how many records the judgement of the delimiters looks at.
const judged = 100

// findDelimiters finds the line `sep=;`, or what speaks for each delimiter. Two delimiters with
// the same number of records are a tie, which the caller decides: it knows which headers make
// sense.
func (f *File) findDelimiters() error {
	text, e := f.text("")
	first, err := bufio.NewReader(text).Peek(len("sep=;\n"))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if len(first) >= len("sep=;") && strings.EqualFold(string(first[:4]), "sep=") {
		if end := string(first[5:]); end == "" || end == "\n" || end == "\r" {
			f.Separator = first[4]
			return nil
		}
	}
	for i := range len(delimiters) {
		text, _ := f.text(e)
		d, err := judge(newCSV(text, e, delimiters[i], f.limits))
		if err != nil {
			return err
		}
		if d.Width > 1 {
			f.Delimiters = append(f.Delimiters, d)
		}
	}
	slices.SortStableFunc(f.Delimiters, func(a, b Delimiter) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(b.Width, a.Width))
	})
	return nil
}

// judge counts the widths of the first records. Where they cannot be read further, it judges by
// those that could.
func judge(r *csvReader) (Delimiter, error) {
	d := Delimiter{Byte: r.delimiter}
	widths := map[int]int{}
	for n := 0; n < judged; {
		record, err := r.read()
		if _, wrong := errors.AsType[*Error](err); wrong || errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return d, err
		}
		if record.Blank() {
			continue
		}
		n++
		width := len(record.Cells)
		widths[width]++
		if count := widths[width]; width > 1 && (count > d.Records || count == d.Records && width > d.Width) {
			d.Records, d.Width = count, width
		}
	}
	return d, nil
}

// csv returns a reader of the file's records in a dialect.
func (f *File) csv(d Dialect) (*csvReader, error) {
	delimiter := d.Delimiter
	switch {
	case delimiter != 0:
	case f.Separator != 0:
		delimiter = f.Separator
	case len(f.Delimiters) > 0:
		delimiter = f.Delimiters[0].Byte
	default:
		delimiter = ','
	}
	text, e := f.text(d.Encoding)
	r := newCSV(text, e, delimiter, f.limits)
	if f.Separator != 0 {
		for !r.finished && r.line == 1 {
			if _, err := r.read(); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}
