package exchange

import (
	"errors"
	"io"
	"slices"
	"strconv"

	"daybook/internal/tables"
)

// survey is what one reading of a table tells before its columns have fields.
type survey struct {
	head   []tables.Record // the first filled rows
	rows   int             // filled rows
	names  []string        // the columns of a JSON table
	merged []tables.Range
	broken map[int][]tables.Spot // by column, the first cells that are not in the encoding
}

// surveyed reads a table to its end.
func surveyed(file *tables.File, d tables.Dialect) (*survey, error) {
	s := &survey{broken: map[int][]tables.Spot{}}
	rows, err := file.Records(d)
	if err != nil {
		return nil, err
	}
	err = each(rows, func(record tables.Record) error {
		s.add(record)
		return nil
	})
	s.names, s.merged = rows.Names(), rows.Merged()
	return s, err
}

// headOf reads the first filled rows of a table, as far as it can be read.
func headOf(file *tables.File, d tables.Dialect) ([]tables.Record, error) {
	s := &survey{broken: map[int][]tables.Spot{}}
	rows, err := file.Records(d)
	if err != nil {
		return nil, err
	}
	err = each(rows, func(record tables.Record) error {
		s.add(record)
		if len(s.head) == headRows {
			return io.EOF
		}
		return nil
	})
	if _, unreadable := errors.AsType[*tables.Error](err); unreadable {
		err = nil // who reads the table to its end says so
	}
	return s.head, err
}

// each calls use with each row that is filled, until it returns an error. io.EOF ends the reading.
func each(rows *tables.Reader, use func(tables.Record) error) error {
	for {
		record, err := rows.Read()
		if err == nil && !record.Blank() {
			err = use(record)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *survey) add(record tables.Record) {
	const shown = 100
	s.rows++
	if len(s.head) < headRows {
		s.head = append(s.head, tables.Record{Line: record.Line, Cells: slices.Clone(record.Cells)})
	}
	for i, cell := range record.Cells {
		if cell.Type == tables.BrokenCell && cell.Problem == tables.ProblemEncoding && len(s.broken[i+1]) < shown {
			s.broken[i+1] = append(s.broken[i+1], tables.Spot{Line: record.Line, Column: i + 1, Text: cell.Value})
		}
	}
}

// width is how many columns the first rows have.
func (s *survey) width() (n int) {
	for _, record := range s.head {
		n = max(n, len(record.Cells))
	}
	return n
}

// spread gives a merged header to all its columns.
func (s *survey) spread() {
	for i := range s.head {
		record := &s.head[i]
		for _, r := range s.merged {
			if r.FirstRow > record.Line || record.Line > r.LastRow || r.FirstColumn == r.LastColumn {
				continue
			}
			first := record.Cell(r.FirstColumn)
			for column := r.FirstColumn; column <= min(r.LastColumn, len(record.Cells)); column++ {
				record.Cells[column-1] = first
			}
		}
	}
}

// dialect finds how a file is read where the map does not say it. In a tie, known headers decide between delimiters;
// several sheets with a header are a question.
func (n names) dialect(file *tables.File, read tables.Dialect) (tables.Dialect, []Question, error) {
	var questions []Question
	ask := func(q *Question) {
		if q != nil {
			questions = append(questions, *q)
		}
	}
	if file.Format == tables.XLSX && read.Sheet == "" {
		sheet, q, err := n.sheet(file)
		if err != nil {
			return read, nil, err
		}
		read.Sheet = sheet
		ask(q)
	}
	if file.Format == tables.CSV && read.Delimiter == 0 && file.Separator == 0 {
		delimiter, q, err := n.delimiter(file, read)
		if err != nil {
			return read, nil, err
		}
		read.Delimiter = delimiter
		ask(q)
	}
	return read, questions, nil
}

// sheet proposes the first visible sheet that has a header.
func (n names) sheet(file *tables.File) (string, *Question, error) {
	var with []string
	first := ""
	for _, sheet := range file.Sheets {
		if sheet.Hidden {
			continue
		}
		if first == "" {
			first = sheet.Name
		}
		head, err := headOf(file, tables.Dialect{Sheet: sheet.Name})
		if err != nil {
			return "", nil, err
		}
		if h, q := n.find(head); h.line > 0 || q == nil {
			with = append(with, sheet.Name)
		}
	}
	switch len(with) {
	case 0:
		return first, nil, nil
	case 1:
		return with[0], nil, nil
	}
	return with[0], &Question{
		Code:     askSheet,
		Message:  "Several sheets of the workbook have a header. Say which one is meant.",
		Proposed: with[0],
		Choices:  choices(with...),
	}, nil
}

// delimiter decides between delimiters that give as many rows one width.
func (n names) delimiter(file *tables.File, read tables.Dialect) (byte, *Question, error) {
	type candidate struct {
		tables.Delimiter
		known int
	}
	var best []candidate
	for _, d := range file.Delimiters {
		if d.Records < file.Delimiters[0].Records {
			continue
		}
		c := candidate{Delimiter: d}
		if len(file.Delimiters) > 1 {
			read.Delimiter = d.Byte
			head, err := headOf(file, read)
			if err != nil {
				return 0, nil, err
			}
			h, _ := n.find(head)
			c.known = h.known(true)
		}
		switch {
		case len(best) == 0 || c.known > best[0].known || c.known == best[0].known && c.Width > best[0].Width:
			best = []candidate{c}
		case c.known == best[0].known && c.Width == best[0].Width:
			best = append(best, c)
		}
	}
	if len(best) == 0 {
		return 0, nil, nil
	}
	if len(best) == 1 {
		return best[0].Byte, nil, nil
	}
	q := &Question{Code: askDelimiter, Message: "Several characters can separate the columns. Say which one does.", Proposed: string(rune(best[0].Byte))}
	for _, c := range best {
		q.Choices = append(q.Choices, Choice{Value: string(rune(c.Byte))})
	}
	return best[0].Byte, q, nil
}

// askForEncoding asks for the encoding where a column with a field has a cell that is not in the file's.
func (s *survey) askForEncoding(h headed, columns []int) *Question {
	q := &Question{
		Code:     askEncoding,
		Message:  "Some texts of the file are not in UTF-8. Say which encoding the file has.",
		Proposed: string(tables.Windows1252),
		Choices:  choices(string(tables.Windows1252)),
	}
	for _, column := range columns {
		for _, spot := range s.broken[column] {
			q.Cells = append(q.Cells, Place{Line: spot.Line, Column: h.label(column), Value: spot.Text})
		}
	}
	if len(q.Cells) == 0 {
		return nil
	}
	slices.SortStableFunc(q.Cells, func(a, b Place) int { return a.Line - b.Line })
	q.Message += " The first such text is on line " + strconv.Itoa(q.Cells[0].Line) + "."
	return q
}
