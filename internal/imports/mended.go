package imports

import (
	"context"
	"errors"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode"

	"daybook/internal/exchange"
	"daybook/internal/tables"
	"daybook/internal/text"
)

// WriteRows writes the rows of a result as CSV, in the columns of the file, with the line and the problem of each
// behind them. The rows up to the header stand where they stood, so that the map of the file fits the mended rows
// too. NotFound, NotReady.
func (s *Service) WriteRows(ctx context.Context, owner, id, result string, to io.Writer) error {
	s.mu.Lock()
	k, err := s.find(owner, id)
	s.mu.Unlock()
	if err != nil {
		return err
	}
	r, err := s.read(owner, id)
	if err != nil {
		return err
	}
	w, err := mendedOf(k, r)
	if err != nil {
		return faultOf(err)
	}
	defer func() { _ = w.file.Close() }() // nothing depends on it
	wanted := func(yield func(*Row, error) bool) {
		err := r.rows.each(ctx, result, 0, func(row *Row) (bool, error) { return yield(row, nil), nil })
		if err != nil {
			yield(nil, err)
		}
	}
	return faultOf(w.write(to, wanted))
}

// mendedWriter writes some rows of a file.
type mendedWriter struct {
	file  *tables.File
	m     *exchange.Map
	comma bool // numbers have a decimal comma
	fills *tables.Filler
	out   *tables.CSVWriter
	lines int // written so far
	width int // of the header
}

// mendedOf opens the file of a revision once more.
func mendedOf(k *kept, r *revision) (*mendedWriter, error) {
	file, err := tables.Open(k.Content, k.Size, tables.Options{})
	if err != nil {
		return nil, err
	}
	return &mendedWriter{file: file, m: &r.preview.Map, comma: r.preview.Map.Numbers.Decimal == ","}, nil
}

// fill gives rows their cells as the file has them. The rows are in the order of the lines.
func (w *mendedWriter) fill(rows []Row) error {
	records, err := w.file.Records(w.dialect())
	for i := 0; err == nil && i < len(rows); {
		var record tables.Record
		if record, err = records.Read(); err != nil {
			break
		}
		var texts []string
		for ; i < len(rows) && rows[i].Line <= record.Line; i++ {
			if rows[i].Line == record.Line && texts == nil {
				texts = make([]string, len(record.Cells))
				for at, cell := range w.cells(record, len(record.Cells)) {
					texts[at] = cell.Value
				}
			}
			rows[i].Cells = texts
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (w *mendedWriter) dialect() tables.Dialect {
	d := tables.Dialect{Encoding: tables.Encoding(w.m.Read.Encoding), Sheet: w.m.Read.Sheet}
	if w.m.Read.Delimiter != "" {
		d.Delimiter = w.m.Read.Delimiter[0]
	}
	return d
}

// write reads the file and its rows side by side: both are in the order of the lines.
func (w *mendedWriter) write(to io.Writer, wanted iter.Seq2[*Row, error]) error {
	d := w.dialect()
	w.out = tables.NewCSVWriter(to, tables.CSVOptions{Delimiter: d.Delimiter, BOM: true})
	if err := w.findMerged(d); err != nil {
		return err
	}
	records, err := w.file.Records(d)
	if err != nil {
		return err
	}
	next, stop := iter.Pull2(wanted)
	defer stop()
	header := 0
	if w.m.Read.HeaderRow != nil {
		header = *w.m.Read.HeaderRow
	}
	row, err, more := next()
	for more && err == nil {
		record, readErr := records.Read()
		if errors.Is(readErr, io.EOF) {
			break
		}
		if readErr != nil {
			return readErr
		}
		w.fills.Fill(&record)
		if names := records.Names(); w.lines == 0 && names != nil {
			err = w.header(names)
		}
		switch {
		case err != nil:
		case record.Line <= header:
			err = w.above(record, record.Line == header)
			for more && err == nil && row.Line <= record.Line {
				row, err, more = next()
			}
		case row.Line <= record.Line:
			line, problems := row.Line, []string{}
			for more && err == nil && row.Line == line {
				problems = append(problems, problemsOf(row)...)
				row, err, more = next()
			}
			if err == nil {
				err = w.row(record, unique(problems))
			}
		}
	}
	if err != nil {
		return err
	}
	return w.out.Close()
}

// findMerged finds the merged cells, if the map repeats them. A sheet keeps them behind its rows.
func (w *mendedWriter) findMerged(d tables.Dialect) error {
	var merged []tables.Range
	if w.m.FillDown == "repeat" {
		rows, err := w.file.Records(d)
		for err == nil {
			_, err = rows.Read()
		}
		if !errors.Is(err, io.EOF) {
			return err
		}
		merged = rows.Merged()
	}
	w.fills = w.m.Filler(merged)
	return nil
}

// header writes the names of JSON as a header.
func (w *mendedWriter) header(names []string) error {
	cells := make([]tables.Cell, len(names), len(names)+2)
	for i, name := range names {
		cells[i] = tables.Cell{Type: tables.TextCell, Value: name}
	}
	w.width, w.lines = len(names), 1
	return w.out.Write(append(cells, lineCell("line"), lineCell("problem")))
}

func lineCell(s string) tables.Cell { return tables.Cell{Type: tables.TextCell, Value: s} }

// above writes a row above the header, or the header, on the line where it stands in the file.
func (w *mendedWriter) above(record tables.Record, header bool) error {
	for w.lines++; w.lines < record.Line; w.lines++ {
		if err := w.out.Write([]tables.Cell{{}, {}}); err != nil {
			return err
		}
	}
	cells := w.cells(record, len(record.Cells))
	for i := range cells {
		cells[i].Value = strings.Join(strings.Fields(cells[i].Value), " ")
	}
	if header {
		w.width = len(cells)
		cells = append(cells, lineCell("line"), lineCell("problem"))
	}
	return w.out.Write(cells)
}

// row writes a row with its line and its problems.
func (w *mendedWriter) row(record tables.Record, problem string) error {
	w.lines++
	cells := w.cells(record, max(w.width, len(record.Cells)))
	return w.out.Write(append(cells, tables.Cell{Type: tables.NumberCell, Value: strconv.Itoa(record.Line)}, lineCell(problem)))
}

// cells are the cells of a row as CSV has them.
func (w *mendedWriter) cells(record tables.Record, width int) []tables.Cell {
	cells := make([]tables.Cell, width, width+2)
	for i := range cells {
		cell := record.Cell(i + 1)
		cells[i] = tables.Cell{Type: tables.NumberCell, Value: cell.Text()}
		switch cell.Type {
		case tables.TextCell, tables.BrokenCell:
			cells[i].Type = textType(cell.Value)
			if w.file.Format == tables.CSV && cells[i].Type == tables.TextCell {
				cells[i].Value = tables.Unguard(cell.Value)
			}
		case tables.NumberCell:
			if w.comma && cell.Shown == "" {
				cells[i].Value = strings.Replace(cell.Value, ".", ",", 1)
			}
		case tables.DateCell:
			cells[i].Value = cell.Time.UTC().Format("2006-01-02T15:04:05.999999999")
		}
	}
	return cells
}

// textType is the type of a text. One that is a number, as -5 and a lone dash, is no formula.
func textType(s string) tables.Type {
	if strings.TrimSpace(s) == "-" {
		return tables.NumberCell
	}
	for _, mark := range []tables.Mark{tables.Point, tables.Comma} {
		if _, err := tables.ParseNumber(s, mark); err == nil {
			return tables.NumberCell
		}
	}
	return tables.TextCell
}

// problemsOf are the sentences about a row.
func problemsOf(row *Row) []string {
	if row.Reason != "" {
		return []string{row.Reason}
	}
	list := make([]string, len(row.Findings))
	for i, f := range row.Findings {
		list[i] = f.Message
		if f.Column != "" {
			list[i] = f.Column + ": " + f.Message
		}
	}
	return list
}

// unique joins sentences, each once.
func unique(sentences []string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, s := range sentences {
		if seen[s] {
			continue
		}
		if seen[s] = true; b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}

// NameOf is the name of a file as it is shown: without folders, and without characters that show nothing or turn the
// direction of a text.
func NameOf(raw string) string {
	name := raw[strings.LastIndexAny(raw, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, name)
	return text.Shorten(strings.TrimSpace(name))
}
