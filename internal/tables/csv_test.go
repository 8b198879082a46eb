package tables_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/tables"
)

// opened opens bytes with limits.
func opened(content string, l tables.Limits) (*tables.File, error) {
	return tables.Open(strings.NewReader(content), int64(len(content)), tables.Options{Limits: l})
}

// all reads every record of bytes, as the line and the values.
func all(content string, d tables.Dialect, l tables.Limits) (lines []int, rows [][]string, err error) {
	f, err := opened(content, l)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }()
	r, err := f.Records(d)
	if err != nil {
		return nil, nil, err
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return lines, rows, nil
		}
		if err != nil {
			return lines, rows, err
		}
		row := []string{}
		for _, c := range record.Cells {
			row = append(row, c.Value)
		}
		lines, rows = append(lines, record.Line), append(rows, row)
	}
}

// TestCSV: quotes, line ends, blank lines and the physical lines where records begin.
func TestCSV(t *testing.T) {
	for _, c := range []struct {
		name, content string
		lines         []int
		rows          [][]string
	}{
		{"CRLF", "a,b\r\n1,2\r\n", []int{1, 2}, [][]string{{"a", "b"}, {"1", "2"}}},
		{"LF without the last", "a,b\n1,2", []int{1, 2}, [][]string{{"a", "b"}, {"1", "2"}}},
		{"CR", "a,b\r1,2\r", []int{1, 2}, [][]string{{"a", "b"}, {"1", "2"}}},
		{"mixed", "a,b\r1,2\n3,4\r\n5,6", []int{1, 2, 3, 4}, [][]string{{"a", "b"}, {"1", "2"}, {"3", "4"}, {"5", "6"}}},
		{"blank lines", "a,b\n\n\r\n1,2\n", []int{1, 2, 3, 4}, [][]string{{"a", "b"}, {}, {}, {"1", "2"}}},
		{"a line break in a cell", "a,\"x\r\ny\nz\rw\"\n1,2\n", []int{1, 5}, [][]string{{"a", "x\r\ny\nz\rw"}, {"1", "2"}}},
		{"quotes", "a,\"say \"\"x\"\"\"\n\"\",2\n", []int{1, 2}, [][]string{{"a", `say "x"`}, {"", "2"}}},
		{"a quote in an unquoted cell", "a,5\" pipe\n1, \"2\"\n", []int{1, 2}, [][]string{{"a", `5" pipe`}, {"1", ` "2"`}}},
		{"text after a quote", "a,b\n\"x\"y,2\n", []int{1, 2}, [][]string{{"a", "b"}, {"xy", "2"}}},
		{"empty cells", ",\n,,\n", []int{1, 2}, [][]string{{"", ""}, {"", "", ""}}},
		{"one column", "a\n1\n", []int{1, 2}, [][]string{{"a"}, {"1"}}},
		{"a quoted empty line", "\"\"\n1\n", []int{1, 2}, [][]string{{""}, {"1"}}},
		{"ends in a quote", "a,\"b\"", []int{1}, [][]string{{"a", "b"}}},
		{"sep", "SEP=|\r\n1|2;3;4,5\r\n", []int{2}, [][]string{{"1", "2;3;4,5"}}},
		{"sep alone", "sep=;", nil, nil},
		{"sep in the data", "sep=;x\na;b\n", []int{1, 2}, [][]string{{"sep=", "x"}, {"a", "b"}}},
		{"a BOM", "\xEF\xBB\xBF\"a\",b\n", []int{1}, [][]string{{"a", "b"}}},
		{"UTF-16 without a BOM", "a\x00,\x00b\x00\n\x001\x00,\x002\x00", []int{1, 2}, [][]string{{"a", "b"}, {"1", "2"}}},
		{"UTF-16, the high byte first", "\x00a\x00,\x20\xAC\x00\n\x001\x00,\x002", []int{1, 2}, [][]string{{"a", "€"}, {"1", "2"}}},
		{"broken UTF-16", "\xFF\xFEa\x00,\x00\x00\xD8b\x00", []int{1}, [][]string{{"a", "\uFFFDb"}}},
	} {
		lines, rows, err := all(c.content, tables.Dialect{}, tables.Limits{})
		if err != nil || !slices.Equal(lines, c.lines) || !slices.EqualFunc(rows, c.rows, slices.Equal[[]string]) {
			t.Errorf("%s: got %v %q %v, want %v %q", c.name, lines, rows, err, c.lines, c.rows)
		}
	}
}

// TestBrokenCells: a cell that is no value says why, and those beside it are read.
func TestBrokenCells(t *testing.T) {
	for content, problem := range map[string]string{
		"\xC3\xA4,b\n1,\xFC\n": "has bytes that are not in the file's encoding",
		"a,b\n1,\"x\" y\n":     "has text after its closing quote",
		"\xFF\xFEa\x00,\x00b\x00\n\x001\x00,\x00\x00\xD8x\x00": "has bytes that are not in the file's encoding",
	} {
		f, err := opened(content, tables.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := f.Records(tables.Dialect{})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = r.Read()
		record, err := r.Read()
		if err != nil || record.Cell(1).Value != "1" || record.Cell(2).Type != tables.BrokenCell || record.Cell(2).Problem != problem || record.Cell(3).Type != tables.EmptyCell {
			t.Errorf("%q: got %+v, %v, want a second cell that %s", content, record, err, problem)
		}
	}
}

// TestDelimiters: the order of the candidates, and that the caller can choose another.
func TestDelimiters(t *testing.T) {
	for _, c := range []struct {
		content string
		want    []tables.Delimiter
	}{
		{"a;b\n1,5;2\n", []tables.Delimiter{{Byte: ';', Records: 2, Width: 2}, {Byte: ',', Records: 1, Width: 2}}},
		{"a;b;c\n1,5;2;3\n2,5;2;3\n1;2;3\n", []tables.Delimiter{{Byte: ';', Records: 4, Width: 3}, {Byte: ',', Records: 2, Width: 2}}},
		{"a\tb,c\n1\t2,3\n", []tables.Delimiter{{Byte: ',', Records: 2, Width: 2}, {Byte: '\t', Records: 2, Width: 2}}},
		{"alone\n1\n", nil},
	} {
		f, err := opened(c.content, tables.Limits{})
		if err != nil || !slices.Equal(f.Delimiters, c.want) {
			t.Errorf("%q: got %+v, %v, want %+v", c.content, f.Delimiters, err, c.want)
		}
	}
	_, rows, err := all("a;b\n1,5;2\n", tables.Dialect{Delimiter: ','}, tables.Limits{})
	if err != nil || len(rows[1]) != 2 || rows[1][1] != "5;2" {
		t.Errorf("got %q, %v, want the delimiter that was asked for", rows, err)
	}
}

// TestCSVWriter: the bytes that are written.
func TestCSVWriter(t *testing.T) {
	text := func(s string) tables.Cell { return tables.Cell{Type: tables.TextCell, Value: s} }
	number := tables.Cell{Type: tables.NumberCell, Value: "-1,5"}
	for _, c := range []struct {
		name    string
		options tables.CSVOptions
		cells   []tables.Cell
		want    string
	}{
		{"plain", tables.CSVOptions{}, []tables.Cell{text("a"), {}, text("5\" pipe"), text("x\ny")}, "a,,\"5\"\" pipe\",\"x\ny\"\r\n"},
		{"formulas", tables.CSVOptions{}, []tables.Cell{text("=1"), text("'=1"), number}, "'=1,''=1,\"-1,5\"\r\n"},
		{"raw", tables.CSVOptions{Raw: true}, []tables.Cell{text("=1")}, "=1\r\n"},
		{"German", tables.CSVOptions{Delimiter: ';', BOM: true}, []tables.Cell{text("a;b"), text("a,b"), number}, "\xEF\xBB\xBF\"a;b\";a,b;-1,5\r\n"},
		{"an empty record", tables.CSVOptions{}, []tables.Cell{{}}, "\"\"\r\n"},
		{"the beginning of a file", tables.CSVOptions{}, []tables.Cell{text("sep=;"), text("\uFEFFx"), text("{}"), text("[["), text("<p")}, "\"sep=;\",\"\uFEFFx\",\"{}\",\"[[\",\"<p\"\r\n"},
	} {
		var b bytes.Buffer
		w := tables.NewCSVWriter(&b, c.options)
		if err := errors.Join(w.Write(c.cells), w.Close()); err != nil || b.String() != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, b.String(), err, c.want)
		}
	}
}

// TestCSVRoundTrip: what is written reads as the same texts, on the lines where it stands.
func TestCSVRoundTrip(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "ä", "€", `"`, "\n", "\r", "\r\n", ",", ";", "\t", "|", "=", "'", "-", "+", "@", "\u202e", "\ufeff", " ", "＝", "sep=", "{", "[", "<p", "PK", "_x000D_", "1.234", "😀"})
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces"), "") })
		width := rapid.IntRange(1, 5).Draw(t, "width")
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, width, width), 0, 20).Draw(t, "rows")
		rows = slices.Insert(rows, 0, []string{"name", "a", "b", "c", "d"}[:width])
		options := tables.CSVOptions{Delimiter: rapid.SampledFrom([]byte(",;\t|")).Draw(t, "delimiter"), BOM: rapid.Bool().Draw(t, "bom")}
		var b bytes.Buffer
		w := tables.NewCSVWriter(&b, options)
		for _, row := range rows {
			var cells []tables.Cell
			for _, s := range row {
				cells = append(cells, tables.Cell{Type: tables.TextCell, Value: s})
			}
			if err := w.Write(cells); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		_, got, err := all(b.String(), tables.Dialect{Delimiter: options.Delimiter}, tables.Limits{})
		for _, row := range got {
			for i := range row {
				row[i] = tables.Unguard(row[i])
			}
		}
		if err != nil || !slices.EqualFunc(got, rows, slices.Equal[[]string]) {
			t.Fatalf("got %q, %v, want %q from %q", got, err, rows, b.String())
		}
	})
}

// FuzzOpen: no bytes make the readers fail in another way than with a sentence, and the limits
// hold for what is read.
func FuzzOpen(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "sep=;\r\na;b", "{\"a\":1}\n{\"a\":[1]}", "[{\"a\":1.50},{\"b\":null}]", "\xFF\xFEa\x00", "\"a", "a\x00b", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"} {
		f.Add([]byte(s))
	}
	for _, w := range workbooks(f) {
		f.Add(w)
	}
	limits := tables.DefaultLimits()
	limits.Unpacked, limits.Rows, limits.Columns, limits.Characters, limits.Record = 4<<20, 50, 20, 100, 1000
	f.Fuzz(func(t *testing.T, content []byte) {
		file, err := tables.Open(bytes.NewReader(content), int64(len(content)), tables.Options{Limits: limits})
		if err != nil {
			sentence(t, err)
			return
		}
		defer func() { _ = file.Close() }()
		dialects := []tables.Dialect{{}, {Encoding: tables.Windows1252, Delimiter: '\t'}}
		for _, s := range file.Sheets {
			dialects = append(dialects, tables.Dialect{Sheet: s.Name})
		}
		for _, d := range dialects {
			readBounded(t, file, d, limits)
		}
	})
}

func readBounded(t *testing.T, file *tables.File, d tables.Dialect, l tables.Limits) {
	r, err := file.Records(d)
	if err != nil {
		sentence(t, err)
		return
	}
	last, filled := 0, 0
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			sentence(t, err)
			if _, again := r.Read(); !errors.Is(again, err) {
				t.Fatalf("got %v after %v, want the same", again, err)
			}
			return
		}
		if !record.Blank() {
			filled++
		}
		if record.Line < last || record.Line == last && file.Format == tables.XLSX || len(record.Cells) > l.Columns || filled > l.Rows+1 {
			t.Fatalf("got the line %d behind %d, %d cells, %d rows", record.Line, last, len(record.Cells), filled)
		}
		last = record.Line
	}
}

// sentence holds an error to be an Error with a sentence that says what to do.
func sentence(t *testing.T, err error) {
	t.Helper()
	e, ours := errors.AsType[*tables.Error](err)
	if !ours || e.Reason == "" || len(e.Message) < 20 || !strings.HasSuffix(e.Message, ".") || strings.Count(e.Message, ". ") == 0 && !strings.Contains(e.Message, ": ") {
		t.Fatalf("got %#v, want a sentence", err)
	}
}
