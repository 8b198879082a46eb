package tables_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/internal/tables"
)

// parts are the parts of a workbook by their names.
type parts map[string]string

// book returns the parts of a workbook with one sheet of the given rows.
func book(rows string) parts {
	return parts{
		"[Content_Types].xml": "<Types/>",
		"_rels/.rels":         `<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":     `<workbook><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="rId2" Type="x/styles" Target="styles.xml"/><Relationship Id="rId3" Type="x/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0000"/><numFmt numFmtId="165" formatCode="[$-409]d\.\ mmm\ yy"/>` +
			`<numFmt numFmtId="166" formatCode="0.00E+00"/><numFmt numFmtId="167" formatCode="&quot;K-&quot;000\-00"/><numFmt numFmtId="168" formatCode="0.0%;[Red]-0.0%"/>` +
			`<numFmt numFmtId="169" formatCode="[h]:mm"/><numFmt numFmtId="170" formatCode="#,##0.00\ &quot;days&quot;"/><numFmt numFmtId="171" formatCode="[Red]General"/></numFmts>` +
			`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/>` +
			`<xf numFmtId="168"/><xf numFmtId="169"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="14"/><xf numFmtId="9"/></cellXfs></styleSheet>`,
		"xl/sharedStrings.xml":     `<sst><si><t>one</t></si><si><r><t xml:space="preserve">two </t></r><rPh sb="0"><t>no</t></rPh><r><t>runs</t></r></si><si><t/></si><si><t>a_x000D_b_x005F_x000D_</t></si></sst>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`,
	}
}

// packed zips the parts.
func packed(p parts) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	names := make([]string, 0, len(p))
	for name := range p {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		part, _ := w.Create(name)
		_, _ = io.WriteString(part, p[name])
	}
	_ = w.Close()
	return b.Bytes()
}

// workbooks are workbooks to begin a fuzz with. Their parts are stored, so that a change of a
// byte is one of the XML.
func workbooks(testing.TB) [][]byte {
	var books [][]byte
	for _, rows := range []string{
		`<row r="1"><c r="A1" t="s"><v>1</v></c><c r="C1" s="2"><v>46054.5</v></c></row><row><c t="inlineStr"><is><t>x</t></is></c></row>`,
		`<row><c t="e"><v>#REF!</v></c><c t="b"><v>1</v></c><c><f>A1</f></c><c t="d"><v>2026-01-31</v></c></row>`,
	} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for name, content := range book(rows) {
			part, _ := w.CreateHeader(&zip.FileHeader{Name: name})
			_, _ = io.WriteString(part, content)
		}
		_ = w.Close()
		books = append(books, b.Bytes())
	}
	return books
}

// TestCells: the types of cells.
func TestCells(t *testing.T) {
	for _, c := range []struct{ name, cell, want string }{
		{"a number", `<c><v>31.24</v></c>`, `number "31.24"`},
		{"a long number", `<c><v>1.1000000000000001</v></c>`, `number "1.1000000000000001" shown "1.1"`},
		{"an exponent", `<c><v>6.1E3</v></c>`, `number "6100"`},
		{"a small number", `<c><v>-1E-3</v></c>`, `number "-0.001"`},
		{"0000", `<c s="1"><v>420</v></c>`, `number "420" shown "0420"`},
		{"0000, longer", `<c s="1"><v>12345</v></c>`, `number "12345"`},
		{"a mask", `<c s="4"><v>1234</v></c>`, `number "1234" shown "K-012-34"`},
		{"scientific", `<c s="3"><v>123456</v></c>`, `number "123456"`},
		{"percent", `<c s="5"><v>0.125</v></c>`, `number "0.125" percent`},
		{"percent, built in", `<c s="10"><v>0.5</v></c>`, `number "0.5" percent`},
		{"a unit with letters", `<c s="7"><v>3</v></c>`, `number "3"`},
		{"a colour", `<c s="8"><v>3</v></c>`, `number "3"`},
		{"a date", `<c s="2"><v>46053</v></c>`, `date "46053" shown "2026-01-31" 2026-01-31T00:00:00Z`},
		{"a time", `<c s="9"><v>46053.645833333336</v></c>`, `date "46053.645833333336" shown "2026-01-31T15:30:00Z" 2026-01-31T15:30:00Z`},
		{"29 February 1900", `<c s="9"><v>60</v></c>`, `broken "60" (has the format of a date and a number that is none)`},
		{"28 February 1900", `<c s="9"><v>59</v></c>`, `date "59" shown "1900-02-28" 1900-02-28T00:00:00Z`},
		{"a time of day", `<c s="6"><v>0.5</v></c>`, `text "12:00:00"`},
		{"the last time of a day", `<c s="6"><v>0.99999999999</v></c>`, `text "23:59:59.999"`},
		{"an ISO date", `<c t="d"><v>2026-01-31T15:30:00</v></c>`, `date "2026-01-31T15:30:00" 2026-01-31T15:30:00Z`},
		{"a shared text", `<c t="s"><v>0</v></c>`, `text "one"`},
		{"runs", `<c t="s"><v>1</v></c>`, `text "two runs"`},
		{"an empty text", `<c t="s"><v>2</v></c>`, ``},
		{"escapes", `<c t="s"><v>3</v></c>`, `text "a\rb_x000D_"`},
		{"an inline text", `<c t="inlineStr"><is><r><t>a</t></r><r><t> &lt;b</t></r></is></c>`, `text "a <b"`},
		{"a name space", `<x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c>`, `text "a"`},
		{"a result", `<c t="str"><f>A1</f><v>6100</v></c>`, `text "6100" formula`},
		{"a number as a result", `<c><f>1+1</f><v>2</v></c>`, `number "2" formula`},
		{"no result", `<c><f>1+1</f></c>`, `uncalculated ""`},
		{"an empty result", `<c><f>1+1</f><v></v></c>`, `uncalculated ""`},
		{"an empty text as a result", `<c t="str"><f>A1</f><v></v></c>`, ``},
		{"an error", `<c t="e"><f>A1</f><v>#REF!</v></c>`, `error "#REF!" formula`},
		{"true", `<c t="b"><v>1</v></c>`, `boolean "true"`},
		{"false", `<c t="b"><v>0</v></c>`, `boolean "false"`},
		{"no number", `<c><v>NaN</v></c>`, `broken "NaN" (has a value that is not of its type)`},
		{"style only", `<c s="1"/>`, ``},
		{"CDATA", `<c t="str"><v><![CDATA[a<b]]></v></c>`, `text "a<b"`},
		{"a comment", `<c><!-- x --><v>1</v></c>`, `number "1"`},
	} {
		content := packed(book(`<row r="7">` + c.cell + `</row>`))
		f, err := opened(string(content), tables.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := f.Records(tables.Dialect{})
		if err != nil {
			t.Fatal(err)
		}
		record, err := r.Read()
		got := cellText(record.Cell(1))
		if c.name == "no result" || c.name == "an empty result" {
			got = strings.TrimSuffix(got, " formula")
		}
		if err != nil || record.Line != 7 || got != c.want {
			t.Errorf("%s: got %s on row %d, %v, want %s", c.name, got, record.Line, err, c.want)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSparseRows: rows and cells say where they are, or follow the last.
func TestSparseRows(t *testing.T) {
	content := packed(book(`<row><c><v>1</v></c><c r="C1"><v>3</v></c><c><v>4</v></c></row><row r="5"/><row><c r="XFD6" s="1"/><c r="XFE6"/></row>`))
	lines, rows, err := all(string(content), tables.Dialect{}, tables.Limits{})
	want := [][]string{{"1", "", "3", "4"}, {}, {}}
	if err != nil || !slices.Equal(lines, []int{1, 5, 6}) || !slices.EqualFunc(rows, want, slices.Equal[[]string]) {
		t.Errorf("got %v %q %v, want %q on 1, 5, 6", lines, rows, err, want)
	}
}

// TestManyTexts: shared texts beyond what stays in memory are read from a file, by several
// readers at once, and nothing of it remains.
func TestManyTexts(t *testing.T) {
	const count = 40_000
	var texts, rows strings.Builder
	for i := range count {
		fmt.Fprintf(&texts, "<si><t>%d %s</t></si>", i, strings.Repeat("x", 600))
		fmt.Fprintf(&rows, `<row><c t="s"><v>%d</v></c></row>`, count-1-i)
	}
	p := book(rows.String())
	p["xl/sharedStrings.xml"] = "<sst>" + texts.String() + "</sst>"
	content, dir, l := packed(p), t.TempDir(), tables.DefaultLimits()
	l.Ratio = 1000
	f, err := tables.Open(bytes.NewReader(content), int64(len(content)), tables.Options{Limits: l, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for range 2 {
		go func() {
			r, err := f.Records(tables.Dialect{})
			for i := count - 1; err == nil && i >= 0; i-- {
				var record tables.Record
				record, err = r.Read()
				if want := fmt.Sprintf("%d x", i); err == nil && !strings.HasPrefix(record.Cell(1).Value, want) {
					err = fmt.Errorf("got %.20q, want %q", record.Cell(1).Value, want)
				}
			}
			done <- err
		}()
	}
	if err := errors.Join(<-done, <-done, f.Close()); err != nil {
		t.Error(err)
	}
	noFiles(t, dir)
}

// TestXLSXWriter: what is written reads as the same cells.
func TestXLSXWriter(t *testing.T) {
	day := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	var b bytes.Buffer
	w, err := tables.NewXLSXWriter(&b, []string{"name", "amount"}, tables.XLSXOptions{Sheet: "Q4's <list>"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []tables.Cell{
		{Type: tables.NumberCell, Value: "-1250.5"}, {Type: tables.NumberCell, Value: "123456789012345"},
		{Type: tables.NumberCell, Value: "1234567890123456"}, {Type: tables.NumberCell, Value: "10,5"},
		{Type: tables.DateCell, Time: day}, {Type: tables.DateCell, Time: day.Add(15*time.Hour + 30*time.Minute + time.Second)},
		{Type: tables.DateCell, Time: day.Add(time.Millisecond)}, {Type: tables.DateCell, Time: day.AddDate(-200, 0, 0)},
		{Type: tables.BooleanCell, Value: "true"}, {Type: tables.TextCell, Value: "=1+1"},
	} {
		if err := w.Write([]tables.Cell{{}, c}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := told(b.Bytes())
	want := `format xlsx 
sheet "Q4's <list>" hidden false
1 | text "name" | text "amount"
2 |  | number "-1250.5"
3 |  | number "123456789012345"
4 |  | text "1234567890123456"
5 |  | text "10,5"
6 |  | date "46053" shown "2026-01-31" 2026-01-31T00:00:00Z
7 |  | date "46053.645844907405" shown "2026-01-31T15:30:01Z" 2026-01-31T15:30:01Z
8 |  | text "2026-01-31T00:00:00.001Z"
9 |  | text "1826-01-31T00:00:00Z"
10 |  | boolean "true"
11 |  | text "=1+1"
`
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestXLSXRoundTrip: any texts, decimals and instants come back, and the same records give the
// same bytes.
func TestXLSXRoundTrip(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "ä", "€", `"`, "\n", "\r", "\r\n", "<", "&", ">", "=", "'", "\u202e", "\ufeff", " ", "_x000D_", "_x", "_", "x000D_", "\x00", "\x1f", "\uFFFE", "😀", "]]>"})
	cell := rapid.Custom(func(t *rapid.T) tables.Cell {
		switch rapid.IntRange(0, 3).Draw(t, "type") {
		case 0:
			return tables.Cell{Type: tables.TextCell, Value: strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(t, "pieces"), "")}
		case 1:
			return tables.Cell{Type: tables.NumberCell, Value: tables.Shift(fmt.Sprint(rapid.Int64().Draw(t, "number")), -rapid.IntRange(0, 30).Draw(t, "decimals"))}
		case 2:
			return tables.Cell{Type: tables.DateCell, Time: time.Unix(rapid.Int64Range(-3e9, 2e11).Draw(t, "seconds"), 0).UTC()}
		}
		return tables.Cell{}
	})
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, 0, 4), 0, 10).Draw(t, "rows")
		var written [2]bytes.Buffer
		for i := range written {
			w, err := tables.NewXLSXWriter(&written[i], []string{"a", "b", "c", "d"}, tables.XLSXOptions{Sheet: "S"})
			for _, row := range rows {
				err = errors.Join(err, w.Write(row))
			}
			if err := errors.Join(err, w.Close()); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(written[0].Bytes(), written[1].Bytes()) {
			t.Fatal("got other bytes for the same records")
		}
		f, err := opened(written[0].String(), tables.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := f.Records(tables.Dialect{})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = r.Read()
		for _, row := range rows {
			record, err := r.Read()
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range row {
				got := record.Cell(i + 1)
				same := got.Value == want.Value
				if want.Type == tables.DateCell {
					d, err := tables.ParseDate(got.Value, tables.DateRules{})
					same = got.Type == tables.DateCell && got.Time.Equal(want.Time) || err == nil && d.Time.Equal(want.Time)
				}
				if !same {
					t.Fatalf("got %+v, want %+v", got, want)
				}
			}
		}
	})
}

func noFiles(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("got %v, %v, want no file left", left, err)
	}
}

// FuzzSheet: whatever the XML of a sheet, its styles and its texts is, reading ends with a
// sentence or with rows in their order.
func FuzzSheet(f *testing.F) {
	whole := book(`<row r="2"><c r="A2" s="1"><v>420</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><t>_x000D_</t></is></c></row><row><c t="str"><f>A1</f><v>x</v></c></row>`)
	f.Add(whole["xl/worksheets/sheet1.xml"], whole["xl/styles.xml"], whole["xl/sharedStrings.xml"])
	f.Add(`<worksheet><sheetData/><mergeCells><mergeCell ref="A1:B2"/></mergeCells></worksheet>`, `<s/>`, `<s/>`)
	limits := tables.DefaultLimits()
	limits.Rows, limits.Columns, limits.Characters, limits.Record = 50, 20, 100, 1000
	f.Fuzz(func(t *testing.T, sheet, styles, texts string) {
		p := book("")
		p["xl/worksheets/sheet1.xml"], p["xl/styles.xml"], p["xl/sharedStrings.xml"] = sheet, styles, texts
		content := packed(p)
		file, err := opened(string(content), limits)
		if err != nil {
			sentence(t, err)
			return
		}
		defer func() { _ = file.Close() }()
		readBounded(t, file, tables.Dialect{}, limits)
	})
}
