//go:build !race

package tables_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"daybook/internal/tables"
)

// endless is a file of any size that is made while it is read: a beginning, then one piece
// again and again.
type endless struct {
	start, piece string
	size         int64
}

func (e endless) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) && at+int64(n) < e.size {
		i := at + int64(n)
		from := e.piece
		if i < int64(len(e.start)) {
			from = e.start[i:]
		} else if from != "" {
			from = from[(i-int64(len(e.start)))%int64(len(from)):]
		}
		n += copy(p[n:min(int64(len(p)), e.size-at)], from)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// read reads a file to its end, and returns the number of records and the error.
func read(source io.ReaderAt, size int64, o tables.Options) (int, error) {
	f, err := tables.Open(source, size, o)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	r, err := f.Records(tables.Dialect{})
	for n := 0; ; n++ {
		if err == nil {
			_, err = r.Read()
		}
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// peak runs f and returns the most bytes that the process held meanwhile.
func peak(f func()) uint64 {
	debug.FreeOSMemory()
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		held := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		var highest uint64
		for {
			metrics.Read(held)
			highest = max(highest, held[0].Value.Uint64()-held[1].Value.Uint64())
			select {
			case <-stop:
				most <- highest
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f()
	close(stop)
	return <-most
}

const memoryBound = 256 << 20

// refused reads a hostile file and holds the refusal to its reason, place and memory.
func refused(t *testing.T, source io.ReaderAt, size int64, o tables.Options, reason tables.Reason, says string) {
	t.Helper()
	dir := t.TempDir()
	o.Dir = dir
	var err error
	held := peak(func() { _, err = read(source, size, o) })
	e, ours := errors.AsType[*tables.Error](err)
	if !ours {
		t.Fatalf("got %v, want an Error", err)
	}
	sentence(t, err)
	if e.Reason != reason || !strings.Contains(e.Message, says) {
		t.Errorf("got %q (%s), want %q (%s)", e.Message, e.Reason, says, reason)
	}
	if held > memoryBound {
		t.Errorf("got %d MiB held, want at most %d", held>>20, memoryBound>>20)
	}
	noFiles(t, dir)
}

// TestAFileReadWholePassesTheMemoryBound is the control of the tests of hostile files: a reader that holds a whole file
// holds more than they may.
func TestAFileReadWholePassesTheMemoryBound(t *testing.T) {
	file := endless{"a,b\n1,\"", "x\n", 250 << 20}
	held := peak(func() {
		whole := make([]byte, file.size+16<<20) // with room for its records
		if n, err := file.ReadAt(whole, 0); n != int(file.size) {
			t.Errorf("got %d bytes, %v, want all", n, err)
		}
		for i := file.size; i < int64(len(whole)); i += 4096 {
			whole[i] = 1
		}
	})
	if held <= memoryBound {
		t.Errorf("got %d MiB held, want more than %d", held>>20, memoryBound>>20)
	}
}

// TestHostileWorkbooks: each workbook is refused with a sentence, within the memory bound.
func TestHostileWorkbooks(t *testing.T) {
	with := func(name, content string) []byte {
		p := book("")
		p[name] = content
		return packed(p)
	}
	small := tables.DefaultLimits()
	small.Unpacked = 1 << 20
	doctype := `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>`
	whole := packed(book(`<row><c t="s"><v>0</v></c></row>`))
	for _, c := range []struct {
		name    string
		content []byte
		reason  tables.Reason
		says    string
	}{
		{"texts that unpack to a thousand times their size", with("xl/sharedStrings.xml", "<sst>"+strings.Repeat("<si><t/></si>", 4<<20)+"</sst>"), tables.TooLarge, "times its size"},
		{"a sheet that does", packed(book("<row>" + strings.Repeat("<c/>", 12<<20) + "</row>")), tables.TooLarge, "times its size"},
		{"a million columns", packed(book("<row>" + strings.Repeat("<c><v>1</v></c>", 1_000_000) + "</row>")), tables.TooLarge, "more than 1,000 columns"},
		{"a far column", packed(book(`<row><c r="ZZZZ1"><v>1</v></c></row>`)), tables.TooLarge, "more than 1,000 columns"},
		{"no column", packed(book(`<row><c r="ZZZZZZZZZZZZ1"><v>1</v></c></row>`)), tables.Malformed, "out of place"},
		{"row 2^31", packed(book(`<row r="2147483648"><c><v>1</v></c></row>`)), tables.Malformed, `"2147483648"`},
		{"row 0", packed(book(`<row r="0"><c><v>1</v></c></row>`)), tables.Malformed, "behind row 0"},
		{"rows that go back", packed(book(`<row r="5"/><row r="4"/>`)), tables.Malformed, `row "4" behind row 5`},
		{"a cell of another row", packed(book(`<row r="5"><c r="A6"/></row>`)), tables.Malformed, "out of place"},
		{"cells that go back", packed(book(`<row><c r="B1"/><c r="A1"/></row>`)), tables.Malformed, "out of place"},
		{"a text out of range", packed(book(`<row><c t="s"><v>4</v></c></row>`)), tables.Malformed, "row 1"},
		{"a text below range", packed(book(`<row><c t="s"><v>-1</v></c></row>`)), tables.Malformed, "row 1"},
		{"a text that is no number", packed(book(`<row><c t="s"><v>x</v></c></row>`)), tables.Malformed, "row 1"},
		{"DOCTYPE in the sheet", with("xl/worksheets/sheet1.xml", doctype+"<worksheet>&b;</worksheet>"), tables.Malformed, "<!DOCTYPE>"},
		{"DOCTYPE in the book", with("xl/workbook.xml", doctype+"<workbook/>"), tables.Malformed, "<!DOCTYPE>"},
		{"an entity", packed(book(`<row><c t="str"><v>&b;</v></c></row>`)), tables.Malformed, "not XML"},
		{"another encoding", with("xl/worksheets/sheet1.xml", `<?xml version="1.0" encoding="UTF-7"?><worksheet/>`), tables.Malformed, "UTF-7"},
		{"a long text", packed(book(`<row><c t="str"><v>` + strings.Repeat("x", 32_768) + `</v></c></row>`)), tables.TooLarge, "32,767 characters"},
		{"a longer text", packed(book(`<row><c t="str"><v>` + strings.Repeat("xy<!---->", 4<<20) + `</v></c></row>`)), tables.TooLarge, "a text or tag"},
		{"a long attribute", packed(book(`<row r="` + strings.Repeat("1", 4<<20) + `"/>`)), tables.TooLarge, "a text or tag"},
		{"a long comment", packed(book(`<!--` + strings.Repeat("<", 4<<20) + `-->`)), tables.TooLarge, "a text or tag"},
		{"a sheet that ends early", with("xl/worksheets/sheet1.xml", "<worksheet><sheetData><row><c><v>1</v></c></row>"), tables.Malformed, "ends in the middle"},
		{"a row that ends early", with("xl/worksheets/sheet1.xml", "<worksheet><sheetData><row><c><v>1</v>"), tables.Malformed, "ends in the middle"},
		{"no sheet", with("xl/workbook.xml", "<workbook/>"), tables.Malformed, "no sheet"},
		{"a sheet elsewhere", with("xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="../../etc/passwd"/></Relationships>`), tables.Malformed, "lacks its part"},
		{"merged cells that are none", with("xl/worksheets/sheet1.xml", `<worksheet><sheetData/><mergeCells><mergeCell ref="A0:B"/></mergeCells></worksheet>`), tables.Malformed, "no range"},
		{"a truncated file", whole[:len(whole)/2], tables.Malformed, "not whole"},
		{"the beginning of a file", whole[:40], tables.Malformed, "not whole"},
		{"a damaged part", damage(whole), tables.Malformed, "xl/worksheets/sheet1.xml"},
		{"sixty thousand parts", manyParts(), tables.Malformed, "too many parts"},
		{"a part twice", twice(), tables.Malformed, "twice"},
		{"a size that is too small", falseSize(100), tables.Malformed, "damaged"},
		{"a size that is too large", falseSize(1 << 40), tables.Malformed, "damaged"},
		{"an encrypted part", encryptedPart(), tables.Encrypted, "password"},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(t, bytes.NewReader(c.content), int64(len(c.content)), tables.Options{}, c.reason, c.says)
		})
	}
	t.Run("too much in all", func(t *testing.T) {
		content := packed(book(`<row><c t="str"><v>` + strings.Repeat("x", 9_000) + `</v></c></row>` + strings.Repeat("<row><c><v>1</v></c></row>", 100_000)))
		refused(t, bytes.NewReader(content), int64(len(content)), tables.Options{Limits: small}, tables.TooLarge, "more than 1 MiB")
	})
	t.Run("too large", func(t *testing.T) {
		refused(t, endless{start: "PK\x03\x04", piece: "x", size: 65 << 20}, 65<<20, tables.Options{}, tables.TooLarge, "at most 64 MiB")
	})
}

// damage changes a byte within the first part's packed bytes.
func damage(whole []byte) []byte {
	at := bytes.Index(whole, []byte("xl/worksheets/sheet1.xml")) + len("xl/worksheets/sheet1.xml") + 12
	changed := bytes.Clone(whole)
	changed[at] ^= 0x55
	return changed
}

func manyParts() []byte {
	p := book("")
	for i := range 60_000 {
		p[fmt.Sprintf("xl/media/%d.xml", i)] = ""
	}
	return packed(p)
}

// raw zips a workbook whose sheet is stored under a header of the caller's.
func raw(change func(*zip.FileHeader), sheets ...string) []byte {
	content := book("")["xl/worksheets/sheet1.xml"]
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range book("") {
		if name != "xl/worksheets/sheet1.xml" {
			part, _ := w.Create(name)
			_, _ = io.WriteString(part, content)
		}
	}
	for _, name := range sheets {
		h := &zip.FileHeader{Name: name, CRC32: crc32.ChecksumIEEE([]byte(content)), CompressedSize64: uint64(len(content)), UncompressedSize64: uint64(len(content))}
		change(h)
		part, _ := w.CreateRaw(h)
		_, _ = io.WriteString(part, content)
	}
	_ = w.Close()
	return b.Bytes()
}

func twice() []byte {
	return raw(func(*zip.FileHeader) {}, "xl/worksheets/sheet1.xml", `XL\worksheets\Sheet1.xml`)
}

func falseSize(size uint64) []byte {
	return raw(func(h *zip.FileHeader) { h.Method, h.UncompressedSize64 = zip.Deflate, size }, "xl/worksheets/sheet1.xml")
}

func encryptedPart() []byte {
	return raw(func(h *zip.FileHeader) { h.Flags |= 1 }, "xl/worksheets/sheet1.xml")
}

// TestHostileTexts: each text is refused with a sentence that names the line, within the memory
// bound.
func TestHostileTexts(t *testing.T) {
	for _, c := range []struct {
		name   string
		source endless
		reason tables.Reason
		says   string
	}{
		{"an open quote of 1 GiB", endless{"a,b\n1,\"", "x\n", 1 << 30}, tables.TooLarge, "at most 256 MiB"},
		{"an open quote of 250 MiB", endless{"a,b\n1,\"", "x\n", 250 << 20}, tables.Malformed, "opens on line 2 is not closed within 1 MiB"},
		{"an open quote", endless{"a,b\n1,\"x\n", "", 9}, tables.Malformed, "opens on line 2 is never closed"},
		{"a line of 250 MiB", endless{"a,b\n", "x", 250 << 20}, tables.TooLarge, "line 2 has more than 1 MiB"},
		{"a line of columns", endless{"a,b\n", "1,", 250 << 20}, tables.TooLarge, "Line 2 has more than 1,000 columns"},
		{"a long cell", endless{"a,b\n1,", "x", 40_000}, tables.TooLarge, "line 2 has more than 32,767 characters"},
		{"a zero byte", endless{"a,b\n1,\x002\n", "", 9}, tables.NotATable, "zero bytes"},
		{"a late zero byte", endless{"a,b\n" + strings.Repeat("1,2\n", 2000) + "\x00", "1,2\n", 20_000}, tables.Malformed, "Line 2002 has a zero byte"},
		{"a JSON text of 250 MiB", endless{"{\"a\":\"", "x", 250 << 20}, tables.TooLarge, "The record on line 1 has more than 1 MiB"},
		{"a JSON object of 250 MiB", endless{"{\"b\":1,\"a\":[", "1,\n", 250 << 20}, tables.TooLarge, "The record on line 1 has more than 1 MiB"},
		{"a JSON array of white space", endless{"[", " \n", 250 << 20}, tables.TooLarge, "more than 1 MiB"},
		{"deep JSON", endless{"{\"a\":", "[", 250 << 20}, tables.Malformed, "Line 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(t, c.source, c.source.size, tables.Options{}, c.reason, c.says)
		})
	}
}

// TestManyRows: memory does not grow with the rows, and rows beyond the limit are refused.
func TestManyRows(t *testing.T) {
	rows := endless{"a,b\n", "some text,1234.5\n", 64 << 20}
	var n int
	var err error
	held := peak(func() { n, err = read(rows, rows.size-(rows.size-4)%17, tables.Options{Limits: unlimitedRows()}) })
	if err != nil || n < 3_000_000 || held > memoryBound/4 {
		t.Errorf("got %d records, %v, %d MiB held, want 3 million within %d MiB", n, err, held>>20, memoryBound>>22)
	}
	blank := endless{"a,b\n", "\n", 8 << 20}
	if n, err := read(blank, blank.size, tables.Options{}); err != nil || n < 8_000_000 {
		t.Errorf("got %d blank records, %v, want 8 million", n, err)
	}
	refused(t, rows, rows.size, tables.Options{}, tables.TooManyRows, "more than 1,000,000 rows")
}

func unlimitedRows() tables.Limits {
	l := tables.DefaultLimits()
	l.Rows = 1 << 30
	return l
}

// TestForeignFiles: what is no table is named, with what to do.
func TestForeignFiles(t *testing.T) {
	ole := "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + strings.Repeat("\x00", 70_000)
	zipped := func(names ...string) string {
		p := parts{}
		for _, name := range names {
			p[name] = "x"
		}
		return string(packed(p))
	}
	for _, c := range []struct {
		name, content string
		reason        tables.Reason
		says          string
	}{
		{"xls", ole, tables.NotATable, ".xls"},
		{"encrypted xlsx", ole + "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00", tables.Encrypted, "password"},
		{"xlsb", zipped("[Content_Types].xml", "xl/workbook.bin"), tables.NotATable, ".xlsb"},
		{"ods", zipped("mimetype", "content.xml"), tables.NotATable, ".ods"},
		{"docx", zipped("[Content_Types].xml", "word/document.xml"), tables.NotATable, "document"},
		{"numbers", zipped("Index/Document.iwa"), tables.NotATable, "Numbers"},
		{"zip", zipped("a.csv"), tables.NotATable, "Unpack it"},
		{"pdf", "%PDF-1.7\n", tables.NotATable, "PDF"},
		{"gzip", "\x1F\x8B\x08\x00", tables.NotATable, "gzip"},
		{"html as xls", "\xEF\xBB\xBF\r\n<HTML xmlns:x=\"urn\"><table>", tables.NotATable, "web page"},
		{"xml 2003", "<?xml version=\"1.0\"?><Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\">", tables.NotATable, "Excel 2003"},
		{"xml", "<?xml version=\"1.0\"?><x/>", tables.NotATable, "XML"},
		{"png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR", tables.NotATable, "zero bytes"},
		{"empty", "", tables.NotATable, "empty"},
		{"white space", "\r\n \t\n", tables.NotATable, "empty"},
		{"a BOM alone", "\xEF\xBB\xBF", tables.NotATable, "empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(t, strings.NewReader(c.content), int64(len(c.content)), tables.Options{}, c.reason, c.says)
		})
	}
}

// TestFailingDisk: an error of the disk is none of the file.
func TestFailingDisk(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, content := range []string{"a,b\n1,2\n", "{\"a\":1}", string(packed(book("<row/>")))} {
		for after := range 40 {
			_, err := read(&failing{strings.NewReader(content), after, broken}, int64(len(content)), tables.Options{})
			if err != nil && !errors.Is(err, broken) {
				t.Errorf("%.20q, read %d: got %v, want %v", content, after, err, broken)
			}
			if err == nil && after == 0 {
				t.Errorf("%.20q: got no error, want %v", content, broken)
			}
		}
	}
}

// failing fails after so many reads.
type failing struct {
	io.ReaderAt
	left int
	err  error
}

func (f *failing) ReadAt(p []byte, at int64) (int, error) {
	f.left--
	if f.left < 0 {
		return 0, f.err
	}
	return f.ReaderAt.ReadAt(p, at)
}
