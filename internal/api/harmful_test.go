//go:build !race

package api_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/internal/api"
	"daybook/internal/imports"
	"daybook/internal/spool"
)

// endlessRows is an endless body of rows.
type endlessRows struct{ at int }

func (e *endlessRows) Read(b []byte) (int, error) {
	const row = "D1,6100,2025,1,1,USD,x\n"
	for i := range b {
		b[i] = row[(e.at+i)%len(row)]
	}
	e.at += len(b)
	return len(b), nil
}

// TestHostileBodiesOfManyRows: a body that unpacks to too much, is too long, is no gzip, or breaks off is refused,
// nothing is stored, and nothing is left on the disk.
func TestHostileBodiesOfManyRows(t *testing.T) {
	bomb := &bytes.Buffer{}
	z := gzip.NewWriter(bomb)
	_, _ = io.Copy(z, io.LimitReader(&endlessRows{}, 257<<20))
	_ = z.Close()
	rows := &bytes.Buffer{}
	rows.WriteString(actualsHeader)
	_, _ = io.Copy(rows, io.LimitReader(&endlessRows{}, 1_000_001*23))
	packed := http.Header{"Content-Type": {"text/csv"}, "Content-Encoding": {"gzip"}}
	s, folder := serveBulk(t)
	for name, c := range map[string]struct {
		body   []byte
		header http.Header
		want   int
		says   string
	}{
		"a bomb":                  {bomb.Bytes(), packed, http.StatusRequestEntityTooLarge, "several requests"},
		"half a bomb":             {bomb.Bytes()[:bomb.Len()/2], packed, http.StatusBadRequest, "break off"},
		"no gzip":                 {[]byte(actualsHeader), packed, http.StatusBadRequest, "not gzip"},
		"another coding":          {[]byte(actualsHeader), http.Header{"Content-Encoding": {"br"}}, http.StatusUnsupportedMediaType, "gzip"},
		"a million rows and one":  {rows.Bytes(), http.Header{"Content-Type": {"text/csv"}}, http.StatusRequestEntityTooLarge, "1,000,000 rows"},
		"no rows":                 {[]byte("\n"), nil, http.StatusBadRequest, "empty"},
		"an open quote":           {[]byte(actualsHeader + "\"D1,6100\n"), nil, http.StatusBadRequest, "line 2"},
		"zero bytes":              {[]byte(actualsHeader + "D1\x00,6100,2025,1,1,USD,x\n"), nil, http.StatusBadRequest, ""},
		"JSON that breaks off":    {[]byte(`[{"department":"D1"`), nil, http.StatusBadRequest, ""},
		"JSON that is no objects": {[]byte(`[1]`), nil, http.StatusBadRequest, ""},
	} {
		got := s.do(t, request{method: http.MethodPost, target: "/api/v1/actuals/bulk", header: c.header, body: c.body})
		if got.status != c.want || !strings.Contains(strings.ToLower(string(got.body)), strings.ToLower(c.says)) {
			t.Errorf("%s: got %d %s, want %d with %q", name, got.status, got.body, c.want, c.says)
		}
	}
	if head, err := s.store.JournalHead(t.Context()); err != nil || head.Seq != 4 {
		t.Errorf("got the head %v, %v, want nothing stored", head, err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("got %v left on the disk, want nothing", left)
	}
	if _, body := s.many(t, "/api/v1/actuals/bulk", actualsHeader+"D1,6100,2025,1,1,USD,x\n", nil); body.Counts.New != 1 {
		t.Errorf("got %v after that, want one new", body)
	}
}

// TestHostileFiles: each is refused with a sentence that says what to do. Nothing is stored, and no file is left.
func TestHostileFiles(t *testing.T) {
	s, folder := open(t), t.TempDir()
	config := s.config()
	config.Spool = spool.Beside(filepath.Join(folder, "app.db"))
	config.Imports = imports.New(config.Spool, s.store)
	s.listen(t, api.New(config))
	before := s.newest(t)
	bomb := &bytes.Buffer{}
	z := gzip.NewWriter(bomb)
	for range 257 {
		_, _ = z.Write(bytes.Repeat([]byte("a"), 1<<20))
	}
	_ = z.Close()
	workbook, err := os.ReadFile("../tables/testdata/imports/46-xlsx-1904.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file   []byte
		packed bool
		status int
		code   string
	}{
		"a bomb":              {bomb.Bytes(), true, http.StatusRequestEntityTooLarge, "payload_too_large"},
		"no gzip":             {[]byte("a,b\n"), true, http.StatusBadRequest, "unreadable_file"},
		"a truncated book":    {workbook[:len(workbook)-100], false, http.StatusBadRequest, "unreadable_file"},
		"half a book":         {workbook[:len(workbook)/2], false, http.StatusBadRequest, "unreadable_file"},
		"an old workbook":     {[]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + strings.Repeat("\x00", 5000)), false, http.StatusBadRequest, "unreadable_file"},
		"zeros":               {make([]byte, 1<<20), false, http.StatusBadRequest, "unreadable_file"},
		"an open quote":       {[]byte("Dept,Account\n\"" + strings.Repeat("a,b\n", 8<<20)), false, http.StatusBadRequest, "unreadable_file"},
		"a million columns":   {[]byte(strings.Repeat("a,", 1_000_000) + "\n"), false, http.StatusBadRequest, "unreadable_file"},
		"a million rows more": {[]byte("department\n" + strings.Repeat("a,b\n", 1_000_001)), false, http.StatusBadRequest, "too_many_rows"},
		"a page":              {[]byte("<!DOCTYPE html><html><body>Sign in</body></html>"), false, http.StatusBadRequest, "unreadable_file"},
		"row 2^31":            {bookOf(t, `<worksheet><sheetData><row r="2147483648"><c><v>1</v></c></row></sheetData></worksheet>`), false, http.StatusBadRequest, "unreadable_file"},
		"DOCTYPE":             {bookOf(t, `<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet>&a;</worksheet>`), false, http.StatusBadRequest, "unreadable_file"},
		"a text out of range": {bookOf(t, `<worksheet><sheetData><row><c t="s"><v>4294967295</v></c></row></sheetData></worksheet>`), false, http.StatusBadRequest, "unreadable_file"},
		"JSON cut off":        {[]byte(`[{"department":"D1",`), false, http.StatusBadRequest, "unreadable_file"},
	} {
		header := http.Header{"Content-Type": {"application/octet-stream"}}
		if c.packed {
			header.Set("Content-Encoding", "gzip")
		}
		got := s.do(t, request{method: http.MethodPost, target: "/api/v1/imports?kind=actuals", header: header, body: c.file})
		one := read[importBody](t, string(got.body))
		for one.State == "reading" {
			one = read[importBody](t, s.get(t, "/api/v1/imports/"+one.ID))
		}
		if one.State != "failed" && (got.status != c.status || one.Code != c.code || len(one.Error) < 20) || one.State == "failed" && len(one.Problem) < 20 {
			t.Errorf("%s: got %d %.300s, want %d %s", name, got.status, got.body, c.status, c.code)
		}
	}
	if after := s.newest(t); after != before {
		t.Errorf("got the entry %d, want none after %d", after, before)
	}
	config.Imports.Close()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("got the files %v, %v, want none", left, err)
	}
}

// bookOf is a workbook with one sheet.
func bookOf(t *testing.T, sheet string) []byte {
	t.Helper()
	const relationship = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, part := range [][2]string{
		{"[Content_Types].xml", "<Types/>"},
		{"_rels/.rels", `<Relationships><Relationship Id="rId1" Type="` + relationship + `officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`},
		{"xl/sharedStrings.xml", `<sst><si><t>one</t></si></sst>`},
		{"xl/worksheets/sheet1.xml", sheet},
	} {
		to, err := w.Create(part[0])
		if err == nil {
			_, err = io.WriteString(to, part[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
